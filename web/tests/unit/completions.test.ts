import { expect, test } from "@playwright/test";
import { completions } from "../../src/screens/start/completions";

const examples = (text: string, caret = text.length) => completions(text, caret).map((one) => one.example);

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
