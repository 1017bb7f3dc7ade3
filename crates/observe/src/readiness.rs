//! Whether a page shows that its content is still to come: a splash page, `Loading…`, a spinner, or nothing at all.
//!
//! A page that is observed in this state misleads a reader: a model repeats an action whose effect is not shown yet.
//! Which marks count is a heuristic, so that a caller waits for a limited time only.

use std::collections::HashSet;

use crate::{Node, Snapshot, progress};

/// The longest text that is a mark by itself; a longer one is content.
const LONGEST: usize = 40;

/// Whether the page is loading. Marks that the page had `before`, the previous observation of the same address, are a
/// part of it: a page that always says `Processing…` somewhere is not waited for again.
pub fn is_loading(page: &Snapshot, before: Option<&Snapshot>) -> bool {
    if page.dialog.is_some() || !page.url.starts_with("http") {
        return false;
    }
    let before = before.filter(|before| before.url == page.url);
    if is_blank(page) {
        return before.is_none_or(|before| !is_blank(before));
    }
    let known: HashSet<(&str, &str)> = before.map(|before| marks(before).collect()).unwrap_or_default();
    marks(page).any(|mark| !known.contains(&mark))
}

/// Whether nothing on the page can be read or operated.
fn is_blank(page: &Snapshot) -> bool {
    page.nodes.iter().skip(1).all(|node| {
        node.states.unseen() || node.name.trim().is_empty() && node.reference.is_none() && node.value.is_none()
    })
}

/// The role and name of all elements that show that something is under way.
fn marks(page: &Snapshot) -> impl Iterator<Item = (&str, &str)> {
    let is_mark = |node: &&Node| !node.states.unseen() && !node.states.self_changing() && shows_progress(node);
    page.nodes.iter().skip(1).filter(is_mark).map(|node| (node.role.as_ref(), node.name.as_ref()))
}

fn shows_progress(node: &Node) -> bool {
    match node.role.as_ref() {
        // With a value it shows how much of something is done, such as a quota.
        "progressbar" => node.value.is_none() || node.states.busy(),
        // The name of a control says what it does: `Loading dock`.
        "button" | "link" | "textbox" | "searchbox" | "option" | "tab" | "menuitem" | "heading" | "cell" => {
            node.states.busy()
        }
        _ => node.states.busy() || is_waiting(&node.name),
    }
}

/// `Loading…`, `Please wait`, `Initializing…`: and not `Saving accounts`.
fn is_waiting(text: &str) -> bool {
    let text = text.trim();
    if text.chars().count() > LONGEST {
        return false;
    }
    let low = text.to_lowercase();
    let goes_on = low.ends_with('…') || low.ends_with("...");
    let bare = low.trim_end_matches(['.', '…']);
    let is_whole =
        ["loading", "please wait", "initializing", "initialising", "wird geladen", "bitte warten", "chargement"];
    goes_on && progress::is_under_way(text) || is_whole.contains(&bare)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    fn page(text: &str) -> Snapshot {
        let mut page = fixture::snapshot(text);
        page.url = "http://site.test/".into();
        page
    }

    #[test]
    fn a_page_that_says_so_is_loading() {
        for text in [
            "- text: Loading…",
            "- status \"Please wait\"",
            "- text: Initializing...",
            "- progressbar",
            "- main [busy]\n  - heading \"Orders\"",
            "- heading \"Orders\"\n- text: Loading orders…",
            "- img",
            "",
        ] {
            assert!(is_loading(&page(text), None), "{text}");
        }
        for text in [
            "- heading \"Orders\"",
            "- text: Saving accounts",
            "- text: Working hours",
            "- button \"Loading…\" [ref=e1]",
            "- progressbar \"Quota\": 40",
            "- text: Loading… takes a moment on old machines, please do not close it",
            "- button \"\" [ref=e1]",
        ] {
            assert!(!is_loading(&page(text), None), "{text}");
        }
    }

    #[test]
    fn only_marks_that_are_new_are_waited_for() {
        let idle = page("- heading \"Queue\"\n- text: Processing…");
        let saving = page("- heading \"Queue\"\n- text: Processing…\n- progressbar");
        assert!(!is_loading(&idle, Some(&idle)));
        assert!(is_loading(&saving, Some(&idle)));
        let other = Snapshot { url: "http://site.test/other".into(), ..idle.clone() };
        assert!(is_loading(&idle, Some(&other)), "another page");
        let local = Snapshot { url: "about:blank".into(), ..page("") };
        assert!(!is_loading(&local, None));
    }
}
