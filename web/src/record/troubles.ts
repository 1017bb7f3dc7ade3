// Which errors a person is shown: fatal ones always; recoverable ones, failures of tools, and failed validations below
// the third are noise to whoever only wants the outcome, so they stand behind "show all" (contract §5, from 004).

import type { ErrorReport } from "../protocol/generated";
import type { RunRecord } from "./types";

export interface Troubles {
  shown: ErrorReport[];
  hidden: ErrorReport[];
}

const SHOWN_FROM = 3;

export function troubles(record: RunRecord): Troubles {
  const fatal = record.outcome?.error ?? undefined;
  const seen = new Set<string>(fatal ? [fatal.id] : []);
  const result: Troubles = { shown: fatal ? [fatal] : [], hidden: [] };
  let validations = 0;
  for (const error of everything(record)) {
    if (seen.has(error.id)) continue;
    seen.add(error.id);
    if (isValidation(error)) validations++;
    const fold = isTool(error) || (isValidation(error) ? validations < SHOWN_FROM : error.recoverable);
    (fold ? result.hidden : result.shown).push(error);
  }
  return result;
}

function* everything(record: RunRecord): Iterable<ErrorReport> {
  yield* record.errors;
  for (const turn of [...record.outside, ...record.steps.flatMap((step) => step.turns)]) {
    for (const call of turn.calls) if (call.error) yield call.error;
    for (const thought of turn.thoughts) if (thought.type === "INVESTIGATION_FAILED") yield thought.data as ErrorReport;
  }
  for (const step of record.steps) if (step.result?.error) yield step.result.error;
}

/** An action or a tool of an investigation did not work; the loop deals with that. */
const isTool = (error: ErrorReport) =>
  error.recoverable && (error.name === "COMMAND_EXECUTION_ERROR" || error.name.startsWith("INVESTIGATION_TOOL"));

const isValidation = (error: ErrorReport) =>
  error.name === "VALIDATION_ERROR" || error.name === "SCHEMA_VALIDATION_ERROR";
