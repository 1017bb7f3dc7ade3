//! The phase SELECTOR_DETERMINATION: code verifies that a target is exactly one actionable element of the page.

use legwork_observe::{Node, Snapshot};
use legwork_protocol::{Ref, Target, TargetKind};

use crate::context::clipped;

/// The only matching element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DeterminedElements {
    pub(super) reference: Ref,
    role: Box<str>,
    name: Box<str>,
}

impl DeterminedElements {
    /// Its description: `e12 button "Send"`.
    pub(super) fn shown(&self) -> String {
        match self.name.is_empty() {
            true => format!("{} {}", self.reference, self.role),
            false => format!("{} {} \"{}\"", self.reference, self.role, clipped(&self.name, 80)),
        }
    }
}

/// The element that a target names, if it is the only one, has a ref and accepts input.
pub(super) fn determine(page: &Snapshot, target: &Target) -> Option<DeterminedElements> {
    let lower = |text: &str| text.trim().trim_matches('"').to_lowercase();
    // A ref followed by its description, as the page shows it, is a ref.
    let first = Target(target.0.split_whitespace().next().unwrap_or_default().to_owned());
    match first.kind() {
        TargetKind::Ref(reference) => only(page, |node| node.reference == Some(reference)),
        _ => match target.kind() {
            TargetKind::Role { role, name } => {
                let name = name.map(lower);
                only(page, |node| &*node.role == role && name.as_ref().is_none_or(|name| lower(&node.name) == *name))
            }
            TargetKind::Text(text) => only(page, |node| lower(&node.name) == lower(text)),
            TargetKind::Css(css) => {
                let id = css.strip_prefix('#')?;
                only(page, |node| node.attributes.as_ref().is_some_and(|more| more.id.as_deref() == Some(id)))
            }
            _ => None,
        },
    }
}

fn only(page: &Snapshot, fits: impl Fn(&Node) -> bool) -> Option<DeterminedElements> {
    let can = |node: &&Node| node.states.actionable() && !node.states.disabled() && fits(node);
    let mut found = page.nodes.iter().filter(can);
    let (node, more) = (found.next()?, found.next());
    let determined = |reference| DeterminedElements { reference, role: node.role.clone(), name: node.name.clone() };
    node.reference.filter(|_| more.is_none()).map(determined)
}

#[cfg(test)]
mod tests {
    use legwork_observe::fixture;

    use super::*;

    #[test]
    fn exactly_one_actionable_element_or_none() {
        let page = fixture::snapshot(
            "- button \"Send\" [ref=e1]\n- button \"Go\" [ref=e2]\n- link \"Go\" [ref=e3]\n- button \"Off\" [ref=e4] [disabled]\n- text: Send",
        );
        let check = |target: &str, expected: Option<u32>| {
            let found = determine(&page, &Target(target.into())).map(|found| found.reference.0);
            assert_eq!(found, expected, "{target}");
        };
        check("e1", Some(1));
        check("e1 button \"Send\"", Some(1));
        check("role=button[name=\"send\"]", Some(1));
        check("text=Send", Some(1));
        check("text=Go", None);
        check("role=link[name=\"Go\"]", Some(3));
        check("e4", None);
        check("e9", None);
        check("div.send", None);
    }
}
