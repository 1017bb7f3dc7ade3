// Determines when the page has settled after an action: no tasks that the action caused are pending, no finite
// animation that moves or shows something is running, and the main thread is idle. It never waits for a fixed time.

import { watchChurn } from "./capture-churn";
import { element as byNumber } from "./capture-registry";
import { forgetReversions } from "./capture-reversions";
import { forgetTransients } from "./capture-transient";
import { unbind } from "./focus";
import type * as Bridge from "./generated";
import { checkAtRest, inputOutcome } from "./outcome";
import { forgetExpectedPress, landing, takeMissedPress } from "./press";
import { ask, eventName, type Tasks } from "./tracker-channel";

/** Notes that an action begins: tasks that the page schedules from now on are attributed to it. */
export function arm(key: string, view: Window): void {
  forgetExpectedPress();
  watchChurn(key);
  forgetTransients();
  forgetReversions();
  unbind();
  checkAtRest(null);
  armedAt = performance.now();
  for (const target of new Set([...own(window), view])) target.dispatchEvent(new Event(eventName(key, "arm")));
}
let armedAt = 0;

/** A window and the windows of its frames whose documents it can access. */
function own(view: Window): Window[] {
  const found = [view];
  for (let at = 0; at < view.length; at++) {
    try {
      if (view[at].document) found.push(...own(view[at]));
    } catch {} // of another origin
  }
  return found;
}

/** The answers of the windows of this document and of its frames. */
const askAll = (key: string, question: "saves" | "strays"): string[] =>
  own(window).flatMap((view) => ask(key, view, question) ?? []);

export const unrelatedWindows = ({ key }: Bridge.UnrelatedWindows): string[] => askAll(key, "strays");

const tasksOf = (key: string, view: Window): Tasks =>
  ask(key, view, "tasks") ?? { pending: 0, downloads: 0, leaves: false, calm: false, what: "" };

export const within = <T>(promise: Promise<T>, ms: number): Promise<T | undefined> => {
  let timer = 0;
  const late = new Promise<undefined>(
    (resolve) => (timer = setTimeout(resolve, Math.max(ms, 0), undefined) as unknown as number),
  );
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

// Resolves once all other tasks that are ready have run.
const lull = (): Promise<unknown> =>
  new Promise((resolve) => {
    const scheduler = (globalThis as any).scheduler;
    if (scheduler?.postTask) scheduler.postTask(resolve, { priority: "background" });
    else setTimeout(resolve, 0);
  });

const PAINT = /color|background|shadow|outline|fill|stroke|decoration|border-radius|filter|cursor/;

// Animations that began with the action (with a tolerance of about one frame), end within a second, and do not only
// change colours and the like. Others are decoration or do not end.
function moving(view: Window): Animation[] {
  const began =
    armedAt - (document.timeline.currentTime === null ? 0 : performance.now() - Number(document.timeline.currentTime));
  return view.document.getAnimations().filter((animation) => {
    if (animation.playState !== "running") return false;
    const property = (animation as any).transitionProperty as string | undefined;
    if (property && PAINT.test(property)) return false;
    if (animation.startTime !== null && Number(animation.startTime) < began - 20) return false;
    const end = Number(animation.effect?.getComputedTiming().endTime ?? Infinity);
    return end - Number(animation.currentTime ?? 0) <= 1_000;
  });
}

export async function settle({ key, limitMs, element }: Bridge.Settle): Promise<Bridge.Settled> {
  const rest = await atRest(key, limitMs, element === null ? undefined : byNumber(element));
  const outcome = await inputOutcome();
  unbind();
  return outcome === null ? rest : { ...rest, outcome };
}

async function atRest(key: string, limit: number, element: Element | undefined): Promise<Bridge.Settled> {
  const until = performance.now() + limit;
  // This call may be processed before the press that it is to check.
  const press = landing();
  if (press !== null) await press;
  const missed = takeMissedPress();
  if (missed !== null) return { missed };
  const views = new Set<Window>([window]);
  const own = element?.ownerDocument.defaultView;
  if (own) views.add(own);
  let waited = false;
  for (;;) {
    let busy = "";
    let calm = true;
    let saving = 0;
    let leaves = false;
    const left = until - performance.now();
    for (const view of views) {
      const tasks = tasksOf(key, view);
      calm &&= tasks.calm;
      saving += tasks.downloads;
      leaves ||= tasks.leaves;
      if (tasks.pending > 0) {
        busy = tasks.what;
        if (left <= 0) break;
        await within(
          new Promise((resolve) => view.addEventListener(eventName(key, "idle"), resolve, { once: true })),
          left,
        );
        continue;
      }
      const animations = moving(view);
      if (animations.length > 0) {
        busy = "an animation";
        if (left <= 0) break;
        await within(Promise.allSettled(animations.map((animation) => animation.finished)), Math.min(left, 1_000));
      }
    }
    if (busy !== "") {
      waited = true;
      if (performance.now() >= until) return { busy };
      continue;
    }
    // While input is pending, the browser delays background tasks until the next frame. A page that scheduled nothing
    // does not need that wait.
    if (calm && saving === 0 && !waited) return { leaves };
    if (
      (await within(
        lull().then(() => true),
        Math.max(left, 50),
      )) === undefined
    )
      return { busy: "a busy main thread" };
    let quiet = true;
    let downloads = 0;
    for (const view of views) {
      const tasks = tasksOf(key, view);
      downloads += tasks.downloads;
      quiet &&= tasks.pending === 0 && moving(view).length === 0;
    }
    if (quiet) return { downloads, leaves };
    if (performance.now() >= until) return { busy: "work upon work" };
  }
}

const UNDO = /^(undo|rückgängig|annuler|deshacer|annulla|desfazer|ongedaan maken)\b/i;
const MESSAGES =
  "[role=alert],[role=status],[aria-live]," + ["toast", "snack", "notif"].map((name) => `[class*=${name} i]`).join();

const BUTTONS = "button,a,[role=button]";
// The number of characters beside the button: a message is one or two sentences.
const LEAST_MESSAGE = 5;
const LONGEST_MESSAGE = 200;
const undoes = (button: HTMLElement): boolean =>
  UNDO.test(button.innerText.trim()) && button.checkVisibility({ visibilityProperty: true, opacityProperty: true });

/** Whether a message offers to undo the action. Some applications send a change only when that offer has ended. */
function offersUndo(): boolean {
  for (const view of own(window)) {
    for (const message of view.document.querySelectorAll(MESSAGES)) {
      for (const button of message.querySelectorAll<HTMLElement>(BUTTONS)) if (undoes(button)) return true;
    }
    // Messages without a role or a usual class: text is beside the button, whereas in a toolbar there are only other
    // buttons.
    for (const button of view.document.querySelectorAll<HTMLElement>(BUTTONS)) {
      const around = button.parentElement;
      if (around === null || !undoes(button)) continue;
      const buttons = [...around.querySelectorAll<HTMLElement>(BUTTONS)].map((one) => one.innerText.length);
      const beside = around.innerText.length - buttons.reduce((sum, length) => sum + length, 0);
      if (beside >= LEAST_MESSAGE && beside <= LONGEST_MESSAGE) return true;
    }
  }
  return false;
}

export async function flush({ key, limitMs, asksUndo }: Bridge.Flush): Promise<Bridge.FlushState> {
  const until = performance.now() + limitMs;
  for (let waited = false; ; waited = true) {
    const pending = askAll(key, "saves");
    if (asksUndo && offersUndo()) pending.push("a change that can still be undone");
    if (pending.length === 0 || performance.now() >= until) return { waited, pending };
    // Polls, because much of this work fires no event when it ends.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
