// A run that waits for the answer of a person, also after the time for it is over.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { badge, barriers, expect, Server, start, test } from "./stand";

test("a run that asks waits for an answer, and says so", async ({ app, stand }) => {
  stand.model.says(
    { why: "the name is not known", do: 'ask "Which name shall I write?"', confidence: 0.9 },
    { why: "now it is", do: 'fill e1 "Ada"', confidence: 0.9 },
    { why: "it stands there", do: 'done "Ada is written."', confidence: 0.95 },
  );
  await start(app, "Ask me for my name and write it down", `${stand.site.url}/form`);
  await expect(badge(app)).toHaveText("?Waiting for an answer");
  await expect(app.locator(".tiles")).not.toContainText("left");
  expect(await barriers(app)).toEqual([]);
  // Lists say the same as the run: it is not at work.
  const address = app.url();
  for (const screen of ["/", "/runs"]) {
    await app.goto(new URL(screen, address).href);
    const row = app.locator(".recent li, .runs tbody tr").filter({ hasText: "Ask me for my name and write" });
    await expect(row.first().locator(".badge")).toHaveText("?Waiting for an answer");
  }
  await app.goto(address);
  const form = app.getByRole("form", { name: "The run asks" });
  // The answer is a text, so there is no choice.
  await expect(form.getByRole("button")).toHaveText(["Answer"]);
  await form.getByRole("textbox").fill("Ada");
  await form.getByRole("button", { name: "Answer" }).click();
  await expect(badge(app)).toContainText("Success");
  // What was done is told in words of the page: without refs, and with who decided.
  await expect(app.locator(".steps .command").first()).toBeVisible();
  await expect(app.locator(".steps .commands")).not.toContainText([/\[e\d/]);
  await expect(app.locator(".tiles")).toContainText(/\d by the model|\d steps? by the model/);
});

test("a model's question offers the answers that it states, and takes another one", async ({ app, stand }) => {
  for (const choose of [false, true]) {
    stand.model.says(
      { why: "there are two accounts", do: 'ask "Which account?" "Private", "Business"', confidence: 0.9 },
      { why: "now it is known", do: 'done "The account is chosen."', confidence: 0.95 },
    );
    await start(app, "Find out which account I mean", `${stand.site.url}/form`);
    const form = app.getByRole("form", { name: "The run asks" });
    await expect(form.getByRole("button")).toHaveText(["Private", "Business", "Answer"]);
    await expect(form).not.toContainText("(Private / Business)");
    if (choose) await form.getByRole("button", { name: "Business" }).click();
    else {
      await form.getByRole("textbox").fill("Holiday");
      await form.getByRole("button", { name: "Answer" }).click();
    }
    await expect(badge(app)).toContainText("Success");
    expect(stand.model.requests.at(-1)).toContain(`: \\"${choose ? "Business" : "Holiday"}\\"`);
  }
});

test("a question that nobody answered in time is answered later, without other offers", async ({ page, stand }) => {
  const data = mkdtempSync(join(tmpdir(), "legwork-question-"));
  const server = await Server.start(data, stand.model, 0, { LEGWORK_SERVER_ANSWER_TIMEOUT: "1s" });
  try {
    await server.signIn(page);
    stand.model.says(
      { why: "the name is not known", do: 'ask "Which name shall I write?"', confidence: 0.9 },
      { why: "now it is", do: 'done "The name is Ada."', confidence: 0.95 },
    );
    const run = await start(page, "Ask me for my name", `${stand.site.url}/form`);
    await expect.poll(() => server.state(run)).toBe("parked");
    await expect(page.getByRole("button", { name: "Delete" })).toBeVisible();
    await expect(badge(page)).toHaveText("?Waiting for an answer");
    const form = page.getByRole("form", { name: "The run asks" });
    await expect(form).toContainText("Which name shall I write?");
    await expect(page.getByRole("button", { name: /It was|^Resume/ })).toHaveCount(0);
    await expect(page.locator(".trouble")).toHaveCount(0);
    await page.goto(`${server.url}/runs`);
    await expect(page.locator(".runs .badge")).toHaveText("?Waiting for an answer");
    await page.goto(`${server.url}/runs/${run}`);
    await form.getByRole("textbox").fill("Ada");
    await form.getByRole("button", { name: "Answer" }).click();
    await expect(badge(page)).toContainText("Success");
  } finally {
    await server.stop();
    rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  }
});

test("a question with options offers them as buttons and no text field", async ({ page, stand }) => {
  const data = mkdtempSync(join(tmpdir(), "legwork-options-"));
  mkdirSync(join(data, "config", "legwork"), { recursive: true });
  const rule = '[[rule]]\naction = "click"\ndecision = "ask"\nreason = "a person looks first"\n';
  writeFileSync(join(data, "config", "legwork", "policy.toml"), rule);
  const server = await Server.start(data, stand.model);
  try {
    await server.signIn(page);
    await start(page, 'Click "Send"', `${stand.site.url}/form`);
    const box = page.getByRole("region", { name: "The run asks" });
    await expect(box.getByRole("button")).toHaveText(["Yes", "No"]);
    await expect(box.getByRole("textbox")).toHaveCount(0);
    await expect(box).not.toContainText("Answer yes or no");
    expect(await barriers(page)).toEqual([]);
    await box.getByRole("button", { name: "Yes" }).click();
    await expect(badge(page)).toContainText("Success");
  } finally {
    await server.stop();
    rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  }
});
