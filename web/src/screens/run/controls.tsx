// The controls of a run: pause, resume, stop; afterwards resume, export, delete. A control that does not apply is not
// shown.

import { useEffect, useState } from "preact/hooks";
import { change } from "../../api/client";
import { asRefused } from "../../api/load";
import type { Run } from "../../api/run";
import { Denied, useMay } from "../../api/scopes";
import { go } from "../../router";
import { plain } from "../../ui/advice";
import { announce } from "../../ui/announce";
import { Ask } from "../../ui/ask";
import { Export } from "./export";
import { Repeat } from "./repeat";

const path = (id: string) => `/api/automation/sessions/${encodeURIComponent(id)}`;

export function Controls({ id, run }: { id: string; run: Run }) {
  const [busy, setBusy] = useState<string>();
  const [sure, setSure] = useState<"stop" | "delete">();
  const [problem, setProblem] = useState<string>();
  // A run pauses after the action in progress, which may be a long wait.
  const [pausing, setPausing] = useState(false);
  const may = useMay();
  const record = run.view?.run;
  const state = record?.state ?? (run.session?.state === "queued" ? "queued" : undefined);
  useEffect(() => setPausing(false), [state]);
  if (!state) return null;

  const ask = async (what: string, then?: () => void, method = "POST", body?: unknown) => {
    setBusy(what);
    setProblem(undefined);
    try {
      await change(
        method,
        method === "DELETE" ? path(id) : `${path(id)}/${what}`,
        body ?? (method === "POST" ? {} : undefined),
      );
      then?.();
    } catch (error) {
      const said = plain(asRefused(error).message);
      setProblem(said);
      announce(said, true);
    }
    setBusy(undefined);
  };

  const steers = may("steer");
  const stoppable = steers && (state === "running" || state === "queued" || state === "paused");
  // The answer to an open question resumes the run.
  const answerable = record?.question && state !== "cancelled";
  const resumable = steers && !answerable && ["parked", "cancelled", "interrupted", "error"].includes(state);
  const unknown = record?.outcomeUnknown;
  return (
    <>
      {problem && <span class="ill">{problem}</span>}
      {!steers && !record?.ended && <Denied scope="steer">pause, resume or stop runs</Denied>}
      {steers && state === "running" && (
        <button type="button" disabled={!!busy || pausing} onClick={() => void ask("pause", () => setPausing(true))}>
          {pausing ? "Pausing …" : "Pause"}
        </button>
      )}
      {steers && state === "paused" && (
        <button type="button" class="primary" disabled={!!busy} onClick={() => void ask("resume")}>
          Resume
        </button>
      )}
      {stoppable && (
        <button type="button" class="danger" disabled={!!busy} onClick={() => setSure("stop")}>
          Stop
        </button>
      )}
      {resumable && !unknown && (
        <button type="button" disabled={!!busy} onClick={() => void ask("resume", run.again)}>
          Resume
        </button>
      )}
      {resumable && unknown && (
        <>
          <button
            type="button"
            disabled={!!busy}
            onClick={() => void ask("resume", run.again, "POST", { assume: "done" })}
          >
            It was done: continue
          </button>
          <button
            type="button"
            disabled={!!busy}
            onClick={() => void ask("resume", run.again, "POST", { assume: "not_done" })}
          >
            It was not done: repeat it
          </button>
        </>
      )}
      {record?.ended && may("run") && <Repeat id={id} name={record.name} onProblem={setProblem} />}
      {record && <Export id={id} name={record.name} />}
      {record?.ended && may("admin") && (
        <button type="button" disabled={!!busy} onClick={() => setSure("delete")}>
          Delete
        </button>
      )}
      {sure === "stop" && stoppable && (
        <Ask
          title="Stop this run?"
          text="The browser is closed. The run can be resumed at the step where it stopped."
          yes="Stop run"
          onYes={() => void ask("cancel")}
          onClose={() => setSure(undefined)}
        />
      )}
      {sure === "delete" && (
        <Ask
          title="Delete this run?"
          text="Its record, screenshots and prompts are deleted permanently."
          yes="Delete"
          onYes={() => void ask("", () => go("/runs"), "DELETE")}
          onClose={() => setSure(undefined)}
        />
      )}
    </>
  );
}
