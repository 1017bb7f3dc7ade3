// Every screen, dark and light, wide and narrow: no barrier that axe can find, nothing to scroll sideways, and the
// keyboard alone is enough.

import type { Page } from "@playwright/test";
import { badge, barriers, expect, start, test } from "./stand";

const SCREENS: [string, (page: Page, run: string) => Promise<void>][] = [
  [
    "new run",
    (page) => page.goto("/").then(() => page.getByRole("textbox", { name: "Steps" }).fill('Click "A"\nBuy ${thing}')),
  ],
  ["task", (page) => page.goto("/").then(() => page.getByRole("radio", { name: "A task" }).check())],
  [
    "workflows",
    (page) =>
      page
        .goto("/workflows")
        .then(() => expect(page.getByRole("link", { name: "Weekly order" }).first()).toBeVisible()),
  ],
  [
    "a workflow",
    (page) => page.goto("/workflows").then(() => page.getByRole("link", { name: "Weekly order" }).first().click()),
  ],
  [
    "edit workflow",
    (page) =>
      page
        .goto("/workflows")
        .then(() => page.getByRole("link", { name: "Weekly order" }).first().click())
        .then(() => page.getByRole("link", { name: "Edit" }).click())
        .then(() => expect(page.getByRole("textbox", { name: "Steps" })).toBeVisible()),
  ],
  ["runs", (page) => page.goto("/runs").then(() => expect(page.getByRole("table")).toBeVisible())],
  ["a run", (page, run) => page.goto(`/runs/${run}`).then(() => expect(badge(page)).toBeVisible())],
  [
    "a trace",
    (page, run) => page.goto(`/runs/${run}/trace`).then(() => expect(page.getByRole("slider")).toBeVisible()),
  ],
  ["a chat", (page, run) => page.goto(`/runs/${run}/chat`).then(() => expect(page.getByRole("article")).toBeVisible())],
  [
    "batches",
    (page) =>
      page.goto("/batches").then(() => expect(page.getByRole("link", { name: "Letters" }).first()).toBeVisible()),
  ],
  [
    "a batch",
    (page) =>
      page
        .goto("/batches")
        .then(() => page.getByRole("link", { name: "Letters" }).first().click())
        .then(() => expect(page.getByRole("region", { name: "The rows of the batch" })).toBeVisible()),
  ],
  [
    "dashboard",
    (page) =>
      page.goto("/dashboard").then(() => expect(page.getByRole("img", { name: "Runs by outcome" })).toBeVisible()),
  ],
  ["memory", (page) => page.goto("/memory").then(() => expect(page.getByRole("meter").first()).toBeVisible())],
  [
    "schedules",
    (page) => page.goto("/schedules").then(() => page.getByRole("button", { name: "New schedule" }).click()),
  ],
  [
    "settings",
    (page) => page.goto("/settings").then(() => expect(page.getByRole("heading", { name: "Keys" })).toBeVisible()),
  ],
  ["nothing", async (page) => void (await page.goto("/nowhere"))],
];

for (const colorScheme of ["light", "dark"] as const) {
  test(`no barriers and nothing sideways, ${colorScheme}`, async ({ app, stand }) => {
    await app.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const run = await start(app, 'Click "Order form"\nCheck that "Nothing" is shown', stand.site.url);
    await expect(badge(app)).toContainText("Rejected");
    await stand.server.saveWorkflow({
      name: "Weekly order",
      description: "Orders tea for the office.",
      text: `inputs:\n  cups: { default: 2, description: Number of cups }\n  customer:\n  express: true\nsteps:\n  - Open ${stand.site.url}/form\n  - Type "\${customer} \${cups} \${express}" into "Name"\n`,
    });
    await stand.server.startBatch("Letters", `inputs:\n  name:\nsteps:\n  - Open ${stand.site.url}/form\n`, [
      { name: "Ada" },
    ]);
    for (const [name, open] of SCREENS) {
      for (const width of [1280, 768, 390]) {
        await app.setViewportSize({ width, height: 844 });
        await test.step(`${name}, ${width} px`, async () => {
          await open(app, run);
          await app.waitForLoadState("load");
          expect.soft(await barriers(app), `${name}, ${width} px`).toEqual([]);
          // For whoever wants to look at them: LEGWORK_SHOTS=folder.
          if (process.env.LEGWORK_SHOTS)
            await app.screenshot({
              path: `${process.env.LEGWORK_SHOTS}/${name} ${colorScheme} ${width}.png`.replace(/ /g, "-"),
              fullPage: true,
            });
          const over = await app.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          expect.soft(over, `${name}, ${width} px: wider than the window`).toBeLessThanOrEqual(0);
        });
      }
    }
  });
}

test("the keyboard alone starts a run and finds its way", async ({ app, stand }) => {
  await app.keyboard.press("Tab");
  await expect(app.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await app.keyboard.press("Enter");
  await expect(app.getByRole("main")).toBeFocused();
  await app.getByRole("textbox", { name: "Steps" }).focus();
  await app.keyboard.type(`Open ${stand.site.url}/form`);
  await app.keyboard.press("Control+Enter");
  await app.waitForURL(/\/runs\//);
  // A new screen begins at its heading.
  await expect(app.getByRole("heading", { level: 1 })).toBeFocused();
  await expect(badge(app)).toContainText("Success");
});

test("dark and light can be chosen, and stay", async ({ app }) => {
  await app.getByRole("combobox", { name: "Colours" }).selectOption("dark");
  const ground = () => app.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await app.reload();
  expect(await ground()).toBe(dark);
  await app.getByRole("combobox", { name: "Colours" }).selectOption("light");
  expect(await ground()).not.toBe(dark);
});

test("keys are said to be there, and never shown", async ({ app }) => {
  await app.goto("/settings");
  await expect(app.getByRole("listitem").filter({ hasText: "OPENAI_API_KEY" })).toContainText("present");
  await expect(app.locator("body")).not.toContainText("sk-a-key");
});

test.describe("who is not signed in", () => {
  test.use({ expected: [/401/] });
  test("is told which link to open", async ({ app, browser, stand }) => {
    await expect(app.getByRole("heading", { name: "New run" })).toBeVisible();
    const stranger = await browser.newPage();
    await stranger.goto(stand.server.url);
    await expect(stranger.getByRole("heading", { name: "Sign-in required" })).toBeVisible();
    await stranger.close();
  });
});
