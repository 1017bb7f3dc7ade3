// What is missing before runs can start, and how to fix it. Nothing is shown when everything is there.

import { useState } from "preact/hooks";
import { change } from "../../api/client";
import type { ModelSetup, SetupReport } from "../../api/generated";
import { asRefused, useLoad } from "../../api/load";
import { useMay } from "../../api/scopes";
import { plain } from "../../ui/advice";
import { announce } from "../../ui/announce";
import { ModelKeyForm } from "../model-key";
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
      {!browser.found && <BrowserMissing browser={browser} />}
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

function BrowserMissing({ browser }: { browser: SetupReport["browser"] }) {
  return (
    <div class="missing bad">
      <h3>No browser was found</h3>
      <p>Runs need Chromium or Firefox on the machine of the server{browser.problem && `: ${browser.problem}`}.</p>
      {browser.install && (
        <>
          <p>Install one on that machine:</p>
          <pre class="text" tabIndex={0} role="region" aria-label="Commands that install a browser">
            {browser.install}
          </pre>
        </>
      )}
    </div>
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
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string>();
  const save = async () => {
    setProblem(undefined);
    try {
      await change("PUT", "/api/settings/model.name", { value: name.trim() });
      announce("Model saved");
      onSaved();
    } catch (error) {
      setProblem(plain(asRefused(error).message));
    }
  };
  return (
    <form
      class="model-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label>
        <span>Model</span>
        <input
          type="text"
          required
          spellcheck={false}
          value={name}
          placeholder="openai/gpt-5"
          list="models"
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <datalist id="models">
          <option value="openai/gpt-5" />
          <option value="anthropic/claude-sonnet-4-5" />
          <option value="ollama/qwen3" />
        </datalist>
      </label>
      <button type="submit">Save model</button>
      {problem && (
        <p class="ill" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
