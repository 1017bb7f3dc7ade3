// Enters text into fields. Checking the focus, inserting the text and reading the result happen synchronously in one
// piece of code, so that no other script runs in between and the text is entered into this element only.

import { isSecret, shadowOf } from "./capture-registry";
import { codeEditor, editorInput, editorText, paste, showsCode } from "./editor";
import { dateLike, equivalent } from "./equivalent";
import { describe, visible } from "./find";
import { active, bind, follows, hasFocus, unbind } from "./focus";
import type { EntryStep, Outcome, Readings } from "./generated";
import { checkAtRest } from "./outcome";

/** The text to enter. */
export interface Entry {
  text: string;
  readings?: Readings;
  /** Whether Enter follows, so that the focus must stay. */
  submit?: boolean;
  /** Whether this is a secret, so that the field's value must not be reported. */
  secret?: boolean;
  /** Whether the first method failed, so that another one is used. */
  again?: boolean;
}

/** The element that has the focus instead. */
export interface FocusLost {
  focusLostTo: string;
}

/**
 * How far a text was entered, or the reason for which it was not: what the control accepts, or what has the focus
 * instead.
 */
export type Entered = EntryStep | FocusLost | { accepts: string };

const SET: EntryStep = { step: "set" };

type Field = HTMLInputElement | HTMLTextAreaElement;
export const NATIVE = /^(date|time|datetime-local|month|week|color|range)$/;
const CLIP = 300;

export const isField = (element: Element): element is Field =>
  element.localName === "input" || element.localName === "textarea";
export const isEditable = (element: Element): boolean =>
  isField(element) || (element as HTMLElement).isContentEditable || !!(element as any).editContext;
const clip = (text: string) => (text.length > CLIP ? text.slice(0, CLIP) + "…" : text);

/** The element that receives the text for a target: the target itself, an editor's input, or the only field in it. */
export function inputOf(element: Element): Element {
  if (element.localName === "iframe") {
    const body = (element as HTMLIFrameElement).contentDocument?.body;
    if (body?.isContentEditable) return body;
  }
  if (isEditable(element)) return element;
  const editor = element.matches(".monaco-editor,.CodeMirror,.cm-editor,.ace_editor")
    ? element
    : element.querySelector(".monaco-editor,.CodeMirror,.cm-editor,.ace_editor");
  const input = editor && editorInput(editor);
  if (input) return input;
  const found: Element[] = [];
  const within = (root: ParentNode) => {
    for (const inner of root.querySelectorAll("*")) {
      if (found.length > 1) return;
      const shadow = shadowOf(inner);
      if (shadow) within(shadow);
      const host = inner.parentElement as HTMLElement | null;
      const typed =
        inner.localName === "textarea" ||
        (inner.localName === "input" &&
          !/^(button|submit|reset|image|checkbox|radio|file|hidden)$/.test((inner as HTMLInputElement).type));
      if ((typed || ((inner as HTMLElement).isContentEditable && !host?.isContentEditable)) && visible(inner))
        found.push(inner);
    }
  };
  const own = shadowOf(element);
  if (own) within(own);
  within(element);
  return found.length === 1 ? found[0] : element;
}

/** Uses the native setter, because frameworks define their own on the element to detect changes by scripts. */
function setNative(input: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), "value")!.set!.call(input, value);
  input.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

const WRITTEN: Record<string, string> = {
  date: "a date, written 2026-12-31",
  month: "a month, written 2026-12",
  week: "a week, written 2026-W52",
  time: "a time, written 17:30",
  "datetime-local": "a date and a time, written 2026-12-31T17:30",
  color: "a colour, written #ff0000",
  range: "a number",
  number: "a number such as 1234.5, without groups of thousands",
};

/** Converts any CSS colour to `#rrggbb`. */
function hex(text: string, document: Document): string {
  if (/^#[\da-f]{6}$/i.test(text.trim()) || !CSS.supports("color", text)) return text.trim().toLowerCase();
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return text;
  context.fillStyle = text;
  return String(context.fillStyle);
}

/**
 * The value in the form that the control accepts, or a description of what it accepts. It is tried on a copy, so that
 * the page's control is not changed prematurely.
 */
function accepted(input: HTMLInputElement, entry: Entry): { value: string } | { accepts: string } {
  const type = input.type;
  const read =
    type === "range" || type === "number" ? entry.readings?.number : entry.readings?.[type as keyof Readings];
  const value = type === "color" ? hex(entry.text, input.ownerDocument) : (read ?? entry.text.trim());
  if (value === "") return { value };
  const copy = input.ownerDocument.createElement("input");
  copy.type = type;
  for (const name of ["min", "max", "step"])
    if (input.hasAttribute(name)) copy.setAttribute(name, input.getAttribute(name)!);
  copy.value = value;
  const [min, max, step] = [copy.min, copy.max, copy.step].map((text) => text && " " + text);
  const limits =
    (min && " from" + min) +
    (max && (min ? " to" : " up to") + max) +
    (step && step !== " any" ? " in steps of" + step : "");
  if (type === "range") {
    if (copy.value === "" || Number.isNaN(Number(value)) || Number(copy.value) !== Number(value))
      return {
        accepts:
          "a number from " + (copy.min || "0") + " to " + (copy.max || "100") + " in steps of " + (copy.step || "1"),
      };
    return { value: copy.value };
  }
  if (copy.value === "" || (type === "color" && copy.value !== value)) return { accepts: WRITTEN[type] + limits };
  // A number outside the limits may be typed; the page then reports the error.
  if (type !== "number" && !copy.validity.valid) return { accepts: WRITTEN[type] + limits };
  return { value: copy.value };
}

/** The text for a date field, in the field's format if it states one. */
function inFormat(field: Field, entry: Entry): string {
  const date = entry.readings?.date;
  if (!date || field.localName !== "input" || entry.readings?.["datetime-local"]) return entry.text;
  const described = (field.getAttribute("aria-describedby") ?? "")
    .split(/\s+/)
    .map((id) => (id && field.ownerDocument.getElementById(id)?.textContent) || "");
  const hints = [
    field.placeholder,
    field.getAttribute("data-date-format"),
    field.getAttribute("data-format"),
    field.title,
    ...described,
    ...Array.from(field.labels ?? [], (label) => label.textContent),
    field.getAttribute("aria-label"),
    /^[\s\d./-]+$/.test(field.value) ? field.value : "",
  ];
  for (const hint of hints) {
    const written = hint && dateLike(date, hint);
    if (written) return written;
  }
  return entry.text;
}

/**
 * Whether a field is a date or time picker, which accepts a value only when it is left. Its identifiers, label,
 * placeholder and surroundings show this.
 */
const isPicker = (field: Field): boolean =>
  field.localName === "input" &&
  (/date|time|calendar|picker|hh?:mm/i.test(
    [field.id, field.name, field.className, field.placeholder, field.getAttribute("data-date-format")].join(" "),
  ) ||
    /\b(date|time|day)\b/i.test(
      [field.getAttribute("aria-label"), ...Array.from(field.labels ?? [], (label) => label.textContent)].join(" "),
    ) ||
    /^(dialog|grid|true)$/.test(field.getAttribute("aria-haspopup") ?? "") ||
    /\b[dmy]{2,4}[./-]/i.test(field.placeholder) ||
    field.closest('[class*="picker" i]') !== null);

/**
 * Whether the entry is a date or time for a picker. Many pickers accept a value only when the field is left or Enter
 * is pressed.
 */
const isPicked = (field: Field, entry: Entry): boolean =>
  !!(entry.readings?.date || entry.readings?.time || entry.readings?.["datetime-local"]) && isPicker(field);

/** The text that an element contains. */
export const textHeldBy = (element: Element): string =>
  isField(element) ? (codeEditor(element) ? editorText(element) : element.value) : editorText(element);

/** The element itself or, if the page rendered it again, its replacement. */
function twin(element: Element): Element | null {
  if (element.isConnected) return element;
  const field = element as HTMLInputElement;
  const document = element.ownerDocument;
  const by = element.id
    ? "#" + CSS.escape(element.id)
    : field.name
      ? element.localName + '[name="' + CSS.escape(field.name) + '"]'
      : null;
  if (by !== null) {
    const found = document.querySelectorAll(by);
    return found.length === 1 && isEditable(found[0]) ? found[0] : null;
  }
  const description = described.get(element);
  const alike = Array.from(document.querySelectorAll(element.localName)).filter(
    (other) => visible(other) && describe(other) === description,
  );
  return description?.includes('"') && alike.length === 1 ? alike[0] : null;
}
const described = new WeakMap<Element, string>();

/** Whether the text was moved from the field to a list of entered values, as with tags. */
function isTaken(element: Element, text: string): boolean {
  const words = text
    .replace(/[\s,;]+/g, " ")
    .trim()
    .toLowerCase();
  if (words === "" || !isField(element) || element.value !== "") return false;
  let around: HTMLElement | null = element.parentElement;
  for (let up = 0; up < 2 && around !== null; up++, around = around.parentElement) {
    if (
      (around.innerText ?? "")
        .replace(/[\s,;]+/g, " ")
        .toLowerCase()
        .includes(words)
    )
      return true;
  }
  return false;
}

/** Whether the page completed a typed text. Its proposal is selected, so that the next key replaces it. */
function isCompleted(field: Field, text: string): boolean {
  const { value, selectionStart, selectionEnd } = field;
  return (
    text !== "" &&
    value.toLowerCase().startsWith(text.toLowerCase()) &&
    selectionStart === text.length &&
    selectionEnd === value.length
  );
}

/** Whether an element contains a text, by the rules of `equivalent`. */
function holdsText(element: Element, text: string, entry: Entry): boolean {
  if (codeEditor(element)) return showsCode(element, text);
  const actual = textHeldBy(element);
  if (entry.secret && (element as HTMLInputElement).type === "password") return actual === text;
  if (!isField(element))
    return equivalent(text, actual, entry.readings) || actual.replace(/\s+/g, "") === text.replace(/\s+/g, "");
  const { type } = element;
  if (element.localName === "input" && (NATIVE.test(type) || type === "number"))
    return actual === text || (text !== "" && actual !== "" && equivalent(text, actual, entry.readings));
  return equivalent(text, actual, entry.readings) || isTaken(element, text);
}

// Fields that have the value that was entered. Many pages check a value only when its field is left, and then correct
// or delete it. The fields are therefore checked again before a button is pressed that may submit them.
const filled = new Map<Element, { text: string; entry: Entry }>();
const FILLED = 50;

function remember(field: Element, text: string, entry: Entry): void {
  filled.delete(field);
  for (const [known] of filled) if (!known.isConnected || filled.size >= FILLED) filled.delete(known);
  filled.set(field, { text, entry });
}

/** Forgets a field whose later changes are intended: an option is chosen, or a key edits it. */
export function forgetFilled(element: Element): void {
  filled.delete(element);
}

/** Forgets all fields: their values were submitted, or are no longer wanted. */
export function forgetAllFilled(): void {
  filled.clear();
}

/** A field that no longer has the value that was entered. */
export interface LostField {
  field: string;
  /** Both are absent for a secret. */
  given?: string;
  actual?: string;
}

/** The first such field. It is reported only once unless `kept`. */
export function lostField(kept = false): LostField | null {
  for (const [field, { text, entry }] of filled) {
    if (!field.isConnected || field.ownerDocument.defaultView === null || holdsText(field, text, entry)) continue;
    if (!kept) filled.delete(field);
    return entry.secret || isSecret(field)
      ? { field: describe(field) }
      : { field: describe(field), given: clip(text), actual: clip(textHeldBy(field)) };
  }
  return null;
}

/** Registers the check that the field has the text once the page has settled. */
function check(element: Element, text: string, entry: Entry): void {
  described.set(element, describe(element));
  const hidden = () => entry.secret || isSecret(element);
  checkAtRest((): Outcome | null => {
    const now = twin(element);
    if (now === null) return null;
    if (holdsText(now, text, entry)) {
      // A code editor draws only part of its content, so it cannot be checked again later.
      if (!codeEditor(now)) remember(now, text, entry);
      return { kind: "held" };
    }
    return { kind: "differs", actual: hidden() ? null : clip(textHeldBy(now)) };
  });
}

/** Selects the whole content of a field. */
function selectAll(element: Element): void {
  if (isField(element)) element.select();
  else element.ownerDocument.getSelection()?.selectAllChildren(element);
}

/** Replaces the selection in the focused element as typing does. Returns whether that was possible. */
function edit(document: Document, text: string): boolean {
  try {
    return text === "" ? document.execCommand("delete") : document.execCommand("insertText", false, text);
  } catch {
    return false; // not an HTML document
  }
}

/** The element to focus for editing: for an element inside editable content, the outermost editable element. */
function focusable(element: Element): HTMLElement {
  let host = element as HTMLElement;
  if (!isField(host)) while (host.isContentEditable && host.parentElement?.isContentEditable) host = host.parentElement;
  return host;
}

/** Focuses an element. Returns what has the focus instead if the element does not keep it. */
export function give(element: Element): FocusLost | null {
  element.scrollIntoView({ block: "nearest", behavior: "instant" });
  focusable(element).focus({ preventScroll: true });
  return hasFocus(element) ? null : { focusLostTo: describe(active()) };
}

/** Replaces the value of a field, or states how the browser has to do it. */
export function replace(element: Element, entry: Entry): Entered {
  if (element.localName === "input") {
    const input = element as HTMLInputElement;
    if (NATIVE.test(input.type) || (input.type === "number" && entry.text !== "")) {
      const acceptance = accepted(input, entry);
      if ("accepts" in acceptance) return acceptance;
      const lost = give(input);
      if (lost !== null) return lost;
      if (input.type !== "number" || entry.again) {
        setNative(input, acceptance.value);
        check(input, acceptance.value, entry);
        return SET;
      }
      return inserted(input, acceptance.value, entry);
    }
  }
  const lost = give(element);
  if (lost !== null) return lost;
  if (isField(element) && !codeEditor(element)) return inserted(element, inFormat(element, entry), entry);
  // Scripts of editors listen for events before an edit, which only input from the browser causes.
  if (entry.secret) return { accepts: "no secrets, because it is an editor; a secret can only be typed into a field" };
  check(element, entry.text, entry);
  bind(element);
  const empty = editorText(element).trim() === "";
  const chord = codeEditor(element) ? "Control+A" : undefined;
  if (chord === undefined) selectAll(element);
  return { step: "insert", chord, empty };
}

function inserted(field: Field, text: string, entry: Entry): Entered {
  check(field, text, entry);
  if (entry.again && !entry.secret && field.localName === "input" && text !== "") {
    selectAll(field);
    bind(field);
    const picked = !entry.submit && isPicked(field, entry);
    return { step: "keys", leave: picked, commit: picked };
  }
  selectAll(field);
  if (!hasFocus(field)) return { focusLostTo: describe(active()) };
  const before = field.value;
  if (entry.again && text !== "") typeSecret(field, text);
  else if (text !== "" || before !== "") edit(field.ownerDocument, text);
  if (!holdsText(field, text, entry)) {
    if (field.value === before && text !== before && !entry.secret) {
      bind(field);
      return { step: "insert", empty: before === "" };
    }
    // The field's script may correct the value shortly afterwards, but if Enter follows immediately, the result is
    // needed now.
    if (entry.submit || entry.secret)
      return { step: "differs", actual: entry.secret || isSecret(field) ? null : clip(field.value) };
  }
  if (entry.submit) bind(field, true);
  else if (isPicked(field, entry)) field.blur();
  return SET;
}

const keyEvent = (type: string, key: string) =>
  new KeyboardEvent(type, { key, bubbles: true, cancelable: true, composed: true });

/**
 * Enters a secret character by character, without keys from the browser, which would go to whatever has the focus when
 * they arrive.
 */
function typeSecret(element: Element, text: string): string | null {
  let at = element;
  for (const character of text) {
    if (!hasFocus(at)) {
      const now = active();
      if (!follows(at, now)) return describe(now);
      at = now;
    }
    const goes = at.dispatchEvent(keyEvent("keydown", character)) && hasFocus(at);
    if (goes) edit(at.ownerDocument, character);
    at.dispatchEvent(keyEvent("keyup", character));
  }
  return null;
}

/** Types a secret at the end of a field. Returns what has the focus instead if it was lost. */
export function secretKeys(element: Element, text: string): Entered {
  if (!isEditable(element) || codeEditor(element))
    return { accepts: "no secrets, because it is not a field; name the field that the secret is for" };
  const lost = give(element);
  if (lost !== null) return lost;
  const before = textHeldBy(element);
  const focusLostTo = typeSecret(element, text);
  if (focusLostTo !== null) return { focusLostTo };
  checkTyped(element, before, [before + text], text, true, [element]);
  return SET;
}

/** Prepares an element for keys at the end of its text, and suppresses these keys elsewhere. */
export function awaitKeys(element: Element, text: string): void {
  const field = isField(element) && !codeEditor(element);
  // A tab, or Enter in a single-line field, moves the focus itself.
  const moves = /\t/.test(text) || (/[\r\n]/.test(text) && element.localName === "input");
  if (moves) {
    unbind();
    checkAtRest(null);
    return;
  }
  const binding = bind(element);
  const before = isEditable(element) ? textHeldBy(element) : null;
  const { selectionStart: start, selectionEnd: end } = element as HTMLInputElement;
  const known = field && before !== null && typeof start === "number" && typeof end === "number";
  const after =
    before === null ? [] : known ? [before.slice(0, start) + text + before.slice(end)] : [before + text, text];
  checkTyped(element, before, after, text, false, binding.parts, () => binding.strayed);
  if (!field && !isEditable(element))
    checkAtRest(() => (binding.strayed === undefined ? null : { kind: "focus_lost", to: binding.strayed }));
}

function checkTyped(
  element: Element,
  before: string | null,
  after: string[],
  text: string,
  secret: boolean,
  parts: Element[],
  strayed?: () => string | undefined,
): void {
  described.set(element, describe(element));
  checkAtRest((): Outcome | null => {
    const other = strayed?.();
    if (other !== undefined) return { kind: "focus_lost", to: other };
    const now = twin(element);
    if (now === null || before === null) return null;
    const entry: Entry = { text, secret };
    if (parts.length > 1)
      return equivalent(before + text, parts.map(textHeldBy).join(""))
        ? { kind: "held" }
        : { kind: "differs", actual: secret ? null : clip(parts.map(textHeldBy).join("")) };
    const squeezed = (text: string) => text.replace(/\s+/g, "").toLowerCase();
    const actual = textHeldBy(now);
    if (isField(now) && !codeEditor(now)) {
      if (after.some((whole) => holdsText(now, whole, entry) || isCompleted(now, whole))) return { kind: "held" };
    } else if (
      squeezed(actual).includes(squeezed(text)) ||
      (squeezed(actual) !== squeezed(before) && codeEditor(now) !== null)
    )
      return { kind: "held" };
    return { kind: "differs", actual: secret || isSecret(now) ? null : clip(actual) };
  });
}

/**
 * Another method for editors: the text is pasted. If the editor does not handle the paste, the text is inserted by
 * editing if `orEdit`. Null if the text was not entered.
 */
export function pasteInto(element: Element, text: string, orEdit: boolean): Entered | null {
  const lost = give(element);
  if (lost !== null) return lost;
  if (!codeEditor(element)) selectAll(element);
  return paste(element, text) || (orEdit && edit(element.ownerDocument, text)) ? SET : null;
}
