//! Notices of a page that a step led to. An alert of a page that was just loaded (`3 invoices are overdue`, `Last
//! night's import failed`) is about the page and not about the step that opened it, unless it refers to the step.

use legwork_observe::{Snapshot, wording};
use legwork_protocol::Action;

use super::{
    Finding, FindingSubject, Observed,
    followed_link::{follows_link, route_of},
    lengths::SHORT_PAGE,
    login, signed_in,
    start_page::is_notice,
    url_path::path_of,
};

/// Words with which a page itself is refused, or with which it addresses the user who opened it.
const ABOUT_OPENING: [&str; 62] = [
    "access",
    "permission",
    "permitted",
    "allowed",
    "authori",
    "forbidden",
    "not found",
    "not exist",
    "n't exist",
    "no longer",
    "available",
    "went wrong",
    "error occurred",
    "unexpected error",
    "load",
    "try again",
    "again later",
    "upgrade",
    "you need",
    "you must",
    "you cannot",
    "you can't",
    "you do not",
    "you don't",
    "you are not",
    "you have no",
    "zugriff",
    "berechtig",
    "erlaubt",
    "nicht gefunden",
    "existiert nicht",
    "verfügbar",
    "schiefgegangen",
    "fehler ist aufgetreten",
    "geladen",
    "versuchen sie",
    "sie haben kein",
    "sie müssen",
    "sie können",
    "accès",
    "introuvable",
    "autoris",
    "existe pas",
    "une erreur",
    "réessay",
    "acceso",
    "permiso",
    "no encontrad",
    "no existe",
    "un error",
    "inténtelo",
    "accesso",
    "permess",
    "non trovat",
    "un errore",
    "riprova",
    "acesso",
    "não encontrad",
    "um erro",
    "toegang",
    "niet gevonden",
    "er is een fout",
];

/// Makes the messages neutral that are about the page and not about the step.
pub(super) fn neutralize_notices(observed: &Observed<'_>, names: &str, findings: &mut [Finding]) {
    let Some(before) = observed.before else { return };
    let login = login_sign(observed, before);
    let loaded = LoadedPage::of(observed, before, names);
    if login.is_none() && loaded.is_none() {
        return;
    }
    for finding in findings.iter_mut().filter(|finding| finding.contradicts()) {
        let FindingSubject::Message(text) = &finding.subject else { continue };
        let is_of_user = match login {
            Some(LoginSign::LogOut) => true,
            Some(LoginSign::Person) => !signed_in::is_about_log_in(text),
            None => false,
        };
        if is_of_user || loaded.is_some_and(|loaded| loaded.has_notice(observed, names, text, finding.weak)) {
            *finding = finding.clone().neutral();
        }
    }
}

/// What shows after a log-in that the user is logged in.
#[derive(Clone, Copy, PartialEq)]
enum LoginSign {
    LogOut,
    Person,
}

fn login_sign(observed: &Observed<'_>, before: &Snapshot) -> Option<LoginSign> {
    let is_login = observed.is_login || login::sends_login(observed, before);
    if !is_login || observed.after.nodes.iter().any(login::is_password) && !login::offers_log_out(observed) {
        return None;
    }
    if login::offers_log_out(observed) {
        return Some(LoginSign::LogOut);
    }
    signed_in::person(observed, before).map(|_| LoginSign::Person)
}

/// A page that a link or an address led to.
#[derive(Clone, Copy)]
struct LoadedPage {
    /// Whether its heading, title or address repeats the name of the link.
    is_named: bool,
    /// Whether it shows more than a page that only explains why something was refused.
    is_long: bool,
}

impl LoadedPage {
    /// The page, if the action followed a link to it and requested no change. The name of a link that is a command
    /// (`Delete`,
    /// `Publish`) requests one, although the request is a GET. An opened address may request one as well (`/confirm?token=…`),
    /// and is answered with a short page.
    fn of<'a>(observed: &Observed<'a>, before: &'a Snapshot, names: &str) -> Option<LoadedPage> {
        let after = observed.after;
        let names = names.trim();
        let texts = after.nodes.iter().filter(|node| node.role.as_ref() == "text").count();
        let is_long = texts > SHORT_PAGE;
        if observed.only_opens() && !observed.sends_change() {
            let is_address =
                |action: &Action| matches!(action, Action::Open(open) if path_of(&open.url) == path_of(&after.url));
            return observed.actions.iter().any(is_address).then_some(LoadedPage { is_named: is_long, is_long });
        }
        if !follows_link(observed, before) || names.is_empty() || wording::is_command(names) {
            return None;
        }
        let headings = |page: &'a Snapshot| page.nodes.iter().filter(|node| node.role.as_ref() == "heading");
        let is_old = |text: &str| headings(before).any(|node| *node.name == *text);
        let new = headings(after).map(|node| &*node.name).filter(|text| !is_old(text));
        let title = Some(after.title.as_str()).filter(|title| *title != before.title);
        let (path, fragment) = route_of(&after.url);
        let path = fragment.unwrap_or(path).to_lowercase();
        let is_named = new.chain(title).any(|text| wording::normalized(text).contains(names))
            || path.rsplit('/').next() == Some(names.replace(' ', "-").as_str());
        Some(LoadedPage { is_named, is_long })
    }

    /// Whether a text is a notice of the page. `is_unclear`: it does not state a refusal.
    fn has_notice(self, observed: &Observed<'_>, names: &str, text: &str, is_unclear: bool) -> bool {
        let normalized = wording::normalized(text);
        let is_about_opening = ABOUT_OPENING.iter().any(|words| normalized.contains(words))
            || is_notice(text)
            || wording::names_action(text, names)
            || wording::is_error_code(text);
        if is_about_opening || !(self.is_named || is_unclear && self.is_long) || !has_content_beside(observed, text) {
            return false;
        }
        // `Invoices could not be shown` after the link `Invoices`; but `3 invoices are overdue`.
        is_unclear || names.trim().is_empty() || !normalized.contains(names.trim())
    }
}

/// Whether the page shows something else that is new. A page that consists of a message is a refusal.
fn has_content_beside(observed: &Observed<'_>, message: &str) -> bool {
    let Some(before) = observed.before else { return false };
    let page = observed.after;
    page.nodes.iter().any(|node| {
        let text = node.name.trim();
        let is_content =
            !matches!(node.role.as_ref(), "heading" | "alert" | "alertdialog" | "status" | "link" | "button");
        is_content
            && !text.is_empty()
            && !message.contains(text)
            && !before.nodes.iter().any(|old| old.name.trim() == text)
    })
}
