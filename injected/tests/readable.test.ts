import "./dom";

import assert from "node:assert/strict";
import { test } from "node:test";
import { readableHtml } from "../src/readable";
import { find, show } from "./dom";

const read = () => readableHtml({ limit: 10_000 }).replace(/^<div>|<\/div>$/g, "");

test("only plain tags are left, and what is shown", () => {
  show('<p class="lead">One <span>two</span></p><script>no</script><p style="display: none">no</p>');
  assert.equal(read(), "<p>One two</p>");
});

test("links keep their address, and texts are escaped", () => {
  show('<p><a href="/orders?a=1&amp;b=2">1 &lt; 2</a> <a href="#top">up</a></p>');
  assert.equal(read(), '<p><a href="https://shop.test/orders?a=1&amp;b=2">1 &lt; 2</a> up</p>');
});

test("fields are told by what they hold, passwords as dots", () => {
  show('<p><input value="Ada"><input type="password" value="pw"><input type="checkbox"></p>');
  (find("[type=checkbox]") as HTMLInputElement).checked = true;
  assert.equal(read(), "<p> Ada  ••••  [x] </p>");
});

test("a heading cell of a row is a cell", () => {
  show("<table><tr><th>A</th></tr><tr><th>B</th><td>1</td></tr></table>");
  assert.match(read(), /<tr><th>A<\/th><\/tr><tr><td>B<\/td><td>1<\/td><\/tr>/);
});

test("a long page is cut", () => {
  show("<p>one</p><p>two</p>".repeat(1_000));
  assert.ok(readableHtml({ limit: 100 }).length < 200);
});
