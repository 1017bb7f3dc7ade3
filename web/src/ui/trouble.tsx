// Errors for people: what happened, why, what to try, and the error code.

import { useState } from "preact/hooks";
import type { ErrorReport, ProblemsRow } from "../api/generated";
import { advice, plain } from "./advice";
import { withoutRefs } from "./format";

export function Trouble({ error, fatal = !error.recoverable }: { error: ErrorReport; fatal?: boolean }) {
  const toTry = advice(error);
  return (
    <div class={`trouble ${fatal ? "" : "mild"}`}>
      <p>
        <strong>{withoutRefs(plain(error.message))}</strong>
      </p>
      {error.details?.map((line) => (
        <p class="detail">{plain(line)}</p>
      ))}
      {error.causes && error.causes.length > 0 && (
        <ul>
          {error.causes.map((cause) => (
            <li>{plain(cause)}</li>
          ))}
        </ul>
      )}
      {toTry && (
        <p>
          <b>What to try:</b> {toTry}
        </p>
      )}
      <p class="code">
        {error.code} {error.name}
        {error.step != null && ` · step ${error.step + 1}`}
      </p>
    </div>
  );
}

/** The errors that belong to no step: fatal ones at once, those that the run recovered from on request. */
export function Troubles({ shown, hidden }: ProblemsRow) {
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
