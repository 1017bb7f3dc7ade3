// What the page changes by itself: the script in the page's own world (pulse.ts) says when it runs callbacks that were asked
// for before the last action or the last reading; what such a callback changes would have changed anyway.
//
// The observer is connected only while such a callback runs, so that a page that changes nothing by itself pays nothing.

let changed = new WeakSet<Node>();
let any = false;
let key = "";

const observer = new MutationObserver(() => {});

/** Listens to the script in the page's own world; `given` is the name of its events. */
export function watchChurn(given: string): void {
  if (key !== "") return;
  key = given;
  addEventListener(key + "-own", () => observer.observe(document, { subtree: true, childList: true, characterData: true }));
  addEventListener(key + "-owned", () => {
    for (const record of observer.takeRecords()) {
      if (record.type === "characterData") note(record.target.parentElement);
      for (const node of record.addedNodes) note(node.nodeType === 1 ? node : record.target);
    }
    observer.disconnect();
  });
}

function note(node: Node | null): void {
  if (node === null) return;
  changed.add(node);
  any = true;
}

/** What changed by itself since the last reading; from now on it is collected anew. */
export function takeChurn(): { has(node: Node): boolean } | null {
  const taken = any ? changed : null;
  if (any) [changed, any] = [new WeakSet(), false];
  if (key !== "") dispatchEvent(new Event(key + "-read"));
  return taken;
}
