// The lines of a capture. Adjacent texts form one run, which becomes a line when an element with its own line or a
// block begins or ends. The numbers of nodes and characters are limited.

import { BLOCK, CHURN, CLIPPED, ERROR, FADED, KEPT, SPAN } from "./capture-flags";
import { ERROR_STYLED, SELF_CHANGING, UNSEEN } from "./capture-states";

/** The most nodes and characters of a capture, and the most characters of a text or value. */
export const MAX_NODES = 60_000;
const MAX_CHARACTERS = 4_000_000;
const MAX_TEXT = 8_192;

/** Shortens a text that is too long, and states how many characters are missing. */
export const cut = (text: string): string =>
  text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) + `… (+${text.length - MAX_TEXT} characters)` : text;

/** A text or name without characters that a line must not contain. */
export const clean = (text: string): string => {
  const short = cut(text);
  return (/[^\S ]|[\x00-\x08]| {2}/.test(short) ? short.replace(/[\s\x00-\x08]+/g, " ") : short).trim();
};

export class Lines {
  readonly lines: string[] = [];
  /** The limit that ended the capture; empty while none did. */
  full = "";
  /** Whether the next line begins a line of text on the page. */
  private fresh = true;
  private characters = 0;
  private run = "";
  private tail = "";
  private depth = 0;
  private flags = 0;
  /** Whether the run ends with the end of a span. */
  private spanned = false;
  /** The number of pairs of texts whose gap was measured, and whether there is one between elements of these classes. */
  private measured = 0;
  private readonly gaps = new Map<string, boolean>();
  /** The text at the end of the run, or the element that consists of it. */
  private last: Node | null = null;

  push(line: string): void {
    this.lines.push(line);
    this.characters += line.length + 1;
    if (this.characters > MAX_CHARACTERS) this.full = "characters";
    else if (this.lines.length > MAX_NODES) this.full = "nodes";
  }

  /** The prefix of an element's line: a plus if the element continues the preceding line of text. */
  start(inside: number): string {
    return this.fresh || inside & BLOCK ? "" : "+";
  }

  /** Called after an element's line was added. `isFresh` states whether its content begins a new line of text. */
  continueWith(isFresh: boolean): void {
    this.fresh = isFresh;
  }

  /** Ends the run. */
  flush(): void {
    if (this.run === "") return;
    const text = this.run.length > MAX_TEXT ? clean(this.run) : this.run.trim();
    const flags = this.flags;
    this.run = this.tail = "";
    this.flags = 0;
    const states =
      (flags & ERROR ? ERROR_STYLED : 0) |
      (flags & CHURN ? SELF_CHANGING : 0) |
      (flags & (FADED | CLIPPED) ? UNSEEN : 0);
    if (text === "") return;
    this.push((this.fresh ? "" : "+") + this.depth + "\t\t" + text + (states === 0 ? "" : "\t!" + states));
    this.fresh = false;
  }

  /** Adds text to the run: that of `node`, or one that a style sheet adds. */
  addText(data: string, above: number, depth: number, node: Node | null): void {
    if (this.run === "") {
      if (!/\S/.test(data)) return;
      this.depth = depth;
    }
    this.flags |= above;
    const text = /[\t\n\f\r\x00-\x08]| {2}/.test(data) ? data.replace(/[\t\n\f\r\x00-\x08 ]+/g, " ") : data;
    // Only the end of the run is examined, because joining a long run for this purpose would be slow.
    const isAdjacent =
      this.spanned && above & SPAN && /[\p{L}\p{N}]$/u.test(this.tail.slice(-2)) && /^[\p{L}\p{N}]/u.test(text);
    const { last } = this;
    this.run += isAdjacent && (last === null || node === null || this.isApart(last, node)) ? " " + text : text;
    if (text !== "") {
      this.tail = text;
      this.last = node;
    }
    this.spanned = false;
  }

  private isApart(before: Node, after: Node): boolean {
    const key = classesOf(before) + "\n" + classesOf(after);
    const known = this.measured < MOST_MEASURED ? undefined : this.gaps.get(key);
    if (known !== undefined) return known;
    this.measured++;
    const apart = isApart(before, after);
    this.gaps.set(key, apart);
    return apart;
  }

  /** Adds a line break to the run as a space. */
  breakLine(): void {
    if (this.run !== "") this.run += this.tail = " ";
  }

  enterBlock(): void {
    this.flush();
    this.fresh = true;
  }

  /** Leaves an element with these flags. */
  leave(left: number): void {
    if (left & (BLOCK | KEPT)) this.flush();
    if (left & BLOCK) this.fresh = true;
    this.spanned = (left & SPAN) !== 0;
  }
}

/** The number of pairs of texts that are measured individually, because each costs about ten microseconds. */
const MOST_MEASURED = 400;

/** What style sheets mostly distinguish the element of a text by. */
function classesOf(node: Node): string {
  const element = node.nodeType === 1 ? (node as Element) : node.parentElement!;
  const { parentElement: parent } = element;
  const style = element.getAttribute("style") ?? "";
  return `${parent?.localName} ${parent?.getAttribute("class")} > ${element.getAttribute("class")} ${style}`;
}

/** The part of the height of a line that is about a quarter of the font size. A blank is hardly wider. */
const GAP = 0.2;

/**
 * Whether people see two adjacent texts as separate words although there is no white space between them: there is a gap
 * between them, or they are not on one line.
 */
function isApart(before: Node, after: Node): boolean {
  const left = boxesOf(before);
  const right = boxesOf(after);
  // Without boxes, nothing states that the texts belong together.
  if (left.length === 0 || right.length === 0) return true;
  const end = left[left.length - 1];
  const start = right[0];
  if (start.top >= end.bottom || end.top >= start.bottom) return true;
  // The second text is on the left of the first one in a script from right to left.
  const gap = Math.max(start.left - end.right, end.left - start.right);
  return gap > Math.min(end.height, start.height) * GAP;
}

/** The boxes of a text without padding. */
function boxesOf(node: Node): DOMRectList {
  const range = node.ownerDocument!.createRange();
  range.selectNodeContents(node);
  return range.getClientRects();
}
