// The saved workflows: search, run, open, import. The search is part of the address.

import { useEffect, useRef, useState } from "preact/hooks";
import { change, type Refused } from "../../api/client";
import type { SavedWorkflowView, TemplateView } from "../../api/generated";
import { asRefused, useLoad } from "../../api/load";
import { useChanges } from "../../api/runs";
import { Denied, useMay } from "../../api/scopes";
import { go, Link, useLocation } from "../../router";
import { Badge } from "../../ui/badges";
import { Empty, Loading, Problem, Screen } from "../../ui/screen";
import { Ago, useNow } from "../../ui/time";

export function WorkflowsScreen() {
  const { query } = useLocation();
  const [words, setWords] = useState(query.get("q") ?? "");
  const list = useLoad("/api/workflows", { q: query.get("q") ?? "" });
  const templates = useLoad("/api/automation/templates");
  const may = useMay();
  const [problem, setProblem] = useState<Refused>();
  const pending = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // The state of the last run changes while it is in progress.
  useChanges((runs) => {
    const shown = new Map(list.data?.flatMap(({ lastRun }) => (lastRun ? [[lastRun.run, lastRun.state]] : [])));
    if (!runs.some((run) => shown.has(run.run) && shown.get(run.run) !== run.state)) return;
    clearTimeout(pending.current);
    pending.current = setTimeout(list.reload, 300);
  });
  useEffect(() => () => clearTimeout(pending.current), []);
  useEffect(() => {
    if (words.trim() === (query.get("q") ?? "")) return;
    const timer = setTimeout(
      () => go(`/workflows${words.trim() ? `?q=${encodeURIComponent(words.trim())}` : ""}`, true),
      250,
    );
    return () => clearTimeout(timer);
  }, [words]);

  const actions = may("run") ? (
    <>
      <Import onProblem={setProblem} />
      <Link to="/workflows/new" class="button primary">
        New workflow
      </Link>
    </>
  ) : undefined;
  const searched = query.get("q");
  return (
    <Screen title="Workflows" actions={actions}>
      {!may("run") && <Denied scope="run">save workflows</Denied>}
      {problem && <Problem problem={problem} />}
      {list.problem && <Problem problem={list.problem} again={list.reload} />}
      {(!!list.data?.length || searched) && (
        <search class="filters">
          <label>
            <span class="unseen">Search workflows</span>
            <input
              type="search"
              value={words}
              placeholder="Search workflows"
              onInput={(event) => setWords(event.currentTarget.value)}
            />
          </label>
          <p class="quiet" role="status">
            {list.data ? `${list.data.length} ${list.data.length === 1 ? "workflow" : "workflows"}` : ""}
          </p>
        </search>
      )}
      {!list.data && list.loading && <Loading />}
      {list.data?.length === 0 && (
        <Empty>
          <p>
            {searched
              ? "No workflow contains these words."
              : "No workflows yet. Save one from “New run” or from a run, import a file, or begin with an example."}
          </p>
        </Empty>
      )}
      {!!list.data?.length && (
        <ul class="cards">
          {list.data.map((saved) => (
            <Item key={saved.id} saved={saved} />
          ))}
        </ul>
      )}
      {!searched && templates.data && may("run") && <ExampleCards templates={templates.data} />}
    </Screen>
  );
}

function Item({ saved }: { saved: SavedWorkflowView }) {
  const now = useNow(10_000);
  const { lastRun } = saved;
  const asks = saved.inputs.filter((input) => !input.secret).length;
  return (
    <li class="card item">
      <div>
        <h2>
          <Link to={`/workflows/${saved.id}`}>{saved.name}</Link>
        </h2>
        {saved.description && <p class="about">{saved.description}</p>}
        <p class="quiet">
          {saved.task ? "Task" : `${saved.steps} ${saved.steps === 1 ? "step" : "steps"}`}
          {asks > 0 && ` · ${asks} ${asks === 1 ? "input" : "inputs"}`}
          {` · version ${saved.version}, saved `}
          <Ago time={saved.saved} now={now} />
        </p>
      </div>
      {lastRun && (
        <p class="last">
          <Link to={`/runs/${lastRun.run}`} aria-label={`Last run: ${lastRun.verdict.words}`}>
            <Badge verdict={lastRun.verdict} />
          </Link>
          <span class="quiet">
            <Ago time={lastRun.started} now={now} />
          </span>
        </p>
      )}
    </li>
  );
}

function ExampleCards({ templates }: { templates: TemplateView[] }) {
  if (templates.length === 0) return null;
  return (
    <section aria-labelledby="examples">
      <h2 id="examples">Examples</h2>
      <ul class="cards">
        {templates.map((template) => (
          <li key={template.id} class="card item">
            <div>
              <h3>
                <Link to={`/?template=${encodeURIComponent(template.id)}`}>{template.name}</Link>{" "}
                {template.needsModel && <span class="tag">needs a model</span>}
              </h3>
              <p class="about">{template.description}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Saves the workflow of a file. */
function Import({ onProblem }: { onProblem(problem: Refused | undefined): void }) {
  const field = useRef<HTMLInputElement>(null);
  const take = async (file: File | undefined) => {
    if (!file) return;
    onProblem(undefined);
    try {
      const text = await file.text();
      const named = /^name:/m.test(text) || /^\s*\{/.test(text);
      const name = file.name.replace(/\.\w+$/, "").replace(/[-_]+/g, " ");
      const saved = await change<SavedWorkflowView>("POST", "/api/workflows", { text, ...(named ? {} : { name }) });
      go(`/workflows/${saved.id}`);
    } catch (error) {
      onProblem(asRefused(error));
    }
    if (field.current) field.current.value = "";
  };
  return (
    <>
      <input
        ref={field}
        type="file"
        class="unseen"
        tabIndex={-1}
        aria-label="Workflow file"
        accept=".yaml,.yml,.json,.md,.txt"
        onChange={(event) => void take(event.currentTarget.files?.[0])}
      />
      <button type="button" onClick={() => field.current?.click()}>
        Import
      </button>
    </>
  );
}
