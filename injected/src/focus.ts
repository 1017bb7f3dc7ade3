// Restricts keys and inserted text to the intended element. Input from the browser goes to whatever has the focus when
// it arrives. Each event is therefore checked before the page receives it, and suppressed if it goes to another
// element.

import { shadowOf } from "./capture-registry";
import { describe } from "./find";
import type { SuppressInput } from "./generated";
import { frameOf } from "./geometry";

/** The innermost focused element, across shadow roots and frames that this world can access. */
export function active(): Element {
  let document: Document = window.document;
  for (;;) {
    let element: Element | null = document.activeElement;
    for (let root = element && shadowOf(element); root?.activeElement; root = element && shadowOf(element))
      element = root.activeElement;
    if (element === null) return document.body ?? document.documentElement;
    let inner: Document | null = null;
    if (element.localName === "iframe" || element.localName === "frame")
      inner = (element as HTMLIFrameElement).contentDocument;
    if (inner === null) return element;
    document = inner;
  }
}

/** Whether input would go to this element: it has the focus in its tree, and so does each host and frame around it. */
export function hasFocus(element: Element): boolean {
  let node: Element | null = element;
  while (node !== null) {
    const root = node.getRootNode() as Document | ShadowRoot;
    // An element inside editable content is edited through the editable element.
    if (
      root.activeElement !== node &&
      !(root.activeElement?.contains(node) && (root.activeElement as HTMLElement).isContentEditable)
    )
      return false;
    node = root.nodeType === 9 ? frameOf(root as Document) : (root as ShadowRoot).host;
  }
  return true;
}

/**
 * Whether a text that is split over several fields continues in the next field because this one is full, as with a
 * code of six digits.
 */
export function follows(from: Element, to: Element): boolean {
  const [full, next] = [from as HTMLInputElement, to as HTMLInputElement];
  if (full.localName !== "input" || next.localName !== "input" || full.ownerDocument !== next.ownerDocument)
    return false;
  const around = full.closest("form,fieldset,[role=group]") ?? full.parentElement?.parentElement;
  return (
    full.maxLength > 0 &&
    full.value.length >= full.maxLength &&
    next.maxLength > 0 &&
    !!around?.contains(next) &&
    (next.type !== "password") === (full.type !== "password")
  );
}

interface Binding {
  /** The element that input is intended for; null in a frame that must not receive input. */
  element: Element | null;
  /** Whether only the first key is checked, because it may move the focus. */
  once: boolean;
  /** The fields that received parts of a split text. */
  parts: Element[];
  strayed?: string;
}
let bound: Binding | null = null;
const watched = new WeakSet<Window>();
const MODIFIER = /^(Control|Shift|Alt|Meta)$/;

/** Restricts input to this element from now on; null suppresses all input, which is intended for another frame. */
export function bind(element: Element | null, once = false): Binding {
  if (element !== null) watch(element.ownerDocument.defaultView!);
  bound = { element, once, parts: element === null ? [] : [element] };
  return bound;
}

/** Ends the restriction: input goes to whatever has the focus. */
export function unbind(): void {
  bound = null;
}

export function suppressInput({ durationMs }: SuppressInput): void {
  const binding = bind(null);
  setTimeout(() => bound === binding && unbind(), durationMs);
}

function keep(event: Event): void {
  if (bound === null || !event.isTrusted) return;
  const { element } = bound;
  if (element !== null && bound.strayed === undefined) {
    if (hasFocus(bound.parts[bound.parts.length - 1])) {
      if (bound.once && event.type === "keydown" && !MODIFIER.test((event as KeyboardEvent).key)) unbind();
      return;
    }
    const now = active();
    if (follows(bound.parts[bound.parts.length - 1], now)) {
      bound.parts.push(now);
      return;
    }
    bound.strayed = describe(now);
  }
  event.preventDefault();
  event.stopImmediatePropagation();
}

function watch(view: Window): void {
  if (watched.has(view)) return;
  watched.add(view);
  for (const type of ["keydown", "keypress", "beforeinput"])
    view.addEventListener(type, keep, { capture: true, passive: false });
}

// Registered now, so that no listener of the page runs first.
watch(window);
