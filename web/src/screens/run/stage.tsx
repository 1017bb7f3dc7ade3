// The current page and phase of the run: live frames while it is in progress, otherwise the last screenshot.

import { useState } from "preact/hooks";
import { pictureUrl } from "../../api/client";
import { useFrames } from "../../api/frames";
import type { Run } from "../../api/run";
import type { View } from "../../record/view";
import { withoutRefs } from "../../ui/format";

export function Stage({ id, run, view }: { id: string; run: Run; view: View }) {
  const [gone, setGone] = useState<string>();
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
        {picture && gone !== picture.url ? (
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
      {!view.run.ended && <Now reply={run.reply} view={view} />}
    </aside>
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
