//! Runs on an open page: steps in plain language, tasks, checks and extractions, and the text of their outcomes.

use legwork::{
    StartRequest,
    page::{Page, PageTask, is_unchanged},
};
use legwork_protocol::{Action, Observation, Outcome, Status, Validation};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::{
    CommandFailure, Extraction, PageReply,
    execute::{view, with_change, written},
    render::within,
};

/// Runs a task on the page. The reply contains the outcome and, except for a check, the difference on the page.
pub(crate) async fn on(page: &Page, wanted: PageTask, max: usize, cancel: &CancellationToken) -> PageReply {
    let shows = !matches!(wanted, PageTask::Check(_));
    match Box::pin(page.run(wanted, cancel)).await {
        Err(error) => not_begun(&error),
        Ok(outcome) => {
            let change = if shows { page.changes(&view(max), None).await.ok() } else { None };
            let change = change.filter(|change| !is_unchanged(change));
            ended(&outcome, change.as_ref())
        }
    }
}

/// The reply if a run could not be started.
fn not_begun(error: &legwork::Error) -> PageReply {
    let report = error.standard();
    let reply = PageReply::with(format!("{error}; {}", error.hint()), json!({"error": report}));
    PageReply { failure: Some(CommandFailure::Start(Box::new(report))), ..reply }
}

/// The reply to a finished run.
fn ended(outcome: &Outcome, change: Option<&Observation>) -> PageReply {
    let mut lines = Vec::new();
    let status = match (outcome.status, outcome.validation) {
        (Status::Success, Validation::Validated) => "done, validated".to_owned(),
        (Status::Success, _) => "done, unvalidated".to_owned(),
        (status, _) => status.name().to_owned(),
    };
    lines.push(match &outcome.error {
        // Terminals and clients mark an error as one.
        Some(error) if outcome.status == Status::Error => error.with_advice(),
        Some(error) => format!("{status}: {}", error.with_advice()),
        None => status,
    });
    lines.extend(outcome.answer.clone());
    for (name, value) in &outcome.variables {
        lines.push(format!("{name} = {}", written(value)));
    }
    let failure = (outcome.status != Status::Success).then(|| CommandFailure::Run(Box::new(outcome.clone())));
    PageReply { failure, ..with_change(lines.join("\n"), json!({"outcome": outcome}), change) }
}

pub(crate) async fn extract(page: &Page, extraction: Extraction, max: usize, cancel: &CancellationToken) -> PageReply {
    let Extraction { instruction, schema, fields, pages } = extraction;
    let extract =
        legwork_protocol::Extract { instruction, schema, fields, pages, variable: Some("data".to_owned()), next: None };
    let request = StartRequest::action(Action::Extract(extract));
    match Box::pin(page.carry_out(request, cancel, |_| ())).await {
        Err(error) => not_begun(&error),
        Ok(mut outcome) => match outcome.variables.remove("data") {
            Some(data) if outcome.status == Status::Success => {
                PageReply::with(within(written(&data), max, "ask for more tokens"), json!({"data": data}))
            }
            _ => ended(&outcome, None),
        },
    }
}
