// Opens and closes parts of the page: items of a tree, rows with details, menus, `<details>`.

import { element as byNumber, idOf } from "./capture-registry";
import { visible } from "./find";
import type { Actionability, IsExpanded } from "./generated";
import { tagOf } from "./geometry";
import { pressPoint } from "./press-point";

/** Whether the part of the page that an element stands for is open; null if the element does not state it. */
function expandedState(element: Element): boolean | null {
  const details = element.localName === "summary" ? element.parentElement : element;
  if (details?.localName === "details") return (details as HTMLDetailsElement).open;
  const aria = element.getAttribute("aria-expanded");
  return aria === "true" || aria === "false" ? aria === "true" : null;
}

/** Items of trees, lists and tables: a click on one of them chooses it, so that only its toggle opens it. */
const ITEMS = "[role=treeitem],[role=row],[role=listitem],[role=gridcell],li,tr";
/** What belongs to other items. */
const NESTED = "[role=group],[role=tree],[role=treeitem],[role=row],ul,ol,table";
/** Controls that do something else than opening the item. */
const FIELDS = "input,select,textarea,[role=checkbox],[role=switch],[role=radio],[draggable=true]";

/**
 * The words by which the widely used libraries name their toggles in classes or labels: `jstree-ocl`,
 * `ant-tree-switcher`, `p-tree-node-toggle-button`, `el-tree-node__expand-icon`, `fancytree-expander`.
 */
const TOGGLE = /toggl|expand|collaps|switcher|disclos|twist|chevron|caret|arrow|-ocl\b|tree-control|iconcontainer/i;

/** Whether this is a toggle by its name, and shows no text but a sign such as `+` or `▸`. */
function isToggle(element: Element): boolean {
  if (element.matches(FIELDS) || (element.textContent ?? "").trim().length > 1) return false;
  if (element.hasAttribute("aria-expanded")) return true;
  const name = element.getAttribute("aria-label") ?? element.getAttribute("title") ?? "";
  return TOGGLE.test(element.getAttribute("class") ?? "") || TOGGLE.test(name);
}

/** The toggle of an item: within it, or before it in the same list item. */
function toggleOf(item: Element): Element | null {
  const outer = item.parentElement;
  const isWrapped = outer !== null && !item.matches("li,tr") && outer.matches("li,[role=none],[role=presentation]");
  for (const root of isWrapped ? [item, outer] : [item]) {
    for (const found of root.querySelectorAll("*")) {
      const nested = found.closest(NESTED);
      const isOwn = nested === null || nested === item || !root.contains(nested) || nested === root;
      if (isOwn && !item.matches(FIELDS) && visible(found) && isToggle(found)) return found;
    }
  }
  return null;
}

export function expand(element: Element, what: string, open: boolean): Actionability {
  const isItem = element.matches(ITEMS);
  const toggle = isItem ? toggleOf(element) : null;
  const holder = expandedState(element) === null && toggle !== null ? toggle : element;
  const now = expandedState(holder);
  if (now === open) return { element: idOf(holder), what, done: true };
  if (toggle === null && now === null && element.matches("[role=treeitem]"))
    return { reason: "wrong_kind", what, is: tagOf(element), hint: "this item of the tree contains no other items" };
  const shown = holder.localName === "details" ? (holder.querySelector("summary") ?? holder) : (toggle ?? element);
  const pressed = pressPoint(shown, what);
  return "element" in pressed ? { ...pressed, element: idOf(holder) } : pressed;
}

export function isExpanded({ element: number }: IsExpanded): boolean | null {
  const element = byNumber(number);
  return element ? expandedState(element) : null;
}
