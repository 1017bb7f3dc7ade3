//! The fields that were set on the current page, as far as a resumed run fills them in again.
//!
//! A page may send the value of a field immediately, or when the field loses the focus. A field whose value was sent is
//! not filled in again, because the page would send it a second time. If it is not certain whose value a request
//! contained, a person decides.

use legwork_protocol::{Action, ActionPurpose, ActionResult, Effect, Target};

/// The fields of the page on which a run was interrupted.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageFields {
    fields: Vec<SetField>,
    /// Number of actions on that page that cannot be repeated.
    pub(crate) lost: usize,
    /// The names of the fields whose values the page sent after their actions had ended.
    sent: Vec<String>,
    /// The target of the field that was set last and still has the focus.
    focused: Option<Target>,
}

#[derive(Clone, Debug)]
struct SetField {
    /// Its role and name, for a person.
    name: String,
    /// The action that sets it, with the role and the name as target.
    action: Action,
    /// Whether its step has `on_resume: ask` or `verify`: the author expects that it sends something.
    is_guarded: bool,
    /// Whether a later request of the page may have contained its value.
    may_be_sent: bool,
}

impl PageFields {
    /// The page was left, or was sent as a whole.
    pub(crate) fn clear(&mut self) {
        *self = PageFields::default();
    }

    /// Adds an action that was executed on the page. `sends` states whether the page sent a change during it, and
    /// `is_guarded` whether the step of the action has `on_resume: ask` or `verify`.
    pub(crate) fn note(&mut self, action: &Action, result: &ActionResult, sends: bool, is_guarded: bool) {
        if sends {
            self.note_change(action);
        }
        let name = result.element.clone().unwrap_or_default();
        let field = again(action, &name);
        if action.effect() == Effect::ReadOnly {
            return;
        }
        self.focused = None;
        match field.filter(|_| action.is_restored()) {
            // The page has already sent the value, and would send it a second time.
            Some(field) if sends => {
                self.remove(field.target());
                self.lost += 1;
            }
            Some(field) => {
                // If it is filled in again, the rule of its own step still applies.
                let known = self.fields.iter().find(|known| known.action.target() == field.target());
                let is_guarded = is_guarded || known.is_some_and(|known| known.is_guarded);
                self.remove(field.target());
                self.focused = field.target().cloned().filter(|_| enters_text(action));
                self.fields.push(SetField { name, action: field, is_guarded, may_be_sent: false });
            }
            None if sends || action.is_restored() || action.effect() == Effect::Mutating => self.lost += 1,
            None => {}
        }
    }

    /// An action of a resumed run that filled in a field again, whose value the page sent at that moment.
    pub(crate) fn sent_again(&mut self, action: &Action) {
        self.remove(action.target());
        self.lost += 1;
    }

    /// The end of an action that moves the focus was not observed, and the requests of the page during it may not be on
    /// record. A person decides about the field that was set before, if its author expects that it sends something.
    pub(crate) fn note_unobserved(&mut self) {
        let Some(target) = &self.focused else { return };
        let field = self.fields.iter_mut().find(|field| field.action.target() == Some(target));
        if let Some(field) = field.filter(|field| field.is_guarded) {
            field.may_be_sent = true;
        }
    }

    /// The page sent a change during this action, which moved the focus away from the field that was set before.
    pub(crate) fn note_change(&mut self, during: &Action) {
        let Some(target) = self.focused.take() else { return };
        let Some(at) = self.fields.iter().position(|field| field.action.target() == Some(&target)) else { return };
        match only_moves_focus(during) {
            true => {
                self.sent.push(self.fields.remove(at).name);
                self.lost += 1;
            }
            false => self.fields[at].may_be_sent = true,
        }
    }

    fn remove(&mut self, target: Option<&Target>) {
        self.fields.retain(|field| field.action.target() != target);
    }

    /// The fields about which a person decides: a request of the page may have contained their values.
    pub(crate) fn doubtful(&self) -> Vec<String> {
        self.fields.iter().filter(|field| field.may_be_sent).map(|field| field.name.clone()).collect()
    }

    /// Applies the decision of the person.
    pub(crate) fn decided(&mut self, were_sent: bool) {
        if were_sent {
            let sent = self.doubtful();
            self.fields.retain(|field| !field.may_be_sent);
            self.lost += sent.len();
            self.sent.extend(sent);
        }
        self.fields.iter_mut().for_each(|field| field.may_be_sent = false);
    }

    /// The actions that set the fields again.
    pub(crate) fn actions(&self) -> Vec<Action> {
        self.fields.iter().map(|field| field.action.clone()).collect()
    }

    /// What the new page lacks, for a person.
    pub(crate) fn warning(&self) -> Option<String> {
        let sent = match self.sent.as_slice() {
            [] => String::new(),
            sent => format!("; the page has sent the value of {}, so it is not filled in again", sent.join(", ")),
        };
        (self.lost > 0).then(|| {
            format!(
                "{} actions on this page are not repeated; what they changed only on the page may be lost{sent}",
                self.lost
            )
        })
    }
}

/// Whether the action itself sends nothing, so that a request during it is a reaction to the lost focus or to the time
/// that passed.
fn only_moves_focus(action: &Action) -> bool {
    matches!(action, Action::Blur(_) | Action::Wait(_)) || action.info().purpose == ActionPurpose::Prepare
}

/// Whether the action enters a text, which many pages send when the field loses the focus.
fn enters_text(action: &Action) -> bool {
    action.info().purpose == ActionPurpose::Enter
}

/// The same action with the element's role and name as target, because refs are not valid in another browser.
fn again(action: &Action, element: &str) -> Option<Action> {
    let (role, name) = element.split_once(" \"")?;
    let name = name.strip_suffix('"')?;
    if name.contains('"') || role.contains(' ') {
        return None;
    }
    let mut action = action.clone();
    *action.target_mut()? = Target(format!("role={role}[name=\"{name}\"]"));
    Some(action)
}
