//! Classifies the facts that were observed around an action as supporting, contradicting or neutral evidence. Pure. The
//! rules are a table in [`rules`]; docs/evidence.md contains it.
//!
//! Input: the actions, the effects that the browser reports for them, and the page before and after. Output: findings
//! as sentences, each with its rule. Contradicting findings stay open ([`Contradictions`]) until something later in the
//! same step outweighs them. While one is open, the step cannot succeed.

mod altered;
mod change_request;
mod changes;
mod churn;
mod covered;
mod doubtful_body;
mod earlier_step;
mod fields;
mod finding;
mod followed_link;
mod form_pages;
mod ignored_filter;
mod inert;
mod labelled_values;
mod lengths;
mod lesser_number;
mod list_choice;
mod login;
mod messages;
mod missing_entry;
mod new_row;
mod no_visible_effect;
mod not_all;
mod not_sent;
mod observed;
mod opened_entry;
mod other_choice;
mod other_logins;
mod other_record;
mod own_entry;
mod page_notice;
mod questions;
mod record_row;
mod requests;
mod rules;
mod secondary;
mod set_fields;
mod shortened_value;
mod shown_value;
mod signed_in;
mod sorting;
mod start_page;
mod supersede;
mod ticked_entries;
mod unanswered;
mod unclear;
mod unrelated;
mod unrelated_effect;
mod unseen_change;
mod unwanted;
mod uploaded_file;
mod url_path;
mod value_notation;
mod whole_words;

use std::collections::HashSet;

use legwork_observe::{Reversion, Snapshot, progress, wording};
use legwork_protocol::{Action, DialogKind, DownloadInfo, EvidenceKind, PageEffect, Polarity};

pub(crate) use changes::names_only_in;
pub(crate) use churn::Churn;
pub(crate) use covered::Covered;
pub(crate) use fields::{field_changed, field_removed_with_value, waited_for, waited_for_change};
pub(crate) use finding::{Finding, FindingSubject, neutralize};
use finding::{TEXTS, clipped, named, outweigh};
use login::is_over as login_is_over;
pub(crate) use observed::Observed;
pub use requests::{RefusedChange, refused_change};
pub use rules::EvidenceRule;
pub(crate) use set_fields::SetFields;
pub(crate) use start_page::allow_log_in;
pub(crate) use supersede::{Contradictions, expects_refusal, starts_over};
pub(crate) use unanswered::Unanswered;
pub(crate) use unseen_change::UnseenChange;

/// The maximum number of effects of an action that become separate findings. A page may open a thousand dialogs.
const EFFECTS: usize = 20;

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
        // A file that the page listed and removed again was refused, although the field still has its name.
        let uploads = observed.actions.iter().any(|action| matches!(action.carried_out(), Action::Upload(_)));
        let reduce = |finding| match uploads && observed.sends_change() {
            true => neutralize(finding),
            false => neutralize_beside_reversion(finding, observed.after),
        };
        findings = findings.into_iter().map(reduce).collect();
    }
    findings.extend(reversions);
    neutralize_unanswered_choice(&observed, &mut findings);
    secondary::weigh_beside_success(&observed, &mut findings);
    fields::neutralize_message_on_dropped_file(&observed, &mut findings);
    unclear::neutralize_unclear_message(&observed, &mut findings);
    altered::neutralize_on_altered_values(&observed, &mut findings);
    doubtful_body::neutralize_on_doubtful_body(&observed, &mut findings);
    not_all::neutralize_on_part_left_out(&observed, &mut findings);
    unrelated::neutralize_on_unrelated_page(&observed, &mut findings);
    signed_in::neutralize_without_user(&observed, &mut findings);
    unwanted::note_unwanted_state(&observed, &mut findings);
    unwanted::neutralize_on_other_entry(&observed, &mut findings);
    other_record::neutralize_on_other_record(&observed, &mut findings);
    own_entry::neutralize_on_unclear_entry(&observed, &mut findings);
    shown_value::neutralize_on_other_value(&observed, &mut findings);
    new_row::neutralize_on_new_row(&observed, &mut findings);
    missing_entry::neutralize_on_missing_entry(&observed, &mut findings);
    earlier_step::note_earlier_step(&observed, &mut findings);
    ignored_filter::neutralize_on_ignored_filter(&observed, &mut findings);
    not_sent::neutralize_on_unsaved_switch(&observed, &mut findings);
    questions::neutralize_on_lent_page(&observed, &mut findings);
    no_visible_effect::neutralize_without_visible_effect(&observed, &mut findings);
    unrelated_effect::neutralize_on_unrelated_effect(&observed, &mut findings);
    let lasting = fields::still_invalid(&observed, &findings);
    findings.extend(lasting);
    findings.extend(inert::note_inert_target(&observed, &findings));
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
        has_further_action: false,
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
            let fact = format!("{name} arrived, and contains {format} instead of the requested file");
            return Some(Finding::new(EvidenceRule::Effect, EvidenceKind::Download, fact).neutral());
        }
        PageEffect::Downloaded(file) => {
            (EvidenceKind::Download, format!("{} arrived ({} bytes, sha256 {})", file.name, file.size, file.hash))
        }
        // Advertisements and statistics are blocked too. Without a change on the page, this does not tell what was
        // done.
        PageEffect::Blocked { url, reason } if !reason.is_empty() => {
            let fact = format!("a request to {url} was refused: {reason}");
            return Some(Finding::new(EvidenceRule::Effect, EvidenceKind::Response, fact).neutral());
        }
        PageEffect::Navigated { .. }
        | PageEffect::Request { .. }
        | PageEffect::Blocked { .. }
        | PageEffect::Dialog(_)
        | PageEffect::ChooserOpened { .. }
        | PageEffect::Unsettled { .. } => return None,
    };
    Some(Finding::new(EvidenceRule::Effect, kind, fact))
}

/// Findings about states that the page showed optimistically and then reverted: the change was not accepted.
fn reversions(observed: &Observed<'_>) -> Vec<Finding> {
    if observed.disabled.contains(&EvidenceRule::Reversion) || observed.is_reloaded() {
        return Vec::new();
    }
    let told = reverted_states(observed.after).take(TEXTS).map(|reversion| {
        let fact = format!("{:?} was reverted", clipped(&reversion.text));
        Finding::new(EvidenceRule::Reversion, EvidenceKind::Text, fact)
    });
    told.collect()
}

/// The states to which the page went back. Buttons that show progress or success for a moment are not such states.
pub(crate) fn reverted_states(page: &Snapshot) -> impl Iterator<Item = &Reversion> {
    let is_step = |meanwhile: &str| {
        progress::is_under_way(meanwhile)
            || !meanwhile.is_empty() && !meanwhile.contains(char::is_alphanumeric)
            || wording::tone(meanwhile, "") != wording::MessageTone::Unclear
    };
    // `All changes saved` is shown again after the next change was saved.
    let is_status = |text: &str| wording::is_success_message(text, false);
    page.reversions.iter().filter(move |reversion| !is_step(&reversion.meanwhile) && !is_status(&reversion.text))
}

/// Removes the support from the state of a control whose only request has no response: a switch shows the requested
/// state at once, and flips back if the server refuses.
fn neutralize_unanswered_choice(observed: &Observed<'_>, findings: &mut [Finding]) {
    let has = |rule| findings.iter().any(|finding: &Finding| finding.rule == rule);
    if !observed.sends_choice() || !has(EvidenceRule::Unanswered) || has(EvidenceRule::Response) {
        return;
    }
    for finding in findings.iter_mut().filter(|finding| finding.rule == EvidenceRule::ElementState) {
        *finding = finding.clone().neutral();
    }
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
    // `Beta deleted`, while the entry `Beta` is back.
    let is_about_it = after.reversions.iter().any(|reversion| {
        let mut words = reversion.text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 3);
        words.any(|word| finding.evidence.fact.contains(word))
    });
    let is_done =
        !is_gone && !is_about_it && wording::tone(&finding.evidence.fact, "") == wording::MessageTone::Success;
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

#[cfg(test)]
mod tests;
