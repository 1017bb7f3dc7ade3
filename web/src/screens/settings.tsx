// The settings with their origins, and which keys are set. The keys themselves are never shown.

import { useState } from "preact/hooks";
import { change } from "../api/client";
import type { DetailedHealth, SettingsView } from "../api/generated";
import { asRefused, useLoad } from "../api/load";
import { Denied, useMay } from "../api/scopes";
import { plain } from "../ui/advice";
import { Inline } from "../ui/prose";
import { Loading, Problem, Screen } from "../ui/screen";
import { ModelKeyForm } from "./model-key";
import { Secrets } from "./secrets";
import { fieldOf } from "./setting-field";

export function SettingsScreen() {
  const settings = useLoad("/api/settings");
  const health = useLoad("/api/health/detailed");
  const admin = useMay()("admin");
  const { settings: list, keys } = settings.data ?? { settings: [], keys: [] };
  const [words, setWords] = useState("");
  const [changed, onlyChanged] = useState(false);
  const [storing, setStoring] = useState<string>();
  const wanted = words.trim().toLowerCase();
  const found = list.filter(
    (one) =>
      (!changed || one.origin !== "default" || one.pending !== undefined) &&
      `${one.name} ${one.description ?? ""}`.toLowerCase().includes(wanted),
  );
  const groups = [...new Set(found.map((one) => group(one.name)))];
  return (
    <Screen title="Settings">
      {!admin && <Denied scope="admin">change settings</Denied>}
      {settings.problem && <Problem problem={settings.problem} again={settings.reload} />}
      {!settings.data && settings.loading && <Loading />}
      {keys.length > 0 && (
        <section class="card" aria-labelledby="keys">
          <h2 id="keys">Keys</h2>
          <p class="hint">
            Keys of models, from the environment of the server or encrypted in its vault. They are never shown.
          </p>
          <ul class="keys">
            {keys.map((key) => (
              <li>
                <span class={`badge ${key.present ? "good" : "idle"}`}>
                  <span aria-hidden="true" class="sign">
                    {key.present ? "✓" : "–"}
                  </span>
                  {key.stored ? "stored" : key.present ? "present" : "absent"}
                </span>{" "}
                <b>{key.provider}</b> {key.env && <code>{key.env}</code>}{" "}
                {admin && key.origin && storing !== key.env && (
                  <button type="button" class="link" onClick={() => setStoring(key.env)}>
                    {key.stored ? "Replace" : "Store"}
                    <span class="unseen"> {key.env}</span>
                  </button>
                )}
                {storing === key.env && key.origin && (
                  <ModelKeyForm
                    variable={key.env}
                    origin={key.origin}
                    onStored={() => {
                      setStoring(undefined);
                      settings.reload();
                    }}
                  />
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Secrets />
      {list.length > 0 && (
        <search class="filters">
          <label>
            <span class="unseen">Search settings</span>
            <input
              type="search"
              value={words}
              placeholder="Search settings"
              onInput={(event) => setWords(event.currentTarget.value)}
            />
          </label>
          <label class="check">
            <input type="checkbox" checked={changed} onChange={(event) => onlyChanged(event.currentTarget.checked)} />
            Only changed settings
          </label>
          <p class="quiet" role="status">
            {found.length} of {list.length} settings
          </p>
        </search>
      )}
      {groups.map((name) => (
        <section class="card" aria-labelledby={`group-${name}`}>
          <h2 id={`group-${name}`}>{name}</h2>
          <div class="settings">
            {found
              .filter((one) => group(one.name) === name)
              .map((one) => (
                <Row key={one.name} setting={one} fixed={!admin} onSaved={settings.reload} />
              ))}
          </div>
        </section>
      ))}
      {health.data && <State health={health.data} />}
    </Screen>
  );
}

const group = (name: string) => (name.includes(".") ? name.slice(0, name.indexOf(".")) : "general");
const shown = (value: unknown): string => {
  if (value == null) return "";
  if (Array.isArray(value)) return value.map(shown).join(", ") || "none";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

/** The origin of a value that is in the file of the user, from which it can be removed. */
const USER_FILE = /[/\\]config\.toml:\d+$/;

interface RowProps {
  setting: SettingsView;
  fixed: boolean;
  onSaved(): void;
}

/** What was reached by saving a value, from the reply of the server. */
function effectOf(saved: SettingsView, wasRemoved: boolean): string {
  if (saved.pending !== undefined) return "";
  if (wasRemoved) return "Removed.";
  return USER_FILE.test(saved.origin)
    ? "Saved. It is in use from now on."
    : `Saved, but not in use: ${saved.origin === "command line" ? "the command line" : saved.origin} has precedence.`;
}

function Row({ setting, fixed, onSaved }: RowProps) {
  const [value, setValue] = useState<string>();
  const [effect, setEffect] = useState("");
  const [problem, setProblem] = useState<string>();
  const id = `setting-${setting.name}`;
  const pending = setting.pending !== undefined;
  const now = shown(setting.pending ?? setting.value);
  const save = async (to: string | null) => {
    setProblem(undefined);
    setEffect("");
    try {
      const reply = await change<SettingsView>("PUT", `/api/settings/${encodeURIComponent(setting.name)}`, {
        value: to,
      });
      setValue(undefined);
      setEffect(effectOf(reply, to === null));
      onSaved();
    } catch (error) {
      setProblem([asRefused(error).message, ...asRefused(error).details].map(plain).join(" "));
    }
  };
  return (
    <form
      class="setting"
      onSubmit={(event) => {
        event.preventDefault();
        if (value !== undefined && value !== now) void save(value);
      }}
    >
      <label for={id}>
        <code>{setting.name}</code>
        {setting.description && (
          <small class="quiet">
            <Inline text={plain(setting.description)} />
          </small>
        )}
      </label>
      <div>
        <SettingField id={id} setting={setting} fixed={fixed} text={value ?? now} onText={setValue} />
        {(pending || effect) && (
          <p class="saved" role="status">
            <span aria-hidden="true">✓</span> {pending ? "Saved. Takes effect when the server restarts." : effect}
          </p>
        )}
        <small class="quiet">
          {pending ? `until then: ${shown(setting.value) || "not set"} (${setting.origin})` : setting.origin}
          {setting.origin !== "default" && shown(setting.default) && `, default: ${shown(setting.default)}`}
          {setting.restart && !pending && ", a change needs a restart of the server"}
        </small>
        {problem && (
          <p class="ill" role="alert">
            {problem}
          </p>
        )}
      </div>
      <div class="actions">
        {value !== undefined && value !== now && (
          <button type="submit">
            Save<span class="unseen"> {setting.name}</span>
          </button>
        )}
        {!fixed &&
          (USER_FILE.test(setting.origin) || pending) &&
          value === undefined &&
          now !== shown(setting.default) && (
            <button type="button" class="link" onClick={() => void save(null)}>
              Remove<span class="unseen"> {setting.name}</span>
            </button>
          )}
      </div>
    </form>
  );
}

interface SettingFieldProps {
  id: string;
  setting: SettingsView;
  fixed: boolean;
  text: string;
  onText(text: string): void;
}

/** The field of a setting, by its kind. */
function SettingField({ id, setting, fixed, text, onText }: SettingFieldProps) {
  const field = fieldOf(setting.kind);
  if (field.type === "choice")
    return (
      <select id={id} disabled={fixed} value={text} onChange={(event) => onText(event.currentTarget.value)}>
        {!field.choices.includes(text) && <option value={text}>{text || "not set"}</option>}
        {field.choices.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    );
  const common = {
    id,
    readOnly: fixed,
    value: text,
    placeholder: shown(setting.default) || "not set",
    onInput: (event: { currentTarget: HTMLInputElement }) => onText(event.currentTarget.value),
  };
  if (field.type === "number")
    return <input {...common} type="number" min={field.min} max={field.max} step={field.step} />;
  return <input {...common} type="text" spellcheck={false} />;
}

/** `logBytes` as words: "log bytes". */
const spaced = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** The health of the server: all fields of its report, without a fixed list. */
function State({ health }: { health: DetailedHealth }) {
  return (
    <section class="card" aria-labelledby="health">
      <h2 id="health">The server</h2>
      <table class="pairs">
        <tbody>
          {Object.entries(health)
            .filter(([name]) => name !== "keys")
            .map(([name, value]) => (
              <tr>
                <th scope="row">{spaced(name)}</th>
                <td>
                  {typeof value === "object" && value !== null
                    ? Object.entries(value).map(([key, one]) => (
                        <span class="pair">
                          <span class="quiet">{spaced(key)}</span> {shown(one)}
                        </span>
                      ))
                    : shown(value)}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}
