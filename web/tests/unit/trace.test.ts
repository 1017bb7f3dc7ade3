// Moments of a trace, the errors shown, and the stream's wire format.

import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { parser } from "../../src/api/sse";
import type { ErrorReport, Event } from "../../src/protocol/generated";
import { fold } from "../../src/record/fold";
import { momentAt, trace } from "../../src/record/moments";
import { troubles } from "../../src/record/troubles";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const anchor: { events: Event[] } = JSON.parse(read("../fixtures/anchor.json"));
const shop: Event[] = read("../../../crates/runtime/src/record/fixtures/shop.ndjson")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

test("a trace: every action with its pictures, its call and its decision", () => {
  const { moments, steps } = trace(anchor.events);
  expect(moments.map((moment) => moment.kind)).toEqual([
    "action",
    "warning",
    "model",
    "action",
    "model",
    "action",
    "thought",
    "model",
    "thought",
    "thought",
    "model",
    "end",
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
  // Done, and nobody checked it.
  expect(steps).toMatchObject([{ index: 0, tone: "doubt" }]);
});

test("an intent without a result stays unknown", () => {
  const cut = anchor.events.slice(0, anchor.events.findIndex((event) => event.type === "COMMAND_STARTED") + 1);
  expect(trace(cut).moments.at(-1)).toMatchObject({ kind: "action", tone: "wait", note: "no result on record" });
});

test("what a page did stands with its action, and a request told again stays in its place", () => {
  const events = structuredClone(anchor.events);
  const ended = events.flatMap((event, at) =>
    event.type === "COMMAND_COMPLETED" || event.type === "COMMAND_FAILED" ? [{ at, event }] : [],
  );
  const line = (number: number, status?: number) => ({
    number,
    method: "GET",
    url: `/${number}`,
    kind: "fetch",
    tab: 1,
    at: events[0]!.time,
    status,
  });
  const told = (event: Event, data: object): Event => ({ ...event, type: "PAGE_ACTIVITY", data }) as Event;
  const [first, second] = ended as [(typeof ended)[0], (typeof ended)[0]];
  const of = (one: typeof first) => (one.event.data as { command: string }).command;
  // The later one first, so that the other's place does not move.
  events.splice(
    second.at + 1,
    0,
    told(second.event, { command: of(second), requests: [line(1, 200), line(3)], requests_left_out: 7 }),
  );
  events.splice(first.at + 1, 0, told(first.event, { command: of(first), requests: [line(1), line(2, 404)] }));
  const { moments } = trace(events);
  const activity = (command: string) => moments.find((moment) => moment.command?.command === command)!.activity!;
  expect(activity(of(first)).requests.map(({ number, status }) => [number, status])).toEqual([
    [1, 200],
    [2, 404],
  ]);
  expect(activity(of(second)).requests.map(({ number }) => number)).toEqual([3]);
  expect(activity(of(second)).requestsLeftOut).toBe(7);
  expect(moments.filter((moment) => moment.activity).length).toBe(2);
});

test("a page's text is known by its fingerprint, also when it came later; the page before is another one", () => {
  const [start] = anchor.events as [Event];
  const event = (seq: number, type: string, data: object) => ({ ...start, seq, type, data, step: 0 }) as Event;
  const seen = (seq: number, fingerprint: string) =>
    event(seq, "PAGE_OBSERVED", { url: "/", title: "", fingerprint, duration_ms: 1 });
  const text = (hash: string) => ({ hash, media_type: "text/plain", size: 1 });
  const { moments } = trace([
    start,
    seen(2, "one"),
    seen(3, "two"),
    seen(4, "two"),
    event(5, "PAGE_TEXT_SAVED", { fingerprint: "one", text: text("aa") }),
    event(6, "WARNING_ISSUED", { message: "here" }),
    event(7, "PAGE_TEXT_SAVED", { fingerprint: "two", text: text("bb") }),
  ]);
  expect(moments.map(({ page, pageBefore }) => [page?.hash, pageBefore?.hash])).toEqual([["bb", "aa"]]);
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
  const one = shop.findLast((event) => event.type === "ERROR_OCCURRED")!.data as ErrorReport;
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
