// The settings with their origins, and which keys are set. The keys themselves are never shown.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { DetailedHealth } from "../../api/generated";
import { useLoad } from "../../api/load";
import { Denied, useMay } from "../../api/scopes";
import { Loading, Problem, Screen } from "../../ui/screen";
import { ModelKeyForm } from "../model-key";
import { Secrets } from "../secrets";
import { type SettingSection, sectionsOf } from "./setting-field";
import { SettingRow } from "./setting-row";

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
  const sections = sectionsOf(found);
  const isSearch = wanted !== "" || changed;
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
      {sections.length > 1 && <Index sections={sections} />}
      {sections.map((section) => (
        <Section key={section.id} section={section} isOpen={isSearch}>
          {section.settings.map((one) => (
            <SettingRow key={one.name} setting={one} fixed={!admin} onSaved={settings.reload} />
          ))}
        </Section>
      ))}
      {health.data && <State health={health.data} />}
    </Screen>
  );
}

/** Jumps to a section, and opens it. */
function Index({ sections }: { sections: SettingSection[] }) {
  return (
    <nav class="index" aria-label="Sections of the settings">
      <ul>
        {sections.map(({ id, heading, settings }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              onClick={(event) => {
                event.preventDefault();
                show(id);
              }}
            >
              {heading} <small class="quiet">{settings.length}</small>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function show(id: string): void {
  const section = document.getElementById(id);
  if (!(section instanceof HTMLDetailsElement)) return;
  section.open = true;
  section.scrollIntoView({ block: "start" });
  section.querySelector("summary")?.focus();
}

interface SectionProps {
  section: SettingSection;
  /** Whether it is open, which a search opens. Otherwise it is as the person left it. */
  isOpen: boolean;
  children: ComponentChildren;
}

function Section({ section: { id, heading, settings }, isOpen, children }: SectionProps) {
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (box.current) box.current.open = isOpen;
  }, [isOpen]);
  return (
    <details class="card section" id={id} ref={box}>
      <summary>
        <h2>{heading}</h2>{" "}
        <small class="quiet">{settings.length === 1 ? "1 setting" : `${settings.length} settings`}</small>
      </summary>
      <div class="settings">{children}</div>
    </details>
  );
}

const shown = (value: unknown): string => {
  if (value == null) return "";
  if (Array.isArray(value)) return value.map(shown).join(", ") || "none";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

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
