// The trace viewer: a timeline with a slider, the list of moments, and the details of the selected moment. The selected
// moment is part of the address, so that it can be linked to.

import type { View } from "../../record/view";
import { go, useLocation } from "../../router";
import { Empty } from "../../ui/screen";
import { Detail } from "./detail";
import { MomentList } from "./list";
import { Timeline } from "./timeline";

export function TraceView({ view }: { view: View }) {
  const { path, query } = useLocation();
  const moments = [...view.moments.values()];
  const wanted = Number(query.get("at"));
  const found = moments.findIndex((moment) => moment.seq === wanted);
  const chosen = found >= 0 ? found : first(moments);
  const moment = moments[chosen];

  const choose = (index: number) => {
    const to = moments[Math.min(moments.length - 1, Math.max(0, index))];
    if (to) go(`${path}?at=${to.seq}`, true);
  };

  if (!moment) return <Empty>Nothing has happened yet.</Empty>;
  return (
    <div class="trace">
      <Timeline view={view} moments={moments} chosen={chosen} onChoose={choose} />
      <div class="trace-parts">
        <MomentList moments={moments} chosen={chosen} onChoose={choose} />
        <Detail moment={moment} model={view.moments.get(moment.model ?? moment.seq)} />
      </div>
    </div>
  );
}

/** The moment that is selected first: the first error, if there is one. */
function first(moments: { tone: string; kind: string }[]): number {
  const bad = moments.findIndex(
    (moment) => moment.tone === "bad" && (moment.kind === "end" || moment.kind === "error"),
  );
  return Math.max(bad, 0);
}
