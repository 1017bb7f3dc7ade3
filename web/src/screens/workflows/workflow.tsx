// One saved workflow: a form with its inputs that runs it, its steps, its versions, and what can be done with it.

import { useState } from "preact/hooks";
import { change, type Refused } from "../../api/client";
import type { SavedWorkflowView, WorkflowProblem } from "../../api/generated";
import { asRefused, useLoad } from "../../api/load";
import { Denied, useHas, useMay } from "../../api/scopes";
import { startRun } from "../../api/start";
import { go, Link } from "../../router";
import { announce } from "../../ui/announce";
import { Ask } from "../../ui/ask";
import { Badge } from "../../ui/badges";
import { InputFields, inputsBody, type Values } from "../../ui/inputs";
import { Loading, Problem, Screen } from "../../ui/screen";
import { When } from "../../ui/time";
import { useCheck } from "../start/check";
import { ofWorkflow, requestOf, saveBody } from "../start/draft";
import { Findings } from "../start/editor";
import { NO_OPTIONS, OptionFields, optionsBody } from "../start/options";
import { SecretsNote } from "../start/secrets-note";
import { Drift } from "./drift";
import { RowsSection } from "./rows";
import { Versions } from "./versions";

export function WorkflowScreen({ id }: { id: string }) {
  const loaded = useLoad("/api/workflows/{id}", { id });
  const saved = loaded.data;
  if (!saved)
    return (
      <Screen title="Workflow">
        {loaded.problem ? <Problem problem={loaded.problem} again={loaded.reload} /> : <Loading />}
      </Screen>
    );
  return <Workflow saved={saved} onChanged={loaded.reload} />;
}

function Workflow({ saved, onChanged }: { saved: SavedWorkflowView; onChanged(): void }) {
  const may = useMay();
  const [problem, setProblem] = useState<Refused>();
  // A file may be imported with steps that cannot run.
  const check = useCheck(useHas("run") ? requestOf(ofWorkflow(saved), []) : undefined);
  return (
    <Screen title={saved.name} actions={<Actions saved={saved} onProblem={setProblem} />}>
      <div class="standing">
        {saved.lastRun && (
          <Link to={`/runs/${saved.lastRun.run}`} aria-label={`Last run: ${saved.lastRun.verdict.words}`}>
            <Badge verdict={saved.lastRun.verdict} />
          </Link>
        )}
        <span class="quiet">
          Version {saved.version}, saved <When time={saved.saved} />
          {saved.savedBy && ` by ${saved.savedBy}`}
        </span>
      </div>
      {saved.description && <p class="lead">{saved.description}</p>}
      {problem && <Problem problem={problem} />}
      <div class="columns home">
        <section class="card" aria-labelledby="content">
          <h2 id="content">{saved.task ? "Task" : "Steps"}</h2>
          {saved.url && (
            <p class="quiet">
              Begins at <code>{saved.url}</code>
            </p>
          )}
          <pre class="text code-text" tabIndex={0} role="region" aria-label={saved.task ? "The task" : "The steps"}>
            {saved.text.trimEnd()}
          </pre>
          <Findings check={check} text={saved.text} />
          <Versions saved={saved} onRestored={onChanged} />
        </section>
        <aside aria-label="Run this workflow">
          {may("run") ? (
            <RunForm key={saved.version} saved={saved} listed={check.verdict?.problems} />
          ) : (
            <Denied scope="run">start runs</Denied>
          )}
          {may("run") && <RowsSection key={`rows ${saved.version}`} saved={saved} />}
        </aside>
      </div>
      <Drift id={saved.id} />
    </Screen>
  );
}

function RunForm({ saved, listed }: { saved: SavedWorkflowView; listed?: WorkflowProblem[] }) {
  const [values, setValues] = useState<Values>({});
  const [options, setOptions] = useState(NO_OPTIONS);
  const [starting, setStarting] = useState(false);
  const [problem, setProblem] = useState<Refused>();
  const start = async () => {
    setStarting(true);
    setProblem(undefined);
    try {
      await startRun({
        workflowId: saved.id,
        inputs: inputsBody(saved.inputs, values),
        ...(saved.secrets.length ? { secrets: saved.secrets } : {}),
        options: optionsBody(options),
      });
    } catch (error) {
      setProblem(asRefused(error));
      setStarting(false);
    }
  };
  return (
    <form
      class="card start"
      aria-label="Run"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <h2>Run</h2>
      {saved.inputs.every((input) => input.secret) && <p class="quiet">It asks for nothing.</p>}
      <InputFields inputs={saved.inputs} values={values} onValues={setValues} />
      <SecretsNote names={saved.secrets} />
      <OptionFields options={options} onChange={setOptions} />
      {problem && <Problem problem={problem} listed={listed} />}
      <div class="actions">
        <button type="submit" class="primary" disabled={starting}>
          {starting ? "Starting …" : "Run"}
        </button>
      </div>
    </form>
  );
}

interface ActionsProps {
  saved: SavedWorkflowView;
  onProblem(problem: Refused | undefined): void;
}

function Actions({ saved, onProblem }: ActionsProps) {
  const may = useMay();
  const [sure, setSure] = useState(false);
  const attempt = async (work: () => Promise<void>) => {
    onProblem(undefined);
    try {
      await work();
    } catch (error) {
      onProblem(asRefused(error));
    }
  };
  const duplicate = async () => {
    const body = saveBody(ofWorkflow(saved), copyName(saved.name), saved.description);
    const copy = await change<SavedWorkflowView>("POST", "/api/workflows", body);
    announce("Duplicated");
    go(`/workflows/${copy.id}/edit`);
  };
  const remove = async () => {
    await change("DELETE", `/api/workflows/${encodeURIComponent(saved.id)}`);
    announce("Workflow deleted");
    go("/workflows");
  };
  return (
    <>
      {may("run") && (
        <>
          <Link to={`/workflows/${saved.id}/edit`} class="button">
            Edit
          </Link>
          <button type="button" onClick={() => void attempt(duplicate)}>
            Duplicate
          </button>
        </>
      )}
      {may("admin") && (
        <Link to={`/schedules?workflow=${saved.id}`} class="button">
          Schedule
        </Link>
      )}
      <a class="button" href={`/api/workflows/${encodeURIComponent(saved.id)}/export`} download>
        Export
      </a>
      {may("admin") && (
        <button type="button" onClick={() => setSure(true)}>
          Delete
        </button>
      )}
      {sure && (
        <Ask
          title="Delete this workflow?"
          text={`“${saved.name}” and its versions are deleted. Its runs are kept; schedules that use it no longer start.`}
          yes="Delete"
          onYes={() => void attempt(remove)}
          onClose={() => setSure(false)}
        />
      )}
    </>
  );
}

const copyName = (name: string) => `Copy of ${name}`.slice(0, 120);
