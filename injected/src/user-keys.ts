// Which keys a recording contains: those that do something other than enter text, move the cursor or control the
// browser.

const EDITING = /^(a|c|v|x|y|z|Backspace|Delete|Insert|Home|End|ArrowLeft|ArrowRight|ArrowUp|ArrowDown)$/i;
// Shortcuts of the browser's own window.
const BROWSER = /^(t|n|w|r|l|f|g|h|j|k|d|u|p|o|q|i|\+|-|=|0|1|2|3|4|5|6|7|8|9|Tab|F4|F5)$/i;
const MODIFIERS = /^(Shift|Control|Alt|Meta|AltGraph|CapsLock|NumLock|ScrollLock|Dead|Process|Unidentified)$/;
const MOVES = /^(Arrow|Home$|End$|PageUp$|PageDown$)/;
const NATIVE = "input,select,textarea,button,a[href],summary,video,audio,iframe,option";

export const isEnter = (event: KeyboardEvent): boolean =>
  event.key === "Enter" && !event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey;

/** Whether a field offers values in a list, in which keys choose. */
const offersValues = (element: Element): boolean =>
  element.getAttribute("role") === "combobox" ||
  element.hasAttribute("aria-autocomplete") ||
  element.hasAttribute("list") ||
  (element.getAttribute("aria-haspopup") ?? "false") !== "false";

/** The key or chord as a step names it, or null if it is not recorded. */
export function chordOf(event: KeyboardEvent, element: Element, inField: boolean): string | null {
  const { key } = event;
  if (MODIFIERS.test(key) || event.getModifierState("AltGraph")) return null;
  const held = [event.ctrlKey && "Control", event.altKey && "Alt", event.metaKey && "Meta"].filter(
    (name) => name !== false,
  );
  const isText = key.length === 1;
  if (held.length > 0) {
    if (inField && EDITING.test(key)) return null;
    if (event.altKey ? MOVES.test(key) || /^(d|F4)$/i.test(key) : BROWSER.test(key)) return null;
    if (!isText && event.shiftKey) held.push("Shift");
    return [...held, isText ? key.toUpperCase() : key].join("+");
  }
  if (/^F\d+$/.test(key)) return /^F(5|11|12)$/.test(key) ? null : key;
  const named = event.shiftKey && !isText ? "Shift+" + key : key;
  if (key === "Escape") return named;
  const isNative = element.matches(NATIVE);
  if (key === "Enter") return inField || !isNative ? named : null;
  if (inField)
    return offersValues(element) && (MOVES.test(key) || key === "Tab") && !/^(Home|End)$/.test(key) ? named : null;
  // Native controls change their value or are clicked; what has no focus is only scrolled.
  if (isNative || key === "Tab") return null;
  const isFocused = element !== element.ownerDocument.body && element !== element.ownerDocument.documentElement;
  if (MOVES.test(key) || key === " ") return isFocused ? (key === " " ? "Space" : named) : null;
  return named;
}
