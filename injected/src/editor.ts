// Editors, which look like one field but are documents of their own. Code editors receive input through an almost
// invisible element and draw only the lines in view. Rich-text editors are editable elements whose content a script
// controls.

import { askText } from "./tracker-channel";

const CODE = ".monaco-editor,.CodeMirror,.cm-editor,.ace_editor";

/** The code editor that contains an element, or that it is. */
export const codeEditor = (element: Element): Element | null => element.closest(CODE);

/** The element that receives an editor's input. */
export function editorInput(editor: Element): HTMLElement | null {
  return editor.querySelector<HTMLElement>(
    ".native-edit-context,textarea.inputarea,.cm-content,textarea.ace_text-input,.CodeMirror textarea,textarea",
  );
}

let channel = "";

/** Begins to ask the main world for texts. `key` is the random key in the names of its events. */
export function askForTexts(key: string): void {
  channel = key;
}

/** The whole text of the code editor whose input an element receives, or that it is; null if it is no such element. */
export function codeText(element: Element): string | null {
  const editor = codeEditor(element);
  if (editor === null || (element !== editor && element !== editorInput(editor))) return null;
  return (channel === "" ? null : askText(channel, editor)) ?? editorText(editor);
}

const LINES =
  ".view-lines > .view-line,.CodeMirror-code .CodeMirror-line,.cm-content > .cm-line,.ace_text-layer .ace_line";

/** The elements of the lines that a code editor draws, from top to bottom, with their boxes. */
function drawnLines(editor: Element): { line: HTMLElement; box: DOMRect }[] {
  return Array.from(editor.querySelectorAll<HTMLElement>(LINES))
    .filter((line) => line.parentElement?.closest(".ace_line") === null)
    .map((line) => ({ line, box: line.getBoundingClientRect() }))
    .sort((one, other) => one.box.top - other.box.top);
}

/** The lines that a code editor shows, from top to bottom. */
const shownLines = (editor: Element): string[] =>
  drawnLines(editor).map(({ line }) =>
    (line.textContent ?? "")
      .replace(/\u00a0/g, " ")
      .replace(/[\u200b\ufeff]/g, "")
      .replace(/\s+$/, ""),
  );

/** The parts of editors that are as high as all lines. */
const WHOLE = ".view-lines,.CodeMirror-sizer,.cm-content,.ace_scrollbar-v > .ace_scrollbar-inner";
const NUMBERS = ".line-numbers,.CodeMirror-linenumber,.cm-lineNumbers > .cm-gutterElement,.ace_gutter-cell";

/** Which lines of a longer text a code editor draws: `lines 1–16 of about 300`; empty if it draws all of them. */
export function drawnPart(editor: Element): string {
  const drawn = drawnLines(editor);
  const whole = editor.querySelector<HTMLElement>(WHOLE);
  if (drawn.length === 0 || whole === null) return "";
  // A wrapped line is higher than the others.
  const height = Math.min(...drawn.map(({ box }) => box.height));
  if (!(height > 0)) return "";
  const view = editor.getBoundingClientRect();
  const first = firstNumber(editor, whole, drawn[0].box.top, height);
  const last = first + drawn.length - 1;
  const endsInView = drawn[drawn.length - 1].box.bottom < view.bottom - height;
  // Monaco can be scrolled until its last line is at the top.
  const beyond = editor.matches(".monaco-editor") ? view.height - height : 0;
  const total = endsInView ? last : Math.max(last, Math.round((whole.offsetHeight - beyond) / height));
  return first === 1 && total <= last + 1 ? "" : `lines ${first}–${last} of about ${total}`;
}

/** The number of the first drawn line, according to the numbers beside the lines or else its position. */
function firstNumber(editor: Element, whole: HTMLElement, top: number, height: number): number {
  for (const number of editor.querySelectorAll(NUMBERS))
    if (Math.abs(number.getBoundingClientRect().top - top) < height / 2 && /^\s*\d+\s*$/.test(number.textContent ?? ""))
      return Number(number.textContent);
  const bar = whole.closest(".ace_scrollbar-v");
  const above = bar === null ? top - whole.getBoundingClientRect().top : bar.scrollTop;
  return Math.max(0, Math.round(above / height)) + 1;
}

const squeeze = (text: string) => text.replace(/\s+/g, "");

/** The text that an editor shows. */
export function editorText(element: Element): string {
  const editor = codeEditor(element);
  return editor === null
    ? ((element as HTMLElement).innerText ?? element.textContent ?? "")
    : shownLines(editor).join("\n");
}

/**
 * Whether a code editor shows a text, compared line by line. A long text is only partly drawn; the lines in view must
 * then be consecutive lines of it. Wrapped lines are compared by their characters.
 */
export function showsCode(element: Element, text: string): boolean {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.replace(/\u00a0/g, " ").replace(/\s+$/, ""));
  const shown = shownLines(codeEditor(element)!);
  while (lines.length > 1 && lines[lines.length - 1] === "") lines.pop();
  while (shown.length > 1 && shown[shown.length - 1] === "") shown.pop();
  if (shown.length === 0) return lines.join("") === "";
  if (shown.length === lines.length) return shown.every((line, at) => line === lines[at]);
  if (shown.length > lines.length) return squeeze(shown.join("")) === squeeze(lines.join(""));
  const needle = "\n" + shown.join("\n") + "\n";
  return shown.length >= 5 && ("\n" + lines.join("\n") + "\n").includes(needle);
}

/** Pastes a text into an editor. Returns whether the editor handled the event. */
export function paste(input: Element, text: string): boolean {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  return !input.dispatchEvent(
    new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true, composed: true }),
  );
}
