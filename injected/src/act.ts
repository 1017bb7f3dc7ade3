// Helps to act: finds the element, says whether it can be acted on and where, and does what has to be done from inside (focus,
// select a list's option, set a date). Each answer is one small object, so that an action needs one round trip before its input.

import { ifReady, isReady } from "./answer";
import { element as byNumber, idOf, isMarked, isSecret, markSecret, shadowOf } from "./capture-registry";
import { stepTo } from "./calendar";
import { codeEditor } from "./editor";
import { equivalent } from "./equivalent";
import { type Entered, NATIVE, awaitKeys, give, inputOf, isEditable, isField, lostField, pasteInto, replace, secretKeys } from "./field";
import { describe, findAll, near, placeOf, visible } from "./find";
import type * as Bridge from "./generated";
import type { Actionability, Need, NotActionable, Query, Ready } from "./generated";
import { active, bind } from "./focus";
import { INTERACTIVE, boxOf, expectPress, frameBox as boxInFrame, frameOffset as offsetOfFrame, hitTarget, holds, setExpectedTarget, tagOf } from "./hit";
import { checkAtRest } from "./outcome";
import { arm } from "./settle";

/** All that fit a query. */
function findEvery(query: Query): Element[] | NotActionable {
  let found: Element[];
  try {
    found = findAll(query);
  } catch (error) {
    return { reason: "invalid_selector", message: String((error as Error).message) };
  }
  return found.length > 0 ? found : { reason: "not_found", candidates: near(query) };
}

function locate(target: Bridge.ElementQuery): Element | NotActionable {
  if ("element" in target) {
    const found = byNumber(target.element);
    // An element of a frame that went elsewhere is connected to a document that is shown no more.
    return found?.ownerDocument.defaultView ? found : { reason: "stale" };
  }
  const found = findEvery(target.query);
  if (!Array.isArray(found)) return found;
  if (found.length > 1) return { reason: "ambiguous", count: found.length, candidates: found.slice(0, 5).map(describe) };
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

function point(element: Element, what: string, press = false, query?: Query): Actionability {
  const hit = hitTarget(element, query === undefined ? null : placeOf(element, query));
  if (hit === null) return { reason: "not_visible", what };
  if ("by" in hit) {
    const inert = element.closest("[inert]");
    if (hit.through) return { reason: "not_clickable", what, why: "it has `pointer-events: none`, so that a click goes through it to " + hit.by };
    if (inert !== null) return { reason: "not_clickable", what, why: "it is in " + tagOf(inert) + ", which is inert" };
    return { reason: "covered", what, by: hit.by };
  }
  setExpectedTarget(element);
  if (press) expectPress(element, what);
  return { element: idOf(element), what, point: { x: hit.x, y: hit.y } };
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

/** How far a text came into its field, as the browser is told. */
function entered(element: Element, what: string, came: Entered): Actionability {
  if ("accepts" in came) return { reason: "not_accepted", what, accepts: came.accepts };
  if ("focusLostTo" in came) return { reason: "focus_lost", what, to: came.focusLostTo };
  return { element: idOf(element), what, entry: came };
}

function fill(given: Element, what: string, need: Extract<Need, { kind: "fill" | "type" }>): Actionability {
  const element = inputOf(controlOf(given)) as HTMLInputElement;
  const tag = element.localName;
  if (tag === "select") return { reason: "wrong_kind", what, is: "a list", hint: "choose an option with select" };
  if (tag === "input" && TEXTLESS.test(element.type)) {
    const hint = element.type === "file" ? "use upload" : /checkbox|radio/.test(element.type) ? "use check or uncheck" : "use click";
    return { reason: "wrong_kind", what, is: "an input of type " + element.type, hint };
  }
  if (!isEditable(element)) return { reason: "not_editable", what, is: tagOf(element) };
  if (disabled(element)) return { reason: "disabled", what };
  if (element.readOnly && tag === "input" && need.kind === "fill" && need.entry?.readings.date) return ifReady(point(element, what), { calendar: true });
  if ((element.readOnly && isField(element)) || element.getAttribute("aria-readonly") === "true") return { reason: "read_only", what, is: "read-only" };
  if (need.kind === "fill") {
    if (need.entry) return entered(element, what, replace(element, need.entry));
    // A secret comes once it is known where it may go.
    if (tag === "input" && NATIVE.test(element.type) && !DATED.test(element.type)) return { reason: "not_accepted", what, accepts: "none, for it shows its value as more than text" };
    const lost = give(element);
    return lost === null ? { element: idOf(element), what } : entered(element, what, lost);
  }
  const lost = give(element);
  if (lost !== null) return entered(element, what, lost);
  if (codeEditor(element) === null) caretToEnd(element);
  if (need.text !== null) awaitKeys(element, need.text);
  return { element: idOf(element), what };
}

export function enterSecret({ element: number, ...entry }: Bridge.EnterSecret): Actionability {
  const element = byNumber(number);
  if (!element) return { reason: "gone" };
  return entered(element, describe(element), replace(element, { ...entry, secret: true }));
}

export function typeSecret({ element: number, text }: Bridge.TypeSecret): Actionability {
  const element = byNumber(number);
  if (!element) return { reason: "gone" };
  return entered(element, describe(element), secretKeys(element, text));
}

export function calendarStep({ element: number, date }: Bridge.CalendarStep): Actionability {
  const field = byNumber(number);
  const step = field && stepTo(date, field);
  if (!field || !step) return { reason: "read_only", what: field ? describe(field) : "", is: "read-only, and its calendar does not offer " + date };
  return ifReady(point(step.element, describe(step.element)), { done: step.found });
}

export function calendarOutcome({ element, text, readings }: Bridge.CalendarOutcome): Bridge.Outcome | null {
  const field = byNumber(element) as HTMLInputElement | undefined;
  if (!field) return null;
  return equivalent(text, field.value, readings) ? { kind: "held" } : { kind: "differs", actual: field.value };
}

export function suppressSubmit({ durationMs }: Bridge.SuppressSubmit): void {
  const suppress = (event: Event) => (event.preventDefault(), event.stopImmediatePropagation());
  addEventListener("submit", suppress, { capture: true });
  setTimeout(() => removeEventListener("submit", suppress, { capture: true }), durationMs);
}

export function blurElement({ element }: Bridge.BlurElement): void {
  (byNumber(element) as HTMLElement | undefined)?.blur();
}

export function pasteText({ element: number, text, orEdit }: Bridge.PasteText): Actionability {
  const element = byNumber(number);
  if (!element) return { reason: "gone" };
  const what = describe(element);
  const came = pasteInto(element, text, orEdit);
  return came === null ? { element: number, what } : entered(element, what, came);
}

export function focusedElement({ key, text }: Bridge.FocusedElement): Ready {
  const element = active();
  arm(key, element.ownerDocument.defaultView!);
  const foreignFrame = element.localName === "iframe" || element.localName === "frame";
  if (!foreignFrame && text !== null) awaitKeys(element, text);
  else if (!foreignFrame) awaitKey(element);
  return { element: idOf(element), what: element === document.body ? "the page" : describe(element), foreignFrame };
}

function awaitKey(element: Element): void {
  const binding = bind(element, true);
  checkAtRest(() => (binding.strayed === undefined ? null : { kind: "focus_lost", to: binding.strayed }));
}

function select(given: Element, what: string, values: string[]): Actionability {
  const element = controlOf(given) as HTMLSelectElement;
  if (element.localName !== "select") return ifReady(point(element, what), { customList: true });
  const options = Array.from(element.options);
  const labelOf = (option: HTMLOptionElement) => (option.label || option.text).replace(/\s+/g, " ").trim();
  if (values.length > 1 && !element.multiple) return { reason: "wrong_kind", what, is: "a list of which one option can be chosen", hint: "give one value" };
  const chosen = new Set<HTMLOptionElement>();
  for (const value of values) {
    const lower = value.replace(/\s+/g, " ").trim().toLowerCase();
    const found =
      options.find((option) => option.value === value) ??
      options.find((option) => labelOf(option) === value) ??
      options.find((option) => labelOf(option).toLowerCase() === lower);
    if (!found) return { reason: "no_option", what, option: value, options: options.slice(0, 30).map(labelOf) };
    if (found.disabled || (found.parentElement as HTMLOptGroupElement).disabled === true) return { reason: "disabled", what: "option " + JSON.stringify(labelOf(found)) };
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
    return now.length === wanted.length && wanted.every((label) => now.includes(label)) ? { kind: "held" } : { kind: "differs", actual: now.join(", ") };
  });
  return { element: idOf(element), what, changed };
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

function check(given: Element, what: string, on: boolean): Actionability {
  const element = tickable(given);
  const now = ticked(element);
  if (now === null) return { reason: "wrong_kind", what, is: tagOf(element), hint: "only checkboxes, radio buttons and switches can be checked; use click" };
  if (now === on) return { element: idOf(element), what, done: true };
  if (!on && ((element as HTMLInputElement).type === "radio" || element.getAttribute("role") === "radio"))
    return { reason: "wrong_kind", what, is: "a radio button", hint: "check another one of its group instead" };
  // A control that is only there for the form is ticked through what stands for it.
  const labels = Array.from((element as HTMLInputElement).labels ?? []);
  let last: Actionability = { reason: "not_visible", what };
  for (const stand of [element, ...labels, given]) {
    if (!visible(stand)) continue;
    last = point(stand, what);
    if (isReady(last)) return { ...last, element: idOf(element) };
  }
  return last;
}

export async function checkActionable({ key, target, need }: Bridge.CheckActionable): Promise<Bridge.ActionabilityCheck> {
  const located = locate(target);
  if (!("nodeType" in located)) return { result: located };
  const box = boxOf(located);
  return { result: await prepare(located, key, need, "query" in target ? target.query : undefined), box };
}

/** What is pressed for a box or radio button that nobody sees: a label of it that is shown. */
function standIn(element: Element): Element {
  const drawn = ["checkbox", "radio"].includes((element as HTMLInputElement).type) && !visible(element);
  const label = drawn && Array.from((element as HTMLInputElement).labels ?? []).find(visible);
  return label || element;
}

async function prepare(given: Element, key: string, need: Need, query?: Query): Promise<Actionability> {
  const what = describe(given);
  const { kind } = need;
  const element = kind === "press" || kind === "point" ? standIn(given) : given;
  if (kind === "attached") return { element: idOf(element), what };
  const view = element.ownerDocument.defaultView!;
  const control = controlOf(element);
  if (kind === "blur") {
    arm(key, view);
    // An editor has the focus in a part of it that nobody sees.
    const inner = active();
    ((element.contains(inner) ? inner : control) as HTMLElement).blur();
    checkAtRest(() => {
      const lost = lostField(true);
      return lost === null ? { kind: "held" } : { kind: "differs", ...lost };
    });
    return { element: idOf(element), what };
  }
  if (kind === "file") {
    // A file field is often hidden behind a button: it takes files all the same.
    const input = (control.localName === "input" ? control : control.querySelector("input[type=file]")) as HTMLInputElement | null;
    if (input !== null && input.type === "file") {
      if (input.disabled) return { reason: "disabled", what };
      arm(key, view);
      return { element: idOf(input), what, fileField: { multiple: input.multiple } };
    }
  }
  if (kind === "check" && !visible(element)) {
    if (disabled(tickable(element))) return { reason: "disabled", what };
    const checked = check(element, what, need.on);
    if (isReady(checked)) arm(key, view);
    return checked;
  }
  const shown = kind === "fill" || kind === "type" ? codeEditor(element) ?? element : element;
  if (!visible(shown) && !(kind === "select" && visible(control))) return { reason: "not_visible", what };
  if (kind !== "scroll" && kind !== "focus" && disabled(kind === "press" ? clickedBy(element) : control)) return { reason: "disabled", what };
  if (!(await still(element))) return { reason: "moving", what };
  if (!element.isConnected) return { reason: "gone" };
  arm(key, view);
  switch (kind) {
    case "press":
      return point(element, what, true, query);
    case "point":
    case "file":
      return point(element, what, false, query);
    case "fill":
    case "type":
      return fill(element, what, need);
    case "select":
      return select(element, what, need.values);
    case "check":
      return check(element, what, need.on);
    case "focus":
      (control as HTMLElement).focus();
      if (need.keyNext) awaitKey(active() === control ? control : active());
      return { element: idOf(element), what };
    case "scroll":
      element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
      return { element: idOf(element), what };
  }
}

export function isChecked({ element: number }: Bridge.IsChecked): boolean | null {
  const element = byNumber(number);
  return element ? ticked(element) : null;
}

/** A page that changes the style of the field does not undo that its text is drawn as dots. */
export function maskField({ element: number }: Bridge.MaskField): string {
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

export async function frameOffset({ element, x, y }: Bridge.FrameOffset): Promise<Bridge.FramePoint> {
  const frame = byNumber(element);
  if (!frame) return { covered: { by: "nothing: the frame is gone" } };
  const hit = await offsetOfFrame(frame as HTMLElement, x, y);
  return "by" in hit ? { covered: { by: hit.by } } : { point: hit };
}

export function frameBox({ element, x, y, width, height }: Bridge.FrameBox): Bridge.PageScript["calls"]["frameBox"]["result"] {
  const frame = byNumber(element);
  return frame ? boxInFrame(frame as HTMLElement, x, y, width, height) : null;
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

const MASKED = "••••";

function contentOf(element: Element, content: Bridge.ReadContent): string | null {
  if (content === "text") return isSecret(element) ? MASKED : textIn(element);
  if (content === "html") return element.outerHTML;
  const name = content.attribute;
  if (name === "value" && "value" in element) return isSecret(element) ? MASKED : String(element.value);
  if ((name === "href" || name === "src") && name in element) return String((element as HTMLAnchorElement & HTMLImageElement)[name]);
  return element.getAttribute(name);
}

export function readElements({ target, scope, content, limit }: Bridge.ReadElements): Bridge.ReadResult {
  let found: Element[];
  if ("query" in target && scope !== "only") {
    const every = findEvery(target.query);
    if (!Array.isArray(every)) return every;
    found = scope === "all" ? every : every.slice(0, 1);
  } else {
    const located = locate(target);
    if (!("nodeType" in located)) return located;
    found = [located];
  }
  let left = limit;
  const texts: (string | null)[] = [];
  for (const element of found) {
    if (left <= 0) break;
    let text = contentOf(element, content);
    // One more than the limit, so that whoever asked knows there is more.
    if (text !== null && text.length > left) text = text.slice(0, left + 1);
    left -= text?.length ?? 0;
    texts.push(text);
  }
  return { texts, what: describe(found[0]), box: boxOf(found[0]) };
}

export function html({ limit }: Bridge.Html): Bridge.HtmlText {
  const type = document.doctype ? new XMLSerializer().serializeToString(document.doctype) + "\n" : "";
  const text = type + document.documentElement.outerHTML;
  return { html: text.length > limit ? null : text, length: text.length };
}

export function scroll({ key, direction, screens, element }: Bridge.Scroll): void {
  arm(key, window);
  let box: Element | null = element === null ? null : (byNumber(element) ?? null);
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

export function includesText({ text }: Bridge.IncludesText): boolean {
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
