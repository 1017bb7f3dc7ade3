// Events in, one record out: the fold of crates/runtime/src/record, so that the page shows what `legwork show` says.
//
// `apply` changes the record it is given; who shows it makes a copy of the top (`{...record}`) once a frame. Copying at
// every event would make a run of ten thousand events quadratic. Every kind of event is matched, so that a new one
// cannot be forgotten: the compiler says so.

import type { Event, Outcome, ScreenshotInfo, StepResult } from "../protocol/generated";
import { failureName } from "./failure";
import { countCall, countFailure, forget, noTotals, tally } from "./totals";
import type { CommandRecord, RunRecord, StepRecord, Turn } from "./types";

export function fold(events: Iterable<Event>): RunRecord | undefined {
  let record: RunRecord | undefined;
  for (const event of events) {
    if (record) apply(record, event);
    else record = begin(event);
  }
  return record;
}

/** The record of a run that has only just begun; nothing when the event is not the beginning of one. */
export function begin(event: Event): RunRecord | undefined {
  if (event.type !== "WORKFLOW_STARTED") return undefined;
  const { workflow, task, inputs } = event.data;
  const steps = workflow.steps ?? [];
  return {
    run: event.run,
    name: workflow.name ?? "",
    task,
    url: workflow.url ?? undefined,
    inputs,
    state: "running",
    started: event.time,
    last: event.time,
    steps: steps.map((step, index) => ({
      index,
      text: typeof step === "string" ? step : step.step,
      state: "pending",
      turns: [],
      questions: [],
    })),
    outside: [],
    variables: {},
    warnings: [],
    errors: [],
    resumed: [],
    totals: noTotals(steps.length),
    seq: event.seq,
  };
}

/** Takes in the next event. */
export function apply(record: RunRecord, event: Event): void {
  const { totals } = record;
  const at = event.step ?? undefined;
  record.seq = event.seq;
  record.last = event.time;
  switch (event.type) {
    // Begun is begun; what follows a second start in the same log belongs to the same run.
    case "WORKFLOW_STARTED":
      return;
    case "WORKFLOW_COMPLETED":
    case "WORKFLOW_FAILED":
      return end(record, event.time, event.data);
    case "WORKFLOW_PAUSED":
      record.state = "paused";
      record.paused = event.data.reason;
      return;
    case "WORKFLOW_RESUMED":
      return resume(record, event.time, event.data.step);
    case "STEP_STARTED": {
      const step = stepAt(record, at);
      if (!step) return;
      tally(totals, step.state, -1);
      forget(totals, step.result);
      step.text = event.data.text;
      step.state = "running";
      step.started = event.time;
      step.ended = step.result = undefined;
      return;
    }
    case "STEP_COMPLETED":
    case "STEP_FAILED":
      return endStep(record, at ?? event.data.index, event.time, event.data);
    case "PAGE_OBSERVED": {
      totals.observations += 1;
      totals.observationTokens += event.data.tokens ?? 0;
      totals.observingMs += event.data.durationMs;
      const turn = turnAt(record, at, acted);
      turn.observed = event.data;
      turn.looks += 1;
      return;
    }
    case "PAGE_TEXT_SAVED": {
      const turns = [...record.outside, ...record.steps.flatMap((step) => step.turns)];
      const turn = turns.findLast((one) => one.observed?.fingerprint === event.data.fingerprint);
      if (turn?.observed) turn.observed = { ...turn.observed, text: event.data.text };
      return;
    }
    case "REFLECTION_COMPLETED":
      totals.reflections += 1;
      return thought(record, at, event);
    case "PLAN_UPDATED":
      totals.plans += 1;
      return thought(record, at, event);
    case "ANSWER_VALIDATED":
      totals.reviews += 1;
      return thought(record, at, event);
    case "INVESTIGATION_STARTED":
    case "INVESTIGATION_PHASE_STARTED":
    case "INVESTIGATION_PHASE_COMPLETED":
    case "INVESTIGATION_TOOL_STARTED":
    case "INVESTIGATION_TOOL_COMPLETED":
    case "INVESTIGATION_COMPLETED":
    case "INVESTIGATION_FAILED":
    case "DATA_EXTRACTED":
    case "ELEMENT_DISCOVERED":
    case "WORKING_MEMORY_UPDATED":
      return thought(record, at, event);
    case "PHASE_CHANGED":
      record.phase = event.data.phase;
      return;
    case "AI_REASONING":
      totals.decisions[event.data.decider] = (totals.decisions[event.data.decider] ?? 0) + 1;
      busyTurn(record, at, acted).decided = event.data;
      return;
    case "AI_RESPONSE_RECEIVED": {
      countCall(totals, event.data);
      // A decision is thought over, and an answer judged, in the turn that brought it.
      const beside = event.data.purpose === "reflect" || event.data.purpose === "validate";
      busyTurn(record, at, beside ? never : acted).calls.push(event.data);
      return;
    }
    case "COMMAND_STARTED":
      totals.commands += 1;
      busyTurn(record, at, never).commands.push({ ...event.data, started: event.time });
      return;
    case "COMMAND_COMPLETED":
    case "COMMAND_FAILED": {
      const { command, result } = event.data;
      totals.actingMs += result.durationMs;
      if (result.failure) {
        totals.commandsFailed += 1;
        countFailure(totals, failureName(result.failure.kind));
      }
      const started = commandAt(record, at, command);
      if (started) started.result = result;
      return;
    }
    case "SCREENSHOT_CAPTURED":
      return picture(record, at, event.data);
    case "VARIABLE_UPDATED":
      record.variables[event.data.name] = { value: event.data.value, source: event.data.source, step: at };
      return;
    case "PAGE_NAVIGATED":
      turnAt(record, at, never).pages.push(event.data);
      return;
    case "QUESTION_ASKED":
      stepAt(record, at)?.questions.push({ question: event.data });
      return;
    case "QUESTION_ANSWERED": {
      const open = stepAt(record, at)?.questions.at(-1);
      if (open) open.answer = event.data.answer;
      return;
    }
    case "ERROR_OCCURRED":
      countFailure(totals, event.data.name);
      record.errors.push(event.data);
      return;
    case "WARNING_ISSUED":
      record.warnings.push({ step: at, message: event.data.message });
      return;
    // Views of what is here already, or of interest only to a resume or to who looks at one moment of the run.
    case "PAGE_LOG":
    case "WORKFLOW_PROGRESS":
    case "SESSION_STATUS":
    case "STATE_SAVED":
      return;
    default:
      // An event of a newer server: its number counts, the rest is not known here.
      event satisfies never;
  }
}

function end(record: RunRecord, time: string, outcome: Outcome): void {
  record.state = outcome.status;
  record.ended = time;
  record.outcome = outcome;
  record.paused = undefined;
}

function resume(record: RunRecord, time: string, step: number): void {
  const paused = record.state === "paused" && record.paused !== undefined;
  if (!paused) record.resumed.push({ time, step, cutShort: record.state === "running" });
  record.state = "running";
  record.paused = record.ended = record.outcome = undefined;
}

function endStep(record: RunRecord, at: number, time: string, result: StepResult): void {
  const step = stepAt(record, at);
  if (!step) return;
  // Ended twice without a start between: counted once, as it ended last.
  tally(record.totals, step.state, -1);
  tally(record.totals, result.status, 1);
  forget(record.totals, step.result);
  record.totals.iterations += result.iterations;
  if (result.error) countFailure(record.totals, result.error.name);
  step.state = result.status;
  step.ended = time;
  step.result = result;
}

function thought(record: RunRecord, at: number | undefined, { type, data }: Event): void {
  turnAt(record, at, never).thoughts.push({ type, data });
}

function picture(record: RunRecord, at: number | undefined, info: ScreenshotInfo): void {
  record.totals.pictures += 1;
  const command = info.commandId ? commandAt(record, at, info.commandId) : undefined;
  if (command) command.picture = info;
  else turnAt(record, at, never).pictures.push(info);
}

function stepAt(record: RunRecord, at: number | undefined): StepRecord | undefined {
  return at === undefined ? undefined : record.steps[at];
}

function turnsAt(record: RunRecord, at: number | undefined): Turn[] {
  return stepAt(record, at)?.turns ?? record.outside;
}

const acted = (turn: Turn) => turn.decided !== undefined || turn.commands.length > 0;
const never = () => false;

/** The turn at work; another one when `over` says that what comes now belongs to the next. */
function turnAt(record: RunRecord, at: number | undefined, over: (turn: Turn) => boolean): Turn {
  const turns = turnsAt(record, at);
  const last = turns.at(-1);
  if (last && !over(last)) return last;
  const turn: Turn = { looks: 0, calls: [], thoughts: [], commands: [], pages: [], pictures: [] };
  turns.push(turn);
  return turn;
}

/** The turn at work, in which something is decided or done now: that is what makes it count. */
function busyTurn(record: RunRecord, at: number | undefined, over: (turn: Turn) => boolean): Turn {
  const turn = turnAt(record, at, over);
  if (idle(turn)) record.totals.turns += 1;
  return turn;
}

/** Whether nothing was decided or done in it. */
export function idle(turn: Turn): boolean {
  return !turn.calls.length && !turn.decided && !turn.commands.length;
}

function commandAt(record: RunRecord, at: number | undefined, command: string): CommandRecord | undefined {
  const turns = turnsAt(record, at);
  for (let t = turns.length - 1; t >= 0; t--) {
    const found = turns[t]!.commands.findLast((one) => one.command === command);
    if (found) return found;
  }
  return undefined;
}
