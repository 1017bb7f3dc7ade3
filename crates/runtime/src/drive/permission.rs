//! Whether a run may execute an action: the policy decides, a person is asked if it says so, and the requests of the
//! page are limited to what was permitted.

use std::{sync::Arc, time::Duration};

use legwork_agent::NeedResult;
use legwork_browser::ElementFacts;
use legwork_observe::{NodeIndex, Snapshot};
use legwork_protocol::{
    Action, ActionFailure, ActionResult, DecidedBy, EventKind, PolicyDecision, PolicyEffect, Question, TargetKind,
};
use legwork_store::AppendError;

use super::{Loop, interrupted};
use crate::{
    run_policy::PagePlace,
    tools::{YES_OR_NO, is_yes},
};

/// A person's decision on an action.
pub(super) enum Approval {
    /// The action may be executed, or it needs no approval.
    Given,
    /// The action is not executed. This is its result.
    Refused(Box<ActionResult>),
    /// The run is being stopped.
    Interrupted(Box<NeedResult>),
}

impl Approval {
    fn refused(failure: ActionFailure) -> Approval {
        Approval::Refused(Box::new(ActionResult::failed(failure, Duration::ZERO)))
    }
}

/// An action and its element for a person: `fill textbox "Email" with "ada@shop.example" on https://shop.example`.
fn in_words(action: &Action, element: Option<&ElementFacts>) -> String {
    let described =
        element.filter(|facts| !facts.name.is_empty()).map(|facts| format!("{} {:?}", facts.role, facts.name));
    let words = action.describe(described.as_deref());
    match element.map(|facts| facts.origin.as_str()).filter(|origin| !origin.is_empty()) {
        Some(origin) => format!("do this on {origin}: {words}"),
        None => format!("do this: {words}"),
    }
}

/// The longest text of a row or step in a question, in characters.
const CONTEXT: usize = 120;

fn clipped(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(CONTEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The text of the row or card that contains the target of an action, without the names of its controls. Several rows
/// have a button of the same name.
fn row_of(page: &Snapshot, action: &Action) -> Option<String> {
    let TargetKind::Ref(reference) = action.carried_out().target()?.kind() else { return None };
    let target = page.find_ref(reference)?;
    let node = &page.nodes[target];
    let is_alike = |at: NodeIndex| at != target && page.nodes[at].role == node.role && page.nodes[at].name == node.name;
    let is_row = |at: &NodeIndex| page.has_role(*at, &["row", "listitem", "article", "treeitem", "option"]);
    // A card without a role is the largest part that has no other control of this name.
    let card = || {
        let own = page.ancestors(target).take_while(|at| !page.below(*at).any(is_alike));
        own.last().filter(|at| *at != 0)
    };
    let row = page.ancestors(target).find(is_row).or_else(card)?;
    let content = |at: &NodeIndex| page.nodes[*at].end == at + 1 && !legwork_steps::is_control(&page.nodes[*at].role);
    let texts: Vec<&str> = page.below(row).filter(content).map(|at| page.nodes[at].name.trim()).collect();
    let text = clipped(&texts.join(" "));
    (!text.is_empty()).then_some(text)
}

impl Loop {
    /// What the question about an action says about its place: the row of its element, and the words of the step.
    fn question_context(&self, action: &Action) -> String {
        let executor = &self.drive.executor;
        let row = executor.page.as_deref().and_then(|page| row_of(page, action));
        let step = self.drive.workflow_run.step_words().map(|words| clipped(&words)).filter(|words| !words.is_empty());
        let row = row.map(|row| format!(" In the row “{row}”.")).unwrap_or_default();
        let step = step.map(|step| format!(" Step: “{step}”.")).unwrap_or_default();
        let text = format!("{row}{step}");
        // A question is shown outside of the journal as well, which hides secrets itself.
        executor.guard.masked(text).unwrap_or_default()
    }

    /// Whether the policy and the approval of tools permit an action.
    pub(super) async fn permission(
        &mut self,
        action: &Action,
        decider: DecidedBy,
    ) -> Result<Approval, Arc<AppendError>> {
        if self.drive.policy.is_idle() {
            return self.approval(action).await;
        }
        let (element, drop) = if self.drive.policy.needs_element(action, decider) {
            let facts = self.drive.executor.element_facts(action);
            match self.drive.control.run_interruptible(facts).await {
                Err(interrupt) => return Ok(Approval::Interrupted(Box::new(interrupted(interrupt)))),
                // The action would fail for the same reason. It must not be sent to an element that nobody has judged.
                Ok(Err(failure)) => return Ok(Approval::refused(failure)),
                Ok(Ok((element, drop))) => (Some(element), drop),
            }
        } else {
            (None, None)
        };
        let executor = &self.drive.executor;
        let url = executor.url();
        let dialog = executor.page.as_ref().and_then(|page| page.dialog.as_ref());
        let dialog = dialog.map(|dialog| dialog.message.as_str());
        let place = PagePlace { url: &url, dialog, drop: drop.as_ref() };
        let facts = self.drive.policy.facts(action, decider, self.step, &place, element.as_ref());
        let mut ruling = self.drive.policy.decide(&facts);
        if ruling.decision.effect == PolicyEffect::Allow {
            self.drive.policy.note_entered(action, facts.by_user);
        }
        let limit_change = self.drive.policy.limit_change(action, &facts, &ruling, &url, element.as_ref());
        let mut approval = Approval::Given;
        match ruling.decision.effect {
            PolicyEffect::Allow => {}
            PolicyEffect::Deny => approval = Approval::refused(ruling.failure()),
            PolicyEffect::Ask => {
                let PolicyDecision { rule, reason, .. } = &ruling.decision;
                let text = format!(
                    "Allow the run to {}?{} Reason: {reason} (rule {rule}). Answer yes or no.",
                    in_words(action, element.as_ref()),
                    self.question_context(action)
                );
                let answer = self.ask(Question::choice(text, YES_OR_NO)).await?;
                match &answer {
                    NeedResult::Answered(answer) => {
                        let approved = is_yes(answer);
                        ruling.decision.approved = Some(approved);
                        if !approved {
                            ruling.decision.reason += ", and the user refused it";
                            approval = Approval::refused(ruling.failure());
                        }
                    }
                    NeedResult::Unanswered => {
                        ruling.decision.reason += ", and no person was available to approve it";
                        approval = Approval::refused(ruling.failure());
                    }
                    _ => return Ok(Approval::Interrupted(Box::new(answer))),
                }
            }
        }
        let (decision, by_file) = (ruling.decision, ruling.by_file);
        let is_approved = decision.approved == Some(true);
        if by_file || decision.effect != PolicyEffect::Allow {
            self.drive.policy.count(&decision);
            self.note(EventKind::PolicyDecided(decision)).await;
        }
        if matches!(approval, Approval::Given) {
            self.drive.policy.note_input(action, &url, element.as_ref());
            if is_approved {
                self.drive.policy.note_entered(action, facts.by_user);
            }
            if let Some((tab, limit)) = limit_change {
                let limiting = self.drive.executor.limit_requests(tab, limit);
                match self.drive.control.run_interruptible(limiting).await {
                    Err(interrupt) => return Ok(Approval::Interrupted(Box::new(interrupted(interrupt)))),
                    Ok(Err(failure)) => return Ok(Approval::refused(failure)),
                    Ok(Ok(())) => {}
                }
            }
        }
        // A person who approved the call is not asked a second time.
        if is_approved || !matches!(approval, Approval::Given) { Ok(approval) } else { self.approval(action).await }
    }

    /// Asks a person before one of the user's tools is called, if the rules require it.
    async fn approval(&mut self, action: &Action) -> Result<Approval, Arc<AppendError>> {
        let Action::Call(call) = action else { return Ok(Approval::Given) };
        let Some(text) = self.drive.executor.tools.question(call) else { return Ok(Approval::Given) };
        let no = |reason: &str| {
            let reason = format!("{reason}, so the tool {} was not called", call.tool);
            Approval::refused(ActionFailure::Refused { reason })
        };
        Ok(match self.ask(Question::choice(text, YES_OR_NO)).await? {
            NeedResult::Answered(answer) if is_yes(&answer) => Approval::Given,
            NeedResult::Answered(_) => no("the user refused"),
            NeedResult::Unanswered => no("no person was available to approve it (tools.approval)"),
            interrupted => Approval::Interrupted(Box::new(interrupted)),
        })
    }
}

#[cfg(test)]
mod tests {
    use legwork_observe::fixture;
    use legwork_protocol::{Click, Target};

    use super::*;

    #[test]
    fn the_row_or_card_of_an_element_is_named_by_its_texts() {
        let row = |lines: &str| row_of(&fixture::snapshot(lines), &Action::Click(Click::on(Target("e2".into()))));
        let table = "- table\n  - row\n    - cell \"Ada Lind\"\n    - cell \"Graz\"\n    - cell\n      - button \"Delete\" [ref=e2]\n  - row\n    - cell \"Bruno Costa\"\n    - cell\n      - button \"Delete\" [ref=e3]\n";
        assert_eq!(row(table).as_deref(), Some("Ada Lind Graz"));
        let cards = "- generic\n  - generic\n    - heading \"Ada Lind\"\n    - text: active\n    - button \"Archive\" [ref=e1]\n    - button \"Delete\" [ref=e2]\n  - generic\n    - heading \"Bruno Costa\"\n    - button \"Delete\" [ref=e3]\n";
        assert_eq!(row(cards).as_deref(), Some("Ada Lind active"));
        assert_eq!(row("- heading \"Order\"\n- button \"Delete\" [ref=e2]\n"), None);
    }
}
