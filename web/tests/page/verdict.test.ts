// Validated, unvalidated and rejected look different wherever a run is shown, by sign and words and not by colour alone;
// and nothing that speaks against a step stands under a ✓. A run's own record is shown, with other verdicts written into it.

import type { Page } from "@playwright/test";
import { badge, barriers, expect, start, test } from "./stand";

type Json = Record<string, unknown>;
interface Told {
  seq: number;
  type: string;
  data: Json;
}

/** Shows the run's events as `change` leaves them. */
async function rewrite(page: Page, run: string, change: (event: Told) => void): Promise<void> {
  const events: Told[] = await page.evaluate(async (run) => {
    const answer = await fetch(`/api/automation/sessions/${run}/history?limit=500`);
    return (await answer.json()).data.events;
  }, run);
  events.forEach(change);
  const frames = events
    .map((event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
  const body = `${frames}event: end\ndata: {"status":"success"}\n\n`;
  await page.route(`**/api/stream/sse/${run}?*`, (route) => route.fulfill({ contentType: "text/event-stream", body }));
}

const steps = (change: (data: Json, index: number) => void) => (event: Told) => {
  if (event.type === "STEP_COMPLETED") change(event.data, event.data.index as number);
};

const fact = (fact: string, polarity?: string) => ({
  kind: "text",
  fact,
  checked: false,
  ...(polarity && { polarity }),
});

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
  const claims = ["validated", "unvalidated", "rejected"];
  await rewrite(app, run, (event) => {
    steps((data, index) => Object.assign(data, { validation: claims[index] }))(event);
    if (event.type === "WORKFLOW_COMPLETED") event.data.validation = "unvalidated";
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
  await expect(app.getByRole("tabpanel")).toContainText("rejected evidence speaks against it");
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
  await rewrite(app, run, (event) => {
    steps((data) => Object.assign(data, { validation: "validated", evidence }))(event);
    if (event.type === "WORKFLOW_COMPLETED") event.data.validation = "validated";
    if (event.type === "COMMAND_COMPLETED")
      (event.data.result as Json).effects = [{ kind: "navigated", from: "/", to: "/order", status: 500 }];
  });
  const shown = async () => {
    const facts = app.locator(".evidence li");
    await expect(facts).toHaveText([
      /✓Supports it: the address/,
      /✗Speaks against it: answered 401/,
      /·Says nothing of it: the clock/,
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
  const rows: Json[] = [
    { validation: "validated" },
    { validation: "unvalidated" },
    { state: "failure", validation: "rejected" },
    { state: "failure", validation: "unvalidated" },
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
      Object.assign(day, { runs: 0, success: 0, failure: 0, error: 0, parked: 0, cancelled: 0 });
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
    Object.assign(answer.data.workflows[0]!, { success_rate: 0.5, validated_rate: 0.2 });
    await route.fulfill({ response, json: answer });
  });
  await app.goto("/dashboard");
  await expect(app.locator(".legend").first().locator("span")).toHaveText([
    "Success, validated",
    "Success, unvalidated",
    "Rejected",
    "Failed",
    "Broken",
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
