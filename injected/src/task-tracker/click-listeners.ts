// Reports the elements to which the page added listeners for clicks. No attribute reveals them, and the isolated world
// does not see what the main world added. An element may be added to the document later, so it is reported at a
// capture.

import { eventName } from "../tracker-channel";
import { noteHost, reportDelegated } from "./delegated-clicks";
import { KEY, onNotice } from "./state";
import { wrap } from "./wrap";

const TYPES = new Set(["click", "dblclick", "mousedown", "pointerdown"]);
const MOST = 10_000; // the most elements that wait for a place in the document

const dispatch = EventTarget.prototype.dispatchEvent;
const listens = (element: Element): boolean =>
  Reflect.apply(dispatch, element, [new Event(eventName(KEY, "listens"), { composed: true })]);

let waiting: WeakRef<Element>[] = [];
const known = new WeakSet<Element>();

function note(target: unknown): void {
  if (!(target instanceof Element) || known.has(target) || waiting.length >= MOST) return;
  known.add(target);
  waiting.push(new WeakRef(target));
}

wrap(
  "addEventListener",
  (target, self, args) => {
    if (TYPES.has(args[0]) && args[1] != null) {
      note(self);
      noteHost(self);
    }
    return Reflect.apply(target, self, args);
  },
  EventTarget.prototype,
);

for (const holder of [HTMLElement.prototype, SVGElement.prototype])
  for (const type of TYPES) {
    const property = Object.getOwnPropertyDescriptor(holder, "on" + type);
    if (!property?.set) continue;
    const set = new Proxy(property.set, {
      apply(target, self, args) {
        if (args[0] != null) note(self);
        return Reflect.apply(target, self, args);
      },
    });
    Object.defineProperty(holder, "on" + type, { ...property, set });
  }

onNotice("read", () => {
  reportDelegated(TYPES, listens);
  if (waiting.length === 0) return;
  const later: WeakRef<Element>[] = [];
  for (const reference of waiting) {
    const element = reference.deref();
    if (element?.isConnected) listens(element);
    else if (element !== undefined) later.push(reference);
  }
  waiting = later;
});
