// The facts of a step with their polarity: a supporting fact has a ✓, a contradicting one a ✗ and the style of an
// error, and a neutral one a dot.

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
      {result.evidence.length === 0 && <p>No evidence.</p>}
      <ul>
        {result.evidence.map(({ side, sign, words, fact, checked }) => (
          <li class={side}>
            <span class="sign" aria-hidden="true">
              {sign}
            </span>
            <span class="unseen">{words} </span>
            {fact}
            {checked && <small class="quiet"> checked</small>}
          </li>
        ))}
      </ul>
    </div>
  );
}
