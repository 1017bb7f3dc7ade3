// Selectors by the class or tag that they require of an element itself, as browsers index their rules. A page has many
// rules and few elements that they concern: a query with all selectors would compare each element with each of them.

/** The last compound of a selector, without what only restricts it further; null if the text is not understood. */
function lastCompound(selector: string): string | null {
  if (/["'\\|]/.test(selector)) return null;
  let plain = selector;
  for (let before = ""; before !== plain; ) {
    before = plain;
    plain = plain.replace(/\([^()[\]]*\)|\[[^[\]]*\]/g, "");
  }
  if (/[()[\]]/.test(plain)) return null;
  return /[^\s>+~]*$/.exec(plain.trim())![0].replace(/:.*$/, "");
}

/** The class (`.name`) or tag that each element of a selector has; empty if there is none that can be relied on. */
export function keyOf(selector: string): string {
  const last = lastCompound(selector);
  if (last === null || last.includes("#")) return "";
  return /\.[^.]+/.exec(last)?.[0] ?? /^[a-z][a-z0-9-]*$/i.exec(last)?.[0].toLowerCase() ?? "";
}

/** The selectors of a list, `a, b`. */
export function partsOf(list: string): string[] {
  if (!list.includes(",")) return [list];
  if (/["'\\]/.test(list)) return [list];
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < list.length; i++) {
    const sign = list[i];
    if (sign === "(" || sign === "[") depth++;
    else if (sign === ")" || sign === "]") depth--;
    else if (sign === "," && depth === 0) {
      parts.push(list.slice(start, i).trim());
      start = i + 1;
    }
  }
  parts.push(list.slice(start).trim());
  return parts;
}

/** An index of selectors. */
export class SelectorIndex {
  /** The selectors without a class or tag. */
  readonly others: string[] = [];
  private readonly keyed = new Map<string, string[]>();
  // The selectors for the elements of a tag with the same classes, joined into one. Most elements share their classes
  // with others.
  private readonly joined = new Map<string, Map<string, string>>();
  // The selectors that were added, and of each list the ones without a class or tag. The trees of web components have
  // the same style sheets.
  private readonly known = new Set<string>();
  private readonly lists = new Map<string[], string[]>();

  /** Adds the selectors of a list, each once. Returns those without a class or tag. */
  add(selectors: string[]): string[] {
    const added = this.lists.get(selectors);
    if (added !== undefined) return added;
    const others: string[] = [];
    this.lists.set(selectors, others);
    for (const selector of selectors) {
      const key = keyOf(selector);
      if (key === "") others.push(selector);
      if (this.known.has(selector)) continue;
      this.known.add(selector);
      this.joined.clear();
      const alike = key === "" ? this.others : this.keyed.get(key);
      if (alike === undefined) this.keyed.set(key, [selector]);
      else alike.push(selector);
    }
    return others;
  }

  /** Whether an element matches a selector with a class or tag. `classes` is its class attribute. */
  matches(element: Element, tag: string, classes: string): boolean {
    if (this.keyed.size === 0) return false;
    const ofTag = this.joined.get(tag) ?? new Map<string, string>();
    this.joined.set(tag, ofTag);
    let selector = ofTag.get(classes);
    if (selector === undefined) {
      const names = new Set(classes.split(/\s+/).map((name) => "." + name));
      selector = [tag, ...names].flatMap((key) => this.keyed.get(key) ?? []).join();
      ofTag.set(classes, selector);
    }
    return selector !== "" && element.matches(selector);
  }
}
