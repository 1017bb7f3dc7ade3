//! Evidence from the targets of actions and from the fields that a page marks as invalid.

use legwork_observe::{Node, NodeIndex, Snapshot};
use legwork_protocol::{Action, ActionFailure, Evidence, EvidenceKind, PageEffect, TargetKind, Type, Wait};

use super::{EvidenceRule, Finding, FindingSubject, Observed, changes::added, clipped, named};

/// Field types whose displayed value differs in form from the entered one. Their value is compared where it is entered.
const CONVERTED: [&str; 9] = ["date", "datetime-local", "time", "month", "week", "color", "range", "number", "file"];

pub(super) fn assess(observed: &Observed<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = observed.actions.iter().filter_map(|action| acted_on(action, observed)).collect();
    findings.extend(observed.actions.iter().filter_map(|action| not_chosen(action, observed)));
    findings.extend(observed.failed.iter().filter_map(|action| not_set(action, observed)));
    findings.extend(invalid(observed));
    findings
}

/// Evidence of a failed field action: the field does not contain the requested value, so the form would send another
/// one.
fn not_set(action: &Action, observed: &Observed<'_>) -> Option<Finding> {
    let requested = match action.carried_out() {
        Action::Fill(fill) if !types_secret(action) => Some(fill.text.clone()),
        Action::Type(typed) if !types_secret(action) => Some(typed.text.clone()),
        Action::Select(select) => Some(select.values.join(", ")),
        _ => None,
    };
    let asked = match (action.carried_out(), &requested) {
        (_, Some(requested)) => format!("{:?}", clipped(requested)),
        (Action::Fill(_) | Action::Type(_), None) => "the requested value".to_owned(),
        (Action::Check(_), _) => "checked".to_owned(),
        (Action::Uncheck(_), _) => "not checked".to_owned(),
        _ => return None,
    };
    let node = target(action, observed.after).or_else(|| labelled(action, observed.after))?;
    let fact = match node.value.as_deref().filter(|_| !node.states.secret()) {
        Some(value) if requested.as_deref() != Some(value) => {
            format!("{} holds {:?} instead of {asked}", named(node), clipped(value))
        }
        _ => format!("{} was not set to {asked}", named(node)),
    };
    Some(Finding::new(EvidenceRule::FieldValue, EvidenceKind::Element, fact).about(subject(node)))
}

/// A field that lost its value when a field lost the focus.
pub(crate) fn field_changed(failure: &ActionFailure, after: &Snapshot) -> Option<Finding> {
    let ActionFailure::ValueDiffers { target, expected, actual } = failure else { return None };
    let fact = match (expected, actual) {
        (Some(expected), Some(actual)) => {
            format!("after the field was left, {target} holds {actual:?} instead of {expected:?}")
        }
        _ => format!("after the field was left, {target} does not have the entered value"),
    };
    let finding = Finding::new(EvidenceRule::FieldValue, EvidenceKind::Element, fact);
    let subject = after.nodes.iter().find(|node| named(node) == *target).map(subject);
    Some(finding.about(subject.unwrap_or(FindingSubject::Field {
        role: String::new(),
        name: target.clone(),
        value: actual.clone().unwrap_or_default(),
    })))
}

/// A field that was removed when it lost the focus, so that its value is no longer on the page: for example a cell
/// editor that accepts a value only with Enter. The finding is neutral, because the page may show the value in another
/// form, such as a formatted date.
pub(crate) fn field_removed_with_value(action: &Action, before: &Snapshot, after: &Snapshot) -> Option<Finding> {
    let node = target(action, before)?;
    let value = node.value.as_deref().filter(|value| !value.trim().is_empty() && !node.states.secret())?;
    let value = value.trim().to_lowercase();
    let shows = |text: &str| text.to_lowercase().contains(&value);
    let is_shown = |node: &Node| shows(&node.name) || node.value.as_deref().is_some_and(shows);
    if target(action, after).is_some() || after.url != before.url || after.nodes.iter().any(is_shown) {
        return None;
    }
    let fact = format!("{} is gone since it was left, and {:?} is nowhere on the page", named(node), clipped(&value));
    Some(Finding::new(EvidenceRule::FieldValue, EvidenceKind::Element, fact).neutral())
}

/// Makes a single message neutral if it appears beside a file field that is empty after a file was chosen, while no
/// request was sent and the page does not contain the file's name. The message is more likely the reason for a
/// rejection than a confirmation. A page that read the file in a script shows more than one message.
pub(super) fn neutralize_message_on_dropped_file(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    let Some(node) = observed.actions.iter().find_map(|action| dropped_file(action, observed)) else { return };
    let mut messages = findings.iter_mut().filter(|finding| finding.rule == EvidenceRule::NewText);
    let (message, another) = (messages.next(), messages.next());
    if let (Some(message), None) = (message, another) {
        *message = message.clone().neutral();
    }
    let fact = format!("{} holds no file", named(node));
    findings.push(Finding::new(EvidenceRule::FieldValue, EvidenceKind::Element, fact).neutral());
}

/// The file field that an upload left empty, if nothing shows that the page read the file.
fn dropped_file<'a>(action: &Action, observed: &Observed<'a>) -> Option<&'a Node> {
    let Action::Upload(upload) = action.carried_out() else { return None };
    let node = target(action, observed.after)?;
    let input = node.attributes.as_deref().and_then(|attributes| attributes.input.as_deref());
    let was_sent = observed
        .effects
        .iter()
        .any(|effect| matches!(effect, PageEffect::Request { background: false, .. } | PageEffect::Navigated { .. }));
    let names = upload.files.iter().filter_map(|file| std::path::Path::new(file).file_name()?.to_str());
    let shows = |name: &str| observed.after.nodes.iter().any(|node| node.name.contains(name));
    let is_dropped = input == Some("file")
        && node.value.as_deref().unwrap_or_default().is_empty()
        && !was_sent
        && !names.into_iter().any(shows);
    is_dropped.then_some(node)
}

/// The only field whose label is the text with which an action names it.
fn labelled<'a>(action: &Action, page: &'a Snapshot) -> Option<&'a Node> {
    let TargetKind::Text(text) = action.carried_out().target()?.kind() else { return None };
    let text = text.trim_matches('"');
    let is_field =
        |node: &&Node| node.states.editable() || matches!(node.role.as_ref(), "combobox" | "checkbox" | "radio");
    let mut fields = page.nodes.iter().filter(is_field).filter(|node| node.name.eq_ignore_ascii_case(text));
    fields.next().filter(|_| fields.next().is_none())
}

/// A drop-down list that closed after a click on its option and has its old value.
fn not_chosen(action: &Action, observed: &Observed<'_>) -> Option<Finding> {
    let Action::Click(_) = action.carried_out() else { return None };
    let before = observed.before?;
    let option = target(action, before).filter(|node| node.role.as_ref() == "option" && !node.states.selected())?;
    let was = before.nodes.iter().find(|node| node.role.as_ref() == "combobox" && node.states.expanded())?;
    let mut lists = observed.after.nodes.iter().filter(|node| node.role == was.role && node.name == was.name);
    let is = lists.next().filter(|_| lists.next().is_none())?;
    let value = is.value.as_deref().filter(|value| !value.is_empty())?;
    // A list with multiple selection shows the chosen options beside the field.
    let shown = observed.after.nodes.iter().any(|node| node.name.contains(option.name.as_ref()));
    if is.states.expanded() || is.value != was.value || value.contains(option.name.as_ref()) || shown {
        return None;
    }
    let fact = format!("{} still holds {:?} instead of {:?}", named(is), clipped(value), clipped(&option.name));
    Some(Finding::new(EvidenceRule::FieldValue, EvidenceKind::Element, fact).about(subject(is)))
}

pub(super) fn subject(node: &Node) -> FindingSubject {
    FindingSubject::Field { role: node.role.to_string(), name: node.name.to_string(), value: content(node) }
}

/// The value of a field, if it may be compared.
pub(super) fn content(node: &Node) -> String {
    match node.role.as_ref() {
        "checkbox" | "switch" | "radio" if node.states.checked() => "checked".to_owned(),
        "checkbox" | "switch" | "radio" => "not checked".to_owned(),
        _ if node.states.secret() => String::new(),
        _ => node.value.as_deref().unwrap_or_default().to_owned(),
    }
}

/// The condition that a wait action waited for: the browser observed it.
pub(crate) fn waited_for(action: &Action) -> Option<Evidence> {
    let Action::Wait(wait) = action else { return None };
    let fact = match wait {
        Wait { text: Some(text), .. } => format!("the page shows {:?}, as waited for", clipped(text)),
        Wait { gone: Some(text), .. } => format!("{:?} is gone, as waited for", clipped(text)),
        Wait { url: Some(url), .. } => format!("the address has {url:?}, as waited for"),
        _ => return None,
    };
    Some(Evidence::checked(EvidenceKind::Text, fact))
}

/// Whether the condition that an action waited for did not hold on this page.
pub(crate) fn waited_for_change(action: &Action, page: &Snapshot) -> bool {
    let shows = |text: &str| page.nodes.iter().any(|node| node.name.contains(text));
    match action {
        Action::Wait(Wait { text: Some(text), .. }) => !shows(text),
        Action::Wait(Wait { gone: Some(text), .. }) => shows(text),
        _ => false,
    }
}

/// The element that replaced the target of a choice, because the page drew a part of itself again after the server had
/// answered: the only one with the same role and name, where there was only one before.
fn replacement<'a>(action: &Action, observed: &Observed<'a>) -> Option<&'a Node> {
    if !matches!(action, Action::Check(_) | Action::Uncheck(_) | Action::Select(_)) {
        return None;
    }
    let before = observed.before?;
    let was = target(action, before)?;
    let only = |page: &'a Snapshot| {
        let mut alike = page.nodes.iter().filter(|node| node.role == was.role && node.name == was.name);
        alike.next().filter(|_| alike.next().is_none())
    };
    only(before)?;
    only(observed.after)
}

fn is_value(node: &Node, wanted: &str) -> bool {
    node.value.as_deref().is_some_and(|value| value.trim() == wanted.trim())
}

/// The state of the target, if it shows the effect of the action.
fn acted_on(action: &Action, observed: &Observed<'_>) -> Option<Finding> {
    let action = action.carried_out();
    let node = match action {
        // Without a target, the text goes to the focused element.
        Action::Type(Type { target: None, text }) => observed.after.nodes.iter().find(|node| {
            let holds = || node.value.as_deref().is_some_and(|value| value.contains(text.trim_end_matches('\n')));
            node.states.focused() && node.states.editable() && (node.states.secret() || holds())
        })?,
        _ => target(action, observed.after).or_else(|| replacement(action, observed))?,
    };
    let is_replaced = target(action, observed.after).is_none();
    let before = observed.before.and_then(|page| target(action, page));
    let what = named(node);
    let finding = |rule, fact: String| Some(Finding::new(rule, EvidenceKind::Element, fact).about(subject(node)));
    let supports = |fact: String| finding(EvidenceRule::ElementState, fact);
    let contradicts = |fact: String| finding(EvidenceRule::FieldValue, fact);
    match action {
        Action::Fill(_) | Action::Type(_) if node.states.secret() || types_secret(action) => {
            let filled = node.value.as_deref().is_some_and(|value| !value.is_empty());
            match (filled, action) {
                (true, _) => supports(format!("{what} is filled in")),
                (false, Action::Fill(fill)) if is_plain_field(node) && !fill.submit && !fill.text.is_empty() => {
                    contradicts(format!("{what} is empty"))
                }
                (false, _) => None,
            }
        }
        Action::Fill(fill) => {
            let value = node.value.as_deref().unwrap_or_default();
            let holds = format!("{what} holds {:?}", clipped(value));
            // A submitted field may be cleared by the submission, and a field that is not plain may show its value in
            // another form.
            let compares = !fill.submit && is_plain_field(node);
            if compares && !is_same_content(&fill.text, value) {
                return contradicts(format!("{holds} instead of {:?}", clipped(&fill.text)));
            }
            supports(holds).filter(|_| !value.is_empty() || fill.text.is_empty())
        }
        // The browser has compared the value of the list in which it chose, but not that of a list drawn later.
        Action::Select(select) if is_replaced && !select.values.iter().any(|value| is_value(node, value)) => {
            let value = node.value.as_deref().unwrap_or_default();
            contradicts(format!(
                "{what} holds {:?} instead of {:?}",
                clipped(value),
                clipped(&select.values.join(", "))
            ))
        }
        Action::Select(select) if node.value.as_deref().unwrap_or_default().is_empty() => {
            // Drop-down lists of component libraries show the choice as a text beside the field.
            let new: Vec<&str> = observed
                .before
                .into_iter()
                .flat_map(|before| added(observed.after, before, |node| node.role.as_ref() == "text"))
                .filter(|node| !node.states.self_changing())
                .map(|node| node.name.as_ref())
                .collect();
            let is_shown = |value: &String| new.iter().any(|text| text.trim() == value.trim());
            let fact = format!("{what} shows {:?}", clipped(&select.values.join(", ")));
            supports(fact).filter(|_| !select.values.is_empty() && select.values.iter().all(is_shown))
        }
        Action::Type(_) | Action::Select(_) | Action::Upload(_) => {
            let value = node.value.as_deref().unwrap_or_default();
            supports(format!("{what} holds {:?}", clipped(value))).filter(|_| !value.is_empty())
        }
        // The element accepted the pointer, otherwise the action would have failed.
        Action::Hover(_) => supports(format!("the pointer is over {what}")),
        Action::Focus(_) => supports(format!("{what} has the focus")).filter(|_| node.states.focused()),
        Action::Check(_) | Action::Uncheck(_) => {
            let wanted = matches!(action, Action::Check(_));
            let is = node.states.checked() || node.states.selected() || node.states.pressed();
            let fact = format!("{what} is {}", if is { "checked" } else { "not checked" });
            let is_box = matches!(node.role.as_ref(), "checkbox" | "radio" | "switch");
            match (is == wanted, is_box) {
                (true, _) => supports(fact),
                (false, true) => contradicts(fact),
                (false, false) => None,
            }
        }
        Action::Expand(_) | Action::Collapse(_) => {
            let wanted = matches!(action, Action::Expand(_));
            let word = if node.states.expanded() { "expanded" } else { "collapsed" };
            let fact = format!("{what} is {word}");
            match (node.states.expanded(), node.states.collapsed()) {
                (false, false) => None,
                (is, _) if is == wanted => supports(fact),
                _ => contradicts(fact),
            }
        }
        Action::Click(_) => {
            let states = |node: &Node| {
                [
                    (node.states.checked(), "checked"),
                    (node.states.selected(), "selected"),
                    (node.states.pressed(), "pressed"),
                    (node.states.expanded(), "expanded"),
                ]
            };
            let now = states(node);
            let was = before.map(states);
            let changed = now
                .iter()
                .enumerate()
                .find(|(at, (on, _))| was.is_none_or(|was| was[*at].0 != *on) && (*on || was.is_some()));
            match changed {
                Some((_, (true, word))) => supports(format!("{what} is {word}")),
                Some((_, (false, word))) => supports(format!("{what} is no longer {word}")),
                // A selected radio button or option stays selected.
                None => now
                    .iter()
                    .find(|(on, word)| *on && matches!(*word, "checked" | "selected"))
                    .filter(|_| matches!(node.role.as_ref(), "radio" | "option" | "menuitemradio" | "tab"))
                    .and_then(|(_, word)| supports(format!("{what} is {word}"))),
            }
        }
        // These actions have no target element, or leave no state on it that shows their effect.
        Action::Open(_)
        | Action::Press(_)
        | Action::Blur(_)
        | Action::Scroll(_)
        | Action::Drag(_)
        | Action::Dialog(_)
        | Action::Back(_)
        | Action::Forward(_)
        | Action::Reload(_)
        | Action::Wait(_)
        | Action::Tab(_)
        | Action::Save(_)
        | Action::Extract(_)
        | Action::Read(_)
        | Action::Dom(_)
        | Action::Subdom(_)
        | Action::Look(_)
        | Action::Find(_)
        | Action::Call(_)
        | Action::Ask(_)
        | Action::Done(_)
        | Action::Abort(_) => None,
    }
}

/// The target node of an action on this page.
pub(super) fn target<'a>(action: &Action, page: &'a Snapshot) -> Option<&'a Node> {
    Some(&page.nodes[position(action, page)?])
}

/// The index of the target node of an action on this page.
pub(super) fn position(action: &Action, page: &Snapshot) -> Option<NodeIndex> {
    match action.carried_out().target()?.kind() {
        TargetKind::Ref(reference) => page.find_ref(reference),
        TargetKind::Role { role, name: Some(name) } => {
            let is_meant = |at: &NodeIndex| *page.nodes[*at].role == *role && *page.nodes[*at].name == *name;
            let mut alike = (0..page.nodes.len()).filter(is_meant);
            // If two elements have the same name, the target is unknown.
            alike.next().filter(|_| alike.next().is_none())
        }
        _ => None,
    }
}

/// A field whose value is exactly the entered text.
fn is_plain_field(node: &Node) -> bool {
    let attributes = node.attributes.as_deref();
    let tag = attributes.map_or("", |attributes| attributes.tag.as_ref());
    let input = attributes.and_then(|attributes| attributes.input.as_deref()).unwrap_or("text");
    let typed = matches!(node.role.as_ref(), "textbox" | "searchbox" | "combobox");
    // If the tag is unknown, `combobox` does not count, because controls other than text fields have that role too.
    typed
        && (matches!(tag, "input" | "textarea") || tag.is_empty() && node.role.as_ref() != "combobox")
        && !CONVERTED.contains(&input)
}

/// Whether a field contains the entered text: the same letters and digits in the same order. Masks and formats add
/// blanks and punctuation (`+49 (30) 1234` for `49301234`), case does not matter in codes and addresses, and long
/// values are shortened. The same rule is in `injected/src/equivalent.ts`, which compares first.
pub(super) fn is_same_content(text: &str, value: &str) -> bool {
    let words = text.split_whitespace().count();
    let ignores_case = words < 3 && text.contains(|c: char| c.is_numeric() || c == '@') || text.trim().len() <= 4;
    let plain = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        if ignores_case { letters.flat_map(char::to_lowercase).collect() } else { letters.collect() }
    };
    if let Some((shown, _)) = value.split_once("… (+") {
        return plain(text).starts_with(&plain(shown));
    }
    if is_same_day(text, value) {
        return true;
    }
    if is_same_phone(text, value) || is_same_phone(value, text) {
        return true;
    }
    let (text, value) = (plain(text), plain(value));
    if text.is_empty() { value.is_empty() } else { value == text }
}

/// Whether both are one phone number, of which the first text has the country code: a mask may drop the code, which a
/// list beside the field holds, or add it.
fn is_same_phone(with_code: &str, without: &str) -> bool {
    const NUMBER: usize = 7;
    let is_phone = |text: &str| text.chars().all(|c| c.is_ascii_digit() || "+-–()./ \u{a0}".contains(c));
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    if !with_code.trim().starts_with('+') || without.contains('+') || !is_phone(with_code) || !is_phone(without) {
        return false;
    }
    let (long, short) = (digits(with_code), digits(without));
    // `020 7946 0958` for `+44 20 7946 0958`.
    let numbers = [short.as_str(), short.strip_prefix('0').unwrap_or(&short)];
    numbers.into_iter().filter(|number| number.len() >= NUMBER).any(|number| {
        let code = long.strip_suffix(number).unwrap_or_default();
        // Only North America and Russia have codes of one digit.
        matches!(code, "1" | "7") || matches!(code.len(), 2 | 3) && !code.starts_with(['0', '1', '7'])
    })
}

/// Whether a field shows an entered date in another format: `03/04/2026` for `2026-03-04`. The order of day and month
/// depends on the page; that the page accepted the date is verified when it is entered.
fn is_same_day(text: &str, value: &str) -> bool {
    let Some(day) = legwork_steps::day(text).filter(|day| day.len() == 10) else { return false };
    let mut numbers: Vec<u32> =
        value.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
    let part = |range: std::ops::Range<usize>| day[range].parse::<u32>().unwrap_or_default();
    let (year, month, date) = (part(0..4), part(5..7), part(8..10));
    let has_letters = value.chars().any(char::is_alphabetic);
    let mut take = |wanted: u32| match numbers.iter().position(|number| *number == wanted) {
        Some(at) => {
            numbers.swap_remove(at);
            true
        }
        None => false,
    };
    take(date) && (take(year) || take(year % 100)) && (take(month) || has_letters)
}

/// Fields that were valid before and are marked invalid now.
fn invalid(observed: &Observed<'_>) -> Vec<Finding> {
    let reloaded = observed.is_reloaded();
    let was_invalid = |node: &Node| {
        observed.before.filter(|_| !reloaded).is_some_and(|before| {
            before.nodes.iter().any(|old| old.states.invalid() && old.role == node.role && old.name == node.name)
        })
    };
    let submits = observed.submits();
    observed
        .after
        .nodes
        .iter()
        .filter(|node| node.states.invalid() && !was_invalid(node))
        .take(super::TEXTS)
        .map(|node| {
            let own = observed
                .actions
                .iter()
                .filter_map(|action| target(action, observed.after))
                .any(|acted| acted.role == node.role && acted.name == node.name);
            let finding = not_accepted(node);
            // While a form is being filled in, empty or incomplete other fields are no evidence about the field that
            // was filled in.
            let complains = submits && !observed.only_opens() || own;
            if complains && !is_emptied_by_sending(node, observed) { finding } else { finding.neutral() }
        })
        .collect()
}

/// Whether a field had a value until the server accepted its form and is now empty for the next entry. A required field
/// is marked invalid in that case.
fn is_emptied_by_sending(node: &Node, observed: &Observed<'_>) -> bool {
    let is_accepted = |effect: &PageEffect| {
        let is_success = matches!(effect, PageEffect::Request { status: Some(200..300), refusal: None, .. });
        is_success && effect.is_own_change()
    };
    let held_something = |old: &Node| old.role == node.role && old.name == node.name && !content(old).is_empty();
    content(node).is_empty()
        && observed.effects.iter().any(is_accepted)
        && observed.before.is_some_and(|before| before.nodes.iter().any(held_something))
}

/// Fields that are still marked invalid after a click or a key press that changed nothing else: the form was not
/// submitted again.
pub(super) fn still_invalid(observed: &Observed<'_>, findings: &[Finding]) -> Vec<Finding> {
    let changed = findings.iter().any(|finding| finding.supports() || finding.contradicts());
    if changed || !observed.submits() || observed.only_opens() {
        return Vec::new();
    }
    observed.after.nodes.iter().filter(|node| node.states.invalid()).take(super::TEXTS).map(not_accepted).collect()
}

fn not_accepted(node: &Node) -> Finding {
    let fact = format!("{} is marked invalid", named(node));
    Finding::new(EvidenceRule::InvalidField, EvidenceKind::Element, fact).about(subject(node))
}

fn types_secret(action: &Action) -> bool {
    match action {
        Action::Fill(fill) => fill.text.contains("${secret:"),
        Action::Type(typed) => typed.text.contains("${secret:"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_same_content;

    #[test]
    fn is_same_content_ignores_formatting_and_detects_other_values() {
        for (text, value) in [
            ("49301234", "+49 (30) 1234"),
            ("+1 555 010 9999", "5550109999"),
            ("+1 555 010 9999", "(555) 010-9999"),
            ("5550109999", "+1 (555) 010-9999"),
            ("+44 20 7946 0958", "020 7946 0958"),
            ("ada", " Ada "),
            ("save10", "SAVE10"),
            ("2026-03-04", "03/04/2026"),
            ("4 March 2026", "04.03.2026"),
            ("2026-12-24", "24 Dec 2026"),
            ("a\nb", "a b"),
            ("", ""),
            ("…", ""),
        ] {
            assert!(is_same_content(text, value), "{text:?} {value:?}");
        }
        for (text, value) in [
            ("1,5", "150"),
            ("+1 555 010 9999", "5550109998"),
            ("+1 555 010 9999", "0109999"),
            ("+12345", "2345"),
            ("15550109999", "5550109999"),
            ("alice", ""),
            ("Ada Byron", "ADA BYRON"),
            ("2026-03-04", "03/05/2026"),
            ("abcdef", "abc"),
            ("", "old"),
            ("new", "oldnew"),
        ] {
            assert!(!is_same_content(text, value), "{text:?} {value:?}");
        }
    }
}
