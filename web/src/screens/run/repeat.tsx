// What can be done with a run that has ended: run it again, change it first, or save it as a workflow.

import { useState } from "preact/hooks";
import { get } from "../../api/client";
import { asRefused } from "../../api/load";
import { repeatRun } from "../../api/start";
import { Link } from "../../router";
import { plain } from "../../ui/advice";
import { type Draft, ofRequest } from "../start/draft";
import { SaveDialog } from "../workflows/save";

interface RepeatProps {
  id: string;
  name: string;
  onProblem(problem: string | undefined): void;
}

export function Repeat({ id, name, onProblem }: RepeatProps) {
  const [draft, setDraft] = useState<Draft>();
  const [busy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<void>) => {
    onProblem(undefined);
    setBusy(true);
    try {
      await work();
    } catch (error) {
      const refused = asRefused(error);
      onProblem([refused.message, ...refused.details].map(plain).join(". "));
    }
    setBusy(false);
  };
  const load = async () => setDraft(ofRequest(await get("/api/automation/sessions/{id}/request", { id })));
  return (
    <>
      <button type="button" class="primary" disabled={busy} onClick={() => void attempt(() => repeatRun(id))}>
        Run again
      </button>
      <Link to={`/?run=${encodeURIComponent(id)}`} class="button">
        Edit and run
      </Link>
      <button type="button" disabled={busy} onClick={() => void attempt(load)}>
        Save as workflow
      </button>
      {draft && <SaveDialog draft={draft} name={name} onClose={() => setDraft(undefined)} />}
    </>
  );
}
