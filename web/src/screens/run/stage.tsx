// The current page and phase of the run: live frames while it is in progress, otherwise the last screenshot.

import { useEffect, useState } from "preact/hooks";
import { change, pictureUrl } from "../../api/client";
import { useFrames } from "../../api/frames";
import { asRefused } from "../../api/load";
import type { Run } from "../../api/run";
import { useMay } from "../../api/scopes";
import type { View } from "../../record/view";
import { announce } from "../../ui/announce";
import { withoutRefs } from "../../ui/format";
import { ControlledBrowser } from "./control";

export function Stage({ id, run, view }: { id: string; run: Run; view: View }) {
  const [gone, setGone] = useState<string>();
  const control = useControl(id, view);
  const live = useFrames(id, view.run.live && run.connection !== "lost");
  const { page, picture: last } = view.page;
  const picture = live ?? (last && { url: pictureUrl(last.image.hash), width: last.width, height: last.height });
  if (view.run.ended && !picture && !page) return null;
  const alt = `The browser: ${page?.title || page?.url || "the page"}`;
  return (
    <aside class="stage" aria-label="The browser">
      <figure>
        <figcaption>
          <span class="address">{page?.url ?? "No page yet"}</span>
          {live && <span class="live">live</span>}
        </figcaption>
        {control.state === "on" ? (
          <ControlledBrowser id={id} picture={live} alt={alt} />
        ) : picture && gone !== picture.url ? (
          <img
            src={picture.url}
            width={picture.width}
            height={picture.height}
            alt={alt}
            onError={() => setGone(picture.url)}
          />
        ) : (
          <div class="blank">{picture ? "The screenshot is no longer available" : "No screenshot yet"}</div>
        )}
      </figure>
      <ControlButtons control={control} />
      {!view.run.ended && <Now reply={run.reply} view={view} />}
    </aside>
  );
}

interface Control {
  /** `pausing` until the run has paused, `none` where it cannot be taken. */
  state: "none" | "off" | "pausing" | "on";
  /** Whether the run goes on when the control is returned. Otherwise it still waits for an answer. */
  resumes: boolean;
  problem?: string;
  take(): void;
  giveBack(): void;
}

/** The control of the browser by the user: the run is paused for it, unless it waits for an answer anyway. */
function useControl(id: string, { run }: View): Control {
  const may = useMay();
  const [wanted, setWanted] = useState(false);
  const [problem, setProblem] = useState<string>();
  const waits = run.live && !run.ended && (run.state === "paused" || !!run.question);
  const possible = may("steer") && run.live && !run.ended && (waits || run.state === "running");
  // A run that goes on, whoever resumed it, has taken the control back.
  const [had, setHad] = useState(false);
  useEffect(() => {
    if (wanted && had && !waits) setWanted(false);
    setHad(wanted && waits);
  }, [wanted, waits]);
  const ask = async (what: "pause" | "resume") => {
    setProblem(undefined);
    try {
      await change("POST", `/api/automation/sessions/${encodeURIComponent(id)}/${what}`, {});
    } catch (error) {
      const { message } = asRefused(error);
      setWanted(false);
      setProblem(message);
      announce(message, true);
    }
  };
  return {
    state: !possible ? "none" : !wanted ? "off" : waits ? "on" : "pausing",
    resumes: run.state === "paused",
    problem,
    take: () => {
      setWanted(true);
      if (!waits) void ask("pause");
    },
    giveBack: () => {
      setWanted(false);
      if (run.state === "paused") void ask("resume");
    },
  };
}

function ControlButtons({ control }: { control: Control }) {
  if (control.state === "none" && !control.problem) return null;
  return (
    <div class="actions control-actions">
      {control.state === "off" && (
        <button type="button" onClick={control.take}>
          Take control
        </button>
      )}
      {control.state === "pausing" && <span class="quiet">Pausing the run …</span>}
      {control.state === "on" && (
        <>
          <button type="button" class="primary" onClick={control.giveBack}>
            {control.resumes ? "Return control and resume" : "Return control"}
          </button>
          <span class="quiet">You operate the browser. What you type is not recorded.</span>
        </>
      )}
      {control.problem && (
        <span class="ill" role="alert">
          {control.problem}
        </span>
      )}
    </div>
  );
}

function Now({ reply, view: { run, progress, steps, turns } }: { reply?: string; view: View }) {
  const step = steps.find((one) => one.state === "running");
  const command = step && turns.get(step.index)?.at(-1)?.commands.at(-1);
  const words =
    run.state === "paused"
      ? `Paused: ${run.paused || "nothing is executed until it is resumed"}`
      : run.question
        ? "Waiting for an answer"
        : (step && progress.phase) || "Between steps";
  return (
    <div class="now">
      <p>
        <b>{words}</b>
        {step && steps.length > 1 && (
          <span class="quiet">
            {" "}
            · step {step.index + 1} of {steps.length}
          </span>
        )}
        {command?.state === "open" && run.state === "running" && `: ${withoutRefs(command.words)}`}
      </p>
      {reply !== undefined && (
        <div class="saying">
          <p class="quiet">The model writes …</p>
          <pre class="text" tabIndex={0} role="region" aria-label="The model's reply so far">
            {reply}
          </pre>
        </div>
      )}
    </div>
  );
}
