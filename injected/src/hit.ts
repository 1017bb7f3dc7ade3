// Where an element can be clicked, and whether it is the element that would get the click.

import { expectHover, noteHovered } from "./capture-churn";
import { shadowOf } from "./capture-registry";
import { forgetAllFilled, forgetFilled, lostField } from "./field";
import { describe } from "./find";
import type { MissedPress, PointerArrived } from "./generated";

/** Whether it is an element, of whichever window: one of a frame is no instance of this window's `Element`. */
const isElement = (node: unknown): node is Element => (node as Node | undefined)?.nodeType === 1;

/** The parent in the tree as it is drawn: out of shadow roots to their hosts, into the slot a node is assigned to. */
export function above(node: Node): Node | null {
  if (isElement(node) && node.assignedSlot) return node.assignedSlot;
  const parent = node.parentNode;
  return parent !== null && parent.nodeType === 11 && (parent as ShadowRoot).host ? (parent as ShadowRoot).host : parent;
}

/** Whether `inner` is `outer` or below it. */
export function holds(outer: Node, inner: Node | null): boolean {
  for (let node = inner; node !== null; node = above(node)) if (node === outer) return true;
  return false;
}

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

/** The frame element that shows this document, when this world may see it. */
export function frameOf(document: Document): HTMLElement | null {
  try {
    return (document.defaultView?.frameElement as HTMLElement | null) ?? null;
  } catch {
    return null;
  }
}

/** Where a frame's content begins, and how much larger than life it is drawn, in its parent's view. */
export function insideOf(frame: HTMLElement): { x: number; y: number; scale: number } {
  const box = frame.getBoundingClientRect();
  const scale = frame.offsetWidth > 0 ? box.width / frame.offsetWidth : 1;
  const style = getComputedStyle(frame);
  const inset = (side: string) =>
    (parseFloat(style.getPropertyValue("border-" + side + "-width")) + parseFloat(style.getPropertyValue("padding-" + side))) * scale;
  return { x: box.x + inset("left"), y: box.y + inset("top"), scale };
}

/** A rectangle in a view and the view's own size, in whole pixels. */
type Box = [x: number, y: number, width: number, height: number, viewWidth: number, viewHeight: number];

/** Where an element is in the outermost view that this world sees. */
export function boxOf(element: Element): Box {
  const { x, y, width, height } = element.getBoundingClientRect();
  return outwards(element.ownerDocument, x, y, width, height);
}

/** Where a rectangle of a frame's content is in the outermost view that this world sees. */
export function frameBox(frame: HTMLElement, x: number, y: number, width: number, height: number): Box {
  const inside = insideOf(frame);
  return outwards(frame.ownerDocument, inside.x + x * inside.scale, inside.y + y * inside.scale, width * inside.scale, height * inside.scale);
}

function outwards(document: Document, x: number, y: number, width: number, height: number): Box {
  const frame = frameOf(document);
  if (frame !== null) return frameBox(frame, x, y, width, height);
  const view = document.defaultView!;
  return [x, y, width, height, view.innerWidth, view.innerHeight].map((length) => Math.round(length) || 0) as Box;
}

/** How an element is shown in a message: `<div#consent>`. */
export function tagOf(element: Element): string {
  const id = element.id ? "#" + element.id : "";
  const classes = !id && typeof element.className === "string" && element.className.trim() ? "." + element.className.trim().split(/\s+/)[0] : "";
  return "<" + element.localName + id + classes + ">";
}

/** The most of what an obstacle says that a message repeats. */
const OBSTACLE_TEXT = 60;

/** How what lies above an element is shown in a message: the bar or window that it belongs to, and how that begins. */
function obstacle(hit: Element): string {
  let whole = hit;
  for (let node: Node | null = hit; node !== null; node = above(node)) {
    if (isElement(node) && node.localName !== "body" && node.localName !== "html" && /fixed|sticky/.test(getComputedStyle(node).position)) whole = node;
  }
  const text = (whole.getAttribute("aria-label") ?? (whole as HTMLElement).innerText ?? "").replace(/\s+/g, " ").trim();
  if (text === "") return tagOf(whole);
  return tagOf(whole) + " " + JSON.stringify(text.length > OBSTACLE_TEXT ? text.slice(0, OBSTACLE_TEXT) + "…" : text);
}

/** What takes clicks by itself. */
export const INTERACTIVE =
  "a[href],button,input,select,textarea,label,summary,option,[contenteditable],[onclick],[tabindex],[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=option],[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=treeitem],[role=combobox],[role=gridcell]";

const lets = (element: Element): boolean => getComputedStyle(element).pointerEvents === "none";

/** Whether what lies around an element that lets clicks through is what the click is for, as with an icon in a button. */
function standsFor(element: Element, hit: Element): boolean {
  for (let node: Node | null = element; node !== null; node = above(node)) {
    if (isElement(node) && node.matches(INTERACTIVE)) return !lets(node) && holds(node, hit);
  }
  return getComputedStyle(hit).cursor === "pointer";
}

const BOX = 4; // levels from the input of a list to the box that is drawn for it

/** Whether what is hit is the placeholder or the value that is drawn over the input of a list, in a box that has no other control. */
function shows(element: Element, hit: Element): boolean {
  if (element.localName !== "input" || element.getAttribute("role") !== "combobox") return false;
  let box: Element | null = element.parentElement;
  for (let up = 1; up < BOX && box !== null && !holds(box, hit); up++) box = box.parentElement;
  if (box === null || !holds(box, hit) || /^(body|form|main|section|dialog|fieldset)$/.test(box.localName)) return false;
  for (let node: Node | null = hit; node !== null && node !== box; node = above(node)) if (isElement(node) && node.matches(INTERACTIVE)) return false;
  const controls = box.querySelectorAll("input,select,textarea,button,a[href],[role=button],[role=combobox]");
  return Array.from(controls).every((control) => control === element || !control.checkVisibility());
}

function receives(element: Element, hit: Element): boolean {
  if (holds(element, hit)) return true;
  const label = hit.closest("label");
  if (label !== null && label.control === element) return true;
  if (shows(element, hit)) return true;
  // Clicks fall through to what is around it, as with an icon in a button.
  return holds(hit, element) && lets(element) && standsFor(element, hit);
}

/** Points to try, the middle of the largest part first; of a text within the element, those where the text is. */
function points(element: Element, text: Range | null): [number, number][] {
  const view = element.ownerDocument.defaultView!;
  const parts: [number, number, number, number][] = [];
  const boxes = [...(text?.getClientRects() ?? [])].filter((box) => box.width >= 1 && box.height >= 1);
  for (const box of boxes.length > 0 ? boxes : element.getClientRects()) {
    const left = Math.max(box.left, 0), top = Math.max(box.top, 0);
    const right = Math.min(box.right, view.innerWidth), bottom = Math.min(box.bottom, view.innerHeight);
    if (right - left >= 1 && bottom - top >= 1) parts.push([left, top, right - left, bottom - top]);
  }
  parts.sort((a, b) => b[2] * b[3] - a[2] * a[3]);
  const found: [number, number][] = [];
  for (const [left, top, width, height] of parts.slice(0, 3)) {
    for (const [across, down] of [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.2], [0.5, 0.8]]) found.push([left + width * across, top + height * down]);
  }
  return found;
}

// The pointer's move may itself change the page (a menu closes, things shift), so the element that really gets the press is
// looked at once more, in the event, before the page sees it. A press meant for another element goes to none.
let expected: Element | null = null;
let missed: MissedPress | null = null;
let arrived = false;
let done = false;
let landed: (() => void) | null = null;
// Where the pointer is led, and whether it has been seen there.
let aimed: Element | null = null;
let seen = false;
let noticed: ((there: boolean) => void) | null = null;
// How the expected element was named, whether it got a click, and where the button was released.
let named = "";
let clicked = false;
let released: MouseEvent | null = null;
const watched = new WeakSet<Window>();

/** The next press is meant for this element. */
export function expectPress(element: Element, what: string): void {
  expected = element;
  named = what;
  clicked = false;
  released = null;
  missed = null;
  arrived = false;
  done = false;
  const view = element.ownerDocument.defaultView!;
  watch(view);
  expectHover(view);
}

/** Nothing is expected any more: another action begins. */
export function forgetExpectedPress(): void {
  expected = null;
}

/** The pointer is about to be moved to this element. */
export function setExpectedTarget(element: Element): void {
  aimed = element;
  seen = false;
  watch(element.ownerDocument.defaultView!);
}

export function pointerArrived({ timeoutMs }: PointerArrived): Promise<boolean> {
  if (seen || aimed === null) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => noticed?.(false), timeoutMs);
    noticed = (there) => {
      clearTimeout(timer);
      noticed = null;
      resolve(there);
    };
  });
}

function watch(view: Window): void {
  if (watched.has(view)) return;
  watched.add(view);
  for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"])
    view.addEventListener(type, judge, { capture: true, passive: false });
  for (const type of ["mousemove", "mouseover"]) view.addEventListener(type, notice, { capture: true, passive: true });
  view.addEventListener("keydown", edited, { capture: true, passive: true });
}

// What had the focus when the mouse button went down.
let focusedBefore: Element | null = null;

// What is pressed to undo or to leave sends nothing.
const LEAVES = /^(cancel|close|back|reset|clear|discard|dismiss|remove|×|✕|abbrechen|zurück|schließen|verwerfen|annuler|fermer|retour|cancelar|cerrar|volver|annulla|chiudi)/i;

/** The field that lost its value, if the press may send it. */
function lost(pressed: Element): MissedPress | null {
  const button = pressed.closest("button,input,[role=button]");
  const name = button === null ? "" : (button.getAttribute("aria-label") ?? (button as HTMLElement).innerText ?? "").trim();
  if (LEAVES.test(name)) {
    forgetAllFilled();
    return null;
  }
  if (button === null || (button.localName === "input" && !/^(submit|button|image)$/.test((button as HTMLInputElement).type))) {
    // By now the field may have been left.
    for (const field of [focusedBefore, pressed.ownerDocument.activeElement]) if (field !== null) forgetFilled(field);
    return null;
  }
  const found = lostField();
  // A proposal that is a button and was taken as the mouse button went down.
  if (found !== null && name !== "" && found.actual === name) return lost(pressed);
  if (found === null) forgetAllFilled();
  return found === null ? null : { kind: "field_changed", ...found };
}

function edited(event: KeyboardEvent): void {
  const got = event.composedPath()[0];
  if (event.isTrusted && event.key !== "Tab" && isElement(got)) forgetFilled(got);
}

/** The innermost element that got the event; of what is in a closed root, the event itself tells only the host. */
function receiver(event: Event): EventTarget | undefined {
  const got = event.composedPath()[0];
  if (!isElement(got) || got.shadowRoot !== null || shadowOf(got) === null) return got;
  const { clientX, clientY } = event as MouseEvent;
  return hitIn(got.ownerDocument, clientX, clientY) ?? got;
}

function notice(event: Event): void {
  if (aimed === null || !event.isTrusted) return;
  const got = receiver(event);
  if (!isElement(got) || !receives(aimed, got)) return;
  aimed = null;
  seen = true;
  noticed?.(true);
}

const ASTRAY = 150; // milliseconds after which an input that was answered but not seen went elsewhere

/** Resolves once the press that is expected has come and gone, or when it has not come for a while. */
export function landing(): Promise<void> | null {
  if (expected === null || done) return null;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ASTRAY);
    landed = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

/** The element at a place that looks like one that was replaced. */
function replacement(old: Element, at: Element | null): Element | null {
  const found = at?.closest(old.localName) ?? null;
  return found !== null && found !== old && describe(found) === named ? found : null;
}

function judge(event: Event): void {
  if (expected === null || !event.isTrusted) return;
  // Drawn anew as the pointer went down: what then comes is for what stands in its place.
  if (event.type === "mousedown" && !expected.isConnected) {
    const { clientX, clientY } = event as MouseEvent;
    const stands = replacement(expected, hitIn(expected.ownerDocument, clientX, clientY));
    if (stands !== null) {
      if (holds(stands, receiver(event) as Node)) expected = stands;
      arrived = true;
      return;
    }
  }
  const down = event.type === "pointerdown" || event.type === "mousedown";
  if (down && !arrived) {
    noteHovered(expected.ownerDocument);
    focusedBefore = expected.ownerDocument.activeElement;
  }
  // A release alone is none of ours: its press went to another process.
  arrived ||= down;
  if (event.type === "mouseup") {
    missed ??= lost(expected);
    done = true;
    released = event as MouseEvent;
    // The click itself follows in the same task.
    if (landed !== null) setTimeout(landed, 0);
    landed = null;
  }
  const got = receiver(event);
  clicked ||= /click|contextmenu/.test(event.type) && isElement(got) && receives(expected, got);
  if (missed === null && down && isElement(got) && !receives(expected, got)) missed = { kind: "intercepted", by: tagOf(got) };
  if (missed !== null) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}

// Now, so that no listener of the page comes first.
watch(window);

/**
 * Why the press that is expected did not do what it is for; null when all is well. A press without its release is still expected
 * afterwards, for the release may be sent again.
 */
export function takeMissedPress(): MissedPress | null {
  if (expected === null) return null;
  if (missed === null && arrived && !done && expected.isConnected && window !== window.top) return { kind: "release_lost" };
  let why = missed ?? (arrived ? null : PRESS_LOST);
  if (why === null && done && !clicked && released !== null && !expected.isConnected) {
    const stands = hitIn(expected.ownerDocument, released.clientX, released.clientY);
    if (replacement(expected, stands) !== null) why = { kind: "replaced" };
  }
  expected = null;
  missed = null;
  return why;
}
const PRESS_LOST: MissedPress = { kind: "press_lost" };

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
      through = hit.ownerDocument === element.ownerDocument && lets(element) && !hitIn(element.ownerDocument, x, y)?.closest("dialog");
    }
  }
  return by === null ? null : { by, through };
}

/** A point at which the element gets the click, after scrolling if need be; else what lies above it, or null when it has none. */
export function hitTarget(element: Element, text: Range | null = null): Hit | null {
  let first: Hit | null = null;
  for (const block of [null, "center", "end", "start"] as const) {
    if (block !== null) (text?.startContainer.parentElement ?? element).scrollIntoView({ block, inline: "nearest", behavior: "instant" });
    const hit = tryPoints(element, text);
    if (hit !== null && "x" in hit) return hit;
    first ??= hit;
  }
  return first;
}

/** Whether a point of a child frame's content is reachable from here, and where it is in this view. */
export async function frameOffset(frame: HTMLElement, x: number, y: number): Promise<Hit> {
  for (const block of [null, "center"] as const) {
    if (block !== null) {
      frame.scrollIntoView({ block, behavior: "instant" });
      // Which process gets the press is decided by what was drawn last, so the scrolled page has to be drawn first.
      for (let frames = 0; frames < 3; frames++) await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    let owner = frame;
    let [px, py] = [x, y];
    for (;;) {
      const inside = insideOf(owner);
      [px, py] = [inside.x + px * inside.scale, inside.y + py * inside.scale];
      const hit = hitIn(owner.ownerDocument, px, py);
      if (hit !== owner) {
        if (block === null) break;
        return { by: hit === null ? "the edge of the view" : obstacle(hit) };
      }
      const next = frameOf(owner.ownerDocument);
      if (next === null) return { x: px, y: py };
      owner = next;
    }
  }
  return { by: "the edge of the view" };
}
