import "./dom";

import assert from "node:assert/strict";
import { test } from "node:test";
import { givenName, labelOf, textOf } from "../src/capture-names";
import { roleOf } from "../src/capture-roles";
import { describe } from "../src/find";
import { find, show } from "./dom";

const name = (selector: string): string => {
  const element = find(selector);
  return givenName(element, element.localName, roleOf(element, element.localName, element.getAttribute("role")));
};

test("aria-labelledby comes before aria-label, and that before a label", () => {
  show('<div><span id="a">First</span><span id="b">name</span><label for="i">Label</label><input id="i"></div>');
  assert.equal(name("input"), "Label");
  find("input").setAttribute("aria-label", "Given");
  assert.equal(name("input"), "Given");
  find("input").setAttribute("aria-labelledby", "a b");
  assert.equal(name("input"), "First name");
  find("input").setAttribute("aria-labelledby", "gone");
  assert.equal(name("input"), "Given");
});

test("a field without a label is named by its title or placeholder", () => {
  show('<input title="City" placeholder="Berlin">');
  assert.equal(name("input"), "City");
  find("input").removeAttribute("title");
  assert.equal(name("input"), "Berlin");
});

test("buttons that are inputs are named by their value, or by what browsers write", () => {
  show('<div><input type="submit"><input type="reset"><input type="button" value="Add"></div>');
  assert.deepEqual(
    ['[type="submit"]', '[type="reset"]', '[type="button"]'].map((selector) => name(selector)),
    ["Submit", "Reset", "Add"],
  );
});

test("groups, tables and pictures have names of their own", () => {
  show(
    '<div><fieldset><legend>Address</legend></fieldset><table><caption>Prices</caption></table><img alt="Logo"></div>',
  );
  assert.deepEqual(["fieldset", "table", "img"].map(name), ["Address", "Prices", "Logo"]);
});

test("a text is what would be read out: without what is hidden, with labels in place of content", () => {
  const element = show(
    '<p>One <b>two</b><span hidden>three</span><i aria-label="four">4</i><script>five</script><span>six</span>seven</p>',
  );
  assert.equal(textOf(element), "One two four sixseven");
  assert.equal(textOf(element, true), "One two three four sixseven".replace("two three", "twothree"));
});

test("a field that an attribute names has a label besides", () => {
  show('<div><label for="i">Shown</label><input id="i" aria-label="Named"></div>');
  assert.equal(labelOf(find("input"), "Named"), "Shown");
  find("input").removeAttribute("aria-label");
  assert.equal(labelOf(find("input"), "Shown"), "");
});

test("an element is described by its role and name, cut when it is long", () => {
  assert.equal(describe(show("<button>Save</button>")), 'button "Save"');
  assert.equal(describe(show("<div></div>")), "<div>");
  assert.equal(describe(show(`<button>${"x".repeat(70)}</button>`)), `button "${"x".repeat(60)}…"`);
});
