import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { serverOrigin } from "../../src/panel/settings";
import { isAllowed, isRelayed } from "../../src/relay/messages";
import { attachProblem, isRestricted } from "../../src/relay/states";

test("pages of the browser itself and the web store cannot be used", () => {
  for (const url of [
    "chrome://settings/",
    "edge://flags",
    "chrome-extension://abc/x.html",
    "devtools://devtools/",
    "view-source:https://a.test/",
    "https://chromewebstore.google.com/detail/x",
    "https://chrome.google.com/webstore/x",
  ])
    expect(isRestricted(url), url).toBe(true);
  for (const url of [
    "https://a.test/",
    "http://localhost:8080/x",
    "file:///tmp/a.html",
    "about:blank",
    "data:text/html,a",
    "",
  ])
    expect(isRestricted(url), url).toBe(false);
});

test("the browser's refusals become states with a next step", () => {
  const check = (message: string, problem: string) => expect(attachProblem(message), message).toBe(problem);
  check("Another debugger is already attached to the tab with id: 7.", "other_debugger");
  check("Cannot access a chrome:// URL", "restricted_page");
  check("Cannot attach to this target.", "restricted_page");
  check("The extensions gallery cannot be scripted.", "restricted_page");
  check("No tab with given id 7.", "no_tab");
  check("something else", "not_attached");
});

test("only what Legwork uses of the protocol is relayed", () => {
  expect(["Page.enable", "Runtime.evaluate", "Input.insertText"].every(isAllowed)).toBe(true);
  for (const method of ["Browser.close", "Storage.getCookies", "Tracing.start", "Debugger.enable", ""])
    expect(isAllowed(method), method).toBe(false);
  expect(isRelayed("Network.requestWillBeSent")).toBe(true);
  expect(isRelayed("DOM.documentUpdated") || isRelayed("Overlay.inspectNodeRequested")).toBe(false);
});

test("a server is on this machine", () => {
  expect(serverOrigin(" http://127.0.0.1:7717/ ")).toBe("http://127.0.0.1:7717");
  for (const text of ["https://127.0.0.1:7717", "http://192.168.0.2:7717", "http://127.0.0.1.evil.test", "x", ""])
    expect(serverOrigin(text), text).toBeUndefined();
});

test("the key of the manifest gives the id that the server accepts", () => {
  const { key } = JSON.parse(readFileSync(new URL("../../public/manifest.json", import.meta.url), "utf8")) as {
    key: string;
  };
  const hash = createHash("sha256").update(Buffer.from(key, "base64")).digest("hex").slice(0, 32);
  const id = hash.replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)));
  const server = readFileSync(new URL("../../../crates/server/src/gate.rs", import.meta.url), "utf8");
  expect(server).toContain(`"chrome-extension://${id}"`);
});
