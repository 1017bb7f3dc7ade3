// The browser opens six connections to one server, for all panels of all windows together. So at most three streams are
// open at the same time; the other panels read briefly, one after the other. Locks are shared by all pages of the
// extension, and end with their page.

import type { Sharing } from "../../../web/src/api/run";
import type { Turn } from "../../../web/src/api/sse";

/** The most streams in the browser. */
const STREAMS = ["stream-1", "stream-2", "stream-3"];
/** The lock of brief reading. */
const READING = "reading";

/** Takes a lock; undefined if it is taken and `waits` is not set, or if the waiting ends. */
function take(name: string, waits?: AbortSignal): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const options: LockOptions = waits ? { signal: waits } : { ifAvailable: true };
    const asked = navigator.locks.request(name, options, (lock) => {
      if (!lock) return resolve(undefined);
      return new Promise<void>((done) => resolve(done));
    });
    asked.catch(() => resolve(undefined));
  });
}

async function turn(signal: AbortSignal, streams: string[]): Promise<Turn> {
  for (const name of streams) {
    const done = await take(name);
    if (done) return { isBrief: false, done };
  }
  return { isBrief: true, done: (await take(READING, signal)) ?? (() => undefined) };
}

const isLive = (state: string) => ["queued", "running", "paused"].includes(state);

/** For the newest task of a tab. */
export const NEWEST: Sharing = { turn: (signal) => turn(signal, STREAMS), isLive };
/** For the tasks before it, which are read briefly until they have ended. */
export const EARLIER: Sharing = { turn: (signal) => turn(signal, []), isLive };
