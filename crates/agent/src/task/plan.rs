//! A plan for a lone task (004): what shows that it is done, what to do in order, where to begin. Revised when the page
//! contradicts it, a few times at most; a task is done without one when none can be had.
//!
//! Where to begin is taken only from a plan that was made before any page was seen: what a page says never chooses an
//! origin.

use legwork_observe::{Snapshot, render};
use legwork_protocol::{
    Action, ChatReply, DecidedBy, Decision, EventKind, ModelFailure, Open, Phase, Plan, Purpose, View,
};
use serde_json::json;

use super::{
    StepNotes, Task, Transition,
    advice::{ExpectedReply, PendingModelCall, ReplyOutcome},
    advisory::PendingAdvisory,
    intents,
    model::{ModelRun, ModelStage},
    run_context::StepContext,
};
use crate::{
    Need,
    context::{one_line, within},
    prompt::{MakePlan, quote},
    schema::{self, Fields, SchemaProblem},
};

/// What is kept of a plan.
const ITEMS: usize = 8;
const ITEM: usize = 100;
const TEXT: usize = 400;
/// The most tokens of a page that a plan or a review is made on.
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

impl ModelRun {
    /// Asks for a plan, or for a better one.
    pub(super) fn make_plan(
        &mut self,
        why: Option<&str>,
        task: &Task,
        notes: &StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Option<Transition> {
        let page = self.page.clone()?;
        let budget = cx.rules.context_tokens / 8;
        let shown = (!blank(&page)).then(|| shown(&page, cx));
        let mut lines = notes.history.lines(budget);
        lines.extend(why.map(|why| format!("the plan fails: {why}")));
        let done = (!lines.is_empty()).then(|| quote("history", &lines.join("\n")));
        let before = notes.plan.as_ref().map(in_words);
        let prompt = MakePlan {
            task: &within(&task.text, budget),
            expect: task.expect_text.as_deref(),
            page: shown.as_deref(),
            plan: before.as_deref().filter(|_| why.is_some()),
            done: done.as_deref(),
            shape: SHAPE.example,
        };
        match PendingModelCall::new(&SHAPE, &prompt, None, cx) {
            Ok(advice) => {
                cx.phase(Phase::QueryingAi);
                Some(self.think(PendingAdvisory::Plan, advice))
            }
            Err(why) => {
                cx.trouble(why.code(), format!("no plan is made: {why}"));
                None
            }
        }
    }

    pub(super) fn think(
        &mut self,
        call: impl FnOnce(PendingModelCall) -> PendingAdvisory,
        advice: PendingModelCall,
    ) -> Transition {
        let need = advice.need();
        self.stage = ModelStage::Thinking(Box::new(call(advice)));
        Transition::Need(need)
    }

    pub(super) fn planned(
        &mut self,
        advice: PendingModelCall,
        reply: Result<ChatReply, ModelFailure>,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        cx.phase(Phase::ProcessingResponse);
        let mut plan = match advice.handle_response(reply, read, cx) {
            ReplyOutcome::Reply(plan) => plan,
            ReplyOutcome::Retry(advice) => {
                cx.phase(Phase::QueryingAi);
                return self.think(PendingAdvisory::Plan, advice);
            }
            ReplyOutcome::Failed(why) => {
                let goes_on = if notes.plan.is_some() { "the plan stays as it was" } else { "done without one" };
                cx.trouble(why.code(), format!("no plan could be had, {goes_on}: {why}"));
                return self.go_on(task, notes, cx);
            }
        };
        plan.revision = notes.plan.as_ref().map_or(0, |before| before.revision + 1);
        let start = self.start(&mut plan, cx);
        cx.fact(EventKind::PlanUpdated(plan.clone()));
        (notes.plan, notes.item) = (Some(plan), 0);
        match start {
            Some(open) => {
                cx.phase(Phase::ExecutingCommands);
                self.stage = ModelStage::Acting(vec![open.clone()]);
                Transition::Need(Need::Act(intents(vec![open], DecidedBy::Model)))
            }
            None => self.go_on(task, notes, cx),
        }
    }

    /// Where to begin: only while no page is open, so that it is the task that chose it.
    fn start(&self, plan: &mut Plan, cx: &mut StepContext<'_>) -> Option<Action> {
        let url = plan.start_url.take()?;
        let open = Action::Open(Open { url: url.clone() });
        if !self.page.as_deref().is_some_and(blank) {
            return None;
        }
        if url.contains("${") || !schema::check_action(&open, "startUrl").is_empty() {
            cx.warn(format!("the plan would begin at {url:?}, which is no http or https address"));
            return None;
        }
        plan.start_url = Some(url);
        Some(open)
    }

    /// Reads off a decision's words which item of the plan it is about, or that the plan does not work: then why.
    pub(super) fn follow_plan(
        &mut self,
        decision: &mut Decision,
        notes: &mut StepNotes,
        cx: &StepContext<'_>,
    ) -> Option<String> {
        let plan = notes.plan.as_ref()?;
        let words = [&decision.message, &decision.reasoning.analysis];
        if let Some(why) = words.iter().find_map(|words| after_word(words, "replan")) {
            return (plan.revision < cx.rules.thinking.revisions).then(|| one_line(why, TEXT));
        }
        let (item, rest) = words.iter().find_map(|words| about_item(words, plan.action_items.len()))?;
        notes.item = item;
        // An answer does not begin with the item that it was found at.
        if decision.message.trim_start().starts_with('#') {
            decision.message = rest.to_owned();
        }
        None
    }

    /// What contradicts the plan is taken up with the next page, while it may still be revised.
    pub(super) fn plan_fails(&mut self, why: &str, notes: &StepNotes, cx: &StepContext<'_>) {
        if notes.plan.as_ref().is_some_and(|plan| plan.revision < cx.rules.thinking.revisions) {
            self.advisory.replan = Some(one_line(why, TEXT));
        }
    }
}

impl StepNotes {
    /// The plan's items that are still open, as the next prompt tells them; `field` is where a reply says which it is at.
    pub(super) fn open_items(&self, field: &str) -> Option<String> {
        let items = &self.plan.as_ref()?.action_items;
        let open: Vec<String> =
            items.iter().enumerate().skip(self.item).map(|(at, item)| format!("#{} {item}", at + 1)).collect();
        let open = open.join("; ");
        let how = format!("Begin {field} with `#n:` of its item, or with `REPLAN:` and why it cannot work.");
        (!open.is_empty()).then(|| format!("Plan: {open}. {how}"))
    }
}

/// The item that the words begin with, from 0, and what follows: `#2: …`.
fn about_item(words: &str, items: usize) -> Option<(usize, &str)> {
    let (number, rest) = words.trim_start().strip_prefix('#')?.split_once(':')?;
    let item = number.trim().parse::<usize>().ok()?.checked_sub(1)?;
    (item < items).then(|| (item, rest.trim_start()))
}

/// Reads a plan: usable when it says what shows success, or what to do.
fn read(text: &str) -> Result<Plan, SchemaProblem> {
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

/// Nothing is open yet.
fn blank(page: &Snapshot) -> bool {
    page.url.is_empty() || page.url.starts_with("about:blank")
}

/// The page in few tokens, quoted.
pub(super) fn shown(page: &Snapshot, cx: &StepContext<'_>) -> String {
    let max_tokens = PAGE.min(cx.rules.view.max_tokens).min(cx.rules.context_tokens / 4);
    let seen = render(page, &View { max_tokens, ..cx.rules.view.clone() });
    quote("page", &format!("{} {:?}\n{}", seen.url, seen.title, seen.text))
}

/// The plan in a line.
pub(super) fn in_words(plan: &Plan) -> String {
    plan.action_items.join("; ")
}

/// What follows the word that the text begins with.
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
