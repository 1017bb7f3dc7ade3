// Tracks what the page changes by itself. The script in the page's main world (task-tracker.ts) signals when it runs
// callbacks that were scheduled before the last action or the last capture. What such a callback changes, directly or
// in its continuations, would have changed without the action. The same applies to listeners for hover events when the
// action is a press.
//
// The observer is connected only while such a callback runs, so that a page that changes nothing by itself has no
// overhead.

import { hoverSelectors } from "./capture-styles";
import { disown } from "./capture-transient";
import { watchClickListeners } from "./click-listeners";
import { askForTexts } from "./editor";
import { eventName } from "./tracker-channel";

/** What changed by itself between two captures. */
export interface Churn {
  has(node: Node): boolean;
  title: boolean;
  removed: Set<string>;
}

const REMOVED = 50; // the most texts that are reported
const LENGTH = 200; // the most characters of each
const SHOWN = 200; // the most elements shown on hover that are remembered

let since = nothing();
let last: Churn | null = null;
let key = "";
// Whether current changes are caused by hovering, which also shows and hides elements by their attributes.
let hover = false;
let pressed = false;

// Connected only while the page changes itself, so every record is a change by the page itself.
const observer = new MutationObserver(noteAll);

// An element that was shown on hover is not an effect of the press while its text is unchanged. A tooltip `Copy` that
// becomes `Copied` is an effect.
function nothing() {
  return {
    changed: new WeakSet<Node>(),
    shown: new Map<Node, string>(),
    any: false,
    title: false,
    removed: new Set<string>(),
  };
}

/** Listens to the script in the page's main world. `given` is the random key in the names of its events. */
export function watchChurn(given: string): void {
  if (key !== "") return;
  key = given;
  watchClickListeners(key);
  askForTexts(key);
  const options = { subtree: true, childList: true, characterData: true };
  addEventListener(eventName(key, "own"), () => observer.observe(document, options));
  addEventListener(eventName(key, "hover"), () => {
    hover = true;
    observer.observe(document, { ...options, attributes: true });
  });
  addEventListener(eventName(key, "owned"), () => {
    noteAll(observer.takeRecords());
    observer.disconnect();
    hover = false;
  });
  // A popover opens without a mutation of the document.
  addEventListener(
    "beforetoggle",
    (event) => hover && (event as ToggleEvent).newState === "open" && note(event.target as Node),
    { capture: true },
  );
}

/** Notes that the action is a press, so that elements shown on hover are not among its effects. */
export function expectHover(view: Window): void {
  pressed = false;
  view.dispatchEvent(new Event(eventName(key, "press")));
}

/** Notes that the button goes down after the pointer arrived. Elements that style sheets show on hover are recorded. */
export function noteHovered(document: Document): void {
  pressed = true;
  const selectors = hoverSelectors(document);
  if (selectors === "") return;
  for (const element of document.querySelectorAll(selectors)) noteShown(element);
}

function noteAll(records: MutationRecord[]): void {
  for (const record of records) {
    if (record.type === "attributes") noteAttribute(record.target as Element);
    if (record.type === "characterData") note(record.target.parentElement);
    for (const node of record.addedNodes) note(node.nodeType === 1 ? node : record.target);
    for (const node of record.removedNodes) noteRemoved(node);
  }
}

function noteAttribute(element: Element): void {
  if (!element.checkVisibility()) noteRemoved(element);
  // An element that the press itself showed may change its attributes because it is now under the pointer.
  else if (!pressed || !element.matches(":hover")) noteShown(element);
}

function noteShown(element: Node): void {
  if (since.shown.size >= SHOWN) return;
  since.any = true;
  disown(element);
  since.shown.set(element, textIn(element));
}

const textIn = (node: Node): string =>
  (node.textContent ?? "")
    .slice(0, LENGTH * 4)
    .replace(/\s+/g, " ")
    .trim();

function note(node: Node | null): void {
  if (node === null) return;
  since.any = true;
  if ((node as Element).localName === "title") since.title = true;
  else if (hover) noteShown(node);
  else {
    disown(node);
    since.changed.add(node);
  }
}

function noteRemoved(node: Node): void {
  const text = textIn(node).slice(0, LENGTH);
  if (text === "" || since.removed.size >= REMOVED) return;
  since.any = true;
  since.removed.add(text);
}

/**
 * The changes since the last capture. Without `given`, returns the previous result again; otherwise starts a new
 * collection.
 */
export function takeChurn(given: string | undefined): Churn | null {
  if (given === undefined) return last;
  watchChurn(given);
  const { changed, shown, any, title, removed } = since;
  last = any ? { has: (node) => changed.has(node) || shown.get(node) === textIn(node), title, removed } : null;
  if (any) since = nothing();
  dispatchEvent(new Event(eventName(key, "read")));
  return last;
}
