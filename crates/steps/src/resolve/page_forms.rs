//! Resolves operations on a whole form or dialog: logging in, searching, submitting, answering. The parts are
//! identified by role and name. If there are several candidates, the error lists them and nothing is chosen.

use legwork_observe::{NodeIndex, Snapshot, wording};
use legwork_protocol::{Action, Click, Dialog, Fill};

use crate::{
    ast::{Scope, TargetPhrase},
    describe::{ambiguity, describe_all},
    element_kind::ElementKind,
    error::{Actions, ResolveError},
    find::{self, Purpose},
    name_match::{MatchQuality, NameMatcher},
    roles::{DIALOGS, input, is_field_like},
    scope,
};

fn click(page: &Snapshot, at: NodeIndex) -> Action {
    Action::Click(Click::on(find::target_of(page, at)))
}

fn put(page: &Snapshot, at: NodeIndex, text: &str, submit: bool) -> Action {
    Action::Fill(Fill { target: find::target_of(page, at), text: text.to_owned(), submit })
}

fn fields(page: &Snapshot) -> Vec<NodeIndex> {
    let is_usable = |at: &NodeIndex| {
        let node = &page.nodes[*at];
        is_field_like(node) && !node.states.disabled() && !matches!(input(node), "file" | "hidden")
    };
    (1..page.nodes.len()).filter(is_usable).collect()
}

fn some(nodes: &[NodeIndex], is_one: impl Fn(NodeIndex) -> bool) -> Vec<NodeIndex> {
    nodes.iter().copied().filter(|at| is_one(*at)).collect()
}

/// The buttons with the first of these names that any button has.
fn called(page: &Snapshot, buttons: &[NodeIndex], names: &[&str]) -> Vec<NodeIndex> {
    let of_name = |name: &&str| {
        let matcher = NameMatcher::new(name);
        some(buttons, |at| matcher.is(&page.nodes[at].name))
    };
    names.iter().map(of_name).find(|buttons| !buttons.is_empty()).unwrap_or_default()
}

/// The only field of a kind, or an error that lists the candidates.
fn only_field(
    page: &Snapshot,
    what: &str,
    found: &[NodeIndex],
    none: &str,
    several: &str,
) -> Result<NodeIndex, ResolveError> {
    match found {
        [one] => Ok(*one),
        [] => Err(ResolveError::not_found(what, describe_all(page, &fields(page)), none)),
        _ => Err(ambiguity(page, what, found, several)),
    }
}

/// The smallest part of the page that contains the element and a button.
fn form_of(page: &Snapshot, at: NodeIndex) -> std::ops::Range<NodeIndex> {
    page.enclosing(at, &["form"])
        .or_else(|| page.ancestors(at).find(|up| page.below(*up).any(|at| page.role(at) == "button")))
        .map_or(1..page.nodes.len(), |up| up..page.nodes[up].end)
}

pub(super) fn login(page: &Snapshot, user: Option<&str>, password: &str) -> Actions {
    const LOG_IN: &[&str] = &["log in", "sign in", "login", "signin", "log on", "submit", "continue", "next", "enter"];
    let fields = fields(page);
    let mut secret = some(&fields, |at| input(&page.nodes[at]) == "password" || page.nodes[at].states.secret());
    if secret.is_empty() {
        let named = TargetPhrase { kind: Some(ElementKind::Field), ..TargetPhrase::named("Password") };
        secret = find::matching(page, &named, MatchQuality::Bare).unwrap_or_default();
    }
    let none = "open the log-in page first; when it asks for the name and the password on two pages, write the steps one by one";
    let several = "this may be for signing up; type into each field by its name";
    let secret = only_field(page, "password field", &secret, none, several)?;
    let form = form_of(page, secret);
    let mut actions = Vec::new();
    if let Some(user) = user {
        actions.push(put(page, user_field(page, &fields, form.clone(), secret)?, user, false));
    }
    let buttons: Vec<NodeIndex> =
        form.filter(|at| page.role(*at) == "button" && !page.nodes[*at].states.disabled()).collect();
    let after = some(&buttons, |at| at > secret);
    let submits = some(&after, |at| input(&page.nodes[at]) == "submit");
    match (&called(page, &buttons, LOG_IN)[..], &submits[..], &after[..]) {
        ([one], _, _) | ([], [one], _) | ([], [], [one]) => {
            actions.push(put(page, secret, password, false));
            actions.push(click(page, *one));
        }
        // Without a button of that name, Enter submits the form.
        _ => actions.push(put(page, secret, password, true)),
    }
    Ok(actions)
}

/// The user name field of a form: it precedes the password field; if there are several fields, its name decides.
fn user_field(
    page: &Snapshot,
    fields: &[NodeIndex],
    form: std::ops::Range<NodeIndex>,
    secret: NodeIndex,
) -> Result<NodeIndex, ResolveError> {
    let before = some(fields, |at| {
        let is_other =
            matches!(input(&page.nodes[at]), "search" | "password" | "number") || page.role(at) == "searchbox";
        form.contains(&at) && at < secret && !is_other
    });
    let named = some(&before, |at| {
        let node = &page.nodes[at];
        let text = format!("{} {:?}", node.name, node.attributes).to_lowercase();
        ["user", "email", "e-mail", "login", "account", "name"].iter().any(|word| text.contains(word))
    });
    let found = if named.len() == 1 { &named } else { &before };
    let what = if before.is_empty() { "user name field before the password field" } else { "user name field" };
    only_field(page, what, found, "", "type into each field by its name")
}

pub(super) fn search(page: &Snapshot, text: &str, field: Option<&TargetPhrase>) -> Actions {
    if let Some(field) = field {
        let target = find::target(page, field, Purpose::Fill)?;
        return Ok(vec![Action::Fill(Fill { target, text: text.to_owned(), submit: true })]);
    }
    let fields = fields(page);
    let names_search = |at: NodeIndex| {
        let node = &page.nodes[at];
        let attributes = node.attributes.as_ref();
        let label = attributes.and_then(|a| a.placeholder.as_deref()).unwrap_or_default();
        let id = attributes.map(|a| format!("{:?} {:?} {:?}", a.id, a.form_name, a.test_id)).unwrap_or_default();
        let text = format!("{} {label} {id}", node.name).to_lowercase();
        text.contains("search") || text.contains("find")
    };
    // A side menu may have a field that filters it (Django: `Filter navigation items`). It is used only if there is no
    // other field.
    let narrows = |at: NodeIndex| {
        page.nodes[at].name.to_lowercase().contains("filter")
            || page.enclosing(at, &["navigation", "complementary"]).is_some()
    };
    let tiers = [
        some(&fields, |at| page.role(at) == "searchbox" || input(&page.nodes[at]) == "search"),
        some(&fields, |at| page.enclosing(at, &["search"]).is_some()),
        some(&fields, names_search),
    ];
    let without_menus = tiers.iter().map(|tier| some(tier, |at| !narrows(at)));
    let found = without_menus.chain(tiers.iter().cloned()).find(|tier| !tier.is_empty()).unwrap_or_default();
    let none = "say which: `Type \"…\" into \"…\" and press Enter`";
    let field = only_field(page, "search field", &found, none, "say which: `Search for \"…\" in \"…\"`")?;
    Ok(vec![put(page, field, text, true)])
}

/// The control that ends the session. Sites often have two with one name, in a menu and on the page.
pub(super) fn log_out(page: &Snapshot) -> Actions {
    let is_one = |at: &NodeIndex| {
        let node = &page.nodes[*at];
        matches!(node.role.as_ref(), "link" | "button" | "menuitem")
            && !node.states.unseen()
            && !node.states.disabled()
            && wording::logs_out(&wording::normalized(&node.name))
    };
    let found: Vec<NodeIndex> = (1..page.nodes.len()).filter(is_one).collect();
    // A list of devices has one in each of its entries.
    let own = some(&found, |at| page.enclosing(at, &["row", "listitem", "article"]).is_none());
    match (&own[..], &found[..]) {
        ([one], _) | ([], [one]) => Ok(vec![click(page, *one)]),
        ([], []) => {
            let hint = "open the menu that contains it first, or name it: `Click \"…\"`";
            Err(ResolveError::not_found("button or link to log out", Vec::new(), hint))
        }
        _ => Err(ambiguity(page, "control to log out", &found, "say which: `Click \"…\" in …`")),
    }
}

pub(super) fn submit(page: &Snapshot, form: Option<&TargetPhrase>) -> Actions {
    let ranges = match form {
        Some(form) => scope::ranges(page, &[Scope::In(form.clone())])?,
        None => scope::everywhere(page),
    };
    let buttons: Vec<NodeIndex> = ranges.into_iter().flatten().filter(|at| page.role(*at) == "button").collect();
    let in_dialog = some(&buttons, |at| page.enclosing(at, DIALOGS).is_some());
    let buttons = if in_dialog.is_empty() { buttons } else { in_dialog };
    let submits = some(&buttons, |at| input(&page.nodes[at]) == "submit");
    let in_form = some(&buttons, |at| page.enclosing(at, &["form"]).is_some());
    match (&called(page, &buttons, &["Submit"])[..], &submits[..], &in_form[..], &buttons[..]) {
        ([one], ..) | ([], [one], ..) | ([], [], [one], _) | ([], [], [], [one]) => Ok(vec![click(page, *one)]),
        (_, _, _, []) => {
            Err(ResolveError::not_found("button that submits", Vec::new(), "`Press Enter` in a field may do"))
        }
        (_, _, _, several) => Err(ambiguity(page, "button that may submit", several, "say which: `Click \"…\"`")),
    }
}

/// A JavaScript dialog is answered while it is open; a dialog that is a part of the page has buttons.
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
    let named = names.iter().find_map(|name| match called(page, &buttons, &[name])[..] {
        [one] => Some(one),
        _ => None,
    });
    match (named, &buttons[..]) {
        (Some(button), _) => Ok(vec![click(page, button)]),
        (None, [one]) if accept => Ok(vec![click(page, *one)]),
        _ => Err(ResolveError::not_found(
            format!("button that {} the dialog", if accept { "accepts" } else { "dismisses" }),
            describe_all(page, &buttons),
            "say which: `Click \"…\" in the dialog`",
        )),
    }
}
