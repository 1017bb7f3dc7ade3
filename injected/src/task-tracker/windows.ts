// Windows that the page opens, and what it downloads by links.

import { answer } from "../tracker-channel";
import { KEY, tracker } from "./state";
import { wrap } from "./wrap";

// Windows that were opened since the action began by code that was put off before: they are not its doing. What is told of them
// are their addresses.
let strays: string[] = [];
const opens = (address: () => string | null | undefined): void => {
  tracker.stirred = true;
  if (!tracker.foreign || strays.length >= 50) return;
  try {
    strays.push(new URL(address() || "about:blank", document.baseURI).href);
  } catch {}
};
const link = (node: unknown): string | undefined =>
  node instanceof Element ? (node.closest("a[href],area[href]") as HTMLAnchorElement | null)?.href : undefined;
wrap("open", (target, self, args) => {
  opens(() => String(args[0] ?? ""));
  return Reflect.apply(target, self, args);
});
for (const name of ["submit", "requestSubmit"])
  wrap(
    name,
    (target, self, args) => {
      opens(() => (self as HTMLFormElement).action);
      return Reflect.apply(target, self, args);
    },
    HTMLFormElement.prototype,
  );

// A link that downloads says nothing on the wire for a moment: the browser tells of the download once it has begun.
let saved = 0;
let clicks: Event[] = [];
const saves = (node: unknown): boolean =>
  node instanceof HTMLAnchorElement && node.hasAttribute("download") && node.hasAttribute("href");
addEventListener("click", (event) => event.composedPath().some(saves) && clicks.push(event), { capture: true });
// Scripts save with links that are in no document, whose clicks nobody hears.
wrap(
  "click",
  (target, self, args) => {
    if (saves(self) && !(self as Node).isConnected) saved++;
    if (tracker.foreign && link(self)) opens(() => link(self));
    return Reflect.apply(target, self, args);
  },
  HTMLElement.prototype,
);
wrap(
  "dispatchEvent",
  (target, self, args) => {
    if (tracker.foreign && args[0]?.type === "click" && link(self)) opens(() => link(self));
    const went = Reflect.apply(target, self, args);
    if (went && args[0]?.type === "click" && saves(self) && !(self as Node).isConnected) saved++;
    return went;
  },
  EventTarget.prototype,
);

/** How many downloads the action set off. */
export const countDownloads = (): number => saved + clicks.filter((click) => !click.defaultPrevented).length;

/** An action begins. */
export function forgetOpened(): void {
  saved = 0;
  clicks = [];
  strays = [];
}

answer(KEY, "strays", () => strays);
