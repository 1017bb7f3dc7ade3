import { expect, test } from "@playwright/test";
import { addressAt, completions, replaced } from "../../src/screens/start/completions";

const examples = (text: string, caret = text.length) => completions(text, caret).map((one) => one.label);

test("a form is offered by the beginning of any of its verbs", () => {
  expect(examples("Cli")).toEqual(['Click "Save"']);
  expect(examples("veri")).toEqual(['Check that "Done" is shown']);
  expect(examples("Open /login\n- hov")).toEqual(['Hover over "More"']);
  expect(examples("go").length).toBeGreaterThan(1);
});

test("nothing is offered within a sentence, or where no verb begins so", () => {
  expect(examples('Click "Sa')).toEqual([]);
  expect(examples("Xyz")).toEqual([]);
  expect(examples("")).toEqual([]);
  expect(examples("Cli and more", 3)).toEqual([]);
});

test("the example takes the place of what was typed", () => {
  const text = "Open /login\n2. hov\nReload";
  const [one] = completions(text, text.indexOf("\nReload"));
  expect(one?.text).toBe('Open /login\n2. Hover over "More"\nReload');
  expect(one?.text.slice(0, one.end)).toBe('Open /login\n2. Hover over "More"');
});

const PAGE = [
  { role: "button", name: "Save" },
  { role: "link", name: "Unsaved drafts" },
  { role: "textbox", name: 'The "name"' },
];

test("within quotation marks, the names of the page that was seen last are offered", () => {
  const offered = (text: string, caret = text.length) => completions(text, caret, PAGE).map((one) => one.label);
  expect(offered('Click "sa')).toEqual(["Save", "Unsaved drafts"]);
  expect(offered('Click "')).toEqual(["Save", "Unsaved drafts"]);
  expect(offered('Click "Save"')).toEqual([]);
  expect(offered('Type "x" into "un')).toEqual(["Unsaved drafts"]);
  // Not within what stands there already, nor where a quotation mark is one of the file.
  expect(offered('Click "sa and more', 9)).toEqual([]);
  expect(offered('  - "')).toEqual([]);
  const [one] = completions('Click "sa"\nReload', 9, PAGE);
  expect(one).toMatchObject({ text: 'Click "Save"\nReload', kind: "button", end: 12 });
});

test("names are those of the site that the lines before work on", () => {
  const text = 'Open https://a.test/x\nClick "Go"\nOpen "https://b.test"\nClick "';
  expect(addressAt(text, text.length)).toBe("https://b.test");
  expect(addressAt(text, 30)).toBe("https://a.test/x");
  expect(addressAt("Click", 5)).toBeUndefined();
});

test("the nearest sentence takes the place of the words, and its name is selected", () => {
  const { text, from, to } = replaced("steps:\n  - Klick the Save\n  - Reload", 1, "Klick the Save", 'Click "Save"');
  expect(text).toBe('steps:\n  - Click "Save"\n  - Reload');
  expect(text.slice(from, to)).toBe("Save");
  // The server reads words without doubled blanks.
  expect(replaced("1. Klick  it", 0, "Klick it", "Reload").text).toBe("1. Reload");
});
