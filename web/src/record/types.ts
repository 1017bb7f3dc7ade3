// A run as its events tell it: the same shape as `legwork::record::RunRecord` writes, so that a record made here, one
// from the server and one from `legwork export` are read by the same code. Lists are always there, even when empty.

import type {
  Action,
  ActionResult,
  AiCall,
  DecidedBy,
  Decision,
  Effect,
  ErrorReport,
  Event,
  Outcome,
  PageInfo,
  PageObserved,
  Phase,
  Question,
  ScreenshotInfo,
  Status,
  StepResult,
  Usage,
  VariableSource,
} from "../protocol/generated";

export type State = "pending" | "running" | "paused" | "interrupted" | Status;

export interface RunRecord {
  run: string;
  name: string;
  task: boolean;
  url?: string | null;
  inputs: Record<string, unknown>;
  state: State;
  phase?: Phase;
  paused?: string;
  started: string;
  last: string;
  ended?: string;
  outcome?: Outcome;
  steps: StepRecord[];
  outside: Turn[];
  variables: Record<string, Variable>;
  warnings: Warning[];
  errors: ErrorReport[];
  resumed: Resumption[];
  totals: Totals;
  seq: number;
}

export interface StepRecord {
  index: number;
  text: string;
  state: State;
  started?: string;
  ended?: string;
  result?: StepResult;
  turns: Turn[];
  questions: Asked[];
}

/** One observe → decide → act. */
export interface Turn {
  observed?: PageObserved;
  looks: number;
  calls: AiCall[];
  thoughts: Thought[];
  decided?: { decider: DecidedBy; decision: Decision };
  commands: CommandRecord[];
  pages: PageInfo[];
  pictures: ScreenshotInfo[];
}

/** What was thought besides: investigation, reflection, plans, reviews, data taken. */
export type Thought = Pick<Event, "type" | "data">;

export interface CommandRecord {
  command: string;
  action: Action;
  decider: DecidedBy;
  effect: Effect;
  started: string;
  result?: ActionResult;
  picture?: ScreenshotInfo;
}

export interface Asked {
  question: Question;
  answer?: string;
}

export interface Variable {
  value: unknown;
  source: VariableSource;
  step?: number;
}

export interface Warning {
  step?: number;
  message: string;
}

export interface Resumption {
  time: string;
  step: number;
  cut_short: boolean;
}

export interface Totals {
  steps: number;
  steps_done: number;
  steps_failed: number;
  steps_skipped: number;
  turns: number;
  iterations: number;
  observations: number;
  observation_tokens: number;
  observing_ms: number;
  /** Programs with a decider of their own are rare: left out where there is none. */
  decisions: Record<Exclude<DecidedBy, "custom">, number> & { custom?: number };
  commands: number;
  commands_failed: number;
  acting_ms: number;
  usage: Usage;
  models: Record<string, Usage>;
  calls_failed: number;
  retries: number;
  thinking_ms: number;
  pictures: number;
  plans: number;
  reflections: number;
  reviews: number;
  errors: Record<string, number>;
}
