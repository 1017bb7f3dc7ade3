// Accessible names that do not come from an element's content. The reader composes those from content, so that no text
// is sent twice.

import { isSecret } from "./capture-registry";

const UNREAD = new Set("script style noscript template select textarea datalist head".split(" "));
const VISIBLE = { visibilityProperty: true };
const BUTTONS = /^(button|submit|reset|image|checkbox|radio|file|hidden)$/;

/**
 * The text of an element as a screen reader reads it, without layout. Hidden parts are included only if `hidden`. If it
 * is the name of the control `named`, it contains the values of other controls: `Remind me [5] minutes before`.
 */
export function textOf(root: Element, hidden = false, named: Element | null = null): string {
  let text = "";
  let node: Node | null = root;
  for (let steps = 0; node !== null && steps < 2_000 && text.length < 2_000; steps++) {
    let down: Node | null = null;
    if (node.nodeType === 3) {
      text += (node as Text).data;
    } else if (node === root) {
      down = node.firstChild;
    } else if (node.nodeType === 1) {
      const element = node as Element;
      const given = ownText(element, hidden, named);
      if (given === null) down = node.firstChild;
      else text += given;
      if (element.localName !== "span" && element.localName !== "b" && element.localName !== "i") text += " ";
    }
    if (down !== null) {
      node = down;
      continue;
    }
    while (node !== root && node!.nextSibling === null) node = node!.parentNode;
    node = node === root ? null : node!.nextSibling;
  }
  return text.replace(/\s+/g, " ").trim();
}

const INLINE = /^(inline|contents|ruby)/;
const CELL = /^table-cell/;

/** The text of an editable element as people see it, with a line break between blocks. */
export function linesOf(root: Element): string {
  const lines: string[] = [];
  let line = "";
  const isPre = /^(pre|break)/.test(getComputedStyle(root).whiteSpace);
  const endLine = (): void => {
    if (line !== "") lines.push(line);
    line = "";
  };
  const addText = (text: string): void => {
    const [first, ...more] = isPre ? text.split("\n") : [text.replace(/\s+/g, " ")];
    line += line === "" && !isPre ? first.trimStart() : first;
    for (const next of more) {
      lines.push(line);
      line = next;
    }
  };
  // The nodes to visit, the next one last. Strings mark the end of a block or of a cell.
  const open: (Node | string)[] = [...root.childNodes].reverse();
  for (let steps = 0; open.length > 0 && steps < MOST_STEPS; steps++) {
    const node = open.pop()!;
    if (typeof node === "string") {
      if (node === "") endLine();
      else line += node;
    } else if (node.nodeType === 3) addText((node as Text).data);
    else if (node.nodeType === 1) {
      const element = node as Element;
      if (element.localName === "br") {
        lines.push(line);
        line = "";
        continue;
      }
      const given = element.textContent === "" ? (element.getAttribute("alt") ?? element.ariaLabel) : null;
      if (given !== null) addText(given);
      if (given !== null || UNREAD.has(element.localName) || !element.checkVisibility(VISIBLE)) continue;
      const { display } = getComputedStyle(element);
      if (CELL.test(display)) open.push(" ");
      else if (!INLINE.test(display)) {
        endLine();
        open.push("");
      }
      open.push(...[...element.childNodes].reverse());
    }
  }
  lines.push(line);
  const clean = (text: string): string =>
    text
      .replace(/\u00a0/g, " ")
      .replace(/[\u200b\ufeff]/g, "")
      .trimEnd();
  return lines.map(clean).join("\n").trim();
}

/** The most nodes of an editable element that are read. */
const MOST_STEPS = 10_000;

/** What is read instead of the content of an element; null if its content is read. */
function ownText(element: Element, hidden: boolean, named: Element | null): string | null {
  // A slot has no box of its own: it shows the nodes assigned to it, or its own content.
  if (element.localName === "slot") {
    const assigned = (element as HTMLSlotElement).assignedNodes({ flatten: true });
    const texts = assigned.map((node) =>
      node.nodeType === 1
        ? " " + textOf(node as Element, hidden, named) + " "
        : node.nodeType === 3
          ? (node as Text).data
          : "",
    );
    return assigned.length === 0 ? null : texts.join("");
  }
  const isValue = named !== null && isControl(element);
  if (!isValue && UNREAD.has(element.localName)) return "";
  if (!hidden && !element.checkVisibility(VISIBLE)) return "";
  // An asterisk after the label of a required field is hidden from screen readers.
  if (named !== null && element.getAttribute("aria-hidden") === "true") return "";
  // What a page draws around a field instead of it shows the value of the field itself.
  if (isValue) return element.contains(named) ? "" : " " + shownValue(element) + " ";
  const label = element.getAttribute("aria-label") ?? element.getAttribute("alt");
  return label === null ? null : " " + label + " ";
}

/** Whether an element within the name of another one counts with its value and not with its own name. */
function isControl(element: Element): boolean {
  if (element.localName === "input") return !BUTTONS.test((element as HTMLInputElement).type);
  if (element.localName === "select" || element.localName === "textarea") return true;
  const role = element.getAttribute("role");
  return role !== null && /^(textbox|searchbox|combobox|listbox|menu|slider|spinbutton)$/.test(role);
}

/** The value of a control within the name of another one; empty if it is a secret, or a menu, which has none. */
function shownValue(element: Element): string {
  const role = element.getAttribute("role");
  if (role === "menu" || isSecret(element)) return "";
  if (role === "slider" || role === "spinbutton")
    return element.getAttribute("aria-valuetext") ?? element.getAttribute("aria-valuenow") ?? inputOf(element);
  if (element.localName === "select")
    return Array.from((element as HTMLSelectElement).selectedOptions, (option) => option.text).join(" ");
  if (element.localName === "input" || element.localName === "textarea") return inputOf(element);
  if (role === "combobox" || role === "listbox") {
    const chosen = Array.from(element.querySelectorAll("[role=option][aria-selected=true]"), (one) => textOf(one));
    return chosen.join(" ");
  }
  return textOf(element);
}

const inputOf = (element: Element): string => (element as HTMLInputElement).value ?? "";

/** The text of a label as a part of the name of its control. */
const labelText = (label: Element, control: Element): string =>
  label.getAttribute("aria-label")?.trim() || textOf(label, false, control);

/** The texts of the elements that `ids` lists. */
function listed(element: Element, ids: string): string {
  const root = element.getRootNode() as Document | ShadowRoot;
  const texts: string[] = [];
  for (const id of ids.split(/\s+/)) {
    const found = id && root.getElementById?.(id);
    if (!found) continue;
    const value = found !== element && isControl(found) ? shownValue(found) : "";
    texts.push(value || (found.getAttribute("aria-label") ?? textOf(found, !found.checkVisibility(VISIBLE), element)));
  }
  return texts.join(" ").trim();
}

/**
 * The name of an element from sources other than its content; empty if there is none. `labelled` is false if the
 * element is known to have neither `aria-label` nor `aria-labelledby`.
 */
export function givenName(element: Element, tag: string, role: string, labelled = true): string {
  if (labelled) {
    const ids = element.getAttribute("aria-labelledby");
    if (ids) {
      const name = listed(element, ids);
      if (name) return name;
    }
    const label = element.getAttribute("aria-label");
    if (label?.trim()) return label;
  }
  switch (tag) {
    case "input":
    case "select":
    case "textarea":
    case "meter":
    case "progress":
    case "output": {
      const labels = (element as HTMLInputElement).labels;
      if (labels && labels.length > 0) {
        let name = labelText(labels[0], element);
        for (let i = 1; i < labels.length; i++) name += " " + labelText(labels[i], element);
        if (name) return name;
      }
      const input = element as HTMLInputElement;
      if (tag === "input" && role === "button") {
        const own = (input.type === "image" ? input.alt : input.value) || element.getAttribute("title");
        if (own) return own;
        if (input.type === "submit" || input.type === "image") return "Submit";
        if (input.type === "reset") return "Reset";
      }
      return (
        element.getAttribute("title") ||
        element.getAttribute("aria-placeholder") ||
        element.getAttribute("placeholder") ||
        ""
      );
    }
    case "button": {
      // A button that is drawn as a switch has no text of its own, so its labels name it.
      const labels = role === "button" ? null : (element as HTMLButtonElement).labels;
      return labels === null ? "" : Array.from(labels, (label) => labelText(label, element)).join(" ");
    }
    case "img":
    case "area":
      return element.getAttribute("alt") ?? element.getAttribute("title") ?? "";
    case "fieldset":
      return headed(element, "legend");
    case "table":
      return headed(element, "caption") || element.getAttribute("title") || "";
    case "svg":
      return element.firstElementChild?.localName === "title" ? (element.firstElementChild.textContent ?? "") : "";
    case "iframe":
    case "frame":
    case "section":
    case "dialog":
      return element.getAttribute("title") ?? "";
    default:
      return "";
  }
}

/** The label of a field that is named by an attribute; empty if it has none. */
export function labelOf(element: Element, name: string): string {
  const labels = (element as HTMLInputElement).labels;
  if (!labels || labels.length === 0 || name === "" || !element.hasAttribute("aria-label")) return "";
  return textOf(labels[0]);
}

function headed(element: Element, tag: string): string {
  for (let child = element.firstElementChild, n = 0; child && n < 3; child = child.nextElementSibling, n++) {
    if (child.localName === tag) return textOf(child);
  }
  return "";
}
