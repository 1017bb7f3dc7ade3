// The start screen: steps or a task, templates, values for inputs, limits. The draft is checked while the user types.

import { useId, useState } from "preact/hooks";
import type { Refused } from "../../api/client";
import { change } from "../../api/client";
import type { Execute, Started, TemplateView } from "../../api/generated";
import { asRefused, useLoad } from "../../api/load";
import { Denied, useMay } from "../../api/scopes";
import { go } from "../../router";
import { Problem, Screen } from "../../ui/screen";
import { useCheck } from "./check";
import { Editor, Findings } from "./editor";
import { isError, wanted } from "./marks";
import { NO_OPTIONS, OptionFields, optionsBody } from "./options";

type Mode = "steps" | "task";

export function StartScreen() {
  const may = useMay();
  if (may("run")) return <StartForm />;
  return (
    <Screen title="New run">
      <Denied scope="run">start runs</Denied>
    </Screen>
  );
}

function StartForm() {
  const templates = useLoad("/api/automation/templates");
  const [mode, setMode] = useState<Mode>("steps");
  const [template, setTemplate] = useState<TemplateView>();
  const [text, setText] = useState("");
  const [task, setTask] = useState("");
  const [url, setUrl] = useState("");
  const [values, setValues] = useState<Record<string, string>>({});
  const [options, setOptions] = useState(NO_OPTIONS);
  const [starting, setStarting] = useState(false);
  const [problem, setProblem] = useState<Refused>();

  const asks = wanted(mode === "steps" ? text : task, mode === "steps" ? template : undefined);
  const inputs = Object.fromEntries(asks.inputs.filter((name) => values[name]).map((name) => [name, values[name]!]));
  const draft = draftOf({
    mode,
    template,
    text,
    task,
    url,
    inputs,
    secrets: asks.secrets,
    options: optionsBody(options),
  });
  const check = useCheck(draft);
  const wrong = check.verdict?.problems.some(isError) ?? false;

  const choose = (id: string) => {
    const chosen = templates.data?.find((one) => one.id === id);
    setTemplate(chosen);
    setText(chosen?.text.trimEnd() ?? "");
    setUrl(chosen?.url ?? "");
    setValues(
      Object.fromEntries(
        (chosen?.inputs ?? []).map((input) => [input.name, input.default == null ? "" : String(input.default)]),
      ),
    );
  };

  const start = async () => {
    if (!draft || starting) return;
    setStarting(true);
    setProblem(undefined);
    try {
      const run = await change<Started>("POST", "/api/automation/execute", draft, {
        "Idempotency-Key": crypto.randomUUID(),
      });
      go(`/runs/${run.sessionId}`);
    } catch (error) {
      setProblem(asRefused(error));
      setStarting(false);
    }
  };

  return (
    <Screen title="New run">
      <form
        class="start"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <div class="card">
          <ModeSwitch mode={mode} onMode={setMode} />
          {mode === "steps" ? (
            <>
              {templates.data && templates.data.length > 0 && (
                <TemplateChoice templates={templates.data} chosen={template} onChoose={choose} />
              )}
              <Editor text={text} check={check} onText={setText} onRun={() => void start()} />
            </>
          ) : (
            <div class="editor-part">
              <label for="task">Task</label>
              <p class="hint" id="task-hint">
                What you want to know or have done, in your own words. A task needs a model.
              </p>
              <textarea
                id="task"
                value={task}
                rows={5}
                aria-describedby="task-hint"
                placeholder="Find the cheapest flight to Oslo next Friday and tell me its price"
                onInput={(event) => setTask(event.currentTarget.value)}
              />
              {draft && <Findings check={check} text={task} />}
            </div>
          )}
          <div class="fields">
            <label>
              <span>Start URL</span>
              <input
                type="url"
                inputMode="url"
                value={url}
                placeholder="https://…"
                onInput={(event) => setUrl(event.currentTarget.value)}
              />
            </label>
            {asks.inputs.map((name) => (
              <label key={name}>
                <span>{template?.inputs?.find((input) => input.name === name)?.description ?? name}</span>
                <input
                  type="text"
                  value={values[name] ?? ""}
                  onInput={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
                />
              </label>
            ))}
          </div>
          {asks.secrets.length > 0 && (
            <p class="hint">
              Secrets{" "}
              {asks.secrets.map((name) => (
                <code>{name}</code>
              ))}{" "}
              come from the server's environment or vault; they are never typed here.
            </p>
          )}
          <OptionFields options={options} onChange={setOptions} />
          {problem && <Problem problem={problem} />}
          <div class="actions">
            <button type="submit" class="primary" disabled={!draft || wrong || starting}>
              {starting ? "Starting …" : "Start run"}
            </button>
          </div>
        </div>
      </form>
    </Screen>
  );
}

interface Parts extends Pick<Execute, "inputs" | "secrets" | "options"> {
  mode: Mode;
  template?: TemplateView;
  text: string;
  task: string;
  url: string;
}

/** The request for the current draft; `undefined` if there is nothing to run. A template without changes is sent as
 * its id. */
function draftOf({ mode, template, text, task, url, inputs, secrets, options }: Parts): Execute | undefined {
  const rest = {
    ...(url && url !== template?.url ? { url } : {}),
    inputs,
    ...(secrets?.length ? { secrets } : {}),
    options,
  };
  if (mode === "task") return task.trim() ? { ...rest, task: task.trim() } : undefined;
  if (template && template.text.trimEnd() === text) return { template: template.id, ...rest, secrets: undefined };
  return text.trim() ? { ...rest, ...(url ? { url } : {}), text } : undefined;
}

function ModeSwitch({ mode, onMode }: { mode: Mode; onMode(mode: Mode): void }) {
  const name = useId();
  const choice = (value: Mode, label: string) => (
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

function TemplateChoice({
  templates,
  chosen,
  onChoose,
}: {
  templates: TemplateView[];
  chosen?: TemplateView;
  onChoose(id: string): void;
}) {
  return (
    <div class="fields">
      <label>
        <span>Template</span>
        <select value={chosen?.id ?? ""} onChange={(event) => onChoose(event.currentTarget.value)}>
          <option value="">None: write your own</option>
          {templates.map((template) => (
            <option value={template.id}>{template.name}</option>
          ))}
        </select>
      </label>
      {chosen?.description && <p class="hint wide">{chosen.description}</p>}
    </div>
  );
}
