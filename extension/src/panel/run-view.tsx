// A task of the conversation with the tab, and what can be done with its run now.

import { useEffect, useState } from "preact/hooks";
import { change } from "../../../web/src/api/client";
import { asRefused } from "../../../web/src/api/load";
import { type Run, useRun } from "../../../web/src/api/run";
import { Conversation } from "../../../web/src/screens/run/conversation";
import { announce } from "../../../web/src/ui/announce";
import { EARLIER, NEWEST } from "./sharing";

/** How long the page may take to show what follows. */
const FOLLOWS_MS = 400;

/** If the button that had the focus is gone, the next one of the task has it, or the field for the next task. */
function keepFocus(id: string): void {
  setTimeout(() => {
    if (document.activeElement && document.activeElement !== document.body) return;
    const next = `[data-run="${CSS.escape(id)}"] .steering button:enabled`;
    (document.querySelector<HTMLElement>(next) ?? document.getElementById("words"))?.focus();
  }, FOLLOWS_MS);
}

interface RunViewProps {
  id: string;
  text: string;
  /** Whether it is the newest task of the tab. */
  isNewest: boolean;
  /** Whether the person used the tab, and the run was paused for it. */
  hasUserInput: boolean;
  /** The run goes on after it was paused. */
  onContinue(): Promise<void>;
  /** Continues the run in the tab. */
  onResume(assume?: "done" | "not_done"): Promise<void>;
}

export function RunView({ id, text, isNewest, hasUserInput, onContinue, onResume }: RunViewProps) {
  const run = useRun(id, isNewest ? NEWEST : EARLIER);
  const record = run.view?.run;
  useEffect(() => {
    if (record?.ended) announce(record.verdict.words, record.state === "failure" || record.state === "error");
  }, [record?.ended]);
  return (
    <Conversation
      id={id}
      run={run}
      text={text}
      follows
      note={
        record?.state === "paused" &&
        hasUserInput && (
          <section class="state busy" role="status" aria-label="Your input">
            <strong>You used the tab, so the run is paused</strong>
            <p>Do what you need to do there. Then let Legwork continue, or stop the run.</p>
          </section>
        )
      }
      onAnswered={() => {
        if (record?.ended) run.again();
        keepFocus(id);
      }}
    >
      <Steering id={id} run={run} onContinue={onContinue} onResume={onResume} />
    </Conversation>
  );
}

type SteeringProps = Pick<RunViewProps, "id" | "onContinue" | "onResume"> & { run: Run };

function Steering({ id, run, onContinue, onResume }: SteeringProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const record = run.view?.run;
  const state = record?.state ?? (run.session?.state === "queued" ? "queued" : undefined);
  if (!state) return null;

  const attempt = async (work: () => Promise<unknown>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(asRefused(error).message);
    }
    setBusy(false);
    keepFocus(id);
  };
  const ask = (what: string) =>
    attempt(() => change("POST", `/api/automation/sessions/${encodeURIComponent(id)}/${what}`, {}));
  const again = (assume?: "done" | "not_done") =>
    attempt(async () => {
      await onResume(assume);
      run.again();
    });

  const stoppable = state === "running" || state === "queued" || state === "paused";
  const resumable = ["parked", "interrupted", "error", "cancelled"].includes(state);
  return (
    <div class="steering">
      {state === "running" && (
        <button type="button" disabled={busy} onClick={() => void ask("pause")}>
          Pause
        </button>
      )}
      {state === "paused" && (
        <button
          type="button"
          class="primary"
          disabled={busy}
          onClick={() => void onContinue().then(() => ask("resume"))}
        >
          Continue
        </button>
      )}
      {stoppable && (
        <button type="button" class="danger" disabled={busy} onClick={() => void ask("cancel")}>
          Stop
        </button>
      )}
      {resumable && !record?.outcomeUnknown && (
        <button type="button" disabled={busy} onClick={() => void again()}>
          Resume in this tab
        </button>
      )}
      {resumable && record?.outcomeUnknown && (
        <>
          <p>The result of the last action is not known. Look at the page: was it done?</p>
          <button type="button" disabled={busy} onClick={() => void again("done")}>
            It was done: continue
          </button>
          <button type="button" disabled={busy} onClick={() => void again("not_done")}>
            It was not done: repeat it
          </button>
        </>
      )}
      {problem && (
        <p class="ill" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
