// The reasons for which an element cannot be acted on, as the browser crate receives them.

import type { NotActionable, Ready } from "./generated";

export const isReady = (answer: Ready | NotActionable): answer is Ready => !("reason" in answer);

/** Adds properties to `answer` if it is `Ready`; a reason against the action is returned unchanged. */
export const ifReady = (answer: Ready | NotActionable, more: Partial<Ready>): Ready | NotActionable =>
  isReady(answer) ? { ...answer, ...more } : answer;
