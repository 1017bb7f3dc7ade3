//! The loop guard. It detects the same actions on the same pages, also as a cycle of several. The model is warned once,
//! then the step ends.
//!
//! Actions are compared by effect, not by text: a ref counts as the element that it refers to, and white space and case
//! are ignored. A page that is rendered again with new refs does not hide a loop. Two buttons with one name are
//! distinguished by their index.

use legwork_observe::{Snapshot, fingerprint};
use legwork_protocol::{Action, Command, TargetKind};
use serde_json::Value;

use crate::context::one_line;

/// The maximum length of a cycle that is detected.
const CYCLE: usize = 4;
/// The maximum number of characters of a text that distinguish actions.
const LENGTH: usize = 2_000;

/// The guard's verdict on a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GuardDecision {
    /// There is no repetition.
    Go,
    /// There is a repetition: the model is warned.
    Warn,
    /// The repetition continues after the warning.
    Stop,
}

/// The last decisions, each with its page.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopGuard {
    made: Vec<(String, u64)>,
    warned: bool,
}

impl LoopGuard {
    /// Checks a decision that was made on this page.
    pub(crate) fn judge(&mut self, commands: &[Command], page: Option<&Snapshot>) -> GuardDecision {
        self.made.push((normalised(commands, page), page.map_or(0, fingerprint)));
        if self.made.len() > 2 * CYCLE {
            self.made.remove(0);
        }
        let repeats = (1..=CYCLE).any(|length| {
            let Some(start) = self.made.len().checked_sub(2 * length) else { return false };
            let (before, now) = self.made[start..].split_at(length);
            before == now
        });
        match (repeats, std::mem::replace(&mut self.warned, repeats)) {
            (false, _) => GuardDecision::Go,
            (true, false) => GuardDecision::Warn,
            (true, true) => GuardDecision::Stop,
        }
    }
}

/// A description of the commands on this page that does not depend on their notation.
pub(crate) fn normalised(commands: &[Command], page: Option<&Snapshot>) -> String {
    let one = |command: &Command| {
        let mut wire = serde_json::to_value(&command.action).unwrap_or_default();
        plain(&mut wire);
        if let Some(element) = element(&command.action, page) {
            wire["parameters"]["target"] = Value::String(element);
        }
        wire.to_string()
    };
    commands.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn plain(value: &mut Value) {
    match value {
        Value::String(text) => *text = one_line(text, LENGTH).to_lowercase(),
        Value::Array(items) => items.iter_mut().for_each(plain),
        Value::Object(map) => map.values_mut().for_each(plain),
        _ => {}
    }
}

/// `button "send" 2`: role, name and index among elements with the same role and name.
fn element(action: &Action, page: Option<&Snapshot>) -> Option<String> {
    let TargetKind::Ref(reference) = action.target()?.kind() else { return None };
    let page = page?;
    let index = page.find_ref(reference)?;
    let node = &page.nodes[index];
    let like = |other: &&legwork_observe::Node| other.role == node.role && other.name == node.name;
    let place = page.nodes[..index].iter().filter(like).count() + 1;
    Some(format!("{} {:?} {place}", node.role, one_line(&node.name, LENGTH).to_lowercase()))
}

#[cfg(test)]
mod tests {
    use legwork_observe::fixture;
    use legwork_protocol::{Click, NoParams, Press, Target};

    use super::*;

    fn judge(guard: &mut LoopGuard, action: Action, page: &Snapshot) -> GuardDecision {
        guard.judge(&[Command { action, reasoning: None }], Some(page))
    }

    fn check(made: &[(&str, u64)], expected: &[GuardDecision]) {
        let mut guard = LoopGuard::default();
        let said: Vec<GuardDecision> = made
            .iter()
            .map(|(key, page)| {
                let action = match *key {
                    "back" => Action::Back(NoParams {}),
                    key => Action::Press(Press { key: key.to_owned(), target: None }),
                };
                judge(&mut guard, action, &fixture::snapshot(&format!("- text: page {page}")))
            })
            .collect();
        assert_eq!(said, expected);
    }

    #[test]
    fn the_same_on_the_same_page_is_warned_of_and_then_stopped() {
        use GuardDecision::{Go, Stop, Warn};
        check(&[("Tab", 1), ("Tab", 1), ("Tab", 1)], &[Go, Warn, Stop]);
        check(&[("Tab", 1), ("Tab", 2), ("Tab", 3)], &[Go, Go, Go]);
        check(&[("Tab", 1), ("Tab", 1), ("back", 1), ("back", 1)], &[Go, Warn, Go, Warn]);
        check(&[("Tab", 1), (" tab ", 1), ("TAB", 1)], &[Go, Warn, Stop]);
    }

    #[test]
    fn cycles_of_up_to_four_are_loops_too() {
        use GuardDecision::{Go, Stop, Warn};
        check(&[("a", 1), ("b", 2), ("a", 1), ("b", 2), ("a", 1)], &[Go, Go, Go, Warn, Stop]);
        check(&[("a", 1), ("b", 2), ("a", 3), ("b", 4), ("a", 5)], &[Go, Go, Go, Go, Go]);
        let three = [("a", 1), ("b", 2), ("c", 3), ("a", 1), ("b", 2), ("c", 3), ("a", 1)];
        check(&three, &[Go, Go, Go, Go, Go, Warn, Stop]);
        let four = [("a", 1), ("b", 2), ("c", 3), ("d", 4), ("a", 1), ("b", 2), ("c", 3), ("d", 4), ("a", 1)];
        check(&four, &[Go, Go, Go, Go, Go, Go, Go, Warn, Stop]);
    }

    #[test]
    fn a_ref_counts_as_the_element_it_names() {
        let click = |target: &str| {
            Action::Click(Click {
                target: Target(target.into()),
                button: Default::default(),
                count: 1,
                modifiers: Vec::new(),
            })
        };
        let drawn = |first: u32| {
            let second = first + 1;
            fixture::snapshot(&format!("- button \"Delete\" [ref=e{first}]\n- button \"Delete\" [ref=e{second}]"))
        };
        let mut guard = LoopGuard::default();
        // The page was rendered again: the same button has another ref, and the other one has its old ref.
        assert_eq!(judge(&mut guard, click("e1"), &drawn(1)), GuardDecision::Go);
        assert_eq!(judge(&mut guard, click("e2"), &drawn(2)), GuardDecision::Warn);
        assert_eq!(judge(&mut guard, click("e3"), &drawn(2)), GuardDecision::Go);
        assert_eq!(judge(&mut guard, click("e4"), &drawn(3)), GuardDecision::Warn);
    }
}
