// The steps of a run, in order: each a line with its state, its decider and its time; open, it shows what was seen, thought
// and done. The step at work and what went wrong stand open by themselves; what a person opened or shut stays so.

import { useState } from "preact/hooks";
import { idle } from "../../record/fold";
import type { RunRecord, StepRecord } from "../../record/types";
import { stepVerdict } from "../../record/verdict";
import { took } from "../../record/words";
import { By, Claim } from "../../ui/badges";
import { EvidenceList } from "../../ui/evidence";
import { Prose } from "../../ui/prose";
import { Took } from "../../ui/time";
import { CommandItem, TurnView } from "./turn";

export function Steps({ record }: { record: RunRecord }) {
  const outside = record.outside.flatMap((turn) => turn.commands);
  return (
    <section aria-labelledby="steps-heading">
      <h2 id="steps-heading">Steps</h2>
      {outside.length > 0 && (
        <ul class="commands before">
          {outside.map((command) => (
            <CommandItem key={command.command} command={command} />
          ))}
        </ul>
      )}
      <ol class="steps">
        {record.steps.map((step) => (
          <StepItem key={step.index} step={step} alone={record.steps.length === 1} record={record} />
        ))}
      </ol>
    </section>
  );
}

function StepItem({ step, alone, record }: { step: StepRecord; alone: boolean; record: RunRecord }) {
  const [chosen, choose] = useState<boolean>();
  const verdict = stepVerdict(step);
  const how = verdict.tone;
  const wants = alone || how === "bad" || how === "wait" || how === "busy";
  const open = chosen ?? wants;
  const begun = step.state !== "pending";
  const decider = step.result?.decider ?? step.turns.findLast((turn) => turn.decided)?.decided?.decider;
  return (
    <li
      class={`step ${how}`}
      data-state={step.state}
      data-claim={verdict.claim}
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
                took(step.result.duration_ms)
              ) : step.started ? (
                <Took from={step.started} to={step.state === "running" ? undefined : (step.ended ?? record.last)} />
              ) : (
                ""
              )}
            </span>
          )}
        </span>
      </button>
      {begun && open && <StepInside step={step} record={record} />}
    </li>
  );
}

function StepInside({ step, record }: { step: StepRecord; record: RunRecord }) {
  const { result } = step;
  const turns = step.turns.filter((turn) => !idle(turn) || turn.thoughts.length > 0);
  const warnings = record.warnings.filter((warning) => warning.step === step.index);
  return (
    <div class="inside">
      {result?.message && result.message !== result.error?.message && <Prose text={result.message} />}
      {turns.map((turn, at) => (
        <TurnView key={at} turn={turn} number={turns.length > 1 ? at + 1 : undefined} />
      ))}
      {step.questions.map(({ question, answer }) => (
        <p class="asked">
          <span class="quiet">Asked:</span> {question.text}{" "}
          <span class="quiet">
            {answer === undefined ? "no answer yet" : `Answered: ${question.secret ? "••••••" : answer}`}
          </span>
        </p>
      ))}
      {warnings.map((warning) => (
        <p class="warning">{warning.message}</p>
      ))}
      {result && result.evidence.length > 0 && <EvidenceList result={result} heading />}
      {result?.error && step.state !== "success" && <p class="ill">{result.error.message}</p>}
    </div>
  );
}
