// How the script beside the page and the task tracker in the page's own world speak with each other: by events on the window, whose
// names begin with a key that no page knows. Objects cannot cross worlds, so that answers are texts. They are not JSON: old libraries
// give arrays and strings a `toJSON` of their own, and this runs in the page's world as well.

/** How much a page has put off since the last action began. */
export interface Tasks {
  pending: number;
  /** Links followed that save what they lead to. */
  downloads: number;
  /** Nothing else can come. */
  calm: boolean;
  /** One of those that are pending; empty when none is. */
  what: string;
}

/** The answer to each question. */
export interface Answers {
  tasks: Tasks;
  /** What a close would cut off. */
  saves: string[];
  /** The addresses of windows that were opened by code that was put off before the action. */
  strays: string[];
}

/** What the script beside the page tells: an action begins, and is a press; the page is read. */
export type Notice = "arm" | "press" | "read";

/** What the tracker tells: nothing is pending any more; the page's own changes begin, because the pointer came or otherwise, and end. */
export type Signal = "idle" | "own" | "hover" | "owned";

interface Codec<T> {
  encode(value: T): string;
  decode(text: string): T;
}

// What is listed are addresses and descriptions, which have no line breaks.
const LIST: Codec<string[]> = {
  encode: (list) => list.join("\n"),
  decode: (text) => text.split("\n").filter((line) => line !== ""),
};

const TASKS: Codec<Tasks> = {
  encode: ({ pending, downloads, calm, what }) => [pending, downloads, calm ? 1 : 0, what].join(" "),
  decode: (text) => {
    const [pending, downloads, calm, ...what] = text.split(" ");
    return { pending: Number(pending), downloads: Number(downloads), calm: calm === "1", what: what.join(" ") };
  },
};

const CODECS: { [Question in keyof Answers]: Codec<Answers[Question]> } = { tasks: TASKS, saves: LIST, strays: LIST };

export const eventName = (key: string, event: Notice | Signal): string => key + "-" + event;
const questionName = (key: string, question: keyof Answers): string => key + "-ask-" + question;
const answerName = (key: string, question: keyof Answers): string => key + "-answer-" + question;

/** Asks a window; null when it has no tracker. */
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

/** Answers a question whenever this window is asked it. */
export function answer<Question extends keyof Answers>(
  key: string,
  question: Question,
  value: () => Answers[Question],
): void {
  addEventListener(questionName(key, question), () =>
    dispatchEvent(new CustomEvent(answerName(key, question), { detail: CODECS[question].encode(value()) })),
  );
}
