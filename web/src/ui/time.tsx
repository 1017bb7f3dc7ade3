// Points in time in a readable form, and a clock that ticks while something is in progress.

import { useEffect, useState } from "preact/hooks";
import { took } from "./format";

/** The current time, updated every `every` milliseconds; not at all for 0. */
export function useNow(every: number): number {
  const [now, set] = useState(Date.now());
  useEffect(() => {
    if (!every) return;
    const timer = setInterval(() => set(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return every ? now : Date.now();
}

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** `3 minutes ago`, with the exact time on hover. */
export function Ago({ time, now }: { time: string; now: number }) {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return null;
  return (
    <time dateTime={time} title={clock.format(at)}>
      {ago(at, now)}
    </time>
  );
}

export function ago(at: number, now: number): string {
  const seconds = (at - now) / 1_000;
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return Math.abs(seconds) < 10 ? "just now" : relative.format(Math.trunc(seconds), "second");
}

export function When({ time }: { time: string }) {
  return <time dateTime={time}>{clock.format(Date.parse(time))}</time>;
}

/** The duration from `from` to `to`, or to now while it grows. */
export function Took({ from, to }: { from: string; to?: string }) {
  const now = useNow(to ? 0 : 1_000);
  const ms = (to ? Date.parse(to) : now) - Date.parse(from);
  return <>{took(to ? ms : Math.max(0, Math.floor(ms / 1_000) * 1_000))}</>;
}
