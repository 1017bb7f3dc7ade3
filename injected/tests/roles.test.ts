import "./dom";

import assert from "node:assert/strict";
import { test } from "node:test";
import { alongTrack, isSliderHandle, roleOf, tagOf } from "../src/capture-roles";
import { show } from "./dom";

const role = (html: string): string => {
  const element = show(html);
  return roleOf(element, element.localName, element.getAttribute("role"));
};

test("tags have roles", () => {
  const roles: [string, string][] = [
    ["<button>Save</button>", "button"],
    ['<a href="/">Home</a>', "link"],
    ["<a>no link</a>", ""],
    ["<input>", "textbox"],
    ['<input type="checkbox">', "checkbox"],
    ['<input type="range">', "slider"],
    ['<input type="hidden">', ""],
    ['<input list="cities">', "combobox"],
    ["<select></select>", "combobox"],
    ["<select multiple></select>", "listbox"],
    ["<section></section>", ""],
    ['<section aria-label="News"></section>', "region"],
    ["<div></div>", ""],
  ];
  for (const [html, expected] of roles) assert.equal(role(html), expected, html);
});

test("a given role counts as far as it is known and says something", () => {
  assert.equal(role('<div role="tab">A</div>'), "tab");
  assert.equal(role('<div role="unheard-of switch">A</div>'), "switch");
  assert.equal(role('<div role="image">A</div>'), "img");
  assert.equal(role('<ul role="presentation"></ul>'), "");
  assert.equal(role('<button role="unheard-of">A</button>'), "button");
});

test("a heading cell heads its row beside data cells, and its column otherwise", () => {
  const table = show("<table><tr><th>A</th><th>B</th></tr><tr><th>C</th><td>1</td></tr></table>");
  const [a, b, c] = Array.from(table.querySelectorAll("th"), (cell) => roleOf(cell, "th", null));
  assert.deepEqual([a, b, c], ["columnheader", "columnheader", "rowheader"]);
});

test("the handle of a slider is known by its class, and how far it is by its style", () => {
  assert.ok(isSliderHandle(show('<div class="rc-slider-handle" style="left: 40%"></div>')));
  assert.equal(alongTrack(show('<div class="rc-slider-handle" style="left: 40%"></div>')), "40%");
  assert.ok(!isSliderHandle(show('<div class="slider-handle">text</div>')));
  assert.equal(alongTrack(show("<div></div>")), null);
});

test("what is known of a tag needs no element", () => {
  assert.deepEqual(tagOf("script").skipped, true);
  assert.deepEqual(tagOf("span").inline, true);
  assert.deepEqual(tagOf("th").role, null);
  assert.deepEqual(tagOf("td").role, null);
  assert.deepEqual(tagOf("my-element"), { role: "", inline: false, skipped: false, named: false });
});

test("a first row of bold names is the header of a table without headers", () => {
  const roleIn = (first: string, below = "<td>A-1</td><td>open</td>") => {
    const table = show(`<table><tbody><tr>${first}</tr><tr>${below}</tr></tbody></table>`) as HTMLTableElement;
    return Array.from(table.rows, (row) => roleOf(row.cells[0]!, row.cells[0]!.localName, null)).join(" ");
  };
  const names = "<td><b>Order</b></td><td><strong>Status</strong></td><td></td>";
  assert.equal(roleIn(names), "columnheader cell");
  assert.equal(
    roleIn('<td style="font-weight: 700">Order</td><td style="font-weight: 700">Status</td>'),
    "columnheader cell",
  );
  // An unread message above one that was read has a date or a check box.
  assert.equal(roleIn("<td><b>Ada</b></td><td><b>3 May</b></td>"), "cell cell");
  assert.equal(roleIn("<td><b>Ada</b></td><td><b>Hello</b></td><td><input type=checkbox></td>"), "cell cell");
  assert.equal(roleIn("<td><b>Order</b></td><td>Status</td>"), "cell cell");
  assert.equal(roleIn(names, "<td><b>A-1</b></td><td><b>open</b></td>"), "cell cell");
  assert.equal(roleIn(names, "<th>A-1</th><td>open</td>"), "cell rowheader");
});
