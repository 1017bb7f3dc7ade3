// The panel and the relay in a real Chromium: pairing, a workflow in the user's own tab, and every way in which it can end.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test, type Worker } from "@playwright/test";
import { colourOf, hasBorder, newest, pair, pictures, Stand, startSteps } from "./stand";

let stand: Stand;
test.beforeEach(async () => {
  stand = await Stand.open();
});
test.afterEach(() => stand.close());

const HOLD = 'Wait up to 200 seconds for "Never there"';
const SECOND = 'Wait up to 200 seconds for "2 items"';

test("without a server, the panel says so within five seconds and shows the command", async () => {
  await stand.point("http://127.0.0.1:9");
  const { tab } = await stand.tab();
  const panel = await stand.panel(tab);
  await expect(panel.getByText("legwork serve", { exact: true })).toBeVisible({ timeout: 5_000 });
  await expect(panel.getByText("Nothing answers at http://127.0.0.1:9")).toBeVisible();
  await pictures(panel, "no-server");
});

test("a wrong code is refused, five make it void, and the right one pairs the browser", async () => {
  const { server } = await stand.serve();
  await stand.point(server);
  const { tab } = await stand.tab();
  const panel = await stand.panel(tab);
  const wrong = async (expected: string) => {
    await panel.getByLabel(/Enter the code/).fill("0000-000");
    await panel.getByRole("button", { name: "Pair", exact: true }).click();
    await expect(panel.getByRole("alert")).toContainText(expected);
  };
  await wrong("there is no valid code");
  await stand.run("panel", "pair");
  for (const left of [4, 3, 2, 1]) await wrong(`${left} attempts are left`);
  await wrong("the code is void");
  await pair(panel, stand.run("panel", "pair", "--quiet"));

  // A revoked pairing is not accepted, and the panel says what to do.
  const [token] = JSON.parse(stand.run("token", "list", "--json")) as { name: string; scopes: string[] }[];
  expect(token?.scopes).toEqual(["read", "run", "steer"]);
  stand.run("token", "revoke", token!.name);
  await expect(panel.getByRole("alert")).toContainText("no longer valid");
});

test("steps are carried out in the user's own tab, with its cookies, and the tab stays open", async () => {
  const { page, panel, server } = await stand.paired();
  await stand.context.addCookies([{ name: "user", value: "ada", url: stand.siteUrl }]);
  await page.reload();
  await startSteps(
    panel,
    'Check that "signed in as ada" is shown',
    'Type "Tea" into "Item"',
    'Click "Add"',
    'Check that "1 items ordered" is shown',
    'Type "urgent" into "Note"',
  );
  await expect(newest(panel)).toHaveAttribute("data-state", "success");
  await expect(page.getByRole("listitem")).toHaveText("Tea");
  await expect(page.frameLocator("iframe").getByLabel("Note")).toHaveValue("urgent");
  await expect(newest(panel).locator(".item.good")).toHaveCount(5);
  expect(page.isClosed()).toBe(false);
  await expect.poll(() => hasBorder(page)).toBe(false);

  // The pictures of the run show the page without the border.
  const run = await newest(panel).getAttribute("data-run");
  const pictures = await panel.evaluate(
    async ([origin, id]) => {
      const { tokens } = (await chrome.storage.local.get("tokens")) as { tokens: Record<string, string> };
      const token = tokens[origin];
      const ask = (path: string) => fetch(origin + path, { headers: { Authorization: `Bearer ${token}` } });
      const { data } = (await (await ask(`/api/automation/sessions/${id}/screenshots`)).json()) as {
        data: { id: string }[];
      };
      const read = async (hash: string) => {
        const bytes = new Uint8Array(await (await ask(`/api/screenshots/${hash}`)).arrayBuffer());
        return `data:image/jpeg;base64,${btoa(String.fromCharCode(...bytes))}`;
      };
      return Promise.all(data.map(({ id: hash }) => read(hash)));
    },
    [server, run] as const,
  );
  expect(pictures.length).toBeGreaterThan(0);
  for (const picture of pictures) {
    const [red, green, blue] = await colourOf(page, picture, 1, 100);
    expect(Math.abs(blue - green) < 20 && Math.abs(red - green) < 20, `${red} ${green} ${blue}`).toBe(true);
  }
  // The cookies of the browser are nowhere in the record.
  expect(stand.run("show", run!, "--events")).not.toContain("STATE_SAVED");
});

test("the border stays through navigations, and is gone within a second after a stop", async () => {
  const { page, panel } = await stand.paired();
  // A pause takes effect between two actions.
  const waits = Array.from({ length: 20 }, () => "Wait 2 seconds");
  await startSteps(panel, 'Click "Second page"', 'Click "Third page"', 'Click "Orders"', ...waits, HOLD);
  await expect(page).toHaveURL(`${stand.siteUrl}/`);
  await expect.poll(() => hasBorder(page)).toBe(true);
  expect(await page.evaluate(() => document.querySelectorAll("legwork-glow, [class*=legwork]").length)).toBe(0);
  await expect(panel.getByText("Legwork controls this tab")).toBeVisible();

  await newest(panel).getByRole("button", { name: "Pause" }).click();
  await expect(newest(panel)).toHaveAttribute("data-state", "paused");
  await newest(panel).getByRole("button", { name: "Continue" }).click();
  await expect(newest(panel)).toHaveAttribute("data-state", "running");

  // Measured with the clock of the browser, from the click to the message of the browser that the border is gone and to
  // the end in the panel. The figures are printed: beside other work on the machine they are larger.
  const shown = stopDuration(panel);
  const released = releaseDuration(stand.worker);
  await newest(panel).getByRole("button", { name: "Stop" }).click();
  await expect(newest(panel)).toHaveAttribute("data-state", "cancelled");
  const { clicked, ended } = await shown;
  console.log(`stop: shown after ${ended - clicked} ms, the tab was released after ${(await released) - clicked} ms`);
  await expect.poll(() => hasBorder(page), { timeout: 3_000 }).toBe(false);
  expect(page.isClosed()).toBe(false);
});

/** When "Stop" was clicked, and when the panel showed the end of the run, in milliseconds since 1970. */
function stopDuration(panel: Page): Promise<{ clicked: number; ended: number }> {
  return panel.evaluate(
    () =>
      new Promise<{ clicked: number; ended: number }>((resolve) => {
        let clicked = 0;
        addEventListener("click", () => (clicked ||= Date.now()), { capture: true, once: true });
        const task = [...document.querySelectorAll<HTMLElement>("article.task")].at(-1)!;
        new MutationObserver((_, watch) => {
          if (task.dataset.state !== "cancelled") return;
          watch.disconnect();
          resolve({ clicked, ended: Date.now() });
        }).observe(task, { attributes: true, attributeFilter: ["data-state"] });
      }),
  );
}

/** When the service worker released the tab, and with it the border, in milliseconds since 1970. */
function releaseDuration(worker: Worker): Promise<number> {
  return worker.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const { debugger: api } = chrome;
        const detach = api.detach.bind(api);
        api.detach = (async (target: chrome.debugger.Debuggee) => {
          await detach(target);
          resolve(Date.now());
        }) as typeof api.detach;
      }),
  );
}

test("the conversation of a tab survives the panel, and each tab has its own", async () => {
  const { page, panel, tab } = await stand.paired();
  await startSteps(panel, 'Type "Tea" into "Item"', 'Click "Add"', HOLD);
  await expect(newest(panel).locator(".item.good")).toHaveCount(2);
  await panel.close();
  await page.evaluate(() => document.title);

  const other = await stand.tab();
  const second = await stand.panel(other.tab);
  await expect(second.getByRole("button", { name: "Start", exact: true })).toBeVisible();
  await expect(second.locator("article.task")).toHaveCount(0);
  await startSteps(second, 'Type "Milk" into "Item"', 'Click "Add"', 'Check that "1 items ordered" is shown');
  await expect(newest(second)).toHaveAttribute("data-state", "success");
  await expect(other.page.getByRole("listitem")).toHaveText("Milk");
  await expect(page.getByRole("listitem")).toHaveText("Tea");

  const again = await stand.panel(tab);
  await expect(again.locator("article.task")).toHaveCount(1);
  await expect(newest(again)).toHaveAttribute("data-state", "running");
  // A new task replaces the one before.
  await startSteps(again, 'Check that "1 items ordered" is shown');
  await expect(newest(again)).toHaveAttribute("data-state", "success");
  await expect(again.locator("article.task").first()).toHaveAttribute("data-state", "cancelled");
});

test("closing the tab cancels its task", async () => {
  const { page, panel, tab } = await stand.paired();
  await startSteps(panel, HOLD);
  await expect(newest(panel)).toHaveAttribute("data-state", "running");
  const run = await newest(panel).getAttribute("data-run");
  await page.close();
  await expect.poll(() => stand.run("show", run!, "--json")).toContain('"cancelled"');
  expect(stand.run("show", run!)).toContain("the tab was closed");
  await panel.reload();
  await expect(panel.getByText("The tab is gone")).toBeVisible();
  expect(tab).toBeGreaterThan(0);
});

test("a person disconnects the tab: the run ends, can be resumed in it, and repeats nothing", async () => {
  const { page, panel } = await stand.paired();
  await stand.pauseOnInput(false);
  await startSteps(panel, 'Type "Tea" into "Item"', 'Click "Add"', SECOND);
  await expect(newest(panel).locator(".item.good")).toHaveCount(2);
  await panel.getByRole("button", { name: "Disconnect" }).click();
  await expect(panel.getByText("You disconnected Legwork from this tab")).toBeVisible();
  await pictures(panel, "disconnected");
  await expect.poll(() => hasBorder(page)).toBe(false);
  await newest(panel).getByRole("button", { name: "Resume in this tab" }).click();
  await expect(newest(panel)).toHaveAttribute("data-state", "running");
  await page.getByLabel("Item").fill("Milk");
  await page.getByRole("button", { name: "Add" }).click();
  await expect(newest(panel)).toHaveAttribute("data-state", "success");
  await expect(page.getByRole("listitem")).toHaveText(["Tea", "Milk"]);
});

test("a server that is killed releases the tab, and the run can be resumed when it is back", async () => {
  const { page, panel, process, server } = await stand.paired();
  await stand.pauseOnInput(false);
  await startSteps(panel, 'Type "Tea" into "Item"', 'Click "Add"', SECOND);
  await expect(newest(panel).locator(".item.good")).toHaveCount(2);
  process.kill("SIGKILL");
  await expect(panel.getByText("The connection to Legwork was lost")).toBeVisible();
  await expect.poll(() => hasBorder(page), { timeout: 3_000 }).toBe(false);
  await expect(panel.getByText("Legwork does not answer")).toBeVisible();
  await pictures(panel, "server-lost");

  await stand.serve(Number(new URL(server).port));
  await expect(panel.getByRole("button", { name: "Start", exact: true })).toBeVisible();
  await newest(panel)
    .getByRole("button", { name: /Resume in this tab|not done/ })
    .click();
  await page.getByLabel("Item").fill("Milk");
  await page.getByRole("button", { name: "Add" }).click();
  await expect(newest(panel)).toHaveAttribute("data-state", "success");
  await expect(page.getByRole("listitem")).toHaveText(["Tea", "Milk"]);
});

test("a page of the browser is refused with the next step", async () => {
  const { server } = await stand.serve();
  await stand.point(server);
  const page = await stand.context.newPage();
  await page.goto("chrome://version/");
  const tab = await stand.worker.evaluate(
    async () => (await chrome.tabs.query({})).find((tab) => tab.url === "chrome://version/")?.id ?? -1,
  );
  const panel = await stand.panel(tab);
  await pair(panel, stand.run("panel", "pair", "--quiet"));
  await expect(panel.getByText("Legwork cannot work on this page")).toBeVisible();
  await pictures(panel, "restricted-page");
  await panel.getByLabel("Steps, one a line").fill("Reload");
  await expect(panel.getByRole("button", { name: "Start", exact: true })).toBeDisabled();
});

test("a tab that the page opens belongs to the task and joins its group", async () => {
  const { panel, tab } = await stand.paired();
  await startSteps(panel, 'Click "Open a window"', 'Check that "Second page" is shown');
  await expect(newest(panel)).toHaveAttribute("data-state", "success");
  const groups = await stand.worker.evaluate(async (id) => {
    const { groupId } = await chrome.tabs.get(id);
    return { groupId, inGroup: (await chrome.tabs.query({ groupId })).length };
  }, tab);
  expect(groups.groupId).toBeGreaterThan(0);
  expect(groups.inGroup).toBe(2);
});

test("legwork run --extension works in the tab that a person assigns", async () => {
  const steps = ['Type "Tea" into "Item"', 'Click "Add"', 'Check that "1 items ordered" is shown'];
  const { code, output, page } = await stand.runInTab([], "/", ...steps);
  expect(code, output).toBe(0);
  await expect(page.getByRole("listitem")).toHaveText("Tea");
  expect(page.isClosed()).toBe(false);
});

test("the first page and a conversation have no serious accessibility findings", async () => {
  const { server } = await stand.serve();
  await stand.point(server);
  const { tab } = await stand.tab();
  const panel = await stand.panel(tab);
  const check = async (where: string) => {
    const { violations } = await new AxeBuilder({ page: panel }).setLegacyMode().analyze();
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    expect(serious, `${where}: ${JSON.stringify(serious, null, 1)}`).toEqual([]);
  };
  for (const colorScheme of ["light", "dark"] as const) {
    await panel.emulateMedia({ colorScheme });
    await expect(panel.getByLabel(/Enter the code/)).toBeVisible();
    await check(`pairing, ${colorScheme}`);
  }
  await pictures(panel, "pairing");
  await pair(panel, stand.run("panel", "pair", "--quiet"));
  await startSteps(panel, 'Type "Tea" into "Item"', 'Click "Add"', 'Check that "1 items ordered" is shown');
  await expect(newest(panel)).toHaveAttribute("data-state", "success");
  // A tab that is released is no lost connection.
  await expect(panel.getByLabel("Control")).toHaveCount(0);
  await expect(panel.getByText("The connection to Legwork was lost")).toHaveCount(0);
  await pictures(panel, "success");
  await startSteps(panel, HOLD);
  await expect(newest(panel)).toHaveAttribute("data-state", "running");
  for (const colorScheme of ["light", "dark"] as const) {
    await panel.emulateMedia({ colorScheme });
    await check(`conversation, ${colorScheme}`);
  }
  await pictures(panel, "running");
  await panel.getByText("Settings", { exact: true }).click();
  await expect(panel.getByLabel("model.name")).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await panel.emulateMedia({ colorScheme });
    await check(`settings, ${colorScheme}`);
  }
});

test("a server with another version of the messages is not used, and the panel says what to update", async () => {
  let reply: { status: number; body: object } = { status: 200, body: {} };
  const server = createServer((request, response) => {
    response.setHeader("Access-Control-Allow-Origin", request.headers.origin ?? "");
    response.setHeader("Access-Control-Allow-Headers", "authorization");
    response.writeHead(request.method === "OPTIONS" ? 204 : reply.status, { "Content-Type": "application/json" });
    response.end(request.method === "OPTIONS" ? undefined : JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  await stand.point(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const { tab } = await stand.tab();
  const data = { version: "9.9.9", relayVersion: 99, paired: true, hasModel: true };
  reply = { status: 200, body: { success: true, data } };
  const panel = await stand.panel(tab);
  await expect(panel.getByRole("alert")).toContainText("The server is version 9.9.9. Update this extension");
  await pictures(panel, "other-version");
  // A server from before there was a panel.
  reply = { status: 404, body: { success: false, error: { message: "no such route" } } };
  await expect(panel.getByRole("alert")).toContainText("Update Legwork");
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("a tab that leaves for a page of the browser is released, and the run ends", async () => {
  const { page, panel } = await stand.paired();
  await startSteps(panel, 'Type "Tea" into "Item"', 'Click "Add"', SECOND);
  await expect(newest(panel).locator(".item.good")).toHaveCount(2);
  await page.goto("chrome://version/");
  await expect(panel.getByText("Legwork cannot work on this page")).toBeVisible();
  await expect(newest(panel)).not.toHaveAttribute("data-state", "running");
  await page.goto(stand.siteUrl);
  await expect(panel.getByText("The browser disconnected Legwork from this tab")).toBeVisible();
});
