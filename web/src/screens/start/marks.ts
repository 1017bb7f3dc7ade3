// Maps the result of the server's check to the lines of the text. Pure.

import type { ValidationReply, WorkflowProblem } from "../../api/generated";

import { FORMS } from "../../protocol/forms";
import { plain } from "../../ui/advice";

export interface Mark {
  kind: "literal" | "model" | "wrong" | "doubt";
  words: string;
  /** The nearest sentence that needs no model. */
  suggestion?: string;
  /** The words that it would replace. */
  text?: string;
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
    const suggestion = step.suggestion && isNear(step.suggestion) ? step.suggestion : undefined;
    const kind = step.decider === "literal" ? "literal" : "model";
    found.set(at, { kind, words, ...(suggestion && { suggestion, text: step.text }) });
  }
  for (const problem of verdict.problems) {
    if (problem.line)
      found.set(problem.line - 1, { kind: isError(problem) ? "wrong" : "doubt", words: problem.message });
  }
  return found;
}

/** Whether a suggestion is near to the words. Without a verb that it knows, the server lists the most common forms. */
const isNear = (suggestion: string) => FORMS.filter((form) => suggestion.includes(form.example)).length < 2;

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

/** The values that a text names as `${name}` and does not set itself, by saving them or in a loop. */
export function wanted(text: string): string[] {
  const set = new Set([...text.matchAll(/\bas\s+([a-zA-Z_]\w*)\s*["']?\s*$/gm)].map((match) => match[1]!));
  for (const [, name] of text.matchAll(/\bfor_each:\s*["']?([a-zA-Z_]\w*)\s+in\b/g)) set.add(name!);
  const named = [...text.matchAll(/\$\{([a-zA-Z_]\w*)\}/g)].map((match) => match[1]!);
  return [...new Set(named)].filter((name) => !set.has(name));
}

/** Whether a problem prevents the start, unlike a warning. */
export const isError = (problem: WorkflowProblem): boolean => problem.severity !== "warning";

export const problemWords = ({ line, message, suggestion }: WorkflowProblem): string =>
  [line ? `Line ${line}: ${plain(message)}` : sentence(plain(message)), suggestion ? sentence(plain(suggestion)) : ""]
    .filter(Boolean)
    .join(". ")
    .replace(/([.!?])\. /g, "$1 ");

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
const squeeze = (text: string) => text.replace(/\s+/g, " ").trim();
