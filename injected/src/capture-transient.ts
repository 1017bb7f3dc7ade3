// Finds what the page showed since the last action began and no longer shows: a toast that stays for a quarter of a
// second, or a spinner that is gone before the next capture. No capture contains such a message, yet it may be the only
// sign of a refusal.
//
// Messages and spinners are considered and, after an action, also short texts. The number of examined elements is
// limited, so that a page that changes constantly is not observed forever.

import { textOf } from "./capture-names";
import { roleOf } from "./capture-roles";
import { isErrorStyled } from "./capture-states";

/** Something that was shown. `label` is the class or id that identifies a spinner. */
export interface Transient {
  role: string;
  label: string;
  error: boolean;
  busy: boolean;
  text: string;
}

const MESSAGE =
  "[role=alert],[role=alertdialog],[role=status],[aria-live=polite],[aria-live=assertive],output,[role=progressbar],progress,[aria-busy=true]";
const BUSY = "[role=progressbar],progress,[aria-busy=true]";
const MESSAGE_CLASS =
  /toast|snackbar|notification|(^|[\s_-])(message|notice|alert|flash|spinner|spin|loader|loading|throbber|busy)([\s_-]|$)/i;
const SPINNER_CLASS = /(^|[\s_-])(spinner|loader|loading|throbber|busy)([\s_-]|$)/i;
const WATCHED = {
  subtree: true,
  childList: true,
  characterData: true,
  attributes: true,
  attributeFilter: ["class", "style", "hidden", "open", "aria-busy", "aria-hidden"],
};
const LOOKS = 400; // the most elements that are examined after an action
const LOADING_LOOKS = 60; // the same while a document loads, when much is new and little of it disappears
const MOST = 30; // the most that are reported
const LENGTH = 200; // the most characters of a message
const SHORT = 80; // the most characters of another text

let shown = new Map<Element, Map<string, Transient>>();
let disowned = new WeakSet<Element>();
let looks = LOADING_LOOKS;
let acted = false;
const observer = new MutationObserver(look);
observer.observe(document, WATCHED);

/** Notes that an action begins; what was shown earlier is not its effect. */
export function forgetTransients(): void {
  observer.disconnect();
  observer.takeRecords();
  shown = new Map();
  disowned = new WeakSet();
  looks = LOOKS;
  acted = true;
  observer.observe(document, WATCHED);
}

/** Notes that the page changed a node by itself, so that what it shows there is not an effect of the action. */
export function disown(node: Node): void {
  for (let up: Node | null = node; up !== null; up = up.parentNode)
    if (up.nodeType === 1 && (up === node || up === node.parentNode || isMessage(up as Element)))
      disowned.add(up as Element);
}

/** Whether the page changed this by itself since the last action began. */
export const isDisowned = (node: Element): boolean => disowned.has(node);

/** Whether an element indicates that something is loading. */
export const isSpinner = (element: Element): boolean =>
  element.matches(BUSY) || [element.id, classOf(element)].some((name) => SPINNER_CLASS.test(name));

const classOf = (element: Element): string => element.getAttribute("class") ?? "";
const isMessage = (element: Element): boolean => element.matches(MESSAGE) || MESSAGE_CLASS.test(classOf(element));

/** The message that contains a node; null if there is none. */
function messageAround(node: Node): Element | null {
  for (let up: Node | null = node; up !== null; up = up.parentNode)
    if (up.nodeType === 1 && isMessage(up as Element)) return up as Element;
  return null;
}

function look(records: MutationRecord[]): void {
  const found = new Set<Element>();
  for (const record of records) {
    if (looks - found.size <= 0) break;
    const around = messageAround(record.target);
    if (around !== null) found.add(around);
    for (const node of record.type === "childList" ? record.addedNodes : [record.target]) {
      if (node.nodeType !== 1) {
        if (acted && node.parentElement !== null) found.add(node.parentElement);
        continue;
      }
      const element = node as Element;
      if (isMessage(element) || acted) found.add(element);
      if (around !== null || element.firstElementChild === null) continue;
      let inner = 0;
      for (const below of element.querySelectorAll("[role],[aria-live],[aria-busy],[class],output,progress")) {
        if (++inner > 50) break;
        if (isMessage(below)) found.add(below);
      }
    }
  }
  for (const element of found) {
    if (looks-- <= 0) return observer.disconnect();
    note(element);
  }
}

const isShown = (element: Element): boolean =>
  element.isConnected && element.checkVisibility({ visibilityProperty: true });

function note(element: Element): void {
  if (!isShown(element)) return;
  const message = isMessage(element);
  const given = roleOf(element, element.localName, element.getAttribute("role"));
  const label = [element.id, classOf(element)].find((name) => SPINNER_CLASS.test(name)) ?? "";
  const busy = element.getAttribute("aria-busy") === "true";
  let text = textOf(element);
  if (text.length > (message ? LENGTH : SHORT)) {
    if (label === "" && !busy) return;
    text = "";
  }
  const role = !message ? "text" : given === "" || given === "generic" ? (text === "" ? "generic" : "status") : given;
  if (text === "" && role !== "progressbar" && label === "" && !busy) return;
  const texts = shown.get(element) ?? new Map<string, Transient>();
  if (texts.size < 5) texts.set(text, { role, label, error: isErrorStyled(element), busy, text });
  shown.set(element, texts);
}

/** What was shown and no longer is. */
export function transients(): Transient[] {
  look(observer.takeRecords());
  const gone: Transient[] = [];
  for (const [element, texts] of shown) {
    if (disowned.has(element)) continue;
    const there = isShown(element);
    const now = there ? textOf(element) : "";
    for (const [text, transient] of texts) {
      // A message remains if text is added to it. A spinner ends when it is no longer marked as busy.
      const still = there && now.includes(text) && (!transient.busy || element.getAttribute("aria-busy") === "true");
      if (
        !still &&
        gone.length < MOST &&
        !gone.some((other) => other.text === text && other.role === transient.role && text !== "")
      )
        gone.push(transient);
    }
  }
  return gone;
}
