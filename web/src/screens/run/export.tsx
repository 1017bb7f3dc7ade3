// Export of a run as a file: one HTML page, JSON with the journal, or a table of its steps.

import { useRef, useState } from "preact/hooks";
import { Refused, whoami } from "../../api/client";
import { asRefused } from "../../api/load";

const FORMATS = [
  ["html", "One HTML page"],
  ["json", "JSON, with the journal"],
  ["csv", "CSV of the steps"],
] as const;

export function Export({ id, name }: { id: string; name: string }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const [problem, setProblem] = useState("");
  const close = () => {
    menu.current?.removeAttribute("open");
    menu.current?.querySelector("summary")?.focus();
  };
  const save = async (format: string) => {
    close();
    setProblem("");
    try {
      await download(id, name, format);
    } catch (error) {
      setProblem(`The export failed: ${asRefused(error).message}`);
    }
  };
  return (
    <>
      <details class="menu" ref={menu} onKeyDown={(event) => event.key === "Escape" && close()}>
        <summary>Export</summary>
        <div>
          {FORMATS.map(([format, words]) => (
            <button type="button" onClick={() => void save(format)}>
              {words}
            </button>
          ))}
        </div>
      </details>
      {problem && (
        <span class="ill" role="alert">
          {problem}
        </span>
      )}
    </>
  );
}

async function download(id: string, name: string, format: string): Promise<void> {
  const { csrf } = await whoami();
  const response = await fetch(`/api/automation/sessions/${encodeURIComponent(id)}/export`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Legwork-CSRF": csrf },
    body: JSON.stringify({ format }),
  });
  if (!response.ok) throw new Refused(`HTTP ${response.status}`, response.status);
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60) || "run"}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
