// Texts, attributes and HTML of elements and of the page, except secrets.

import { isSecret, shadowOf } from "./capture-registry";
import { codeText } from "./editor";
import { findEvery, locate } from "./element-query";
import { describe, visible } from "./find";
import type * as Bridge from "./generated";
import { boxOf } from "./geometry";

const textIn = (element: Element): string => {
  const code = codeText(element);
  if (code !== null) return code;
  const input = element as HTMLInputElement;
  switch (element.localName) {
    case "input":
      return input.type === "checkbox" || input.type === "radio" ? String(input.checked) : input.value;
    case "textarea":
      return input.value;
    case "select":
      return Array.from((element as HTMLSelectElement).selectedOptions, (option) => option.label || option.text).join(
        ", ",
      );
    default:
      return ((element as HTMLElement).innerText ?? element.textContent ?? "").trim();
  }
};

const MASKED = "••••";

function contentOf(element: Element, content: Bridge.ReadContent): string | null {
  if (content === "text") return isSecret(element) ? MASKED : textIn(element);
  if (content === "html") return element.outerHTML;
  const name = content.attribute;
  if (name === "value" && "value" in element) return isSecret(element) ? MASKED : String(element.value);
  if ((name === "href" || name === "src") && name in element)
    return String((element as HTMLAnchorElement & HTMLImageElement)[name]);
  return element.getAttribute(name);
}

export function readElements({ target, scope, content, limit }: Bridge.ReadElements): Bridge.ReadResult {
  let found: Element[];
  if ("query" in target && scope !== "only") {
    const every = findEvery(target.query);
    if (!Array.isArray(every)) return every;
    found = scope === "all" ? every : every.slice(0, 1);
  } else {
    const located = locate(target);
    if (!("nodeType" in located)) return located;
    found = [located];
  }
  let left = limit;
  const texts: (string | null)[] = [];
  for (const element of found) {
    if (left <= 0) break;
    let text = contentOf(element, content);
    // One character more than the limit shows the caller that there is more.
    if (text !== null && text.length > left) text = text.slice(0, left + 1);
    left -= text?.length ?? 0;
    texts.push(text);
  }
  return { texts, what: describe(found[0]), box: boxOf(found[0]) };
}

export function html({ limit }: Bridge.Html): Bridge.HtmlText {
  const type = document.doctype ? new XMLSerializer().serializeToString(document.doctype) + "\n" : "";
  const text = type + document.documentElement.outerHTML;
  return { html: text.length > limit ? null : text, length: text.length };
}

// Scripts that put blanks between words. In others, any place may be the end of a word.
const WORDY = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u;

/** Whether a text occurs as whole words: `paid` does not occur in `unpaid`. */
export function includesWords(whole: string, text: string): boolean {
  const isWithin = (at: number): boolean =>
    WORDY.test(whole.charAt(at - 1)) && WORDY.test(whole.charAt(at)) && at > 0 && at < whole.length;
  if (text === "") return true;
  for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + 1))
    if (!isWithin(at) && !isWithin(at + text.length)) return true;
  return false;
}

export function includesText({ text }: Bridge.IncludesText): boolean {
  const lower = text.replace(/\s+/g, " ").trim().toLowerCase();
  const within = (root: Document | ShadowRoot): boolean => {
    const whole =
      root.nodeType === 9
        ? ((root as Document).body?.innerText ?? "")
        : Array.from((root as ShadowRoot).children, (child) => (child as HTMLElement).innerText ?? "").join(" ");
    if (includesWords(whole.replace(/\s+/g, " ").toLowerCase(), lower)) return true;
    for (const element of root.querySelectorAll("*")) {
      const input = element as HTMLInputElement;
      if (
        (element.localName === "input" || element.localName === "textarea") &&
        input.type !== "password" &&
        visible(element) &&
        includesWords(input.value.toLowerCase(), lower)
      )
        return true;
      const shadow = shadowOf(element);
      if (shadow !== null && within(shadow)) return true;
      if (element.localName === "iframe" && visible(element)) {
        try {
          const inner = (element as HTMLIFrameElement).contentDocument;
          if (inner && within(inner)) return true;
        } catch {
          // read in its own world
        }
      }
    }
    return false;
  };
  return within(document);
}
