// The options of a run besides its steps: the decider, limits, allowed sites. An empty option means the value from the
// settings.

export interface Options {
  model: string;
  decider: string;
  maxActions: string;
  maxTokens: string;
  maxCost: string;
  timeout: string;
  allowedDomains: string;
}

export const NO_OPTIONS: Options = {
  model: "",
  decider: "",
  maxActions: "",
  maxTokens: "",
  maxCost: "",
  timeout: "",
  allowedDomains: "",
};

/** The options in the form of the API: numbers as numbers, lists as lists, and no field for an empty option. */
export function optionsBody(options: Options): Record<string, unknown> | undefined {
  const body: Record<string, unknown> = {};
  for (const key of ["model", "decider", "timeout"] as const) if (options[key]) body[key] = options[key].trim();
  for (const key of ["maxActions", "maxTokens", "maxCost"] as const) if (options[key]) body[key] = Number(options[key]);
  const domains = options.allowedDomains.split(/[\s,]+/).filter(Boolean);
  if (domains.length) body["allowedDomains"] = domains;
  return Object.keys(body).length ? body : undefined;
}

/** The options of a request as texts. */
export function optionsOf(options: object): Options {
  const body = options as Record<string, unknown>;
  const text = (key: string) => (body[key] == null ? "" : String(body[key]));
  const domains = body["allowedDomains"];
  return {
    model: text("model"),
    decider: text("decider"),
    maxActions: text("maxActions"),
    maxTokens: text("maxTokens"),
    maxCost: text("maxCost"),
    timeout: text("timeout"),
    allowedDomains: Array.isArray(domains) ? domains.join(", ") : "",
  };
}

const FIELDS: { key: keyof Options; label: string; hint: string; number?: boolean }[] = [
  { key: "model", label: "Model", hint: "provider/name" },
  { key: "maxActions", label: "Maximum actions", hint: "", number: true },
  { key: "maxTokens", label: "Maximum tokens", hint: "", number: true },
  { key: "maxCost", label: "Maximum cost (US dollars)", hint: "0.50", number: true },
  { key: "timeout", label: "Time limit", hint: "90s, 5m, 1h" },
  { key: "allowedDomains", label: "Allowed sites", hint: "example.org, *.example.com" },
];

export function OptionFields({ options, onChange }: { options: Options; onChange(options: Options): void }) {
  return (
    <details class="options">
      <summary>Options</summary>
      <div class="fields">
        <label>
          <span>Decisions</span>
          <select
            value={options.decider}
            onChange={(event) => onChange({ ...options, decider: event.currentTarget.value })}
          >
            <option value="">As in the settings</option>
            <option value="auto">Words of the step, otherwise the model</option>
            <option value="literal">Words of the step only</option>
            <option value="model">Model for every step</option>
          </select>
        </label>
        {FIELDS.map(({ key, label, hint, number }) => (
          <label key={key}>
            <span>{label}</span>
            <input
              type="text"
              inputMode={number ? "decimal" : undefined}
              pattern={number ? "[0-9]*[.]?[0-9]*" : undefined}
              value={options[key]}
              placeholder={hint}
              onInput={(event) => onChange({ ...options, [key]: event.currentTarget.value })}
            />
          </label>
        ))}
      </div>
    </details>
  );
}
