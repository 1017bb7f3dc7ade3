// The outcome of an action's input, determined once the page has settled: the field's value, and whether the focus
// moved elsewhere while keys were sent.

import type { Outcome } from "./generated";

type Check = () => Outcome | null | Promise<Outcome | null>;
let check: Check | null = null;

/** Registers the check to run once the page has settled. */
export function checkAtRest(next: Check | null): void {
  check = next;
}

const frame = () =>
  new Promise((resolve) => {
    requestAnimationFrame(resolve);
    setTimeout(resolve, 50);
  });

/** The outcome of the input; null if no check is registered or nothing is left to check. */
export async function inputOutcome(): Promise<Outcome | null> {
  if (check === null) return null;
  const mine = check;
  let now = await mine();
  // Editors render their content with the next frame.
  for (let frames = 0; frames < 2 && now?.kind === "differs"; frames++) {
    await frame();
    now = await mine();
  }
  return now;
}
