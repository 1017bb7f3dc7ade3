// States in people's words and in tones: a tone is what colour and sign say together, never colour alone.

import type { State } from "./types";

/** `doubt` is a success that nobody checked. */
export type Tone = "good" | "doubt" | "bad" | "wait" | "busy" | "idle";

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
  parked: "Waiting for input",
  paused: "Paused",
  interrupted: "Interrupted",
  cancelled: "Cancelled",
  running: "Running",
  queued: "Queued",
  pending: "Not started",
  skipped: "Skipped",
};

/** Of a state alone; how far a success was checked, `verdict.ts` tells. */
export const stateTone = (state: string): Tone => TONES[state] ?? "idle";
export const stateWords = (state: string): string => WORDS[state] ?? state;

/** All states a list can be filtered by. */
export const STATES = [
  "running",
  "queued",
  "paused",
  "parked",
  "interrupted",
  "success",
  "failure",
  "error",
  "cancelled",
] as const;

/** Whether nothing more will come by itself. */
export function ended(state: State | "queued"): boolean {
  return !["running", "paused", "pending", "queued"].includes(state);
}
