//! Classifies the facts that were observed around an action as supporting, contradicting or neutral evidence. Pure. The
//! rules are a table in [`rules`]; docs/evidence.md contains it.
//!
//! Input: the actions, the effects that the browser reports for them, and the page before and after. Output: findings
//! as sentences, each with its rule. Contradicting findings stay open ([`Contradictions`]) until something later in the
//! same step outweighs them. While one is open, the step cannot succeed.

mod altered;
mod changes;
mod churn;
mod covered;
mod fields;
mod login;
mod messages;
mod not_all;
mod not_sent;
mod questions;
mod requests;
mod rules;
mod secondary;
mod set_fields;
mod sorting;
mod supersede;
mod unanswered;
mod unclear;
mod unrelated;

use std::collections::HashSet;

use legwork_observe::{Node, Snapshot};
use legwork_protocol::{
    Action, ActionPurpose, DialogKind, DownloadInfo, Evidence, EvidenceKind, PageEffect, Polarity, TargetKind,
};

pub(crate) use churn::Churn;
pub(crate) use covered::Covered;
pub(crate) use fields::{field_changed, lost_with_field, waited_for};
use login::is_over as login_is_over;
pub use rules::EvidenceRule;
pub(crate) use set_fields::SetFields;
pub(crate) use supersede::{Contradictions, expects_refusal};
pub(crate) use unanswered::Unanswered;

use legwork_observe::{progress, wording};

/// The maximum number of effects of an action that become separate findings. A page may open a thousand dialogs.
const EFFECTS: usize = 20;
/// The maximum number of new texts that become findings, and the maximum length of each.
const TEXTS: usize = 3;
const LENGTH: usize = 120;

/// One action, or several that were sent together, and the page before and after.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Observed<'a> {
    /// The actions that succeeded.
    pub(crate) actions: &'a [Action],
    /// The actions that failed.
    pub(crate) failed: &'a [Action],
    /// The effects that the browser reported.
    pub(crate) effects: &'a [PageEffect],
    /// The page before; absent if it was not observed.
    pub(crate) before: Option<&'a Snapshot>,
    /// The page after.
    pub(crate) after: &'a Snapshot,
    /// Whether the step asks for a login.
    pub(crate) is_login: bool,
    /// Whether the next action of the step answers the open dialog.
    pub(crate) answers_dialog: bool,
    /// Whether the step or the run continues with another action, which may respond to what the page requests.
    pub(crate) goes_on: bool,
    /// Whether the page was lent to the run, so that its owner can answer a question of the page.
    pub(crate) is_lent: bool,
    /// Places of the page whose text changes without an action.
    pub(crate) churn: &'a Churn,
    /// The elements that the dialog or menu of the page before covered.
    pub(crate) covered: &'a Covered,
    /// Rules that are switched off. Tests use this to prove that each rule is needed.
    pub(crate) disabled: &'a [EvidenceRule],
}

/// A classified fact.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Finding {
    pub(crate) evidence: Evidence,
    pub(crate) rule: EvidenceRule,
    pub(crate) subject: FindingSubject,
    /// A weak finding is outweighed by any expectation of the step that holds; other findings are outweighed only by an
    /// expectation of a refusal. A weak finding about a field that has its old value again is also outweighed by a
    /// message that states success.
    pub(crate) weak: bool,
}

/// The subject of a finding: the finding is outdated when its subject changes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FindingSubject {
    /// A subject that cannot change.
    None,
    /// The current document.
    Document,
    /// A request, identified by method and URL without the query.
    Request { method: String, path: String },
    /// A text on the page.
    Message(String),
    /// A field, identified by role and name, and its value.
    Field { role: String, name: String, value: String },
    /// The password field of a login.
    Login,
    /// The open dialog.
    Dialog,
}

impl Finding {
    fn new(rule: EvidenceRule, kind: EvidenceKind, fact: impl Into<String>) -> Finding {
        let evidence = Evidence { polarity: rule.polarity(), ..Evidence::seen(kind, fact) };
        Finding { evidence, rule, subject: FindingSubject::None, weak: false }
    }

    fn about(mut self, subject: FindingSubject) -> Finding {
        self.subject = subject;
        self
    }

    fn weak(mut self, weak: bool) -> Finding {
        self.weak = weak;
        self
    }

    /// The same fact as neutral evidence, because the reason of its rule does not apply here.
    fn neutral(mut self) -> Finding {
        self.evidence.polarity = Polarity::Neutral;
        self
    }

    pub(crate) fn contradicts(&self) -> bool {
        self.evidence.polarity == Polarity::Contradicting
    }

    /// Whether another observation may show that the finding is outdated: after a login, the next page may still be
    /// rendering.
    pub(crate) fn may_pass(&self) -> bool {
        self.subject == FindingSubject::Login
    }

    pub(crate) fn supports(&self) -> bool {
        self.evidence.polarity == Polarity::Supporting
    }
}

/// Classifies the observed facts. Contradicting findings come first.
pub(crate) fn assess(observed: Observed<'_>) -> Vec<Finding> {
    // A message that is in the page but not visible is no statement of the page; it becomes one when it becomes
    // visible.
    let (before, after) = (observed.before.map(Snapshot::visible), observed.after.visible());
    let before = before.map(|page| observed.covered.complete(page));
    let observed = Observed { before: before.as_deref(), after: &after, ..observed };
    let mut findings = requests::assess(&observed);
    findings.extend(documents(&observed));
    findings.extend(dialogs(&observed));
    findings.extend(messages::assess(&observed));
    findings.extend(fields::assess(&observed));
    findings.extend(login::assess(&observed));
    findings.extend(effects(&observed));
    findings.extend(changes::assess(&observed, &findings));
    let reversions = reversions(&observed);
    if !reversions.is_empty() {
        findings = findings.into_iter().map(|finding| neutralize_beside_reversion(finding, observed.after)).collect();
    }
    findings.extend(reversions);
    secondary::weigh_beside_success(&observed, &mut findings);
    fields::neutralize_message_on_dropped_file(&observed, &mut findings);
    unclear::neutralize_unclear_message(&observed, &mut findings);
    altered::neutralize_on_altered_values(&observed, &mut findings);
    not_all::neutralize_on_part_left_out(&observed, &mut findings);
    unrelated::neutralize_on_unrelated_page(&observed, &mut findings);
    not_sent::neutralize_on_unsaved_switch(&observed, &mut findings);
    questions::neutralize_on_lent_page(&observed, &mut findings);
    let lasting = fields::still_invalid(&observed, &findings);
    findings.extend(lasting);
    findings.retain(|finding| !observed.disabled.contains(&finding.rule));
    // If several rules state the same fact, the first one decides.
    let mut facts = HashSet::new();
    findings.retain(|finding| facts.insert(finding.evidence.fact.clone()));
    findings.sort_by_key(|finding| match finding.evidence.polarity {
        Polarity::Contradicting => 0,
        Polarity::Supporting => 1,
        Polarity::Neutral => 2,
    });
    findings
}

/// The responses of the server to an action whose page was not observed, if they contradict success or show that a
/// change was accepted. A resumed run uses them.
pub(crate) fn responses(actions: &[Action], effects: &[PageEffect], page: &Snapshot) -> Vec<Finding> {
    let observed = Observed {
        actions,
        failed: &[],
        effects,
        before: None,
        after: page,
        is_login: false,
        answers_dialog: true,
        goes_on: false,
        is_lent: false,
        churn: &Churn::default(),
        covered: &Covered::default(),
        disabled: &[],
    };
    let mut findings = requests::assess(&observed);
    findings.extend(documents(&observed).into_iter().filter(|finding| finding.evidence.kind == EvidenceKind::Response));
    findings.retain(|finding| finding.contradicts() || finding.rule == EvidenceRule::Response);
    findings
}

/// The changes that the server refused while the step only waited. An earlier action caused these requests.
pub(crate) fn late_refusals(actions: &[Action], effects: &[PageEffect], page: &Snapshot) -> Vec<Finding> {
    let mut findings = responses(actions, effects, page);
    let is_of_change = |finding: &Finding| matches!(finding.subject, FindingSubject::Request { .. }) && !finding.weak;
    findings.retain(|finding| finding.contradicts() && is_of_change(finding));
    findings
}

/// Whether the effect is a request for a change that the action itself caused: the page does not send such requests by
/// itself, and no earlier action caused it.
pub(crate) fn is_own_change(effect: &PageEffect) -> bool {
    match effect {
        PageEffect::Request { method, background: false, earlier: false, .. } => method != "GET" && method != "HEAD",
        _ => false,
    }
}

impl<'a> Observed<'a> {
    /// The last document that the main frame navigated to, and its status.
    fn navigation(&self) -> Option<(&'a str, Option<u16>)> {
        self.effects.iter().rev().find_map(|effect| match effect {
            PageEffect::Navigated { to, status, .. } => Some((to.as_str(), *status)),
            _ => None,
        })
    }

    /// Whether the document is a new one, even at the same URL.
    fn is_reloaded(&self) -> bool {
        self.navigation().is_some_and(|(_, status)| status.is_some()) || self.before.is_none()
    }

    /// Whether one of the actions itself may request a document, submit a form or change state: a click or a key press,
    /// but not filling a field.
    fn submits(&self) -> bool {
        self.tried().map(Action::carried_out).any(Action::may_submit)
    }

    /// Whether the actions caused a request for a change.
    fn sends_change(&self) -> bool {
        self.effects.iter().any(is_own_change)
    }

    /// Whether the actions chose an option or a file that the page sent at once. A message that the page shows then is
    /// the response to it.
    fn sends_choice(&self) -> bool {
        let chooses = |action: &Action| action.info().purpose == ActionPurpose::Choose;
        self.tried().map(Action::carried_out).any(chooses) && self.sends_change()
    }

    /// Whether the actions only open a URL.
    fn only_opens(&self) -> bool {
        self.tried().all(Action::navigates)
    }

    /// Whether an action contains the answer to a dialog.
    fn handles_dialog(&self) -> bool {
        self.actions.iter().any(|action| matches!(action, Action::Dialog(_)))
    }

    /// All actions, including those that failed.
    fn tried(&self) -> impl Iterator<Item = &'a Action> {
        self.actions.iter().chain(self.failed)
    }

    /// The targets of the actions, before and after.
    fn targets(&self, before: &'a Snapshot) -> impl Iterator<Item = (&'a Node, &'a Node)> {
        let after = self.after;
        self.actions.iter().filter_map(move |action| {
            let was = fields::target(action, before)?;
            Some((was, &after.nodes[after.find_ref(was.reference?)?]))
        })
    }

    /// The names of the targets on the page before. Words in these names are not a message of the page.
    fn target_names(&self) -> String {
        let names = self.actions.iter().filter_map(|action| {
            let target = action.carried_out().target()?;
            match target.kind() {
                TargetKind::Ref(reference) => {
                    let page = self.before?;
                    Some(page.nodes[page.find_ref(reference)?].name.to_string())
                }
                TargetKind::Role { name, .. } => name.map(|name| name.to_string()),
                _ => Some(target.0.clone()),
            }
        });
        wording::normalized(&names.collect::<Vec<_>>().join(" "))
    }

    /// Whether a text of the page only repeats a value that was typed or chosen.
    fn is_echo(&self, text: &str) -> bool {
        let is_chosen = |action: &Action| match action {
            Action::Select(select) => select.values.iter().any(|value| value == text),
            _ => false,
        };
        self.texts_entered().any(|entered| entered.contains(text))
            || self.actions.iter().any(is_chosen)
            || self.was_put_in(text)
    }

    /// Whether the text repeats the value of a field, or a part of it, from before its form was submitted, such as a
    /// comment that the page now shows.
    fn was_put_in(&self, text: &str) -> bool {
        self.values_put_in().any(|value| {
            let (of_value, of_text) = (value.chars().count(), text.chars().count());
            of_value > 1 && (text.contains(value) && of_value * 2 >= of_text || of_text > 1 && value.contains(text))
        })
    }

    /// The texts that the actions themselves entered.
    fn texts_entered(&self) -> impl Iterator<Item = &'a str> {
        self.actions.iter().filter_map(|action| match action.carried_out() {
            Action::Fill(fill) => Some(fill.text.as_str()),
            Action::Type(typed) => Some(typed.text.trim_end()),
            _ => None,
        })
    }

    /// The values of the fields on the page before.
    fn values_put_in(&self) -> impl Iterator<Item = &'a str> {
        self.values_before(|node| node.states.editable())
    }

    /// Whether a text repeats the value of a field that the action closed. Editors update the page after an animation,
    /// with a timer of their own, and the text shows that the value was accepted.
    fn repeats_closed_field(&self, text: &str) -> bool {
        const SHORTEST: usize = 3;
        let is_open = |value: &str| {
            self.after
                .nodes
                .iter()
                .any(|node| node.states.editable() && node.value.as_deref().map(str::trim) == Some(value))
        };
        self.values_before(|node| node.states.editable())
            .any(|value| value.chars().count() >= SHORTEST && text.contains(value) && !is_open(value))
    }

    /// The values of some controls on the page before.
    fn values_before(&self, is_meant: fn(&Node) -> bool) -> impl Iterator<Item = &'a str> {
        let nodes = self.before.into_iter().flat_map(|page| &page.nodes);
        let nodes = nodes.filter(move |node| is_meant(node) && !node.states.secret());
        nodes.filter_map(|node| node.value.as_deref()).map(str::trim)
    }
}

/// Whether the actions leave the forms without submitting them.
pub(crate) fn starts_over(actions: &[Action]) -> bool {
    actions.iter().any(|action| matches!(action, Action::Open(_) | Action::Reload(_)))
}

/// Findings about the document: its HTTP status, URL and title.
fn documents(observed: &Observed<'_>) -> Vec<Finding> {
    let (mut findings, after) = (Vec::new(), observed.after);
    if let Some((to, Some(status))) = observed.navigation() {
        let fact = format!("{to} answered {status}");
        findings.push(if status >= 400 {
            Finding::new(EvidenceRule::HttpError, EvidenceKind::Response, fact)
                .about(FindingSubject::Document)
                .weak(true)
        } else {
            let finding =
                Finding::new(EvidenceRule::Response, EvidenceKind::Response, fact).about(FindingSubject::Document);
            // The server redirected back to the same page. Only other new content can show that the action had an
            // effect.
            let same_page = observed.before.is_some_and(|before| before.url == after.url) && !observed.only_opens();
            let has_same_texts = address(observed).rule == EvidenceRule::SamePage;
            if same_page || has_same_texts { finding.neutral() } else { finding }
        });
    }
    if after.url.starts_with("chrome-error:") || after.url.starts_with("about:neterror") {
        let fact = "the browser shows an error page of its own: the address was not reached";
        findings.push(Finding::new(EvidenceRule::ErrorPage, EvidenceKind::Url, fact).about(FindingSubject::Document));
        return findings;
    }
    // A link to `#` leads nowhere: it is a placeholder whose script did nothing.
    let plain = |url: &str| url.strip_suffix("#!").or_else(|| url.strip_suffix('#')).unwrap_or(url).to_owned();
    if observed.before.is_none_or(|before| plain(&before.url) != plain(&after.url)) {
        findings.push(address(observed));
    }
    if observed.before.is_none_or(|before| before.title != after.title) && !after.title.is_empty() {
        let by_itself = after.title_changes_itself
            && !observed.disabled.contains(&EvidenceRule::SelfChanging)
            && !observed.repeats_closed_field(&after.title);
        let fact = format!("the title is {:?}", after.title);
        let refuses = observed.is_reloaded() && wording::is_addressed_refusal(&after.title, &observed.target_names());
        findings.push(if refuses {
            // A page can have this title on purpose, and a step can expect it.
            Finding::new(EvidenceRule::RefusalText, EvidenceKind::Title, fact).about(FindingSubject::Document)
        } else if by_itself {
            Finding::new(EvidenceRule::SelfChanging, EvidenceKind::Title, fact)
        } else {
            Finding::new(EvidenceRule::Title, EvidenceKind::Title, fact)
        });
    }
    findings
}

/// A new URL. It is no evidence if the new document contains only texts that were on the page before.
fn address(observed: &Observed<'_>) -> Finding {
    let after = observed.after;
    let has_same_texts = |before: &Snapshot| {
        let texts = |page: &'_ Snapshot| -> Vec<Box<str>> { page.nodes.iter().map(|node| node.name.clone()).collect() };
        before.title == after.title && texts(before) == texts(after)
    };
    let is_same = observed.is_reloaded()
        && !observed.only_opens()
        && !observed.disabled.contains(&EvidenceRule::SamePage)
        && observed.before.is_some_and(has_same_texts)
        && !sorting::is_in_order(observed);
    if is_same {
        let fact = format!("the page at {} has the same texts as the one before", after.url);
        return Finding::new(EvidenceRule::SamePage, EvidenceKind::Url, fact);
    }
    Finding::new(EvidenceRule::Address, EvidenceKind::Url, format!("the address is {}", after.url))
}

/// Dialogs of the browser: `alert`, `confirm`, `prompt`, `beforeunload`.
fn dialogs(observed: &Observed<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let names = observed.target_names();
    let raised = observed.effects.iter().filter_map(|effect| match effect {
        PageEffect::Dialog(dialog) => Some(dialog),
        _ => None,
    });
    let mut open_is_told = false;
    for dialog in raised.chain(observed.after.dialog.as_ref()).take(EFFECTS) {
        let how = match dialog.accepted {
            Some(true) => "was accepted",
            Some(false) => "was dismissed",
            None if std::mem::replace(&mut open_is_told, true) => continue,
            None => "is open",
        };
        let fact = format!("the {} dialog {:?} {how}", dialog.kind.name(), clipped(&dialog.message));
        let tone = wording::tone(&dialog.message, &names);
        let is_alert = dialog.kind == DialogKind::Alert;
        let refuses = is_alert && tone == wording::MessageTone::Refusal;
        // Like an alert on the page: it interrupts, and does not state success.
        let unclear =
            is_alert && tone == wording::MessageTone::Unclear && !observed.answers_dialog && !observed.handles_dialog();
        let waits = dialog.accepted.is_none() && dialog.kind != DialogKind::Alert && !observed.answers_dialog;
        findings.push(if refuses {
            let message = FindingSubject::Message(dialog.message.clone());
            Finding::new(EvidenceRule::Alert, EvidenceKind::Dialog, fact).about(message)
        } else if unclear {
            let message = FindingSubject::Message(dialog.message.clone());
            Finding::new(EvidenceRule::Alert, EvidenceKind::Dialog, fact).about(message).weak(true)
        } else if waits {
            Finding::new(EvidenceRule::DialogOpen, EvidenceKind::Dialog, fact).about(FindingSubject::Dialog)
        } else {
            Finding::new(EvidenceRule::Effect, EvidenceKind::Dialog, fact)
        });
    }
    findings
}

/// Findings about the other effects that the browser reports: no documents, requests or dialogs.
fn effects(observed: &Observed<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = observed.effects.iter().filter_map(effect).collect();
    if findings.len() > EFFECTS {
        let more = findings.len() - EFFECTS;
        // Only the newest effects become findings.
        findings.drain(..more);
        let fact = format!("{more} earlier effects of this kind; the run's events have them all");
        findings.insert(0, Finding::new(EvidenceRule::Effect, EvidenceKind::Text, fact).neutral());
    }
    if observed.actions.iter().any(|action| matches!(action, Action::Tab(_)))
        && let Some(tab) = observed.after.tabs.iter().find(|tab| tab.current)
    {
        let fact = format!("tab {} is the current one: {}", tab.number, tab.url);
        findings.push(Finding::new(EvidenceRule::Effect, EvidenceKind::Tab, fact));
    }
    findings
}

fn effect(effect: &PageEffect) -> Option<Finding> {
    let (kind, fact) = match effect {
        // A tab that the page opens by itself would also have opened without the action.
        PageEffect::TabOpened { number, url, current: false } => {
            let fact = format!("tab {number} opened by itself: {url}");
            return Some(Finding::new(EvidenceRule::Effect, EvidenceKind::Tab, fact).neutral());
        }
        PageEffect::TabOpened { number, url, .. } => (EvidenceKind::Tab, format!("tab {number} opened: {url}")),
        PageEffect::TabClosed { number } => (EvidenceKind::Tab, format!("tab {number} closed")),
        // An empty file shows that the server sent something, but not what.
        PageEffect::Downloaded(file) if file.size == 0 => {
            let fact = format!("{} arrived and is empty", file.name);
            return Some(Finding::new(EvidenceRule::Effect, EvidenceKind::Download, fact).neutral());
        }
        // Some servers send an error document instead of the file, with the name of the file.
        PageEffect::Downloaded(DownloadInfo { name, other_format: Some(format), .. }) => {
            let fact = format!("{name} arrived and is no such file: it holds {format}");
            return Some(Finding::new(EvidenceRule::Effect, EvidenceKind::Download, fact).neutral());
        }
        PageEffect::Downloaded(file) => {
            (EvidenceKind::Download, format!("{} arrived ({} bytes, sha256 {})", file.name, file.size, file.hash))
        }
        PageEffect::Navigated { .. }
        | PageEffect::Request { .. }
        | PageEffect::Dialog(_)
        | PageEffect::ChooserOpened { .. }
        | PageEffect::Blocked { .. }
        | PageEffect::Unsettled { .. } => return None,
    };
    Some(Finding::new(EvidenceRule::Effect, kind, fact))
}

/// Findings about states that the page showed optimistically and then reverted: the change was not accepted. Buttons
/// that show progress or success for a moment are not such states.
fn reversions(observed: &Observed<'_>) -> Vec<Finding> {
    if observed.disabled.contains(&EvidenceRule::Reversion) || observed.is_reloaded() {
        return Vec::new();
    }
    let is_step = |meanwhile: &str| {
        progress::is_under_way(meanwhile) || wording::tone(meanwhile, "") != wording::MessageTone::Unclear
    };
    let reversions = observed.after.reversions.iter().filter(|reversion| !is_step(&reversion.meanwhile));
    let told = reversions.take(TEXTS).map(|reversion| {
        let fact = format!("{:?} was taken back", clipped(&reversion.text));
        Finding::new(EvidenceRule::Reversion, EvidenceKind::Text, fact)
    });
    told.collect()
}

/// Reduces the support of the server's acceptance, because the page contradicts it.
fn neutralize_response(finding: Finding) -> Finding {
    if finding.rule == EvidenceRule::Response { finding.neutral() } else { finding }
}

/// Reduces findings that are weak evidence if the page reverted a state: the server's acceptance, texts that do not
/// state success, and texts that were visible only for a moment, even if they state success.
fn neutralize_beside_reversion(finding: Finding, after: &Snapshot) -> Finding {
    use EvidenceRule::{NewText, Removal, Title};
    let is_text = matches!(finding.rule, NewText | Removal | Title);
    let is_gone = matches!(&finding.subject, FindingSubject::Message(text) if !supersede::shows(after, text));
    let is_done = !is_gone && wording::tone(&finding.evidence.fact, "") == wording::MessageTone::Success;
    if is_text && !is_done { neutralize(finding) } else { neutralize_response(finding) }
}

/// Reduces findings that are weak evidence if a field has the value again that it had before it was filled: the
/// server's acceptance, and a new text, title or URL query that neither states success nor contains the entered value
/// (`Lamp × 3 in your cart`).
pub(crate) fn neutralize_unless_done(finding: Finding, reverted: &[Finding]) -> Finding {
    use EvidenceRule::{Address, NewText, Removal, Title};
    if !matches!(finding.rule, NewText | Removal | Address | Title) {
        return neutralize_response(finding);
    }
    // A form that is submitted with GET has its values in the URL, whether or not the server accepted them.
    let fact = &finding.evidence.fact;
    let says_value = reverted.iter().any(|field| match &field.subject {
        FindingSubject::Field { value, .. } => !set_fields::is_box(value) && fact.contains(value.as_str()),
        _ => false,
    });
    let is_stated =
        || reverted.iter().all(|field| field.weak) && wording::tone(fact, "") == wording::MessageTone::Success;
    let is_done = finding.rule != Address && (says_value || is_stated());
    if is_done { finding } else { neutralize(finding) }
}

/// The finding as neutral evidence.
pub(crate) fn neutralize(finding: Finding) -> Finding {
    if finding.supports() { finding.neutral() } else { finding }
}

fn named(node: &Node) -> String {
    if node.name.is_empty() { node.role.to_string() } else { format!("{} {:?}", node.role, clipped(&node.name)) }
}

fn clipped(text: &str) -> String {
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
