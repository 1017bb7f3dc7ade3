// Finds what the page changed and reverted since the last action began: a card that returns to its column, or a heart
// that is empty again. A page with optimistic updates does this when its server refuses the change, whatever the status
// of the response is.
//
// Only changes that were still present when a batch of mutations was processed are considered: a list that is replaced
// in one step was not reverted.

import { textOf } from "./capture-names";
import { isDisowned, isSpinner } from "./capture-transient";

/** A text or state that was restored, and the content in between. */
export interface Reversion {
  text: string;
  meanwhile: string;
}

const WATCHED = {
  subtree: true,
  childList: true,
  characterData: true,
  characterDataOldValue: true,
  attributes: true,
  attributeOldValue: true,
  attributeFilter: ["aria-pressed", "aria-checked", "aria-selected"],
};
const RECORDS = 2_000; // the most mutation records after an action
const MOST = 10; // the most that are reported
const LENGTH = 80; // the most characters of each

interface Removed {
  look: number;
  meanwhile: string;
}
interface Value {
  node: Node;
  parent: Element;
  label: () => string;
  read: () => string;
  first: string;
  meanwhile: string | null;
}

let removed = new Map<Node, Map<string, Removed>>();
let added = new WeakSet<Node>();
let values = new Map<Node, Map<string, Value>>();
let restored = new Map<Reversion, Element>();
// Entries that were added and then removed.
let withdrawn = new Map<string, Element>();
const ENTRY = "li,tr,article,[role=listitem],[role=row],[role=option],[role=article]";
let records = 0;
let looks = 0;
const observer = new MutationObserver(look);

/** Notes that an action begins; earlier changes are not its effects. */
export function forgetReversions(): void {
  observer.disconnect();
  removed = new Map();
  added = new WeakSet();
  values = new Map();
  restored = new Map();
  withdrawn = new Map();
  records = RECORDS;
  looks = 0;
  observer.observe(document, WATCHED);
}

const clip = (text: string): string => (text.length > LENGTH ? text.slice(0, LENGTH) + "…" : text);
const contentOf = (node: Node): string => (node.textContent ?? "").slice(0, 400).replace(/\s+/g, " ").trim();

function look(found: MutationRecord[]): void {
  looks++;
  for (const record of found) {
    if (records-- <= 0) return observer.disconnect();
    if (record.type === "childList") noteChildren(record);
    else noteValue(record);
  }
  for (const known of values.values())
    for (const value of known.values()) if (value.read() !== value.first) value.meanwhile = value.read();
}

function noteChildren({ target, removedNodes, addedNodes }: MutationRecord): void {
  for (const node of removedNodes) {
    const text = contentOf(node);
    if (text !== "" && added.has(node) && node.nodeType === 1 && (node as Element).matches(ENTRY))
      withdrawn.set(text, target as Element);
    if (text === "" || added.has(node)) continue;
    const here = removed.get(target) ?? new Map<string, Removed>();
    here.set(text, { look: looks, meanwhile: "" });
    removed.set(target, here);
  }
  const here = removed.get(target);
  for (const node of addedNodes) {
    if (here !== undefined) noteAdded(node, target as Element, here);
    added.add(node);
  }
}

function noteAdded(node: Node, parent: Element, here: Map<string, Removed>): void {
  const text = contentOf(node);
  const back = here.get(text);
  if (back !== undefined) {
    here.delete(text);
    if (back.look !== looks) restored.set({ text: clip(text), meanwhile: back.meanwhile }, parent);
  } else if (node.nodeType === 1 && isSpinner(node as Element))
    here.clear(); // content that is loaded again is not a reversion
  else for (const gone of here.values()) gone.meanwhile ||= clip(text);
}

function noteValue({ type, target, attributeName, oldValue }: MutationRecord): void {
  const name = attributeName ?? "";
  const known = values.get(target) ?? new Map<string, Value>();
  if (known.has(name)) return;
  values.set(target, known);
  const attribute = (): string => (target as Element).getAttribute(name) ?? "";
  const isText = type === "characterData";
  const parent = isText ? target.parentElement : (target as Element);
  if (parent === null) return;
  const read = isText ? () => target.textContent ?? "" : attribute;
  const label = isText ? () => read() : () => `${textOf(parent)} ${name}=${attribute()}`;
  known.set(name, { node: target, parent, label, read, first: oldValue ?? "", meanwhile: null });
}

/** What is the same as before the action and was different in between. */
export function reversions(): Reversion[] {
  look(observer.takeRecords());
  const found = [...restored].filter(([, parent]) => !isDisowned(parent)).map(([reversion]) => reversion);
  for (const known of values.values())
    for (const { node, parent, label, read, first, meanwhile } of known.values()) {
      if (meanwhile === null || read() !== first || !node.isConnected || isDisowned(parent)) continue;
      found.push({ text: clip(label().trim()), meanwhile: clip(meanwhile.trim()) });
    }
  // A list that was loaded again may contain the entry again.
  const isGone = ([text, parent]: [string, Element]) =>
    !isDisowned(parent) && !document.body.innerText.replace(/\s+/g, " ").includes(text);
  for (const [text] of [...withdrawn].filter(isGone)) found.push({ text: clip(text), meanwhile: "" });
  return found.filter(({ text }) => text !== "").slice(0, MOST);
}
