// Assigns numbers to elements, so that captured elements can be acted on. A number always identifies the same element
// of this world.

const numbers = new WeakMap<Element, number>();
const elements = new Map<number, WeakRef<Element>>();
const secrets = new WeakSet<Element>();
let last = 0;

/** Closed shadow roots from markup, which scripts cannot access. They are registered through the debugger. */
const closedRoots = new WeakMap<Element, ShadowRoot>();

let anyClosed = false;

/** Elements that may have such a root. Each is reported once. */
let possibleClosedRoots: Element[] = [];
const toldOf = new WeakSet<Element>();
const MOST = 500; // the most at once; the others follow with the next capture

/** Requests that the debugger checks whether an element has a closed root. */
export function notePossibleClosedRoot(element: Element): void {
  if (possibleClosedRoots.length < MOST && !toldOf.has(element)) possibleClosedRoots.push(element);
}

const looked = new WeakSet<Element>();

/**
 * Whether an element is checked for the first time. Such a root is created together with its host, so one check
 * suffices.
 */
export function firstLook(element: Element): boolean {
  if (looked.has(element)) return false;
  looked.add(element);
  return true;
}

/** The number of elements that are to be checked. */
export function countPossibleClosedRoots(): number {
  return possibleClosedRoots.length;
}

export function takePossibleClosedRoots(): Element[] {
  const taken = possibleClosedRoots.filter((element) => element.isConnected);
  for (const element of possibleClosedRoots) toldOf.add(element);
  possibleClosedRoots = [];
  return taken;
}

/** Registers a closed root, so that it is read like an open one. */
export function registerClosedRoot(host: Element, root: ShadowRoot): void {
  closedRoots.set(host, root);
  anyClosed = true;
}

/** The shadow root of an element, including a closed one if it is registered. */
export function shadowOf(element: Element): ShadowRoot | null {
  return element.shadowRoot ?? (anyClosed ? (closedRoots.get(element) ?? null) : null);
}

/** Whether an element has a number, because it was captured or acted on. */
export const isNumbered = (element: Element): boolean => numbers.has(element);

/** The number of an element; a new one is assigned if it has none. */
export function idOf(element: Element): number {
  let number = numbers.get(element);
  if (number === undefined) {
    number = ++last;
    numbers.set(element, number);
    elements.set(number, new WeakRef(element));
  }
  return number;
}

/** The element with a number; undefined if it is gone or no longer in its document. */
export function element(number: number): Element | undefined {
  const found = elements.get(number)?.deref();
  return found?.isConnected ? found : undefined;
}

/** Marks a field whose value must not be read, because a secret was entered. */
export function markSecret(element: Element): void {
  secrets.add(element);
}

/** Whether a secret was entered into the element. */
export function isMarked(element: Element): boolean {
  return secrets.has(element);
}

/** Whether the value of a field must not be read. */
export function isSecret(element: Element): boolean {
  return secrets.has(element) || (element as HTMLInputElement).type === "password";
}

/**
 * Removes the numbers of elements that are gone, so that the table does not grow without limit on a page that stays
 * open for days.
 */
export function sweep(): void {
  if (elements.size < nextSweep) return;
  for (const [number, reference] of elements) if (!reference.deref()) elements.delete(number);
  nextSweep = elements.size * 2 + 10_000;
}
let nextSweep = 20_000;
