// Playwright MCP's tools one by one, with its own parameters, on both servers: the page is the same afterwards, and what it
// costs to know that is counted. `PEER_TABLE=FILE` writes the table that docs/mcp.md shows.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { CHROMIUM, bin, call, client, legwork, scratch, site } from "./support.mjs";

/** What the page shows and holds, wherever it is. */
const STATE = `() => JSON.stringify([location.pathname, document.title, document.getElementById("out")?.textContent,
  document.getElementById("keys")?.textContent, ...["n", "p", "c"].map((id) => document.getElementById(id)?.value),
  document.getElementById("k")?.checked])`;

/** Tool, its parameters, and what the state has to hold afterwards; without it the states only have to be equal. */
const calls = (url, file) => [
  ["browser_navigate", { url }, /Form/],
  ["browser_snapshot", {}],
  ["browser_type", { element: "name", target: "#n", text: "Ada" }, /Ada/],
  ["browser_type", { target: "#p", text: "abc", slowly: true }, /abc.*abc/],
  ["browser_select_option", { target: "#c", values: ["Blue"] }, /Blue/],
  ["browser_click", { element: "send", target: "#send" }, /Hello Ada, Blue, no news/],
  ["browser_fill_form", { fields: [{ target: "#n", name: "Name", type: "textbox", value: "Eve" }, { target: "#k", name: "News", type: "checkbox", value: "true" }, { target: "#c", name: "Colour", type: "combobox", value: "Red" }] }, /Eve/],
  ["browser_press_key", { key: "Tab" }],
  ["browser_type", { target: "#n", text: "Bob", submit: true }, /Hello Bob, Red, news/],
  ["browser_hover", { target: "#hover" }, /over/],
  ["browser_click", { target: "#double", doubleClick: true }, /twice/],
  ["browser_drag", { startElement: "box", startTarget: "#from", endElement: "basket", endTarget: "#to" }, /dropped box/],
  ["browser_click", { target: "#late" }],
  ["browser_wait_for", { text: "Late" }, /Late/],
  ["browser_click", { target: "#log" }],
  ["browser_wait_for", { text: "from the server" }, /from the server/],
  ["browser_console_messages", { level: "info" }],
  ["browser_network_requests", { static: false }],
  ["browser_find", { text: "Basket" }],
  ["browser_click", { target: "#ask" }],
  ["browser_handle_dialog", { accept: true, promptText: "yes" }, /asked: yes/],
  ["browser_click", { target: "#file" }],
  ["browser_file_upload", { paths: [file] }, /cv\.txt/],
  ["browser_evaluate", { function: "() => document.title" }],
  ["browser_evaluate", { function: "(element) => element.id", element: "send", target: "#send" }],
  ["browser_take_screenshot", { type: "png", scale: "css" }],
  ["browser_resize", { width: 900, height: 600 }],
  ["browser_click", { target: "#next" }, /Second|next\.html/],
  // What the fields hold then depends on the browser's cache of pages, which the peer turns off.
  ["browser_navigate_back", {}, /"\/","Form"/, 2],
  ["browser_navigate", { url }, /Form/],
  ["browser_tabs", { action: "new", url: `${url}/next.html` }, /Next/],
  ["browser_tabs", { action: "list" }],
  ["browser_tabs", { action: "select", index: 0 }, /Form/],
  ["browser_tabs", { action: "close", index: 1 }, /Form/],
  ["browser_close", {}],
];

test("Playwright MCP's tools do the same with the same parameters, for fewer tokens", async (t) => {
  const folder = scratch(t);
  const file = join(folder, "cv.txt");
  writeFileSync(file, "me");
  const url = await site(t);
  const roots = [`file://${folder}`];
  const ours = await legwork(t, [], { roots });
  const peer = await client(
    t,
    process.execPath,
    [bin("playwright-mcp"), "--headless", "--isolated", "--no-sandbox", "--executable-path", CHROMIUM],
    { roots, env: { TMPDIR: folder, HOME: folder } },
  );
  const cost = { ours: 0, peer: 0, seen: 0 };
  const rows = [];
  for (const [tool, args, wanted, places] of calls(url, file)) {
    const [mine, theirs] = [await call(ours, tool, args), await call(peer, tool, args)];
    // The peer answers most actions with a link to a file; what changed is known after a snapshot.
    const linked = /\.playwright-mcp\/page-.*\.yml/.test(theirs) && tool !== "browser_close";
    const snapshot = linked && !/Modal state/.test(theirs) ? await call(peer, "browser_snapshot") : "";
    const [a, b, c] = [mine, theirs, snapshot].map((text) => encode(text).length);
    cost.ours += a;
    cost.peer += b;
    cost.seen += b + c;
    rows.push(`| \`${tool}\` | ${a} | ${b} | ${b + c} |`);
    const waits = /waits|dialog is open/.test(mine) && !/answer/.test(mine);
    if (tool === "browser_close" || waits) continue;
    const [here, there] = [await call(ours, "browser_evaluate", { function: STATE }), await call(peer, "browser_evaluate", { function: STATE })];
    const state = there.match(/### Result\n"(.*)"\n/)?.[1].replaceAll('\\"', '"') ?? there;
    const compared = (state) => (places ? JSON.parse(state).slice(0, places) : state);
    assert.deepEqual(compared(here), compared(state), `after ${tool} ${JSON.stringify(args)}\nours: ${mine}\npeer: ${theirs}`);
    if (wanted) assert.match(here, wanted, `after ${tool}`);
  }
  const list = async (joined) => encode(JSON.stringify((await joined.listTools()).tools)).length;
  const [schema, theirSchema] = [await list(ours), await list(peer)];
  assert.ok(schema <= 2000, `the schema costs ${schema} tokens`);
  assert.ok(cost.ours * 2 < cost.seen, `${cost.ours} of ${cost.seen} tokens`);
  rows.push(`| all answers | ${cost.ours} | ${cost.peer} | ${cost.seen} |`);
  rows.push(`| the schema (\`tools/list\`) | ${schema} | ${theirSchema} | ${theirSchema} |`);
  const head = ["| call | legwork | Playwright MCP | with the snapshot that shows what changed |", "|---|--:|--:|--:|"];
  const table = [...head, ...rows].join("\n");
  if (process.env.PEER_TABLE) writeFileSync(process.env.PEER_TABLE, `${table}\n`);
  t.diagnostic(`answers ${cost.ours} against ${cost.peer} tokens, schema ${schema} against ${theirSchema}`);
});
