// One batch: how many rows are in which state, the rows with their values and runs, and what can be done with them. It
// is loaded again while the server works on it.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { change, type Refused } from "../../api/client";
import type { BatchCounts, BatchDetails, BatchItem, BatchRowItem, RowStatus } from "../../api/generated";
import { asRefused, useLoad } from "../../api/load";
import { useMay } from "../../api/scopes";
import { Link } from "../../router";
import { plain } from "../../ui/advice";
import { announce } from "../../ui/announce";
import { Ask } from "../../ui/ask";
import { Badge } from "../../ui/badges";
import { textOf } from "../../ui/inputs";
import { Loading, Problem, Screen } from "../../ui/screen";
import { When } from "../../ui/time";

const SIZE = 100;
const RELOAD_MS = 1_000;
/** The states for the filter of the rows. */
const STATES: Record<RowStatus, string> = {
  waiting: "Not started",
  running: "Running",
  asking: "Waiting for an answer",
  interrupted: "Interrupted",
  parked: "Waiting for input",
  success: "Success",
  failure: "Failed",
  error: "Error",
  cancelled: "Cancelled",
  deleted: "Deleted",
};

export function BatchScreen({ id }: { id: string }) {
  const [state, setState] = useState<RowStatus | "">("");
  const [number, setNumber] = useState(1);
  const loaded = useLoad("/api/batches/{id}", {
    id,
    state: state || undefined,
    offset: (number - 1) * SIZE,
    limit: SIZE,
  });
  const batch = loaded.data;
  const { reload } = loaded;
  useEffect(() => {
    // The next request begins only after the answer to the one before.
    if (!batch?.live || loaded.loading) return;
    const timer = setTimeout(reload, RELOAD_MS);
    return () => clearTimeout(timer);
  }, [batch, loaded.loading]);
  const over = batch && !batch.live;
  const total = batch?.counts.rows;
  useEffect(() => {
    if (over) announce(`The batch has ended: ${summary(batch.counts)}`);
  }, [over]);
  if (!batch)
    return (
      <Screen title="Batch">
        {loaded.problem ? <Problem problem={loaded.problem} again={reload} /> : <Loading />}
      </Screen>
    );
  return (
    <Batch batch={batch} problem={loaded.problem} onChanged={reload}>
      <search class="filters">
        <label>
          <span class="unseen">State</span>
          <select
            value={state}
            onChange={(event) => {
              setState(event.currentTarget.value as RowStatus | "");
              setNumber(1);
            }}
          >
            <option value="">All {total} rows</option>
            {Object.entries(STATES).map(([one, words]) => (
              <option value={one}>{words}</option>
            ))}
          </select>
        </label>
      </search>
      <Rows batch={batch} />
      <Pages number={number} pages={Math.ceil(batch.matches / SIZE)} onNumber={setNumber} />
    </Batch>
  );
}

interface BatchProps {
  batch: BatchDetails;
  problem: Refused | undefined;
  onChanged(): void;
  children: ComponentChildren;
}

function Batch({ batch, problem, onChanged, children }: BatchProps) {
  const [failed, setFailed] = useState<Refused>();
  const { counts } = batch;
  return (
    <Screen
      title={`Batch of ${batch.name || "a workflow"}`}
      actions={<Actions batch={batch} onChanged={onChanged} onProblem={setFailed} />}
    >
      <div class="standing">
        <span role="status">{summary(counts)}</span>
        <span class="quiet">
          {batch.live ? "in progress, " : batch.cancelled ? "cancelled, " : ""}begun <When time={batch.created} />
        </span>
        {batch.workflowId && <Link to={`/workflows/${batch.workflowId}`}>The workflow</Link>}
      </div>
      <progress value={over(counts)} max={counts.rows} aria-label="Finished rows" />
      {(failed ?? problem) && <Problem problem={(failed ?? problem)!} />}
      {!batch.live && !batch.cancelled && !batch.isOwn && counts.waiting + counts.unfinished > 0 && (
        <p class="note wait" role="note">
          This batch was started at a terminal and is continued there.
        </p>
      )}
      {children}
    </Screen>
  );
}

function Rows({ batch }: { batch: BatchDetails }) {
  const columns = [...new Set(batch.rows.flatMap((row) => Object.keys(row.values)))];
  if (batch.rows.length === 0) return <p class="quiet">No rows in this state.</p>;
  return (
    <div class="table" tabIndex={0} role="region" aria-label="The rows of the batch">
      <table class="runs rows">
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">State</th>
            {columns.map((name) => (
              <th scope="col">{name}</th>
            ))}
            <th scope="col">Run</th>
          </tr>
        </thead>
        <tbody>
          {batch.rows.map((row) => (
            <Row key={row.row} row={row} columns={columns} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, columns }: { row: BatchRowItem; columns: string[] }) {
  return (
    <tr>
      <th scope="row" class="number">
        <span class="word">Row </span>
        {row.row}
      </th>
      <td>
        <Badge verdict={row.verdict} />
        {row.error && <small class="why">{plain(row.error)}</small>}
      </td>
      {columns.map((name) => (
        <td data-label={name} title={textOf(row.values[name])}>
          {textOf(row.values[name]) || "–"}
        </td>
      ))}
      <td data-label="Run">
        {row.run && row.status !== "waiting" && row.status !== "deleted" ? (
          <Link to={`/runs/${row.run}`} aria-label={`Run of row ${row.row}`}>
            {row.status === "asking" ? "Answer" : "Show"}
          </Link>
        ) : (
          "–"
        )}
      </td>
    </tr>
  );
}

function Pages({ number, pages, onNumber }: { number: number; pages: number; onNumber(number: number): void }) {
  if (pages <= 1) return null;
  const step = (words: string, to: number, off: boolean) => (
    <button type="button" class="link" disabled={off} onClick={() => onNumber(to)}>
      {words}
    </button>
  );
  return (
    <nav class="pages" aria-label="Pages">
      {step("Previous", number - 1, number === 1)}
      <span class="quiet">
        Page {number} of {pages}
      </span>
      {step("Next", number + 1, number >= pages)}
    </nav>
  );
}

interface ActionsProps {
  batch: BatchDetails;
  onChanged(): void;
  onProblem(problem: Refused | undefined): void;
}

function Actions({ batch, onChanged, onProblem }: ActionsProps) {
  const may = useMay();
  const [sure, setSure] = useState(false);
  const { counts } = batch;
  const send = async (what: string, body: object, words: string) => {
    onProblem(undefined);
    try {
      await change<BatchItem>("POST", `/api/batches/${encodeURIComponent(batch.id)}/${what}`, body);
      announce(words);
    } catch (error) {
      onProblem(asRefused(error));
    }
    onChanged();
  };
  const stands = batch.isOwn && !batch.live && !batch.cancelled && may("run");
  const results = (format: string) => `/api/batches/${encodeURIComponent(batch.id)}/results?format=${format}`;
  return (
    <>
      {stands && counts.waiting + counts.unfinished > 0 && (
        <button type="button" class="primary" onClick={() => void send("resume", {}, "The batch continues")}>
          Resume
        </button>
      )}
      {stands && counts.failed + counts.errors + counts.cancelled > 0 && (
        <button
          type="button"
          onClick={() => void send("resume", { retryFailed: true }, "The rows that failed are started again")}
        >
          Retry failed rows
        </button>
      )}
      <a class="button" href={results("csv")} download>
        Results as CSV
      </a>
      <a class="button" href={results("jsonl")} download>
        JSON lines
      </a>
      {batch.live && may("steer") && (
        <button type="button" onClick={() => setSure(true)}>
          Cancel
        </button>
      )}
      {sure && (
        <Ask
          title="Cancel this batch?"
          text="The runs in progress are cancelled, and no further row is started. A cancelled batch cannot be continued."
          yes="Cancel the batch"
          onYes={() => void send("cancel", {}, "The batch was cancelled")}
          onClose={() => setSure(false)}
        />
      )}
    </>
  );
}

const over = (counts: BatchCounts) =>
  counts.validated + counts.unvalidated + counts.failed + counts.errors + counts.cancelled;

/** `3 of 5 rows finished: 2 successes, 1 failed; 1 waits for input`. */
export function summary(counts: BatchCounts): string {
  const parts = [
    [counts.validated, "validated"],
    [counts.unvalidated, "unvalidated"],
    [counts.failed, "failed"],
    [counts.errors, "with an error"],
    [counts.cancelled, "cancelled"],
    [counts.parked, "waiting for input"],
  ] as const;
  const named = parts.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`);
  return `${over(counts)} of ${counts.rows} rows finished${named.length ? `: ${named.join(", ")}` : ""}`;
}
