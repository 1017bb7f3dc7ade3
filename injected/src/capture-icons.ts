// Names of controls that show only an icon. They have no accessible name, and people call them by what the icon shows.
// Icon libraries state it in a class (Font Awesome, Bootstrap Icons, Lucide, Material Design Icons and others), in a
// data attribute, or in the reference to a symbol.

import { TEST_IDS } from "./capture-attributes";

const ICON =
  /(?:^|\s)(?:fa|fas|far|bi|icon|lucide|feather|ti|mdi|ri|bx|bxs|pi|codicon|octicon|glyphicon|tabler-icon|anticon|ion|uil|la|heroicon|iconoir|ph)-(?!icon\b)([a-z][a-z0-9-]*)/i;
// Classes of the same form that state a size or an animation.
const STYLE = /^(xs|sm|md|lg|xl|fw|li|ul|spin|pulse|fixed|solid|regular|outline|inline|size-.*)$/;
const MOST_PARTS = 10; // the most elements of a control that are examined
const NAMED = "[aria-label],[aria-labelledby],[alt]:not([alt='']),[title],title,input,select,textarea,button,a";
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

// The icons of class attributes: a page repeats a few of them many times.
const ofClasses = new Map<string, string>();
const names = new Map<string, string>();
const MOST_CLASSES = 500;

function iconOf(part: Element): string {
  const symbol =
    part.localName === "use" ? /#(.+)$/.exec(part.getAttribute("href") ?? part.getAttribute("xlink:href") ?? "") : null;
  const stated =
    part.getAttribute("data-icon") ??
    part.getAttribute("data-lucide") ??
    part.getAttribute("data-feather") ??
    symbol?.[1];
  if (stated) return stated.replace(/^(icon|i)-/, "");
  const classes = part.getAttribute("class");
  if (!classes) return "";
  let icon = ofClasses.get(classes);
  if (icon === undefined) {
    icon = "";
    for (const name of classes.split(/\s+/)) {
      const found = ICON.exec(name)?.[1];
      if (found && !STYLE.test(found)) {
        icon = found;
        break;
      }
    }
    if (ofClasses.size >= MOST_CLASSES) ofClasses.clear();
    ofClasses.set(classes, icon);
  }
  return icon;
}

function usualName(icon: string): string {
  let name = names.get(icon);
  if (name === undefined) {
    name = USUAL.find(([pattern]) => pattern.test(icon))?.[1] ?? asWords(icon);
    if (names.size >= MOST_CLASSES) names.clear();
    names.set(icon, name);
  }
  return name;
}

/** Whether an element has an icon and nothing that a screen reader would read. */
export function isIconOnly(element: Element): boolean {
  const first = element.firstElementChild;
  if (first === null || /[\p{L}\p{N}]/u.test(element.textContent ?? "")) return false;
  // Most icons are a single element with nothing but classes.
  if (first.localName === "i" && first === element.lastElementChild && first.firstElementChild === null) {
    const names = first.getAttributeNames();
    if (names.length === 1 && names[0] === "class") return true;
  }
  return element.querySelector("svg,i,img,use,[class*=icon]") !== null && element.querySelector(NAMED) === null;
}

/** The name of a control that shows only an icon: what its test id or its icon is called; empty if nothing says it. */
export function iconName(element: Element, hasTestId: boolean): string {
  for (const attribute of hasTestId ? TEST_IDS : []) {
    const given = element.getAttribute(attribute);
    if (given !== null && /^[a-z][a-z_-]{2,40}$/i.test(given)) return asWords(given);
  }
  // The icon is mostly the element itself or its only child, without a list of what it contains.
  const first = element.firstElementChild;
  let icon = iconOf(element) || (first === null ? "" : iconOf(first));
  const parts = icon === "" ? element.querySelectorAll("*") : [];
  for (let at = 1; icon === "" && at < parts.length && at < MOST_PARTS - 1; at++) icon = iconOf(parts[at]);
  return icon === "" ? "" : usualName(icon);
}
