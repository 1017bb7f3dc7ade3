// A model's reply while it comes, whichever way its pieces and the journal's events overtake each other.

import { expect, test } from "@playwright/test";
import type { Event } from "../../src/protocol/generated";
import { hear, type Speech, settle } from "../../src/record/speech";

const event = (type: string, data: object = {}) => ({ type, data }) as Event;
const said = (pieces: string[], call = 1): Speech =>
  pieces.reduce<Speech | undefined>((speech, text) => hear(speech, { call, purpose: "act", text }), undefined)!;

test("an event from before the call that comes late hides the words for a moment, and loses none", () => {
  const late = settle(said(["one ", "word "]), event("STEP_STARTED"));
  expect(late).toMatchObject({ over: true });
  expect(hear(late, { call: 1, purpose: "act", text: "after" })).toEqual({
    call: 1,
    purpose: "act",
    text: "one word after",
    over: false,
  });
});

test("a reply is over when its call is on record, not when an earlier one for something else is", () => {
  const speech = said(["one "]);
  expect(settle(speech, event("AI_RESPONSE_RECEIVED", { purpose: "plan" }))).toEqual(speech);
  expect(settle(speech, event("AI_RESPONSE_RECEIVED", { purpose: "act" }))).toMatchObject({ over: true });
  expect(settle(speech, event("LOOP_PHASE", { phase: "QUERYING_AI" }))).toEqual(speech);
});

test("another call begins anew, and so does one that is asked again", () => {
  expect(hear(said(["one "]), { call: 2, purpose: "act", text: "two" })).toMatchObject({ call: 2, text: "two" });
  expect(hear(said(["one "]), { call: 1, purpose: "act", text: "", void: true })).toMatchObject({ call: 1, text: "" });
});

test("of a long reply the newest is kept", () => {
  expect(said(Array.from({ length: 500 }, () => "0123456789")).text).toHaveLength(4_000);
});
