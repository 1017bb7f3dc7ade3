// When a schedule starts, in words, and the cron expression behind it. Expressions that the form cannot show remain as
// they are. Pure.

export type Rhythm =
  | { every: "hour"; minute: number }
  | { every: "day" | "weekdays"; hour: number; minute: number }
  | { every: "week"; days: number[]; hour: number; minute: number }
  | { every: "month"; day: number; hour: number; minute: number };

/** Sunday is 0, as in cron. */
export const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
/** The order in which a form lists the days. */
export const WEEK = [1, 2, 3, 4, 5, 6, 0] as const;

const MACROS: Record<string, string> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
};

/** The cron expression of a rhythm. */
export function cronOf(rhythm: Rhythm): string {
  switch (rhythm.every) {
    case "hour":
      return `${rhythm.minute} * * * *`;
    case "day":
      return `${rhythm.minute} ${rhythm.hour} * * *`;
    case "weekdays":
      return `${rhythm.minute} ${rhythm.hour} * * 1-5`;
    case "week":
      return `${rhythm.minute} ${rhythm.hour} * * ${[...rhythm.days].sort().join(",")}`;
    case "month":
      return `${rhythm.minute} ${rhythm.hour} ${rhythm.day} * *`;
  }
}

/** The rhythm of a cron expression; nothing for one that the words of this file do not express. */
export function rhythmOf(cron: string): Rhythm | undefined {
  const text = cron.trim().toLowerCase();
  const fields = (MACROS[text] ?? text).split(/\s+/);
  if (fields.length !== 5) return undefined;
  const [minuteText, hourText, dayText, monthText, weekdayText] = fields as [string, string, string, string, string];
  const minute = whole(minuteText, 0, 59);
  if (minute === undefined || monthText !== "*") return undefined;
  if (hourText === "*") return dayText === "*" && weekdayText === "*" ? { every: "hour", minute } : undefined;
  const hour = whole(hourText, 0, 23);
  if (hour === undefined) return undefined;
  if (dayText !== "*") {
    const day = whole(dayText, 1, 31);
    return day !== undefined && weekdayText === "*" ? { every: "month", day, hour, minute } : undefined;
  }
  if (weekdayText === "*") return { every: "day", hour, minute };
  const days = daysOf(weekdayText);
  if (!days) return undefined;
  if (days.join() === "1,2,3,4,5") return { every: "weekdays", hour, minute };
  return days.length === 7 ? { every: "day", hour, minute } : { every: "week", days, hour, minute };
}

/** `Weekdays at 8:00`; the expression itself if no words are known for it. */
export function words(cron: string): string {
  const rhythm = rhythmOf(cron);
  if (!rhythm) return `At the times of ${cron.trim()}`;
  switch (rhythm.every) {
    case "hour":
      return rhythm.minute === 0 ? "Every hour" : `Every hour, ${rhythm.minute} minutes past`;
    case "day":
      return `Every day at ${clock(rhythm)}`;
    case "weekdays":
      return `Weekdays at ${clock(rhythm)}`;
    case "week":
      return `${list(WEEK.filter((day) => rhythm.days.includes(day)).map((day) => `${DAYS[day]}s`))} at ${clock(rhythm)}`;
    case "month":
      return `On day ${rhythm.day} of each month at ${clock(rhythm)}`;
  }
}

/** `8:05`. */
export const clock = ({ hour, minute }: { hour: number; minute: number }) =>
  `${hour}:${String(minute).padStart(2, "0")}`;

function whole(text: string, least: number, most: number): number | undefined {
  const number = /^\d{1,2}$/.test(text) ? Number(text) : -1;
  return number >= least && number <= most ? number : undefined;
}

/** The days of a field such as `1-5`, `MON,WED` or `6,0`, in order; nothing for anything else. */
function daysOf(field: string): number[] | undefined {
  const days = new Set<number>();
  for (const part of field.split(",")) {
    const [from, to] = part.split("-").map(dayOf);
    if (from === undefined || (part.includes("-") && (to === undefined || to < from))) return undefined;
    for (let day = from; day <= (to ?? from); day++) days.add(day % 7);
  }
  return [...days].sort();
}

function dayOf(text: string): number | undefined {
  const named = DAYS.findIndex((day) => day.slice(0, 3).toLowerCase() === text);
  return named >= 0 ? named : whole(text, 0, 7);
}

function list(items: string[]): string {
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
