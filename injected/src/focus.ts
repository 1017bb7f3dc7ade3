// Keeps keys and inserted text to the element they are for. Browser input goes to whatever has the focus when it arrives;
// so each event is looked at before the page sees it, and one that is for another element goes to none.

import { shadowOf } from "./capture-registry";
import { describe } from "./find";
import type { SuppressInput } from "./generated";
import { frameOf } from "./geometry";

/** The innermost element that has the focus: through shadow roots and frames that this world sees. */
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

/** Whether input would go to this element: it has the focus in its tree, and so has each host and frame around it. */
export function hasFocus(element: Element): boolean {
  let node: Element | null = element;
  while (node !== null) {
    const root = node.getRootNode() as Document | ShadowRoot;
    // What is inside of an editable element is edited through it.
    if (
      root.activeElement !== node &&
      !(root.activeElement?.contains(node) && (root.activeElement as HTMLElement).isContentEditable)
    )
      return false;
    node = root.nodeType === 9 ? frameOf(root as Document) : (root as ShadowRoot).host;
  }
  return true;
}

/** Text that is split over several fields goes on in the next one when this one is full, as with a code of six digits. */
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
  /** Null in a frame that no input is meant for. */
  element: Element | null;
  /** Only the first key counts: it may move the focus on. */
  once: boolean;
  /** The fields that a split text went into. */
  parts: Element[];
  strayed?: string;
}
let bound: Binding | null = null;
const watched = new WeakSet<Window>();
const MODIFIER = /^(Control|Shift|Alt|Meta)$/;

/** From now on input is for this element only; null when it is for another frame's. */
export function bind(element: Element | null, once = false): Binding {
  if (element !== null) watch(element.ownerDocument.defaultView!);
  bound = { element, once, parts: element === null ? [] : [element] };
  return bound;
}

/** Input is for whatever has the focus again. */
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

// Now, so that no listener of the page comes first.
watch(window);
