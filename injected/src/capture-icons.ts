// Names of controls that show only an icon. They have no accessible name, and people call them by what the icon shows.
// Icon libraries state it in a class (Font Awesome, Bootstrap Icons, Lucide, Material Design Icons and others), in a data
// attribute, or in the reference to a symbol.

import { TEST_IDS } from "./capture-attributes";

const ICON =
  /(?:^|\s)(?:fa|fas|far|bi|icon|lucide|feather|ti|mdi|ri|bx|bxs|pi|codicon|octicon|glyphicon|tabler-icon|anticon|ion|uil|la|heroicon|iconoir|ph)-(?!icon\b)([a-z][a-z0-9-]*)/i;
// Classes of the same form that state a size or an animation.
const STYLE = /^(\d*x?|xs|sm|md|lg|xl|fw|li|ul|spin|pulse|fixed|solid|regular|outline|inline|\d+xl?|size-.*)$/;
const USUAL: [RegExp, string][] = [
  [/^(bars|hamburger|navicon|list-nested|menu-.*|.*-menu)$/, "menu"],
  [/^(x|xmark|times|close|x-lg)$/, "close"],
  [/^(ellipsis|dots|more|kebab|three-dots|overflow)(-.*)?$/, "more"],
  [/^(search|magnifying-glass|magnify)$/, "search"],
];

const asWords = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[-_\s]+/g, " ")
    .trim()
    .toLowerCase();

function iconOf(part: Element): string {
  const symbol =
    part.localName === "use" ? /#(.+)$/.exec(part.getAttribute("href") ?? part.getAttribute("xlink:href") ?? "") : null;
  const stated =
    part.getAttribute("data-icon") ??
    part.getAttribute("data-lucide") ??
    part.getAttribute("data-feather") ??
    symbol?.[1];
  if (stated) return stated.replace(/^(icon|i)-/, "");
  for (const name of (part.getAttribute("class") ?? "").split(/\s+/)) {
    const found = ICON.exec(name)?.[1];
    if (found && !STYLE.test(found)) return found;
  }
  return "";
}

/** Whether an element has an icon and nothing that a screen reader would read. */
export function isIconOnly(element: Element): boolean {
  return (
    element.childElementCount > 0 &&
    !/[\p{L}\p{N}]/u.test(element.textContent ?? "") &&
    element.querySelector("svg,i,img,use,[class*=icon]") !== null &&
    element.querySelector(
      "[aria-label],[aria-labelledby],[alt]:not([alt='']),[title],title,input,select,textarea,button,a",
    ) === null
  );
}

/** The name of a control that shows only an icon: what its test id or its icon is called; empty if nothing says it. */
export function iconName(element: Element): string {
  for (const attribute of TEST_IDS) {
    const given = element.getAttribute(attribute);
    if (given !== null && /^[a-z][a-z_-]{2,40}$/i.test(given)) return asWords(given);
  }
  for (const part of [element, ...element.querySelectorAll("*")].slice(0, 10)) {
    const icon = iconOf(part);
    if (icon !== "") return USUAL.find(([pattern]) => pattern.test(icon))?.[1] ?? asWords(icon);
  }
  return "";
}
