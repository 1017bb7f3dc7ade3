// Which forms a step may have, by what was typed of its verb. Pure.

import { FORMS, type Form } from "../../protocol/forms";

/** The most forms that are offered at once. */
const MOST = 6;

/** What may stand before a verb: blanks and the mark of a list. */
const LINE = /^(\s*(?:[-*•]\s+|\d+[.)]\s+)?)(\p{L}[\p{L} -]*)$/u;

export interface Completion extends Form {
  /** The text with the example in place of what was typed. */
  text: string;
  /** The end of the example, from the start of the text. */
  end: number;
}

/** The forms that have a verb which begins as the line does, up to the caret at its end. */
export function completions(text: string, caret: number): Completion[] {
  const from = text.lastIndexOf("\n", caret - 1) + 1;
  const rest = text.slice(caret);
  const line = LINE.exec(text.slice(from, caret));
  if (!line || (rest && !rest.startsWith("\n"))) return [];
  const [, lead = "", typed = ""] = line;
  const before = text.slice(0, from) + lead;
  return FORMS.filter((form) => form.verbs.split("|").some((verb) => verb.startsWith(typed.toLowerCase())))
    .slice(0, MOST)
    .map((form) => ({ ...form, text: before + form.example + rest, end: (before + form.example).length }));
}
