//! The data for the template: plain texts and numbers, so that the template computes nothing.

use std::collections::BTreeMap;

use base64::{Engine, engine::general_purpose::STANDARD};
use jiff::Timestamp;
use legwork_protocol::{
    AiCall, Artifact, ChatRequest, ChatRole, ElementBox, ErrorReport, EventKind, ScreenshotInfo, Status,
};
use serde::Serialize;

use super::super::{
    CommandRecord, RecordState, RunRecord, StepRecord, Turn, describe, ms,
    verdict::{self, EvidenceRow, StatusLabel, ValidationLabel},
};
use super::{
    stylesheet::{self, Placement},
    timeline::{Bar, Tick, bars, ticks},
};

/// The data that images and texts are rendered with.
struct Attachments<'a> {
    bytes: &'a BTreeMap<String, Vec<u8>>,
    /// The outlines for each screenshot, by its id.
    outlines: BTreeMap<String, Outline>,
}

/// Longer texts are cut, and the page states it: the text of one hostile page must not make the export unreadable.
const MAX_TEXT_BYTES: usize = 120_000;

#[derive(Serialize)]
pub(super) struct Page<'a> {
    /// Inserted as it is: it consists of the stylesheet and of numbers.
    style: String,
    policy: String,
    version: &'a str,
    run: String,
    name: &'a str,
    state: &'a str,
    verdict: StatusLabel,
    started: String,
    took: String,
    url: Option<&'a str>,
    answer: Option<&'a str>,
    tiles: Vec<Tile>,
    error: Option<FailureView<'a>>,
    bars: Vec<Bar<'a>>,
    ticks: Vec<Tick>,
    outside: Vec<TurnView<'a>>,
    steps: Vec<StepView<'a>>,
    variables: Vec<(&'a str, String, String)>,
    inputs: Vec<(&'a str, String)>,
    warnings: Vec<(Option<usize>, &'a str)>,
    errors: Vec<FailureView<'a>>,
    resumed: Vec<String>,
    events: u64,
}

#[derive(Serialize)]
struct Tile {
    label: &'static str,
    value: String,
    note: String,
}

#[derive(Serialize)]
struct StepView<'a> {
    number: usize,
    text: &'a str,
    verdict: StatusLabel,
    decider: Option<&'a str>,
    took: String,
    open: bool,
    message: Option<&'a str>,
    evidence: Vec<EvidenceRow>,
    error: Option<FailureView<'a>>,
    warnings: Vec<&'a str>,
    questions: Vec<(&'a str, String)>,
    turns: Vec<TurnView<'a>>,
}

#[derive(Serialize)]
struct TurnView<'a> {
    number: usize,
    decider: Option<&'a str>,
    verdict: Option<String>,
    confidence: Option<String>,
    message: Option<&'a str>,
    reasons: Vec<(&'a str, &'a str)>,
    url: Option<&'a str>,
    title: Option<&'a str>,
    page: Option<Text>,
    calls: Vec<CallView<'a>>,
    commands: Vec<CommandView<'a>>,
    pictures: Vec<Picture>,
    before: Vec<String>,
    after: Vec<String>,
}

#[derive(Serialize)]
struct CallView<'a> {
    model: &'a str,
    usage: String,
    took: String,
    retries: u32,
    error: Option<FailureView<'a>>,
    prompt: Vec<(&'a str, Text)>,
    reply: Option<Text>,
}

#[derive(Serialize)]
struct CommandView<'a> {
    words: String,
    target: Option<&'a str>,
    /// `ok`, `failed`, `refused` (done, and the page responded with an error), `lost` (the journal contains no result).
    state: &'static str,
    sign: &'static str,
    took: Option<String>,
    failure: Option<String>,
    value: Option<String>,
    /// The effects in words, each with whether it contradicts the success of the action.
    effects: Vec<(String, bool)>,
    picture: Option<Picture>,
}

#[derive(Serialize)]
struct Picture {
    id: String,
    source: Option<String>,
    width: u32,
    height: u32,
    after: String,
    outline: Option<Outline>,
}

/// The target of the next action on the screenshot before it, in percent of the screenshot's size.
#[derive(Clone, Serialize)]
struct Outline {
    x: String,
    y: String,
    width: String,
    height: String,
    words: String,
}

#[derive(Serialize)]
struct Text {
    text: String,
    note: String,
}

#[derive(Serialize)]
struct FailureView<'a> {
    code: &'a str,
    name: &'a str,
    message: &'a str,
    details: &'a [String],
    causes: &'a [String],
    action: &'a str,
    step: Option<usize>,
}

impl<'a> Page<'a> {
    pub(super) fn new(record: &'a RunRecord, bytes: &BTreeMap<String, Vec<u8>>, style: &str) -> Self {
        let kept = &Attachments { bytes, outlines: outlines(record) };
        let outcome = record.outcome.as_ref();
        let error = outcome.and_then(|outcome| outcome.error.as_ref());
        let whole = record.duration(record.last);
        let (bars, ticks) = (bars(record), ticks(ms(whole)));
        let style = stylesheet::with_rules(style, placements(&bars, &ticks, &kept.outlines));
        Page {
            policy: stylesheet::policy(&style),
            style,
            version: env!("CARGO_PKG_VERSION"),
            run: record.run.to_string(),
            name: &record.name,
            state: record.state.name(),
            verdict: verdict::of_run(record, record.state),
            started: when(record.started),
            took: describe::duration(whole),
            url: record.url.as_deref(),
            answer: outcome.and_then(|outcome| outcome.answer.as_deref()),
            tiles: tiles(record),
            error: error.map(trouble),
            bars,
            ticks,
            outside: turns(&record.outside, kept),
            steps: record.steps.iter().map(|step| StepView::new(step, record, kept)).collect(),
            variables: record
                .variables
                .iter()
                .map(|(name, variable)| {
                    let from = variable.step.map_or(String::new(), |step| format!("step {}", step + 1));
                    (name.as_str(), describe::value(&variable.value), from)
                })
                .collect(),
            inputs: record.inputs.iter().map(|(name, value)| (name.as_str(), describe::value(value))).collect(),
            warnings: record.warnings.iter().map(|w| (w.step.map(|step| step + 1), w.message.as_str())).collect(),
            // The run's own error is shown at the top already.
            errors: record.errors.iter().filter(|e| error.is_none_or(|top| top.id != e.id)).map(trouble).collect(),
            resumed: record
                .resumed
                .iter()
                .map(|r| {
                    let why = if r.cut_short { ", after an interruption" } else { "" };
                    format!("{} at step {}{why}", when(r.time), r.step + 1)
                })
                .collect(),
            events: record.seq,
        }
    }
}

impl<'a> StepView<'a> {
    fn new(step: &'a StepRecord, record: &'a RunRecord, kept: &Attachments<'_>) -> Self {
        let result = step.result.as_ref();
        StepView {
            number: step.index + 1,
            text: &step.text,
            verdict: verdict::of_step(step, step.state),
            decider: step.decider().map(|decider| decider.name()),
            took: if step.state == RecordState::Pending {
                String::new()
            } else {
                describe::duration(step.duration(record.last))
            },
            open: !matches!(step.state, RecordState::Ended(Status::Success | Status::Skipped) | RecordState::Pending)
                || verdict::of_step(step, step.state).claim == Some(ValidationLabel::Contradicted),
            message: result.map(|result| result.message.as_str()).filter(|message| !message.is_empty()),
            evidence: result.map_or_else(Vec::new, |result| result.evidence.iter().map(EvidenceRow::of).collect()),
            error: result.and_then(|result| result.error.as_ref()).map(trouble),
            warnings: record
                .warnings
                .iter()
                .filter(|w| w.step == Some(step.index))
                .map(|w| w.message.as_str())
                .collect(),
            questions: step
                .questions
                .iter()
                .map(|asked| (asked.question.text.as_str(), asked.answer.clone().unwrap_or_else(|| "no answer".into())))
                .collect(),
            turns: turns(&step.turns, kept),
        }
    }
}

fn turns<'a>(turns: &'a [Turn], kept: &Attachments<'_>) -> Vec<TurnView<'a>> {
    // A last observation without a decision or command is not worth a turn, unless it is the only turn or has a
    // screenshot.
    let worth = |turn: &&Turn| !turn.idle() || !turn.pictures.is_empty() || turns.len() == 1;
    turns.iter().filter(worth).enumerate().map(|(index, turn)| TurnView::new(index + 1, turn, kept)).collect()
}

impl<'a> TurnView<'a> {
    fn new(number: usize, turn: &'a Turn, kept: &Attachments<'_>) -> Self {
        let decision = turn.decided.as_ref().map(|decided| &decided.decision);
        let reasons = decision.map_or_else(Vec::new, |decision| {
            let reasoning = &decision.reasoning;
            [
                ("Analysis", reasoning.analysis.as_str()),
                ("Rationale", &reasoning.rationale),
                ("Expects", &reasoning.expected_outcome),
                ("Alternatives", reasoning.alternatives.as_deref().unwrap_or_default()),
            ]
            .into_iter()
            .filter(|(_, words)| !words.is_empty())
            .collect()
        });
        let page = turn.observed.as_ref();
        TurnView {
            number,
            decider: turn.decider().map(|decider| decider.name()),
            verdict: decision.map(|decision| format!("{:?}", decision.verdict).to_lowercase()),
            confidence: decision.map(|decision| format!("{:.0} %", decision.confidence * 100.0)),
            message: decision.map(|decision| decision.message.as_str()).filter(|message| !message.is_empty()),
            reasons,
            url: page.map(|page| page.url.as_str()),
            title: page.map(|page| page.title.as_str()),
            page: page.and_then(|page| page.text.as_ref()).map(|text| read(text, kept)),
            calls: turn.calls.iter().map(|call| CallView::new(call, kept)).collect(),
            commands: turn.commands.iter().map(|command| CommandView::new(command, kept)).collect(),
            pictures: turn.pictures.iter().map(|info| picture(info, kept)).collect(),
            before: thoughts(turn, |kind| !matches!(kind, EventKind::AnswerValidated(_))),
            after: thoughts(turn, |kind| matches!(kind, EventKind::AnswerValidated(_))),
        }
    }
}

/// The other work of the model, in words. A review of an answer is shown after the answer, everything else before the
/// action.
fn thoughts(turn: &Turn, wanted: impl Fn(&EventKind) -> bool) -> Vec<String> {
    turn.thoughts.iter().filter(|kind| wanted(kind)).filter_map(describe::thought).collect()
}

impl<'a> CallView<'a> {
    fn new(call: &'a AiCall, kept: &Attachments<'_>) -> Self {
        CallView {
            model: &call.model,
            usage: describe::usage(&call.usage).unwrap_or_else(|| "nothing used".to_owned()),
            took: describe::duration(std::time::Duration::from_millis(call.latency_ms)),
            retries: call.retries,
            error: call.error.as_ref().map(trouble),
            prompt: prompt(&call.request, kept),
            reply: call.reply.as_ref().map(|reply| read(reply, kept)),
        }
    }
}

impl<'a> CommandView<'a> {
    fn new(command: &'a CommandRecord, kept: &Attachments<'_>) -> Self {
        let result = command.result.as_ref();
        let (state, sign) = match result {
            None => ("lost", "?"),
            Some(result) if !result.ok() => ("failed", "✗"),
            Some(result) if result.effects.iter().any(verdict::is_against) => ("refused", "✗"),
            Some(_) => ("ok", "✓"),
        };
        CommandView {
            words: describe::command(command),
            target: command.action.target().map(|target| target.0.as_str()),
            state,
            sign,
            took: result.map(|result| describe::duration(result.duration)),
            failure: result.and_then(legwork_protocol::ActionResult::failure_text),
            value: result.and_then(|result| result.value.as_ref()).map(|value| cut(describe::value(value)).text),
            effects: result.map_or_else(Vec::new, |result| {
                result.effects.iter().map(|effect| (describe::effect(effect), verdict::is_against(effect))).collect()
            }),
            picture: command.picture.as_ref().map(|info| picture(info, kept)),
        }
    }
}

fn trouble(error: &ErrorReport) -> FailureView<'_> {
    FailureView {
        code: error.code.code(),
        name: &error.name,
        message: &error.message,
        details: &error.details,
        causes: &error.causes,
        action: &error.suggested_action,
        step: error.step.map(|step| step + 1),
    }
}

fn picture(info: &ScreenshotInfo, kept: &Attachments<'_>) -> Picture {
    let image = &info.image;
    // Only known image types become a data URL: a hostile media type must not turn it into a document. Because it
    // consists of a known type and base64, the template inserts it unescaped; escaping would lengthen it because of its
    // slashes.
    let known = matches!(image.media_type.as_str(), "image/png" | "image/jpeg" | "image/webp");
    let source = kept
        .bytes
        .get(&image.hash)
        .filter(|_| known)
        .map(|bytes| format!("data:{};base64,{}", image.media_type, STANDARD.encode(bytes)));
    let id = picture_id(info);
    Picture {
        outline: kept.outlines.get(&id).cloned(),
        id,
        source,
        width: info.width,
        height: info.height,
        after: info.action_type.clone(),
    }
}

fn picture_id(info: &ScreenshotInfo) -> String {
    info.command_id.map_or_else(|| info.image.hash.chars().take(16).collect(), |command| command.to_string())
}

/// A screenshot is taken after an action, so the target of the next action is outlined on it.
fn outlines(record: &RunRecord) -> BTreeMap<String, Outline> {
    let mut made = BTreeMap::new();
    let mut last = None;
    for turn in record.turns() {
        for command in &turn.commands {
            if let (Some(id), Some(stood)) = (&last, command.result.as_ref().and_then(|result| result.r#box.as_ref())) {
                made.entry(String::clone(id)).or_insert_with(|| outline(stood, describe::command(command)));
            }
            last = command.picture.as_ref().map(picture_id).or(last);
        }
        last = turn.pictures.last().map(picture_id).or(last);
    }
    made
}

fn outline(stood: &ElementBox, words: String) -> Outline {
    let [width, height] = stood.view.map(|length| f64::from(length.max(1)));
    let share = |length: f64, of: f64| format!("{:.2}", length * 100.0 / of);
    Outline {
        x: share(f64::from(stood.x), width),
        y: share(f64::from(stood.y), height),
        width: share(f64::from(stood.width), width),
        height: share(f64::from(stood.height), height),
        words,
    }
}

fn prompt(request: &Artifact, kept: &Attachments<'_>) -> Vec<(&'static str, Text)> {
    let messages = kept.bytes.get(&request.hash).and_then(|bytes| serde_json::from_slice::<ChatRequest>(bytes).ok());
    match messages {
        None => vec![("Prompt", read(request, kept))],
        Some(request) => request
            .messages
            .iter()
            .map(|message| {
                let who = match message.speaker {
                    ChatRole::System => "System",
                    ChatRole::User => "Legwork",
                    ChatRole::Assistant => "Model",
                };
                (who, cut(message.text.to_string()))
            })
            .collect(),
    }
}

fn read(artifact: &Artifact, kept: &Attachments<'_>) -> Text {
    match kept.bytes.get(&artifact.hash) {
        Some(bytes) => cut(String::from_utf8_lossy(bytes).into_owned()),
        None => Text {
            text: String::new(),
            note: format!("not here: {} of {}, {}", describe::bytes(artifact.size), artifact.media_type, artifact.hash),
        },
    }
}

fn cut(mut text: String) -> Text {
    let whole = text.len();
    let mut note = String::new();
    if whole > MAX_TEXT_BYTES {
        text.truncate(text.floor_char_boundary(MAX_TEXT_BYTES));
        note = format!("cut: {} of {} shown", describe::bytes(MAX_TEXT_BYTES as u64), describe::bytes(whole as u64));
    }
    Text { text, note }
}

fn tiles(record: &RunRecord) -> Vec<Tile> {
    let totals = &record.totals;
    let mut tiles = vec![
        Tile {
            label: "Steps",
            value: format!("{} / {}", totals.steps_done, totals.steps),
            note: match totals.steps_skipped {
                0 => String::new(),
                skipped => format!("{skipped} skipped"),
            },
        },
        Tile { label: "Time", value: describe::duration(record.duration(record.last)), note: String::new() },
        Tile {
            label: "Actions",
            value: totals.commands.to_string(),
            note: match totals.commands_failed {
                0 => "none failed".to_owned(),
                failed => format!("{failed} failed"),
            },
        },
        Tile {
            label: "Decided by",
            value: deciders(record),
            note: format!("{} turns, {} looks", totals.turns, totals.observations),
        },
    ];
    let usage = &totals.usage;
    if usage.calls > 0 {
        tiles.push(Tile {
            label: "Tokens",
            value: describe::tokens(usage.prompt_tokens + usage.completion_tokens),
            note: format!("{} calls, {} cached", usage.calls, describe::tokens(usage.cached_tokens)),
        });
        tiles.push(Tile {
            label: "Cost",
            value: usage.cost_usd.map_or_else(|| "unknown".to_owned(), |cost| format!("${cost:.4}")),
            note: String::new(),
        });
    }
    tiles
}

fn deciders(record: &RunRecord) -> String {
    let decisions = record.totals.decisions;
    let named = [("literal", decisions.literal), ("custom", decisions.custom), ("model", decisions.model)];
    let some: Vec<_> =
        named.iter().filter(|(_, count)| *count > 0).map(|(name, count)| format!("{name} {count}")).collect();
    if some.is_empty() { "nobody".to_owned() } else { some.join(" · ") }
}

fn placements<'a>(
    bars: &'a [Bar<'_>],
    ticks: &'a [Tick],
    outlines: &'a BTreeMap<String, Outline>,
) -> impl Iterator<Item = Placement<'a>> {
    let bars = bars.iter().map(|bar| Placement {
        id: format!("bar-{}", bar.number),
        class: None,
        lengths: vec![("left", &bar.from), ("width", &bar.long)],
    });
    let ticks = ticks.iter().zip(1..).map(|(tick, number): (&Tick, usize)| Placement {
        id: format!("tick-{number}"),
        class: None,
        lengths: vec![("left", &tick.at)],
    });
    let outlines = outlines.iter().map(|(id, outline)| Placement {
        id: format!("shot-{id}"),
        class: Some("outline"),
        lengths: vec![
            ("left", &outline.x),
            ("top", &outline.y),
            ("width", &outline.width),
            ("height", &outline.height),
        ],
    });
    bars.chain(ticks).chain(outlines)
}

fn when(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}
