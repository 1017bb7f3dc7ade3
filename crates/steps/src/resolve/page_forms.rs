//! What is done with a whole form or dialog: logging in, searching, submitting, answering. The parts are found on the page
//! by what they are; where that leaves a choice, the choice is named instead of taken.

use legwork_observe::{NodeIndex, Snapshot};
use legwork_protocol::{Action, Click, Dialog, Fill};

use crate::{
    ast::{Scope, TargetPhrase},
    describe::{ambiguity, describe, describe_all},
    element_kind::ElementKind,
    error::{Actions, ResolveError},
    find::{self, Purpose},
    name_match::{MatchQuality, NameMatcher},
    roles::{DIALOGS, input, is_field_like},
    scope,
};

fn click(page: &Snapshot, at: NodeIndex) -> Action {
    Action::Click(Click {
        target: find::target_of(page, at),
        button: Default::default(),
        count: 1,
        modifiers: Vec::new(),
    })
}

fn put(page: &Snapshot, at: NodeIndex, text: &str, submit: bool) -> Action {
    Action::Fill(Fill { target: find::target_of(page, at), text: text.to_owned(), submit })
}

fn fields(page: &Snapshot) -> impl Iterator<Item = NodeIndex> + '_ {
    (1..page.nodes.len()).filter(|at| {
        let node = &page.nodes[*at];
        is_field_like(node) && !node.states.disabled() && !matches!(input(node), "file" | "hidden")
    })
}

fn is_password(page: &Snapshot, at: NodeIndex) -> bool {
    let node = &page.nodes[at];
    input(node) == "password" || node.states.secret()
}

/// The smallest part of the page around an element that holds a button as well.
fn form_of(page: &Snapshot, at: NodeIndex) -> std::ops::Range<NodeIndex> {
    page.enclosing(at, &["form"])
        .or_else(|| page.ancestors(at).find(|up| page.below(*up).any(|at| page.role(at) == "button")))
        .map_or(1..page.nodes.len(), |up| up..page.nodes[up].end)
}

pub(super) fn login(page: &Snapshot, user: Option<&str>, password: &str) -> Actions {
    let mut secret: Vec<NodeIndex> = fields(page).filter(|at| is_password(page, *at)).collect();
    if secret.is_empty() {
        let named = TargetPhrase { kind: Some(ElementKind::Field), ..TargetPhrase::named("Password") };
        secret = find::matching(page, &named, MatchQuality::Bare).unwrap_or_default();
    }
    let secret = match secret.as_slice() {
        [one] => *one,
        [] => {
            return Err(ResolveError::not_found(
                "password field",
                fields(page).take(5).map(|at| describe(page, at)).collect(),
                "open the log-in page first; when it asks for the name and the password on two pages, write the steps one by one",
            ));
        }
        several => {
            return Err(ambiguity(
                page,
                "password field",
                several,
                "this may be for signing up; type into each field by its name",
            ));
        }
    };
    let form = form_of(page, secret);
    let mut actions = Vec::new();
    if let Some(user) = user {
        let before: Vec<NodeIndex> = fields(page)
            .filter(|at| {
                form.contains(at)
                    && *at < secret
                    && !matches!(input(&page.nodes[*at]), "search" | "password" | "number")
                    && page.role(*at) != "searchbox"
            })
            .collect();
        let called = |at: &NodeIndex| {
            let node = &page.nodes[*at];
            let text = format!("{} {:?}", node.name, node.attributes).to_lowercase();
            ["user", "email", "e-mail", "login", "account", "name"].iter().any(|word| text.contains(word))
        };
        let named: Vec<NodeIndex> = before.iter().copied().filter(called).collect();
        let at = match (before.as_slice(), named.as_slice()) {
            ([one], _) | (_, [one]) => *one,
            ([], _) => {
                return Err(ResolveError::not_found(
                    "user name field before the password field",
                    fields(page).take(5).map(|at| describe(page, at)).collect(),
                    "",
                ));
            }
            (several, _) => {
                return Err(ambiguity(page, "user name field", several, "type into each field by its name"));
            }
        };
        actions.push(put(page, at, user, false));
    }
    let buttons: Vec<NodeIndex> =
        form.filter(|at| page.role(*at) == "button" && !page.nodes[*at].states.disabled()).collect();
    let called: Vec<NodeIndex> =
        ["log in", "sign in", "login", "signin", "log on", "submit", "continue", "next", "enter"]
            .iter()
            .map(|name| {
                let matcher = NameMatcher::new(name);
                buttons
                    .iter()
                    .copied()
                    .filter(|at| {
                        matcher.quality(&page.nodes[*at].name).is_some_and(|quality| quality <= MatchQuality::Bare)
                    })
                    .collect::<Vec<_>>()
            })
            .find(|found| !found.is_empty())
            .unwrap_or_default();
    let submits: Vec<NodeIndex> =
        buttons.iter().copied().filter(|at| input(&page.nodes[*at]) == "submit" && *at > secret).collect();
    let after: Vec<NodeIndex> = buttons.iter().copied().filter(|at| *at > secret).collect();
    match (called.as_slice(), submits.as_slice(), after.as_slice()) {
        ([one], _, _) | ([], [one], _) | ([], [], [one]) => {
            actions.push(put(page, secret, password, false));
            actions.push(click(page, *one));
        }
        // Without a button of that name Enter submits, as it does for people.
        _ => actions.push(put(page, secret, password, true)),
    }
    Ok(actions)
}

pub(super) fn search(page: &Snapshot, text: &str, field: Option<&TargetPhrase>) -> Actions {
    if let Some(field) = field {
        return Ok(vec![Action::Fill(Fill {
            target: find::target(page, field, Purpose::Fill)?,
            text: text.to_owned(),
            submit: true,
        })]);
    }
    let by_role: Vec<NodeIndex> =
        fields(page).filter(|at| page.role(*at) == "searchbox" || input(&page.nodes[*at]) == "search").collect();
    let in_search = |at: &NodeIndex| page.enclosing(*at, &["search"]).is_some();
    let by_name = |at: &NodeIndex| {
        let node = &page.nodes[*at];
        let label = node.attributes.as_ref().and_then(|a| a.placeholder.as_deref()).unwrap_or_default();
        let id = node
            .attributes
            .as_ref()
            .map(|a| format!("{:?} {:?} {:?}", a.id, a.form_name, a.test_id))
            .unwrap_or_default();
        let text = format!("{} {label} {id}", node.name).to_lowercase();
        text.contains("search") || text.contains("find")
    };
    // A menu at the side may have a field that narrows it down (Django: `Filter navigation items`). It is meant where there is
    // no other.
    let narrows = |at: &NodeIndex| {
        let is_aside = |up: NodeIndex| page.has_role(up, &["navigation", "complementary"]);
        page.nodes[*at].name.to_lowercase().contains("filter") || page.ancestors(*at).any(is_aside)
    };
    let tiers = [by_role, fields(page).filter(in_search).collect(), fields(page).filter(by_name).collect()];
    let without_menus = tiers.iter().map(|tier| tier.iter().copied().filter(|at| !narrows(at)).collect::<Vec<_>>());
    let found = without_menus.chain(tiers.iter().cloned()).find(|tier| !tier.is_empty()).unwrap_or_default();
    match found.as_slice() {
        [one] => Ok(vec![put(page, *one, text, true)]),
        [] => Err(ResolveError::not_found(
            "search field",
            fields(page).take(5).map(|at| describe(page, at)).collect(),
            "say which: `Type \"…\" into \"…\" and press Enter`",
        )),
        several => Err(ambiguity(page, "search field", several, "say which: `Search for \"…\" in \"…\"`")),
    }
}

pub(super) fn submit(page: &Snapshot, form: Option<&TargetPhrase>) -> Actions {
    let ranges = match form {
        Some(form) => scope::ranges(page, &[Scope::In(form.clone())])?,
        None => scope::everywhere(page),
    };
    let buttons: Vec<NodeIndex> = ranges.into_iter().flatten().filter(|at| page.role(*at) == "button").collect();
    let in_dialog: Vec<NodeIndex> =
        buttons.iter().copied().filter(|at| page.enclosing(*at, DIALOGS).is_some()).collect();
    let buttons = if in_dialog.is_empty() { buttons } else { in_dialog };
    let submits: Vec<NodeIndex> = buttons.iter().copied().filter(|at| input(&page.nodes[*at]) == "submit").collect();
    let matcher = NameMatcher::new("Submit");
    let called: Vec<NodeIndex> = buttons
        .iter()
        .copied()
        .filter(|at| matcher.quality(&page.nodes[*at].name).is_some_and(|quality| quality <= MatchQuality::Bare))
        .collect();
    let in_form: Vec<NodeIndex> =
        buttons.iter().copied().filter(|at| page.enclosing(*at, &["form"]).is_some()).collect();
    match (called.as_slice(), submits.as_slice(), in_form.as_slice(), buttons.as_slice()) {
        ([one], ..) | ([], [one], ..) | ([], [], [one], _) | ([], [], [], [one]) => Ok(vec![click(page, *one)]),
        (_, _, _, []) => {
            Err(ResolveError::not_found("button that submits", Vec::new(), "`Press Enter` in a field may do"))
        }
        (_, _, _, several) => Err(ambiguity(page, "button that may submit", several, "say which: `Click \"…\"`")),
    }
}

/// A JavaScript dialog is answered while it is open; a dialog of the page's own has buttons.
pub(super) fn dialog(page: &Snapshot, accept: bool, text: Option<String>) -> Actions {
    let own = (1..page.nodes.len()).rfind(|at| page.has_role(*at, DIALOGS));
    let (None, Some(own), None) = (&page.dialog, own, &text) else {
        return Ok(vec![Action::Dialog(Dialog::answer(accept, text))]);
    };
    let buttons: Vec<NodeIndex> = page.below(own).filter(|at| page.role(*at) == "button").collect();
    let names: &[&str] = if accept {
        &["OK", "Accept", "Confirm", "Yes", "Continue", "I agree", "Agree"]
    } else {
        &["Cancel", "Dismiss", "No", "Close", "×", "✕", "✖", "x", "Not now"]
    };
    for name in names {
        let matcher = NameMatcher::new(name);
        let found: Vec<NodeIndex> = buttons
            .iter()
            .copied()
            .filter(|at| matcher.quality(&page.nodes[*at].name).is_some_and(|quality| quality <= MatchQuality::Bare))
            .collect();
        if let [one] = found.as_slice() {
            return Ok(vec![click(page, *one)]);
        }
    }
    match (accept, buttons.as_slice()) {
        (true, [one]) => Ok(vec![click(page, *one)]),
        _ => Err(ResolveError::not_found(
            format!("button that {} the dialog", if accept { "accepts" } else { "dismisses" }),
            describe_all(page, &buttons),
            "say which: `Click \"…\" in the dialog`",
        )),
    }
}
