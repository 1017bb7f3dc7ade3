// Generated from crates/browser/src/page_script by `cargo xtask generate`; do not edit.

/**
 * Which element is meant.
 */
export type ElementQuery =
  | {
      element: number;
    }
  | {
      query: Query;
    };
/**
 * What to look for; in each frame apart.
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
 * Which of several elements that fit are read.
 */
export type ReadScope = ("first" | "all") | "only";
/**
 * What an element is read for.
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
 * What an action needs of its element.
 */
export type Need =
  | {
      kind: "attached";
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
       * A key comes next, and is for this element.
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
       * Nothing for a secret: it comes once it is known where it may go.
       */
      entry: FieldEntry | null;
    }
  | {
      kind: "type";
      /**
       * Nothing for a secret.
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
       * The state that it should have.
       */
      on: boolean;
    };
export type Actionability = NotActionable | Ready;
/**
 * How far a text came into its field.
 */
export type EntryStep =
  | {
      step: "set";
    }
  | {
      step: "differs";
      /**
       * Nothing of a secret.
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
       * Then takes the focus from the field.
       */
      leave: boolean;
      /**
       * But first presses Enter, which makes the field take it.
       */
      commit: boolean;
    };
/**
 * What came of an action's input, as the page shows it at rest.
 */
export type Outcome =
  | {
      kind: "held";
    }
  | {
      kind: "differs";
      /**
       * Nothing of a secret.
       */
      actual?: string | null;
      /**
       * The field, where it is not the element acted on, and what it was given, unless that is secret.
       */
      field?: string | null;
      given?: string | null;
    }
  | {
      kind: "focus_lost";
      to: string;
    };
/**
 * A point in a child frame, as its parent sees it.
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
 * Why a press did not do what it was for.
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
       * Nothing of a secret.
       */
      given?: string | null;
      actual?: string | null;
    };
/**
 * A storage of the page's origin.
 */
export type Area = "local" | "session";
/**
 * A value of a storage, or why there is none.
 */
export type StorageResult_ArrayOf_NameValue =
  | {
      value: NameValue[];
    }
  | {
      error: string;
    };
/**
 * A value of a storage, or why there is none.
 */
export type StorageResult_NullableString =
  | {
      value: string | null;
    }
  | {
      error: string;
    };
/**
 * A value of a storage, or why there is none.
 */
export type StorageResultNull =
  | {
      value: null;
    }
  | {
      error: string;
    };
/**
 * A value of a storage, or why there is none.
 */
export type StorageResultUint =
  | {
      value: number;
    }
  | {
      error: string;
    };

/**
 * The functions of the script that runs beside a page.
 */
export interface PageScript {
  calls: {
    /**
     * Reads the page: a line for each node. Without `key` it is the same reading once more, whose changes since the one before are not collected anew.
     */
    capture: {
      arguments: Capture;
      result: string;
    };
    /**
     * Texts, attributes or HTML of elements.
     */
    readElements: {
      arguments: ReadElements;
      result: ReadResult;
    };
    /**
     * The HTML of the document with its type, unless it is longer than the limit.
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
     * What the page shows as HTML of a few plain tags, up to a number of characters.
     */
    readableHtml: {
      arguments: ReadableHtml;
      result: string;
    };
    /**
     * Whether the page shows a text; runs of spaces count as one, case is ignored.
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
     * How an element would be named by who has no ref of it; nothing when it is gone.
     */
    locator: {
      arguments: Locator;
      result: Located | null;
    };
    /**
     * Makes an element ready for an action, or states why it is not. Unless the need is `attached`, the action begins.
     */
    checkActionable: {
      arguments: CheckActionable;
      result: ActionabilityCheck;
    };
    /**
     * An action for the element that has the focus begins: which element that is, and that keys are for it alone. With a text, its keys follow; without one, a single key does.
     */
    focusedElement: {
      arguments: FocusedElement;
      result: Ready;
    };
    /**
     * Puts a secret into a field that was made ready, in place of its value.
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
     * From now on a field, or the one that has the focus, is not read, and its text is drawn as dots. Answers the origin of its document.
     */
    maskField: {
      arguments: MaskField;
      result: string;
    };
    /**
     * Puts a text into an editor as if it was pasted, or edits it if allowed; the entry is `set` when the editor took it.
     */
    pasteText: {
      arguments: PasteText;
      result: Actionability;
    };
    /**
     * Takes the focus from a field.
     */
    blurElement: {
      arguments: BlurElement;
      result: null;
    };
    /**
     * For a moment no form is sent, so that Enter is for the field alone.
     */
    suppressSubmit: {
      arguments: SuppressSubmit;
      result: null;
    };
    /**
     * No input is for this frame until it is allowed again, or for this long.
     */
    suppressInput: {
      arguments: SuppressInput;
      result: null;
    };
    /**
     * Input is for whatever has the focus again.
     */
    allowInput: {
      arguments: AllowInput;
      result: null;
    };
    /**
     * What came of the action's input; nothing when there is nothing to compare.
     */
    inputOutcome: {
      arguments: InputOutcome;
      result: Outcome | null;
    };
    /**
     * Where to click next in the calendar of a field to choose a day; it is `done` when that is the day itself.
     */
    calendarStep: {
      arguments: CalendarStep;
      result: Actionability;
    };
    /**
     * Whether a field that takes no typing shows the day that was chosen.
     */
    calendarOutcome: {
      arguments: CalendarOutcome;
      result: Outcome | null;
    };
    /**
     * The option of an open list that is no `<select>`; it is `done` when it is chosen already. `before` are the values to be chosen, as long as the list was not opened: what says them then is no option.
     */
    findOption: {
      arguments: FindOption;
      result: Actionability;
    };
    /**
     * Whether an option of such a list is chosen now.
     */
    optionOutcome: {
      arguments: OptionOutcome;
      result: Outcome | null;
    };
    /**
     * Types into a list that offers what fits only then; whether it takes typing.
     */
    typeAhead: {
      arguments: TypeAhead;
      result: boolean;
    };
    /**
     * Takes out what was typed in vain.
     */
    clearTypeAhead: {
      arguments: ClearTypeAhead;
      result: null;
    };
    /**
     * Whether a control is checked; nothing when it is gone or has no such state.
     */
    isChecked: {
      arguments: IsChecked;
      result: boolean | null;
    };
    /**
     * The point of this view for a point in the content of a child frame.
     */
    frameOffset: {
      arguments: FrameOffset;
      result: FramePoint;
    };
    /**
     * Where a rectangle in the content of a child frame is in this view; nothing when the frame is gone.
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
     * Whether the pointer came over the element it was led to within this time.
     */
    pointerArrived: {
      arguments: PointerArrived;
      result: boolean;
    };
    /**
     * An action begins: scrolls an element or the page by screens or to an end.
     */
    scroll: {
      arguments: Scroll;
      result: null;
    };
    /**
     * A gesture begins at a point of the view: what lies there.
     */
    describePoint: {
      arguments: DescribePoint;
      result: PointInfo;
    };
    /**
     * Whether something was scrolled, or the page used the wheel for something else, within this time.
     */
    wheelHandled: {
      arguments: WheelHandled;
      result: boolean;
    };
    /**
     * From now on it is noticed whether the page accepts what is dragged over an element.
     */
    watchDragOver: {
      arguments: WatchDragOver;
      result: null;
    };
    /**
     * Whether it accepted it within this time.
     */
    acceptsDrop: {
      arguments: AcceptsDrop;
      result: boolean;
    };
    /**
     * Draws a box around an element that stays; whether the element is there.
     */
    highlight: {
      arguments: Highlight;
      result: boolean;
    };
    /**
     * Takes the box around an element away, or all boxes; answers how many.
     */
    unhighlight: {
      arguments: Unhighlight;
      result: number;
    };
    /**
     * Draws labelled boxes for the moment of a picture; answers how many are in view.
     */
    drawMarks: {
      arguments: DrawMarks;
      result: number;
    };
    /**
     * Takes these boxes away.
     */
    removeMarks: {
      arguments: RemoveMarks;
      result: null;
    };
    /**
     * The part of the page that is in view, once something has been drawn.
     */
    viewRect: {
      arguments: ViewRect;
      result: Rect;
    };
    /**
     * The whole page, once something has been drawn; each side is at most this long.
     */
    pageRect: {
      arguments: PageRect;
      result: Rect;
    };
    /**
     * Where an element is in its view.
     */
    elementRect: {
      arguments: ElementRect;
      result: Rect;
    };
    /**
     * How far the page is scrolled, to the right and down.
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
     * Resolves when the page is at rest, when a press went elsewhere, or after the limit.
     */
    settle: {
      arguments: Settle;
      result: Settled;
    };
    /**
     * Whether the page changes within this time; answers at its first change.
     */
    waitForChange: {
      arguments: WaitForChange;
      result: boolean;
    };
    /**
     * An action begins: whether the page is drawn anew within a moment.
     */
    redraw: {
      arguments: Redraw;
      result: boolean;
    };
    /**
     * The addresses of windows that were opened since the action began by code that was put off before it.
     */
    unrelatedWindows: {
      arguments: UnrelatedWindows;
      result: string[];
    };
    /**
     * Waits for what a close would cut off, within the limit. With `asks_undo`, an offer to undo counts as well.
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
     * The storage of the document's origin; empty where it has none.
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
     * The value of an entry, if there is one.
     */
    storageEntry: {
      arguments: StorageEntry;
      result: StorageResult_NullableString;
    };
    /**
     * Sets an entry, if the document has this origin still.
     */
    setStorageEntry: {
      arguments: SetStorageEntry;
      result: StorageResultNull;
    };
    /**
     * Removes an entry or all of them; answers how many there were.
     */
    deleteStorageEntries: {
      arguments: DeleteStorageEntries;
      result: StorageResultUint;
    };
    /**
     * The element with this number, while it is in its document.
     */
    element: {
      arguments: ElementOf;
      result: Element | undefined;
    };
    /**
     * Elements that may have a closed shadow root which markup made, each answered once.
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
}
/**
 * Reads the page: a line for each node. Without `key` it is the same reading once more, whose changes since the one before are
 * not collected anew.
 */
export interface Capture {
  key: string | null;
}
/**
 * Texts, attributes or HTML of elements.
 */
export interface ReadElements {
  target: ElementQuery;
  scope: ReadScope;
  content: ReadContent;
  /**
   * The most characters of all texts; one more is answered when there are more.
   */
  limit: number;
}
export interface ElementTexts {
  /**
   * One for each element; nothing for an attribute that it does not have.
   */
  texts: (string | null)[];
  /**
   * The first element.
   */
  what: string;
  /**
   * @minItems 6
   * @maxItems 6
   */
  box: [number, number, number, number, number, number];
}
/**
 * The HTML of the document with its type, unless it is longer than the limit.
 */
export interface Html {
  limit: number;
}
export interface HtmlText {
  /**
   * Nothing when it is longer than the limit.
   */
  html?: string | null;
  length: number;
}
/**
 * The HTML of the document element.
 */
export interface OuterHtml {}
/**
 * What the page shows as HTML of a few plain tags, up to a number of characters.
 */
export interface ReadableHtml {
  limit: number;
}
/**
 * Whether the page shows a text; runs of spaces count as one, case is ignored.
 */
export interface IncludesText {
  text: string;
}
/**
 * The title of the document.
 */
export interface Title {}
/**
 * How an element would be named by who has no ref of it; nothing when it is gone.
 */
export interface Locator {
  element: number;
}
/**
 * An element's name without a ref.
 */
export interface Located {
  /**
   * In Playwright's words: `getByRole('button', { name: 'Save' })`.
   */
  playwright: string;
  /**
   * As a target: `role=button[name="Save"]`, or CSS.
   */
  target: string;
}
/**
 * Makes an element ready for an action, or states why it is not. Unless the need is `attached`, the action begins.
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
   * Enter comes next.
   */
  submit: boolean;
  /**
   * The first way did not lead to the value.
   */
  again: boolean;
}
/**
 * The meanings of a text, each as HTML writes it.
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
 * Whether an element can be acted on, and where it was before it was scrolled to.
 */
export interface ActionabilityCheck {
  result: Actionability;
  /**
   * @minItems 6
   * @maxItems 6
   */
  box?: [number, number, number, number, number, number] | null;
}
/**
 * An element that can be acted on, and what is left to do for the action.
 */
export interface Ready {
  element: number;
  /**
   * What it is, in a few words.
   */
  what: string;
  /**
   * Where to press.
   */
  point?: Point | null;
  /**
   * There is nothing to do.
   */
  done?: boolean;
  /**
   * What is left to do for the text of a field.
   */
  entry?: EntryStep | null;
  /**
   * Another option was chosen, and the page was told.
   */
  changed?: boolean;
  /**
   * A list that is no `<select>`: it is opened, then an option is clicked.
   */
  customList?: boolean;
  /**
   * A field for a day that takes no typing: the day is chosen in its calendar.
   */
  calendar?: boolean;
  /**
   * A frame of another process that has the focus.
   */
  foreignFrame?: boolean;
  fileField?: FileField | null;
}
/**
 * A point in the tab's view.
 */
export interface Point {
  x: number;
  y: number;
}
export interface FileField {
  /**
   * It takes several files.
   */
  multiple: boolean;
}
/**
 * An action for the element that has the focus begins: which element that is, and that keys are for it alone. With a text, its
 * keys follow; without one, a single key does.
 */
export interface FocusedElement {
  key: string;
  text: string | null;
}
/**
 * Puts a secret into a field that was made ready, in place of its value.
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
 * From now on a field, or the one that has the focus, is not read, and its text is drawn as dots. Answers the origin of its
 * document.
 */
export interface MaskField {
  element: number | null;
}
/**
 * Puts a text into an editor as if it was pasted, or edits it if allowed; the entry is `set` when the editor took it.
 */
export interface PasteText {
  element: number;
  text: string;
  orEdit: boolean;
}
/**
 * Takes the focus from a field.
 */
export interface BlurElement {
  element: number;
}
/**
 * For a moment no form is sent, so that Enter is for the field alone.
 */
export interface SuppressSubmit {
  durationMs: number;
}
/**
 * No input is for this frame until it is allowed again, or for this long.
 */
export interface SuppressInput {
  durationMs: number;
}
/**
 * Input is for whatever has the focus again.
 */
export interface AllowInput {}
/**
 * What came of the action's input; nothing when there is nothing to compare.
 */
export interface InputOutcome {}
/**
 * Where to click next in the calendar of a field to choose a day; it is `done` when that is the day itself.
 */
export interface CalendarStep {
  element: number;
  date: string;
}
/**
 * Whether a field that takes no typing shows the day that was chosen.
 */
export interface CalendarOutcome {
  element: number;
  text: string;
  readings: Readings;
}
/**
 * The option of an open list that is no `<select>`; it is `done` when it is chosen already. `before` are the values to be
 * chosen, as long as the list was not opened: what says them then is no option.
 */
export interface FindOption {
  list: number;
  value: string;
  before: string[] | null;
}
/**
 * Whether an option of such a list is chosen now.
 */
export interface OptionOutcome {
  list: number;
  option: number;
  value: string;
  label: string;
}
/**
 * Types into a list that offers what fits only then; whether it takes typing.
 */
export interface TypeAhead {
  list: number;
  value: string;
}
/**
 * Takes out what was typed in vain.
 */
export interface ClearTypeAhead {
  list: number;
}
/**
 * Whether a control is checked; nothing when it is gone or has no such state.
 */
export interface IsChecked {
  element: number;
}
/**
 * The point of this view for a point in the content of a child frame.
 */
export interface FrameOffset {
  element: number;
  x: number;
  y: number;
}
/**
 * Where a rectangle in the content of a child frame is in this view; nothing when the frame is gone.
 */
export interface FrameBox {
  element: number;
  x: number;
  y: number;
  width: number;
  height: number;
}
/**
 * Whether the pointer came over the element it was led to within this time.
 */
export interface PointerArrived {
  timeoutMs: number;
}
/**
 * An action begins: scrolls an element or the page by screens or to an end.
 */
export interface Scroll {
  key: string;
  direction: Direction;
  screens: number;
  element: number | null;
}
/**
 * A gesture begins at a point of the view: what lies there.
 */
export interface DescribePoint {
  key: string;
  x: number;
  y: number;
}
/**
 * What lies at a point of the view.
 */
export interface PointInfo {
  /**
   * Width and height of the view.
   *
   * @minItems 2
   * @maxItems 2
   */
  view: [number, number];
  what?: string | null;
}
/**
 * Whether something was scrolled, or the page used the wheel for something else, within this time.
 */
export interface WheelHandled {
  timeoutMs: number;
}
/**
 * From now on it is noticed whether the page accepts what is dragged over an element.
 */
export interface WatchDragOver {
  element: number;
}
/**
 * Whether it accepted it within this time.
 */
export interface AcceptsDrop {
  timeoutMs: number;
}
/**
 * Draws a box around an element that stays; whether the element is there.
 */
export interface Highlight {
  element: number;
  style: string;
}
/**
 * Takes the box around an element away, or all boxes; answers how many.
 */
export interface Unhighlight {
  element: number | null;
}
/**
 * Draws labelled boxes for the moment of a picture; answers how many are in view.
 */
export interface DrawMarks {
  labels: [number, string][];
}
/**
 * Takes these boxes away.
 */
export interface RemoveMarks {}
/**
 * The part of the page that is in view, once something has been drawn.
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
 * The whole page, once something has been drawn; each side is at most this long.
 */
export interface PageRect {
  limit: number;
}
/**
 * Where an element is in its view.
 */
export interface ElementRect {
  element: number;
}
/**
 * How far the page is scrolled, to the right and down.
 */
export interface ScrollPosition {}
/**
 * Resolves when the page is at rest, when a press went elsewhere, or after the limit.
 */
export interface Settle {
  key: string;
  limitMs: number;
  element: number | null;
}
/**
 * How the page came to rest.
 */
export interface Settled {
  /**
   * Why the press did not reach its element.
   */
  missed?: MissedPress | null;
  /**
   * What is still under way.
   */
  busy?: string | null;
  /**
   * How many links were followed that save what they lead to.
   */
  downloads?: number;
  /**
   * What came of the action's input.
   */
  outcome?: Outcome | null;
}
/**
 * Whether the page changes within this time; answers at its first change.
 */
export interface WaitForChange {
  timeoutMs: number;
}
/**
 * An action begins: whether the page is drawn anew within a moment.
 */
export interface Redraw {
  key: string;
}
/**
 * The addresses of windows that were opened since the action began by code that was put off before it.
 */
export interface UnrelatedWindows {
  key: string;
}
/**
 * Waits for what a close would cut off, within the limit. With `asks_undo`, an offer to undo counts as well.
 */
export interface Flush {
  key: string;
  limitMs: number;
  asksUndo: boolean;
}
/**
 * What a page, or a worker, is still at.
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
 * The storage of the document's origin; empty where it has none.
 */
export interface ReadOriginStorage {}
/**
 * The storage of one origin.
 */
export interface OriginStorage {
  /**
   * The origin, `https://example.com`.
   */
  origin: string;
  /**
   * Its localStorage.
   */
  localStorage?: NameValue[];
  /**
   * Its sessionStorage; Playwright has no such field and skips it.
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
 * The value of an entry, if there is one.
 */
export interface StorageEntry {
  area: Area;
  name: string;
}
/**
 * Sets an entry, if the document has this origin still.
 */
export interface SetStorageEntry {
  area: Area;
  origin: string;
  name: string;
  value: string;
}
/**
 * Removes an entry or all of them; answers how many there were.
 */
export interface DeleteStorageEntries {
  area: Area;
  name: string | null;
}
/**
 * The element with this number, while it is in its document.
 */
export interface ElementOf {
  element: number;
}
/**
 * Elements that may have a closed shadow root which markup made, each answered once.
 */
export interface TakePossibleClosedRoots {}
