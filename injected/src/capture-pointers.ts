// Elements that a page shows a hand over, found through its style sheets: asking each element for its computed style would
// double the cost of reading a page.

interface Hands { count: number; selectors: string[]; hovered: string[] }
const read = new WeakMap<CSSStyleSheet, Hands>();

function handsOf(sheet: CSSStyleSheet): Hands {
  const none: Hands = { count: -1, selectors: [], hovered: [] };
  let rules: CSSRuleList;
  try {
    rules = sheet.cssRules;
  } catch {
    return none; // another origin's sheet cannot be read
  }
  const known = read.get(sheet);
  if (known && known.count === rules.length) return known;
  const hands: Hands = { count: rules.length, selectors: [], hovered: [] };
  const lists: [CSSRuleList, string][] = [[rules, ""]];
  for (let seen = 0; lists.length > 0 && seen < 30_000; ) {
    const [list, above] = lists.pop()!;
    for (let i = 0; i < list.length && seen < 30_000; i++, seen++) {
      const rule = list[i] as CSSStyleRule;
      const own = rule.selectorText;
      const selector = own && above ? (own.includes("&") ? own.replace(/&/g, `:is(${above})`) : `:is(${above}) ${own}`) : own;
      if (selector && rule.style.cursor === "pointer") {
        const still = selector.replace(/:hover/g, "");
        if (still === selector) hands.selectors.push(selector);
        else if (still.trim() !== "") hands.hovered.push(still);
      }
      if (rule.cssRules && rule.cssRules.length > 0) lists.push([rule.cssRules, selector ?? above]);
    }
  }
  read.set(sheet, hands);
  return hands;
}

/** Elements of one tree that have, or get under the mouse, a pointer cursor by a rule or by their own style. */
export function pointed(root: Document | ShadowRoot, into: Set<Element>): void {
  const gather = (selector: string): void => {
    try {
      for (const element of root.querySelectorAll(selector)) into.add(element);
    } catch {
      // a selector this engine does not take as a query
    }
  };
  gather('[style*="cursor"]');
  for (const sheets of [root.styleSheets, root.adoptedStyleSheets ?? []]) {
    for (let i = 0; i < sheets.length; i++) {
      if (sheets[i].disabled) continue;
      const hands = handsOf(sheets[i]);
      for (const selector of hands.selectors) gather(selector);
      for (const selector of hands.hovered) gather(selector);
    }
  }
}
