import { expect, test } from "@playwright/test";
import type { ViewerInput } from "../../src/api/generated";
import { enqueue, inputOfKey } from "../../src/screens/run/control";

const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };

test("a key is sent as the text that it types, or as a chord", () => {
  expect(inputOfKey({ ...none, key: "a" })).toEqual({ type: "text", text: "a" });
  expect(inputOfKey({ ...none, key: "A", shiftKey: true })).toEqual({ type: "text", text: "A" });
  expect(inputOfKey({ ...none, key: "é" })).toEqual({ type: "text", text: "é" });
  expect(inputOfKey({ ...none, key: " " })).toEqual({ type: "text", text: " " });
  // AltGr+Q on a German keyboard.
  expect(inputOfKey({ ...none, key: "@", ctrlKey: true, altKey: true })).toEqual({ type: "text", text: "@" });
  expect(inputOfKey({ ...none, key: "a", ctrlKey: true })).toEqual({ type: "key", key: "Control+a" });
  expect(inputOfKey({ ...none, key: "Z", ctrlKey: true, shiftKey: true })).toEqual({ type: "key", key: "Control+Z" });
  expect(inputOfKey({ ...none, key: "Tab", shiftKey: true })).toEqual({ type: "key", key: "Shift+Tab" });
  for (const key of ["Shift", "Control", "Dead", "Unidentified"]) expect(inputOfKey({ ...none, key })).toBeUndefined();
});

test("only the last of several moves waits, and turns of the wheel are added up", () => {
  const waiting: ViewerInput[] = [];
  enqueue(waiting, { type: "move", x: 0.1, y: 0.1 });
  enqueue(waiting, { type: "move", x: 0.2, y: 0.2 });
  enqueue(waiting, { type: "key", key: "Tab" });
  enqueue(waiting, { type: "wheel", x: 0.2, y: 0.2, across: 0, down: 50 });
  enqueue(waiting, { type: "wheel", x: 0.2, y: 0.3, down: 70 });
  enqueue(waiting, { type: "move", x: 0.3, y: 0.3 });
  expect(waiting).toEqual([
    { type: "move", x: 0.2, y: 0.2 },
    { type: "key", key: "Tab" },
    { type: "wheel", x: 0.2, y: 0.3, across: 0, down: 120 },
    { type: "move", x: 0.3, y: 0.3 },
  ]);
});
