// Who gets the token and the tab: only the server that this browser is paired with. And what many panels cost it.

import { createHash, createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { expect, type Page, test } from "@playwright/test";
import { hasBorder, newest, pair, Stand, startSteps } from "./stand";

let stand: Stand;
test.beforeEach(async () => {
  stand = await Stand.open();
});
test.afterEach(() => stand.close());

const WAITING = 'Wait up to 200 seconds for "Never there"';

/** A program that listens where Legwork listened. It answers every request as Legwork would, and tries to control the tab. */
async function impostor(port: number, proof?: (question: string) => string) {
  const waiting = new Map<number, (answer: string) => void>();
  let say: (message: object) => void = () => undefined;
  let asked = 100;
  let unread: Buffer = Buffer.alloc(0);
  const headers: string[] = [];
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, reply) => {
    headers.push(JSON.stringify(request.headers));
    reply.setHeader("Access-Control-Allow-Origin", request.headers.origin ?? "");
    reply.setHeader("Access-Control-Allow-Headers", "authorization, content-type");
    reply.writeHead(request.method === "OPTIONS" ? 204 : 200, { "Content-Type": "application/json" });
    const data = { version: "0.16.0", relayVersion: 2, paired: true, hasModel: false, proof: "0".repeat(64), id: "x" };
    reply.end(request.method === "OPTIONS" ? undefined : JSON.stringify({ success: true, data }));
  });
  server.on("upgrade", (request, socket: Socket) => {
    sockets.add(socket);
    const guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    const accept = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${guid}`).digest("base64");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    say = (message: object) => {
      const text = Buffer.from(JSON.stringify(message));
      socket.write(Buffer.concat([Buffer.from([0x81, text.length]), text]));
    };
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      received.push(data.toString("latin1"));
      const { texts, rest } = textsOf(Buffer.concat([unread, data]));
      unread = rest;
      for (const text of proof ? texts : []) {
        if (text.startsWith('{"type":"prove"')) say({ type: "proof", proof: proof!(text) });
        const id = Number(/"id":(\d+)/.exec(text)?.[1]);
        if (/^{"type":"(?:result|error)"/.test(text)) waiting.get(id)?.(text);
      }
    });
    say({ id: 1, type: "attach_tab" });
    if (proof) return;
    say({ type: "proof", proof: "0".repeat(64) });
    say({ id: 2, type: "attach_tab" });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  /** Asks the extension, which has a proof. */
  const ask = (request: object) => {
    const id = ++asked;
    const answer = new Promise<string>((resolve) => waiting.set(id, resolve));
    say({ id, ...request });
    return answer;
  };
  return { headers, received, close, ask };
}

test("a program that listens at the address of Legwork gets neither the token nor the tab", async () => {
  const { server, process: program, tab, page, panel } = await stand.paired();
  program.kill("SIGKILL");
  await expect(panel.getByText("Legwork does not answer")).toBeVisible();
  const other = await impostor(Number(new URL(server).port));
  await expect(panel.getByRole("alert").filter({ hasText: "it got no access" })).toBeVisible();
  await expect.poll(() => other.headers.length).toBeGreaterThan(6);
  expect(other.headers.filter((one) => one.includes("authorization") && !one.includes("access-control"))).toEqual([]);
  expect(other.headers.join()).not.toContain("legwork_");
  // Also a panel that was shown before.
  const reply = await panel.evaluate(
    ([id, address]) => chrome.runtime.sendMessage({ type: "assign", tab: id, server: address, relay: "x" }),
    [tab, server] as const,
  );
  expect(reply).toEqual({ ok: false, message: "the connection was refused" });
  expect(await hasBorder(page)).toBe(false);
  expect(other.received.join()).not.toContain("legwork_");
  await other.close();
  // The pairing is still valid when Legwork is back.
  await stand.serve(Number(new URL(server).port));
  await expect(panel.getByRole("button", { name: "Start", exact: true })).toBeVisible();
});

/** The texts of the whole frames of a client at the beginning of some data, and the rest of the data. */
function textsOf(data: Buffer): { texts: string[]; rest: Buffer } {
  const texts: string[] = [];
  let rest = data;
  for (;;) {
    const short = rest.length > 1 ? rest[1]! & 127 : 0;
    const from = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (rest.length < from + 4) return { texts, rest };
    const length = short === 126 ? rest.readUInt16BE(2) : short === 127 ? Number(rest.readBigUInt64BE(2)) : short;
    const end = from + 4 + length;
    if (rest.length < end) return { texts, rest };
    const mask = rest.subarray(from, from + 4);
    texts.push(Buffer.from(rest.subarray(from + 4, end).map((byte, at) => byte ^ mask[at % 4]!)).toString());
    rest = rest.subarray(end);
  }
}

test("the extension itself refuses commands about cookies, and addresses of files and of the browser", async () => {
  const { server, process: program, tab, panel } = await stand.paired();
  const token = await stand.worker.evaluate(
    async (origin) => ((await chrome.storage.local.get("tokens")).tokens as Record<string, string>)[origin]!,
    server,
  );
  program.kill("SIGKILL");
  await expect(panel.getByText("Legwork does not answer")).toBeVisible();
  const { port } = new URL(server);
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const other = await impostor(Number(port), (question) => {
    const nonce = /"nonce":"(\w+)"/.exec(question)![1]!;
    const key = hash(`legwork proof ${hash(token)}`);
    return createHmac("sha256", key).update(`${nonce}\n127.0.0.1:${port}`).digest("hex");
  });
  const assigned = { type: "assign", tab, server, relay: "x" };
  expect(await panel.evaluate((request) => chrome.runtime.sendMessage(request), assigned)).toEqual({ ok: true });
  for (const [method, params] of [
    ["Network.getAllCookies", {}],
    ["Network.deleteCookies", { name: "user" }],
    ["Storage.getCookies", {}],
    ["Page.navigate", { url: "file:///etc/passwd" }],
    ["Page.navigate", { url: "chrome://settings" }],
  ] as const)
    expect(await other.ask({ type: "command", tab, method, params }), method).toMatch(
      /"type":"error".*(relayed|opened)/,
    );
  expect(await other.ask({ type: "open_tab", url: "file:///etc/passwd" })).toMatch(/"type":"error".*opened/);
  expect(await other.ask({ type: "command", tab, method: "Page.getFrameTree" })).toContain('"type":"result"');
  await other.close();
});

test("each server gets its own token, and the pairing can be changed and forgotten in the panel", async () => {
  const { server, panel } = await stand.paired();
  const tokens = () =>
    stand.worker.evaluate(async () => (await chrome.storage.local.get("tokens")).tokens as Record<string, string>);
  const before = await tokens();
  const other = await Stand.serverElsewhere();
  const settings = async () => {
    await panel.getByText("Settings", { exact: true }).click();
    await panel.locator("summary", { hasText: "another address" }).click();
  };
  await settings();
  await panel.getByLabel("Address of Legwork").fill(other.server.replace("127.0.0.1", "localhost"));
  await panel.getByRole("button", { name: "Use it" }).click();
  await expect(panel.getByText(`It answers at ${other.server}.`)).toBeVisible();
  await pair(panel, other.run("panel", "pair", "--quiet"));
  const both = await tokens();
  expect(both[server]).toBe(before[server]);
  expect(both[other.server]).not.toBe(before[server]);
  await settings();
  await panel.getByLabel("Address of Legwork").fill(server);
  await panel.getByRole("button", { name: "Use it" }).click();
  await expect(panel.getByRole("button", { name: "Start", exact: true })).toBeVisible();
  await panel.getByText("Settings", { exact: true }).click();
  await panel.getByRole("button", { name: "Forget this pairing" }).click();
  await expect(panel.getByLabel(/Enter the code/)).toBeVisible();
  expect(Object.keys(await tokens())).toEqual([other.server]);
  other.close();
});

test("after pairing again, nothing says that the pairing was revoked", async () => {
  const { panel } = await stand.paired();
  await startSteps(panel, WAITING);
  await expect(panel.getByText("Legwork controls this tab")).toBeVisible();
  const [token] = JSON.parse(stand.run("token", "list", "--json")) as { name: string }[];
  stand.run("token", "revoke", token!.name);
  await expect(panel.getByRole("alert").filter({ hasText: "no longer valid" })).toBeVisible();
  await pair(panel, stand.run("panel", "pair", "--quiet"));
  await expect(panel.getByText("was revoked")).toHaveCount(0);
});

test("seven panels with tasks that go on hold at most four connections, and all of them work", async () => {
  const { found: server } = await stand.start(["serve", "--port", "0"], /^(http:\/\/[^/]+)\/open/, {
    LEGWORK_SERVER_MAX_CONCURRENT_RUNS: "8",
  });
  await stand.point(server);
  let open = 0;
  let most = 0;
  const streams = new Map<Page, number>();
  const isStream = (url: string) => url.includes("/api/stream/");
  stand.context.on("request", (request) => {
    if (!isStream(request.url())) return;
    most = Math.max(most, ++open);
    const page = request.frame().page();
    streams.set(page, (streams.get(page) ?? 0) + 1);
  });
  for (const event of ["requestfinished", "requestfailed"] as const)
    stand.context.on(event as "requestfinished", (request) => {
      if (isStream(request.url())) open--;
    });
  const panels: Page[] = [];
  for (let number = 0; number < 7; number++) {
    const { tab } = await stand.tab();
    const panel = await stand.panel(tab);
    if (number === 0) await pair(panel, stand.run("panel", "pair", "--quiet"));
    await expect(panel.getByRole("button", { name: "Start", exact: true })).toBeVisible();
    await startSteps(panel, WAITING);
    await expect(newest(panel)).toHaveAttribute("data-state", "running");
    panels.push(panel);
  }
  for (const panel of panels) {
    await expect(panel.getByText("Legwork does not answer")).toHaveCount(0);
    await newest(panel).getByRole("button", { name: "Stop" }).click();
    await expect(newest(panel)).toHaveAttribute("data-state", "cancelled", { timeout: 15_000 });
  }
  expect(most).toBeLessThanOrEqual(4);
});

test("a conversation with seven tasks that wait for a person can still be used", async () => {
  const { tab, panel } = await stand.paired();
  for (let number = 1; number <= 7; number++) {
    await startSteps(panel, WAITING);
    await expect(panel.locator("article.task")).toHaveCount(number);
    await expect(newest(panel)).toHaveAttribute("data-state", "running");
    await panel.getByRole("button", { name: "Disconnect" }).click();
    await expect(newest(panel)).not.toHaveAttribute("data-state", "running");
  }
  const again = await stand.panel(tab);
  await expect(again.locator("article.task .steering")).toHaveCount(7);
  await startSteps(again, 'Check that "Orders" is shown');
  await expect(newest(again)).toHaveAttribute("data-state", "success");
  await expect(again.getByText("Legwork does not answer")).toHaveCount(0);
});

test("steps that are refused leave the running task alone, and the refusal is at the form", async () => {
  const { page, panel } = await stand.paired();
  await stand.pauseOnInput(false);
  await startSteps(panel, 'Type "Tea" into "Item"', 'Click "Add"', 'Wait up to 100 seconds for "2 items"');
  await expect(newest(panel).locator(".item.good")).toHaveCount(2);
  await startSteps(panel, "Clik the thing");
  await expect(panel.locator(".composer [role=alert]")).toBeVisible();
  await expect(panel.locator(".composer [role=alert]")).not.toContainText(/“(Settings|Runs|Keys)”|\/api\//);
  await expect(panel.locator("article.task")).toHaveCount(1);
  await expect(panel.getByText("You disconnected")).toHaveCount(0);
  await page.evaluate(() => (globalThis as unknown as { add(item: string): void }).add("Milk"));
  await expect(newest(panel)).toHaveAttribute("data-state", "success");
  // Without a run, too.
  await startSteps(panel, "Clik the thing");
  await expect(panel.locator(".composer [role=alert]")).toBeVisible();
  await expect(panel.getByText("You disconnected")).toHaveCount(0);
});

test("a task that waits for its turn does not control its tab, and releases it when it is stopped", async () => {
  const { found: server } = await stand.start(["serve", "--port", "0"], /^(http:\/\/[^/]+)\/open/, {
    LEGWORK_SERVER_MAX_CONCURRENT_RUNS: "1",
  });
  await stand.point(server);
  const first = await stand.panel((await stand.tab()).tab);
  await pair(first, stand.run("panel", "pair", "--quiet"));
  await startSteps(first, WAITING);
  await expect(newest(first)).toHaveAttribute("data-state", "running");
  const { page, tab } = await stand.tab();
  const second = await stand.panel(tab);
  await expect(second.getByRole("button", { name: "Start", exact: true })).toBeVisible();
  await startSteps(second, 'Check that "Orders" is shown');
  await expect(second.getByText("Legwork waits to work in this tab")).toBeVisible();
  await expect(second.getByText("controls this tab")).toHaveCount(0);
  expect(await hasBorder(page)).toBe(false);
  await newest(second).getByRole("button", { name: "Stop" }).click();
  await expect(second.getByLabel("Control")).toHaveCount(0);
  await startSteps(second, 'Check that "Orders" is shown');
  await expect(second.getByText("Legwork waits to work in this tab")).toBeVisible();
  await newest(first).getByRole("button", { name: "Stop" }).click();
  await expect(newest(second)).toHaveAttribute("data-state", "success");
});

test("what can be done with a run is never under the form for the next task", async () => {
  const { panel } = await stand.paired();
  await stand.pauseOnInput(false);
  const steps = Array.from({ length: 12 }, (_, number) => `Type "T${number}" into "Item"`);
  await startSteps(panel, ...steps, WAITING);
  await expect(newest(panel).locator(".item.good")).toHaveCount(12);
  await panel.waitForTimeout(1_000);
  const top = async (of: string) => (await panel.locator(of).boundingBox())!;
  const [stop, form] = [await top("article.task .steering .danger"), await top(".composer")];
  expect(stop.y + stop.height).toBeLessThanOrEqual(form.y);
  await newest(panel).getByRole("button", { name: "Stop" }).click({ timeout: 5_000 });
  await expect(newest(panel)).toHaveAttribute("data-state", "cancelled");
  await expect(newest(panel).getByRole("button", { name: "Resume in this tab" })).toBeFocused();
  for (const width of [280, 320]) {
    await panel.setViewportSize({ width, height: 600 });
    expect(await panel.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});
