import { expect, test } from "@playwright/test";
import type { SettingsView } from "../../src/api/generated";
import { fieldOf, joined, linesOf, measured, sectionsOf } from "../../src/screens/settings/setting-field";
import { withoutRefs } from "../../src/ui/format";

test("a setting has a field for the kind of its values", () => {
  expect(fieldOf("auto, on, off")).toEqual({ type: "choice", choices: ["auto", "on", "off"] });
  expect(fieldOf("true or false")).toEqual({ type: "switch" });
  expect(fieldOf("number, 0–1")).toEqual({ type: "number", min: 0, max: 1, step: "any" });
  expect(fieldOf("number, 2000–1000000")).toEqual({ type: "number", min: 2_000, max: 1_000_000, step: 1 });
  expect(fieldOf("number from 1")).toEqual({ type: "number", min: 1, max: undefined, step: 1 });
  expect(fieldOf("US dollars")).toEqual({ type: "number", min: 0, step: "any", unit: "US dollars" });
  expect(fieldOf("time (`90s`, `5m`)").type).toBe("measure");
  expect(fieldOf("size (`100MB`)").type).toBe("measure");
  expect(fieldOf("list of domains")).toEqual({ type: "list", separator: "," });
  const some = { type: "list", separator: ",", choices: ["find", "read", "look"] };
  expect(fieldOf("some of find, read, look, in order")).toEqual(some);
  for (const kind of ["text", "path", "`WIDTHxHEIGHT`"]) expect(fieldOf(kind)).toEqual({ type: "text" });
});

test("a time and a size have the largest unit that fits, and no other text is taken for one", () => {
  const units = (kind: string) => {
    const field = fieldOf(kind);
    return field.type === "measure" ? field.units : [];
  };
  const time = (text: string) => measured(text, units("time"));
  expect(time("7200s")).toEqual({ number: "2", unit: "h" });
  expect(time("90s")).toEqual({ number: "90", unit: "s" });
  expect(time("5m")).toEqual({ number: "5", unit: "m" });
  expect(time("1500ms")).toEqual({ number: "1500", unit: "ms" });
  expect(time("")).toEqual({ number: "", unit: "s" });
  expect(time("a while")).toBeUndefined();
  expect(measured("100000000", units("size (`100MB`)"))).toEqual({ number: "100", unit: "MB" });
});

test("a list has one value a line, also one of browser arguments with commas", () => {
  expect(linesOf("a.test,b.test", ",")).toBe("a.test\nb.test");
  expect(joined("a.test\n\n b.test\n", ",")).toBe("a.test,b.test");
  expect(linesOf("--lang=de,--window-size=1,2", " ")).toBe("--lang=de\n--window-size=1,2");
  expect(joined("--lang=de\n--window-size=1,2", " ")).toBe("--lang=de --window-size=1,2");
});

test("every setting stands in one section, also one that is new", () => {
  const setting = (name: string) => ({ name }) as SettingsView;
  const names = ["decider", "browser.path", "timeouts.step", "later.thing", "models.act", "model.name"];
  const sections = sectionsOf(names.map(setting));
  expect(sections.flatMap(({ settings }) => settings.map(({ name }) => name)).sort()).toEqual([...names].sort());
  expect(sections.find(({ heading }) => heading === "Models")?.settings.map(({ name }) => name)).toEqual([
    "model.name",
    "models.act",
  ]);
  expect(sections.at(-1)?.heading).toBe("Other settings");
});

test("a ref is left out where it follows an element, and nowhere else", () => {
  expect(withoutRefs('Typed "x" into textbox "Customer" [e1]')).toBe('Typed "x" into textbox "Customer"');
  expect(withoutRefs('button "Save" [e12], then it waited')).toBe('button "Save", then it waited');
  expect(withoutRefs('"a[e1]b" stays')).toBe('"a[e1]b" stays');
});
