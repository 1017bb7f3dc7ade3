// What can be set in the panel: whether a run pauses when the person uses its tab, and the model of Legwork. Keys are
// shown by name only; they stay in the environment or the vault of the server.

import { useState } from "preact/hooks";
import { change } from "../../../web/src/api/client";
import type { SettingsView } from "../../../web/src/api/generated";
import { asRefused, useLoad } from "../../../web/src/api/load";
import { useHas } from "../../../web/src/api/scopes";
import { effectOf } from "../../../web/src/screens/settings/setting-field";
import { announce } from "../../../web/src/ui/announce";
import { Command } from "./command";
import { CodeForm, Elsewhere } from "./pair";
import { type PanelSettings, saveSettings, saveToken } from "./settings";

const MODEL_SETTINGS = ["model.name", "model.base_url"];

export function Settings({ settings }: { settings: PanelSettings }) {
  const [open, setOpen] = useState(false);
  const [pauses, setPauses] = useState(settings.pausesOnInput);
  return (
    <details class="settings" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Settings</summary>
      <label class="choice">
        <input
          type="checkbox"
          checked={pauses}
          onChange={(event) => {
            const pausesOnInput = event.currentTarget.checked;
            setPauses(pausesOnInput);
            void saveSettings({ pausesOnInput });
          }}
        />{" "}
        Pause a run when I click or type in its tab
      </label>
      {open && <ModelSettings />}
      {open && <Pairing server={settings.server} />}
    </details>
  );
}

/** The pairing with the server: another code, none, or another server. */
function Pairing({ server }: { server: string }) {
  return (
    <section aria-labelledby="pairing">
      <h2 id="pairing">Pairing</h2>
      <p class="quiet">This browser is paired with {server}.</p>
      <CodeForm server={server}>Another code</CodeForm>
      <div class="steering">
        <button type="button" onClick={() => void saveToken(server).then(() => location.reload())}>
          Forget this pairing
        </button>
      </div>
      <Elsewhere server={server} />
    </section>
  );
}

function ModelSettings() {
  const { data, problem, reload } = useLoad("/api/settings");
  const admin = useHas("admin");
  if (problem) return <p class="ill">{problem.message}</p>;
  if (!data) return <p class="quiet">Loading…</p>;
  const keys = data.keys.filter((key) => key.env && key.present);
  return (
    <section aria-labelledby="model-settings">
      <h2 id="model-settings">Model</h2>
      {MODEL_SETTINGS.map((name) => {
        const setting = data.settings.find((one) => one.name === name);
        return setting && <ModelSetting key={name} setting={setting} fixed={!admin} onChanged={reload} />;
      })}
      {!admin && (
        <>
          <p class="hint">This pairing may not change settings. A code that permits it, to be entered below:</p>
          <Command text="legwork panel pair --admin" />
        </>
      )}
      <p class="hint">
        {keys.length
          ? `Keys: ${keys.map(({ env, stored }) => `${env} (${stored ? "vault" : "environment"})`).join(", ")}.`
          : "Legwork has no key of a model provider, neither in its environment nor in its vault."}{" "}
        Keys are never sent to this browser.
      </p>
    </section>
  );
}

function ModelSetting({ setting, fixed, onChanged }: { setting: SettingsView; fixed: boolean; onChanged(): void }) {
  const [value, setValue] = useState<string>();
  const [note, setNote] = useState<{ text: string; bad: boolean }>();
  const id = `setting-${setting.name}`;
  const save = async () => {
    try {
      const path = `/api/settings/${encodeURIComponent(setting.name)}`;
      const saved = await change<SettingsView>("PUT", path, { value: value?.trim() || null });
      const effect = effectOf(saved, !value?.trim()) || "Saved. It takes effect when Legwork starts again.";
      const text = `${setting.name}: ${effect}`;
      setNote({ text, bad: false });
      announce(text);
      onChanged();
    } catch (error) {
      setNote({ text: [asRefused(error).message, ...asRefused(error).details].join(" "), bad: true });
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label for={id}>{setting.name}</label>
      <div class="actions">
        <input
          id={id}
          value={value ?? setting.value}
          readOnly={fixed}
          placeholder="not set"
          spellcheck={false}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        {!fixed && (
          <button type="submit" disabled={value === undefined || value.trim() === setting.value}>
            Save
          </button>
        )}
      </div>
      <p class="quiet">{setting.origin}</p>
      {note && (
        <p class={note.bad ? "ill" : "quiet"} role={note.bad ? "alert" : "status"}>
          {note.text}
        </p>
      )}
    </form>
  );
}
