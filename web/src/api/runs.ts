// The live list of runs: one page from the server, and every change that the server reports.

import { useEffect, useRef } from "preact/hooks";
import type { RunListItem } from "./generated";
import { type Connection, follow } from "./sse";

const GATHER_MS = 150;

/** Calls back with the runs that changed, collected for a moment because the server reports many at once at the
 * beginning. */
export function useChanges(changed: (runs: RunListItem[]) => void, state?: (state: Connection) => void): void {
  const now = useRef(changed);
  now.current = changed;
  useEffect(() => {
    let gathered: RunListItem[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stream = follow({
      url: () => "/api/stream/sse",
      frame: (frame) => {
        if (frame.event !== "run") return;
        gathered.push(JSON.parse(frame.data) as RunListItem);
        timer ??= setTimeout(() => {
          const runs = gathered;
          timer = undefined;
          gathered = [];
          now.current(runs);
        }, GATHER_MS);
      },
      state: (now) => state?.(now),
    });
    return () => {
      clearTimeout(timer);
      stream.stop();
    };
  }, []);
}
