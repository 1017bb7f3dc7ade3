// The index of selectors, and the fields that labels name, without a query for each element.

import "./dom";

import assert from "node:assert/strict";
import { test } from "node:test";
import { LabelledFields } from "../src/capture-labels";
import { keyOf, partsOf, SelectorIndex } from "../src/capture-selectors";
import { find, show } from "./dom";

test("a selector is indexed by the last class or tag that it requires", () => {
  const keys: [string, string][] = [
    [".menu > .item:hover", ".item"],
    ["#side li.open", ".open"],
    [".größe", ".größe"],
    ["form button:not(.a, .b)", "button"],
    ["A[href]", "a"],
    [":is(.a, .b) .c:nth-child(2n + 1)", ".c"],
    ["*", ""],
    ["#side", ""],
    [".a :is(.b, .c)", ""],
    ['[title="a .b"]', ""],
    [".md\\:hidden", ""],
  ];
  for (const [selector, key] of keys) assert.equal(keyOf(selector), key, selector);
});

test("a list of selectors is divided at its own commas", () => {
  assert.deepEqual(partsOf(".a, :is(.b, .c) > p, [x]"), [".a", ":is(.b, .c) > p", "[x]"]);
  assert.deepEqual(partsOf('[x="a,b"], p'), ['[x="a,b"], p']);
});

test("an element is compared only with the selectors of its classes and tag", () => {
  const element = show('<p class="off wide"></p>');
  const asked: string[] = [];
  element.matches = (selector: string) => asked.push(selector) > 0 && Element.prototype.matches.call(element, selector);
  const index = new SelectorIndex();
  index.add([".off", ".row > .wide", ".other", "b", "#id"]);
  assert.equal(index.matches(element, "p", "off wide"), true);
  assert.equal(index.matches(element, "p", "none"), false);
  assert.deepEqual(asked, [".off,.row > .wide"]);
  assert.deepEqual(index.others, ["#id"]);
  index.add(["p"]);
  assert.equal(index.matches(element, "p", "none"), true, "a later style sheet applies to known classes, too");
});

test("the style sheet of several trees is indexed once, and queried in each of them", () => {
  const element = show('<p class="off"></p>');
  const asked: string[] = [];
  element.matches = (selector: string) => asked.push(selector) > 0 && Element.prototype.matches.call(element, selector);
  const index = new SelectorIndex();
  const list = [".off", "#id"];
  // The second list is that of an equal sheet, the third that of the same sheet.
  for (const sheet of [list, [...list], list]) assert.deepEqual(index.add(sheet), ["#id"]);
  index.matches(element, "p", "off");
  assert.deepEqual(asked, [".off"]);
  assert.deepEqual(index.others, ["#id"]);
});

test("many labels in one form need one query of the page", (t) => {
  show("<form>" + "<label>Name</label><input>".repeat(200) + "</form>");
  const queries = [document, find("form")].map((node: Node) => t.mock.method(node as Element, "querySelectorAll"));
  const fields = new LabelledFields();
  const labels = Array.from(document.getElementsByTagName("label"));
  for (const label of labels) assert.equal(fields.of(label), label.nextElementSibling);
  assert.deepEqual(
    queries.map((query) => query.mock.callCount()),
    [1, 0],
  );
});

test("a field that another label names is not named by a label before it", () => {
  show('<div><label id="a">Free</label><p><input id="f"></p></div><label for="f">Own</label>');
  assert.equal(new LabelledFields().of(find("#a")), null);
  show('<div><label id="a">Free</label><p><input id="f"></p></div>');
  assert.equal(new LabelledFields().of(find("#a")), find("#f"));
});
