// What is missing before runs can start, and how to fix it. Nothing is shown when everything is there.

import { useEffect, useId, useState } from "preact/hooks";
import { change } from "../../api/client";
import type { ModelSetup, SettingsView, SetupReport } from "../../api/generated";
import { asRefused, useLoad } from "../../api/load";
import { Denied, useMay } from "../../api/scopes";
import { plain } from "../../ui/advice";
import { announce } from "../../ui/announce";
import { ModelKeyForm } from "../model-key";
import { effectOf, USER_FILE } from "../settings/setting-field";
import { checkAgain } from "../start/check";

export function Setup() {
  const setup = useLoad("/api/setup");
  const report = setup.data;
  if (!report) return null;
  const { browser, model } = report;
  const incomplete = model.state === "none" || model.state === "key_missing";
  if (browser.found && !incomplete) return null;
  return (
    <section class="setup" aria-labelledby="setup">
      <h2 id="setup" class="unseen">
        Set up
      </h2>
      {!browser.found && <BrowserMissing report={report} onChanged={setup.reload} />}
      {incomplete && (
        <ModelMissing
          model={model}
          onStored={() => {
            setup.reload();
            checkAgain();
          }}
        />
      )}
      <button
        type="button"
        class="link"
        disabled={setup.loading}
        onClick={() => {
          setup.reload();
          announce("Checked again");
        }}
      >
        Check again
      </button>
    </section>
  );
}

/** How often the progress of an installation is looked at. */
const PROGRESS_MS = 2_000;

function BrowserMissing({ report, onChanged }: { report: SetupReport; onChanged(): void }) {
  const { browser, installation } = report;
  const admin = useMay()("admin");
  const [problem, setProblem] = useState<string>();
  const { running } = installation;
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(onChanged, PROGRESS_MS);
    return () => clearInterval(timer);
  }, [running]);
  const install = async () => {
    setProblem(undefined);
    try {
      await change("POST", "/api/setup/browser", {});
      announce("The installation has begun");
      onChanged();
    } catch (error) {
      setProblem(plain(asRefused(error).message));
    }
  };
  const failed = problem ?? (!running && installation.problem);
  return (
    <div class="missing bad">
      <h3>No browser was found</h3>
      <p>
        Runs need Chromium or Firefox on the machine of the server{browser.problem && `: ${plain(browser.problem)}`}.
      </p>
      {!admin && <Denied scope="admin">choose or install a browser</Denied>}
      {admin && installation.available && (
        <div class="actions">
          <button type="button" class="primary" disabled={running} onClick={() => void install()}>
            {running ? "Installing …" : "Install a browser"}
          </button>
          <span class="quiet" role="status">
            {running && "This takes a minute or two. You can go on meanwhile."}
          </span>
        </div>
      )}
      {failed && (
        <p class="ill" role="alert">
          Not installed: {failed}
        </p>
      )}
      {admin && !installation.available && (
        <p>This server may not install programs. Somebody who administers its machine can install a browser there.</p>
      )}
      {admin && <BrowserPathForm onSaved={onChanged} />}
    </div>
  );
}

/** The path of a browser that is installed where it is not looked for. The server looks at it at once. */
function BrowserPathForm({ onSaved }: { onSaved(): void }) {
  const save = async (value: string) => {
    const saved = await change<SettingsView>("PUT", "/api/settings/browser.path", { value });
    const isUsed = USER_FILE.test(saved.origin);
    if (isUsed) announce("Saved and checked");
    onSaved();
    return isUsed ? undefined : effectOf(saved, false);
  };
  return (
    <SettingForm
      label="Path of an installed browser"
      example="/usr/bin/chromium"
      button="Use this browser"
      save={save}
    />
  );
}

interface SettingFormProps {
  label: string;
  example: string;
  button: string;
  /** Usual values. */
  values?: string[];
  /** Saves the value; the message that it has no effect yet, if so. */
  save(value: string): Promise<string | undefined>;
}

/** A form for one setting that is missing. */
function SettingForm({ label, example, button, values, save }: SettingFormProps) {
  const [value, setValue] = useState("");
  const [problem, setProblem] = useState<string>();
  const list = useId();
  const submit = async () => {
    setProblem(undefined);
    try {
      setProblem(await save(value.trim()));
    } catch (error) {
      setProblem([asRefused(error).message, ...asRefused(error).details].map(plain).join(" "));
    }
  };
  return (
    <form
      class="model-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label>
        <span>{label}</span>
        <input
          type="text"
          required
          spellcheck={false}
          value={value}
          placeholder={example}
          list={values && list}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        {values && (
          <datalist id={list}>
            {values.map((usual) => (
              <option key={usual} value={usual} />
            ))}
          </datalist>
        )}
      </label>
      <button type="submit">{button}</button>
      {problem && (
        <p class="ill" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

function ModelMissing({ model, onStored }: { model: ModelSetup; onStored(): void }) {
  const admin = useMay()("admin");
  return (
    <div class="missing">
      <h3>{model.state === "none" ? "No model is set up" : `The key for ${model.name} is missing`}</h3>
      <p>
        Steps that say exactly what to do need no model. Tasks, and steps in your own words, do.
        {model.keyVariable && !(admin && model.origin) && (
          <>
            {" "}
            Somebody with the scope <code>admin</code> can store the key here.
          </>
        )}
      </p>
      {model.state === "key_missing" && admin && model.keyVariable && model.origin && (
        <ModelKeyForm variable={model.keyVariable} origin={model.origin} onStored={onStored} />
      )}
      {model.state === "none" && admin && <ModelForm onSaved={onStored} />}
    </div>
  );
}

/**
 * Chooses the model. The next run uses it; what is missing then, such as the key of its provider, is said by the new
 * report.
 */
function ModelForm({ onSaved }: { onSaved(): void }) {
  const save = async (value: string) => {
    await change("PUT", "/api/settings/model.name", { value });
    announce("Model saved");
    onSaved();
    return undefined;
  };
  const usual = ["openai/gpt-5", "anthropic/claude-sonnet-4-5", "ollama/qwen3"];
  return <SettingForm label="Model" example="openai/gpt-5" button="Save model" values={usual} save={save} />;
}
