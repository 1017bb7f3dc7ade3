import "./dom";

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkActionable } from "../src/actionability";
import { idOf } from "../src/capture-registry";
import { pasteText, typeSecret } from "../src/fill";
import type { ElementQuery, Need } from "../src/generated";
import { checkAtRest, inputOutcome } from "../src/outcome";
import { readElements } from "../src/read";
import { find, show } from "./dom";

const check = async (target: ElementQuery, need: Need = { kind: "attached" }) =>
  (await checkActionable({ key: "key", target, need })).result;
const text = (text: string): ElementQuery => ({ query: { by: "text", text } });

test("an element that is not found is told with what comes near", async () => {
  show("<main><button>Save order</button><button>Cancel</button></main>");
  const result = await check({ query: { by: "role", role: "button", name: "Save changes" } });
  assert.deepEqual(result, { reason: "not_found", candidates: ['button "Save order"', 'button "Cancel"'] });
});

test("several elements that fit are ambiguous, unless one fits as a whole", async () => {
  show("<main><p>Total</p><p>Total due</p></main>");
  assert.deepEqual(await check(text("tot")), {
    reason: "ambiguous",
    count: 2,
    candidates: ['<p> "Total"', '<p> "Total due"'],
  });
  const result = await check(text("total"));
  assert.ok("element" in result && result.element === idOf(find("p")));
});

test("a selector that cannot be read, and a number that names nothing", async () => {
  show("<main></main>");
  const result = await check({ query: { by: "css", selector: "p[" } });
  assert.ok("reason" in result && result.reason === "invalid_selector");
  assert.deepEqual(await check({ element: 1_000_000 }), { reason: "stale" });
});

test("hidden and disabled elements cannot be acted on", async () => {
  show("<main><input id='a' hidden><input id='b' disabled></main>");
  const need: Need = { kind: "fill", entry: null };
  const reason = async (selector: string) => {
    const result = await check({ query: { by: "css", selector } }, need);
    return "reason" in result ? result.reason : "ready";
  };
  assert.equal(await reason("#a"), "not_visible");
  assert.equal(await reason("#b"), "disabled");
});

test("what is no field is told by kind, with the action to use", async () => {
  show("<select aria-label='Size'><option>A</option></select>");
  const result = await check({ query: { by: "css", selector: "select" } }, { kind: "fill", entry: null });
  assert.deepEqual(result, {
    reason: "wrong_kind",
    what: 'combobox "Size"',
    is: "a list",
    hint: "choose an option with select",
  });
});

test("options are chosen by value or label, and the page is told of a change once", async () => {
  const list = show(
    "<select aria-label='Size'><option value='a'>Alpha</option><option value='b'>Beta</option></select>",
  );
  const events: string[] = [];
  for (const type of ["input", "change"]) list.addEventListener(type, () => events.push(type));
  const target: ElementQuery = { query: { by: "css", selector: "select" } };
  const choose = async (...values: string[]) => check(target, { kind: "select", values });
  assert.deepEqual(await choose("beta"), { element: idOf(list), what: 'combobox "Size"', changed: true });
  assert.deepEqual(await choose("b"), { element: idOf(list), what: 'combobox "Size"', changed: false });
  assert.deepEqual(events, ["input", "change"]);
  assert.deepEqual(await choose("Gamma"), {
    reason: "no_option",
    what: 'combobox "Size"',
    option: "Gamma",
    options: ["Alpha", "Beta"],
  });
  const both = await choose("Alpha", "Beta");
  assert.ok("reason" in both && both.reason === "wrong_kind");
});

test("what came of an input is asked at rest, and again once editors have drawn", async () => {
  checkAtRest(null);
  assert.equal(await inputOutcome(), null);
  let asked = 0;
  checkAtRest(() => (++asked < 2 ? { kind: "differs", actual: "old" } : { kind: "held" }));
  assert.deepEqual(await inputOutcome(), { kind: "held" });
  checkAtRest(() => ({ kind: "focus_lost", to: "button" }));
  assert.deepEqual(await inputOutcome(), { kind: "focus_lost", to: "button" });
});

test("an element that went is gone to those who hold its number", () => {
  const field = show("<input>");
  const element = idOf(field);
  field.remove();
  assert.deepEqual(typeSecret({ element, text: "secret" }), { reason: "gone" });
  assert.deepEqual(pasteText({ element, text: "text", orEdit: true }), { reason: "gone" });
});

test("one, the first or all of the elements are read, and no secret", () => {
  show("<ul><li title='x'>A</li><li>B</li></ul><input type='password' value='pw'>");
  const read = (
    selector: string,
    scope: "only" | "first" | "all",
    content: "text" | { attribute: string } = "text",
  ) => {
    const result = readElements({ target: { query: { by: "css", selector } }, scope, content, limit: 100 });
    return "reason" in result ? result.reason : result.texts;
  };
  assert.equal(read("li", "only"), "ambiguous");
  assert.deepEqual(read("li", "first"), ["A"]);
  assert.deepEqual(read("li", "all"), ["A", "B"]);
  assert.deepEqual(read("li", "all", { attribute: "title" }), ["x", null]);
  assert.deepEqual(read("input", "only"), ["••••"]);
  assert.deepEqual(read("input", "only", { attribute: "value" }), ["••••"]);
});
