// Runs a workflow once for each row of a file, or of a table that was pasted. The server reads the rows; the page shows
// the first ones before anything starts.

import { useState } from "preact/hooks";
import { change, type Refused, upload } from "../../api/client";
import type { BatchItem, RowTable, RowTableProblem, SavedWorkflowView, WorkflowInput } from "../../api/generated";
import { asRefused, useLoad } from "../../api/load";
import { go } from "../../router";
import { plain } from "../../ui/advice";
import { InputFields, inputsBody, textOf, type Values } from "../../ui/inputs";
import { Problem } from "../../ui/screen";
import { BatchList } from "../batches/list";
import { SecretsNote } from "../start/secrets-note";
import { type ColumnUses, LEFT_OUT, openProblems, withUses } from "./columns";

/** The number of rows that are shown before the start. */
const SHOWN = 5;

export function RowsSection({ saved }: { saved: SavedWorkflowView }) {
  const [open, setOpen] = useState(false);
  const batches = useLoad("/api/batches", { workflow: saved.id });
  return (
    <section class="card" aria-labelledby="rows">
      <h2 id="rows">Run for each row</h2>
      <p class="quiet">Once for each row of a table, whose columns are the inputs.</p>
      {!!batches.data?.length && <BatchList batches={batches.data} />}
      {open ? (
        <RowsForm saved={saved} onClose={() => setOpen(false)} />
      ) : (
        <div class="actions">
          <button type="button" onClick={() => setOpen(true)}>
            Choose rows
          </button>
        </div>
      )}
    </section>
  );
}

function RowsForm({ saved, onClose }: { saved: SavedWorkflowView; onClose(): void }) {
  const [text, setText] = useState("");
  const [table, setTable] = useState<RowTable>();
  const [uses, setUses] = useState<ColumnUses>({});
  const [values, setValues] = useState<Values>({});
  const [jobs, setJobs] = useState("1");
  const [maxFailures, setMaxFailures] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Refused>();
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(asRefused(error));
    }
    setBusy(false);
  };
  const read = (name: string, file: Blob) =>
    attempt(async () => {
      setTable(undefined);
      setUses({});
      setTable(await upload<RowTable>("/api/batches/rows", { name, workflow: saved.id }, file));
    });
  const used = table && withUses(table, uses);
  const shared = saved.inputs.filter((input) => !used?.columns.includes(input.name));
  const open = used ? openProblems(used, shared, values) : [];
  const start = (rows: RowTable) =>
    attempt(async () => {
      const batch = await change<BatchItem>("POST", "/api/batches", {
        run: {
          workflowId: saved.id,
          inputs: inputsBody(shared, values),
          ...(saved.secrets.length ? { secrets: saved.secrets } : {}),
        },
        rows: rows.rows,
        jobs: Number(jobs),
        ...(maxFailures ? { maxFailures: Number(maxFailures) } : {}),
      });
      go(`/batches/${batch.id}`);
    });
  return (
    <form
      aria-label="Run for each row"
      onSubmit={(event) => {
        event.preventDefault();
        void (used ? start(used) : read(pastedName(text), new Blob([text])));
      }}
    >
      <label class="stacked">
        <span>File</span>
        <input
          type="file"
          accept=".csv,.tsv,.jsonl,.ndjson,.xlsx"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (!file) return;
            setText("");
            void read(file.name, file);
          }}
        />
        <small class="hint">CSV, JSON lines or an Excel workbook</small>
      </label>
      <label class="stacked">
        <span>Or paste rows</span>
        <textarea
          rows={4}
          value={text}
          spellcheck={false}
          placeholder={saved.inputs.map((input) => input.name).join(",") || "customer,quantity"}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setTable(undefined);
          }}
        />
        <small class="hint">
          The names of the columns in the first line. A table can be pasted from a spreadsheet.
        </small>
      </label>
      {table && used && (
        <>
          <Preview table={used} />
          <RowProblems table={table} open={open} uses={uses} onUses={setUses} inputs={shared} />
          <InputFields inputs={shared} values={values} onValues={setValues} />
          <SecretsNote names={saved.secrets} />
          <div class="fields">
            <label>
              <span>At the same time</span>
              <input
                type="number"
                min={1}
                max={64}
                required
                value={jobs}
                onInput={(event) => setJobs(event.currentTarget.value)}
              />
            </label>
            <label>
              <span>Stop after failures</span>
              <input
                type="number"
                min={1}
                value={maxFailures}
                onInput={(event) => setMaxFailures(event.currentTarget.value)}
              />
            </label>
          </div>
        </>
      )}
      {problem && <Problem problem={problem} />}
      <div class="actions">
        {used ? (
          <button type="submit" class="primary" disabled={busy || open.length > 0}>
            Start {used.rows.length} {used.rows.length === 1 ? "run" : "runs"}
          </button>
        ) : (
          <button type="submit" disabled={busy || !text.trim()}>
            Read the rows
          </button>
        )}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </form>
  );
}

/** What is wrong in the rows, and for each column that the workflow does not have: what it is used as. */
function RowProblems({ table, open, uses, onUses, inputs }: RowProblemsProps) {
  if (table.problems.length === 0) return null;
  const unknown = table.problems.filter((one) => one.kind === "unknownColumn" && one.column != null);
  const others = open.filter((one) => one.kind !== "unknownColumn");
  return (
    <>
      {open.length > 0 && (
        <div class="trouble" role="alert">
          <p>
            <strong>The rows do not fit to the workflow yet</strong>
          </p>
          {open
            .filter((one) => one.kind === "unknownColumn")
            .concat(others)
            .map((one) => (
              <p key={one.message} class="detail">
                {plain(one.message)}
              </p>
            ))}
          {others.some((one) => one.kind === "missingColumn") && (
            <p>Enter one value for all rows below, or add the column to the rows.</p>
          )}
        </div>
      )}
      {unknown.length > 0 && (
        <fieldset class="inputs">
          <legend>Columns that are no inputs</legend>
          <div class="fields">
            {unknown.map(({ column }) => (
              <label key={column}>
                <span>{column}</span>
                <select
                  value={uses[column!] ?? ""}
                  onChange={(event) => onUses({ ...uses, [column!]: event.currentTarget.value })}
                >
                  <option value="">Choose …</option>
                  <option value={LEFT_OUT}>Leave it out</option>
                  {[...new Set([...inputs.map((input) => input.name), uses[column!] ?? ""])]
                    .filter((name) => name && name !== LEFT_OUT)
                    .map((name) => (
                      <option value={name}>Use it as {name}</option>
                    ))}
                </select>
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </>
  );
}

interface RowProblemsProps {
  table: RowTable;
  /** The problems that are not solved by the choices in the form. */
  open: RowTableProblem[];
  uses: ColumnUses;
  onUses(uses: ColumnUses): void;
  /** The inputs without a column. */
  inputs: WorkflowInput[];
}

/**
 * Pasted text is JSON lines if it begins like an object; a table from a spreadsheet has tabs, which the server finds
 * itself.
 */
const pastedName = (text: string) => (text.trimStart().startsWith("{") ? "pasted.jsonl" : "pasted.csv");

function Preview({ table }: { table: RowTable }) {
  return (
    <div class="table" tabIndex={0} role="region" aria-label="The first rows">
      <table>
        <caption>
          {table.rows.length} {table.rows.length === 1 ? "row" : "rows"}
          {table.rows.length > SHOWN && `, the first ${SHOWN} of them`}
        </caption>
        <thead>
          <tr>
            {table.columns.map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.slice(0, SHOWN).map((row) => (
            <tr>
              {table.columns.map((name) => (
                <td>{textOf(row[name])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
