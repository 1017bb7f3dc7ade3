// Errors for people: what happened, why, what to try, and the error code.

import { useState } from "preact/hooks";
import type { ErrorReport, ProblemsRow } from "../api/generated";

export function Trouble({ error, fatal = !error.recoverable }: { error: ErrorReport; fatal?: boolean }) {
  return (
    <div class={`trouble ${fatal ? "" : "mild"}`}>
      <p>
        <strong>{error.message}</strong>
      </p>
      {error.details?.map((line) => (
        <p class="detail">{line}</p>
      ))}
      {error.causes && error.causes.length > 0 && (
        <ul>
          {error.causes.map((cause) => (
            <li>{cause}</li>
          ))}
        </ul>
      )}
      {error.suggestedAction && (
        <p>
          <b>What to try:</b> {error.suggestedAction}
        </p>
      )}
      <p class="code">
        {error.code} {error.name}
        {error.step != null && ` · step ${error.step + 1}`}
      </p>
    </div>
  );
}

/** The errors of a run: fatal ones at once, the others on request. */
export function Troubles({ problems: { shown, hidden } }: { problems: ProblemsRow }) {
  const [all, showAll] = useState(false);
  if (!shown.length && !hidden.length) return null;
  return (
    <section class="troubles" aria-label="Errors">
      {shown.map((error) => (
        <Trouble key={error.id} error={error} fatal />
      ))}
      {all && hidden.map((error) => <Trouble key={error.id} error={error} />)}
      {hidden.length > 0 && (
        <button type="button" class="link" aria-expanded={all} onClick={() => showAll(!all)}>
          {all
            ? "Hide the errors that the run recovered from"
            : `Show all (${hidden.length} that the run recovered from)`}
        </button>
      )}
    </section>
  );
}
