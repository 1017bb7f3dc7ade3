import assert from "node:assert/strict";
import { test } from "node:test";
import { chordOf } from "../src/user-keys";
import { show } from "./dom";

const chord = (element: Element, key: string, held: KeyboardEventInit = {}, inField = false): string | null =>
  chordOf(new KeyboardEvent("keydown", { key, ...held }), element, inField);

test("text, editing and the browser's own shortcuts are not recorded", () => {
  const field = show("<input>");
  for (const key of ["a", " ", "ArrowLeft", "Home", "Backspace", "Tab", "Shift", "F5"])
    assert.equal(chord(field, key, {}, true), null, key);
  for (const key of ["a", "c", "v", "z"]) assert.equal(chord(field, key, { ctrlKey: true }, true), null, key);
  for (const key of ["t", "l", "r", "w", "Tab"]) assert.equal(chord(document.body, key, { ctrlKey: true }), null, key);
  assert.equal(chord(document.body, "ArrowLeft", { altKey: true }), null, "back");
  assert.equal(chord(document.body, "PageDown"), null, "scrolls");
});

test("keys that do something else are recorded", () => {
  const field = show("<input>");
  assert.equal(chord(field, "Enter", {}, true), "Enter");
  assert.equal(chord(field, "Escape", {}, true), "Escape");
  assert.equal(chord(field, "s", { ctrlKey: true }, true), "Control+S");
  assert.equal(chord(field, "Enter", { ctrlKey: true }, true), "Control+Enter");
  assert.equal(chord(document.body, "j"), "j");
  assert.equal(chord(document.body, "F2"), "F2");
});

test("keys of native controls are recorded by their effect only, those of other widgets as keys", () => {
  for (const html of ["<button>Save</button>", "<select></select>", "<input type=checkbox>"])
    for (const key of ["Enter", " ", "ArrowDown"]) assert.equal(chord(show(html), key), null, html + key);
  const menu = show("<div role=menuitem tabindex=0>Copy</div>");
  assert.equal(chord(menu, "Enter"), "Enter");
  assert.equal(chord(menu, " "), "Space");
  assert.equal(chord(menu, "ArrowDown"), "ArrowDown");
  const combo = show("<input role=combobox>");
  assert.equal(chord(combo, "ArrowDown", {}, true), "ArrowDown");
  assert.equal(chord(combo, "Tab", {}, true), "Tab");
});
