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

/** Whether the page shows something else instead of the control of a label. A drawn check box is operated by its label. */
export function isReplaced(control: HTMLElement): boolean {
  const { type } = control as HTMLInputElement;
  return type !== "checkbox" && type !== "radio" && !isShown(control);
}

/** The labels of a tree and what may be a field, in document order, and the controls that have a label. */
interface Tree {
  parts: Element[];
  places: Map<Element, number>;
  labelled: Set<Element>;
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
    const { parts, places, labelled } = this.treeOf(label);
    const place = places.get(label)!;
    let start = place + 1;
    for (; start < parts.length && label.contains(parts[start]); start++) if (parts[start].matches(FIELDS)) return null;
    let part = label.parentElement;
    for (let up = 0; up < LEVELS && part !== null && !(up > 0 && WHOLE.test(part.localName)); up++) {
      const isWhole = WHOLE.test(part.localName);
      let others = place > 0 && this.labelBefore(parts, place, part);
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
        if (field.hasAttribute("contenteditable") && field.matches(EDITORS) && isShown(field)) editors.push(field);
        if (first === null && field.matches(FIELDS) && isShown(field)) first = field;
      }
      // A tool bar before an editor may contain lists.
      const field = editors.length === 1 ? editors[0] : first;
      if (field !== null) return isNamed(field, labelled) ? null : field;
      if (others) return null;
      part = part.parentElement;
    }
    return null;
  }

  /** Whether a part of the form contains a label before the one at `place`. */
  private labelBefore(parts: Element[], place: number, part: Element): boolean {
    for (let i = place - 1; i >= 0 && part.contains(parts[i]); i--) if (parts[i].localName === "label") return true;
    return false;
  }

  private treeOf(label: Element): Tree {
    const root = label.getRootNode() as Document | ShadowRoot;
    const known = this.trees.get(root);
    if (known !== undefined) return known;
    const parts = Array.from(root.querySelectorAll("label,input,select,textarea,[role],[contenteditable]"));
    const labelled = new Set<Element>();
    for (const part of parts) {
      const control = part.localName === "label" ? (part as HTMLLabelElement).control : null;
      if (control) labelled.add(control);
    }
    const tree = { parts, places: new Map(parts.map((part, place) => [part, place])), labelled };
    this.trees.set(root, tree);
    return tree;
  }
}

function isNamed(field: Element, labelled: Set<Element>): boolean {
  if (field.hasAttribute("aria-label") || labelled.has(field)) return true;
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
