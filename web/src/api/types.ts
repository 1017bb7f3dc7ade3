// What the server answers, beside the journal's own nouns. Everything that may be missing is optional: the page shows
// what there is.

import type { ErrorReport, ScreenshotInfo, Usage, Validation } from "../protocol/generated";

export interface Pagination {
  total: number;
  page: number;
  pageSize: number;
  hasNext: boolean;
  hasPrevious: boolean;
}

export interface Envelope<T> {
  success: boolean;
  data?: T;
  error?: Partial<ErrorReport> & { code?: string; message?: string };
  pagination?: Pagination;
}

export interface Me {
  csrf: string;
  version: string;
  demo?: boolean;
}

export interface RunSummary {
  run: string;
  name: string;
  task: boolean;
  state: string;
  /** How far the outcome was checked; a run that has not ended, and one on record from before this was kept, have none. */
  validation?: Validation;
  started: string;
  updated: string;
  ended?: string;
  steps_total: number;
  steps_done: number;
  usage: Usage;
  error?: string;
  last_seq: number;
  queued?: boolean;
  position?: number;
  live?: boolean;
}

export interface Session {
  summary?: RunSummary;
  live: boolean;
  paused: boolean;
  question?: { text: string; secret?: boolean };
  state?: string;
  position?: number;
}

export interface Draft {
  steps?: string[];
  text?: string;
  task?: string;
  template?: string;
  url?: string;
  inputs?: Record<string, string>;
  secrets?: string[];
  options?: Record<string, unknown>;
}

export interface Verdict {
  valid: boolean;
  problems: Problem[];
  steps: { text: string; decider: "literal" | "model"; action?: string }[];
}

export interface Problem {
  severity?: "error" | "warning";
  line?: number;
  column?: number;
  message: string;
  suggestion?: string;
}

export interface Started {
  sessionId: string;
  state: string;
  position?: number;
}

export interface Template {
  id: string;
  name: string;
  description?: string;
  text: string;
  url?: string;
  inputs?: { name: string; description?: string; default?: unknown; secret?: boolean }[];
}

export type Screenshot = ScreenshotInfo & { id: string; seq: number; step?: number; url?: string };

export interface Day {
  date: string;
  runs: number;
  success: number;
  /** Of the successes, those that evidence shows; without it, how far they were checked is not known. */
  validated?: number;
  /** Of the others, those whose claim of success was rejected. */
  rejected?: number;
  failure: number;
  error: number;
  cancelled: number;
  parked: number;
  duration_ms_mean?: number;
  prompt_tokens: number;
  completion_tokens: number;
  cost_usd?: number;
}

export interface WorkflowFigures {
  name: string;
  runs: number;
  success_rate?: number;
  /** Of those that ended, the successes that evidence shows. */
  validated_rate?: number;
  duration_ms_median?: number;
  tokens_mean?: number;
  cost_usd?: number;
}

export interface Dashboard {
  days: Day[];
  workflows: WorkflowFigures[];
  totals?: Partial<Day> & { success_rate?: number };
}

export interface Setting {
  name: string;
  value: unknown;
  default?: unknown;
  origin: string;
  description?: string;
  kind?: string;
}

export interface Settings {
  settings: Setting[];
  keys: { provider: string; env?: string; present: boolean }[];
}

export interface Lesson {
  id: string;
  kind: string;
  site: string;
  pattern: string;
  key: string;
  text: string;
  successes: number;
  failures: number;
  trust: number;
  learned?: string;
  proved?: string;
}

/** What of a schedule can be set. */
export interface Plan {
  name: string;
  cron: string;
  timezone: string;
  workflow?: string;
  template?: string;
  inputs?: Record<string, unknown>;
  webhook?: string;
  enabled: boolean;
}

export interface Schedule extends Plan {
  id: string;
  next?: string;
  last?: string;
  last_run?: string;
  missed?: number;
  /** Why it could not begin a run the last time. */
  problem?: string;
  /** The key its webhooks are signed with. */
  webhook_key?: string;
}

export interface Health {
  status?: string;
  [part: string]: unknown;
}
