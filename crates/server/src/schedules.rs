//! Schedules: workflows that start at the times of a cron expression in a time zone, with an optional webhook for their
//! results and alerts for people.
//!
//! Start times that pass while no server runs are counted and reported, but their runs are not started later. Scheduled
//! runs use the same queue as all other runs.

mod cron_expression;

use std::{sync::Arc, time::Duration};

use jiff::Timestamp;
use legwork::{
    protocol::{ErrorReport, Outcome, RunId, Status},
    retention,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

pub(crate) use self::cron_expression::{ScheduleTimes, ScheduleTimesError};
use crate::{
    alerts::{self, Alert, AlertChannel, AlertError, AlertKind, Delivery, Payload},
    app::App,
    error::ApiError,
    registry::{Admission, QueuedRun, RunSpec},
    request::Execute,
    run_requests,
    schedule_changes::Schedules,
    webhook,
};

/// The kinds of the key-value entries: schedules, and which runs they have started.
const KIND: &str = "schedule";
const RUN_KIND: &str = "scheduled-run";
/// Longest wait between two checks of the clock. It is limited because the clock may be set and the machine may sleep.
const MAX_CHECK_INTERVAL: Duration = Duration::from_secs(20);
/// Time between two deletions of old runs.
const PRUNE_INTERVAL: Duration = Duration::from_secs(60 * 60);
/// Number of newest runs that a schedule remembers.
const MAX_RUNS: usize = 5;
/// Maximum number of missed start times that are counted.
const MAX_MISSED: usize = 10_000;

/// The definition of a schedule.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SchedulePlan {
    /// The name that people see.
    pub(crate) name: String,
    /// Five fields (minute, hour, day, month, weekday), or a macro such as `@daily`.
    pub(crate) cron: String,
    /// An IANA time zone, such as `Europe/Lisbon`.
    #[serde(default = "utc")]
    pub(crate) timezone: String,
    /// The text of a workflow file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) workflow: Option<String>,
    /// The id of a template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) template: Option<String>,
    /// The id of a saved workflow, of which each run uses the newest version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) workflow_id: Option<String>,
    /// The id of the template that the text was made from: its address, secrets and uploads apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) based_on: Option<String>,
    /// The values of the workflow's inputs.
    #[serde(default)]
    pub(crate) inputs: std::collections::BTreeMap<String, serde_json::Value>,
    /// `NAME` or `NAME@ORIGIN`, as for a run. The values are in the server's environment or its vault.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) secrets: Vec<String>,
    /// The URL that receives a signed request at the end of each run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) webhook: Option<String>,
    /// The URL of an incoming webhook of Slack, or of a chat that accepts the same messages. It receives a message when
    /// a run fails, and when a run succeeds after a failure. Only for callers with the scope `admin`, because it is a
    /// key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) slack_hook: Option<String>,
    /// The addresses that receive the same as e-mail, through the server of the settings `smtp.…`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) email: Vec<String>,
    #[serde(default = "yes")]
    pub(crate) enabled: bool,
}

fn utc() -> String {
    "UTC".to_owned()
}

fn yes() -> bool {
    true
}

impl SchedulePlan {
    /// The request that starts a run.
    pub(crate) fn execute(&self) -> Execute {
        Execute {
            text: self.workflow.clone(),
            template: self.template.clone(),
            workflow_id: self.workflow_id.clone(),
            based_on: self.based_on.clone(),
            inputs: self.inputs.clone(),
            secrets: self.secrets.clone(),
            ..Execute::default()
        }
    }

    /// Checks the definition. The error lists every problem.
    pub(crate) async fn check(&self, app: &App) -> Result<(), ApiError> {
        let mut problems = Vec::new();
        let times = self.times().err().unwrap_or_default();
        problems.extend(times.iter().map(|error| format!("{}: {error}", error.field())));
        if self.name.trim().is_empty() {
            problems.push("name: it must not be empty".to_owned());
        }
        problems.extend(self.alert_problems(app));
        if !problems.is_empty() {
            return Err(ApiError::bad("the schedule is invalid").details(problems));
        }
        self.execute().resolved(app).await?.start(app, RunId::new()).map(drop)
    }

    /// The problems of the addresses that receive alerts.
    pub(crate) fn alert_problems(&self, app: &App) -> Vec<String> {
        let mut problems = Vec::new();
        for (field, url) in [("webhook", &self.webhook), ("slackHook", &self.slack_hook)] {
            if let Some(url) = url
                && let Err(problem) = webhook::address(url)
            {
                problems.push(format!("{field}: {problem}"));
            }
        }
        problems.extend(
            self.email.iter().filter_map(|text| alerts::recipient(text).err()).map(|error| format!("email: {error}")),
        );
        if !self.email.is_empty() && !alerts::is_configured(&app.runtime.settings()) {
            problems.push(format!("email: {}", AlertError::NoMailServer.with_hint()));
        }
        problems
    }

    /// The start times.
    ///
    /// # Errors
    /// Every problem of the expression and the time zone.
    fn times(&self) -> Result<ScheduleTimes, Vec<ScheduleTimesError>> {
        ScheduleTimes::new(&self.cron, &self.timezone)
    }

    /// The first start time after a point in time.
    pub(crate) fn next(&self, after: Timestamp) -> Option<Timestamp> {
        self.times().ok()?.after(after).next()
    }
}

/// A schedule as it is stored.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Schedule {
    pub(crate) id: String,
    #[serde(flatten)]
    pub(crate) plan: SchedulePlan,
    /// The time of the last check. Start times since then are missed if no server ran.
    #[serde(alias = "looked")]
    #[schemars(with = "String")]
    pub(crate) last_checked: Timestamp,
    /// The time at which it last started a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub(crate) last: Option<Timestamp>,
    /// The newest runs that it started, the newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) runs: Vec<RunId>,
    /// Why the last start failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<String>,
    /// Number of start times that passed while no server ran.
    #[serde(default)]
    pub(crate) missed: usize,
    /// Whether its last run failed or could not be started. The next success is reported as a recovery.
    #[serde(default)]
    pub(crate) failing: bool,
    /// The channels whose last message was not delivered, although it was repeated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) undelivered: Vec<UndeliveredAlert>,
}

/// A message that a channel did not accept.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UndeliveredAlert {
    pub(crate) channel: AlertChannel,
    /// The time of the last attempt.
    #[schemars(with = "String")]
    pub(crate) at: Timestamp,
    /// The reason.
    pub(crate) problem: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) advice: String,
}

impl Schedules {
    /// All schedules, the oldest first.
    pub(crate) async fn all(&self, app: &App) -> Result<Vec<Schedule>, ApiError> {
        let notes = app.key_value_store().entries(KIND).await?;
        Ok(notes.iter().filter_map(|note| serde_json::from_str(&note.body).ok()).collect())
    }

    /// Changes or creates a schedule.
    pub(crate) async fn put(&self, app: &App, id: &str, plan: SchedulePlan) -> Result<Schedule, ApiError> {
        let _lock = self.write_lock.lock().await;
        let before = self.all(app).await?.into_iter().find(|one| one.id == id);
        let fresh = Schedule {
            id: id.to_owned(),
            plan: plan.clone(),
            last_checked: Timestamp::now(),
            last: None,
            runs: Vec::new(),
            problem: None,
            missed: 0,
            failing: false,
            undelivered: Vec::new(),
        };
        // The new plan applies from now on; earlier start times do not count as missed.
        let schedule = before.map_or(fresh, |before| Schedule {
            plan,
            last_checked: Timestamp::now(),
            problem: None,
            missed: 0,
            // The addresses may have been corrected.
            undelivered: Vec::new(),
            ..before
        });
        self.save(app, &schedule).await?;
        self.changed.notify_one();
        Ok(schedule)
    }

    /// Deletes a schedule. Returns whether it existed.
    pub(crate) async fn delete(&self, app: &App, id: &str) -> Result<bool, ApiError> {
        let _lock = self.write_lock.lock().await;
        Ok(app.key_value_store().delete_entry(KIND, id).await?)
    }

    async fn save(&self, app: &App, schedule: &Schedule) -> Result<(), ApiError> {
        let body = serde_json::to_string(schedule)
            .map_err(|error| ApiError::internal(legwork::protocol::Code::Internal, &error))?;
        Ok(app.key_value_store().put_entry(KIND, &schedule.id, body).await?)
    }

    /// Starts the schedules that are due. Returns the time until the next check.
    async fn tick(&self, app: &Arc<App>, first: bool) -> Result<Duration, ApiError> {
        let _lock = self.write_lock.lock().await;
        let now = Timestamp::now();
        let mut wait = MAX_CHECK_INTERVAL;
        for mut schedule in self.all(app).await?.into_iter().filter(|one| one.plan.enabled) {
            let due = due_between(&schedule.plan, schedule.last_checked, now);
            if first && due > 0 {
                schedule.missed += due;
                tracing::warn!(schedule = schedule.plan.name, missed = due, "start times passed while no server ran");
            } else if due > 0 {
                // Several start times have passed, for example while the machine slept: one run is started, and the
                // others are missed.
                schedule.missed += due - 1;
                // The schedule states the error, for the next time somebody looks at it.
                if let Err(refused) = self.begin(app, &mut schedule, now).await {
                    self.report_refused_start(app, &mut schedule, &refused.error).await;
                }
            }
            if let Err(problems) = schedule.plan.times() {
                // Earlier versions accepted seconds and days that do not exist.
                let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
                schedule.problem = Some(format!("the schedule cannot start: {}", problems.join("; ")));
            }
            schedule.last_checked = now;
            self.save(app, &schedule).await?;
            if let Some(next) = schedule.plan.next(now) {
                wait = wait.min(Duration::try_from(next.duration_since(now)).unwrap_or(MAX_CHECK_INTERVAL));
            }
        }
        // A short delay ensures that the next start time has passed at the next check.
        Ok(wait + Duration::from_millis(20))
    }

    /// Starts a run of a schedule now, whether it is enabled or not.
    pub(crate) async fn run_now(&self, app: &App, id: &str) -> Result<Option<(RunId, Admission)>, ApiError> {
        let _lock = self.write_lock.lock().await;
        let Some(mut schedule) = self.all(app).await?.into_iter().find(|one| one.id == id) else { return Ok(None) };
        let begun = self.begin(app, &mut schedule, Timestamp::now()).await;
        self.save(app, &schedule).await?;
        begun.map(Some)
    }

    async fn begin(&self, app: &App, schedule: &mut Schedule, now: Timestamp) -> Result<(RunId, Admission), ApiError> {
        let run = RunId::new();
        // The entry is written before the run starts, because the run may end at once and its end must find the entry.
        let noted = app.key_value_store().put_entry(RUN_KIND, &run.to_string(), schedule.id.clone()).await;
        let begun = match (noted, schedule.plan.execute().resolved(app).await) {
            (Ok(_), Ok(request)) => {
                app.registry.submit(QueuedRun { run, work: RunSpec::Start(Box::new(request)) }).await
            }
            (Err(error), _) => Err(error.into()),
            (_, Err(refused)) => Err(refused),
        };
        schedule.last = Some(now);
        match &begun {
            Ok(_) => {
                schedule.problem = None;
                schedule.runs.insert(0, run);
                schedule.runs.truncate(MAX_RUNS);
            }
            Err(refused) => {
                tracing::error!(schedule = schedule.plan.name, error = %refused.error, "a scheduled run did not start");
                schedule.problem = Some(refused.error.message.clone());
            }
        }
        begun.map(|admission| (run, admission))
    }

    /// Reports the end of a run to those whom its schedule names.
    pub(crate) async fn report_end(&self, app: &Arc<App>, run: RunId, outcome: &Outcome) -> Result<(), ApiError> {
        let Some(note) = app.key_value_store().entry(RUN_KIND, &run.to_string()).await? else { return Ok(()) };
        if outcome.status != Status::Parked {
            app.key_value_store().delete_entry(RUN_KIND, &note.key).await?;
        }
        let _lock = self.write_lock.lock().await;
        let Some(mut schedule) = self.all(app).await?.into_iter().find(|one| one.id == note.body) else {
            return Ok(());
        };
        let alert = match outcome.status {
            Status::Failure | Status::Error => Some(AlertKind::Failure),
            Status::Success if schedule.failing => Some(AlertKind::Recovery),
            // A person cancelled it, or it waits for one: that is neither a failure nor a recovery.
            Status::Success | Status::Skipped | Status::Cancelled | Status::Parked => None,
        };
        if let Some(kind) = alert {
            schedule.failing = kind == AlertKind::Failure;
            self.save(app, &schedule).await?;
        }
        let body = json!({
            "type": "run.ended",
            "run": run,
            "schedule": { "id": schedule.id, "name": schedule.plan.name },
            "outcome": outcome,
            "alert": alert,
        });
        let webhook = schedule.plan.webhook.clone().map(|url| Payload::Webhook { url, body: body.to_string() });
        let reason = outcome.error.as_ref().map_or_else(String::new, ErrorReport::to_string);
        let for_people = alert.map(|kind| {
            let alert = Alert::new(kind, &schedule.plan.name, &reason, &app.origin, Some(run));
            Payload::for_people(&schedule.plan, &alert)
        });
        for payload in webhook.into_iter().chain(for_people.into_iter().flatten()) {
            alerts::post(app, Delivery { schedule: schedule.id.clone(), payload }).await?;
        }
        Ok(())
    }

    /// Reports a run that could not be started.
    async fn report_refused_start(&self, app: &Arc<App>, schedule: &mut Schedule, error: &ErrorReport) {
        schedule.failing = true;
        let body = json!({
            "type": "run.refused",
            "schedule": { "id": schedule.id, "name": schedule.plan.name },
            "error": error,
            "alert": AlertKind::Failure,
        });
        let webhook = schedule.plan.webhook.clone().map(|url| Payload::Webhook { url, body: body.to_string() });
        let alert = Alert::new(AlertKind::Failure, &schedule.plan.name, &error.to_string(), &app.origin, None);
        for payload in webhook.into_iter().chain(Payload::for_people(&schedule.plan, &alert)) {
            if let Err(refused) = alerts::post(app, Delivery { schedule: schedule.id.clone(), payload }).await {
                tracing::error!(error = %refused.error, "an alert could not be stored");
            }
        }
    }

    /// Records whether a message of a schedule was delivered.
    pub(crate) async fn note_delivery(
        &self,
        app: &App,
        id: &str,
        channel: AlertChannel,
        result: Result<(), AlertError>,
    ) -> Result<(), ApiError> {
        let _lock = self.write_lock.lock().await;
        let Some(mut schedule) = self.all(app).await?.into_iter().find(|one| one.id == id) else { return Ok(()) };
        let before = schedule.undelivered.len();
        schedule.undelivered.retain(|one| one.channel != channel);
        match result {
            Ok(()) if schedule.undelivered.len() == before => return Ok(()),
            Ok(()) => {}
            Err(error) => {
                let (problem, advice) = (error.to_string(), error.hint());
                schedule.undelivered.push(UndeliveredAlert { channel, at: Timestamp::now(), problem, advice });
            }
        }
        self.save(app, &schedule).await
    }
}

/// Number of start times of a plan after `from`, up to `to`.
fn due_between(plan: &SchedulePlan, from: Timestamp, to: Timestamp) -> usize {
    plan.times().map_or(0, |times| times.after(from).take_while(|at| *at <= to).take(MAX_MISSED).count())
}

/// Starts due schedules until the server closes.
pub(crate) async fn run_clock(app: Arc<App>) {
    let mut first = true;
    loop {
        let wait = app.schedules.tick(&app, std::mem::take(&mut first)).await.unwrap_or(MAX_CHECK_INTERVAL);
        let until = tokio::time::Instant::now() + wait;
        tokio::select! {
            () = app.closing.cancelled() => return,
            () = tokio::time::sleep_until(until) => {}
            () = app.schedules.changed.notified() => {}
        }
    }
}

/// Deletes old runs until the server closes.
pub(crate) async fn prune_regularly(app: Arc<App>) {
    let mut clock = tokio::time::interval(PRUNE_INTERVAL);
    loop {
        tokio::select! {
            () = app.closing.cancelled() => return,
            _ = clock.tick() => {}
        }
        let days = app.runtime.settings().retention.days;
        if days == 0 {
            continue;
        }
        if let Ok(before) = Timestamp::now().checked_sub(jiff::SignedDuration::from_hours(i64::from(days) * 24))
            && let Err(error) = run_requests::delete_older(&*app.key_value_store(), before).await
        {
            tracing::error!(%error, "the requests of old runs could not be deleted");
        }
        match retention::prune(&*app.log(), &*app.artifacts(), days).await {
            Ok(pruned) => tracing::info!(runs = pruned.runs, bytes = pruned.bytes, "deleted old runs"),
            Err(error) => tracing::error!(%error, "old runs could not be deleted"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(cron: &str, timezone: &str) -> SchedulePlan {
        let plan = json!({ "name": "x", "cron": cron, "timezone": timezone, "workflow": "Open https://example.org" });
        serde_json::from_value(plan).unwrap()
    }

    #[test]
    fn what_came_due_is_counted() {
        let hours = plan("0 * * * *", "UTC");
        let due = |from: &str, to: &str| due_between(&hours, from.parse().unwrap(), to.parse().unwrap());
        assert_eq!(due("2026-01-05T08:00:00Z", "2026-01-05T11:30:00Z"), 3);
        assert_eq!(due("2026-01-05T08:00:00Z", "2026-01-05T08:59:59Z"), 0);
    }
}
