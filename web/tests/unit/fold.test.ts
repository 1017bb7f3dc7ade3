// The fold against what Rust made of the same events: records must be equal, whatever is empty aside.

import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import type { Event } from "../../src/protocol/generated";
import { fold } from "../../src/record/fold";

const here = new URL(".", import.meta.url);
const events = (path: string): Event[] =>
  readFileSync(new URL(path, here), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const SHOP = "../../../crates/runtime/src/record/fixtures/shop.ndjson";
const PARKED = "../../../crates/runtime/src/record/fixtures/parked.ndjson";

/** Without what is empty, which Rust leaves out here and there. */
function full(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(full);
  if (value === null || typeof value !== "object") return value;
  const some = Object.entries(value)
    .map(([key, inner]) => [key, full(inner)] as const)
    .filter(([, inner]) => inner !== undefined && inner !== null && inner !== "")
    .filter(([, inner]) => typeof inner !== "object" || Object.keys(inner as object).length > 0);
  return Object.fromEntries(some);
}

test("a run folds to the record that Rust exported", () => {
  const exported = JSON.parse(readFileSync(new URL("../fixtures/anchor.json", here), "utf8"));
  expect(full(fold(exported.events))).toEqual(full(exported.record));
});

test("a failed run: steps, totals and the failures by name", () => {
  const record = fold(events(SHOP))!;
  expect(record.state).toBe("failure");
  expect(record.steps.map((step) => step.state)).toEqual([
    ...Array<string>(5).fill("success"),
    "skipped",
    "success",
    "failure",
    "pending",
  ]);
  expect(record.totals).toMatchObject({
    steps: 9,
    steps_done: 6,
    steps_skipped: 1,
    steps_failed: 1,
    commands: 10,
    commands_failed: 1,
    decisions: { playbook: 0, literal: 5, model: 3 },
    calls_failed: 1,
  });
  expect(record.totals.errors).toMatchObject({ ELEMENT_NOT_INTERACTABLE: 1, VALIDATION_ERROR: 2 });
  expect(record.variables["total"]).toMatchObject({ value: "18.40 €" });
});

test("a parked run says so", () => {
  const record = fold(events(PARKED))!;
  expect(record.state).toBe("parked");
  expect(record.seq).toBe(13);
  expect(record.outcome?.status).toBe("parked");
});

test("what does not begin at the beginning is no run", () => {
  expect(fold(events(SHOP).slice(1))).toBeUndefined();
});

test("an event that is not known here still counts", () => {
  const [first] = events(SHOP);
  const strange = { ...first!, seq: 2, type: "SOMETHING_NEW", data: {} } as unknown as Event;
  expect(fold([first!, strange])!.seq).toBe(2);
});
