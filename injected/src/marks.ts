// Set-of-marks: boxes with refs over elements that can be acted on, while a picture is taken. They are drawn in a
// closed shadow root above everything else and accept no pointer events. `removeMarks` removes them; if it is not
// called, they remove themselves.

import { element as byNumber } from "./capture-registry";
import type { DrawMarks } from "./generated";
import { frameOf, insideOf } from "./geometry";

const COLOURS = ["#c2185b", "#1565c0", "#2e7d32", "#b34700", "#6a1b9a", "#00696b"];
const LEFT_BEHIND = 10_000; // milliseconds after which the marks remove themselves if they were not removed

let host: HTMLElement | null = null;
let timer = 0;

/** Draws a labelled box around each element. Elements without a box in the view are omitted. */
export function drawMarks({ labels }: DrawMarks): number {
  removeMarks();
  const overlay = document.createElement("div");
  overlay.style.cssText =
    "all:initial!important;position:fixed!important;inset:0!important;width:100vw!important;height:100vh!important;pointer-events:none!important;z-index:2147483647!important;background:none!important;overflow:visible!important";
  const root = overlay.attachShadow({ mode: "closed" });
  let drawn = 0;
  for (const [number, label] of labels) {
    const element = byNumber(number);
    const box = element && boxOf(element);
    if (!box) continue;
    const colour = COLOURS[drawn++ % COLOURS.length];
    const frame = document.createElement("div");
    frame.style.cssText = `position:fixed;left:${box.x}px;top:${box.y}px;width:${box.width}px;height:${box.height}px;box-sizing:border-box;border:2px solid ${colour}`;
    const name = document.createElement("span");
    // The label is above the box, so that the element's text stays readable; at the upper edge of the view, it is
    // inside the box.
    name.style.cssText = `position:absolute;left:-2px;top:${box.y >= 15 ? -15 : -2}px;font:bold 11px/13px monospace;padding:0 2px;color:#fff;background:${colour};white-space:nowrap`;
    name.textContent = label;
    frame.append(name);
    root.append(frame);
  }
  document.documentElement.append(overlay);
  host = overlay;
  try {
    // A popover is also above open dialogs, if the browser supports it.
    overlay.setAttribute("popover", "manual");
    (overlay as unknown as { showPopover(): void }).showPopover();
  } catch {
    overlay.removeAttribute("popover");
  }
  timer = setTimeout(removeMarks, LEFT_BEHIND) as unknown as number;
  return drawn;
}

export function removeMarks(): void {
  clearTimeout(timer);
  host?.remove();
  host = null;
}

/** The position of an element in this world's view; null if no part of it is in the view. */
function boxOf(element: Element): { x: number; y: number; width: number; height: number } | null {
  let { x, y, width, height } = element.getBoundingClientRect();
  for (let frame = frameOf(element.ownerDocument); frame !== null; frame = frameOf(frame.ownerDocument)) {
    const inside = insideOf(frame);
    [x, y, width, height] = [
      inside.x + x * inside.scale,
      inside.y + y * inside.scale,
      width * inside.scale,
      height * inside.scale,
    ];
  }
  const seen = width >= 3 && height >= 3 && x < innerWidth && y < innerHeight && x + width > 0 && y + height > 0;
  return seen ? { x, y, width, height } : null;
}
