// The pointer of a person: what is under a point, and whether the page handles the wheel and accepts what is dragged.

import { element as byNumber } from "./capture-registry";
import { describe, roleName } from "./find";
import type * as Bridge from "./generated";
import { above, tagOf } from "./geometry";
import { hitIn } from "./hit";
import { arm } from "./settle";

export function describePoint({ key, x, y }: Bridge.DescribePoint): Bridge.PointInfo {
  arm(key, window);
  const hit = hitIn(document, x, y);
  let what: string | null = hit && tagOf(hit);
  // The icon in a button is described as the button.
  for (let node: Node | null = hit, far = 0; node !== null && far < 5; node = above(node), far++) {
    if (node.nodeType !== 1 || /^(body|html)$/i.test((node as Element).localName)) continue;
    const { role, name } = roleName(node as Element);
    if (role && role !== "generic" && (name || role === "iframe")) {
      what = describe(node as Element);
      break;
    }
  }
  return { view: [innerWidth, innerHeight], what };
}

export function wheelHandled({ timeoutMs }: Bridge.WheelHandled): Promise<boolean> {
  return new Promise((resolve) => {
    const once = { capture: true, once: true, passive: true };
    // The page's own handlers in this frame run first.
    addEventListener("scroll", () => requestAnimationFrame(() => resolve(true)), once);
    addEventListener("wheel", (event) => setTimeout(() => event.defaultPrevented && resolve(true)), once);
    setTimeout(resolve, timeoutMs, false);
  });
}

let accepted: Promise<boolean> | null = null;

/** A page accepts a drop by preventing the default of `dragover`. */
export function watchDragOver({ element }: Bridge.WatchDragOver): void {
  const view = byNumber(element)?.ownerDocument.defaultView;
  accepted = new Promise((resolve) => {
    // The check runs after all of the page's handlers, which may be called later than this one.
    view?.addEventListener("dragover", (event) => setTimeout(() => resolve(event.defaultPrevented)), {
      capture: true,
      once: true,
    });
  });
}

export function acceptsDrop({ timeoutMs }: Bridge.AcceptsDrop): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, timeoutMs, false));
  return Promise.race([accepted ?? late, late]);
}
