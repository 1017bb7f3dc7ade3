// Where the errors of a run are shown: each once, next to its step if it has one. Pure.

import type { ErrorReport, ProblemsRow, Question, StepRow } from "../api/generated";

/** The code of a run that a person stopped. It is no error to that person. */
const CANCELLED = "US001";

/** The code of a run that cannot continue without a person. */
const OUTCOME_UNKNOWN = "RS001";

/**
 * Whether the open question of a run says what an error says: then the question is shown, with a field for its answer.
 */
export const isAsked = (error: ErrorReport, question: Question | null | undefined): boolean =>
  !!question && error.code === OUTCOME_UNKNOWN;

export interface PlacedProblems {
  /** By the index of the step. */
  steps: Map<number, ErrorReport>;
  /** Those without a step. */
  rest: ProblemsRow;
  /** Whether a person stopped the run. */
  stopped: boolean;
}

export function place(
  { shown, hidden }: ProblemsRow,
  rows: StepRow[],
  question: Question | null | undefined,
): PlacedProblems {
  const steps = new Map<number, ErrorReport>();
  const rest: ErrorReport[] = [];
  let stopped = false;
  for (const error of shown) {
    const row = error.step == null ? undefined : rows[error.step];
    if (isAsked(error, question)) continue;
    if (error.code === CANCELLED) stopped = true;
    else if (row && row.state !== "success" && row.state !== "pending") steps.set(row.index, error);
    else rest.push(error);
  }
  return { steps, rest: { shown: rest, hidden }, stopped };
}
