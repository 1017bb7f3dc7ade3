// Small badges for verdicts and deciders. The sign repeats the meaning of the colour.

import type { DecidedBy, StatusLabel } from "../api/generated";

export function Badge({ verdict }: { verdict: StatusLabel }) {
  return (
    <span class={`badge ${verdict.tone}`}>
      <span aria-hidden="true" class="sign">
        {verdict.sign}
      </span>
      {verdict.words}
    </span>
  );
}

/** The validation of a success in a word; nothing without a claim. */
export function Claim({ verdict }: { verdict: StatusLabel }) {
  if (!verdict.claim) return null;
  return <span class={`claim ${verdict.tone}`}>{verdict.claim}</span>;
}

const WHO: Record<DecidedBy, string> = {
  literal: "Decided from the words of the step",
  playbook: "Repeated as the playbook recorded it",
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
