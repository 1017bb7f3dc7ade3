//! Finds the control that leads to the next page of a list.

use legwork_observe::{Node, Snapshot};
use legwork_protocol::{Target, TargetKind};

/// The usual names of such links and buttons, most reliable first. `More` is omitted: it is often the name of a menu,
/// and a button that loads more items into the same page does not lead to a next page.
const NAMES: [&str; 9] = ["next page", "next", "next »", "next ›", "next >", "next →", "›", "»", "→"];

/// How to find the next page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Next {
    /// By the usual names.
    Usual,
    /// The element with this role and name. A ref would be valid on one page only.
    Named(Box<str>, Box<str>),
    /// The target of the action.
    Given(Target),
}

impl Next {
    pub(crate) fn of(given: Option<&Target>, page: &Snapshot) -> Next {
        let Some(given) = given else { return Next::Usual };
        match given.kind() {
            TargetKind::Ref(reference) => match page.find_ref(reference) {
                Some(at) => Next::Named(page.nodes[at].role.clone(), page.nodes[at].name.clone()),
                None => Next::Given(given.clone()),
            },
            _ => Next::Given(given.clone()),
        }
    }

    /// The target to click on this page; `None` on the last page.
    pub(crate) fn on(&self, page: &Snapshot) -> Option<Target> {
        let first = |fits: &dyn Fn(&Node) -> bool| {
            let can = |node: &&Node| node.states.actionable() && !node.states.disabled() && fits(node);
            page.nodes.iter().find(can)?.reference.map(Target::from)
        };
        match self {
            Next::Given(target) => Some(target.clone()),
            Next::Named(role, name) => first(&|node| node.role == *role && node.name == *name),
            Next::Usual => NAMES.iter().find_map(|name| {
                first(&|node| matches!(&*node.role, "link" | "button") && node.name.trim().eq_ignore_ascii_case(name))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use legwork_observe::fixture;

    use super::*;

    #[test]
    fn the_next_page_is_found_by_name_until_it_is_the_last() {
        let page = |state: &str| {
            fixture::snapshot(&format!(
                "- button \"More\" [ref=e6]\n- button \"Next page\" [ref=e7]{state}\n- link \"Turn\" [ref=e8]"
            ))
        };
        assert_eq!(Next::Usual.on(&page("")), Some(Target("e7".into())));
        assert_eq!(Next::Usual.on(&page(" [disabled]")), None);
        let named = Next::of(Some(&Target("e8".into())), &page(""));
        let later = fixture::snapshot("- link \"Turn\" [ref=e90]");
        assert_eq!(named.on(&later), Some(Target("e90".into())));
        assert_eq!(named.on(&fixture::snapshot("- link \"Back\" [ref=e91]")), None);
    }
}
