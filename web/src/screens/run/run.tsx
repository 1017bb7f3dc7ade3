// One run: its name and state, its controls, and below them the overview, the conversation or the trace.

import { useEffect, useRef } from "preact/hooks";
import { type Run, useRun } from "../../api/run";
import { place } from "../../record/problems";
import type { View } from "../../record/view";
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
import { Conversation } from "./conversation";
import { Facts } from "./facts";
import { Plan } from "./plan";
import { QuestionBox } from "./question";
import { Stage } from "./stage";
import { Steps, showStep } from "./steps";
import { Tiles } from "./tiles";

export type RunPart = "overview" | "chat" | "trace";

export function RunScreen({ id, part }: { id: string; part: RunPart }) {
  const run = useRun(id);
  const { view, session, problem } = run;
  useAnnouncements(view);
  const record = view?.run;
  const problems = view && place(view.problems, view.steps, record?.question);
  const failed = part === "overview" ? problems?.steps.keys().next().value : undefined;
  const queued = !view && session?.state === "queued";
  const queuedVerdict = queued ? session.summary.verdict : undefined;
  const verdict = record?.verdict ?? queuedVerdict;
  const answered = () => {
    if (record?.ended) run.again();
  };
  const name = record?.name || session?.summary.name || "Run";

  if (problem && !view) {
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
        {record && (
          <span class="quiet">
            <When time={record.began} />
            {record.url && ` · ${record.url}`}
          </span>
        )}
        {failed !== undefined && (
          <button type="button" class="link" onClick={() => showStep(failed)}>
            Show step {failed + 1}
          </button>
        )}
      </div>
      <ConnectionNote run={run} />
      {part !== "chat" && <QuestionBox id={id} question={record?.question} onAnswered={answered} />}
      {part !== "chat" && record?.answer && verdict && (
        <section class={`answer ${verdict.tone}`} aria-label="Answer">
          <Prose text={record.answer} />
        </section>
      )}
      {part !== "chat" && problems && <Troubles {...(part === "trace" ? view!.problems : problems.rest)} />}
      {record && (
        <nav class="tabs" aria-label="Views of this run">
          <Link to={`/runs/${id}`} aria-current={part === "overview" ? "page" : undefined}>
            Overview
          </Link>
          <Link to={`/runs/${id}/chat`} aria-current={part === "chat" ? "page" : undefined}>
            Chat
          </Link>
          <Link to={`/runs/${id}/trace`} aria-current={part === "trace" ? "page" : undefined}>
            Trace
          </Link>
        </nav>
      )}
      {!view && !queued && <Loading />}
      {view && part === "overview" && <Overview id={id} run={run} view={view} />}
      {view && part === "chat" && <Chat id={id} run={run} view={view} onAnswered={answered} />}
      {view && part === "trace" && <TraceView view={view} />}
    </Screen>
  );
}

function Overview({ id, run, view }: { id: string; run: Run; view: View }) {
  return (
    <>
      <Tiles view={view} />
      <div class="columns">
        <div class="main-column">
          {view.run.plan && <Plan plan={view.run.plan} />}
          <Steps view={view} />
          <Facts data={view.data} />
        </div>
        <Stage id={id} run={run} view={view} />
      </div>
    </>
  );
}

/** The conversation, with the browser beside it. */
function Chat({ id, run, view, onAnswered }: { id: string; run: Run; view: View; onAnswered(): void }) {
  const { task, name } = view.run;
  return (
    <div class="columns">
      <div class="main-column">
        <Conversation id={id} run={run} text={(task && view.steps[0]?.text) || name} onAnswered={onAnswered} />
      </div>
      <Stage id={id} run={run} view={view} />
    </div>
  );
}

/** Announces changes that happen without the user: the end of steps, pauses, the end of the run. The state at the
 * time of loading is not announced. */
function useAnnouncements(view: View | undefined): void {
  const before = useRef<{ state: string; done: number } | undefined>(undefined);
  const opened = useRef(Date.now());
  useEffect(() => {
    if (!view) return;
    const { state, verdict } = view.run;
    const { totals } = view;
    const done = totals.stepsDone + totals.stepsFailed + totals.stepsSkipped;
    const last = before.current;
    before.current = { state, done };
    if (!last || Date.now() - opened.current < 1_500) return;
    if (last.state !== state) announce(verdict.words, state === "failure" || state === "error");
    else if (done > last.done) announce(`${done} of ${view.steps.length} steps done`);
  }, [view?.progress.seq, view?.run.state]);
}
