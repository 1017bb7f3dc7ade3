// What style sheets say about cursors and visibility: asking each element for its computed style, or `checkVisibility` for
// more than boxes, would double the cost of reading a page.

interface SheetSelectors {
  count: number;
  pointers: string[];
  hidden: string[];
  hovered: string[];
  collapsible: string[];
}

/** What the styles of the trees of a page may hold. */
export interface Styled {
  /** Elements that have, or get under the mouse, a pointer cursor by a rule or by their own style. */
  pointers: Set<Element>;
  /** Elements that may have a `visibility` or an `opacity` of their own. */
  hidden: Set<Element>;
  /** Elements that may have no height. */
  collapsible: Set<Element>;
  /** Whether a sheet could not be read. */
  blind: boolean;
}
const NONE = /^0(px|%)?$/;
const read = new WeakMap<CSSStyleSheet, SheetSelectors>();

function selectorsOf(sheet: CSSStyleSheet): SheetSelectors {
  const none: SheetSelectors = { count: -1, pointers: [], hidden: [], hovered: [], collapsible: [] };
  let rules: CSSRuleList;
  try {
    rules = sheet.cssRules;
  } catch {
    return none; // another origin's sheet cannot be read
  }
  const known = read.get(sheet);
  if (known && known.count === rules.length) return known;
  const found: SheetSelectors = { count: rules.length, pointers: [], hidden: [], hovered: [], collapsible: [] };
  const lists: [CSSRuleList, string][] = [[rules, ""]];
  for (let seen = 0; lists.length > 0 && seen < 30_000; ) {
    const [list, above] = lists.pop()!;
    for (let i = 0; i < list.length && seen < 30_000; i++, seen++) {
      const rule = list[i] as CSSStyleRule;
      const own = rule.selectorText;
      const selector =
        own && above ? (own.includes("&") ? own.replace(/&/g, `:is(${above})`) : `:is(${above}) ${own}`) : own;
      if (selector) {
        const style = rule.style;
        if (style.cursor === "pointer") found.pointers.push(selector.replace(/:hover/g, ""));
        if (style.visibility !== "" || (style.opacity !== "" && style.opacity !== "1")) found.hidden.push(selector);
        if (NONE.test(style.height) || NONE.test(style.maxHeight)) found.collapsible.push(selector);
        if (
          selector.includes(":hover") &&
          (style.visibility === "visible" || (style.display !== "" && style.display !== "none"))
        )
          found.hovered.push(selector);
      }
      if (rule.cssRules && rule.cssRules.length > 0) lists.push([rule.cssRules, selector ?? above]);
    }
  }
  found.pointers = found.pointers.filter(isQuery);
  found.hidden = found.hidden.filter(isQuery);
  found.hovered = found.hovered.filter(isQuery);
  found.collapsible = found.collapsible.filter(isQuery);
  read.set(sheet, found);
  return found;
}

/** Whether this engine takes a selector as a query; one that it does not would spoil those that are asked with it. */
function isQuery(selector: string): boolean {
  try {
    nothing.querySelector(selector);
    return true;
  } catch {
    return false;
  }
}
const nothing = document.createDocumentFragment();

/** The selectors by which style sheets show what is not shown without the pointer, as one; empty when there are none. */
export function hoverSelectors(root: Document): string {
  return sheetsOf(root)
    .flatMap((sheet) => selectorsOf(sheet).hovered)
    .join();
}

/** Adds what selectors find in a tree. All at once: each query walks the whole tree. */
function gather(root: Document | ShadowRoot, selectors: string[], into: Set<Element>): void {
  if (selectors.length === 0) return;
  const found = root.querySelectorAll(selectors.join());
  for (let i = 0; i < found.length; i++) into.add(found[i]);
}

const sheetsOf = (root: Document | ShadowRoot): CSSStyleSheet[] =>
  [...root.styleSheets, ...(root.adoptedStyleSheets ?? [])].filter((sheet) => !sheet.disabled);

/** Gathers what the styles of one tree hold of pointers and visibility. */
export function styled(root: Document | ShadowRoot, into: Styled): void {
  gather(root, ['[style*="cursor"]'], into.pointers);
  gather(root, ['[style*="visibility"],[style*="opacity"]'], into.hidden);
  for (const sheet of sheetsOf(root)) {
    const { count, pointers, hidden } = selectorsOf(sheet);
    if (count < 0) into.blind = true;
    gather(root, pointers, into.pointers);
    gather(root, hidden, into.hidden);
  }
}

/** Gathers the elements of one tree that may have no height. */
export function collapsible(root: Document | ShadowRoot, into: Styled): void {
  const selectors = sheetsOf(root).flatMap((sheet) => selectorsOf(sheet).collapsible);
  gather(root, ['[style*="height"]', ...selectors], into.collapsible);
}
