// While what an earlier callback set off runs, changes are the page's own. It may go on after the callback: in microtasks
// (`await`, Vue), when an answer comes that it asked for, or with a message to the page itself (React).

import { signal, tracker } from "./state";
import { later, promiseThen } from "./wrap";

const HOPS = 12; // microtasks upon microtasks that are followed
const resolved = Promise.resolve();
let owns = 0;

export function beginOwn(hover = false): void {
  if (owns++ === 0) signal(hover ? "hover" : "own");
}
export function endOwn(): void {
  if (--owns === 0) signal("owned");
}
// Nothing but microtasks runs until then, so that `born` is theirs.
export function trail(): void {
  let hops = 0;
  const hop = (): void => {
    if (++hops < HOPS) return void Reflect.apply(promiseThen, resolved, [hop]);
    tracker.born = null;
    endOwn();
  };
  hop();
}

// A press needs the pointer to come first, and pages answer to that as well: with a tooltip, a menu, a chat window. What the
// listeners to its coming change, and what they put off, was set off between the last generation and this one: it is no effect of
// the press. Where nothing but the pointer's coming was asked for, it is the effect.
const HOVER = ["over", "enter", "move", "out", "leave"].flatMap((name) => ["pointer" + name, "mouse" + name]);
export const isOfHover = (asked: number): boolean => !Number.isInteger(asked);

let hovering = false;
let following = false;

// Another task has begun: listeners to the pointer's coming, or to a message, have run.
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
      // The events of one move, and microtasks of their listeners, come before any task.
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

/** What comes of a message has the cause of what sent it, until another task begins. */
export function followMessage(born: number): void {
  following = true;
  tracker.born = born;
  beginOwn(isOfHover(born));
  // It comes when the page's listeners have run.
  Reflect.apply(send, near, [null]);
}

// Messages of our own end the task of a message.
const { port1: near, port2: far } = new MessageChannel();
const send = near.postMessage;
far.onmessage = endTask;
