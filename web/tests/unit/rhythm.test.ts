import { expect, test } from "@playwright/test";
import { cronOf, rhythmOf, words } from "../../src/screens/schedules/rhythm";

test("times are said in words, and the words lead back to the same times", () => {
  for (const [cron, said] of [
    ["0 * * * *", "Every hour"],
    ["15 * * * *", "Every hour, 15 minutes past"],
    ["0 8 * * *", "Every day at 8:00"],
    ["5 17 * * 1-5", "Weekdays at 17:05"],
    ["30 7 * * 1,5", "Mondays and Fridays at 7:30"],
    ["0 9 * * 0,3,6", "Wednesdays, Saturdays and Sundays at 9:00"],
    ["0 6 1 * *", "On day 1 of each month at 6:00"],
  ] as const) {
    expect(words(cron)).toBe(said);
    expect(cronOf(rhythmOf(cron)!)).toBe(cron);
  }
});

test("other notations of the same times are understood", () => {
  expect(words("@daily")).toBe("Every day at 0:00");
  expect(words("30 9 * * MON-FRI")).toBe("Weekdays at 9:30");
  expect(words("0 8 * * 7")).toBe("Sundays at 8:00");
  expect(words("0 8 * * 0-6")).toBe("Every day at 8:00");
});

test("what the form cannot say stays an expression", () => {
  for (const cron of [
    "*/5 * * * *",
    "0 8 1 1 *",
    "0 8 1 * 1",
    "0 8,9 * * *",
    "* * * * * *",
    "nonsense",
    "0 25 * * *",
    "",
  ])
    expect(rhythmOf(cron)).toBeUndefined();
  expect(words("*/5 * * * *")).toBe("At the times of */5 * * * *");
});
