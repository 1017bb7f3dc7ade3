// The live list of runs. The search and the state filter are part of the address, so that a list can be linked to.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { RunListItem } from "../api/generated";
import { useLoad } from "../api/load";
import { useChanges } from "../api/runs";
import { go, Link, useLocation } from "../router";
import { plain } from "../ui/advice";
import { Badge } from "../ui/badges";
import { money, tokens } from "../ui/format";
import { Empty, Loading, Problem, Screen } from "../ui/screen";
import { Ago, Took, useNow } from "../ui/time";

const SIZE = 25;
/** The states for the filter of the list. */
const STATES: Record<string, string> = {
  running: "Running",
  queued: "Queued",
  paused: "Paused",
  parked: "Waiting for input",
  interrupted: "Interrupted",
  success: "Success",
  failure: "Failed",
  error: "Error",
  cancelled: "Cancelled",
};

export function RunsScreen() {
  const { query } = useLocation();
  const [words, setWords] = useState(query.get("q") ?? "");
  const state = query.get("state") ?? "";
  const number = Math.max(1, Number(query.get("page")) || 1);
  const list = useLoad("/api/automation/sessions", { page: number, pageSize: SIZE, state, q: query.get("q") ?? "" });
  const [changed, setChanged] = useState<Map<string, RunListItem>>(new Map());
  const now = useNow(10_000);

  useEffect(() => setChanged(new Map()), [list.data]);
  const unknown = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useChanges((runs) => {
    setChanged((before) => new Map([...before, ...runs.map((run) => [run.run, run] as const)]));
    // A run that is not shown may belong to the list, and a run whose state changed may no longer belong to it.
    const shown = new Map(list.data?.map((run) => [run.run, run.state]));
    if (runs.every((run) => shown.get(run.run) === run.state)) return;
    clearTimeout(unknown.current);
    unknown.current = setTimeout(list.reload, 500);
  });
  useEffect(() => () => clearTimeout(unknown.current), []);

  const to = (change: Record<string, string>) => {
    const next = new URLSearchParams(query);
    next.delete("page");
    for (const [key, value] of Object.entries(change)) value ? next.set(key, value) : next.delete(key);
    go(`/runs${next.size ? `?${next}` : ""}`, true);
  };
  // The search runs a moment after typing, not after every letter.
  useEffect(() => {
    if (words === (query.get("q") ?? "")) return;
    const timer = setTimeout(() => to({ q: words.trim() }), 250);
    return () => clearTimeout(timer);
  }, [words]);

  const runs = useMemo(() => list.data?.map((run) => changed.get(run.run) ?? run) ?? [], [list.data, changed]);
  const pages = list.pagination;
  return (
    <Screen title="Runs">
      <search class="filters">
        <label>
          <span class="unseen">Search by name or id</span>
          <input
            type="search"
            value={words}
            placeholder="Search by name or id"
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </label>
        <label>
          <span class="unseen">State</span>
          <select value={state} onChange={(event) => to({ state: event.currentTarget.value })}>
            <option value="">All states</option>
            {Object.entries(STATES).map(([one, words]) => (
              <option value={one}>{words}</option>
            ))}
          </select>
        </label>
        <p class="quiet" role="status">
          {pages ? `${pages.total} ${pages.total === 1 ? "run" : "runs"}` : ""}
        </p>
      </search>
      {list.problem && <Problem problem={list.problem} again={list.reload} />}
      {!list.data && list.loading && <Loading />}
      {list.data && runs.length === 0 && (
        <Empty>
          <p>{state || words ? "No matching runs." : "No runs yet."}</p>
          <Link to="/">Start one</Link>
        </Empty>
      )}
      {runs.length > 0 && (
        <div class="table">
          <table class="runs">
            <thead>
              <tr>
                <th scope="col">Run</th>
                <th scope="col">State</th>
                <th scope="col">Steps</th>
                <th scope="col">Started</th>
                <th scope="col" class="right">
                  Time
                </th>
                <th scope="col" class="right">
                  Tokens
                </th>
                <th scope="col" class="right">
                  Cost
                </th>
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <Row key={run.run} run={run} now={now} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {pages && (pages.hasNext || pages.hasPrevious) && (
        <nav class="pages" aria-label="Pages">
          {pages.hasPrevious && <Link to={pageOf(query, number - 1)}>Newer</Link>}
          <span class="quiet">
            Page {pages.page} of {Math.max(1, Math.ceil(pages.total / pages.pageSize))}
          </span>
          {pages.hasNext && <Link to={pageOf(query, number + 1)}>Older</Link>}
        </nav>
      )}
    </Screen>
  );
}

function pageOf(query: URLSearchParams, number: number): string {
  const next = new URLSearchParams(query);
  next.set("page", String(number));
  return `/runs?${next}`;
}

function Row({ run, now }: { run: RunListItem; now: number }) {
  const used = run.usage.promptTokens + run.usage.completionTokens;
  return (
    <tr>
      <th scope="row">
        <Link to={`/runs/${run.run}`}>{run.name || "Unnamed"}</Link>
        {run.error && run.state !== "success" && run.state !== "cancelled" && (
          <small class="why">{plain(run.error)}</small>
        )}
      </th>
      <td>
        <Badge verdict={run.verdict} />
      </td>
      <td data-label="Steps" class="number">
        {run.stepsDone} / {run.stepsTotal}
      </td>
      <td data-label="Started">{run.queued && !run.started ? "–" : <Ago time={run.started} now={now} />}</td>
      <td data-label="Time" class="right number">
        {run.started && (
          <Took from={run.started} to={run.ended ?? (run.state === "running" ? undefined : run.updated)} />
        )}
      </td>
      <td data-label="Tokens" class="right number">
        {used ? tokens(used) : "–"}
      </td>
      <td data-label="Cost" class="right number">
        {run.usage.costUsd == null ? "–" : money(run.usage.costUsd)}
      </td>
    </tr>
  );
}
