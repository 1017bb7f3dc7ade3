// Activity with later effects that are not counted elsewhere: messages, results from other threads and from the
// browser, and observers that the next frame triggers. Settling waits slightly longer for such a page. A page without
// such activity has settled as soon as its own code has run.

import { tracker } from "./state";
import { prototypeOf, wrap } from "./wrap";

const stirs = (holder: string, ...names: string[]): void => {
  const on = (window as any)[holder]?.prototype ?? (window as any)[holder];
  if (on === undefined) return;
  for (const name of names)
    wrap(
      name,
      (target, self, args) => {
        tracker.stirred = true;
        return Reflect.apply(target, self, args);
      },
      on,
    );
};
stirs("window", "fetch", "postMessage", "createImageBitmap", "showOpenFilePicker", "showSaveFilePicker");
stirs("XMLHttpRequest", "send");
stirs("Blob", "arrayBuffer", "text");
stirs("FileReader", "readAsArrayBuffer", "readAsDataURL", "readAsText");
stirs("MessagePort", "postMessage");
stirs("BroadcastChannel", "postMessage");
stirs("Scheduler", "postTask", "yield");
stirs("History", "back", "forward", "go");
stirs("HTMLMediaElement", "play", "pause", "load");
stirs("HTMLImageElement", "decode");
stirs("HTMLDialogElement", "show", "showModal", "close");
stirs("HTMLElement", "showPopover", "hidePopover", "togglePopover", "scrollTo", "scrollBy", "scrollIntoView");
stirs("Element", "animate");
stirs("Document", "startViewTransition", "hasStorageAccess", "requestStorageAccess");
stirs("IDBFactory", "databases");
stirs("CacheStorage", "open", "match", "has", "delete", "keys");
stirs(
  "SubtleCrypto",
  "digest",
  "encrypt",
  "decrypt",
  "sign",
  "verify",
  "deriveBits",
  "deriveKey",
  "generateKey",
  "importKey",
  "exportKey",
);
stirs("Clipboard", "read", "readText", "write", "writeText");
stirs("Permissions", "query");
stirs("LockManager", "request");
stirs("Geolocation", "getCurrentPosition");
stirs("FontFaceSet", "load");

// These observers report what the next frame shows, as long as they observe.
for (const holder of ["ResizeObserver", "IntersectionObserver"])
  wrap(
    "observe",
    (target, self, args) => {
      tracker.watchful = true;
      return Reflect.apply(target, self, args);
    },
    prototypeOf(holder),
  );
// Elements for which the browser itself acts after an event.
const LATER = "a[href],area[href],summary,[popovertarget],[commandfor],video,audio";
// For an event inside a closed shadow root from markup, only the host is visible here.
const HOSTS = /-|^(article|aside|blockquote|div|footer|h[1-6]|header|main|nav|p|section|span)$/;
const sealed = (node: unknown): boolean =>
  node instanceof Element &&
  HOSTS.test(node.localName) &&
  (node.localName.includes("-") || !/\S/.test(node.textContent!));
addEventListener("submit", () => (tracker.stirred = true), { capture: true });
addEventListener("scroll", () => (tracker.stirred = true), { capture: true, passive: true });
for (const type of ["click", "keydown"])
  addEventListener(
    type,
    (event) => {
      const path = event.composedPath();
      tracker.stirred ||= sealed(path[0]) || path.some((node) => node instanceof Element && node.matches(LATER));
    },
    { capture: true },
  );
