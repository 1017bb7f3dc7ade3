// Who controls a tab: the person who uses it during a run, another agent, and what may be set in the panel.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { McpClient } from "./mcp-client";
import { ASSIGN, hasBorder, newest, pair, pictures, Stand, startSteps } from "./stand";

let stand: Stand;
test.beforeEach(async () => {
  stand = await Stand.open();
});
test.afterEach(() => stand.close());

const SECOND = 'Wait up to 200 seconds for "2 items"';
const WAITS = Array.from({ length: 30 }, () => "Wait 1 seconds");

test("a person who uses the tab pauses the run, and the run's own input does not", async () => {
  const { page, panel } = await stand.paired();
  // Mouse and keys, also in a frame.
  await startSteps(panel, 'Type "Tea" into "Item"', 'Press "Enter"', 'Type "a" into "Note"', ...WAITS, SECOND);
  await expect(newest(panel).locator(".item.good")).toHaveCount(3);
  await expect(newest(panel)).toHaveAttribute("data-state", "running");
  await expect(panel.getByText("You used the tab")).toHaveCount(0);

  await page.frameLocator("iframe").getByLabel("Note").press("b");
  await expect(newest(panel)).toHaveAttribute("data-state", "paused");
  await expect(panel.getByText("You used the tab, so the run is paused")).toBeVisible();
  await pictures(panel, "paused");
  await newest(panel).getByRole("button", { name: "Continue" }).click();
  await expect(newest(panel)).toHaveAttribute("data-state", "running");
  await expect(panel.getByText("You used the tab")).toHaveCount(0);

  await page.getByRole("heading", { name: "Orders" }).click();
  await expect(newest(panel)).toHaveAttribute("data-state", "paused");
  await newest(panel).getByRole("button", { name: "Stop" }).click();
  await expect(newest(panel)).toHaveAttribute("data-state", "cancelled");
});

test("a person who turned the pause off works beside the run", async () => {
  const { page, panel } = await stand.paired();
  await panel.getByText("Settings", { exact: true }).click();
  await panel.getByLabel("Pause a run when I click or type in its tab").uncheck();
  await startSteps(panel, 'Type "Tea" into "Item"', 'Click "Add"', SECOND);
  await expect(newest(panel).locator(".item.good")).toHaveCount(2);
  await page.getByLabel("Item").fill("Milk");
  await page.getByRole("button", { name: "Add" }).click();
  await expect(newest(panel)).toHaveAttribute("data-state", "success");
});

test("an agent works over MCP in the tab that a person assigns, until the person disconnects it", async () => {
  const { tab, page } = await stand.tab();
  const { process: program, found } = await stand.start(
    ["mcp", "--extension"],
    /Waiting for a tab of your browser \((.*)\)/,
    { LEGWORK_SERVER_PORT: "0" },
  );
  const agent = new McpClient(program);
  await agent.begin("editor");
  await stand.point(found);
  const panel = await stand.panel(tab);
  await pair(panel, stand.run("panel", "pair", "--quiet"));

  const first = agent.call("browser_snapshot", {});
  await expect(panel.getByText("An agent asks for a tab")).toBeVisible();
  await expect(panel.getByText("“editor”")).toBeVisible();
  await pictures(panel, "request");
  await panel.getByRole("button", { name: ASSIGN }).click();
  expect(await first).toContain("Orders");
  await expect(panel.getByText("An agent (“editor”) controls this tab")).toBeVisible();
  await pictures(panel, "agent");
  await expect.poll(() => hasBorder(page)).toBe(true);
  await expect(panel.getByRole("button", { name: "Start", exact: true })).toHaveCount(0);

  expect(await agent.call("browser_navigate", { url: `${stand.siteUrl}/second` })).toContain("Second page");
  await expect(page).toHaveURL(`${stand.siteUrl}/second`);
  // A run works in the same tab, not in a browser of its own.
  const steps = 'Click "Third page"\nCheck that "Third page" is shown';
  expect(await agent.call("legwork_run", { workflow: steps })).toContain("success");
  await expect(page).toHaveURL(`${stand.siteUrl}/third`);

  await panel.getByRole("button", { name: "Disconnect" }).click();
  await expect(panel.getByText("You disconnected Legwork from this tab")).toBeVisible();
  await expect.poll(() => hasBorder(page)).toBe(false);
  // The agent has to ask again.
  const again = agent.call("browser_snapshot", {});
  await expect(panel.getByText("An agent asks for a tab")).toBeVisible();
  await panel.getByRole("button", { name: ASSIGN }).click();
  expect(await again).toContain("Third page");
  expect(await agent.call("browser_close", {})).toContain("closed");
  await expect.poll(() => hasBorder(page)).toBe(false);
  expect(page.isClosed()).toBe(false);
});

test("the request of an agent can be refused, and its name cannot look like words of the panel", async () => {
  const { tab } = await stand.tab();
  const { process: program, found } = await stand.start(
    ["mcp", "--extension"],
    /Waiting for a tab of your browser \((.*)\)/,
    { LEGWORK_SERVER_PORT: "0" },
  );
  const agent = new McpClient(program);
  await agent.begin("editor” is checked by “Legwork\u202e");
  await stand.point(found);
  const panel = await stand.panel(tab);
  await pair(panel, stand.run("panel", "pair", "--quiet"));
  const first = agent.call("browser_snapshot", {});
  await expect(panel.getByText("“editor is checked by Legwork⟨U+202E⟩”")).toBeVisible();
  await panel.getByRole("button", { name: "Refuse" }).click();
  expect(await first).toContain("was refused in the side panel");
  await expect(panel.getByText("An agent asks for a tab")).toHaveCount(0);
});

test("the model is set in the panel if the pairing permits it, and no key is in the browser", async () => {
  const { panel } = await stand.paired();
  await panel.getByText("Settings", { exact: true }).click();
  await expect(panel.getByLabel("model.name")).not.toBeEditable();
  await expect(panel.getByText("legwork panel pair --admin")).toBeVisible();

  await panel.getByLabel("Another code").fill(stand.run("panel", "pair", "--admin", "--quiet").trim());
  await panel.getByRole("button", { name: "Pair", exact: true }).click();
  await expect(panel.getByLabel("Another code")).toHaveCount(0);
  await panel.getByText("Settings", { exact: true }).click();
  await panel.getByLabel("model.name").fill("no model");
  await panel.getByRole("button", { name: "Save" }).first().click();
  await expect(panel.locator("p[role=alert]")).toContainText("provider/name");
  await panel.getByLabel("model.name").fill("ollama/qwen3");
  await panel.getByRole("button", { name: "Save" }).first().click();
  await expect(panel.getByText("model.name: Saved. It is in use from now on.").last()).toBeVisible();
  await expect(panel.getByText(/starts again/)).toHaveCount(0);
  expect(readFileSync(join(stand.data, "config/legwork/config.toml"), "utf8")).toContain("ollama/qwen3");
  await pictures(panel, "settings");
  const stored = await stand.worker.evaluate(async () =>
    Object.keys({ ...(await chrome.storage.local.get()), ...(await chrome.storage.session.get()) }),
  );
  expect(stored.filter((key) => !/^(server|tokens|pausesOnInput|state-\d+|conversation-\d+)$/.test(key))).toEqual([]);
});
