// What the page changes by itself: the script in the page's own world (task-tracker.ts) says when it runs callbacks that were asked
// for before the last action or the last reading; what such a callback changes, there and then or by what it goes on with, would
// have changed anyway. The same goes for what listeners to the pointer's coming do, when a press was asked for.
//
// The observer is connected only while such a callback runs, so that a page that changes nothing by itself pays nothing.

import { hoverSelectors } from "./capture-styles";
import { disown } from "./capture-transient";
import { eventName } from "./tracker-channel";

/** What changed by itself between two readings. */
export interface Churn {
  has(node: Node): boolean;
  title: boolean;
  removed: Set<string>;
}

const REMOVED = 50; // texts that are told of
const LENGTH = 200; // characters of each
const SHOWN = 200; // elements that the pointer's coming showed

let since = nothing();
let last: Churn | null = null;
let key = "";
// What is changed now is changed because the pointer came: attributes show and hide as well then.
let hover = false;
let pressed = false;

// Connected only while the page changes itself, so all that it is told of is the page's own.
const observer = new MutationObserver(noteAll);

// What the pointer's coming showed is no effect of the press as long as it says the same: a tooltip `Copy` that turns into `Copied`
// is one.
function nothing() {
  return {
    changed: new WeakSet<Node>(),
    shown: new Map<Node, string>(),
    any: false,
    title: false,
    removed: new Set<string>(),
  };
}

/** Listens to the script in the page's own world; `given` is the name of its events. */
export function watchChurn(given: string): void {
  if (key !== "") return;
  key = given;
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
  // A popover opens without a change of its markup.
  addEventListener(
    "beforetoggle",
    (event) => hover && (event as ToggleEvent).newState === "open" && note(event.target as Node),
    { capture: true },
  );
}

/** An action is a press: what the pointer's coming shows is none of its effects. */
export function expectHover(view: Window): void {
  pressed = false;
  view.dispatchEvent(new Event(eventName(key, "press")));
}

/** The pointer has come and the button goes down: what style sheets show because of that is noted. */
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
  // What was shown by the press itself gets the look of what is under the pointer.
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

/** What changed by itself since the last reading; from now on it is collected anew. Without `given`, the same again. */
export function takeChurn(given: string | undefined): Churn | null {
  if (given === undefined) return last;
  watchChurn(given);
  const { changed, shown, any, title, removed } = since;
  last = any ? { has: (node) => changed.has(node) || shown.get(node) === textIn(node), title, removed } : null;
  if (any) since = nothing();
  dispatchEvent(new Event(eventName(key, "read")));
  return last;
}
