// Why an element cannot be acted on, as the browser is told.

import type { NotActionable, Ready } from "./generated";

export const isReady = (answer: Ready | NotActionable): answer is Ready => !("reason" in answer);

/** As `ready`, with more that is known of the element; a reason against it stays as it is. */
export const ifReady = (answer: Ready | NotActionable, more: Partial<Ready>): Ready | NotActionable =>
  isReady(answer) ? { ...answer, ...more } : answer;
