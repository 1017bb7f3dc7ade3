import "./dom";

import assert from "node:assert/strict";
import { test } from "node:test";
import { capture } from "../src/capture";
import { element, idOf, markSecret } from "../src/capture-registry";
import { find, show } from "./dom";

/** The lines of the page without its head and without the numbers of elements. */
const lines = (): string[] =>
  capture({ key: "test" })
    .split("\n")
    .slice(1)
    .map((line) => line.replace(/\t#\d+/, "").replace(/\t/g, "|"));

test("a page is a line a node, with depth, role, name and fields", () => {
  show('<main><h1>Orders</h1><p>Three <b>open</b> orders</p><a href="/new">New order</a></main>');
  assert.deepEqual(lines(), ["0|main|", "1|heading|Orders|^1", "1||Three open orders", "1|link|New order|@/new|!1"]);
});

test("what is beside an element without a block of its own goes on in its line of text", () => {
  show('<p>Read <a href="/terms">the terms</a> <b>first</b></p><p>next</p>');
  assert.deepEqual(lines(), ["0||Read", "+0|link|the terms|@/terms|!1", "+0||first", "0||next"]);
});

test("fields tell their type, value, name and hint; what is secret is told as dots", () => {
  show(
    '<form><input type="email" name="mail" placeholder="you@example.org" value="a@b.example"><input type="password" value="pw"><input id="key" value="k"></form>',
  );
  markSecret(find("#key"));
  assert.deepEqual(lines(), [
    "0|form|",
    "+1|textbox|you@example.org|:email|&mail|!4097|=a@b.example",
    "+1|textbox||:password|!36865|=••••",
    "+1|textbox||*key|!36865|=••••",
  ]);
});

test("hidden elements are left out, and so is what is removed from what is read out", () => {
  show('<main><p hidden>no</p><p style="display: none">no</p><p aria-hidden="true">no</p><p>yes</p></main>');
  assert.deepEqual(lines(), ["0|main|", "1||yes"]);
});

test("the options of a list follow it", () => {
  show("<select><option>A</option><option selected>B</option><option disabled>C</option></select>");
  assert.deepEqual(lines().slice(1), ["1|option|A", "1|option|B|!64", "1|option|C|!8"]);
});

test("the content of a shadow root takes the place of its host's, slots that of what is assigned", () => {
  const host = show("<section><b>slotted</b></section>");
  host.attachShadow({ mode: "open" }).innerHTML = "<p>in the root: <slot></slot></p>";
  assert.deepEqual(lines(), ["0||in the root: slotted"]);
});

test("names hold no tabs and no line breaks", () => {
  show("<button>one\n\ttwo</button>");
  assert.deepEqual(lines(), ["0|button|one two|!1"]);
});

test("a number names one element for as long as it is in its document", () => {
  const button = show("<button>Save</button>");
  const number = idOf(button);
  assert.equal(idOf(button), number);
  assert.equal(element(number), button);
  button.remove();
  assert.equal(element(number), undefined);
});
