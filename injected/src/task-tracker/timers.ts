// Timers, frames and idle callbacks.

import { beginOwn, endTask, isOfHover, trail } from "./causes";
import { EDIT_SAVE, nameOf, noLonger, noteFired, putOff } from "./deferred-saves";
import { type Entry, end, entered, notify, pending, tracker } from "./state";
import { later, wrap } from "./wrap";

const IDLE = 300; // a busy machine may have no idle time for seconds, and work that can wait so long is not what the action was for

// Runs a callback while its cause is recorded in the tracker, and restores the previous state afterwards.
function run(entry: Entry | null, asked: number, callback: Function, self: unknown, args: unknown[]): unknown {
  endTask();
  const before: [boolean, number, number] = [tracker.foreign, tracker.links, tracker.sum];
  const outer = tracker.born;
  tracker.born = asked;
  const own = asked < tracker.generation && outer === null;
  if (own) beginOwn(isOfHover(asked));
  const ours = entry !== null && entry.epoch === tracker.epoch;
  tracker.foreign = !ours;
  if (ours) [tracker.links, tracker.sum] = [entry.links, entry.sum];
  try {
    return Reflect.apply(callback, self, args);
  } finally {
    [tracker.foreign, tracker.links, tracker.sum] = before;
    if (own) trail();
    else tracker.born = outer;
    notify();
  }
}

function wrapOnce(asking: string, cancelling: string, delayOf: (args: any[]) => number): void {
  wrap(asking, (target, self, args) => {
    const callback = args[0];
    if (typeof callback !== "function") return Reflect.apply(target, self, args);
    const delay = delayOf(args);
    const entry = entered(asking, delay);
    const asked = tracker.born ?? tracker.generation;
    let id: string;
    const name = asking === "setTimeout" && delay <= EDIT_SAVE ? nameOf(callback, delay) : "";
    args[0] = function (this: unknown, ...given: unknown[]) {
      pending.delete(id);
      if (name !== "") noteFired(name);
      try {
        return run(entry, asked, callback, this, given);
      } finally {
        noLonger(id);
      }
    };
    const handle = Reflect.apply(target, self, args);
    id = asking + handle;
    if (entry) pending.set(id, entry);
    if (name !== "") putOff(id, name, delay);
    if (entry && asking === "requestIdleCallback") later(() => end(id), IDLE);
    return handle;
  });
  wrap(cancelling, (target, self, args) => {
    pending.delete(asking + args[0]);
    noLonger(asking + args[0]);
    notify();
    return Reflect.apply(target, self, args);
  });
}

wrapOnce("setTimeout", "clearTimeout", (args) => Number(args[1]) || 0);
wrapOnce("requestAnimationFrame", "cancelAnimationFrame", () => 16);
wrapOnce("requestIdleCallback", "cancelIdleCallback", () => 0);

// Only the first ticks of an interval count, which may show something step by step. Later ticks are polling.
wrap("setInterval", (target, self, args) => {
  const callback = args[0];
  if (typeof callback !== "function") return Reflect.apply(target, self, args);
  const delay = Number(args[1]) || 0;
  const entry = delay <= 300 ? entered("setInterval", delay) : null;
  const asked = tracker.born ?? tracker.generation;
  let id: string;
  let ticks = 0;
  args[0] = function (this: unknown, ...given: unknown[]) {
    if (++ticks >= 3) pending.delete(id);
    return run(entry, asked, callback, this, given);
  };
  const handle = Reflect.apply(target, self, args);
  id = "setInterval" + handle;
  if (entry) pending.set(id, entry);
  return handle;
});
wrap("clearInterval", (target, self, args) => {
  pending.delete("setInterval" + args[0]);
  pending.delete("setTimeout" + args[0]);
  noLonger("setTimeout" + args[0]);
  notify();
  return Reflect.apply(target, self, args);
});
