//! What the page says to whoever acted: alerts, statuses, and texts that state a refusal.

use std::collections::{HashMap, HashSet};

use legwork_observe::{Node, NodeIndex, Snapshot};
use legwork_protocol::{Action, EvidenceKind};

use super::{EvidenceRule, Finding, FindingSubject, Observed, clipped};
use crate::{
    progress,
    wording::{self, Tone},
};

/// An error page is short; on a longer one a text that sounds like a refusal is likely to be content.
pub(super) const SHORT_PAGE: usize = 20;
/// A message is a sentence or two.
const MESSAGE: usize = 200;
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
        let tone = wording::tone(text, &names);
        let rule = match (role, tone, node.states.error_styled()) {
            (_, _, true) => EvidenceRule::RefusalText,
            ("status", Tone::Refusal, _) => EvidenceRule::RefusalText,
            (_, Tone::Success, _) | ("status", Tone::Unclear, _) => EvidenceRule::NewText,
            (_, Tone::Refusal | Tone::Unclear, _) => EvidenceRule::Alert,
        };
        let unclear = tone == Tone::Unclear;
        // A page that was opened, and says what it has to say to everybody.
        let greets = observed.only_opens() && unclear;
        let announcer = if role.starts_with("alert") { format!("{role} ") } else { String::new() };
        let fact = format!("{announcer}{:?} {how}", clipped(text));
        let finding = Finding::new(rule, EvidenceKind::Text, fact)
            .about(FindingSubject::Message(text.to_owned()))
            .weak(unclear || observed.only_opens());
        let under_way = finding.supports() && progress::is_under_way(text);
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
        let asks = role == "alertdialog" && buttons > 1 && wording::tone(text, &names) != Tone::Refusal;
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
        let announces = matches!(role, "alert" | "alertdialog" | "status");
        if announces && !text.is_empty() && !shown.contains(text) && !known.contains(&(role, text.to_owned())) {
            findings.push(classify(node, role, text, "appeared for a moment"));
        }
    }
    findings.extend(refusals(observed, &names));
    findings.extend(questions(observed, &names));
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

/// Dialogs of the page that ask whether it is to go on (`Delete Acme?`): nothing was done yet. What was sent already is no
/// question any more, and a dialog with fields is a form. Where it has no role of a dialog, a button that leaves is the sign.
fn questions(observed: &Observed<'_>, names: &str) -> Vec<Finding> {
    let page = observed.after;
    if observed.goes_on || observed.is_reloaded() || observed.sends_change() {
        return Vec::new();
    }
    let is_dialog = |page: &Snapshot, at: NodeIndex| page.nodes[at].role.as_ref() == "dialog";
    let before: HashSet<String> = observed.before.map_or_else(HashSet::new, |before| {
        (1..before.nodes.len()).filter(|at| is_dialog(before, *at)).map(|at| before.text_of(at)).collect()
    });
    let asks = |at: &NodeIndex| {
        let text = page.text_of(*at);
        let buttons = page.below(*at).filter(|at| page.nodes[*at].role.as_ref() == "button").count();
        let has_field = page.below(*at).any(|at| page.nodes[at].states.editable());
        buttons > 1
            && !has_field
            && text.contains('?')
            && text.chars().count() <= 2 * MESSAGE
            && !before.contains(&text)
            && wording::tone(&text, names) != Tone::Success
    };
    let asking = (1..page.nodes.len()).filter(|at| is_dialog(page, *at)).filter(asks);
    let finding = |at: NodeIndex| {
        let text = page.text_of(at);
        let fact = format!("dialog {:?} waits for an answer", clipped(text.trim()));
        Finding::new(EvidenceRule::Alert, EvidenceKind::Text, fact).about(FindingSubject::Message(text)).weak(true)
    };
    let mut findings: Vec<Finding> = asking.map(finding).collect();
    if findings.is_empty()
        && let Some(before) = observed.before
    {
        findings.extend(plain_question(observed, before));
    }
    findings
}

/// A question that came with two buttons or more, one of which leaves.
fn plain_question(observed: &Observed<'_>, before: &Snapshot) -> Option<Finding> {
    const LEAVES: [&str; 20] = [
        "cancel",
        "no",
        "back",
        "close",
        "keep",
        "don't",
        "dismiss",
        "abbrechen",
        "nein",
        "zurück",
        "schließen",
        "annuler",
        "non",
        "fermer",
        "cancelar",
        "annulla",
        "indietro",
        "annuleren",
        "nee",
        "terug",
    ];
    let page = observed.after;
    let (_, text) =
        super::only_in(page, before, &["heading", "text"]).find(|(_, text)| text.trim_end().ends_with('?'))?;
    let leaves = |name: &str| {
        let name = wording::normalized(name);
        LEAVES.iter().any(|word| name.split(|c: char| c.is_whitespace() || c == ',').next() == Some(word))
    };
    let (is, was) = (buttons(page), buttons(before));
    let new = || is.iter().filter(|(name, count)| **count > was.get(*name).copied().unwrap_or_default());
    if new().count() < 2 || !new().any(|(name, _)| leaves(name)) {
        return None;
    }
    let fact = format!("the question {:?} waits for an answer", clipped(text));
    let message = FindingSubject::Message(text.to_owned());
    Some(Finding::new(EvidenceRule::Alert, EvidenceKind::Text, fact).about(message).weak(true))
}

/// The names of a page's buttons, and how many are called so.
fn buttons(page: &Snapshot) -> HashMap<&str, usize> {
    let mut buttons = HashMap::new();
    for node in page.nodes.iter().filter(|node| node.role.as_ref() == "button") {
        *buttons.entry(node.name.as_ref()).or_default() += 1;
    }
    buttons
}

/// The messages of a page: elements that announce, outermost first.
fn messages(page: &Snapshot) -> impl Iterator<Item = (NodeIndex, &str)> {
    page.nodes.iter().enumerate().filter_map(|(at, node)| {
        let role = node.role.as_ref();
        let announces = matches!(role, "alert" | "alertdialog" | "status");
        (announces || node.states.error_styled()).then_some((at, if announces { role } else { "message" }))
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

/// Ordinary texts that tell a person that their action failed.
fn refusals(observed: &Observed<'_>, names: &str) -> Vec<Finding> {
    let page = observed.after;
    let known: HashSet<&str> =
        observed.before.into_iter().flat_map(|page| page.nodes.iter().map(|node| node.name.as_ref())).collect();
    // A document at the same path is the form again; another one may be anything, an article about errors among them.
    let path = |page: &Snapshot| super::requests::path_of(&page.url).to_owned();
    let elsewhere = observed.is_reloaded() && observed.before.is_none_or(|before| path(before) != path(page));
    let texts = page.nodes.iter().filter(|node| node.role.as_ref() == "text").count();
    let mut seen = HashSet::new();
    let mut headings = 0;
    let mut findings = Vec::new();
    for (at, node) in page.nodes.iter().enumerate() {
        let role = node.role.as_ref();
        headings += usize::from(role == "heading");
        let text = node.name.trim();
        let is_text = role == "text" || role == "paragraph" || role == "generic" || role == "heading" && headings <= 2;
        if !is_text || text.is_empty() || text.chars().count() > MESSAGE || known.contains(text) || !seen.insert(text) {
            continue;
        }
        // What a page says to everybody who opens it is content; that it is not there or not allowed stands in its headings.
        if (observed.only_opens() || elsewhere && texts > SHORT_PAGE) && role != "heading" {
            continue;
        }
        if elsewhere && wording::is_instruction(text) {
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
