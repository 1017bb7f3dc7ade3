// A thing loaded once for a screen, with what came of it.

import { useCallback, useEffect, useState } from "preact/hooks";
import { get, Refused } from "./client";

export interface Loaded<T> {
  data?: T;
  problem?: Refused;
  loading: boolean;
  reload(): void;
}

/** GETs `path`; again when it changes or `reload` is called. What was shown stays while it loads anew. */
export function useLoad<T>(
  path: string | undefined,
  read: (path: string, signal: AbortSignal) => Promise<T> = get,
): Loaded<T> {
  const [state, setState] = useState<{ data?: T; problem?: Refused; loading: boolean }>({ loading: true });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!path) return setState({ loading: false });
    const stop = new AbortController();
    setState((before) => ({ ...before, loading: true }));
    read(path, stop.signal).then(
      (data) => stop.signal.aborted || setState({ data, loading: false }),
      (problem: unknown) => {
        if (!stop.signal.aborted) setState((before) => ({ ...before, problem: asRefused(problem), loading: false }));
      },
    );
    return () => stop.abort();
  }, [path, turn]);
  const reload = useCallback(() => setTurn((n) => n + 1), []);
  return { ...state, reload };
}

export function asRefused(problem: unknown): Refused {
  return problem instanceof Refused
    ? problem
    : new Refused(problem instanceof Error ? problem.message : String(problem), -1);
}
