// Numbers for elements, so that what was read can be acted on: a number names one element of this world for good.

const numbers = new WeakMap<Element, number>();
const elements = new Map<number, WeakRef<Element>>();
const secrets = new WeakSet<Element>();
let last = 0;

/** Closed shadow roots that markup made, which no script can see; the debugger hands them in. */
const closedRoots = new WeakMap<Element, ShadowRoot>();

let anyClosed = false;

/** Elements that may have such a root, each told of once. */
let possibleClosedRoots: Element[] = [];
const toldOf = new WeakSet<Element>();
const MOST = 500; // at once; the rest with the next reading

/** Wants the debugger asked whether an element has a closed root. */
export function notePossibleClosedRoot(element: Element): void {
  if (possibleClosedRoots.length < MOST && !toldOf.has(element)) possibleClosedRoots.push(element);
}

const looked = new WeakSet<Element>();

/** Whether an element is looked at for this the first time. Its root came with its markup, so that once is enough. */
export function firstLook(element: Element): boolean {
  if (looked.has(element)) return false;
  looked.add(element);
  return true;
}

/** How many elements wait to be asked about. */
export function countPossibleClosedRoots(): number {
  return possibleClosedRoots.length;
}

export function takePossibleClosedRoots(): Element[] {
  const taken = possibleClosedRoots.filter((element) => element.isConnected);
  for (const element of possibleClosedRoots) toldOf.add(element);
  possibleClosedRoots = [];
  return taken;
}

/** Makes a closed root known, so that it is read like an open one. */
export function registerClosedRoot(host: Element, root: ShadowRoot): void {
  closedRoots.set(host, root);
  anyClosed = true;
}

/** The shadow root of an element, a closed one too where it is known. */
export function shadowOf(element: Element): ShadowRoot | null {
  return element.shadowRoot ?? (anyClosed ? (closedRoots.get(element) ?? null) : null);
}

/** The number of an element, a new one when it has none yet. */
export function idOf(element: Element): number {
  let number = numbers.get(element);
  if (number === undefined) {
    number = ++last;
    numbers.set(element, number);
    elements.set(number, new WeakRef(element));
  }
  return number;
}

/** The element of a number; undefined when it is gone or no longer in its document. */
export function element(number: number): Element | undefined {
  const found = elements.get(number)?.deref();
  return found?.isConnected ? found : undefined;
}

/** Marks a field whose value must not be read: a secret was typed there. */
export function markSecret(element: Element): void {
  secrets.add(element);
}

/** Whether a secret was typed into it. */
export function isMarked(element: Element): boolean {
  return secrets.has(element);
}

/** Whether a field's value must not be read. */
export function isSecret(element: Element): boolean {
  return secrets.has(element) || (element as HTMLInputElement).type === "password";
}

/** Forgets numbers whose elements are gone, so that a page that lives for days does not fill the table. */
export function sweep(): void {
  if (elements.size < nextSweep) return;
  for (const [number, reference] of elements) if (!reference.deref()) elements.delete(number);
  nextSweep = elements.size * 2 + 10_000;
}
let nextSweep = 20_000;
