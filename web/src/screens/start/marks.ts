// Maps the result of the server's check to the lines of the text. Pure.

import type { TemplateView, ValidationReply, WorkflowProblem } from "../../api/generated";

export interface Mark {
  kind: "literal" | "model" | "wrong" | "doubt";
  words: string;
}

/** The result for each line (from 0). The server returns steps without line numbers, so each is searched in order. */
export function marks(text: string, verdict: ValidationReply | undefined): Map<number, Mark> {
  const found = new Map<number, Mark>();
  if (!verdict) return found;
  const lines = text.split("\n");
  let from = 0;
  for (const step of verdict.steps) {
    const wanted = squeeze(step.text);
    const at = lines.findIndex((line, index) => index >= from && wanted !== "" && squeeze(line).includes(wanted));
    if (at < 0) continue;
    from = at + 1;
    const words =
      step.decider === "literal" ? `needs no model${step.action ? `: ${step.action}` : ""}` : "needs a model";
    found.set(at, { kind: step.decider === "literal" ? "literal" : "model", words });
  }
  for (const problem of verdict.problems) {
    if (problem.line)
      found.set(problem.line - 1, { kind: isError(problem) ? "wrong" : "doubt", words: problem.message });
  }
  return found;
}

/** The result of the check in a sentence. */
export function summary(verdict: ValidationReply): string {
  const model = verdict.steps.filter((step) => step.decider === "model").length;
  const count = verdict.steps.length;
  const errors = verdict.problems.filter(isError).length;
  if (errors) return `${plural(errors, "problem")} to fix`;
  if (!count) return "No steps yet";
  const who =
    model === 0
      ? "no model needed"
      : `${model === count ? (count === 1 ? "it needs" : "all need") : `${model} ${model === 1 ? "needs" : "need"}`} a model`;
  return `${plural(count, "step")}, ${who}`;
}

/** The inputs of a text: those that it names as `${name}`, and those of its template; secrets separately. */
export function wanted(text: string, template?: TemplateView): { inputs: string[]; secrets: string[] } {
  const inputs = new Set<string>();
  const secrets = new Set<string>();
  for (const input of template?.inputs ?? []) (input.secret ? secrets : inputs).add(input.name);
  const saved = new Set([...text.matchAll(/\bas\s+([a-zA-Z_]\w*)\s*$/gm)].map((match) => match[1]!));
  for (const [, secret, name] of text.matchAll(/\$\{(?:secret:([\w.-]+)|([a-zA-Z_]\w*))\}/g)) {
    if (secret) secrets.add(secret);
    else if (name && !saved.has(name)) inputs.add(name);
  }
  return { inputs: [...inputs], secrets: [...secrets] };
}

/** Whether a problem prevents the start, unlike a warning. */
export const isError = (problem: WorkflowProblem): boolean => problem.severity !== "warning";

export const problemWords = ({ line, message, suggestion }: WorkflowProblem): string =>
  `${line ? `Line ${line}: ` : ""}${message}${suggestion ? ` ${suggestion}` : ""}`;

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
const squeeze = (text: string) => text.replace(/\s+/g, " ").trim();
