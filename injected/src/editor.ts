// Editors, which look like one field but are documents of their own. Code editors receive input through an almost
// invisible element and draw only the lines in view. Rich-text editors are editable elements whose content a script
// controls.

const CODE = ".monaco-editor,.CodeMirror,.cm-editor,.ace_editor";

/** The code editor that contains an element, or that it is. */
export const codeEditor = (element: Element): Element | null => element.closest(CODE);

/** The element that receives an editor's input. */
export function editorInput(editor: Element): HTMLElement | null {
  return editor.querySelector<HTMLElement>(
    ".native-edit-context,textarea.inputarea,.cm-content,textarea.ace_text-input,.CodeMirror textarea,textarea",
  );
}

const LINES =
  ".view-lines > .view-line,.CodeMirror-code .CodeMirror-line,.cm-content > .cm-line,.ace_text-layer .ace_line";

/** The lines that a code editor shows, from top to bottom. */
function shownLines(editor: Element): string[] {
  const lines = Array.from(editor.querySelectorAll<HTMLElement>(LINES)).filter(
    (line) => line.parentElement?.closest(".ace_line") === null,
  );
  const places = lines.map((line) => line.getBoundingClientRect().top);
  const order = lines.map((_, at) => at).sort((a, b) => places[a] - places[b]);
  return order.map((at) =>
    (lines[at].textContent ?? "")
      .replace(/\u00a0/g, " ")
      .replace(/[\u200b\ufeff]/g, "")
      .replace(/\s+$/, ""),
  );
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
