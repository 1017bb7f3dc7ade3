// Whether the pointer, and then a press, reach the element that they are for.
//
// The pointer's move may itself change the page (a menu closes, things shift), so the element that really gets the press is
// looked at once more, in the event, before the page sees it. A press meant for another element goes to none.

import { expectHover, noteHovered } from "./capture-churn";
import { shadowOf } from "./capture-registry";
import { forgetAllFilled, forgetFilled, lostField } from "./field";
import { describe } from "./find";
import type { MissedPress, PointerArrived } from "./generated";
import { holds, isElement, tagOf } from "./geometry";
import { hitIn, receives } from "./hit";

let expected: Element | null = null;
let missed: MissedPress | null = null;
let arrived = false;
let done = false;
let landed: (() => void) | null = null;
// Where the pointer is led, and whether it has been seen there.
let expectedTarget: Element | null = null;
let targetReached = false;
let onArrival: ((there: boolean) => void) | null = null;
// How the expected element was named, whether it got a click, and where the button was released.
let named = "";
let clicked = false;
let released: MouseEvent | null = null;
const watched = new WeakSet<Window>();

/** The next press is meant for this element. */
export function expectPress(element: Element, what: string): void {
  expected = element;
  named = what;
  clicked = false;
  released = null;
  missed = null;
  arrived = false;
  done = false;
  const view = element.ownerDocument.defaultView!;
  watch(view);
  expectHover(view);
}

/** Nothing is expected any more: another action begins. */
export function forgetExpectedPress(): void {
  expected = null;
}

/** The pointer is about to be moved to this element. */
export function setExpectedTarget(element: Element): void {
  expectedTarget = element;
  targetReached = false;
  watch(element.ownerDocument.defaultView!);
}

export function pointerArrived({ timeoutMs }: PointerArrived): Promise<boolean> {
  if (targetReached || expectedTarget === null) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => onArrival?.(false), timeoutMs);
    onArrival = (there) => {
      clearTimeout(timer);
      onArrival = null;
      resolve(there);
    };
  });
}

function watch(view: Window): void {
  if (watched.has(view)) return;
  watched.add(view);
  for (const type of [
    "pointerdown",
    "mousedown",
    "pointerup",
    "mouseup",
    "click",
    "auxclick",
    "dblclick",
    "contextmenu",
  ])
    view.addEventListener(type, checkPress, { capture: true, passive: false });
  for (const type of ["mousemove", "mouseover"])
    view.addEventListener(type, checkArrival, { capture: true, passive: true });
  view.addEventListener("keydown", forgetEdited, { capture: true, passive: true });
}

// What had the focus when the mouse button went down.
let focusedBefore: Element | null = null;

// What is pressed to undo or to leave sends nothing.
const LEAVES =
  /^(cancel|close|back|reset|clear|discard|dismiss|remove|×|✕|abbrechen|zurück|schließen|verwerfen|annuler|fermer|retour|cancelar|cerrar|volver|annulla|chiudi)/i;

/** The field that lost its value, if the press may send it. */
function changedField(pressed: Element): MissedPress | null {
  const button = pressed.closest("button,input,[role=button]");
  const name =
    button === null ? "" : (button.getAttribute("aria-label") ?? (button as HTMLElement).innerText ?? "").trim();
  if (LEAVES.test(name)) {
    forgetAllFilled();
    return null;
  }
  if (
    button === null ||
    (button.localName === "input" && !/^(submit|button|image)$/.test((button as HTMLInputElement).type))
  ) {
    // By now the field may have been left.
    for (const field of [focusedBefore, pressed.ownerDocument.activeElement]) if (field !== null) forgetFilled(field);
    return null;
  }
  const found = lostField();
  // A proposal that is a button and was taken as the mouse button went down.
  if (found !== null && name !== "" && found.actual === name) return changedField(pressed);
  if (found === null) forgetAllFilled();
  return found === null ? null : { kind: "field_changed", ...found };
}

function forgetEdited(event: KeyboardEvent): void {
  const got = event.composedPath()[0];
  if (event.isTrusted && event.key !== "Tab" && isElement(got)) forgetFilled(got);
}

/** The innermost element that got the event; of what is in a closed root, the event itself tells only the host. */
function receiver(event: Event): EventTarget | undefined {
  const got = event.composedPath()[0];
  if (!isElement(got) || got.shadowRoot !== null || shadowOf(got) === null) return got;
  const { clientX, clientY } = event as MouseEvent;
  return hitIn(got.ownerDocument, clientX, clientY) ?? got;
}

function checkArrival(event: Event): void {
  if (expectedTarget === null || !event.isTrusted) return;
  const got = receiver(event);
  if (!isElement(got) || !receives(expectedTarget, got)) return;
  expectedTarget = null;
  targetReached = true;
  onArrival?.(true);
}

const ARRIVAL = 150; // milliseconds after which an input that was answered but not seen went elsewhere

/** Resolves once the press that is expected has come and gone, or when it has not come for a while. */
export function landing(): Promise<void> | null {
  if (expected === null || done) return null;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ARRIVAL);
    landed = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

/** The element at a place that looks like one that was replaced. */
function replacement(old: Element, at: Element | null): Element | null {
  const found = at?.closest(old.localName) ?? null;
  return found !== null && found !== old && describe(found) === named ? found : null;
}

function checkPress(event: Event): void {
  if (expected === null || !event.isTrusted) return;
  // Drawn anew as the pointer went down: what then comes is for what stands in its place.
  if (event.type === "mousedown" && !expected.isConnected) {
    const { clientX, clientY } = event as MouseEvent;
    const stands = replacement(expected, hitIn(expected.ownerDocument, clientX, clientY));
    if (stands !== null) {
      if (holds(stands, receiver(event) as Node)) expected = stands;
      arrived = true;
      return;
    }
  }
  const down = event.type === "pointerdown" || event.type === "mousedown";
  if (down && !arrived) {
    noteHovered(expected.ownerDocument);
    focusedBefore = expected.ownerDocument.activeElement;
  }
  // A release alone is none of ours: its press went to another process.
  arrived ||= down;
  if (event.type === "mouseup") {
    missed ??= changedField(expected);
    done = true;
    released = event as MouseEvent;
    // The click itself follows in the same task.
    if (landed !== null) setTimeout(landed, 0);
    landed = null;
  }
  const got = receiver(event);
  clicked ||= /click|contextmenu/.test(event.type) && isElement(got) && receives(expected, got);
  if (missed === null && down && isElement(got) && !receives(expected, got))
    missed = { kind: "intercepted", by: tagOf(got) };
  if (missed !== null) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}

// Now, so that no listener of the page comes first.
watch(window);

/**
 * Why the press that is expected did not do what it is for; null when all is well. A press without its release is still expected
 * afterwards, for the release may be sent again.
 */
export function takeMissedPress(): MissedPress | null {
  if (expected === null) return null;
  if (missed === null && arrived && !done && expected.isConnected && window !== window.top)
    return { kind: "release_lost" };
  let why = missed ?? (arrived ? null : PRESS_LOST);
  if (why === null && done && !clicked && released !== null && !expected.isConnected) {
    const stands = hitIn(expected.ownerDocument, released.clientX, released.clientY);
    if (replacement(expected, stands) !== null) why = { kind: "replaced" };
  }
  expected = null;
  missed = null;
  return why;
}
const PRESS_LOST: MissedPress = { kind: "press_lost" };
