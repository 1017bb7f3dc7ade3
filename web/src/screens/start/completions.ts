// What the editor can complete at the caret: the form of a step by its verb, and within quotation marks the name of an
// element of the page that was observed last. Pure.

import type { ElementName } from "../../api/generated";
import { FORMS } from "../../protocol/forms";

/** The most completions that are offered at once. */
const MOST = 6;

/** What may stand before a verb: blanks and the mark of a list. */
const LEAD = /^\s*(?:[-*•]\s+|\d+[.)]\s+)?/u;
const LINE = /^(\s*(?:[-*•]\s+|\d+[.)]\s+)?)(\p{L}[\p{L} -]*)$/u;

export interface Completion {
  /** What is offered. */
  label: string;
  /** What the label is, in a word: the role of an element. */
  kind?: string;
  /** The text with the completion in place of what was typed. */
  text: string;
  /** Where the caret belongs afterwards, from the start of the text. */
  end: number;
}

/** The completions at the caret. */
export function completions(text: string, caret: number, elements: ElementName[] = []): Completion[] {
  const from = text.lastIndexOf("\n", caret - 1) + 1;
  const typed = text.slice(from, caret);
  const [, rest = ""] = /^([^\n]*)/.exec(text.slice(caret)) ?? [];
  const forms = rest ? [] : formsOf(typed, text, from, caret);
  return forms.length ? forms : names(typed, rest, text, caret, elements);
}

/** The forms that have a verb which begins as the line does, up to the caret at its end. */
function formsOf(typed: string, text: string, from: number, caret: number): Completion[] {
  const line = LINE.exec(typed);
  if (!line) return [];
  const [, lead = "", verb = ""] = line;
  const before = text.slice(0, from) + lead;
  return FORMS.filter((form) => form.verbs.split("|").some((one) => one.startsWith(verb.toLowerCase())))
    .slice(0, MOST)
    .map(({ example }) => ({
      label: example,
      text: before + example + text.slice(caret),
      end: (before + example).length,
    }));
}

/** The names that contain what was typed since an opening quotation mark; those that begin so come first. */
function names(typed: string, rest: string, text: string, caret: number, elements: ElementName[]): Completion[] {
  const marks = [...typed.matchAll(/"/g)];
  if (marks.length % 2 === 0) return [];
  const open = marks.at(-1)!.index;
  // In a workflow file, a quotation mark at the start of a line is one of the file.
  if (typed.slice(0, open).replace(LEAD, "") === "") return [];
  const [, behind = "", closed = ""] = /^([^"]*)("?)/.exec(rest) ?? [];
  if (behind.trim() && !closed) return [];
  const wanted = typed.slice(open + 1).toLowerCase();
  const found = elements.filter(({ name }) => !name.includes('"') && name.toLowerCase().includes(wanted));
  const first = (one: ElementName) => Number(!one.name.toLowerCase().startsWith(wanted));
  const start = text.slice(0, caret - typed.length + open + 1);
  const after = text.slice(caret + (closed ? behind.length + 1 : 0));
  return found
    .filter(({ name }) => name.toLowerCase() !== wanted || !closed)
    .sort((a, b) => first(a) - first(b))
    .slice(0, MOST)
    .map(({ name, role }) => ({
      label: name,
      kind: role,
      text: `${start}${name}"${after}`,
      end: start.length + name.length + 1,
    }));
}

/** Whether the caret is behind an opening quotation mark of its line. */
export function isInName(text: string, caret: number): boolean {
  const typed = text.slice(text.lastIndexOf("\n", caret - 1) + 1, caret);
  return (typed.match(/"/g) ?? []).length % 2 === 1;
}

/** The address that the line at the caret works on: the last one that is opened before it. */
export function addressAt(text: string, caret: number): string | undefined {
  return [...text.slice(0, caret).matchAll(/https?:\/\/[^\s"'<>)]+/g)].at(-1)?.[0];
}

/** The text with a sentence in place of the words of a line (from 0), and what to select of it. */
export function replaced(
  text: string,
  line: number,
  words: string,
  sentence: string,
): { text: string; from: number; to: number } {
  const lines = text.split("\n");
  const old = lines[line] ?? "";
  const lead = LEAD.exec(old)?.[0] ?? "";
  const at = old.indexOf(words);
  const [before, after] = at < 0 ? [lead, ""] : [old.slice(0, at), old.slice(at + words.length)];
  lines[line] = before + sentence + after;
  const start = lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + before.length;
  // The name in an example is the part to change.
  const quoted = /"([^"]*)"/.exec(sentence);
  const [from, to] = quoted
    ? [start + quoted.index + 1, start + quoted.index + 1 + quoted[1]!.length]
    : [start + sentence.length, start + sentence.length];
  return { text: lines.join("\n"), from, to };
}
