//! Messages of the page about the action: alerts, statuses, and texts that state a refusal.

use std::collections::HashSet;

use legwork_observe::{
    Node, NodeIndex, Snapshot, progress,
    wording::{self, MessageTone},
};
use legwork_protocol::{Action, EvidenceKind};
use legwork_steps::is_control;

use super::{
    EvidenceRule, Finding, FindingSubject, Observed, clipped, followed_link,
    lengths::{MESSAGE, SHORT_PAGE},
    login, page_notice, questions,
};

/// The maximum number of messages that become findings.
const MOST: usize = 5;
/// Roles whose text is content: data, navigation, text that users wrote.
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
    // A form that is returned repeats its message. After a link, a message that is still there is a banner of the site.
    let known = observed.before.filter(|before| !reloaded || followed_link::follows_link(observed, before));
    let known = known.map(messages_of).unwrap_or_default();
    let was_shown = |text: &str| {
        observed.before.is_some_and(|before| messages(before).any(|(at, _)| before.text_of(at).trim() == text))
    };
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
        // A page that was opened shows this message to every visitor.
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
        let is_data = role == "message" && is_in_entry(page, at) && (observed.only_opens() || was_shown(text));
        if text.is_empty()
            || known.contains(&(role, text.to_owned()))
            || page.nodes[at].states.self_changing()
            || is_data
        {
            continue;
        }
        let finding = classify(&page.nodes[at], role, text, "appeared");
        // A dialog of the page that asks a question, like a dialog of the browser. The next action answers it.
        let buttons = page.below(at).filter(|below| page.nodes[*below].role.as_ref() == "button").count();
        let asks = role == "alertdialog" && buttons > 1 && wording::tone(text, &names) != MessageTone::Refusal;
        findings.push(match (asks, observed.has_further_action) {
            (false, _) => finding,
            (true, true) => finding.neutral(),
            (true, false) => {
                let fact = format!("{role} {:?} waits for an answer", clipped(text));
                let finding = Finding::new(EvidenceRule::Alert, EvidenceKind::Text, fact);
                finding.about(FindingSubject::Message(text.to_owned())).weak(true)
            }
        });
    }
    // A message counts even if the page removed it before the next observation. An action that only observes cannot
    // have caused it.
    let looks = |action: &Action| matches!(action, Action::Wait(_) | Action::Save(_) | Action::Read(_));
    for node in page.transient.iter().filter(|_| !observed.actions.iter().all(looks)) {
        let (role, text) = (node.role.as_ref(), node.name.trim());
        // The action answered a dialog that was open when it started.
        let was_open = role == "alertdialog" && known.iter().any(|(role, _)| *role == "alertdialog");
        let announces = matches!(role, "alert" | "alertdialog" | "status") && !was_open;
        if announces && !text.is_empty() && !shown.contains(text) && !known.contains(&(role, text.to_owned())) {
            findings.push(classify(node, role, text, "appeared for a moment"));
        }
    }
    findings.extend(refusals(observed, &names));
    findings.extend(refusing_target(observed, &names));
    findings.extend(questions::assess(observed, &names));
    // While a form is being filled in, the page may report a field until the form is complete. The state of the field
    // itself is more reliable. A choice that was sent at once is complete.
    if !observed.submits() && !observed.sends_choice() {
        findings = findings
            .into_iter()
            .map(|finding| if finding.contradicts() { finding.neutral() } else { finding })
            .collect();
    }
    page_notice::neutralize_notices(observed, &names, &mut findings);
    findings.sort_by_key(|finding| !finding.contradicts());
    findings.truncate(MOST);
    findings
}

/// A button whose new name after the click is a refusal: `Sold out` after `Add to cart`.
fn refusing_target(observed: &Observed<'_>, names: &str) -> Option<Finding> {
    let name = questions::renamed_target(observed, observed.before?)?;
    // The next command that a button offers may read like a refusal: `Cancel order` is not one.
    let refuses = wording::is_addressed_refusal(name, names);
    let fact = format!("the button that was pressed is called {:?} now", clipped(name));
    let message = FindingSubject::Message(name.to_owned());
    refuses.then(|| Finding::new(EvidenceRule::RefusalText, EvidenceKind::Text, fact).about(message))
}

/// The messages of a page: elements with an announcing role or style, outermost first.
fn messages(page: &Snapshot) -> impl Iterator<Item = (NodeIndex, &str)> {
    let content = styled_content(page);
    page.nodes.iter().enumerate().filter_map(move |(at, node)| {
        let role = node.role.as_ref();
        let announces = matches!(role, "alert" | "alertdialog" | "status");
        // A button that deletes something is red as well.
        let is_message = node.states.error_styled() && !is_control(role) && !content.contains(&at);
        (announces || is_message).then_some((at, if announces { role } else { "message" }))
    })
}

/// The nodes that a class such as `has-error` marks only because it is on a large part of the page: a part with a table,
/// or with a longer text than a message has.
fn styled_content(page: &Snapshot) -> HashSet<NodeIndex> {
    let styled: Vec<NodeIndex> = (1..page.nodes.len()).filter(|at| page.nodes[*at].states.error_styled()).collect();
    // Elements without a role of their own are not in the snapshot, so that a part is a sequence of marked nodes.
    let parts = styled.chunk_by(|one, next| one + 1 == *next);
    let is_content = |part: &&[NodeIndex]| {
        let has_table =
            part.iter().any(|at| matches!(page.nodes[*at].role.as_ref(), "table" | "grid" | "treegrid" | "row"));
        let length: usize = part
            .iter()
            .filter(|at| page.nodes[**at].end == **at + 1)
            .map(|at| page.nodes[*at].name.chars().count())
            .sum();
        has_table || length > 4 * MESSAGE
    };
    parts.filter(is_content).flatten().copied().collect()
}

/// Whether an element belongs to an entry of a table or list, whose errors are data (`Last check: connection refused`).
fn is_in_entry(page: &Snapshot, at: NodeIndex) -> bool {
    page.enclosing(at, &["row", "listitem", "article"]).is_some()
}

fn messages_of(page: &Snapshot) -> HashSet<(&str, String)> {
    messages(page).map(|(at, role)| (role, page.text_of(at).trim().to_owned())).collect()
}

/// Whether a text is one entry of a list with other content, such as a list of activities. A list of errors contains
/// little besides errors.
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

/// Whether the page shows what the action opened, such as a record or the panel of a tab. Its texts are then content,
/// unless they are about the action. The sign is a heading or title that repeats the target's name. A name of one word
/// may be a command (`Publish`), whose result page can have that title and still refuse. A name with a digit identifies
/// a record.
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

/// Ordinary texts that state that the action failed.
fn refusals(observed: &Observed<'_>, names: &str) -> Vec<Finding> {
    let page = observed.after;
    let known: HashSet<&str> =
        observed.before.into_iter().flat_map(|page| page.nodes.iter().map(|node| node.name.as_ref())).collect();
    // A document at the same path is the form again. A document at another path may be anything, including an article
    // about errors.
    let path = |page: &Snapshot| super::url_path::path_of(&page.url).to_owned();
    let elsewhere = observed.is_reloaded() && observed.before.is_none_or(|before| path(before) != path(page));
    let texts = page.nodes.iter().filter(|node| node.role.as_ref() == "text").count();
    let is_content = opened_content(observed, names);
    let is_tab = observed.before.is_some_and(|before| {
        let mut targets =
            observed.actions.iter().filter_map(|action| super::fields::target(action.carried_out(), before));
        targets.any(|node| node.role.as_ref() == "tab")
    });
    // A form that the action opened states its rules (`Your password can't be entirely numeric`).
    let is_form = !observed.sends_change() && page.nodes.iter().any(|node| node.states.editable());
    // After a successful login, the texts of the page are about more than the login.
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
        // An icon beside an entry may be the only sign of a failure (`Failed to send`).
        let is_text = matches!(role, "text" | "paragraph" | "generic" | "img") || role == "heading" && headings <= 2;
        if !is_text || text.is_empty() || text.chars().count() > MESSAGE || known.contains(text) || !seen.insert(text) {
            continue;
        }
        // Texts that every visitor of a page sees are content. That the page does not exist or is not allowed is in its
        // headings.
        if (observed.only_opens() || elsewhere && (texts > SHORT_PAGE || is_form)) && role != "heading" {
            continue;
        }
        // The tab `Errors` lists errors; a page that a link with a longer name leads to may refuse what it names.
        if elsewhere && wording::is_instruction(text) || is_content && (is_tab || !wording::names_action(text, names)) {
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
