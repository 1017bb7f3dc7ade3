// Generated from schemas/openapi.json by `cargo xtask generate` (`npm run types`); do not edit.

/**
 * The category of an error, by the part that caused it.
 */
export type Category = "VALIDATION" | "EXECUTION" | "INTEGRATION" | "SYSTEM" | "USER";
/**
 * The severity of an error.
 */
export type Severity = "LOW" | "MEDIUM" | "HIGH" | "CRITICAL";
/**
 * An error code, with its name.
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
  | "TL017"
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
  | "EX011"
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
  | "FA004"
  | "CF001"
  | "RS001"
  | "RS002"
  | "US001"
  | "SY001";
/**
 * One run of a workflow or a task.
 */
export type RunId = string;
/**
 * One command: an action that is sent to the browser, from its intent to its result.
 */
export type CommandId = string;
/**
 * One kind of operation. A token may carry out those whose scopes it has, and no other.
 */
export type TokenScope = "read" | "run" | "steer" | "admin";
/**
 * The scopes of a token.
 */
export type Scopes = TokenScope[];
/**
 * One instruction in natural language, with its options. In a file it can be a plain string.
 */
export type Step = string | FullStep | IfElse | ForEach;
/**
 * What to do with an action whose intent is in the journal and whose result is not.
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
      action: "expand";
      parameters: TargetParams;
    }
  | {
      action: "collapse";
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
 * The target element of an action: a ref from the observation such as `e12`, or `button "Save"` as an observation
 * shows it, `text=…`, `role=button[name="Save"]`, `xpath=…`, or a CSS selector. Of several matches, ` >> nth=0` is the
 * first and ` >> nth=-1` the last.
 */
export type Target = string;
/**
 * A mouse button.
 */
export type Button = "left" | "middle" | "right";
/**
 * A modifier key that is held during a click.
 */
export type Modifier = "Alt" | "Control" | "Meta" | "Shift";
/**
 * A scroll direction or end.
 */
export type Direction = "up" | "down" | "left" | "right" | "top" | "bottom";
/**
 * A stage of loading a page.
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
       * The URL; without it, a blank tab.
       */
      url?: string | null;
    }
  | {
      op: "switch";
      /**
       * The number of the tab in the list, from 1, or a part of its title or URL.
       */
      to: string;
    }
  | {
      op: "close";
      /**
       * The number of the tab, or a part of its title or URL; without it, the current tab.
       */
      tab?: string | null;
    };
/**
 * The type of an input. It follows from the default value, because a workflow file declares no types.
 */
export type InputKind = ("text" | "number") | "flag" | "list" | "json";
/**
 * The state of a session.
 */
export type SessionState = "INITIALIZING" | "ACTIVE" | "PAUSED" | "COMPLETED" | "FAILED" | "CANCELLED" | "CLEANUP";
/**
 * What colour and sign express together.
 */
export type Tone = "good" | "doubt" | "bad" | "wait" | "busy" | "idle";
/**
 * How well a claim of success is supported.
 */
export type ValidationLabel = "validated" | "unvalidated" | "rejected" | "contradicted";
/**
 * To what extent a claim of success was checked.
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
 * A phase of the agent loop.
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
 * The status with which a task, step or run ended.
 */
export type Status = "success" | "failure" | "error" | "cancelled" | "parked" | "skipped";
/**
 * A budget whose exhaustion ended a run. Each is a separate exit reason.
 */
export type Budget = "iterations" | "actions" | "tokens" | "cost" | "time" | "errors";
/**
 * The kind of decider.
 */
export type DecidedBy = "literal" | "playbook" | "custom" | "model";
/**
 * The kind of a piece of evidence.
 */
export type EvidenceKind =
  "url" | "title" | "text" | "element" | "response" | "download" | "dialog" | "variable" | "tab";
/**
 * Whether a fact supports the success of its step. docs/evidence.md lists the rules.
 */
export type Polarity = "supporting" | "contradicting" | "neutral";
/**
 * What a group of steps expanded to. A resumed run reads it from the journal and does not decide again.
 */
export type Expansion =
  | {
      kind: "branch";
      taken: Branch;
      /**
       * The number of its steps.
       */
      steps: number;
    }
  | {
      kind: "iterations";
      /**
       * The variable that contains the row or value.
       */
      variable: string;
      /**
       * The words for the table or list; absent for a list of values.
       */
      place?: string | null;
      /**
       * The origin of the page that the values come from; absent for values of the caller.
       */
      origin?: string | null;
      /**
       * The columns whose texts identify a row.
       */
      key?: string[];
      /**
       * The rows or values, in order.
       */
      items: IterationItem[];
      /**
       * The number of steps of all iterations.
       */
      steps: number;
    };
/**
 * A branch of a condition.
 */
export type Branch = "then" | "else";
/**
 * The purpose of a call. Each purpose can have its own model.
 */
export type Purpose = "act" | "plan" | "validate" | "extract" | "look" | "investigate" | "reflect" | "compact";
/**
 * The kinds of events with their data.
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
         * The reason.
         */
        reason: string;
      };
    }
  | {
      type: "WORKFLOW_RESUMED";
      data: {
        /**
         * The step at which it continues, from 0.
         */
        step: number;
      };
    }
  | {
      type: "STEP_STARTED";
      data: {
        /**
         * The instruction of the step.
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
      type: "POLICY_DECIDED";
      data: PolicyDecision;
    }
  | {
      type: "COMMAND_STARTED";
      data: {
        commandId: CommandId;
        action: Action;
        decider: DecidedBy;
        effect: Effect;
        /**
         * What identifies its elements again, and how a replay found them.
         */
        identity?: ActionIdentity | null;
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
      type: "CHANGE_OBSERVED";
      data: {
        /**
         * The elements that appeared.
         */
        appeared?: string[];
        /**
         * The elements that disappeared.
         */
        disappeared?: string[];
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
         * The URL at which the run continues.
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
      type: "USER_CONTROL_ENDED";
      data: {
        /**
         * The number of clicks.
         */
        clicks: number;
        /**
         * Whether text was typed or a key was pressed.
         */
        typed: boolean;
        /**
         * The URL of the page then.
         */
        url: string;
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
         * The reason for it.
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
         * A summary of the result.
         */
        summary: string;
      };
    }
  | {
      type: "INVESTIGATION_TOOL_STARTED";
      data: {
        tool: Tool;
        /**
         * The part of the page to which the tool applies.
         */
        target?: string;
      };
    }
  | {
      type: "INVESTIGATION_TOOL_COMPLETED";
      data: {
        tool: Tool;
        /**
         * Whether it succeeded; if not, the next tool is tried.
         */
        ok: boolean;
        /**
         * Its output, shortened.
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
         * The data, in the requested shape.
         */
        data: {
          [k: string]: unknown;
        };
        /**
         * The source of each value, by JSON pointer: a ref, or a line of the page's text.
         */
        sources: {
          [k: string]: string;
        };
        /**
         * The URL of the page.
         */
        url: string;
        /**
         * The instruction of the extraction.
         */
        instruction?: string;
        /**
         * The values, as JSON pointers, that were not found at the place that the model named. They have no source.
         */
        unverified?: string[];
        /**
         * The URLs of the second and further pages that were read.
         */
        pages?: string[];
        /**
         * The variable in which the data is saved.
         */
        variable?: string | null;
      };
    }
  | {
      type: "ELEMENT_DISCOVERED";
      data: {
        /**
         * A description of the element.
         */
        element: string;
        /**
         * Its purpose.
         */
        purpose: string;
        /**
         * How certain the investigation is of it, from 0 to 1. Events of versions before 0.19 have none.
         */
        confidence?: number | null;
        /**
         * How it was found. Events of versions before 0.19 have none.
         */
        method?: DiscoveryMethod | null;
      };
    }
  | {
      type: "WORKING_MEMORY_UPDATED";
      data: {
        /**
         * The change.
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
         * Details.
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
         * The text of the warning.
         */
        message: string;
      };
    };
/**
 * The decider's verdict on the last result.
 */
export type Verdict = "PROCEED" | "RETRY" | "ABORT";
/**
 * One command of a decision.
 */
export type Command = {
  /**
   * The reason for the command.
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
      action: "expand";
      parameters: TargetParams;
    }
  | {
      action: "collapse";
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
 * What a rule does with the actions that it matches.
 */
export type PolicyEffect = "allow" | "ask" | "deny";
/**
 * The origin of a value that an action carries into the browser or to a tool. As text: `user`, `secret`,
 * `page:https://shop.example`, `tool:NAME`, `model`.
 */
export type Provenance = string;
/**
 * Whether an action may be repeated when its outcome is unknown.
 */
export type Effect = "read_only" | "idempotent" | "mutating";
/**
 * An expected failure of an action. Models and people read its display text.
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
       * The target.
       */
      target: string;
      /**
       * The most similar elements.
       */
      candidates?: string[];
    }
  | {
      kind: "ambiguous";
      /**
       * The target.
       */
      target: string;
      /**
       * The number of matches.
       */
      count: number;
      /**
       * The first few matches.
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
       * The element on top, such as `<div#consent>`.
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
       * A description of the element.
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
       * The value; absent for a secret.
       */
      value?: string | null;
      /**
       * The values that it accepts, such as `a date, written 2026-12-31`.
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
       * The value that was entered; absent for a secret.
       */
      expected?: string | null;
      /**
       * The value that the element has; absent for a secret.
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
       * The element that has the focus.
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
       * The reason.
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
       * The requested option.
       */
      option: string;
      /**
       * The options of the list.
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
       * A description of the element.
       */
      is: string;
      /**
       * A suggestion what to do instead.
       */
      hint: string;
    }
  | {
      kind: "timeout";
      /**
       * The condition.
       */
      what: string;
      /**
       * The time limit in milliseconds.
       */
      ms: number;
    }
  | {
      kind: "unreachable";
      /**
       * The URL.
       */
      url: string;
      /**
       * The reason that the browser reported.
       */
      reason: string;
    }
  | {
      kind: "load_timeout";
      /**
       * The URL.
       */
      url: string;
      /**
       * The time limit in milliseconds.
       */
      ms: number;
    }
  | {
      kind: "refused";
      /**
       * The rule, and what is allowed.
       */
      reason: string;
    }
  | {
      kind: "forbidden";
      /**
       * The rule.
       */
      reason: string;
    }
  | {
      kind: "policy_refused";
      /**
       * The rule: `default:write-site`, or the file and the line of a rule with its name.
       */
      rule: string;
      /**
       * Why the rule refuses the action.
       */
      reason: string;
      /**
       * How the user can allow it.
       */
      hint: string;
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
       * The kind of the dialog.
       */
      dialog: string;
      /**
       * The text of the dialog.
       */
      message: string;
    }
  | {
      kind: "no_dialog";
    }
  | {
      kind: "download";
      /**
       * The name of the file.
       */
      name: string;
      /**
       * The reason.
       */
      reason: string;
    }
  | {
      kind: "invalid_argument";
      /**
       * The parameter, or the action that lacks one.
       */
      what: string;
      /**
       * The values that are allowed.
       */
      reason: string;
    }
  | {
      kind: "not_available";
      /**
       * The item.
       */
      what: string;
      /**
       * The reason.
       */
      reason: string;
    }
  | {
      kind: "too_large";
      /**
       * The content.
       */
      what: string;
      /**
       * The limit, and what to request instead.
       */
      reason: string;
    }
  | {
      kind: "unreadable";
      /**
       * The reply.
       */
      what: string;
      /**
       * The defect.
       */
      reason: string;
    }
  | {
      kind: "script_failed";
      /**
       * The exception or the reason.
       */
      reason: string;
    }
  | {
      kind: "browser_refused";
      /**
       * The reason that the browser reported.
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
       * The intended state: `checked`, `cleared`, `expanded` or `collapsed`.
       */
      state: string;
    }
  | {
      kind: "leave_declined";
      /**
       * The action that would have left the page.
       */
      action: string;
    }
  | {
      kind: "tool_failed";
      /**
       * The name of the tool.
       */
      tool: string;
      /**
       * The reason.
       */
      reason: string;
    }
  | {
      kind: "not_performed";
      /**
       * The name of the action.
       */
      action: string;
      /**
       * The reason, and what to do instead.
       */
      reason: string;
    }
  | {
      kind: "interrupted";
      /**
       * The name of the action.
       */
      action: string;
      /**
       * The cause.
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
       * The reason, as far as it is known.
       */
      reason: string;
    }
  | {
      kind: "cancelled";
    };
/**
 * An effect of an action.
 */
export type PageEffect =
  | {
      kind: "navigated";
      /**
       * The previous URL.
       */
      from: string;
      /**
       * The new URL.
       */
      to: string;
      /**
       * The HTTP status of the new document, if there was a response and the browser reports its status.
       */
      status?: number | null;
      /**
       * Whether a document was loaded whose status the browser does not report. Without it and without a status,
       * only the address of the document changed.
       */
      statusUnknown?: boolean;
    }
  | {
      kind: "tab_opened";
      /**
       * The number of the tab.
       */
      number: number;
      /**
       * The URL of the tab.
       */
      url: string;
      /**
       * Whether the tab is the current one from now on, because an action opened it. A tab that the page opens by
       * itself never becomes the current one.
       */
      current?: boolean;
    }
  | {
      kind: "tab_closed";
      /**
       * The number of the tab.
       */
      number: number;
    }
  | (DialogInfo & {
      kind: "dialog";
    })
  | {
      kind: "chooser_opened";
      /**
       * The number of the tab.
       */
      tab: number;
      /**
       * Whether it accepts several files.
       */
      multiple: boolean;
    }
  | (DownloadInfo & {
      kind: "downloaded";
    })
  | {
      kind: "blocked";
      /**
       * The URL of the request.
       */
      url: string;
      /**
       * Why an action of this run may not cause it, if its address alone is allowed.
       */
      reason?: string;
    }
  | {
      kind: "request";
      /**
       * `GET`, `POST`…
       */
      method: string;
      /**
       * The URL; secrets are handles.
       */
      url: string;
      /**
       * The HTTP status of the response; absent when there was none.
       */
      status?: number | null;
      /**
       * The reason why there was no response, as the browser reported it.
       */
      failure?: string | null;
      /**
       * The failure that the JSON body of a response reports although its status is no error.
       */
      refusal?: string | null;
      /**
       * What the JSON body of the response to the action's main change reports that may mean that nothing was done.
       */
      doubt?: string | null;
      /**
       * The values of the request that the JSON body of the response returned with other values.
       */
      altered?: AlteredValue[];
      /**
       * Whether the page had sent the same request before the action. The action is then not necessarily its cause.
       */
      background?: boolean;
      /**
       * Whether an earlier action sent the request and its response arrived during this one.
       */
      earlier?: boolean;
    }
  | {
      kind: "unsettled";
      /**
       * What was still pending.
       */
      pending: string;
    };
/**
 * The kind of a JavaScript dialog.
 */
export type DialogKind = "alert" | "confirm" | "prompt" | "beforeunload";
/**
 * The level of a console line.
 */
export type ConsoleLevel = "debug" | "info" | "warning" | "error";
/**
 * The source of a variable's value.
 */
export type VariableSource = "user_input" | "extracted" | "computed";
/**
 * A read-only tool of an investigation.
 */
export type Tool = "look" | "read" | "dom" | "subdom" | "find";
/**
 * The possible damage of a wrong decision.
 */
export type Risk = "LOW" | "MEDIUM" | "HIGH";
/**
 * The quality of an answer.
 */
export type Quality = "failed" | "partial" | "complete" | "excellent";
/**
 * How an investigation found an element. In each case, code verified that it is exactly one that can be acted on.
 */
export type DiscoveryMethod = "assessment" | "exploration" | "given_target";
/**
 * An event in the journal.
 */
export type Event = {
  id: EventId;
  run: RunId;
  /**
   * Its number within the run: 1, 2, 3…
   */
  seq: number;
  /**
   * The time at which it was appended.
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
         * The reason.
         */
        reason: string;
      };
    }
  | {
      type: "WORKFLOW_RESUMED";
      data: {
        /**
         * The step at which it continues, from 0.
         */
        step: number;
      };
    }
  | {
      type: "STEP_STARTED";
      data: {
        /**
         * The instruction of the step.
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
      type: "POLICY_DECIDED";
      data: PolicyDecision;
    }
  | {
      type: "COMMAND_STARTED";
      data: {
        commandId: CommandId;
        action: Action;
        decider: DecidedBy;
        effect: Effect;
        /**
         * What identifies its elements again, and how a replay found them.
         */
        identity?: ActionIdentity | null;
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
      type: "CHANGE_OBSERVED";
      data: {
        /**
         * The elements that appeared.
         */
        appeared?: string[];
        /**
         * The elements that disappeared.
         */
        disappeared?: string[];
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
         * The URL at which the run continues.
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
      type: "USER_CONTROL_ENDED";
      data: {
        /**
         * The number of clicks.
         */
        clicks: number;
        /**
         * Whether text was typed or a key was pressed.
         */
        typed: boolean;
        /**
         * The URL of the page then.
         */
        url: string;
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
         * The reason for it.
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
         * A summary of the result.
         */
        summary: string;
      };
    }
  | {
      type: "INVESTIGATION_TOOL_STARTED";
      data: {
        tool: Tool;
        /**
         * The part of the page to which the tool applies.
         */
        target?: string;
      };
    }
  | {
      type: "INVESTIGATION_TOOL_COMPLETED";
      data: {
        tool: Tool;
        /**
         * Whether it succeeded; if not, the next tool is tried.
         */
        ok: boolean;
        /**
         * Its output, shortened.
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
         * The data, in the requested shape.
         */
        data: {
          [k: string]: unknown;
        };
        /**
         * The source of each value, by JSON pointer: a ref, or a line of the page's text.
         */
        sources: {
          [k: string]: string;
        };
        /**
         * The URL of the page.
         */
        url: string;
        /**
         * The instruction of the extraction.
         */
        instruction?: string;
        /**
         * The values, as JSON pointers, that were not found at the place that the model named. They have no source.
         */
        unverified?: string[];
        /**
         * The URLs of the second and further pages that were read.
         */
        pages?: string[];
        /**
         * The variable in which the data is saved.
         */
        variable?: string | null;
      };
    }
  | {
      type: "ELEMENT_DISCOVERED";
      data: {
        /**
         * A description of the element.
         */
        element: string;
        /**
         * Its purpose.
         */
        purpose: string;
        /**
         * How certain the investigation is of it, from 0 to 1. Events of versions before 0.19 have none.
         */
        confidence?: number | null;
        /**
         * How it was found. Events of versions before 0.19 have none.
         */
        method?: DiscoveryMethod | null;
      };
    }
  | {
      type: "WORKING_MEMORY_UPDATED";
      data: {
        /**
         * The change.
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
         * Details.
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
         * The text of the warning.
         */
        message: string;
      };
    };
export type Format = "json" | "csv" | "html";
/**
 * The kinds of programs that ask for tabs.
 */
export type RequesterKind = "run" | "agent";
/**
 * A person's statement about an action whose result was lost.
 */
export type Assume = "done" | "not_done";
/**
 * An input of a person who sees the current tab in a picture. Positions are fractions of the picture's width and
 * height, from 0 to 1. It is not printed anywhere, because it may be a piece of a password.
 */
export type ViewerInput =
  | {
      type: "move";
      /**
       * From the left edge.
       */
      x: number;
      /**
       * From the upper edge.
       */
      y: number;
    }
  | {
      type: "down";
      /**
       * From the left edge.
       */
      x: number;
      /**
       * From the upper edge.
       */
      y: number;
      button?: Button & string;
      /**
       * Its number in a series of quick clicks at the same place, from 1 to 3.
       */
      count?: number;
      /**
       * The keys that are held.
       */
      modifiers?: Modifier[];
    }
  | {
      type: "up";
      /**
       * From the left edge.
       */
      x: number;
      /**
       * From the upper edge.
       */
      y: number;
      button?: Button & string;
      /**
       * Its number in a series of quick clicks at the same place, from 1 to 3.
       */
      count?: number;
      /**
       * The keys that are held.
       */
      modifiers?: Modifier[];
    }
  | {
      type: "wheel";
      /**
       * From the left edge.
       */
      x: number;
      /**
       * From the upper edge.
       */
      y: number;
      /**
       * The distance to the right in pixels of the page.
       */
      across?: number;
      /**
       * The distance down in pixels of the page.
       */
      down?: number;
    }
  | {
      type: "key";
      /**
       * The key.
       */
      key: string;
    }
  | {
      type: "text";
      /**
       * The text, at most 10,000 characters.
       */
      text: string;
    }
  | {
      type: "dialog";
      /**
       * Whether it is accepted.
       */
      accept: boolean;
      /**
       * The answer to a prompt.
       */
      text?: string | null;
    }
  | {
      type: "tab";
      /**
       * Its number.
       */
      number: number;
    };
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
 * The progress of an item of a plan.
 */
export type PlanItemState = "open" | "in_progress" | "done";
/**
 * The state of a command.
 */
export type CommandState = "open" | "failed" | "refused" | "ok";
/**
 * The kind of a moment.
 */
export type MomentKind = "action" | "model" | "thought" | "question" | "error" | "warning" | "end";
/**
 * The kind of a lesson.
 */
export type LessonKind =
  "element_discovery" | "page_insight" | "variable_extraction" | "pattern_learning" | "investigation_preference";
/**
 * Whether a model can be called.
 */
export type ModelState = "ready" | "none" | "key_missing" | "off";
/**
 * How an alert reaches people or programs.
 */
export type AlertChannel = "webhook" | "slack" | "email";
/**
 * One batch: a workflow that runs once for each row of a file.
 */
export type BatchId = string;
export type RowTableProblemKind = "unknownColumn" | "missingColumn" | "content";
/**
 * The state of a row.
 */
export type RowStatus =
  | "waiting"
  | "running"
  | "asking"
  | "interrupted"
  | "parked"
  | "success"
  | "failure"
  | "error"
  | "cancelled"
  | "deleted";
export type ResultsFormat = "csv" | "jsonl";

export interface Components {
  ErrorReport: ErrorReport;
  Category: Category;
  Severity: Severity;
  Code: Code;
  RunId: RunId;
  CommandId: CommandId;
  Pagination: Pagination;
  CurrentUser: CurrentUser;
  Scopes: Scopes;
  TokenScope: TokenScope;
  Link: Link;
  LinkRequest: LinkRequest;
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
  IfElse: IfElse;
  ForEach: ForEach;
  RunOptions: RunOptions;
  TemplateView: TemplateView;
  WorkflowInput: WorkflowInput;
  InputKind: InputKind;
  RunListItem: RunListItem;
  SessionState: SessionState;
  StatusLabel: StatusLabel;
  Tone: Tone;
  ValidationLabel: ValidationLabel;
  Usage: Usage;
  Validation: Validation;
  Question: Question;
  Session: Session;
  RunRecord: RunRecord;
  PlaybookUse: PlaybookUse;
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
  Expansion: Expansion;
  Branch: Branch;
  IterationItem: IterationItem;
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
  PolicyDecision: PolicyDecision;
  PolicyEffect: PolicyEffect;
  Provenance: Provenance;
  Effect: Effect;
  ActionIdentity: ActionIdentity;
  ElementIdentity: ElementIdentity;
  ContainerIdentity: ContainerIdentity;
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
  Tool: Tool;
  Findings: Findings;
  Reflection: Reflection;
  Risk: Risk;
  Plan: Plan;
  Review: Review;
  Quality: Quality;
  DiscoveryMethod: DiscoveryMethod;
  DecisionRecord: DecisionRecord;
  CommandRecord: CommandRecord;
  QuestionRecord: QuestionRecord;
  Variable: Variable;
  Warning: Warning;
  Resumption: Resumption;
  Totals: Totals;
  Decisions: Decisions;
  LoopMetrics: LoopMetrics;
  DeletedRun: DeletedRun;
  RunRequest: RunRequest;
  History: History;
  Event: Event;
  EventId: EventId;
  Picture: Picture;
  ValidationReply: ValidationReply;
  WorkflowProblem: WorkflowProblem;
  StepDecision: StepDecision;
  ExportRequest: ExportRequest;
  Format: Format;
  ExtensionInfo: ExtensionInfo;
  TabRequester: TabRequester;
  RequesterKind: RequesterKind;
  RequestedRun: RequestedRun;
  Proof: Proof;
  PairedBrowser: PairedBrowser;
  Pairing: Pairing;
  OfferedTab: OfferedTab;
  TabOffer: TabOffer;
  RefusedRequest: RefusedRequest;
  SteerReply: SteerReply;
  Resume: Resume;
  Assume: Assume;
  Cancel: Cancel;
  Answer: Answer;
  InputReply: InputReply;
  TabInfo: TabInfo;
  InputRequest: InputRequest;
  ViewerInput: ViewerInput;
  Stream: Stream;
  RecordPatch: RecordPatch;
  RecordRow: RecordRow;
  PlanRow: PlanRow;
  PlanItemRow: PlanItemRow;
  PlanItemState: PlanItemState;
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
  ObservedElements: ObservedElements;
  ElementName: ElementName;
  Liveness: Liveness;
  DetailedHealth: DetailedHealth;
  BrowserSetup: BrowserSetup;
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
  DeletedLesson: DeletedLesson;
  StoredSecretView: StoredSecretView;
  SecretToStore: SecretToStore;
  SettingsList: SettingsList;
  SettingsView: SettingsView;
  SettingChange: SettingChange;
  SetupReport: SetupReport;
  Installation: Installation;
  ModelSetup: ModelSetup;
  ModelState: ModelState;
  SavedWorkflowView: SavedWorkflowView;
  WorkflowDraft: WorkflowDraft;
  WorkflowChange: WorkflowChange;
  DeletedWorkflow: DeletedWorkflow;
  SavedWorkflow: SavedWorkflow;
  WorkflowDrift: WorkflowDrift;
  PlaybookDrift: PlaybookDrift;
  DriftRun: DriftRun;
  DriftStep: DriftStep;
  DriftMark: DriftMark;
  ScheduleView: ScheduleView;
  UndeliveredAlert: UndeliveredAlert;
  AlertChannel: AlertChannel;
  SchedulePlan: SchedulePlan;
  SchedulePreview: SchedulePreview;
  SchedulePreviewProblem: SchedulePreviewProblem;
  AlertTestResult: AlertTestResult;
  AlertTest: AlertTest;
  DeletedSchedule: DeletedSchedule;
  BatchItem: BatchItem;
  BatchId: BatchId;
  BatchCounts: BatchCounts;
  BatchRequest: BatchRequest;
  RowTable: RowTable;
  RowTableProblem: RowTableProblem;
  RowTableProblemKind: RowTableProblemKind;
  RowStatus: RowStatus;
  BatchDetails: BatchDetails;
  BatchRowItem: BatchRowItem;
  ResultsFormat: ResultsFormat;
  ResumeBatch: ResumeBatch;
  Metadata: Metadata;
  Refusal: Refusal;
}
/**
 * An error in the API, in events and in logs.
 */
export interface ErrorReport {
  /**
   * The id of this occurrence.
   */
  id: string;
  /**
   * The time at which it occurred; 1970 in journals of programs that did not record it.
   */
  timestamp?: string;
  category: Category;
  severity: Severity;
  code: Code;
  /**
   * The code's name.
   */
  name: string;
  /**
   * The message, without secrets.
   */
  message: string;
  /**
   * Details, one per line, such as all problems that were found, or the candidates.
   */
  details?: string[];
  /**
   * The causes, the direct cause first.
   */
  causes?: string[];
  /**
   * Whether the run can continue.
   */
  recoverable: boolean;
  /**
   * Whether the same operation may succeed later.
   */
  retryable: boolean;
  /**
   * The suggested action.
   */
  suggestedAction: string;
  /**
   * The run in which it occurred.
   */
  run?: RunId | null;
  /**
   * The step in which it occurred, from 0.
   */
  step?: number | null;
  /**
   * The command in which it occurred.
   */
  commandId?: CommandId | null;
}
/**
 * The position in a list with several pages.
 */
export interface Pagination {
  /**
   * Number of items on all pages.
   */
  total: number;
  /**
   * The number of the page, from 1.
   */
  page: number;
  /**
   * Number of items per page.
   */
  pageSize: number;
  hasNext: boolean;
  hasPrevious: boolean;
}
export interface CurrentUser {
  /**
   * The value for the header `X-Legwork-CSRF`; empty for programs, which do not need it.
   */
  csrf: string;
  /**
   * The name of the token with which the caller is signed in.
   */
  token: string;
  scopes: Scopes;
  version: string;
  /**
   * Whether the demo can be started.
   */
  demo: boolean;
}
export interface Link {
  /**
   * The value of `code` in `/open?code=`.
   */
  code: string;
}
export interface LinkRequest {
  /**
   * The name or id of a token: whoever opens the link gets its scopes. Only for the token of the server; by default,
   * a link is for the token of the request.
   */
  token?: string | null;
}
export interface Started {
  sessionId: RunId;
  streamId: RunId;
  /**
   * `running` or `queued`.
   */
  state: string;
  /**
   * The position in the queue, from 1.
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
 * What to run: exactly one of `workflow`, `steps`, `text`, `task`, `template` and `workflowId`. `workflowId` may also
 * accompany one of the others, which is then a changed copy of the saved workflow.
 */
export interface Execute {
  /**
   * A workflow.
   */
  workflow?: Workflow | null;
  /**
   * The steps of a workflow.
   */
  steps?: Step[] | null;
  /**
   * The text of a workflow file: YAML, JSON, Markdown or plain lines.
   */
  text?: string | null;
  /**
   * A goal in plain language.
   */
  task?: string | null;
  /**
   * The id of a template.
   */
  template?: string | null;
  /**
   * The id of a saved workflow.
   */
  workflowId?: string | null;
  /**
   * The version of the saved workflow; by default the newest one.
   */
  workflowVersion?: number | null;
  /**
   * The id of the template that a text was made from: its address, secrets and uploads apply.
   */
  basedOn?: string | null;
  /**
   * The name of the run, if it is not that of the workflow.
   */
  name?: string | null;
  /**
   * The address to begin with.
   */
  url?: string | null;
  /**
   * The values of the workflow's inputs.
   */
  inputs?: {
    [k: string]: unknown;
  };
  /**
   * `NAME` or `NAME@ORIGIN`. The values are in the server's environment or its vault.
   */
  secrets?: string[];
  /**
   * A key: of the runs with the same key, a new one replaces the one before.
   */
  page?: string | null;
  /**
   * The id of a tab of the user's own browser that was offered (`POST /api/extension/tabs`). The run works in it.
   */
  tab?: string | null;
  /**
   * The run's own options.
   */
  options?: RunOptions | null;
}
/**
 * A workflow: steps and inputs with a name.
 */
export interface Workflow {
  /**
   * The name.
   */
  name: string;
  /**
   * The page to open before the first step.
   */
  url?: string | null;
  /**
   * The inputs, which the steps use as `${name}`.
   */
  inputs?: {
    [k: string]: Input;
  };
  /**
   * The steps, in order.
   */
  steps: Step[];
}
/**
 * One input. In a file, a plain value is the default of the input; a map also sets the other fields.
 */
export interface Input {
  /**
   * The value when the caller provides none. An input without a default is required.
   */
  default?: {
    [k: string]: unknown;
  };
  /**
   * The description that is shown when a person is asked for the value.
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
   * `{"action": "click", "parameters": {"target": "#save"}}`: executed without change instead of the instruction.
   */
  action?: Action | null;
  /**
   * Skips the step if its element is not there within two seconds.
   */
  optional?: boolean;
}
/**
 * Parameters of [`Action::Open`].
 */
export interface Open {
  /**
   * http or https URL; `${variable}` allowed.
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
   * Modifier keys to hold during the click.
   */
  modifiers?: Modifier[];
}
/**
 * Parameters of [`Action::Fill`].
 */
export interface Fill {
  target: Target;
  /**
   * The new content; can be empty; `${variable}` and `${secret:NAME}` allowed.
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
   * The field; without it, the focused element.
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
   * Values or labels to choose; several only if the list allows multiple selection.
   */
  values: string[];
}
/**
 * Parameters of an action that has only a target.
 */
export interface TargetParams {
  target: Target;
}
/**
 * Parameters of [`Action::Scroll`].
 */
export interface Scroll {
  /**
   * The element to scroll into view, or with a direction the scroll container; without it, the page.
   */
  target?: Target | null;
  /**
   * The direction or the end to scroll to.
   */
  direction?: Direction | null;
  /**
   * Distance in screens; default 1.
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
   * Paths of files in a folder that the run may upload from.
   */
  files: string[];
}
/**
 * Parameters of [`Action::Dialog`].
 */
export interface Dialog {
  /**
   * Whether to accept the dialog (OK) or dismiss it (Cancel).
   */
  accept: boolean;
  /**
   * The text to enter in a prompt.
   */
  text?: string | null;
  /**
   * The action that opens the dialog. It is executed together with this answer: the first dialog that needs an
   * answer receives it, and later dialogs stay open. The answer is discarded when the action ends, whether or not a
   * dialog opened; the effects of the result report the dialogs. Without this parameter, a dialog must be open.
   */
  opened_by?: Action | null;
}
/**
 * No parameters.
 */
export interface NoParams {}
/**
 * Parameters of [`Action::Wait`]; at least one of them is required.
 */
export interface Wait {
  /**
   * Until this text is visible.
   */
  text?: string | null;
  /**
   * Until this text is no longer visible.
   */
  gone?: string | null;
  /**
   * Until the URL contains this text, or matches it if it contains the wildcard `*`.
   */
  url?: string | null;
  /**
   * Until the page reaches this stage of loading.
   */
  state?: LoadState | null;
  /**
   * Seconds to wait; with another condition, the maximum time to wait for that condition.
   */
  seconds?: number | null;
}
/**
 * Parameters of [`Action::Save`].
 */
export interface Save {
  target: Target;
  /**
   * The name of the variable; `^[a-zA-Z_][a-zA-Z0-9_]*$`
   */
  variable: string;
  /**
   * The attribute to save instead of the value or text.
   */
  attribute?: string | null;
}
/**
 * Parameters of [`Action::Extract`].
 */
export interface Extract {
  /**
   * Which data to extract.
   */
  instruction: string;
  /**
   * A JSON Schema for the data.
   */
  schema?: {
    [k: string]: unknown;
  };
  /**
   * Instead of a schema: the names of the text fields of an item. The data is then a list of such items.
   */
  fields?: string[];
  /**
   * The variable to save the data in; `^[a-zA-Z_][a-zA-Z0-9_]*$`
   */
  variable?: string | null;
  /**
   * The maximum number of pages of a list to read; default 1. The control that leads to the next page is clicked as
   * long as it is present.
   */
  pages?: number | null;
  /**
   * The control that leads to the next page; without it, the only link or button whose name means “next page”.
   */
  next?: Target | null;
}
/**
 * Parameters of [`Action::Read`].
 */
export interface Read {
  /**
   * The elements to read; default `body`.
   */
  target?: Target | null;
  /**
   * The attribute to read instead of the text.
   */
  attribute?: string | null;
  /**
   * Whether to read all elements that match, not only the first.
   */
  multiple?: boolean;
}
/**
 * Parameters of [`Action::Subdom`].
 */
export interface Subdom {
  /**
   * The part; default `main, .content, #content, article, section`.
   */
  target?: Target | null;
}
/**
 * Parameters of [`Action::Look`].
 */
export interface Look {
  /**
   * The element to show; without it, the viewport.
   */
  target?: Target | null;
  /**
   * Whether to draw the refs onto the picture.
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
   * The name of the tool.
   */
  tool: string;
  /**
   * The arguments, as the schema of the tool defines them.
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
   * The question.
   */
  question: string;
  /**
   * Answers to choose from.
   */
  options?: string[];
  /**
   * Whether the answer is a secret. A secret never reaches the model.
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
   * The reason.
   */
  reason: string;
}
/**
 * A condition and the steps of its branches.
 */
export interface IfElse {
  /**
   * The condition, in the syntax of a check. It is evaluated once, on the page as it is then.
   */
  if: string;
  /**
   * The steps that run if the condition holds.
   */
  then: Step[];
  /**
   * The steps that run if it does not hold.
   */
  else?: Step[];
}
/**
 * A loop and its steps.
 */
export interface ForEach {
  /**
   * `row in "Orders"`: the name of the variable, and a table or list of the page; or `name in ${names}`: a variable
   * that contains a list.
   */
  for_each: string;
  /**
   * A condition that a row must meet, in the syntax of a check. It is evaluated on the row alone.
   */
  where?: string | null;
  /**
   * The column whose text identifies a row. Without it, the first column with different texts does.
   */
  key?: string | null;
  /**
   * The steps that run for each row or value.
   */
  steps: Step[];
}
/**
 * The options that a run may set for itself.
 */
export interface RunOptions {
  /**
   * Time limit: seconds, or `90s`, `5m`, `1h`.
   */
  timeout?: {
    [k: string]: unknown;
  };
  /**
   * Sites that the run may load. They cannot exceed those that the server's own settings allow.
   */
  allowedDomains?: string[] | null;
  /**
   * Rules in the format of a policy file (docs/policy.md). They can only restrict what the server's own rules allow.
   */
  policy?: string | null;
  /**
   * Whether the browser window is shown. All runs of a server share one browser, so only the server's own value is
   * accepted.
   */
  headed?: boolean | null;
  /**
   * The model, as `provider/name`: `openai/gpt-5`, `anthropic/claude-sonnet-4-5`, `ollama/qwen3`. Without a model, only literal steps can run.
   */
  model?: string | null;
  /**
   * Who decides what to do. `literal`: only the words of the step, without a model. `model`: the model, for every step. `auto`: the words first, and the model where they do not say exactly what to do.
   */
  decider?: string | null;
  /**
   * Maximum number of actions in a run.
   */
  maxActions?: number | null;
  /**
   * Maximum number of model tokens in a run.
   */
  maxTokens?: number | null;
  /**
   * Maximum cost of a run in US dollars.
   */
  maxCost?: number | null;
  /**
   * Required result of a run. With `validated`, a success without supporting evidence is a failure.
   */
  require?: string | null;
  /**
   * Take a screenshot after each action that may change the page.
   */
  screenshots?: boolean | null;
}
/**
 * A template as the API returns it.
 */
export interface TemplateView {
  id: string;
  name: string;
  description: string;
  /**
   * The workflow in the notation of a file.
   */
  text: string;
  url?: string | null;
  inputs: WorkflowInput[];
  /**
   * Whether it needs a model, because the words of a step do not say exactly what to do.
   */
  needsModel: boolean;
}
/**
 * An input of a workflow.
 */
export interface WorkflowInput {
  name: string;
  kind: InputKind;
  description?: string | null;
  default?: unknown;
  /**
   * Whether a run needs a value, because there is no default.
   */
  required: boolean;
  /**
   * Whether its value is a secret, which is not part of a request.
   */
  secret: boolean;
}
/**
 * A run as a row of a list.
 */
export interface RunListItem {
  run: RunId;
  name: string;
  /**
   * Whether the run is a single task.
   */
  task: boolean;
  /**
   * `queued`, `running`, `paused`, `parked`, `interrupted`, `success`, `failure`, `error` or `cancelled`.
   */
  state: string;
  session: SessionState;
  verdict: StatusLabel;
  started: string;
  updated: string;
  ended?: string | null;
  stepsTotal: number;
  stepsDone: number;
  usage: Usage;
  /**
   * How far its success was validated.
   */
  validation?: Validation | null;
  error?: string | null;
  /**
   * The question that waits for an answer. The run does nothing until it is answered.
   */
  question?: Question | null;
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
   * Its position in the queue, from 1.
   */
  position?: number | null;
}
/**
 * The state of a run or a step as people see it.
 */
export interface StatusLabel {
  tone: Tone;
  /**
   * A sign of one to two characters.
   */
  sign: string;
  /**
   * The state in words.
   */
  words: string;
  /**
   * Set if a success was claimed, also if the claim was rejected.
   */
  claim?: ValidationLabel | null;
}
/**
 * Tokens and cost; can be added.
 */
export interface Usage {
  /**
   * Number of calls.
   */
  calls: number;
  /**
   * Input tokens, including cached ones.
   */
  promptTokens: number;
  /**
   * Input tokens that were read from the provider's cache.
   */
  cachedTokens?: number;
  /**
   * Output tokens.
   */
  completionTokens: number;
  /**
   * Cost in US dollars; absent when the price is not known.
   */
  costUsd?: number | null;
  /**
   * Whether the provider did not report the tokens of at least one call, so that Legwork counted them itself.
   */
  estimated?: boolean;
}
/**
 * A question to a person.
 */
export interface Question {
  /**
   * The text of the question.
   */
  text: string;
  /**
   * Whether the answer is a secret. A secret never reaches a model.
   */
  secret?: boolean;
  /**
   * The answers from which a person chooses. Empty: the answer is any text.
   */
  options?: string[];
  /**
   * Whether only the options are answers. Otherwise they are suggestions, and any other text is an answer as well.
   */
  closed?: boolean;
}
/**
 * A run with its record.
 */
export interface Session {
  summary: RunListItem;
  state: string;
  position?: number | null;
  /**
   * Its events, folded; absent while it is queued.
   */
  record?: RunRecord | null;
  /**
   * Whether a process drives it now.
   */
  live: boolean;
  paused: boolean;
  /**
   * The question that waits for an answer.
   */
  question?: Question | null;
  metrics?: LoopMetrics | null;
}
/**
 * A run, folded from its events.
 */
export interface RunRecord {
  run: RunId;
  /**
   * The name that people see.
   */
  name: string;
  /**
   * Whether the run is a single task.
   */
  task: boolean;
  /**
   * The address that the run began with.
   */
  url?: string | null;
  /**
   * The values of its inputs. A secret is a handle.
   */
  inputs: {
    [k: string]: unknown;
  };
  /**
   * The playbook whose recorded actions the run uses.
   */
  playbook?: PlaybookUse | null;
  state: RecordState;
  /**
   * The current phase of the drive loop.
   */
  phase?: Phase | null;
  /**
   * Why the run is paused, if it is.
   */
  paused?: string | null;
  /**
   * The time of its start.
   */
  started: string;
  /**
   * The time of its last event.
   */
  last: string;
  /**
   * The time of its end.
   */
  ended?: string | null;
  /**
   * How the run ended.
   */
  outcome?: Outcome | null;
  /**
   * All steps in order, including those that have not begun.
   */
  steps: StepRecord[];
  /**
   * The turns outside any step, for example opening the first page.
   */
  outside: Turn[];
  /**
   * Its variables. A secret is a handle.
   */
  variables: {
    [k: string]: Variable;
  };
  /**
   * Its warnings.
   */
  warnings: Warning[];
  /**
   * Its errors.
   */
  errors: ErrorReport[];
  /**
   * Where the run was resumed, one entry for each time.
   */
  resumed: Resumption[];
  totals: Totals;
  /**
   * The number of the last event.
   */
  seq: number;
}
/**
 * The playbook that a run uses.
 */
export interface PlaybookUse {
  run: RunId;
  /**
   * The version of the stored playbook; absent for one that was recorded from a run and not stored.
   */
  version?: number | null;
}
/**
 * The result of a run.
 */
export interface Outcome {
  status: Status;
  validation?: Validation & string;
  /**
   * The answer, if the run is a task.
   */
  answer?: string | null;
  /**
   * The variables at the end of the run; secrets are handles.
   */
  variables: {
    [k: string]: unknown;
  };
  usage: Usage;
  /**
   * The budget that ended the run, if one did.
   */
  budget?: Budget | null;
  /**
   * The error, if there was one.
   */
  error?: ErrorReport | null;
}
/**
 * A step of a run.
 */
export interface StepRecord {
  /**
   * The position in the workflow, from 0.
   */
  index: number;
  /**
   * The text of the step.
   */
  text: string;
  state: RecordState;
  /**
   * The time of its start. A step that was started again has the time of its last start.
   */
  started?: string | null;
  /**
   * The time of its end.
   */
  ended?: string | null;
  /**
   * How the step ended.
   */
  result?: StepResult | null;
  /**
   * The turns of all its starts.
   */
  turns: Turn[];
  /**
   * The questions to a person.
   */
  questions: QuestionRecord[];
}
/**
 * The result of a step.
 */
export interface StepResult {
  /**
   * The index of the step, from 0.
   */
  index: number;
  /**
   * The instruction as the author wrote it.
   */
  text: string;
  status: Status;
  validation?: Validation & string;
  /**
   * The decider of the last action; absent when there was no decision.
   */
  decider?: DecidedBy | null;
  /**
   * Number of turns.
   */
  iterations: number;
  /**
   * The facts that were observed.
   */
  evidence: Evidence[];
  /**
   * Duration of the step.
   */
  durationMs: number;
  /**
   * The message of the model, or the reason why the step was skipped.
   */
  message?: string;
  /**
   * The page at the end; absent when the page was not observed after the last action.
   */
  finalPage?: FinalPage | null;
  /**
   * What the step expanded to, if it is a group of steps. These steps follow it.
   */
  expansion?: Expansion | null;
  /**
   * The error, if there was one.
   */
  error?: ErrorReport | null;
}
/**
 * A fact that code observed; a model's claim is never evidence.
 */
export interface Evidence {
  kind: EvidenceKind;
  /**
   * The fact as a sentence: `the address is http://…/welcome`.
   */
  fact: string;
  /**
   * Whether the workflow requested the fact (`expect`, a check); otherwise it was observed incidentally.
   */
  checked?: boolean;
  polarity?: Polarity;
}
/**
 * The page at the end of a step.
 */
export interface FinalPage {
  /**
   * The URL.
   */
  url: string;
  /**
   * The title.
   */
  title: string;
  /**
   * A fingerprint of the content, as in `PAGE_OBSERVED`, whose event refers to the stored text.
   */
  fingerprint: string;
}
/**
 * A row or value of a loop.
 */
export interface IterationItem {
  /**
   * A short text for people, which contains what identifies the row.
   */
  label: string;
  /**
   * The value of the variable. A row is an object of the texts of its cells by column.
   */
  value: {
    [k: string]: unknown;
  };
  /**
   * The texts that identify the row, in the order of the key columns; empty for a value.
   */
  key?: string[];
}
/**
 * One cycle of observe → decide → act.
 */
export interface Turn {
  /**
   * The last observation of the page before the decision.
   */
  observed?: PageObserved | null;
  /**
   * The number of observations in this turn.
   */
  looks: number;
  /**
   * The model calls, including failed ones.
   */
  calls: AiCall[];
  /**
   * Other work of the model in order: investigations, reflections, plans, reviews and extracted data.
   */
  thoughts: EventKind[];
  /**
   * The decision.
   */
  decided?: DecisionRecord | null;
  /**
   * The commands.
   */
  commands: CommandRecord[];
  /**
   * The pages that the turn navigated to.
   */
  pages: PageInfo[];
  /**
   * The screenshots that belong to no command.
   */
  pictures: ScreenshotInfo[];
}
/**
 * The page was observed. The text itself is stored as an artifact.
 */
export interface PageObserved {
  /**
   * The URL of the page.
   */
  url: string;
  /**
   * The title of the page.
   */
  title: string;
  /**
   * A fingerprint of the content of the page.
   */
  fingerprint: string;
  /**
   * Tokens in the text, if a text was rendered.
   */
  tokens?: number | null;
  /**
   * The text, if one was rendered.
   */
  text?: Artifact | null;
  /**
   * Duration in milliseconds.
   */
  durationMs: number;
}
/**
 * A reference to stored content that is too large for an event: screenshots, page sources, observations, prompts,
 * downloads.
 */
export interface Artifact {
  /**
   * SHA-256 of the content in hexadecimal; the name of the content in the store.
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
   * The reply; the values of secrets are masked.
   */
  reply?: Artifact | null;
  usage: Usage;
  /**
   * Duration in milliseconds, including retries.
   */
  latencyMs: number;
  /**
   * Number of transport retries.
   */
  retries: number;
  /**
   * The finish reason that the provider reported.
   */
  finish?: string | null;
  /**
   * The reason why there is no usable reply.
   */
  error?: ErrorReport | null;
}
/**
 * The parameters of a run. They are complete: the run can be started again with them.
 */
export interface RunStart {
  workflow: Workflow;
  /**
   * Whether the run is a single task, which returns an answer.
   */
  task: boolean;
  /**
   * The values of the inputs; secrets are handles.
   */
  inputs: {
    [k: string]: unknown;
  };
  /**
   * The options of the run, in the format of the crate that starts it.
   */
  options?: {
    [k: string]: unknown;
  };
  /**
   * The playbook whose recorded actions the run uses.
   */
  playbook?: PlaybookUse | null;
}
/**
 * The progress of a run.
 */
export interface ExecutionProgress {
  /**
   * The number of steps.
   */
  totalSteps: number;
  /**
   * The number of steps that ended.
   */
  completedSteps: number;
  /**
   * The index of the current step, from 0.
   */
  currentStepIndex: number;
  /**
   * The instruction of the current step.
   */
  currentStepName: string;
  /**
   * Percentage, 0–100.
   */
  overallProgress: number;
  /**
   * Estimated remaining time in milliseconds, from the mean duration of the steps so far.
   */
  estimatedTimeRemaining?: number | null;
  /**
   * Mean duration of a step in milliseconds.
   */
  averageStepDuration: number;
}
/**
 * A validated decision.
 */
export interface Decision {
  verdict: Verdict;
  /**
   * The explanation of the verdict; the answer, when the task is finished.
   */
  message: string;
  /**
   * The model's check of the last result.
   */
  validation?: ResultValidation | null;
  reasoning: Reasoning;
  /**
   * Confidence, 0 to 1.
   */
  confidence: number;
  /**
   * The actions, in order; execution stops at the first failure or page change.
   */
  commands: Command[];
}
/**
 * The model's check of the last result.
 */
export interface ResultValidation {
  /**
   * Whether the last command had its intended effect.
   */
  success: boolean;
  /**
   * The expected state of the page.
   */
  expectedElements?: string[];
  /**
   * The actual state of the page.
   */
  actualState?: string;
  /**
   * The difference.
   */
  issues?: string[];
}
/**
 * The reasoning of a decision.
 */
export interface Reasoning {
  /**
   * The analysis of the page and the last result.
   */
  analysis?: string;
  /**
   * The reason for the decision.
   */
  rationale?: string;
  /**
   * The expected result.
   */
  expectedOutcome?: string;
  /**
   * The alternatives that were considered.
   */
  alternatives?: string | null;
}
/**
 * The decision of a policy about one action, with the rule that made it.
 */
export interface PolicyDecision {
  /**
   * The name of the action.
   */
  action: string;
  effect: PolicyEffect;
  /**
   * The rule: `default:write-site`, or the file and the line of a rule with its name.
   */
  rule: string;
  /**
   * Why the rule says so.
   */
  reason: string;
  /**
   * Where the values of the action come from, without duplicates.
   */
  provenance?: Provenance[];
  /**
   * For `ask`: whether a person approved this one action. Absent if nobody was asked.
   */
  approved?: boolean | null;
}
/**
 * The elements of an action as a playbook identifies them, and how a replay found them.
 */
export interface ActionIdentity {
  /**
   * The elements by the parameter that names them: `target`, `to`.
   */
  elements?: {
    [k: string]: ElementIdentity;
  };
  /**
   * The clause of the step that the action belongs to, from 0, if the words of the step decided it.
   */
  clause?: number | null;
  /**
   * What a model entered or chose because it had read it on a page. Another run may have to enter something else.
   */
  readText?: string | null;
  /**
   * In a replay: how well the element agrees with the recorded one, 0 to 1.
   */
  score?: number | null;
  /**
   * In a replay: the reason why the recorded action could not be used, if this action replaces it.
   */
  healed?: string | null;
}
/**
 * What identifies an element. It contains no values of fields, except those that share a word with the instruction
 * (`about`).
 */
export interface ElementIdentity {
  /**
   * The ARIA role.
   */
  role?: string;
  /**
   * The accessible name.
   */
  name?: string;
  /**
   * Its position among the elements with the same role and name, from 1.
   */
  ordinal?: number;
  /**
   * The number of elements with the same role and name.
   */
  count?: number;
  /**
   * The rows, items and cards that contain it and whose texts distinguish them from their siblings, nearest first.
   */
  containers?: ContainerIdentity[];
  /**
   * The nearest dialog, form or landmark with its name: `dialog "Edit"`.
   */
  place?: string;
  /**
   * The frames that contain it, outermost first.
   */
  frames?: string[];
  /**
   * The attributes that are likely to stay the same: `id`, `name`, `testId`, `href` (without query), `type`,
   * `placeholder`, `tag`.
   */
  attributes?: {
    [k: string]: string;
  };
  /**
   * The texts before it, nearest first.
   */
  before?: string[];
  /**
   * The texts after it, nearest first.
   */
  after?: string[];
  /**
   * The roles of its ancestors, nearest first: the structural fingerprint.
   */
  shape?: string[];
  /**
   * Whether it is a field for a password or another secret.
   */
  secret?: boolean;
  /**
   * The texts and values of the page around it that share a word with the instruction, if it is the only element of
   * its name: the record that the page or dialog is about.
   */
  about?: string[];
  /**
   * The state that a click inverts (`checked`, `pressed`, `expanded`), or `filled` for a field whose text typing
   * continues, as it was before; empty for none of them.
   */
  state?: string;
}
/**
 * A part of the page that contains an element and whose text distinguishes it from similar parts.
 */
export interface ContainerIdentity {
  /**
   * The ARIA role; `text before`, `text after` or `text around` if the page has no element for the part.
   */
  role?: string;
  /**
   * The texts by which a person names the part: those that share a word with the instruction, otherwise the first
   * one with a word that only this part contains. Another part with the same words otherwise is another thing.
   */
  names?: string[];
  /**
   * The number of the cell that contains the first name, from 0, if an input stands for it: another cell may contain
   * the same text.
   */
  column?: number | null;
  /**
   * The words that only this part contains, in order. None for the row of a loop, which the loop determines.
   */
  keys?: string[];
}
/**
 * The result of an action. A failure is a value, not an error.
 */
export interface ActionResult {
  /**
   * The reason for the failure; absent when the action succeeded.
   */
  failure?: ActionFailure | null;
  /**
   * The action failed after a command that may change state was sent to the page or to a tool. It may have taken
   * effect, and is not repeated until somebody has checked. An action that may be repeated, such as filling in a
   * field, has this mark if the browser was lost or the page sent a change. Older journals lack this field; their failures count as
   * not executed.
   */
  outcomeUnknown?: boolean;
  /**
   * Duration, including waiting and settling.
   */
  durationMs: number;
  /**
   * A short description of the element that the action was executed on: `button "Save"`.
   */
  element?: string | null;
  /**
   * The position of that element when the action started, before the element was scrolled into view. It is the
   * position of the element on the screenshot taken before the action.
   */
  box?: ElementBox | null;
  /**
   * What identifies the elements that the browser found for names and selectors, by the parameter that names them:
   * `target`, `to`. The elements that were known before are in the event of the intent.
   */
  elements?: {
    [k: string]: ElementIdentity;
  };
  /**
   * The URL of the page after the action.
   */
  url?: string;
  /**
   * The value that was read, saved or found.
   */
  value?: {
    [k: string]: unknown;
  };
  /**
   * The other effects of the action, in order.
   */
  effects?: PageEffect[];
  /**
   * The HTML of the page, when it was requested; never inline.
   */
  dom?: Artifact | null;
  /**
   * The screenshot that was captured after the action.
   */
  screenshot?: Artifact | null;
}
/**
 * The position of an element relative to the viewport of its tab, in CSS pixels. It can be outside of the viewport.
 */
export interface ElementBox {
  /**
   * Distance from the left edge of the viewport.
   */
  x: number;
  /**
   * Distance from the top edge of the viewport.
   */
  y: number;
  /**
   * Width.
   */
  width: number;
  /**
   * Height.
   */
  height: number;
  /**
   * Width and height of the viewport.
   *
   * @minItems 2
   * @maxItems 2
   */
  view: [number, number];
}
/**
 * A JavaScript dialog that is open or was answered.
 */
export interface DialogInfo {
  dialog: DialogKind;
  /**
   * The text of the dialog.
   */
  message: string;
  /**
   * The answer; absent while the dialog is open.
   */
  accepted?: boolean | null;
}
/**
 * A file that was downloaded from the page.
 */
export interface DownloadInfo {
  /**
   * The name that the site gave the file, sanitized.
   */
  name: string;
  /**
   * The path on this machine.
   */
  path: string;
  /**
   * Size in bytes.
   */
  size: number;
  /**
   * SHA-256 in hexadecimal.
   */
  hash: string;
  /**
   * The URL of the download.
   */
  url: string;
  /**
   * The format of the content (`JSON`, `HTML`), if it differs from the extension of the name.
   */
  otherFormat?: string | null;
}
/**
 * A value that was sent to a server and that the response returned with another content. A state is `true` or `false`;
 * a list contains its entries in alphabetical order.
 */
export interface AlteredValue {
  /**
   * The name of the field.
   */
  name: string;
  /**
   * The value that was sent; secrets are handles.
   */
  sent: string;
  /**
   * The value in the response; empty for `null`.
   */
  answered: string;
}
/**
 * The console lines and requests of the pages of a run from one action to the next. A request that was pending when it
 * was first reported is reported again with the same number after it ends.
 */
export interface PageLog {
  /**
   * The command during which they occurred, or the first command after them.
   */
  commandId?: CommandId | null;
  /**
   * Console lines, oldest first.
   */
  console?: ConsoleLine[];
  /**
   * Requests, oldest first.
   */
  requests?: RequestLine[];
  /**
   * The number of console lines that were omitted.
   */
  consoleLeftOut?: number;
  /**
   * The number of requests that were omitted.
   */
  requestsLeftOut?: number;
}
/**
 * A line of a page's console: a message or an exception of its scripts, or a message of the browser about the page.
 */
export interface ConsoleLine {
  /**
   * Increases over the whole session, across all tabs.
   */
  number: number;
  level: ConsoleLevel;
  /**
   * The text, shortened; secrets are handles.
   */
  text: string;
  /**
   * The URL of the script or document, shortened.
   */
  url?: string;
  /**
   * The line in the script or document, from 1.
   */
  line?: number | null;
  /**
   * The number of the tab.
   */
  tab: number;
  /**
   * The time at which Legwork received the line.
   */
  at: string;
}
/**
 * A request of a page, and how it ended, if that is known.
 */
export interface RequestLine {
  /**
   * Increases over the whole session, across all tabs. Each hop of a redirect has its own number.
   */
  number: number;
  /**
   * `GET`, `POST`…
   */
  method: string;
  /**
   * The URL, shortened; secrets are handles.
   */
  url: string;
  /**
   * The resource type: `document`, `script`, `fetch`, `image`, `websocket`…
   */
  kind: string;
  /**
   * The HTTP status; absent until the response arrives.
   */
  status?: number | null;
  /**
   * The media type of the response, as the browser determined it.
   */
  mediaType?: string | null;
  /**
   * Duration until the last byte or the failure; absent while the request is pending.
   */
  durationMs?: number | null;
  /**
   * The number of bytes that were transferred.
   */
  bytes?: number | null;
  /**
   * The reason for the failure, as the browser reported it.
   */
  failure?: string | null;
  /**
   * The number of the tab.
   */
  tab: number;
  /**
   * The time at which it was sent.
   */
  at: string;
}
/**
 * The full text of a page on which a decider without a model decided, or at which a step ended. For a model, the text
 * is part of the request.
 */
export interface PageText {
  /**
   * The fingerprint of the observation to which the text belongs.
   */
  fingerprint: string;
  text: Artifact;
}
/**
 * A screenshot.
 */
export interface ScreenshotInfo {
  image: Artifact;
  /**
   * The command after which it was captured.
   */
  commandId?: CommandId | null;
  /**
   * The name of the action.
   */
  actionType: string;
  /**
   * Width in pixels.
   */
  width: number;
  /**
   * Height in pixels.
   */
  height: number;
}
/**
 * A variable and its value.
 */
export interface VariableInfo {
  /**
   * The name.
   */
  name: string;
  /**
   * The value.
   */
  value: {
    [k: string]: unknown;
  };
  /**
   * The previous value.
   */
  previousValue?: {
    [k: string]: unknown;
  };
  source: VariableSource;
  /**
   * Where the value comes from, with the origin of the page. Older journals lack it.
   */
  provenance?: Provenance | null;
}
/**
 * The page to which a tab navigated.
 */
export interface PageInfo {
  /**
   * The URL.
   */
  url: string;
  /**
   * The title.
   */
  title: string;
  /**
   * The HTTP status of the document.
   */
  status?: number | null;
}
/**
 * The findings of an investigation.
 */
export interface Findings {
  /**
   * The purpose of the page and its important parts, in one or two sentences.
   */
  insight?: string;
  /**
   * The element to act on, if code verified that exactly one actionable element matches.
   */
  target?: string | null;
  /**
   * Confidence of the model, 0 to 1.
   */
  confidence?: number;
  /**
   * Number of rounds of tools.
   */
  rounds?: number;
  /**
   * Whether the investigation ended because of its limit of time or rounds. The findings are then partial.
   */
  partial?: boolean;
}
/**
 * A reflection on an uncertain decision or a failed action.
 */
export interface Reflection {
  /**
   * The reason for the reflection.
   */
  cause: string;
  verdict: Verdict;
  /**
   * The reasons for the verdict.
   */
  thought: string;
  risk: Risk;
}
/**
 * The plan of a task.
 */
export interface Plan {
  /**
   * The criteria that show that the task is done.
   */
  successCriteria?: string;
  /**
   * The plan as text.
   */
  plan?: string;
  /**
   * The actions to take, in order.
   */
  actionItems?: string[];
  /**
   * The URL to start at.
   */
  startUrl?: string | null;
  /**
   * Number of revisions.
   */
  revision?: number;
}
/**
 * The review of an answer against the criteria of the plan.
 */
export interface Review {
  quality: Quality;
  /**
   * What is missing, or why the answer is good.
   */
  feedback: string;
  /**
   * The number of the attempt, from 1.
   */
  attempt: number;
}
/**
 * A decision and who made it.
 */
export interface DecisionRecord {
  decider: DecidedBy;
  decision: Decision;
}
/**
 * A command, from its intent to its result.
 */
export interface CommandRecord {
  commandId: CommandId;
  action: Action;
  decider: DecidedBy;
  effect: Effect;
  /**
   * For an action of a playbook: how well its element agrees with the recorded one, 0 to 1.
   */
  score?: number | null;
  /**
   * Why the recorded action of a playbook could not be used, if this action replaces it.
   */
  healed?: string | null;
  /**
   * The time at which the intent was committed.
   */
  started: string;
  /**
   * The result. Absent while the command is in progress, and permanently if the result was lost.
   */
  result?: ActionResult | null;
  /**
   * The screenshot after the command.
   */
  picture?: ScreenshotInfo | null;
}
/**
 * A question and its answer.
 */
export interface QuestionRecord {
  question: Question;
  /**
   * The answer. The answer to a secret question is a handle.
   */
  answer?: string | null;
}
/**
 * A variable and the origin of its value.
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
   * The index of the step that set it, from 0.
   */
  step?: number | null;
}
/**
 * A warning of a run.
 */
export interface Warning {
  /**
   * The index of the step that it belongs to, from 0.
   */
  step?: number | null;
  /**
   * The text of the warning.
   */
  message: string;
}
/**
 * A point at which a run was resumed.
 */
export interface Resumption {
  /**
   * The time of the resume.
   */
  time: string;
  /**
   * The index of the step that the run continued with, from 0.
   */
  step: number;
  /**
   * Whether the part before was interrupted, which means that the journal contains no end of it.
   */
  cutShort: boolean;
}
/**
 * Totals over the events of a run.
 */
export interface Totals {
  /**
   * Number of steps in the workflow.
   */
  steps: number;
  /**
   * Steps that ended as a success. Skipped steps are not included.
   */
  stepsDone: number;
  /**
   * Steps that ended with any other status except skipped.
   */
  stepsFailed: number;
  /**
   * Skipped steps: their condition did not hold.
   */
  stepsSkipped: number;
  /**
   * Turns with at least one decision or command.
   */
  turns: number;
  /**
   * Turns of the steps that have ended, as their results state them.
   */
  iterations: number;
  /**
   * Observations of the page.
   */
  observations: number;
  /**
   * Tokens of the text of all observations.
   */
  observationTokens: number;
  /**
   * Milliseconds spent on observations.
   */
  observingMs: number;
  decisions: Decisions;
  /**
   * Actions that were started.
   */
  commands: number;
  /**
   * Actions that failed.
   */
  commandsFailed: number;
  /**
   * Milliseconds spent on actions, including waiting and settling.
   */
  actingMs: number;
  usage: Usage;
  /**
   * The same, for each model.
   */
  models: {
    [k: string]: Usage;
  };
  /**
   * Model calls without a usable reply.
   */
  callsFailed: number;
  /**
   * Transport retries within the calls.
   */
  retries: number;
  /**
   * Milliseconds spent waiting for models.
   */
  thinkingMs: number;
  /**
   * Number of screenshots.
   */
  pictures: number;
  /**
   * Plans that were made or revised.
   */
  plans: number;
  /**
   * Reflections on uncertain decisions and on failures.
   */
  reflections: number;
  /**
   * Answers that were checked against their criteria.
   */
  reviews: number;
  /**
   * Failures by the name of their error code: failed actions, failed model calls, and errors that ended a step. A
   * step that ends because of a failed action counts twice, once for the action and once for the step.
   */
  errors: {
    [k: string]: number;
  };
}
/**
 * Decisions, by decider.
 */
export interface Decisions {
  /**
   * Parsed from the text of the step.
   */
  literal: number;
  /**
   * From a playbook.
   */
  playbook: number;
  /**
   * By the decider of a program that uses Legwork as a library.
   */
  custom: number;
  /**
   * By a language model.
   */
  model: number;
}
/**
 * The metrics of a run. Times are in milliseconds. A mean without any values is absent.
 */
export interface LoopMetrics {
  /**
   * The run's id.
   */
  sessionId: string;
  /**
   * Number of steps in the workflow.
   */
  totalSteps: number;
  /**
   * Steps that ended as a success. Skipped steps are not included.
   */
  completedSteps: number;
  /**
   * Turns of the steps that have ended.
   */
  totalIterations: number;
  /**
   * Mean number of turns of a step that ended and was not skipped.
   */
  averageIterationsPerStep?: number | null;
  /**
   * Share of successes among the steps that ended and were not skipped, from 0 to 1.
   */
  successRate?: number | null;
  /**
   * Mean time from start to end of a step that ended and was not skipped.
   */
  averageExecutionTime?: number | null;
  /**
   * Mean time of a model call, including retries.
   */
  aiResponseTime?: number | null;
  /**
   * Mean time of an action, including waiting and settling.
   */
  executorResponseTime?: number | null;
  /**
   * Reflections on uncertain decisions and on failures.
   */
  reflectionUsage: number;
  /**
   * Failures by the name of their error code.
   */
  errorBreakdown: {
    [k: string]: number;
  };
  usage: Usage;
}
export interface DeletedRun {
  run: RunId;
}
/**
 * The request that repeats a run.
 */
export interface RunRequest {
  request: Execute;
  /**
   * What it runs, in the notation of a workflow file; of a task, its goal.
   */
  text: string;
}
export interface History {
  events: Event[];
  /**
   * The number to request next; absent at the end.
   */
  next?: number | null;
  /**
   * The number of the run's newest event.
   */
  lastSeq: number;
}
/**
 * A screenshot.
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
   * The page's address, if an earlier event contains it.
   */
  url?: string | null;
  image: Artifact;
  /**
   * The command after which it was captured.
   */
  commandId?: CommandId | null;
  /**
   * The name of the action.
   */
  actionType: string;
  /**
   * Width in pixels.
   */
  width: number;
  /**
   * Height in pixels.
   */
  height: number;
}
export interface ValidationReply {
  valid: boolean;
  problems: WorkflowProblem[];
  steps: StepDecision[];
  /**
   * The inputs that it declares.
   */
  inputs: WorkflowInput[];
  /**
   * The names of the secrets that a run needs.
   */
  secrets: string[];
}
export interface WorkflowProblem {
  severity: string;
  line: number;
  column?: number | null;
  /**
   * The number of its step, from 1, if the source is YAML, JSON or a list of steps.
   */
  step?: number | null;
  message: string;
  suggestion?: string | null;
}
/**
 * A step and its decider.
 */
export interface StepDecision {
  text: string;
  /**
   * `literal` if the words state exactly what to do, otherwise `model`.
   */
  decider: string;
  /**
   * The actions that the words state, if they do.
   */
  action?: string | null;
  /**
   * The most similar sentence that needs no model, if the words do not state an action.
   */
  suggestion?: string | null;
}
export interface ExportRequest {
  format: Format;
}
/**
 * What the side panel finds.
 */
export interface ExtensionInfo {
  version: string;
  /**
   * The version of the messages about tabs. The extension must have the same.
   */
  relayVersion: number;
  /**
   * Whether the caller has a token that may start runs.
   */
  paired: boolean;
  /**
   * Whether a model is configured, which a goal needs and steps do not.
   */
  hasModel: boolean;
  /**
   * The program that waits for a tab.
   */
  request?: TabRequester | null;
  /**
   * The run of a program at a terminal, once it has a tab.
   */
  run?: RequestedRun | null;
}
/**
 * Who asks a person for a tab.
 */
export interface TabRequester {
  kind: RequesterKind;
  /**
   * The name of the workflow, or what the agent calls itself.
   */
  name: string;
}
/**
 * A run that a program started in the tab that it had asked for.
 */
export interface RequestedRun {
  id: RunId;
  /**
   * The id of the tab.
   */
  tab: string;
}
/**
 * The answer to a panel.
 */
export interface Proof {
  /**
   * A code of the random number and of the address of the server; absent if the pairing is not valid here.
   */
  proof?: string | null;
}
/**
 * A pairing that succeeded.
 */
export interface PairedBrowser {
  /**
   * The token, which is shown only here.
   */
  token: string;
  /**
   * Its name, by which it can be revoked: `legwork token revoke NAME`.
   */
  name: string;
}
export interface Pairing {
  /**
   * The code that `legwork panel pair` printed.
   */
  code: string;
}
/**
 * A tab that was offered.
 */
export interface OfferedTab {
  /**
   * The value of `tab` when a run is started or resumed. It is a secret, and connects the tab within a minute, once.
   */
  id: string;
}
export interface TabOffer {
  /**
   * The name and version of the browser.
   */
  product: string;
  /**
   * Whether the tab is for the program that waits for one.
   */
  forRequest?: boolean;
}
/**
 * Whether a program was refused.
 */
export interface RefusedRequest {
  /**
   * Whether one was waiting.
   */
  refused: boolean;
}
/**
 * The run received the op. Its events show the effect.
 */
export interface SteerReply {
  sessionId: RunId;
  asked: string;
}
export interface Resume {
  /**
   * The outcome of the action whose result was lost, if the run waits for it.
   */
  assume?: Assume | null;
  /**
   * The id of an offered tab of the user's own browser, in which the run continues.
   */
  tab?: string | null;
}
export interface Cancel {
  /**
   * The reason, for the record.
   */
  reason?: string | null;
}
export interface Answer {
  /**
   * The answer. The answer to a secret question is stored among the secrets of the run and never in the journal.
   */
  text: string;
}
/**
 * What the frames of the browser do not show.
 */
export interface InputReply {
  sessionId: RunId;
  /**
   * The open tabs.
   */
  tabs: TabInfo[];
  /**
   * The open dialog of the current tab, which no picture shows.
   */
  dialog?: DialogInfo | null;
}
/**
 * An open tab.
 */
export interface TabInfo {
  /**
   * The number of the tab, from 1. A number is not reused within a session.
   */
  number: number;
  /**
   * The title.
   */
  title: string;
  /**
   * The URL.
   */
  url: string;
  /**
   * Whether the tab is the current one, which receives the actions.
   */
  current: boolean;
}
export interface InputRequest {
  /**
   * The inputs in their order, at most 200. Without any, only the state is returned.
   */
  inputs: ViewerInput[];
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
 * Changes to a run's record: rows that replace the rows of the client.
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
 * A run and its state.
 */
export interface RunRow {
  run: RunId;
  /**
   * The name that people see.
   */
  name: string;
  /**
   * Whether the run is a single task.
   */
  task: boolean;
  /**
   * The address that the run began with.
   */
  url?: string | null;
  state: RecordState;
  /**
   * Whether no more events follow unless a person acts.
   */
  ended: boolean;
  /**
   * Whether a process drives the run.
   */
  live: boolean;
  verdict: StatusLabel;
  /**
   * The time of its start.
   */
  began: string;
  /**
   * The time of its end.
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
   * Whether a person must state the outcome of an action before the run can continue.
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
   * The plan as a text.
   */
  plan: string;
  /**
   * The items, in order.
   */
  actionItems: PlanItemRow[];
  /**
   * The criteria for the success of the task.
   */
  successCriteria: string;
  /**
   * The number of revisions.
   */
  revision: number;
}
/**
 * An item of a plan.
 */
export interface PlanItemRow {
  /**
   * The text of the item.
   */
  text: string;
  state: PlanItemState;
}
/**
 * The progress of a run, which changes with almost every event.
 */
export interface ProgressRow {
  /**
   * The number of the last event.
   */
  seq: number;
  /**
   * The time of the last event.
   */
  last: string;
  /**
   * The current phase in words.
   */
  phase?: string | null;
  /**
   * The expected duration of the phase in milliseconds.
   */
  remainingMs?: number | null;
  /**
   * The time of the last event that can only follow a finished reply of a model, in microseconds since 1970; 0
   * before the first. A reply that began earlier is over.
   */
  replyEnded: number;
}
/**
 * The current page of the run.
 */
export interface PageRow {
  /**
   * The last observation of the page.
   */
  page?: PageInfo | null;
  /**
   * The last screenshot.
   */
  picture?: ScreenshotInfo | null;
}
/**
 * The inputs and variables of a run.
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
   * Where the run was resumed, one entry for each time.
   */
  resumed: Resumption[];
}
/**
 * A named value.
 */
export interface ValueRow {
  /**
   * Its name.
   */
  name: string;
  /**
   * The value as text. A secret is a handle.
   */
  value: string;
  /**
   * The index of the step that set it, from 0.
   */
  step?: number | null;
}
/**
 * The errors of a run.
 */
export interface ProblemsRow {
  /**
   * Errors that matter to a reader who wants to know the outcome.
   */
  shown: ErrorReport[];
  /**
   * Errors that the run recovered from.
   */
  hidden: ErrorReport[];
}
/**
 * A step, without its turns.
 */
export interface StepRow {
  /**
   * The position in the workflow, from 0.
   */
  index: number;
  /**
   * The text of the step.
   */
  text: string;
  state: RecordState;
  verdict: StatusLabel;
  /**
   * The time of its start.
   */
  began?: string | null;
  /**
   * The time of its end.
   */
  end?: string | null;
  /**
   * Who made the last decision.
   */
  decider?: DecidedBy | null;
  /**
   * How the step ended.
   */
  result?: ResultRow | null;
  /**
   * The questions to a person.
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
   * The text of the step.
   */
  text: string;
  /**
   * The time from its start to its end.
   */
  durationMs: number;
  /**
   * The model's message, or why the step was skipped; absent if it repeats the error.
   */
  message?: string | null;
  /**
   * The error.
   */
  error?: ErrorReport | null;
  verdict: StatusLabel;
  /**
   * Why the claim has this validation, in words.
   */
  reason?: string | null;
  /**
   * The facts.
   */
  evidence: EvidenceRow[];
}
/**
 * A fact and what it means for the claim.
 */
export interface EvidenceRow {
  side: Polarity;
  /**
   * ✓, ✗ or a dot.
   */
  sign: string;
  /**
   * A text before the fact, for readers who do not see the sign.
   */
  words: string;
  kind: EvidenceKind;
  /**
   * Whether a check asked for this fact.
   */
  checked: boolean;
  /**
   * The fact.
   */
  fact: string;
}
/**
 * One cycle of observe → decide → act.
 */
export interface TurnRow {
  /**
   * The index of its step, from 0; absent outside all steps.
   */
  step?: number | null;
  /**
   * Its number within the step, from 0.
   */
  number: number;
  /**
   * Whether the turn contains no decision, no command and no other work of the model.
   */
  idle: boolean;
  /**
   * The decision of a model.
   */
  decision?: DecisionRow | null;
  /**
   * Other work of the model: plans, investigations, reflections, reviews, extracted data.
   */
  thoughts: ThoughtRow[];
  /**
   * The commands.
   */
  commands: CommandRow[];
  /**
   * The model calls.
   */
  calls: CallRow[];
}
/**
 * The decision of a model.
 */
export interface DecisionRow {
  /**
   * The model's evaluation of the last result.
   */
  verdict: string;
  /**
   * The confidence, from 0 to 1.
   */
  confidence: number;
  /**
   * The evaluation as a text.
   */
  message: string;
  /**
   * The reasons for the decision.
   */
  reasons: ReasonRow[];
}
/**
 * One part of the reasons for a decision.
 */
export interface ReasonRow {
  /**
   * The subject of the text.
   */
  about: string;
  /**
   * The text.
   */
  words: string;
}
/**
 * A plan, an investigation, a reflection, a review or extracted data, in words.
 */
export interface ThoughtRow {
  /**
   * A short title.
   */
  title: string;
  /**
   * The details.
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
   * The action in words.
   */
  words: string;
  state: CommandState;
  decider: DecidedBy;
  /**
   * Why it failed.
   */
  failure?: string | null;
  /**
   * The effects of the action.
   */
  effects: EffectRow[];
  /**
   * The value that the action returned.
   */
  value?: string | null;
  /**
   * The duration of the action.
   */
  durationMs?: number | null;
  /**
   * The element that the action was applied to.
   */
  element?: string | null;
  /**
   * The position of that element before the action.
   */
  box?: ElementBox | null;
  /**
   * The address of the page after the action.
   */
  url?: string | null;
}
/**
 * An effect of an action, in words.
 */
export interface EffectRow {
  /**
   * The effect in words.
   */
  words: string;
  /**
   * Whether it contradicts the success of the action.
   */
  against: boolean;
}
/**
 * A model call.
 */
export interface CallRow {
  purpose: Purpose;
  /**
   * `provider/name`.
   */
  model: string;
  /**
   * Tokens and cost, in words.
   */
  usage: string;
  /**
   * The duration, including retries.
   */
  durationMs: number;
  /**
   * Transport retries.
   */
  retries: number;
  /**
   * The finish reason of the provider.
   */
  finish?: string | null;
  /**
   * Why there is no usable reply.
   */
  error?: ErrorReport | null;
  /**
   * The hash of the request's artifact.
   */
  request: string;
  /**
   * The hash of the reply's artifact.
   */
  reply?: string | null;
}
/**
 * A step on the timeline, once for each of its starts.
 */
export interface BandRow {
  /**
   * The number of the event that started it.
   */
  seq: number;
  /**
   * The start, in milliseconds since the start of the run.
   */
  from: number;
  /**
   * The end, in the same unit; absent while the step is in progress.
   */
  to?: number | null;
  tone: Tone;
}
/**
 * A screenshot on the timeline.
 */
export interface PictureRow {
  /**
   * The number of its event.
   */
  seq: number;
  /**
   * The moment that it shows, in milliseconds since the start of the run.
   */
  at: number;
  /**
   * The hash of its artifact.
   */
  hash: string;
}
/**
 * An event on the timeline, with the facts that belong to it: screenshots before and after, the current page, and the
 * model call and decision that it resulted from.
 */
export interface MomentRow {
  /**
   * The number of its event.
   */
  seq: number;
  kind: MomentKind;
  /**
   * The index of its step, from 0.
   */
  step?: number | null;
  /**
   * The start, in milliseconds since the start of the run.
   */
  from: number;
  /**
   * The end, in the same unit.
   */
  to: number;
  /**
   * The duration in milliseconds.
   */
  took?: number | null;
  /**
   * A short title.
   */
  title: string;
  /**
   * The details.
   */
  note?: string | null;
  tone: Tone;
  /**
   * The current page: its title, or else its address.
   */
  place?: string | null;
  /**
   * The command.
   */
  command?: CommandRow | null;
  /**
   * The model call, if the moment is one.
   */
  call?: CallRow | null;
  /**
   * The decision that resulted from this call.
   */
  decision?: DecisionRow | null;
  /**
   * The number of the moment of the call that it resulted from.
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
   * The hash of the text of the current page.
   */
  page?: string | null;
  /**
   * The hash of the text of the page before it.
   */
  pageBefore?: string | null;
  /**
   * The hash of the last request that contained the page for a model.
   */
  reading?: string | null;
  /**
   * The hash of the request before it.
   */
  readingBefore?: string | null;
  /**
   * Console lines and requests of the page during the moment.
   */
  activity?: ActivityRow | null;
  /**
   * The screenshot at its start.
   */
  before?: ScreenshotInfo | null;
  /**
   * The screenshot after it.
   */
  after?: ScreenshotInfo | null;
}
/**
 * Console lines and requests of a page during an action, or since the action before.
 */
export interface ActivityRow {
  /**
   * The console lines.
   */
  console: ConsoleLine[];
  /**
   * The number of further console lines.
   */
  consoleLeftOut: number;
  /**
   * The requests.
   */
  requests: RequestLine[];
  /**
   * The number of further requests.
   */
  requestsLeftOut: number;
}
export interface ObservedElements {
  /**
   * The run that observed the page; absent if no run did.
   */
  run?: RunId | null;
  /**
   * The address of the page.
   */
  url?: string | null;
  /**
   * The elements with a name, each once, in the order of the page.
   */
  elements: ElementName[];
}
/**
 * An element as a step names it.
 */
export interface ElementName {
  role: string;
  name: string;
}
export interface Liveness {
  status: string;
}
export interface DetailedHealth {
  /**
   * `ok`, or `degraded` if something below is not in order.
   */
  status: string;
  browser: BrowserSetup;
  store: Store;
  keys: ProviderKey[];
  queue: Queue;
  integrity: Integrity;
}
/**
 * The browser of this server, looked for at the time of the request.
 */
export interface BrowserSetup {
  found: boolean;
  path?: string | null;
  problem?: string | null;
  /**
   * The commands that install a browser on the machine of the server.
   */
  install?: string | null;
}
export interface Store {
  dataDir: string;
  runs: number;
  /**
   * Size of the run log in bytes.
   */
  logBytes: number;
}
/**
 * Whether the key of a provider is set; never the key.
 */
export interface ProviderKey {
  provider: string;
  /**
   * The variable that contains it, and its name in the vault.
   */
  env: string;
  /**
   * Whether the environment of the server or the vault contains it.
   */
  present: boolean;
  /**
   * Whether the vault contains it.
   */
  stored: boolean;
  /**
   * The origin to which requests to the provider's models go, and with them the key. Absent for an address without a
   * key.
   */
  origin?: string | null;
}
export interface Queue {
  live: number;
  maxConcurrent: number;
  waiting: number;
  maxQueue: number;
}
/**
 * The integrity of the data: whether everything that belongs together exists.
 */
export interface Integrity {
  ok: boolean;
  /**
   * Runs that are in progress according to the log, but that no process drives. Each can be resumed.
   */
  orphans: string[];
  /**
   * Number of artifacts that events refer to and that do not exist.
   */
  missingArtifacts: number;
  /**
   * The hashes of some of them.
   */
  missing: string[];
}
export interface Dashboard {
  /**
   * The oldest day first, including days without runs. A run belongs to the UTC day on which it began.
   */
  days: Day[];
  /**
   * The workflows with the most runs first, at most 200.
   */
  workflows: WorkflowFigures[];
  totals: DashboardTotals;
}
export interface Day {
  date: string;
  runs: number;
  success: number;
  /**
   * Successes with supporting evidence.
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
   * Share of successes among the runs that ended, from 0 to 1.
   */
  successRate?: number | null;
  /**
   * Share of successes with supporting evidence among the successes, from 0 to 1.
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
   * Successes with supporting evidence.
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
   * Derived from the fields that identify the lesson.
   */
  id: string;
  kind: LessonKind;
  /**
   * The origin of the site on which it was learned.
   */
  site: string;
  /**
   * The kind of step: the instruction without its values; empty for all steps.
   */
  pattern?: string;
  /**
   * The key of the lesson among the lessons of the same kind and site, such as `button "Sign in"`.
   */
  key: string;
  /**
   * The lesson as text; never contains a secret.
   */
  text: string;
  /**
   * Structured details.
   */
  data?: {
    [k: string]: unknown;
  };
  /**
   * How often the lesson helped.
   */
  successes: number;
  /**
   * How often the lesson did not help.
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
export interface DeletedLesson {
  id: string;
}
/**
 * A stored secret without its value.
 */
export interface StoredSecretView {
  /**
   * Steps write it as `${secret:NAME}`.
   */
  name: string;
  /**
   * The origins into which it may be typed.
   */
  origins: string[];
  /**
   * The name of the user that it belongs to, as a note.
   */
  username?: string | null;
  /**
   * Whether steps type a one-time code.
   */
  oneTimeCode: boolean;
  /**
   * When it was stored or replaced.
   */
  changed: string;
}
export interface SecretToStore {
  /**
   * The value. No response contains it.
   */
  value: string;
  /**
   * The origins into which it may be typed, such as `https://shop.example`. A secret that is replaced keeps its own
   * if there are none here.
   */
  origins?: string[];
  /**
   * The name of the user that it belongs to, as a note.
   */
  username?: string | null;
  /**
   * Whether the value is the key of an authenticator app: base32, or an address `otpauth://totp/…`.
   */
  oneTimeCode?: boolean;
}
export interface SettingsList {
  settings: SettingsView[];
  keys: ProviderKey[];
}
export interface SettingsView {
  name: string;
  /**
   * The value that the server uses.
   */
  value: string;
  /**
   * The value that the server will use after a restart, if it is another one.
   */
  pending?: string | null;
  /**
   * Whether a changed value applies only after a restart of the server. Otherwise the next run uses it.
   */
  restart: boolean;
  default: string;
  /**
   * `default`, a file with its line, a variable, or the command line.
   */
  origin: string;
  description: string;
  /**
   * A description of its values.
   */
  kind: string;
}
export interface SettingChange {
  /**
   * The value, as text or in its own type; null removes the setting from the file.
   */
  value?: {
    [k: string]: unknown;
  };
}
export interface SetupReport {
  browser: BrowserSetup;
  installation: Installation;
  model: ModelSetup;
}
/**
 * The installation of a browser by this server.
 */
export interface Installation {
  /**
   * Whether the server may install a browser.
   */
  available: boolean;
  /**
   * Whether it does so now.
   */
  running: boolean;
  /**
   * Why the last one failed.
   */
  problem?: string | null;
}
export interface ModelSetup {
  state: ModelState;
  /**
   * The model that is configured, as `provider/name`.
   */
  name?: string | null;
  /**
   * The variable in the environment of the server that contains the key of its provider, and its name in the vault.
   */
  keyVariable?: string | null;
  /**
   * The origin to which its requests go.
   */
  origin?: string | null;
}
/**
 * A saved workflow with what a list and a form show.
 */
export interface SavedWorkflowView {
  id: string;
  name: string;
  description: string;
  /**
   * The text of a workflow file, or the goal of a task.
   */
  text: string;
  /**
   * Whether the text is the goal of a single task, which returns an answer.
   */
  task: boolean;
  /**
   * The address to begin with, if the text names none.
   */
  url?: string | null;
  /**
   * The id of the template that it was made from.
   */
  basedOn?: string | null;
  /**
   * The number of this version, from 1.
   */
  version: number;
  /**
   * When this version was saved.
   */
  saved: string;
  /**
   * The name of the token of whoever saved it; absent for the server's own token.
   */
  savedBy?: string | null;
  /**
   * Number of steps.
   */
  steps: number;
  inputs: WorkflowInput[];
  /**
   * The names of the secrets that a run needs.
   */
  secrets: string[];
  /**
   * The run of it that was started last, if it is on record.
   */
  lastRun?: RunListItem | null;
}
/**
 * What a person saves.
 */
export interface WorkflowDraft {
  /**
   * The name that people see. If absent, the name in the text.
   */
  name?: string | null;
  description?: string;
  /**
   * The text of a workflow file, or the goal of a task.
   */
  text: string;
  /**
   * Whether the text is the goal of a single task, which returns an answer.
   */
  task?: boolean;
  /**
   * The address to begin with, if the text names none.
   */
  url?: string | null;
  /**
   * The id of the template that it was made from: its address, secrets and uploads apply.
   */
  basedOn?: string | null;
}
/**
 * A change of a saved workflow: the new content, and the version that it replaces.
 */
export interface WorkflowChange {
  draft: WorkflowDraft;
  /**
   * The version that was changed. If it is not the newest one, somebody else has saved since, and the change is
   * refused.
   */
  version: number;
}
export interface DeletedWorkflow {
  id: string;
}
/**
 * A version of a saved workflow.
 */
export interface SavedWorkflow {
  id: string;
  name: string;
  description: string;
  /**
   * The text of a workflow file, or the goal of a task.
   */
  text: string;
  /**
   * Whether the text is the goal of a single task, which returns an answer.
   */
  task: boolean;
  /**
   * The address to begin with, if the text names none.
   */
  url?: string | null;
  /**
   * The id of the template that it was made from.
   */
  basedOn?: string | null;
  /**
   * The number of this version, from 1.
   */
  version: number;
  /**
   * When this version was saved.
   */
  saved: string;
  /**
   * The name of the token of whoever saved it; absent for the server's own token.
   */
  savedBy?: string | null;
}
/**
 * The playbook of a workflow on a site, and how well it agreed with the site.
 */
export interface WorkflowDrift {
  /**
   * The id of the playbook.
   */
  playbook: string;
  /**
   * The site on which it was recorded.
   */
  site: string;
  /**
   * Its newest version.
   */
  version: number;
  drift: PlaybookDrift;
}
/**
 * The last runs of the workflow of a playbook.
 */
export interface PlaybookDrift {
  /**
   * The runs, oldest first.
   */
  runs: DriftRun[];
  /**
   * The steps of the workflow in which a recorded element was looked for, in order.
   */
  steps: DriftStep[];
}
/**
 * A run with its actions by decider.
 */
export interface DriftRun {
  run: RunId;
  /**
   * The time of its start.
   */
  started: string;
  /**
   * How it ended, or its current state.
   */
  state: string;
  /**
   * The version of the playbook that it used; absent if it used none.
   */
  version?: number | null;
  /**
   * The number of actions that were repeated from the playbook.
   */
  playbook: number;
  /**
   * The number of actions that the words of the steps decided.
   */
  literal: number;
  /**
   * The number of actions that a model, or the program's own decider, decided.
   */
  model: number;
  /**
   * The number of actions that replaced a recorded one.
   */
  healed: number;
  /**
   * The lowest agreement of an element with the recorded one, 0 to 1; absent if none was compared.
   */
  lowest?: number | null;
}
/**
 * A step in each of the runs.
 */
export interface DriftStep {
  /**
   * The number of the step among all written steps, from 1.
   */
  step: number;
  /**
   * Its instruction.
   */
  text: string;
  /**
   * For each run: how its elements were found; `None` if the run did not look for them.
   */
  marks: (DriftMark | null)[];
}
/**
 * How the elements of a step were found in a run.
 */
export interface DriftMark {
  /**
   * The lowest agreement, 0 to 1; absent if no element was certain.
   */
  score?: number | null;
  /**
   * The number of actions that replaced a recorded one.
   */
  healed: number;
}
/**
 * A schedule as it is stored.
 */
export interface ScheduleView {
  id: string;
  /**
   * The name that people see.
   */
  name: string;
  /**
   * Five fields (minute, hour, day, month, weekday), or a macro such as `@daily`.
   */
  cron: string;
  /**
   * An IANA time zone, such as `Europe/Lisbon`.
   */
  timezone?: string;
  /**
   * The text of a workflow file.
   */
  workflow?: string | null;
  /**
   * The id of a template.
   */
  template?: string | null;
  /**
   * The id of a saved workflow, of which each run uses the newest version.
   */
  workflowId?: string | null;
  /**
   * The id of the template that the text was made from: its address, secrets and uploads apply.
   */
  basedOn?: string | null;
  /**
   * The values of the workflow's inputs.
   */
  inputs?: {
    [k: string]: unknown;
  };
  /**
   * `NAME` or `NAME@ORIGIN`, as for a run. The values are in the server's environment or its vault.
   */
  secrets?: string[];
  /**
   * The URL that receives a signed request at the end of each run.
   */
  webhook?: string | null;
  /**
   * The URL of an incoming webhook of Slack, or of a chat that accepts the same messages. It receives a message when
   * a run fails, and when a run succeeds after a failure. Only for callers with the scope `admin`, because it is a
   * key.
   */
  slackHook?: string | null;
  /**
   * The addresses that receive the same as e-mail, through the server of the settings `smtp.…`.
   */
  email?: string[];
  enabled?: boolean;
  /**
   * The time of the last check. Start times since then are missed if no server ran.
   */
  lastChecked: string;
  /**
   * The time at which it last started a run.
   */
  last?: string | null;
  /**
   * The newest runs that it started, the newest first.
   */
  runs?: RunId[];
  /**
   * Why the last start failed.
   */
  problem?: string | null;
  /**
   * Number of start times that passed while no server ran.
   */
  missed?: number;
  /**
   * Whether its last run failed or could not be started. The next success is reported as a recovery.
   */
  failing?: boolean;
  /**
   * The channels whose last message was not delivered, although it was repeated.
   */
  undelivered?: UndeliveredAlert[];
  /**
   * The last run that it started.
   */
  lastRun?: RunId | null;
  /**
   * The next start time.
   */
  next?: string | null;
  /**
   * The key that signs its webhooks; only for callers with the scope `admin`.
   */
  webhookKey?: string | null;
  /**
   * Its newest runs that are on record, the newest first.
   */
  results: RunListItem[];
}
/**
 * A message that a channel did not accept.
 */
export interface UndeliveredAlert {
  channel: AlertChannel;
  /**
   * The time of the last attempt.
   */
  at: string;
  /**
   * The reason.
   */
  problem: string;
  /**
   * What to do about it.
   */
  advice?: string;
}
/**
 * The definition of a schedule.
 */
export interface SchedulePlan {
  /**
   * The name that people see.
   */
  name: string;
  /**
   * Five fields (minute, hour, day, month, weekday), or a macro such as `@daily`.
   */
  cron: string;
  /**
   * An IANA time zone, such as `Europe/Lisbon`.
   */
  timezone?: string;
  /**
   * The text of a workflow file.
   */
  workflow?: string | null;
  /**
   * The id of a template.
   */
  template?: string | null;
  /**
   * The id of a saved workflow, of which each run uses the newest version.
   */
  workflowId?: string | null;
  /**
   * The id of the template that the text was made from: its address, secrets and uploads apply.
   */
  basedOn?: string | null;
  /**
   * The values of the workflow's inputs.
   */
  inputs?: {
    [k: string]: unknown;
  };
  /**
   * `NAME` or `NAME@ORIGIN`, as for a run. The values are in the server's environment or its vault.
   */
  secrets?: string[];
  /**
   * The URL that receives a signed request at the end of each run.
   */
  webhook?: string | null;
  /**
   * The URL of an incoming webhook of Slack, or of a chat that accepts the same messages. It receives a message when
   * a run fails, and when a run succeeds after a failure. Only for callers with the scope `admin`, because it is a
   * key.
   */
  slackHook?: string | null;
  /**
   * The addresses that receive the same as e-mail, through the server of the settings `smtp.…`.
   */
  email?: string[];
  enabled?: boolean;
}
/**
 * The times of a schedule that is not stored yet.
 */
export interface SchedulePreview {
  /**
   * The next start times; none if there is a problem.
   */
  next: string[];
  problems: SchedulePreviewProblem[];
}
/**
 * Why a schedule with these times would be refused.
 */
export interface SchedulePreviewProblem {
  /**
   * `cron` or `timezone`.
   */
  field: string;
  message: string;
}
/**
 * Whether a test message was accepted.
 */
export interface AlertTestResult {
  channel: AlertChannel;
  delivered: boolean;
  /**
   * The reason why not.
   */
  problem?: string | null;
  /**
   * What to do about it.
   */
  advice?: string | null;
}
/**
 * The addresses that receive a test message.
 */
export interface AlertTest {
  /**
   * The id of the schedule, with whose key the request to the webhook is signed. A schedule that is not stored has
   * none.
   */
  schedule?: string | null;
  /**
   * The name of the schedule.
   */
  name: string;
  webhook?: string | null;
  slackHook?: string | null;
  email?: string[];
}
export interface DeletedSchedule {
  id: string;
}
export interface BatchItem {
  id: BatchId;
  /**
   * The name of the workflow.
   */
  name: string;
  /**
   * The id of the saved workflow that it runs, if it is one.
   */
  workflowId?: string | null;
  /**
   * Whether this server can continue it. A batch that was started at a terminal is continued there.
   */
  isOwn: boolean;
  created: string;
  /**
   * Whether this server works on it.
   */
  live: boolean;
  cancelled: boolean;
  counts: BatchCounts;
}
/**
 * The number of rows in each state.
 */
export interface BatchCounts {
  /**
   * All rows.
   */
  rows: number;
  /**
   * Successes whose evidence was observed.
   */
  validated: number;
  /**
   * Other successes.
   */
  unvalidated: number;
  /**
   * Rows whose goal was not reached.
   */
  failed: number;
  /**
   * Rows that ended because of an error.
   */
  errors: number;
  /**
   * Cancelled rows.
   */
  cancelled: number;
  /**
   * Rows that wait for a person, also for an answer while their run is in progress, and rows whose run was deleted
   * before its end.
   */
  parked: number;
  /**
   * Rows whose run was interrupted or is in progress.
   */
  unfinished: number;
  /**
   * Rows without a run.
   */
  waiting: number;
}
/**
 * A request for a batch: what to run, and the rows.
 */
export interface BatchRequest {
  run: Execute;
  /**
   * The inputs of each row, at most 10,000: texts, numbers, true, false.
   */
  rows: {
    [k: string]: unknown;
  }[];
  /**
   * Number of runs at the same time; by default 1. The limit of the server applies as well.
   */
  jobs?: number | null;
  /**
   * Start no further row once this number of rows has failed.
   */
  maxFailures?: number | null;
}
/**
 * The rows of a file as a request for a batch contains them.
 */
export interface RowTable {
  /**
   * The names of the columns.
   */
  columns: string[];
  /**
   * The rows, without their empty cells.
   */
  rows: {
    [k: string]: unknown;
  }[];
  /**
   * What does not fit to the workflow. A batch with these rows is refused until it is corrected.
   */
  problems: RowTableProblem[];
}
/**
 * What in the rows does not fit to the workflow.
 */
export interface RowTableProblem {
  kind: RowTableProblemKind;
  /**
   * The column or the input.
   */
  column?: string | null;
  /**
   * The problem in words, with its row and column.
   */
  message: string;
}
export interface BatchDetails {
  id: BatchId;
  /**
   * The name of the workflow.
   */
  name: string;
  /**
   * The id of the saved workflow that it runs, if it is one.
   */
  workflowId?: string | null;
  /**
   * Whether this server can continue it. A batch that was started at a terminal is continued there.
   */
  isOwn: boolean;
  created: string;
  /**
   * Whether this server works on it.
   */
  live: boolean;
  cancelled: boolean;
  counts: BatchCounts;
  /**
   * The requested rows.
   */
  rows: BatchRowItem[];
  /**
   * The number of rows with the requested state.
   */
  matches: number;
}
/**
 * A row with its values.
 */
export interface BatchRowItem {
  /**
   * The number of the row.
   */
  row: number;
  status: RowStatus;
  /**
   * To what extent the success was checked; absent before the end.
   */
  validation?: Validation | null;
  /**
   * Its run, once it has one.
   */
  run?: RunId | null;
  /**
   * The error of the run in one line.
   */
  error?: string | null;
  verdict: StatusLabel;
  /**
   * The values of its inputs, without those of secret columns.
   */
  values: {
    [k: string]: unknown;
  };
}
export interface ResumeBatch {
  /**
   * For every row that waits because the result of an action was lost: its outcome.
   */
  assume?: Assume | null;
  /**
   * Start rows that failed again, from the first step.
   */
  retryFailed?: boolean;
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
  "/api/me": { query: {  }; data: CurrentUser };
  "/api/automation/templates": { query: {  }; data: TemplateView[] };
  "/api/templates": { query: {  }; data: TemplateView[] };
  "/api/automation/sessions": { query: { page?: number; pageSize?: number; state?: string; q?: string }; data: RunListItem[] };
  "/api/sessions": { query: { page?: number; pageSize?: number; state?: string; q?: string }; data: RunListItem[] };
  "/api/automation/sessions/{id}": { query: {  }; data: Session };
  "/api/sessions/{id}": { query: {  }; data: Session };
  "/api/automation/sessions/{id}/request": { query: {  }; data: RunRequest };
  "/api/sessions/{id}/request": { query: {  }; data: RunRequest };
  "/api/automation/sessions/{id}/history": { query: { from?: number; limit?: number }; data: History };
  "/api/sessions/{id}/history": { query: { from?: number; limit?: number }; data: History };
  "/api/automation/sessions/{id}/screenshots": { query: {  }; data: Picture[] };
  "/api/sessions/{id}/screenshots": { query: {  }; data: Picture[] };
  "/api/extension": { query: {  }; data: ExtensionInfo };
  "/api/extension/proof": { query: { nonce: string; pairing: string }; data: Proof };
  "/api/streams/{id}": { query: {  }; data: Stream };
  "/api/streams/{id}/events": { query: { from?: number; limit?: number }; data: History };
  "/api/elements": { query: { run?: string; url?: string }; data: ObservedElements };
  "/api/health": { query: {  }; data: Liveness };
  "/api/health/detailed": { query: {  }; data: DetailedHealth };
  "/api/dashboard": { query: { days?: number }; data: Dashboard };
  "/api/memory": { query: {  }; data: LessonView[] };
  "/api/secrets": { query: {  }; data: StoredSecretView[] };
  "/api/settings": { query: {  }; data: SettingsList };
  "/api/setup": { query: {  }; data: SetupReport };
  "/api/workflows": { query: { q?: string }; data: SavedWorkflowView[] };
  "/api/workflows/{id}": { query: {  }; data: SavedWorkflowView };
  "/api/workflows/{id}/versions": { query: {  }; data: SavedWorkflow[] };
  "/api/workflows/{id}/drift": { query: { runs?: number }; data: WorkflowDrift[] };
  "/api/schedules": { query: {  }; data: ScheduleView[] };
  "/api/schedules/preview": { query: { cron: string; timezone?: string }; data: SchedulePreview };
  "/api/batches": { query: { workflow?: string }; data: BatchItem[] };
  "/api/batches/{id}": { query: { state?: unknown; offset?: number; limit?: number }; data: BatchDetails };
}
