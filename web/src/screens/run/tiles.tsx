// The figures of a run at a glance, ticking while it works.

import type { ComponentChildren } from "preact";
import type { Event } from "../../protocol/generated";
import { ended } from "../../record/states";
import type { RunRecord } from "../../record/types";
import { money, tokens, took } from "../../record/words";
import { Took } from "../../ui/time";

export function Tiles({ record, events }: { record: RunRecord; events: Event[] }) {
  const { totals } = record;
  const { usage, decisions } = totals;
  const over = ended(record.state);
  const done = totals.steps_done + totals.steps_skipped;
  const deciders = (["playbook", "literal", "custom", "model"] as const)
    .filter((who) => decisions[who])
    .map((who) => `${who} ${decisions[who]}`);
  return (
    <>
      <dl class="tiles">
        <Tile
          label="Steps"
          note={
            totals.steps_failed
              ? `${totals.steps_failed} not done`
              : totals.steps_skipped
                ? `${totals.steps_skipped} skipped`
                : undefined
          }
        >
          {done} / {totals.steps}
        </Tile>
        <Tile label="Time" note={over ? undefined : remaining(events)}>
          <Took from={record.started} to={record.ended ?? (record.state === "running" ? undefined : record.last)} />
        </Tile>
        <Tile label="Actions" note={totals.commands_failed ? `${totals.commands_failed} failed` : "none failed"}>
          {totals.commands}
        </Tile>
        <Tile
          label="Tokens"
          note={
            usage.calls ? `${usage.calls} model calls, ${tokens(usage.cached_tokens ?? 0)} cached` : "no model called"
          }
        >
          {tokens(usage.prompt_tokens + usage.completion_tokens)}
        </Tile>
        <Tile label="Cost" note={usage.calls && usage.cost_usd == null ? "price not known" : undefined}>
          {usage.calls ? (usage.cost_usd == null ? "–" : money(usage.cost_usd)) : money(0)}
        </Tile>
        <Tile label="Decided by" note={`${totals.turns} turns`}>
          <span class="small">{deciders.join(" · ") || "nobody yet"}</span>
        </Tile>
      </dl>
      {!over && (
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

function remaining(events: Event[]): string | undefined {
  const last = events.findLast((event) => event.type === "WORKFLOW_PROGRESS");
  const ms = last?.type === "WORKFLOW_PROGRESS" ? last.data.estimatedTimeRemaining : undefined;
  return ms ? `about ${took(Math.max(1_000, Math.round(ms / 1_000) * 1_000))} to go` : undefined;
}
