// Characters that change the direction of text can let words of a page or a model look like others. They are shown as
// signs. Pure.

const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export const visible = (text: string): string =>
  text.replace(DIRECTIONS, (sign) => `⟨U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);

/** A name that somebody gives himself, for a sentence that quotes it: without quotation marks of its own. */
export const quotable = (name: string): string =>
  visible(name)
    .replace(/["“”„‟«»‹›「」]/g, "")
    .trim() || "?";
