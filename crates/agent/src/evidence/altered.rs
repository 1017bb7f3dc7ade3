//! Values that the server returned with another content than was sent (`credit` is 1000 and not 25000), while the page
//! states that everything is saved.

use std::collections::HashSet;

use legwork_observe::{Node, Snapshot};
use legwork_protocol::{AlteredValue, EvidenceKind, LIST_SEPARATOR, PageEffect};

use super::{EvidenceRule, Finding, Observed, clipped, fields::is_same_content, neutralize};

/// Removes the support from all findings beside an altered value, and adds a finding about it. Only values of fields
/// count: a version, a state or a modification time differs in every response.
pub(super) fn neutralize_on_altered_values(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    if observed.disabled.contains(&EvidenceRule::ValueAltered) {
        return;
    }
    let altered = observed.effects.iter().filter_map(|effect| match effect {
        PageEffect::Request { altered, background: false, earlier: false, .. } => Some(altered),
        _ => None,
    });
    let told: Vec<Finding> = altered
        .flatten()
        .filter(|value| was_put_in(observed, value) && !is_kept(&value.sent, &value.answered) && !is_reply(value))
        .map(|value| {
            let (sent, answered) = (clipped(&value.sent), clipped(&value.answered));
            let fact = format!("the server answered with {:?} {answered:?} instead of {sent:?}", value.name);
            Finding::new(EvidenceRule::ValueAltered, EvidenceKind::Response, fact)
        })
        .collect();
    if told.is_empty() {
        return;
    }
    *findings = findings.drain(..).map(neutralize).collect();
    findings.extend(told);
}

/// Whether the response has a message of its own under this name: `{"message": "Got it, thank you!"}` after a message
/// was sent. A part of the sent message is not such a message.
fn is_reply(value: &AlteredValue) -> bool {
    let is_message = matches!(letters(&value.name).as_str(), "message" | "msg" | "text" | "detail" | "details");
    let answered = letters(&value.answered);
    is_message && !answered.is_empty() && !letters(&value.sent).contains(&answered)
}

/// Whether the sent value was in a control of the page, or was entered. Texts are compared by value. Switches and lists
/// of choices are compared by the name of their control (`autoRenew` and `Auto-renew`), because `true` may come from
/// anywhere and choices are often sent as keys.
fn was_put_in(observed: &Observed<'_>, value: &AlteredValue) -> bool {
    let is_sent = |held: &str| !held.is_empty() && is_same_content(&value.sent, held);
    // Includes the choices of lists.
    let mut held = observed.values_before(|_| true).chain(observed.texts_entered());
    held.any(is_sent) || observed.before.is_some_and(|before| is_choice(before, value))
}

/// Whether the value is the state of a switch or the choices of a list whose name is that of the field.
fn is_choice(page: &Snapshot, value: &AlteredValue) -> bool {
    let (name, state) = (letters(&value.name), state_of(&value.sent));
    let holds = |node: &Node| match node.role.as_ref() {
        "checkbox" | "switch" => state == Some(node.states.checked()),
        "combobox" | "listbox" | "group" => true,
        _ => false,
    };
    !name.is_empty() && page.nodes.iter().any(|node| letters(&node.name) == name && holds(node))
}

/// The state of a switch, in one of the forms in which it is sent and stored.
fn state_of(text: &str) -> Option<bool> {
    match text {
        "true" | "on" | "1" | "yes" => Some(true),
        "false" | "off" | "0" | "no" => Some(false),
        _ => None,
    }
}

/// Whether the response contains the sent value. A server may add to a value (a time to a date, a choice to a list) or
/// format it; if it returns only a part, the value was altered.
fn is_kept(sent: &str, answered: &str) -> bool {
    if let Some((sent, answered)) = sent.trim().parse::<f64>().ok().zip(answered.trim().parse::<f64>().ok()) {
        return (sent - answered).abs() < 1e-9;
    }
    if let Some((sent, answered)) = state_of(sent).zip(state_of(answered)) {
        return sent == answered;
    }
    let entries: HashSet<String> = answered.split(LIST_SEPARATOR).map(letters).collect();
    let plain = letters(sent);
    is_same_content(sent, answered)
        || !plain.is_empty()
            && (letters(answered).contains(&plain)
                || sent.split(LIST_SEPARATOR).all(|entry| entries.contains(&letters(entry))))
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
