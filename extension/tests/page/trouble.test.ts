// What pages, other extensions and the browser do to a tab while Legwork works in it: the tab is always freed, and its state
// says what happened.

import { expect, test } from "@playwright/test";
import { newest, Stand, startSteps } from "./stand";

let stand: Stand;
test.beforeEach(async () => {
  stand = await Stand.open();
});
test.afterEach(() => stand.close());

const FOREIGN = "chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/x";
const ADDING = ['Type "Tea" into "Item"', 'Click "Add"'];
const WAITING = 'Wait up to 100 seconds for "2 items"';

/** Whether the extension's debugger is attached to a tab that it could be detached from. */
const isAttached = (tab: number) =>
  stand.worker.evaluate(
    (id) =>
      chrome.debugger.detach({ tabId: id }).then(
        () => true,
        (error: Error) => !error.message.includes("not attached"),
      ),
    tab,
  );

/** Lets the tab go to a page, as a person does in the address bar. */
const visit = (tab: number, path: string) =>
  stand.worker.evaluate(([id, url]) => chrome.tabs.update(id, { url }), [tab, `${stand.siteUrl}${path}`] as const);

test("a frame of another extension that a page adds during a run does not disturb the run", async () => {
  const { page, panel } = await stand.paired();
  await stand.pauseOnInput(false);
  await startSteps(panel, ...ADDING, WAITING);
  await expect(newest(panel).locator(".item.good")).toHaveCount(2);
  await page.evaluate((src) => {
    for (const name of ["iframe", "embed", "object"]) {
      const frame = document.createElement(name);
      frame.setAttribute(name === "object" ? "data" : "src", src);
      document.body.append(frame);
    }
    const late = document.createElement("iframe");
    document.body.append(late);
    late.src = src;
  }, FOREIGN);
  await page.evaluate(() => (globalThis as unknown as { add(item: string): void }).add("Milk"));
  await expect(newest(panel)).toHaveAttribute("data-state", "success");
});

test("a tab that a frame of another extension holds says so, and is free when the frame is gone", async () => {
  const { page, tab, panel } = await stand.paired();
  await stand.pauseOnInput(false);
  await startSteps(panel, ...ADDING, WAITING);
  await expect(newest(panel).locator(".item.good")).toHaveCount(2);
  // Where no script of an extension sees it.
  await page.evaluate((src) => {
    const host = document.body.appendChild(document.createElement("div"));
    host.id = "host";
    const frame = document.createElement("iframe");
    frame.src = src;
    host.attachShadow({ mode: "closed" }).append(frame);
  }, FOREIGN);
  await expect(panel.getByText("A frame of another extension holds this tab")).toBeVisible();
  await expect(newest(panel)).not.toHaveAttribute("data-state", "running");
  expect(await isAttached(tab)).toBe(true);
  // Another task is refused with the same reason.
  await startSteps(panel, 'Check that "Orders" is shown');
  await expect(panel.locator(".composer [role=alert]")).toContainText("Press “Cancel”");
  await page.evaluate(() => document.getElementById("host")?.remove());
  await expect(panel.getByText("A frame of another extension is on this page")).toBeVisible();
  expect(await isAttached(tab)).toBe(false);
  await visit(tab, "/second");
  await expect(page.getByRole("heading", { name: "Second page" })).toBeVisible();
});

test("a tab that a frame of another extension holds can be left and loaded again", async () => {
  const { page, tab, panel } = await stand.paired();
  await stand.pauseOnInput(false);
  const hold = async (tasks: number) => {
    await startSteps(panel, ...ADDING, WAITING);
    await expect(panel.locator("article.task")).toHaveCount(tasks);
    await expect(newest(panel).locator(".item.good")).toHaveCount(2);
    await page.evaluate((src) => {
      const frame = document.body.appendChild(document.createElement("iframe"));
      frame.contentWindow!.location.href = src;
    }, FOREIGN);
    await expect(panel.getByText("A frame of another extension holds this tab")).toBeVisible();
  };
  await hold(1);
  await visit(tab, "/second");
  await expect(page.getByRole("heading", { name: "Second page" })).toBeVisible();
  expect(await isAttached(tab)).toBe(false);

  await page.goto(stand.siteUrl);
  await hold(2);
  await panel.getByRole("button", { name: "Load the page again" }).click();
  await expect(panel.getByText("A frame of another extension is on this page")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Orders" })).toBeVisible();
  expect(await isAttached(tab)).toBe(false);
  await startSteps(panel, 'Check that "Orders" is shown');
  await expect(newest(panel)).toHaveAttribute("data-state", "success");
});

test("a task on a page with a frame of another extension fails with an error of its own", async () => {
  const { page, panel } = await stand.paired();
  await page.evaluate((src) => {
    const frame = document.createElement("iframe");
    frame.src = src;
    document.body.append(frame);
  }, FOREIGN);
  await startSteps(panel, 'Check that "Orders" is shown');
  await expect(panel.getByText("A frame of another extension is on this page")).toBeVisible();
  await expect(newest(panel)).toHaveAttribute("data-state", "error");
  const run = await newest(panel).getAttribute("data-run");
  const record = stand.run("show", run!, "--json");
  expect(record).toContain("EX011");
  expect(record).not.toContain("EX001");
  await expect(newest(panel)).not.toContainText("install");
});

test("a tab that the browser discards keeps its conversation, and its run says so and can be resumed", async () => {
  const { page, tab, panel } = await stand.paired();
  await stand.pauseOnInput(false);
  await startSteps(panel, ...ADDING, WAITING);
  await expect(newest(panel).locator(".item.good")).toHaveCount(2);
  // A page that Playwright debugs is not discarded in all versions.
  await panel.bringToFront();
  const id = await stand.worker.evaluate(async (old) => (await chrome.tabs.discard(old))?.id, tab);
  test.skip(id === undefined, "this browser discards no such tab");
  await expect(panel.getByText("The browser discarded this tab")).toBeVisible();
  // The conversation goes over to the new tab, and is no longer in the panel of the old one.
  const moved = await stand.panel(id!);
  await expect(moved.locator("article.task")).toHaveCount(1);
  await expect(newest(moved)).not.toHaveAttribute("data-state", "running");
  await expect(newest(moved)).not.toHaveAttribute("data-state", "cancelled");
  await startSteps(moved, 'Check that "Orders" is shown');
  await expect(newest(moved)).toHaveAttribute("data-state", "success");
  expect(page.isClosed()).toBe(id !== tab);
});
