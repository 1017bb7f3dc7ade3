//! The signs of a user who is logged in. That the password field is gone is none: a page that asks to wait, to confirm
//! the log-in on a phone or to choose a plan has no password field either, and neither has the public start page.

use legwork_observe::{Node, NodeIndex, Snapshot, wording};
use legwork_protocol::Action;

use super::{
    EvidenceRule, Finding, Observed, fields,
    finding::neutralize,
    lengths::SHORT_PAGE,
    login::{LOG_IN, is_password},
    named, other_logins,
    whole_words::contains_whole,
};

/// Words that welcome somebody. Before a preposition, they welcome to a site and not a user.
const WELCOMES: [&str; 8] =
    ["welcome", "willkommen", "bienvenue", "bienvenid", "benvenut", "bem-vind", "boas-vindas", "welkom"];
const TO: [&str; 18] =
    ["to", "at", "bei", "zu", "zur", "zum", "auf", "in", "im", "chez", "sur", "à", "a", "en", "al", "ao", "bij", "op"];
/// Words of a text that states that the log-in was successful.
const DONE: [&str; 12] = [
    "signed in",
    "logged in",
    "log-in success",
    "login success",
    "sign-in success",
    "angemeldet",
    "eingeloggt",
    "connecté",
    "sesión iniciada",
    "accesso effettuato",
    "sessão iniciada",
    "ingelogd",
];
/// Names of controls that lead to the user's own data.
const ACCOUNT: [&str; 18] = [
    "account",
    "my account",
    "account menu",
    "user menu",
    "profile",
    "my profile",
    "mein konto",
    "konto",
    "profil",
    "mein profil",
    "mon compte",
    "mon profil",
    "mi cuenta",
    "mi perfil",
    "il mio account",
    "profilo",
    "minha conta",
    "mijn account",
];
/// A page on which a site asks for something before it completes a log-in has fewer new controls.
const CONTROLS: usize = 4;
/// The maximum number of words beside the user's name: `Signed in as alice`.
const BESIDE: usize = 4;

/// What shows that somebody is logged in, after a form with a password field was sent and is gone.
pub(super) fn sign(observed: &Observed<'_>, before: &Snapshot) -> Option<String> {
    let page = observed.after;
    if let Some(person) = person(observed, before) {
        return Some(person);
    }
    // The header's own control is gone with the dialog that it opened.
    let offers = |page: &Snapshot| page.nodes.iter().filter(|node| offers_log_in(node)).count();
    if offers(page) > 0 {
        return None;
    }
    if offers(before) > 1 && !observed.is_reloaded() {
        return Some("the page no longer offers to log in".to_owned());
    }
    let mut new = controls(page, before);
    if let Some(node) = new.clone().find(|node| ACCOUNT.contains(&wording::normalized(&node.name).trim())) {
        return Some(format!("the page offers {}", named(node)));
    }
    // A page with this much content is the application, whose log-out may be in a menu that is closed.
    let has_table = (1..page.nodes.len()).any(|at| page.has_role(at, &["table", "grid", "treegrid"]));
    let mut names: Vec<&str> = new.by_ref().map(|node| node.name.as_ref()).collect();
    names.sort_unstable();
    names.dedup();
    let texts = page.nodes.iter().filter(|node| node.role.as_ref() == "text").count();
    (has_table || names.len() >= CONTROLS || texts > SHORT_PAGE).then(|| "the password field is gone".to_owned())
}

/// A text that greets the user or shows the user's name, or a control with that name. On a page that offers nothing, a
/// greeting may precede the reason for which the user is not let in: `Hello alice. This account was closed.`
pub(super) fn person(observed: &Observed<'_>, before: &Snapshot) -> Option<String> {
    let page = observed.after;
    let users = users(observed, before);
    let is_known = |text: &str| before.nodes.iter().any(|node| *node.name == *text);
    let new = || page.nodes.iter().filter(|node| !node.name.trim().is_empty() && !is_known(&node.name));
    let is_person = |node: &&Node| {
        let text = wording::normalized(&node.name);
        let is_text = matches!(node.role.as_ref(), "heading" | "text" | "paragraph" | "status" | "alert" | "img");
        let is_control = matches!(node.role.as_ref(), "link" | "button" | "menuitem");
        let is_named = users.iter().any(|user| is_name_in(&text, user));
        (is_text || is_control) && is_named && !wording::mentions_refusal(&text) || is_text && is_greeting(&text)
    };
    let shown = new().find(is_person)?;
    let explains = |node: &Node| {
        let text = node.name.trim();
        node.role.as_ref() == "text"
            && text.split_whitespace().count() >= BESIDE
            && text.ends_with(['.', '!'])
            && !is_greeting(&wording::normalized(text))
            && !wording::states_success(text)
    };
    let offers_something = controls(page, before).next().is_some();
    (offers_something || !new().any(explains)).then(|| format!("{} refers to the user", named(shown)))
}

/// Whether a control offers to log in, possibly beside something else: `Log in / Register`.
fn offers_log_in(node: &Node) -> bool {
    let name = wording::normalized(&node.name);
    let is_offer = |part: &str| LOG_IN.iter().any(|words| *words != "continue" && part.trim() == *words);
    let mut parts =
        name.split(['/', '|', '·']).flat_map(|part| part.split(" or ")).flat_map(|part| part.split(" oder "));
    other_logins::offers_log_in(node)
        || matches!(node.role.as_ref(), "link" | "button") && name.chars().count() <= 40 && parts.any(is_offer)
}

fn is_greeting(text: &str) -> bool {
    let welcome = WELCOMES.iter().find_map(|word| text.trim_start().strip_prefix(word));
    let is_to_site = welcome.is_some_and(|rest| {
        let rest = rest.trim_start_matches(char::is_alphabetic);
        rest.split_whitespace().next().is_some_and(|word| TO.contains(&word))
    });
    let states_done = || {
        // `You are signed in on 2 other devices`.
        DONE.iter().any(|word| text.contains(word))
            && !text.contains(|c: char| c.is_ascii_digit())
            && wording::states_success(text)
    };
    wording::greets(text) || welcome.is_some() && !is_to_site || states_done()
}

/// Whether a short text consists of the user's name and a few words. A longer one is a sentence about the user (`alice
/// is not a member of this workspace`).
fn is_name_in(text: &str, user: &str) -> bool {
    // These are words of any page as well: `More info`, `Demo video`.
    const COMMON: [&str; 11] =
        ["admin", "info", "test", "user", "demo", "mail", "office", "contact", "support", "sales", "guest"];
    let (words, of_user) = (text.split_whitespace().count(), user.split_whitespace().count());
    let beside = if COMMON.contains(&user) { 0 } else { BESIDE };
    words <= of_user + beside && contains_whole(text, user) && !wording::has_denial(text)
}

/// The entered user names, and the names in entered e-mail addresses.
fn users(observed: &Observed<'_>, before: &Snapshot) -> Vec<String> {
    let entered = observed.actions.iter().filter_map(|action| match action.carried_out() {
        Action::Fill(fill) => {
            let is_secret = fields::target(action.carried_out(), before).is_some_and(is_password);
            (!is_secret).then_some(fill.text.as_str())
        }
        _ => None,
    });
    let names = entered.chain(observed.values_put_in()).map(|name| wording::normalized(name.trim()));
    let with_local = names.flat_map(|name| {
        let local = name.split_once('@').map(|(local, _)| local.to_owned());
        [Some(name), local]
    });
    with_local.flatten().filter(|name| name.chars().count() > 1).collect()
}

/// The controls that the page before did not have.
fn controls<'a>(page: &'a Snapshot, before: &'a Snapshot) -> impl Iterator<Item = &'a Node> + Clone {
    let is_known = |node: &Node| before.nodes.iter().any(|old| old.role == node.role && old.name == node.name);
    page.nodes.iter().filter(move |node| {
        let is_control = matches!(node.role.as_ref(), "link" | "button" | "menuitem" | "tab") || node.states.editable();
        is_control && !node.name.trim().is_empty() && !is_known(node)
    })
}

/// The control that ends the user's own session. A list of devices has one in each of several entries.
pub(super) fn log_out(page: &Snapshot) -> Option<&Node> {
    let ends_session = |at: &NodeIndex| {
        let node = &page.nodes[*at];
        let name = wording::normalized(&node.name);
        matches!(node.role.as_ref(), "link" | "button" | "menuitem") && wording::logs_out(&name)
    };
    let entry = |at: NodeIndex| {
        let at = page.enclosing(at, &["listitem", "row", "article"])?;
        Some((at, page.nodes[at].parent))
    };
    let all: Vec<NodeIndex> = (1..page.nodes.len()).filter(ends_session).collect();
    let is_repeated = |at: NodeIndex| {
        let own = entry(at);
        own.is_some_and(|(own, list)| {
            all.iter().filter_map(|other| entry(*other)).any(|(other, of)| other != own && of == list)
        })
    };
    all.iter().find(|at| !is_repeated(**at)).map(|at| &page.nodes[*at])
}

/// Removes the support from all findings if nothing shows that somebody is logged in. The next action finds its target
/// or fails, except on the public pages of a site, which offer to log in.
pub(super) fn neutralize_without_user(observed: &Observed<'_>, findings: &mut [Finding]) {
    let offers_log_in = || observed.after.nodes.iter().any(offers_log_in);
    if observed.disabled.contains(&EvidenceRule::SignedIn)
        || !findings.iter().any(Finding::leaves_log_in_open)
        || observed.has_further_action && !offers_log_in()
    {
        return;
    }
    for finding in findings {
        *finding = neutralize(finding.clone());
    }
}

/// Whether a text is about log-ins, passwords and accounts.
pub(super) fn is_about_log_in(text: &str) -> bool {
    const ALSO: [&str; 8] = ["account", "password", "konto", "zugang", "passwort", "compte", "cuenta", "senha"];
    let text = wording::normalized(text);
    LOG_IN.iter().filter(|word| **word != "continue").chain(&ALSO).any(|word| text.contains(word))
}
