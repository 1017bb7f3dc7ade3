// The facts of a step, each with the side it speaks for: what supports a claim has a ✓, what speaks against it a ✗ and the
// looks of an error, and what says nothing of it a dot.

import type { StepResult } from "../protocol/generated";
import { type Polarity, polarity, stepVerdict, VALIDATION } from "../record/verdict";
import { Claim } from "./badges";

const SIDES: Record<Polarity, [sign: string, words: string]> = {
  supporting: ["✓", "Supports it: "],
  contradicting: ["✗", "Speaks against it: "],
  neutral: ["·", "Says nothing of it: "],
};

export function EvidenceList({ result, heading }: { result: StepResult; heading?: boolean }) {
  const verdict = stepVerdict({ state: result.status, result });
  const claim = verdict.claim && (
    <>
      <Claim verdict={verdict} />{" "}
      <small class="quiet">{VALIDATION[verdict.claim === "contradicted" ? "rejected" : verdict.claim]}</small>
    </>
  );
  return (
    <div class="evidence">
      {heading ? <h3>Evidence {claim}</h3> : claim && <p>{claim}</p>}
      {result.evidence.length === 0 && <p>None was seen.</p>}
      <ul>
        {result.evidence.map((fact) => {
          const side = polarity(fact);
          const [sign, words] = SIDES[side];
          return (
            <li class={side}>
              <span class="sign" aria-hidden="true">
                {sign}
              </span>
              <span class="unseen">{words}</span>
              {fact.fact}
              {fact.checked && <small class="quiet"> asked for</small>}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
