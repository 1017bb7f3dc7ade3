// The form of a schedule: what runs, when, with which inputs, and who receives alerts.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Refused } from "../../api/client";
import { change } from "../../api/client";
import type { SchedulePlan, ScheduleView } from "../../api/generated";
import { asRefused, useLoad } from "../../api/load";
import { InputFields, inputsBody, textOf, type Values } from "../../ui/inputs";
import { Problem } from "../../ui/screen";
import { useComposition } from "../start/composer";
import { type Draft, EMPTY } from "../start/draft";
import { Editor } from "../start/editor";
import { SecretsNote } from "../start/secrets-note";
import { AlertFields, alertsBody, alertsOf, EMPTY_ALERTS } from "./alert-fields";
import { NextRuns, usePreview } from "./preview";
import { rhythmOf, words } from "./rhythm";
import { WhenFields } from "./when";

interface FormProps {
  schedule?: ScheduleView;
  /** The saved workflow that a new schedule begins with. */
  workflow?: string;
  onClose(): void;
  onSaved(): void;
}

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const ZONES = Intl.supportedValuesOf?.("timeZone") ?? [];

/** What a schedule runs: `workflow:ID`, `template:ID`, or the steps in the form. */
type Source = `workflow:${string}` | `template:${string}` | "steps";

function sourceOf(plan: SchedulePlan | undefined, workflow: string | undefined): Source | undefined {
  if (plan?.workflowId) return `workflow:${plan.workflowId}`;
  if (plan?.template) return `template:${plan.template}`;
  if (plan) return "steps";
  return workflow ? `workflow:${workflow}` : undefined;
}

export function ScheduleForm({ schedule, workflow, onClose, onSaved }: FormProps) {
  const templates = useLoad("/api/automation/templates").data ?? [];
  const saved = useLoad("/api/workflows").data ?? [];
  const [name, setName] = useState(schedule?.name ?? "");
  const [cron, setCron] = useState(schedule?.cron ?? "0 8 * * 1-5");
  const [raw, setRaw] = useState(!!schedule && !rhythmOf(schedule.cron));
  const [timezone, setZone] = useState(schedule?.timezone ?? ZONE ?? "UTC");
  const [picked, setSource] = useState(sourceOf(schedule, workflow));
  const [steps, setSteps] = useState<Draft>({ ...EMPTY, text: schedule?.workflow ?? "" });
  const [alerts, setAlerts] = useState(schedule ? alertsOf(schedule) : EMPTY_ALERTS);
  const [values, setValues] = useState<Values>(
    Object.fromEntries(Object.entries(schedule?.inputs ?? {}).map(([key, value]) => [key, textOf(value)])),
  );
  const [problem, setProblem] = useState<Refused>();
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);

  const preview = usePreview(cron, timezone);
  const wrongTimes = preview?.problems.map((one) => one.message) ?? [];

  const source: Source = picked ?? (saved[0] ? `workflow:${saved[0].id}` : "steps");
  const composition = useComposition(source === "steps" ? steps : EMPTY);
  const id = source.slice(source.indexOf(":") + 1);
  const content = source.startsWith("workflow:")
    ? saved.find((one) => one.id === id)
    : source.startsWith("template:")
      ? templates.find((one) => one.id === id)
      : composition;
  const inputs = content?.inputs ?? [];
  const secrets = (content && "secrets" in content ? content.secrets : undefined) ?? [];

  const save = async () => {
    setProblem(undefined);
    const body: SchedulePlan = {
      name: name.trim(),
      cron: cron.trim(),
      timezone,
      ...(source === "steps"
        ? // The address, secrets and uploads of the template still apply to a text that was made from it.
          { workflow: steps.text, ...(schedule?.basedOn ? { basedOn: schedule.basedOn } : {}) }
        : source.startsWith("template:")
          ? { template: id }
          : { workflowId: id }),
      inputs: inputsBody(inputs, values),
      ...(secrets.length ? { secrets } : {}),
      ...alertsBody(alerts),
      enabled: schedule?.enabled ?? true,
    };
    try {
      await change(
        schedule ? "PUT" : "POST",
        schedule ? `/api/schedules/${encodeURIComponent(schedule.id)}` : "/api/schedules",
        body,
      );
      onSaved();
    } catch (error) {
      setProblem(asRefused(error));
    }
  };

  return (
    <form
      class="card"
      aria-label={schedule ? `Edit ${schedule.name}` : "New schedule"}
      // What the server refused may be corrected by any change.
      onInput={() => setProblem(undefined)}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h2>{schedule ? `Edit ${schedule.name}` : "New schedule"}</h2>
      <div class="fields">
        <label>
          <span>Name</span>
          <input
            ref={first}
            type="text"
            required
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <label>
          <span>Workflow</span>
          <select
            value={source}
            onChange={(event) => {
              setSource(event.currentTarget.value as Source);
              setValues({});
            }}
          >
            {saved.length > 0 && (
              <optgroup label="Saved workflows">
                {saved.map((one) => (
                  <option value={`workflow:${one.id}`}>{one.name}</option>
                ))}
              </optgroup>
            )}
            {templates.length > 0 && (
              <optgroup label="Templates">
                {templates.map((one) => (
                  <option value={`template:${one.id}`}>{one.name}</option>
                ))}
              </optgroup>
            )}
            <option value="steps">Steps written here</option>
          </select>
        </label>
      </div>
      {source === "steps" && (
        <Editor text={steps.text} check={composition.check} onText={(text) => setSteps({ ...steps, text })} />
      )}
      <div class="fields">
        <WhenFields cron={cron} onCron={setCron} raw={raw} onRaw={setRaw} problems={wrongTimes} />
        <label>
          <span>Time zone</span>
          <select value={timezone} onChange={(event) => setZone(event.currentTarget.value)}>
            {[...new Set([timezone, "UTC", ...ZONES])].map((zone) => (
              <option value={zone}>{zone}</option>
            ))}
          </select>
        </label>
      </div>
      <p class="summary" role="status">
        {wrongTimes.length > 0 ? (
          "There is no next run."
        ) : (
          <>
            {words(cron)}, {timezone} <code>{cron.trim()}</code>
          </>
        )}
      </p>
      {preview && <NextRuns preview={preview} timezone={timezone} />}
      <InputFields inputs={inputs} values={values} onValues={setValues} />
      <SecretsNote names={secrets} />
      <AlertFields alerts={alerts} onAlerts={setAlerts} name={name} schedule={schedule?.id} />
      {problem && <Problem problem={problem} />}
      <div class="actions">
        <button type="submit" class="primary">
          Save
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}
