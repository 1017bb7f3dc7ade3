// Prepares fields for text, enters texts and secrets, and hides secrets.

import { ifReady } from "./answer";
import { element as byNumber, idOf, isMarked, markSecret } from "./capture-registry";
import { controlOf, isDisabled } from "./control";
import { codeEditor } from "./editor";
import {
  awaitKeys,
  type Entered,
  give,
  inputOf,
  isEditable,
  isField,
  NATIVE,
  pasteInto,
  replace,
  secretKeys,
} from "./field";
import { describe } from "./find";
import { active, bind } from "./focus";
import type * as Bridge from "./generated";
import type { Actionability, Need, Ready } from "./generated";
import { tagOf } from "./geometry";
import { checkAtRest } from "./outcome";
import { pressPoint } from "./press-point";
import { arm } from "./settle";

const TEXTLESS = /^(button|submit|reset|image|checkbox|radio|file|hidden)$/;
const DATED = /^(date|time|datetime-local|month|week)$/;

// Whether the day or the month comes first differs by country. A date with only one meaning has a reading instead.
const AMBIGUOUS_DATE = /^\d{1,2}[/-]\d{1,2}[/-]\d{4}$/;

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

/** The result of entering a text, in the form for the browser crate. */
function entered(element: Element, what: string, came: Entered): Actionability {
  if ("accepts" in came) return { reason: "not_accepted", what, accepts: came.accepts };
  if ("focusLostTo" in came) return { reason: "focus_lost", what, to: came.focusLostTo };
  return { element: idOf(element), what, entry: came };
}

export function fill(given: Element, what: string, need: Extract<Need, { kind: "fill" | "type" }>): Actionability {
  const element = inputOf(controlOf(given)) as HTMLInputElement;
  const tag = element.localName;
  if (tag === "select") return { reason: "wrong_kind", what, is: "a list", hint: "choose an option with select" };
  if (tag === "input" && TEXTLESS.test(element.type)) {
    const hint =
      element.type === "file"
        ? "use upload"
        : /checkbox|radio/.test(element.type)
          ? "use check or uncheck"
          : "use click";
    return { reason: "wrong_kind", what, is: "an input of type " + element.type, hint };
  }
  if (!isEditable(element)) return { reason: "not_editable", what, is: tagOf(element) };
  if (isDisabled(element)) return { reason: "disabled", what };
  if (element.readOnly && tag === "input" && need.kind === "fill" && need.entry?.readings.date)
    return ifReady(pressPoint(element, what), { calendar: true });
  if (element.readOnly && need.kind === "fill" && AMBIGUOUS_DATE.test(need.entry?.text.trim() ?? ""))
    return { reason: "not_accepted", what, accepts: "a date that can mean only one day, written 2026-12-31" };
  if ((element.readOnly && isField(element)) || element.getAttribute("aria-readonly") === "true")
    return { reason: "read_only", what, is: "read-only" };
  if (need.kind === "fill") {
    if (need.entry) return entered(element, what, replace(element, need.entry));
    // The secret follows once it is known that the origin may receive it.
    if (tag === "input" && NATIVE.test(element.type) && !DATED.test(element.type))
      return { reason: "not_accepted", what, accepts: "no secrets, because it does not show its value as text only" };
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

export function suppressSubmit({ durationMs }: Bridge.SuppressSubmit): void {
  const suppress = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
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

export function awaitKey(element: Element): void {
  const binding = bind(element, true);
  checkAtRest(() => (binding.strayed === undefined ? null : { kind: "focus_lost", to: binding.strayed }));
}

/**
 * Excludes a field from observations and draws its text as dots. An observer restores the style, so that a page cannot
 * make the text readable by changing it.
 */
export function maskField({ element: number }: Bridge.MaskField): string {
  const element = number === null ? active() : byNumber(number);
  if (!element) return window.origin;
  if (!isMarked(element)) {
    markSecret(element);
    const style = (element as HTMLElement).style;
    // The parts of a date cannot be drawn as dots, so they are made transparent.
    const [property, value] = DATED.test((element as HTMLInputElement).type)
      ? ["color", "transparent"]
      : ["-webkit-text-security", "disc"];
    const hide = () => {
      if (style.getPropertyValue(property) !== value) style.setProperty(property, value, "important");
    };
    hide();
    new MutationObserver(hide).observe(element, { attributes: true, attributeFilter: ["style"] });
  }
  return (element.ownerDocument.defaultView ?? window).origin;
}
