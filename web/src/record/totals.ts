// What the events of a run add up to. Counted as events arrive, never estimated.

import type { AiCall, Status, StepResult, Usage } from "../protocol/generated";
import type { State, Totals } from "./types";

const nothing = (): Usage => ({ calls: 0, prompt_tokens: 0, cached_tokens: 0, completion_tokens: 0 });

export function noTotals(steps: number): Totals {
  return {
    steps,
    steps_done: 0,
    steps_failed: 0,
    steps_skipped: 0,
    turns: 0,
    iterations: 0,
    observations: 0,
    observation_tokens: 0,
    observing_ms: 0,
    decisions: { playbook: 0, literal: 0, model: 0 },
    commands: 0,
    commands_failed: 0,
    acting_ms: 0,
    usage: nothing(),
    models: {},
    calls_failed: 0,
    retries: 0,
    thinking_ms: 0,
    pictures: 0,
    plans: 0,
    reflections: 0,
    reviews: 0,
    errors: {},
  };
}

/** Adds up; an unknown price on either side makes the sum a lower bound, which is still worth having. */
export function addUsage(sum: Usage, more: Usage): Usage {
  const cost =
    sum.cost_usd == null && more.cost_usd == null ? {} : { cost_usd: (sum.cost_usd ?? 0) + (more.cost_usd ?? 0) };
  return {
    calls: sum.calls + more.calls,
    prompt_tokens: sum.prompt_tokens + more.prompt_tokens,
    cached_tokens: (sum.cached_tokens ?? 0) + (more.cached_tokens ?? 0),
    completion_tokens: sum.completion_tokens + more.completion_tokens,
    ...cost,
  };
}

export function countCall(totals: Totals, call: AiCall): void {
  totals.usage = addUsage(totals.usage, call.usage);
  totals.models[call.model] = addUsage(totals.models[call.model] ?? nothing(), call.usage);
  totals.retries += call.retries;
  totals.thinking_ms += call.latency_ms;
  if (call.error) {
    totals.calls_failed += 1;
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

const ENDED: Record<Status, "steps_done" | "steps_skipped" | "steps_failed"> = {
  success: "steps_done",
  skipped: "steps_skipped",
  failure: "steps_failed",
  error: "steps_failed",
  cancelled: "steps_failed",
  parked: "steps_failed",
};

/** Takes back the turns of a step that is begun again. */
export function forget(totals: Totals, result: StepResult | undefined): void {
  totals.iterations -= Math.min(result?.iterations ?? 0, totals.iterations);
}
