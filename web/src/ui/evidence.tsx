// The facts of a step, each with the side it speaks for: what supports a claim has a ✓, what speaks against it a ✗ and the
// looks of an error, and what says nothing of it a dot.

import type { ResultRow } from "../api/generated";
import { Claim } from "./badges";

export function EvidenceList({ result, heading }: { result: ResultRow; heading?: boolean }) {
  const claim = result.verdict.claim && (
    <>
      <Claim verdict={result.verdict} /> <small class="quiet">{result.reason}</small>
    </>
  );
  return (
    <div class="evidence">
      {heading ? <h3>Evidence {claim}</h3> : claim && <p>{claim}</p>}
      {result.evidence.length === 0 && <p>None was seen.</p>}
      <ul>
        {result.evidence.map(({ side, sign, words, fact, checked }) => (
          <li class={side}>
            <span class="sign" aria-hidden="true">
              {sign}
            </span>
            <span class="unseen">{words} </span>
            {fact}
            {checked && <small class="quiet"> asked for</small>}
          </li>
        ))}
      </ul>
    </div>
  );
}
