// A save that an action set off may be put off for longer than settling follows: a close waits for it. Notices mostly stay for
// three seconds and more, saves are put off for less. A timer that fires again and again without an action polls.

import { begin, pending as saving } from "../saves";
import { answer } from "../tracker-channel";
import { KEY, tracker } from "./state";

const SAVE = 2_500;
// What is put off while a field is being edited is a save that waits for the typing to end: no notice is shown then.
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
  // Before the first action nothing is an action's doing; and what is put off during the close itself goes on with it only
  // when it belongs to what is waited for.
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
