// Loads data once for a screen.

import { useCallback, useEffect, useState } from "preact/hooks";
import { type Data, type Parameters, page, Refused } from "./client";
import type { Gets, Pagination } from "./generated";

export interface Loaded<T> {
  data?: T;
  pagination?: Pagination;
  problem?: Refused;
  loading: boolean;
  reload(): void;
}

/** GETs `path`, and again if its parameters change or `reload` is called. The old data stays visible during a
 * reload. */
export function useLoad<P extends keyof Gets>(path: P, parameters?: Parameters<P>): Loaded<Data<P>> {
  const [state, setState] = useState<Omit<Loaded<Data<P>>, "reload">>({ loading: true });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setState((before) => ({ ...before, loading: true }));
    page(path, parameters, stop.signal).then(
      (answer) => stop.signal.aborted || setState({ ...answer, loading: false }),
      (problem: unknown) => {
        if (!stop.signal.aborted) setState((before) => ({ ...before, problem: asRefused(problem), loading: false }));
      },
    );
    return () => stop.abort();
  }, [path, JSON.stringify(parameters), turn]);
  const reload = useCallback(() => setTurn((n) => n + 1), []);
  return { ...state, reload };
}

export function asRefused(problem: unknown): Refused {
  return problem instanceof Refused
    ? problem
    : new Refused(problem instanceof Error ? problem.message : String(problem), -1);
}
