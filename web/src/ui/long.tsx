// Long texts that are loaded only when the user opens them.

import { useEffect, useState } from "preact/hooks";
import { artifact } from "../api/client";
import { asRefused } from "../api/load";

/** The text of an artifact. It is loaded when `hash` is set and kept while it is shown. */
export function useArtifact(hash: string | undefined): { text?: string; problem?: string } {
  const [state, set] = useState<{ hash?: string; text?: string; problem?: string }>({});
  useEffect(() => {
    if (!hash) return;
    const stop = new AbortController();
    artifact(hash, stop.signal).then(
      (text) => stop.signal.aborted || set({ hash, text }),
      (problem: unknown) => stop.signal.aborted || set({ hash, problem: asRefused(problem).message }),
    );
    return () => stop.abort();
  }, [hash]);
  return state.hash === hash ? state : {};
}

/** A text that is hidden behind a line until the user opens it. */
export function Long({ label, hash }: { label: string; hash: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="long" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {open && <ArtifactText hash={hash} label={label} />}
    </details>
  );
}

export function ArtifactText({
  hash,
  label,
  read = (text: string) => text,
}: {
  hash: string;
  label: string;
  read?: (text: string) => string;
}) {
  const { text, problem } = useArtifact(hash);
  if (problem) return <p class="quiet">{problem}</p>;
  if (text === undefined) return <p class="quiet">Loading …</p>;
  return <Text text={read(text)} label={label} />;
}

/** Preformatted text in a box that scrolls. The box is focusable, so that it can be scrolled with keys. */
export function Text({ text, label }: { text: string; label: string }) {
  return (
    <pre class="text" tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  );
}
