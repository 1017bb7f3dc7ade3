//! What the evidence is assessed from: the actions, the pages before and after them, and what happened in between.

use legwork_observe::{Node, Snapshot, wording};
use legwork_protocol::{Action, ActionPurpose, PageEffect, TargetKind};

use super::{Churn, Covered, EvidenceRule, fields, list_choice::choices};

/// One action, or several that were sent together, and the page before and after.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Observed<'a> {
    /// The actions that succeeded.
    pub(crate) actions: &'a [Action],
    /// The actions that failed.
    pub(crate) failed: &'a [Action],
    /// The effects that the browser reported.
    pub(crate) effects: &'a [PageEffect],
    /// The page before; absent if it was not observed.
    pub(crate) before: Option<&'a Snapshot>,
    /// The page after.
    pub(crate) after: &'a Snapshot,
    /// Whether the step asks for a login.
    pub(crate) is_login: bool,
    /// Whether the next action of the step answers the open dialog.
    pub(crate) answers_dialog: bool,
    /// Whether the step or the run continues with another action, which may respond to what the page requests.
    pub(crate) has_further_action: bool,
    /// Whether the page was lent to the run, so that its owner can answer a question of the page.
    pub(crate) is_lent: bool,
    /// Places of the page whose text changes without an action.
    pub(crate) churn: &'a Churn,
    /// The elements that the dialog or menu of the page before covered.
    pub(crate) covered: &'a Covered,
    /// Rules that are switched off. Tests use this to prove that each rule is needed.
    pub(crate) disabled: &'a [EvidenceRule],
}

impl<'a> Observed<'a> {
    /// The last document that the main frame navigated to, and its status.
    pub(super) fn navigation(&self) -> Option<(&'a str, Option<u16>)> {
        self.effects.iter().rev().find_map(|effect| match effect {
            PageEffect::Navigated { to, status, .. } => Some((to.as_str(), *status)),
            _ => None,
        })
    }

    /// Whether the document is a new one, even at the same URL.
    pub(super) fn is_reloaded(&self) -> bool {
        let is_document = |effect: &PageEffect| match effect {
            PageEffect::Navigated { status, status_unknown, .. } => Some(status.is_some() || *status_unknown),
            _ => None,
        };
        self.effects.iter().rev().find_map(is_document) == Some(true) || self.before.is_none()
    }

    /// Whether one of the actions itself may request a document, submit a form or change state: a click or a key press,
    /// but not filling a field.
    pub(super) fn submits(&self) -> bool {
        self.tried().map(Action::carried_out).any(Action::may_submit)
    }

    /// Whether the actions caused a request for a change.
    pub(super) fn sends_change(&self) -> bool {
        self.effects.iter().any(PageEffect::is_own_change)
    }

    /// Whether the actions chose an option or a file that the page sent at once. A message that the page shows then is
    /// the response to it.
    pub(super) fn sends_choice(&self) -> bool {
        let chooses = |action: &Action| action.info().purpose == ActionPurpose::Choose;
        self.tried().map(Action::carried_out).any(chooses) && self.sends_change()
    }

    /// Whether one of the actions clicks a button.
    pub(super) fn presses_button(&self, before: &Snapshot) -> bool {
        self.tried().map(Action::carried_out).any(|action| {
            matches!(action, Action::Click(_))
                && fields::target(action, before)
                    .is_some_and(|node| matches!(node.role.as_ref(), "button" | "menuitem"))
        })
    }

    /// Whether the actions only open a URL.
    pub(super) fn only_opens(&self) -> bool {
        self.tried().all(Action::navigates)
    }

    /// Whether an action contains the answer to a dialog.
    pub(super) fn handles_dialog(&self) -> bool {
        self.actions.iter().any(|action| matches!(action, Action::Dialog(_)))
    }

    /// All actions, including those that failed.
    pub(super) fn tried(&self) -> impl Iterator<Item = &'a Action> {
        self.actions.iter().chain(self.failed)
    }

    /// The targets of the actions, before and after.
    pub(super) fn targets(&self, before: &'a Snapshot) -> impl Iterator<Item = (&'a Node, &'a Node)> {
        let after = self.after;
        self.actions.iter().filter_map(move |action| {
            let was = fields::target(action, before)?;
            Some((was, &after.nodes[after.find_ref(was.reference?)?]))
        })
    }

    /// The names of the targets on the page before. Words in these names are not a message of the page. An action that
    /// failed because its time was over may have had its effect: on a busy machine, a click is often reported so.
    pub(super) fn target_names(&self) -> String {
        let names = self.tried().filter_map(|action| {
            let target = action.carried_out().target()?;
            match target.kind() {
                TargetKind::Ref(reference) => {
                    let page = self.before?;
                    Some(page.nodes[page.find_ref(reference)?].name.to_string())
                }
                TargetKind::Role { name, .. } => name.map(|name| name.to_string()),
                _ => Some(target.0.clone()),
            }
        });
        wording::normalized(&names.collect::<Vec<_>>().join(" "))
    }

    /// Whether a text of the page only repeats a value that was typed or chosen.
    pub(super) fn is_echo(&self, text: &str) -> bool {
        let is_chosen = |action: &Action| match action {
            Action::Select(select) => select.values.iter().any(|value| value == text),
            _ => false,
        };
        self.texts_entered().any(|entered| entered.contains(text))
            || self.actions.iter().any(is_chosen)
            || self.was_chosen(text)
            || self.was_put_in(text)
    }

    /// Whether the text is the choice of a list or of radio buttons from before its form was submitted. The first
    /// choice of a list may be a default that nobody meant.
    fn was_chosen(&self, text: &str) -> bool {
        let Some(before) = self.before else { return false };
        let is_radio = |node: &Node| node.role.as_ref() == "radio" && node.states.checked() && node.name.trim() == text;
        choices(before).any(|list| !list.is_first && list.value == text) || before.nodes.iter().any(is_radio)
    }

    /// Whether the text repeats the value of a field, or a part of it, from before its form was submitted, such as a
    /// comment that the page now shows.
    pub(super) fn was_put_in(&self, text: &str) -> bool {
        self.values_put_in().any(|value| {
            let (of_value, of_text) = (value.chars().count(), text.chars().count());
            of_value > 1 && (text.contains(value) && of_value * 2 >= of_text || of_text > 1 && value.contains(text))
        })
    }

    /// The texts that the actions themselves entered.
    pub(super) fn texts_entered(&self) -> impl Iterator<Item = &'a str> {
        self.actions.iter().filter_map(|action| match action.carried_out() {
            Action::Fill(fill) => Some(fill.text.as_str()),
            Action::Type(typed) => Some(typed.text.trim_end()),
            _ => None,
        })
    }

    /// The values of the fields on the page before.
    pub(super) fn values_put_in(&self) -> impl Iterator<Item = &'a str> {
        self.values_before(|node| node.states.editable())
    }

    /// Whether a text repeats the value of a field that the action closed. Editors update the page after an animation,
    /// with a timer of their own, and the text shows that the value was accepted.
    pub(super) fn repeats_closed_field(&self, text: &str) -> bool {
        const SHORTEST: usize = 3;
        let is_open = |value: &str| {
            self.after
                .nodes
                .iter()
                .any(|node| node.states.editable() && node.value.as_deref().map(str::trim) == Some(value))
        };
        self.values_before(|node| node.states.editable())
            .any(|value| value.chars().count() >= SHORTEST && text.contains(value) && !is_open(value))
    }

    /// The values of some controls on the page before.
    pub(super) fn values_before(&self, is_meant: fn(&Node) -> bool) -> impl Iterator<Item = &'a str> {
        let nodes = self.before.into_iter().flat_map(|page| &page.nodes);
        let nodes = nodes.filter(move |node| is_meant(node) && !node.states.secret());
        nodes.filter_map(|node| node.value.as_deref()).map(str::trim)
    }
}
