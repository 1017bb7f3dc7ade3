// The plan of a task, the newest revision of it.

import type { Plan as PlanData } from "../../protocol/generated";
import type { RunRecord } from "../../record/types";

export function Plan({ record }: { record: RunRecord }) {
  const made = record.steps
    .flatMap((step) => step.turns.flatMap((turn) => turn.thoughts))
    .findLast((one) => one.type === "PLAN_MADE");
  if (!made) return null;
  const { plan, successCriteria, actionItems, revision } = made.data as PlanData;
  return (
    <section class="card plan" aria-labelledby="plan">
      <h2 id="plan">
        Plan {revision ? <small class="quiet">revised {revision === 1 ? "once" : `${revision} times`}</small> : null}
      </h2>
      {plan && <p>{plan}</p>}
      {actionItems && actionItems.length > 0 && (
        <ol>
          {actionItems.map((item) => (
            <li>{item}</li>
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
