// The newest runs, which change while somebody looks at them.

import { useEffect, useState } from "preact/hooks";
import type { RunListItem } from "../../api/generated";
import { useLoad } from "../../api/load";
import { useChanges } from "../../api/runs";
import { Link } from "../../router";
import { Badge } from "../../ui/badges";
import { Ago, useNow } from "../../ui/time";

const SHOWN = 5;

export function RecentRuns() {
  const list = useLoad("/api/automation/sessions", { pageSize: SHOWN });
  const [changed, setChanged] = useState<Map<string, RunListItem>>(new Map());
  const now = useNow(10_000);
  useEffect(() => setChanged(new Map()), [list.data]);
  useChanges((runs) => setChanged((before) => new Map([...before, ...runs.map((run) => [run.run, run] as const)])));
  if (!list.data?.length) return null;
  return (
    <section class="card" aria-labelledby="recent">
      <h2 id="recent">Recent runs</h2>
      <ul class="recent">
        {list.data.map((row) => {
          const run = changed.get(row.run) ?? row;
          return (
            <li key={run.run}>
              <Link to={`/runs/${run.run}`}>{run.name || "Unnamed"}</Link>
              <span class="quiet">
                <Ago time={run.started} now={now} />
              </span>
              <Badge verdict={run.verdict} />
            </li>
          );
        })}
      </ul>
      <Link to="/runs">All runs</Link>
    </section>
  );
}
