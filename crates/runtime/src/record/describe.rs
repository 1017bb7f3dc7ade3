//! Facts as short texts for people. The terminal, `show` and the exported page use the same texts.

use std::time::Duration;

use legwork_protocol::{DownloadInfo, EventKind, PageEffect, Phase, PolicyDecision, PolicyEffect, Usage};
use serde_json::Value;

use super::CommandRecord;

/// What a person did in the browser: `2 clicks, typed; then at https://shop.example/cart`. What was typed is on no
/// record.
pub fn user_control(clicks: u32, typed: bool, url: &str) -> String {
    let mut done = Vec::new();
    match clicks {
        0 => {}
        1 => done.push("1 click".to_owned()),
        clicks => done.push(format!("{clicks} clicks")),
    }
    if typed {
        done.push("typed".to_owned());
    }
    if done.is_empty() {
        done.push("no click and no key".to_owned());
    }
    format!("{}; then at {url}", done.join(", "))
}

/// What a command does or did, with the element as the page names it, if known: `click button "Sign in"`.
pub fn command(command: &CommandRecord) -> String {
    command.action.describe(command.result.as_ref().and_then(|result| result.element.as_deref()))
}

/// An effect of an action.
pub fn effect(effect: &PageEffect) -> String {
    match effect {
        PageEffect::Navigated { to, status: Some(status), .. } => format!("went to {to} (HTTP {status})"),
        PageEffect::Navigated { to, .. } => format!("went to {to}"),
        PageEffect::TabOpened { number, url, current: true } => format!("tab {number} opened: {url}"),
        PageEffect::TabOpened { number, url, current: false } => {
            format!("tab {number} opened by the page itself, not the current one: {url}")
        }
        PageEffect::TabClosed { number } => format!("tab {number} closed"),
        PageEffect::Dialog(dialog) => {
            let kind = format!("{:?}", dialog.kind).to_lowercase();
            let answer = match dialog.accepted {
                Some(true) => ", accepted",
                Some(false) => ", dismissed",
                None => ", open",
            };
            format!("{kind} dialog {}{answer}", quoted(&dialog.message))
        }
        PageEffect::ChooserOpened { multiple, .. } => {
            format!("a file chooser waits for {}", if *multiple { "files" } else { "a file" })
        }
        PageEffect::Downloaded(DownloadInfo { name, other_format: Some(format), .. }) => {
            format!("downloaded {name}, which holds {format}")
        }
        PageEffect::Downloaded(file) => format!("downloaded {} ({})", file.name, bytes(file.size)),
        PageEffect::Blocked { url, reason } if reason.is_empty() => format!("a request to {url} was refused"),
        PageEffect::Blocked { url, reason } => format!("a request to {url} was refused: {reason}"),
        PageEffect::Request { method, url, status: Some(status), refusal: Some(why), .. } => {
            format!("{method} {url} answered {status}, and says: {why}")
        }
        PageEffect::Request { method, url, status: Some(status), failure: Some(why), .. } => {
            format!("{method} {url} answered {status}, and broke off: {why}")
        }
        PageEffect::Request { method, url, status: Some(status), .. } => format!("{method} {url} answered {status}"),
        PageEffect::Request { method, url, failure: Some(why), .. } => format!("{method} {url} failed: {why}"),
        PageEffect::Request { method, url, .. } => format!("{method} {url} was not answered yet"),
        PageEffect::Unsettled { pending } => format!("the page did not settle: {pending}"),
    }
}

/// A duration: `38 ms`, `1.2 s`, `3 min 05 s`.
pub fn duration(duration: Duration) -> String {
    let ms = duration.as_millis();
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..59_950 => format!("{:.1} s", duration.as_secs_f64()),
        _ => {
            let seconds = (ms + 500) / 1_000;
            let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
            if hours > 0 { format!("{hours} h {minutes:02} min") } else { format!("{minutes} min {seconds:02} s") }
        }
    }
}

/// A size: `812 B`, `14 kB`, `3.2 MB`.
pub fn bytes(size: u64) -> String {
    match size {
        0..1_000 => format!("{size} B"),
        1_000..1_000_000 => format!("{} kB", size / 1_000),
        1_000_000..1_000_000_000 => format!("{:.1} MB", size as f64 / 1e6),
        _ => format!("{:.1} GB", size as f64 / 1e9),
    }
}

/// A number of tokens: `812`, `14.2k`, `1.3M`.
pub fn tokens(count: u64) -> String {
    match count {
        0..1_000 => count.to_string(),
        1_000..1_000_000 => format!("{:.1}k", count as f64 / 1e3),
        _ => format!("{:.1}M", count as f64 / 1e6),
    }
}

/// The usage of models on one line; `None` if no model was called.
pub fn usage(usage: &Usage) -> Option<String> {
    (usage.calls > 0).then(|| {
        let calls = if usage.calls == 1 { "call" } else { "calls" };
        format!("{} model {calls}, {}", usage.calls, call_usage(usage))
    })
}

/// The tokens and the cost of one call.
pub fn call_usage(usage: &Usage) -> String {
    let cost = usage.cost_usd.map_or(String::new(), |cost| format!(", ${cost:.4}"));
    let cached = match usage.cached_tokens {
        0 => String::new(),
        cached => format!(" ({} cached)", tokens(cached)),
    };
    format!("{} tokens in{cached}, {} out{cost}", tokens(usage.prompt_tokens), tokens(usage.completion_tokens))
}

/// The current phase of a run.
pub fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Initializing => "Begins",
        Phase::GeneratingPrompt => "Looks at the page",
        Phase::QueryingAi => "Asks the model",
        Phase::ProcessingResponse => "Reads the reply",
        Phase::Investigating => "Investigates",
        Phase::InitialAssessment => "First look",
        Phase::FocusedExploration => "Looks closer",
        Phase::SelectorDetermination => "Names the element",
        Phase::BuildingContext => "Gathers what it found",
        Phase::ExecutingCommands => "Acts",
        Phase::Reflecting => "Reflects",
        Phase::Validating => "Checks the result",
        Phase::Completed => "Done",
        Phase::Failed => "Failed",
    }
}

/// A value as a person writes it: a text without quotes, any other value as JSON.
pub fn value(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn quoted(text: &str) -> String {
    format!("“{text}”")
}

/// The decision of a policy in one sentence.
pub fn policy_decision(decision: &PolicyDecision) -> String {
    let PolicyDecision { action, rule, reason, .. } = decision;
    let effect = match (decision.effect, decision.approved) {
        (PolicyEffect::Allow, _) => "allows",
        (PolicyEffect::Ask, Some(true)) => "asked about, and a person approved,",
        (PolicyEffect::Ask, _) => "asked about",
        (PolicyEffect::Deny, _) => "denies",
    };
    format!("the rule {rule} {effect} {action}: {reason}")
}

/// A plan, the end of an investigation, a reflection or a review on one line.
pub fn thought(kind: &EventKind) -> Option<String> {
    Some(match kind {
        EventKind::PlanUpdated(plan) => {
            let made = if plan.revision == 0 { "plan" } else { "new plan" };
            let items: Vec<String> =
                plan.action_items.iter().enumerate().map(|(at, item)| format!("{}. {item}", at + 1)).collect();
            format!("{made}: {} (done when: {})", items.join("  "), plan.success_criteria)
        }
        EventKind::InvestigationCompleted(findings) => {
            let partial = if findings.partial { ", not to the end" } else { "" };
            format!("looked closer{partial}: {}", findings.insight)
        }
        EventKind::ReflectionCompleted(reflection) => {
            let verdict = format!("{:?}", reflection.verdict).to_lowercase();
            format!("on reflection ({}): {verdict}, {}", reflection.cause, reflection.thought)
        }
        EventKind::PolicyDecided(decision) => policy_decision(decision),
        EventKind::UserControlEnded { clicks, typed, url } => {
            format!("a person operated the browser: {}", user_control(*clicks, *typed, url))
        }
        EventKind::AnswerValidated(review) => {
            let quality = format!("{:?}", review.quality).to_lowercase();
            format!("the answer was judged {quality}: {}", review.feedback)
        }
        _ => return None,
    })
}
