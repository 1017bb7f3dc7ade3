//! What a resumed run needs to find its page again: cookies and storage, the address, and what had been put into fields.
//!
//! Cookies and storage come from the browser. The fields are remembered here: a half-filled form lives only in the page,
//! and a run that is resumed between "type" and "send" would send it empty. So every field action that worked is kept,
//! under the element's role and name, until the page goes elsewhere.

use legwork_browser::StorageState;
use legwork_protocol::{Action, ActionResult, PageEffect, Target};
use serde::{Deserialize, Serialize};

/// What is kept at the end of a step.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SavedState {
    /// Cookies and storage.
    pub(crate) storage: StorageState,
    /// Where the page was.
    pub(crate) url: String,
    /// What had been put into its fields; secrets are handles.
    #[serde(default)]
    pub(crate) fields: Vec<Action>,
}

/// The field actions of the page that is open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields(Vec<Action>);

impl Fields {
    pub(crate) fn restored(actions: &[Action]) -> Self {
        Fields(actions.to_vec())
    }

    pub(crate) fn actions(&self) -> &[Action] {
        &self.0
    }

    /// Takes note of an action that was carried out.
    pub(crate) fn note(&mut self, action: &Action, result: &ActionResult) {
        if result.effects.iter().any(|effect| matches!(effect, PageEffect::Navigated { .. } | PageEffect::TabOpened { .. })) {
            self.0.clear();
            return;
        }
        let Some(target) = result.element.as_deref().and_then(lasting) else { return };
        if !result.ok() {
            return;
        }
        let action = match action.clone() {
            Action::Fill(mut fill) if !fill.submit => {
                fill.target = target.clone();
                Action::Fill(fill)
            }
            Action::Select(mut select) => {
                select.target = target.clone();
                Action::Select(select)
            }
            Action::Check(mut on) => {
                on.target = target.clone();
                Action::Check(on)
            }
            Action::Uncheck(mut on) => {
                on.target = target.clone();
                Action::Uncheck(on)
            }
            Action::Upload(mut upload) => {
                upload.target = target.clone();
                Action::Upload(upload)
            }
            _ => return,
        };
        self.0.retain(|earlier| earlier.target() != Some(&target));
        self.0.push(action);
    }
}

/// A target that outlives the page's refs: `textbox "User name"` becomes `role=textbox[name="User name"]`.
fn lasting(element: &str) -> Option<Target> {
    let (role, name) = element.split_once(' ')?;
    let name = name.trim().strip_prefix('"')?.strip_suffix('"')?;
    (!name.is_empty()).then(|| Target(format!("role={role}[name=\"{name}\"]")))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use legwork_protocol::{Click, Fill, On, Ref};

    use super::*;

    fn result(element: &str) -> ActionResult {
        ActionResult { element: Some(element.into()), ..ActionResult::done(Duration::ZERO) }
    }

    fn fill(reference: u32, text: &str) -> Action {
        Action::Fill(Fill { target: Ref(reference).into(), text: text.into(), submit: false })
    }

    #[test]
    fn the_last_content_of_each_field_is_kept_under_its_role_and_name() {
        let mut fields = Fields::default();
        fields.note(&fill(1, "a"), &result("textbox \"Name\""));
        fields.note(&Action::Check(On { target: Ref(2).into() }), &result("checkbox \"Terms\""));
        fields.note(&fill(1, "b"), &result("textbox \"Name\""));
        let kept: Vec<_> = fields.actions().iter().map(|action| (action.name(), action.target().unwrap().0.clone())).collect();
        assert_eq!(
            kept,
            [("check", "role=checkbox[name=\"Terms\"]".to_owned()), ("fill", "role=textbox[name=\"Name\"]".to_owned())]
        );
    }

    #[test]
    fn a_navigation_forgets_the_fields_of_the_page_before() {
        let mut fields = Fields::default();
        fields.note(&fill(1, "a"), &result("textbox \"Name\""));
        let click = Action::Click(Click { target: Ref(3).into(), button: Default::default(), count: 1, modifiers: vec![] });
        let mut gone = result("button \"Save\"");
        gone.effects.push(PageEffect::Navigated { from: "a".into(), to: "b".into(), status: Some(200) });
        fields.note(&click, &gone);
        assert!(fields.actions().is_empty());
    }

    #[test]
    fn elements_without_a_name_are_not_kept() {
        let mut fields = Fields::default();
        fields.note(&fill(1, "a"), &result("textbox"));
        assert!(fields.actions().is_empty());
    }
}
