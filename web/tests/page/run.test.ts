// A run from the form to its end, steered on the way.

import { badge, expect, start, test } from "./stand";
import { slowSteps } from "./stand/site";

test("the demo: started from its template and watched to its end", async ({ app }) => {
  test.setTimeout(120_000);
  await app.getByLabel("Template").selectOption({ label: "A day at Harbor Supplies" });
  await expect(app.getByRole("status").filter({ hasText: "steps, no model needed" })).toBeVisible();
  await app.getByRole("button", { name: "Start the run" }).click();
  await expect(app.getByRole("heading", { level: 1 })).toHaveText("A day at Harbor Supplies");
  await expect(badge(app)).toContainText("Running");
  await expect(app.locator('.step[data-state="running"]')).toBeVisible();
  await expect(app.locator(".stage img")).toBeVisible();
  await expect(badge(app)).toContainText("Success", { timeout: 90_000 });
  await expect(app.locator('.step[data-state="success"]')).toHaveCount(55);
  await expect(app.getByRole("row", { name: /order_number HS-1004/ })).toBeVisible();
});

test("what is wrong is said line by line before anything starts", async ({ app }) => {
  await app.getByRole("textbox", { name: "Steps" }).fill('url: nowhere\nsteps:\n  - Click "A"\n  - 5: 3');
  await expect(app.locator(".problems li").first()).toBeVisible();
  await expect(app.getByRole("button", { name: "Start the run" })).toBeDisabled();
  await app.getByRole("textbox", { name: "Steps" }).fill('Click "A"\nBuy something nice');
  await expect(app.getByText("2 steps, 1 needs a model")).toBeVisible();
  await expect(app.locator(".margin .literal")).toHaveCount(1);
  await expect(app.locator(".margin .model")).toHaveCount(1);
});

test("pause holds a run, resume lets it go on", async ({ app, stand }) => {
  await start(app, slowSteps(6), `${stand.site.url}/slow`);
  await expect(app.locator('.step[data-state="success"]').nth(1)).toBeVisible();
  await app.getByRole("button", { name: "Pause" }).click();
  await expect(badge(app)).toContainText("Paused");
  const done = await app.locator('.step[data-state="success"]').count();
  expect(done).toBeLessThan(12);
  await app.getByRole("button", { name: "Resume" }).click();
  await expect(badge(app)).toContainText("Success", { timeout: 30_000 });
  await expect(app.locator('.step[data-state="success"]')).toHaveCount(12);
});

test("stop asks first, and ends a run as cancelled", async ({ app, stand }) => {
  await start(app, slowSteps(10), `${stand.site.url}/slow`);
  await expect(app.locator('.step[data-state="success"]').first()).toBeVisible();
  await app.getByRole("button", { name: "Stop" }).click();
  const dialog = app.getByRole("dialog", { name: "Stop this run?" });
  await dialog.getByRole("button", { name: "Leave it" }).click();
  await expect(app.getByRole("button", { name: "Stop" })).toBeFocused();
  await app.getByRole("button", { name: "Stop" }).click();
  await dialog.getByRole("button", { name: "Stop it" }).click();
  await expect(badge(app)).toContainText("Cancelled");
  await expect(app.getByRole("button", { name: "Go on" })).toBeVisible();
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
  await expect(badge(app)).toContainText("Success", { timeout: 30_000 });
  await expect(app.locator(".asked")).toContainText("Answered: Ada");
});
