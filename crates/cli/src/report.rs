//! A run that ended or waits, as text: the end of `run` and the whole of `show`.

use std::fmt::Write;

use legwork::{
    record::{CommandRecord, QuestionRecord, RecordState, RunRecord, StepRecord, Turn, describe},
    store::short_id,
};
use legwork_protocol::{Code, DecidedBy, Evidence, PlaybookUse, Polarity, Status, Validation};

use crate::{
    progress_lines::{action, advice, mark_checked, step_mark},
    style::{Style, escape_control},
};

/// The playbook that a run uses, in words.
pub(crate) fn playbook_use(used: &PlaybookUse) -> String {
    let version = used.version.map_or(String::new(), |version| format!(" (version {version})"));
    format!("repeats the playbook of run {}{version}", short_id(used.run))
}

/// How a run ended: the evidence of each step, the values, the usage. The progress lines have already shown the rest.
pub(crate) fn end(record: &RunRecord, style: Style) -> String {
    let mut text = String::new();
    if record.steps.iter().any(|step| step.result.as_ref().is_some_and(|result| !result.evidence.is_empty())) {
        line(&mut text, &format!("\n{}", style.bold("Evidence")));
        for step in &record.steps {
            evidence(&mut text, step, style, true);
        }
    }
    variables(&mut text, record, style);
    line(&mut text, "");
    verdict(&mut text, record, style);
    text
}

/// What a run returned: its answer and its variables.
pub(crate) fn results(record: &RunRecord) -> String {
    let mut text = String::new();
    for part in record.outcome.iter().filter_map(|outcome| outcome.answer.as_deref()).flat_map(str::lines) {
        line(&mut text, &escape_control(part));
    }
    for (name, variable) in &record.variables {
        line(&mut text, &format!("{name} = {}", escape_control(&describe::value(&variable.value))));
    }
    text
}

/// Everything about a run.
pub(crate) fn show(record: &RunRecord, style: Style) -> String {
    let mut text = String::new();
    line(
        &mut text,
        &format!("{} {}", style.bold(escape_control(&record.name)), style.dim(format!("run {}", record.run))),
    );
    let url = record.url.as_deref().map_or(String::new(), |url| format!(", from {}", escape_control(url)));
    line(&mut text, &style.dim(format!("began {}{url}", record.started.strftime("%Y-%m-%d %H:%M:%S UTC"))));
    for resumption in &record.resumed {
        let why = if resumption.cut_short { " after an interruption" } else { "" };
        let when = resumption.time.strftime("%Y-%m-%d %H:%M:%S UTC");
        line(&mut text, &style.dim(format!("resumed {when} at step {}{why}", resumption.step + 1)));
    }
    if let Some(used) = &record.playbook {
        line(&mut text, &style.dim(playbook_use(used)));
    }
    line(&mut text, "");
    turns(&mut text, &record.outside, style);
    for step in &record.steps {
        show_step(&mut text, record, step, style);
    }
    variables(&mut text, record, style);
    let loose = record.warnings.iter().filter(|warning| warning.step.is_none());
    for warning in loose {
        line(&mut text, &format!("{} {}", style.wait("!"), escape_control(&warning.message)));
    }
    line(&mut text, "");
    verdict(&mut text, record, style);
    text
}

fn show_step(text: &mut String, record: &RunRecord, step: &StepRecord, style: Style) {
    let facts = match step.state {
        RecordState::Pending => "not started".to_owned(),
        RecordState::Ended(Status::Success) => {
            format!("{} {}", step.decider().map_or("", DecidedBy::name), describe::duration(step.duration(record.last)))
        }
        state => format!("{} {}", state.name(), describe::duration(step.duration(record.last))),
    };
    let number = style.dim(format!("{:>2}", step.index + 1));
    line(
        text,
        &format!("{} {number} {}  {}", step_mark(step, style), escape_control(&step.text), style.dim(facts.trim())),
    );
    turns(text, &step.turns, style);
    for QuestionRecord { question, answer } in &step.questions {
        let answer = answer.as_deref().map_or_else(|| "no answer".to_owned(), escape_control);
        line(text, &format!("      {} {} {answer}", style.busy("?"), escape_control(&question.text)));
    }
    for warning in record.warnings.iter().filter(|warning| warning.step == Some(step.index)) {
        line(text, &format!("      {} {}", style.wait("!"), escape_control(&warning.message)));
    }
    evidence(text, step, style, false);
    if let Some(error) = step.result.as_ref().and_then(|result| result.error.as_ref()) {
        line(text, &format!("      {}", style.bad(escape_control(&error.to_string()))));
        for detail in &error.details {
            line(text, &format!("      {}", style.dim(escape_control(detail))));
        }
        line(text, &format!("      try: {}", advice(error, record.run)));
    }
}

fn turns(text: &mut String, turns: &[Turn], style: Style) {
    for turn in turns {
        for call in &turn.calls {
            let used = describe::usage(&call.usage).unwrap_or_else(|| "no usage reported".to_owned());
            let took = describe::duration(std::time::Duration::from_millis(call.latency_ms));
            line(text, &style.dim(format!("      {}: {used}, {took}", escape_control(&call.model))));
            if let Some(error) = &call.error {
                line(text, &format!("      {}", style.bad(escape_control(&error.to_string()))));
            }
        }
        for thought in turn.thoughts.iter().filter_map(describe::thought) {
            line(text, &format!("      {}", escape_control(&thought)));
        }
        let thought_up = |decider| matches!(decider, DecidedBy::Model | DecidedBy::Custom);
        if let Some(decided) = turn.decided.as_ref().filter(|decided| thought_up(decided.decider)) {
            let decision = &decided.decision;
            let confidence = format!("{:.0} %", decision.confidence * 100.0);
            let said = if decision.message.is_empty() { &decision.reasoning.rationale } else { &decision.message };
            line(
                text,
                &format!(
                    "      {} {}  {}",
                    style.busy(decided.decider.name()),
                    escape_control(said),
                    style.dim(confidence)
                ),
            );
        }
        for command in &turn.commands {
            line(text, &format!("{}  {}", action(command, style), style.dim(decided_by(command))));
            if let Some(reason) = &command.healed {
                line(text, &style.dim(format!("        healed: {}", escape_control(reason))));
            }
            let effects = command.result.iter().flat_map(|result| &result.effects);
            for effect in effects {
                line(text, &style.dim(format!("        → {}", escape_control(&describe::effect(effect)))));
            }
        }
    }
}

/// Who decided on an action, and how well its element agrees with the one of the playbook.
fn decided_by(command: &CommandRecord) -> String {
    match command.score {
        Some(score) => format!("{} {:.0} %", command.decider.name(), score * 100.0),
        None => command.decider.name().to_owned(),
    }
}

fn evidence(text: &mut String, step: &StepRecord, style: Style, heading: bool) {
    let facts = step.result.as_ref().map_or(&[][..], |result| &result.evidence);
    if heading && !facts.is_empty() {
        line(
            text,
            &format!(
                "{} {} {}",
                step_mark(step, style),
                style.dim(format!("{:>2}", step.index + 1)),
                escape_control(&step.text)
            ),
        );
    }
    for fact in facts {
        let (sign, words) = match fact.polarity {
            Polarity::Contradicting => (style.bad("✗"), "against: "),
            Polarity::Neutral => (style.dim("·"), "neutral: "),
            Polarity::Supporting if fact.checked => (style.good("✓"), "shows: "),
            Polarity::Supporting => (style.dim("+"), "shows: "),
        };
        let words = if heading && fact.polarity == Polarity::Supporting { "" } else { words };
        line(text, &format!("      {sign} {}{}", style.dim(words), escape_control(&fact.fact)));
    }
}

fn variables(text: &mut String, record: &RunRecord, style: Style) {
    if record.variables.is_empty() {
        return;
    }
    line(text, &format!("\n{}", style.bold("Variables")));
    for (name, variable) in &record.variables {
        line(text, &format!("      {name} = {}", escape_control(&describe::value(&variable.value))));
    }
}

fn verdict(text: &mut String, record: &RunRecord, style: Style) {
    let outcome = record.outcome.as_ref();
    if let Some(answer) = outcome.and_then(|outcome| outcome.answer.as_deref()) {
        // A model's answer may have several lines; each is made safe for the terminal separately.
        for part in answer.lines() {
            line(text, &escape_control(part));
        }
        line(text, "");
    }
    let totals = &record.totals;
    let how = match record.state {
        RecordState::Ended(Status::Success) => match outcome.map(|outcome| outcome.validation) {
            Some(Validation::Validated) => "success, validated",
            Some(Validation::Rejected) => "success claimed, rejected by evidence",
            _ => "success, unvalidated",
        },
        RecordState::Ended(Status::Failure) => match outcome.map(|outcome| outcome.validation) {
            Some(Validation::Rejected) => "failure: rejected by evidence",
            _ if outcome
                .and_then(|outcome| outcome.error.as_ref())
                .is_some_and(|error| error.code == Code::OutcomeUnknown) =>
            {
                "failure: outcome unknown"
            }
            _ => "failure",
        },
        RecordState::Ended(Status::Error) => "error",
        RecordState::Ended(Status::Cancelled) => "cancelled",
        RecordState::Ended(Status::Parked) => "parked: waiting for a person",
        RecordState::Running => "running or interrupted",
        RecordState::Interrupted => "interrupted",
        state => state.name(),
    };
    let validation = outcome.map(|outcome| outcome.validation);
    let sign = mark_checked(record.state, validation, style);
    let unshown = record.state == RecordState::Ended(Status::Success) && validation == Some(Validation::Unvalidated);
    let how = if unshown { style.wait(how) } else { style.bold(how) };
    let took = describe::duration(record.duration(record.last));
    let actions = if totals.commands == 1 { "action" } else { "actions" };
    let counts = format!("{} of {} steps, {} {actions}, {took}", totals.steps_done, totals.steps, totals.commands);
    line(text, &format!("{sign} {how}  {}", style.dim(counts)));
    if unshown && record.steps.iter().any(is_not_compared) {
        let why = "nothing compared what the model did with the task: state it in `expect:` of a workflow, or set \
                   LEGWORK_PLANNING=always";
        line(text, &style.dim(format!("  {why}")));
    }
    if let Some(usage) = describe::usage(&totals.usage) {
        line(text, &style.dim(format!("  {usage}")));
    }
    if totals.models.len() > 1 {
        for (model, usage) in &totals.models {
            let usage = describe::usage(usage).unwrap_or_default();
            line(text, &style.dim(format!("    {}: {usage}", escape_control(model))));
        }
    }
    if let Some(reason) = &record.paused {
        line(text, &format!("  {}", escape_control(reason)));
    }
    let reported =
        record.steps.iter().filter_map(|step| step.result.as_ref()?.error.as_ref()).map(|error| &error.message);
    if let Some(error) = outcome.and_then(|outcome| outcome.error.as_ref())
        && !reported.into_iter().any(|message| *message == error.message)
    {
        line(text, &format!("  {}", style.bad(escape_control(&error.to_string()))));
        for detail in error.details.iter().chain(&error.causes) {
            line(text, &format!("  {}", escape_control(detail)));
        }
        line(text, &format!("  try: {}", advice(error, record.run)));
    }
}

/// Whether a model did a step, facts support it, and neither an expectation nor a plan says what its result is.
fn is_not_compared(step: &StepRecord) -> bool {
    let is_of_model = step.decider().is_some_and(|decider| decider == DecidedBy::Model);
    is_of_model
        && step.result.as_ref().is_some_and(|result| {
            let supports = |fact: &Evidence| fact.polarity == Polarity::Supporting;
            result.status == Status::Success
                && result.validation == Validation::Unvalidated
                && result.evidence.last().is_some_and(supports)
        })
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("writing into memory cannot fail");
}
