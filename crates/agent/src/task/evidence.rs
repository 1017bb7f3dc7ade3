//! What an action did, seen by code: the page before and after it, and what the browser says it set off.

use std::collections::HashSet;

use legwork_observe::{Node, Snapshot};
use legwork_protocol::{Action, Evidence, EvidenceKind, PageEffect, TargetKind};

/// Effects of an action that are noted one by one: a page may raise a thousand dialogs.
const EFFECTS: usize = 20;
/// New texts that are noted, and how long each may be.
const TEXTS: usize = 3;
const LENGTH: usize = 120;

/// The facts that show what the actions did.
pub(crate) fn of(
    actions: &[Action],
    effects: &[PageEffect],
    before: Option<&Snapshot>,
    after: &Snapshot,
) -> Vec<Evidence> {
    let mut facts: Vec<Evidence> = effects.iter().filter_map(effect).collect();
    if facts.len() > EFFECTS {
        let more = facts.len() - EFFECTS;
        facts.truncate(EFFECTS);
        facts.push(noted(
            EvidenceKind::Text,
            format!("{more} more effects of this kind; the run's events have them all"),
        ));
    }
    if before.is_none_or(|before| before.url != after.url) {
        facts.push(noted(EvidenceKind::Url, format!("the address is {}", after.url)));
    }
    if before.is_none_or(|before| before.title != after.title) && !after.title.is_empty() {
        facts.push(noted(EvidenceKind::Title, format!("the title is {:?}", after.title)));
    }
    if let Some(dialog) = after.dialog.as_ref().filter(|_| !facts.iter().any(|fact| fact.kind == EvidenceKind::Dialog))
    {
        facts.push(noted(EvidenceKind::Dialog, format!("the dialog {:?} is open", dialog.message)));
    }
    if actions.iter().any(|action| matches!(action, Action::Tab(_)))
        && let Some(tab) = after.tabs.iter().find(|tab| tab.current)
    {
        facts.push(noted(EvidenceKind::Tab, format!("tab {} is the current one: {}", tab.number, tab.url)));
    }
    facts.extend(actions.iter().filter_map(|action| element(action, after)));
    if let Some(before) = before {
        // What a page says on purpose comes before what else it holds.
        let telling = appeared(before, after, &["alert", "status", "heading"]);
        let texts: Vec<Evidence> = telling.chain(appeared(before, after, &["text"])).take(TEXTS).collect();
        // A menu that opened says nothing but what can be chosen.
        let chosen_from =
            texts.is_empty().then(|| appeared(before, after, &["link", "button", "menuitem", "option", "tab"]));
        facts.extend(texts);
        facts.extend(chosen_from.into_iter().flatten());
        if facts.is_empty() {
            // Something was taken away.
            let held = ["alert", "status", "heading", "text", "link", "button", "row", "listitem", "option", "dialog"];
            facts.extend(
                only_in(before, after, &held).map(|name| noted(EvidenceKind::Text, format!("{name:?} is gone"))),
            );
        }
        if facts.is_empty() && is_reordered(before, after) {
            facts.push(noted(EvidenceKind::Text, "what the page shows stands in another order"));
        }
    }
    facts
}

fn noted(kind: EvidenceKind, fact: impl Into<String>) -> Evidence {
    Evidence { kind, fact: fact.into(), checked: false }
}

fn effect(effect: &PageEffect) -> Option<Evidence> {
    Some(match effect {
        PageEffect::Navigated { to, status: Some(status), .. } => {
            noted(EvidenceKind::Response, format!("{to} answered {status}"))
        }
        PageEffect::TabOpened { number, url, .. } => noted(EvidenceKind::Tab, format!("tab {number} opened: {url}")),
        PageEffect::TabClosed { number } => noted(EvidenceKind::Tab, format!("tab {number} closed")),
        PageEffect::Dialog(dialog) => {
            let how = match dialog.accepted {
                Some(true) => "accepted",
                Some(false) => "dismissed",
                None => "left open",
            };
            noted(EvidenceKind::Dialog, format!("the dialog {:?} was {how}", dialog.message))
        }
        PageEffect::Downloaded(file) => {
            noted(EvidenceKind::Download, format!("{} arrived ({} bytes, sha256 {})", file.name, file.size, file.hash))
        }
        PageEffect::Navigated { .. }
        | PageEffect::ChooserOpened { .. }
        | PageEffect::Blocked { .. }
        | PageEffect::Unsettled { .. } => return None,
    })
}

/// The state of the element that was acted on, when it shows what was done.
fn element(action: &Action, after: &Snapshot) -> Option<Evidence> {
    let node = match action.target()?.kind() {
        TargetKind::Ref(reference) => &after.nodes[after.find_ref(reference)?],
        TargetKind::Role { role, name: Some(name) } => {
            let mut alike = after.nodes.iter().filter(|node| *node.role == *role && *node.name == *name);
            // Of two of one name nobody knows which it was.
            alike.next().filter(|_| alike.next().is_none())?
        }
        _ => return None,
    };
    let what = named(node);
    let fact = match action.carried_out() {
        Action::Fill(_) | Action::Type(_) if node.states.secret() || types_secret(action) => {
            format!("{what} is filled in")
        }
        Action::Fill(_) | Action::Type(_) | Action::Select(_) | Action::Upload(_) => {
            format!("{what} holds {:?}", clipped(node.value.as_deref().unwrap_or_default()))
        }
        Action::Check(_) | Action::Uncheck(_) | Action::Click(_) => {
            let state = [
                (node.states.checked(), "checked"),
                (node.states.selected(), "selected"),
                (node.states.pressed(), "pressed"),
                (node.states.expanded(), "expanded"),
            ];
            match (state.iter().find(|(set, _)| *set), action) {
                (Some((_, word)), _) => format!("{what} is {word}"),
                (None, Action::Uncheck(_)) => format!("{what} is not checked"),
                (None, _) => return None,
            }
        }
        _ => return None,
    };
    Some(noted(EvidenceKind::Element, fact))
}

/// Whether the same texts stand in another order: a table that was sorted.
fn is_reordered(before: &Snapshot, after: &Snapshot) -> bool {
    let texts = |page: &Snapshot| -> Vec<Box<str>> {
        page.nodes.iter().filter(|node| !node.name.is_empty()).map(|node| node.name.clone()).collect()
    };
    let (mut was, mut is) = (texts(before), texts(after));
    if was == is {
        return false;
    }
    was.sort_unstable();
    is.sort_unstable();
    was == is
}

fn types_secret(action: &Action) -> bool {
    match action {
        Action::Fill(fill) => fill.text.contains("${secret:"),
        Action::Type(typed) => typed.text.contains("${secret:"),
        _ => false,
    }
}

fn named(node: &Node) -> String {
    if node.name.is_empty() { node.role.to_string() } else { format!("{} {:?}", node.role, clipped(&node.name)) }
}

/// The first texts that are shown now and were not before.
fn appeared<'a>(before: &'a Snapshot, after: &'a Snapshot, roles: &'a [&str]) -> impl Iterator<Item = Evidence> + 'a {
    only_in(after, before, roles).map(|name| noted(EvidenceKind::Text, format!("{name:?} appeared")))
}

/// The first names that are on one page and not on the other, each once.
fn only_in<'a>(page: &'a Snapshot, other: &'a Snapshot, roles: &'a [&str]) -> impl Iterator<Item = String> + 'a {
    let known: HashSet<&str> = other.nodes.iter().map(|node| node.name.as_ref()).collect();
    let mut said = HashSet::new();
    let speaks = |node: &&Node| roles.contains(&node.role.as_ref());
    page.nodes
        .iter()
        .filter(speaks)
        .map(|node| node.name.as_ref())
        .filter(move |name| name.contains(char::is_alphanumeric) && !known.contains(name) && said.insert(*name))
        .take(TEXTS)
        .map(clipped)
}

fn clipped(text: &str) -> String {
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
