// Elements whose clicks jQuery handles at one of their ancestors: `$(document).on("click", ".row", …)`. No listener is
// added to them, but jQuery knows their selectors. Other code that handles clicks at an ancestor states them nowhere.

const MOST_HOSTS = 1_000;
const MOST_SELECTORS = 100; // the most selectors that are queried at a capture
const MOST_ELEMENTS = 2_000; // the most elements that are reported at a capture

interface Handler {
  selector?: string;
}

const hosts = new Set<WeakRef<Document | Element>>();
const known = new WeakSet<object>();
const reported = new WeakSet<Element>();

/** Notes an object with a listener for clicks, which may be that of jQuery. */
export function noteHost(target: unknown): void {
  if (!(target instanceof Element || target instanceof Document)) return;
  if (known.has(target) || hosts.size >= MOST_HOSTS) return;
  known.add(target);
  hosts.add(new WeakRef(target));
}

/** Calls `report` for each element that matches a selector of jQuery, once. */
export function reportDelegated(types: ReadonlySet<string>, report: (element: Element) => void): void {
  const data = (window as any).jQuery?._data;
  if (typeof data !== "function") return;
  let [selectors, elements] = [0, 0];
  for (const reference of hosts) {
    const host = reference.deref();
    if (host === undefined) hosts.delete(reference);
    else
      for (const selector of selectorsOf(data, host, types)) {
        if (++selectors > MOST_SELECTORS) return;
        for (const element of matching(host, selector)) {
          if (reported.has(element)) continue;
          if (++elements > MOST_ELEMENTS) return;
          reported.add(element);
          report(element);
        }
      }
  }
}

function selectorsOf(data: Function, host: object, types: ReadonlySet<string>): Set<string> {
  const selectors = new Set<string>();
  try {
    const events = data(host, "events") as Record<string, Handler[]> | undefined;
    for (const type of types)
      for (const { selector } of events?.[type] ?? []) if (typeof selector === "string") selectors.add(selector);
  } catch {} // another version of jQuery
  return selectors;
}

function matching(host: Document | Element, selector: string): Iterable<Element> {
  try {
    return host.querySelectorAll(selector);
  } catch {
    return []; // jQuery has selectors of its own
  }
}
