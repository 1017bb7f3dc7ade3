// Generated from schemas/openapi.json by `cargo xtask generate` (`npm run types`); do not edit.

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
 * One run of a workflow or a task. The session id of the seed documents is the same thing.
 */
export type RunId = string;
/**
 * One command: an action handed to the browser, from its intent to its result.
 */
export type CommandId = string;
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
 * What colour and sign say together.
 */
export type Tone = "good" | "doubt" | "bad" | "wait" | "busy" | "idle";
/**
 * What a claim of success rests on.
 */
export type ValidationLabel = "validated" | "unvalidated" | "rejected" | "contradicted";
/**
 * How far a claim of success was checked.
 */
export type Validation = "validated" | "unvalidated" | "rejected";
/**
 * Where a run or a step stands.
 */
export type RecordState =
  | "pending"
  | "running"
  | "paused"
  | "interrupted"
  | "success"
  | "failure"
  | "error"
  | "cancelled"
  | "parked"
  | "skipped";
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
 * How something ended.
 */
export type Status = "success" | "failure" | "error" | "cancelled" | "parked" | "skipped";
/**
 * A cap that ended a run; each is an exit reason of its own.
 */
export type Budget = "iterations" | "steps" | "tokens" | "cost" | "time" | "errors";
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
 * What the call is for; roles may have models of their own.
 */
export type Purpose = "act" | "plan" | "validate" | "extract" | "look" | "investigate" | "reflect" | "compact";
/**
 * What happened.
 */
export type EventKind =
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
      type: "RUN_CANCELLED";
      data: Outcome;
    }
  | {
      type: "RUN_PARKED";
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
        commandId: CommandId;
        action: Action;
        decider: DecidedBy;
        effect: Effect;
      };
    }
  | {
      type: "COMMAND_COMPLETED";
      data: {
        commandId: CommandId;
        result: ActionResult;
      };
    }
  | {
      type: "COMMAND_FAILED";
      data: {
        commandId: CommandId;
        result: ActionResult;
      };
    }
  | {
      type: "PAGE_LOG";
      data: PageLog;
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
      type: "PHASE_CHANGED";
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
      type: "REFLECTION_COMPLETED";
      data: Reflection;
    }
  | {
      type: "PLAN_UPDATED";
      data: Plan;
    }
  | {
      type: "ANSWER_VALIDATED";
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
    };
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
} & Event1;
/**
 * One event of a run.
 */
export type EventId = string;
export type Event1 =
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
      type: "RUN_CANCELLED";
      data: Outcome;
    }
  | {
      type: "RUN_PARKED";
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
        commandId: CommandId;
        action: Action;
        decider: DecidedBy;
        effect: Effect;
      };
    }
  | {
      type: "COMMAND_COMPLETED";
      data: {
        commandId: CommandId;
        result: ActionResult;
      };
    }
  | {
      type: "COMMAND_FAILED";
      data: {
        commandId: CommandId;
        result: ActionResult;
      };
    }
  | {
      type: "PAGE_LOG";
      data: PageLog;
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
      type: "PHASE_CHANGED";
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
      type: "REFLECTION_COMPLETED";
      data: Reflection;
    }
  | {
      type: "PLAN_UPDATED";
      data: Plan;
    }
  | {
      type: "ANSWER_VALIDATED";
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
    };
export type Format = "json" | "csv" | "html";
/**
 * What became of the action whose result was lost.
 */
export type Assume = "done" | "not_done";
/**
 * A part of a record that is replaced as a whole when it changes.
 */
export type RecordRow =
  | (RunRow & {
      row: "run";
    })
  | (ProgressRow & {
      row: "progress";
    })
  | (Totals & {
      row: "totals";
    })
  | (PageRow & {
      row: "page";
    })
  | (DataRow & {
      row: "data";
    })
  | (ProblemsRow & {
      row: "problems";
    })
  | (StepRow & {
      row: "step";
    })
  | (TurnRow & {
      row: "turn";
    })
  | (BandRow & {
      row: "band";
    })
  | (PictureRow & {
      row: "picture";
    })
  | (MomentRow & {
      row: "moment";
    });
/**
 * Where a command is.
 */
export type CommandState = "open" | "failed" | "refused" | "ok";
/**
 * The kind of a moment.
 */
export type MomentKind = "action" | "model" | "thought" | "question" | "error" | "warning" | "end";
/**
 * The kind of a lesson (contract §6).
 */
export type LessonKind =
  "element_discovery" | "page_insight" | "variable_extraction" | "pattern_learning" | "investigation_preference";

export interface Components {
  ErrorReport: ErrorReport;
  Category: Category;
  Severity: Severity;
  Code: Code;
  RunId: RunId;
  CommandId: CommandId;
  Pagination: Pagination;
  Me: Me;
  Link: Link;
  Started: Started;
  Links: Links;
  Execute: Execute;
  Workflow: Workflow;
  Input: Input;
  Step: Step;
  FullStep: FullStep;
  OnResume: OnResume;
  Action: Action;
  Open: Open;
  Click: Click;
  Target: Target;
  Button: Button;
  Modifier: Modifier;
  Fill: Fill;
  Type: Type;
  Press: Press;
  Select: Select;
  TargetParams: TargetParams;
  Scroll: Scroll;
  Direction: Direction;
  Drag: Drag;
  Upload: Upload;
  Dialog: Dialog;
  NoParams: NoParams;
  Wait: Wait;
  LoadState: LoadState;
  Tab: Tab;
  Save: Save;
  Extract: Extract;
  Read: Read;
  Subdom: Subdom;
  Look: Look;
  Find: Find;
  Call: Call;
  Ask: Ask;
  Done: Done;
  Abort: Abort;
  RunOptions: RunOptions;
  TemplateView: TemplateView;
  ShownInput: ShownInput;
  RunListItem: RunListItem;
  Standing: Standing;
  Tone: Tone;
  ValidationLabel: ValidationLabel;
  Usage: Usage;
  Validation: Validation;
  Session: Session;
  RunRecord: RunRecord;
  RecordState: RecordState;
  Phase: Phase;
  Outcome: Outcome;
  Status: Status;
  Budget: Budget;
  StepRecord: StepRecord;
  StepResult: StepResult;
  DecidedBy: DecidedBy;
  Evidence: Evidence;
  EvidenceKind: EvidenceKind;
  Polarity: Polarity;
  FinalPage: FinalPage;
  Turn: Turn;
  PageObserved: PageObserved;
  Artifact: Artifact;
  AiCall: AiCall;
  Purpose: Purpose;
  EventKind: EventKind;
  RunStart: RunStart;
  ExecutionProgress: ExecutionProgress;
  Decision: Decision;
  Verdict: Verdict;
  ResultValidation: ResultValidation;
  Reasoning: Reasoning;
  Command: Command;
  Effect: Effect;
  ActionResult: ActionResult;
  ActionFailure: ActionFailure;
  ElementBox: ElementBox;
  PageEffect: PageEffect;
  DialogKind: DialogKind;
  DialogInfo: DialogInfo;
  DownloadInfo: DownloadInfo;
  AlteredValue: AlteredValue;
  PageLog: PageLog;
  ConsoleLine: ConsoleLine;
  ConsoleLevel: ConsoleLevel;
  RequestLine: RequestLine;
  PageText: PageText;
  ScreenshotInfo: ScreenshotInfo;
  VariableInfo: VariableInfo;
  VariableSource: VariableSource;
  PageInfo: PageInfo;
  Question: Question;
  Tool: Tool;
  Findings: Findings;
  Reflection: Reflection;
  Risk: Risk;
  Plan: Plan;
  Review: Review;
  Quality: Quality;
  SessionState: SessionState;
  DecisionRecord: DecisionRecord;
  CommandRecord: CommandRecord;
  QuestionRecord: QuestionRecord;
  Variable: Variable;
  Warning: Warning;
  Resumption: Resumption;
  Totals: Totals;
  Decisions: Decisions;
  LoopMetrics: LoopMetrics;
  Gone: Gone;
  History: History;
  Event: Event;
  EventId: EventId;
  Picture: Picture;
  ValidationReply: ValidationReply;
  WorkflowProblem: WorkflowProblem;
  StepDecision: StepDecision;
  ExportRequest: ExportRequest;
  Format: Format;
  SteerReply: SteerReply;
  Resume: Resume;
  Assume: Assume;
  Cancel: Cancel;
  Answer: Answer;
  Stream: Stream;
  RecordPatch: RecordPatch;
  RecordRow: RecordRow;
  PlanRow: PlanRow;
  RunRow: RunRow;
  ProgressRow: ProgressRow;
  PageRow: PageRow;
  ValueRow: ValueRow;
  DataRow: DataRow;
  ProblemsRow: ProblemsRow;
  ResultRow: ResultRow;
  EvidenceRow: EvidenceRow;
  StepRow: StepRow;
  DecisionRow: DecisionRow;
  ReasonRow: ReasonRow;
  ThoughtRow: ThoughtRow;
  CommandRow: CommandRow;
  CommandState: CommandState;
  EffectRow: EffectRow;
  CallRow: CallRow;
  TurnRow: TurnRow;
  BandRow: BandRow;
  PictureRow: PictureRow;
  MomentKind: MomentKind;
  ActivityRow: ActivityRow;
  MomentRow: MomentRow;
  Up: Up;
  Detailed: Detailed;
  Browser: Browser;
  Store: Store;
  ProviderKey: ProviderKey;
  Queue: Queue;
  Integrity: Integrity;
  Dashboard: Dashboard;
  Day: Day;
  WorkflowFigures: WorkflowFigures;
  DashboardTotals: DashboardTotals;
  LessonView: LessonView;
  LessonKind: LessonKind;
  Deleted: Deleted;
  SettingsList: SettingsList;
  SettingsView: SettingsView;
  SettingChange: SettingChange;
  ScheduleView: ScheduleView;
  SchedulePlan: SchedulePlan;
  Dropped: Dropped;
  Metadata: Metadata;
  Refusal: Refusal;
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
  commandId?: CommandId | null;
}
/**
 * Where one is in a long list.
 */
export interface Pagination {
  /**
   * Items in all.
   */
  total: number;
  /**
   * From 1.
   */
  page: number;
  /**
   * Items of a page.
   */
  pageSize: number;
  hasNext: boolean;
  hasPrevious: boolean;
}
export interface Me {
  /**
   * For the header `X-Legwork-CSRF`; empty for programs, which need none.
   */
  csrf: string;
  version: string;
  /**
   * Whether the demo can be started.
   */
  demo: boolean;
}
export interface Link {
  /**
   * What follows `/open?code=`.
   */
  code: string;
}
export interface Started {
  sessionId: RunId;
  streamId: RunId;
  /**
   * `running` or `queued`.
   */
  state: string;
  /**
   * The place in the queue, from 1.
   */
  position?: number | null;
  links: Links;
}
export interface Links {
  self: string;
  events: string;
  sse: string;
  ws: string;
}
/**
 * What to run: exactly one of `workflow`, `steps`, `text`, `task` and `template`.
 */
export interface Execute {
  /**
   * A workflow.
   */
  workflow?: Workflow | null;
  /**
   * Only its steps.
   */
  steps?: Step[] | null;
  /**
   * A workflow file: YAML, JSON, Markdown or plain lines.
   */
  text?: string | null;
  /**
   * A goal in words.
   */
  task?: string | null;
  /**
   * A template's id.
   */
  template?: string | null;
  /**
   * The page to begin with.
   */
  url?: string | null;
  /**
   * Values for the workflow's inputs.
   */
  inputs?: {
    [k: string]: unknown;
  };
  /**
   * `NAME` or `NAME@ORIGIN`; the values are in the server's environment.
   */
  secrets?: string[];
  /**
   * Of runs with the same page, the newest replaces the one before.
   */
  page?: string | null;
  /**
   * The run's own settings.
   */
  options?: RunOptions | null;
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
 * What a run may set for itself.
 */
export interface RunOptions {
  /**
   * `provider/name`.
   */
  model?: string | null;
  /**
   * `auto`, `literal` or `model`.
   */
  decider?: string | null;
  /**
   * The most actions.
   */
  maxActions?: number | null;
  /**
   * The most model tokens.
   */
  maxTokens?: number | null;
  /**
   * The most US dollars.
   */
  maxCost?: number | null;
  /**
   * `success`, or `validated` where a success that nothing shows is a failure.
   */
  require?: string | null;
  /**
   * The most time: seconds, or `90s`, `5m`, `1h`.
   */
  timeout?: {
    [k: string]: unknown;
  };
  /**
   * Where it may go; never more than the server's own settings allow.
   */
  allowedDomains?: string[] | null;
  /**
   * With a window; all runs of a server share one browser, so only what the server does already is accepted.
   */
  headed?: boolean | null;
  /**
   * Whether pictures are taken.
   */
  screenshots?: boolean | null;
}
/**
 * A template as the API shows it.
 */
export interface TemplateView {
  id: string;
  name: string;
  description: string;
  /**
   * The workflow, as a file would have it.
   */
  text: string;
  url?: string | null;
  inputs: ShownInput[];
}
export interface ShownInput {
  name: string;
  description?: string | null;
  default?: unknown;
  /**
   * Its value is a secret of the server's environment and not sent.
   */
  secret: boolean;
}
/**
 * A run in one row.
 */
export interface RunListItem {
  run: RunId;
  name: string;
  /**
   * Whether it is a lone task.
   */
  task: boolean;
  /**
   * `queued`, `running`, `paused`, `parked`, `interrupted`, `success`, `failure`, `error` or `cancelled`.
   * `queued`, `running`, `paused`, `parked`, `interrupted`, `success`, `failure`, `error` or `cancelled`.
   */
  state: string;
  verdict: Standing;
  started: string;
  updated: string;
  ended?: string | null;
  stepsTotal: number;
  stepsDone: number;
  usage: Usage;
  /**
   * How far its success was checked.
   */
  validation?: Validation | null;
  error?: string | null;
  /**
   * The number of its newest event.
   */
  lastSeq: number;
  /**
   * Whether a process drives it now.
   */
  live: boolean;
  queued: boolean;
  /**
   * Its place in the queue, from 1.
   */
  position?: number | null;
}
/**
 * How a run or a step stands, for people.
 */
export interface Standing {
  tone: Tone;
  /**
   * A sign of one to two characters.
   */
  sign: string;
  /**
   * In words.
   */
  words: string;
  /**
   * Of a claim of success that was made or rejected.
   */
  claim?: ValidationLabel | null;
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
  promptTokens: number;
  /**
   * Of these, read from the provider's cache.
   */
  cachedTokens?: number;
  /**
   * Tokens written.
   */
  completionTokens: number;
  /**
   * US dollars; absent when the price is not known.
   */
  costUsd?: number | null;
  /**
   * The provider told no tokens of some call, so that Legwork counted them itself.
   */
  estimated?: boolean;
}
/**
 * A run as one page shows it.
 */
export interface Session {
  summary: RunListItem;
  state: string;
  position?: number | null;
  /**
   * Its events, folded; absent while it waits in the queue.
   */
  record?: RunRecord | null;
  /**
   * Whether a process drives it now.
   */
  live: boolean;
  paused: boolean;
  /**
   * What it waits to be answered.
   */
  question?: Question | null;
  metrics?: LoopMetrics | null;
}
/**
 * A run as its events tell it.
 */
export interface RunRecord {
  run: RunId;
  /**
   * What people call it.
   */
  name: string;
  /**
   * Whether it is a lone task.
   */
  task: boolean;
  /**
   * The page it began with.
   */
  url?: string | null;
  /**
   * The inputs it was given; secrets are handles.
   */
  inputs: {
    [k: string]: unknown;
  };
  state: RecordState;
  /**
   * What the loop was last busy with.
   */
  phase?: Phase | null;
  /**
   * Why it is paused, when it is.
   */
  paused?: string | null;
  /**
   * When it began.
   */
  started: string;
  /**
   * When its last event was appended.
   */
  last: string;
  /**
   * When it ended.
   */
  ended?: string | null;
  /**
   * How it ended.
   */
  outcome?: Outcome | null;
  /**
   * Its steps, in order; those not begun yet are there too.
   */
  steps: StepRecord[];
  /**
   * What happened outside any step, such as opening the first page.
   */
  outside: Turn[];
  /**
   * What it knows; secrets are handles.
   */
  variables: {
    [k: string]: Variable;
  };
  /**
   * What was worth knowing.
   */
  warnings: Warning[];
  /**
   * What went wrong.
   */
  errors: ErrorReport[];
  /**
   * How often it was taken up again, and where.
   */
  resumed: Resumption[];
  totals: Totals;
  /**
   * The number of the last event.
   */
  seq: number;
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
 * A step of a run.
 */
export interface StepRecord {
  /**
   * From 0.
   */
  index: number;
  /**
   * Its words.
   */
  text: string;
  state: RecordState;
  /**
   * When it began, the last time if it was begun again.
   */
  started?: string | null;
  /**
   * When it ended.
   */
  ended?: string | null;
  /**
   * How it ended.
   */
  result?: StepResult | null;
  /**
   * What was seen, decided and done, of every time it was begun.
   */
  turns: Turn[];
  /**
   * What a human was asked.
   */
  questions: QuestionRecord[];
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
  durationMs: number;
  /**
   * The model's words, or why it was skipped.
   */
  message?: string;
  /**
   * The page at the end; absent when it was not looked at after the last action.
   */
  finalPage?: FinalPage | null;
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
 * One observe → decide → act.
 */
export interface Turn {
  /**
   * The page as it was last seen before the decision.
   */
  observed?: PageObserved | null;
  /**
   * How often the page was looked at.
   */
  looks: number;
  /**
   * Calls to models, failed ones too.
   */
  calls: AiCall[];
  /**
   * What was thought besides: investigation, reflection, plans, reviews, data taken; in order.
   */
  thoughts: EventKind[];
  /**
   * What was decided.
   */
  decided?: DecisionRecord | null;
  /**
   * What was done.
   */
  commands: CommandRecord[];
  /**
   * Pages that were come to.
   */
  pages: PageInfo[];
  /**
   * Pictures that belong to no command.
   */
  pictures: ScreenshotInfo[];
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
  durationMs: number;
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
  mediaType: string;
  /**
   * Size in bytes.
   */
  size: number;
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
  latencyMs: number;
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
  outcomeUnknown?: boolean;
  /**
   * How long it took, waiting and settling included.
   */
  durationMs: number;
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
  otherFormat?: string | null;
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
export interface PageLog {
  /**
   * The command it came with: while it was carried out, or since the one before.
   */
  commandId?: CommandId | null;
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
  consoleLeftOut?: number;
  /**
   * How many more requests there were.
   */
  requestsLeftOut?: number;
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
  mediaType?: string | null;
  /**
   * Until its last byte or its failure; absent while it is under way.
   */
  durationMs?: number | null;
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
/**
 * A decision and whose it is.
 */
export interface DecisionRecord {
  decider: DecidedBy;
  decision: Decision;
}
/**
 * A command from its intent to its result.
 */
export interface CommandRecord {
  commandId: CommandId;
  action: Action;
  decider: DecidedBy;
  effect: Effect;
  /**
   * When the intent was committed.
   */
  started: string;
  /**
   * What it did. Absent while it is under way, or for ever when its result was lost.
   */
  result?: ActionResult | null;
  /**
   * The picture taken afterwards.
   */
  picture?: ScreenshotInfo | null;
}
/**
 * A question and its answer.
 */
export interface QuestionRecord {
  question: Question;
  /**
   * What was answered; for a secret its handle.
   */
  answer?: string | null;
}
/**
 * A variable and where its value comes from.
 */
export interface Variable {
  /**
   * Its value.
   */
  value: {
    [k: string]: unknown;
  };
  source: VariableSource;
  /**
   * The step that set it, from 0.
   */
  step?: number | null;
}
/**
 * Something worth knowing.
 */
export interface Warning {
  /**
   * The step it belongs to, from 0.
   */
  step?: number | null;
  /**
   * What.
   */
  message: string;
}
/**
 * A run was taken up again.
 */
export interface Resumption {
  /**
   * When.
   */
  time: string;
  /**
   * With which step, from 0.
   */
  step: number;
  /**
   * Whether the part before has no end on record: it was cut short.
   */
  cutShort: boolean;
}
/**
 * Sums over a run's events.
 */
export interface Totals {
  /**
   * Steps of the workflow.
   */
  steps: number;
  /**
   * Steps that ended well; skipped ones are not among them.
   */
  stepsDone: number;
  /**
   * Steps that ended otherwise.
   */
  stepsFailed: number;
  /**
   * Steps whose condition did not hold.
   */
  stepsSkipped: number;
  /**
   * Turns in which something was decided or done.
   */
  turns: number;
  /**
   * Turns of the steps that ended, as their results say.
   */
  iterations: number;
  /**
   * Times the page was looked at.
   */
  observations: number;
  /**
   * Tokens of the texts made of it.
   */
  observationTokens: number;
  /**
   * Milliseconds spent looking.
   */
  observingMs: number;
  decisions: Decisions;
  /**
   * Actions begun.
   */
  commands: number;
  /**
   * Actions that failed.
   */
  commandsFailed: number;
  /**
   * Milliseconds spent acting, waiting and settling included.
   */
  actingMs: number;
  usage: Usage;
  /**
   * The same, by model.
   */
  models: {
    [k: string]: Usage;
  };
  /**
   * Calls that gave no usable reply.
   */
  callsFailed: number;
  /**
   * Transport retries within calls.
   */
  retries: number;
  /**
   * Milliseconds spent waiting for models.
   */
  thinkingMs: number;
  /**
   * Pictures taken.
   */
  pictures: number;
  /**
   * Plans made and revised.
   */
  plans: number;
  /**
   * Doubts and failures thought over.
   */
  reflections: number;
  /**
   * Answers checked against their criteria.
   */
  reviews: number;
  /**
   * Failures by the name of their code: of actions, of calls to models, and what ended a step. A step that ends by an
   * action's failure counts for both.
   */
  errors: {
    [k: string]: number;
  };
}
/**
 * Decisions, by who decided.
 */
export interface Decisions {
  /**
   * Read off the step's own words.
   */
  literal: number;
  /**
   * By the program that has Legwork as a library.
   */
  custom: number;
  /**
   * By a language model.
   */
  model: number;
}
/**
 * The figures of a run. Times in milliseconds; a mean of nothing is absent.
 */
export interface LoopMetrics {
  /**
   * The run.
   */
  sessionId: string;
  /**
   * Steps of the workflow.
   */
  totalSteps: number;
  /**
   * Steps that ended well; skipped ones are not among them.
   */
  completedSteps: number;
  /**
   * Turns of the steps that ended.
   */
  totalIterations: number;
  /**
   * Turns of a step that ended and was not skipped.
   */
  averageIterationsPerStep?: number | null;
  /**
   * Steps that ended well of those that ended and were not skipped; 0 to 1.
   */
  successRate?: number | null;
  /**
   * From the start to the end of a step that ended and was not skipped.
   */
  averageExecutionTime?: number | null;
  /**
   * A call to a model, retries included.
   */
  aiResponseTime?: number | null;
  /**
   * An action, waiting and settling included.
   */
  executorResponseTime?: number | null;
  /**
   * Doubts and failures thought over.
   */
  reflectionUsage: number;
  /**
   * Failures by the name of their code.
   */
  errorBreakdown: {
    [k: string]: number;
  };
  usage: Usage;
}
export interface Gone {
  run: RunId;
}
export interface History {
  events: Event[];
  /**
   * The number to ask for next; absent at the end.
   */
  next?: number | null;
  /**
   * The number of the run's newest event.
   */
  lastSeq: number;
}
/**
 * A picture (002).
 */
export interface Picture {
  /**
   * The hash, for `/api/screenshots/{id}`.
   */
  id: string;
  /**
   * The number of its event.
   */
  seq: number;
  step?: number | null;
  /**
   * The page's address, as far as it was told before.
   */
  url?: string | null;
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
export interface ValidationReply {
  valid: boolean;
  problems: WorkflowProblem[];
  steps: StepDecision[];
}
export interface WorkflowProblem {
  severity: string;
  line: number;
  column?: number | null;
  message: string;
  suggestion?: string | null;
}
/**
 * A step, and who would decide it.
 */
export interface StepDecision {
  text: string;
  /**
   * `literal`: its words say exactly what to do; else `model`.
   */
  decider: string;
  /**
   * What its words say, when they do.
   */
  action?: string | null;
}
export interface ExportRequest {
  format: Format;
}
/**
 * The run heard it; what it makes of it is in its events.
 */
export interface SteerReply {
  sessionId: RunId;
  asked: string;
}
export interface Resume {
  /**
   * What became of the action whose result was lost, when the run waits to be told.
   */
  assume?: Assume | null;
}
export interface Cancel {
  /**
   * Why, for the record.
   */
  reason?: string | null;
}
export interface Answer {
  /**
   * The answer. To a secret question it goes to the vault, never into the journal.
   */
  text: string;
}
export interface Stream {
  streamId: RunId;
  /**
   * Whether a process drives the run now.
   */
  live: boolean;
  lastSeq: number;
  viewers: number;
}
/**
 * What of a run's record is new: rows that replace those at hand.
 */
export interface RecordPatch {
  /**
   * The number of the last event that the rows include.
   */
  seq: number;
  /**
   * The rows.
   */
  rows: RecordRow[];
}
/**
 * What the run is and where it stands.
 */
export interface RunRow {
  run: RunId;
  /**
   * What people call it.
   */
  name: string;
  /**
   * Whether it is a lone task.
   */
  task: boolean;
  /**
   * The page it began with.
   */
  url?: string | null;
  state: RecordState;
  /**
   * Whether nothing more comes by itself.
   */
  ended: boolean;
  /**
   * Whether a process drives it.
   */
  live: boolean;
  verdict: Standing;
  /**
   * When it began.
   */
  began: string;
  /**
   * When it ended.
   */
  end?: string | null;
  /**
   * Why it is paused.
   */
  paused?: string | null;
  /**
   * The answer of a task.
   */
  answer?: string | null;
  /**
   * Whether a person has to say what became of an action before it continues.
   */
  outcomeUnknown: boolean;
  /**
   * The question that waits for an answer.
   */
  question?: Question | null;
  /**
   * The newest plan.
   */
  plan?: PlanRow | null;
}
/**
 * The plan of a task.
 */
export interface PlanRow {
  /**
   * In words.
   */
  plan: string;
  /**
   * What to do, in order.
   */
  actionItems: string[];
  /**
   * What shows that the task is done.
   */
  successCriteria: string;
  /**
   * How often it was revised.
   */
  revision: number;
}
/**
 * How far a run is: what changes with almost every event.
 */
export interface ProgressRow {
  /**
   * The number of the last event.
   */
  seq: number;
  /**
   * When it was appended.
   */
  last: string;
  /**
   * What the run is busy with, in words.
   */
  phase?: string | null;
  /**
   * How long it will take, in milliseconds.
   */
  remainingMs?: number | null;
  /**
   * The time of the last event after which no model writes a reply, in microseconds since 1970; 0 before the first. A reply that
   * began earlier is over.
   */
  replyEnded: number;
}
/**
 * What the browser shows.
 */
export interface PageRow {
  /**
   * The page as it was last observed.
   */
  page?: PageInfo | null;
  /**
   * The last picture.
   */
  picture?: ScreenshotInfo | null;
}
/**
 * What a run was given and what it knows.
 */
export interface DataRow {
  /**
   * Its variables.
   */
  variables: ValueRow[];
  /**
   * Its inputs.
   */
  inputs: ValueRow[];
  /**
   * Warnings that belong to no step.
   */
  warnings: string[];
  /**
   * How often it was resumed, and where.
   */
  resumed: Resumption[];
}
/**
 * A value by name.
 */
export interface ValueRow {
  /**
   * Its name.
   */
  name: string;
  /**
   * In words; secrets are handles.
   */
  value: string;
  /**
   * The step that set it, from 0.
   */
  step?: number | null;
}
/**
 * The errors of a run.
 */
export interface ProblemsRow {
  /**
   * Those that matter to whoever wants the outcome.
   */
  shown: ErrorReport[];
  /**
   * Those that the run got over.
   */
  hidden: ErrorReport[];
}
/**
 * A step, without its turns.
 */
export interface StepRow {
  /**
   * From 0.
   */
  index: number;
  /**
   * Its words.
   */
  text: string;
  state: RecordState;
  verdict: Standing;
  /**
   * When it began.
   */
  began?: string | null;
  /**
   * When it ended.
   */
  end?: string | null;
  /**
   * Who decided last.
   */
  decider?: DecidedBy | null;
  /**
   * How it ended.
   */
  result?: ResultRow | null;
  /**
   * What a person was asked.
   */
  questions: QuestionRecord[];
  /**
   * Warnings.
   */
  warnings: string[];
}
/**
 * How a step ended.
 */
export interface ResultRow {
  /**
   * The words of the step.
   */
  text: string;
  /**
   * From its start to its end.
   */
  durationMs: number;
  /**
   * The model's words, or why it was skipped; absent when they repeat the error.
   */
  message?: string | null;
  /**
   * What went wrong.
   */
  error?: ErrorReport | null;
  verdict: Standing;
  /**
   * Why the claim stands so, in words.
   */
  reason?: string | null;
  /**
   * The facts.
   */
  evidence: EvidenceRow[];
}
/**
 * A fact with the side it speaks for.
 */
export interface EvidenceRow {
  side: Polarity;
  /**
   * ✓, ✗ or a dot.
   */
  sign: string;
  /**
   * Before the fact, for whoever does not see the sign.
   */
  words: string;
  kind: EvidenceKind;
  /**
   * Whether it was asked for.
   */
  checked: boolean;
  /**
   * The fact.
   */
  fact: string;
}
/**
 * One observe → decide → act.
 */
export interface TurnRow {
  /**
   * Its step, from 0; absent outside all steps.
   */
  step?: number | null;
  /**
   * Its number within the step, from 0.
   */
  number: number;
  /**
   * Whether nothing was decided, done or thought in it.
   */
  idle: boolean;
  /**
   * What a model decided.
   */
  decision?: DecisionRow | null;
  /**
   * What was thought besides.
   */
  thoughts: ThoughtRow[];
  /**
   * What was done.
   */
  commands: CommandRow[];
  /**
   * Calls to models.
   */
  calls: CallRow[];
}
/**
 * A model's decision.
 */
export interface DecisionRow {
  /**
   * Its verdict on the last result.
   */
  verdict: string;
  /**
   * 0 to 1.
   */
  confidence: number;
  /**
   * The verdict in words.
   */
  message: string;
  /**
   * Why.
   */
  reasons: ReasonRow[];
}
/**
 * A reason of a decision.
 */
export interface ReasonRow {
  /**
   * What the words are about.
   */
  about: string;
  /**
   * The words.
   */
  words: string;
}
/**
 * A plan, an investigation, a reflection, a review or data that was taken, in words.
 */
export interface ThoughtRow {
  /**
   * In a few words.
   */
  title: string;
  /**
   * More.
   */
  text?: string | null;
  tone: Tone;
}
/**
 * A command in words.
 */
export interface CommandRow {
  commandId: CommandId;
  /**
   * What it does or did.
   */
  words: string;
  state: CommandState;
  decider: DecidedBy;
  /**
   * Why it did not work.
   */
  failure?: string | null;
  /**
   * What else happened.
   */
  effects: EffectRow[];
  /**
   * What was read, saved or found.
   */
  value?: string | null;
  /**
   * How long it took.
   */
  durationMs?: number | null;
  /**
   * The element it was done to.
   */
  element?: string | null;
  /**
   * Where that element was before.
   */
  box?: ElementBox | null;
  /**
   * Where the page was afterwards.
   */
  url?: string | null;
}
/**
 * Something that an action caused, in words.
 */
export interface EffectRow {
  /**
   * In words.
   */
  words: string;
  /**
   * Whether it speaks against the action.
   */
  against: boolean;
}
/**
 * A call to a model.
 */
export interface CallRow {
  purpose: Purpose;
  /**
   * `provider/name`.
   */
  model: string;
  /**
   * Tokens and money, in words.
   */
  usage: string;
  /**
   * How long it took, retries included.
   */
  durationMs: number;
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
  /**
   * The hash of the request.
   */
  request: string;
  /**
   * The hash of the reply.
   */
  reply?: string | null;
}
/**
 * A step on the line of time, each time it was begun.
 */
export interface BandRow {
  /**
   * The number of the event that began it.
   */
  seq: number;
  /**
   * Milliseconds from the beginning of the run.
   */
  from: number;
  /**
   * The same; absent while it is in progress.
   */
  to?: number | null;
  tone: Tone;
}
/**
 * A picture on the line of time.
 */
export interface PictureRow {
  /**
   * The number of its event.
   */
  seq: number;
  /**
   * The moment it shows: milliseconds from the beginning of the run.
   */
  at: number;
  /**
   * Its hash.
   */
  hash: string;
}
/**
 * An event on the line of time, with the facts around it: pictures before and after, the page in force, the call and the
 * decision that it came from.
 */
export interface MomentRow {
  /**
   * The number of its event.
   */
  seq: number;
  kind: MomentKind;
  /**
   * Its step, from 0.
   */
  step?: number | null;
  /**
   * Milliseconds from the beginning of the run.
   */
  from: number;
  /**
   * The same.
   */
  to: number;
  /**
   * How long it took, in milliseconds.
   */
  took?: number | null;
  /**
   * In a few words.
   */
  title: string;
  /**
   * More.
   */
  note?: string | null;
  tone: Tone;
  /**
   * The page in force: its title, or its address.
   */
  place?: string | null;
  /**
   * The command.
   */
  command?: CommandRow | null;
  /**
   * The call to a model that it is.
   */
  call?: CallRow | null;
  /**
   * The decision that came of this call.
   */
  decision?: DecisionRow | null;
  /**
   * The number of the moment of the call that it came from.
   */
  model?: number | null;
  /**
   * How the step ended.
   */
  result?: ResultRow | null;
  /**
   * The error.
   */
  error?: ErrorReport | null;
  /**
   * The question.
   */
  question?: QuestionRecord | null;
  /**
   * The hash of the text of the page in force.
   */
  page?: string | null;
  /**
   * The hash of the text of the page before that one.
   */
  pageBefore?: string | null;
  /**
   * The hash of the last request in which a model read the page.
   */
  reading?: string | null;
  /**
   * The hash of the request before that one.
   */
  readingBefore?: string | null;
  /**
   * What the page said and requested meanwhile.
   */
  activity?: ActivityRow | null;
  /**
   * The picture when it began.
   */
  before?: ScreenshotInfo | null;
  /**
   * The picture after it.
   */
  after?: ScreenshotInfo | null;
}
/**
 * What a page said and requested while an action was done, or since the one before.
 */
export interface ActivityRow {
  /**
   * Lines of consoles.
   */
  console: ConsoleLine[];
  /**
   * How many more there were.
   */
  consoleLeftOut: number;
  /**
   * Requests.
   */
  requests: RequestLine[];
  /**
   * How many more there were.
   */
  requestsLeftOut: number;
}
export interface Up {
  status: string;
}
export interface Detailed {
  /**
   * `ok`, or `degraded` when something of the below is not as it should be.
   */
  status: string;
  browser: Browser;
  store: Store;
  keys: ProviderKey[];
  queue: Queue;
  integrity: Integrity;
}
export interface Browser {
  found: boolean;
  path?: string | null;
  problem?: string | null;
}
export interface Store {
  dataDir: string;
  runs: number;
  /**
   * Bytes of the run log.
   */
  logBytes: number;
}
/**
 * Whether the key of a provider is there; never the key.
 */
export interface ProviderKey {
  provider: string;
  /**
   * The variable it is read from.
   */
  env: string;
  present: boolean;
}
export interface Queue {
  live: number;
  maxConcurrent: number;
  waiting: number;
  maxQueue: number;
}
/**
 * What the coordinator of the seed documents owed: whether everything that belongs together is there.
 */
export interface Integrity {
  ok: boolean;
  /**
   * Runs that are under way by their record, and nobody drives them. Each can be resumed.
   */
  orphans: string[];
  /**
   * Artifacts that events name and that are not there.
   */
  missingArtifacts: number;
  /**
   * Some of them.
   */
  missing: string[];
}
export interface Dashboard {
  /**
   * The oldest first; days without a run are there too. A run belongs to the day it began on, UTC.
   */
  days: Day[];
  /**
   * Those that ran most often first, at most 200.
   */
  workflows: WorkflowFigures[];
  totals: DashboardTotals;
}
export interface Day {
  date: string;
  runs: number;
  success: number;
  /**
   * Of the successes, those that evidence shows.
   */
  validated: number;
  /**
   * Runs whose claim of success was rejected.
   */
  rejected: number;
  failure: number;
  error: number;
  cancelled: number;
  parked: number;
  durationMsMean?: number | null;
  promptTokens: number;
  completionTokens: number;
  costUsd?: number | null;
}
export interface WorkflowFigures {
  name: string;
  runs: number;
  /**
   * 0 to 1, of those that ended.
   */
  successRate?: number | null;
  /**
   * The same, of the successes that evidence shows.
   */
  validatedRate?: number | null;
  durationMsMedian?: number | null;
  tokensMean: number;
  costUsd?: number | null;
}
export interface DashboardTotals {
  runs: number;
  success: number;
  /**
   * Of the successes, those that evidence shows.
   */
  validated: number;
  /**
   * Runs whose claim of success was rejected.
   */
  rejected: number;
  failure: number;
  error: number;
  cancelled: number;
  parked: number;
  durationMsMean?: number | null;
  promptTokens: number;
  completionTokens: number;
  costUsd?: number | null;
  successRate?: number | null;
}
/**
 * A stored lesson.
 */
export interface LessonView {
  /**
   * Made of what it is known by.
   */
  id: string;
  kind: LessonKind;
  /**
   * The origin it was learned on.
   */
  site: string;
  /**
   * The kind of step it is for: its words without values; empty for all.
   */
  pattern?: string;
  /**
   * What identifies it among its kind on its site, such as `button "Sign in"`.
   */
  key: string;
  /**
   * What was learned, in words; never a secret.
   */
  text: string;
  /**
   * Details for programs.
   */
  data?: {
    [k: string]: unknown;
  };
  /**
   * How often it helped.
   */
  successes: number;
  /**
   * How often it did not.
   */
  failures: number;
  /**
   * From 0 to 1, at the time of the request.
   */
  trust: number;
  /**
   * When it was first learned.
   */
  learned: string;
  /**
   * When it last succeeded or failed.
   */
  proved: string;
}
export interface Deleted {
  id: string;
}
export interface SettingsList {
  settings: SettingsView[];
  keys: ProviderKey[];
}
export interface SettingsView {
  name: string;
  value: string;
  default: string;
  /**
   * `default`, a file with its line, a variable, or the command line.
   */
  origin: string;
  description: string;
  /**
   * What it may be, in words.
   */
  kind: string;
}
export interface SettingChange {
  /**
   * The value, as text or as it is; null takes the setting out of the file.
   */
  value?: {
    [k: string]: unknown;
  };
}
/**
 * A schedule as it is kept.
 */
export interface ScheduleView {
  id: string;
  /**
   * What people call it.
   */
  name: string;
  /**
   * Five fields (minute, hour, day, month, weekday), or `@daily` and the like.
   */
  cron: string;
  /**
   * An IANA name, such as `Europe/Lisbon`.
   */
  timezone?: string;
  /**
   * A workflow file's text.
   */
  workflow?: string | null;
  /**
   * A template's id.
   */
  template?: string | null;
  /**
   * Values for the workflow's inputs.
   */
  inputs?: {
    [k: string]: unknown;
  };
  /**
   * Told of each end, signed.
   */
  webhook?: string | null;
  enabled?: boolean;
  /**
   * When it was last looked at: what came due since is missed when no server ran.
   */
  looked: string;
  /**
   * When it last began a run.
   */
  last?: string | null;
  /**
   * The run it began last.
   */
  lastRun?: RunId | null;
  /**
   * Why it could not begin one the last time.
   */
  problem?: string | null;
  /**
   * How many times it came due while no server ran.
   */
  missed?: number;
  /**
   * When it is due next.
   */
  next?: string | null;
  /**
   * The key that its webhooks are signed with.
   */
  webhookKey?: string | null;
}
/**
 * What begins when.
 */
export interface SchedulePlan {
  /**
   * What people call it.
   */
  name: string;
  /**
   * Five fields (minute, hour, day, month, weekday), or `@daily` and the like.
   */
  cron: string;
  /**
   * An IANA name, such as `Europe/Lisbon`.
   */
  timezone?: string;
  /**
   * A workflow file's text.
   */
  workflow?: string | null;
  /**
   * A template's id.
   */
  template?: string | null;
  /**
   * Values for the workflow's inputs.
   */
  inputs?: {
    [k: string]: unknown;
  };
  /**
   * Told of each end, signed.
   */
  webhook?: string | null;
  enabled?: boolean;
}
export interface Dropped {
  id: string;
}
export interface Metadata {
  timestamp: string;
  requestId: string;
  version: string;
  processingTimeMs: number;
}
export interface Refusal {
  success: false;
  error: ErrorReport;
  metadata: Metadata;
}

/** What can be read, by its path: the parameters of the query, and the data of the answer. */
export interface Gets {
  "/api/me": { query: {  }; data: Me };
  "/api/automation/templates": { query: {  }; data: TemplateView[] };
  "/api/templates": { query: {  }; data: TemplateView[] };
  "/api/automation/sessions": { query: { page?: number; pageSize?: number; state?: string; q?: string }; data: RunListItem[] };
  "/api/sessions": { query: { page?: number; pageSize?: number; state?: string; q?: string }; data: RunListItem[] };
  "/api/automation/sessions/{id}": { query: {  }; data: Session };
  "/api/sessions/{id}": { query: {  }; data: Session };
  "/api/automation/sessions/{id}/history": { query: { from?: number; limit?: number }; data: History };
  "/api/sessions/{id}/history": { query: { from?: number; limit?: number }; data: History };
  "/api/automation/sessions/{id}/screenshots": { query: {  }; data: Picture[] };
  "/api/sessions/{id}/screenshots": { query: {  }; data: Picture[] };
  "/api/streams/{id}": { query: {  }; data: Stream };
  "/api/streams/{id}/events": { query: { from?: number; limit?: number }; data: History };
  "/api/health": { query: {  }; data: Up };
  "/api/health/detailed": { query: {  }; data: Detailed };
  "/api/dashboard": { query: { days?: number }; data: Dashboard };
  "/api/memory": { query: {  }; data: LessonView[] };
  "/api/settings": { query: {  }; data: SettingsList };
  "/api/schedules": { query: {  }; data: ScheduleView[] };
}
