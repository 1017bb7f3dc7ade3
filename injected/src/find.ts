// Finds elements by CSS selector, XPath, text, or role and name, in open shadow roots and same-origin frames too.

import { givenName, textOf } from "./capture-names";
import { isNumbered, shadowOf } from "./capture-registry";
import { roleOf } from "./capture-roles";
import { generatedText } from "./capture-styles";
import type { Query } from "./generated";

const VISIBLE = { visibilityProperty: true };

export function visible(element: Element): boolean {
  if (element.localName === "option" || element.localName === "optgroup")
    return element.parentElement !== null && visible(element.parentElement);
  if (!element.checkVisibility(VISIBLE)) return false;
  const box = element.getBoundingClientRect();
  if (box.width > 0 && box.height > 0) return true;
  for (const child of element.children) if (visible(child)) return true;
  return false;
}

type Root = Document | ShadowRoot;

function roots(): Root[] {
  const found: Root[] = [document];
  for (let i = 0; i < found.length && found.length < 2_000; i++) {
    for (const element of found[i].querySelectorAll("*")) {
      const shadow = shadowOf(element);
      if (shadow) found.push(shadow);
      else if (element.localName === "iframe" || element.localName === "frame") {
        try {
          const inner = (element as HTMLIFrameElement).contentDocument;
          if (inner) found.push(inner);
        } catch {
          // another origin: searched in its own world
        }
      }
    }
  }
  return found;
}

const squeeze = (text: string) => text.replace(/\s+/g, " ").trim();

export function roleName(element: Element): { role: string; name: string } {
  const role = roleOf(element as HTMLElement, element.localName, element.getAttribute("role"));
  const given = givenName(element, element.localName, role);
  return { role, name: squeeze(given || textOf(element) || generatedName(element)) };
}

/** The text that a style sheet gives to a control without any other. */
const generatedName = (element: Element): string =>
  element.matches("button,a,[role]") ? generatedText(element, "::before") + generatedText(element, "::after") : "";

/** A short description of an element: `button "Save"`. */
export function describe(element: Element): string {
  const { role, name } = roleName(element);
  const short = name.length > 60 ? name.slice(0, 60) + "…" : name;
  return (role && role !== "generic" ? role : "<" + element.localName + ">") + (short ? ' "' + short + '"' : "");
}

function byText(wanted: string, all: Root[]): Element[] {
  const quoted = /^(["'])(.*)\1$/s.exec(wanted.trim());
  const exact = quoted !== null;
  const text = squeeze(exact ? quoted[2] : wanted);
  const lower = text.toLowerCase();
  const hits: Element[] = [];
  for (const root of all) {
    for (const element of root.querySelectorAll("*")) {
      const tag = element.localName;
      if (tag === "script" || tag === "style" || tag === "noscript" || tag === "head" || tag === "title") continue;
      const input = element as HTMLInputElement;
      const own =
        tag === "input" && /^(button|submit|reset)$/.test(input.type) ? input.value : (element.textContent ?? "");
      if (own.length < text.length || own.length > 20_000) continue;
      const squeezed = squeeze(own);
      if (exact ? squeezed === text : squeezed.toLowerCase().includes(lower)) hits.push(element);
    }
  }
  const smallest = hits.filter((hit) => !hits.some((other) => other !== hit && hit.contains(other)));
  // An element whose whole text matches is preferred, because a longer text may contain the wanted one by chance.
  const whole = smallest.filter((hit) => squeeze(hit.textContent ?? "").toLowerCase() === lower);
  return whole.length > 0 ? whole : smallest;
}

/**
 * The position of a text within an element, if a single text node contains it. The centre of the element may be far
 * from there.
 */
export function placeOf(element: Element, query: Query): Range | null {
  if (query.by !== "text") return null;
  const text = squeeze(/^(["'])(.*)\1$/s.exec(query.text.trim())?.[2] ?? query.text);
  const pattern = text
    .split(" ")
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("\\s+");
  if (pattern === "") return null;
  // A match of whole words is preferred to one within a word.
  for (const expression of ["(?<![\\p{L}\\p{N}])" + pattern + "(?![\\p{L}\\p{N}])", pattern]) {
    const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const found = new RegExp(expression, "iu").exec((node as Text).data);
      if (found === null) continue;
      const range = element.ownerDocument.createRange();
      range.setStart(node, found.index);
      range.setEnd(node, found.index + found[0].length);
      return range;
    }
  }
  return null;
}

/**
 * Elements without a role of their own, which captures show as `generic` if they can be acted on. Their name is their
 * whole text. Of nested matches, the one that a capture showed is meant; otherwise the innermost.
 */
function generics(name: string, all: Root[]): Element[] {
  const lower = squeeze(name).toLowerCase();
  const hits = all.flatMap((root) =>
    [...root.querySelectorAll("*")].filter((element) => {
      const role = roleOf(element as HTMLElement, element.localName, element.getAttribute("role"));
      return (
        (role === "" || role === "generic") &&
        (element.textContent ?? "").length <= 20_000 &&
        roleName(element).name.toLowerCase() === lower
      );
    }),
  );
  const shown = hits.filter(isNumbered);
  const among = shown.length > 0 ? shown : hits;
  return among.filter((hit) => !among.some((other) => other !== hit && hit.contains(other)));
}

function byRole(role: string, name: string | null | undefined, all: Root[]): Element[] {
  if (role === "generic" && name) return generics(name, all);
  const hits: [Element, string][] = [];
  for (const root of all) {
    for (const element of root.querySelectorAll("*")) {
      if (roleOf(element as HTMLElement, element.localName, element.getAttribute("role")) === role)
        hits.push([element, ""]);
    }
  }
  if (name === null || name === undefined) return hits.map(([element]) => element);
  const lower = squeeze(name).toLowerCase();
  for (const hit of hits) hit[1] = roleName(hit[0]).name.toLowerCase();
  // An element whose whole name matches is preferred, because a longer name may contain the wanted one by chance.
  const whole = hits.filter((hit) => hit[1] === lower);
  return (whole.length > 0 ? whole : hits.filter((hit) => hit[1].includes(lower))).map(([element]) => element);
}

/** All matching elements; only the visible ones if there are any. Throws if a selector is invalid. */
export function findAll(query: Query): Element[] {
  const all = roots();
  let found: Element[] = [];
  switch (query.by) {
    case "css":
      for (const root of all) found.push(...root.querySelectorAll(query.selector));
      break;
    case "xpath":
      for (const root of all) {
        if (root.nodeType !== 9) continue;
        const result = (root as Document).evaluate(
          query.path,
          root,
          null,
          XPathResult.ORDERED_NODE_SNAPSHOT_TYPE,
          null,
        );
        for (let i = 0; i < result.snapshotLength; i++) {
          const node = result.snapshotItem(i)!;
          const element = node.nodeType === 1 ? (node as Element) : node.parentElement;
          if (element !== null) found.push(element);
        }
      }
      break;
    case "text":
      found = byText(query.text, all);
      break;
    case "role":
      found = byRole(query.role, query.name, all);
  }
  const shown = found.filter(visible);
  return shown.length > 0 ? shown : found;
}

function wordsOf(query: Query): string {
  switch (query.by) {
    case "css":
      return query.selector;
    case "xpath":
      return query.path;
    case "text":
      return query.text;
    case "role":
      return query.name ?? query.role;
  }
}

/** Descriptions of elements that resemble a target that was not found: those that share words or the role with it. */
export function near(query: Query): string[] {
  const words = new Set(
    squeeze(wordsOf(query))
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  );
  const scored: [number, string][] = [];
  for (const root of roots()) {
    for (const element of root.querySelectorAll("a,button,input,select,textarea,summary,label,[role],h1,h2,h3")) {
      if (scored.length > 3_000) break;
      if (!visible(element)) continue;
      const { role, name } = roleName(element);
      let score = query.by === "role" && role === query.role ? 2 : 0;
      for (const word of name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) if (words.has(word)) score += 3;
      if (score > 0) scored.push([score, describe(element)]);
    }
  }
  scored.sort((a, b) => b[0] - a[0]);
  return [...new Set(scored.map((entry) => entry[1]))].slice(0, 5);
}
