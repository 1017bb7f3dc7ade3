// Lists that are not `<select>` elements: finds the option in an open list, and determines whether it was chosen.

import { element as byNumber, idOf } from "./capture-registry";
import { replace } from "./field";
import { findAll, visible } from "./find";
import type * as Bridge from "./generated";
import { holds } from "./geometry";

const OPTIONS = "[role=option],[role=menuitem],[role=menuitemradio],[role=treeitem],[aria-selected]:not([role])";

// Elements that showed the values before the list was opened, and that are therefore not options.
let presentBefore = new WeakSet<Element>();
// Options and list items that were shown while the list was closed, which belong to other lists.
let ofOtherLists = new WeakSet<Element>();
// The text of the field before `typeAhead` replaced it.
let textBefore = "";
const squeezed = (text: string) => text.replace(/\s+/g, " ").trim().toLowerCase();

/** The outermost visible elements that contain only this text. */
function elementsWithText(text: string): Element[] {
  const found = new Set<Element>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (
      (node as Text).data.length < text.length ||
      squeezed((node as Text).data) !== text ||
      node.parentElement === null
    )
      continue;
    let outer: Element = node.parentElement;
    while (outer.parentElement !== null && squeezed(outer.parentElement.textContent ?? "") === text)
      outer = outer.parentElement;
    if (visible(outer)) found.add(outer);
  }
  return [...found];
}

/** Whether an element is in a box without size, as options for screen readers only are. */
function isClipped(element: Element): boolean {
  let around = element.parentElement;
  for (let up = 0; up < 4 && around !== null; up++, around = around.parentElement) {
    if (
      (around.clientWidth === 0 || around.clientHeight === 0) &&
      /hidden|clip/.test(getComputedStyle(around).overflow)
    )
      return true;
  }
  return false;
}

/**
 * Whether a list loads its options again: it shows that before the option, and the option moves when it is gone.
 */
function isMoving(option: Element, options: Element[]): boolean {
  const before = options.slice(0, options.indexOf(option));
  return before.some(
    (other) =>
      other.parentElement === option.parentElement && /(^|[\s_-])loading/i.test(other.getAttribute("class") ?? ""),
  );
}

/** The element of a list that has its state: the list itself or the combobox in it. */
const stateHolder = (opener: Element): Element =>
  opener.hasAttribute("aria-expanded") ? opener : (opener.querySelector("[role=combobox],[aria-expanded]") ?? opener);

/** The lists that an element names as its own. */
function ownLists(opener: Element): Element[] {
  const holder = stateHolder(opener);
  const ids = `${holder.getAttribute("aria-controls") ?? ""} ${holder.getAttribute("aria-owns") ?? ""}`;
  const root = holder.getRootNode() as Document | ShadowRoot;
  return ids
    .split(/\s+/)
    .filter((id) => id !== "")
    .flatMap((id) => root.getElementById(id) ?? []);
}

export function findOption({ list, value, before }: Bridge.FindOption): Bridge.Actionability {
  const lower = squeezed(value);
  const opener = byNumber(list);
  // The items of a menu are commands, and no options of a combobox.
  const isCombobox = opener !== undefined && stateHolder(opener).getAttribute("role") === "combobox";
  const isOption = (element: Element) =>
    element !== opener &&
    !(isCombobox && element.matches("[role^=menuitem]")) &&
    visible(element) &&
    !isClipped(element);
  const all = findAll({ by: "css", selector: OPTIONS }).filter(isOption);
  const plain = () => findAll({ by: "css", selector: "li,[data-value]" }).filter(visible);
  const name = (element: Element) => ((element as HTMLElement).innerText ?? "").replace(/\s+/g, " ").trim();
  if (before) {
    presentBefore = new WeakSet(before.flatMap((text) => elementsWithText(squeezed(text))));
    const isClosed = opener !== undefined && stateHolder(opener).getAttribute("aria-expanded") === "false";
    const others = isClosed ? [...all, ...plain()].filter((element) => !holds(opener, element)) : [];
    ofOtherLists = new WeakSet(others);
  }
  const isNew = (element: Element) => !ofOtherLists.has(element);
  const lists = opener ? ownLists(opener) : [];
  const own = all.filter((element) => lists.some((other) => holds(other, element)));
  // Some libraries name a list for screen readers as their own, and show another one.
  const shown = own.length > 0 ? own : all.filter(isNew);
  const named = shown.length > 0 ? shown : plain().filter(isNew);
  const found =
    named.find((element) => name(element).toLowerCase() === lower) ??
    named.find((element) => element.getAttribute("data-value") === value || element.getAttribute("value") === value) ??
    named.find((element) => (element.getAttribute("aria-label") ?? "").toLowerCase() === lower) ??
    (!before && shown.length === 0
      ? elementsWithText(lower).find((element) => !presentBefore.has(element) && !(opener && holds(element, opener)))
      : undefined);
  if (found && !isMoving(found, named)) return { element: idOf(found), what: name(found), done: isChosen(found) };
  return { reason: "no_option", what: "", option: value, options: shown.slice(0, 30).map(name) };
}

/**
 * Types into the field of a list that offers matching options only then. A text that is in the field is replaced: the
 * list offers what matches that text. The last character of a longer value is omitted, so that the field's value shows
 * afterwards whether the option was chosen.
 */
export function typeAhead({ list, value }: Bridge.TypeAhead): boolean {
  const element = byNumber(list) as HTMLInputElement | undefined;
  if (element?.localName !== "input" || element.readOnly) return false;
  if (element.getAttribute("role") !== "combobox" && !element.hasAttribute("aria-autocomplete")) return false;
  const text = value.trim();
  textBefore = element.value;
  const came = replace(element, { text: text.length > 3 ? text.slice(0, -1) : text, submit: true });
  return "step" in came && (came.step === "set" || came.step === "differs");
}

export function clearTypeAhead({ list }: Bridge.ClearTypeAhead): void {
  const element = byNumber(list);
  if (element) replace(element, { text: textBefore, submit: true });
}

const isChosen = (option: Element): boolean =>
  ["aria-selected", "aria-checked"].some((name) => option.getAttribute(name) === "true");

/** The fields that show what was chosen from a list of suggestions: those that name it, and the one in use. */
function fieldsOf(list: Element): Element[] {
  const root = list.getRootNode() as Document | ShadowRoot;
  const id = list.id === "" ? "" : CSS.escape(list.id);
  const naming = id === "" ? [] : [...root.querySelectorAll(`[aria-controls~="${id}"],[aria-owns~="${id}"]`)];
  const beside = list.previousElementSibling;
  const near = [root.activeElement, beside, ...(beside?.querySelectorAll("input") ?? [])];
  return [...naming, ...near].filter((field): field is Element => field instanceof Element && field !== list);
}

/** Whether the option is chosen: it is marked so, or the list or its surroundings show it. */
export function optionOutcome({ list, option, value, label }: Bridge.OptionOutcome): Bridge.Outcome | null {
  const entry = byNumber(option);
  if (entry && (isChosen(entry) || /\b(selected|checked|active|chosen)\b/i.test(String(entry.className))))
    return { kind: "held" };
  const opener = byNumber(list);
  // The entries of a menu are commands, and nothing shows afterwards which one was chosen.
  const menu = opener?.localName === "button" && /^(true|menu)$/.test(opener.getAttribute("aria-haspopup") ?? "");
  // A menu without roles consists of links and buttons, which are commands as well.
  const isCommand =
    opener?.localName === "button" &&
    entry !== undefined &&
    entry.getAttribute("role") !== "option" &&
    (entry.closest("a,button") ?? entry.querySelector("a,button")) !== null;
  if (!opener || menu || isCommand || /^menuitem/.test(entry?.getAttribute("role") ?? "")) return null;
  const wanted = [value, label].map(squeezed).filter((text) => text !== "");
  const others = findAll({ by: "css", selector: "[role=option],[role=treeitem]" });
  if (others.some((other) => isChosen(other) && wanted.includes(squeezed((other as HTMLElement).innerText ?? ""))))
    return { kind: "held" };
  const texts = (element: Element): string => {
    const fields = [element, ...element.querySelectorAll("input,textarea")].filter(
      (field) => "value" in field,
    ) as HTMLInputElement[];
    const lists = new Set(element.querySelectorAll("[role=listbox],[role=option],[role=menu],select,datalist"));
    // Text in the list's own options does not show what was chosen.
    const own = (node: Node): string =>
      node.nodeType === 3
        ? node.nodeValue!
        : lists.has(node as Element) || (node.nodeType === 1 && !visible(node as Element))
          ? ""
          : Array.from(node.childNodes, own).join(" ");
    return squeezed([...fields.map((field) => field.value), own(element)].join(" "));
  };
  // A list of suggestions closes after the choice, and its field has the value.
  const isClosedList = opener.getAttribute("role") === "listbox" && !visible(opener);
  if (isClosedList) {
    const isWanted = (field: Element) => "value" in field && wanted.includes(squeezed(String(field.value)));
    if (fieldsOf(opener).some(isWanted)) return { kind: "held" };
  }
  let around: Element | null = opener;
  for (
    let up = 0;
    up < 4 && around !== null && !/^(body|form|main)$/.test(around.localName);
    up++, around = around.parentElement
  ) {
    const shown = texts(around);
    if (wanted.some((text) => shown.includes(text))) return { kind: "held" };
  }
  return { kind: "differs", actual: texts(opener) };
}
