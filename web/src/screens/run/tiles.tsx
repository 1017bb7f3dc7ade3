// The main figures of a run, which update while it is in progress.

import type { ComponentChildren } from "preact";
import type { View } from "../../record/view";
import { money, tokens, took } from "../../ui/format";
import { Took } from "../../ui/time";

const WHO = [
  ["literal", "from the words of steps"],
  ["playbook", "from the playbook"],
  ["custom", "by the program"],
  ["model", "by the model"],
] as const;

export function Tiles({ view: { run, progress, totals } }: { view: View }) {
  const { usage, decisions } = totals;
  const done = totals.stepsDone + totals.stepsSkipped;
  const deciders = WHO.filter(([who]) => decisions[who]).map(([who, words]) => `${decisions[who]} ${words}`);
  return (
    <>
      <dl class="tiles">
        <Tile
          label="Steps"
          note={
            totals.stepsFailed
              ? `${totals.stepsFailed} failed`
              : totals.stepsSkipped
                ? `${totals.stepsSkipped} skipped`
                : undefined
          }
        >
          {done} / {totals.steps}
        </Tile>
        <Tile label="Time" note={run.ended || run.question ? undefined : remaining(progress.remainingMs)}>
          <Took from={run.began} to={run.end ?? (run.state === "running" ? undefined : progress.last)} />
        </Tile>
        <Tile label="Actions" note={totals.commandsFailed ? `${totals.commandsFailed} failed` : undefined}>
          {totals.commands}
        </Tile>
        {usage.calls > 0 && (
          <>
            <Tile
              label="Tokens"
              note={`${usage.calls} model ${usage.calls === 1 ? "call" : "calls"}, ${tokens(usage.cachedTokens ?? 0)} cached`}
            >
              {tokens(usage.promptTokens + usage.completionTokens)}
            </Tile>
            <Tile label="Cost" note={usage.costUsd == null ? "price not known" : undefined}>
              {usage.costUsd == null ? "–" : money(usage.costUsd)}
            </Tile>
          </>
        )}
        {deciders.length > 0 && (
          <Tile label="Decisions">
            <span class="small">{deciders.join(" · ")}</span>
          </Tile>
        )}
      </dl>
      {!run.ended && (
        <progress max={Math.max(1, totals.steps)} value={done} aria-label={`${done} of ${totals.steps} steps done`} />
      )}
    </>
  );
}

function Tile({ label, note, children }: { label: string; note?: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {children}
        {note && <small>{note}</small>}
      </dd>
    </div>
  );
}

function remaining(ms: number | null | undefined): string | undefined {
  return ms ? `about ${took(Math.max(1_000, Math.round(ms / 1_000) * 1_000))} left` : undefined;
}
