// The communication between the script in the isolated world and the task tracker in the main world: events on the
// window, whose names begin with a random key. Objects cannot be passed between worlds, so answers are strings. They
// are not JSON, because old libraries add a `toJSON` to arrays and strings, and the tracker runs in the main world.

/** The tasks that a page has scheduled since the last action began. */
export interface Tasks {
  pending: number;
  /** The number of links followed that start a download. */
  downloads: number;
  /** Whether a link was followed that leads this tab to another document. */
  leaves: boolean;
  /** Whether no further effects can follow. */
  calm: boolean;
  /** A description of a pending task; empty if there is none. */
  what: string;
}

/** The type of the answer to each question. */
export interface Answers {
  tasks: Tasks;
  /** The work that a close would cut off. */
  saves: string[];
  /** The addresses of windows that were opened by code that was scheduled before the action. */
  strays: string[];
}

/** Notices from the isolated world: an action begins, the action is a press, or the page is captured. */
export type Notice = "arm" | "press" | "read";

/**
 * Signals from the tracker: nothing is pending any more (`idle`), changes by the page itself begin (`own`, or `hover`
 * if the pointer caused them), and they end (`owned`). `listens` is dispatched to an element with a listener for
 * clicks.
 */
export type Signal = "idle" | "own" | "hover" | "owned" | "listens";

interface Codec<T> {
  encode(value: T): string;
  decode(text: string): T;
}

// Lists contain addresses and descriptions, which have no line breaks.
const LIST: Codec<string[]> = {
  encode: (list) => list.join("\n"),
  decode: (text) => text.split("\n").filter((line) => line !== ""),
};

const TASKS: Codec<Tasks> = {
  encode: ({ pending, downloads, leaves, calm, what }) =>
    [pending, downloads, leaves ? 1 : 0, calm ? 1 : 0, what].join(" "),
  decode: (text) => {
    const [pending, downloads, leaves, calm, ...what] = text.split(" ");
    return {
      pending: Number(pending),
      downloads: Number(downloads),
      leaves: leaves === "1",
      calm: calm === "1",
      what: what.join(" "),
    };
  },
};

const CODECS: { [Question in keyof Answers]: Codec<Answers[Question]> } = { tasks: TASKS, saves: LIST, strays: LIST };

export const eventName = (key: string, event: Notice | Signal): string => key + "-" + event;
const questionName = (key: string, question: keyof Answers): string => key + "-ask-" + question;
const answerName = (key: string, question: keyof Answers): string => key + "-answer-" + question;

/** Asks a window; null if it has no tracker. */
export function ask<Question extends keyof Answers>(
  key: string,
  view: Window,
  question: Question,
): Answers[Question] | null {
  let answer: string | null = null;
  const listen = (event: Event) => (answer = String((event as CustomEvent).detail));
  const name = answerName(key, question);
  view.addEventListener(name, listen, { once: true });
  view.dispatchEvent(new Event(questionName(key, question)));
  view.removeEventListener(name, listen);
  return answer === null ? null : CODECS[question].decode(answer);
}

/** Answers a question whenever this window receives it. */
export function answer<Question extends keyof Answers>(
  key: string,
  question: Question,
  value: () => Answers[Question],
): void {
  addEventListener(questionName(key, question), () =>
    dispatchEvent(new CustomEvent(answerName(key, question), { detail: CODECS[question].encode(value()) })),
  );
}

const TEXT = "editor-text";

/** Asks the main world for the whole text of a code editor; null if it does not reach the editor. */
export function askText(key: string, editor: Element): string | null {
  let text: string | null = null;
  const listen = (event: Event) => {
    const { detail } = event as CustomEvent;
    if (typeof detail === "string") text = detail;
  };
  const name = key + "-answer-" + TEXT;
  const view = editor.ownerDocument.defaultView;
  view?.addEventListener(name, listen, { once: true });
  editor.dispatchEvent(new Event(key + "-ask-" + TEXT, { composed: true }));
  view?.removeEventListener(name, listen);
  return text;
}

/** Answers with the text of a code editor whenever an editor of this window receives the question. */
export function answerText(key: string, textOf: (editor: Element) => string | null): void {
  addEventListener(
    key + "-ask-" + TEXT,
    (event) => {
      const text = textOf(event.composedPath()[0] as Element);
      if (text !== null) dispatchEvent(new CustomEvent(key + "-answer-" + TEXT, { detail: text }));
    },
    { capture: true },
  );
}
