// What a person composes: steps or a task with their address, inputs and options; how it is loaded from a template, a
// saved workflow or a run, and the requests that run or save it. Pure.

import type {
  Execute,
  RunRequest,
  SavedWorkflow,
  TemplateView,
  ValidationReply,
  WorkflowDraft,
  WorkflowInput,
} from "../../api/generated";
import { inputsBody, plainInput, textOf, type Values } from "../../ui/inputs";
import { wanted } from "./marks";
import { NO_OPTIONS, type Options, optionsBody, optionsOf } from "./options";

export interface Draft {
  mode: "steps" | "task";
  text: string;
  task: string;
  url: string;
  /** The template that it was made from: its address, secrets and uploads apply. */
  basedOn?: string;
  /** The saved workflow that it was made from, and its version. */
  workflow?: { id: string; version?: number; name?: string };
  values: Values;
  options: Options;
}

export const EMPTY: Draft = { mode: "steps", text: "", task: "", url: "", values: {}, options: NO_OPTIONS };

export const ofTemplate = (template: TemplateView): Draft => ({
  ...EMPTY,
  text: template.text.trimEnd(),
  basedOn: template.id,
});

export const ofWorkflow = (saved: SavedWorkflow): Draft => ({
  ...EMPTY,
  ...(saved.task ? { mode: "task", task: saved.text } : { text: saved.text.trimEnd() }),
  url: saved.url ?? "",
  basedOn: saved.basedOn ?? undefined,
  workflow: { id: saved.id, version: saved.version, name: saved.name },
});

export function ofRequest({ request, text }: RunRequest): Draft {
  const { inputs = {}, workflowId, workflowVersion, name } = request;
  return {
    ...EMPTY,
    ...(request.task ? { mode: "task", task: text } : { text: text.trimEnd() }),
    url: request.url ?? "",
    basedOn: request.basedOn ?? request.template ?? undefined,
    workflow: workflowId
      ? { id: workflowId, version: workflowVersion ?? undefined, name: name ?? undefined }
      : undefined,
    values: Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, textOf(value)])),
    options: optionsOf(request.options ?? {}),
  };
}

/** What it says: the steps, or the goal. */
export const content = (draft: Draft): string => (draft.mode === "task" ? draft.task : draft.text).trim();

/** Its inputs: those that the workflow declares, and those that its text only names. */
export function fields(draft: Draft, declared: WorkflowInput[]): WorkflowInput[] {
  const known = new Set(declared.map((input) => input.name));
  const named = wanted(content(draft)).filter((name) => !known.has(name));
  return [...declared, ...named.map(plainInput)];
}

/** The request for a run; nothing if there is nothing to run. */
export function requestOf(
  draft: Draft,
  inputs: WorkflowInput[],
  secrets: ValidationReply["secrets"] = [],
): Execute | undefined {
  if (!content(draft)) return undefined;
  const { workflow, basedOn } = draft;
  return {
    ...(draft.mode === "task" ? { task: draft.task.trim() } : { text: draft.text }),
    ...(draft.url.trim() ? { url: draft.url.trim() } : {}),
    ...(basedOn ? { basedOn } : {}),
    ...(workflow ? { workflowId: workflow.id, workflowVersion: workflow.version } : {}),
    ...name(draft),
    inputs: inputsBody(inputs, draft.values),
    ...(secrets.length ? { secrets } : {}),
    options: optionsBody(draft.options),
  };
}

/** The name of the run: that of the saved workflow, or the first line of steps that have no name of their own. */
function name({ mode, text, workflow }: Draft): { name?: string } {
  if (workflow?.name) return { name: workflow.name };
  const first = text
    .split("\n")
    .map((line) => line.replace(/^\s*(?:[-*•]\s+|\d+[.)]\s+)?/, "").trim())
    .find(Boolean);
  const named = !first || mode === "task" || /^[#{]/.test(first) || /^\s*(?:name|steps):/m.test(text);
  return named ? {} : { name: first };
}

/** The body that saves it. An empty name means the name in the text. */
export const saveBody = (draft: Draft, name: string, description: string): WorkflowDraft => ({
  ...(name.trim() ? { name: name.trim() } : {}),
  description: description.trim(),
  text: draft.mode === "task" ? draft.task.trim() : draft.text,
  task: draft.mode === "task",
  ...(draft.url.trim() ? { url: draft.url.trim() } : {}),
  ...(draft.basedOn ? { basedOn: draft.basedOn } : {}),
});
