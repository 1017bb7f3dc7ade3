//! Tasks, workflows and replays: runs in their own browser context. Their progress is reported to the client, and they
//! are cancelled when the client cancels its request.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use legwork::{
    RunHandle, Runtime, StartRequest,
    page::Page,
    playbooks::validate_with_playbook,
    record::{RecordState, RunRecord},
    settings::{RequiredResult, Settings},
    store::{RunLog, RunQuery, RunSummary, short_id},
    workflow_file::{ParsedWorkflow, Problem, Severity},
};
use legwork_protocol::{ErrorReport, EventKind, Op, Outcome, Question, Status, Step, Target, TargetKind, Workflow};
use legwork_verbs::{CommandFailure, PageOptions, PageReply};
use rmcp::{
    Peer, RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use crate::tools::RunArguments;

/// The time limit for sending the last progress notifications after a run has ended.
pub(crate) const PROGRESS_TIMEOUT: Duration = Duration::from_secs(1);

/// The receiver of progress notifications.
pub(crate) struct ProgressTarget {
    pub(crate) peer: Peer<RoleServer>,
    /// `None` if the client requested no progress notifications.
    pub(crate) token: Option<ProgressToken>,
}

/// Where a run works.
pub(crate) enum RunPlace<'a> {
    /// In a browser context of its own, with the secrets, upload folders and state of the client's pages.
    OwnContext(Box<PageOptions>),
    /// On the client's page, a tab of the user's own browser.
    Page(&'a Page),
}

/// Runs a task or workflow and returns its result.
pub(crate) async fn run(
    runtime: &Arc<Runtime>,
    wanted: RunArguments,
    place: RunPlace<'_>,
    progress_target: ProgressTarget,
    cancel: &CancellationToken,
) -> PageReply {
    let require = wanted.require;
    let request = match request(wanted, &runtime.settings()) {
        Ok(request) => StartRequest { settings: require.map(|require| requiring(runtime, require)), ..request },
        Err(problems) => {
            let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
            return PageReply::unmet(format!("the workflow cannot be read:\n{}", lines.join("\n")));
        }
    };
    start(runtime, request, place, progress_target, cancel).await
}

/// Replays a finished run.
pub(crate) async fn replay(
    runtime: &Arc<Runtime>,
    run: &str,
    inputs: Map<String, Value>,
    place: RunPlace<'_>,
    progress_target: ProgressTarget,
    cancel: &CancellationToken,
) -> PageReply {
    let run = match runtime.find_run(run).await {
        Ok(run) => run,
        Err(error) => return not_started(&error),
    };
    if let Err(refusal) = super::batches::refuse_row_with_secrets(runtime, run).await {
        return refusal;
    }
    match runtime.replay(run).await {
        Ok(request) => {
            let inputs = inputs.into_iter().collect();
            let request = StartRequest { inputs, ..request };
            start(runtime, request, place, progress_target, cancel).await
        }
        Err(error) => not_started(&error),
    }
}

/// The newest runs, or the details of one run.
pub(crate) async fn list(runtime: &Runtime, run: Option<String>, limit: usize) -> PageReply {
    let Some(run) = run else {
        return match runtime.log().runs(RunQuery { limit, ..RunQuery::default() }).await {
            Ok(runs) if runs.is_empty() => PageReply::with("there are no runs yet", json!({"runs": []})),
            Ok(runs) => {
                let listed = runs.iter().map(row);
                PageReply::with(
                    runs.iter().map(line).collect::<Vec<_>>().join("\n"),
                    json!({"runs": listed.collect::<Vec<_>>()}),
                )
            }
            Err(error) => PageReply::unmet(format!("{error}; {}", error.hint())),
        };
    };
    let found = async {
        let id = runtime.find_run(&run).await?;
        runtime.log().read(id, 1).await.map_err(legwork::Error::Store)
    };
    match found.await.map(|events| RunRecord::fold(&events)) {
        Ok(Ok(record)) => PageReply::with(history(&record), json!({"run": record.run, "state": record.state.name()})),
        Ok(Err(error)) => PageReply::unmet(error.to_string()),
        Err(error) => not_started(&error),
    }
}

/// A run as a line of the list.
fn line(run: &RunSummary) -> String {
    let line = format!("{} {} {}", short_id(run.run), run.state.name(), run.name);
    match open_question(run) {
        Some(question) => format!("{line} (waits for an answer: {})", question.text),
        None => line,
    }
}

fn row(run: &RunSummary) -> Value {
    let mut row = json!({"run": run.run, "state": run.state.name(), "name": run.name});
    if let Some(question) = open_question(run) {
        row["question"] = question.text.as_str().into();
    }
    row
}

fn open_question(run: &RunSummary) -> Option<&Question> {
    run.question.as_ref().filter(|_| run.waits_for_answer())
}

/// The server's settings with the required result of this run.
pub(crate) fn requiring(runtime: &Runtime, require: RequiredResult) -> Settings {
    let mut settings = Settings::clone(&runtime.settings());
    settings.run.require = require;
    settings
}

/// The request for a task or workflow, checked with the values of its inputs.
pub(crate) fn request(wanted: RunArguments, settings: &Settings) -> Result<StartRequest, Vec<Problem>> {
    let RunArguments { task, workflow, inputs, url, require: _ } = wanted;
    let inputs: BTreeMap<String, Value> = inputs.into_iter().collect();
    if let Some(task) = task {
        let workflow = Workflow { name: task.clone(), url, steps: vec![Step::new(task)], ..Workflow::default() };
        return Ok(StartRequest { inputs, ..StartRequest::task(workflow) });
    }
    let source = workflow.unwrap_or_default();
    let ParsedWorkflow { workflow, problems, .. } =
        validate_with_playbook((&source, "workflow"), settings, &inputs, url.as_deref(), Severity::Error);
    let mut workflow = workflow.ok_or(problems)?;
    workflow.url = url.or(workflow.url);
    Ok(StartRequest { inputs, ..StartRequest::workflow(workflow) })
}

/// Adds the secrets, upload folders and state of the client's pages to a request.
fn with_page_options(page_options: PageOptions, request: StartRequest) -> StartRequest {
    let PageOptions { secrets, uploads, storage_state, .. } = page_options;
    StartRequest { secrets, uploads, storage_state, ..request }
}

async fn start(
    runtime: &Arc<Runtime>,
    request: StartRequest,
    place: RunPlace<'_>,
    progress_target: ProgressTarget,
    cancel: &CancellationToken,
) -> PageReply {
    let started = match place {
        RunPlace::OwnContext(options) => runtime.start(with_page_options(*options, request)).await,
        RunPlace::Page(page) => page.start(request).await,
    };
    let run = match started {
        Ok(run) => run,
        Err(error) => return not_started(&error),
    };
    let id = run.id();
    let progress_task =
        progress_target.token.is_some().then(|| tokio::spawn(report_progress(runtime.log(), id, progress_target)));
    let outcome = outcome_or_cancel(run, cancel).await;
    if let Some(mut progress_task) = progress_task {
        // All notifications must be sent before the reply, because the protocol allows none after it.
        if tokio::time::timeout(PROGRESS_TIMEOUT, &mut progress_task).await.is_err() {
            progress_task.abort();
            let _ = progress_task.await;
        }
    }
    let record = runtime.log().read(id, 1).await.ok().and_then(|events| RunRecord::fold(&events).ok());
    let short = short_id(id);
    let text = record.map_or_else(|| format!("run {short} {}", outcome.status.name()), |record| history(&record));
    let reply = PageReply::with(text, json!({"run": id, "outcome": outcome}));
    let failure = (outcome.status != Status::Success).then(|| CommandFailure::Run(Box::new(outcome)));
    PageReply { failure, ..reply }
}

/// The outcome of the run; the run is cancelled if the client cancels its request.
async fn outcome_or_cancel(run: RunHandle, cancel: &CancellationToken) -> Outcome {
    let ops = run.ops();
    let outcome = run.outcome();
    tokio::pin!(outcome);
    tokio::select! {
        outcome = &mut outcome => outcome,
        () = cancel.cancelled() => {
            // Sending fails if the run has already ended.
            let _ = ops.send(Op::Cancel { reason: Some("the client cancelled the request".to_owned()) }).await;
            outcome.await
        }
    }
}

/// Sends a progress notification for each step and action.
async fn report_progress(log: Arc<dyn RunLog>, run: legwork_protocol::RunId, progress_target: ProgressTarget) {
    let Some(token) = progress_target.token else { return };
    let mut follower = log.follow(run, 1);
    let (mut steps, mut done, mut progress) = (0, 0_u32, 0.0);
    let mut under_way = None;
    while let Ok(event) = follower.next().await {
        let message = match &event.kind {
            EventKind::WorkflowStarted(start) => {
                steps = start.workflow.steps.len();
                continue;
            }
            EventKind::StepCompleted(result) if result.expansion.is_some() => {
                steps += result.expansion.as_ref().map_or(0, legwork_protocol::Expansion::steps);
                done += 1;
                format!("{}: {}", result.text, result.message)
            }
            EventKind::StepStarted { text } => {
                format!("step {} of {steps}: {text}", event.step.map_or(done as usize, |step| step) + 1)
            }
            // A ref means nothing to the client. The result contains the name of the element, so the action is reported
            // then.
            EventKind::CommandStarted { action, .. } if action.target().is_some_and(is_ref) => {
                under_way = Some(action.clone());
                continue;
            }
            EventKind::CommandStarted { action, .. } => action.describe(None),
            EventKind::CommandCompleted { result, .. } | EventKind::CommandFailed { result, .. } => {
                let Some(action) = under_way.take() else { continue };
                let failed = result.failure_text().map_or(String::new(), |trouble| format!(": {trouble}"));
                action.describe(result.element.as_deref()) + &failed
            }
            EventKind::StepCompleted(_) => {
                done += 1;
                format!("{done} of {steps} steps done")
            }
            kind if kind.outcome().is_some() => return,
            _ => continue,
        };
        // The protocol requires that progress increases with each notification. The number of actions in a step is
        // unknown, so each adds an eighth of what remains of the step.
        progress = if matches!(event.kind, EventKind::StepCompleted(_)) {
            f64::from(done)
        } else {
            progress + (f64::from(done) + 1.0 - progress) / 8.0
        };
        let mut note = ProgressNotificationParam::new(token.clone(), progress).with_message(message);
        if steps > 1 {
            note = note.with_total(steps as f64);
        }
        if progress_target.peer.notify_progress(note).await.is_err() {
            return;
        }
    }
}

fn is_ref(target: &Target) -> bool {
    matches!(target.kind(), TargetKind::Ref(_))
}

/// The text of a run: its result, then one line per step with its first evidence.
fn history(record: &RunRecord) -> String {
    let mut lines = vec![format!("run {} {}", short_id(record.run), summary(record))];
    if let Some(outcome) = &record.outcome {
        lines.extend(outcome.error.as_ref().map(ErrorReport::with_advice));
        lines.extend(outcome.answer.clone());
        lines.extend(outcome.variables.iter().map(|(name, value)| format!("{name} = {value}")));
    }
    for step in &record.steps {
        let evidence = step.result.as_ref().and_then(|result| result.evidence.first());
        let shown = evidence.map_or(String::new(), |evidence| format!(" — {}", evidence.fact));
        lines.push(format!("{}. [{}] {}{shown}", step.index + 1, step.state.name(), step.text));
    }
    lines.join("\n")
}

fn summary(record: &RunRecord) -> String {
    match (&record.outcome, record.state) {
        (Some(outcome), RecordState::Ended(Status::Success)) => {
            format!("success, {}", format!("{:?}", outcome.validation).to_lowercase())
        }
        (_, state) => state.name().to_owned(),
    }
}

pub(crate) fn not_started(error: &legwork::Error) -> PageReply {
    let failure = Some(CommandFailure::Start(Box::new(error.standard())));
    PageReply { failure, ..PageReply::text(reasons(error)) }
}

fn reasons(error: &legwork::Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            text.push_str(&format!(": {cause_text}"));
        }
        source = cause.source();
    }
    format!("{text}; {}", error.hint())
}

#[cfg(test)]
mod tests {
    use legwork_protocol::RunId;

    use super::*;

    #[test]
    fn a_listed_run_that_waits_for_an_answer_says_so() {
        let question = Question::open("Which name?");
        let run = RunSummary { name: "Order".to_owned(), ..RunSummary::new(RunId::new(), jiff::Timestamp::UNIX_EPOCH) };
        let asks = RunSummary { question: Some(question), driven: true, ..run.clone() };
        assert!(line(&asks).ends_with(" running Order (waits for an answer: Which name?)"), "{}", line(&asks));
        assert_eq!((&row(&asks)["question"], row(&run).get("question")), (&json!("Which name?"), None));
        // Nobody drives it any more, so it takes no answer.
        assert!(line(&RunSummary { driven: false, ..asks }).ends_with(" running Order"));
    }
}
