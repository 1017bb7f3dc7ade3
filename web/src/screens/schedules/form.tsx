// The form of a schedule: times, time zone, workflow, webhook.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Refused } from "../../api/client";
import { change } from "../../api/client";
import type { SchedulePlan, ScheduleView } from "../../api/generated";
import { asRefused, useLoad } from "../../api/load";
import { Problem } from "../../ui/screen";
import { wanted } from "../start/marks";

interface FormProps {
  schedule?: ScheduleView;
  onClose(): void;
  onSaved(): void;
}

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const ZONES = Intl.supportedValuesOf?.("timeZone") ?? [];
const EXAMPLES = [
  ["0 8 * * *", "every day at 8:00"],
  ["0 8 * * 1-5", "on weekdays at 8:00"],
  ["0 * * * *", "every hour"],
  ["0 6 1 * *", "on the first of each month at 6:00"],
] as const;

export function ScheduleForm({ schedule, onClose, onSaved }: FormProps) {
  const templates = useLoad("/api/automation/templates");
  const [name, setName] = useState(schedule?.name ?? "");
  const [cron, setCron] = useState(schedule?.cron ?? "0 8 * * *");
  const [timezone, setZone] = useState(schedule?.timezone ?? ZONE ?? "UTC");
  const [template, setTemplate] = useState(schedule?.template ?? "");
  const [workflow, setWorkflow] = useState(schedule?.workflow ?? "");
  const [webhook, setWebhook] = useState(schedule?.webhook ?? "");
  const [values, setValues] = useState<Record<string, string>>(
    Object.fromEntries(Object.entries(schedule?.inputs ?? {}).map(([key, value]) => [key, String(value)])),
  );
  const [problem, setProblem] = useState<Refused>();
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);

  const chosen = templates.data?.find((one) => one.id === template);
  const asked = wanted(template ? (chosen?.text ?? "") : workflow, chosen).inputs;

  const save = async () => {
    setProblem(undefined);
    const body: SchedulePlan = {
      name: name.trim(),
      cron: cron.trim(),
      timezone,
      ...(template ? { template } : { workflow }),
      inputs: Object.fromEntries(asked.filter((key) => values[key]).map((key) => [key, values[key]!])),
      ...(webhook.trim() ? { webhook: webhook.trim() } : {}),
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
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
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
          <span>When (cron)</span>
          <input
            type="text"
            required
            value={cron}
            spellcheck={false}
            aria-describedby="cron-hint"
            onInput={(event) => setCron(event.currentTarget.value)}
          />
        </label>
        <label>
          <span>Time zone</span>
          <select value={timezone} onChange={(event) => setZone(event.currentTarget.value)}>
            {[...new Set([timezone, "UTC", ...ZONES])].map((zone) => (
              <option value={zone}>{zone}</option>
            ))}
          </select>
        </label>
        <label>
          <span>Template</span>
          <select value={template} onChange={(event) => setTemplate(event.currentTarget.value)}>
            <option value="">None: the steps below</option>
            {templates.data?.map((one) => (
              <option value={one.id}>{one.name}</option>
            ))}
          </select>
        </label>
      </div>
      <p class="hint" id="cron-hint">
        Minute, hour, day, month, weekday. For example{" "}
        {EXAMPLES.map(([expression, words], at) => (
          <>
            {at > 0 && ", "}
            <button type="button" class="link" onClick={() => setCron(expression)}>
              {words}
            </button>
          </>
        ))}
        .
      </p>
      {!template && (
        <div class="editor-part">
          <label for="schedule-steps">Steps</label>
          <textarea
            id="schedule-steps"
            rows={6}
            required
            value={workflow}
            spellcheck={false}
            onInput={(event) => setWorkflow(event.currentTarget.value)}
          />
        </div>
      )}
      <div class="fields">
        {asked.map((key) => (
          <label key={key}>
            <span>{key}</span>
            <input
              type="text"
              value={values[key] ?? ""}
              placeholder={String(chosen?.inputs?.find((input) => input.name === key)?.default ?? "")}
              onInput={(event) => setValues({ ...values, [key]: event.currentTarget.value })}
            />
          </label>
        ))}
        <label>
          <span>Webhook URL</span>
          <input
            type="url"
            value={webhook}
            placeholder="https://…"
            onInput={(event) => setWebhook(event.currentTarget.value)}
          />
        </label>
      </div>
      {problem && <Problem problem={problem} />}
      <div class="actions">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" class="primary">
          Save
        </button>
      </div>
    </form>
  );
}
