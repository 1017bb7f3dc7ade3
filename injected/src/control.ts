// Determines the control that an element represents, and whether it is disabled.

import { visible } from "./find";
import { INTERACTIVE } from "./hit";

export function isDisabled(element: Element): boolean {
  if (element.matches(":disabled")) return true;
  for (let node: Element | null = element; node !== null; node = node.parentElement)
    if (node.getAttribute("aria-disabled") === "true") return true;
  return false;
}

export const controlOf = (element: Element): Element =>
  element.localName === "label" ? ((element as HTMLLabelElement).control ?? element) : element;

/**
 * The element that a click takes effect on: the control of the surrounding label, unless an element in the label
 * handles the click.
 */
export function clickedBy(element: Element): Element {
  const label = element.closest("label");
  if (label?.control && element.closest(INTERACTIVE) === label) return label.control;
  return controlOf(element);
}

/** The element to press for an invisible check box or radio button: its visible label. */
export function standIn(element: Element): Element {
  const drawn = ["checkbox", "radio"].includes((element as HTMLInputElement).type) && !visible(element);
  const label = drawn && Array.from((element as HTMLInputElement).labels ?? []).find(visible);
  return label || element;
}
