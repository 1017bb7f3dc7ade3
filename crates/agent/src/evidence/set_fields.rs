//! The fields that were set so far, and what the page makes of them afterwards: it may take one back when another is set, and
//! may make another value of it when the form is sent.

use legwork_observe::{Node, Snapshot};
use legwork_protocol::{Action, EvidenceKind, Fill};

use super::{
    EvidenceRule, Finding, FindingSubject, clipped,
    fields::{content, is_same_content, subject, target},
    named, not_sent,
    requests::path_of,
};
use legwork_observe::{numbers, wording};

/// The fields that were set one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct SetFields {
    fields: Vec<SetField>,
    /// The page asked a server for something, or showed something, when one of them was set.
    has_effect: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct SetField {
    pub(super) role: String,
    pub(super) name: String,
    /// What it held once it was set.
    pub(super) value: String,
    /// What it held before.
    before: String,
}

impl SetFields {
    /// Takes in what was set, and finds what was lost by it or by what followed. `goes_on` is whether another action follows.
    pub(crate) fn update(
        &mut self,
        findings: &[Finding],
        actions: &[Action],
        (before, after): (Option<&Snapshot>, &Snapshot),
        goes_on: bool,
    ) -> Vec<Finding> {
        let fills = |action: &Action| {
            matches!(
                action.carried_out(),
                Action::Fill(Fill { submit: false, .. }) | Action::Type(_) | Action::Select(_) | Action::Check(_)
            )
        };
        if !actions.iter().all(fills) {
            let SetFields { fields: set, has_effect } = std::mem::take(self);
            let is_sent = has_effect || findings.iter().any(is_sent);
            if let Some(finding) = came_back(&set, findings, after) {
                return vec![finding];
            }
            let Some(before) = before else { return Vec::new() };
            if !is_sent && let Some(finding) = not_sent::left_behind(&set, actions, (before, after), goes_on) {
                return vec![finding];
            }
            return after_sending(&set, actions, before, after);
        }
        self.has_effect |= findings.iter().any(|finding| is_sent(finding) || is_shown(finding));
        let set = findings.iter().filter(|finding| finding.supports()).filter_map(|finding| match &finding.subject {
            FindingSubject::Field { role, name, value } if !value.is_empty() => {
                let before = before.and_then(|page| only_field(page, role, name)).map(content);
                let before = before.unwrap_or_default();
                Some(SetField { role: role.clone(), name: name.clone(), value: value.clone(), before })
            }
            _ => None,
        });
        let mut set: Vec<SetField> = set.collect();
        // Of the radio buttons of a group, one is checked.
        let is_deselected = |old: &SetField| {
            old.role == "radio"
                && only_field(after, &old.role, &old.name).is_some_and(|node| content(node) != old.value)
        };
        self.fields.retain(|old| !is_deselected(old));
        self.fields.retain(|old| {
            let again = set.iter_mut().find(|new| (&new.role, &new.name) == (&old.role, &old.name));
            again.map(|new| new.before.clone_from(&old.before)).is_none()
        });
        let lost = self.fields.iter().filter_map(|field| lost(field, after)).collect();
        self.fields.extend(set);
        lost
    }
}

/// Whether the page asked its server for something.
fn is_sent(finding: &Finding) -> bool {
    use EvidenceRule::{BackgroundRequest, ForeignRequest};
    matches!(finding.subject, FindingSubject::Request { .. })
        && !matches!(finding.rule, BackgroundRequest | ForeignRequest)
}

/// Whether the page showed something in answer to what was put in.
fn is_shown(finding: &Finding) -> bool {
    finding.supports() && matches!(finding.rule, EvidenceRule::NewText | EvidenceRule::Order | EvidenceRule::Removal)
}

/// A field that no longer holds what was put there: a box that lets only one be checked, a town that a new postcode overwrites.
fn lost(field: &SetField, after: &Snapshot) -> Option<Finding> {
    let node = only_field(after, &field.role, &field.name)?;
    let is = content(node);
    if is == field.value || !is_box(&is) && is_same_content(&field.value, &is) {
        return None;
    }
    let fact = format!("{} no longer holds {:?}: it holds {:?}", named(node), clipped(&field.value), clipped(&is));
    Some(Finding::new(EvidenceRule::FieldValue, EvidenceKind::Element, fact).about(subject(node)))
}

/// `2026-12-31`, as the fields of browsers hold it.
fn is_date(content: &str) -> bool {
    let parts: Vec<&str> = content.split('-').collect();
    parts.iter().map(|part| part.len()).eq([4, 2, 2]) && parts.concat().chars().all(|c| c.is_ascii_digit())
}

pub(super) fn is_box(content: &str) -> bool {
    matches!(content, "checked" | "not checked")
}

/// What a form holds once it was sent. It may be emptied, or show the next entry: then other fields or headings differ too.
/// Where the same entry holds another number or day, the page has corrected it: a discount of 80 % lowered to the 50 % that are
/// allowed.
/// Of texts nobody can tell whether the page corrected or formatted them. A field that holds again what it held before was
/// either emptied or refused: the response shows nothing then. A form that is saved is not emptied for the next entry: there not
/// even a message that all is saved weighs more.
fn after_sending(set: &[SetField], actions: &[Action], before: &Snapshot, after: &Snapshot) -> Vec<Finding> {
    // What resets a form or cancels is there to take back what was put in.
    let presses = |is_meant: fn(&str) -> bool| {
        actions.iter().filter_map(|action| target(action, before)).any(|node| is_meant(&node.name))
    };
    let takes_back = presses(wording::takes_back);
    let is_emptied = set.iter().any(|field| {
        let node = only_field(after, &field.role, &field.name);
        !is_box(&field.value) && node.is_some_and(|node| content(node).is_empty())
    });
    let is_saved = presses(wording::saves) && !is_emptied;
    if path_of(&before.url) != path_of(&after.url) || around(set, before) != around(set, after) {
        return Vec::new();
    }
    let changed = set.iter().filter_map(|field| {
        let node = only_field(after, &field.role, &field.name)?;
        let is = content(node);
        let is_zero = || numbers::readings(&is).any(|number| number == 0.0);
        let is_same = is == field.value || !is_box(&is) && is_same_content(&field.value, &is);
        if is.is_empty() || is_same || is_box(&is) && is_emptied {
            return None;
        }
        let (what, is_shown, was) = (named(node), clipped(&is), clipped(&field.value));
        if is == field.before {
            let fact = format!("{what} holds {is_shown:?} again, as before {was:?} was put there");
            if takes_back {
                return Some(
                    Finding::new(EvidenceRule::ElementState, EvidenceKind::Element, fact).about(subject(node)),
                );
            }
            let asked = FindingSubject::Field {
                role: field.role.clone(),
                name: field.name.clone(),
                value: field.value.clone(),
            };
            let finding = Finding::new(EvidenceRule::Reversion, EvidenceKind::Element, fact);
            return Some(finding.about(asked).weak(!is_saved));
        }
        let are_numbers = numbers::is_number(&field.value) && numbers::is_number(&is);
        let same = numbers::readings(&field.value)
            .any(|was| numbers::readings(&is).any(|number| numbers::is_near(was, number)));
        let fact = format!("after it was sent, {what} holds {is_shown:?} instead of {was:?}");
        let finding = Finding::new(EvidenceRule::FieldValue, EvidenceKind::Element, fact).about(subject(node));
        let is_other = are_numbers && !same && !is_zero() || is_date(&field.value) && is_date(&is);
        is_other.then_some(finding)
    });
    changed.collect()
}

/// A form that the server answered with itself and with all that was put into it: many do so to say what is wrong with it, in words
/// or colours of their own. One that was saved says that, or leads elsewhere.
fn came_back(set: &[SetField], findings: &[Finding], after: &Snapshot) -> Option<Finding> {
    let path = path_of(&after.url);
    let is_answer = |finding: &Finding| match &finding.subject {
        FindingSubject::Request { method, path: asked } => {
            method == "POST" && asked == path && finding.evidence.fact.ends_with("answered 200")
        }
        _ => false,
    };
    let is_loaded = findings.iter().any(|finding| finding.subject == FindingSubject::Document);
    let holds =
        |field: &SetField| only_field(after, &field.role, &field.name).is_some_and(|node| content(node) == field.value);
    if set.is_empty() || !is_loaded || !findings.iter().any(is_answer) || !set.iter().all(holds) {
        return None;
    }
    let fact = "the form came back with what was put into it";
    Some(Finding::new(EvidenceRule::Reversion, EvidenceKind::Element, fact).weak(true))
}

/// The headings and the other fields: of what entry the form is.
fn around(set: &[SetField], page: &Snapshot) -> Vec<(String, String, String)> {
    // One radio button of a group changes the others.
    let is_set = |node: &Node| {
        set.iter().any(|field| *field.role == *node.role && (field.role == "radio" || *field.name == *node.name))
    };
    const ROLES: [&str; 8] =
        ["heading", "textbox", "searchbox", "spinbutton", "combobox", "slider", "checkbox", "radio"];
    let tells = |node: &&Node| ROLES.contains(&node.role.as_ref()) && !node.states.readonly();
    let nodes = page.nodes.iter().filter(tells).filter(|node| !is_set(node));
    nodes.map(|node| (node.role.to_string(), node.name.to_string(), content(node))).collect()
}

/// The field of this role and name, where only one has them.
pub(super) fn only_field<'a>(page: &'a Snapshot, role: &str, name: &str) -> Option<&'a Node> {
    let mut alike = page.nodes.iter().filter(|node| *node.role == *role && *node.name == *name);
    alike.next().filter(|_| alike.next().is_none())
}
