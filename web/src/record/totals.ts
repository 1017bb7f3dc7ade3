// What the events of a run add up to. Counted as events arrive, never estimated.

import type { AiCall, Status, StepResult, Usage } from "../protocol/generated";
import type { State, Totals } from "./types";

const nothing = (): Usage => ({ calls: 0, promptTokens: 0, cachedTokens: 0, completionTokens: 0 });

export function noTotals(steps: number): Totals {
  return {
    steps,
    stepsDone: 0,
    stepsFailed: 0,
    stepsSkipped: 0,
    turns: 0,
    iterations: 0,
    observations: 0,
    observationTokens: 0,
    observingMs: 0,
    decisions: { playbook: 0, literal: 0, model: 0 },
    commands: 0,
    commandsFailed: 0,
    actingMs: 0,
    usage: nothing(),
    models: {},
    callsFailed: 0,
    retries: 0,
    thinkingMs: 0,
    pictures: 0,
    plans: 0,
    reflections: 0,
    reviews: 0,
    errors: {},
  };
}

/** Adds up; an unknown price on either side makes the sum a lower bound, which is still worth having. */
export function addUsage(sum: Usage, more: Usage): Usage {
  const cost = sum.costUsd == null && more.costUsd == null ? {} : { costUsd: (sum.costUsd ?? 0) + (more.costUsd ?? 0) };
  return {
    calls: sum.calls + more.calls,
    promptTokens: sum.promptTokens + more.promptTokens,
    cachedTokens: (sum.cachedTokens ?? 0) + (more.cachedTokens ?? 0),
    completionTokens: sum.completionTokens + more.completionTokens,
    ...cost,
  };
}

export function countCall(totals: Totals, call: AiCall): void {
  totals.usage = addUsage(totals.usage, call.usage);
  totals.models[call.model] = addUsage(totals.models[call.model] ?? nothing(), call.usage);
  totals.retries += call.retries;
  totals.thinkingMs += call.latencyMs;
  if (call.error) {
    totals.callsFailed += 1;
    countFailure(totals, call.error.name);
  }
}

export function countFailure(totals: Totals, name: string): void {
  totals.errors[name] = (totals.errors[name] ?? 0) + 1;
}

/** Counts a step that ended so, or takes it back when it is begun again. */
export function tally(totals: Totals, state: State, by: 1 | -1): void {
  const counter = ENDED[state as Status];
  if (counter) totals[counter] = Math.max(0, totals[counter] + by);
}

const ENDED: Record<Status, "stepsDone" | "stepsSkipped" | "stepsFailed"> = {
  success: "stepsDone",
  skipped: "stepsSkipped",
  failure: "stepsFailed",
  error: "stepsFailed",
  cancelled: "stepsFailed",
  parked: "stepsFailed",
};

/** Takes back the turns of a step that is begun again. */
export function forget(totals: Totals, result: StepResult | undefined): void {
  totals.iterations -= Math.min(result?.iterations ?? 0, totals.iterations);
}
