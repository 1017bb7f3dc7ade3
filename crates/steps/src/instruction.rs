//! What an instruction comes to on a page.

use legwork_observe::Snapshot;
use legwork_protocol::{Action, Click, Dialog, Effect};

use crate::{
    ast::{Instruction, Operation},
    error::ResolveError,
    longer_name::{self, LongerName},
    resolve::{self, SavedValue},
};

impl Instruction {
    /// Whether it has to see the page before it can be decided. `Open https://…`, `Press Enter`, `Wait 2 seconds` need not.
    pub fn needs_page(&self) -> bool {
        resolve::needs_page(&self.operation)
    }

    /// Whether it logs somebody in.
    pub fn is_login(&self) -> bool {
        matches!(self.operation, Operation::Login { .. })
    }

    /// The actions for this page, in order. None at all means that nothing is left to do: what is to be expanded is
    /// expanded already, or the value is answered by [`Instruction::saved_value`].
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

    /// What these actions act on, where its name is longer than the words and may be that of another thing.
    pub fn longer_name(&self, actions: &[Action], page: &Snapshot) -> Option<LongerName> {
        longer_name::longer_name(&self.operation, actions, page)
    }

    /// Whether it answers a dialog.
    pub fn answers_dialog(&self) -> bool {
        matches!(self.operation, Operation::Dialog { .. })
    }

    /// Whether it waits until something is there. What goes away may go because it failed.
    pub fn waits_until(&self) -> bool {
        matches!(&self.operation, Operation::Wait(wait) if wait.text.is_some() || wait.url.is_some())
    }

    /// Whether it carries the answer to the dialog that it opens.
    pub fn carries_answer(&self) -> bool {
        self.answer.is_some()
    }

    /// Whether more may be called for once these of its actions are done, which only the page then shows.
    pub fn may_follow_up(&self, done: &[Action]) -> bool {
        matches!(done, [Action::Fill(_)]) && matches!(self.operation, Operation::Choose { from: Some(_), .. })
    }

    /// The click that is still called for: what was to be chosen was put into a plain field, and the page offers it.
    pub fn follow_up(&self, done: &[Action], before: &Snapshot, after: &Snapshot) -> Option<Action> {
        let (true, [Action::Fill(fill)]) = (self.may_follow_up(done), done) else { return None };
        resolve::offer_of(&fill.text, before, after).map(|target| Action::Click(Click::on(target)))
    }

    /// The value of a sentence that saves what the snapshot itself knows (`Save the address as url`, `Save the
    /// number of rows as n`, the text of something that is not an element of its own). Such a sentence has no actions.
    pub fn saved_value(&self, page: &Snapshot) -> Option<SavedValue> {
        resolve::saved_value(&self.operation, page)
    }
}
