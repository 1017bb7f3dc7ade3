// Determines where an element can be clicked, and whether it would receive the click.

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

/** The most characters of an obstacle's text in a message. */
const OBSTACLE_TEXT = 60;

/**
 * The description of an element that covers another one: the fixed bar or window that contains it, and the beginning
 * of its text.
 */
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

/** The elements that handle clicks themselves. */
export const INTERACTIVE =
  "a[href],button,input,select,textarea,label,summary,option,[contenteditable],[onclick],[tabindex],[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=option],[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=treeitem],[role=combobox],[role=gridcell]";

const ignoresPointer = (element: Element): boolean => getComputedStyle(element).pointerEvents === "none";

/**
 * Whether the click is intended for what surrounds an element that ignores the pointer, as with an icon in a button.
 */
function isPartOfControl(element: Element, hit: Element): boolean {
  // A field that only shows what was chosen: the box around it opens the list.
  const start: Node | null = isShownChoice(element, hit) ? above(element) : element;
  for (let node: Node | null = start; node !== null; node = above(node)) {
    if (isElement(node) && node.matches(INTERACTIVE)) return !ignoresPointer(node) && holds(node, hit);
  }
  // Without a control around the element, a pointer cursor is the sign that the page handles the click.
  return getComputedStyle(hit).cursor === "pointer";
}

const CONTROLS = "input:not([type=hidden]),select,textarea,button,a[href],[role=button],[role=combobox]";

/** Whether an element is a read-only field, and the only control in the box that receives the click. */
function isShownChoice(element: Element, hit: Element): boolean {
  if (element.localName !== "input" || !(element as HTMLInputElement).readOnly) return false;
  return Array.from(hit.querySelectorAll(CONTROLS)).every((other) => other === element || !other.checkVisibility());
}

/**
 * Whether the element at the point is the shape of a drawing that an element which ignores the pointer labels: both are
 * in a group without another text.
 */
function isLabelOfShape(element: Element, hit: Element): boolean {
  if (!(element instanceof SVGElement) || !(hit instanceof SVGElement) || !ignoresPointer(element)) return false;
  let group: Element | null = element.parentElement;
  while (group !== null && group.localName === "g" && !holds(group, hit)) group = group.parentElement;
  return group?.localName === "g" && holds(group, hit) && group.textContent?.trim() === element.textContent?.trim();
}

const BOX = 4; // the most levels from the input of a list to the box that is drawn for it

/**
 * Whether the element at the point is the placeholder or value that is drawn over the input of a list, in a box
 * without other controls.
 */
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

/** The most levels from a file field to the box that it shares with the button that it covers. */
const FILE_BOX = 3;

/**
 * Whether the element at the point is the file field that a page lays over its own button, usually transparent, so that
 * a click on the button opens the file chooser. Both have the same label, or a box of their own without other controls.
 */
function isOwnFileField(element: Element, hit: Element): boolean {
  if (hit.localName !== "input" || (hit as HTMLInputElement).type !== "file") return false;
  const label = element.closest("label");
  if (label !== null && label.control === hit) return true;
  let box: Element | null = hit.parentElement;
  for (let up = 1; up < FILE_BOX && box !== null && !holds(box, element); up++) box = box.parentElement;
  if (box === null || !holds(box, element) || /^(body|main|section|dialog|tr|ul|ol|table)$/.test(box.localName))
    return false;
  const controls = box.querySelectorAll("input:not([type=hidden]),select,textarea,button,a[href],[role=button]");
  return Array.from(controls).every(
    (other) => other === hit || holds(element, other) || holds(other, element) || !other.checkVisibility(),
  );
}

export function receives(element: Element, hit: Element): boolean {
  if (holds(element, hit)) return true;
  if (isOwnFileField(element, hit)) return true;
  const label = hit.closest("label");
  if (label !== null && label.control === element) return true;
  if (isShownValue(element, hit) || isLabelOfShape(element, hit)) return true;
  // The element ignores the pointer, so the click goes to what surrounds it, as with an icon in a button.
  return holds(hit, element) && ignoresPointer(element) && isPartOfControl(element, hit);
}

/**
 * The points to try, the middle of the largest part first; for a text within the element, those of the text. There are
 * several for each part, because an obstacle may cover only some of them.
 */
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

/** Controls that do something of their own when they are clicked. A field in a container is part of it. */
const COMMANDS =
  "a[href],button,input[type=button],input[type=submit],[role=button],[role=link],[role=menuitem],[role=tab],[role=switch]";

/** Elements that are controls or fields themselves. */
const INTERACTIVE_TAGS = "input,select,textarea,label,summary,option";

/** Whether a point of a row, a card or another container is on a control in it (`Delete`), which was not meant. */
function isOnInnerControl(element: Element, hit: Element): boolean {
  if (element.matches(INTERACTIVE_TAGS) || element.matches(COMMANDS)) return false;
  for (let node: Node | null = hit; node !== null && node !== element; node = above(node))
    if (isElement(node) && node.matches(COMMANDS)) return true;
  return false;
}

/** The first text of an element that is not in a control. */
function ownText(element: Element): Range | null {
  if (element.matches(INTERACTIVE_TAGS) || element.matches(COMMANDS)) return null;
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent === null || (node as Text).data.trim() === "" || isOnInnerControl(element, parent)) continue;
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(node);
    return range;
  }
  return null;
}

/** A point, or what would receive a click instead. `through` states that the element itself ignores the pointer. */
export type Hit = { x: number; y: number } | { by: string; through?: boolean };

function tryPoints(element: Element, text: Range | null): Hit | null {
  let by: string | null = null;
  let through = false;
  let onControl: Hit | null = null;
  const own = text === null ? ownText(element) : null;
  const inText = own === null ? [] : points(element, own);
  for (let [x, y] of [...points(element, text), ...inText]) {
    let wanted: Element = element;
    let hit = hitIn(element.ownerDocument, x, y);
    let reached = hit !== null && receives(element, hit);
    const isOnControl = reached && hit !== null && isOnInnerControl(element, hit);
    for (let frame = frameOf(element.ownerDocument); reached && frame !== null; frame = frameOf(frame.ownerDocument)) {
      const inside = insideOf(frame);
      [x, y] = [inside.x + x * inside.scale, inside.y + y * inside.scale];
      wanted = frame;
      hit = hitIn(frame.ownerDocument, x, y);
      reached = hit === wanted;
    }
    if (reached && !isOnControl) return { x, y };
    // The whole element may consist of a control, as an item of a list often consists of a link.
    if (reached) {
      onControl ??= { x, y };
      continue;
    }
    if (hit !== null && by === null) {
      by = obstacle(hit);
      through =
        hit.ownerDocument === element.ownerDocument &&
        ignoresPointer(element) &&
        !hitIn(element.ownerDocument, x, y)?.closest("dialog");
    }
  }
  if (onControl !== null) return onControl;
  return by === null ? null : { by, through };
}

/**
 * A point at which the element receives the click, after scrolling if necessary. Otherwise what covers it, or null if
 * it has no point. Several scroll positions are tried, because a fixed bar may cover the element in some of them.
 */
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
