// The form in which work is composed: steps or a task, the start URL, inputs and options. The draft is checked while
// the user types. The start screen and the editor of a saved workflow use it.

import { useId, useRef } from "preact/hooks";
import type { ValidationReply, WorkflowInput } from "../../api/generated";
import { InputFields } from "../../ui/inputs";
import { type Check, useCheck } from "./check";
import { type Draft, fields, requestOf } from "./draft";
import { Editor, Findings } from "./editor";
import { isError } from "./marks";
import { OptionFields } from "./options";
import { SecretsNote } from "./secrets-note";

/** The check of a draft and the inputs that follow from it. */
export interface Composition {
  check: Check;
  inputs: WorkflowInput[];
  secrets: ValidationReply["secrets"];
  /** Whether something has to be corrected before it can run. */
  wrong: boolean;
}

export function useComposition(draft: Draft): Composition {
  // While a line is being written, the workflow cannot be read, and the fields of its inputs remain.
  const declared = useRef<WorkflowInput[]>([]);
  const check = useCheck(requestOf(draft, fields(draft, declared.current)));
  if (check.verdict?.valid) declared.current = check.verdict.inputs;
  return {
    check,
    inputs: fields(draft, declared.current),
    secrets: check.verdict?.secrets ?? [],
    wrong: check.verdict?.problems.some(isError) ?? false,
  };
}

interface ComposerProps {
  draft: Draft;
  composition: Composition;
  onDraft(draft: Draft): void;
  /** Ctrl Enter. */
  onRun?: () => void;
  /** Whether values for inputs, and options of a run, are asked for. */
  runs?: boolean;
}

export function Composer({ draft, composition, onDraft, onRun, runs = true }: ComposerProps) {
  const { check, inputs, secrets } = composition;
  const change = (part: Partial<Draft>) => onDraft({ ...draft, ...part });
  return (
    <>
      <ModeSwitch mode={draft.mode} onMode={(mode) => change({ mode })} />
      {draft.mode === "steps" ? (
        <Editor text={draft.text} url={draft.url} check={check} onText={(text) => change({ text })} onRun={onRun} />
      ) : (
        <div class="editor-part">
          <label for="task">Task</label>
          <p class="hint" id="task-hint">
            What you want to know or have done, in your own words. A task needs a model.
          </p>
          <textarea
            id="task"
            value={draft.task}
            rows={5}
            aria-describedby="task-hint"
            placeholder="Find the cheapest flight to Oslo next Friday and tell me its price"
            onInput={(event) => change({ task: event.currentTarget.value })}
          />
          {draft.task.trim() && <Findings check={check} text={draft.task} />}
        </div>
      )}
      <div class="fields">
        <label>
          <span>Start URL</span>
          <input
            type="url"
            inputMode="url"
            value={draft.url}
            placeholder={draft.basedOn ? "The demo site" : "https://…"}
            onInput={(event) => change({ url: event.currentTarget.value })}
          />
        </label>
      </div>
      {runs && <InputFields inputs={inputs} values={draft.values} onValues={(values) => change({ values })} />}
      <SecretsNote names={secrets} />
      {runs && <OptionFields options={draft.options} onChange={(options) => change({ options })} />}
    </>
  );
}

function ModeSwitch({ mode, onMode }: { mode: Draft["mode"]; onMode(mode: Draft["mode"]): void }) {
  const name = useId();
  const choice = (value: Draft["mode"], label: string) => (
    <label>
      <input type="radio" name={name} checked={mode === value} onChange={() => onMode(value)} />
      <span>{label}</span>
    </label>
  );
  return (
    <fieldset class="switch">
      <legend class="unseen">Kind of work</legend>
      {choice("steps", "Steps")}
      {choice("task", "A task")}
    </fieldset>
  );
}
