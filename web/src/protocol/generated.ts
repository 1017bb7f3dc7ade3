// Generated from schemas/event.json by `npm run types`; do not edit.

/**
 * An appended fact.
 */
export type Event = {
  id: EventId;
  run: RunId;
  /**
   * Its number within the run: 1, 2, 3…
   */
  seq: number;
  /**
   * When it was appended.
   */
  time: string;
  /**
   * The step it belongs to, from 0.
   */
  step?: number | null;
} & (
  | {
      type: "WORKFLOW_STARTED";
      data: RunStart;
    }
  | {
      type: "WORKFLOW_PROGRESS";
      data: ExecutionProgress;
    }
  | {
      type: "WORKFLOW_COMPLETED";
      data: Outcome;
    }
  | {
      type: "WORKFLOW_FAILED";
      data: Outcome;
    }
  | {
      type: "WORKFLOW_PAUSED";
      data: {
        /**
         * Why.
         */
        reason: string;
      };
    }
  | {
      type: "WORKFLOW_RESUMED";
      data: {
        /**
         * The step it goes on with, from 0.
         */
        step: number;
      };
    }
  | {
      type: "STEP_STARTED";
      data: {
        /**
         * Its words.
         */
        text: string;
      };
    }
  | {
      type: "STEP_COMPLETED";
      data: StepResult;
    }
  | {
      type: "STEP_FAILED";
      data: StepResult;
    }
  | {
      type: "PAGE_OBSERVED";
      data: PageObserved;
    }
  | {
      type: "AI_REASONING";
      data: {
        decider: DecidedBy;
        decision: Decision;
      };
    }
  | {
      type: "AI_RESPONSE_RECEIVED";
      data: AiCall;
    }
  | {
      type: "COMMAND_STARTED";
      data: {
        command: CommandId;
        action: Action;
        decider: DecidedBy;
        effect: Effect;
      };
    }
  | {
      type: "COMMAND_COMPLETED";
      data: {
        command: CommandId;
        result: ActionResult;
      };
    }
  | {
      type: "COMMAND_FAILED";
      data: {
        command: CommandId;
        result: ActionResult;
      };
    }
  | {
      type: "PAGE_ACTIVITY";
      data: PageActivity;
    }
  | {
      type: "PAGE_TEXT_SAVED";
      data: PageText;
    }
  | {
      type: "SCREENSHOT_CAPTURED";
      data: ScreenshotInfo;
    }
  | {
      type: "VARIABLE_UPDATED";
      data: VariableInfo;
    }
  | {
      type: "PAGE_NAVIGATED";
      data: PageInfo;
    }
  | {
      type: "STATE_SAVED";
      data: {
        state: Artifact;
        /**
         * The address to return to.
         */
        url: string;
      };
    }
  | {
      type: "QUESTION_ASKED";
      data: Question;
    }
  | {
      type: "QUESTION_ANSWERED";
      data: {
        /**
         * The answer; for a secret question only its handle.
         */
        answer: string;
      };
    }
  | {
      type: "LOOP_PHASE";
      data: {
        phase: Phase;
      };
    }
  | {
      type: "INVESTIGATION_STARTED";
      data: {
        /**
         * What set it off.
         */
        reason: string;
      };
    }
  | {
      type: "INVESTIGATION_PHASE_STARTED";
      data: {
        phase: Phase;
      };
    }
  | {
      type: "INVESTIGATION_PHASE_COMPLETED";
      data: {
        phase: Phase;
        /**
         * What it came to.
         */
        summary: string;
      };
    }
  | {
      type: "INVESTIGATION_TOOL_STARTED";
      data: {
        tool: Tool;
        /**
         * On what.
         */
        target?: string;
      };
    }
  | {
      type: "INVESTIGATION_TOOL_COMPLETED";
      data: {
        tool: Tool;
        /**
         * Whether it worked; when not, the next one is tried.
         */
        ok: boolean;
        /**
         * What it said, clipped.
         */
        summary: string;
      };
    }
  | {
      type: "INVESTIGATION_COMPLETED";
      data: Findings;
    }
  | {
      type: "INVESTIGATION_FAILED";
      data: ErrorReport;
    }
  | {
      type: "REFLECTED";
      data: Reflection;
    }
  | {
      type: "PLAN_MADE";
      data: Plan;
    }
  | {
      type: "ANSWER_REVIEWED";
      data: Review;
    }
  | {
      type: "DATA_EXTRACTED";
      data: {
        /**
         * The data, of the shape that was asked for.
         */
        data: {
          [k: string]: unknown;
        };
        /**
         * Where each value came from, by JSON pointer: a ref, or a line of the page's text.
         */
        sources: {
          [k: string]: string;
        };
        /**
         * The page's address.
         */
        url: string;
        /**
         * What was asked for.
         */
        instruction?: string;
        /**
         * The values that do not stand where the model says they do, by JSON pointer: they have no source.
         */
        unverified?: string[];
        /**
         * The addresses of the second and further pages it was taken from.
         */
        pages?: string[];
        /**
         * The variable that keeps it.
         */
        variable?: string | null;
      };
    }
  | {
      type: "ELEMENT_DISCOVERED";
      data: {
        /**
         * In words.
         */
        element: string;
        /**
         * What for.
         */
        purpose: string;
      };
    }
  | {
      type: "WORKING_MEMORY_UPDATED";
      data: {
        /**
         * What is new.
         */
        update: {
          [k: string]: unknown;
        };
      };
    }
  | {
      type: "SESSION_STATUS";
      data: {
        status: SessionState;
        /**
         * More.
         */
        message?: string;
      };
    }
  | {
      type: "ERROR_OCCURRED";
      data: ErrorReport;
    }
  | {
      type: "WARNING_ISSUED";
      data: {
        /**
         * What.
         */
        message: string;
      };
    }
);
/**
 * One event of a run.
 */
export type EventId = string;
/**
 * One run of a workflow or a task. The session id of the seed documents is the same thing.
 */
export type RunId = string;
/**
 * One natural-language instruction, with what surrounds it. In a file it may be a bare string.
 */
export type Step = string | FullStep;
/**
 * What to do with an action whose intent is on record and whose result is not.
 */
export type OnResume = "retry" | "verify" | "ask";
/**
 * One browser operation.
 */
export type Action =
  | {
      action: "open";
      parameters: Open;
    }
  | {
      action: "click";
      parameters: Click;
    }
  | {
      action: "fill";
      parameters: Fill;
    }
  | {
      action: "type";
      parameters: Type;
    }
  | {
      action: "press";
      parameters: Press;
    }
  | {
      action: "select";
      parameters: Select;
    }
  | {
      action: "check";
      parameters: TargetParams;
    }
  | {
      action: "uncheck";
      parameters: TargetParams;
    }
  | {
      action: "hover";
      parameters: TargetParams;
    }
  | {
      action: "focus";
      parameters: TargetParams;
    }
  | {
      action: "blur";
      parameters: TargetParams;
    }
  | {
      action: "scroll";
      parameters: Scroll;
    }
  | {
      action: "drag";
      parameters: Drag;
    }
  | {
      action: "upload";
      parameters: Upload;
    }
  | {
      action: "dialog";
      parameters: Dialog;
    }
  | {
      action: "back";
      parameters: NoParams;
    }
  | {
      action: "forward";
      parameters: NoParams;
    }
  | {
      action: "reload";
      parameters: NoParams;
    }
  | {
      action: "wait";
      parameters: Wait;
    }
  | {
      action: "tab";
      parameters: Tab;
    }
  | {
      action: "save";
      parameters: Save;
    }
  | {
      action: "extract";
      parameters: Extract;
    }
  | {
      action: "read";
      parameters: Read;
    }
  | {
      action: "dom";
      parameters: NoParams;
    }
  | {
      action: "subdom";
      parameters: Subdom;
    }
  | {
      action: "look";
      parameters: Look;
    }
  | {
      action: "find";
      parameters: Find;
    }
  | {
      action: "call";
      parameters: Call;
    }
  | {
      action: "ask";
      parameters: Ask;
    }
  | {
      action: "done";
      parameters: Done;
    }
  | {
      action: "abort";
      parameters: Abort;
    };
/**
 * The element an action is for: a ref from the observation such as `e12`, or `text=…`, `role=button[name="Save"]`,
 * `xpath=…`, or a CSS selector.
 */
export type Target = string;
/**
 * A mouse button.
 */
export type Button = "left" | "middle" | "right";
/**
 * A key held during a click.
 */
export type Modifier = "Alt" | "Control" | "Meta" | "Shift";
/**
 * Where to scroll.
 */
export type Direction = "up" | "down" | "left" | "right" | "top" | "bottom";
/**
 * What counts as loaded.
 */
export type LoadState = "dom" | "load" | "idle";
/**
 * Parameters of [`Action::Tab`].
 */
export type Tab =
  | {
      op: "list";
    }
  | {
      op: "open";
      /**
       * The address; without it a blank tab.
       */
      url?: string | null;
    }
  | {
      op: "switch";
      /**
       * Its number in the list from 1, or a part of its title or address.
       */
      to: string;
    }
  | {
      op: "close";
      /**
       * Its number or a part of its title or address; without it the current one.
       */
      tab?: string | null;
    };
/**
 * How something ended.
 */
export type Status = "success" | "failure" | "error" | "cancelled" | "parked" | "skipped";
/**
 * How far a claim of success was checked.
 */
export type Validation = "validated" | "unvalidated" | "rejected";
/**
 * A cap that ended a run; each is an exit reason of its own.
 */
export type Budget = "iterations" | "steps" | "tokens" | "cost" | "time" | "errors";
/**
 * Whose fault it is, roughly.
 */
export type Category = "VALIDATION" | "EXECUTION" | "INTEGRATION" | "SYSTEM" | "USER";
/**
 * How bad it is.
 */
export type Severity = "LOW" | "MEDIUM" | "HIGH" | "CRITICAL";
/**
 * An error's code. 002's numbers where it has one; the names of 000 beside them.
 */
export type Code =
  | "SP001"
  | "SP002"
  | "SP003"
  | "SP004"
  | "TL001"
  | "TL002"
  | "TL003"
  | "TL004"
  | "TL005"
  | "TL006"
  | "TL007"
  | "TL008"
  | "TL009"
  | "TL010"
  | "TL011"
  | "TL012"
  | "TL013"
  | "TL014"
  | "TL015"
  | "TL016"
  | "EX001"
  | "EX002"
  | "EX003"
  | "EX004"
  | "EX005"
  | "EX006"
  | "EX007"
  | "EX008"
  | "EX009"
  | "EX010"
  | "AI001"
  | "AI002"
  | "AI003"
  | "AI004"
  | "AI005"
  | "AI006"
  | "AI007"
  | "AI008"
  | "CM001"
  | "CM002"
  | "CM003"
  | "CM004"
  | "SM001"
  | "SM002"
  | "SM003"
  | "PM001"
  | "PM002"
  | "PM003"
  | "ES001"
  | "ES002"
  | "ES003"
  | "FA001"
  | "FA002"
  | "FA003"
  | "CF001"
  | "RS001"
  | "US001"
  | "SY001";
/**
 * One command: an action handed to the browser, from its intent to its result.
 */
export type CommandId = string;
/**
 * Who decided.
 */
export type DecidedBy = "literal" | "custom" | "model";
/**
 * The kind of a fact.
 */
export type EvidenceKind =
  "url" | "title" | "text" | "element" | "response" | "download" | "dialog" | "variable" | "tab";
/**
 * Which way a fact points for the step that it was observed in. docs/evidence.md lists the rules.
 */
export type Polarity = "supporting" | "contradicting" | "neutral";
/**
 * What the decider makes of the last result.
 */
export type Verdict = "PROCEED" | "RETRY" | "ABORT";
/**
 * One command of a decision.
 */
export type Command = {
  /**
   * Why.
   */
  reasoning?: string | null;
} & Command1;
export type Command1 =
  | {
      action: "open";
      parameters: Open;
    }
  | {
      action: "click";
      parameters: Click;
    }
  | {
      action: "fill";
      parameters: Fill;
    }
  | {
      action: "type";
      parameters: Type;
    }
  | {
      action: "press";
      parameters: Press;
    }
  | {
      action: "select";
      parameters: Select;
    }
  | {
      action: "check";
      parameters: TargetParams;
    }
  | {
      action: "uncheck";
      parameters: TargetParams;
    }
  | {
      action: "hover";
      parameters: TargetParams;
    }
  | {
      action: "focus";
      parameters: TargetParams;
    }
  | {
      action: "blur";
      parameters: TargetParams;
    }
  | {
      action: "scroll";
      parameters: Scroll;
    }
  | {
      action: "drag";
      parameters: Drag;
    }
  | {
      action: "upload";
      parameters: Upload;
    }
  | {
      action: "dialog";
      parameters: Dialog;
    }
  | {
      action: "back";
      parameters: NoParams;
    }
  | {
      action: "forward";
      parameters: NoParams;
    }
  | {
      action: "reload";
      parameters: NoParams;
    }
  | {
      action: "wait";
      parameters: Wait;
    }
  | {
      action: "tab";
      parameters: Tab;
    }
  | {
      action: "save";
      parameters: Save;
    }
  | {
      action: "extract";
      parameters: Extract;
    }
  | {
      action: "read";
      parameters: Read;
    }
  | {
      action: "dom";
      parameters: NoParams;
    }
  | {
      action: "subdom";
      parameters: Subdom;
    }
  | {
      action: "look";
      parameters: Look;
    }
  | {
      action: "find";
      parameters: Find;
    }
  | {
      action: "call";
      parameters: Call;
    }
  | {
      action: "ask";
      parameters: Ask;
    }
  | {
      action: "done";
      parameters: Done;
    }
  | {
      action: "abort";
      parameters: Abort;
    };
/**
 * What the call is for; roles may have models of their own.
 */
export type Purpose = "act" | "plan" | "validate" | "extract" | "look" | "investigate" | "reflect" | "compact";
/**
 * What may be done again when nobody knows whether it was done.
 */
export type Effect = "read_only" | "idempotent" | "mutating";
/**
 * An expected failure of an action. Its display text is what a model and a person read.
 */
export type ActionFailure =
  | {
      kind: "stale_ref";
      /**
       * The ref.
       */
      target: string;
    }
  | {
      kind: "not_found";
      /**
       * What was looked for.
       */
      target: string;
      /**
       * What comes nearest.
       */
      candidates?: string[];
    }
  | {
      kind: "ambiguous";
      /**
       * What was looked for.
       */
      target: string;
      /**
       * How many.
       */
      count: number;
      /**
       * The first few.
       */
      candidates?: string[];
    }
  | {
      kind: "covered";
      /**
       * The element.
       */
      target: string;
      /**
       * What lies above it, such as `<div#consent>`.
       */
      by: string;
    }
  | {
      kind: "not_visible";
      /**
       * The element.
       */
      target: string;
    }
  | {
      kind: "disabled";
      /**
       * The element.
       */
      target: string;
    }
  | {
      kind: "not_editable";
      /**
       * The element.
       */
      target: string;
      /**
       * What it is instead.
       */
      is: string;
    }
  | {
      kind: "not_accepted";
      /**
       * The element.
       */
      target: string;
      /**
       * What was given; none for a secret.
       */
      value?: string | null;
      /**
       * What it takes, such as `a date, written 2026-12-31`.
       */
      accepts: string;
    }
  | {
      kind: "value_differs";
      /**
       * The element.
       */
      target: string;
      /**
       * What was given; none for a secret.
       */
      expected?: string | null;
      /**
       * What it holds; none for a secret.
       */
      actual?: string | null;
    }
  | {
      kind: "focus_lost";
      /**
       * The element.
       */
      target: string;
      /**
       * What has the focus instead.
       */
      to: string;
    }
  | {
      kind: "not_clickable";
      /**
       * The element.
       */
      target: string;
      /**
       * Why not.
       */
      reason: string;
    }
  | {
      kind: "moving";
      /**
       * The element.
       */
      target: string;
    }
  | {
      kind: "no_option";
      /**
       * The list.
       */
      target: string;
      /**
       * What was asked for.
       */
      option: string;
      /**
       * What there is.
       */
      options: string[];
    }
  | {
      kind: "wrong_kind";
      /**
       * The element.
       */
      target: string;
      /**
       * What it is.
       */
      is: string;
      /**
       * What to do instead.
       */
      hint: string;
    }
  | {
      kind: "timeout";
      /**
       * What.
       */
      what: string;
      /**
       * How long was waited.
       */
      ms: number;
    }
  | {
      kind: "unreachable";
      /**
       * The address.
       */
      url: string;
      /**
       * The browser's reason.
       */
      reason: string;
    }
  | {
      kind: "load_timeout";
      /**
       * The address.
       */
      url: string;
      /**
       * How long was waited.
       */
      ms: number;
    }
  | {
      kind: "refused";
      /**
       * Which rule, and what is allowed.
       */
      reason: string;
    }
  | {
      kind: "upload_not_allowed";
      /**
       * What is allowed, and how to allow more.
       */
      reason: string;
    }
  | {
      kind: "dialog_open";
      /**
       * Its kind.
       */
      dialog: string;
      /**
       * Its text.
       */
      message: string;
    }
  | {
      kind: "no_dialog";
    }
  | {
      kind: "download";
      /**
       * The file.
       */
      name: string;
      /**
       * Why.
       */
      reason: string;
    }
  | {
      kind: "invalid_argument";
      /**
       * Which, or the action that lacks one.
       */
      what: string;
      /**
       * What it may be.
       */
      reason: string;
    }
  | {
      kind: "not_available";
      /**
       * What.
       */
      what: string;
      /**
       * Why not.
       */
      reason: string;
    }
  | {
      kind: "too_large";
      /**
       * What.
       */
      what: string;
      /**
       * The limit, and what to ask for instead.
       */
      reason: string;
    }
  | {
      kind: "unreadable";
      /**
       * What.
       */
      what: string;
      /**
       * What is wrong with it.
       */
      reason: string;
    }
  | {
      kind: "script_failed";
      /**
       * The exception.
       */
      reason: string;
    }
  | {
      kind: "browser_refused";
      /**
       * Its reason.
       */
      reason: string;
    }
  | {
      kind: "not_toggled";
      /**
       * The element.
       */
      target: string;
      /**
       * `checked` or `cleared`.
       */
      state: string;
    }
  | {
      kind: "leave_declined";
      /**
       * The action that would have left it.
       */
      action: string;
    }
  | {
      kind: "tool_failed";
      /**
       * Its name.
       */
      tool: string;
      /**
       * Why.
       */
      reason: string;
    }
  | {
      kind: "not_performed";
      /**
       * The action.
       */
      action: string;
      /**
       * Why not, and what to do instead.
       */
      reason: string;
    }
  | {
      kind: "interrupted";
      /**
       * The action.
       */
      action: string;
      /**
       * By what.
       */
      reason: string;
    }
  | {
      kind: "unresponsive";
    }
  | {
      kind: "crashed";
    }
  | {
      kind: "browser_gone";
      /**
       * What is known.
       */
      reason: string;
    }
  | {
      kind: "cancelled";
    };
/**
 * Something that an action set off.
 */
export type PageEffect =
  | {
      kind: "navigated";
      /**
       * Where from.
       */
      from: string;
      /**
       * Where to.
       */
      to: string;
      /**
       * The HTTP status of the new document, when there was a response.
       */
      status?: number | null;
    }
  | {
      kind: "tab_opened";
      /**
       * Its number.
       */
      number: number;
      /**
       * Its address.
       */
      url: string;
      /**
       * Whether actions go to it from now on: our action opened it. A tab that the page opens by itself never becomes the
       * current one.
       */
      current?: boolean;
    }
  | {
      kind: "tab_closed";
      /**
       * Its number.
       */
      number: number;
    }
  | (DialogInfo & {
      kind: "dialog";
    })
  | {
      kind: "chooser_opened";
      /**
       * Where.
       */
      tab: number;
      /**
       * Whether it takes several.
       */
      multiple: boolean;
    }
  | (DownloadInfo & {
      kind: "downloaded";
    })
  | {
      kind: "blocked";
      /**
       * Where to.
       */
      url: string;
    }
  | {
      kind: "request";
      /**
       * `GET`, `POST`…
       */
      method: string;
      /**
       * Where to; secrets are handles.
       */
      url: string;
      /**
       * The HTTP status of the response; absent when there was none.
       */
      status?: number | null;
      /**
       * Why there was no response, in the browser's words.
       */
      failure?: string | null;
      /**
       * What the JSON body of a response without an error status says failed.
       */
      refusal?: string | null;
      /**
       * Values that the request carried and that the JSON body of the response gives otherwise.
       */
      altered?: AlteredValue[];
      /**
       * The page had sent such a request before the action as well, so the action need not be its cause.
       */
      background?: boolean;
      /**
       * An earlier action sent it, and it was answered only now.
       */
      earlier?: boolean;
    }
  | {
      kind: "unsettled";
      /**
       * What was still under way.
       */
      pending: string;
    };
/**
 * The kind of a JavaScript dialog.
 */
export type DialogKind = "alert" | "confirm" | "prompt" | "beforeunload";
/**
 * How bad a line of a console is.
 */
export type ConsoleLevel = "debug" | "info" | "warning" | "error";
/**
 * Where a variable's value comes from (002).
 */
export type VariableSource = "user_input" | "extracted" | "computed";
/**
 * Where the loop is (contract §4).
 */
export type Phase =
  | "INITIALIZING"
  | "GENERATING_PROMPT"
  | "QUERYING_AI"
  | "PROCESSING_RESPONSE"
  | "INVESTIGATING"
  | "INITIAL_ASSESSMENT"
  | "FOCUSED_EXPLORATION"
  | "SELECTOR_DETERMINATION"
  | "BUILDING_CONTEXT"
  | "EXECUTING_COMMANDS"
  | "REFLECTING"
  | "VALIDATING"
  | "COMPLETED"
  | "FAILED";
/**
 * A read-only tool of an investigation (000's four, and `find`).
 */
export type Tool = "look" | "read" | "dom" | "subdom" | "find";
/**
 * How much harm a wrong decision would do.
 */
export type Risk = "LOW" | "MEDIUM" | "HIGH";
/**
 * How good an answer is (004).
 */
export type Quality = "failed" | "partial" | "complete" | "excellent";
/**
 * The state of a session (contract §4).
 */
export type SessionState = "INITIALIZING" | "ACTIVE" | "PAUSED" | "COMPLETED" | "FAILED" | "CANCELLED" | "CLEANUP";

/**
 * All that is needed to begin a run, or to begin it again.
 */
export interface RunStart {
  workflow: Workflow;
  /**
   * Whether it is a lone task, whose answer is wanted.
   */
  task: boolean;
  /**
   * The inputs' values; secrets are handles.
   */
  inputs: {
    [k: string]: unknown;
  };
  /**
   * The options that shape the run, as the caller's crate writes them.
   */
  options?: {
    [k: string]: unknown;
  };
}
/**
 * Named steps plus inputs.
 */
export interface Workflow {
  /**
   * What people call it.
   */
  name: string;
  /**
   * The page to open before the first step.
   */
  url?: string | null;
  /**
   * Values the steps use as `${name}`.
   */
  inputs?: {
    [k: string]: Input;
  };
  /**
   * What to do, in order.
   */
  steps: Step[];
}
/**
 * One input: a plain value is its default, a map says more.
 */
export interface Input {
  /**
   * Used when the caller gives no value. An input without a default must be given.
   */
  default?: {
    [k: string]: unknown;
  };
  /**
   * Shown when the value is asked for.
   */
  description?: string | null;
}
export interface FullStep {
  step: string;
  expect?: string | null;
  when?: string | null;
  on_resume?: OnResume | null;
  /**
   * Seconds, or a number with a unit such as `90s`, `2m`, `500ms`.
   */
  timeout?: {
    [k: string]: unknown;
  };
  /**
   * `{"action": "click", "parameters": {"target": "#save"}}`: done as it stands, in place of what the words say.
   */
  action?: Action | null;
}
/**
 * Parameters of [`Action::Open`].
 */
export interface Open {
  /**
   * http or https address; `${variable}` allowed.
   */
  url: string;
}
/**
 * Parameters of [`Action::Click`].
 */
export interface Click {
  target: Target;
  button?: Button;
  /**
   * 2 for a double click.
   */
  count?: number;
  /**
   * Keys held meanwhile.
   */
  modifiers?: Modifier[];
}
/**
 * Parameters of [`Action::Fill`].
 */
export interface Fill {
  target: Target;
  /**
   * The new content; may be empty; `${variable}` and `${secret:NAME}` allowed.
   */
  text: string;
  /**
   * Press Enter afterwards.
   */
  submit?: boolean;
}
/**
 * Parameters of [`Action::Type`].
 */
export interface Type {
  /**
   * The field; without it, what has the focus.
   */
  target?: Target | null;
  /**
   * The text, typed key by key.
   */
  text: string;
}
/**
 * Parameters of [`Action::Press`].
 */
export interface Press {
  /**
   * `Enter`, `Escape`, `ArrowDown`, `Control+Shift+T`…
   */
  key: string;
  /**
   * The element to focus first.
   */
  target?: Target | null;
}
/**
 * Parameters of [`Action::Select`].
 */
export interface Select {
  target: Target;
  /**
   * Values or labels to choose; several only where the list allows it.
   */
  values: string[];
}
/**
 * Only a target.
 */
export interface TargetParams {
  target: Target;
}
/**
 * Parameters of [`Action::Scroll`].
 */
export interface Scroll {
  /**
   * The element to bring into view, or with a direction the box to scroll; without it the page.
   */
  target?: Target | null;
  /**
   * Where to.
   */
  direction?: Direction | null;
  /**
   * How many screens; default 1.
   */
  screens?: number | null;
}
/**
 * Parameters of [`Action::Drag`].
 */
export interface Drag {
  target: Target;
  to: Target;
}
/**
 * Parameters of [`Action::Upload`].
 */
export interface Upload {
  target: Target;
  /**
   * Paths inside the run's allowed folder.
   */
  files: string[];
}
/**
 * Parameters of [`Action::Dialog`].
 */
export interface Dialog {
  /**
   * OK or Cancel.
   */
  accept: boolean;
  /**
   * The answer to a prompt.
   */
  text?: string | null;
  /**
   * The action that opens the dialog, carried out with this answer: the first dialog that asks something is answered with
   * it, a later one is left open. The answer is discarded when the action ends, whether a dialog opened or not; the
   * result's effects tell. Without it, a dialog has to be open.
   */
  opened_by?: Action | null;
}
/**
 * No parameters.
 */
export interface NoParams {}
/**
 * Parameters of [`Action::Wait`]; at least one of them.
 */
export interface Wait {
  /**
   * Until this text is shown.
   */
  text?: string | null;
  /**
   * Until this text is gone.
   */
  gone?: string | null;
  /**
   * Until the address contains this, or matches it where `*` stands for anything.
   */
  url?: string | null;
  /**
   * Until the page has come this far.
   */
  state?: LoadState | null;
  /**
   * Plain seconds; with another condition, the longest to wait for it.
   */
  seconds?: number | null;
}
/**
 * Parameters of [`Action::Save`].
 */
export interface Save {
  target: Target;
  /**
   * `^[a-zA-Z_][a-zA-Z0-9_]*$`
   */
  variable: string;
  /**
   * An attribute instead of the value or text.
   */
  attribute?: string | null;
}
/**
 * Parameters of [`Action::Extract`].
 */
export interface Extract {
  /**
   * What to take.
   */
  instruction: string;
  /**
   * The shape of the data, as a JSON Schema.
   */
  schema?: {
    [k: string]: unknown;
  };
  /**
   * In place of a schema: the names of each item's texts. The data is a list of such items.
   */
  fields?: string[];
  /**
   * The variable to keep the data in; `^[a-zA-Z_][a-zA-Z0-9_]*$`
   */
  variable?: string | null;
  /**
   * The most pages of a list to read; default 1. What leads to the next page is clicked while it is there.
   */
  pages?: number | null;
  /**
   * What leads to the next page; without it, the one link or button whose name says so.
   */
  next?: Target | null;
}
/**
 * Parameters of [`Action::Read`].
 */
export interface Read {
  /**
   * Which elements; `body` when left out.
   */
  target?: Target | null;
  /**
   * An attribute instead of the text.
   */
  attribute?: string | null;
  /**
   * All that match, not only the first.
   */
  multiple?: boolean;
}
/**
 * Parameters of [`Action::Subdom`].
 */
export interface Subdom {
  /**
   * Which part; `main, .content, #content, article, section` when left out.
   */
  target?: Target | null;
}
/**
 * Parameters of [`Action::Look`].
 */
export interface Look {
  /**
   * The element to show; without it the whole view.
   */
  target?: Target | null;
  /**
   * Draw the refs onto the picture.
   */
  marks?: boolean;
}
/**
 * Parameters of [`Action::Find`].
 */
export interface Find {
  /**
   * A text, or a regular expression between slashes.
   */
  text: string;
}
/**
 * Parameters of [`Action::Call`].
 */
export interface Call {
  /**
   * Its name.
   */
  tool: string;
  /**
   * What it is called with, as its own schema says.
   */
  arguments?: {
    [k: string]: unknown;
  };
}
/**
 * Parameters of [`Action::Ask`].
 */
export interface Ask {
  /**
   * What the human should answer.
   */
  question: string;
  /**
   * The answer is a secret and never reaches the model.
   */
  secret?: boolean;
}
/**
 * Parameters of [`Action::Done`].
 */
export interface Done {
  /**
   * The answer, or what was achieved.
   */
  result: string;
}
/**
 * Parameters of [`Action::Abort`].
 */
export interface Abort {
  /**
   * Why.
   */
  reason: string;
}
/**
 * How far a run is (002).
 */
export interface ExecutionProgress {
  /**
   * Steps in all.
   */
  totalSteps: number;
  /**
   * Steps done.
   */
  completedSteps: number;
  /**
   * The one at work, from 0.
   */
  currentStepIndex: number;
  /**
   * Its words.
   */
  currentStepName: string;
  /**
   * 0–100.
   */
  overallProgress: number;
  /**
   * Milliseconds, from the mean of the steps so far.
   */
  estimatedTimeRemaining?: number | null;
  /**
   * Milliseconds.
   */
  averageStepDuration: number;
}
/**
 * How a run ended.
 */
export interface Outcome {
  status: Status;
  validation?: Validation & string;
  /**
   * The answer of a task.
   */
  answer?: string | null;
  /**
   * What the run knows at the end; secrets are handles.
   */
  variables: {
    [k: string]: unknown;
  };
  usage: Usage;
  /**
   * Which cap ended it, if one did.
   */
  budget?: Budget | null;
  /**
   * What went wrong.
   */
  error?: ErrorReport | null;
}
/**
 * Tokens and money. Adds up.
 */
export interface Usage {
  /**
   * Calls.
   */
  calls: number;
  /**
   * Tokens read, cached ones included.
   */
  prompt_tokens: number;
  /**
   * Of these, read from the provider's cache.
   */
  cached_tokens?: number;
  /**
   * Tokens written.
   */
  completion_tokens: number;
  /**
   * US dollars; absent when the price is not known.
   */
  cost_usd?: number | null;
  /**
   * The provider told no tokens of some call, so that Legwork counted them itself.
   */
  estimated?: boolean;
}
/**
 * The same shape in API, events and logs.
 */
export interface ErrorReport {
  /**
   * This occurrence.
   */
  id: string;
  category: Category;
  severity: Severity;
  code: Code;
  /**
   * The code's name.
   */
  name: string;
  /**
   * In words, without secrets.
   */
  message: string;
  /**
   * More, a line each: every problem found, the candidates.
   */
  details?: string[];
  /**
   * What led to it, the nearest first.
   */
  causes?: string[];
  /**
   * Whether the run can go on.
   */
  recoverable: boolean;
  /**
   * Whether the same thing may work another time.
   */
  retryable: boolean;
  /**
   * What to try.
   */
  suggestedAction: string;
  /**
   * Where it happened.
   */
  run?: RunId | null;
  /**
   * In which step, from 0.
   */
  step?: number | null;
  /**
   * In which command.
   */
  command?: CommandId | null;
}
/**
 * How a step ended.
 */
export interface StepResult {
  /**
   * From 0.
   */
  index: number;
  /**
   * The instruction as written.
   */
  text: string;
  status: Status;
  validation?: Validation & string;
  /**
   * Who decided the last action; absent when nothing was decided.
   */
  decider?: DecidedBy | null;
  /**
   * Turns taken.
   */
  iterations: number;
  /**
   * The facts that show it.
   */
  evidence: Evidence[];
  /**
   * From its start to its end.
   */
  duration_ms: number;
  /**
   * The model's words, or why it was skipped.
   */
  message?: string;
  /**
   * The page at the end; absent when it was not looked at after the last action.
   */
  final_page?: FinalPage | null;
  /**
   * What went wrong.
   */
  error?: ErrorReport | null;
}
/**
 * A fact observed by code, not claimed by a model.
 */
export interface Evidence {
  kind: EvidenceKind;
  /**
   * The fact in words: `the address is http://…/welcome`.
   */
  fact: string;
  /**
   * Whether it was asked for (`expect`, a check) rather than noted in passing.
   */
  checked?: boolean;
  polarity?: Polarity;
}
/**
 * A page at the end of a step.
 */
export interface FinalPage {
  /**
   * Its address.
   */
  url: string;
  /**
   * Its title.
   */
  title: string;
  /**
   * A fingerprint of what it shows, as in `PAGE_OBSERVED`: the text seen with it is kept there.
   */
  fingerprint: string;
}
/**
 * The page was observed. The text itself is kept out of band.
 */
export interface PageObserved {
  /**
   * The page's address.
   */
  url: string;
  /**
   * The page's title.
   */
  title: string;
  /**
   * A fingerprint of what it shows.
   */
  fingerprint: string;
  /**
   * Tokens of the text, when a text was made.
   */
  tokens?: number | null;
  /**
   * The text, when one was made.
   */
  text?: Artifact | null;
  /**
   * Milliseconds it took.
   */
  duration_ms: number;
}
/**
 * Where bytes too big for an event are kept: screenshots, page sources, observations, prompts, downloads.
 */
export interface Artifact {
  /**
   * SHA-256 of the content, in hexadecimal; the name under which the store keeps it.
   */
  hash: string;
  /**
   * Media type.
   */
  media_type: string;
  /**
   * Size in bytes.
   */
  size: number;
}
/**
 * A validated decision.
 */
export interface Decision {
  verdict: Verdict;
  /**
   * The verdict in words; the answer, when the task is finished.
   */
  message: string;
  /**
   * The model's own check of the last result.
   */
  validation?: ResultValidation | null;
  reasoning: Reasoning;
  /**
   * 0 to 1.
   */
  confidence: number;
  /**
   * What to do, in order; it stops at the first failure or page change.
   */
  commands: Command[];
}
/**
 * The model's own check of the last result.
 */
export interface ResultValidation {
  /**
   * Whether the last command did what it was for.
   */
  success: boolean;
  /**
   * What should be on the page.
   */
  expectedElements?: string[];
  /**
   * What is on the page.
   */
  actualState?: string;
  /**
   * What is wrong.
   */
  issues?: string[];
}
/**
 * Why.
 */
export interface Reasoning {
  /**
   * The page and the last result.
   */
  analysis?: string;
  /**
   * Why this decision.
   */
  rationale?: string;
  /**
   * What it will lead to.
   */
  expectedOutcome?: string;
  /**
   * What else was considered.
   */
  alternatives?: string | null;
}
/**
 * The audit record of a call to a model.
 */
export interface AiCall {
  purpose: Purpose;
  /**
   * `provider/name`.
   */
  model: string;
  request: Artifact;
  /**
   * The reply, word for word.
   */
  reply?: Artifact | null;
  usage: Usage;
  /**
   * Milliseconds it took, retries included.
   */
  latency_ms: number;
  /**
   * Transport retries.
   */
  retries: number;
  /**
   * Why it ended, as the provider says.
   */
  finish?: string | null;
  /**
   * Why there is no usable reply.
   */
  error?: ErrorReport | null;
}
/**
 * What an action did. A failure is a value, not an error.
 */
export interface ActionResult {
  /**
   * Why it did not work; absent when it did.
   */
  failure?: ActionFailure | null;
  /**
   * It failed after something that may change the world was sent to the page or to a tool: it may have been done, and is
   * not repeated before somebody looked. Older journals do not have it: their failures count as not done.
   */
  outcome_unknown?: boolean;
  /**
   * How long it took, waiting and settling included.
   */
  duration_ms: number;
  /**
   * The element it was done to, in a few words: `button "Save"`.
   */
  element?: string | null;
  /**
   * Where that element was as the action came to it, before it was scrolled into view: there it is on the picture before.
   */
  box?: ElementBox | null;
  /**
   * Where the page is afterwards.
   */
  url?: string;
  /**
   * What was read, saved or found.
   */
  value?: {
    [k: string]: unknown;
  };
  /**
   * What else happened, in order.
   */
  effects?: PageEffect[];
  /**
   * The page's HTML, when it was asked for; never inline.
   */
  dom?: Artifact | null;
  /**
   * The picture taken afterwards.
   */
  screenshot?: Artifact | null;
}
/**
 * Where an element is in its tab's view, in CSS pixels. It may be outside of what is seen.
 */
export interface ElementBox {
  /**
   * From the view's left edge.
   */
  x: number;
  /**
   * From its upper edge.
   */
  y: number;
  /**
   * How wide.
   */
  width: number;
  /**
   * How high.
   */
  height: number;
  /**
   * The view's width and height.
   *
   * @minItems 2
   * @maxItems 2
   */
  view: [number, number];
}
/**
 * A JavaScript dialog that is open, or was answered.
 */
export interface DialogInfo {
  dialog: DialogKind;
  /**
   * Its text.
   */
  message: string;
  /**
   * How it was answered; absent while it is open.
   */
  accepted?: boolean | null;
}
/**
 * A file that the page let the browser download.
 */
export interface DownloadInfo {
  /**
   * The name the site gave it, made safe.
   */
  name: string;
  /**
   * Where it is on this machine.
   */
  path: string;
  /**
   * Bytes.
   */
  size: number;
  /**
   * SHA-256 in hexadecimal.
   */
  hash: string;
  /**
   * Where it came from.
   */
  url: string;
  /**
   * The format that it has (`JSON`, `HTML`), when that is another one than its name says.
   */
  other_format?: string | null;
}
/**
 * A value that was sent to a server and that its response gives otherwise. A state is `true` or `false`; a list is its entries in
 * alphabetical order.
 */
export interface AlteredValue {
  /**
   * The name of its field.
   */
  name: string;
  /**
   * What was sent; secrets are handles.
   */
  sent: string;
  /**
   * What the response says; empty for `null`.
   */
  answered: string;
}
/**
 * What the pages of a run said and asked for from one action to the next. A request that was under way when it was told is
 * told again, under its number, once it ended.
 */
export interface PageActivity {
  /**
   * The command it came with: while it was carried out, or since the one before.
   */
  command?: CommandId | null;
  /**
   * Lines of consoles, oldest first.
   */
  console?: ConsoleLine[];
  /**
   * Requests, oldest first.
   */
  requests?: RequestLine[];
  /**
   * How many more lines there were.
   */
  console_left_out?: number;
  /**
   * How many more requests there were.
   */
  requests_left_out?: number;
}
/**
 * A line of a page's console: what its scripts wrote, what they threw, or what the browser said about the page.
 */
export interface ConsoleLine {
  /**
   * Rises over a whole session, whichever the tab.
   */
  number: number;
  level: ConsoleLevel;
  /**
   * What it says, shortened; secrets are handles.
   */
  text: string;
  /**
   * The script or document it is of, shortened.
   */
  url?: string;
  /**
   * Where in it, from 1.
   */
  line?: number | null;
  /**
   * The tab's number.
   */
  tab: number;
  /**
   * When it was read.
   */
  at: string;
}
/**
 * A request of a page, and how it ended as far as that is known.
 */
export interface RequestLine {
  /**
   * Rises over a whole session, whichever the tab. Each hop of a redirect has its own.
   */
  number: number;
  /**
   * `GET`, `POST`…
   */
  method: string;
  /**
   * Where to, shortened; secrets are handles.
   */
  url: string;
  /**
   * What for: `document`, `script`, `fetch`, `image`, `websocket`…
   */
  kind: string;
  /**
   * Of the answer; absent before it came.
   */
  status?: number | null;
  /**
   * Of the answer, as the browser understood it.
   */
  media_type?: string | null;
  /**
   * Until its last byte or its failure; absent while it is under way.
   */
  duration_ms?: number | null;
  /**
   * What came over the wire.
   */
  bytes?: number | null;
  /**
   * Why it failed, in the browser's words.
   */
  failure?: string | null;
  /**
   * The tab's number.
   */
  tab: number;
  /**
   * When it was sent.
   */
  at: string;
}
/**
 * The whole page as a text: what a decider without a model decided on. A model's is in its request.
 */
export interface PageText {
  /**
   * Of the observation that it is the text of.
   */
  fingerprint: string;
  text: Artifact;
}
/**
 * A picture (002).
 */
export interface ScreenshotInfo {
  image: Artifact;
  /**
   * The command it was taken after.
   */
  commandId?: CommandId | null;
  /**
   * The action's name.
   */
  actionType: string;
  /**
   * Pixels.
   */
  width: number;
  /**
   * Pixels.
   */
  height: number;
}
/**
 * A variable (002).
 */
export interface VariableInfo {
  /**
   * Its name.
   */
  name: string;
  /**
   * Its value.
   */
  value: {
    [k: string]: unknown;
  };
  /**
   * What it was before.
   */
  previousValue?: {
    [k: string]: unknown;
  };
  source: VariableSource;
}
/**
 * A page (002).
 */
export interface PageInfo {
  /**
   * Its address.
   */
  url: string;
  /**
   * Its title.
   */
  title: string;
  /**
   * The HTTP status of its document.
   */
  status?: number | null;
}
/**
 * A question to a human.
 */
export interface Question {
  /**
   * In words.
   */
  text: string;
  /**
   * The answer is a secret and never reaches a model.
   */
  secret?: boolean;
}
/**
 * What an investigation came to.
 */
export interface Findings {
  /**
   * What the page is and what on it matters, in a sentence or two.
   */
  insight?: string;
  /**
   * The element to act on, when code found it to be exactly one that can be acted on.
   */
  target?: string | null;
  /**
   * 0 to 1.
   */
  confidence?: number;
  /**
   * Rounds of tools it took.
   */
  rounds?: number;
  /**
   * Whether time or rounds ran out before it was sure: these are partial results.
   */
  partial?: boolean;
}
/**
 * A doubtful decision or a failed action, thought over.
 */
export interface Reflection {
  /**
   * What set it off, in words.
   */
  cause: string;
  verdict: Verdict;
  /**
   * Why.
   */
  thought: string;
  risk: Risk;
}
/**
 * How a task is to be done (004).
 */
export interface Plan {
  /**
   * What shows that the task is done.
   */
  successCriteria?: string;
  /**
   * The plan in words.
   */
  plan?: string;
  /**
   * What to do, in order.
   */
  actionItems?: string[];
  /**
   * Where to begin.
   */
  startUrl?: string | null;
  /**
   * How often it was revised.
   */
  revision?: number;
}
/**
 * An answer checked against the plan's criteria.
 */
export interface Review {
  quality: Quality;
  /**
   * What is missing, or why it is good.
   */
  feedback: string;
  /**
   * Which try it was, from 1.
   */
  attempt: number;
}
