// The versions of a saved workflow. An old version is restored by saving its content as the newest one.

import { useState } from "preact/hooks";
import { change } from "../../api/client";
import type { SavedWorkflow } from "../../api/generated";
import { asRefused, useLoad } from "../../api/load";
import { useMay } from "../../api/scopes";
import { announce } from "../../ui/announce";
import { When } from "../../ui/time";
import { ofWorkflow, saveBody } from "../start/draft";

export function Versions({ saved, onRestored }: { saved: SavedWorkflow; onRestored(): void }) {
  const [open, setOpen] = useState(false);
  if (saved.version === 1) return null;
  return (
    <details class="long" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Versions ({saved.version})</summary>
      {open && <VersionList key={saved.version} saved={saved} onRestored={onRestored} />}
    </details>
  );
}

function VersionList({ saved, onRestored }: { saved: SavedWorkflow; onRestored(): void }) {
  const versions = useLoad("/api/workflows/{id}/versions", { id: saved.id });
  const may = useMay();
  const [problem, setProblem] = useState<string>();
  const restore = async (old: SavedWorkflow) => {
    setProblem(undefined);
    try {
      const draft = saveBody(ofWorkflow(old), old.name, old.description);
      await change("PUT", `/api/workflows/${encodeURIComponent(saved.id)}`, { version: saved.version, draft });
      announce(`Version ${old.version} restored`);
      onRestored();
    } catch (error) {
      setProblem(asRefused(error).message);
    }
  };
  return (
    <>
      {problem && (
        <p class="ill" role="alert">
          {problem}
        </p>
      )}
      <ul class="versions">
        {versions.data?.map((one) => (
          <li key={one.version}>
            <details>
              <summary>
                Version {one.version} <span class="quiet">{one.name}, </span>
                <span class="quiet">
                  <When time={one.saved} />
                  {one.savedBy && ` by ${one.savedBy}`}
                </span>
              </summary>
              <pre class="text code-text" tabIndex={0} role="region" aria-label={`The text of version ${one.version}`}>
                {one.text.trimEnd()}
              </pre>
            </details>
            {one.version === saved.version ? (
              <span class="tag">newest</span>
            ) : (
              may("run") && (
                <button type="button" onClick={() => void restore(one)}>
                  Restore<span class="unseen"> version {one.version}</span>
                </button>
              )
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
