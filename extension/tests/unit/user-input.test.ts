import { expect, test } from "@playwright/test";
import { inputKind, isByPerson, OwnInput } from "../../src/relay/user-input";

test("an input is a person's unless Legwork was sending one of its kind", () => {
  let now = 1_000;
  const own = new OwnInput(() => now);
  const report = (kind: string, at: number) => isByPerson(JSON.stringify({ kind, at }), own);
  expect(report("mouse", 1_000)).toBe(true);
  const end = own.begin("mouse");
  expect(report("mouse", 9_000), "it is still being sent").toBe(false);
  expect(report("key", 1_000), "of another kind").toBe(true);
  now = 1_200;
  end();
  expect(
    [980, 1_100, 1_220].map((at) => report("mouse", at)),
    "during it, and a moment around it",
  ).toEqual([false, false, false]);
  expect([900, 1_300].map((at) => report("mouse", at))).toEqual([true, true]);
});

test("the kind of an input follows from its command", () => {
  expect(["Input.dispatchKeyEvent", "Input.insertText"].map(inputKind)).toEqual(["key", "key"]);
  expect(["Input.dispatchMouseEvent", "Input.dispatchDragEvent"].map(inputKind)).toEqual(["mouse", "mouse"]);
  expect(["Input.setInterceptDrags", "Runtime.evaluate"].map(inputKind)).toEqual([undefined, undefined]);
});
