// Selects options of a `<select>`.

import { ifReady } from "./answer";
import { idOf } from "./capture-registry";
import { controlOf } from "./control";
import type { Actionability } from "./generated";
import { checkAtRest } from "./outcome";
import { pressPoint } from "./press-point";

export function select(given: Element, what: string, values: string[]): Actionability {
  const element = controlOf(given) as HTMLSelectElement;
  if (element.localName !== "select") return ifReady(pressPoint(element, what), { customList: true });
  const options = Array.from(element.options);
  const labelOf = (option: HTMLOptionElement) => (option.label || option.text).replace(/\s+/g, " ").trim();
  if (values.length > 1 && !element.multiple)
    return { reason: "wrong_kind", what, is: "a list of which one option can be chosen", hint: "give one value" };
  const chosen = new Set<HTMLOptionElement>();
  for (const value of values) {
    const lower = value.replace(/\s+/g, " ").trim().toLowerCase();
    const found =
      options.find((option) => option.value === value) ??
      options.find((option) => labelOf(option) === value) ??
      options.find((option) => labelOf(option).toLowerCase() === lower);
    if (!found) return { reason: "no_option", what, option: value, options: options.slice(0, 30).map(labelOf) };
    if (found.disabled || (found.parentElement as HTMLOptGroupElement).disabled === true)
      return { reason: "disabled", what: "option " + JSON.stringify(labelOf(found)) };
    chosen.add(found);
  }
  element.scrollIntoView({ block: "nearest", behavior: "instant" });
  element.focus({ preventScroll: true });
  const before = options.map((option) => option.selected).join();
  if (element.multiple) for (const option of options) option.selected = chosen.has(option);
  else for (const option of chosen) option.selected = true;
  const changed = before !== options.map((option) => option.selected).join();
  if (changed) {
    element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }
  const wanted = Array.from(chosen, labelOf);
  checkAtRest(() => {
    if (!element.isConnected) return null;
    const now = Array.from(element.selectedOptions, labelOf);
    return now.length === wanted.length && wanted.every((label) => now.includes(label))
      ? { kind: "held" }
      : { kind: "differs", actual: now.join(", ") };
  });
  return { element: idOf(element), what, changed };
}
