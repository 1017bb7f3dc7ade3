// The dialog that saves work under a name: from the start screen and from a run.

import { useEffect, useRef, useState } from "preact/hooks";
import { change, type Refused } from "../../api/client";
import type { SavedWorkflowView } from "../../api/generated";
import { asRefused } from "../../api/load";
import { go } from "../../router";
import { Problem } from "../../ui/screen";
import { type Draft, saveBody } from "../start/draft";

interface SaveDialogProps {
  draft: Draft;
  /** The name that is proposed. */
  name?: string;
  onSaved?: () => void;
  onClose(): void;
}

export function SaveDialog({ draft, name: proposed = "", onSaved, onClose }: SaveDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [name, setName] = useState(proposed || nameIn(draft.text));
  const [description, setDescription] = useState("");
  const [problem, setProblem] = useState<Refused>();
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    return () => queueMicrotask(() => before?.isConnected && before.focus());
  }, []);
  const save = async () => {
    setProblem(undefined);
    try {
      const saved = await change<SavedWorkflowView>("POST", "/api/workflows", saveBody(draft, name, description));
      dialog.current?.close();
      onSaved?.();
      go(`/workflows/${saved.id}`);
    } catch (error) {
      setProblem(asRefused(error));
    }
  };
  return (
    <dialog ref={dialog} aria-labelledby="save-title" onClose={onClose}>
      <form
        class="save"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <h2 id="save-title">Save as workflow</h2>
        <NameFields name={name} description={description} onName={setName} onDescription={setDescription} />
        {problem && <Problem problem={problem} />}
        <div class="actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Save
          </button>
        </div>
      </form>
    </dialog>
  );
}

interface NameFieldsProps {
  name: string;
  description: string;
  onName(name: string): void;
  onDescription(description: string): void;
}

export function NameFields({ name, description, onName, onDescription }: NameFieldsProps) {
  return (
    <>
      <label class="stacked">
        <span>Name</span>
        <input
          type="text"
          required
          maxLength={120}
          value={name}
          onInput={(event) => onName(event.currentTarget.value)}
        />
      </label>
      <label class="stacked">
        <span>Description</span>
        <textarea
          rows={2}
          maxLength={2000}
          value={description}
          placeholder="What it is for, and what somebody should know before running it"
          onInput={(event) => onDescription(event.currentTarget.value)}
        />
      </label>
    </>
  );
}

/** The name that a workflow file gives itself. */
const nameIn = (text: string) => /^name:\s*["']?(.+?)["']?\s*$/m.exec(text)?.[1] ?? "";
