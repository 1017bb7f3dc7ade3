// What style sheets say about cursors and visibility: asking each element for its computed style, or `checkVisibility` for
// more than boxes, would double the cost of reading a page.

interface Hands { count: number; selectors: string[]; hidden: string[] }

/** What the styles of the trees of a page may hold. */
export interface Styled {
  /** Elements that have, or get under the mouse, a pointer cursor by a rule or by their own style. */
  hands: Set<Element>;
  /** Elements that may have a `visibility` of their own. */
  hidden: Set<Element>;
  /** Whether a sheet could not be read. */
  blind: boolean;
}
const read = new WeakMap<CSSStyleSheet, Hands>();

function handsOf(sheet: CSSStyleSheet): Hands {
  const none: Hands = { count: -1, selectors: [], hidden: [] };
  let rules: CSSRuleList;
  try {
    rules = sheet.cssRules;
  } catch {
    return none; // another origin's sheet cannot be read
  }
  const known = read.get(sheet);
  if (known && known.count === rules.length) return known;
  const hands: Hands = { count: rules.length, selectors: [], hidden: [] };
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
      }
      if (rule.cssRules && rule.cssRules.length > 0) lists.push([rule.cssRules, selector ?? above]);
    }
  }
  read.set(sheet, hands);
  return hands;
}

/** Gathers what the styles of one tree hold. */
export function styled(root: Document | ShadowRoot, into: Styled): void {
  const gather = (selector: string, set: Set<Element>): void => {
    try {
      for (const element of root.querySelectorAll(selector)) set.add(element);
    } catch {
      // a selector this engine does not take as a query
    }
  };
  gather('[style*="cursor"]', into.hands);
  gather('[style*="visibility"]', into.hidden);
  for (const sheets of [root.styleSheets, root.adoptedStyleSheets ?? []]) {
    for (let i = 0; i < sheets.length; i++) {
      if (sheets[i].disabled) continue;
      const hands = handsOf(sheets[i]);
      if (hands.count < 0) into.blind = true;
      for (const selector of hands.selectors) gather(selector, into.hands);
      for (const selector of hands.hidden) gather(selector, into.hidden);
    }
  }
}
