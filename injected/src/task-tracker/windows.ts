// Windows that the page opens, and downloads by links.

import { answer } from "../tracker-channel";
import { KEY, tracker } from "./state";
import { wrap } from "./wrap";

// The addresses of windows that were opened since the action began by code that was scheduled earlier. They are not
// attributed to the action.
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

// A link that starts a download causes no network event at first; the browser reports the download once it has begun.
let saved = 0;
let clicks: Event[] = [];
const saves = (node: unknown): boolean =>
  node instanceof HTMLAnchorElement && node.hasAttribute("download") && node.hasAttribute("href");
addEventListener("click", (event) => event.composedPath().some(saves) && clicks.push(event), { capture: true });
// Scripts also start downloads with links that are in no document, whose clicks reach no listener here.
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

// Firefox asks the page whether it may be left, and begins the navigation, some time after the click on a link.
let followed: { click: Event; address: string }[] = [];
const leads = (node: unknown): node is HTMLAnchorElement => {
  if (!(node instanceof HTMLAnchorElement) || !/^https?:$/.test(node.protocol) || saves(node)) return false;
  return /^(_self|_top)?$/i.test(node.target || document.querySelector<HTMLBaseElement>("base[target]")?.target || "");
};
const withoutFragment = (address: string): string => address.split("#")[0];
addEventListener(
  "click",
  (click) => {
    const link = click.composedPath().find(leads);
    const opensTab = click.ctrlKey || click.metaKey || click.shiftKey || click.altKey;
    if (link && !opensTab && window === top) followed.push({ click, address: link.href });
  },
  { capture: true },
);

/** Whether a link was followed that leads to another document, which a script has not shown in place of this one. */
export const leavesPage = (): boolean =>
  followed.some(
    ({ click, address }) => !click.defaultPrevented && withoutFragment(address) !== withoutFragment(location.href),
  );

/** The number of downloads that the action caused. */
export const countDownloads = (): number => saved + clicks.filter((click) => !click.defaultPrevented).length;

/** Notes that an action begins. */
export function forgetOpened(): void {
  saved = 0;
  clicks = [];
  followed = [];
  strays = [];
}

answer(KEY, "strays", () => strays);
