// Cursors, visibility and generated texts according to style sheets. Querying the computed style of each element, or
// `checkVisibility` for more than boxes, would double the cost of a capture.

import { partsOf, type SelectorIndex } from "./capture-selectors";

interface SheetSelectors {
  count: number;
  pointers: string[];
  hidden: string[];
  hovered: string[];
  collapsible: string[];
  displaced: string[];
  illegible: string[];
  generated: string[];
}

/** The elements that the styles of a page's trees concern. */
export interface Styled {
  /** Elements with a pointer cursor, always or on hover, from a rule or from their own style. */
  pointers: Set<Element>;
  /** Elements that may have their own `visibility` or `opacity`. */
  hidden: Set<Element>;
  /** Elements that may have no height, besides those that `rules` finds. */
  collapsible: Set<Element>;
  /** Elements that may be outside the area to which the page can be scrolled, besides those that `rules` finds. */
  displaced: Set<Element>;
  /** Elements whose text may have no size or no colour, besides those that `rules` finds. */
  illegible: Set<Element>;
  rules: {
    collapsible: SelectorIndex;
    displaced: SelectorIndex;
    illegible: SelectorIndex;
    /** The rules for elements that have a text before or after their content. Only controls are compared with them. */
    generated: SelectorIndex;
  };
  /** Whether a style sheet could not be read. */
  blind: boolean;
}
const NONE = /^0(px|%)?$/;
const NO_SIZE = /^0(px|pt|%|r?em)?$/;
const NO_COLOR = /^transparent$|^(rgb|hsl)a\(.*,\s*0%?\)$|\/\s*0%?\)$/;
const INLINE_ILLEGIBLE = /font(-size)?:\s*0|color:\s*(transparent|(rgb|hsl)a\([^)]*,\s*0%?\)|[^;]*\/\s*0%?\))/;
// Declarations that can move an element out of reach: a large offset or translation. Values that a script computes are
// among the inline styles.
const AWAY =
  /(?:^|[\s;])(?:(?:left|right|top|bottom|inset[\w-]*|margin-(?:left|right|top)):\s*(?:-(?:\d{2,}(?:\.\d+)?(?:px|%|v[wh])|[\d.]+r?em)|calc\()|left:\s*100%|(?:transform|translate):[^;]*(?:\d{2,}(?:\.\d+)?(?:px|%|v[wh])|\d+r?em|var\(|calc\())/;
// A generated text with letters. Icons of icon fonts are in the private use area.
const TEXT = /attr\(|"[^"]*[\p{L}\p{N}]/u;
const PSEUDO = /::?(?:before|after)/g;
const read = new WeakMap<CSSStyleSheet, SheetSelectors>();

const noSelectors = (count: number): SheetSelectors => ({
  count,
  pointers: [],
  hidden: [],
  hovered: [],
  collapsible: [],
  displaced: [],
  illegible: [],
  generated: [],
});

function selectorsOf(sheet: CSSStyleSheet): SheetSelectors {
  const none = noSelectors(-1);
  let rules: CSSRuleList;
  try {
    rules = sheet.cssRules;
  } catch {
    return none; // style sheets of other origins cannot be read
  }
  const known = read.get(sheet);
  if (known && known.count === rules.length) return known;
  const found = noSelectors(rules.length);
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
        if (NO_SIZE.test(style.fontSize) || NO_COLOR.test(style.color)) found.illegible.push(selector);
        if (AWAY.test(style.cssText)) found.displaced.push(selector);
        if (/:(before|after)/.test(selector) && TEXT.test(style.content))
          found.generated.push(selector.replace(PSEUDO, ""));
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
  found.collapsible = found.collapsible.flatMap(partsOf).filter(isQuery);
  found.displaced = found.displaced.flatMap(partsOf).filter(isQuery);
  found.illegible = found.illegible.flatMap(partsOf).filter(isQuery);
  found.generated = found.generated.flatMap(partsOf).filter(isQuery);
  read.set(sheet, found);
  return found;
}

/**
 * Whether this browser accepts a selector in a query. Selectors are queried together, so an invalid one would
 * invalidate the others.
 */
function isQuery(selector: string): boolean {
  try {
    document.createDocumentFragment().querySelector(selector);
    return true;
  } catch {
    return false;
  }
}

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

const HEIGHT = /height/;
const INLINE_AWAY = /:\s*-|transform|translate|calc\(/;

/** Collects the elements of one tree that may have no height, be out of reach, be illegible, or have a generated text. */
export function unusual(root: Document | ShadowRoot, into: Styled): void {
  // One query for any inline style and a comparison of its text cost less than a query for several parts of the text.
  const inline = root.querySelectorAll("[style]");
  for (let i = 0; i < inline.length; i++) {
    const style = inline[i].getAttribute("style")!;
    if (HEIGHT.test(style)) into.collapsible.add(inline[i]);
    if (INLINE_AWAY.test(style)) into.displaced.add(inline[i]);
    if (INLINE_ILLEGIBLE.test(style)) into.illegible.add(inline[i]);
  }
  const { collapsible, displaced, illegible, generated } = into.rules;
  const shrunk: string[] = [];
  const away: string[] = [];
  const unread: string[] = [];
  for (const sheet of sheetsOf(root)) {
    const selectors = selectorsOf(sheet);
    if (selectors.count < 0) into.blind = true;
    shrunk.push(...collapsible.add(selectors.collapsible));
    away.push(...displaced.add(selectors.displaced));
    unread.push(...illegible.add(selectors.illegible));
    generated.add(selectors.generated);
  }
  gather(root, shrunk, into.collapsible);
  gather(root, away.slice(0, MOST_AWAY), into.displaced);
  gather(root, unread.slice(0, MOST_AWAY), into.illegible);
}

const MOST_AWAY = 100; // the most selectors without a class or tag that are queried

/** Fonts in which a word is drawn as a symbol: `arrow_drop_down`. */
const SYMBOL_FONT = /material|symbol|icon|awesome|glyph/i;

/**
 * The text that a style sheet adds before or after the content of an element (`content: attr(label)`), which belongs to
 * its accessible name. An alternative text after a slash has priority. Symbols are not texts.
 */
export function generatedText(element: Element, side: "::before" | "::after"): string {
  const { content, display, fontFamily } = getComputedStyle(element, side);
  if (!content || content === "none" || content === "normal" || display === "none") return "";
  if (SYMBOL_FONT.test(fontFamily)) return "";
  const spoken = /\/\s*((?:"(?:[^"\\]|\\.)*"\s*|attr\([^)]*\)\s*)+)$/.exec(content)?.[1] ?? content;
  let text = "";
  for (const [, quoted, attribute] of spoken.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(\s*([\w-]+)[^)]*\)/g))
    text += attribute === undefined ? quoted.replace(/\\(.)/g, "$1") : (element.getAttribute(attribute) ?? "");
  text = text.replace(/[\uE000-\uF8FF]/g, "");
  return /[\p{L}\p{N}]/u.test(text) ? text : "";
}

/** The most ancestors whose background may be cut to the shape of a text. */
const MOST_BACKGROUNDS = 4;

/**
 * Whether the text of an element has no size or no colour. A text without a colour is legible if its shadow is drawn, or
 * a background that is cut to its shape.
 */
export function isIllegible(element: Element): boolean {
  const style = getComputedStyle(element);
  if (style.fontSize === "0px") return true;
  if (!NO_COLOR.test(style.color) || style.textShadow !== "none" || !NO_COLOR.test(style.webkitTextFillColor))
    return false;
  let node: Element | null = element;
  for (let steps = 0; node !== null && steps < MOST_BACKGROUNDS; steps++, node = node.parentElement)
    if (getComputedStyle(node).backgroundClip.includes("text")) return false;
  return true;
}

/** Whether an element is outside the area to which its page can be scrolled, as a closed drawer is. */
export function isOutOfReach(element: Element): boolean {
  const view = element.ownerDocument.defaultView!;
  const box = element.getBoundingClientRect();
  if (box.width === 0 || box.height === 0) return false;
  // Content that flows out of an element may be in view although the element is not, as in a carousel.
  const right = box.left + Math.max(box.width, element.scrollWidth);
  const bottom = box.top + Math.max(box.height, element.scrollHeight);
  if (right > 0 && bottom > 0 && box.left < view.innerWidth && box.top < view.innerHeight) return false;
  // An announcement for screen readers is out of view on purpose, and states what happened.
  if (element.closest("[aria-live],[role=status],[role=alert],[role=log]") !== null) return false;
  for (let node: Element | null = element; node !== null; node = node.parentElement) {
    const { position, overflowX, overflowY } = getComputedStyle(node);
    const isBody = node.localName === "body"; // its overflow is that of the page
    // A fixed dialog may scroll its content, so this comes first.
    if (!isBody && node !== element && /auto|scroll/.test(overflowX + overflowY)) return false;
    if (position === "fixed") return true;
    if (isBody) break;
  }
  const root = element.ownerDocument.documentElement;
  if (bottom + view.scrollY <= 0) return true;
  if (getComputedStyle(root).direction === "rtl") return false;
  if (right + view.scrollX <= 0) return true;
  const cut = [root, element.ownerDocument.body].some(
    (part) => part && /hidden|clip/.test(getComputedStyle(part).overflowX),
  );
  return cut && box.left + view.scrollX >= view.innerWidth;
}

/** The most elements in a part out of reach whose boxes are compared with the view. */
const MOST_WITHIN = 500;

/**
 * The elements in a part that is out of reach which are in view nevertheless: a toolbar that is positioned above its
 * fixed parent, which lies below the window. Only the outermost ones.
 */
export function inViewWithin(part: Element): Element[] {
  const view = part.ownerDocument.defaultView!;
  const within = part.querySelectorAll("*");
  const found: Element[] = [];
  for (let i = 0; i < within.length && i < MOST_WITHIN; i++) {
    const element = within[i];
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) continue;
    if (box.right <= 0 || box.bottom <= 0 || box.left >= view.innerWidth || box.top >= view.innerHeight) continue;
    if (found.some((outer) => outer.contains(element)) || isCutBetween(element, part)) continue;
    found.push(element);
  }
  return found;
}

/** Whether the overflow of `part`, or of an element between, cuts an element that is outside of it. */
function isCutBetween(element: Element, part: Element): boolean {
  for (let node = element.parentElement; node !== null; node = node.parentElement) {
    if (/hidden|clip|auto|scroll/.test(getComputedStyle(node).overflow)) return true;
    if (node === part) return false;
  }
  return false;
}
