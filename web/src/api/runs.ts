// The list of runs, live: one page of it from the server, and every change as the server tells it.

import { useEffect } from "preact/hooks";
import { type Connection, follow } from "./sse";
import type { RunSummary } from "./types";

/** Calls back for every run that changed, as long as the screen is shown. */
export function useChanges(changed: (run: RunSummary) => void, state?: (state: Connection) => void): void {
  useEffect(() => {
    const stream = follow({
      url: () => "/api/stream/sse",
      frame: (frame) => {
        if (frame.event === "run") changed(JSON.parse(frame.data) as RunSummary);
      },
      state: (now) => state?.(now),
    });
    return stream.stop;
  }, []);
}
