// Captures the page in one pass: a line per node, in the order of the flat tree (shadow roots, slots and frames in
// their positions). Each element goes through the same steps: visibility, role, line, content. The walk uses no
// recursion, and the numbers of nodes and characters are limited.

import { ARIA, attributesOf, CLASS, CLICK, LABEL, REMOVED, ROLE, TEST, TITLE } from "./capture-attributes";
import { type Churn, takeChurn } from "./capture-churn";
import { describeElement, pushOptions, type Visit } from "./capture-element";
import { BLOCK, CHURN, CLIPPED, ERROR, FADED, HAND, HIDDEN, ILLEGIBLE, KEPT, MUTED, SPAN } from "./capture-flags";
import { isIconOnly } from "./capture-icons";
import { isReplaced, LabelledFields } from "./capture-labels";
import { clean, Lines, MAX_NODES } from "./capture-lines";
import { textOf } from "./capture-names";
import { countPossibleClosedRoots, firstLook, notePossibleClosedRoot, shadowOf, sweep } from "./capture-registry";
import { reversions } from "./capture-reversions";
import { isSliderHandle, roleOf, tagOf, WIDGETS } from "./capture-roles";
import { SelectorIndex } from "./capture-selectors";
import { ACTIONABLE, BUSY, controlStates, ERROR_STYLED, isErrorStyled } from "./capture-states";
import { generatedText, inViewWithin, isIllegible, isOutOfReach, type Styled, styled, unusual } from "./capture-styles";
import { transients } from "./capture-transient";
import { expectChange } from "./change";
import { hasClickListener, hasListeningParts } from "./click-listeners";
import { codeEditor, editorInput } from "./editor";
import type { Capture } from "./generated";

/** The most elements that are visited. */
const MAX_SEEN = MAX_NODES * 8;

/** The number of elements whose style is queried individually. */
const FEW = 800;

/** The most selectors of generated texts with which controls are compared. */
const MOST_GENERATED = 50;

/** The classes of elements that may be code editors. */
const EDITOR = /editor|CodeMirror/;

const VISIBLE = { visibilityProperty: true };
const SEEN = { visibilityProperty: true, opacityProperty: true };
// Roles that say nothing about an action. An element with one of them that can be acted on and has a pointer cursor is
// acted on as a whole.
const ANONYMOUS = new Set(["generic", "form", "group"]);

// The elements that may have a shadow root besides custom elements.
const HOSTS = new Set(
  "article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "),
);

export function capture({ key }: Capture): string {
  sweep();
  const walk = new Walk(takeChurn(key ?? undefined));
  walk.run();
  expectChange();
  const text = head(walk) + "\n" + walk.lines.lines.join("\n");
  return (text as { toWellFormed?: () => string }).toWellFormed?.() ?? text;
}

/** The first line: the page, and what is known about it besides its nodes. */
function head({ churn, lines, seen }: Walk): string {
  const itself = churn === null ? "" : [churn.title ? "title" : "", ...Array.from(churn.removed, clean)].join("\x1f");
  const gone = transients().map(({ role, label, error, busy, text }) =>
    [role, (error ? ERROR_STYLED : 0) | (busy ? BUSY : 0), clean(label), clean(text)].join("\x1e"),
  );
  const back = reversions().map(({ text, meanwhile }) => clean(text) + "\x1e" + clean(meanwhile));
  const fields = [
    "legwork 3",
    clean(document.URL),
    clean(document.baseURI),
    clean(document.title),
    String(countPossibleClosedRoots()),
    itself,
    gone.join("\x1f"),
    back.join("\x1f"),
  ];
  if (lines.full !== "") {
    const left = document.getElementsByTagName("*").length - seen;
    fields.push(lines.full, String(Math.max(left, 0)), String(lines.lines.length));
  }
  return fields.join("\t");
}

class Walk {
  readonly lines = new Lines();
  /** The number of visited elements. */
  seen = 0;

  private readonly styles: Styled = {
    pointers: new Set(),
    hidden: new Set(),
    collapsible: new Set(),
    displaced: new Set(),
    illegible: new Set(),
    rules: {
      collapsible: new SelectorIndex(),
      displaced: new SelectorIndex(),
      illegible: new SelectorIndex(),
      generated: new SelectorIndex(),
    },
    blind: false,
  };
  private readonly focused = new Set<Element>();
  private readonly roots: (Document | ShadowRoot)[] = [];
  /** The fields that are named by a label which is not associated with them. */
  private readonly labels = new Map<Element, string>();
  /** The elements that open controls show beside them. */
  private readonly popups = new Set<Element>();
  private readonly fields = new LabelledFields();
  /** The code editors, by the elements that receive their input. */
  private readonly editors = new Map<Element, Element>();
  /** The elements in view within parts that are out of reach. */
  private readonly inView = new Set<Element>();
  /** The number of elements whose style was queried. */
  private asked = 0;

  // The stack: at each level the next node, or a list of nodes and the index in it.
  private readonly nexts: (Node | null)[] = [document.documentElement];
  private readonly lists: (readonly Node[] | null)[] = [null];
  private readonly places: number[] = [0];
  private readonly flags: number[] = [BLOCK];
  private readonly depths: number[] = [0];
  /** The text that a style sheet adds at the end. */
  private readonly tails: string[] = [""];
  private level = 0;

  constructor(readonly churn: Churn | null) {}

  run(): void {
    this.enterRoot(document);
    while (this.level >= 0) {
      const node = this.nexts[this.level];
      if (node === null || this.lines.full !== "") this.leave();
      else this.visit(node);
    }
    this.lines.flush();
  }

  private leave(): void {
    const { level, lines } = this;
    if (this.tails[level] !== "") lines.addText(this.tails[level], this.flags[level], this.depths[level], null);
    lines.leave(this.flags[level]);
    this.level--;
  }

  private visit(node: Node): void {
    const { level, lines } = this;
    const list = this.lists[level];
    this.nexts[level] = list === null ? node.nextSibling : (list[++this.places[level]] ?? null);
    const above = this.flags[level];
    const type = node.nodeType;
    if (type === 3 && !(above & (HIDDEN | MUTED | ILLEGIBLE)))
      lines.addText((node as Text).data, above, this.depths[level], node);
    if (type !== 1) return;
    if (++this.seen > MAX_SEEN) {
      lines.full = "elements";
      return;
    }
    const element = node as HTMLElement;
    const tag = element.localName;
    const kind = tagOf(tag);
    if (kind.skipped && !(tag === "path" && this.isOperablePath(element, above))) return;
    if (tag === "br") return lines.breakLine();
    const inside = kind.inline ? above & ~(BLOCK | KEPT | SPAN) : (above & ~(KEPT | SPAN)) | BLOCK;
    const visit: Visit = {
      element,
      tag,
      kind,
      attributes: attributesOf(element),
      above,
      inside,
      depth: this.depths[level],
      role: "",
      states: 0,
      before: "",
      after: "",
      label: "",
      editor: null,
    };
    if (!this.findVisibility(visit) || !this.findRole(visit)) return;
    if (visit.inside & BLOCK) lines.enterBlock();
    if (!this.findAction(visit)) return;
    this.findGenerated(visit);
    if (visit.role !== "" && !this.pushLine(visit)) return;
    this.enterContent(visit);
  }

  /** Determines whether an element or its content is shown, and the resulting flags of its content. */
  private findVisibility(visit: Visit): boolean {
    const { element, tag, above } = visit;
    const { styles } = this;
    // The style of each of the first elements is queried. On a larger page, evaluating the style sheets once is
    // cheaper.
    if (++this.asked === FEW + 1) for (const root of this.roots) styled(root, styles);
    // The query that includes `visibility` comes first, because it is the only one needed for visible elements.
    if (this.asked <= FEW || above & (HIDDEN | FADED) || styles.blind || styles.hidden.has(element)) {
      if (element.checkVisibility(SEEN)) visit.inside &= ~(HIDDEN | FADED);
      else if (element.checkVisibility(VISIBLE)) {
        visit.inside &= ~HIDDEN;
        // Content below the view may be transparent until it is scrolled to.
        if (!(above & FADED) && onScreen(element)) visit.inside |= FADED;
      } else if (element.checkVisibility()) visit.inside |= HIDDEN;
      else if (unseen(element, tag)) return false;
    } else if (!element.checkVisibility() && unseen(element, tag)) return false;
    if (tag === "span") visit.inside |= SPAN;
    // The content of a part out of reach is judged by its own boxes.
    if (this.inView.size > 0 && this.inView.has(element)) visit.inside &= ~CLIPPED;
    const { collapsible, displaced, illegible } = styles.rules;
    const classes = visit.attributes & CLASS ? element.getAttribute("class")! : "";
    if ((styles.collapsible.has(element) || collapsible.matches(element, tag, classes)) && isCollapsed(element))
      visit.inside |= CLIPPED;
    // A check box or file field out of reach is operated through its label or a button.
    else if (
      tag !== "input" &&
      (styles.displaced.has(element) || displaced.matches(element, tag, classes)) &&
      isOutOfReach(element)
    ) {
      if (!(above & CLIPPED)) for (const within of inViewWithin(element)) this.inView.add(within);
      visit.inside |= CLIPPED;
    }
    // Descendants inherit the font size and the colour, and may have their own.
    if (above & ILLEGIBLE || styles.illegible.has(element) || illegible.matches(element, tag, classes))
      visit.inside = isIllegible(element) ? visit.inside | ILLEGIBLE : visit.inside & ~ILLEGIBLE;
    if (this.churn?.has(element)) visit.inside |= CHURN;
    if (EDITOR.test(classes)) this.noteEditor(visit);
    if (this.editors.size > 0) this.findEditor(visit);
    return true;
  }

  /**
   * Notes a code editor. The lines that it draws are the value of the element that receives its input, and are not
   * texts of the page.
   */
  private noteEditor(visit: Visit): void {
    const input = codeEditor(visit.element) === visit.element ? editorInput(visit.element) : null;
    if (input === null) return;
    this.editors.set(input, visit.element);
    visit.inside |= MUTED;
  }

  /** Finds the editor whose input an element receives. Such an element is mostly almost invisible. */
  private findEditor(visit: Visit): void {
    visit.editor = this.editors.get(visit.element) ?? null;
    if (visit.editor !== null) visit.inside &= ~(HIDDEN | FADED | CLIPPED | ILLEGIBLE);
  }

  /** Determines the role of an element. Returns false if the element is removed from the accessibility tree. */
  private findRole(visit: Visit): boolean {
    const { element, tag, kind } = visit;
    const { attributes } = visit;
    if (attributes !== 0 && isErrorStyled(element)) visit.inside |= ERROR;
    if (attributes & REMOVED && (element.hasAttribute("inert") || (isAriaHidden(element) && !isOperated(element, tag))))
      return false;
    visit.role =
      attributes & ROLE
        ? roleOf(element, tag, element.getAttribute("role"))
        : (kind.role ?? roleOf(element, tag, null));
    // Select2 calls the value of a select a text box; it is no field of its own.
    if (
      visit.role === "textbox" &&
      visit.above & HAND &&
      tag === "span" &&
      element.getAttribute("aria-readonly") === "true"
    )
      visit.role = "";
    if (this.popups.size > 0 && visit.role === "" && this.popups.has(element)) visit.role = "menu";
    if (attributes & ARIA && element.getAttribute("aria-expanded") === "true") this.notePopup(element);
    return true;
  }

  /** Notes the menu without a role that an open button shows: a box with commands over the page, after the button. */
  private notePopup(opener: HTMLElement): void {
    const popup = opener.nextElementSibling;
    if (popup === null || popup.hasAttribute("role") || !/^(button|a|div|span)$/.test(opener.localName)) return;
    const isOver = /absolute|fixed/.test(getComputedStyle(popup).position);
    if (isOver && popup.querySelector("a,button") !== null && popup.querySelector("input,select,textarea") === null)
      this.popups.add(popup);
  }

  /**
   * Determines whether an element can be acted on. Returns false if the element adds nothing to what other lines
   * contain.
   */
  private findAction(visit: Visit): boolean {
    const { element, tag } = visit;
    if (visit.inside & HIDDEN) {
      visit.role = "";
      return true;
    }
    if (visit.role !== "" && WIDGETS.has(visit.role)) visit.states = ACTIONABLE;
    else if (tag === "label") this.findLabelled(visit);
    else if ((tag === "legend" || tag === "caption") && !element.querySelector("a,button,input,select")) return false;
    if (visit.states === 0) {
      // What has a listener needs no attribute.
      if (tag !== "label" && !(visit.above & (HAND | MUTED)) && hasClickListener(element)) {
        visit.inside |= HAND;
        this.act(visit);
      } else if (visit.attributes !== 0) this.findUnnamedAction(visit);
    }
    // Descendants of an element that is acted on as a whole are not controls by their cursor alone, because they
    // inherit it.
    if (visit.states !== 0 && !(visit.inside & HAND) && ANONYMOUS.has(visit.role) && this.isHand(element))
      visit.inside |= HAND;
    return true;
  }

  /**
   * A label represents its control if that is hidden. If the control is shown, the label is reported as its name. A
   * label without a shown control is a text of its own, and the name of the field that follows it.
   */
  private findLabelled(visit: Visit): void {
    const { element } = visit;
    const control = (element as HTMLLabelElement).control as HTMLInputElement | null;
    if (control === null || isReplaced(control)) {
      visit.inside |= BLOCK;
      const field = this.fields.of(element);
      if (field !== null) {
        this.labels.set(field, textOf(element, false, field));
        visit.inside |= MUTED;
      }
      return;
    }
    if (control.hasAttribute("aria-label") || control.hasAttribute("aria-labelledby")) return;
    if (control.checkVisibility(VISIBLE)) visit.inside |= MUTED;
    else if (control.type === "checkbox" || control.type === "radio") {
      // A drawn check box: the control itself is hidden, and its label receives the clicks.
      visit.role = control.type;
      visit.states = ACTIONABLE | controlStates(control, "input");
    }
  }

  /** Determines whether an element without a corresponding role accepts clicks. */
  private findUnnamedAction(visit: Visit): void {
    const { element, tag, above } = visit;
    if ((visit.attributes & CLICK && clickable(element, tag)) || tag === "summary") visit.states = ACTIONABLE;
    else if (
      tag === "a" &&
      !(above & (HAND | MUTED)) &&
      visit.attributes & (TEST | TITLE | LABEL) &&
      isIconOnly(element)
    ) {
      // An icon in an anchor without an address, which its authors named: what it does is in a script that no attribute
      // reveals, and it has no pointer cursor if it opens a menu on hover.
      visit.states = ACTIONABLE;
      visit.role = "button";
    } else if (above & HAND) visit.inside |= HAND;
    else if (
      !(above & MUTED) &&
      tag !== "label" &&
      tag !== "html" &&
      tag !== "body" &&
      this.isHand(element) &&
      !hasListeningParts(element)
    ) {
      visit.states = ACTIONABLE;
      visit.inside |= HAND;
    }
    if (visit.states !== 0) this.act(visit);
  }

  /** Notes that an element without a corresponding role accepts clicks. */
  private act(visit: Visit): void {
    visit.states = ACTIONABLE;
    visit.role ||= isSliderHandle(visit.element) ? "slider" : "generic";
  }

  /** Determines the texts that style sheets add to a control. Elsewhere they are mostly decoration. */
  private findGenerated(visit: Visit): void {
    const { element, above, inside, role, states } = visit;
    const isControl = (above | inside) & HAND || (states & ACTIONABLE && role !== "generic");
    if (!isControl || inside & (HIDDEN | MUTED)) return;
    const { blind } = this.styles;
    const { generated } = this.styles.rules;
    const { others } = generated;
    // Of many selectors without a class, few concern controls, and comparing each control with all of them would be
    // slow. Then, and if a style sheet cannot be read, only controls without a text are examined.
    if (blind || others.length > MOST_GENERATED) {
      if (/[\p{L}\p{N}]/u.test(element.textContent!)) return;
    } else if (
      !generated.matches(element, visit.tag, element.getAttribute("class") ?? "") &&
      (others.length === 0 || !element.matches(others.join()))
    )
      return;
    visit.before = generatedText(element, "::before");
    visit.after = generatedText(element, "::after");
  }

  /** Whether a shape of a drawing can be clicked by itself. Most paths are parts of icons. */
  private isOperablePath(element: HTMLElement, above: number): boolean {
    if (above & (HIDDEN | MUTED | HAND)) return false;
    if (hasClickListener(element)) return true;
    const parent = element.parentElement;
    return element.hasAttribute("class") && this.isHand(element) && parent !== null && !this.isHand(parent);
  }

  private isHand(element: Element): boolean {
    return this.asked > FEW ? this.styles.pointers.has(element) : getComputedStyle(element).cursor === "pointer";
  }

  /** Adds the line of an element. Returns false if its content is not walked, or is walked as that of a frame. */
  private pushLine(visit: Visit): boolean {
    const { element, tag } = visit;
    const { lines } = this;
    lines.flush();
    if (this.labels.size > 0) visit.label = this.labels.get(element) ?? "";
    const described = describeElement(visit, lines.start(visit.inside), this.focused.has(element));
    if (described === null) return true;
    if (visit.role === "iframe") {
      this.enterFrame(visit, described.line);
      return false;
    }
    lines.push(described.line);
    if (described.note !== "") lines.push("+" + visit.depth + "\t\t" + described.note);
    lines.continueWith(false);
    visit.depth++;
    visit.inside |= KEPT;
    if (tag === "select") pushOptions(element as HTMLSelectElement, visit.depth, lines);
    if (!described.walk) {
      lines.continueWith((visit.inside & BLOCK) !== 0);
      return false;
    }
    if (visit.states & ACTIONABLE && visit.role !== "generic") visit.inside |= HAND;
    return true;
  }

  private enterFrame({ element, depth }: Visit, line: string): void {
    let inner: Document | null = null;
    try {
      inner = (element as HTMLIFrameElement).contentDocument;
    } catch {
      // another origin
    }
    if (inner === null || inner.documentElement === null) {
      this.lines.push(line + "\t/");
      return;
    }
    this.lines.push(line);
    this.enterRoot(inner);
    this.lines.continueWith(true);
    this.descend(inner.documentElement, null, BLOCK | KEPT, depth + 1);
  }

  private enterRoot(root: Document | ShadowRoot): void {
    if (this.asked > FEW) styled(root, this.styles);
    else this.roots.push(root);
    unusual(root, this.styles);
    if (root.activeElement) this.focused.add(root.activeElement);
  }

  /** Continues with the content of an element in the flat tree. */
  private enterContent({ element, tag, inside, depth, before, after }: Visit): void {
    if (before !== "") this.lines.addText(before, inside, depth, null);
    let first: Node | null = null;
    let list: readonly Node[] | null = null;
    const shadow = shadowOf(element);
    if (shadow === null && tag.includes("-")) notePossibleClosedRoot(element);
    if (shadow !== null) {
      this.enterRoot(shadow);
      first = shadow.firstChild;
    } else if (tag === "slot") {
      const nodes = (element as unknown as HTMLSlotElement).assignedNodes();
      list = nodes.length > 0 ? nodes : null;
      first = nodes[0] ?? element.firstChild;
    } else if (tag === "details" && !(element as HTMLDetailsElement).open) {
      // The inner slot hides the content of closed details. Text directly inside has no element whose visibility could
      // be queried.
      list = Array.from(element.children)
        .filter((child) => child.localName === "summary")
        .slice(0, 1);
      first = list[0] ?? null;
    } else if (element.firstElementChild === null) {
      this.addOnlyText(element, tag, inside, depth, after);
      return;
    } else {
      list = rowsInOrder(element);
      first = list === null ? element.firstChild : list[0];
    }
    if (first !== null || inside & (BLOCK | KEPT) || after !== "") this.descend(first, list, inside, depth, after);
  }

  /**
   * Adds the content of an element without child elements. Most elements contain only a text, and getting its node
   * would cost more than getting the text.
   */
  private addOnlyText(element: HTMLElement, tag: string, inside: number, depth: number, after: string): void {
    const isLeftOut = (inside & (HIDDEN | MUTED | ILLEGIBLE)) !== 0;
    const data = isLeftOut ? "" : element.textContent! + after;
    if (!/\S/.test(data) && !isLeftOut && HOSTS.has(tag) && firstLook(element)) {
      // An element without content that takes up space may have its content in a closed shadow root.
      const box = element.getBoundingClientRect();
      if (box.width > 0 && box.height > 0) notePossibleClosedRoot(element);
    }
    if (data !== "") this.lines.addText(data, inside, depth, element);
    else if (!(inside & (BLOCK | KEPT)) && !element.hasChildNodes()) return;
    this.lines.leave(inside);
  }

  private descend(first: Node | null, list: readonly Node[] | null, flags: number, depth: number, tail = ""): void {
    const level = ++this.level;
    this.nexts[level] = first;
    this.lists[level] = list;
    this.places[level] = 0;
    this.flags[level] = flags;
    this.depths[level] = depth;
    this.tails[level] = tail;
  }
}

/**
 * The rows of a grid in the order in which they are shown, if it differs from that of the document. Grids that
 * position their rows reuse the elements of rows that are out of view.
 */
function rowsInOrder(element: HTMLElement): readonly Node[] | null {
  const first = element.firstElementChild!;
  if (!first.hasAttribute("aria-rowindex") || first.nextElementSibling === null) return null;
  const rows = Array.from(element.children, (row) => [Number(row.getAttribute("aria-rowindex")), row] as const);
  if (rows.every(([index], at) => at === 0 || rows[at - 1][0] <= index) || rows.some(([index]) => !(index > 0)))
    return null;
  return rows.sort(([one], [other]) => one - other).map(([, row]) => row);
}

/** Whether an element without a box has no visible content either. */
function unseen(element: HTMLElement, tag: string): boolean {
  const { display } = getComputedStyle(element);
  // No style at all means that the element is not rendered: it is not in a slot of a shadow root, and this root is a
  // closed one from markup, because otherwise the walk would not have reached the element.
  if (display === "" && element.parentElement !== null) notePossibleClosedRoot(element.parentElement);
  return tag !== "slot" && display !== "contents";
}

/** Whether a part of an element is in the window without scrolling. */
function onScreen(element: HTMLElement): boolean {
  const box = element.getBoundingClientRect();
  return box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
}

/** Whether an element shows none of its content because it has no height. */
function isCollapsed(element: HTMLElement): boolean {
  return (
    element.clientHeight === 0 && element.scrollHeight > 0 && /hidden|clip/.test(getComputedStyle(element).overflowY)
  );
}

const isAriaHidden = (element: Element): boolean => element.getAttribute("aria-hidden") === "true";

/**
 * Whether a person operates an element that is hidden from screen readers. Pages hide buttons and icons that are there
 * for the mouse, because the keyboard reaches the same in another way. A hidden field is mostly a copy, and a hidden
 * part of the page lies behind a dialog.
 */
function isOperated(element: HTMLElement, tag: string): boolean {
  const style = getComputedStyle(element);
  const { width, height } = element.getBoundingClientRect();
  if (style.pointerEvents === "none" || width === 0 || height === 0) return false;
  return tag === "button" || hasClickListener(element) || (tag === "a" && style.cursor === "pointer");
}

function clickable(element: HTMLElement, tag: string): boolean {
  if (element.hasAttribute("onclick")) return true;
  const editable = element.getAttribute("contenteditable");
  // The body of a frame is the text of an editor.
  if (editable !== null && editable !== "false") return true;
  return tag !== "body" && tag !== "html" && element.hasAttribute("tabindex") && element.tabIndex >= 0;
}
