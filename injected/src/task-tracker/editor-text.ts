// The whole text of a code editor, which draws only the lines in view. Editors keep it in objects of the main world, and
// each makes its object available at its element in its own way.

import { answerText } from "../tracker-channel";
import { KEY } from "./state";

const READERS: ((editor: any) => unknown)[] = [
  (editor) => editor.env?.editor?.getValue(), // Ace
  (editor) => editor.CodeMirror?.getValue(), // CodeMirror 5
  (editor) => {
    // CodeMirror 6, before and after 6.39
    const content = editor.querySelector(".cm-content");
    const view = content?.cmView?.rootView?.view ?? content?.cmView?.view ?? content?.cmTile?.root?.view;
    return view?.state.doc.toString();
  },
  (editor) => {
    const editors = (window as any).monaco?.editor?.getEditors?.() ?? [];
    return editors.find((one: any) => one.getDomNode() === editor)?.getValue();
  },
];

answerText(KEY, (editor) => {
  for (const read of READERS)
    try {
      const text = read(editor);
      if (typeof text === "string") return text;
    } catch {} // another version, or another editor with the same class
  return null;
});
