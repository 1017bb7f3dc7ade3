// How well the recorded playbook of a workflow still agrees with its site: a line over the recent runs, and the same
// figures in a table beneath it. A dip means that the page changed; a mark, that an action had to be decided again.

import type { DriftMark, DriftRun, DriftStep, WorkflowDrift } from "../../api/generated";
import { useLoad } from "../../api/load";
import { Link } from "../../router";
import { percent } from "../../ui/format";
import { Problem } from "../../ui/screen";

const WIDTH = 600;
const HEIGHT = 110;
/** Room for the marks above the line and for points at its edges. */
const EDGE = 12;

export function Drift({ id }: { id: string }) {
  const loaded = useLoad("/api/workflows/{id}/drift", { id });
  if (loaded.problem) return <Problem problem={loaded.problem} again={loaded.reload} />;
  return (
    <>
      {loaded.data?.map((one) => (
        <PlaybookCard key={one.playbook} drift={one} />
      ))}
    </>
  );
}

function PlaybookCard({ drift: { playbook, site, version, drift } }: { drift: WorkflowDrift }) {
  const heading = `playbook-${playbook}`;
  return (
    <section class="card" aria-labelledby={heading}>
      <h2 id={heading}>Playbook</h2>
      <p class="quiet">
        Version {version}, recorded on {site}. The next run repeats it without a model, and decides again only what the
        page changed.
      </p>
      {drift.runs.length === 0 ? (
        <p class="quiet">No run of this workflow is on record.</p>
      ) : (
        <>
          <Chart runs={drift.runs} />
          <RunTable runs={drift.runs} />
          {drift.steps.length > 0 && <StepTable steps={drift.steps} />}
        </>
      )}
    </section>
  );
}

function Chart({ runs }: { runs: DriftRun[] }) {
  const x = (at: number) => (runs.length === 1 ? WIDTH / 2 : EDGE + (at / (runs.length - 1)) * (WIDTH - 2 * EDGE));
  const y = (score: number) => EDGE + (1 - score) * (HEIGHT - 2 * EDGE);
  const points = runs.flatMap((run, at) => (run.lowest == null ? [] : [{ run, at, lowest: run.lowest }]));
  return (
    <figure class="chart drift">
      <figcaption>
        <b>Lowest agreement of the elements in each run</b>
        <span class="legend">
          <span class="busy">agreement</span>
          <span class="wait">decided again</span>
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={spoken(runs)}>
        {[0, 0.5, 1].map((score) => (
          <line class="grid" x1={0} x2={WIDTH} y1={y(score)} y2={y(score)} />
        ))}
        <polyline class="line" points={points.map(({ at, lowest }) => `${x(at)},${y(lowest)}`).join(" ")} />
        {points.map(({ run, at, lowest }) => (
          <circle class="point" cx={x(at)} cy={y(lowest)} r={4}>
            <title>{`${run.started}: ${percent(lowest)}`}</title>
          </circle>
        ))}
        {runs.map(
          (run, at) =>
            run.healed > 0 && (
              <path class="healed" d={`M ${x(at) - 6} 0 h 12 l -6 9 z`}>
                <title>{`${run.started}: ${run.healed} decided again`}</title>
              </path>
            ),
        )}
      </svg>
      <div class="axis" aria-hidden="true">
        <span>{runs[0]?.started.slice(0, 10)}</span>
        <span>0 to 100 %</span>
        <span>{runs.at(-1)?.started.slice(0, 10)}</span>
      </div>
    </figure>
  );
}

function RunTable({ runs }: { runs: DriftRun[] }) {
  return (
    <div class="table" tabIndex={0} role="region" aria-label="The playbook in recent runs">
      <table>
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">State</th>
            {["Version", "Repeated", "By words", "By a model", "Decided again", "Lowest agreement"].map((name) => (
              <th scope="col" class="right">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...runs].reverse().map((run) => (
            <tr key={run.run}>
              <th scope="row">
                <Link to={`/runs/${run.run}`}>{run.started}</Link>
              </th>
              <td>{run.state}</td>
              {[
                run.version ?? "–",
                run.playbook,
                run.literal,
                run.model,
                run.healed,
                run.lowest == null ? "–" : percent(run.lowest),
              ].map((cell) => (
                <td class="right number">{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function StepTable({ steps }: { steps: DriftStep[] }) {
  return (
    <details class="long">
      <summary>By step</summary>
      <div class="table" tabIndex={0} role="region" aria-label="The playbook by step">
        <table>
          <thead>
            <tr>
              <th scope="col">Step</th>
              <th scope="col" class="right">
                Lowest
              </th>
              <th scope="col" class="right">
                Last run
              </th>
              <th scope="col" class="right">
                Decided again
              </th>
            </tr>
          </thead>
          <tbody>
            {steps.map((step) => {
              const marks = step.marks.filter((mark): mark is DriftMark => mark != null);
              const scores = marks.flatMap((mark) => (mark.score == null ? [] : [mark.score]));
              const again = marks.reduce((sum, mark) => sum + mark.healed, 0);
              return (
                <tr key={step.step}>
                  <th scope="row">
                    {step.step}. {step.text}
                  </th>
                  <td class="right number">{scores.length ? percent(Math.min(...scores)) : "–"}</td>
                  <td class="right number">{words(step.marks.at(-1))}</td>
                  <td class="right number">{again}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function words(mark: DriftMark | null | undefined): string {
  if (!mark) return "not looked for";
  return mark.score == null ? "not found" : percent(mark.score);
}

function spoken(runs: DriftRun[]): string {
  const last = runs.slice(-7).map((run) => (run.lowest == null ? "no comparison" : percent(run.lowest)));
  const healed = runs.filter((run) => run.healed > 0).length;
  return `Lowest agreement in the last runs, the oldest first: ${last.join(", ")}. Actions were decided again in ${healed} of ${runs.length} runs.`;
}
