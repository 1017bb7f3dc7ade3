//! Resolves an instruction to actions on a page.

use legwork_observe::Snapshot;
use legwork_protocol::{Action, Click, Dialog, Effect};

use crate::{
    ast::{Clause, Instruction, Operation},
    error::ResolveError,
    longer_name::{self, LongerName},
    resolve::{self, SavedValue},
};

/// The address that a step opens first, as it is written; `None` if the step begins with anything else.
pub fn opened_address(step: &str) -> Option<String> {
    let first = crate::read(step).ok()?.into_clauses().into_iter().next()?;
    let Clause::Do(instruction) = first else { return None };
    let actions = if instruction.needs_page() { None } else { instruction.decide(&Snapshot::default()).ok() };
    match actions?.first()?.carried_out() {
        Action::Open(open) => Some(open.url.clone()),
        _ => None,
    }
}

/// Whether a step begins with an action on an open page.
pub fn begins_on_a_page(step: &str) -> bool {
    let first = crate::read(step).ok().and_then(|sentence| sentence.into_clauses().into_iter().next());
    matches!(first, Some(Clause::Do(instruction)) if instruction.needs_page())
}

impl Instruction {
    /// Whether it needs a snapshot. `Open https://…`, `Press Enter` and `Wait 2 seconds` do not.
    pub fn needs_page(&self) -> bool {
        resolve::needs_page(&self.operation)
    }

    /// Whether its target is one of several elements of the same name, chosen by its position:
    /// `the second "Add" button`. Without a name, the position itself is meant: `the first link`.
    pub fn counts_equal_elements(&self) -> bool {
        self.operation.target().is_some_and(|target| target.ordinal.is_some() && target.name.is_some())
    }

    /// Whether it is a login.
    pub fn is_login(&self) -> bool {
        matches!(self.operation, Operation::Login { .. })
    }

    /// The actions on this page, in order. An empty list means that nothing is left to do: the element is already
    /// expanded, or [`Instruction::saved_value`] returns the value.
    pub fn decide(&self, page: &Snapshot) -> Result<Vec<Action>, ResolveError> {
        let mut actions = resolve::decide(&self.operation, page)?;
        if let Some(answer) = &self.answer
            && let Some(last) = actions.pop()
        {
            let opens = last.effect() != Effect::ReadOnly && !matches!(last, Action::Dialog(_));
            actions.push(if opens {
                Action::Dialog(Dialog { opened_by: Some(Box::new(last)), ..answer.clone() })
            } else {
                last
            });
        }
        Ok(actions)
    }

    /// The target of these actions, if its name is longer than the name in the sentence and may belong to something
    /// else.
    pub fn longer_name(&self, actions: &[Action], page: &Snapshot) -> Option<LongerName> {
        longer_name::longer_name(&self.operation, actions, page)
    }

    /// The variable that it saves.
    pub fn saved_variable(&self) -> Option<&str> {
        match &self.operation {
            Operation::Save { variable, .. } => Some(variable),
            _ => None,
        }
    }

    /// Whether it answers a dialog.
    pub fn answers_dialog(&self) -> bool {
        matches!(self.operation, Operation::Dialog { .. })
    }

    /// Whether it waits until the page has an address. A wait for a text is a check.
    pub fn waits_until(&self) -> bool {
        let Operation::Act { actions, .. } = &self.operation else { return false };
        matches!(actions.as_slice(), [Action::Wait(wait)] if wait.url.is_some())
    }

    /// Whether it contains the answer to the dialog that it opens.
    pub fn carries_answer(&self) -> bool {
        self.answer.is_some()
    }

    /// Whether more actions may be required after these, which only the next page shows.
    pub fn may_follow_up(&self, done: &[Action]) -> bool {
        matches!(done, [Action::Fill(_)]) && matches!(self.operation, Operation::Choose { from: Some(_), .. })
    }

    /// The click that is still required: the option was typed into a plain field, and the page offers it.
    pub fn follow_up(&self, done: &[Action], before: &Snapshot, after: &Snapshot) -> Option<Action> {
        let (true, [Action::Fill(fill)]) = (self.may_follow_up(done), done) else { return None };
        resolve::offer_of(&fill.text, before, after).map(|target| Action::Click(Click::on(target)))
    }

    /// The value of a sentence that saves data of the snapshot itself (`Save the address as url`,
    /// `Save the number of rows as n`, or a text that is not an element of its own). Such a sentence has no actions.
    pub fn saved_value(&self, page: &Snapshot) -> Option<SavedValue> {
        resolve::saved_value(&self.operation, page)
    }
}
