// Determines the control that an element represents, and whether it is disabled.

import { visible } from "./find";
import { above, isElement } from "./geometry";
import { INTERACTIVE } from "./hit";

export function isDisabled(element: Element): boolean {
  if (element.matches(":disabled")) return true;
  for (let node: Element | null = element; node !== null; node = node.parentElement)
    if (node.getAttribute("aria-disabled") === "true") return true;
  return false;
}

/** Fields, also those that a page draws itself. */
export const FIELDS =
  "input:not([type=hidden]),select,textarea,[contenteditable],[role=textbox],[role=searchbox],[role=combobox],[role=listbox],[role=spinbutton],[role=slider],[role=checkbox],[role=radio],[role=switch]";

/** The only field that an element labels by its id. */
function labelledField(element: Element): Element | null {
  if (element.id === "" || element.matches(INTERACTIVE)) return null;
  const root = element.getRootNode() as Document | ShadowRoot;
  const labelled = Array.from(root.querySelectorAll("[aria-labelledby]")).filter(
    (other) => other.matches(FIELDS) && other.getAttribute("aria-labelledby")?.split(/\s+/).includes(element.id),
  );
  // The list of a box has the same label as the box.
  const fields = labelled.filter((field) => !(field.matches("[role=listbox]") && labelled.length > 1));
  return fields.length === 1 ? fields[0] : null;
}

export function controlOf(element: Element): Element {
  if (element.localName === "label" && (element as HTMLLabelElement).control !== null)
    return (element as HTMLLabelElement).control!;
  return labelledField(element) ?? element;
}

/**
 * The element that a click takes effect on: the control of the surrounding label, unless an element in the label
 * handles the click.
 */
export function clickedBy(element: Element): Element {
  const label = element.closest("label");
  if (label?.control && element.closest(INTERACTIVE) === label) return label.control;
  return controlOf(element);
}

/** What a press on a part of it presses. */
const PRESSED =
  "a[href],button,summary,option,[role=button],[role=link],[role=tab],[role=option],[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=treeitem],[role=checkbox],[role=radio],[role=switch]";

/**
 * The element and the control that it belongs to, the element first: a text names the element that contains it, and a
 * capture shows the button around it.
 */
export function withControl(element: Element, isField: boolean): Element[] {
  const control = isField ? controlOf(element) : clickedBy(element);
  const pressed = element.closest(PRESSED);
  return isField || pressed === null ? [element, control] : [element, control, pressed];
}

/** The element to press for an invisible check box or radio button: its visible label. */
export function standIn(element: Element): Element {
  const drawn = ["checkbox", "radio"].includes((element as HTMLInputElement).type) && !visible(element);
  const label = drawn && Array.from((element as HTMLInputElement).labels ?? []).find(visible);
  return label || element;
}

const DOT = 2; // the most pixels of a control that is hidden in a point
const AROUND = 2; // the most levels from a hidden control to the box that also contains its drawing

/**
 * What a page draws for a check box that it hides in a point or makes transparent: an element beside it, in a box
 * without any other control. Null if the control itself is shown.
 */
export function drawingOf(control: Element): Element | null {
  const { width, height } = control.getBoundingClientRect();
  const isHidden = (width <= DOT && height <= DOT) || getComputedStyle(control).opacity === "0";
  if (!isHidden) return null;
  let box = above(control);
  // Form helpers of Rails and ASP.NET put a hidden field beside each check box.
  for (let up = 0; up < AROUND && isElement(box); up++, box = above(box)) {
    const controls = box.querySelectorAll("input:not([type=hidden]),select,textarea,button,[role=button],a[href]");
    if (controls.length !== 1 || /^(td|th|tr|li|form|body)$/.test(box.localName)) return null;
    const drawn = Array.from(box.children).find((other) => {
      const { width, height } = other.getBoundingClientRect();
      return !other.contains(control) && visible(other) && width > DOT && height > DOT;
    });
    if (drawn !== undefined) return drawn;
  }
  return null;
}
