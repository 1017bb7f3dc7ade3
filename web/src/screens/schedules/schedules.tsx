// The list of schedules.

import { useEffect, useRef, useState } from "preact/hooks";
import { change } from "../../api/client";
import type { SchedulePlan, ScheduleView } from "../../api/generated";
import { asRefused, useLoad } from "../../api/load";
import { useChanges } from "../../api/runs";
import { Denied, useMay } from "../../api/scopes";
import { go, Link, useLocation } from "../../router";
import { plain } from "../../ui/advice";
import { announce } from "../../ui/announce";
import { Ask } from "../../ui/ask";
import { Badge } from "../../ui/badges";
import { Empty, Loading, Problem, Screen } from "../../ui/screen";
import { Ago, useNow, When } from "../../ui/time";
import { CHANNELS } from "./alert-fields";
import { ScheduleForm } from "./form";
import { words } from "./rhythm";

export function SchedulesScreen() {
  const list = useLoad("/api/schedules");
  const saved = useLoad("/api/workflows");
  const templates = useLoad("/api/automation/templates");
  const may = useMay();
  const admin = may("admin");
  const now = useNow(10_000);
  const { query } = useLocation();
  const wanted = query.get("workflow") ?? undefined;
  const [editing, edit] = useState<ScheduleView | "new" | undefined>(wanted ? "new" : undefined);
  const [gone, setGone] = useState<ScheduleView>();
  const [problem, setProblem] = useState<string>();

  // A switch shows the new position until the server has confirmed the state.
  const [put, setPut] = useState<Record<string, boolean>>({});
  useEffect(() => setPut({}), [list.data]);

  const ask = async (method: string, schedule: ScheduleView, body?: SchedulePlan) => {
    setProblem(undefined);
    try {
      await change(method, `/api/schedules/${encodeURIComponent(schedule.id)}`, body);
      announce(method === "DELETE" ? "Schedule deleted" : "Schedule saved");
    } catch (error) {
      setProblem(asRefused(error).message);
      setPut({});
    }
    list.reload();
  };
  const runNow = async (schedule: ScheduleView) => {
    setProblem(undefined);
    try {
      await change("POST", `/api/schedules/${encodeURIComponent(schedule.id)}/run`);
      announce(`${schedule.name} was started`);
    } catch (error) {
      setProblem(plain(asRefused(error).message));
    }
    list.reload();
  };
  // The results change while their runs are in progress.
  const pending = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useChanges((runs) => {
    const shown = new Map(list.data?.flatMap((one) => one.results.map((run) => [run.run, run.state] as const)));
    if (!runs.some((run) => shown.has(run.run) && shown.get(run.run) !== run.state)) return;
    clearTimeout(pending.current);
    pending.current = setTimeout(list.reload, 300);
  });
  useEffect(() => () => clearTimeout(pending.current), []);
  const workflowName = ({ workflowId, template }: ScheduleView) =>
    workflowId
      ? saved.data && (saved.data.find((one) => one.id === workflowId)?.name ?? "a workflow that was deleted")
      : templates.data?.find((one) => one.id === template)?.name;
  const close = () => {
    edit(undefined);
    if (wanted) go("/schedules", true);
  };
  const add = (
    <button type="button" class="primary" onClick={() => edit("new")}>
      New schedule
    </button>
  );
  return (
    <Screen title="Schedules" actions={editing || !admin ? undefined : add}>
      {!admin && <Denied scope="admin">change schedules</Denied>}
      {list.problem && <Problem problem={list.problem} again={list.reload} />}
      {problem && (
        <p class="ill" role="alert">
          {problem}
        </p>
      )}
      {editing && (
        <ScheduleForm
          key={editing === "new" ? "new" : editing.id}
          schedule={editing === "new" ? undefined : editing}
          workflow={wanted}
          onClose={close}
          onSaved={() => {
            close();
            list.reload();
          }}
        />
      )}
      {!list.data && list.loading && <Loading />}
      {list.data?.length === 0 && !editing && (
        <Empty>
          <p>No schedules. A schedule starts a workflow by itself, for example on weekdays at 8:00.</p>
        </Empty>
      )}
      {list.data && list.data.length > 0 && (
        <ul class="schedules">
          {list.data.map((one) => (
            <li key={one.id} class="card">
              <div>
                <h2>{one.name}</h2>
                <p>
                  {words(one.cron)}, {one.timezone} <code>{one.cron}</code>
                </p>
                {workflowName(one) && (
                  <p class="quiet">
                    Runs{" "}
                    {one.workflowId ? (
                      <Link to={`/workflows/${one.workflowId}`}>{workflowName(one)}</Link>
                    ) : (
                      workflowName(one)
                    )}
                  </p>
                )}
                <p class="quiet">
                  {one.enabled ? (
                    one.next ? (
                      <>
                        Next <When time={one.next} />
                      </>
                    ) : (
                      "No next run"
                    )
                  ) : (
                    "Disabled"
                  )}
                </p>
                {one.results.length > 0 && (
                  <ul class="results" aria-label={`Last results of ${one.name}`}>
                    {one.results.map((run) => (
                      <li key={run.run}>
                        <Link to={`/runs/${run.run}`}>
                          <Badge verdict={run.verdict} />
                          <span class="quiet">
                            <Ago time={run.started} now={now} />
                          </span>
                        </Link>
                      </li>
                    ))}
                  </ul>
                )}
                {one.problem && <p class="ill">The last start failed: {plain(one.problem)}</p>}
                {one.undelivered?.map((alert) => (
                  <p key={alert.channel} class="ill">
                    The last message by {CHANNELS[alert.channel]} was not delivered: {plain(alert.problem)}{" "}
                    <Ago time={alert.at} now={now} />
                    {alert.advice && <small class="advice">What to try: {plain(alert.advice)}</small>}
                  </p>
                ))}
                {one.webhookKey && <WebhookKey schedule={one} />}
                {!!one.missed && (
                  <p class="warning">
                    {one.missed === 1 ? "One run was missed" : `${one.missed} runs were missed`} while the server was
                    down.
                  </p>
                )}
              </div>
              <div class="actions">
                {may("run") && (
                  <button type="button" onClick={() => void runNow(one)}>
                    Run now<span class="unseen">: {one.name}</span>
                  </button>
                )}
                {admin && (
                  <>
                    <label class="check">
                      <input
                        type="checkbox"
                        checked={put[one.id] ?? one.enabled}
                        onChange={(event) => {
                          const enabled = event.currentTarget.checked;
                          setPut({ ...put, [one.id]: enabled });
                          void ask("PUT", one, { ...planOf(one), enabled });
                        }}
                      />
                      On<span class="unseen">: {one.name}</span>
                    </label>
                    <button type="button" onClick={() => edit(one)}>
                      Edit<span class="unseen"> {one.name}</span>
                    </button>
                    <button type="button" onClick={() => setGone(one)}>
                      Delete<span class="unseen"> {one.name}</span>
                    </button>
                  </>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      {gone && (
        <Ask
          title="Delete this schedule?"
          text={`“${gone.name}” will no longer start automatically. Its runs are kept.`}
          yes="Delete"
          onYes={() => void ask("DELETE", gone)}
          onClose={() => setGone(undefined)}
        />
      )}
    </Screen>
  );
}

const planOf = ({
  name,
  cron,
  timezone,
  workflow,
  workflowId,
  basedOn,
  template,
  secrets,
  inputs,
  webhook,
  slackHook,
  email,
  enabled,
}: ScheduleView): SchedulePlan => ({
  name,
  cron,
  timezone,
  workflow,
  workflowId,
  basedOn,
  template,
  secrets,
  inputs,
  webhook,
  slackHook,
  email,
  enabled,
});

/** The key with which a receiver verifies webhooks. */
function WebhookKey({ schedule }: { schedule: ScheduleView }) {
  return (
    <details>
      <summary>
        Webhook: {schedule.webhook}
        <span class="unseen">, {schedule.name}</span>
      </summary>
      <p class="hint">
        Signed with the key <code>{schedule.webhookKey}</code>
      </p>
    </details>
  );
}
