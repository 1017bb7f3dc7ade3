// What somebody wrote is not lost without a question: on “New run” it is kept, and the editor of a workflow asks.

import type { Page } from "@playwright/test";
import { badge, barriers, expect, start, test } from "./stand";

const main = (page: Page) => page.getByRole("navigation", { name: "Main" });
const steps = (page: Page) => page.getByRole("textbox", { name: "Steps" });

test("a new run keeps its text over other screens and a reload, until it was started", async ({ app, stand }) => {
  await steps(app).fill(`Open ${stand.site.url}/form`);
  await app.getByLabel("Start URL").fill(stand.site.url);
  await main(app).getByRole("link", { name: "Runs" }).click();
  await expect(app.getByRole("heading", { level: 1 })).toHaveText("Runs");
  await main(app).getByRole("link", { name: "New run" }).click();
  await expect(steps(app)).toHaveValue(`Open ${stand.site.url}/form`);
  await app.reload();
  await expect(steps(app)).toHaveValue(`Open ${stand.site.url}/form`);
  await expect(app.getByLabel("Start URL")).toHaveValue(stand.site.url);
  await app.getByRole("button", { name: "Start run" }).click();
  await app.waitForURL(/\/runs\//);
  await expect(badge(app)).toContainText("Success");
  await main(app).getByRole("link", { name: "New run" }).click();
  await expect(steps(app)).toHaveValue("");
});

test("an example replaces what was written only after a question", async ({ app }) => {
  const example = app.getByRole("button", { name: "Search the products" });
  const dialog = app.getByRole("dialog", { name: "Replace what you wrote?" });
  await steps(app).fill("Reload");
  await example.click();
  expect(await barriers(app)).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(steps(app)).toHaveValue("Reload");
  await example.click();
  await dialog.getByRole("button", { name: "Replace" }).click();
  await expect(steps(app)).not.toHaveValue("Reload");
  // An example that was not changed is replaced at once.
  await app.getByRole("button", { name: "A day at Harbor Supplies" }).click();
  await expect(dialog).toBeHidden();
  await expect(steps(app)).toHaveValue(/orders/i);
});

test("a run that is edited does not replace what was written without a question", async ({ app, stand }) => {
  const run = await start(app, `Open ${stand.site.url}/form`);
  await expect(badge(app)).toContainText("Success");
  await main(app).getByRole("link", { name: "New run" }).click();
  await steps(app).fill("Reload");
  await app.goto(`/runs/${run}`);
  await app.getByRole("link", { name: "Edit and run" }).click();
  const dialog = app.getByRole("dialog", { name: "Replace what you wrote?" });
  await dialog.getByRole("button", { name: "Replace" }).click();
  await expect(steps(app)).toHaveValue(`Open ${stand.site.url}/form`);
  // A change of it survives a reload, though the address names the run.
  await steps(app).fill("Go back");
  await app.reload();
  await expect(steps(app)).toHaveValue("Go back");
});

test("the editor of a workflow asks before changes are lost", async ({ app, stand }) => {
  const id = await stand.server.saveWorkflow({ name: "Careful", text: "Reload" });
  await app.goto(`/workflows/${id}`);
  await app.getByRole("link", { name: "Edit" }).click();
  const dialog = app.getByRole("dialog", { name: "Leave without saving?" });
  await expect(steps(app)).toHaveValue("Reload");
  // Without changes, nothing is asked.
  await app.getByRole("link", { name: "Cancel" }).click();
  await expect(app.getByRole("heading", { level: 1 })).toHaveText("Careful");
  await app.getByRole("link", { name: "Edit" }).click();
  await steps(app).fill("Reload\nGo back");

  await main(app).getByRole("link", { name: "Runs" }).click();
  expect(await barriers(app)).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(app).toHaveURL(new RegExp(`/workflows/${id}/edit$`));
  await expect(steps(app)).toHaveValue("Reload\nGo back");

  // A reload is asked about by the browser. The answer is no here.
  const asked = app.waitForEvent("dialog");
  await app.evaluate(() => setTimeout(() => location.reload()));
  const question = await asked;
  expect(question.type()).toBe("beforeunload");
  await question.dismiss();
  await expect(steps(app)).toHaveValue("Reload\nGo back");

  // Going back asks too, and goes back then.
  await app.evaluate(() => history.back());
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(steps(app)).toHaveValue("Reload\nGo back");
  await app.evaluate(() => history.back());
  await dialog.getByRole("button", { name: "Leave" }).click();
  await expect(app.getByRole("heading", { level: 1 })).toHaveText("Careful");
  await expect(app).toHaveURL(new RegExp(`/workflows/${id}$`));

  // Saving leaves without a question.
  await app.getByRole("link", { name: "Edit" }).click();
  await steps(app).fill("Go back");
  await app.getByRole("button", { name: "Save" }).click();
  await expect(app.getByRole("region", { name: "The steps" })).toHaveText("Go back");
});

test.describe("a run that does not exist", () => {
  test.use({ expected: [/status of 404/] });

  test("is said at once", async ({ app }) => {
    const tries: string[] = [];
    app.on("request", (request) => request.url().includes("/zzz") && tries.push(request.url()));
    await app.goto("/runs/zzz");
    await expect(app.locator(".trouble")).toContainText("There is no run");
    expect(tries.filter((url) => url.includes("/api/")).length).toBeLessThanOrEqual(3);
    await expect(app.getByText("Loading …")).toHaveCount(0);
  });
});
