// Reads the page in one pass: a line a node, in the order of the flat tree (shadow roots, slots and frames in their places).
//
// A line is `depth role name field…`, divided by tabs; each field begins with a character that says what it is (see
// crates/observe/src/capture.rs). Names and texts hold no tabs or line breaks, so nothing has to be escaped, neither here nor
// again when the browser wraps the answer into JSON. Nothing recurses, and nodes and characters are bounded.

import { ARIA, CLICK, EDIT, HINT, ID, LABEL, NAME, REMOVED, ROLE, SIZE, TEST, TEST_IDS, TITLE, attributesOf } from "./capture-attributes";
import { givenName, labelOf, textOf } from "./capture-names";
import { takeChurn } from "./capture-churn";
import { reversions } from "./capture-reversions";
import { transients } from "./capture-transient";
import { countPossibleClosedRoots, firstLook, idOf, isSecret, notePossibleClosedRoot, shadowOf, sweep } from "./capture-registry";
import { WIDGETS, alongTrack, isSliderHandle, roleOf, tagOf } from "./capture-roles";
import { ACTIONABLE, BUSY, EDITABLE, READONLY, ERROR_STYLED, FOCUSED, FOOTER, SECRET, SELF_CHANGING, UNSEEN, ariaStates, controlStates, isErrorStyled } from "./capture-states";
import { type Styled, collapsible, styled } from "./capture-styles";
import type { Capture } from "./generated";

/** The most nodes and characters to bring back, and the most characters of a text or value. */
const MAX_NODES = 60_000, MAX_CHARACTERS = 4_000_000, MAX_TEXT = 8_192;

/** This many elements are asked for their style one by one. */
const FEW = 800;

const VISIBLE = { visibilityProperty: true }, SEEN = { visibilityProperty: true, opacityProperty: true };
// Named by their content: with nothing but a text inside, that text is sent as the name. `is_named_by_content` in
// crates/observe/src/assemble.rs puts together the rest.
const CONTENT_NAMED = new Set(
  "button link heading tab option menuitem menuitemcheckbox menuitemradio treeitem checkbox radio switch tooltip cell gridcell columnheader rowheader".split(" "),
);
// What can be acted on under these roles does not count as acted on as a whole.
const ANONYMOUS = new Set(["generic", "form", "group"]);

// What may have a shadow root besides custom elements.
const HOSTS = new Set("article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "));

// What holds for the content of an element that is being walked.
const BLOCK = 1, HIDDEN = 2, MUTED = 4, HAND = 8, KEPT = 16, SPAN = 32, ERROR = 64, CHURN = 128,
  FADED = 256, CLIPPED = 512;

export function capture({ key }: Capture): string {
  const maxNodes = MAX_NODES, maxBytes = MAX_CHARACTERS, maxText = MAX_TEXT;
  const maxSeen = maxNodes * 8;
  sweep();
  const churn = takeChurn(key ?? undefined);

  const lines: string[] = [];
  let bytes = 0, seen = 0;
  let full = "";
  let run = "", tail = "", runDepth = 0, runFlags = 0, spanned = false, fresh = true;
  const styles: Styled = { pointers: new Set(), hidden: new Set(), collapsible: new Set(), blind: false };
  const pointers = styles.pointers;
  const focused = new Set<Element>();

  // Of the first elements each is asked for its style; on a larger page what the style sheets say comes cheaper.
  const roots: (Document | ShadowRoot)[] = [];
  let asked = 0;
  const isHand = (element: Element): boolean =>
    asked > FEW ? pointers.has(element) : getComputedStyle(element).cursor === "pointer";

  const enter = (root: Document | ShadowRoot): void => {
    if (asked > FEW) styled(root, styles);
    else roots.push(root);
    collapsible(root, styles);
    if (root.activeElement) focused.add(root.activeElement);
  };
  const clean = (text: string): string => {
    if (text.length > maxText) text = text.slice(0, maxText) + `… (+${text.length - maxText} characters)`;
    return (/[^\S ]|[\x00-\x08]|  /.test(text) ? text.replace(/[\s\x00-\x08]+/g, " ") : text).trim();
  };
  const push = (line: string): void => {
    lines.push(line);
    bytes += line.length + 1;
    if (bytes > maxBytes) full = "characters";
    else if (lines.length > maxNodes) full = "nodes";
  };
  const flush = (): void => {
    if (run === "") return;
    const text = run.length > maxText ? clean(run) : run.trim();
    run = tail = "";
    const states = (runFlags & ERROR ? ERROR_STYLED : 0) | (runFlags & CHURN ? SELF_CHANGING : 0) | (runFlags & (FADED | CLIPPED) ? UNSEEN : 0);
    runFlags = 0;
    if (text === "") return;
    push((fresh ? "" : "+") + runDepth + "\t\t" + text + (states === 0 ? "" : "\t!" + states));
    fresh = false;
  };
  /** Adds text to the run. */
  const say = (data: string, above: number, depth: number): void => {
    if (run === "") {
      if (!/\S/.test(data)) return;
      runDepth = depth;
    }
    runFlags |= above;
    const text = /[\t\n\f\r\x00-\x08]|  /.test(data) ? data.replace(/[\t\n\f\r\x00-\x08 ]+/g, " ") : data;
    // Only the end of the run is looked at: it may be long, and joining it to look at it dear.
    const apart = spanned && above & SPAN && /[\p{L}\p{N}]$/u.test(tail.slice(-2)) && /^[\p{L}\p{N}]/u.test(text);
    run += apart ? " " + text : text;
    if (text !== "") tail = text;
    spanned = false;
  };
  /** Leaves an element. */
  const leave = (left: number): void => {
    if (left & (BLOCK | KEPT)) flush();
    if (left & BLOCK) fresh = true;
    spanned = (left & SPAN) !== 0;
  };

  // The stack: at each level the next node, or a list of nodes and the place in it.
  const nexts: (Node | null)[] = [document.documentElement];
  const lists: (readonly Node[] | null)[] = [null];
  const places: number[] = [0];
  const flags: number[] = [BLOCK];
  const depths: number[] = [0];
  let level = 0;
  enter(document);

  while (level >= 0) {
    const node = nexts[level];
    if (node === null || full !== "") {
      leave(flags[level--]);
      continue;
    }
    const list = lists[level];
    nexts[level] = list === null ? node.nextSibling : (list[++places[level]] ?? null);
    const above = flags[level];

    const type = node.nodeType;
    if (type !== 1) {
      if (type === 3 && !(above & (HIDDEN | MUTED))) say((node as Text).data, above, depths[level]);
      continue;
    }
    if (++seen > maxSeen) {
      full = "elements";
      continue;
    }
    const element = node as HTMLElement;
    const tag = element.localName;
    const kind = tagOf(tag);
    if (kind.skipped) continue;
    if (tag === "br") {
      if (run !== "") run += tail = " ";
      continue;
    }
    let inside = kind.inline ? above & ~(BLOCK | KEPT | SPAN) : (above & ~(KEPT | SPAN)) | BLOCK;
    if (++asked === FEW + 1) for (const root of roots) styled(root, styles);
    // With `visibility` as well is asked first: it is one call for all that can be seen.
    if (asked <= FEW || above & (HIDDEN | FADED) || styles.blind || styles.hidden.has(element)) {
      if (element.checkVisibility(SEEN)) inside &= ~(HIDDEN | FADED);
      else if (element.checkVisibility(VISIBLE)) {
        inside &= ~HIDDEN;
        // What is further down may be transparent until it is scrolled to.
        if (!(above & FADED) && onScreen(element)) inside |= FADED;
      } else if (element.checkVisibility()) inside |= HIDDEN;
      else if (unseen(element, tag)) continue;
    } else if (!element.checkVisibility() && unseen(element, tag)) continue;
    if (tag === "span") inside |= SPAN;
    if (styles.collapsible.has(element) && isCollapsed(element)) inside |= CLIPPED;
    if (churn !== null && churn.has(element)) inside |= CHURN;

    let depth = depths[level];
    const attributes = attributesOf(element);
    const named = attributes !== 0;
    if (named && isErrorStyled(element)) inside |= ERROR;
    if (attributes & REMOVED && (element.getAttribute("aria-hidden") === "true" || element.hasAttribute("inert"))) continue;
    let role = attributes & ROLE ? roleOf(element, tag, element.getAttribute("role")) : kind.role ?? roleOf(element, tag, null);

    if (inside & BLOCK) {
      flush();
      fresh = true;
    }
    let states = 0;
    if (inside & HIDDEN) role = "";
    else {
      if (role !== "" && WIDGETS.has(role)) states = ACTIONABLE;
      else if (tag === "label") {
        const control = (element as HTMLLabelElement).control as HTMLInputElement | null;
        if (control !== null && !control.hasAttribute("aria-label") && !control.hasAttribute("aria-labelledby")) {
          if (control.checkVisibility(VISIBLE)) inside |= MUTED;
          else if (control.type === "checkbox" || control.type === "radio") {
            // A drawn check box: the control itself is hidden and its label takes the clicks.
            role = control.type;
            states = ACTIONABLE | controlStates(control, "input");
          }
        }
      } else if ((tag === "legend" || tag === "caption") && !element.querySelector("a,button,input,select")) continue;
      if (states === 0 && named) {
        if ((attributes & CLICK && clickable(element, tag)) || tag === "summary") states = ACTIONABLE;
        else if (above & HAND) inside |= HAND;
        else if (!(above & MUTED) && tag !== "label" && tag !== "html" && tag !== "body" && isHand(element)) {
          states = ACTIONABLE;
          inside |= HAND;
        }
        if (states !== 0) role ||= isSliderHandle(element) ? "slider" : "generic";
      }
      // What is in other things that can be acted on is never one by its cursor alone.
      if (states !== 0 && !(inside & HAND) && ANONYMOUS.has(role) && isHand(element)) inside |= HAND;
    }

    if (role !== "") {
      flush();
      let name = named || kind.named ? givenName(element, tag, role, (attributes & LABEL) !== 0) : "";
      if (tag === "label") name = textOf(element);
      if ((role === "img" && name === "" && states === 0) || ((role === "form" || role === "group") && name === "" && tag !== "fieldset" && tag !== "form")) role = "";
      else {
        if (attributes & ARIA) states |= ariaStates(element);
        states |= controlStates(element, tag);
        if (focused.has(element)) states |= FOCUSED;
        if (inside & ERROR) states |= ERROR_STYLED;
        if (inside & CHURN) states |= SELF_CHANGING;
        // A transparent control may still be the one that takes the clicks for what is drawn below it.
        if (inside & CLIPPED || (inside & FADED && !(states & ACTIONABLE))) states |= UNSEEN;
        let line = (fresh || inside & BLOCK ? "" : "+") + depth + "\t" + role + "\t" + (name === "" ? "" : clean(name));
        let walk = true;
        if (name === "" && CONTENT_NAMED.has(role)) {
          if (element.firstElementChild === null && shadowOf(element) === null) {
            const text = element.textContent!;
            line += clean(text);
            walk = text === "";
          }
        }
        let value: string | null = null;
        const id = idOf(element);
        line += "\t#" + id;
        switch (tag) {
          case "a":
          case "area": {
            const href = element.getAttribute("href");
            if (href) line += "\t@" + (href.length > 200 && /^\s*(data|javascript):/i.test(href) ? href.slice(0, 60) + "…" : clean(href));
            break;
          }
          case "input":
          case "textarea": {
            const input = element as HTMLInputElement;
            const type = input.type;
            if (isSecret(element)) {
              states |= SECRET;
              if (input.value !== "") value = "••••";
            } else if (type === "file") {
              if (input.files && input.files.length > 0) value = Array.from(input.files, (file) => file.name).join(", ");
            } else if (states & EDITABLE || type === "range" || type === "color" || input.readOnly) value = input.value;
            if (tag === "input" && type !== "text") line += "\t:" + type;
            walk = false;
            break;
          }
          case "select":
            walk = false;
            break;
          case "tr":
            if (element.parentElement?.localName === "tfoot") states |= FOOTER;
            break;
          case "progress":
          case "meter":
            value = String((element as HTMLProgressElement).value);
            walk = false;
            break;
          case "summary":
            states |= ACTIONABLE;
            break;
          case "video":
          case "audio":
            walk = false;
            states |= ACTIONABLE;
            break;
          case "h1": case "h2": case "h3": case "h4": case "h5": case "h6":
            if (role === "heading") line += "\t^" + tag[1];
            break;
        }
        if (named) {
          if (role === "heading" || role === "treeitem") {
            const given = attributes & ARIA ? element.getAttribute("aria-level") : null;
            if (given) line += "\t^" + clean(given);
          }
          if (attributes & SIZE) {
            const size = Number(element.getAttribute("aria-rowcount") ?? element.getAttribute("aria-setsize"));
            if (size > 0) line += "\t$" + size;
          }
          if (value === null && attributes & ARIA) {
            const text = element.getAttribute("aria-valuetext") ?? element.getAttribute("aria-valuenow");
            if (text) value = text;
          }
          if (value === null && role === "slider") value = alongTrack(element);
          if ((attributes & EDIT || role === "textbox") && element.isContentEditable) {
            states |= ACTIONABLE | EDITABLE;
            if (role === "generic" || role === "textbox") {
              if (role === "generic") line = line.replace("\tgeneric\t", "\ttextbox\t");
              value = isSecret(element) ? "••••" : textOf(element);
              walk = false;
            }
          }
          if (states & ACTIONABLE) {
            const own = attributes & ID ? element.getAttribute("id") : null;
            if (own) line += "\t*" + clean(own);
            const form = attributes & NAME ? element.getAttribute("name") : null;
            if (form) line += "\t&" + clean(form);
            const hint = attributes & HINT ? element.getAttribute("placeholder") : null;
            if (hint && hint !== name) line += "\t~" + clean(hint);
            if (attributes & TEST) {
              const attribute = TEST_IDS.find((attribute) => element.hasAttribute(attribute));
              if (attribute) line += "\t%" + clean(element.getAttribute(attribute)!);
            }
          }
          const title = attributes & TITLE ? element.getAttribute("title") : null;
          // Of a field that has a name of its own, the label is what people see beside it.
          const label = title || (states & (EDITABLE | READONLY) ? labelOf(element, name) : "");
          if (label && label !== name) line += "\t?" + clean(label);
          if (role === "generic") line += "\t<" + tag;
        }
        if (states !== 0) line += "\t!" + states;
        if (value !== null && value !== "") {
          if (value.length > maxText) value = value.slice(0, maxText) + `… (+${value.length - maxText} characters)`;
          line += "\t=" + value.replace(/\r?\n/g, "\x01").replace(/[\t\r]/g, "\x02");
        }

        if (role === "iframe") {
          let inner: Document | null = null;
          try {
            inner = (element as HTMLIFrameElement).contentDocument;
          } catch {
            // another origin
          }
          if (inner === null || inner.documentElement === null) {
            push(line + "\t/");
            continue;
          }
          push(line);
          enter(inner);
          fresh = true;
          level++;
          nexts[level] = inner.documentElement;
          lists[level] = null;
          flags[level] = BLOCK | KEPT;
          depths[level] = depth + 1;
          continue;
        }
        push(line);
        fresh = false;
        depth++;
        inside |= KEPT;
        if (tag === "select") {
          const choices = (element as HTMLSelectElement).options;
          for (let i = 0; i < choices.length && full === ""; i++) {
            const option = choices[i];
            const bits = (option.selected ? 64 : 0) | (option.disabled ? 8 : 0);
            push(depth + "\toption\t" + clean(option.label || option.text) + (bits ? "\t!" + bits : ""));
          }
        }
        if (!walk) {
          fresh = (inside & BLOCK) !== 0;
          continue;
        }
        if (states & ACTIONABLE && role !== "generic") inside |= HAND;
      }
    }

    let first: Node | null = null;
    let assigned: readonly Node[] | null = null;
    const shadow = shadowOf(element);
    if (shadow === null && tag.includes("-")) notePossibleClosedRoot(element);
    if (shadow !== null) {
      enter(shadow);
      first = shadow.firstChild;
    } else if (tag === "slot") {
      const nodes = (element as unknown as HTMLSlotElement).assignedNodes();
      if (nodes.length > 0) {
        assigned = nodes;
        first = nodes[0];
      } else first = element.firstChild;
    } else if (tag === "details" && !(element as HTMLDetailsElement).open) {
      // What is closed is hidden by the inner slot; text right inside has no element that could be asked.
      assigned = Array.from(element.children).filter((child) => child.localName === "summary").slice(0, 1);
      first = assigned[0] ?? null;
    } else if (element.firstElementChild === null) {
      // Most elements hold but a text. To ask for its node would cost more than to ask for the text.
      const data = inside & (HIDDEN | MUTED) ? "" : element.textContent!;
      if (!/\S/.test(data) && !(inside & (HIDDEN | MUTED)) && HOSTS.has(tag) && firstLook(element)) {
        // Without content, and yet it takes up room, as one does whose content is in a closed shadow root.
        const box = element.getBoundingClientRect();
        if (box.width > 0 && box.height > 0) notePossibleClosedRoot(element);
      }
      if (data !== "") say(data, inside, depth);
      else if (!(inside & (BLOCK | KEPT)) && !element.hasChildNodes()) continue;
      leave(inside);
      continue;
    } else {
      assigned = rowsInOrder(element);
      first = assigned === null ? element.firstChild : assigned[0];
    }
    if (first === null && !(inside & (BLOCK | KEPT))) continue;
    level++;
    nexts[level] = first;
    lists[level] = assigned;
    places[level] = 0;
    flags[level] = inside;
    depths[level] = depth;
  }
  flush();

  const itself = churn === null ? "" : [churn.title ? "title" : "", ...Array.from(churn.removed, clean)].join("\x1f");
  const gone = transients().map(({ role, label, error, busy, text }) => [role, (error ? ERROR_STYLED : 0) | (busy ? BUSY : 0), clean(label), clean(text)].join("\x1e"));
  const back = reversions().map(({ text, meanwhile }) => clean(text) + "\x1e" + clean(meanwhile));
  const head = ["legwork 3", clean(document.URL), clean(document.baseURI), clean(document.title), String(countPossibleClosedRoots()), itself, gone.join("\x1f"), back.join("\x1f")];
  if (full !== "") {
    const left = document.getElementsByTagName("*").length - seen;
    head.push(full, String(Math.max(left, 0)), String(lines.length));
  }
  const text = head.join("\t") + "\n" + lines.join("\n");
  return (text as { toWellFormed?: () => string }).toWellFormed?.() ?? text;
}

/** The rows of a grid that places them itself, in the order in which they are shown, if that is another than that of the document:
 * such grids reuse the elements of rows that are out of view. */
function rowsInOrder(element: HTMLElement): readonly Node[] | null {
  const first = element.firstElementChild!;
  if (!first.hasAttribute("aria-rowindex") || first.nextElementSibling === null) return null;
  const rows = Array.from(element.children, (row) => [Number(row.getAttribute("aria-rowindex")), row] as const);
  if (rows.every(([index], at) => at === 0 || rows[at - 1][0] <= index) || rows.some(([index]) => !(index > 0))) return null;
  return rows.sort(([one], [other]) => one - other).map(([, row]) => row);
}

/** Whether an element that has no box has no content that is shown either. */
function unseen(element: HTMLElement, tag: string): boolean {
  const { display } = getComputedStyle(element);
  // No style at all: it is in no slot of a shadow root, one that markup closed, or it would not have been come to.
  if (display === "" && element.parentElement !== null) notePossibleClosedRoot(element.parentElement);
  return tag !== "slot" && display !== "contents";
}

/** Whether any part of an element is where the window shows it without being scrolled. */
function onScreen(element: HTMLElement): boolean {
  const box = element.getBoundingClientRect();
  return box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
}

/** Whether an element shows nothing of what is in it because it has no height. */
function isCollapsed(element: HTMLElement): boolean {
  return element.clientHeight === 0 && element.scrollHeight > 0 && /hidden|clip/.test(getComputedStyle(element).overflowY);
}

function clickable(element: HTMLElement, tag: string): boolean {
  if (element.hasAttribute("onclick")) return true;
  if (tag === "body" || tag === "html") return false;
  if (element.hasAttribute("tabindex") && element.tabIndex >= 0) return true;
  const editable = element.getAttribute("contenteditable");
  return editable !== null && editable !== "false";
}
