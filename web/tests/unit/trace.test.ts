// Moments of a trace, the errors shown, and the stream's wire format.

import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { parser } from "../../src/api/sse";
import type { Event, StandardError } from "../../src/protocol/generated";
import { fold } from "../../src/record/fold";
import { momentAt, trace } from "../../src/record/moments";
import { troubles } from "../../src/record/troubles";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const anchor: { events: Event[] } = JSON.parse(read("../fixtures/anchor.json"));
const shop: Event[] = read("../../../crates/runtime/src/record/fixtures/shop.ndjson").trim().split("\n").map((line) => JSON.parse(line));

test("a trace: every action with its pictures, its call and its decision", () => {
  const { moments, steps } = trace(anchor.events);
  expect(moments.map((moment) => moment.kind)).toEqual([
    "action", "warning", "model", "action", "model", "action", "thought", "model", "thought", "thought", "model", "end",
  ]);
  const click = moments[3]!;
  expect(click.title).toBe('click link "Anchors"');
  expect(click.tone).toBe("good");
  expect(click.before?.actionType).toBe("open");
  expect(click.after?.commandId).toBe(click.command?.command);
  expect(click.call?.purpose).toBe("act");
  expect(click.decided?.decision.confidence).toBe(0.9);
  const missed = moments[5]!;
  expect(missed.tone).toBe("bad");
  expect(missed.note).toContain("nothing matches");
  expect(missed.reading).not.toBe(click.reading);
  expect(missed.readingBefore).toBe(click.reading);
  expect(steps).toMatchObject([{ index: 0, tone: "good" }]);
});

test("an intent without a result stays unknown", () => {
  const cut = anchor.events.slice(0, anchor.events.findIndex((event) => event.type === "COMMAND_STARTED") + 1);
  expect(trace(cut).moments.at(-1)).toMatchObject({ kind: "action", tone: "wait", note: "no result on record" });
});

test("a point in time leads to the moment that began before it", () => {
  const { moments, length } = trace(anchor.events);
  expect(momentAt(moments, 0)).toBe(0);
  expect(momentAt(moments, length)).toBe(moments.length - 1);
  expect(moments[momentAt(moments, moments[5]!.from + 1)]).toBe(moments[5]);
});

test("fatal errors are shown, what the run got over is not", () => {
  const record = fold(shop)!;
  const { shown, hidden } = troubles(record);
  expect(shown).toEqual([record.outcome!.error]);
  expect(hidden.map((error) => error.name)).toEqual(["RATE_LIMIT_EXCEEDED"]);
});

test("failed validations are hidden below the third", () => {
  const record = fold(shop.slice(0, 1))!;
  const one = shop.findLast((event) => event.type === "ERROR_OCCURRED")!.data as StandardError;
  record.errors = ["a", "b", "c"].map((id) => ({ ...one, id }));
  expect(troubles(record).hidden.map((error) => error.id)).toEqual(["a", "b"]);
  expect(troubles(record).shown.map((error) => error.id)).toEqual(["c"]);
});

test("frames are read however the bytes are cut", () => {
  const wire = 'id: 1\nevent: STEP_STARTED\ndata: {"a":1}\n\n: beat\n\r\nevent: delta\r\ndata: x\r\ndata: y\r\n\r\n';
  const frames = [
    { id: "1", event: "STEP_STARTED", data: '{"a":1}' },
    { id: undefined, event: "delta", data: "x\ny" },
  ];
  for (let cut = 0; cut <= wire.length; cut++) {
    const parse = parser();
    expect([...parse(wire.slice(0, cut)), ...parse(wire.slice(cut))]).toEqual(frames);
  }
});
