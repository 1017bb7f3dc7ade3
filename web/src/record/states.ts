// States in people's words and in tones: a tone is what colour and sign say together, never colour alone.

import type { Validation } from "../protocol/generated";
import type { RunRecord, State } from "./types";

export type Tone = "good" | "bad" | "wait" | "busy" | "idle";

const TONES: Record<string, Tone> = {
  success: "good",
  failure: "bad",
  error: "bad",
  parked: "wait",
  paused: "wait",
  interrupted: "wait",
  cancelled: "idle",
  running: "busy",
  queued: "busy",
  pending: "idle",
  skipped: "idle",
};

const WORDS: Record<string, string> = {
  success: "Success",
  failure: "Failed",
  error: "Broken",
  parked: "Waits for a person",
  paused: "Paused",
  interrupted: "Cut short",
  cancelled: "Cancelled",
  running: "Running",
  queued: "Queued",
  pending: "Not begun",
  skipped: "Skipped",
};

export const tone = (state: string): Tone => TONES[state] ?? "idle";
export const stateWords = (state: string): string => WORDS[state] ?? state;

/** Every state a list can be filtered by. */
export const STATES = ["running", "queued", "paused", "parked", "interrupted", "success", "failure", "error", "cancelled"] as const;

/** Whether nothing more will come by itself. */
export function ended(state: State | "queued"): boolean {
  return !["running", "paused", "pending", "queued"].includes(state);
}

/** How it stands in a sentence, with what success rests on. */
export function verdict(record: RunRecord): string {
  const { state, outcome } = record;
  switch (state) {
    case "success":
      return `Success, ${outcome?.validation ?? "unvalidated"}`;
    case "failure":
      return "The page said no";
    case "error":
      return outcome?.budget ? `Out of budget: ${outcome.budget}` : "Something broke";
    default:
      return stateWords(state);
  }
}

/** What a claim of success rests on. */
export const VALIDATION: Record<Validation, string> = {
  validated: "evidence shows it",
  unvalidated: "nobody checked it",
  rejected: "evidence speaks against it",
};
