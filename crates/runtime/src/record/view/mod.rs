//! A record as rows for display, which are updated while the run continues. A row is replaced as a whole when it
//! changes.
//!
//! [`RecordView::apply`] takes one event after the other. Each event changes a few rows, and a row stores the number of
//! the event that changed it last. A viewer that was disconnected therefore needs exactly the rows with a higher number
//! than the last event it has, no matter for how long. No buffer of past changes is necessary, and a slow viewer
//! receives only the newest version of each row. Rows depend on nothing but the events and on whether a process drives
//! the run, so the numbers are valid in every process.

mod moments;
mod plan;
mod problems;
mod rows;
mod thoughts;

use std::collections::{BTreeMap, BTreeSet};

use legwork_protocol::{Event, EventKind, PageInfo, ScreenshotInfo};

use self::{
    moments::Moments,
    rows::{RowKey, cut},
};
use super::{RecordError, RecordState, RunRecord, describe, verdict};

pub use self::plan::{PlanItemRow, PlanItemState, PlanRow};
pub use self::rows::{
    ActivityRow, BandRow, CallRow, CommandRow, CommandState, DataRow, DecisionRow, EffectRow, MomentKind, MomentRow,
    PageRow, PictureRow, ProblemsRow, ProgressRow, ReasonRow, RecordRow, ResultRow, RunRow, StepRow, ThoughtRow,
    TurnRow, ValueRow,
};

/// A run record as rows.
#[derive(Debug)]
pub struct RecordView {
    record: RunRecord,
    moments: Moments,
    is_live: bool,
    page: PageRow,
    remaining_ms: Option<u64>,
    reply_ended: i64,
    /// Each row as JSON: it is serialized once for all viewers.
    rows: BTreeMap<RowKey, StoredRow>,
    /// The rows, by the revision of their last change.
    by_revision: BTreeSet<(u64, RowKey)>,
    revision: u64,
}

#[derive(Debug)]
struct StoredRow {
    json: String,
    /// The number of the event that changed the row last.
    seq: u64,
    /// The revision of the view in which the row changed last. It increases also when the run becomes live or stops
    /// being live, for which there is no event.
    revision: u64,
}

impl RecordView {
    /// The view of a run that has just started.
    ///
    /// # Errors
    /// Fails if the event is not the start of a run.
    pub fn begin(event: &Event) -> Result<RecordView, RecordError> {
        let record = RunRecord::begin(event)?;
        let mut view = RecordView {
            moments: Moments::new(record.started),
            record,
            is_live: true,
            page: PageRow::default(),
            remaining_ms: None,
            reply_ended: 0,
            rows: BTreeMap::new(),
            by_revision: BTreeSet::new(),
            revision: 0,
        };
        view.revise(|view| {
            view.put(RowKey::Page, &RecordRow::Page(view.page.clone()));
            view.put_data();
            view.put_problems();
            for index in 0..view.record.steps.len() {
                view.put_step(index);
            }
        });
        Ok(view)
    }

    /// Adds the next event.
    pub fn apply(&mut self, event: &Event) {
        self.record.apply(event);
        self.moments.apply(&self.record, event);
        let was_live = std::mem::replace(&mut self.is_live, true);
        self.revise(|view| {
            view.update_single_rows(event);
            if !was_live {
                view.put_running_steps();
            }
            if let Some(index) = event.step.or_else(|| ended_step(&event.kind)) {
                view.put_step(index);
            }
            if is_expanded(&event.kind) {
                // The steps of a group precede those that were pending behind it.
                for index in 0..view.record.steps.len() {
                    view.put_step(index);
                }
            }
            if let Some((step, number)) = view.record.touched {
                let turns = step.map_or(&view.record.outside, |step| &view.record.steps[step].turns);
                let row = RecordRow::Turn(TurnRow::of(step, number, &turns[number]));
                view.put(RowKey::Turn(step, number), &row);
            }
            for (key, row) in view.moments.changed() {
                view.put(key, &row);
            }
        });
    }

    /// Sets whether a process drives the run. A run in progress that no process drives is shown as interrupted.
    pub fn set_live(&mut self, is_live: bool) {
        if self.is_live != is_live {
            self.is_live = is_live;
            self.revise(RecordView::put_running_steps);
        }
    }

    /// The record that the rows are made from.
    pub fn record(&self) -> &RunRecord {
        &self.record
    }

    /// The number of the last event.
    pub fn seq(&self) -> u64 {
        self.record.seq
    }

    /// The current revision. A viewer stores the revision that it has received.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The rows that changed after a revision, as JSON; empty if there are none.
    pub fn since_revision(&self, revision: u64) -> Vec<&str> {
        let changed = self.by_revision.range((revision + 1, RowKey::Run)..);
        // In the order of their keys, so that a step comes before its turns.
        let keys: BTreeSet<RowKey> = changed.map(|(_, key)| *key).collect();
        keys.iter().map(|key| self.rows[key].json.as_str()).collect()
    }

    /// The rows, as JSON, for a viewer that has all changes up to an event; all rows for 0.
    ///
    /// Rows that changed at exactly that event are included, because whether a process drives the run can change
    /// without an event.
    pub fn since_event(&self, seq: u64) -> Vec<&str> {
        self.rows.values().filter(|row| row.seq >= seq).map(|row| row.json.as_str()).collect()
    }

    fn revise(&mut self, change: impl FnOnce(&mut RecordView)) {
        self.revision += 1;
        change(self);
        let run = RecordRow::Run(Box::new(self.run_row()));
        self.put(RowKey::Run, &run);
        let progress = RecordRow::Progress(self.progress_row());
        self.put(RowKey::Progress, &progress);
        let totals = RecordRow::Totals(self.record.totals.clone());
        self.put(RowKey::Totals, &totals);
    }

    fn put(&mut self, key: RowKey, row: &RecordRow) {
        let json = serde_json::to_string(row).expect("a row has names that are strings");
        let (seq, revision) = (self.record.seq, self.revision);
        match self.rows.get_mut(&key) {
            Some(stored) if stored.json == json => return,
            Some(stored) => {
                self.by_revision.remove(&(stored.revision, key));
                *stored = StoredRow { json, seq, revision };
            }
            None => {
                self.rows.insert(key, StoredRow { json, seq, revision });
            }
        }
        self.by_revision.insert((revision, key));
    }

    /// Updates the rows of the run that this kind of event can change.
    fn update_single_rows(&mut self, event: &Event) {
        match &event.kind {
            EventKind::PageObserved(page) => {
                self.page.page = Some(PageInfo { url: page.url.clone(), title: page.title.clone(), status: None });
                self.put(RowKey::Page, &RecordRow::Page(self.page.clone()));
            }
            EventKind::ScreenshotCaptured(picture) => {
                self.page.picture = Some(ScreenshotInfo::clone(picture));
                self.put(RowKey::Page, &RecordRow::Page(self.page.clone()));
            }
            EventKind::WorkflowProgress(progress) => self.remaining_ms = progress.estimated_time_remaining,
            EventKind::VariableUpdated(_) | EventKind::WarningIssued { .. } => self.put_data(),
            EventKind::WorkflowResumed { .. } => {
                self.put_data();
                self.put_problems();
            }
            EventKind::ErrorOccurred(_)
            | EventKind::InvestigationFailed(_)
            | EventKind::StepStarted { .. }
            | EventKind::StepCompleted(_)
            | EventKind::StepFailed(_) => self.put_problems(),
            EventKind::AiResponseReceived(call) if call.error.is_some() => self.put_problems(),
            kind if kind.outcome().is_some() => self.put_problems(),
            _ => {}
        }
        // These events occur only while no model is writing a reply.
        if matches!(
            &event.kind,
            EventKind::AiResponseReceived(_)
                | EventKind::AiReasoning { .. }
                | EventKind::CommandStarted { .. }
                | EventKind::StepStarted { .. }
                | EventKind::StepCompleted(_)
                | EventKind::StepFailed(_)
                | EventKind::QuestionAsked(_)
        ) {
            self.reply_ended = event.time.as_microsecond();
        }
    }

    /// The state for display: a running run or step is interrupted if no process drives the run.
    fn state(&self, state: RecordState) -> RecordState {
        if state == RecordState::Running && !self.is_live { RecordState::Interrupted } else { state }
    }

    fn run_row(&self) -> RunRow {
        let record = &self.record;
        let state = self.state(record.state);
        let outcome = record.outcome.as_ref();
        let error = outcome.and_then(|outcome| outcome.error.as_ref());
        RunRow {
            run: record.run,
            name: record.name.clone(),
            task: record.task,
            url: record.url.clone(),
            state,
            ended: matches!(state, RecordState::Ended(_) | RecordState::Interrupted),
            live: self.is_live && !matches!(state, RecordState::Ended(_)),
            verdict: verdict::of_run(record, state),
            began: record.started,
            end: record.ended,
            paused: record.paused.clone(),
            answer: outcome.and_then(|outcome| outcome.answer.clone()),
            outcome_unknown: error.is_some_and(|error| error.code == legwork_protocol::Code::OutcomeUnknown),
            question: record.open_question().cloned(),
            plan: record.task_plan.as_ref().map(|plan| plan.row(record, state)),
        }
    }

    fn progress_row(&self) -> ProgressRow {
        let RunRecord { seq, last, phase, .. } = &self.record;
        ProgressRow {
            seq: *seq,
            last: *last,
            phase: phase.map(describe::phase),
            remaining_ms: self.remaining_ms,
            reply_ended: self.reply_ended,
        }
    }

    fn put_data(&mut self) {
        let record = &self.record;
        let words = |value| cut(describe::value(value));
        let variables = record.variables.iter();
        let row = DataRow {
            variables: variables
                .map(|(name, one)| ValueRow { name: name.clone(), value: words(&one.value), step: one.step })
                .collect(),
            inputs: record
                .inputs
                .iter()
                .map(|(name, value)| ValueRow { name: name.clone(), value: words(value), step: None })
                .collect(),
            warnings: warnings(record, None),
            resumed: record.resumed.clone(),
        };
        self.put(RowKey::Data, &RecordRow::Data(row));
    }

    fn put_problems(&mut self) {
        let row = problems::of(&self.record);
        self.put(RowKey::Problems, &RecordRow::Problems(row));
    }

    fn put_running_steps(&mut self) {
        for index in 0..self.record.steps.len() {
            if self.record.steps[index].state == RecordState::Running {
                self.put_step(index);
            }
        }
    }

    fn put_step(&mut self, index: usize) {
        let Some(step) = self.record.steps.get(index) else { return };
        let state = self.state(step.state);
        let row = StepRow {
            index,
            text: step.text.clone(),
            state,
            verdict: verdict::of_step(step, state),
            began: step.started,
            end: step.ended,
            decider: step.decider(),
            result: step.result.as_ref().map(ResultRow::of),
            questions: step.questions.clone(),
            warnings: warnings(&self.record, Some(index)),
        };
        self.put(RowKey::Step(index), &RecordRow::Step(Box::new(row)));
    }
}

fn warnings(record: &RunRecord, step: Option<usize>) -> Vec<String> {
    let warnings = record.warnings.iter().filter(|warning| warning.step == step);
    warnings.map(|warning| warning.message.clone()).collect()
}

fn is_expanded(kind: &EventKind) -> bool {
    matches!(kind, EventKind::StepCompleted(result) if result.expansion.is_some())
}

fn ended_step(kind: &EventKind) -> Option<usize> {
    match kind {
        EventKind::StepCompleted(result) | EventKind::StepFailed(result) => Some(result.index),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
