//! Log-ins without a password field on the page of the action: a link by e-mail, the user name on a page of its own, a
//! dialog that asks to log in first, and sessions that end while something is sent.

use legwork_observe::{Node, NodeIndex, Snapshot, wording};
use legwork_protocol::{Action, EvidenceKind};

use super::{
    EvidenceRule, Finding, FindingSubject, Observed, clipped, fields,
    login::{LEADS_THERE, LOG_IN, demand, is_password, log_out, second_factor},
    named,
};

/// The findings about an action on a page without a password field.
pub(super) fn assess(observed: &Observed<'_>, before: &Snapshot) -> Option<Finding> {
    ended_session(observed, before).or_else(|| dialog_first(observed, before)).or_else(|| incomplete(observed, before))
}

fn contradicts(fact: String, subject: FindingSubject) -> Option<Finding> {
    Some(Finding::new(EvidenceRule::LoginForm, EvidenceKind::Element, fact).about(subject))
}

/// A page that offered to log out and offers to log in now. The action was not to end the session.
fn ended_session(observed: &Observed<'_>, before: &Snapshot) -> Option<Finding> {
    let names = observed.target_names();
    let is_asked_for = wording::logs_out(&names) || wording::ends_session(&names);
    if !observed.submits() || observed.only_opens() || is_asked_for {
        return None;
    }
    log_out(before).filter(|_| log_out(observed.after).is_none())?;
    let offer = log_in(observed.after).filter(|_| log_in(before).is_none())?;
    let fact = format!("the session has ended: the page offers {} instead of a log-out", named(offer));
    contradicts(fact, FindingSubject::Message(offer.name.to_string()))
}

/// A new dialog with a log-in form: it must be filled in before the page does what was requested. The next action of
/// the step or run may do that.
fn dialog_first(observed: &Observed<'_>, before: &Snapshot) -> Option<Finding> {
    if observed.has_further_action
        || leads_there(&observed.target_names())
        || !observed.submits()
        || observed.only_opens()
    {
        return None;
    }
    let page = observed.after;
    let dialogs = |page: &Snapshot| -> Vec<NodeIndex> {
        (1..page.nodes.len()).filter(|at| page.has_role(*at, &["dialog", "alertdialog"])).collect()
    };
    let known: Vec<String> = dialogs(before).into_iter().map(|at| before.text_of(at)).collect();
    let asks = |at: &NodeIndex| {
        let nodes = || page.below(*at).map(|at| &page.nodes[at]);
        nodes().any(is_password) || nodes().any(|node| node.states.editable()) && nodes().any(offers_log_in)
    };
    let dialog = dialogs(page).into_iter().filter(|at| !known.contains(&page.text_of(*at))).find(asks)?;
    let text = page.text_of(dialog);
    let fact = format!("a dialog asks to log in first: {:?}", clipped(text.trim()));
    contradicts(fact, FindingSubject::Message(text.trim().to_owned()))
}

/// A log-in button after which the page asks for more: the password, a code, or a look at the mailbox. After
/// `Email me a link`, the link was requested.
fn incomplete(observed: &Observed<'_>, before: &Snapshot) -> Option<Finding> {
    let presses =
        observed.actions.iter().map(Action::carried_out).any(|action| {
            matches!(action, Action::Click(_)) && fields::target(action, before).is_some_and(offers_log_in)
        });
    let is_filled = |node: &Node| node.states.editable() && !fields::content(node).is_empty();
    if observed.has_further_action
        || !presses
        || !before.nodes.iter().any(is_filled)
        || log_out(observed.after).is_some()
    {
        return None;
    }
    let after = observed.after;
    if let Some(field) = after.nodes.iter().find(|node| is_password(node)).or_else(|| second_factor(after, before)) {
        let fact = format!("{} is asked for: the log-in is not complete", named(field));
        return contradicts(fact, fields::subject(field));
    }
    let demand = demand(after, before)?;
    let fact = format!("{:?} is shown: the log-in is not complete", clipped(demand));
    contradicts(fact, FindingSubject::Message(demand.to_owned()))
}

/// The control with which a page still offers to log in after its log-in dialog closed, if nothing else changed that
/// treats the user as known.
pub(super) fn still_offered<'a>(observed: &Observed<'a>, before: &Snapshot) -> Option<&'a Node> {
    let is_in_dialog = before.nodes.iter().enumerate().any(|(at, node)| {
        is_password(node) && before.ancestors(at).any(|up| before.has_role(up, &["dialog", "alertdialog"]))
    });
    let known = |text: &str| before.nodes.iter().any(|node| *node.name == *text);
    let mut new = observed.after.nodes.iter().map(|node| node.name.as_ref());
    let is_welcomed = new.any(|text| {
        !known(text)
            && (wording::greets(text) || wording::states_success(text) || observed.is_echo(text) && !text.is_empty())
    });
    log_in(observed.after).filter(|_| is_in_dialog && !observed.is_reloaded() && !is_welcomed)
}

/// Whether a name is about log-ins and accounts, so that a log-in form is what it leads to.
fn leads_there(names: &str) -> bool {
    const ALSO: [&str; 3] = ["profile", "user", "member"];
    let mut words = LOG_IN.iter().chain(&wording::LOG_OUT).chain(&LEADS_THERE).chain(&ALSO);
    words.any(|word| *word != "continue" && names.contains(word))
}

fn log_in(page: &Snapshot) -> Option<&Node> {
    page.nodes.iter().find(|node| offers_log_in(node))
}

pub(super) fn offers_log_in(node: &Node) -> bool {
    let name = wording::normalized(&node.name);
    matches!(node.role.as_ref(), "button" | "link")
        && LOG_IN.iter().any(|words| *words != "continue" && name.trim() == *words)
}
