// The next start times of a cron expression, and what is wrong in it, a moment after typing stopped.

import { useEffect, useState } from "preact/hooks";
import { get } from "../../api/client";
import type { SchedulePreview } from "../../api/generated";

const QUIET_MS = 250;

/**
 * The preview of these times. The one before stays until the next one arrives; the answer to older times is dropped.
 */
export function usePreview(cron: string, timezone: string): SchedulePreview | undefined {
  const [preview, setPreview] = useState<SchedulePreview>();
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      get("/api/schedules/preview", { cron: cron.trim(), timezone }, stop.signal).then(
        (answer) => stop.signal.aborted || setPreview(answer),
        // Without a preview, saving still says what is wrong.
        () => stop.signal.aborted || setPreview(undefined),
      );
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [cron, timezone]);
  return preview;
}

/** The next start times, on the clock of the schedule. */
export function NextRuns({ preview, timezone }: { preview: SchedulePreview; timezone: string }) {
  if (preview.next.length === 0) return null;
  const clock = new Intl.DateTimeFormat(undefined, {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: timezone,
  });
  return (
    <div class="next-runs">
      <span id="next-runs">Next runs</span>
      <ol aria-labelledby="next-runs">
        {preview.next.map((time) => (
          <li key={time}>
            <time dateTime={time}>{clock.format(Date.parse(time))}</time>
          </li>
        ))}
      </ol>
    </div>
  );
}
