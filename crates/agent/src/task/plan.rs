//! The plan of a task: success criteria, actions in order, start URL. Creates the prompt for a plan and parses the
//! reply.
//!
//! The start URL is used only if the plan was made before any page was open, because the content of a page must never
//! choose an origin.

use legwork_observe::{Snapshot, render};
use legwork_protocol::{Action, Decision, Open, Plan, Purpose, View};
use serde_json::json;

use super::{
    StepNotes, Task,
    model_call::{ExpectedReply, PendingModelCall, ReplyFailure},
    run_context::StepContext,
};
use crate::{
    context::one_line,
    prompt::{MakePlan, quote},
    schema::{self, Fields, SchemaProblem},
};

/// The maximum number of items that are kept.
const ITEMS: usize = 8;
const ITEM: usize = 100;
const TEXT: usize = 400;
/// The maximum number of tokens of a page in the prompt for a plan or a review.
const PAGE: usize = 1_000;

const SHAPE: ExpectedReply = ExpectedReply {
    purpose: Purpose::Plan,
    name: "plan",
    example: r#"{"successCriteria":"…","plan":"one sentence","actionItems":["…"],"startUrl":null}"#,
    schema: || {
        json!({
            "type": "object",
            "properties": {
                "successCriteria": { "type": "string" },
                "plan": { "type": "string" },
                "actionItems": { "type": "array", "items": { "type": "string" } },
                "startUrl": { "type": "string" },
            },
            "required": ["successCriteria", "plan", "actionItems"],
            "additionalProperties": false,
        })
    },
};

const CRITERIA: &[&str] = &["successcriteria", "criteria", "successcriterion", "donewhen"];
const ITEMS_AS: &[&str] = &["actionitems", "items", "steps", "todo"];
const PLAN: &[&str] = &["plan", "strategy", "approach"];
const START: &[&str] = &["starturl", "startingurl", "url"];

/// The call for a plan on a page, or for a revised plan if the current plan fails because of `failure`.
pub(super) fn call(
    page: &Snapshot,
    failure: Option<&str>,
    task: &Task,
    notes: &StepNotes,
    cx: &StepContext<'_>,
) -> Result<PendingModelCall, ReplyFailure> {
    let budget = cx.rules.context_tokens / 8;
    let shown = (!is_blank(page)).then(|| shown(page, cx));
    let mut lines = notes.history.lines(budget);
    lines.extend(failure.map(|why| format!("the plan fails: {why}")));
    let done = (!lines.is_empty()).then(|| quote("history", &lines.join("\n")));
    let before = notes.plan.as_ref().map(in_words);
    let prompt = MakePlan {
        task: &task.text,
        expect: task.expect_text.as_deref(),
        page: shown.as_deref(),
        plan: before.as_deref().filter(|_| failure.is_some()),
        done: done.as_deref(),
        shape: SHAPE.example,
    };
    PendingModelCall::new(&SHAPE, &prompt, None, cx)
}

/// The URL at which a plan starts. It counts only while no page is open, so that the task has chosen it. Otherwise it
/// is removed from the plan.
pub(super) fn start(plan: &mut Plan, page: Option<&Snapshot>, cx: &mut StepContext<'_>) -> Option<Action> {
    let url = plan.start_url.take()?;
    let open = Action::Open(Open { url: url.clone() });
    if !page.is_some_and(is_blank) {
        return None;
    }
    if url.contains("${") || !schema::check_action(&open, "startUrl").is_empty() {
        cx.warn(format!("the plan would begin at {url:?}, which is not an http or https address"));
        return None;
    }
    plan.start_url = Some(url);
    Some(open)
}

/// A decision's reference to the plan.
pub(super) enum PlanReference<'a> {
    /// The index of the item that the decision is about, and its remaining text.
    Item(usize, &'a str),
    /// The plan cannot work, for this reason.
    Replan(String),
}

/// Finds the reference to a plan with so many items in the text of a decision.
pub(super) fn reference<'a>(words: [&'a str; 2], items: usize) -> Option<PlanReference<'a>> {
    if let Some(why) = words.iter().find_map(|words| after_word(words, "replan")) {
        return Some(PlanReference::Replan(short(why)));
    }
    let (item, rest) = words.iter().find_map(|words| about_item(words, items))?;
    Some(PlanReference::Item(item, rest))
}

/// The index of the item of a plan with so many items that a decision names. The record of a run shows the progress
/// of its plan with it, so that what a person sees and what the model is told next agree.
pub fn plan_item(decision: &Decision, items: usize) -> Option<usize> {
    match reference([&decision.message, &decision.reasoning.analysis], items)? {
        PlanReference::Item(item, _) => Some(item),
        PlanReference::Replan(_) => None,
    }
}

/// A reason, shortened for the record.
pub(super) fn short(why: &str) -> String {
    one_line(why, TEXT)
}

impl StepNotes {
    /// The open items of the plan for the next prompt; `field` is the field of the reply that names the current item.
    pub(super) fn open_items(&self, field: &str) -> Option<String> {
        let items = &self.plan.as_ref()?.action_items;
        let open: Vec<String> =
            items.iter().enumerate().skip(self.item).map(|(at, item)| format!("#{} {item}", at + 1)).collect();
        let open = open.join("; ");
        let how = format!("Begin {field} with `#n:` of its item, or with `REPLAN:` and why it cannot work.");
        (!open.is_empty()).then(|| format!("Plan: {open}. {how}"))
    }
}

/// The index of the item that the text begins with, and the remaining text: `#2: …`.
fn about_item(words: &str, items: usize) -> Option<(usize, &str)> {
    let (number, rest) = words.trim_start().strip_prefix('#')?.split_once(':')?;
    let item = number.trim().parse::<usize>().ok()?.checked_sub(1)?;
    (item < items).then(|| (item, rest.trim_start()))
}

/// Parses a plan. It is usable if it has success criteria or items.
pub(super) fn read(text: &str) -> Result<Plan, SchemaProblem> {
    let fields = schema::object(text, &[CRITERIA, ITEMS_AS, PLAN].concat())?;
    let plan = Plan {
        success_criteria: clipped(&fields, CRITERIA),
        plan: clipped(&fields, PLAN),
        action_items: fields.list(ITEMS_AS).iter().take(ITEMS).map(|item| one_line(item, ITEM)).collect(),
        start_url: fields.text(START),
        revision: 0,
    };
    if plan.success_criteria.is_empty() && plan.action_items.is_empty() {
        return Err(SchemaProblem::whole("successCriteria and actionItems", text));
    }
    Ok(plan)
}

fn clipped(fields: &Fields, names: &[&str]) -> String {
    fields.text(names).map(|text| one_line(&text, TEXT)).unwrap_or_default()
}

/// Whether no page is open yet.
fn is_blank(page: &Snapshot) -> bool {
    page.url.is_empty() || page.url.starts_with("about:blank")
}

/// The page as a short quoted text.
pub(super) fn shown(page: &Snapshot, cx: &StepContext<'_>) -> String {
    let max_tokens = PAGE.min(cx.rules.view.max_tokens).min(cx.rules.context_tokens / 4);
    let seen = render(page, &View { max_tokens, ..cx.rules.view.clone() });
    quote("page", &format!("{} {:?}\n{}", seen.url, seen.title, seen.text))
}

/// The plan in one line.
pub(super) fn in_words(plan: &Plan) -> String {
    plan.action_items.join("; ")
}

/// The text after the word that it begins with.
fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let text = text.trim_start();
    let (head, rest) = text.split_at_checked(word.len())?;
    (head.eq_ignore_ascii_case(word) && !rest.starts_with(char::is_alphanumeric))
        .then(|| rest.trim_start_matches(|c: char| !c.is_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_read_in_any_shape_or_not_at_all() {
        let plan = read(
            r#"{"name":"submit_plan","arguments":{"success_criteria":"a","action_items":["b"],"url":"https://a.test"}}"#,
        );
        let expected = Plan {
            success_criteria: "a".into(),
            action_items: vec!["b".into()],
            start_url: Some("https://a.test".into()),
            ..Plan::default()
        };
        assert_eq!(plan, Ok(expected));
        assert!(read(r#"{"plan":"","actionItems":[]}"#).is_err());
        assert!(read(r#"{"decision":{"action":"PROCEED","message":"ok"},"confidence":1}"#).is_err());
    }

    #[test]
    fn the_word_is_a_word() {
        assert_eq!(after_word("REPLAN: no such form", "replan"), Some("no such form"));
        assert_eq!(after_word("Replanned it", "replan"), None);
        assert_eq!(after_word("no", "replan"), None);
    }
}
