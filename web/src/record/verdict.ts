// What a claim rests on, as every screen shows it: a sign, words and a tone together, never a colour alone. Validated,
// unvalidated and rejected differ in all three, and nothing that speaks against a claim stands under a ✓.

import type { Evidence, PageEffect, StepResult, Validation } from "../protocol/generated";
import { stateTone, stateWords, type Tone } from "./states";
import type { RunRecord, StepRecord } from "./types";

export type Polarity = "supporting" | "contradicting" | "neutral";

/** Which way a fact speaks. Journals from before facts had a side noted only what supports. */
export function polarity(fact: Evidence & { polarity?: Polarity }): Polarity {
  return fact.polarity ?? "supporting";
}

export const speaksAgainst = (result: StepResult | undefined): boolean =>
  result?.evidence.some((fact) => polarity(fact) === "contradicting") ?? false;

export interface Verdict {
  tone: Tone;
  sign: string;
  words: string;
  /** In a word, of a claim of success that was made or rejected. */
  claim?: "validated" | "unvalidated" | "rejected" | "contradicted";
}

export const SIGNS: Record<Tone, string> = { good: "✓", doubt: "?", bad: "✗", wait: "❙❙", busy: "●", idle: "–" };

const verdict = (tone: Tone, words: string, claim?: Verdict["claim"]): Verdict => ({
  tone,
  sign: SIGNS[tone],
  words,
  claim,
});

/** How something stands that is in a state, with what its success rests on where that is known. */
export function verdictOf(state: string, validation?: Validation | null, against = false): Verdict {
  if (validation === "rejected") return verdict("bad", "Rejected", "rejected");
  if (state !== "success") return verdict(stateTone(state), stateWords(state));
  if (against) return verdict("bad", "Success contradicted by evidence", "contradicted");
  switch (validation) {
    case "validated":
      return verdict("good", "Success, validated", "validated");
    case "unvalidated":
      return verdict("doubt", "Success, unvalidated", "unvalidated");
    default:
      return verdict("doubt", "Success, no verdict");
  }
}

/** Of a step that has ended, or is on its way. */
export function stepVerdict({ state, result }: Pick<StepRecord, "state" | "result">): Verdict {
  return verdictOf(state, result && resultValidation(result), speaksAgainst(result));
}

/** Of a whole run, in a sentence. */
export function runVerdict(record: RunRecord): Verdict {
  const { state, outcome, steps } = record;
  const validation = outcome && (outcome.validation ?? "unvalidated");
  const made = verdictOf(
    state,
    validation,
    steps.some((step) => step.state === "success" && speaksAgainst(step.result)),
  );
  if (made.claim === "rejected") return { ...made, words: state === "failure" ? "Rejected" : "Rejected by evidence" };
  if (state === "failure") return { ...made, words: "Failed" };
  if (state === "error") return { ...made, words: outcome?.budget ? `Limit reached: ${outcome.budget}` : "Error" };
  return made;
}

/** What was checked of a result; nothing of one that claims nothing. */
const resultValidation = (result: StepResult): Validation => result.validation ?? "unvalidated";

/** What a claim of success rests on. */
export const VALIDATION: Record<Validation, string> = {
  validated: "evidence shows it",
  unvalidated: "nobody checked it",
  rejected: "evidence speaks against it",
};

/** Whether what an action set off speaks against it: the server refused a document or a request that the action
 *  caused, a request got no answer, or the browser shows its own error. */
export function effectAgainst(effect: PageEffect): boolean {
  switch (effect.kind) {
    case "navigated":
      return (effect.status ?? 0) >= 400 || effect.to.startsWith("chrome-error:");
    case "request":
      return !effect.background && ((effect.status ?? 0) >= 400 || effect.failure != null || effect.refusal != null);
    default:
      return false;
  }
}
