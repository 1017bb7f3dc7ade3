// How the connection stands: said while it is lost and while missed events come in, silent while all is well.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Run } from "../../api/run";

/** So many missed events are worth a word. */
const WORTH_SAYING = 20;

export function ConnectionNote({ run }: { run: Run }) {
  const lost = run.connection === "lost";
  const lostAt = useRef<number | undefined>(undefined);
  const [caughtUp, setCaughtUp] = useState<number>();
  const seq = run.record?.seq ?? 0;

  useEffect(() => {
    if (lost) {
      lostAt.current = seq;
      setCaughtUp(undefined);
    } else if (run.connection !== "connecting" && lostAt.current !== undefined) {
      const missed = lostAt.current;
      lostAt.current = undefined;
      // What was missed comes right behind the connection; a moment later it can be counted.
      const timer = setTimeout(() => setCaughtUp(missed), 600);
      const hide = setTimeout(() => setCaughtUp(undefined), 8_000);
      return () => {
        clearTimeout(timer);
        clearTimeout(hide);
      };
    }
    return undefined;
  }, [lost, run.connection]);

  const words = lost
    ? "Connection lost. What you see may be old; trying again …"
    : run.connection === "refused"
      ? refusal(run.status)
      : run.behind > WORTH_SAYING
        ? `Catching up: ${run.behind} events to come`
        : caughtUp !== undefined
          ? `Connected again, up to date${seq > caughtUp ? `: ${seq - caughtUp} missed events came in` : ""}`
          : "";
  const tone = lost || run.connection === "refused" ? "wait" : "good";
  return (
    <p role="status" class={words ? `note ${tone}` : "unseen"}>
      {words}
    </p>
  );
}

function refusal(status: number | undefined): string {
  if (status === 401 || status === 403) return "Not signed in any more: open a new link from `legwork serve --link`.";
  return "The server does not know this run any more.";
}
