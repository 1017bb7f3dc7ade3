// Where a person states what to do: a goal for the model, or steps that need no model.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Refused } from "../../../web/src/api/client";
import { asRefused } from "../../../web/src/api/load";
import { plain } from "../../../web/src/ui/advice";
import { Advice } from "./advice";
import type { Work } from "./start";

interface ComposerProps {
  /** Whether Legwork has a model, which a goal needs. */
  hasModel: boolean;
  disabled: boolean;
  onSubmit(work: Work, text: string): Promise<void>;
}

export function Composer({ hasModel, disabled, onSubmit }: ComposerProps) {
  const [text, setText] = useState("");
  const [steps, setSteps] = useState(!hasModel);
  const [problem, setProblem] = useState<Refused>();
  const [busy, setBusy] = useState(false);

  const form = useRef<HTMLFormElement>(null);
  // The form covers the lower end of the page, so nothing that the page scrolls to may end up there.
  useEffect(() => {
    const root = document.documentElement;
    const watch = new ResizeObserver(() => {
      root.style.scrollPaddingBottom = `${form.current?.offsetHeight ?? 0}px`;
    });
    if (form.current) watch.observe(form.current);
    return () => {
      watch.disconnect();
      root.style.scrollPaddingBottom = "";
    };
  }, []);

  const send = async () => {
    const words = text.trim();
    if (!words || busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await onSubmit(steps ? { text: words } : { task: words }, words);
      setText("");
    } catch (error) {
      setProblem(asRefused(error));
    }
    setBusy(false);
  };
  return (
    <form
      ref={form}
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label for="words">{steps ? "Steps, one a line" : "What shall be done in this tab?"}</label>
      <textarea
        id="words"
        dir="auto"
        rows={steps ? 4 : 2}
        value={text}
        placeholder={
          steps ? 'Click "Orders"\nCheck that "42 orders" is shown' : "Find the newest invoice and tell me its total"
        }
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing || steps) return;
          event.preventDefault();
          void send();
        }}
      />
      <div class="actions">
        <label class="check">
          <input type="checkbox" checked={steps} onChange={(event) => setSteps(event.currentTarget.checked)} /> Steps
        </label>
        <button type="submit" class="primary" disabled={disabled || busy || !text.trim()}>
          {busy ? "Starting…" : "Start"}
        </button>
      </div>
      {!hasModel && !steps && (
        <p class="hint">A goal needs a model: set one with `legwork config set model.name PROVIDER/NAME`.</p>
      )}
      {problem && (
        <div class="ill" role="alert">
          <p>{plain(problem.message)}</p>
          {problem.details.map((line) => (
            <p>{plain(line)}</p>
          ))}
          <Advice of={problem} />
        </div>
      )}
    </form>
  );
}
