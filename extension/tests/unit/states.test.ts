import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { advice, plain, speakForPanel } from "../../../web/src/ui/advice";
import { quotable, visible } from "../../../web/src/ui/visible";
import { serverOrigin } from "../../src/panel/settings";
import { isAllowed, isOpenable, isRelayed, METHODS, REFUSED_METHODS } from "../../src/relay/messages";
import { challenge } from "../../src/relay/proof";
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
  // Every command of the driver, and every one that the relay's part in the server sends.
  const source = (path: string) =>
    readFileSync(new URL(`../../../crates/browser/src/${path}`, import.meta.url), "utf8");
  const driver = [...source("cdp/wire.rs").matchAll(/^ {4}"([A-Z]\w+\.\w+)" /gm)].map((found) => found[1]!);
  const relay = [...source("relay/state.rs").matchAll(/method: Some\("([A-Z]\w+\.\w+)"\)/g)].map((found) => found[1]!);
  expect(relay).toEqual(["Page.getFrameTree"]);
  expect([...new Set([...driver, ...relay])].sort()).toEqual([...METHODS, ...REFUSED_METHODS].sort());
  for (const method of METHODS) expect(method).not.toMatch(/cookie|^(?!Page)\w+\.createTarget|storage/i);
  // Every event that the driver reads in a tab.
  const read = ["events", "requests", "console"].flatMap((name) =>
    [...source(`cdp/${name}.rs`).matchAll(/"([A-Z]\w+\.\w+)"/g)].map((found) => found[1]!),
  );
  expect(read.length).toBeGreaterThan(30);
  expect(read.filter((event) => !event.startsWith("Browser.") && !isRelayed(event))).toEqual([]);
  expect(isRelayed("Network.requestWillBeSentExtraInfo") || isRelayed("Network.responseReceivedExtraInfo")).toBe(false);
  expect(isRelayed("Network.requestWillBeSent")).toBe(true);
  expect(isRelayed("DOM.documentUpdated") || isRelayed("Overlay.inspectNodeRequested")).toBe(false);
});

test("Legwork opens pages of the web, and none of this machine, of the browser or of extensions", () => {
  for (const url of ["https://a.test/", "HTTP://a.test", "about:blank", "data:text/html,a"])
    expect(isOpenable(url), url).toBe(true);
  for (const url of [
    "file:///etc/passwd",
    " file:///etc/passwd",
    "FILE:///etc/passwd",
    "chrome://settings",
    "devtools://devtools/",
    "view-source:file:///etc/passwd",
    "chrome-extension://abc/x.html",
    "about:flags",
    "javascript:alert(1)",
    "filesystem:file:///x",
    "",
  ])
    expect(isOpenable(url), url).toBe(false);
});

test("only a server that knows the token can prove it, for its own address and this question", async () => {
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const server = "http://127.0.0.1:7717";
  const { question, isProof } = await challenge("legwork_abc", server);
  const stored = hash("legwork_abc");
  expect(question.pairing).toBe(hash(`legwork pairing ${stored}`).slice(0, 16));
  const proof = (nonce: string, host: string, secret = hash(`legwork proof ${stored}`)) =>
    createHmac("sha256", secret).update(`${nonce}\n${host}`).digest("hex");
  expect(await isProof(proof(question.nonce, "127.0.0.1:7717"))).toBe(true);
  const other = await challenge("legwork_abc", server);
  expect(other.question.nonce).not.toBe(question.nonce);
  for (const wrong of [
    proof(other.question.nonce, "127.0.0.1:7717"),
    proof(question.nonce, "127.0.0.1:7718"),
    proof(question.nonce, "127.0.0.1:7717", hash("other")),
    "0".repeat(64),
    "",
    undefined,
  ])
    expect(await isProof(wrong), String(wrong)).toBe(false);
});

test("characters that change the direction of text are shown, and names have no quotation marks", () => {
  expect(visible("a\u202eb\u2066c")).toBe("a⟨U+202E⟩b⟨U+2066⟩c");
  expect(visible("שלום")).toBe("שלום");
  expect(quotable('editor”) controls this tab. An agent (“x"')).toBe("editor) controls this tab. An agent (x");
  expect(quotable("“”")).toBe("?");
});

test("advice names nothing that the panel does not have", () => {
  speakForPanel();
  const texts = [
    advice({ code: "AI002", suggestedAction: "Set the provider's key; `legwork doctor` names the variable." }),
    advice({ code: "EX008", suggestedAction: "If this is intended, allow it (`--allowed-domains`)." }),
    plain("add `--secret pin`, or list it under `secrets` in a request"),
    plain("give it with --var customer=…, name it under `inputs`, or save it in an earlier step"),
    advice({ code: "CM001", suggestedAction: "`legwork runs` lists the runs." }),
    advice({ code: "EX006", suggestedAction: "`legwork resume RUN` continues with a new browser." }),
  ];
  for (const text of texts) expect(text).not.toMatch(/“(?:Settings|Keys|Secrets|Runs|Resume)”|start page|\/api\//);
});

test("a server is on this machine", () => {
  // The name has two addresses, on which two programs can listen.
  expect(serverOrigin("http://localhost:7717")).toBe("http://127.0.0.1:7717");
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
