// The newest revision of a task's plan. The server states which items are done.

import type { PlanItemRow, PlanRow } from "../../api/generated";

const STATES: Record<PlanItemRow["state"], [sign: string, words: string]> = {
  done: ["✓", "Done: "],
  in_progress: ["▸", "In progress: "],
  open: ["○", "Open: "],
};

export function Plan({ plan: { plan, successCriteria, actionItems, revision } }: { plan: PlanRow }) {
  return (
    <section class="card plan" aria-labelledby="plan">
      <h2 id="plan">
        Plan {revision ? <small class="quiet">revised {revision === 1 ? "once" : `${revision} times`}</small> : null}
      </h2>
      {plan && <p>{plan}</p>}
      {actionItems.length > 0 && (
        <ol>
          {actionItems.map(({ text, state }) => (
            <li
              class={`plan-item ${state}`}
              data-state={state}
              aria-current={state === "in_progress" ? "step" : undefined}
            >
              <span class="sign" aria-hidden="true">
                {STATES[state][0]}
              </span>
              <span>
                <span class="unseen">{STATES[state][1]}</span>
                {text}
              </span>
            </li>
          ))}
        </ol>
      )}
      {successCriteria && (
        <p>
          <b>Done when:</b> {successCriteria}
        </p>
      )}
    </section>
  );
}
