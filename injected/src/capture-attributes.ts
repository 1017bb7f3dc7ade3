// Determines with a single call which of the relevant attributes an element has. Most elements have no attribute but a
// class, and querying each attribute by name would cost more than the rest of the walk.

export const REMOVED = 1,
  ROLE = 2,
  LABEL = 4,
  CLICK = 8,
  EDIT = 16,
  ARIA = 32,
  TITLE = 64,
  ID = 128,
  NAME = 256,
  HINT = 512,
  TEST = 1024;
export const SIZE = 2048;
export const CLASS = 8192;
const OTHER = 4096;

export const TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa"];

const BITS = new Map<string, number>([
  ["aria-hidden", REMOVED],
  ["inert", REMOVED],
  ["role", ROLE],
  ["class", CLASS],
  ["aria-label", LABEL],
  ["aria-labelledby", LABEL],
  ["onclick", CLICK],
  ["tabindex", CLICK],
  ["contenteditable", CLICK | EDIT],
  ["title", TITLE],
  ["id", ID],
  ["name", NAME],
  ["placeholder", HINT],
  ["aria-rowcount", SIZE],
  ["aria-setsize", SIZE],
]);
for (const name of TEST_IDS) BITS.set(name, TEST);
for (const state of "checked expanded disabled selected pressed required readonly invalid current busy multiselectable level valuetext valuenow".split(
  " ",
)) {
  BITS.set("aria-" + state, ARIA);
}

/** A bit for each relevant kind of attribute that an element has; 0 if it has no attributes. */
export function attributesOf(element: Element): number {
  if (!element.hasAttributes()) return 0;
  const names = element.getAttributeNames();
  let bits = OTHER;
  for (let i = 0; i < names.length; i++) bits |= BITS.get(names[i]) ?? 0;
  return bits;
}
