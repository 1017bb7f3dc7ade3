// The common parts of every screen: its heading, the title of the tab, and the text for an empty screen.

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { Refused } from "../api/client";
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

export function Problem({ problem, again }: { problem: Refused; again?: () => void }) {
  const toTry = advice({ code: problem.code, suggestedAction: problem.suggestion });
  return (
    <div class="trouble" role="alert">
      <p>
        <strong>{sentence(plain(problem.message))}</strong>
      </p>
      {problem.details.map((line) => (
        <p class="detail">{plain(line)}</p>
      ))}
      {toTry && <p>{toTry}</p>}
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
