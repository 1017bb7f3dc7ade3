// Creates the line of an element: `depth role name field…`, separated by tabs. Each field begins with a character that
// states its kind (see crates/observe/src/capture.rs). Names and texts contain no tabs or line breaks, so nothing has
// to be escaped, neither here nor when the browser serializes the result as JSON.

import { ARIA, EDIT, HINT, ID, LABEL, NAME, SIZE, TEST, TEST_IDS, TITLE } from "./capture-attributes";
import { CHURN, CLIPPED, ERROR, FADED, ILLEGIBLE } from "./capture-flags";
import { iconName, isIconOnly } from "./capture-icons";
import { isNamedByItself } from "./capture-labels";
import { clean, cut, type Lines } from "./capture-lines";
import { givenName, labelOf, linesOf, textOf } from "./capture-names";
import { idOf, isSecret, shadowOf } from "./capture-registry";
import { alongTrack, type Tag } from "./capture-roles";
import {
  ACTIONABLE,
  ariaStates,
  controlStates,
  EDITABLE,
  ERROR_STYLED,
  FOCUSED,
  FOOTER,
  READONLY,
  SECRET,
  SELF_CHANGING,
  UNSEEN,
} from "./capture-states";
import { drawnPart, editorText } from "./editor";

/** An element during the steps of the capture. */
export interface Visit {
  element: HTMLElement;
  tag: string;
  kind: Tag;
  /** The kinds of attributes that it has. */
  attributes: number;
  /** The flags that apply to the element, and those for its content. */
  above: number;
  inside: number;
  depth: number;
  role: string;
  states: number;
  /** Texts that style sheets add to the content. */
  before: string;
  after: string;
  /** The text of a label that stands before the element and is not associated with it. */
  label: string;
  /** The code editor whose input the element receives. */
  editor: Element | null;
}

/** An unfinished line of an element. */
interface Draft {
  line: string;
  name: string;
  value: string | null;
  /** Whether the content is walked; otherwise the line contains everything. */
  walk: boolean;
  /** What people know about the value; empty if there is nothing. */
  note: string;
}

// Roles that are named by their content. If the content is a single text, it is sent as the name. `is_named_by_content`
// in crates/observe/src/assemble.rs composes the other names.
const CONTENT_NAMED = new Set(
  "button link heading tab option menuitem menuitemcheckbox menuitemradio treeitem checkbox radio switch tooltip cell gridcell columnheader rowheader".split(
    " ",
  ),
);
const MASKED = "••••";

/**
 * The line of an element with a role, and whether its content is walked; null if an element of this role is irrelevant
 * without a name.
 */
export function describeElement(
  visit: Visit,
  start: string,
  isFocused: boolean,
): { line: string; walk: boolean; note: string } | null {
  const name = nameOf(visit);
  if (name === null) return null;
  noteStates(visit, isFocused);
  const draft: Draft = {
    line: start + visit.depth + "\t" + visit.role + "\t" + (name === "" ? "" : clean(name)),
    name,
    value: null,
    walk: true,
    note: "",
  };
  addContentName(visit, draft);
  if (draft.name === "" && draft.walk && visit.states & ACTIONABLE && isIconOnly(visit.element)) {
    const attributes = visit.attributes & TITLE ? visit.element.getAttribute("title") : null;
    if (!attributes) draft.line += clean(iconName(visit.element, (visit.attributes & TEST) !== 0));
  }
  draft.line += "\t#" + idOf(visit.element);
  addByTag(visit, draft);
  if (visit.attributes !== 0) addByAttributes(visit, draft);
  if (visit.editor !== null) addEditor(visit.editor, visit, draft);
  if (visit.states !== 0) draft.line += "\t!" + visit.states;
  if (draft.value !== null && draft.value !== "")
    draft.line +=
      "\t=" +
      cut(draft.value)
        .replace(/\r?\n/g, "\x01")
        .replace(/[\t\r]/g, "\x02");
  return draft;
}

function nameOf({ element, tag, kind, attributes, role, states, label }: Visit): string | null {
  if (label !== "") return label;
  // A list of options is not named by its content, which is its value.
  if (role === "combobox" && attributes & LABEL && isNamedByItself(element))
    return element.getAttribute("aria-label") ?? "";
  const name =
    tag === "label"
      ? textOf(element)
      : attributes !== 0 || kind.named
        ? givenName(element, tag, role, (attributes & LABEL) !== 0)
        : "";
  if (name !== "") return name;
  const isNothing =
    (role === "img" && states === 0) || ((role === "form" || role === "group") && tag !== "fieldset" && tag !== "form");
  return isNothing ? null : name;
}

function noteStates(visit: Visit, isFocused: boolean): void {
  const { element, tag, attributes, inside } = visit;
  let states = visit.states;
  if (attributes & ARIA) states |= ariaStates(element);
  states |= controlStates(element, tag);
  if (isFocused) states |= FOCUSED;
  if (inside & ERROR) states |= ERROR_STYLED;
  if (inside & CHURN) states |= SELF_CHANGING;
  // A transparent control may still be the one that receives the clicks for what is drawn below it.
  if (inside & CLIPPED || (inside & FADED && !(states & ACTIONABLE))) states |= UNSEEN;
  visit.states = states;
}

/** Uses the text of an element without children as its name. */
function addContentName(visit: Visit, draft: Draft): void {
  const { element, role } = visit;
  if (draft.name !== "") visit.before = visit.after = "";
  if (draft.name !== "" || !CONTENT_NAMED.has(role) || element.firstElementChild !== null || shadowOf(element) !== null)
    return;
  // A control is named by a text that only screen readers read; elsewhere, such a text is not on the page.
  if (visit.inside & ILLEGIBLE && !(visit.states & ACTIONABLE)) return;
  const text = visit.before + element.textContent! + visit.after;
  draft.line += clean(text);
  draft.walk = text === "";
}

/** Adds the fields that depend on the tag. */
function addByTag(visit: Visit, draft: Draft): void {
  const { element, tag } = visit;
  switch (tag) {
    case "a":
    case "area": {
      const href = element.getAttribute("href");
      if (href)
        draft.line +=
          "\t@" + (href.length > 200 && /^\s*(data|javascript):/i.test(href) ? href.slice(0, 60) + "…" : clean(href));
      break;
    }
    case "input":
    case "textarea":
      addField(visit, draft);
      draft.walk = false;
      break;
    case "select":
      draft.walk = false;
      break;
    case "tr":
      if (element.parentElement?.localName === "tfoot") visit.states |= FOOTER;
      break;
    case "progress":
    case "meter":
      draft.value = String((element as HTMLProgressElement).value);
      draft.walk = false;
      break;
    case "summary":
      visit.states |= ACTIONABLE;
      break;
    case "video":
    case "audio":
      draft.walk = false;
      visit.states |= ACTIONABLE;
      break;
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6":
      if (visit.role === "heading") draft.line += "\t^" + tag[1];
      break;
  }
}

function addField(visit: Visit, draft: Draft): void {
  const input = visit.element as HTMLInputElement;
  const type = input.type;
  if (isSecret(input)) {
    visit.states |= SECRET;
    if (input.value !== "") draft.value = MASKED;
  } else if (type === "file") {
    if (input.files && input.files.length > 0) draft.value = Array.from(input.files, (file) => file.name).join(", ");
  } else if (visit.states & EDITABLE || type === "range" || type === "color" || input.readOnly)
    draft.value = input.value;
  if (visit.tag === "input" && type !== "text") draft.line += "\t:" + type;
}

/** Adds the fields that depend on attributes. */
function addByAttributes(visit: Visit, draft: Draft): void {
  const { element, attributes } = visit;
  if (visit.role === "heading" || visit.role === "treeitem") {
    const given = attributes & ARIA ? element.getAttribute("aria-level") : null;
    if (given) draft.line += "\t^" + clean(given);
  }
  if (attributes & SIZE) {
    const size = Number(element.getAttribute("aria-rowcount") ?? element.getAttribute("aria-setsize"));
    if (size > 0) draft.line += "\t$" + size;
  }
  if (draft.value === null && attributes & ARIA) {
    const text = element.getAttribute("aria-valuetext") ?? element.getAttribute("aria-valuenow");
    if (text) draft.value = text;
  }
  if (draft.value === null && visit.role === "slider") draft.value = alongTrack(element);
  if ((attributes & EDIT || visit.role === "textbox") && element.isContentEditable) addEditable(visit, draft);
  if (visit.states & ACTIONABLE) addHandles(visit, draft);
  const title = attributes & TITLE ? element.getAttribute("title") : null;
  // If a field has another accessible name, its label is added, because people see it beside the field.
  const label = title || (visit.states & (EDITABLE | READONLY) ? labelOf(element, draft.name) : "");
  if (label && label !== draft.name) draft.line += "\t?" + clean(label);
  if (visit.role === "generic") draft.line += "\t<" + visit.tag;
}

function addEditable(visit: Visit, draft: Draft): void {
  visit.states |= ACTIONABLE | EDITABLE;
  if (visit.role !== "generic" && visit.role !== "textbox") return;
  if (visit.role === "generic") draft.line = draft.line.replace("\tgeneric\t", "\ttextbox\t");
  draft.value = isSecret(visit.element) ? MASKED : linesOf(visit.element);
  draft.walk = false;
}

/** Adds the lines that a code editor draws. */
function addEditor(editor: Element, visit: Visit, draft: Draft): void {
  const isReadOnly = (visit.element as HTMLInputElement).readOnly || visit.element.ariaReadOnly === "true";
  visit.states |= ACTIONABLE | (isReadOnly ? READONLY : EDITABLE);
  draft.value = isSecret(visit.element) ? MASKED : editorText(editor);
  draft.note = drawnPart(editor);
  draft.walk = false;
}

/** Adds the identifiers that the authors of the page gave to an element that can be acted on. */
function addHandles({ element, attributes }: Visit, draft: Draft): void {
  const own = attributes & ID ? element.getAttribute("id") : null;
  if (own) draft.line += "\t*" + clean(own);
  const form = attributes & NAME ? element.getAttribute("name") : null;
  if (form) draft.line += "\t&" + clean(form);
  const hint = attributes & HINT ? element.getAttribute("placeholder") : null;
  if (hint && hint !== draft.name) draft.line += "\t~" + clean(hint);
  if (attributes & TEST) {
    const attribute = TEST_IDS.find((attribute) => element.hasAttribute(attribute));
    if (attribute) draft.line += "\t%" + clean(element.getAttribute(attribute)!);
  }
}

/** Adds a line for each option of a `<select>`. */
export function pushOptions(select: HTMLSelectElement, depth: number, lines: Lines): void {
  const choices = select.options;
  for (let i = 0; i < choices.length && lines.full === ""; i++) {
    const option = choices[i];
    const bits = (option.selected ? 64 : 0) | (option.disabled ? 8 : 0);
    lines.push(depth + "\toption\t" + clean(option.label || option.text) + (bits ? "\t!" + bits : ""));
  }
}
