// Keeps what a person composes on “New run” while the tab is open: a click on another screen or a reload does not lose
// it.

import { type Draft, EMPTY } from "./draft";

/** The form, and the content that was loaded into it. */
export interface Composed {
  /** The query of the address that named the content: `run=…`, or nothing. */
  from: string;
  /** What was loaded, before the person changed it. */
  loaded: Draft;
  draft: Draft;
}

export const NOTHING: Composed = { from: "", loaded: EMPTY, draft: EMPTY };

const KEY = "legwork-new-run";

export function restore(): Composed {
  try {
    const text = sessionStorage.getItem(KEY);
    return text ? { ...NOTHING, ...(JSON.parse(text) as Composed) } : NOTHING;
  } catch {
    // There is no storage, or what is in it cannot be read.
    return NOTHING;
  }
}

/** Stores the form if the person wrote something in it. */
export function store(composed: Composed): void {
  try {
    if (isWritten(composed)) sessionStorage.setItem(KEY, JSON.stringify(composed));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Without storage, the form is empty after the screen was left.
  }
}

/** Whether the form contains anything that the person wrote. */
export function isWritten({ draft, loaded }: Composed): boolean {
  const written = ({ text, task, url, values, options }: Draft) =>
    JSON.stringify([text.trim(), task.trim(), url.trim(), values, options]);
  return written(draft) !== written(loaded) && written(draft) !== written(EMPTY);
}
