// One turn: what was thought, decided and done.

import type { PageEffect } from "../../protocol/generated";
import { failureWords } from "../../record/failure";
import { thoughtWords } from "../../record/thoughts";
import type { CommandRecord, Thought, Turn } from "../../record/types";
import { effectAgainst } from "../../record/verdict";
import { commandWords, effectWords, percent, took, usageWords, valueWords } from "../../record/words";
import { By } from "../../ui/badges";
import { Prose } from "../../ui/prose";

export function TurnView({ turn, number }: { turn: Turn; number?: number }) {
  const { decided } = turn;
  const model = decided?.decider === "model";
  return (
    <section class="turn" aria-label={number ? `Turn ${number}` : undefined}>
      {(number || model) && (
        <h3>
          {number && <span>Turn {number}</span>}
          {decided && model && (
            <>
              <By decider={decided.decider} />
              <span class="quiet">
                {decided.decision.verdict.toLowerCase()}, confidence {percent(decided.decision.confidence)}
              </span>
            </>
          )}
        </h3>
      )}
      {decided && model && <Reasoning decision={decided.decision} />}
      {turn.thoughts.map((thought) => (
        <ThoughtItem thought={thought} />
      ))}
      {turn.commands.length > 0 && (
        <ul class="commands">
          {turn.commands.map((command) => (
            <CommandItem key={command.command} command={command} />
          ))}
        </ul>
      )}
      {turn.calls.length > 0 && (
        <ul class="calls">
          {turn.calls.map((call) => (
            <li>
              {call.model}, {call.purpose}:{" "}
              {call.error ? <span class="ill">{call.error.message}</span> : usageWords(call.usage)},{" "}
              {took(call.latency_ms)}
              {call.retries > 0 && `, ${call.retries} retries`}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function Reasoning({ decision }: { decision: NonNullable<Turn["decided"]>["decision"] }) {
  const { analysis, rationale, expectedOutcome, alternatives } = decision.reasoning;
  const rows = [
    ["Sees", analysis],
    ["Because", rationale],
    ["Expects", expectedOutcome],
    ["Or else", alternatives],
  ].filter((row): row is [string, string] => !!row[1]);
  return (
    <>
      {decision.message && <Prose text={decision.message} />}
      {rows.length > 0 && (
        <dl class="reasons">
          {rows.map(([label, words]) => (
            <div>
              <dt>{label}</dt>
              <dd>
                <Prose text={words} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

function ThoughtItem({ thought }: { thought: Thought }) {
  const words = thoughtWords(thought);
  if (!words || thought.type === "PLAN_MADE") return null;
  return (
    <div class="thought">
      <b>{words.title}</b>
      {words.text && <Prose text={words.text} />}
    </div>
  );
}

export function CommandItem({ command }: { command: CommandRecord }) {
  const { result } = command;
  const refused = result?.effects?.some(effectAgainst);
  const how = !result ? "open" : result.failure ? "failed" : refused ? "refused" : "ok";
  return (
    <li class={`command ${how}`}>
      <p class="did">
        <span class="sign" aria-hidden="true">
          {{ open: "…", failed: "✗", refused: "✗", ok: "✓" }[how]}
        </span>
        <span class="what">
          <span class="unseen">
            {{ open: "In progress: ", failed: "Failed: ", refused: "Answered with an error: ", ok: "" }[how]}
          </span>
          {commandWords(command)}
        </span>
        {result && <span class="time">{took(result.duration_ms)}</span>}
      </p>
      {result?.failure && <p class="ill">{failureWords(result.failure)}</p>}
      {result?.effects?.map((effect) => (
        <Effect effect={effect} />
      ))}
      {result?.value != null && <p class="value">{valueWords(result.value)}</p>}
    </li>
  );
}

export function Effect({ effect }: { effect: PageEffect }) {
  return <p class={effectAgainst(effect) ? "effect against" : "effect"}>{effectWords(effect)}</p>;
}
