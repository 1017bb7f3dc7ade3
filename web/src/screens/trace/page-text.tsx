// The text of the page at the time of a decision (for a model, the text in its prompt), and its difference from the
// previous page.

import { useState } from "preact/hooks";
import type { MomentRow } from "../../api/generated";
import { diff, hunks } from "../../record/diff";
import { fenced, prompt } from "../../record/prompt";
import { Text, useArtifact } from "../../ui/long";

/** `isModels`: a model decided, and its prompt contains the text that it received. */
export function PageText({ moment, isModels }: { moment: MomentRow; isModels: boolean }) {
  const [changes, showChanges] = useState(false);
  const own = isModels && moment.reading ? undefined : (moment.page ?? undefined);
  const earlier = (own ? moment.pageBefore : moment.readingBefore) ?? undefined;
  const now = useArtifact(own ?? moment.reading ?? undefined);
  const before = useArtifact(changes ? earlier : undefined);
  if (now.problem) return <p class="quiet">{now.problem}</p>;
  if (now.text === undefined) return <p class="quiet">Loading …</p>;

  const read = own ? { page: now.text, changes: undefined } : prompt(now.text);
  if (!read.page) return <p class="quiet">The prompt contained no page.</p>;
  return (
    <>
      {earlier && (
        <label class="check">
          <input type="checkbox" checked={changes} onChange={(event) => showChanges(event.currentTarget.checked)} />
          Only what differs from the page before
        </label>
      )}
      {changes && earlier ? (
        before.text === undefined ? (
          <p class="quiet">{before.problem ?? "Loading …"}</p>
        ) : (
          <Difference
            before={own ? before.text : (fenced(prompt(before.text).messages.at(-1)?.text ?? "", "page") ?? "")}
            after={read.page}
          />
        )
      ) : (
        <Text text={read.page} label={own ? "The page as it was decided on" : "The page as the model read it"} />
      )}
      {read.changes && (
        <>
          <h3>Changes that the model was shown</h3>
          <Text text={read.changes} label="Changes as the model read them" />
        </>
      )}
    </>
  );
}

function Difference({ before, after }: { before: string; after: string }) {
  if (before === after) return <p class="quiet">No differences.</p>;
  const names = { "+": "added", "-": "removed", " ": "same" } as const;
  return (
    <pre class="text diff" tabIndex={0} role="region" aria-label="What differs">
      {hunks(diff(before, after)).map((line) =>
        "gap" in line ? (
          <span class="gap">{`… ${line.gap} unchanged lines\n`}</span>
        ) : (
          <span class={names[line.sign]}>{`${line.sign} ${line.text}\n`}</span>
        ),
      )}
    </pre>
  );
}
