// Reads the page in one pass: a line a node, in the order of the flat tree (shadow roots, slots and frames in their places).
//
// A line is `depth role name field…`, divided by tabs; each field begins with a character that says what it is (see
// crates/observe/src/capture.rs). Names and texts hold no tabs or line breaks, so nothing has to be escaped, neither here nor
// again when the browser wraps the answer into JSON. Nothing recurses, and nodes and characters are bounded.

import { givenName, textOf } from "./capture-names";
import { closedRoots, idOf, isSecret, sweep } from "./capture-registry";
import { INLINE, SKIPPED, WIDGETS, roleOf } from "./capture-roles";
import { ACTIONABLE, EDITABLE, FOCUSED, OFFSCREEN, SECRET, ariaStates, controlStates } from "./capture-states";
import { type Styled, styled } from "./capture-styles";

export { closedRoots, element, idOf, markSecret, registerClosedRoot } from "./capture-registry";

export interface CaptureOptions {
  /** The most nodes to bring back. */
  maxNodes?: number;
  /** The most characters to bring back. */
  maxBytes?: number;
  /** The longest text or value, in characters. */
  maxText?: number;
}

/** This many elements are asked for their style one by one. */
const FEW = 800;

const VISIBLE = { visibilityProperty: true };
// Named by their content: with nothing but a text inside, that text is sent as the name. `is_named_by_content` in
// crates/observe/src/assemble.rs puts together the rest.
const CONTENT_NAMED = new Set(
  "button link heading tab option menuitem menuitemcheckbox menuitemradio treeitem checkbox radio switch tooltip cell gridcell columnheader rowheader".split(" "),
);
const TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa"];

// What holds for the content of an element that is being walked.
const BLOCK = 1, HIDDEN = 2, MUTED = 4, HAND = 8, KEPT = 16, SPAN = 32;

export function capture(options: CaptureOptions = {}): string {
  const maxNodes = options.maxNodes ?? 60_000, maxBytes = options.maxBytes ?? 4_000_000, maxText = options.maxText ?? 8_192;
  const maxSeen = maxNodes * 8;
  sweep();

  const lines: string[] = [];
  let bytes = 0, seen = 0, away = 0;
  let full = "";
  let run = "", runDepth = 0, spanned = false, fresh = true;
  const styles: Styled = { hands: new Set(), hidden: new Set(), blind: false };
  const hands = styles.hands;
  const focused = new Set<Element>();
  let testIds = false;

  // Of the first elements each is asked for its style; on a larger page what the style sheets say comes cheaper.
  const roots: (Document | ShadowRoot)[] = [];
  let asked = 0;
  const isHand = (element: Element): boolean =>
    asked > FEW ? hands.has(element) : getComputedStyle(element).cursor === "pointer";

  const enter = (root: Document | ShadowRoot): void => {
    if (asked > FEW) styled(root, styles);
    else roots.push(root);
    if (root.activeElement) focused.add(root.activeElement);
    testIds ||= root.querySelector("[data-testid],[data-test-id],[data-test],[data-cy],[data-qa]") !== null;
  };
  const clean = (text: string): string => {
    if (text.length > maxText) text = text.slice(0, maxText) + `… (+${text.length - maxText} characters)`;
    return text.replace(/[\s\x00-\x08]+/g, " ").trim();
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
    run = "";
    if (text === "") return;
    push((fresh ? "" : "+") + runDepth + "\t\t" + text);
    fresh = false;
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
      const left = flags[level--];
      if (left & (BLOCK | KEPT)) flush();
      if (left & BLOCK) fresh = true;
      spanned = (left & SPAN) !== 0;
      continue;
    }
    const list = lists[level];
    nexts[level] = list === null ? node.nextSibling : (list[++places[level]] ?? null);
    const above = flags[level];

    if (node.nodeType === 3) {
      if (above & (HIDDEN | MUTED)) continue;
      const data = (node as Text).data;
      if (run === "") {
        if (!/\S/.test(data)) continue;
        runDepth = depths[level];
      }
      const text = /[\t\n\f\r\x00-\x08]|  /.test(data) ? data.replace(/[\t\n\f\r\x00-\x08 ]+/g, " ") : data;
      run += spanned && above & SPAN && /[\p{L}\p{N}]$/u.test(run) && /^[\p{L}\p{N}]/u.test(text) ? " " + text : text;
      spanned = false;
      continue;
    }
    if (node.nodeType !== 1) continue;
    if (++seen > maxSeen) {
      full = "elements";
      continue;
    }
    const element = node as HTMLElement;
    const tag = element.localName;
    if (SKIPPED.has(tag)) continue;
    if (tag === "br") {
      run += run === "" ? "" : " ";
      continue;
    }
    let inside = INLINE.has(tag) ? above & ~(BLOCK | KEPT | SPAN) : (above & ~(KEPT | SPAN)) | BLOCK;
    if (++asked === FEW + 1) for (const root of roots) styled(root, styles);
    if (!element.checkVisibility()) {
      if (tag !== "slot" && getComputedStyle(element).display !== "contents") continue;
    } else if (asked <= FEW || above & HIDDEN || styles.blind || styles.hidden.has(element)) {
      inside = element.checkVisibility(VISIBLE) ? inside & ~HIDDEN : inside | HIDDEN;
    }
    if (tag === "span") inside |= SPAN;

    let depth = depths[level];
    let role: string;
    let named = false;
    if (element.hasAttributes()) {
      if (element.getAttribute("aria-hidden") === "true" || element.hasAttribute("inert")) continue;
      role = roleOf(element, tag, element.getAttribute("role"));
      named = true;
    } else role = roleOf(element, tag, null);

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
        if (element.hasAttribute("onclick") || clickable(element, tag)) states = ACTIONABLE;
        else if (above & HAND) inside |= HAND;
        else if (!(above & MUTED) && tag !== "label" && tag !== "html" && tag !== "body" && isHand(element)) states = ACTIONABLE;
        if (states !== 0) role ||= "generic";
      }
      if (states !== 0 && isHand(element)) inside |= HAND;
    }

    if (role !== "") {
      flush();
      let name = named || tag === "table" || tag === "fieldset" || tag === "input" || tag === "select" || tag === "textarea" || tag === "svg" ? givenName(element, tag, role) : "";
      if (tag === "label") name = textOf(element);
      if ((role === "img" && name === "" && states === 0) || ((role === "form" || role === "group") && name === "" && tag !== "fieldset" && tag !== "form")) role = "";
      else {
        if (named) states |= ariaStates(element);
        states |= controlStates(element, tag);
        if (focused.has(element)) states |= FOCUSED;
        let line = (fresh || inside & BLOCK ? "" : "+") + depth + "\t" + role + "\t" + (name === "" ? "" : clean(name));
        let walk = true;
        if (name === "" && CONTENT_NAMED.has(role)) {
          const only = element.firstChild;
          if (only !== null && only.nodeType === 3 && only.nextSibling === null && element.shadowRoot === null && !closedRoots.has(element)) {
            line += clean((only as Text).data);
            walk = false;
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
            const given = element.getAttribute("aria-level");
            if (given) line += "\t^" + clean(given);
          }
          if (value === null) {
            const text = element.getAttribute("aria-valuetext") ?? element.getAttribute("aria-valuenow");
            if (text) value = text;
          }
          if (element.isContentEditable && (element.hasAttribute("contenteditable") || role === "textbox")) {
            states |= ACTIONABLE | EDITABLE;
            if (role === "generic" || role === "textbox") {
              if (role === "generic") line = line.replace("\tgeneric\t", "\ttextbox\t");
              value = isSecret(element) ? "••••" : textOf(element);
              walk = false;
            }
          }
          if (states & ACTIONABLE) {
            const own = element.getAttribute("id");
            if (own) line += "\t*" + clean(own);
            const form = element.getAttribute("name");
            if (form) line += "\t&" + clean(form);
            const hint = element.getAttribute("placeholder");
            if (hint && hint !== name) line += "\t~" + clean(hint);
            if (testIds) {
              const attribute = TEST_IDS.find((attribute) => element.hasAttribute(attribute));
              if (attribute) line += "\t%" + clean(element.getAttribute(attribute)!);
            }
          }
          const title = element.getAttribute("title");
          if (title && title !== name) line += "\t?" + clean(title);
          if (role === "generic") line += "\t<" + tag;
        }
        if (states & ACTIONABLE) {
          // Boxes are dear. Far down the page, where one after the other was out of view, a sample is enough.
          if (away < 24 || (away & 31) === 0) {
            const box = element.getBoundingClientRect();
            const view = element.ownerDocument.documentElement;
            away = box.bottom < 0 || box.right < 0 || box.top > view.clientHeight || box.left > view.clientWidth ? away + 1 : 0;
          } else away++;
          if (away > 0) states |= OFFSCREEN;
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
    const shadow = element.shadowRoot ?? closedRoots.get(element) ?? null;
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
    } else first = element.firstChild;
    if (first === null && !(inside & (BLOCK | KEPT))) continue;
    level++;
    nexts[level] = first;
    lists[level] = assigned;
    places[level] = 0;
    flags[level] = inside;
    depths[level] = depth;
  }
  flush();

  const head = ["legwork 1", clean(document.URL), clean(document.baseURI), clean(document.title)];
  if (full !== "") {
    const left = document.getElementsByTagName("*").length - seen;
    head.push(full, String(Math.max(left, 0)), String(lines.length));
  }
  const text = head.join("\t") + "\n" + lines.join("\n");
  return (text as { toWellFormed?: () => string }).toWellFormed?.() ?? text;
}

function clickable(element: HTMLElement, tag: string): boolean {
  if (tag === "summary" || tag === "body" || tag === "html") return tag === "summary";
  if (element.hasAttribute("tabindex") && element.tabIndex >= 0) return true;
  const editable = element.getAttribute("contenteditable");
  return editable !== null && editable !== "false";
}
