// Waits for the next change of the document since the last capture. A change that comes between the capture and the
// wait counts: it may be the last one, and code that waits for it would wait until the limit.

import type * as Bridge from "./generated";

const ANY = { subtree: true, childList: true, attributes: true, characterData: true };

let changed = false;
const waiting = new Set<() => void>();
// Connected from a capture until the first change, so that a page that changes constantly costs one record per capture.
const observer = new MutationObserver(noteChange);

function noteChange(): void {
  observer.disconnect();
  changed = true;
  for (const resolve of waiting) resolve();
}

/** Notes that the document is captured now: from here on, changes are new. */
export function expectChange(): void {
  observer.disconnect();
  observer.takeRecords();
  changed = false;
  observer.observe(document, ANY);
}

export function waitForChange({ timeoutMs }: Bridge.WaitForChange): Promise<boolean> {
  // A document that was never captured has no earlier state; changes count from now on.
  if (!changed) observer.observe(document, ANY);
  if (changed || observer.takeRecords().length > 0) {
    noteChange();
    return Promise.resolve(true);
  }
  return new Promise((resolve) => {
    const end = (value: boolean) => {
      clearTimeout(timer);
      waiting.delete(noted);
      resolve(value);
    };
    const noted = () => end(true);
    const timer = setTimeout(end, timeoutMs, false);
    waiting.add(noted);
  });
}
