// Statistics over days and by workflow: success rate, duration, cost. They are reloaded when a run has ended.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Dashboard, Day, WorkflowFigures } from "../../api/generated";
import { useLoad } from "../../api/load";
import { useChanges } from "../../api/runs";
import { Link } from "../../router";
import { money, percent, tokens, took } from "../../ui/format";
import { Empty, Loading, Problem, Screen } from "../../ui/screen";
import { Bars, type Series } from "./bars";

const SPANS = [7, 30, 90];
/** When a run leaves one of these states, the figures change. */
const UNDER_WAY = new Set(["running", "paused", "queued"]);

export function DashboardScreen() {
  const [days, setDays] = useState(30);
  const figures = useLoad("/api/dashboard", { days });
  const pending = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useChanges((runs) => {
    if (!runs.some((run) => !UNDER_WAY.has(run.state))) return;
    clearTimeout(pending.current);
    pending.current = setTimeout(figures.reload, 1_500);
  });
  useEffect(() => () => clearTimeout(pending.current), []);
  const { data } = figures;
  const choice = (
    <label>
      <span class="unseen">Days shown</span>
      <select value={String(days)} onChange={(event) => setDays(Number(event.currentTarget.value))}>
        {SPANS.map((span) => (
          <option value={String(span)}>Last {span} days</option>
        ))}
      </select>
    </label>
  );
  return (
    <Screen title="Dashboard" actions={choice}>
      {figures.problem && <Problem problem={figures.problem} again={figures.reload} />}
      {!data && figures.loading && <Loading />}
      {data?.days.every((day) => !day.runs) && (
        <Empty>
          <p>No runs in this period.</p>
          <Link to="/">Start one</Link>
        </Empty>
      )}
      {data?.days.some((day) => day.runs) && <Figures data={data} />}
    </Screen>
  );
}

function Figures({ data }: { data: Dashboard }) {
  const { days } = data;
  const sum = (of: (day: Day) => number | null | undefined) => days.reduce((total, day) => total + (of(day) ?? 0), 0);
  const runs = sum((day) => day.runs);
  const judged = sum((day) => day.success + day.failure + day.error);
  const timed = days.filter((day) => day.runs && day.durationMsMean != null);
  const mean =
    timed.reduce((total, day) => total + day.durationMsMean! * day.runs, 0) /
    Math.max(
      1,
      timed.reduce((n, day) => n + day.runs, 0),
    );
  const used = sum((day) => day.promptTokens + day.completionTokens);
  const cost = sum((day) => day.costUsd);
  const successes = sum((day) => day.success);
  const outcomes: Series[] = [
    { name: "Success, validated", tone: "good", of: (day) => day.validated },
    { name: "Success, unvalidated", tone: "doubt", of: (day) => day.success - day.validated },
    { name: "Rejected", tone: "against", of: (day) => day.rejected },
    { name: "Failed", tone: "bad", of: (day) => Math.max(0, day.failure - day.rejected) },
    { name: "Error", tone: "worse", of: (day) => day.error - Math.max(0, day.rejected - day.failure) },
    { name: "Waiting for input", tone: "wait", of: (day) => day.parked },
    { name: "Cancelled", tone: "idle", of: (day) => day.cancelled },
  ];
  return (
    <>
      <dl class="tiles">
        <Tile label="Runs">{runs}</Tile>
        <Tile
          label="Success rate"
          note={judged ? `${percent(sum((day) => day.validated) / judged)} validated` : undefined}
        >
          {judged ? percent(successes / judged) : "–"}
        </Tile>
        <Tile label="Average time">{timed.length ? took(mean) : "–"}</Tile>
        {used > 0 && <Tile label="Tokens">{tokens(used)}</Tile>}
        {cost > 0 && <Tile label="Cost">{money(cost)}</Tile>}
      </dl>
      <div class="charts">
        <Bars title="Runs by outcome" days={days} series={outcomes} words={String} />
        <Bars
          title="Average run time"
          days={days}
          series={[{ name: "Time", tone: "busy", of: (day) => day.durationMsMean ?? 0 }]}
          words={took}
        />
        {used > 0 && (
          <Bars
            title="Tokens"
            days={days}
            series={[
              { name: "Read", tone: "model", of: (day) => day.promptTokens },
              { name: "Written", tone: "busy", of: (day) => day.completionTokens },
            ]}
            words={tokens}
          />
        )}
        {cost > 0 && (
          <Bars
            title="Cost"
            days={days}
            series={[{ name: "US dollars", tone: "wait", of: (day) => day.costUsd ?? 0 }]}
            words={money}
          />
        )}
      </div>
      {data.workflows.length > 0 && <Workflows workflows={data.workflows} />}
    </>
  );
}

function Tile({ label, note, children }: { label: string; note?: string; children: string | number }) {
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

function Workflows({ workflows }: { workflows: WorkflowFigures[] }) {
  return (
    <section aria-labelledby="workflows">
      <h2 id="workflows">By workflow</h2>
      <div class="table" tabIndex={0} role="region" aria-label="Figures of each workflow">
        <table class="runs">
          <thead>
            <tr>
              <th scope="col">Workflow</th>
              <th scope="col" class="right">
                Runs
              </th>
              <th scope="col" class="right">
                Success
              </th>
              <th scope="col" class="right">
                Median time
              </th>
              <th scope="col" class="right">
                Tokens per run
              </th>
              <th scope="col" class="right">
                Cost
              </th>
            </tr>
          </thead>
          <tbody>
            {workflows.map((one) => (
              <tr key={one.name}>
                <th scope="row">{one.name}</th>
                <td data-label="Runs" class="right number">
                  {one.runs}
                </td>
                <td data-label="Success" class="right number">
                  {one.successRate == null ? "–" : percent(one.successRate)}
                  {one.validatedRate != null && (
                    <small class="quiet">{` ${percent(one.validatedRate)} validated`}</small>
                  )}
                </td>
                <td data-label="Median time" class="right number">
                  {one.durationMsMedian == null ? "–" : took(one.durationMsMedian)}
                </td>
                <td data-label="Tokens per run" class="right number">
                  {one.tokensMean ? tokens(one.tokensMean) : "–"}
                </td>
                <td data-label="Cost" class="right number">
                  {one.costUsd == null ? "–" : money(one.costUsd)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
