//! The fields that were set, and how the page changes them later: it may reset one when another is set, and may change
//! its value when the form is submitted.

use legwork_observe::{Node, Snapshot};
use legwork_protocol::{Action, EvidenceKind, Fill};

use super::{
    EvidenceRule, Finding, FindingSubject, clipped,
    fields::{content, is_same_content, subject, target},
    form_pages::FormPages,
    named, not_sent,
    opened_entry::OpenedEntry,
    record_row::old_value_in_row,
    url_path::path_of,
    whole_words::contains_whole,
};
use legwork_observe::{numbers, wording};

/// The fields that were set one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct SetFields {
    fields: Vec<SetField>,
    /// Whether the page sent a request or showed something new when one of them was set.
    has_effect: bool,
    /// The fields of the earlier pages of the same form.
    pages: FormPages,
    /// The entry of a list whose control opened the form.
    opened: OpenedEntry,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct SetField {
    pub(super) role: String,
    pub(super) name: String,
    /// The value after the field was set.
    pub(super) value: String,
    /// The value before.
    pub(super) before: String,
}

impl SetFields {
    /// Adds the fields that were set, and finds those whose values were lost by this or a later action.
    /// `has_further_action` states whether another action follows.
    pub(crate) fn update(
        &mut self,
        findings: &[Finding],
        actions: &[Action],
        (before, after): (Option<&Snapshot>, &Snapshot),
        has_further_action: bool,
    ) -> Vec<Finding> {
        let fills = |action: &Action| {
            matches!(
                action.carried_out(),
                Action::Fill(Fill { submit: false, .. })
                    | Action::Type(_)
                    | Action::Select(_)
                    | Action::Check(_)
                    | Action::Uncheck(_)
            )
        };
        if !actions.iter().all(fills) {
            let SetFields { fields: set, has_effect, mut pages, mut opened } = std::mem::take(self);
            let other_value = pages.next_page(&set, actions, before, after);
            let other_entry = opened.update(findings, actions, (before, after));
            (self.pages, self.opened) = (pages, opened);
            if let Some(finding) = other_entry {
                return vec![finding];
            }
            let is_sent = has_effect || findings.iter().any(is_sent);
            if let Some(finding) = returned_form(&set, findings, after) {
                return vec![finding];
            }
            let Some(before) = before else { return Vec::new() };
            if !is_sent && let Some(finding) = not_sent::left_behind(&set, actions, (before, after), has_further_action)
            {
                return vec![finding];
            }
            if let Some(finding) = not_stored(&set, actions, before, after) {
                return vec![finding];
            }
            if is_sent && let Some(fact) = old_value_in_row(&set, actions, before, after) {
                return vec![Finding::new(EvidenceRule::OtherValue, EvidenceKind::Text, fact)];
            }
            let changed = after_sending(&set, actions, before, after);
            return changed.into_iter().chain(other_value).collect();
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
        // Only one radio button of a group is checked.
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

/// Whether the page sent a request to its server.
fn is_sent(finding: &Finding) -> bool {
    use EvidenceRule::{BackgroundRequest, ForeignRequest};
    matches!(finding.subject, FindingSubject::Request { .. })
        && !matches!(finding.rule, BackgroundRequest | ForeignRequest)
}

/// Whether the page showed something new in response to the entered value.
fn is_shown(finding: &Finding) -> bool {
    finding.supports() && matches!(finding.rule, EvidenceRule::NewText | EvidenceRule::Order | EvidenceRule::Removal)
}

/// A field that no longer has the value that was set: a checkbox in a group that allows only one, or a town that the
/// page replaces for a new postcode.
fn lost(field: &SetField, after: &Snapshot) -> Option<Finding> {
    let node = only_field(after, &field.role, &field.name)?;
    let is = content(node);
    if is == field.value || !is_box(&is) && is_same_content(&field.value, &is) {
        return None;
    }
    let fact = format!("{} no longer holds {:?}: it holds {:?}", named(node), clipped(&field.value), clipped(&is));
    Some(Finding::new(EvidenceRule::FieldValue, EvidenceKind::Element, fact).about(subject(node)))
}

/// `2026-12-31`, the format of the browser's date fields.
fn is_date(content: &str) -> bool {
    let parts: Vec<&str> = content.split('-').collect();
    parts.iter().map(|part| part.len()).eq([4, 2, 2]) && parts.concat().chars().all(|c| c.is_ascii_digit())
}

pub(super) fn is_box(content: &str) -> bool {
    matches!(content, "checked" | "not checked")
}

/// The values of a form after it was submitted. The form may have been cleared, or show the next entry: then other
/// fields or headings differ too. If the form shows the same entry with another number or date, the page has corrected
/// the value, as when a discount of 80 % is lowered to the allowed 50 %. For texts, a correction cannot be
/// distinguished from formatting. If a field has its previous value again, it was either cleared or refused, so the
/// response is no evidence. A form that edits an entry is not cleared for the next one; in that case not even a message
/// that everything is saved outweighs the finding.
fn after_sending(set: &[SetField], actions: &[Action], before: &Snapshot, after: &Snapshot) -> Vec<Finding> {
    // A button that resets or cancels is meant to discard the values.
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
        // A list of choices returns to its first one for the next entry.
        if field.role == "combobox" && is == field.before && is_newly_shown(&field.value, before, after) {
            return None;
        }
        let (what, is_shown, was) = (named(node), clipped(&is), clipped(&field.value));
        if is == field.before {
            let fact = format!("{what} holds {is_shown:?} again, as before {was:?} was entered");
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

/// Whether a text or an entry with the value is new. The choices of a list are always there.
fn is_newly_shown(value: &str, before: &Snapshot, after: &Snapshot) -> bool {
    let texts = |page: &Snapshot| -> Vec<String> {
        let is_shown = |at: &usize| {
            let node = &page.nodes[*at];
            let has_choices = page.below(*at).any(|below| page.role(below) == "option");
            !matches!(node.role.as_ref(), "option" | "combobox" | "listbox") && !node.states.editable() && !has_choices
        };
        let is_entry = |at: usize| page.has_role(at, &["row", "listitem", "article"]);
        let text = |at: usize| if is_entry(at) { page.text_of(at) } else { page.nodes[at].name.to_string() };
        (1..page.nodes.len()).filter(is_shown).map(text).filter(|text| contains_whole(text, value)).collect()
    };
    let was = texts(before);
    texts(after).iter().any(|text| !was.contains(text))
}

/// A value that the page shows nowhere after its form was sent: an entry has its old name still, or the fields are
/// empty again and the list beside them has no new entry.
fn not_stored(set: &[SetField], actions: &[Action], before: &Snapshot, after: &Snapshot) -> Option<Finding> {
    const TEXTS: [&str; 11] = [
        "heading",
        "text",
        "status",
        "alert",
        "paragraph",
        "cell",
        "gridcell",
        "rowheader",
        "listitem",
        "link",
        "definition",
    ];
    let leaves = |name: &str| wording::takes_back(name) || wording::leaves(name) || wording::asks_for_page(name);
    let mut pressed = actions.iter().filter_map(|action| target(action, before));
    let is_pressed = pressed.next().is_some_and(|node| node.role.as_ref() == "button" && !leaves(&node.name));
    if !is_pressed || path_of(&before.url) != path_of(&after.url) {
        return None;
    }
    let has = |node: &Node, text: &str| {
        node.name.contains(text) || node.value.as_deref().is_some_and(|value| value.contains(text))
    };
    let is_nowhere = |field: &&SetField| {
        !is_box(&field.value) && field.value.len() > 2 && !after.nodes.iter().any(|node| has(node, &field.value))
    };
    let reversion =
        |fact: String, weak: bool| Some(Finding::new(EvidenceRule::Reversion, EvidenceKind::Element, fact).weak(weak));
    let is_text = |node: &&Node| TEXTS.contains(&node.role.as_ref());
    // A number or a date may be shown in another format.
    let is_name = |field: &&SetField| field.before.len() > 2 && field.before.contains(char::is_alphabetic);
    let is_old = |field: &&SetField| {
        only_field(after, &field.role, &field.name).is_none()
            && after.nodes.iter().filter(is_text).any(|node| node.name.trim() == field.before.trim())
    };
    if let Some(field) = set.iter().filter(is_name).filter(is_nowhere).find(is_old) {
        let (old, new) = (clipped(&field.before), clipped(&field.value));
        return reversion(format!("the page shows {old:?} still, and {new:?} nowhere"), false);
    }
    let is_emptied =
        |field: &SetField| only_field(after, &field.role, &field.name).is_some_and(|node| content(node).is_empty());
    let has_list = after.nodes.iter().any(|node| matches!(node.role.as_ref(), "listitem" | "row" | "article"));
    let is_new = |node: &Node| !before.nodes.iter().any(|old| old.name == node.name);
    let shows_more = after.nodes.iter().chain(&after.transient).filter(is_text).any(is_new);
    // `Unsubscribe`, with the address of an entry: that it is gone is new.
    let is_gone = |field: &SetField| before.nodes.iter().filter(is_text).any(|node| node.name.contains(&field.value));
    let is_lost = |field: &SetField| is_nowhere(&field) && is_emptied(field) && !is_gone(field);
    if !set.is_empty() && set.iter().all(is_lost) && has_list && !shows_more {
        return reversion("the fields are empty again, and the page shows nothing new".to_owned(), true);
    }
    None
}

/// A form that the server returned with all entered values. Many servers do this to report errors, in words or colours
/// of their own. After a success, they state it or lead to another page.
fn returned_form(set: &[SetField], findings: &[Finding], after: &Snapshot) -> Option<Finding> {
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

/// The headings and the other fields, which identify the entry that the form shows.
fn around(set: &[SetField], page: &Snapshot) -> Vec<(String, String, String)> {
    // Checking one radio button of a group changes the others.
    let is_set = |node: &Node| {
        set.iter().any(|field| *field.role == *node.role && (field.role == "radio" || *field.name == *node.name))
    };
    const ROLES: [&str; 8] =
        ["heading", "textbox", "searchbox", "spinbutton", "combobox", "slider", "checkbox", "radio"];
    let tells = |node: &&Node| ROLES.contains(&node.role.as_ref()) && !node.states.readonly();
    let nodes = page.nodes.iter().filter(tells).filter(|node| !is_set(node));
    nodes.map(|node| (node.role.to_string(), node.name.to_string(), content(node))).collect()
}

/// The field with this role and name, if there is only one.
pub(super) fn only_field<'a>(page: &'a Snapshot, role: &str, name: &str) -> Option<&'a Node> {
    let mut alike = page.nodes.iter().filter(|node| *node.role == *role && *node.name == *name);
    alike.next().filter(|_| alike.next().is_none())
}
