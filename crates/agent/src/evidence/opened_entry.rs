//! The entry of a list whose control opened a dialog or a page: `Edit` in the row of Bob, `City`, `Save`. The button
//! that sends the change is in no entry then, so the run remembers where it came from. If the list shows afterwards
//! that another entry has the entered value or is gone, and this one is as it was, the page changed the wrong record.

use legwork_observe::{NodeIndex, Snapshot, wording};
use legwork_protocol::{Action, EvidenceKind};

use super::{
    EvidenceRule, Finding, FindingSubject, change_request::OVERLAYS, clipped, fields::position, list_choice::choices,
    shown_value::named_fields, unseen_change::first_text, unwanted::is_entry, value_notation::contains_value,
};

/// A value with fewer characters occurs in other entries.
const TELLING: usize = 2;

/// The entry whose control was pressed last, while nothing was sent since.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenedEntry {
    opened: Option<Opened>,
}

#[derive(Clone, Debug)]
struct Opened {
    entry: Entry,
    /// The other entries of the same list.
    others: Vec<Entry>,
    /// Whether the pressed control takes its entry away: the dialog only asks for a confirmation.
    takes_away: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    /// The first text, which is mostly the name.
    name: String,
    text: String,
}

impl OpenedEntry {
    /// Remembers the entry of a control that opens something, and compares its list after the change was sent.
    pub(super) fn update(
        &mut self,
        findings: &[Finding],
        actions: &[Action],
        (before, after): (Option<&Snapshot>, &Snapshot),
    ) -> Option<Finding> {
        if super::supersede::starts_over(actions) {
            self.opened = None;
        }
        let before = before?;
        let mut clicks = actions.iter().map(Action::carried_out).filter(|action| matches!(action, Action::Click(_)));
        let pressed = clicks.find_map(|action| position(action, before));
        let is_sent = findings.iter().any(
            |finding| matches!(&finding.subject, FindingSubject::Request { method, .. } if method != "GET" && method != "HEAD"),
        );
        let of_list = |opened: Opened, takes_away: bool| {
            let fact = opened.other_changed(actions, (before, after), takes_away)?;
            Some(Finding::new(EvidenceRule::OtherEntry, EvidenceKind::Text, fact))
        };
        let Some(pressed) = pressed else {
            // The Enter key sends a form like its button.
            return self.opened.take_if(|_| is_sent).and_then(|opened| of_list(opened, false));
        };
        let name = &before.nodes[pressed].name;
        match opened_by(before, pressed) {
            // A menu or a list in the dialog is a step on the way.
            Some(opened) if !is_sent => self.opened = Some(opened),
            _ if !is_sent => {
                if wording::leaves(name) {
                    self.opened = None;
                }
            }
            Some(_) => self.opened = None,
            None => {
                return self.opened.take().and_then(|opened| of_list(opened, wording::takes_away(name)));
            }
        }
        None
    }
}

impl Opened {
    /// The other entry that has the entered value or is gone, while the opened one is as it was.
    fn other_changed(
        &self,
        actions: &[Action],
        (before, after): (&Snapshot, &Snapshot),
        takes_away: bool,
    ) -> Option<String> {
        let now: Vec<Entry> = entries(after).map(|at| entry(after, at)).collect();
        let count = |entries: &mut dyn Iterator<Item = &Entry>| entries.filter(|entry| **entry == self.entry).count();
        let was = 1 + count(&mut self.others.iter());
        if count(&mut now.iter()) < was {
            return None;
        }
        // A value that the action entered and sent at once is not in the field before.
        let sent = actions.iter().filter_map(|action| match action.carried_out() {
            Action::Fill(fill) if fill.submit => Some(fill.text.trim()),
            _ => None,
        });
        let values: Vec<&str> = named_fields(before)
            .map(|(_, value)| value)
            .chain(sent)
            .chain(choices(before).map(|choice| choice.value))
            .filter(|value| value.chars().count() >= TELLING)
            .collect();
        // The name of the other one was entered: it is replaced by this entry or merged with it.
        let is_meant = |other: &Entry| values.iter().any(|value| contains_value(&other.text, value));
        let stays = |other: &&Entry| now.iter().any(|entry| entry == *other);
        let own = clipped(self.entry.text.trim());
        let mut others = self.others.iter().filter(|other| !stays(other) && !is_meant(other));
        let is_new_value = |value: &&str| !contains_value(&self.entry.text, value);
        let fact = others.find_map(|other| {
            let changed = now.iter().find(|entry| entry.name == other.name && !other.name.is_empty());
            match changed {
                Some(changed) => {
                    let value = values.iter().filter(|value| is_new_value(value));
                    let value = value.into_iter().find(|value| contains_value(&changed.text, value))?;
                    Some(format!("the entry {:?} has {:?} now", clipped(changed.text.trim()), clipped(value)))
                }
                None => (self.takes_away || takes_away)
                    .then(|| format!("the entry {:?} is gone", clipped(other.text.trim()))),
            }
        })?;
        Some(format!("{fact}, and {own:?}, in which the control was pressed, is as it was"))
    }
}

/// The entry of a control that may open something, and the rest of its list. A dialog or a menu is part of what an
/// entry opened before, and the entries of a navigation are no records.
fn opened_by(page: &Snapshot, pressed: NodeIndex) -> Option<Opened> {
    const CONTROLS: [&str; 3] = ["button", "link", "menuitem"];
    let at = page.ancestors(pressed).find(|up| is_entry(page, *up))?;
    if !page.has_role(pressed, &CONTROLS)
        || page.enclosing(pressed, &OVERLAYS).is_some()
        || page.enclosing(pressed, &["navigation"]).is_some()
    {
        return None;
    }
    let is_beside = |other: &NodeIndex| {
        *other != at && page.nodes[*other].parent == page.nodes[at].parent && page.role(*other) == page.role(at)
    };
    let others: Vec<Entry> = entries(page).filter(is_beside).map(|at| entry(page, at)).collect();
    let takes_away = wording::takes_away(&page.nodes[pressed].name);
    (!others.is_empty()).then(|| Opened { entry: entry(page, at), others, takes_away })
}

fn entries(page: &Snapshot) -> impl Iterator<Item = NodeIndex> {
    (1..page.nodes.len()).filter(|at| is_entry(page, *at))
}

fn entry(page: &Snapshot, at: NodeIndex) -> Entry {
    Entry { name: first_text(page, at), text: page.text_of(at) }
}
