// Labels that are not associated with a control, or only with one that the page replaced by a widget of its own.
// Select2, for example, hides the `<select>` and draws a combobox after it, and flatpickr draws another input. People
// read such a label as the name of the widget that follows it.

const NOT_TYPED = /^(hidden|checkbox|radio|button|submit|reset|image)$/;
const ROLES = /^(combobox|listbox|textbox|searchbox|spinbutton|slider)$/;
const EDITORS = "[contenteditable]:not([contenteditable=false])";
const WHOLE = /^(form|body|table|tr)$/;
const LEVELS = 3; // the most levels from a label to the part of the form that also contains its field

const VISIBLE = { visibilityProperty: true };
const isShown = (element: Element): boolean =>
  element.checkVisibility(VISIBLE) && element.closest("[aria-hidden=true],[inert]") === null;

/** Whether a field is shown in a part of the page that is shown itself, since it contains a label that was reached. */
function isShownIn(part: Element, field: Element): boolean {
  for (let up: Element | null = field; up !== null && up !== part; up = up.parentElement)
    if (up.hasAttribute("inert") || up.getAttribute("aria-hidden") === "true") return false;
  return field.checkVisibility(VISIBLE);
}

const isField = (element: Element): boolean =>
  element.localName === "select" ||
  element.localName === "textarea" ||
  (element.localName === "input" && !NOT_TYPED.test((element as HTMLInputElement).type)) ||
  ROLES.test(element.getAttribute("role") ?? "");

/**
 * Whether the page shows something else instead of the control of a label. A drawn check box is operated by its label.
 */
export function isReplaced(control: HTMLElement): boolean {
  const { type } = control as HTMLInputElement;
  return type !== "checkbox" && type !== "radio" && !isShown(control);
}

/**
 * The labels of a tree and what may be a field, in document order, and the place of the label that was asked for last.
 */
interface Tree {
  parts: Element[];
  place: number;
}

/** Finds the fields that labels without a shown control of their own name. It is valid for one capture. */
export class LabelledFields {
  // Querying each tree once, when it is needed, and not around each label keeps a form with many labels fast.
  private readonly trees = new Map<Node, Tree>();

  /**
   * The field that follows a label without a shown control of its own, in the part of the form that belongs to the
   * label; null if there is none, or if it has another name.
   */
  of(label: Element): Element | null {
    // A text directly after a label is its value: `<label>Total</label>300`.
    const beside = label.nextSibling;
    if (beside !== null && beside.nodeType === 3 && /\S/.test(beside.nodeValue!)) return null;
    const { parts, place } = this.treeAt(label);
    let start = place + 1;
    for (; label.firstElementChild !== null && start < parts.length && label.contains(parts[start]); start++)
      if (isField(parts[start])) return null;
    let part = label.parentElement;
    for (let up = 0; up < LEVELS && part !== null && !(up > 0 && WHOLE.test(part.localName)); up++) {
      const isWhole = WHOLE.test(part.localName);
      let others = false;
      let first: Element | null = null;
      const editors: Element[] = [];
      for (let i = start; i < parts.length && part.contains(parts[i]); i++) {
        const field = parts[i];
        // In a part with several labels, each belongs to the field that directly follows it.
        if (field.localName === "label") {
          others = true;
          break;
        }
        // A form or page contains other fields, too.
        if (isWhole && label.nextElementSibling?.contains(field) !== true) continue;
        if (field.hasAttribute("contenteditable") && field.matches(EDITORS) && isShownIn(part, field))
          editors.push(field);
        if (first === null && isField(field) && isShownIn(part, field)) first = field;
      }
      // A tool bar before an editor may contain lists.
      const field = editors.length === 1 ? editors[0] : first;
      if (field !== null) return isNamed(field) ? null : field;
      if (others || this.labelBefore(parts, place, part)) return null;
      part = part.parentElement;
    }
    return null;
  }

  /** Whether a part of the form contains a label before the one at `place`. */
  private labelBefore(parts: Element[], place: number, part: Element): boolean {
    for (let i = place - 1; i >= 0 && part.contains(parts[i]); i--) if (parts[i].localName === "label") return true;
    return false;
  }

  /** The tree of a label, at the place of the label. A capture mostly asks in document order. */
  private treeAt(label: Element): Tree {
    const root = label.getRootNode() as Document | ShadowRoot;
    let tree = this.trees.get(root);
    if (tree === undefined) {
      const parts = Array.from(root.querySelectorAll("label,input,select,textarea,[role],[contenteditable]"));
      tree = { parts, place: -1 };
      this.trees.set(root, tree);
    }
    const next = tree.parts.indexOf(label, tree.place + 1);
    tree.place = next >= 0 ? next : tree.parts.indexOf(label);
    return tree;
  }
}

function isNamed(field: Element): boolean {
  if (field.hasAttribute("aria-label")) return true;
  // A browser searches the tree for the labels of a field, so it is asked only if there may be one.
  const mayHaveLabel = field.hasAttribute("id") || field.closest("label") !== null;
  const labels = mayHaveLabel ? (field as HTMLInputElement).labels : null;
  if (labels !== null && labels !== undefined && labels.length > 0) return true;
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
