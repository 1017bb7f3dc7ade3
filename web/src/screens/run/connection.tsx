// The state of the connection: a message while it is lost and while missed events arrive, otherwise nothing.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Run } from "../../api/run";

export function ConnectionNote({ run }: { run: Run }) {
  const lost = run.connection === "lost";
  const lostAt = useRef<number | undefined>(undefined);
  const [missedFrom, setMissedFrom] = useState<number>();
  const [counted, setCounted] = useState(false);
  const seq = run.view?.progress.seq ?? 0;

  useEffect(() => {
    if (lost) {
      lostAt.current ??= seq;
      setMissedFrom(undefined);
    } else if (run.connection !== "connecting" && lostAt.current !== undefined) {
      setMissedFrom(lostAt.current);
      lostAt.current = undefined;
    }
  }, [run.connection]);

  // This effect depends only on the missed events: the connection may open and end within a moment, and the message
  // must still appear.
  useEffect(() => {
    setCounted(false);
    if (missedFrom === undefined) return undefined;
    // Missed events arrive directly after the connection opens, so they can be counted a moment later.
    const timer = setTimeout(() => setCounted(true), 600);
    const hide = setTimeout(() => setMissedFrom(undefined), 8_000);
    return () => {
      clearTimeout(timer);
      clearTimeout(hide);
    };
  }, [missedFrom]);

  const words = lost
    ? "Connection lost. What you see may be old; trying again …"
    : run.connection === "refused"
      ? refusal(run.status)
      : counted && missedFrom !== undefined
        ? `Connected again, up to date${seq > missedFrom ? `: ${seq - missedFrom} missed events came in` : ""}`
        : "";
  const tone = lost || run.connection === "refused" ? "wait" : "good";
  return (
    <p role="status" class={words ? `note ${tone}` : "unseen"}>
      {words}
    </p>
  );
}

function refusal(status: number | undefined): string {
  if (status === 401 || status === 403)
    return "Signed out: ask the person who started the server for a new link, and open it.";
  return "The server no longer has this run.";
}
