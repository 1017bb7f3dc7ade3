// The list of schedules.

import { useEffect, useState } from "preact/hooks";
import { change } from "../../api/client";
import type { SchedulePlan, ScheduleView } from "../../api/generated";
import { asRefused, useLoad } from "../../api/load";
import { Denied, useMay } from "../../api/scopes";
import { Link } from "../../router";
import { announce } from "../../ui/announce";
import { Ask } from "../../ui/ask";
import { Empty, Loading, Problem, Screen } from "../../ui/screen";
import { When } from "../../ui/time";
import { ScheduleForm } from "./form";

export function SchedulesScreen() {
  const list = useLoad("/api/schedules");
  const admin = useMay()("admin");
  const [editing, edit] = useState<ScheduleView | "new">();
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
          onClose={() => edit(undefined)}
          onSaved={() => {
            edit(undefined);
            list.reload();
          }}
        />
      )}
      {!list.data && list.loading && <Loading />}
      {list.data?.length === 0 && !editing && <Empty>No schedules.</Empty>}
      {list.data && list.data.length > 0 && (
        <ul class="schedules">
          {list.data.map((one) => (
            <li key={one.id} class="card">
              <div>
                <h2>{one.name}</h2>
                <p>
                  <code>{one.cron}</code> <span class="quiet">{one.timezone}</span>
                </p>
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
                  {one.last && (
                    <>
                      {" · last "}
                      {one.lastRun ? (
                        <Link to={`/runs/${one.lastRun}`}>
                          <When time={one.last} />
                        </Link>
                      ) : (
                        <When time={one.last} />
                      )}
                    </>
                  )}
                </p>
                {one.problem && <p class="ill">{one.problem}</p>}
                {one.webhookKey && <WebhookKey schedule={one} />}
                {!!one.missed && (
                  <p class="warning">
                    {one.missed === 1 ? "One run was missed" : `${one.missed} runs were missed`} while the server was
                    down.
                  </p>
                )}
              </div>
              {admin && (
                <div class="actions">
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
                </div>
              )}
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
  template,
  inputs,
  webhook,
  enabled,
}: ScheduleView): SchedulePlan => ({
  name,
  cron,
  timezone,
  workflow,
  template,
  inputs,
  webhook,
  enabled,
});

/** The key with which a receiver verifies webhooks. */
function WebhookKey({ schedule }: { schedule: ScheduleView }) {
  return (
    <details>
      <summary>
        Tells {schedule.webhook}
        <span class="unseen">: {schedule.name}</span>
      </summary>
      <p class="hint">
        Signed with the key <code>{schedule.webhookKey}</code>
      </p>
    </details>
  );
}
