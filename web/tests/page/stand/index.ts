// What every page test stands on: the real `legwork serve` with a data folder of its own, a site to work on, a scripted
// model, and a page that is signed in and on which nothing may go wrong unseen.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import { ScriptedModel } from "./model";
import { Site } from "./site";

const BINARY = process.env.LEGWORK_BIN ?? fileURLToPath(new URL("../../../../target/debug/legwork", import.meta.url));

/** What a server says, line by line. */
class Log {
  readonly lines: string[] = [];
  private readonly waiting = new Set<(line: string) => void>();

  take(line: string): void {
    this.lines.push(line);
    for (const look of this.waiting) look(line);
  }

  /** The first match, there already or to come. */
  says(words: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve) => {
      const look = (line: string) => {
        const found = words.exec(line);
        if (!found) return;
        this.waiting.delete(look);
        resolve(found);
      };
      this.waiting.add(look);
      for (const line of this.lines) look(line);
    });
  }
}

export class Server {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    private link: string | undefined,
    private readonly data: string,
    private readonly log: Log,
  ) {}

  /** Starts a server; variables of `more` replace those of the stand, and an empty one is not set. */
  static async start(data: string, model: ScriptedModel, port = 0, more: Record<string, string> = {}): Promise<Server> {
    const env: Record<string, string | undefined> = {
      ...process.env,
      LEGWORK_DATA_DIR: data,
      LEGWORK_MODEL_NAME: "openai/scripted",
      LEGWORK_MODEL_BASE_URL: model.url,
      // A scripted model waits for the test, however long that takes on a busy machine.
      LEGWORK_TIMEOUTS_REQUEST: "150s",
      // So does a browser.
      LEGWORK_TIMEOUTS_BROWSER_START: "150s",
      LEGWORK_LOG_LEVEL: "info",
      OPENAI_API_KEY: "sk-a-key-that-nobody-may-see",
      XDG_CONFIG_HOME: join(data, "config"),
      ...more,
    };
    for (const [name, value] of Object.entries(more)) if (value === "") delete env[name];
    const child = spawn(BINARY, ["serve", "--port", String(port)], {
      env,
      cwd: data,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const log = new Log();
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream! }).on("line", (line) => log.take(line));
    const [link] = await new Promise<RegExpExecArray>((resolve, reject) => {
      child.on("error", reject);
      child.on("exit", (code) => reject(new Error(`legwork serve ended (${code}): ${log.lines.join("\n")}`)));
      void log.says(/http:\/\/\S+\/open\?code=\S+/).then(resolve);
    });
    return new Server(child, new URL(link).origin, link, data, log);
  }

  /** Opens the page, signed in. */
  async signIn(page: Page): Promise<void> {
    await page.goto(this.link ?? (await this.newLink()));
    this.link = undefined;
    await expect(page).toHaveURL(`${this.url}/`);
  }

  /** Creates a token as a user does, and signs the page in with its scopes. */
  async signInWith(page: Page, token: string, scopes: string): Promise<void> {
    const env = { ...process.env, LEGWORK_DATA_DIR: this.data };
    execFileSync(BINARY, ["token", "create", token, "--scope", scopes], { env, stdio: "pipe" });
    await page.goto(await this.newLink({ token }));
    await expect(page).toHaveURL(`${this.url}/`);
  }

  /** Revokes a token as a user does. */
  revoke(token: string): void {
    const env = { ...process.env, LEGWORK_DATA_DIR: this.data };
    execFileSync(BINARY, ["token", "revoke", token], { env, stdio: "pipe" });
  }

  private async newLink(body: { token?: string } = {}): Promise<string> {
    const { code } = await this.ask<{ code: string }>("POST", "/api/link", body);
    return `${this.url}/open?code=${code}`;
  }

  /** How a run stands, asked from outside the page. */
  async state(run: string): Promise<string> {
    return (await this.ask<{ state: string }>("GET", `/api/sessions/${run}`)).state;
  }

  /** Saves a workflow from outside the page. */
  async saveWorkflow(draft: { name: string; text: string; description?: string }): Promise<string> {
    return (await this.ask<{ id: string }>("POST", "/api/workflows", draft)).id;
  }

  /** Saves a workflow and runs it for these rows, from outside the page. */
  async startBatch(name: string, text: string, rows: Record<string, string>[]): Promise<void> {
    const workflow = await this.saveWorkflow({ name, text });
    const { id } = await this.ask<{ id: string }>("POST", "/api/batches", { run: { workflowId: workflow }, rows });
    expect(id).toBeTruthy();
  }

  /** Creates a schedule from outside the page. */
  async saveSchedule(plan: { name: string; cron: string; workflow: string; basedOn?: string }): Promise<string> {
    return (await this.ask<{ id: string }>("POST", "/api/schedules", plan)).id;
  }

  /** A schedule as the server has stored it. */
  async schedule(id: string): Promise<unknown> {
    return (await this.ask<{ id: string }[]>("GET", "/api/schedules")).find((one) => one.id === id);
  }

  /** Waits until the server has said something on its log. */
  async says(words: RegExp): Promise<void> {
    await this.log.says(words);
  }

  private async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const token = readFileSync(join(this.data, "server.token"), "utf8").trim();
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const response = await fetch(this.url + path, { method, headers, body: body ? JSON.stringify(body) : undefined });
    return ((await response.json()) as { data: T }).data;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const gone = new Promise((resolve) => this.child.once("close", resolve));
    this.child.kill("SIGTERM");
    await gone;
  }
}

interface Stand {
  model: ScriptedModel;
  site: Site;
  server: Server;
}

export const test = base.extend<{ app: Page; expected: readonly RegExp[] }, { stand: Stand }>({
  stand: [
    async ({}, use) => {
      const data = mkdtempSync(join(tmpdir(), "legwork-page-"));
      const [model, site] = await Promise.all([ScriptedModel.start(), Site.start()]);
      const server = await Server.start(data, model);
      await use({ model, site, server });
      await server.stop();
      model.stop();
      site.stop();
      rmSync(data, { recursive: true, force: true, maxRetries: 5 });
    },
    { scope: "worker" },
  ],
  /** What may stand on the console; a test that cuts the line says so. */
  expected: [[], { option: true }],
  baseURL: async ({ stand }, use) => use(stand.server.url),
  app: async ({ page, stand, expected }, use) => {
    const wrong = watch(page);
    await stand.server.signIn(page);
    await use(page);
    expect(wrong.filter((line) => !expected.some((known) => known.test(line)))).toEqual([]);
  },
});

/** Gathers what must not happen: errors on the console (violations of the content policy are among them) and in scripts. */
export function watch(page: Page): string[] {
  const wrong: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || /Content.Security.Policy/i.test(message.text())) wrong.push(message.text());
  });
  page.on("pageerror", (error) => wrong.push(String(error)));
  return wrong;
}

/** Starts steps from the page's own form; ends on the run's page. */
export async function start(page: Page, steps: string, url?: string): Promise<string> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "New run" }).click();
  await page.getByRole("textbox", { name: "Steps" }).fill(steps);
  if (url) await page.getByLabel("Start URL").fill(url);
  await page.getByRole("button", { name: "Start run" }).click();
  await page.waitForURL(/\/runs\/[0-9a-f-]+$/);
  return page.url().split("/").pop()!;
}

/** The same with a task. */
export async function startTask(page: Page, task: string, url: string): Promise<string> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "New run" }).click();
  await page.getByRole("radio", { name: "A task" }).check();
  await page.getByRole("textbox", { name: "Task" }).fill(task);
  await page.getByLabel("Start URL").fill(url);
  await page.getByRole("button", { name: "Start run" }).click();
  await page.waitForURL(/\/runs\/[0-9a-f-]+$/);
  return page.url().split("/").pop()!;
}

/** What axe finds. */
export async function barriers(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")} ${node.failureSummary ?? ""}`),
  );
}

/** The run's state as the page shows it. */
export const badge = (page: Page) => page.locator(".standing .badge");

export { expect };
