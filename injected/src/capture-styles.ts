// What style sheets say about cursors and visibility: asking each element for its computed style, or `checkVisibility` for
// more than boxes, would double the cost of reading a page.

interface StyledPointers { count: number; selectors: string[]; hidden: string[]; hovered: string[] }

/** What the styles of the trees of a page may hold. */
export interface Styled {
  /** Elements that have, or get under the mouse, a pointer cursor by a rule or by their own style. */
  hands: Set<Element>;
  /** Elements that may have a `visibility` of their own. */
  hidden: Set<Element>;
  /** Whether a sheet could not be read. */
  blind: boolean;
}
const read = new WeakMap<CSSStyleSheet, StyledPointers>();

function handsOf(sheet: CSSStyleSheet): StyledPointers {
  const none: StyledPointers = { count: -1, selectors: [], hidden: [], hovered: [] };
  let rules: CSSRuleList;
  try {
    rules = sheet.cssRules;
  } catch {
    return none; // another origin's sheet cannot be read
  }
  const known = read.get(sheet);
  if (known && known.count === rules.length) return known;
  const hands: StyledPointers = { count: rules.length, selectors: [], hidden: [], hovered: [] };
  const lists: [CSSRuleList, string][] = [[rules, ""]];
  for (let seen = 0; lists.length > 0 && seen < 30_000; ) {
    const [list, above] = lists.pop()!;
    for (let i = 0; i < list.length && seen < 30_000; i++, seen++) {
      const rule = list[i] as CSSStyleRule;
      const own = rule.selectorText;
      const selector = own && above ? (own.includes("&") ? own.replace(/&/g, `:is(${above})`) : `:is(${above}) ${own}`) : own;
      if (selector) {
        const style = rule.style;
        if (style.cursor === "pointer") hands.selectors.push(selector.replace(/:hover/g, ""));
        if (style.visibility !== "") hands.hidden.push(selector);
        if (selector.includes(":hover") && (style.visibility === "visible" || (style.display !== "" && style.display !== "none"))) hands.hovered.push(selector);
      }
      if (rule.cssRules && rule.cssRules.length > 0) lists.push([rule.cssRules, selector ?? above]);
    }
  }
  hands.selectors = hands.selectors.filter(isQuery);
  hands.hidden = hands.hidden.filter(isQuery);
  hands.hovered = hands.hovered.filter(isQuery);
  read.set(sheet, hands);
  return hands;
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
  const sheets = [...root.styleSheets, ...(root.adoptedStyleSheets ?? [])].filter((sheet) => !sheet.disabled);
  return sheets.flatMap((sheet) => handsOf(sheet).hovered).join();
}

/** Gathers what the styles of one tree hold. */
export function styled(root: Document | ShadowRoot, into: Styled): void {
  const gather = (selectors: string[], set: Set<Element>): void => {
    if (selectors.length === 0) return;
    // All at once: each query walks the whole tree.
    const found = root.querySelectorAll(selectors.join());
    for (let i = 0; i < found.length; i++) set.add(found[i]);
  };
  gather(['[style*="cursor"]'], into.hands);
  gather(['[style*="visibility"]'], into.hidden);
  for (const sheets of [root.styleSheets, root.adoptedStyleSheets ?? []]) {
    for (let i = 0; i < sheets.length; i++) {
      if (sheets[i].disabled) continue;
      const hands = handsOf(sheets[i]);
      if (hands.count < 0) into.blind = true;
      gather(hands.selectors, into.hands);
      gather(hands.hidden, into.hidden);
    }
  }
}
