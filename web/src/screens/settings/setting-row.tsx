// One setting: its name and description, the field of its kind, where its value comes from, and what saving it did.

import { useState } from "preact/hooks";
import { change } from "../../api/client";
import type { SettingsView } from "../../api/generated";
import { asRefused } from "../../api/load";
import { plain } from "../../ui/advice";
import { Inline } from "../../ui/prose";
import {
  effectOf,
  fieldOf,
  joined,
  linesOf,
  measured,
  type SettingFieldKind,
  UNIT_WORDS,
  USER_FILE,
} from "./setting-field";

interface SettingRowProps {
  setting: SettingsView;
  fixed: boolean;
  onSaved(): void;
}

export function SettingRow({ setting, fixed, onSaved }: SettingRowProps) {
  const [value, setValue] = useState<string>();
  const [effect, setEffect] = useState("");
  const [problem, setProblem] = useState<string>();
  const id = `setting-${setting.name}`;
  const pending = setting.pending != null;
  const now = setting.pending ?? setting.value;
  const save = async (to: string | null) => {
    setProblem(undefined);
    setEffect("");
    try {
      const path = `/api/settings/${encodeURIComponent(setting.name)}`;
      const reply = await change<SettingsView>("PUT", path, { value: to });
      setValue(undefined);
      setEffect(effectOf(reply, to === null));
      onSaved();
    } catch (error) {
      setProblem([asRefused(error).message, ...asRefused(error).details].map(plain).join(" "));
    }
  };
  const changed = value !== undefined && value !== now;
  return (
    <form
      class="setting"
      onSubmit={(event) => {
        event.preventDefault();
        if (changed) void save(value);
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
        <SettingField
          id={id}
          setting={setting}
          fixed={fixed}
          text={value ?? now}
          onText={setValue}
          onSwitch={(text) => void save(text)}
        />
        {(pending || effect) && (
          <p class="saved" role="status">
            <span aria-hidden="true">✓</span> {pending ? "Saved. Takes effect when the server restarts." : effect}
          </p>
        )}
        <small class="quiet">
          {pending ? `until then: ${setting.value || "not set"} (${setting.origin})` : setting.origin}
          {setting.origin !== "default" && setting.default && `, default: ${setting.default}`}
          {setting.restart && !pending && ", a change needs a restart of the server"}
        </small>
        {problem && (
          <p class="ill" role="alert">
            {problem}
          </p>
        )}
      </div>
      <div class="actions">
        {changed && (
          <button type="submit">
            Save<span class="unseen"> {setting.name}</span>
          </button>
        )}
        {!fixed && (USER_FILE.test(setting.origin) || pending) && value === undefined && now !== setting.default && (
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
  /** A switch takes effect at once. */
  onSwitch(text: string): void;
}

/** The field of a setting, by its kind. */
function SettingField({ id, setting, fixed, text, onText, onSwitch }: SettingFieldProps) {
  const field = fieldOf(setting.kind);
  const placeholder = setting.default || "not set";
  const common = { id, readOnly: fixed, placeholder };
  switch (field.type) {
    case "switch":
      return (
        <input
          id={id}
          type="checkbox"
          role="switch"
          disabled={fixed}
          checked={text === "true"}
          onChange={(event) => onSwitch(String(event.currentTarget.checked))}
        />
      );
    case "choice":
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
    case "number":
      return (
        <span class="measure">
          <input
            {...common}
            type="number"
            min={field.min}
            max={field.max}
            step={field.step}
            value={text}
            onInput={(event) => onText(event.currentTarget.value)}
          />
          {field.unit && <span class="quiet">{field.unit}</span>}
        </span>
      );
    case "measure":
      return <Measure {...common} name={setting.name} fixed={fixed} text={text} units={field.units} onText={onText} />;
    case "list":
      return <List {...common} fixed={fixed} text={text} field={field} onText={onText} />;
    default:
      return (
        <input
          {...common}
          type="text"
          spellcheck={false}
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      );
  }
}

interface PartProps {
  id: string;
  fixed: boolean;
  placeholder: string;
  text: string;
  onText(text: string): void;
}

/** A number and its unit. The unit that a person chose stays while the number is changed. */
function Measure({
  id,
  name,
  fixed,
  placeholder,
  text,
  units,
  onText,
}: PartProps & { name: string; units: [string, number][] }) {
  const [chosen, choose] = useState<string>();
  const [typed, setTyped] = useState<string>();
  const value = measured(text, units);
  const initial = measured(placeholder, units);
  const unit = chosen ?? (value?.number ? value.unit : (initial?.unit ?? units[1]![0]));
  const own = typed !== undefined && joinMeasure(typed, unit) === text;
  // What is no number with a unit, such as a wrong entry, stays a text.
  const shown = own ? typed : (value?.unit === unit && value.number) || inUnit(value, unit, units);
  const put = (number: string, of: string) => {
    setTyped(number);
    choose(of);
    onText(joinMeasure(number, of));
  };
  return (
    <span class="measure">
      <input
        id={id}
        type="text"
        inputMode="decimal"
        readOnly={fixed}
        placeholder={initial ? `${initial.number} ${UNIT_WORDS[initial.unit] ?? initial.unit}` : placeholder}
        value={shown}
        onInput={(event) => put(event.currentTarget.value, unit)}
      />
      <select
        aria-label={`Unit of ${name}`}
        disabled={fixed}
        value={unit}
        onChange={(event) => put(shown, event.currentTarget.value)}
      >
        {units.map(([one]) => (
          <option key={one} value={one}>
            {UNIT_WORDS[one] ?? one}
          </option>
        ))}
      </select>
    </span>
  );
}

const joinMeasure = (number: string, unit: string) => (number.trim() ? `${number.trim()}${unit}` : "");

/** A value in the unit that a person chose. */
function inUnit(value: { number: string; unit: string } | undefined, unit: string, units: [string, number][]): string {
  if (!value?.number) return "";
  const size = (name: string) => units.find(([one]) => one === name)?.[1] ?? 1;
  return String((Number(value.number) * size(value.unit)) / size(unit));
}

/** A list, one value a line. */
function List({
  id,
  fixed,
  placeholder,
  text,
  field,
  onText,
}: PartProps & { field: SettingFieldKind & { type: "list" } }) {
  const [typed, setTyped] = useState<string>();
  const { separator, choices } = field;
  const own = typed !== undefined && joined(typed, separator) === text;
  const shown = own ? typed : text.includes("\n") ? text : linesOf(text, separator);
  const hint = `${id}-hint`;
  return (
    <>
      <textarea
        id={id}
        rows={Math.min(6, Math.max(2, shown.split("\n").length + (fixed ? 0 : 1)))}
        spellcheck={false}
        readOnly={fixed}
        aria-describedby={hint}
        placeholder={linesOf(placeholder, separator)}
        value={shown}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          onText(joined(event.currentTarget.value, separator));
        }}
      />
      <small class="quiet" id={hint}>
        One a line{choices && `: ${choices.join(", ")}`}
      </small>
    </>
  );
}
