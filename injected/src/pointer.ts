// What a hand does that no action of a model does: what lies under a point, whether a dragged thing would be taken, and
// boxes that stay around elements for a person to see.

import { element as byNumber } from "./capture-registry";
import { describe, roleName } from "./find";
import type * as Bridge from "./generated";
import { above, boxOf, hitIn, tagOf } from "./hit";
import { arm } from "./settle";

export function describePoint({ key, x, y }: Bridge.DescribePoint): Bridge.PointInfo {
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

export function wheelHandled({ timeoutMs }: Bridge.WheelHandled): Promise<boolean> {
  return new Promise((resolve) => {
    const once = { capture: true, once: true, passive: true };
    // The page's own handlers of the frame come before.
    addEventListener("scroll", () => requestAnimationFrame(() => resolve(true)), once);
    addEventListener("wheel", (event) => setTimeout(() => event.defaultPrevented && resolve(true)), once);
    setTimeout(resolve, timeoutMs, false);
  });
}

let accepted: Promise<boolean> | null = null;

/** A page that does not prevent the default does not accept it. */
export function watchDragOver({ element }: Bridge.WatchDragOver): void {
  const view = byNumber(element)?.ownerDocument.defaultView;
  accepted = new Promise((resolve) => {
    // After the page's own handlers, all of which may be called later than this one.
    view?.addEventListener("dragover", (event) => setTimeout(() => resolve(event.defaultPrevented)), { capture: true, once: true });
  });
}

export function acceptsDrop({ timeoutMs }: Bridge.AcceptsDrop): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, timeoutMs, false));
  return Promise.race([accepted ?? late, late]);
}

const STYLE = "outline:2px solid #c2185b;background:#c2185b22";
let host: HTMLElement | null = null;
let root: ShadowRoot;
const boxes = new Map<Element, HTMLElement>();

/**
 * The box takes no pointer, and no observation says anything of it: its host is an element without size and content, which the
 * walk does not look into.
 */
export function highlight({ element: number, style }: Bridge.Highlight): boolean {
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

export function unhighlight({ element }: Bridge.Unhighlight): number {
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
    for (const [side, length] of Object.entries({ left: x, top: y, width, height })) box.style.setProperty(side, length + "px");
  }
}
