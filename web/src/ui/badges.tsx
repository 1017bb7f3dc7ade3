// States and deciders, small. The sign says what the colour says.

import type { Decider } from "../protocol/generated";
import { stateWords, tone } from "../record/states";

const SIGNS = { good: "✓", bad: "✗", wait: "❙❙", busy: "●", idle: "–" } as const;

export function Badge({ state, words }: { state: string; words?: string }) {
  const how = tone(state);
  return (
    <span class={`badge ${how}`}>
      <span aria-hidden="true" class="sign">
        {SIGNS[how]}
      </span>
      {words ?? stateWords(state)}
    </span>
  );
}

const WHO: Record<Decider, string> = {
  playbook: "Remembered from a finished run",
  literal: "Read off the step's own words",
  custom: "Decided by the program that runs Legwork",
  model: "Decided by a language model",
};

export function By({ decider }: { decider: Decider }) {
  return (
    <span class={`by ${decider}`} title={WHO[decider]}>
      {decider}
    </span>
  );
}
