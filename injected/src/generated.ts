// Generated from crates/browser/src/page_script by `cargo xtask generate`; do not edit.

/**
 * Identifies an element.
 */
export type ElementQuery =
  | {
      element: number;
    }
  | {
      query: Query;
    }
  | {
      nth: NthQuery;
    };
/**
 * A search for elements, which is carried out in each frame separately.
 */
export type Query =
  | {
      by: "css";
      selector: string;
    }
  | {
      by: "xpath";
      path: string;
    }
  | {
      by: "text";
      text: string;
    }
  | {
      by: "role";
      role: string;
      name: string | null;
    };
/**
 * Which of several matching elements are read.
 */
export type ReadScope = ("first" | "all") | "only";
/**
 * What is read from an element.
 */
export type ReadContent =
  | "html"
  | "text"
  | {
      attribute: string;
    };
export type ReadResult = NotActionable | ElementTexts;
/**
 * Why an element cannot be acted on.
 */
export type NotActionable =
  | {
      reason: "stale";
    }
  | {
      reason: "gone";
    }
  | {
      reason: "invalid_selector";
      message: string;
    }
  | {
      reason: "not_found";
      candidates: string[];
    }
  | {
      reason: "ambiguous";
      count: number;
      candidates: string[];
    }
  | {
      reason: "not_visible";
      what: string;
    }
  | {
      reason: "covered";
      what: string;
      by: string;
    }
  | {
      reason: "disabled";
      what: string;
    }
  | {
      reason: "moving";
      what: string;
    }
  | {
      reason: "not_editable";
      what: string;
      is: string;
    }
  | {
      reason: "read_only";
      what: string;
      is: string;
    }
  | {
      reason: "not_clickable";
      what: string;
      why: string;
    }
  | {
      reason: "focus_lost";
      what: string;
      to: string;
    }
  | {
      reason: "not_accepted";
      what: string;
      accepts: string;
    }
  | {
      reason: "no_option";
      what: string;
      option: string;
      options: string[];
    }
  | {
      reason: "wrong_kind";
      what: string;
      is: string;
      hint: string;
    };
/**
 * The conditions that an action requires of its element.
 */
export type Need =
  | {
      kind: "attached";
    }
  | {
      kind: "field";
    }
  | {
      kind: "press";
    }
  | {
      kind: "point";
    }
  | {
      kind: "scroll";
    }
  | {
      kind: "focus";
      /**
       * A key for this element follows.
       */
      keyNext: boolean;
    }
  | {
      kind: "blur";
    }
  | {
      kind: "file";
    }
  | {
      kind: "fill";
      /**
       * `None` for a secret, which follows once it is known that the origin may receive it.
       */
      entry: FieldEntry | null;
    }
  | {
      kind: "type";
      /**
       * `None` for a secret.
       */
      text: string | null;
    }
  | {
      kind: "select";
      values: string[];
    }
  | {
      kind: "check";
      /**
       * The intended state.
       */
      on: boolean;
    }
  | {
      kind: "expand";
      /**
       * The intended state.
       */
      open: boolean;
    };
export type Actionability = NotActionable | Ready;
/**
 * How far a text was entered into its field, or how it is to be entered.
 */
export type EntryStep =
  | {
      step: "set";
    }
  | {
      step: "differs";
      /**
       * `None` for a secret.
       */
      actual?: string | null;
    }
  | {
      step: "insert";
      chord?: string | null;
      empty: boolean;
    }
  | {
      step: "keys";
      /**
       * The focus is removed from the field afterwards.
       */
      leave: boolean;
      /**
       * Enter is pressed before that, which makes the field accept the text.
       */
      commit: boolean;
    };
/**
 * The outcome of an action's input, as the page shows it once it has settled.
 */
export type Outcome =
  | {
      kind: "held";
    }
  | {
      kind: "differs";
      /**
       * `None` for a secret.
       */
      actual?: string | null;
      /**
       * The field, if it is not the element acted on, and the value given to it, unless that is secret.
       */
      field?: string | null;
      given?: string | null;
    }
  | {
      kind: "focus_lost";
      to: string;
    };
/**
 * A point in a child frame, in the coordinates of its parent.
 */
export type FramePoint =
  | {
      point: Point;
    }
  | {
      covered: {
        by: string;
      };
    };
/**
 * A scroll direction or end.
 */
export type Direction = "up" | "down" | "left" | "right" | "top" | "bottom";
/**
 * Why a press did not take effect.
 */
export type MissedPress =
  | {
      kind: "intercepted";
      by: string;
    }
  | {
      kind: "press_lost";
    }
  | {
      kind: "release_lost";
    }
  | {
      kind: "replaced";
    }
  | {
      kind: "field_changed";
      field: string;
      /**
       * `None` for a secret.
       */
      given?: string | null;
      actual?: string | null;
    };
/**
 * A storage of the page's origin.
 */
export type Area = "local" | "session";
/**
 * The value from a storage, or the reason for which there is none.
 */
export type StorageResult_ArrayOf_NameValue =
  | {
      value: NameValue[];
    }
  | {
      error: string;
    };
/**
 * The value from a storage, or the reason for which there is none.
 */
export type StorageResult_NullableString =
  | {
      value: string | null;
    }
  | {
      error: string;
    };
/**
 * The value from a storage, or the reason for which there is none.
 */
export type StorageResultNull =
  | {
      value: null;
    }
  | {
      error: string;
    };
/**
 * The value from a storage, or the reason for which there is none.
 */
export type StorageResultUint =
  | {
      value: number;
    }
  | {
      error: string;
    };
/**
 * The kind of an input, with its values.
 */
export type UserInputKind =
  | {
      kind: "click";
      /**
       * Its number in a series of quick clicks at the same place.
       */
      count: number;
      /**
       * The button.
       */
      button: Button;
      /**
       * The keys that were held.
       */
      modifiers: Modifier[];
    }
  | {
      kind: "check";
      /**
       * Whether it is on.
       */
      on: boolean;
    }
  | {
      kind: "fill";
      /**
       * The value; `None` if it belongs into no recording.
       */
      text?: string | null;
      /**
       * What the field is for, if its value belongs into no recording.
       */
      personal?: PersonalValue | null;
      /**
       * The value of such a field. It is reported only so that a recording can remove it where the page repeats it.
       */
      concealed?: ConcealedText | null;
    }
  | {
      kind: "select";
      /**
       * The labels of all chosen options.
       */
      values: string[];
    }
  | {
      kind: "upload";
      /**
       * Their names, or their paths where the browser reports them.
       */
      files: string[];
    }
  | {
      kind: "press";
      /**
       * The key.
       */
      key: string;
    }
  | {
      kind: "drag";
    }
  | {
      kind: "verify";
      /**
       * The text.
       */
      text: string;
    }
  | {
      kind: "leave";
    };
/**
 * A mouse button.
 */
export type Button = "left" | "middle" | "right";
/**
 * A modifier key that is held during a click.
 */
export type Modifier = "Alt" | "Control" | "Meta" | "Shift";
/**
 * A kind of value that belongs into no recording.
 */
export type PersonalValue = "secret" | "card";
/**
 * A text that appears in no output; its debug representation does not contain it.
 */
export type ConcealedText = string;

/**
 * The functions of the script that runs beside a page.
 */
export interface PageScript {
  calls: {
    /**
     * Captures the page: a line for each node. Without `key`, the capture repeats the previous one, and changes since then are not collected again.
     */
    capture: {
      arguments: Capture;
      result: string;
    };
    /**
     * Reads texts, attributes or HTML of elements.
     */
    readElements: {
      arguments: ReadElements;
      result: ReadResult;
    };
    /**
     * The HTML of the document with its document type, unless it is longer than the limit.
     */
    html: {
      arguments: Html;
      result: HtmlText;
    };
    /**
     * The HTML of the document element.
     */
    outerHtml: {
      arguments: OuterHtml;
      result: string;
    };
    /**
     * The visible content as HTML with a few plain tags, up to a number of characters.
     */
    readableHtml: {
      arguments: ReadableHtml;
      result: string;
    };
    /**
     * Whether the page shows a text. Runs of white space count as one space, and case is ignored.
     */
    includesText: {
      arguments: IncludesText;
      result: boolean;
    };
    /**
     * The title of the document.
     */
    title: {
      arguments: Title;
      result: string;
    };
    /**
     * Describes an element without its ref; null if it is gone.
     */
    locator: {
      arguments: Locator;
      result: Located | null;
    };
    /**
     * What rules must know about an element, or about the focused one; null if it is gone. Begins no action.
     */
    elementFacts: {
      arguments: ElementFactsOf;
      result: ElementFacts | null;
    };
    /**
     * Makes an element ready for an action, or states why it is not. Unless the need is `attached`, this begins the action.
     */
    checkActionable: {
      arguments: CheckActionable;
      result: ActionabilityCheck;
    };
    /**
     * Begins an action for the focused element and returns it. Keys are accepted only for this element. With a text, the keys of the text follow; without one, a single key or chord follows.
     */
    focusedElement: {
      arguments: FocusedElement;
      result: Ready;
    };
    /**
     * Replaces the value of a field that is ready by a secret.
     */
    enterSecret: {
      arguments: EnterSecret;
      result: Actionability;
    };
    /**
     * Types a secret at the end of a field.
     */
    typeSecret: {
      arguments: TypeSecret;
      result: Actionability;
    };
    /**
     * Excludes a field, or the focused one, from observations from now on, and draws its text as dots. Returns the origin of its document.
     */
    maskField: {
      arguments: MaskField;
      result: string;
    };
    /**
     * Inserts a text into an editor as if it was pasted or, if allowed, by editing its content. The entry is `set` when the editor accepted it.
     */
    pasteText: {
      arguments: PasteText;
      result: Actionability;
    };
    /**
     * Removes the focus from a field.
     */
    blurElement: {
      arguments: BlurElement;
      result: null;
    };
    /**
     * Suppresses the submission of forms for this long, so that Enter applies to the field only.
     */
    suppressSubmit: {
      arguments: SuppressSubmit;
      result: null;
    };
    /**
     * Suppresses keyboard input in this frame until `allowInput`, or for this long.
     */
    suppressInput: {
      arguments: SuppressInput;
      result: null;
    };
    /**
     * Allows keyboard input in this frame again.
     */
    allowInput: {
      arguments: AllowInput;
      result: null;
    };
    /**
     * The outcome of the action's input; null if there is nothing to compare.
     */
    inputOutcome: {
      arguments: InputOutcome;
      result: Outcome | null;
    };
    /**
     * Where to click next in the calendar of a field to choose a day. It is `done` when this is the day itself.
     */
    calendarStep: {
      arguments: CalendarStep;
      result: Actionability;
    };
    /**
     * Whether a field that accepts no typing shows the chosen day.
     */
    calendarOutcome: {
      arguments: CalendarOutcome;
      result: Outcome | null;
    };
    /**
     * The option of an open list that is not a `<select>`. It is `done` when the option is already chosen. Before the list was opened, `before` contains the values to be chosen: elements that show them then are not options.
     */
    findOption: {
      arguments: FindOption;
      result: Actionability;
    };
    /**
     * Whether an option of such a list is currently chosen.
     */
    optionOutcome: {
      arguments: OptionOutcome;
      result: Outcome | null;
    };
    /**
     * Types into a list that offers matching options only then. Returns whether the list accepts typing.
     */
    typeAhead: {
      arguments: TypeAhead;
      result: boolean;
    };
    /**
     * Removes text that was typed without finding an option.
     */
    clearTypeAhead: {
      arguments: ClearTypeAhead;
      result: null;
    };
    /**
     * Whether a control is checked; null if it is gone or has no such state.
     */
    isChecked: {
      arguments: IsChecked;
      result: boolean | null;
    };
    /**
     * Whether the part of the page that an element stands for is open; null if the element is gone or does not state it.
     */
    isExpanded: {
      arguments: IsExpanded;
      result: boolean | null;
    };
    /**
     * Converts a point in the content of a child frame to this view.
     */
    frameOffset: {
      arguments: FrameOffset;
      result: FramePoint;
    };
    /**
     * Converts a rectangle in the content of a child frame to this view; null if the frame is gone.
     */
    frameBox: {
      arguments: FrameBox;
      /**
       * @minItems 6
       * @maxItems 6
       */
      result: [number, number, number, number, number, number] | null;
    };
    /**
     * Whether the pointer arrived over the intended element within this time.
     */
    pointerArrived: {
      arguments: PointerArrived;
      result: boolean;
    };
    /**
     * Begins an action: scrolls an element or the page by screens or to an end.
     */
    scroll: {
      arguments: Scroll;
      result: null;
    };
    /**
     * Begins a gesture at a point of the view, and describes what is there.
     */
    describePoint: {
      arguments: DescribePoint;
      result: PointInfo;
    };
    /**
     * Whether something was scrolled, or the page handled the wheel event itself, within this time.
     */
    wheelHandled: {
      arguments: WheelHandled;
      result: boolean;
    };
    /**
     * Starts to observe whether the page accepts what is dragged over an element.
     */
    watchDragOver: {
      arguments: WatchDragOver;
      result: null;
    };
    /**
     * Whether the page accepted it within this time.
     */
    acceptsDrop: {
      arguments: AcceptsDrop;
      result: boolean;
    };
    /**
     * Draws a lasting box around an element. Returns whether the element exists.
     */
    highlight: {
      arguments: Highlight;
      result: boolean;
    };
    /**
     * Removes the box around an element, or all boxes. Returns how many were removed.
     */
    unhighlight: {
      arguments: Unhighlight;
      result: number;
    };
    /**
     * Draws labelled boxes while a picture is taken. Returns how many are in view.
     */
    drawMarks: {
      arguments: DrawMarks;
      result: number;
    };
    /**
     * Removes the labelled boxes.
     */
    removeMarks: {
      arguments: RemoveMarks;
      result: null;
    };
    /**
     * The part of the page that is in view, after the next frame was drawn.
     */
    viewRect: {
      arguments: ViewRect;
      result: Rect;
    };
    /**
     * The whole page, after the next frame was drawn. Each side is at most `limit` long.
     */
    pageRect: {
      arguments: PageRect;
      result: Rect;
    };
    /**
     * The position of an element in its view.
     */
    elementRect: {
      arguments: ElementRect;
      result: Rect;
    };
    /**
     * The scroll offset of the page, to the right and down.
     */
    scrollPosition: {
      arguments: ScrollPosition;
      /**
       * @minItems 2
       * @maxItems 2
       */
      result: [unknown, unknown];
    };
    /**
     * Resolves when the page has settled, when a press missed its element, or after the limit.
     */
    settle: {
      arguments: Settle;
      result: Settled;
    };
    /**
     * Whether the page changes within this time. Returns at its first change.
     */
    waitForChange: {
      arguments: WaitForChange;
      result: boolean;
    };
    /**
     * Begins an action, and returns whether a new frame is drawn within a moment.
     */
    redraw: {
      arguments: Redraw;
      result: boolean;
    };
    /**
     * The addresses of windows that were opened since the action began by code that was scheduled before it.
     */
    unrelatedWindows: {
      arguments: UnrelatedWindows;
      result: string[];
    };
    /**
     * Waits within the limit for work that a close would cut off. With `asks_undo`, this includes offers to undo.
     */
    flush: {
      arguments: Flush;
      result: FlushState;
    };
    /**
     * The origin of the document.
     */
    origin: {
      arguments: Origin;
      result: string;
    };
    /**
     * The storage of the document's origin; empty if it has none.
     */
    originStorage: {
      arguments: ReadOriginStorage;
      result: OriginStorage;
    };
    /**
     * The entries of a storage, by name.
     */
    storageEntries: {
      arguments: StorageEntries;
      result: StorageResult_ArrayOf_NameValue;
    };
    /**
     * The value of an entry; null if there is none.
     */
    storageEntry: {
      arguments: StorageEntry;
      result: StorageResult_NullableString;
    };
    /**
     * Sets an entry if the document still has this origin.
     */
    setStorageEntry: {
      arguments: SetStorageEntry;
      result: StorageResultNull;
    };
    /**
     * Removes one entry or all of them. Returns how many were removed.
     */
    deleteStorageEntries: {
      arguments: DeleteStorageEntries;
      result: StorageResultUint;
    };
    /**
     * The element with this number, if it is still in its document.
     */
    element: {
      arguments: ElementOf;
      result: Element | undefined;
    };
    /**
     * Elements that may have a closed shadow root from markup. Each is returned once.
     */
    takePossibleClosedRoots: {
      arguments: TakePossibleClosedRoots;
      result: Element[];
    };
  };
  functions: {
    idOf: (element: Element) => number;
    registerClosedRoot: (host: Element, root: ShadowRoot) => void;
  };
  reports: {
    input: ReportedInput;
  };
}
/**
 * Captures the page: a line for each node. Without `key`, the capture repeats the previous one, and changes since
 * then are not collected again.
 */
export interface Capture {
  key: string | null;
}
/**
 * Reads texts, attributes or HTML of elements.
 */
export interface ReadElements {
  target: ElementQuery;
  scope: ReadScope;
  content: ReadContent;
  /**
   * The most characters of all texts together. One more is returned if there are more.
   */
  limit: number;
}
/**
 * A search for one of several elements.
 */
export interface NthQuery {
  query: Query;
  /**
   * The position among the matches; -1 is the last.
   */
  nth: number;
}
export interface ElementTexts {
  /**
   * One text for each element; `None` for an attribute that the element does not have.
   */
  texts: (string | null)[];
  /**
   * A description of the first element.
   */
  what: string;
  /**
   * @minItems 6
   * @maxItems 6
   */
  box: [number, number, number, number, number, number];
}
/**
 * The HTML of the document with its document type, unless it is longer than the limit.
 */
export interface Html {
  limit: number;
}
export interface HtmlText {
  /**
   * `None` if it is longer than the limit.
   */
  html?: string | null;
  length: number;
}
/**
 * The HTML of the document element.
 */
export interface OuterHtml {}
/**
 * The visible content as HTML with a few plain tags, up to a number of characters.
 */
export interface ReadableHtml {
  limit: number;
}
/**
 * Whether the page shows a text. Runs of white space count as one space, and case is ignored.
 */
export interface IncludesText {
  text: string;
}
/**
 * The title of the document.
 */
export interface Title {}
/**
 * Describes an element without its ref; null if it is gone.
 */
export interface Locator {
  element: number;
}
/**
 * Descriptions of an element that do not use its ref.
 */
export interface Located {
  /**
   * The Playwright locator, such as `getByRole('button', { name: 'Save' })`.
   */
  playwright: string;
  /**
   * The target, such as `role=button[name="Save"]`, or a CSS selector.
   */
  target: string;
}
/**
 * What rules must know about an element, or about the focused one; null if it is gone. Begins no action.
 */
export interface ElementFactsOf {
  element: number | null;
}
/**
 * Facts about an element, read from the page immediately before an action.
 */
export interface ElementFacts {
  /**
   * The origin of the element's document, which may be that of a frame; `null` for a document without an origin.
   */
  origin: string;
  /**
   * The ARIA role; empty if it has none.
   */
  role: string;
  /**
   * The accessible name.
   */
  name: string;
  /**
   * Whether pressing it submits a form.
   */
  submits: boolean;
  /**
   * The name of the button that submits its form; empty if there is none.
   */
  submitter: string;
  /**
   * The address to which pressing it, or Enter in it, sends its form; empty if it belongs to none. A script can send
   * the form elsewhere.
   */
  formTarget: string;
  /**
   * The address of the link that contains it; empty if there is none.
   */
  linkTarget: string;
  /**
   * Whether it is a link that downloads a file.
   */
  downloads: boolean;
  /**
   * The number of the element, if it is a frame.
   */
  frame?: number | null;
}
/**
 * Makes an element ready for an action, or states why it is not. Unless the need is `attached`, this begins the
 * action.
 */
export interface CheckActionable {
  key: string;
  target: ElementQuery;
  need: Need;
}
/**
 * A text for a field.
 */
export interface FieldEntry {
  text: string;
  readings: Readings;
  /**
   * Enter follows.
   */
  submit: boolean;
  /**
   * The first method did not lead to the value.
   */
  again: boolean;
}
/**
 * The meanings of a text, each in the format of HTML.
 */
export interface Readings {
  date?: string | null;
  month?: string | null;
  week?: string | null;
  time?: string | null;
  "datetime-local"?: string | null;
  number?: string | null;
}
/**
 * Whether an element can be acted on, and where it was before it was scrolled into view.
 */
export interface ActionabilityCheck {
  result: Actionability;
  /**
   * @minItems 6
   * @maxItems 6
   */
  box?: [number, number, number, number, number, number] | null;
  /**
   * The numbers of the element and of the control that it belongs to, as a capture may show them.
   */
  shown?: number[];
}
/**
 * An element that can be acted on, and the remaining steps of the action.
 */
export interface Ready {
  element: number;
  /**
   * A short description of the element.
   */
  what: string;
  /**
   * The point to press.
   */
  point?: Point | null;
  /**
   * Nothing is left to do.
   */
  done?: boolean;
  /**
   * The remaining step to enter a text into a field.
   */
  entry?: EntryStep | null;
  /**
   * Another option was selected, and the page was notified.
   */
  changed?: boolean;
  /**
   * A list that is not a `<select>`: it is opened, then an option is clicked.
   */
  customList?: boolean;
  /**
   * A date field that accepts no typing: the day is chosen in its calendar.
   */
  calendar?: boolean;
  /**
   * A frame of another process that has the focus.
   */
  foreignFrame?: boolean;
  fileField?: FileField | null;
  /**
   * A press takes the focus from a field for text.
   */
  leavesField?: boolean;
}
/**
 * A point in the tab's view, in CSS pixels.
 */
export interface Point {
  x: number;
  y: number;
}
export interface FileField {
  /**
   * Whether it accepts several files.
   */
  multiple: boolean;
}
/**
 * Begins an action for the focused element and returns it. Keys are accepted only for this element. With a text,
 * the keys of the text follow; without one, a single key or chord follows.
 */
export interface FocusedElement {
  key: string;
  text: string | null;
}
/**
 * Replaces the value of a field that is ready by a secret.
 */
export interface EnterSecret {
  element: number;
  text: string;
  readings: Readings;
  submit: boolean;
  again: boolean;
}
/**
 * Types a secret at the end of a field.
 */
export interface TypeSecret {
  element: number;
  text: string;
}
/**
 * Excludes a field, or the focused one, from observations from now on, and draws its text as dots. Returns the
 * origin of its document.
 */
export interface MaskField {
  element: number | null;
}
/**
 * Inserts a text into an editor as if it was pasted or, if allowed, by editing its content. The entry is `set`
 * when the editor accepted it.
 */
export interface PasteText {
  element: number;
  text: string;
  orEdit: boolean;
}
/**
 * Removes the focus from a field.
 */
export interface BlurElement {
  element: number;
}
/**
 * Suppresses the submission of forms for this long, so that Enter applies to the field only.
 */
export interface SuppressSubmit {
  durationMs: number;
}
/**
 * Suppresses keyboard input in this frame until `allowInput`, or for this long.
 */
export interface SuppressInput {
  durationMs: number;
}
/**
 * Allows keyboard input in this frame again.
 */
export interface AllowInput {}
/**
 * The outcome of the action's input; null if there is nothing to compare.
 */
export interface InputOutcome {}
/**
 * Where to click next in the calendar of a field to choose a day. It is `done` when this is the day itself.
 */
export interface CalendarStep {
  element: number;
  date: string;
}
/**
 * Whether a field that accepts no typing shows the chosen day.
 */
export interface CalendarOutcome {
  element: number;
  text: string;
  readings: Readings;
}
/**
 * The option of an open list that is not a `<select>`. It is `done` when the option is already chosen. Before the
 * list was opened, `before` contains the values to be chosen: elements that show them then are not options.
 */
export interface FindOption {
  list: number;
  value: string;
  before: string[] | null;
}
/**
 * Whether an option of such a list is currently chosen.
 */
export interface OptionOutcome {
  list: number;
  option: number;
  value: string;
  label: string;
}
/**
 * Types into a list that offers matching options only then. Returns whether the list accepts typing.
 */
export interface TypeAhead {
  list: number;
  value: string;
}
/**
 * Removes text that was typed without finding an option.
 */
export interface ClearTypeAhead {
  list: number;
}
/**
 * Whether a control is checked; null if it is gone or has no such state.
 */
export interface IsChecked {
  element: number;
}
/**
 * Whether the part of the page that an element stands for is open; null if the element is gone or does not state
 * it.
 */
export interface IsExpanded {
  element: number;
}
/**
 * Converts a point in the content of a child frame to this view.
 */
export interface FrameOffset {
  element: number;
  x: number;
  y: number;
}
/**
 * Converts a rectangle in the content of a child frame to this view; null if the frame is gone.
 */
export interface FrameBox {
  element: number;
  x: number;
  y: number;
  width: number;
  height: number;
}
/**
 * Whether the pointer arrived over the intended element within this time.
 */
export interface PointerArrived {
  timeoutMs: number;
}
/**
 * Begins an action: scrolls an element or the page by screens or to an end.
 */
export interface Scroll {
  key: string;
  direction: Direction;
  screens: number;
  element: number | null;
}
/**
 * Begins a gesture at a point of the view, and describes what is there.
 */
export interface DescribePoint {
  key: string;
  x: number;
  y: number;
}
/**
 * What is at a point of the view.
 */
export interface PointInfo {
  /**
   * The width and height of the view.
   *
   * @minItems 2
   * @maxItems 2
   */
  view: [number, number];
  what?: string | null;
}
/**
 * Whether something was scrolled, or the page handled the wheel event itself, within this time.
 */
export interface WheelHandled {
  timeoutMs: number;
}
/**
 * Starts to observe whether the page accepts what is dragged over an element.
 */
export interface WatchDragOver {
  element: number;
}
/**
 * Whether the page accepted it within this time.
 */
export interface AcceptsDrop {
  timeoutMs: number;
}
/**
 * Draws a lasting box around an element. Returns whether the element exists.
 */
export interface Highlight {
  element: number;
  style: string;
}
/**
 * Removes the box around an element, or all boxes. Returns how many were removed.
 */
export interface Unhighlight {
  element: number | null;
}
/**
 * Draws labelled boxes while a picture is taken. Returns how many are in view.
 */
export interface DrawMarks {
  labels: [number, string][];
}
/**
 * Removes the labelled boxes.
 */
export interface RemoveMarks {}
/**
 * The part of the page that is in view, after the next frame was drawn.
 */
export interface ViewRect {}
/**
 * A rectangle in CSS pixels.
 */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}
/**
 * The whole page, after the next frame was drawn. Each side is at most `limit` long.
 */
export interface PageRect {
  limit: number;
}
/**
 * The position of an element in its view.
 */
export interface ElementRect {
  element: number;
}
/**
 * The scroll offset of the page, to the right and down.
 */
export interface ScrollPosition {}
/**
 * Resolves when the page has settled, when a press missed its element, or after the limit.
 */
export interface Settle {
  key: string;
  limitMs: number;
  element: number | null;
}
/**
 * The result of settling.
 */
export interface Settled {
  /**
   * Why the press did not reach its element.
   */
  missed?: MissedPress | null;
  /**
   * The work that is still in progress.
   */
  busy?: string | null;
  /**
   * The number of links followed that start a download.
   */
  downloads?: number;
  /**
   * Whether a link was followed that leads the tab to another document.
   */
  leaves?: boolean;
  /**
   * The outcome of the action's input.
   */
  outcome?: Outcome | null;
}
/**
 * Whether the page changes within this time. Returns at its first change.
 */
export interface WaitForChange {
  timeoutMs: number;
}
/**
 * Begins an action, and returns whether a new frame is drawn within a moment.
 */
export interface Redraw {
  key: string;
}
/**
 * The addresses of windows that were opened since the action began by code that was scheduled before it.
 */
export interface UnrelatedWindows {
  key: string;
}
/**
 * Waits within the limit for work that a close would cut off. With `asks_undo`, this includes offers to undo.
 */
export interface Flush {
  key: string;
  limitMs: number;
  asksUndo: boolean;
}
/**
 * The pending work of a page or worker.
 */
export interface FlushState {
  waited: boolean;
  pending: string[];
}
/**
 * The origin of the document.
 */
export interface Origin {}
/**
 * The storage of the document's origin; empty if it has none.
 */
export interface ReadOriginStorage {}
/**
 * The storage of one origin.
 */
export interface OriginStorage {
  /**
   * The origin, such as `https://example.com`.
   */
  origin: string;
  /**
   * The entries of its localStorage.
   */
  localStorage?: NameValue[];
  /**
   * The entries of its sessionStorage. Playwright has no such field and ignores it.
   */
  sessionStorage?: NameValue[];
}
/**
 * An entry of a storage.
 */
export interface NameValue {
  /**
   * The key.
   */
  name: string;
  /**
   * The value.
   */
  value: string;
}
/**
 * The entries of a storage, by name.
 */
export interface StorageEntries {
  area: Area;
}
/**
 * The value of an entry; null if there is none.
 */
export interface StorageEntry {
  area: Area;
  name: string;
}
/**
 * Sets an entry if the document still has this origin.
 */
export interface SetStorageEntry {
  area: Area;
  origin: string;
  name: string;
  value: string;
}
/**
 * Removes one entry or all of them. Returns how many were removed.
 */
export interface DeleteStorageEntries {
  area: Area;
  name: string | null;
}
/**
 * The element with this number, if it is still in its document.
 */
export interface ElementOf {
  element: number;
}
/**
 * Elements that may have a closed shadow root from markup. Each is returned once.
 */
export interface TakePossibleClosedRoots {}
/**
 * An input of a person, as the script reports it. It is not the result of a call.
 */
export interface ReportedInput {
  /**
   * The capture of the page before it reacted to the input; absent if the input continues the previous one.
   */
  capture?: string | null;
  /**
   * The element, if it has a number, and its ancestors that have one, from the inside out.
   */
  path: number[];
  /**
   * The same for the element onto which it was dragged.
   */
  onto?: number[];
  /**
   * A CSS selector that names the element in its document.
   */
  selector?: string | null;
  /**
   * The text of a clicked element, if it is short.
   */
  text?: string | null;
  input: UserInputKind;
}
