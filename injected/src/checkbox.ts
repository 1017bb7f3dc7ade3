// Check boxes, radio buttons and switches.

import { isReady } from "./answer";
import { element as byNumber, idOf } from "./capture-registry";
import { controlOf, drawingOf } from "./control";
import { visible } from "./find";
import type { Actionability, IsChecked } from "./generated";
import { tagOf } from "./geometry";
import { pressPoint } from "./press-point";

function checkedState(element: Element): boolean | null {
  const input = element as HTMLInputElement;
  if (element.localName === "input" && (input.type === "checkbox" || input.type === "radio")) return input.checked;
  const aria = element.getAttribute("aria-checked") ?? element.getAttribute("aria-pressed");
  if (aria !== null) return aria === "true";
  return null;
}

export function checkableIn(given: Element): Element {
  const element = controlOf(given);
  return checkedState(element) === null
    ? (element.querySelector("input[type=checkbox],input[type=radio],[role=checkbox],[role=switch],[role=radio]") ??
        element)
    : element;
}

export function check(given: Element, what: string, on: boolean): Actionability {
  const element = checkableIn(given);
  const now = checkedState(element);
  if (now === null)
    return {
      reason: "wrong_kind",
      what,
      is: tagOf(element),
      hint: "only checkboxes, radio buttons and switches can be checked; use click",
    };
  if (now === on) return { element: idOf(element), what, done: true };
  if (!on && ((element as HTMLInputElement).type === "radio" || element.getAttribute("role") === "radio"))
    return { reason: "wrong_kind", what, is: "a radio button", hint: "check another one of its group instead" };
  // A hidden control that exists only for the form is toggled through its label or the element that represents it.
  const labels = Array.from((element as HTMLInputElement).labels ?? []);
  let last: Actionability = { reason: "not_visible", what };
  for (const shown of [element, ...labels, given, null]) {
    const stand = shown ?? drawingOf(element); // searched for only if nothing else can be pressed
    if (stand === null || !visible(stand)) continue;
    last = pressPoint(stand, what);
    if (isReady(last)) return { ...last, element: idOf(element) };
  }
  return last;
}

export function isChecked({ element: number }: IsChecked): boolean | null {
  const element = byNumber(number);
  return element ? checkedState(element) : null;
}
