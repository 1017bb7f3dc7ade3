// A run from the form to its end, steered on the way.

import { badge, expect, start, test } from "./stand";

test("the demo: started from the examples and watched to its end", async ({ app }) => {
  await app.getByRole("button", { name: "A day at Harbor Supplies" }).click();
  await expect(app.getByRole("status").filter({ hasText: "steps, no model needed" })).toBeVisible();
  await app.getByRole("button", { name: "Start run" }).click();
  await expect(app.getByRole("heading", { level: 1 })).toHaveText("A day at Harbor Supplies");
  await expect(badge(app)).toContainText("Success", { timeout: 150_000 });
  await expect(app.locator(".stage img")).toBeVisible();
  await expect(app.locator('.step[data-state="success"]')).toHaveCount(55);
  await expect(app.getByRole("row", { name: /order_number HS-1004/ })).toBeVisible();
});

test("what is wrong is said line by line before anything starts", async ({ app }) => {
  await app.getByRole("textbox", { name: "Steps" }).fill('url: nowhere\nsteps:\n  - Click "A"\n  - 5: 3');
  await expect(app.locator(".problems li").first()).toBeVisible();
  await expect(app.getByRole("button", { name: "Start run" })).toBeDisabled();
  await app.getByRole("textbox", { name: "Steps" }).fill('Click "A"\nBuy something nice');
  await expect(app.getByText("2 steps, 1 needs a model")).toBeVisible();
  await expect(app.locator(".margin .literal")).toHaveCount(1);
  await expect(app.locator(".margin .model")).toHaveCount(1);
});

test("a run at work: its state, its step at work, and the browser", async ({ app, stand }) => {
  const job = stand.site.job();
  await start(app, job.steps(2), job.url);
  await expect(badge(app)).toContainText("Running");
  await expect(app.locator('.step[data-state="running"]')).toContainText("Done 1.");
  await expect(app.locator(".stage img")).toBeVisible();
  job.done();
  await expect(badge(app)).toContainText("Success");
});

test("pause holds a run, resume lets it go on", async ({ app, stand }) => {
  const job = stand.site.job();
  await start(app, job.steps(6), job.url);
  job.done(1);
  await expect(app.locator('.step[data-state="success"]')).toHaveCount(3);
  const heard = app.waitForResponse((response) => response.url().endsWith("/pause"));
  await app.getByRole("button", { name: "Pause" }).click();
  expect((await heard).ok()).toBe(true);
  // The pause interrupts the step at work, which looks for a text; no step ends, though all of them could be done.
  await expect(badge(app)).toContainText("Paused");
  job.done();
  await expect(app.locator('.step[data-state="success"]')).toHaveCount(3);
  await app.getByRole("button", { name: "Resume" }).click();
  await expect(badge(app)).toContainText("Success");
  await expect(app.locator('.step[data-state="success"]')).toHaveCount(12);
});

test("a pause interrupts a wait, which goes on when the run is resumed", async ({ app, stand }) => {
  await start(app, `Open ${stand.site.url}/form\nWait 250 seconds`);
  await expect(app.locator('.step[data-state="success"]')).toHaveCount(1);
  // Without the interruption, the pause would begin only after the wait.
  for (const _ of [1, 2]) {
    await app.getByRole("button", { name: "Pause" }).click();
    await expect(badge(app)).toContainText("Paused");
    await app.getByRole("button", { name: "Resume" }).click();
    await expect(badge(app)).toContainText("Running");
  }
  await app.getByRole("button", { name: "Stop" }).click();
  await app.getByRole("dialog").getByRole("button", { name: "Stop run" }).click();
  await expect(badge(app)).toContainText("Cancelled");
});

test("stop asks first, and ends a run as cancelled", async ({ app, stand }) => {
  const job = stand.site.job();
  await start(app, job.steps(10), job.url);
  await expect(app.locator('.step[data-state="success"]')).toHaveCount(1);
  await app.getByRole("button", { name: "Stop" }).click();
  const dialog = app.getByRole("dialog", { name: "Stop this run?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(app.getByRole("button", { name: "Stop" })).toBeFocused();
  await app.getByRole("button", { name: "Stop" }).click();
  // The run goes on while it is asked, and what comes in leaves the question where it is.
  job.done(1);
  await expect(app.locator('.step[data-state="success"]')).toHaveCount(3);
  await dialog.getByRole("button", { name: "Stop run" }).click();
  await expect(badge(app)).toContainText("Cancelled");
  await expect(app.getByRole("button", { name: "Resume" })).toBeVisible();
});

test("a run that ends while it is asked whether to stop it takes the question away", async ({ app, stand }) => {
  const job = stand.site.job();
  await start(app, job.steps(2), job.url);
  await expect(app.locator('.step[data-state="success"]')).toHaveCount(1);
  await app.getByRole("button", { name: "Stop" }).click();
  const dialog = app.getByRole("dialog", { name: "Stop this run?" });
  await expect(dialog).toBeVisible();
  job.done();
  await expect(badge(app)).toContainText("Success");
  await expect(dialog).toBeHidden();
  // What had the focus is gone: it is not lost on the way.
  await expect(app.getByRole("heading", { level: 1 })).toBeFocused();
});

test("a question is answered, and the answer is used", async ({ app, stand }) => {
  stand.model.says(
    { why: "the name is not known", do: 'ask "Which name shall I write?"', confidence: 0.9 },
    { why: "now it is", do: 'fill e1 "Ada"', confidence: 0.9 },
    { why: "it stands there", do: 'done "Ada is written."', confidence: 0.95 },
  );
  await start(app, "Ask me for my name and write it down", `${stand.site.url}/form`);
  const form = app.getByRole("form", { name: "The run asks" });
  await expect(form).toContainText("Which name shall I write?");
  await form.getByRole("textbox").fill("Ada");
  await form.getByRole("button", { name: "Answer" }).click();
  await expect(form).toBeHidden();
  await expect(badge(app)).toContainText("Success");
  await expect(app.locator(".asked")).toContainText("Answered: Ada");
});
