//! What the page says to whoever acted: alerts, statuses, and texts that state a refusal.

use std::collections::HashSet;

use legwork_observe::{
    Node, NodeIndex, Snapshot, progress,
    wording::{self, MessageTone},
};
use legwork_protocol::{Action, EvidenceKind};
use legwork_steps::is_control;

use super::{EvidenceRule, Finding, FindingSubject, Observed, clipped, login, questions};

/// An error page is short; on a longer one a text that sounds like a refusal is likely to be content.
pub(super) const SHORT_PAGE: usize = 20;
/// A message is a sentence or two.
pub(super) const MESSAGE: usize = 200;
/// Messages that are noted.
const MOST: usize = 5;
/// In these a text is content: data, navigation, somebody's words.
const CONTENT: [&str; 22] = [
    "row",
    "cell",
    "gridcell",
    "columnheader",
    "rowheader",
    "option",
    "link",
    "button",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "tab",
    "treeitem",
    "article",
    "navigation",
    "contentinfo",
    "log",
    "blockquote",
    "code",
    "textbox",
    "feed",
    "marquee",
];

pub(super) fn assess(observed: &Observed<'_>) -> Vec<Finding> {
    let names = observed.target_names();
    let reloaded = observed.is_reloaded();
    let page = observed.after;
    let known = observed.before.filter(|_| !reloaded).map(messages_of).unwrap_or_default();
    let mut findings = Vec::new();
    let mut within = 0..0;
    let classify = |node: &Node, role: &str, text: &str, how: &str| {
        let tone = match wording::tone(text, &names) {
            MessageTone::Unclear if wording::states_done(text, &names) => MessageTone::Success,
            tone => tone,
        };
        let rule = match (role, tone, node.states.error_styled()) {
            (_, _, true) => EvidenceRule::RefusalText,
            ("status", MessageTone::Refusal, _) => EvidenceRule::RefusalText,
            (_, MessageTone::Success, _) | ("status", MessageTone::Unclear, _) => EvidenceRule::NewText,
            (_, MessageTone::Refusal | MessageTone::Unclear, _) => EvidenceRule::Alert,
        };
        let unclear = tone == MessageTone::Unclear;
        // A page that was opened, and says what it has to say to everybody.
        let greets = observed.only_opens() && unclear;
        let announcer = if role.starts_with("alert") { format!("{role} ") } else { String::new() };
        let fact = format!("{announcer}{:?} {how}", clipped(text));
        let finding = Finding::new(rule, EvidenceKind::Text, fact)
            .about(FindingSubject::Message(text.to_owned()))
            .weak(unclear || observed.only_opens());
        let under_way = (finding.supports() || unclear) && progress::is_under_way(text);
        if greets && rule == EvidenceRule::Alert || under_way { finding.neutral() } else { finding }
    };
    let mut shown = HashSet::new();
    for (at, role) in messages(page) {
        if within.contains(&at) {
            continue;
        }
        within = at..page.nodes[at].end;
        let text = page.text_of(at);
        let text = text.trim();
        shown.insert(text.to_owned());
        if text.is_empty() || known.contains(&(role, text.to_owned())) || page.nodes[at].states.self_changing() {
            continue;
        }
        let finding = classify(&page.nodes[at], role, text, "appeared");
        // A dialog of the page that asks before it goes on, as a browser's own does: what follows answers it.
        let buttons = page.below(at).filter(|below| page.nodes[*below].role.as_ref() == "button").count();
        let asks = role == "alertdialog" && buttons > 1 && wording::tone(text, &names) != MessageTone::Refusal;
        findings.push(match (asks, observed.goes_on) {
            (false, _) => finding,
            (true, true) => finding.neutral(),
            (true, false) => {
                let fact = format!("{role} {:?} waits for an answer", clipped(text));
                let finding = Finding::new(EvidenceRule::Alert, EvidenceKind::Text, fact);
                finding.about(FindingSubject::Message(text.to_owned())).weak(true)
            }
        });
    }
    // What was said and taken away before anybody looked was said all the same. Looking again is no action that it could be of.
    let looks = |action: &Action| matches!(action, Action::Wait(_) | Action::Save(_) | Action::Read(_));
    for node in page.transient.iter().filter(|_| !observed.actions.iter().all(looks)) {
        let (role, text) = (node.role.as_ref(), node.name.trim());
        // One that was open when the action began was answered by it.
        let was_open = role == "alertdialog" && known.iter().any(|(role, _)| *role == "alertdialog");
        let announces = matches!(role, "alert" | "alertdialog" | "status") && !was_open;
        if announces && !text.is_empty() && !shown.contains(text) && !known.contains(&(role, text.to_owned())) {
            findings.push(classify(node, role, text, "appeared for a moment"));
        }
    }
    findings.extend(refusals(observed, &names));
    findings.extend(refusing_target(observed, &names));
    findings.extend(questions::assess(observed, &names));
    // A field that is being filled in may be complained of until the form is complete; the field's own state says more. A choice
    // that was sent at once is complete.
    if !observed.submits() && !observed.sends_choice() {
        findings = findings
            .into_iter()
            .map(|finding| if finding.contradicts() { finding.neutral() } else { finding })
            .collect();
    }
    findings.sort_by_key(|finding| !finding.contradicts());
    findings.truncate(MOST);
    findings
}

/// A button that is called by a refusal once it was pressed: `Sold out` after `Add to cart`.
fn refusing_target(observed: &Observed<'_>, names: &str) -> Option<Finding> {
    let name = questions::renamed_target(observed, observed.before?)?;
    // What a button offers next may be a refusal of something: `Cancel order` is none.
    let refuses = wording::is_addressed_refusal(name, names);
    let fact = format!("the button that was pressed is called {:?} now", clipped(name));
    let message = FindingSubject::Message(name.to_owned());
    refuses.then(|| Finding::new(EvidenceRule::RefusalText, EvidenceKind::Text, fact).about(message))
}

/// The messages of a page: elements that announce, outermost first.
fn messages(page: &Snapshot) -> impl Iterator<Item = (NodeIndex, &str)> {
    page.nodes.iter().enumerate().filter_map(|(at, node)| {
        let role = node.role.as_ref();
        let announces = matches!(role, "alert" | "alertdialog" | "status");
        // A button that deletes is red as well.
        let is_message = node.states.error_styled() && !is_control(role);
        (announces || is_message).then_some((at, if announces { role } else { "message" }))
    })
}

fn messages_of(page: &Snapshot) -> HashSet<(&str, String)> {
    messages(page).map(|(at, role)| (role, page.text_of(at).trim().to_owned())).collect()
}

/// Whether a text is one entry of a list that speaks of other things, such as a list of what happened: a list of errors has
/// little else in it.
fn is_entry(page: &Snapshot, at: NodeIndex, names: &str) -> bool {
    const ENTRIES: usize = 3;
    let Some(item) = page.ancestors(at).find(|up| page.nodes[*up].role.as_ref() == "listitem") else { return false };
    let list = page.nodes[item].parent;
    let items: Vec<NodeIndex> = page
        .below(list)
        .filter(|at| page.nodes[*at].role.as_ref() == "listitem" && page.nodes[*at].parent == list)
        .collect();
    let refusals =
        items.iter().filter(|item| wording::is_addressed_refusal(page.text_of(**item).trim(), names)).count();
    items.len() >= ENTRIES && refusals * 2 <= items.len()
}

/// Whether the page shows what was opened, such as an entry or the panel of a tab: its texts are content, as long as they do not
/// speak of what was done. The sign is a heading or title that repeats the target's name. A name of one word may be a command
/// (`Publish`), whose page may well be called so and refuse; one with a digit is the identifier of a record.
fn opened_content<'a>(observed: &Observed<'a>, names: &str) -> bool {
    let Some(before) = observed.before else { return false };
    if observed.sends_change() {
        return false;
    }
    let target = observed.actions.iter().find_map(|action| super::fields::target(action.carried_out(), before));
    let Some(target) = target else { return false };
    let name = names.trim();
    let is_identifier = name.contains(|c: char| c.is_ascii_digit());
    let repeats = || {
        let headings = |page: &'a Snapshot| {
            page.nodes.iter().filter(|node| node.role.as_ref() == "heading").map(|node| node.name.as_ref())
        };
        let new = headings(observed.after).filter(|text| !headings(before).any(|old| old == *text));
        let title = Some(observed.after.title.as_str()).filter(|title| *title != before.title);
        !name.is_empty() && new.chain(title).any(|text| wording::normalized(text).contains(name))
    };
    match target.role.as_ref() {
        "tab" | "treeitem" => true,
        "link" | "row" | "cell" | "gridcell" | "listitem" | "option" | "menuitem" | "text" => {
            (is_identifier || name.contains(' ')) && repeats()
        }
        "button" => is_identifier && repeats(),
        _ => false,
    }
}

/// Ordinary texts that tell a person that their action failed.
fn refusals(observed: &Observed<'_>, names: &str) -> Vec<Finding> {
    let page = observed.after;
    let known: HashSet<&str> =
        observed.before.into_iter().flat_map(|page| page.nodes.iter().map(|node| node.name.as_ref())).collect();
    // A document at the same path is the form again; another one may be anything, an article about errors among them.
    let path = |page: &Snapshot| super::requests::path_of(&page.url).to_owned();
    let elsewhere = observed.is_reloaded() && observed.before.is_none_or(|before| path(before) != path(page));
    let texts = page.nodes.iter().filter(|node| node.role.as_ref() == "text").count();
    let is_content = opened_content(observed, names);
    // A form that was led to says what it takes (`Your password can't be entirely numeric`).
    let is_form = !observed.sends_change() && page.nodes.iter().any(|node| node.states.editable());
    // Of somebody who is logged in, the page has more to say than about the log-in.
    if observed.is_login && login::offers_log_out(observed) || wording::is_examination(names) {
        return Vec::new();
    }
    let mut seen = HashSet::new();
    let mut headings = 0;
    let mut findings = Vec::new();
    for (at, node) in page.nodes.iter().enumerate() {
        let role = node.role.as_ref();
        headings += usize::from(role == "heading");
        let text = node.name.trim();
        // An icon beside an entry may be all that tells (`Failed to send`).
        let is_text = matches!(role, "text" | "paragraph" | "generic" | "img") || role == "heading" && headings <= 2;
        if !is_text || text.is_empty() || text.chars().count() > MESSAGE || known.contains(text) || !seen.insert(text) {
            continue;
        }
        // What a page says to everybody who opens it is content; that it is not there or not allowed stands in its headings.
        if (observed.only_opens() || elsewhere && (texts > SHORT_PAGE || is_form)) && role != "heading" {
            continue;
        }
        if elsewhere && wording::is_instruction(text) || is_content && !wording::names_action(text, names) {
            continue;
        }
        if node.states.self_changing() || observed.is_echo(text) || !wording::is_addressed_refusal(text, names) {
            continue;
        }
        if page.ancestors(at).any(|up| CONTENT.contains(&page.nodes[up].role.as_ref())) || is_entry(page, at, names) {
            continue;
        }
        let announced =
            page.ancestors(at).any(|up| matches!(page.nodes[up].role.as_ref(), "alert" | "alertdialog" | "status"));
        if announced {
            continue;
        }
        findings.push(
            Finding::new(EvidenceRule::RefusalText, EvidenceKind::Text, format!("{:?} appeared", clipped(text)))
                .about(FindingSubject::Message(text.to_owned()))
                .weak(observed.only_opens()),
        );
    }
    findings
}
