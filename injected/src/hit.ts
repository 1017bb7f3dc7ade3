// Where an element can be clicked, and whether it is the element that would get the click.

import { shadowOf } from "./capture-registry";
import { above, frameOf, holds, insideOf, isElement, tagOf } from "./geometry";

/** The innermost element that is drawn at a point. */
export function hitIn(document: Document, x: number, y: number): Element | null {
  let root: DocumentOrShadowRoot = document;
  let hit: Element | null = null;
  for (;;) {
    const next: Element | null = root.elementFromPoint(x, y);
    if (next === null || next === hit) return hit;
    hit = next;
    const shadow: ShadowRoot | null = shadowOf(next);
    if (shadow === null) return hit;
    root = shadow;
  }
}

/** The most of what an obstacle says that a message repeats. */
const OBSTACLE_TEXT = 60;

/** How what lies above an element is shown in a message: the bar or window that it belongs to, and how that begins. */
export function obstacle(hit: Element): string {
  let whole = hit;
  for (let node: Node | null = hit; node !== null; node = above(node)) {
    if (
      isElement(node) &&
      node.localName !== "body" &&
      node.localName !== "html" &&
      /fixed|sticky/.test(getComputedStyle(node).position)
    )
      whole = node;
  }
  const text = (whole.getAttribute("aria-label") ?? (whole as HTMLElement).innerText ?? "").replace(/\s+/g, " ").trim();
  if (text === "") return tagOf(whole);
  return tagOf(whole) + " " + JSON.stringify(text.length > OBSTACLE_TEXT ? text.slice(0, OBSTACLE_TEXT) + "…" : text);
}

/** What takes clicks by itself. */
export const INTERACTIVE =
  "a[href],button,input,select,textarea,label,summary,option,[contenteditable],[onclick],[tabindex],[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=option],[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=treeitem],[role=combobox],[role=gridcell]";

const ignoresPointer = (element: Element): boolean => getComputedStyle(element).pointerEvents === "none";

/** Whether what lies around an element that lets clicks through is what the click is for, as with an icon in a button. */
function isPartOfControl(element: Element, hit: Element): boolean {
  for (let node: Node | null = element; node !== null; node = above(node)) {
    if (isElement(node) && node.matches(INTERACTIVE)) return !ignoresPointer(node) && holds(node, hit);
  }
  return getComputedStyle(hit).cursor === "pointer";
}

const BOX = 4; // levels from the input of a list to the box that is drawn for it

/** Whether what is hit is the placeholder or the value that is drawn over the input of a list, in a box that has no other control. */
function isShownValue(element: Element, hit: Element): boolean {
  if (element.localName !== "input" || element.getAttribute("role") !== "combobox") return false;
  let box: Element | null = element.parentElement;
  for (let up = 1; up < BOX && box !== null && !holds(box, hit); up++) box = box.parentElement;
  if (box === null || !holds(box, hit) || /^(body|form|main|section|dialog|fieldset)$/.test(box.localName))
    return false;
  for (let node: Node | null = hit; node !== null && node !== box; node = above(node))
    if (isElement(node) && node.matches(INTERACTIVE)) return false;
  const controls = box.querySelectorAll("input,select,textarea,button,a[href],[role=button],[role=combobox]");
  return Array.from(controls).every((control) => control === element || !control.checkVisibility());
}

export function receives(element: Element, hit: Element): boolean {
  if (holds(element, hit)) return true;
  const label = hit.closest("label");
  if (label !== null && label.control === element) return true;
  if (isShownValue(element, hit)) return true;
  // Clicks fall through to what is around it, as with an icon in a button.
  return holds(hit, element) && ignoresPointer(element) && isPartOfControl(element, hit);
}

/** Points to try, the middle of the largest part first; of a text within the element, those where the text is. */
function points(element: Element, text: Range | null): [number, number][] {
  const view = element.ownerDocument.defaultView!;
  const parts: [number, number, number, number][] = [];
  const boxes = [...(text?.getClientRects() ?? [])].filter((box) => box.width >= 1 && box.height >= 1);
  for (const box of boxes.length > 0 ? boxes : element.getClientRects()) {
    const left = Math.max(box.left, 0),
      top = Math.max(box.top, 0);
    const right = Math.min(box.right, view.innerWidth),
      bottom = Math.min(box.bottom, view.innerHeight);
    if (right - left >= 1 && bottom - top >= 1) parts.push([left, top, right - left, bottom - top]);
  }
  parts.sort((a, b) => b[2] * b[3] - a[2] * a[3]);
  const found: [number, number][] = [];
  for (const [left, top, width, height] of parts.slice(0, 3)) {
    for (const [across, down] of [
      [0.5, 0.5],
      [0.25, 0.5],
      [0.75, 0.5],
      [0.5, 0.2],
      [0.5, 0.8],
    ])
      found.push([left + width * across, top + height * down]);
  }
  return found;
}

/** A point, or what would get a click instead; `through` when the element itself lets it through. */
export type Hit = { x: number; y: number } | { by: string; through?: boolean };

function tryPoints(element: Element, text: Range | null): Hit | null {
  let by: string | null = null;
  let through = false;
  for (let [x, y] of points(element, text)) {
    let wanted: Element = element;
    let hit = hitIn(element.ownerDocument, x, y);
    let reached = hit !== null && receives(element, hit);
    for (let frame = frameOf(element.ownerDocument); reached && frame !== null; frame = frameOf(frame.ownerDocument)) {
      const inside = insideOf(frame);
      [x, y] = [inside.x + x * inside.scale, inside.y + y * inside.scale];
      wanted = frame;
      hit = hitIn(frame.ownerDocument, x, y);
      reached = hit === wanted;
    }
    if (reached) return { x, y };
    if (hit !== null && by === null) {
      by = obstacle(hit);
      through =
        hit.ownerDocument === element.ownerDocument &&
        ignoresPointer(element) &&
        !hitIn(element.ownerDocument, x, y)?.closest("dialog");
    }
  }
  return by === null ? null : { by, through };
}

/** A point at which the element gets the click, after scrolling if need be; else what lies above it, or null when it has none. */
export function hitTarget(element: Element, text: Range | null = null): Hit | null {
  let first: Hit | null = null;
  for (const block of [null, "center", "end", "start"] as const) {
    if (block !== null)
      (text?.startContainer.parentElement ?? element).scrollIntoView({ block, inline: "nearest", behavior: "instant" });
    const hit = tryPoints(element, text);
    if (hit !== null && "x" in hit) return hit;
    first ??= hit;
  }
  return first;
}
