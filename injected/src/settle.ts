// Tells when the page has come to rest after an action, from evidence: nothing put off that the action set off, no finite
// animation that moves or shows something, and a main thread with nothing better to do. Never by waiting a fixed time.

import { watchChurn } from "./capture-churn";
import { forgetReversions } from "./capture-reversions";
import { forgetTransients } from "./capture-transient";
import { unbind } from "./focus";
import { forget, landing, taken } from "./hit";
import { type Outcome, checkAtRest, outcome } from "./outcome";

interface Asked { count: number; downloads: number; calm: boolean; what: string }

/** How a page came to rest: what got the press meant for another ("!" when none came, "^" when only its release did not), what is still under way, what is being saved, what came of the action's input. */
interface Rest { missed?: string; busy?: string; downloads?: number; outcome?: Outcome | null }

/** From here on, what the page puts off is the action's doing. */
export function arm(key: string, view: Window): void {
  forget();
  watchChurn(key);
  forgetTransients();
  forgetReversions();
  unbind();
  checkAtRest(null);
  armedAt = performance.now();
  for (const target of new Set([...own(window), view])) target.dispatchEvent(new Event(key + "-arm"));
}
let armedAt = 0;

/** A window and those of the frames in it whose documents it may reach. */
function own(view: Window): Window[] {
  const found = [view];
  for (let at = 0; at < view.length; at++) {
    try {
      if (view[at].document) found.push(...own(view[at]));
    } catch {} // of another origin
  }
  return found;
}

/** What the windows of this document and of its frames say when they are asked. */
function answers(key: string, question: string, answer: string): string[] {
  const told: string[] = [];
  for (const view of own(window)) {
    const listen = (event: Event) => told.push(String((event as CustomEvent).detail));
    view.addEventListener(key + answer, listen, { once: true });
    view.dispatchEvent(new Event(key + question));
    view.removeEventListener(key + answer, listen);
  }
  return told;
}

/** The addresses of windows that were opened since the action began by code that was put off before it. */
export function strays(key: string): string[] {
  return answers(key, "-ask-strays", "-strays").flatMap((told) => told.split("\n")).filter((address) => address !== "");
}

function ask(key: string, view: Window): Asked {
  let answer = "0 0 stirred ";
  const listen = (event: Event) => (answer = String((event as CustomEvent).detail));
  view.addEventListener(key + "-answer", listen, { once: true });
  view.dispatchEvent(new Event(key + "-ask"));
  view.removeEventListener(key + "-answer", listen);
  const [count, downloads, calm, ...what] = answer.split(" ");
  return { count: Number(count), downloads: Number(downloads), calm: calm === "calm", what: what.join(" ") };
}

const within = <T>(promise: Promise<T>, ms: number): Promise<T | undefined> => {
  let timer = 0;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, Math.max(ms, 0), undefined) as unknown as number));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

// Runs once everything else that is ready has run.
const lull = (): Promise<unknown> =>
  new Promise((resolve) => {
    const scheduler = (globalThis as any).scheduler;
    if (scheduler?.postTask) scheduler.postTask(resolve, { priority: "background" });
    else setTimeout(resolve, 0);
  });

const PAINT = /color|background|shadow|outline|fill|stroke|decoration|border-radius|filter|cursor/;

// Animations that began with the action, end soon, and do more than paint.
function moving(view: Window): Animation[] {
  const began = armedAt - (document.timeline.currentTime === null ? 0 : performance.now() - Number(document.timeline.currentTime));
  return view.document.getAnimations().filter((animation) => {
    if (animation.playState !== "running") return false;
    const property = (animation as any).transitionProperty as string | undefined;
    if (property && PAINT.test(property)) return false;
    if (animation.startTime !== null && Number(animation.startTime) < began - 20) return false;
    const end = Number(animation.effect?.getComputedTiming().endTime ?? Infinity);
    return end - Number(animation.currentTime ?? 0) <= 1_000;
  });
}

/** Resolves when at rest, or when the press went elsewhere, or after `limit` milliseconds. */
export async function settle(key: string, limit: number, element?: Element): Promise<Rest> {
  const rest = await atRest(key, limit, element);
  const came = await outcome();
  unbind();
  return came === null ? rest : { ...rest, outcome: came };
}

async function atRest(key: string, limit: number, element?: Element): Promise<Rest> {
  const until = performance.now() + limit;
  // This call may overtake the press that it is to judge.
  const press = landing();
  if (press !== null) await press;
  const other = taken();
  if (other !== "") return { missed: other };
  const views = new Set<Window>([window]);
  const own = element?.ownerDocument.defaultView;
  if (own) views.add(own);
  let waited = false;
  for (;;) {
    let busy = "";
    let calm = true;
    let saving = 0;
    const left = until - performance.now();
    for (const view of views) {
      const asked = ask(key, view);
      calm &&= asked.calm;
      saving += asked.downloads;
      if (asked.count > 0) {
        busy = asked.what;
        if (left <= 0) break;
        await within(new Promise((resolve) => view.addEventListener(key + "-idle", resolve, { once: true })), left);
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
    // Input holds everything else back until the next frame; a page that waits for nothing need not wait for that.
    if (calm && saving === 0 && !waited) return { downloads: 0 };
    if ((await within(lull().then(() => true), Math.max(left, 50))) === undefined) return { busy: "a busy main thread" };
    let quiet = true;
    let downloads = 0;
    for (const view of views) {
      const asked = ask(key, view);
      downloads += asked.downloads;
      quiet &&= asked.count === 0 && moving(view).length === 0;
    }
    if (quiet) return { downloads };
    if (performance.now() >= until) return { busy: "work upon work" };
  }
}

const UNDO = /^(undo|rückgängig|annuler|deshacer|annulla|desfazer|ongedaan maken)\b/i;
const MESSAGES = "[role=alert],[role=status],[aria-live]," + ["toast", "snack", "notif"].map((name) => `[class*=${name} i]`).join();

const BUTTONS = "button,a,[role=button]";
// Characters beside the button: a message is a sentence or two.
const LEAST_MESSAGE = 5;
const LONGEST_MESSAGE = 200;
const undoes = (button: HTMLElement): boolean =>
  UNDO.test(button.innerText.trim()) && button.checkVisibility({ visibilityProperty: true, opacityProperty: true });

/** Whether a message offers to undo what was done. Some applications send a change only when that offer is over. */
function offersUndo(): boolean {
  for (const view of own(window)) {
    for (const message of view.document.querySelectorAll(MESSAGES)) {
      for (const button of message.querySelectorAll<HTMLElement>(BUTTONS)) if (undoes(button)) return true;
    }
    // Messages without a role or a usual class: beside the button there is text. In a toolbar there are only other buttons.
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

/** What a close would cut off: resolves once nothing is left of it, or after `limit` milliseconds; `waited` tells whether there was any.
 * With `asksUndo`, an offer to undo counts as well. */
export async function flush(key: string, limit: number, asksUndo: boolean): Promise<{ waited: boolean; pending: string[] }> {
  const until = performance.now() + limit;
  for (let waited = false; ; waited = true) {
    const pending = answers(key, "-ask-saves", "-saves").flatMap((told) => told.split("\n")).filter((what) => what !== "");
    if (asksUndo && offersUndo()) pending.push("a change that can still be undone");
    if (pending.length === 0 || performance.now() >= until) return { waited, pending };
    // Of what is waited for, much tells nobody when it is over.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Resolves to true at the next change of the page, to false when there is none within `ms`. */
export function changed(ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (value: boolean) => {
      clearTimeout(timer);
      observer.disconnect();
      resolve(value);
    };
    const observer = new MutationObserver(() => end(true));
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const timer = setTimeout(end, ms, false);
  });
}

/** Resolves once something of this document has been drawn, or after `ms`: until then a picture may still show the page before. */
export function painted(ms: number): Promise<unknown> {
  const drawn = () => performance.getEntriesByName("first-contentful-paint").length > 0;
  if (drawn() || document.visibilityState === "hidden") return Promise.resolve();
  let observer: PerformanceObserver | undefined;
  const first = new Promise((resolve) => {
    observer = new PerformanceObserver((list) => list.getEntriesByName("first-contentful-paint").length > 0 && resolve(true));
    observer.observe({ type: "paint", buffered: true });
  });
  return within(first, ms).finally(() => observer?.disconnect());
}
