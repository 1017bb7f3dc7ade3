// Saved workflows: from a run or a form to a name, and from a name to runs.

import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { badge, barriers, expect, start, test } from "./stand";

const main = (page: Page) => page.getByRole("navigation", { name: "Main" });

/** Saves what the dialog shows. */
async function saveAs(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Save as workflow" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.waitForURL(/\/workflows\/[0-9a-f]+$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
}

test("a run is saved as a workflow, which asks for its inputs and runs", async ({ app, stand }) => {
  const file = `inputs:\n  customer: { description: Name of the customer, default: Ada }\n  copies: 2\n  express: false\n  colours: [red, blue]\nsteps:\n  - Open ${stand.site.url}/form\n  - Type "\${customer} \${copies} \${express} \${colours}" into "Name"\n`;
  await start(app, file);
  await expect(badge(app)).toContainText("Success");
  await app.getByRole("button", { name: "Save as workflow" }).click();
  await saveAs(app, "Order for a customer");

  // Each input has a field that fits its type, with its default.
  const form = app.getByRole("form", { name: "Run" });
  await expect(form.getByRole("textbox", { name: "Name of the customer" })).toHaveValue("Ada");
  await expect(form.getByRole("textbox", { name: "copies" })).toHaveValue("2");
  await expect(form.getByRole("textbox", { name: "colours" })).toHaveValue("red\nblue");
  await expect(form.getByRole("checkbox", { name: "express" })).not.toBeChecked();
  expect(await barriers(app)).toEqual([]);
  await form.getByRole("textbox", { name: "Name of the customer" }).fill("Grace");
  await form.getByRole("textbox", { name: "copies" }).fill("3");
  await form.getByRole("checkbox", { name: "express" }).check();
  const sent = app.waitForRequest((request) => request.url().endsWith("/execute"));
  await form.getByRole("button", { name: "Run" }).click();
  expect((await sent).postDataJSON()).toMatchObject({ inputs: { customer: "Grace", copies: 3, express: true } });
  await app.waitForURL(/\/runs\//);
  await expect(badge(app)).toContainText("Success");
  await expect(app.getByRole("heading", { level: 1 })).toHaveText("Order for a customer");
  await expect(app.getByRole("row", { name: /customer Grace/ }).first()).toBeVisible();

  // The list shows the workflow with its last run, and finds it by its words.
  await main(app).getByRole("link", { name: "Workflows" }).click();
  const item = app.getByRole("listitem").filter({ hasText: "Order for a customer" });
  await expect(item.locator(".badge")).toContainText("Success");
  await app.getByRole("searchbox", { name: "Search workflows" }).fill("nothing like it");
  await expect(item).toHaveCount(0);
  await app.getByRole("searchbox", { name: "Search workflows" }).fill("customer ORDER");
  await expect(item).toBeVisible();
  expect(await barriers(app)).toEqual([]);
});

test("a run is run again, and changed before it is run", async ({ app, stand }) => {
  const first = await start(app, 'Click "Order form"', stand.site.url);
  await expect(badge(app)).toContainText("Success");
  await app.getByRole("button", { name: "Run again" }).click();
  await app.waitForURL((url) => url.pathname.startsWith("/runs/") && !url.pathname.endsWith(first));
  await expect(badge(app)).toContainText("Success");
  await app.getByRole("link", { name: "Edit and run" }).click();
  const steps = app.getByRole("textbox", { name: "Steps" });
  await expect(steps).toHaveValue('Click "Order form"');
  await expect(app.getByLabel("Start URL")).toHaveValue(stand.site.url);
  await steps.fill('Click "Order form"\nType "Grace" into "Name"');
  await app.getByRole("button", { name: "Start run" }).click();
  await app.waitForURL(/\/runs\//);
  await expect(badge(app)).toContainText("Success");
  await expect(app.locator(".step")).toHaveCount(2);
});

test("a workflow is edited in versions, restored, duplicated and deleted", async ({ app, stand }) => {
  await stand.server.saveWorkflow({ name: "Look", text: `Open ${stand.site.url}/form` });
  await main(app).getByRole("link", { name: "Workflows" }).click();
  await app.getByRole("link", { name: "Look", exact: true }).click();
  await app.getByRole("link", { name: "Edit" }).click();
  await app.getByRole("textbox", { name: "Name" }).fill("Look twice");
  await app.getByRole("textbox", { name: "Steps" }).fill(`Open ${stand.site.url}/form\nReload`);
  await app.getByRole("button", { name: "Save" }).click();
  await expect(app.getByRole("heading", { level: 1 })).toHaveText("Look twice");
  await expect(app.getByRole("region", { name: "The steps" })).toContainText("Reload");
  await app.locator("summary", { hasText: "Versions (2)" }).click();
  expect(await barriers(app)).toEqual([]);
  await app.getByRole("button", { name: "Restore version 1" }).click();
  await expect(app.getByRole("region", { name: "The steps" })).not.toContainText("Reload");
  await expect(app.getByText("Version 3, saved")).toBeVisible();

  await app.getByRole("button", { name: "Duplicate" }).click();
  await expect(app.getByRole("textbox", { name: "Name" })).toHaveValue("Copy of Look");
  await app.getByRole("link", { name: "Cancel" }).click();
  await app.getByRole("button", { name: "Delete" }).click();
  await app.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(app).toHaveURL(/\/workflows$/);
  await expect(app.getByRole("link", { name: "Look", exact: true })).toBeVisible();
  await expect(app.getByRole("link", { name: "Copy of Look" })).toHaveCount(0);
});

test("a workflow leaves as a file and comes back from it", async ({ app, stand }) => {
  const id = await stand.server.saveWorkflow({ name: "Take along", text: `Open ${stand.site.url}/form` });
  await app.goto(`/workflows/${id}`);
  const [download] = await Promise.all([
    app.waitForEvent("download"),
    app.getByRole("link", { name: "Export" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("take-along.yaml");
  const text = readFileSync(await download.path(), "utf8");
  expect(text).toContain('name: "Take along"');
  await app.goto("/workflows");
  const file = (buffer: string) => ({ name: "other.yaml", mimeType: "application/yaml", buffer: Buffer.from(buffer) });
  await app.getByLabel("Workflow file").setInputFiles(file(text.replace("Take along", "Brought back")));
  await expect(app.getByRole("heading", { level: 1 })).toHaveText("Brought back");
  // What cannot run is listed before anything is started.
  await app.goto("/workflows");
  await app.getByLabel("Workflow file").setInputFiles(file('name: Half done\nsteps:\n  - Type "${who}" into "Name"\n'));
  await expect(app.getByRole("heading", { level: 1 })).toHaveText("Half done");
  await expect(app.locator(".problems li")).toContainText("${who} has no value");
  expect(await barriers(app)).toEqual([]);
});

test.describe("what the server refuses", () => {
  test.use({ expected: [/status of 4(00|09|22)/] });

  test("a file that is no workflow is refused with its lines", async ({ app }) => {
    await app.goto("/workflows");
    const buffer = Buffer.from("steps:\n  - 5: 3\n");
    await app.getByLabel("Workflow file").setInputFiles({ name: "x.yaml", mimeType: "application/yaml", buffer });
    await expect(app.locator(".trouble")).toContainText("Line 2");
    expect(await barriers(app)).toEqual([]);
  });

  test("what is listed under the steps is not listed again by the error, in words of the page", async ({ app }) => {
    await app.goto("/");
    await app.getByRole("textbox", { name: "Steps" }).fill('Type "${who}" into "Name"');
    await app.getByText("Options", { exact: true }).click();
    await expect(app.locator(".problems li")).toHaveCount(1);
    await app.getByRole("button", { name: "Start run" }).click();
    await expect(app.locator(".trouble")).toContainText("correct what is listed under the steps");
    await expect(app.getByText("has no value")).toHaveCount(1);
    await app.getByRole("textbox", { name: "who" }).fill("Ada");
    await app.getByRole("textbox", { name: "Maximum cost" }).fill("0");
    await app.getByRole("button", { name: "Start run" }).click();
    await expect(app.locator(".trouble")).toContainText("Maximum cost: expected US dollars");
    await expect(app.locator(".trouble")).not.toContainText(/options|request|\/api\//);
  });

  test("a change that somebody has overtaken is not lost", async ({ app, stand }) => {
    const id = await stand.server.saveWorkflow({ name: "Shared", text: "Reload" });
    await app.goto(`/workflows/${id}/edit`);
    const other = await app.context().newPage();
    await other.goto(`/workflows/${id}/edit`);
    for (const [page, text] of [
      [other, "Reload\nReload"],
      [app, "Reload\nGo back"],
    ] as const) {
      await page.getByRole("textbox", { name: "Steps" }).fill(text);
      await page.getByRole("button", { name: "Save", exact: true }).click();
    }
    await expect(app.locator(".trouble")).toContainText("has been saved since you opened it");
    await app.getByRole("button", { name: "Save as a copy" }).click();
    await expect(app.getByRole("region", { name: "The steps" })).toContainText("Go back");
    await other.close();
  });
});

test("a scheduled workflow: from its page to its runs", async ({ app, stand }) => {
  const id = await stand.server.saveWorkflow({
    name: "Every morning",
    text: `inputs:\n  who: Ada\nsteps:\n  - Open ${stand.site.url}/form\n  - Type "\${who}" into "Name"\n`,
  });
  await app.goto(`/workflows/${id}`);
  await app.getByRole("link", { name: "Schedule", exact: true }).click();
  const form = app.getByRole("form", { name: "New schedule" });
  await expect(form.getByRole("combobox", { name: "Workflow", exact: true })).toHaveValue(`workflow:${id}`);
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("Morning");
  await form.getByRole("textbox", { name: "who" }).fill("Grace");
  await form.getByLabel("Time zone").selectOption("Europe/Vienna");
  await form.getByRole("button", { name: "Save" }).click();
  const made = app.getByRole("listitem").filter({ has: app.getByRole("heading", { name: "Morning" }) });
  await expect(made).toContainText("Weekdays at 8:00, Europe/Vienna");
  await expect(made.getByRole("link", { name: "Every morning" })).toBeVisible();
  await made.getByRole("button", { name: "Run now" }).click();
  const results = made.getByRole("list", { name: /Last results/ });
  await expect(results.locator(".badge")).toContainText("Success");
  await results.getByRole("link").click();
  await expect(app.getByRole("row", { name: /who Grace/ }).first()).toBeVisible();
});
