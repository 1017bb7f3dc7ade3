// The newest revision of a task's plan.

import type { PlanRow } from "../../api/generated";

export function Plan({ plan: { plan, successCriteria, actionItems, revision } }: { plan: PlanRow }) {
  return (
    <section class="card plan" aria-labelledby="plan">
      <h2 id="plan">
        Plan {revision ? <small class="quiet">revised {revision === 1 ? "once" : `${revision} times`}</small> : null}
      </h2>
      {plan && <p>{plan}</p>}
      {actionItems.length > 0 && (
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
