import { expect, test } from "@playwright/test";
import { fieldOf } from "../../src/screens/setting-field";
import { withoutRefs } from "../../src/ui/format";

test("a setting has a field for the kind of its values", () => {
  expect(fieldOf("auto, on, off")).toEqual({ type: "choice", choices: ["auto", "on", "off"] });
  expect(fieldOf("true or false")).toEqual({ type: "choice", choices: ["true", "false"] });
  expect(fieldOf("number, 0–1")).toEqual({ type: "number", min: 0, max: 1, step: "any" });
  expect(fieldOf("number, 2000–1000000")).toEqual({ type: "number", min: 2_000, max: 1_000_000, step: 1 });
  expect(fieldOf("number from 1")).toEqual({ type: "number", min: 1, max: undefined, step: 1 });
  expect(fieldOf("US dollars")).toEqual({ type: "number", min: 0, step: "any" });
  for (const kind of ["text", "time (`90s`, `5m`)", "some of find, read, look, in order", "list of domains", "path"])
    expect(fieldOf(kind)).toEqual({ type: "text" });
});

test("a ref is left out where it follows an element, and nowhere else", () => {
  expect(withoutRefs('Typed "x" into textbox "Customer" [e1]')).toBe('Typed "x" into textbox "Customer"');
  expect(withoutRefs('button "Save" [e12], then it waited')).toBe('button "Save", then it waited');
  expect(withoutRefs('"a[e1]b" stays')).toBe('"a[e1]b" stays');
});
