// What the browser shows now, and what the run is busy with: live frames while it works, the last picture otherwise.

import { useState } from "preact/hooks";
import { pictureUrl } from "../../api/client";
import { useFrames } from "../../api/frames";
import { openQuestion, type Run } from "../../api/run";
import { ended } from "../../record/states";
import { phaseWords } from "../../record/thoughts";
import type { RunRecord } from "../../record/types";
import { commandWords } from "../../record/words";

export function Stage({ id, run, record }: { id: string; run: Run; record: RunRecord }) {
  const [gone, setGone] = useState<string>();
  const over = ended(record.state);
  const live = useFrames(id, !over && run.session?.live === true && run.connection !== "lost");
  const taken = run.events.findLast((event) => event.type === "SCREENSHOT_CAPTURED");
  const page = run.events.findLast((event) => event.type === "PAGE_OBSERVED");
  const last = taken?.type === "SCREENSHOT_CAPTURED" ? taken.data : undefined;
  const where = page?.type === "PAGE_OBSERVED" ? page.data : undefined;
  const picture = live ?? (last && { url: pictureUrl(last.image.hash), width: last.width, height: last.height });
  const alt = `The browser: ${where?.title || where?.url || "the page"}`;
  return (
    <aside class="stage" aria-label="The browser">
      <figure>
        <figcaption>
          <span class="address">{where?.url ?? "No page yet"}</span>
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
      {!over && <Now run={run} record={record} />}
    </aside>
  );
}

function Now({ run, record }: { run: Run; record: RunRecord }) {
  const step = record.steps.find((one) => one.state === "running");
  const command = step?.turns.at(-1)?.commands.at(-1);
  const asked = openQuestion(run);
  const words =
    record.state === "paused"
      ? `Paused: ${record.paused || "nothing is executed until it is resumed"}`
      : asked
        ? "Waiting for an answer"
        : record.phase && step
          ? phaseWords(record.phase)
          : "Between steps";
  return (
    <div class="now">
      <p>
        <b>{words}</b>
        {step && record.steps.length > 1 && (
          <span class="quiet">
            {" "}
            · step {step.index + 1} of {record.steps.length}
          </span>
        )}
        {command && !command.result && record.state === "running" && `: ${commandWords(command)}`}
      </p>
      {run.saying && (
        <div class="saying">
          <p class="quiet">The model writes …</p>
          <pre class="text" tabIndex={0} role="region" aria-label="The model's reply so far">
            {run.saying.text}
          </pre>
        </div>
      )}
    </div>
  );
}
