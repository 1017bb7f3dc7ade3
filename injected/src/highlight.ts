// Lasting boxes around elements, for a person who watches.

import { element as byNumber } from "./capture-registry";
import type { Highlight, Unhighlight } from "./generated";
import { boxOf } from "./geometry";

const STYLE = "outline:2px solid #c2185b;background:#c2185b22";
let host: HTMLElement | null = null;
let root: ShadowRoot;
const boxes = new Map<Element, HTMLElement>();

/**
 * The box accepts no pointer events and is not observed: its host is an element without size and content, whose shadow
 * root the capture does not enter.
 */
export function highlight({ element: number, style }: Highlight): boolean {
  const element = byNumber(number);
  if (!element) return false;
  if (host === null) {
    host = document.createElement("div");
    host.style.cssText =
      "all:initial!important;position:fixed!important;inset:0 auto auto 0!important;width:0!important;height:0!important;z-index:2147483647!important";
    root = host.attachShadow({ mode: "closed" });
    for (const moved of ["scroll", "resize"]) addEventListener(moved, follow, { capture: true, passive: true });
  }
  if (!host.isConnected) document.documentElement.append(host);
  boxes.get(element)?.remove();
  const box = document.createElement("div");
  box.style.cssText = STYLE + ";" + style + ";position:fixed;box-sizing:border-box;pointer-events:none";
  boxes.set(element, box);
  root.append(box);
  follow();
  return true;
}

export function unhighlight({ element }: Unhighlight): number {
  const only = element === null ? null : byNumber(element);
  let gone = 0;
  for (const [highlighted, box] of boxes) {
    if (only !== null && highlighted !== only) continue;
    box.remove();
    boxes.delete(highlighted);
    gone++;
  }
  if (boxes.size === 0) host?.remove();
  return gone;
}

function follow(): void {
  for (const [element, box] of boxes) {
    const [x, y, width, height] = boxOf(element);
    for (const [side, length] of Object.entries({ left: x, top: y, width, height }))
      box.style.setProperty(side, length + "px");
  }
}
