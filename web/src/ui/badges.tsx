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

/** Who decided, in a word and in a sentence. */
const WHO: Record<DecidedBy, [word: string, sentence: string]> = {
  literal: ["its words", "Decided from the words of the step"],
  playbook: ["playbook", "Repeated as the playbook recorded it"],
  custom: ["program", "Decided by the program that runs Legwork"],
  model: ["model", "Decided by a language model"],
};

export function By({ decider }: { decider: DecidedBy }) {
  const [word, sentence] = WHO[decider];
  return (
    <span class={`by ${decider}`} title={sentence}>
      {word}
    </span>
  );
}
