// A model's reply while it comes, put together from its pieces. Pieces and events of the journal come on their own ways: an
// event from before the call may come after its first pieces, and the last piece after the reply is on record. So an event
// that says that nobody writes only hides the words; the next piece of the same call shows them again, none lost.

import type { Event, Purpose } from "../protocol/generated";

/** A piece of a model's reply, or that what came of it so far is void: it is asked again. */
export interface Delta {
  call: number;
  purpose?: Purpose;
  text?: string;
  void?: boolean;
}

export interface Speech {
  call: number;
  purpose?: Purpose;
  /** The newest characters of the reply. */
  text: string;
  over: boolean;
}

const SHOWN = 4_000;

/** Events that come only when no model is at work on a reply. */
const OVER = new Set<Event["type"]>([
  "AI_RESPONSE_RECEIVED",
  "AI_REASONING",
  "COMMAND_STARTED",
  "STEP_STARTED",
  "STEP_COMPLETED",
  "STEP_FAILED",
  "QUESTION_ASKED",
]);

/** The reply after its next piece. */
export function hear(speech: Speech | undefined, { call, purpose, text = "", void: again }: Delta): Speech {
  const before = speech?.call === call && !again ? speech.text : "";
  return { call, purpose, text: (before + text).slice(-SHOWN), over: false };
}

/** The reply after an event of the journal. */
export function settle(speech: Speech | undefined, event: Event): Speech | undefined {
  if (!speech || !OVER.has(event.type)) return speech;
  // The reply of an earlier call, for something else.
  if (event.type === "AI_RESPONSE_RECEIVED" && speech.purpose && event.data.purpose !== speech.purpose) return speech;
  return { ...speech, over: true };
}
