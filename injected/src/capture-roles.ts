// The ARIA role of an element, either explicit or implied by its tag (HTML-AAM). An empty role means that the element
// has no meaning for a reader.

const KNOWN = new Set(
  (
    "alert alertdialog application article banner blockquote button caption cell checkbox columnheader combobox complementary " +
    "contentinfo dialog document feed figure form grid gridcell group heading img link list listbox listitem log main marquee math " +
    "menu menubar menuitem menuitemcheckbox menuitemradio meter navigation note option progressbar radio radiogroup region row " +
    "rowheader scrollbar search searchbox slider spinbutton status switch tab table tablist tabpanel textbox timer toolbar tooltip " +
    "tree treegrid treeitem term"
  ).split(" "),
);
const SILENT = new Set(
  "none presentation generic paragraph rowgroup code emphasis strong definition separator time".split(" "),
);

/** The roles of controls. */
export const WIDGETS = new Set(
  (
    "button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider " +
    "spinbutton switch tab textbox treeitem scrollbar"
  ).split(" "),
);

const IMPLIED: Record<string, string> = {
  button: "button",
  h1: "heading",
  h2: "heading",
  h3: "heading",
  h4: "heading",
  h5: "heading",
  h6: "heading",
  ul: "list",
  ol: "list",
  menu: "list",
  li: "listitem",
  table: "table",
  tr: "row",
  nav: "navigation",
  main: "main",
  aside: "complementary",
  search: "search",
  dialog: "dialog",
  article: "article",
  figure: "figure",
  progress: "progressbar",
  meter: "meter",
  textarea: "textbox",
  option: "option",
  fieldset: "group",
  summary: "button",
  output: "status",
  iframe: "iframe",
  frame: "iframe",
  video: "video",
  audio: "audio",
  img: "img",
  math: "math",
  address: "group",
  hgroup: "",
  dt: "term",
};
const INPUTS: Record<string, string> = {
  checkbox: "checkbox",
  radio: "radio",
  button: "button",
  submit: "button",
  reset: "button",
  image: "button",
  range: "slider",
  number: "spinbutton",
  search: "searchbox",
  hidden: "",
};

/** The role of an element. `given` is its role attribute. */
export function roleOf(element: Element, tag: string, given: string | null): string {
  if (given !== null) {
    for (const word of given.toLowerCase().split(/\s+/)) {
      if (KNOWN.has(word)) return word;
      if (SILENT.has(word)) return "";
      if (word === "image") return "img";
    }
  }
  const implied = IMPLIED[tag];
  if (implied !== undefined) return implied;
  switch (tag) {
    case "a":
    case "area":
      return element.hasAttribute("href") || isScripted(element) ? "link" : "";
    case "input": {
      const type = (element as HTMLInputElement).type;
      const role = INPUTS[type];
      if (role !== undefined) return role;
      return (element as HTMLInputElement).hasAttribute("list") ? "combobox" : "textbox";
    }
    case "select":
      return (element as HTMLSelectElement).multiple || (element as HTMLSelectElement).size > 1
        ? "listbox"
        : "combobox";
    case "th":
      return element.getAttribute("scope") === "row" || isRowHead(element) ? "rowheader" : "columnheader";
    case "td":
      return isBoldHead(element) ? "columnheader" : "cell";
    case "header":
      return element.closest("article,aside,main,nav,section") ? "" : "banner";
    case "footer":
      return element.closest("article,aside,main,nav,section") ? "" : "contentinfo";
    case "form":
      return "form";
    case "section":
      return hasLabel(element) ? "region" : "";
    case "svg":
    case "canvas":
      return hasLabel(element) || element.firstElementChild?.localName === "title" ? "img" : "";
    default:
      return "";
  }
}

/**
 * A link without an address is handled by a script if its style sets the cursor of a link: React's `<a onClick>`, for
 * example, has listeners that no attribute reveals. A link inside an element with this cursor is only part of that
 * element.
 */
function isScripted(link: Element): boolean {
  const hand = (element: Element | null): boolean => element !== null && getComputedStyle(element).cursor === "pointer";
  return hand(link) && !hand(link.parentElement);
}

const HANDLE = /(^|[\s_-])slider[\w-]*?[_-](handle|thumb|knob)(\s|$)/i;

/** Whether a control without a role is the handle of a slider, according to the class names of component libraries. */
export function isSliderHandle(element: Element): boolean {
  return (
    element.firstElementChild === null &&
    HANDLE.test(element.getAttribute("class") ?? "") &&
    !/\S/.test(element.textContent ?? "")
  );
}

/** The position of such a handle on its track, from its style. */
export function alongTrack(element: HTMLElement): string | null {
  const along = element.style.left || element.style.bottom || element.style.insetInlineStart;
  return /^[\d.]+%$/.test(along) ? along : null;
}

function hasLabel(element: Element): boolean {
  return element.hasAttribute("aria-label") || element.hasAttribute("aria-labelledby") || element.hasAttribute("title");
}

/** Whether a `th` is the heading of its row, which is so if it is beside `td` elements. */
function isRowHead(cell: Element): boolean {
  if (cell.hasAttribute("scope")) return false;
  const beside = cell.nextElementSibling;
  return beside !== null && beside.localName === "td" && cell.previousElementSibling?.localName !== "th";
}

/** What a header does not contain: a row with one of these is content, such as an unread message. */
const NOT_IN_HEAD = "button,input,select,textarea,[onclick]";
const BOLD = 600;

/**
 * Whether a `td` is the header of its column: tables without `th` often have a first row of bold names. In such a row:
 * - all texts are bold,
 * - no text contains a digit,
 * - there is no control,
 * - and the row below has a text that is not bold.
 * Any other row is content: the first of a list of messages is bold if it is unread, and has a date.
 */
function isBoldHead(cell: Element): boolean {
  const row = cell.parentElement as HTMLTableRowElement | null;
  // Most rows end here.
  if (row === null || row.previousElementSibling !== null) return false;
  const table = row.closest("table");
  const below = table?.rows[1];
  if (table?.rows[0] !== row || below === undefined || row.cells.length < 2) return false;
  if (row.querySelector(NOT_IN_HEAD) !== null || row.querySelector("th") !== null || below.querySelector("th") !== null)
    return false;
  const head = Array.from(row.cells).filter(hasText);
  return (
    head.length >= 2 &&
    head.every((one) => isBold(one) && !/\d/.test(one.textContent ?? "")) &&
    Array.from(below.cells).some((one) => hasText(one) && !isBold(one)) &&
    getComputedStyle(row).cursor !== "pointer"
  );
}

const hasText = (element: Element): boolean => /\S/.test(element.textContent ?? "");

/** Whether the text of an element is bold; of several texts, the first one counts. */
function isBold(element: Element): boolean {
  let at = element;
  for (;;) {
    const first = Array.from(at.childNodes).find((node) => /\S/.test(node.textContent ?? ""));
    if (!(first instanceof Element)) return Number(getComputedStyle(at).fontWeight) >= BOLD;
    at = first;
  }
}

/** Elements that do not begin a new line. */
const INLINE = new Set(
  (
    "a abbr b bdi bdo big button cite code data del dfn em font i img input ins kbd label mark meter nobr output picture progress q rp rt ruby " +
    "s samp select slot small span strike strong sub sup svg text textarea time tspan tt u var wbr"
  ).split(" "),
);

/** Elements without content for a reader. */
const SKIPPED = new Set(
  "script style noscript template head meta link base title col colgroup source track param defs clipPath mask path datalist".split(
    " ",
  ),
);

/** Properties of an element that depend on its tag alone. */
export interface Tag {
  /** The implied role; null if it depends on more than the tag. */
  role: string | null;
  inline: boolean;
  skipped: boolean;
  /** Whether it may have a name without an attribute that provides one. */
  named: boolean;
}

const ASKED = new Set("a area input select td th header footer section svg canvas".split(" "));
const NAMED = new Set("table fieldset input select textarea svg".split(" "));
const OTHER: Tag = { role: "", inline: false, skipped: false, named: false };
const TAGS = new Map<string, Tag>();
for (const tag of [...Object.keys(IMPLIED), ...INLINE, ...SKIPPED, ...ASKED, "form"]) {
  const role = ASKED.has(tag) ? null : tag === "form" ? "form" : (IMPLIED[tag] ?? "");
  TAGS.set(tag, { role, inline: INLINE.has(tag), skipped: SKIPPED.has(tag), named: NAMED.has(tag) });
}

/** The properties of a tag. */
export function tagOf(tag: string): Tag {
  return TAGS.get(tag) ?? OTHER;
}
