// The states of an element as bits, which are those of `States` in crates/observe/src/snapshot.rs.

export const ACTIONABLE = 1;
const CHECKED = 2,
  MIXED = 4,
  DISABLED = 8,
  EXPANDED = 16,
  COLLAPSED = 32,
  SELECTED = 64,
  PRESSED = 128,
  REQUIRED = 256,
  INVALID = 1024;
export const READONLY = 512;
export const FOCUSED = 2048;
export const EDITABLE = 4096;
const MULTIPLE = 8192;
export const SECRET = 32768;
const CURRENT = 65536;
export const BUSY = 131072;
export const ERROR_STYLED = 262144,
  SELF_CHANGING = 524288,
  UNSEEN = 1048576,
  FOOTER = 2097152;
const ASCENDING = 4194304,
  DESCENDING = 8388608;

// Class names of style sheets and frameworks for elements that show an error. `ng-invalid` is excluded because every
// empty form has it, and `btn-danger` and similar classes because they only determine an appearance.
const ERROR_CLASS =
  /^(?!(no|non|ng|btn|button|badge|icon|bg|tag|label)[-_])(.*[-_])?(errors?|errorlist|invalid|failure|failed)([-_].*)?$|^(alert|toast|notification|message|notice|flash|is)[-_](danger|error)$|^mui\w+-(standard|filled|outlined|color)error$/i;
const styledAsError = new Map<string, boolean>();

/** Whether an element's classes indicate that it shows an error. */
export function isErrorStyled(element: Element): boolean {
  const names = element.getAttribute("class");
  if (names === null || names === "") return false;
  let known = styledAsError.get(names);
  if (known === undefined) {
    if (styledAsError.size > 5_000) styledAsError.clear();
    known = names.split(/\s+/).some((name) => ERROR_CLASS.test(name));
    styledAsError.set(names, known);
  }
  return known;
}

const UNWRITABLE = new Set("button submit reset image checkbox radio range file color hidden".split(" "));

/** States from properties of form controls. */
export function controlStates(element: Element, tag: string): number {
  let bits = 0;
  switch (tag) {
    case "input": {
      const input = element as HTMLInputElement;
      const type = input.type;
      if (type === "checkbox" || type === "radio") {
        if (input.checked) bits |= CHECKED;
        if (input.indeterminate && type === "checkbox") bits |= MIXED;
      }
      if (input.required) bits |= REQUIRED;
      if (!UNWRITABLE.has(type)) bits |= input.readOnly ? READONLY : EDITABLE;
      if (input.multiple) bits |= MULTIPLE;
      break;
    }
    case "textarea": {
      const area = element as HTMLTextAreaElement;
      bits |= area.readOnly ? READONLY : EDITABLE;
      if (area.required) bits |= REQUIRED;
      break;
    }
    case "select":
      if ((element as HTMLSelectElement).multiple) bits |= MULTIPLE;
      if ((element as HTMLSelectElement).required) bits |= REQUIRED;
      break;
    case "summary": {
      const details = element.parentElement;
      if (details?.localName === "details") bits |= (details as HTMLDetailsElement).open ? EXPANDED : COLLAPSED;
      return bits;
    }
    case "button":
      break;
    default:
      return bits;
  }
  if (element.matches(":disabled")) bits |= DISABLED;
  else if (tag !== "button" && element.matches(":user-invalid")) bits |= INVALID;
  return bits;
}

/** States from ARIA attributes. */
export function ariaStates(element: Element): number {
  let bits = 0;
  const is = (name: string): string | null => element.getAttribute(name);
  const checked = is("aria-checked");
  if (checked === "true") bits |= CHECKED;
  else if (checked === "mixed") bits |= MIXED;
  const expanded = is("aria-expanded");
  if (expanded === "true") bits |= EXPANDED;
  else if (expanded === "false") bits |= COLLAPSED;
  if (is("aria-disabled") === "true") bits |= DISABLED;
  if (is("aria-selected") === "true") bits |= SELECTED;
  const pressed = is("aria-pressed");
  if (pressed === "true") bits |= PRESSED;
  else if (pressed === "mixed") bits |= MIXED;
  if (is("aria-required") === "true") bits |= REQUIRED;
  if (is("aria-readonly") === "true") bits |= READONLY;
  const invalid = is("aria-invalid");
  if (invalid !== null && invalid !== "false" && invalid !== "") bits |= INVALID;
  const current = is("aria-current");
  if (current !== null && current !== "false" && current !== "") bits |= CURRENT;
  const sort = is("aria-sort");
  if (sort === "ascending") bits |= ASCENDING;
  else if (sort === "descending") bits |= DESCENDING;
  if (is("aria-busy") === "true") bits |= BUSY;
  if (is("aria-multiselectable") === "true") bits |= MULTIPLE;
  return bits;
}
