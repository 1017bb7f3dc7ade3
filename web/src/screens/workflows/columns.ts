// What becomes of the columns that are no inputs of a workflow: they are left out, or used as another input. Pure.

import type { RowTable, RowTableProblem, WorkflowInput } from "../../api/generated";
import type { Values } from "../../ui/inputs";

/** For a column: the name of an input, or `LEFT_OUT`. Absent or empty: nothing was chosen. */
export type ColumnUses = Record<string, string>;

/** No input has this name: names consist of letters, digits and `_`. */
export const LEFT_OUT = "-";

/** The table with its columns as they are used. */
export function withUses(table: RowTable, uses: ColumnUses): RowTable {
  const nameOf = (column: string) => uses[column] || column;
  const used = table.columns.filter((column) => nameOf(column) !== LEFT_OUT);
  // What is wrong in the cells of a column that is no input matters only if it becomes one; then the start says it.
  const unknown = new Set(table.problems.filter((one) => one.kind === "unknownColumn").map((one) => one.column));
  const problems = table.problems.filter(({ kind, column }) =>
    kind === "content" ? !unknown.has(column) : kind === "missingColumn" || !uses[column ?? ""],
  );
  const rows = table.rows.map((row) =>
    Object.fromEntries(used.filter((column) => column in row).map((column) => [nameOf(column), row[column]])),
  );
  return { columns: used.map(nameOf), rows, problems };
}

/**
 * The problems that remain with what was chosen for columns and entered for all rows. `shared` are the inputs without a
 * column.
 */
export function openProblems(used: RowTable, shared: WorkflowInput[], values: Values): RowTableProblem[] {
  const isMissing = (name: string | null | undefined) =>
    shared.some((input) => input.name === name && !values[input.name]?.trim());
  return used.problems.filter(({ kind, column }) => kind !== "missingColumn" || isMissing(column));
}
