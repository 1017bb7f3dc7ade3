// The editor of a saved workflow, and of a new one: name, description and content. A change that somebody else has
// overtaken is refused, and can be saved as a copy.

import { useState } from "preact/hooks";
import { change, type Refused } from "../../api/client";
import type { SavedWorkflowView } from "../../api/generated";
import { asRefused, useLoad } from "../../api/load";
import { Denied, useMay } from "../../api/scopes";
import { Link, leave } from "../../router";
import { announce } from "../../ui/announce";
import { Loading, Problem, Screen } from "../../ui/screen";
import { Unsaved } from "../../ui/unsaved";
import { Composer, useComposition } from "../start/composer";
import { content, type Draft, EMPTY, ofWorkflow, saveBody } from "../start/draft";
import { NameFields } from "./save";

/** The status of a change of a version that is no longer the newest. */
const CONFLICT = 409;

export function NewWorkflowScreen() {
  return <WorkflowForm />;
}

export function EditWorkflowScreen({ id }: { id: string }) {
  const loaded = useLoad("/api/workflows/{id}", { id });
  if (loaded.data) return <WorkflowForm saved={loaded.data} />;
  return (
    <Screen title="Edit workflow">
      {loaded.problem ? <Problem problem={loaded.problem} again={loaded.reload} /> : <Loading />}
    </Screen>
  );
}

function WorkflowForm({ saved }: { saved?: SavedWorkflowView }) {
  const may = useMay();
  const [name, setName] = useState(saved?.name ?? "");
  const [description, setDescription] = useState(saved?.description ?? "");
  const [draft, setDraft] = useState<Draft>(saved ? ofWorkflow(saved) : EMPTY);
  const [problem, setProblem] = useState<Refused>();
  const composition = useComposition(draft);
  const first = saved ? ofWorkflow(saved) : EMPTY;
  const now = JSON.stringify(saveBody(draft, name, description));
  const changed = now !== JSON.stringify(saveBody(first, saved?.name ?? "", saved?.description ?? ""));
  const back = saved ? `/workflows/${saved.id}` : "/workflows";

  const save = async (asCopy: boolean) => {
    setProblem(undefined);
    const body = saveBody(draft, name, description);
    try {
      const done =
        saved && !asCopy
          ? await change<SavedWorkflowView>("PUT", `/api/workflows/${encodeURIComponent(saved.id)}`, {
              version: saved.version,
              draft: body,
            })
          : await change<SavedWorkflowView>("POST", "/api/workflows", body);
      announce("Workflow saved");
      leave(`/workflows/${done.id}`);
    } catch (error) {
      setProblem(asRefused(error));
    }
  };

  if (!may("run"))
    return (
      <Screen title={saved ? `Edit ${saved.name}` : "New workflow"}>
        <Denied scope="run">save workflows</Denied>
      </Screen>
    );
  return (
    <Screen title={saved ? `Edit ${saved.name}` : "New workflow"}>
      <form
        class="card start"
        onSubmit={(event) => {
          event.preventDefault();
          void save(false);
        }}
      >
        <Unsaved changed={changed} text="What you changed in this workflow is not saved, and is lost if you leave." />
        <NameFields name={name} description={description} onName={setName} onDescription={setDescription} />
        <Composer draft={draft} composition={composition} onDraft={setDraft} runs={false} />
        {composition.inputs.length > 0 && (
          <p class="hint">
            Asks for {composition.inputs.map((input) => input.description || input.name).join(", ")} when it is run.
            Declare inputs under <code>inputs:</code> to give them descriptions and default values.
          </p>
        )}
        {problem && <Problem problem={problem} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={!content(draft)}>
            Save
          </button>
          {problem?.status === CONFLICT && (
            <button type="button" onClick={() => void save(true)}>
              Save as a copy
            </button>
          )}
          <Link to={back} class="button">
            Cancel
          </Link>
        </div>
      </form>
    </Screen>
  );
}
