// Finds the element of an action, determines whether and where it can be acted on, and carries out the steps that need
// a script in the page (focusing, selecting an option, setting a date). The result is one small object, so that an
// action needs only one round trip before its input.

import { ifReady, isReady } from "./answer";
import { idOf, isNumbered } from "./capture-registry";
import { check, checkableIn } from "./checkbox";
import { clickedBy, controlOf, FIELDS, isDisabled, standIn, withControl } from "./control";
import { codeEditor } from "./editor";
import { locate } from "./element-query";
import { expand } from "./expand";
import { isEditable, isField as isInput, lostField } from "./field";
import { awaitKey, fill } from "./fill";
import { describe, visible } from "./find";
import { active } from "./focus";
import type { Actionability, ActionabilityCheck, CheckActionable, ElementQuery, Need, Query } from "./generated";
import { boxOf, holds } from "./geometry";
import { checkAtRest } from "./outcome";
import { pressPoint } from "./press-point";
import { select } from "./select";
import { arm } from "./settle";

export async function checkActionable({ key, target, need }: CheckActionable): Promise<ActionabilityCheck> {
  const located = locate(target, SETS_FIELD.has(need.kind) && queryOf(target)?.by === "text" ? isField : undefined);
  if (!("nodeType" in located)) return { result: located };
  const box = boxOf(located);
  // Before the action, which may change what surrounds the element.
  const shown = withControl(located, SETS_FIELD.has(need.kind)).filter(isNumbered).map(idOf);
  return { result: await prepare(located, key, need, queryOf(target)), box, shown };
}

/** The actions for which a text that several elements contain means the field that it labels. */
const SETS_FIELD: ReadonlySet<Need["kind"]> = new Set(["field", "fill", "type", "select", "check", "file"]);

const isField = (element: Element): boolean => controlOf(element).matches(FIELDS);

const queryOf = (target: ElementQuery): Query | undefined =>
  "query" in target ? target.query : "nth" in target ? target.nth.query : undefined;

async function isStill(element: Element): Promise<boolean> {
  const running = element.ownerDocument.getAnimations().some((animation) => {
    const target = (animation.effect as KeyframeEffect | null)?.target;
    return animation.playState === "running" && !!target && holds(target, element);
  });
  if (!running) return true;
  const view = element.ownerDocument.defaultView!;
  const frame = () => new Promise<number>((resolve) => view.requestAnimationFrame(resolve));
  // On a busy machine, two frames may have almost the same time, and a moving element then seems to stand still.
  // Therefore at least 30 ms are compared.
  const began = await frame();
  const before = element.getBoundingClientRect();
  for (let now = began; now - began < 30; ) {
    now = await frame();
    const after = element.getBoundingClientRect();
    if (before.x !== after.x || before.y !== after.y || before.width !== after.width || before.height !== after.height)
      return false;
  }
  return true;
}

const NO_TEXT = /^(checkbox|radio|button|submit|reset|image|file|range|color)$/;

/** Whether a press on the element takes the focus from a field with a text. */
function leavesField(element: Element): boolean {
  const field = active();
  const hasText = isInput(field) ? field.value !== "" && !NO_TEXT.test(field.type) : isEditable(field);
  return hasText && !element.contains(field) && !field.contains(element);
}

async function prepare(given: Element, key: string, need: Need, query?: Query): Promise<Actionability> {
  const what = describe(given);
  const { kind } = need;
  const element = kind === "press" || kind === "point" ? standIn(given) : given;
  if (kind === "attached") return { element: idOf(element), what };
  if (kind === "field") return { element: idOf(controlOf(given)), what };
  const view = element.ownerDocument.defaultView!;
  const control = controlOf(element);
  if (kind === "blur") {
    arm(key, view);
    // The focus may be in an inner part of an editor that is not visible.
    const inner = active();
    ((element.contains(inner) ? inner : control) as HTMLElement).blur();
    checkAtRest(() => {
      const lost = lostField(true);
      return lost === null ? { kind: "held" } : { kind: "differs", ...lost };
    });
    return { element: idOf(element), what };
  }
  if (kind === "file") {
    // A file field is often hidden behind a button and accepts files nevertheless.
    const input = (
      control.localName === "input" ? control : control.querySelector("input[type=file]")
    ) as HTMLInputElement | null;
    if (input !== null && input.type === "file") {
      if (input.disabled) return { reason: "disabled", what };
      arm(key, view);
      return { element: idOf(input), what, fileField: { multiple: input.multiple } };
    }
  }
  if (kind === "check" && !visible(element)) {
    if (isDisabled(checkableIn(element))) return { reason: "disabled", what };
    const checked = check(element, what, need.on);
    if (isReady(checked)) arm(key, view);
    return checked;
  }
  const shown = kind === "fill" || kind === "type" ? (codeEditor(element) ?? element) : element;
  if (!visible(shown) && !(kind === "select" && visible(control))) return { reason: "not_visible", what };
  if (kind !== "scroll" && kind !== "focus" && isDisabled(kind === "press" ? clickedBy(element) : control))
    return { reason: "disabled", what };
  if (!(await isStill(element))) return { reason: "moving", what };
  if (!element.isConnected) return { reason: "gone" };
  arm(key, view);
  switch (kind) {
    case "press":
      return ifReady(pressPoint(element, what, true, query), { leavesField: leavesField(element) });
    case "point":
    case "file":
      return pressPoint(element, what, false, query);
    case "fill":
    case "type":
      return fill(element, what, need);
    case "select":
      return select(element, what, need.values);
    case "check":
      return check(element, what, need.on);
    case "expand":
      return expand(element, what, need.open);
    case "focus":
      (control as HTMLElement).focus();
      if (need.keyNext) awaitKey(active() === control ? control : active());
      return { element: idOf(element), what };
    case "scroll":
      element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
      return { element: idOf(element), what };
  }
}
