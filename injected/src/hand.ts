// What a hand does that no action of a model does: what lies under a point, whether a dragged thing would be taken, and
// boxes that stay around elements for a person to see.

import { element as byNumber } from "./capture";
import { describe, roleName } from "./find";
import { above, boxOf, hitIn, tagOf } from "./hit";
import { arm } from "./settle";

/** A hand's gesture begins at a point: the view's size, and what lies there in a few words. */
export function under(key: string, x: number, y: number): { view: [number, number]; what: string | null } {
  arm(key, window);
  const hit = hitIn(document, x, y);
  let told: string | null = hit && tagOf(hit);
  // The icon in a button is the button to whoever reads of it.
  for (let node: Node | null = hit, far = 0; node !== null && far < 5; node = above(node), far++) {
    if (node.nodeType !== 1 || /^(body|html)$/i.test((node as Element).localName)) continue;
    const { role, name } = roleName(node as Element);
    if (role && role !== "generic" && (name || role === "iframe")) {
      told = describe(node as Element);
      break;
    }
  }
  return { view: [innerWidth, innerHeight], what: told };
}

/** Resolves once something of this document was scrolled or the page used the wheel for something else, or after `ms`. */
export function wheeled(ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const once = { capture: true, once: true, passive: true };
    // The page's own handlers of the frame come before.
    addEventListener("scroll", () => requestAnimationFrame(() => resolve(true)), once);
    addEventListener("wheel", (event) => setTimeout(() => event.defaultPrevented && resolve(true)), once);
    setTimeout(resolve, ms, false);
  });
}

let taken: Promise<boolean> | null = null;

/** From now on it is noticed whether the page takes what is dragged over an element: who does not refuse the default does not. */
export function awaitDrag(number: number): void {
  const view = byNumber(number)?.ownerDocument.defaultView;
  taken = new Promise((resolve) => {
    // After the page's own handlers, all of which may be called later than this one.
    view?.addEventListener("dragover", (event) => setTimeout(() => resolve(event.defaultPrevented)), { capture: true, once: true });
  });
}

/** Whether it did, within so long. */
export function takesDrag(ms: number): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, ms, false));
  return Promise.race([taken ?? late, late]);
}

const STYLE = "outline:2px solid #c2185b;background:#c2185b22";
let host: HTMLElement | null = null;
let root: ShadowRoot;
const boxes = new Map<Element, HTMLElement>();

/**
 * Draws a box around an element that stays until it is hidden or the page goes. It takes no pointer, and no observation says
 * anything of it: its host is an element without size and content, which the walk does not look into.
 */
export function highlight(number: number, style: string): boolean {
  const element = byNumber(number);
  if (!element) return false;
  if (host === null) {
    host = document.createElement("div");
    host.style.cssText = "all:initial!important;position:fixed!important;inset:0 auto auto 0!important;width:0!important;height:0!important;z-index:2147483647!important";
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

/** Takes the box of one element away, or all of them; answers how many. */
export function unhighlight(number: number | null): number {
  const wanted = number === null ? null : byNumber(number);
  let gone = 0;
  for (const [element, box] of boxes) {
    if (wanted !== null && element !== wanted) continue;
    box.remove();
    boxes.delete(element);
    gone++;
  }
  if (boxes.size === 0) host?.remove();
  return gone;
}

function follow(): void {
  for (const [element, box] of boxes) {
    const [x, y, width, height] = boxOf(element);
    for (const [side, length] of Object.entries({ left: x, top: y, width, height })) box.style.setProperty(side, length + "px");
  }
}
