// Runs the official conformance suite over HTTP, and the command line of the official inspector over stdio.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { FIXTURE, LEGWORK, NODE, bin, scratch } from "./support.mjs";

const run = promisify(execFile);

// Scenarios that apply to Legwork itself.
const SCENARIOS = [
  "server-initialize",
  "ping",
  "completion-complete",
  "tools-list",
  "server-sse-multiple-streams",
  "server-sse-polling",
  "resources-list",
  "prompts-list",
  "dns-rebinding-protection",
];

// Scenarios that call the fixtures of the suite: on examples/conformance.rs, which serves them over the same transport.
const OF_FIXTURES = [
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-error",
  "tools-call-with-progress",
  "tools-call-sampling",
  "json-schema-2020-12",
  "resources-read-text",
  "resources-read-binary",
  "resources-templates-read",
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-embedded-resource",
  "prompts-get-with-image",
];

// Not implemented: log levels and subscriptions, which the newest protocol version no longer has, and elicitation.
const NOT_OFFERED = [
  "logging-set-level",
  "tools-call-with-logging",
  "resources-subscribe",
  "resources-unsubscribe",
  "tools-call-elicitation",
  "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums",
];

async function serving(t, env = {}) {
  const data = scratch(t);
  const server = spawn(LEGWORK, ["mcp", "--http", "0"], { env: { ...process.env, LEGWORK_DATA_DIR: data, HOME: data, ...env } });
  t.after(async () => {
    server.kill("SIGTERM");
    const [code] = await once(server, "exit");
    assert.equal(code, 0, "it ends in order");
  });
  const [line] = await once(server.stderr.setEncoding("utf8"), "data");
  return line.match(/http:\S+/)[0];
}

async function conforms(t, url, scenarios) {
  const folder = scratch(t);
  for (const scenario of scenarios) {
    const args = [bin("conformance"), "server", "--url", url, "--scenario", scenario, "-o", folder];
    const { stdout } = await run(NODE, args, { cwd: folder }).catch((error) => assert.fail(`${scenario}\n${error.stdout}`));
    assert.match(stdout, /Passed: [1-9]\d*\/\d+, 0 failed/, `${scenario}\n${stdout}`);
  }
}

test("the official conformance suite", async (t) => {
  await conforms(t, await serving(t), SCENARIOS);
});

test("the suite's own tools, resources and prompts behind the same door", async (t) => {
  const server = spawn(FIXTURE, { stdio: ["pipe", "ignore", "pipe"] });
  t.after(async () => {
    server.stdin.end();
    const [code] = await once(server, "exit");
    assert.equal(code, 0, "it ends in order");
  });
  const [line] = await once(server.stderr.setEncoding("utf8"), "data");
  await conforms(t, line.match(/http:\S+/)[0], OF_FIXTURES);
});

test("no scenario of the suite is forgotten", async () => {
  const { stdout } = await run(NODE, [bin("conformance"), "list"]);
  const all = stdout.split("Client scenarios")[0].match(/(?<=^ {2}- )\S+/gm);
  assert.deepEqual(all.sort(), [...SCENARIOS, ...OF_FIXTURES, ...NOT_OFFERED].sort());
});

test("over HTTP a token is asked for when there is one, and foreign hosts and origins are refused", async (t) => {
  const url = await serving(t, { LEGWORK_MCP_TOKEN: "a-token-of-24-characters" });
  const greet = (headers) =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } },
      }),
    });
  const bearer = { authorization: "Bearer a-token-of-24-characters" };
  assert.equal((await greet({})).status, 401);
  assert.equal((await greet({ authorization: "Bearer s3cre" })).status, 401);
  assert.equal((await greet({ ...bearer, origin: "https://evil.example" })).status, 403);
  const answered = await greet(bearer);
  assert.equal(answered.status, 200);
  await answered.body.cancel();
});

test("the official inspector's command line", async (t) => {
  const data = scratch(t);
  const inspect = async (...args) => {
    const env = { ...process.env, LEGWORK_DATA_DIR: data, HOME: data };
    const { stdout } = await run(process.execPath, [bin("mcp-inspector"), "--cli", LEGWORK, "mcp", ...args], { env });
    return JSON.parse(stdout);
  };
  const { tools } = await inspect("--method", "tools/list");
  assert.ok(tools.some((tool) => tool.name === "browser_click") && tools.some((tool) => tool.name === "legwork_run"));
  const looks = tools.filter((tool) => tool.annotations?.readOnlyHint).map((tool) => tool.name);
  assert.ok(looks.includes("browser_snapshot") && !looks.includes("browser_click"), looks.join());
  const { content } = await inspect("--method", "tools/call", "--tool-name", "legwork_runs");
  assert.equal(content[0].text, "there are no runs yet");
  const { prompts } = await inspect("--method", "prompts/list");
  assert.deepEqual(prompts.map((prompt) => prompt.name), ["do", "write_workflow"]);
});
