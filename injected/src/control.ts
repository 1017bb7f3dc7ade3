// The control that an element stands for, and whether it is disabled.

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

/** What a click on an element would work on: the control of the label around it, unless something in the label takes it. */
export function clickedBy(element: Element): Element {
  const label = element.closest("label");
  if (label?.control && element.closest(INTERACTIVE) === label) return label.control;
  return controlOf(element);
}

/** What is pressed for a box or radio button that nobody sees: a label of it that is shown. */
export function standIn(element: Element): Element {
  const drawn = ["checkbox", "radio"].includes((element as HTMLInputElement).type) && !visible(element);
  const label = drawn && Array.from((element as HTMLInputElement).labels ?? []).find(visible);
  return label || element;
}
