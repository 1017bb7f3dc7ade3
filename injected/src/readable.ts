// The visible content of the page as HTML with a few plain tags, across shadow roots and same-origin frames, with the
// values of its fields. The walk is iterative and limited, like the capture.

import { isSecret, shadowOf } from "./capture-registry";
import type { ReadableHtml } from "./generated";

const SKIPPED = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "canvas",
  "video",
  "audio",
  "object",
  "embed",
  "option",
  "head",
]);
const KEPT = new Set([
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "p",
  "ul",
  "ol",
  "li",
  "table",
  "thead",
  "tbody",
  "tfoot",
  "tr",
  "th",
  "td",
  "caption",
  "dl",
  "dt",
  "dd",
  "pre",
  "code",
  "blockquote",
]);

const escaped = (text: string) =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

/** The text that a field shows. */
function fieldText(element: Element): string | null {
  if (element.localName === "select")
    return Array.from((element as HTMLSelectElement).selectedOptions, (option) => option.label || option.text).join(
      ", ",
    );
  if (element.localName === "textarea") return (element as HTMLTextAreaElement).value;
  if (element.localName !== "input") return null;
  const input = element as HTMLInputElement;
  if (input.type === "password" || isSecret(input)) return "••••";
  if (input.type === "checkbox" || input.type === "radio") return input.checked ? "[x]" : "[ ]";
  return input.type === "hidden" || input.type === "file" ? "" : input.value;
}

export function readableHtml({ limit }: ReadableHtml): string {
  const out: string[] = [];
  let size = 0;
  const put = (text: string) => {
    size += text.length;
    out.push(text);
  };
  // Strings among the nodes are end tags, which are written unchanged.
  const open: (Node | string)[] = [document.body ?? document.documentElement];
  while (open.length > 0 && size < limit) {
    const next = open.pop()!;
    if (typeof next === "string") put(next);
    else if (next.nodeType === 3) put(escaped((next as Text).data));
    else if (next.nodeType === 1) enter(next as Element, open, put);
  }
  return out.join("");
}

function enter(element: Element, open: (Node | string)[], put: (text: string) => void): void {
  const tag = element.localName;
  if (SKIPPED.has(tag)) return;
  const style = getComputedStyle(element);
  if (style.display === "none" || (style.display !== "contents" && !element.checkVisibility())) return;
  const shown = style.visibility === "visible";
  const field = fieldText(element);
  if (field !== null) {
    if (shown && field !== "") put(" " + escaped(field) + " ");
    return;
  }
  if (tag === "br" || tag === "hr") return put(shown ? "<" + tag + ">" : "");
  if (tag === "img") return put(shown ? escaped((element as HTMLImageElement).alt) : "");
  if (tag === "iframe" || tag === "frame") {
    const inner = bodyOf(element as HTMLIFrameElement);
    if (inner !== null) open.push("</div>", inner, "<div>");
    return;
  }
  const href =
    tag === "a" && element.getAttribute("href")?.startsWith("#") === false ? (element as HTMLAnchorElement).href : "";
  // A row heading is written as a normal cell, because converters to Markdown expect headings in the first row only.
  const heads =
    tag === "th" && Array.from(element.parentElement?.children ?? []).some((cell) => cell.localName === "td");
  const as = heads
    ? "td"
    : href.startsWith("http")
      ? "a"
      : KEPT.has(tag)
        ? tag
        : style.display.startsWith("inline") || style.display === "contents"
          ? ""
          : "div";
  if (as !== "") {
    put(as === "a" ? '<a href="' + escaped(href) + '">' : "<" + as + ">");
    open.push("</" + as + ">");
  }
  const slotted = tag === "slot" ? (element as HTMLSlotElement).assignedNodes() : [];
  const root = shadowOf(element) ?? element;
  const children = slotted.length > 0 ? slotted : Array.from(root.childNodes);
  for (let i = children.length - 1; i >= 0; i--) if (shown || children[i].nodeType === 1) open.push(children[i]);
}

function bodyOf(frame: HTMLIFrameElement): Element | null {
  try {
    return frame.contentDocument?.body ?? null;
  } catch {
    return null; // another origin: read in its own world
  }
}
