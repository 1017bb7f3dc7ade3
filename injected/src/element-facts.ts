// What the rules of a run must know about an element before an action: where input into it goes, what it is called,
// whether pressing it sends a form, and where its link or form leads.

import { element as byNumber, idOf } from "./capture-registry";
import { roleName } from "./find";
import { active } from "./focus";
import type * as Bridge from "./generated";

/** The facts about an element, or about the focused one; null if it is gone. */
export function elementFacts({ element: number }: Bridge.ElementFactsOf): Bridge.ElementFacts | null {
  const element = number === null ? active() : byNumber(number);
  if (!element) return null;
  const { role, name } = roleName(element);
  const control = pressedControl(element);
  const button = submits(control) ? control : defaultButton(control);
  return {
    origin: (element.ownerDocument.defaultView ?? window).origin,
    role,
    name: element === element.ownerDocument.body ? "" : name,
    submits: submits(control),
    submitter: button ? roleName(button).name : "",
    formTarget: formTarget(control, button),
    linkTarget: linkTarget(element),
    downloads: element.closest("a[download],area[download]") !== null,
    frame: element.localName === "iframe" || element.localName === "frame" ? idOf(element) : null,
  };
}

/** The address to which the form of a control is sent; empty if nothing is sent. A script can send it elsewhere. */
function formTarget(control: Element | null, button: Element | null | undefined): string {
  // Attributes, because a field with the name `action` hides the property.
  const form = (control as HTMLInputElement | null)?.form ?? control?.closest("form");
  if (!form) return "";
  const ofButton = (name: string): string | null | undefined => button?.getAttribute(`form${name}`);
  if ((ofButton("method") ?? form.getAttribute("method"))?.toLowerCase() === "dialog") return "";
  // An empty action is the document itself.
  return resolved(ofButton("action") || form.getAttribute("action") || form.ownerDocument.URL, form);
}

/** The address of the link that contains an element; empty if there is none. */
function linkTarget(element: Element): string {
  const link = element.closest("a[href],area[href],a[*|href]");
  const href = link?.getAttribute("href") ?? link?.getAttributeNS("http://www.w3.org/1999/xlink", "href");
  return link && href ? resolved(href, link) : "";
}

function resolved(address: string, element: Element): string {
  try {
    return new URL(address, element.baseURI).href;
  } catch {
    return "";
  }
}

/** The control that a click on an element presses: the one around it, the one of its label, or a custom element. */
function pressedControl(element: Element): Element | null {
  const control = element.closest("button,input,select,textarea");
  if (control !== null) return control;
  const label = element.closest("label");
  if (label?.control) return label.control;
  for (let outer: Element | null = element; outer !== null; outer = outer.parentElement)
    if (outer.localName.includes("-") && outer.getAttribute("type") === "submit" && outer.closest("form")) return outer;
  return null;
}

function submits(control: Element | null): boolean {
  if (control === null) return false;
  if (control.localName.includes("-")) return true;
  if (!(control as HTMLInputElement).form) return false;
  return /^(submit|image)$/.test((control as HTMLInputElement).type);
}

/** The button that Enter in a field presses. */
function defaultButton(control: Element | null): Element | undefined {
  const form = (control as HTMLInputElement | null)?.form;
  return form ? [...form.elements, ...form.querySelectorAll("input[type=image]")].find(submits) : undefined;
}
