// Labels that are not associated with a control, or only with one that the page replaced by a widget of its own. Select2,
// for example, hides the `<select>` and draws a combobox after it, and flatpickr draws another input. People read such a
// label as the name of the widget that follows it.

const FIELDS =
  "input:not([type=hidden],[type=checkbox],[type=radio],[type=button],[type=submit],[type=reset],[type=image])," +
  "select,textarea,[role=combobox],[role=listbox],[role=textbox],[role=searchbox],[role=spinbutton],[role=slider]";
const EDITORS = "[contenteditable]:not([contenteditable=false])";
const WHOLE = /^(form|body|table|tr)$/;
const LEVELS = 3; // the most levels from a label to the part of the form that also contains its field

const isShown = (element: Element): boolean =>
  element.checkVisibility({ visibilityProperty: true }) && element.closest("[aria-hidden=true],[inert]") === null;

const follows = (element: Element, other: Element): boolean =>
  (other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

/** Whether the page shows something else instead of the control of a label. A drawn check box is operated by its label. */
export function isReplaced(control: HTMLElement): boolean {
  const { type } = control as HTMLInputElement;
  return type !== "checkbox" && type !== "radio" && !isShown(control);
}

/**
 * The field that follows a label without a shown control of its own, in the part of the form that belongs to the label;
 * null if there is none, or if it has another name.
 */
export function labelledField(label: Element): Element | null {
  // A text directly after a label is its value: `<label>Total</label>300`.
  const beside = label.nextSibling;
  if (beside !== null && beside.nodeType === 3 && /\S/.test(beside.nodeValue!)) return null;
  if (label.querySelector(FIELDS) !== null) return null;
  let part = label.parentElement;
  for (let up = 0; up < LEVELS && part !== null && !(up > 0 && WHOLE.test(part.localName)); up++) {
    const others = Array.from(part.querySelectorAll("label")).filter((other) => other !== label);
    // In a part with several labels, each belongs to the field that directly follows it.
    const next = others.find((other) => follows(other, label));
    const after = (selector: string): Element[] =>
      Array.from(part!.querySelectorAll(selector)).filter(
        (field) =>
          follows(field, label) &&
          // A form or page contains other fields, too.
          (!WHOLE.test(part!.localName) || label.nextElementSibling?.contains(field) === true) &&
          (next === undefined || follows(next, field)) &&
          isShown(field),
      );
    const editors = after(EDITORS);
    // A tool bar before an editor may contain lists.
    const field = editors.length === 1 ? editors[0] : after(FIELDS)[0];
    if (field !== undefined) return isNamed(field) ? null : field;
    if (others.length > 0) return null;
    part = part.parentElement;
  }
  return null;
}

function isNamed(field: Element): boolean {
  const labels = (field as HTMLInputElement).labels;
  if (field.hasAttribute("aria-label") || (labels !== null && labels !== undefined && labels.length > 0)) return true;
  return field.hasAttribute("aria-labelledby") && !isNamedByItself(field);
}

/**
 * Whether all elements that name an element are inside it: a list that is named by its own value, as that of Select2,
 * has no name.
 */
export function isNamedByItself(element: Element): boolean {
  const root = element.getRootNode() as Document | ShadowRoot;
  const ids = (element.getAttribute("aria-labelledby") ?? "").split(/\s+/).filter((id) => id !== "");
  return ids.length > 0 && ids.every((id) => element.contains(root.getElementById?.(id) ?? document));
}
