// One turn: the model's work, the decision and the actions.

import type { CommandRow, DecisionRow, EffectRow, TurnRow } from "../../api/generated";
import { plain } from "../../ui/advice";
import { By } from "../../ui/badges";
import { percent, took, withoutRefs } from "../../ui/format";
import { Prose } from "../../ui/prose";

interface TurnProps {
  turn: TurnRow;
  number?: number;
  /** The message of the error that is shown beside this turn. */
  reported?: string;
}

export function TurnView({ turn, number, reported }: TurnProps) {
  const { decision, thoughts, commands, calls } = turn;
  return (
    <section class="turn" aria-label={number ? `Turn ${number}` : undefined}>
      {(number || decision) && (
        <h3>
          {number && <span>Turn {number}</span>}
          {decision && (
            <>
              <By decider="model" />
              <span class="quiet">
                {decision.verdict}, confidence {percent(decision.confidence)}
              </span>
            </>
          )}
        </h3>
      )}
      {decision && <Reasoning decision={decision} />}
      {thoughts.map(({ title, text }) => (
        <div class="thought">
          <b>{title}</b>
          {text && <Prose text={text} />}
        </div>
      ))}
      {commands.length > 0 && (
        <ul class="commands">
          {commands.map((command) => (
            <CommandItem key={command.commandId} command={command} reported={reported} />
          ))}
        </ul>
      )}
      {calls.length > 0 && (
        <ul class="calls">
          {calls.map((call) => (
            <li>
              {call.model}, {call.purpose}: {call.error ? <span class="ill">{call.error.message}</span> : call.usage},{" "}
              {took(call.durationMs)}
              {call.retries > 0 && `, ${call.retries} retries`}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function Reasoning({ decision: { message, reasons } }: { decision: DecisionRow }) {
  return (
    <>
      {message && <Prose text={message} />}
      {reasons.length > 0 && (
        <dl class="reasons">
          {reasons.map(({ about, words }) => (
            <div>
              <dt>{about}</dt>
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

const SIGNS: Record<CommandRow["state"], [sign: string, words: string]> = {
  open: ["…", "In progress: "],
  failed: ["✗", "Failed: "],
  refused: ["✗", "Answered with an error: "],
  ok: ["✓", ""],
};

export function CommandItem({ command, reported }: { command: CommandRow; reported?: string }) {
  const { state, words, failure, effects, value, durationMs } = command;
  const [sign, unseen] = SIGNS[state];
  return (
    <li class={`command ${state}`}>
      <p class="did">
        <span class="sign" aria-hidden="true">
          {sign}
        </span>
        <span class="what">
          <span class="unseen">{unseen}</span>
          {withoutRefs(words)}
        </span>
        {durationMs != null && <span class="time">{took(durationMs)}</span>}
      </p>
      {failure && failure !== reported && <p class="ill">{withoutRefs(plain(failure))}</p>}
      {effects.map((effect) => (
        <Effect effect={effect} />
      ))}
      {value != null && <p class="value">{value}</p>}
    </li>
  );
}

export function Effect({ effect: { words, against } }: { effect: EffectRow }) {
  return <p class={against ? "effect against" : "effect"}>{withoutRefs(words)}</p>;
}
