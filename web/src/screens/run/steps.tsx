// The steps of a run in order: each a line with its state, decider and duration. An open step shows its observations,
// the model's work and its actions. The step in progress and failed steps are open by default; a step that the user
// opened or closed stays as it is.

import { useState } from "preact/hooks";
import type { ErrorReport, Question, StepRow, TurnRow } from "../../api/generated";
import { isAsked, place } from "../../record/problems";
import type { View } from "../../record/view";
import { By, Claim } from "../../ui/badges";
import { EvidenceList } from "../../ui/evidence";
import { took } from "../../ui/format";
import { Prose } from "../../ui/prose";
import { Took } from "../../ui/time";
import { Trouble } from "../../ui/trouble";
import { CommandItem, TurnView } from "./turn";

export function Steps({ view }: { view: View }) {
  const { question } = view.run;
  const errors = place(view.problems, view.steps, question).steps;
  const outside = (view.turns.get(-1) ?? []).flatMap((turn) => turn.commands);
  return (
    <section aria-labelledby="steps-heading">
      <h2 id="steps-heading">Steps</h2>
      {outside.length > 0 && (
        <ul class="commands before">
          {outside.map((command) => (
            <CommandItem key={command.commandId} command={command} />
          ))}
        </ul>
      )}
      <ol class="steps">
        {view.steps.map((step) => (
          <StepItem
            key={step.index}
            step={step}
            error={errors.get(step.index)}
            question={question}
            turns={view.turns.get(step.index) ?? []}
            alone={view.steps.length === 1}
            last={view.progress.last}
          />
        ))}
      </ol>
    </section>
  );
}

interface StepItemProps {
  step: StepRow;
  error?: ErrorReport;
  /** The open question of the run. */
  question?: Question | null;
  turns: TurnRow[];
  alone: boolean;
  last: string;
}

function StepItem({ step, error, question, turns, alone, last }: StepItemProps) {
  const [chosen, choose] = useState<boolean>();
  const { verdict, decider } = step;
  const how = verdict.tone;
  const wants = alone || how === "bad" || how === "wait" || how === "busy";
  const open = chosen ?? wants;
  const begun = step.state !== "pending";
  return (
    <li
      id={`step-${step.index}`}
      class={`step ${how}`}
      data-state={step.state}
      data-claim={verdict.claim ?? undefined}
      aria-current={step.state === "running" ? "step" : undefined}
    >
      <button
        type="button"
        class="step-head"
        aria-expanded={begun ? open : undefined}
        disabled={!begun}
        onClick={() => choose(!open)}
      >
        <span class="sign" aria-hidden="true">
          {verdict.sign}
        </span>
        <span class="number">{step.index + 1}</span>
        <span class="words">{step.text}</span>
        <span class="facts">
          <span class="unseen">{verdict.words}.</span>
          <span aria-hidden="true">
            <Claim verdict={verdict} />
          </span>
          {decider && <By decider={decider} />}
          {begun && (
            <span class="time">
              {step.result ? (
                took(step.result.durationMs)
              ) : step.began ? (
                <Took from={step.began} to={step.state === "running" ? undefined : (step.end ?? last)} />
              ) : (
                ""
              )}
            </span>
          )}
        </span>
      </button>
      {begun && open && (
        <StepInside step={step} error={error} question={question} turns={turns.filter((turn) => !turn.idle)} />
      )}
    </li>
  );
}

/** Scrolls to a step and focuses it. */
export function showStep(index: number): void {
  const head = document.querySelector<HTMLElement>(`#step-${index} > .step-head`);
  head?.scrollIntoView({ block: "center" });
  head?.focus();
}

function StepInside({ step, error, question, turns }: Pick<StepItemProps, "step" | "error" | "question" | "turns">) {
  const { result } = step;
  const own = step.state !== "success" && result?.error;
  const reported = error ?? (own && !isAsked(own, question) ? own : undefined);
  return (
    <div class="inside">
      {result?.message && <Prose text={result.message} />}
      {turns.map((turn, at) => (
        <TurnView
          key={turn.number}
          turn={turn}
          number={turns.length > 1 ? at + 1 : undefined}
          reported={reported?.message}
        />
      ))}
      {step.questions.map(({ question, answer }) => (
        <p class="asked">
          <span class="quiet">Asked:</span> {question.text}{" "}
          <span class="quiet">
            {answer == null ? "no answer yet" : `Answered: ${question.secret ? "••••••" : answer}`}
          </span>
        </p>
      ))}
      {step.warnings.map((warning) => (
        <p class="warning">{warning}</p>
      ))}
      {result && result.evidence.length > 0 && <EvidenceList result={result} heading />}
      {reported && <Trouble error={reported} fatal />}
    </div>
  );
}
