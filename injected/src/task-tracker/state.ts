// The shared state of the tracker: the cause of the code that currently runs, and the pending tasks.

import { eventName, type Notice, type Signal } from "../tracker-channel";

export const KEY = "__LEGWORK_KEY__";
export const signal = (name: Signal): boolean => dispatchEvent(new Event(eventName(KEY, name)));
export const onNotice = (name: Notice, listener: () => void): void => addEventListener(eventName(KEY, name), listener);

export const tracker = {
  /** Incremented with each action and each capture. */
  generation: 0,
  /**
   * The generation in which the current code was scheduled. A callback from an earlier generation changes the page by
   * itself, regardless of actions. Null outside of callbacks.
   */
  born: null as number | null,
  /** Incremented with each action. */
  epoch: 0,
  /**
   * Whether the current code is a callback that the action did not cause. Otherwise, `links` is its position in the
   * chain of callbacks, and `sum` the total delay of the chain in milliseconds.
   */
  foreign: false,
  links: 0,
  sum: 0,
  /** Whether the script in the isolated world waits until nothing is pending. */
  waiting: false,
  /** Whether a flush is in progress. */
  flushing: false,
  /** Whether the page did something since the action began that may have later effects. */
  stirred: false,
  /** Whether the page observes what the next frame shows. */
  watchful: false,
  /** The number of press and key events. */
  inputs: 0,
  /** Whether the action is a press. */
  presses: false,
};

const LONGEST = 1_000; // longer timers are not attributed to the action
const CHAIN = 1_500; // the total milliseconds of a chain of timers
const LINKS = 8; // the most callbacks in a chain of timers or frames

/** A callback that the action caused. */
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

/** Removes a pending entry. */
export function end(id: string): void {
  pending.delete(id);
  notify();
}

/** The entry of a callback that is scheduled now; null if it does not count. */
export function entered(what: string, delay: number): Entry | null {
  const { epoch, foreign, links, sum } = tracker;
  if (foreign || delay > LONGEST || links >= LINKS || sum + delay > CHAIN) return null;
  return { epoch, links: links + 1, sum: sum + delay, what };
}
