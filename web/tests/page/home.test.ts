// The first run: what is missing and how to fix it, the examples, and what the editor says about each line.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { badge, barriers, expect, Server, start, test } from "./stand";

test("a server without browser and model says what is missing, and looks again", async ({ page, stand }) => {
  const data = mkdtempSync(join(tmpdir(), "legwork-new-"));
  const server = await Server.start(data, stand.model, 0, {
    LEGWORK_MODEL_NAME: "",
    LEGWORK_MODEL_BASE_URL: "",
    OPENAI_API_KEY: "",
    LEGWORK_BROWSER_PATH: join(data, "no-browser"),
  });
  try {
    await server.signIn(page);
    const setup = page.getByRole("region", { name: "Set up" });
    await expect(setup).toContainText("No browser was found");
    await expect(setup).toContainText("No model is set up");
    expect(await barriers(page)).toEqual([]);
    // No command is shown. The variable of this server has precedence over what is entered, and the page says so.
    await expect(setup).not.toContainText(/apt-get|sudo|brew/);
    await setup.getByRole("textbox", { name: "Path of an installed browser" }).fill("/usr/bin/env");
    await setup.getByRole("button", { name: "Use this browser" }).click();
    await expect(setup.getByRole("alert")).toContainText("LEGWORK_BROWSER_PATH has precedence");
    // Steps that need a model are refused before they start, without words for a terminal.
    await page.getByRole("textbox", { name: "Steps" }).fill("Buy something nice");
    await expect(page.locator(".problems li").first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Start run" })).toBeDisabled();
    await expect(page.locator("form.start")).not.toContainText(/--\w|legwork \w/);
    expect(await barriers(page)).toEqual([]);

    await setup.getByRole("combobox", { name: "Model" }).fill("openai/gpt-5");
    await setup.getByRole("button", { name: "Save model" }).click();
    // The model is in use at once: what is missing now is its key.
    await expect(setup).toContainText("The key for openai/gpt-5 is missing");
    // The key of its provider is stored where it is missing, and never shown.
    const key = setup.getByRole("form", { name: "Key OPENAI_API_KEY" });
    await expect(key).toContainText("sent only to https://api.openai.com");
    expect(await barriers(page)).toEqual([]);
    await key.getByLabel("OPENAI_API_KEY").fill("sk-typed-by-a-person");
    await key.getByRole("button", { name: "Store key" }).click();
    await expect(setup).not.toContainText("openai/gpt-5");
    await expect(key).toBeHidden();
    const looked = page.waitForResponse((response) => response.url().endsWith("/api/setup"));
    await setup.getByRole("button", { name: "Check again" }).click();
    expect((await looked).ok()).toBe(true);
    // The steps that were refused without a model can be started now, without another keystroke.
    await expect(page.locator(".problems li")).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Start run" })).toBeEnabled();
  } finally {
    await server.stop();
    rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  }
});

test("the key of a model is stored and replaced on the settings screen, and never shown", async ({ page, stand }) => {
  const data = mkdtempSync(join(tmpdir(), "legwork-key-"));
  const server = await Server.start(data, stand.model, 0, { GEMINI_API_KEY: "", ANTHROPIC_API_KEY: "" });
  try {
    await server.signIn(page);
    await page.goto(`${server.url}/settings`);
    const keys = page.getByRole("region", { name: "Keys" });
    const item = keys.getByRole("listitem").filter({ hasText: "ANTHROPIC_API_KEY" });
    const form = item.getByRole("form", { name: "Key ANTHROPIC_API_KEY" });
    await expect(item.locator(".badge")).toHaveText("–absent");
    await item.getByRole("button", { name: "Store ANTHROPIC_API_KEY" }).click();
    await form.getByLabel("ANTHROPIC_API_KEY").fill("sk-first-of-two");
    expect(await barriers(page)).toEqual([]);
    await form.getByRole("button", { name: "Store key" }).click();
    await expect(item.locator(".badge")).toHaveText("✓stored");
    await expect(form).toBeHidden();
    await item.getByRole("button", { name: "Replace ANTHROPIC_API_KEY" }).click();
    await expect(form.getByLabel("ANTHROPIC_API_KEY")).toHaveValue("");
    await form.getByLabel("ANTHROPIC_API_KEY").fill("sk-second-of-two");
    const replaced = page.waitForResponse((response) => response.request().method() === "PUT");
    await form.getByRole("button", { name: "Store key" }).click();
    expect((await replaced).ok()).toBe(true);
    await expect(form).toBeHidden();
    await page.reload();
    await expect(item.locator(".badge")).toHaveText("✓stored");
    expect(await page.content()).not.toContain("of-two");
    // Another key of the list stays absent.
    await expect(keys.getByRole("listitem").filter({ hasText: "GEMINI_API_KEY" }).locator(".badge")).toHaveText(
      "–absent",
    );
  } finally {
    await server.stop();
    rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  }
});

test("an example is chosen, changed and run on the demo site", async ({ app }) => {
  await expect(app.getByRole("region", { name: "Set up" })).toHaveCount(0);
  await app.getByRole("button", { name: "Search the products" }).click();
  await expect(app.getByRole("textbox", { name: "Words to search for" })).toHaveValue("line");
  await app.getByRole("textbox", { name: "Words to search for" }).fill("rope");
  await expect(app.getByRole("status").filter({ hasText: "no model needed" })).toBeVisible();
  expect(await barriers(app)).toEqual([]);
  await app.getByRole("button", { name: "Start run" }).click();
  await app.waitForURL(/\/runs\//);
  await expect(badge(app)).toContainText("Success");
  await app.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "New run" }).click();
  await expect(app.getByRole("region", { name: "Recent runs" })).toContainText("Search the products");
});

test("each line is marked while it is typed, with the nearest sentence", async ({ app }) => {
  const steps = app.getByRole("textbox", { name: "Steps" });
  await steps.fill('Click "A"\nKlick the button Save\nBuy ${thing}');
  await expect(app.locator(".margin .literal")).toHaveCount(1);
  await expect(app.locator(".margin > div").nth(1)).toHaveClass("model");
  const nearest = app.locator(".nearest li").filter({ hasText: "Line 2" });
  await expect(nearest.locator("code")).toContainText("Click");
  await expect(app.locator(".problems")).toContainText(/give it a value in the form below/i);
  await nearest.getByRole("button", { name: "Line 2", exact: true }).click();
  await expect(steps).toBeFocused();
  expect(
    await steps.evaluate((box: HTMLTextAreaElement) => box.value.slice(box.selectionStart, box.selectionEnd)),
  ).toBe("Klick the button Save");
  expect(await barriers(app)).toEqual([]);
  // It is used with a click or with the keyboard.
  const sentence = await nearest.locator("code").textContent();
  await nearest.getByRole("button", { name: /^Use/ }).focus();
  await app.keyboard.press("Enter");
  await expect(steps).toHaveValue(`Click "A"\n${sentence}\nBuy \${thing}`);
  await expect(steps).toBeFocused();
  await expect(app.locator(".margin > div").nth(1)).toHaveClass("literal");
});

test("completions are chosen with the arrow keys, forms first and then names of the page", async ({ app, stand }) => {
  await start(app, "Reload", `${stand.site.url}/form`);
  await expect(badge(app)).toContainText(/Success|Done|Rejected/);
  await app.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "New run" }).click();
  const steps = app.getByRole("textbox", { name: "Steps" });
  const list = app.getByRole("listbox", { name: "Completions" });
  await steps.fill("");
  await steps.pressSequentially(`Open ${stand.site.url}/form\nPre`);
  await expect(list).toBeVisible();
  await app.keyboard.press("ArrowDown");
  const option = list.getByRole("option").first();
  await expect(option).toHaveAttribute("aria-selected", "true");
  await expect(steps).toHaveAttribute("aria-activedescendant", (await option.getAttribute("id"))!);
  expect(await barriers(app)).toEqual([]);
  // Escape closes the list, and the arrow keys move in the text again.
  await app.keyboard.press("Escape");
  await expect(list).toBeHidden();
  await steps.pressSequentially("s");
  await app.keyboard.press("ArrowDown");
  await app.keyboard.press("Enter");
  await expect(steps).toHaveValue(/\nPress /);
  await steps.pressSequentially('\nClick "Se');
  await expect(list.getByRole("option", { name: /^Send/ })).toBeVisible();
  await app.keyboard.press("ArrowDown");
  await app.keyboard.press("Tab");
  await expect(steps).toHaveValue(/\nClick "Send"$/);
  await expect(steps).toBeFocused();
});

test("an error appears once, next to its step; a run that somebody stopped shows none", async ({ app, stand }) => {
  await start(app, 'Click "Order form"\nCheck that "Nothing" is shown', stand.site.url);
  await expect(badge(app)).toContainText("Rejected");
  await expect(app.getByText("“Nothing” is not on the page")).toHaveCount(1);
  await expect(app.locator('.step[data-state="failure"] .trouble')).toBeVisible();
  await app.getByRole("button", { name: "Show step 2" }).click();
  await expect(app.locator("#step-1 .step-head")).toBeFocused();
  expect(await barriers(app)).toEqual([]);

  const job = stand.site.job();
  await start(app, job.steps(2), job.url);
  await expect(app.locator('.step[data-state="success"]')).toHaveCount(1);
  await app.getByRole("button", { name: "Stop" }).click();
  await app.getByRole("dialog").getByRole("button", { name: "Stop run" }).click();
  await expect(badge(app)).toContainText("Cancelled");
  await expect(app.locator(".trouble")).toHaveCount(0);
  await expect(app.locator(".badge.bad")).toHaveCount(0);
  expect(await barriers(app)).toEqual([]);
});

test("on a phone, every screen is in the menu", async ({ app }) => {
  await app.setViewportSize({ width: 390, height: 844 });
  const nav = app.getByRole("navigation", { name: "Main" });
  await expect(nav).toBeHidden();
  await app.getByRole("button", { name: "Menu" }).click();
  for (const name of ["New run", "Workflows", "Runs", "Schedules", "Dashboard", "Memory", "Settings"])
    await expect(nav.getByRole("link", { name })).toBeInViewport();
  expect(await barriers(app)).toEqual([]);
  await nav.getByRole("link", { name: "Settings" }).click();
  await expect(app.getByRole("heading", { level: 1 })).toHaveText("Settings");
  await expect(nav).toBeHidden();
});
