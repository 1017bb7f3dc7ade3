// Uses a page, runs workflows and cancels them with the client of the official TypeScript SDK.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { call, legwork, scratch, site } from "./support.mjs";

const ref = (text, role, name) => {
  const found = text.match(new RegExp(`${role} "${name}"[^\\n\\[]*\\[ref=(e\\d+)\\]`));
  assert.ok(found, `no ${role} "${name}" in ${text}`);
  return found[1];
};

test("a form is filled by refs, and each answer is the difference", async (t) => {
  const [url, browser] = [await site(t), await legwork(t)];
  const page = await call(browser, "browser_navigate", { url });
  assert.match(page, /heading "Sign up"/);
  const filled = await call(browser, "browser_fill_form", {
    fields: [
      { name: "Name", type: "textbox", target: ref(page, "textbox", "Name"), value: "Ada" },
      { name: "News", type: "checkbox", target: ref(page, "checkbox", "News"), value: "true" },
      { target: ref(page, "combobox", "Colour"), value: "Blue" },
    ],
  });
  assert.match(filled, /Ada/);
  assert.doesNotMatch(filled, /Basket/, "what did not change is not told again");
  const sent = await call(browser, "browser_click", { element: "the button", ref: ref(page, "button", "Send") });
  assert.match(sent, /Hello Ada, Blue, news/);
  assert.ok(sent.length < 200, sent);
  await assert.rejects(call(browser, "browser_click", { target: "e999" }), /stale ref e999/);
  await assert.rejects(call(browser, "browser_click", {}), /missing field `target`/);
  const capped = await call(browser, "browser_snapshot", { max_tokens: 60 });
  assert.ok(capped.length < 600, capped);
});

test("two clients do not see each other's pages", async (t) => {
  const url = await site(t);
  const [one, other] = [await legwork(t), await legwork(t)];
  await call(one, "browser_navigate", { url });
  await call(one, "browser_evaluate", { function: "() => { document.cookie = 'who=one'; localStorage.who = 'one' }" });
  await call(other, "browser_navigate", { url });
  assert.equal(await call(other, "browser_evaluate", { function: "document.cookie + (localStorage.who ?? '')" }), "");
  // Sessions of one client are isolated, too.
  await call(one, "browser_navigate", { url, session: "second" });
  assert.equal(await call(one, "browser_evaluate", { function: "document.cookie", session: "second" }), "");
  assert.equal(await call(one, "browser_evaluate", { function: "document.cookie" }), "who=one");
});

test("a workflow runs with progress and evidence, and is replayed", async (t) => {
  const [url, browser] = [await site(t), await legwork(t)];
  const told = [];
  const workflow = `Open ${url}\nType "Ada" into "Name"\nClick "Send"\nCheck that "Hello Ada" is shown`;
  const options = { onprogress: (progress) => told.push(progress) };
  const done = await call(browser, "legwork_run", { workflow }, options);
  assert.match(done, /success, validated/);
  assert.ok(told.length >= 4 && told.every((one, at) => at === 0 || one.progress > told[at - 1].progress), JSON.stringify(told));
  const run = done.match(/^run (\w+)/)[1];
  assert.match(await call(browser, "legwork_runs", {}), new RegExp(run));
  assert.match(await call(browser, "legwork_replay", { run }), /success, validated/);
  const { resources } = await browser.listResources();
  const trace = resources.find((resource) => resource.name.startsWith("trace of"));
  const { contents } = await browser.readResource({ uri: trace.uri });
  assert.match(contents[0].text, /<html/i);
  const failed = call(browser, "legwork_run", { workflow: `Open ${url}\nClick "Nothing like it"` });
  await assert.rejects(failed, /Nothing like it/);
  await assert.rejects(call(browser, "legwork_run", { task: "find something" }), /model/);
});

test("a run that is taken back ends", async (t) => {
  const [url, browser] = [await site(t), await legwork(t)];
  const stop = new AbortController();
  const workflow = `Open ${url}\nWait for "never there"`;
  const begun = new Promise((resolve) => (t.onprogress = resolve));
  const running = call(browser, "legwork_run", { workflow }, {
    signal: stop.signal,
    onprogress: ({ message }) => message.includes("never there") && t.onprogress(),
  });
  running.catch(() => {});
  await begun;
  stop.abort("enough");
  await assert.rejects(running);
  // The run is recorded as cancelled once the browser has been released.
  for (;;) {
    const runs = await call(browser, "legwork_runs", {});
    if (/cancelled/.test(runs)) break;
    assert.doesNotMatch(runs, /success|failure/);
  }
});

test("files come from the client's roots only", async (t) => {
  const folder = scratch(t);
  writeFileSync(join(folder, "cv.txt"), "me");
  const url = await site(t);
  const browser = await legwork(t, [], { roots: [pathToFileURL(folder).href] });
  const page = await call(browser, "browser_navigate", { url });
  const asked = await call(browser, "browser_click", { target: ref(page, "(?:button|textbox|file)", "Attachment") });
  assert.match(asked, /file chooser waits/);
  await assert.rejects(call(browser, "browser_file_upload", { paths: ["/etc/hostname"] }), /outside/);
  assert.match(await call(browser, "browser_file_upload", { paths: [join(folder, "cv.txt")] }), /cv\.txt/);
});

test("steps in plain words, the page as Markdown, prompts, pictures", async (t) => {
  const [url, browser] = [await site(t), await legwork(t)];
  await call(browser, "browser_navigate", { url });
  assert.match(await call(browser, "legwork_step", { step: 'Type "Eve" into "Name" and click "Send"' }), /validated[\s\S]*Hello Eve/);
  await assert.rejects(call(browser, "legwork_step", { step: 'Check that "Bye" is shown' }), /Bye/);
  assert.match(await call(browser, "browser_extract", {}), /# Sign up/);
  await assert.rejects(call(browser, "browser_extract", { instruction: "the title" }), /model/);
  const { messages } = await browser.getPrompt({ name: "do", arguments: { goal: "buy a lamp" } });
  assert.match(messages[0].content.text, /buy a lamp/);
  await assert.rejects(browser.getPrompt({ name: "do", arguments: {} }), /goal/);
  const shot = await browser.callTool({ name: "browser_take_screenshot", arguments: { type: "jpeg", fullPage: true } });
  assert.deepEqual([shot.content[1].type, shot.content[1].mimeType], ["image", "image/jpeg"]);
  const { contents } = await browser.readResource({ uri: "legwork://page/screenshot" });
  assert.equal(contents[0].mimeType, "image/png");
});
