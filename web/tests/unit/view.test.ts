// Rows of a record put in their places, and the stream's wire format.

import { expect, test } from "@playwright/test";
import type { MomentRow, RecordPatch, StepRow, TurnRow } from "../../src/api/generated";
import { append, type Reply, shown } from "../../src/api/reply";
import { parser } from "../../src/api/sse";
import { take } from "../../src/record/view";

const verdict = { tone: "busy", sign: "●", words: "Running" } as const;
const step = (index: number, text: string) =>
  ({ row: "step", index, text, state: "running", verdict, questions: [], warnings: [] }) satisfies {
    row: "step";
  } & StepRow;
const turn = (number: number, step?: number) =>
  ({ row: "turn", number, step, idle: false, thoughts: [], commands: [], calls: [] }) satisfies {
    row: "turn";
  } & TurnRow;
const moment = (seq: number, title: string) =>
  ({ row: "moment", seq, kind: "warning", from: 0, to: 0, title, tone: "wait" }) satisfies {
    row: "moment";
  } & MomentRow;
const patch = (...rows: RecordPatch["rows"]): RecordPatch => ({ seq: 1, rows });

test("rows replace those of the same place and leave the others", () => {
  const before = take(
    undefined,
    patch(step(0, "one"), step(1, "two"), turn(0), turn(0, 1), turn(1, 1), moment(3, "a"), moment(5, "b")),
  );
  const after = take(before, patch(step(1, "TWO"), turn(2, 1), moment(3, "A"), moment(7, "c")));
  expect(after.steps.map(({ text }) => text)).toEqual(["one", "TWO"]);
  expect([...after.turns].map(([at, turns]) => [at, turns.length])).toEqual([
    [-1, 1],
    [1, 3],
  ]);
  // In the order of their events, whichever changed last.
  expect([...after.moments.values()].map(({ title }) => title)).toEqual(["A", "b", "c"]);
});

test("a whole record begins anew, and a row that is not known here is passed over", () => {
  const before = take(undefined, patch(step(0, "one"), step(1, "two")));
  const strange = { row: "something_new" } as unknown as RecordPatch["rows"][number];
  expect(take(undefined, patch(step(0, "other"), strange)).steps).toHaveLength(1);
  expect(before.steps).toHaveLength(2);
});

test("a reply is shown until something came that comes only when no model writes, in whichever order they arrive", () => {
  const said = ["one ", "word"].reduce<Reply | undefined>(
    (reply, text) => append(reply, { call: 1, began: 500, text }),
    undefined,
  );
  // An event from before the call that comes late says nothing of it.
  expect(shown(said, 499)).toBe("one word");
  expect(shown(said, 501)).toBeUndefined();
  // The next call has begun later than what ended this one.
  expect(shown(append(said, { call: 2, began: 502, text: "two" }), 501)).toBe("two");
  expect(shown(undefined, 0)).toBeUndefined();
});

test("a reply that is requested again begins anew, and of a long one the newest is kept", () => {
  const piece = (text: string, again?: boolean) => ({ call: 1, began: 1, text, void: again });
  expect(append(append(undefined, piece("one ")), piece("", true)).text).toBe("");
  const long = Array.from({ length: 500 }, () => "0123456789").reduce<Reply | undefined>(
    (reply, text) => append(reply, piece(text)),
    undefined,
  );
  expect(long!.text).toHaveLength(4_000);
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
