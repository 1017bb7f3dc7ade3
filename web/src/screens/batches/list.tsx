// The batches with their state, the newest first.

import type { BatchItem } from "../../api/generated";
import { useLoad } from "../../api/load";
import { Link } from "../../router";
import { Empty, Loading, Problem, Screen } from "../../ui/screen";
import { Ago, useNow } from "../../ui/time";
import { summary } from "./batch";

export function BatchesScreen() {
  const list = useLoad("/api/batches");
  return (
    <Screen title="Batches">
      {list.problem && <Problem problem={list.problem} again={list.reload} />}
      {!list.data && list.loading && <Loading />}
      {list.data?.length === 0 && (
        <Empty>
          <p>No batches yet. Open a workflow and choose rows under “Run for each row”.</p>
          <Link to="/workflows">Workflows</Link>
        </Empty>
      )}
      {!!list.data?.length && <BatchList batches={list.data} />}
    </Screen>
  );
}

export function BatchList({ batches }: { batches: BatchItem[] }) {
  const now = useNow(10_000);
  return (
    <ul class="recent">
      {batches.map((batch) => (
        <li key={batch.id}>
          <span>
            <Link to={`/batches/${batch.id}`}>{batch.name || "Unnamed"}</Link>{" "}
            <span class="quiet">{summary(batch.counts)}</span>
          </span>
          <span class="quiet">
            {batch.live ? "in progress, " : batch.cancelled ? "cancelled, " : ""}
            <Ago time={batch.created} now={now} />
          </span>
        </li>
      ))}
    </ul>
  );
}
