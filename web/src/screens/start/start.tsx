// The start screen: what is missing before runs can start, the form for steps or a task, examples, and recent runs.
// With `?run=`, `?workflow=` or `?template=` in its address, the form begins with the content of that.

import { useEffect, useRef, useState } from "preact/hooks";
import { get, type Refused } from "../../api/client";
import { asRefused, useLoad } from "../../api/load";
import { Denied, useMay } from "../../api/scopes";
import { startRun } from "../../api/start";
import { useLocation } from "../../router";
import { Ask } from "../../ui/ask";
import { Problem, Screen } from "../../ui/screen";
import { Examples } from "../home/examples";
import { RecentRuns } from "../home/recent";
import { Setup } from "../home/setup";
import { SaveDialog } from "../workflows/save";
import { validate } from "./check";
import { Composer, useComposition } from "./composer";
import { content, type Draft, EMPTY, ofRequest, ofTemplate, ofWorkflow, requestOf } from "./draft";
import { type Composed, isWritten, NOTHING, restore, store } from "./draft-store";

export function StartScreen() {
  const may = useMay();
  if (may("run")) return <StartForm />;
  return (
    <Screen title="New run">
      <Denied scope="run">start runs</Denied>
      <RecentRuns />
    </Screen>
  );
}

function StartForm() {
  const { query } = useLocation();
  const templates = useLoad("/api/automation/templates");
  const [composed, setComposed] = useState<Composed>(restore);
  const [starting, setStarting] = useState(false);
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<Refused>();
  /** What would replace the text of the person. */
  const [replacing, setReplacing] = useState<Composed>();
  const { draft } = composed;
  const newest = useRef(composed);
  newest.current = composed;
  const composition = useComposition(draft);
  const request = requestOf(draft, composition.inputs, composition.secrets);
  useEffect(() => store(composed), [composed]);

  const setDraft = (draft: Draft) => setComposed((before) => ({ ...before, draft }));
  const replace = (loaded: Draft, from = "") => {
    const next = { from, loaded, draft: loaded };
    if (isWritten(newest.current)) setReplacing(next);
    else setComposed(next);
  };

  const from = query.toString();
  useEffect(() => {
    // After a reload, the form has the content that the address names, with the changes of the person.
    if (!from || from === composed.from) return undefined;
    let old = false;
    load(query).then(
      (loaded) => !old && loaded && replace(loaded, from),
      (error: unknown) => !old && setProblem(asRefused(error)),
    );
    return () => {
      old = true;
    };
  }, [from]);

  const start = async () => {
    if (!request || starting) return;
    setStarting(true);
    setProblem(undefined);
    try {
      // The check that names the secrets may still be on its way.
      const secrets = composition.check.checking && /\$\{secret:/.test(content(draft));
      const granted = secrets ? (await validate(request)).secrets : composition.secrets;
      await startRun(requestOf(draft, composition.inputs, granted)!);
      store(NOTHING);
    } catch (error) {
      setProblem(asRefused(error));
      setStarting(false);
    }
  };

  return (
    <Screen title="New run">
      <Setup />
      <div class="columns home">
        <form
          class="start card"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void start();
          }}
        >
          {draft.workflow && (
            <p class="hint">
              A changed copy of “{draft.workflow.name ?? "a saved workflow"}”
              {draft.workflow.version && `, version ${draft.workflow.version}`}. The saved workflow stays as it is.
            </p>
          )}
          <Composer draft={draft} composition={composition} onDraft={setDraft} onRun={() => void start()} />
          {problem && <Problem problem={problem} listed={composition.check.verdict?.problems} />}
          <div class="actions">
            <button type="submit" class="primary" disabled={!request || composition.wrong || starting}>
              {starting ? "Starting …" : "Start run"}
            </button>
            <button type="button" disabled={!request || composition.wrong} onClick={() => setSaving(true)}>
              Save as workflow
            </button>
            {content(draft) !== "" && (
              <button
                type="button"
                class="quiet-button"
                onClick={() => setComposed({ ...NOTHING, draft: { ...EMPTY, mode: draft.mode } })}
              >
                Clear
              </button>
            )}
          </div>
        </form>
        <aside aria-label="Examples and recent runs">
          <Examples
            templates={templates.data ?? []}
            chosen={draft.basedOn}
            onChoose={(one) => replace(ofTemplate(one))}
          />
          <RecentRuns />
        </aside>
      </div>
      {saving && <SaveDialog draft={draft} onSaved={() => store(NOTHING)} onClose={() => setSaving(false)} />}
      {replacing && (
        <Ask
          title="Replace what you wrote?"
          text="What is in the form now is lost."
          yes="Replace"
          onYes={() => setComposed(replacing)}
          onClose={() => setReplacing(undefined)}
        />
      )}
    </Screen>
  );
}

/** The draft that the address names. */
async function load(query: URLSearchParams): Promise<Draft | undefined> {
  const [run, workflow, template] = ["run", "workflow", "template"].map((name) => query.get(name));
  if (run) return ofRequest(await get("/api/automation/sessions/{id}/request", { id: run }));
  if (workflow) return ofWorkflow(await get("/api/workflows/{id}", { id: workflow }));
  if (!template) return undefined;
  const found = (await get("/api/automation/templates")).find((one) => one.id === template);
  return found && ofTemplate(found);
}
