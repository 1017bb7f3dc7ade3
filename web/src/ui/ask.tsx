// A confirmation dialog: keeps the focus inside, returns it afterwards, and closes with Escape. If the element that had
// the focus is gone (a run that has ended has no stop button), the heading of the screen gets the focus.

import { useEffect, useRef } from "preact/hooks";

interface Question {
  title: string;
  text: string;
  yes: string;
  onYes(): void;
  onClose(): void;
}

export function Ask({ title, text, yes, onYes, onClose }: Question) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    return () =>
      queueMicrotask(() => {
        const there = before?.isConnected && !before.matches(":disabled");
        (there ? before : document.querySelector<HTMLElement>("h1"))?.focus();
      });
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="ask-title" onClose={onClose}>
      <h2 id="ask-title">{title}</h2>
      <p>{text}</p>
      <div class="actions">
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            onYes();
            dialog.current?.close();
          }}
        >
          {yes}
        </button>
      </div>
    </dialog>
  );
}
