// The list of runs, live: one page of it from the server, and every change as the server tells it.

import { useEffect, useRef } from "preact/hooks";
import type { RunListItem } from "./generated";
import { type Connection, follow } from "./sse";

const GATHER_MS = 150;

/** Calls back with the runs that changed, gathered for a moment: at the beginning the server names many at once. */
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
