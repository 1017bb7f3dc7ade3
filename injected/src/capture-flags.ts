// What holds for the content of an element that is being walked, as bits that are handed down.

/** The content begins a line of its own. */
export const BLOCK = 1;
/** It is not shown, but what is further down may be. */
export const HIDDEN = 2;
/** Its text is the name of a control, and is told with that. */
export const MUTED = 4;
/** It lies in something that can be acted on as a whole. */
export const HAND = 8;
/** It has a line, so that text after it is not joined with text before it. */
export const KEPT = 16;
export const SPAN = 32;
/** It is styled as an error. */
export const ERROR = 64;
/** The page changed it by itself. */
export const CHURN = 128;
/** It is transparent. */
export const FADED = 256;
/** It lies in something without height. */
export const CLIPPED = 512;
