// The inputs of a workflow as a form: one field for each, by its type, with its description and default.

import type { WorkflowInput } from "../api/generated";

/** What was typed, by the name of the input. An input that is not in it has its default. */
export type Values = Record<string, string>;

/** The value of an input as the text of its field. */
export function textOf(value: unknown): string {
  if (value == null) return "";
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return value.join("\n");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The inputs of a request: those that differ from their defaults, in the types of the workflow. */
export function inputsBody(inputs: WorkflowInput[], values: Values): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { name, kind, secret, ...input } of inputs) {
    const text = values[name];
    if (secret || text === undefined || text === textOf(input.default)) continue;
    if (text === "" && input.default == null) continue;
    body[name] = typed(kind, text);
  }
  return body;
}

function typed(kind: WorkflowInput["kind"], text: string): unknown {
  switch (kind) {
    case "number":
      return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
    case "flag":
      return text === "true";
    case "list":
      return text
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean);
    case "json":
      try {
        return JSON.parse(text);
      } catch {
        return text;
      }
    default:
      return text;
  }
}

/** An input that a text only names, as `${name}`. */
export const plainInput = (name: string): WorkflowInput => ({
  name,
  kind: "text",
  description: null,
  default: null,
  required: true,
  secret: false,
});

interface InputFieldsProps {
  inputs: WorkflowInput[];
  values: Values;
  onValues(values: Values): void;
}

export function InputFields({ inputs, values, onValues }: InputFieldsProps) {
  const asked = inputs.filter((input) => !input.secret);
  if (asked.length === 0) return null;
  return (
    <fieldset class="inputs">
      <legend>Inputs</legend>
      <div class="fields">
        {asked.map((input) => (
          <Field
            key={input.name}
            input={input}
            text={values[input.name] ?? textOf(input.default)}
            onText={(text) => onValues({ ...values, [input.name]: text })}
          />
        ))}
      </div>
    </fieldset>
  );
}

function Field({ input, text, onText }: { input: WorkflowInput; text: string; onText(text: string): void }) {
  const { name, kind, description, required } = input;
  const label = description || name;
  if (kind === "flag")
    return (
      <label class="check">
        <input
          type="checkbox"
          checked={text === "true"}
          onChange={(event) => onText(String(event.currentTarget.checked))}
        />
        {label}
      </label>
    );
  return (
    <label>
      <span>
        {label}
        {required && <em> required</em>}
      </span>
      {kind === "list" || kind === "json" ? (
        <>
          <textarea rows={3} value={text} spellcheck={false} onInput={(event) => onText(event.currentTarget.value)} />
          <small class="hint">{kind === "list" ? "One value a line" : "As JSON"}</small>
        </>
      ) : (
        <input
          type="text"
          inputMode={kind === "number" ? "decimal" : undefined}
          pattern={kind === "number" ? "-?[0-9]*[.]?[0-9]+" : undefined}
          title={kind === "number" ? "A number, such as 3 or 1.5" : undefined}
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
    </label>
  );
}
