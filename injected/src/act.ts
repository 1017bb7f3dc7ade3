// Helps to act: finds the element, says whether it can be acted on and where, and does what has to be done from inside (focus,
// select a list's option, set a date). Each answer is one small object, so that an action needs one round trip before its input.

import { type Not, type Ready, not } from "./answer";
import { element as byNumber, idOf, markSecret } from "./capture";
import { isMarked, isSecret, shadowOf } from "./capture-registry";
import { stepTo } from "./calendar";
import { codeEditor } from "./editor";
import { type Readings, equivalent } from "./equivalent";
import { type Entered, NATIVE, awaitKeys, give, inputOf, isEditable, isField, lostField, pasteInto, replace, secretKeys } from "./field";
import { type Wanted, describe, findAll, near, placeOf, visible } from "./find";
import { active, bind } from "./focus";
import { INTERACTIVE, type Box, aim, boxInside, boxOf, expect, frameOf, holds, reach, tagOf, through } from "./hit";
import { type Outcome, checkAtRest } from "./outcome";
import { arm } from "./settle";

export { hold, unbind } from "./focus";
export { pointed } from "./hit";
export { chosen, option, typeahead, untype } from "./options";
export { outcome } from "./outcome";
export { changed, painted, settle } from "./settle";

/** What the action needs of the element. */
type Need = "press" | "point" | "fill" | "type" | "focus" | "blur" | "select" | "check" | "file" | "attached" | "scroll";

interface Request {
  key: string;
  element?: number;
  wanted?: Wanted;
  need: Need;
  /** For check: the state it should have. */
  on?: boolean;
  /** For select. */
  values?: string[];
  /** For fill and type, when there is no secret in it. */
  text?: string;
  /** What the text means. */
  readings?: Readings;
  /** For fill: Enter comes next. */
  submit?: boolean;
  /** For fill: the first way did not lead there. */
  again?: boolean;
  /** For focus: a key comes next, and is for this element. */
  key_next?: boolean;
}

function locate(request: Request): Element | Not {
  if (request.element !== undefined) {
    const found = byNumber(request.element);
    // An element of a frame that went elsewhere is connected to a document that is shown no more.
    if (!found || !found.ownerDocument.defaultView) return not("stale");
    return found;
  }
  if (!request.wanted) return document.activeElement ?? document.body;
  let found: Element[];
  try {
    found = findAll(request.wanted);
  } catch (error) {
    return not("selector", { is: String((error as Error).message) });
  }
  if (found.length === 0) return not("none", { list: near(request.wanted) });
  if (found.length > 1) return not("many", { count: found.length, list: found.slice(0, 5).map(describe) });
  return found[0];
}

const TEXTLESS = /^(button|submit|reset|image|checkbox|radio|file|hidden)$/;
const DATED = /^(date|time|datetime-local|month|week)$/;

function disabled(element: Element): boolean {
  if (element.matches(":disabled")) return true;
  for (let node: Element | null = element; node !== null; node = node.parentElement) if (node.getAttribute("aria-disabled") === "true") return true;
  return false;
}

const controlOf = (element: Element): Element =>
  element.localName === "label" ? ((element as HTMLLabelElement).control ?? element) : element;

/** What a click on an element would work on: the control of the label around it, unless something in the label takes it. */
function clickedBy(element: Element): Element {
  const label = element.closest("label");
  if (label?.control && element.closest(INTERACTIVE) === label) return label.control;
  return controlOf(element);
}

async function still(element: Element): Promise<boolean> {
  const running = element.ownerDocument.getAnimations().some((animation) => {
    const target = (animation.effect as KeyframeEffect | null)?.target;
    return animation.playState === "running" && !!target && holds(target, element);
  });
  if (!running) return true;
  const view = element.ownerDocument.defaultView!;
  const frame = () => new Promise<number>((resolve) => view.requestAnimationFrame(resolve));
  // Two frames may share one moment on a busy machine, and then nothing seems to move.
  const began = await frame();
  const before = element.getBoundingClientRect();
  for (let now = began; now - began < 30; ) {
    now = await frame();
    const after = element.getBoundingClientRect();
    if (before.x !== after.x || before.y !== after.y || before.width !== after.width || before.height !== after.height) return false;
  }
  return true;
}

function point(element: Element, what: string, press = false, wanted?: Wanted): Ready | Not {
  const hit = reach(element, placeOf(element, wanted));
  if (hit === null) return not("hidden", { what });
  if ("by" in hit) {
    if (hit.through) return not("unclickable", { what, is: "it has `pointer-events: none`, so that a click goes through it to " + hit.by });
    if (element.closest("[inert]") !== null) return not("unclickable", { what, is: "it is in " + tagOf(element.closest("[inert]")!) + ", which is inert" });
    return not("covered", { what, by: hit.by });
  }
  aim(element);
  if (press) expect(element, what);
  return { ok: true, element: idOf(element), what, x: hit.x, y: hit.y };
}

function caretToEnd(element: Element): void {
  const input = element as HTMLInputElement;
  if (element.localName === "input" || element.localName === "textarea") {
    try {
      input.setSelectionRange(input.value.length, input.value.length);
    } catch {
      // number and e-mail fields have no selection
    }
  } else {
    const selection = element.ownerDocument.getSelection();
    selection?.selectAllChildren(element);
    selection?.collapseToEnd();
  }
}

/** What came of putting something in, as an answer. */
function answer(element: Element, what: string, entered: Entered): Ready | Not {
  if (entered.accepts !== undefined) return not("unaccepted", { what, hint: entered.accepts });
  if (entered.by !== undefined) return not("focus", { what, by: entered.by });
  return { ok: true, element: idOf(element), what, ...entered };
}

function fill(given: Element, what: string, request: Request): Ready | Not {
  const element = inputOf(controlOf(given)) as HTMLInputElement;
  const tag = element.localName;
  if (tag === "select") return not("kind", { what, is: "a list", hint: "choose an option with select" });
  if (tag === "input" && TEXTLESS.test(element.type)) {
    const hint = element.type === "file" ? "use upload" : /checkbox|radio/.test(element.type) ? "use check or uncheck" : "use click";
    return not("kind", { what, is: "an input of type " + element.type, hint });
  }
  if (!isEditable(element)) return not("uneditable", { what, is: tagOf(element) });
  if (disabled(element)) return not("disabled", { what });
  if (element.readOnly && tag === "input" && request.need === "fill" && request.readings?.date !== undefined) {
    const ready = point(element, what);
    return ready.ok ? { ...ready, calendar: true } : ready;
  }
  if ((element.readOnly && isField(element)) || element.getAttribute("aria-readonly") === "true") return not("readonly", { what, is: "read-only" });
  if (request.need === "fill") {
    // A secret comes once it is known where it may go.
    if (request.text !== undefined) return answer(element, what, replace(element, { ...request, text: request.text }));
    if (tag === "input" && NATIVE.test(element.type) && !DATED.test(element.type)) return not("unaccepted", { what, hint: "none, for it shows its value as more than text" });
    return answer(element, what, give(element) ?? {});
  }
  const lost = give(element);
  if (lost !== null) return answer(element, what, lost);
  if (codeEditor(element) === null) caretToEnd(element);
  if (request.text !== undefined) awaitKeys(element, request.text);
  return { ok: true, element: idOf(element), what };
}

/** Puts a secret into a field that was made ready, in place of what it holds. */
export function enter(number: number, text: string, readings: Readings, submit: boolean, again: boolean): Ready | Not {
  const element = byNumber(number);
  if (!element) return not("gone");
  return answer(element, describe(element), replace(element, { text, readings, submit, again, secret: true }));
}

/** Types a secret at the end of a field, or of the one that has the focus. */
export function enterKeys(number: number, text: string): Ready | Not {
  const element = byNumber(number);
  if (!element) return not("gone");
  return answer(element, describe(element), secretKeys(element, text));
}

/** Where to click next in the calendar of a field to choose a day; `done` when that is the day itself. */
export function calendar(number: number, date: string): Ready | Not {
  const field = byNumber(number);
  const step = field && stepTo(date, field);
  if (!field || !step) return not("readonly", { what: field && describe(field), is: "read-only, and its calendar does not offer " + date });
  const ready = point(step.element, describe(step.element));
  return ready.ok ? { ...ready, done: step.found } : ready;
}

/** Whether a field that cannot be typed into shows the day that was chosen. */
export function holdsDay(number: number, text: string, readings: Readings): Outcome | null {
  const field = byNumber(number) as HTMLInputElement | undefined;
  return field ? (equivalent(text, field.value, readings) ? { ok: true } : { ok: false, actual: field.value }) : null;
}

/** Enter comes next and is for the field alone: it does not send the form. */
export function holdSubmit(ms: number): void {
  const hold = (event: Event) => (event.preventDefault(), event.stopImmediatePropagation());
  addEventListener("submit", hold, { capture: true });
  setTimeout(() => removeEventListener("submit", hold, { capture: true }), ms);
}

/** Takes the focus from a field, which makes some take what was typed. */
export function leave(number: number): void {
  (byNumber(number) as HTMLElement | undefined)?.blur();
}

/** Puts a text into an editor as if pasted; `set` says whether it took it. */
export function pasted(number: number, text: string, orEdit: boolean): Ready | Not {
  const element = byNumber(number);
  if (!element) return not("gone");
  return answer(element, describe(element), pasteInto(element, text, orEdit));
}

/** An action for what has the focus begins: which element that is, and that keys are for it alone. */
export function focused(key: string, text: string | null): Ready {
  const element = active();
  arm(key, element.ownerDocument.defaultView!);
  const foreign = element.localName === "iframe" || element.localName === "frame";
  if (!foreign && text !== null) awaitKeys(element, text);
  else if (!foreign) awaitKey(element);
  return { ok: true, element: idOf(element), what: element === document.body ? "the page" : describe(element), foreign };
}

function awaitKey(element: Element): void {
  const binding = bind(element, true);
  checkAtRest(() => (binding.strayed === undefined ? null : { ok: false, strayed: binding.strayed }));
}

function select(given: Element, what: string, request: Request): Ready | Not {
  const element = controlOf(given) as HTMLSelectElement;
  if (element.localName !== "select") {
    const ready = point(element, what);
    return ready.ok ? { ...ready, custom: true } : ready;
  }
  const values = request.values ?? [];
  const options = Array.from(element.options);
  const labelOf = (option: HTMLOptionElement) => (option.label || option.text).replace(/\s+/g, " ").trim();
  if (values.length > 1 && !element.multiple) return not("kind", { what, is: "a list of which one option can be chosen", hint: "give one value" });
  const chosen = new Set<HTMLOptionElement>();
  for (const value of values) {
    const lower = value.replace(/\s+/g, " ").trim().toLowerCase();
    const found =
      options.find((option) => option.value === value) ??
      options.find((option) => labelOf(option) === value) ??
      options.find((option) => labelOf(option).toLowerCase() === lower);
    if (!found) return not("option", { what, option: value, list: options.slice(0, 30).map(labelOf) });
    if (found.disabled || (found.parentElement as HTMLOptGroupElement).disabled === true) return not("disabled", { what: "option " + JSON.stringify(labelOf(found)) });
    chosen.add(found);
  }
  element.scrollIntoView({ block: "nearest", behavior: "instant" });
  element.focus({ preventScroll: true });
  const before = options.map((option) => option.selected).join();
  if (element.multiple) for (const option of options) option.selected = chosen.has(option);
  else for (const option of chosen) option.selected = true;
  const changed = before !== options.map((option) => option.selected).join();
  if (changed) {
    element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }
  const wanted = Array.from(chosen, labelOf);
  checkAtRest(() => {
    if (!element.isConnected) return null;
    const now = Array.from(element.selectedOptions, labelOf);
    return now.length === wanted.length && wanted.every((label) => now.includes(label)) ? { ok: true } : { ok: false, actual: now.join(", ") };
  });
  return { ok: true, element: idOf(element), what, set: changed };
}

function ticked(element: Element): boolean | null {
  const input = element as HTMLInputElement;
  if (element.localName === "input" && (input.type === "checkbox" || input.type === "radio")) return input.checked;
  const aria = element.getAttribute("aria-checked") ?? element.getAttribute("aria-pressed");
  if (aria !== null) return aria === "true";
  return null;
}

function tickable(given: Element): Element {
  const element = controlOf(given);
  return ticked(element) === null ? (element.querySelector("input[type=checkbox],input[type=radio],[role=checkbox],[role=switch],[role=radio]") ?? element) : element;
}

function check(given: Element, what: string, request: Request): Ready | Not {
  const element = tickable(given);
  const now = ticked(element);
  if (now === null) return not("kind", { what, is: tagOf(element), hint: "only checkboxes, radio buttons and switches can be checked; use click" });
  if (now === request.on) return { ok: true, element: idOf(element), what, done: true };
  if (!request.on && ((element as HTMLInputElement).type === "radio" || element.getAttribute("role") === "radio"))
    return not("kind", { what, is: "a radio button", hint: "check another one of its group instead" });
  // A control that is only there for the form is ticked through what stands for it.
  const labels = Array.from((element as HTMLInputElement).labels ?? []);
  let last: Ready | Not = not("hidden", { what });
  for (const stand of [element, ...labels, given]) {
    if (!visible(stand)) continue;
    last = point(stand, what);
    if (last.ok) return { ...last, element: idOf(element) };
  }
  return last;
}

/** Makes an element ready for an action, or says why it is not; and where it was before it was scrolled to. */
export async function ready(request: Request): Promise<(Ready | Not) & { box?: Box }> {
  const located = locate(request);
  if (!("nodeType" in located)) return located;
  const box = boxOf(located);
  return { ...(await prepare(located, request)), box };
}

/** What is pressed for a box or radio button that nobody sees: a label of it that is shown. */
function standIn(element: Element): Element {
  const drawn = ["checkbox", "radio"].includes((element as HTMLInputElement).type) && !visible(element);
  const label = drawn && Array.from((element as HTMLInputElement).labels ?? []).find(visible);
  return label || element;
}

async function prepare(given: Element, request: Request): Promise<Ready | Not> {
  const what = describe(given);
  const need = request.need;
  const element = need === "press" || need === "point" ? standIn(given) : given;
  if (need === "attached") return { ok: true, element: idOf(element), what };
  const view = element.ownerDocument.defaultView!;
  const control = controlOf(element);
  if (need === "blur") {
    arm(request.key, view);
    // An editor has the focus in a part of it that nobody sees.
    const inner = active();
    ((element.contains(inner) ? inner : control) as HTMLElement).blur();
    checkAtRest(() => {
      const lost = lostField(true);
      return lost === null ? { ok: true } : { ok: false, field: lost[0], given: lost[1], actual: lost[2] };
    });
    return { ok: true, element: idOf(element), what };
  }
  if (need === "file") {
    // A file field is often hidden behind a button: it takes files all the same.
    const input = (control.localName === "input" ? control : control.querySelector("input[type=file]")) as HTMLInputElement | null;
    if (input !== null && input.type === "file") {
      if (input.disabled) return not("disabled", { what });
      arm(request.key, view);
      return { ok: true, element: idOf(input), what, file: true, multiple: input.multiple };
    }
  }
  if (need === "check" && !visible(element)) {
    if (disabled(tickable(element))) return not("disabled", { what });
    const answer = check(element, what, request);
    if (answer.ok) arm(request.key, view);
    return answer;
  }
  const shown = need === "fill" || need === "type" ? codeEditor(element) ?? element : element;
  if (!visible(shown) && !(need === "select" && visible(control))) return not("hidden", { what });
  if (need !== "scroll" && need !== "focus" && disabled(need === "press" ? clickedBy(element) : control)) return not("disabled", { what });
  if (!(await still(element))) return not("moving", { what });
  if (!element.isConnected) return not("gone", { what });
  arm(request.key, view);
  switch (need) {
    case "press":
      return point(element, what, true, request.wanted);
    case "point":
    case "file":
      return point(element, what, false, request.wanted);
    case "fill":
    case "type":
      return fill(element, what, request);
    case "select":
      return select(element, what, request);
    case "check":
      return check(element, what, request);
    case "focus":
      (control as HTMLElement).focus();
      if (request.key_next) awaitKey(active() === control ? control : active());
      return { ok: true, element: idOf(element), what };
    case "scroll":
      element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
      return { ok: true, element: idOf(element), what };
  }
}

/** An action without an element begins. */
export function begin(key: string): void {
  arm(key, window);
}

/** Whether a control is ticked. */
export function isTicked(number: number): boolean | null {
  const element = byNumber(number);
  return element ? ticked(element) : null;
}

/**
 * From now on the field, or the one that has the focus, is not read, and its text is drawn as dots; a page that changes its
 * style does not undo that. Answers the origin of its document.
 */
export function keepSecret(number: number | null): string {
  const element = number === null ? active() : byNumber(number);
  if (!element) return window.origin;
  if (!isMarked(element)) {
    markSecret(element);
    const style = (element as HTMLElement).style;
    // A date is made of parts that are never dots: it is not drawn at all.
    const [property, value] = DATED.test((element as HTMLInputElement).type) ? ["color", "transparent"] : ["-webkit-text-security", "disc"];
    const hide = () => {
      if (style.getPropertyValue(property) !== value) style.setProperty(property, value, "important");
    };
    hide();
    new MutationObserver(hide).observe(element, { attributes: true, attributeFilter: ["style"] });
  }
  return (element.ownerDocument.defaultView ?? window).origin;
}

/** The point of this world's view for a point of a child frame's content. */
export function pass(number: number, x: number, y: number): Promise<{ x: number; y: number } | { by: string }> | { by: string } {
  const frame = byNumber(number);
  return frame ? through(frame as HTMLElement, x, y) : { by: "nothing: the frame is gone" };
}

/** Where a rectangle of a child frame's content is in this world's view. */
export function placed(number: number, x: number, y: number, width: number, height: number): Box | null {
  const frame = byNumber(number);
  return frame ? boxInside(frame as HTMLElement, x, y, width, height) : null;
}

const textIn = (element: Element): string => {
  const input = element as HTMLInputElement;
  switch (element.localName) {
    case "input":
      return input.type === "checkbox" || input.type === "radio" ? String(input.checked) : input.value;
    case "textarea":
      return input.value;
    case "select":
      return Array.from((element as HTMLSelectElement).selectedOptions, (option) => option.label || option.text).join(", ");
    default:
      return ((element as HTMLElement).innerText ?? element.textContent ?? "").trim();
  }
};

/** What elements hold: text or value, an attribute, or their HTML. */
export function read(request: Request, what: { attribute?: string | null; html?: boolean; many?: boolean; first?: boolean; limit: number }): { texts: (string | null)[]; what: string; box: Box } | Not {
  let found: Element[];
  if (request.wanted && (what.many || what.first)) {
    try {
      found = findAll(request.wanted);
    } catch (error) {
      return not("selector", { is: String((error as Error).message) });
    }
    if (found.length === 0) return not("none", { list: near(request.wanted) });
    if (!what.many) found = found.slice(0, 1);
  } else {
    const located = locate(request);
    if (!("nodeType" in located)) return located;
    found = [located];
  }
  let left = what.limit;
  const texts: (string | null)[] = [];
  for (const element of found) {
    if (left <= 0) break;
    let text: string | null;
    if (what.attribute === "value" && "value" in element) text = isSecret(element) ? "••••" : String((element as HTMLInputElement).value);
    else if (what.attribute && (what.attribute === "href" || what.attribute === "src") && what.attribute in element) text = String((element as any)[what.attribute]);
    else if (what.attribute) text = element.getAttribute(what.attribute);
    else if (what.html) text = element.outerHTML;
    else text = isSecret(element) ? "••••" : textIn(element);
    // One more than the limit, so that whoever asked knows there is more.
    if (text !== null && text.length > left) text = text.slice(0, left + 1);
    left -= text?.length ?? 0;
    texts.push(text);
  }
  return { texts, what: describe(found[0]), box: boxOf(found[0]) };
}

/** The page's HTML, or `null` and its length when it is longer than the limit. */
export function html(limit: number): { html: string | null; length: number } {
  const type = document.doctype ? new XMLSerializer().serializeToString(document.doctype) + "\n" : "";
  const text = type + document.documentElement.outerHTML;
  return { html: text.length > limit ? null : text, length: text.length };
}

/** Scrolls an element's box, or the page, by screens or to an end. */
export function scroll(direction: string, screens: number, number?: number): void {
  let box: Element | null = number === undefined ? null : (byNumber(number) ?? null);
  for (; box !== null; box = box.parentElement) {
    const style = getComputedStyle(box);
    const across = direction === "left" || direction === "right";
    if (across ? box.scrollWidth > box.clientWidth && /auto|scroll/.test(style.overflowX) : box.scrollHeight > box.clientHeight && /auto|scroll/.test(style.overflowY)) break;
  }
  const root = box ?? document.scrollingElement ?? document.documentElement;
  const height = (box ? root.clientHeight : innerHeight) * 0.9 * screens, width = (box ? root.clientWidth : innerWidth) * 0.9 * screens;
  const by = (left: number, top: number) => root.scrollBy({ left, top, behavior: "instant" });
  // Scrolling answers with a promise in some versions; nobody is to wait for it.
  if (direction === "up") by(0, -height);
  else if (direction === "down") by(0, height);
  else if (direction === "left") by(-width, 0);
  else if (direction === "right") by(width, 0);
  else root.scrollTo({ top: direction === "top" ? 0 : root.scrollHeight, behavior: "instant" });
}

/** Whether a text is shown; spaces squeezed, case ignored. */
export function shows(text: string): boolean {
  const lower = text.replace(/\s+/g, " ").trim().toLowerCase();
  const within = (root: Document | ShadowRoot): boolean => {
    const whole = root.nodeType === 9 ? ((root as Document).body?.innerText ?? "") : Array.from((root as ShadowRoot).children, (child) => (child as HTMLElement).innerText ?? "").join(" ");
    if (whole.replace(/\s+/g, " ").toLowerCase().includes(lower)) return true;
    for (const element of root.querySelectorAll("*")) {
      const input = element as HTMLInputElement;
      if ((element.localName === "input" || element.localName === "textarea") && input.type !== "password" && visible(element) && input.value.toLowerCase().includes(lower)) return true;
      const shadow = shadowOf(element);
      if (shadow !== null && within(shadow)) return true;
      if (element.localName === "iframe" && visible(element)) {
        try {
          const inner = (element as HTMLIFrameElement).contentDocument;
          if (inner && within(inner)) return true;
        } catch {
          // its own world is asked
        }
      }
    }
    return false;
  };
  return within(document);
}

export { frameOf };
