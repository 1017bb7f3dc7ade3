//! How well the elements of a playbook still agree with the site, over the last runs of its workflow.

use legwork_agent::playbook::Playbook;
use legwork_protocol::{DecidedBy, Event, EventKind, RunId, mask_passwords};
use legwork_store::{RunFilter, RunLog, StoreError};
use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

use super::workflow_hash;
use crate::record::{CommandRecord, RecordError, RunRecord};

/// How many runs with the name of the workflow are looked through for each run that is wanted: others may have the name
/// too.
const RUNS_WITH_NAME: usize = 5;

/// Why the drift of a playbook is not known.
#[derive(Debug, Error)]
pub enum DriftError {
    /// The log failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The events of a run are no journal.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// The last runs of the workflow of a playbook.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaybookDrift {
    /// The runs, oldest first.
    pub runs: Vec<DriftRun>,
    /// The steps of the workflow in which a recorded element was looked for, in order.
    pub steps: Vec<DriftStep>,
}

/// A run with its actions by decider.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DriftRun {
    /// The run.
    pub run: RunId,
    /// The time of its start.
    pub started: String,
    /// How it ended, or its current state.
    pub state: &'static str,
    /// The version of the playbook that it used; absent if it used none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// The number of actions that were repeated from the playbook.
    pub playbook: usize,
    /// The number of actions that the words of the steps decided.
    pub literal: usize,
    /// The number of actions that a model, or the program's own decider, decided.
    pub model: usize,
    /// The number of actions that replaced a recorded one.
    pub healed: usize,
    /// The lowest agreement of an element with the recorded one, 0 to 1; absent if none was compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lowest: Option<f64>,
}

/// A step in each of the runs.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DriftStep {
    /// The number of the step among all written steps, from 1.
    pub step: usize,
    /// Its instruction.
    pub text: String,
    /// For each run: how its elements were found; `None` if the run did not look for them.
    pub marks: Vec<Option<DriftMark>>,
}

/// How the elements of a step were found in a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DriftMark {
    /// The lowest agreement, 0 to 1; absent if no element was certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The number of actions that replaced a recorded one.
    pub healed: usize,
}

/// The drift of a playbook over the last `runs` runs of its workflow in a log.
///
/// # Errors
/// If the log cannot be read.
pub async fn recent_drift(playbook: &Playbook, log: &dyn RunLog, runs: usize) -> Result<PlaybookDrift, DriftError> {
    let limit = runs.saturating_mul(RUNS_WITH_NAME);
    let filter = RunFilter { words: playbook.name.to_lowercase(), limit, ..RunFilter::default() };
    let mut journals = Vec::new();
    for summary in log.list(filter).await?.runs.iter().filter(|summary| summary.name == playbook.name) {
        journals.push(log.read(summary.run, 1).await?);
    }
    let mut found = drift(playbook, &journals)?;
    let over = found.runs.len().saturating_sub(runs);
    found.runs.drain(..over);
    found.steps.iter_mut().for_each(|step| drop(step.marks.drain(..over)));
    found.steps.retain(|step| step.marks.iter().any(Option::is_some));
    Ok(found)
}

/// The drift of a playbook over runs, which are given as their events, the newest first. Runs of other workflows are
/// left out.
///
/// # Errors
/// If the events are not the journal of a run.
pub fn drift(playbook: &Playbook, journals: &[Vec<Event>]) -> Result<PlaybookDrift, RecordError> {
    let is_of_workflow = |events: &&Vec<Event>| match events.first().map(|event| &event.kind) {
        Some(EventKind::WorkflowStarted(start)) => !start.task && workflow_hash(&start.workflow) == playbook.workflow,
        _ => false,
    };
    let records = journals.iter().rev().filter(is_of_workflow).map(RunRecord::fold);
    let records: Vec<RunRecord> = records.collect::<Result<_, _>>()?;
    let steps = playbook.steps.iter().enumerate().map(|(at, step)| DriftStep {
        step: at + 1,
        text: mask_passwords(&step.text),
        marks: records.iter().map(|record| mark(record, at)).collect(),
    });
    Ok(PlaybookDrift {
        steps: steps.filter(|step| step.marks.iter().any(Option::is_some)).collect(),
        runs: records.iter().map(DriftRun::of).collect(),
    })
}

impl DriftRun {
    fn of(record: &RunRecord) -> DriftRun {
        let commands: Vec<&CommandRecord> =
            record.steps.iter().flat_map(|step| &step.turns).flat_map(|turn| &turn.commands).collect();
        let by = |deciders: &[DecidedBy]| commands.iter().filter(|command| deciders.contains(&command.decider)).count();
        DriftRun {
            run: record.run,
            started: record.started.strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
            state: record.state.name(),
            version: record.playbook.as_ref().and_then(|used| used.version),
            playbook: by(&[DecidedBy::Playbook]),
            literal: by(&[DecidedBy::Literal]),
            model: by(&[DecidedBy::Model, DecidedBy::Custom]),
            healed: commands.iter().filter(|command| command.healed.is_some()).count(),
            lowest: lowest(commands.iter().copied()),
        }
    }
}

/// How the elements of a written step were found: in a loop, in all rows.
fn mark(record: &RunRecord, written: usize) -> Option<DriftMark> {
    let planned = record.plan().steps().iter();
    let steps = record.steps.iter().zip(planned).filter(|(_, planned)| planned.written == written);
    let commands = steps.flat_map(|(step, _)| &step.turns).flat_map(|turn| &turn.commands);
    let compared: Vec<&CommandRecord> =
        commands.filter(|command| command.score.is_some() || command.healed.is_some()).collect();
    (!compared.is_empty()).then(|| DriftMark {
        score: lowest(compared.iter().copied()),
        healed: compared.iter().filter(|command| command.healed.is_some()).count(),
    })
}

fn lowest<'a>(commands: impl Iterator<Item = &'a CommandRecord>) -> Option<f64> {
    commands.filter_map(|command| command.score).reduce(f64::min)
}
