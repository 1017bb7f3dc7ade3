// One run: what it is and where it stands, how to steer it, and below either the overview or the trace.

import { useEffect, useRef } from "preact/hooks";
import { openQuestion, type Run, useRun } from "../../api/run";
import { ended } from "../../record/states";
import type { RunRecord } from "../../record/types";
import { runVerdict, verdictOf } from "../../record/verdict";
import { Link } from "../../router";
import { announce } from "../../ui/announce";
import { Badge } from "../../ui/badges";
import { Prose } from "../../ui/prose";
import { Loading, Problem, Screen } from "../../ui/screen";
import { When } from "../../ui/time";
import { Troubles } from "../../ui/trouble";
import { TraceView } from "../trace/trace";
import { ConnectionNote } from "./connection";
import { Controls } from "./controls";
import { Facts } from "./facts";
import { Plan } from "./plan";
import { QuestionBox } from "./question";
import { Stage } from "./stage";
import { Steps } from "./steps";
import { Tiles } from "./tiles";

export function RunScreen({ id, part }: { id: string; part: "overview" | "trace" }) {
  const run = useRun(id);
  const { record, session, problem } = run;
  useAnnouncements(record);
  const state = record?.state ?? (session?.state === "queued" ? "queued" : undefined);
  const verdict = record ? runVerdict(record) : state && verdictOf(state);
  const name = record?.name || session?.summary?.name || "Run";

  if (problem && !record) {
    return (
      <Screen title="Run">
        <Problem problem={problem} again={run.again} />
      </Screen>
    );
  }
  return (
    <Screen title={name} tab={verdict ? `${verdict.words}: ${name}` : name} actions={<Controls id={id} run={run} />}>
      <div class="standing">
        {verdict && <Badge verdict={verdict} />}
        {state === "queued" && session?.position != null && (
          <span class="quiet">number {session.position} in the queue</span>
        )}
        {record && (
          <span class="quiet">
            <When time={record.started} />
            {record.url && ` · ${record.url}`}
          </span>
        )}
      </div>
      <ConnectionNote run={run} />
      <QuestionBox
        id={id}
        question={openQuestion(run)}
        onAnswered={() => record && ended(record.state) && run.again()}
      />
      {record?.outcome?.answer && verdict && (
        <section class={`answer ${verdict.tone}`} aria-label="Answer">
          <Prose text={record.outcome.answer} />
        </section>
      )}
      {record && <Troubles record={record} />}
      {record && (
        <nav class="tabs" aria-label="Views of this run">
          <Link to={`/runs/${id}`} aria-current={part === "overview" ? "page" : undefined}>
            Overview
          </Link>
          <Link to={`/runs/${id}/trace`} aria-current={part === "trace" ? "page" : undefined}>
            Trace
          </Link>
        </nav>
      )}
      {!record && state !== "queued" && <Loading />}
      {record &&
        (part === "trace" ? <TraceView events={run.events} /> : <Overview id={id} run={run} record={record} />)}
    </Screen>
  );
}

function Overview({ id, run, record }: { id: string; run: Run; record: RunRecord }) {
  return (
    <>
      <Tiles record={record} events={run.events} />
      <div class="columns">
        <div class="main-column">
          <Plan record={record} />
          <Steps record={record} />
          <Facts record={record} />
        </div>
        <Stage id={id} run={run} record={record} />
      </div>
    </>
  );
}

/** Tells what changed of its own accord: steps that ended, pauses, the end. Not what was there when the page opened. */
function useAnnouncements(record: RunRecord | undefined): void {
  const before = useRef<{ state: string; done: number } | undefined>(undefined);
  const opened = useRef(Date.now());
  useEffect(() => {
    if (!record) return;
    const done = record.totals.steps_done + record.totals.steps_failed + record.totals.steps_skipped;
    const last = before.current;
    before.current = { state: record.state, done };
    if (!last || Date.now() - opened.current < 1_500) return;
    if (last.state !== record.state)
      announce(runVerdict(record).words, record.state === "failure" || record.state === "error");
    else if (done > last.done) announce(`${done} of ${record.steps.length} steps done`);
  }, [record?.seq, record?.state]);
}
