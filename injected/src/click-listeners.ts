// The elements to which the page added listeners for clicks, as the tracker in the main world reports them
// (task-tracker/click-listeners.ts).

import { eventName } from "./tracker-channel";

// An element with more content is an area that handles the clicks on what it contains, not a control.
const MOST_TEXT = 80;
const MOST_ELEMENTS = 4;
// A drawing without text consists of many shapes.
const MOST_SHAPES = 40;
const CONTROLS = "a,button,input,select,textarea,label,iframe,[role],[tabindex],[contenteditable]";

const listening = new WeakSet<Element>();
let any = false;

/** Receives what the tracker reports. `key` is the random key in the names of its events. */
export function watchClickListeners(key: string): void {
  addEventListener(
    eventName(key, "listens"),
    (event) => {
      listening.add(event.composedPath()[0] as Element);
      any = true;
    },
    { capture: true },
  );
}

/** Whether an element has a listener of its own for clicks and is small enough for a control. */
export function hasClickListener(element: Element): boolean {
  if (!any || !listening.has(element)) return false;
  return (
    element.textContent!.trim().length <= MOST_TEXT &&
    element.getElementsByTagName("*").length <= (element instanceof SVGElement ? MOST_SHAPES : MOST_ELEMENTS) &&
    element.querySelector(CONTROLS) === null
  );
}

/** Whether parts of an element have listeners of their own, so that it is not acted on as a whole. */
export function hasListeningParts(element: Element): boolean {
  if (!any) return false;
  for (const part of element.children) if (listening.has(part)) return true;
  return false;
}
