// A run as a conversation: what was asked, the plan, the actions as they happen, the questions with their answers, the
// answer with its evidence, and the errors that matter. The page shows it as a view of a run, and the side panel of the
// extension for each task of a tab. The rows come in words from the server.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { CommandRow, QuestionRecord, StepRow, TurnRow } from "../../api/generated";
import type { Run } from "../../api/run";
import { Badge } from "../../ui/badges";
import { EvidenceList } from "../../ui/evidence";
import { Prose } from "../../ui/prose";
import { Troubles } from "../../ui/trouble";
import { Plan } from "./plan";
import { QuestionBox } from "./question";
import { CommandItem } from "./turn";

interface ConversationProps {
  id: string;
  run: Run;
  /** What was asked. */
  text: string;
  /** Whether the end of the conversation is scrolled into view when it grows. */
  follows?: boolean;
  /** What stands below the state of the run while it continues. */
  note?: ComponentChildren;
  onAnswered(): void;
  /** What stands at the end. */
  children?: ComponentChildren;
}

export function Conversation({ id, run, text, follows, note, onAnswered, children }: ConversationProps) {
  const { view, problem } = run;
  const record = view?.run;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (follows) end.current?.scrollIntoView({ block: "nearest" });
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
      {note}
      {!view && run.session?.state === "queued" && <p class="now">Waits until another task has ended</p>}
      <QuestionBox id={id} question={record?.question} onAnswered={onAnswered} />
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
      {children}
      <div ref={end} />
    </article>
  );
}

function Actions({ steps, turns }: { steps: StepRow[]; turns: Map<number, TurnRow[]> }) {
  return (
    <section class="actions-list" aria-label="Actions">
      <ol>
        {steps.map((step) => (
          <li key={step.index} class={`item ${step.verdict.tone}`} data-state={step.state}>
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
            <Answered questions={step.questions} />
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

/** The questions that have an answer. The open one has a form below. */
function Answered({ questions }: { questions: QuestionRecord[] }) {
  const answered = questions.filter(({ answer }) => answer != null);
  return (
    <>
      {answered.map(({ question, answer }) => (
        <div class="exchange">
          <p>
            <span class="quiet">Asked:</span> {question.text}
          </p>
          <p class="reply">
            <span class="quiet">Answered:</span> {question.secret ? "••••••" : answer}
          </p>
        </div>
      ))}
    </>
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
