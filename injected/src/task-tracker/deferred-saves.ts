// A save that an action caused may be deferred for longer than settling waits; a close waits for it. Delays up to
// `SAVE` count, because notices usually stay for three seconds or longer, whereas saves are deferred for less. A timer
// that fires repeatedly without an action is polling.

import { begin, pending as saving } from "../saves";
import { answer } from "../tracker-channel";
import { KEY, tracker } from "./state";

const SAVE = 2_500;
// A task that is scheduled while a field is being edited is a save that waits for the end of typing, because pages show
// no notices at that time.
export const EDIT_SAVE = 10_000;
const EDITS = new Set(["beforeinput", "input", "change", "keydown", "keyup", "paste", "blur", "focusout"]);
const longestSave = (): number => (EDITS.has(window.event?.type ?? "") ? EDIT_SAVE : SAVE);
const sourceOf = Function.prototype.toString;
const fired = new Map<string, { times: number; epochs: number; epoch: number }>();
export const nameOf = (callback: Function, delay: number): string =>
  delay + " " + Reflect.apply(sourceOf, callback, []).slice(0, 300);

function recurs(name: string): boolean {
  const known = fired.get(name);
  return known !== undefined && known.times - known.epochs >= 2;
}

export function noteFired(name: string): void {
  const known = fired.get(name) ?? { times: 0, epochs: 0, epoch: -1 };
  known.times++;
  if (known.epoch !== tracker.epoch) [known.epoch, known.epochs] = [tracker.epoch, known.epochs + 1];
  if (fired.size < 500) fired.set(name, known);
}

const unfired = new Map<string, () => void>();

export function putOff(id: string, name: string, delay: number): void {
  // Before the first action, nothing is attributed to an action. A task that is scheduled during the flush counts only
  // if it continues work that is waited for.
  const longest = longestSave();
  if (
    tracker.foreign ||
    tracker.epoch === 0 ||
    delay > longest ||
    tracker.sum + delay > longest ||
    (tracker.flushing && tracker.links === 0) ||
    recurs(name)
  )
    return;
  unfired.set(id, begin("what the page put off for " + delay + " ms"));
}

export function noLonger(id: string): void {
  unfired.get(id)?.();
  unfired.delete(id);
}

answer(KEY, "saves", () => {
  tracker.flushing = true;
  return saving();
});
