// Cursors and visibility according to style sheets. Querying the computed style of each element, or `checkVisibility`
// for more than boxes, would double the cost of a capture.

interface SheetSelectors {
  count: number;
  pointers: string[];
  hidden: string[];
  hovered: string[];
  collapsible: string[];
}

/** The elements that the styles of a page's trees concern. */
export interface Styled {
  /** Elements with a pointer cursor, always or on hover, from a rule or from their own style. */
  pointers: Set<Element>;
  /** Elements that may have their own `visibility` or `opacity`. */
  hidden: Set<Element>;
  /** Elements that may have no height. */
  collapsible: Set<Element>;
  /** Whether a style sheet could not be read. */
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
    return none; // style sheets of other origins cannot be read
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

/**
 * Whether this browser accepts a selector in a query. Selectors are queried together, so an invalid one would
 * invalidate the others.
 */
function isQuery(selector: string): boolean {
  try {
    nothing.querySelector(selector);
    return true;
  } catch {
    return false;
  }
}
const nothing = document.createDocumentFragment();

/** The selectors by which style sheets show elements only on hover, joined into one; empty if there are none. */
export function hoverSelectors(root: Document): string {
  return sheetsOf(root)
    .flatMap((sheet) => selectorsOf(sheet).hovered)
    .join();
}

/**
 * Adds the elements of a tree that match the selectors. One query is used for all of them, because each query walks
 * the whole tree.
 */
function gather(root: Document | ShadowRoot, selectors: string[], into: Set<Element>): void {
  if (selectors.length === 0) return;
  const found = root.querySelectorAll(selectors.join());
  for (let i = 0; i < found.length; i++) into.add(found[i]);
}

const sheetsOf = (root: Document | ShadowRoot): CSSStyleSheet[] =>
  [...root.styleSheets, ...(root.adoptedStyleSheets ?? [])].filter((sheet) => !sheet.disabled);

/** Collects the elements of one tree with styles for cursors and visibility. */
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

/** Collects the elements of one tree that may have no height. */
export function collapsible(root: Document | ShadowRoot, into: Styled): void {
  const selectors = sheetsOf(root).flatMap((sheet) => selectorsOf(sheet).collapsible);
  gather(root, ['[style*="height"]', ...selectors], into.collapsible);
}
