// Checks whether the pointer, and then a press, reach the intended element.
//
// Moving the pointer may itself change the page (a menu closes, the layout shifts). The element that actually receives
// the press is therefore checked in the event, before the page receives it. A press that would reach another element is
// suppressed.

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
// The element that the pointer is moved to, and whether the pointer has arrived there.
let expectedTarget: Element | null = null;
let targetReached = false;
let onArrival: ((there: boolean) => void) | null = null;
// The description of the expected element, whether it received a click, and the event of the button's release.
let named = "";
let clicked = false;
let released: MouseEvent | null = null;
const watched = new WeakSet<Window>();

/** Notes that the next press is intended for this element. */
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

/** Forgets the expected press, because another action begins. */
export function forgetExpectedPress(): void {
  expected = null;
}

/** Notes that the pointer is about to be moved to this element. */
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

// The element that had the focus when the mouse button went down.
let focusedBefore: Element | null = null;

// Names of buttons that cancel or close, and therefore submit nothing.
const LEAVES =
  /^(cancel|close|back|reset|clear|discard|dismiss|remove|×|✕|abbrechen|zurück|schließen|verwerfen|annuler|fermer|retour|cancelar|cerrar|volver|annulla|chiudi)/i;

/** The field that lost its value, if the press may submit it. */
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
    // By the time of the check, the field may have lost the focus, so the earlier focused element is considered too.
    for (const field of [focusedBefore, pressed.ownerDocument.activeElement]) if (field !== null) forgetFilled(field);
    return null;
  }
  const found = lostField();
  // The pressed button is a suggestion for the field, which took its text when the mouse button went down.
  if (found !== null && name !== "" && found.actual === name) return changedField(pressed);
  if (found === null) forgetAllFilled();
  return found === null ? null : { kind: "field_changed", ...found };
}

function forgetEdited(event: KeyboardEvent): void {
  const got = event.composedPath()[0];
  if (event.isTrusted && event.key !== "Tab" && isElement(got)) forgetFilled(got);
}

/**
 * The innermost element that receives the event. For an element in a closed root, the event itself reveals only the
 * host.
 */
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

const ARRIVAL = 150; // milliseconds after which an input that was answered but did not arrive here went elsewhere

/** Resolves once the expected press has arrived and ended, or if it does not arrive within a short time. */
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

/** The element at a position that has the description of an element that was replaced. */
function replacement(old: Element, at: Element | null): Element | null {
  const found = at?.closest(old.localName) ?? null;
  return found !== null && found !== old && describe(found) === named ? found : null;
}

function checkPress(event: Event): void {
  if (expected === null || !event.isTrusted) return;
  // If the element was replaced when the pointer went down, the following events are intended for its replacement.
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
  // A release without a press does not count, because the press was delivered to the process of another frame.
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

// Registered now, so that no listener of the page runs first.
watch(window);

/**
 * Why the expected press did not take effect; null if it did. A press without its release remains expected afterwards,
 * because the release may be sent again.
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
