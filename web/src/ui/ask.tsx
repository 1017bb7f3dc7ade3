// "Are you sure?" in a dialog of the page: keeps the focus inside, gives it back, closes with Escape. What had the focus may
// be gone by then (a run that ended has no button to stop it): then the screen's heading gets it.

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
