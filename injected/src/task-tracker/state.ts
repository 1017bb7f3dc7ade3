// What the parts of the tracker share: whose doing what runs now is, and what has been put off.

import { eventName, type Notice, type Signal } from "../tracker-channel";

export const KEY = "__LEGWORK_KEY__";
export const signal = (name: Signal): boolean => dispatchEvent(new Event(eventName(KEY, name)));
export const onNotice = (name: Notice, listener: () => void): void => addEventListener(eventName(KEY, name), listener);

export const tracker = {
  /** Rises with each action and each reading of the page. */
  generation: 0,
  /** The generation in which what runs now was set off: a callback that was asked for in an earlier one changes the page by itself,
   * whatever is done to it. Null outside of callbacks. */
  born: null as number | null,
  /** Rises with each action. */
  epoch: 0,
  /** What runs now is a callback that the action did not set off; otherwise it is so many links down the chain, which took so long. */
  foreign: false,
  links: 0,
  sum: 0,
  /** The script beside the page waits until nothing is pending. */
  waiting: false,
  /** A close is waited for. */
  flushing: false,
  /** The page did something since the action began of which more may come later. */
  stirred: false,
  /** The page observes what the next frame shows. */
  watchful: false,
  /** How many events of a press or a key there were. */
  inputs: 0,
  /** The action is a press. */
  presses: false,
};

const LONGEST = 1_000; // a longer timer is no part of an action's effect
const CHAIN = 1_500; // milliseconds of timers upon timers
const LINKS = 8; // timers upon timers, frames upon frames

/** A callback that the action set off. */
export interface Entry {
  epoch: number;
  links: number;
  sum: number;
  what: string;
}

export const pending = new Map<string, Entry>();

export function notify(): void {
  if (tracker.waiting && pending.size === 0) {
    tracker.waiting = false;
    signal("idle");
  }
}

/** It is pending no more. */
export function end(id: string): void {
  pending.delete(id);
  notify();
}

/** The entry of a callback that is asked for now; null when it does not count. */
export function entered(what: string, delay: number): Entry | null {
  const { epoch, foreign, links, sum } = tracker;
  if (foreign || delay > LONGEST || links >= LINKS || sum + delay > CHAIN) return null;
  return { epoch, links: links + 1, sum: sum + delay, what };
}
