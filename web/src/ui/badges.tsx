// Verdicts and deciders, small. The sign says what the colour says.

import type { DecidedBy, Standing } from "../api/generated";

export function Badge({ verdict }: { verdict: Standing }) {
  return (
    <span class={`badge ${verdict.tone}`}>
      <span aria-hidden="true" class="sign">
        {verdict.sign}
      </span>
      {verdict.words}
    </span>
  );
}

/** What a claim of success rests on, in a word; nothing where none was made. */
export function Claim({ verdict }: { verdict: Standing }) {
  if (!verdict.claim) return null;
  return <span class={`claim ${verdict.tone}`}>{verdict.claim}</span>;
}

const WHO: Record<DecidedBy, string> = {
  literal: "Read off the step's own words",
  custom: "Decided by the program that runs Legwork",
  model: "Decided by a language model",
};

export function By({ decider }: { decider: DecidedBy }) {
  return (
    <span class={`by ${decider}`} title={WHO[decider]}>
      {decider}
    </span>
  );
}
