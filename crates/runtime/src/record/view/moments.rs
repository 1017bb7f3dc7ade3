//! A run on a timeline, for the trace viewer. Each moment states when it happened, what it was and which facts belong
//! to it.

use std::collections::{BTreeSet, HashMap};

use jiff::Timestamp;
use legwork_protocol::{
    AiCall, CommandId, DecidedBy, Event, EventKind, PageLog, PageObserved, Purpose, RequestLine, ScreenshotInfo,
};

use super::{
    super::{CommandRecord, QuestionRecord, RunRecord, StepRecord, between, describe, ms, verdict, verdict::Tone},
    rows::{
        ActivityRow, BandRow, CallRow, CommandRow, DecisionRow, MomentKind, MomentRow, PictureRow, RecordRow,
        ResultRow, RowKey, some,
    },
    thoughts,
};

/// The moments so far.
#[derive(Debug)]
pub(super) struct Moments {
    began: Timestamp,
    moments: Vec<Moment>,
    bands: Vec<(usize, BandRow)>,
    /// In the order of the moments that they show.
    pictures: Vec<(PictureRow, ScreenshotInfo)>,
    /// The moment of each command, by index.
    commands: HashMap<CommandId, usize>,
    /// The text of each page, by the page's fingerprint.
    texts: HashMap<String, String>,
    /// The moment that lists each request, by index.
    requests: HashMap<u64, usize>,
    observed: Option<PageObserved>,
    /// The fingerprint of the previous page.
    observed_before: Option<String>,
    reading: Option<String>,
    reading_before: Option<String>,
    /// The last call within the step that made a decision.
    model: Option<usize>,
    question: Option<usize>,
    changed: BTreeSet<RowKey>,
}

#[derive(Debug)]
struct Moment {
    row: MomentRow,
    fingerprint: Option<String>,
    fingerprint_before: Option<String>,
    /// The screenshot that was taken after the command.
    own: Option<u64>,
}

impl Moments {
    pub(super) fn new(began: Timestamp) -> Moments {
        Moments {
            began,
            moments: Vec::new(),
            bands: Vec::new(),
            pictures: Vec::new(),
            commands: HashMap::new(),
            texts: HashMap::new(),
            requests: HashMap::new(),
            observed: None,
            observed_before: None,
            reading: None,
            reading_before: None,
            model: None,
            question: None,
            changed: BTreeSet::new(),
        }
    }

    /// The rows that changed since the last call of this function.
    pub(super) fn changed(&mut self) -> Vec<(RowKey, RecordRow)> {
        let changed = std::mem::take(&mut self.changed);
        changed.into_iter().filter_map(|key| Some((key, self.row(key)?))).collect()
    }

    fn row(&self, key: RowKey) -> Option<RecordRow> {
        Some(match key {
            RowKey::Moment(seq) => {
                let at = self.moments.binary_search_by_key(&seq, |moment| moment.row.seq).ok()?;
                RecordRow::Moment(Box::new(self.moments[at].row.clone()))
            }
            RowKey::Band(seq) => RecordRow::Band(self.bands.iter().find(|(_, band)| band.seq == seq)?.1.clone()),
            RowKey::Picture(seq) => RecordRow::Picture(self.pictures.iter().find(|(row, _)| row.seq == seq)?.0.clone()),
            _ => return None,
        })
    }

    /// Adds the next event. `record` must include it already.
    pub(super) fn apply(&mut self, record: &RunRecord, event: &Event) {
        let at = self.at(event);
        match &event.kind {
            EventKind::StepStarted { .. } => {
                let band = BandRow { seq: event.seq, from: at, to: None, tone: Tone::Busy };
                self.changed.insert(RowKey::Band(band.seq));
                self.bands.push((event.step.unwrap_or_default(), band));
                self.model = None;
            }
            EventKind::StepCompleted(result) | EventKind::StepFailed(result) => {
                let standing = verdict::of_result(result);
                if let Some((_, band)) = self.bands.iter_mut().rev().find(|(step, _)| *step == result.index) {
                    band.to = Some(at);
                    band.tone = standing.tone;
                    self.changed.insert(RowKey::Band(band.seq));
                }
                let title = format!("Step {}: {}", result.index + 1, standing.words.to_lowercase());
                let moment = self.add(event, MomentKind::End, title, standing.tone);
                moment.note = some(result.text.clone());
                moment.result = Some(ResultRow::of(result));
            }
            EventKind::PageObserved(page) => {
                let before = self.observed.replace(page.clone());
                if let Some(before) = before.filter(|before| before.fingerprint != page.fingerprint) {
                    self.observed_before = Some(before.fingerprint);
                }
                if let Some(text) = &page.text {
                    self.text(&page.fingerprint, &text.hash);
                }
            }
            EventKind::PageTextSaved(page) => self.text(&page.fingerprint, &page.text.hash),
            EventKind::PageLog(log) => self.log(log),
            EventKind::AiResponseReceived(call) => self.called(event, call),
            EventKind::AiReasoning { decider, decision } => {
                if *decider != DecidedBy::Model {
                    // What follows was not decided by an earlier call.
                    self.model = None;
                } else if let Some(index) = self.model {
                    let row = &mut self.moments[index].row;
                    row.decision = Some(DecisionRow::of_model(decision));
                    self.changed.insert(RowKey::Moment(row.seq));
                }
            }
            EventKind::CommandStarted { command_id, .. } => {
                let Some(command) = command_of(record, event.step, *command_id) else { return };
                let moment = self.add(event, MomentKind::Action, describe::command(command), Tone::Wait);
                moment.note = Some("no result on record".to_owned());
                moment.command = Some(CommandRow::of(command));
                self.commands.insert(*command_id, self.moments.len() - 1);
            }
            EventKind::CommandCompleted { command_id, result } | EventKind::CommandFailed { command_id, result } => {
                let command = command_of(record, event.step, *command_id);
                let (Some(index), Some(command)) = (self.commands.get(command_id).copied(), command) else { return };
                let row = &mut self.moments[index].row;
                row.title = describe::command(command);
                row.to = at;
                row.took = Some(ms(result.duration));
                let bad = !result.ok() || result.effects.iter().any(verdict::is_against);
                row.tone = if bad { Tone::Bad } else { Tone::Good };
                row.note = result.failure_text();
                row.command = Some(CommandRow::of(command));
                self.changed.insert(RowKey::Moment(row.seq));
            }
            EventKind::ScreenshotCaptured(info) => self.picture(event, at, info),
            EventKind::QuestionAsked(question) => {
                let moment = self.add(event, MomentKind::Question, format!("asks: {}", question.text), Tone::Wait);
                moment.question = Some(QuestionRecord { question: question.clone(), answer: None });
                self.question = Some(self.moments.len() - 1);
            }
            EventKind::QuestionAnswered { answer } => {
                let Some(moment) = self.question.map(|index| &mut self.moments[index].row) else { return };
                if let Some(question) = &mut moment.question {
                    question.answer = Some(answer.clone());
                }
                moment.to = at;
                moment.tone = Tone::Good;
                self.changed.insert(RowKey::Moment(moment.seq));
            }
            EventKind::ErrorOccurred(error) => {
                let tone = if error.recoverable { Tone::Wait } else { Tone::Bad };
                let moment = self.add(event, MomentKind::Error, error.message.clone(), tone);
                moment.note = Some(error.name.clone());
                moment.error = Some(error.clone());
            }
            EventKind::WarningIssued { message } => {
                self.add(event, MomentKind::Warning, message.clone(), Tone::Wait);
            }
            kind => {
                let Some(thought) = thoughts::of(kind) else { return };
                self.add(event, MomentKind::Thought, thought.title, thought.tone).note = thought.text;
            }
        }
    }

    /// Milliseconds since the start of the run.
    fn at(&self, event: &Event) -> u64 {
        ms(between(self.began, event.time))
    }

    fn add(&mut self, event: &Event, kind: MomentKind, title: String, tone: Tone) -> &mut MomentRow {
        let at = self.at(event);
        let fingerprint = self.observed.as_ref().map(|page| page.fingerprint.clone());
        let text = |fingerprint: &Option<String>| self.texts.get(fingerprint.as_ref()?).cloned();
        let newest = |at: u64| self.pictures.iter().rev().find(|(row, _)| row.at <= at).map(|(_, info)| info.clone());
        let row = MomentRow {
            seq: event.seq,
            kind,
            step: event.step,
            from: at,
            to: at,
            took: None,
            title,
            note: None,
            tone,
            place: self.observed.as_ref().and_then(|page| some(page.title.clone()).or_else(|| some(page.url.clone()))),
            command: None,
            call: None,
            decision: None,
            model: self
                .model
                .filter(|_| matches!(kind, MomentKind::Action | MomentKind::End))
                .map(|index| self.moments[index].row.seq),
            result: None,
            error: None,
            question: None,
            page: text(&fingerprint),
            page_before: text(&self.observed_before),
            reading: self.reading.clone(),
            reading_before: self.reading_before.clone(),
            activity: None,
            before: newest(at),
            after: (kind != MomentKind::Action).then(|| newest(at)).flatten(),
        };
        self.changed.insert(RowKey::Moment(event.seq));
        let fingerprint_before = self.observed_before.clone();
        self.moments.push(Moment { row, fingerprint, fingerprint_before, own: None });
        &mut self.moments.last_mut().expect("one was pushed").row
    }

    fn called(&mut self, event: &Event, call: &AiCall) {
        let row = CallRow::of(call);
        if matches!(call.purpose, Purpose::Act | Purpose::Investigate | Purpose::Extract | Purpose::Validate) {
            self.reading_before = self.reading.replace(row.request.clone());
        }
        let tone = if call.error.is_some() { Tone::Bad } else { Tone::Idle };
        let words = [describe::tokens(call.usage.prompt_tokens), describe::tokens(call.usage.completion_tokens)];
        let from = self.at(event).saturating_sub(call.latency_ms);
        let moment = self.add(event, MomentKind::Model, purpose(call.purpose).to_owned(), tone);
        moment.from = from;
        moment.took = Some(call.latency_ms);
        moment.note = Some(format!("{}: {} tokens in, {} out", call.model, words[0], words[1]));
        moment.error.clone_from(&call.error);
        moment.call = Some(row);
        self.model = Some(self.moments.len() - 1);
        self.frame(self.moments.len() - 1);
    }

    /// Adds the text of a page. It arrives after the page was observed, so moments that refer to the page may exist
    /// already.
    fn text(&mut self, fingerprint: &str, hash: &str) {
        if self.texts.insert(fingerprint.to_owned(), hash.to_owned()).is_some_and(|known| known == hash) {
            return;
        }
        for moment in &mut self.moments {
            let mut changed = false;
            if moment.fingerprint.as_deref() == Some(fingerprint) {
                moment.row.page = Some(hash.to_owned());
                changed = true;
            }
            if moment.fingerprint_before.as_deref() == Some(fingerprint) {
                moment.row.page_before = Some(hash.to_owned());
                changed = true;
            }
            if changed {
                self.changed.insert(RowKey::Moment(moment.row.seq));
            }
        }
    }

    fn log(&mut self, log: &PageLog) {
        let Some(index) = log.command_id.and_then(|id| self.commands.get(&id).copied()) else { return };
        let mut fresh: Vec<RequestLine> = Vec::new();
        for line in &log.requests {
            // A request that was in progress when it was recorded is recorded again when it ends. It keeps its place in
            // the list.
            let Some(listed) = self.requests.get(&line.number) else {
                self.requests.insert(line.number, index);
                fresh.push(line.clone());
                continue;
            };
            let row = &mut self.moments[*listed].row;
            let lines = row.activity.as_mut().map(|activity| &mut activity.requests);
            if let Some(known) = lines.and_then(|lines| lines.iter_mut().find(|known| known.number == line.number)) {
                known.clone_from(line);
                self.changed.insert(RowKey::Moment(row.seq));
            }
        }
        let row = &mut self.moments[index].row;
        // A request for a change is recorded when it is sent, before the others.
        let mut lines = row.activity.take().map(|activity| activity.requests).unwrap_or_default();
        lines.append(&mut fresh);
        row.activity = Some(ActivityRow::of(log, lines));
        self.changed.insert(RowKey::Moment(row.seq));
    }

    /// Adds a screenshot. It arrives while the page is already being observed again, and shows the page as the command
    /// left it.
    fn picture(&mut self, event: &Event, at: u64, info: &ScreenshotInfo) {
        let command = info.command_id.and_then(|id| self.commands.get(&id).copied());
        let at = command.map_or(at, |index| self.moments[index].row.to);
        if let Some(index) = command {
            self.moments[index].own = Some(event.seq);
            self.moments[index].row.after = Some(info.clone());
            self.changed.insert(RowKey::Moment(self.moments[index].row.seq));
        }
        let place = self.pictures.partition_point(|(row, _)| row.at <= at);
        let row = PictureRow { seq: event.seq, at, hash: info.image.hash.clone() };
        self.changed.insert(RowKey::Picture(event.seq));
        self.pictures.insert(place, (row, info.clone()));
        for index in 0..self.moments.len() {
            if self.moments[index].row.to >= at {
                self.frame(index);
            }
        }
    }

    /// Sets the screenshot that was current when a moment began. A moment that is no action also gets the newest one at
    /// its end.
    fn frame(&mut self, index: usize) {
        let Moment { row, own, .. } = &self.moments[index];
        let newest = |at: u64, except: Option<u64>| {
            let mut pictures = self.pictures.iter().rev();
            pictures.find(|(row, _)| row.at <= at && Some(row.seq) != except).map(|(_, info)| info.clone())
        };
        let before = newest(row.from, *own);
        let after = if row.kind == MomentKind::Action { row.after.clone() } else { newest(row.to, None) };
        let row = &mut self.moments[index].row;
        if row.before != before || row.after != after {
            (row.before, row.after) = (before, after);
            self.changed.insert(RowKey::Moment(row.seq));
        }
    }
}

fn command_of(record: &RunRecord, step: Option<usize>, id: CommandId) -> Option<&CommandRecord> {
    let step: Option<&StepRecord> = step.and_then(|at| record.steps.get(at));
    let turns = step.map_or(&record.outside, |step| &step.turns);
    turns.iter().rev().flat_map(|turn| turn.commands.iter().rev()).find(|command| command.command_id == id)
}

fn purpose(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Act => "The model decides",
        Purpose::Plan => "The model plans",
        Purpose::Validate => "The model checks the answer",
        Purpose::Extract => "The model extracts data",
        Purpose::Look => "The model looks at an image",
        Purpose::Investigate => "The model investigates",
        Purpose::Reflect => "The model reflects",
        Purpose::Compact => "The model shortens the history",
    }
}
