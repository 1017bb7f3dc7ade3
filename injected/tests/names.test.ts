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

test("the name of a control contains the values of other controls in its label, but no secret", () => {
  show(
    '<label>Remind me <input class="n" value="5"> minutes <span aria-hidden="true">*</span> before<input type="checkbox"></label>',
  );
  assert.equal(name("[type=checkbox]"), "Remind me 5 minutes before");
  assert.equal(name(".n"), "Remind me minutes before");
  find(".n").setAttribute("type", "password");
  assert.equal(name("[type=checkbox]"), "Remind me minutes before");
});

test("a list, a slider and a menu in a label count with what they show", () => {
  const label = (inner: string) => {
    show(`<label>Flash ${inner} times<input></label>`);
    return name("label > input");
  };
  assert.equal(label("<select><option>1</option><option selected>2</option></select>"), "Flash 2 times");
  const items = '<i role="option" aria-selected="true">1</i><i role="option">2</i>';
  assert.equal(label(`<span role="listbox">${items}</span>`), "Flash 1 times");
  assert.equal(label('<span role="slider" aria-valuenow="4" aria-valuetext="four"></span>'), "Flash four times");
  assert.equal(label('<span role="menu"><i role="menuitem">1</i></span>'), "Flash times");
});

test("a label that is named itself names its control so", () => {
  show('<label aria-label="Select all rows"><input type="checkbox"></label>');
  assert.equal(name("input"), "Select all rows");
});

test("a title names an input button without a value", () => {
  show('<div><input type="submit" title="Send it"><input type="image" title="Search"></div>');
  assert.deepEqual(['[type="submit"]', '[type="image"]'].map(name), ["Send it", "Search"]);
});
