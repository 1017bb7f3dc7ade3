// A finished run as moments on a line of time, for the trace viewer: each knows when it was, what it was, and which
// facts stood around it (picture before and after, the observation in force, the call and decision it came from).
// Pure: events in, moments out.

import type {
  AiCall,
  Artifact,
  ConsoleLine,
  DecidedBy,
  Decision,
  ErrorReport,
  Event,
  PageObserved,
  Purpose,
  Question,
  RequestLine,
  ScreenshotInfo,
  StepResult,
} from "../protocol/generated";
import { failureWords } from "./failure";
import type { Tone } from "./states";
import { thoughtWords } from "./thoughts";
import type { CommandRecord } from "./types";
import { effectAgainst, stepVerdict, type Verdict } from "./verdict";
import { commandWords, tokens } from "./words";

export type Kind = "action" | "model" | "thought" | "question" | "error" | "warning" | "end";

export interface Moment {
  /** The number of the event it is known by. */
  seq: number;
  kind: Kind;
  step?: number;
  /** How long it took, in milliseconds, where that is known. */
  took?: number;
  /** Milliseconds from the beginning of the run. */
  from: number;
  to: number;
  title: string;
  note?: string;
  tone: Tone;
  command?: CommandRecord;
  call?: AiCall;
  decided?: { decider: DecidedBy; decision: Decision };
  result?: StepResult;
  /** Of a step that ended here. */
  verdict?: Verdict;
  error?: ErrorReport;
  question?: Question & { answer?: string };
  observed?: PageObserved;
  /** The text of that page, and of the one that was seen before it, when they are on record. */
  page?: Artifact;
  pageBefore?: Artifact;
  /** What the page said and asked for while the action was done, or since the one before. */
  activity?: Activity;
  /** The last call in which a model read the page, and the one before. */
  reading?: AiCall;
  readingBefore?: AiCall;
  before?: ScreenshotInfo;
  after?: ScreenshotInfo;
}

export interface Activity {
  console: ConsoleLine[];
  consoleLeftOut: number;
  requests: RequestLine[];
  requestsLeftOut: number;
}

export interface Trace {
  moments: Moment[];
  /** Milliseconds from the first to the last event. */
  length: number;
  steps: { index: number; text: string; from: number; to: number; tone: Tone }[];
  pictures: { at: number; info: ScreenshotInfo }[];
}

const PURPOSES: Record<Purpose, string> = {
  act: "The model decides",
  plan: "The model plans",
  validate: "The model checks the answer",
  extract: "The model extracts data",
  look: "The model looks at an image",
  investigate: "The model investigates",
  reflect: "The model reflects",
  compact: "The model shortens the history",
};

const READS_PAGE = new Set<string>(["act", "investigate", "extract", "validate"]);

export function trace(events: Event[]): Trace {
  const began = Date.parse(events[0]?.time ?? "");
  const at = (event: Event) => Math.max(0, Date.parse(event.time) - began);
  const made: Trace = { moments: [], length: events.length ? at(events.at(-1)!) : 0, steps: [], pictures: [] };
  const commands = new Map<string, Moment>();
  const texts = new Map<number, string>();
  const pages = new Map<string, Artifact>();
  const requests = new Map<number, RequestLine[]>();
  let observed: PageObserved | undefined;
  let observedBefore: PageObserved | undefined;
  let reading: AiCall | undefined;
  let readingBefore: AiCall | undefined;
  let call: AiCall | undefined;
  let decided: Moment["decided"];
  let asked: Moment | undefined;

  const add = (event: Event, moment: Omit<Moment, "seq" | "step" | "from" | "to"> & { from?: number }): Moment => {
    const whole: Moment & Seen = {
      observedBefore,
      seq: event.seq,
      step: event.step ?? undefined,
      from: at(event),
      to: at(event),
      observed,
      reading,
      readingBefore,
      ...moment,
    };
    made.moments.push(whole);
    return whole;
  };

  for (const event of events) {
    switch (event.type) {
      case "STEP_STARTED":
        texts.set(event.step ?? 0, event.data.text);
        made.steps.push({
          index: event.step ?? 0,
          text: event.data.text,
          from: at(event),
          to: made.length,
          tone: "busy",
        });
        call = decided = undefined;
        break;
      case "STEP_COMPLETED":
      case "STEP_FAILED": {
        const step = made.steps.findLast((one) => one.index === event.data.index);
        const verdict = stepVerdict({ state: event.data.status, result: event.data });
        if (step) Object.assign(step, { to: at(event), tone: verdict.tone });
        add(event, {
          kind: "end",
          title: `Step ${event.data.index + 1}: ${verdict.words.toLowerCase()}`,
          note: event.data.text,
          tone: verdict.tone,
          verdict,
          result: event.data,
          decided,
          call,
        });
        break;
      }
      case "PAGE_OBSERVED":
        if (observed && observed.fingerprint !== event.data.fingerprint) observedBefore = observed;
        observed = event.data;
        if (event.data.text) pages.set(event.data.fingerprint, event.data.text);
        break;
      case "PAGE_TEXT_SAVED":
        pages.set(event.data.fingerprint, event.data.text);
        break;
      case "PAGE_ACTIVITY": {
        const moment = event.data.command ? commands.get(event.data.command) : undefined;
        if (!moment) break;
        const told = event.data.requests ?? [];
        // One that had not ended when it was told is told again: it stays where it was.
        const fresh = told.filter((line) => {
          const known = requests.get(line.number);
          if (known)
            known.splice(
              known.findIndex((one) => one.number === line.number),
              1,
              line,
            );
          return !known;
        });
        for (const line of fresh) requests.set(line.number, fresh);
        const { console = [], console_left_out = 0, requests_left_out = 0 } = event.data;
        moment.activity = {
          console,
          consoleLeftOut: console_left_out,
          requests: fresh,
          requestsLeftOut: requests_left_out,
        };
        break;
      }
      case "AI_RESPONSE_RECEIVED":
        call = event.data;
        if (READS_PAGE.has(call.purpose)) [readingBefore, reading] = [reading, call];
        add(event, {
          kind: "model",
          from: Math.max(0, at(event) - event.data.latency_ms),
          title: PURPOSES[event.data.purpose],
          took: event.data.latency_ms,
          note: `${event.data.model}: ${tokens(event.data.usage.prompt_tokens)} tokens in, ${tokens(event.data.usage.completion_tokens)} out`,
          tone: event.data.error ? "bad" : "idle",
          call,
          error: event.data.error ?? undefined,
        });
        break;
      case "AI_REASONING": {
        decided = event.data;
        const last = made.moments.at(-1);
        if (event.data.decider === "model" && last?.call === call && last) last.decided = decided;
        break;
      }
      case "COMMAND_STARTED": {
        const command: CommandRecord = { ...event.data, started: event.time };
        const moment = add(event, {
          kind: "action",
          title: commandWords(command),
          tone: "wait",
          command,
          decided,
          call,
          note: "no result on record",
        });
        commands.set(command.command, moment);
        break;
      }
      case "COMMAND_COMPLETED":
      case "COMMAND_FAILED": {
        const moment = commands.get(event.data.command);
        if (!moment?.command) break;
        moment.command.result = event.data.result;
        moment.title = commandWords(moment.command);
        moment.to = at(event);
        moment.took = event.data.result.duration_ms;
        moment.tone = event.data.result.failure || event.data.result.effects?.some(effectAgainst) ? "bad" : "good";
        moment.note = event.data.result.failure ? failureWords(event.data.result.failure) : undefined;
        break;
      }
      case "SCREENSHOT_CAPTURED": {
        // A picture comes while the page is already looked at again; it shows the page as the command left it.
        const moment = event.data.commandId ? commands.get(event.data.commandId) : undefined;
        if (moment) moment.after = event.data;
        made.pictures.push({ at: moment ? moment.to : at(event), info: event.data });
        break;
      }
      case "QUESTION_ASKED":
        asked = add(event, {
          kind: "question",
          title: `asks: ${event.data.text}`,
          tone: "wait",
          question: { ...event.data },
        });
        break;
      case "QUESTION_ANSWERED":
        if (asked?.question) {
          asked.question.answer = event.data.answer;
          asked.to = at(event);
          asked.tone = "good";
        }
        break;
      case "ERROR_OCCURRED":
        add(event, {
          kind: "error",
          title: event.data.message,
          note: event.data.name,
          tone: event.data.recoverable ? "wait" : "bad",
          error: event.data,
        });
        break;
      case "WARNING_ISSUED":
        add(event, { kind: "warning", title: event.data.message, tone: "wait" });
        break;
      default: {
        const words = thoughtWords(event);
        if (words) add(event, { kind: "thought", title: words.title, note: words.text, tone: words.tone ?? "idle" });
      }
    }
  }
  made.pictures.sort((a, b) => a.at - b.at);
  for (const moment of made.moments as (Moment & Seen)[]) {
    frame(moment, made.pictures);
    // A text comes after its page was seen, so that only now all are known.
    moment.page = moment.observed && pages.get(moment.observed.fingerprint);
    moment.pageBefore = moment.observedBefore && pages.get(moment.observedBefore.fingerprint);
  }
  return made;
}

/** The page that was seen before the one in force. */
interface Seen {
  observedBefore?: PageObserved;
}

/** The picture that stood when a moment began; for what is no action, also the newest by its end. */
function frame(moment: Moment, pictures: Trace["pictures"]): void {
  const own = moment.after;
  moment.before = pictures.findLast((picture) => picture.at <= moment.from && picture.info !== own)?.info;
  if (!own && moment.kind !== "action") moment.after = pictures.findLast((picture) => picture.at <= moment.to)?.info;
}

/** Event nearest to a point in time: the last that began before it. */
export function momentAt(moments: Moment[], time: number): number {
  let found = 0;
  moments.forEach((moment, index) => {
    if (moment.from <= time && moment.from >= moments[found]!.from) found = index;
  });
  return found;
}
