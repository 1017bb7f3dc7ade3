//! A run that is over, or stands still, in words: the end of `run` and all of `show`.

use std::fmt::Write;

use legwork::record::{Asked, RunRecord, State, StepRecord, Turn, words};
use legwork_protocol::{Decider, Polarity, Status, Validation};

use crate::{
    live::{action, mark_checked},
    paint::{Paint, tame},
};

/// How a run ended: evidence for each step, what it knows, what it used. The live list has told the rest already.
pub(crate) fn end(record: &RunRecord, paint: Paint) -> String {
    let mut text = String::new();
    if record.steps.iter().any(|step| step.result.as_ref().is_some_and(|result| !result.evidence.is_empty())) {
        line(&mut text, &format!("\n{}", paint.bold("Evidence")));
        for step in &record.steps {
            evidence(&mut text, step, paint, true);
        }
    }
    variables(&mut text, record, paint);
    line(&mut text, "");
    verdict(&mut text, record, paint);
    text
}

/// All there is to say about a run.
pub(crate) fn show(record: &RunRecord, paint: Paint) -> String {
    let mut text = String::new();
    line(&mut text, &format!("{} {}", paint.bold(tame(&record.name)), paint.dim(format!("run {}", record.run))));
    let url = record.url.as_deref().map_or(String::new(), |url| format!(", from {}", tame(url)));
    line(&mut text, &paint.dim(format!("began {}{url}", record.started.strftime("%Y-%m-%d %H:%M:%S UTC"))));
    for resumption in &record.resumed {
        let why = if resumption.cut_short { " after it had been cut short" } else { "" };
        let when = resumption.time.strftime("%Y-%m-%d %H:%M:%S UTC");
        line(&mut text, &paint.dim(format!("taken up again {when} at step {}{why}", resumption.step + 1)));
    }
    line(&mut text, "");
    turns(&mut text, &record.outside, paint);
    for step in &record.steps {
        show_step(&mut text, record, step, paint);
    }
    variables(&mut text, record, paint);
    let loose = record.warnings.iter().filter(|warning| warning.step.is_none());
    for warning in loose {
        line(&mut text, &format!("{} {}", paint.wait("!"), tame(&warning.message)));
    }
    line(&mut text, "");
    verdict(&mut text, record, paint);
    text
}

fn show_step(text: &mut String, record: &RunRecord, step: &StepRecord, paint: Paint) {
    let facts = match step.state {
        State::Pending => "not begun".to_owned(),
        State::Ended(Status::Success) => {
            format!("{} {}", step.decider().map_or("", Decider::name), words::took(step.duration(record.last)))
        }
        state => format!("{} {}", state.name(), words::took(step.duration(record.last))),
    };
    let number = paint.dim(format!("{:>2}", step.index + 1));
    line(text, &format!("{} {number} {}  {}", step_mark(step, paint), tame(&step.text), paint.dim(facts.trim())));
    turns(text, &step.turns, paint);
    for Asked { question, answer } in &step.questions {
        let answer = answer.as_deref().map_or_else(|| "no answer".to_owned(), tame);
        line(text, &format!("      {} {} {answer}", paint.busy("?"), tame(&question.text)));
    }
    for warning in record.warnings.iter().filter(|warning| warning.step == Some(step.index)) {
        line(text, &format!("      {} {}", paint.wait("!"), tame(&warning.message)));
    }
    evidence(text, step, paint, false);
    if let Some(error) = step.result.as_ref().and_then(|result| result.error.as_ref()) {
        line(text, &format!("      {}", paint.bad(tame(&error.to_string()))));
        for detail in &error.details {
            line(text, &format!("      {}", paint.dim(tame(detail))));
        }
        line(text, &format!("      try: {}", tame(&error.suggested_action)));
    }
}

fn turns(text: &mut String, turns: &[Turn], paint: Paint) {
    for turn in turns {
        for call in &turn.calls {
            let used = words::usage(&call.usage).unwrap_or_else(|| "no usage reported".to_owned());
            let took = words::took(std::time::Duration::from_millis(call.latency_ms));
            line(text, &paint.dim(format!("      {}: {used}, {took}", tame(&call.model))));
            if let Some(error) = &call.error {
                line(text, &format!("      {}", paint.bad(tame(&error.to_string()))));
            }
        }
        for thought in turn.thoughts.iter().filter_map(words::thought) {
            line(text, &format!("      {}", tame(&thought)));
        }
        let thought_up = |decider| matches!(decider, Decider::Model | Decider::Custom);
        if let Some(decided) = turn.decided.as_ref().filter(|decided| thought_up(decided.decider)) {
            let decision = &decided.decision;
            let confidence = format!("{:.0} %", decision.confidence * 100.0);
            let said = if decision.message.is_empty() { &decision.reasoning.rationale } else { &decision.message };
            line(
                text,
                &format!("      {} {}  {}", paint.busy(decided.decider.name()), tame(said), paint.dim(confidence)),
            );
        }
        for command in &turn.commands {
            line(text, &action(command, paint));
            let effects = command.result.iter().flat_map(|result| &result.effects);
            for effect in effects {
                line(text, &paint.dim(format!("        → {}", tame(&words::effect(effect)))));
            }
        }
    }
}

fn evidence(text: &mut String, step: &StepRecord, paint: Paint, heading: bool) {
    let facts = step.result.as_ref().map_or(&[][..], |result| &result.evidence);
    if heading && !facts.is_empty() {
        line(
            text,
            &format!("{} {} {}", step_mark(step, paint), paint.dim(format!("{:>2}", step.index + 1)), tame(&step.text)),
        );
    }
    for fact in facts {
        let (sign, words) = match fact.polarity {
            Polarity::Contradicting => (paint.bad("✗"), "against: "),
            Polarity::Neutral => (paint.dim("·"), "neutral: "),
            Polarity::Supporting if fact.checked => (paint.good("✓"), "shows: "),
            Polarity::Supporting => (paint.dim("+"), "shows: "),
        };
        let words = if heading && fact.polarity == Polarity::Supporting { "" } else { words };
        line(text, &format!("      {sign} {}{}", paint.dim(words), tame(&fact.fact)));
    }
}

fn step_mark(step: &StepRecord, paint: Paint) -> String {
    mark_checked(step.state, step.result.as_ref().map(|result| result.validation), paint)
}

fn variables(text: &mut String, record: &RunRecord, paint: Paint) {
    if record.variables.is_empty() {
        return;
    }
    line(text, &format!("\n{}", paint.bold("Variables")));
    for (name, variable) in &record.variables {
        line(text, &format!("      {name} = {}", tame(&words::value(&variable.value))));
    }
}

fn verdict(text: &mut String, record: &RunRecord, paint: Paint) {
    let outcome = record.outcome.as_ref();
    if let Some(answer) = outcome.and_then(|outcome| outcome.answer.as_deref()) {
        // A model's answer may have several lines; each is tamed on its own.
        for part in answer.lines() {
            line(text, &tame(part));
        }
        line(text, "");
    }
    let totals = &record.totals;
    let how = match record.state {
        State::Ended(Status::Success) => match outcome.map(|outcome| outcome.validation) {
            Some(Validation::Validated) => "success, validated",
            Some(Validation::Rejected) => "success claimed, evidence speaks against it",
            _ => "success, unvalidated",
        },
        State::Ended(Status::Failure) => match outcome.map(|outcome| outcome.validation) {
            Some(Validation::Rejected) => "failure, rejected: evidence speaks against it",
            _ => "failure: the page said no",
        },
        State::Ended(Status::Error) => "error",
        State::Ended(Status::Cancelled) => "cancelled",
        State::Ended(Status::Parked) => "parked: waits for a person",
        State::Running => "no end on record: running, or cut short",
        State::Interrupted => "cut short",
        state => state.name(),
    };
    let validation = outcome.map(|outcome| outcome.validation);
    let sign = mark_checked(record.state, validation, paint);
    let unshown = record.state == State::Ended(Status::Success) && validation == Some(Validation::Unvalidated);
    let how = if unshown { paint.wait(how) } else { paint.bold(how) };
    let took = words::took(record.duration(record.last));
    let actions = if totals.commands == 1 { "action" } else { "actions" };
    let counts = format!("{} of {} steps, {} {actions}, {took}", totals.steps_done, totals.steps, totals.commands);
    line(text, &format!("{sign} {how}  {}", paint.dim(counts)));
    if let Some(usage) = words::usage(&totals.usage) {
        line(text, &paint.dim(format!("  {usage}")));
    }
    if totals.models.len() > 1 {
        for (model, usage) in &totals.models {
            let usage = words::usage(usage).unwrap_or_default();
            line(text, &paint.dim(format!("    {}: {usage}", tame(model))));
        }
    }
    if let Some(reason) = &record.paused {
        line(text, &format!("  {}", tame(reason)));
    }
    let told = record.steps.iter().filter_map(|step| step.result.as_ref()?.error.as_ref()).map(|error| &error.message);
    if let Some(error) = outcome.and_then(|outcome| outcome.error.as_ref())
        && !told.into_iter().any(|message| *message == error.message)
    {
        line(text, &format!("  {}", paint.bad(tame(&error.to_string()))));
        for detail in error.details.iter().chain(&error.causes) {
            line(text, &format!("  {}", tame(detail)));
        }
        line(text, &format!("  try: {}", tame(&error.suggested_action)));
    }
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("writing into memory cannot fail");
}
