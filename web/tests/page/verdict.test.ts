// Validated, unvalidated and rejected look different wherever a run is shown, by sign and words and not by colour alone;
// and nothing that speaks against a step stands under a ✓. A run's own record is shown, with other verdicts written into it.

import type { Page } from "@playwright/test";
import type { EvidenceRow, RecordPatch, StatusLabel } from "../../src/api/generated";
import { badge, barriers, expect, start, test } from "./stand";

type Json = Record<string, unknown>;
type Row = RecordPatch["rows"][number];

const VERDICTS = {
  validated: { tone: "good", sign: "✓", words: "Success, validated", claim: "validated" },
  unvalidated: { tone: "doubt", sign: "?", words: "Success, unvalidated", claim: "unvalidated" },
  rejected: { tone: "bad", sign: "✗", words: "Rejected", claim: "rejected" },
  contradicted: { tone: "bad", sign: "✗", words: "Success contradicted by evidence", claim: "contradicted" },
} as const satisfies Record<string, StatusLabel>;

/** Shows the run's record as `change` leaves its rows. */
async function rewrite(page: Page, run: string, change: (row: Row) => void): Promise<void> {
  const text = await page.evaluate(async (run) => {
    const stop = new AbortController();
    const response = await fetch(`/api/stream/record/${run}`, { signal: stop.signal });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("event: end")) text += (await reader.read()).value ?? "";
    stop.abort();
    return text;
  }, run);
  const record = JSON.parse(/^event: record\ndata: (.*)$/m.exec(text)![1]!) as RecordPatch;
  record.rows.forEach(change);
  const body = `id: ${record.seq}\nevent: record\ndata: ${JSON.stringify(record)}\n\nevent: end\ndata: {"status":"success"}\n\n`;
  await page.route(`**/api/stream/record/${run}?*`, (route) =>
    route.fulfill({ contentType: "text/event-stream", body }),
  );
}

/** Gives a step and the moment of its end this verdict. */
function judge(row: Row, index: number, verdict: StatusLabel, reason: string): void {
  const isStep = row.row === "step" && row.index === index;
  if (isStep) row.verdict = verdict;
  if (!isStep && !(row.row === "moment" && row.kind === "end" && row.step === index)) return;
  if (row.result) Object.assign(row.result, { verdict, reason });
  if (row.row === "moment")
    Object.assign(row, { tone: verdict.tone, title: `Step ${index + 1}: ${verdict.words.toLowerCase()}` });
}

const fact = (fact: string, side: EvidenceRow["side"] = "supporting"): EvidenceRow => {
  const [sign, words] = {
    supporting: ["✓", "Supports it:"],
    contradicting: ["✗", "Contradicts it:"],
    neutral: ["·", "Neutral:"],
  }[side] as [string, string];
  return { side, sign, words, kind: "text", checked: false, fact };
};

/** In both themes and three sizes. */
async function clean(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const width of [1280, 768, 360]) {
      await page.setViewportSize({ width, height: 800 });
      expect.soft(await barriers(page), `${colorScheme}, ${width} px`).toEqual([]);
      expect
        .soft(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${width} px`)
        .toBeLessThanOrEqual(0);
    }
  }
}

test("a run's verdict and its steps': validated, unvalidated, rejected", async ({ app, stand }) => {
  const run = await start(
    app,
    ['Click "Order form"', 'Check that "Name" is shown', 'Fill "Name" with "Ada"'].join("\n"),
    stand.site.url,
  );
  await expect(badge(app)).toContainText("Success");
  const claims = ["validated", "unvalidated", "rejected"] as const;
  const reasons = ["evidence supports it", "it was not checked", "evidence contradicts it"];
  await rewrite(app, run, (row) => {
    for (const [index, claim] of claims.entries()) judge(row, index, VERDICTS[claim], reasons[index]!);
    if (row.row === "run") row.verdict = VERDICTS.unvalidated;
  });
  await app.goto(`/runs/${run}`);
  await expect(badge(app)).toHaveText("?Success, unvalidated");
  const step = (index: number) => app.locator(".step").nth(index).locator(".step-head");
  for (const [index, sign] of ["✓", "?", "✗"].entries()) {
    await expect(step(index).locator(".sign")).toHaveText(sign);
    await expect(step(index).locator(".claim")).toHaveText(claims[index]!);
  }
  await expect(app.getByRole("button", { name: /Success, validated\./ })).toBeVisible();
  await clean(app);

  await app.getByRole("link", { name: "Trace" }).click();
  const ends = app.getByRole("listbox", { name: "Moments" }).getByRole("option", { name: /End of a step/ });
  await expect(ends).toHaveText([/✓.*success, validated/, /\?.*success, unvalidated/, /✗.*rejected/]);
  await ends.last().click();
  await expect(app.getByRole("region", { name: "Event" }).locator(".badge")).toHaveText("✗Rejected");
  await app.getByRole("tab", { name: /Evidence/ }).click();
  await expect(app.getByRole("tabpanel")).toContainText("rejected evidence contradicts it");
  await clean(app);
});

test("what speaks against a step has a ✗ and the looks of an error, and takes the ✓ from step and run", async ({
  app,
  stand,
}) => {
  const run = await start(app, 'Click "Order form"', stand.site.url);
  await expect(badge(app)).toContainText("Success");
  const evidence = [
    fact("the address is /welcome"),
    fact("answered 401", "contradicting"),
    fact("the clock ticked", "neutral"),
    fact("a greeting appeared", "supporting"),
  ];
  await rewrite(app, run, (row) => {
    judge(row, 0, VERDICTS.contradicted, "evidence contradicts it");
    if ((row.row === "step" || row.row === "moment") && row.result) row.result.evidence = evidence;
    if (row.row === "run") row.verdict = VERDICTS.contradicted;
    if (row.row === "turn")
      for (const command of row.commands)
        Object.assign(command, { state: "refused", effects: [{ words: "went to /order (HTTP 500)", against: true }] });
  });
  const shown = async () => {
    const facts = app.locator(".evidence li");
    await expect(facts).toHaveText([
      /✓Supports it: the address/,
      /✗Contradicts it: answered 401/,
      /·Neutral: the clock/,
      /✓Supports it: a greeting/,
    ]);
    await expect(facts.nth(1)).toHaveClass("contradicting");
    const colour = (at: number) =>
      facts
        .nth(at)
        .locator(".sign")
        .evaluate((sign) => getComputedStyle(sign).color);
    expect(new Set([await colour(0), await colour(1), await colour(2)]).size).toBe(3);
  };
  await app.goto(`/runs/${run}`);
  await expect(badge(app)).toHaveText("✗Success contradicted by evidence");
  await expect(app.locator(".step .claim").first()).toHaveText("contradicted");
  // Open by itself, as whatever went wrong.
  await shown();
  const clicked = app.locator(".step .command").first();
  await expect(clicked.locator(".did .sign")).toHaveText("✗");
  await expect(clicked.locator(".effect.against")).toHaveText("went to /order (HTTP 500)");
  await clean(app);

  await app.getByRole("link", { name: "Trace" }).click();
  await app.getByRole("option", { name: /End of a step/ }).click();
  await app.getByRole("tab", { name: /Evidence/ }).click();
  await shown();
  await clean(app);
});

test("the list of runs tells the verdicts apart", async ({ app, stand }) => {
  for (let run = 0; run < 4; run++) {
    await start(app, `Open ${stand.site.url}/form`);
    await expect(badge(app)).toContainText("Success");
  }
  await app.route("**/api/stream/sse", (route) =>
    route.fulfill({ contentType: "text/event-stream", body: ": hello\n\n" }),
  );
  const failed: StatusLabel = { tone: "bad", sign: "✗", words: "Failed", claim: null };
  const rows: Json[] = [
    { verdict: VERDICTS.validated },
    { verdict: VERDICTS.unvalidated },
    { state: "failure", verdict: VERDICTS.rejected },
    { state: "failure", verdict: failed },
  ];
  await app.route("**/api/automation/sessions?*", async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { data: Json[] };
    for (const [at, row] of answer.data.entries()) Object.assign(row, rows[at]);
    await route.fulfill({ response, json: answer });
  });
  await app.goto("/runs");
  const badges = app.getByRole("table").locator(".badge");
  for (const [at, words] of ["✓Success, validated", "?Success, unvalidated", "✗Rejected", "✗Failed"].entries())
    await expect(badges.nth(at)).toHaveText(words);
  await clean(app);
});

test("the dashboard tells the verdicts apart, in the chart, its table and its figures", async ({ app, stand }) => {
  await start(app, `Open ${stand.site.url}/form`);
  await expect(badge(app)).toContainText("Success");
  await app.route("**/api/dashboard?*", async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { data: { days: Json[]; workflows: Json[] } };
    // Other tests' runs may be of the day before, when midnight falls into this suite.
    for (const day of answer.data.days)
      Object.assign(day, {
        runs: 0,
        success: 0,
        validated: 0,
        failure: 0,
        rejected: 0,
        error: 0,
        parked: 0,
        cancelled: 0,
      });
    Object.assign(answer.data.days.at(-1)!, {
      runs: 10,
      success: 5,
      validated: 2,
      failure: 3,
      rejected: 1,
      error: 2,
      parked: 0,
      cancelled: 0,
    });
    Object.assign(answer.data.workflows[0]!, { successRate: 0.5, validatedRate: 0.2 });
    await route.fulfill({ response, json: answer });
  });
  await app.goto("/dashboard");
  await expect(app.locator(".legend").first().locator("span")).toHaveText([
    "Success, validated",
    "Success, unvalidated",
    "Rejected",
    "Failed",
    "Error",
  ]);
  await expect(app.locator("dt", { hasText: "Success rate" }).locator("+ dd")).toHaveText("50 %20 % validated");
  await expect(app.getByRole("cell", { name: "50 % 20 % validated" })).toBeVisible();
  // Not by colour alone: each has a shape of its own.
  await expect(app.locator("svg .bar.doubt")).toHaveCSS("fill", /url\("#hatched"\)/);
  await clean(app);
  await app.getByRole("button", { name: "Table of Runs by outcome" }).click();
  const row = app.getByRole("region", { name: "Runs by outcome" }).getByRole("row").nth(1);
  await expect(row.getByRole("cell")).toHaveText(["2", "3", "1", "2", "2", "0", "0"]);
  await clean(app);
});
