// A task of the conversation: what was asked, the plan, the actions as they happen, questions, the answer, the errors
// that matter, and what can be done with the run now. The rows come in words from the server.

import { useEffect, useRef, useState } from "preact/hooks";
import { change } from "../../../web/src/api/client";
import type { CommandRow, StepRow, TurnRow } from "../../../web/src/api/generated";
import { asRefused } from "../../../web/src/api/load";
import { type Run, useRun } from "../../../web/src/api/run";
import { Plan } from "../../../web/src/screens/run/plan";
import { QuestionBox } from "../../../web/src/screens/run/question";
import { CommandItem } from "../../../web/src/screens/run/turn";
import { announce } from "../../../web/src/ui/announce";
import { Badge } from "../../../web/src/ui/badges";
import { EvidenceList } from "../../../web/src/ui/evidence";
import { Prose } from "../../../web/src/ui/prose";
import { Troubles } from "../../../web/src/ui/trouble";
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
  const { view, problem } = run;
  const record = view?.run;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (record?.ended) announce(record.verdict.words, record.state === "failure" || record.state === "error");
    end.current?.scrollIntoView({ block: "nearest" });
  }, [record?.ended, view?.progress.seq]);
  return (
    <article class="task" aria-label={text} data-run={id} data-state={record?.state}>
      <div class="request">
        <Prose text={text} />
      </div>
      {problem && !view && <p class="ill">{problem.message}</p>}
      {record?.plan && <Plan plan={record.plan} />}
      {view && <Actions steps={view.steps} turns={view.turns} />}
      {record && !record.ended && (
        <p class="now" role="status">
          <span class="spinner" aria-hidden="true" />
          {record.state === "paused" ? (record.paused ?? "Paused") : (view?.progress.phase ?? "Working")}
        </p>
      )}
      {record?.state === "paused" && hasUserInput && (
        <section class="state busy" role="status" aria-label="Your input">
          <strong>You used the tab, so the run is paused</strong>
          <p>Do what you need to do there. Then let Legwork continue, or stop the run.</p>
        </section>
      )}
      {!view && run.session?.state === "queued" && <p class="now">Waits until another task has ended</p>}
      <QuestionBox
        id={id}
        question={record?.question}
        onAnswered={() => {
          if (record?.ended) run.again();
          keepFocus(id);
        }}
      />
      {record?.ended && (
        <div class="standing">
          <Badge verdict={record.verdict} />
        </div>
      )}
      {record?.answer && record.ended && (
        <section class={`answer ${record.verdict.tone}`} aria-label="Answer">
          <Prose text={record.answer} />
        </section>
      )}
      {record?.ended && view && <Evidence steps={view.steps} />}
      {view && <Troubles {...view.problems} />}
      <Steering id={id} run={run} onContinue={onContinue} onResume={onResume} />
      <div ref={end} />
    </article>
  );
}

function Actions({ steps, turns }: { steps: StepRow[]; turns: Map<number, TurnRow[]> }) {
  return (
    <section class="actions-list" aria-label="Actions">
      <ol>
        {steps.map((step) => (
          <li class={`item ${step.verdict.tone}`} data-state={step.state}>
            <p class="did">
              <span class="sign" aria-hidden="true">
                {step.verdict.sign}
              </span>
              <span>
                <span class="unseen">{step.verdict.words}: </span>
                {step.text}
              </span>
            </p>
            <Commands turns={turns.get(step.index) ?? []} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Commands({ turns }: { turns: TurnRow[] }) {
  const commands: CommandRow[] = turns.flatMap((turn) => turn.commands);
  if (!commands.length) return null;
  return (
    <ul class="commands">
      {commands.map((command) => (
        <CommandItem key={command.commandId} command={command} />
      ))}
    </ul>
  );
}

function Evidence({ steps }: { steps: StepRow[] }) {
  const results = steps.flatMap((step) => (step.result?.evidence.length ? [step.result] : []));
  if (!results.length) return null;
  return (
    <details class="evidence">
      <summary>Evidence</summary>
      {results.map((result) => (
        <EvidenceList result={result} />
      ))}
    </details>
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
