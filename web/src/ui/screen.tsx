// The common parts of every screen: its heading, the title of the tab, and the text for an empty screen.

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { Refused } from "../api/client";
import type { WorkflowProblem } from "../api/generated";
import { advice, plain } from "./advice";

export function Screen({
  title,
  tab,
  actions,
  children,
}: {
  title: string;
  tab?: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${tab ?? title} · Legwork`;
  }, [tab, title]);
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>{title}</h1>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </>
  );
}

interface ProblemProps {
  problem: Refused;
  again?: () => void;
  /** The problems that are listed on the screen already, and are not shown again. */
  listed?: WorkflowProblem[];
}

export function Problem({ problem, again, listed = [] }: ProblemProps) {
  const details = problem.details.filter((line) => !listed.some(({ message }) => line.includes(message)));
  const known = details.length === 0 && problem.details.length > 0;
  const toTry = advice({ code: problem.code, suggestedAction: problem.suggestion });
  return (
    <div class="trouble" role="alert">
      <p>
        <strong>
          {known ? "It was not started: correct what is listed under the steps." : sentence(plain(problem.message))}
        </strong>
      </p>
      {details.map((line) => (
        <p class="detail">{sentence(plain(line))}</p>
      ))}
      {toTry && !known && <p>{toTry}</p>}
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="empty">{children}</div>;
}

export function Loading() {
  return (
    <p class="quiet" role="status">
      Loading …
    </p>
  );
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
