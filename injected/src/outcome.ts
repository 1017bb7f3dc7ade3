// What an action's input came to, asked once the page is at rest: the value that a field holds then, and whether the focus
// went elsewhere while keys were on their way.

import type { Outcome } from "./generated";

type Check = () => Outcome | null | Promise<Outcome | null>;
let check: Check | null = null;

/** Has this asked when the page is at rest. */
export function checkAtRest(next: Check | null): void {
  check = next;
}

const frame = () =>
  new Promise((resolve) => {
    requestAnimationFrame(resolve);
    setTimeout(resolve, 50);
  });

/** What came of the input; null when there is nothing to ask, or nothing left to ask about. */
export async function inputOutcome(): Promise<Outcome | null> {
  if (check === null) return null;
  const mine = check;
  let now = await mine();
  // Editors draw what they hold with the next frame.
  for (let frames = 0; frames < 2 && now?.kind === "differs"; frames++) {
    await frame();
    now = await mine();
  }
  return now;
}
