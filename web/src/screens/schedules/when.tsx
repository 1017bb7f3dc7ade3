// The times of a schedule: a rhythm in words with the fields that it needs, or a cron expression.

import { clock, cronOf, DAYS, type Rhythm, rhythmOf, WEEK } from "./rhythm";

interface WhenProps {
  cron: string;
  onCron(cron: string): void;
  /** Whether the expression itself is edited. */
  raw: boolean;
  onRaw(raw: boolean): void;
  /** What is wrong in the expression. */
  problems: string[];
}

const CHOICES = [
  ["hour", "Every hour"],
  ["day", "Every day"],
  ["weekdays", "Weekdays"],
  ["week", "Days of the week"],
  ["month", "Day of the month"],
  ["cron", "Cron expression"],
] as const;

export function WhenFields({ cron, onCron, raw, onRaw, problems }: WhenProps) {
  const rhythm = raw ? undefined : rhythmOf(cron);
  const put = (next: Rhythm) => onCron(cronOf(next));
  const choose = (every: string) => {
    onRaw(every === "cron");
    const hour = rhythm && "hour" in rhythm ? rhythm.hour : 8;
    const minute = rhythm?.minute ?? 0;
    if (every === "hour") put({ every, minute: 0 });
    else if (every === "day" || every === "weekdays") put({ every, hour, minute });
    else if (every === "week") put({ every, days: [1], hour, minute });
    else if (every === "month") put({ every, day: 1, hour, minute });
  };
  return (
    <>
      <label>
        <span>Repeat</span>
        <select value={rhythm?.every ?? "cron"} onChange={(event) => choose(event.currentTarget.value)}>
          {CHOICES.map(([value, name]) => (
            <option value={value}>{name}</option>
          ))}
        </select>
      </label>
      {!rhythm && (
        <label>
          <span>Cron expression</span>
          <input
            type="text"
            required
            value={cron}
            spellcheck={false}
            aria-describedby="cron-hint cron-problems"
            aria-invalid={problems.length > 0}
            onInput={(event) => onCron(event.currentTarget.value)}
          />
          <small class="hint" id="cron-hint">
            Minute, hour, day, month, weekday
          </small>
          <span id="cron-problems" role="status">
            {problems.map((problem) => (
              <small key={problem} class="ill">
                {problem.charAt(0).toUpperCase() + problem.slice(1)}
              </small>
            ))}
          </span>
        </label>
      )}
      {rhythm?.every === "hour" && (
        <label>
          <span>Minute</span>
          <input
            type="number"
            min={0}
            max={59}
            required
            value={String(rhythm.minute)}
            onInput={(event) => {
              const minute = Number(event.currentTarget.value);
              if (minute >= 0 && minute < 60) put({ every: "hour", minute });
            }}
          />
        </label>
      )}
      {rhythm && rhythm.every !== "hour" && (
        <label>
          <span>Time</span>
          <input
            type="time"
            required
            value={clock(rhythm).padStart(5, "0")}
            onInput={(event) => {
              const [hour, minute] = event.currentTarget.value.split(":").map(Number);
              if (hour !== undefined && minute !== undefined) put({ ...rhythm, hour, minute });
            }}
          />
        </label>
      )}
      {rhythm?.every === "month" && (
        <label>
          <span>Day</span>
          <input
            type="number"
            min={1}
            max={31}
            required
            value={String(rhythm.day)}
            onInput={(event) => {
              const day = Number(event.currentTarget.value);
              if (day >= 1 && day <= 31) put({ ...rhythm, day });
            }}
          />
        </label>
      )}
      {rhythm?.every === "week" && (
        <fieldset class="days">
          <legend>Days</legend>
          {WEEK.map((day) => (
            <label key={day} class="check">
              <input
                type="checkbox"
                checked={rhythm.days.includes(day)}
                onChange={(event) => {
                  const days = rhythm.days.filter((one) => one !== day);
                  if (event.currentTarget.checked) days.push(day);
                  // A schedule without days would never start.
                  if (days.length > 0) put({ ...rhythm, days });
                  else event.currentTarget.checked = true;
                }}
              />
              {DAYS[day]}
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}
