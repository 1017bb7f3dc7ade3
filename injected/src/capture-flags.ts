// The properties of a walked element that apply to its content, as bits that are passed down.

/** The content begins a new line of text. */
export const BLOCK = 1;
/** The element is not shown, but its descendants may be. */
export const HIDDEN = 2;
/** The text is part of a control's name and is reported there. */
export const MUTED = 4;
/** The element is inside one that can be acted on as a whole. */
export const HAND = 8;
/** The element has its own line, so that text after it is not joined with text before it. */
export const KEPT = 16;
export const SPAN = 32;
/** The element is styled as an error. */
export const ERROR = 64;
/** The page changed the element by itself. */
export const CHURN = 128;
/** The element is transparent. */
export const FADED = 256;
/** The element is inside one without height. */
export const CLIPPED = 512;
/** The text has no size or no colour. */
export const ILLEGIBLE = 1024;
