// While the effects of an earlier callback run, changes are those of the page itself. These effects may continue after
// the callback: in microtasks (`await`, Vue), when a response arrives that it requested, or with a message to the page
// itself (React).

import { signal, tracker } from "./state";
import { later, promiseThen } from "./wrap";

const HOPS = 12; // the most consecutive microtasks that are followed
const resolved = Promise.resolve();
let owns = 0;

export function beginOwn(hover = false): void {
  if (owns++ === 0) signal(hover ? "hover" : "own");
}
export function endOwn(): void {
  if (--owns === 0) signal("owned");
}
// Only microtasks run until then, so `born` applies to them.
export function trail(): void {
  let hops = 0;
  const hop = (): void => {
    if (++hops < HOPS) return void Reflect.apply(promiseThen, resolved, [hop]);
    tracker.born = null;
    endOwn();
  };
  hop();
}

// Before a press, the pointer must arrive, and pages react to that as well: with a tooltip, a menu, a chat window. What
// hover listeners change and schedule is attributed to a point between the last generation and this one, so it is not
// an effect of the press. For an action that only moves the pointer, it is the effect.
const HOVER = ["over", "enter", "move", "out", "leave"].flatMap((name) => ["pointer" + name, "mouse" + name]);
export const isOfHover = (asked: number): boolean => !Number.isInteger(asked);

let hovering = false;
let following = false;

// Another task has begun, so the listeners for the hover event or the message have run.
export function endTask(): void {
  if (!hovering && !following) return;
  hovering = following = false;
  tracker.born = null;
  endOwn();
}
for (const type of HOVER)
  addEventListener(
    type,
    (event) => {
      if (!tracker.presses || hovering || !event.isTrusted) return;
      endTask();
      hovering = true;
      tracker.born = tracker.generation - 0.5;
      beginOwn(true);
      // The events of one pointer move, and the microtasks of their listeners, precede any task.
      later(endTask, 0);
    },
    { capture: true, passive: true },
  );

for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "keydown"])
  addEventListener(
    type,
    (event) => {
      if (event.isTrusted) tracker.inputs++;
      endTask();
    },
    { capture: true, passive: true },
  );

/** Attributes the effects of a message to the cause of its sender until another task begins. */
export function followMessage(born: number): void {
  following = true;
  tracker.born = born;
  beginOwn(isOfHover(born));
  // This message arrives after the page's listeners have run.
  Reflect.apply(send, near, [null]);
}

// A message of the tracker itself marks the end of a message's task.
const { port1: near, port2: far } = new MessageChannel();
const send = near.postMessage;
far.onmessage = endTask;
