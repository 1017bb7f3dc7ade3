// Finds a day in an open calendar, or the button that leads towards its month, for date fields that accept no typing. A
// day is recognized by the full date that its cell states (label, title, data attribute), never by its number alone,
// which may belong to another month.

import { ifReady } from "./answer";
import { element as byNumber } from "./capture-registry";
import { equivalent } from "./equivalent";
import { describe, visible } from "./find";
import type { Actionability, CalendarOutcome, CalendarStep, Outcome } from "./generated";
import { pressPoint } from "./press-point";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const TELLS = ["aria-label", "title", "data-date", "data-day", "datetime"];
const NEXT = /next|forward|following|chevron-?right|arrow-?right|^[›»>→]$/i,
  PREVIOUS = /prev|back|chevron-?left|arrow-?left|^[‹«<←]$/i;
const AROUND = 6; // the most levels from a day to the box that also contains the buttons

/** The day that a text states in full, as ISO 8601. */
function dayIn(text: string): string | null {
  const iso = /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/.exec(text);
  if (iso) return iso[0];
  const year = /(?<!\d)(\d{4})(?!\d)/.exec(text),
    day = /(?<!\d)(\d{1,2})(?:st|nd|rd|th)?(?![\d:])/.exec(text);
  const month = Array.from(text.toLowerCase().matchAll(/\p{L}{3,}/gu), (word) =>
    MONTHS.indexOf(word[0].slice(0, 3)),
  ).find((at) => at >= 0);
  if (!year || !day || month === undefined) return null;
  return [year[1], String(month + 1).padStart(2, "0"), day[1].padStart(2, "0")].join("-");
}

const dayOf = (element: Element): string | null => {
  for (const name of TELLS) {
    const text = element.getAttribute(name);
    const day = text !== null && text.length < 60 ? dayIn(text) : null;
    if (day !== null) return day;
  }
  return null;
};

const isDisabled = (element: Element): boolean =>
  element.matches(":disabled,[aria-disabled=true]") || /disabled/i.test(element.getAttribute("class") ?? "");

/**
 * The day itself, or the button that leads towards its month; null when no calendar is open, or the day cannot be
 * chosen.
 */
function stepTo(date: string, field: Element): { element: Element; found: boolean } | null {
  const days: [string, Element][] = [];
  for (const element of field.ownerDocument.querySelectorAll(TELLS.map((name) => "[" + name + "]").join())) {
    const day = element === field || element.contains(field) ? null : dayOf(element);
    if (day !== null && visible(element)) days.push([day, element]);
  }
  // Fewer dates do not indicate a calendar; they can occur anywhere on a page.
  if (days.length < 20) return null;
  const wanted = days.filter(([day]) => day === date).map(([, element]) => element);
  if (wanted.length > 0) {
    const element = wanted[wanted.length - 1];
    return isDisabled(element) ? null : { element, found: true };
  }
  const sorted = days.map(([day]) => day).sort();
  const way = date > sorted[sorted.length - 1] ? NEXT : date < sorted[0] ? PREVIOUS : null;
  if (way === null) return null;
  let box: Element | null = days[Math.floor(days.length / 2)][1];
  for (let up = 0; up < AROUND && box !== null; up++, box = box.parentElement) {
    const buttons = Array.from(box.querySelectorAll("button,[role=button],a,span,div")).filter((button) => {
      const names = [
        button.getAttribute("aria-label"),
        button.getAttribute("title"),
        button.getAttribute("class"),
        button.childElementCount === 0 ? button.textContent : "",
      ];
      return (
        names.some((name) => name && way.test(name.trim())) &&
        !/year|decade|day/i.test(names.join(" ")) &&
        dayOf(button) === null &&
        visible(button) &&
        !isDisabled(button)
      );
    });
    if (buttons.length > 0) return { element: buttons[0], found: false };
  }
  return null;
}

export function calendarStep({ element: number, date }: CalendarStep): Actionability {
  const field = byNumber(number);
  const step = field && stepTo(date, field);
  if (!field || !step)
    return {
      reason: "read_only",
      what: field ? describe(field) : "",
      is: "read-only, and its calendar does not offer " + date,
    };
  return ifReady(pressPoint(step.element, describe(step.element)), { done: step.found });
}

export function calendarOutcome({ element, text, readings }: CalendarOutcome): Outcome | null {
  const field = byNumber(element) as HTMLInputElement | undefined;
  if (!field) return null;
  return equivalent(text, field.value, readings) ? { kind: "held" } : { kind: "differs", actual: field.value };
}
