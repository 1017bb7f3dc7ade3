//! The loop guard: the same action on the same page, once more. Warned of once, then the step stops.

use legwork_protocol::{Action, Command};

/// What the guard says to a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Nothing repeats.
    Go,
    /// It repeats; the model is told.
    Warn,
    /// It was told and repeats still.
    Stop,
}

/// The last decisions, each with the page they were made on.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopGuard {
    made: Vec<(String, u64)>,
    warned: bool,
}

impl LoopGuard {
    /// Judges a decision made on the page with this fingerprint: A-A and A-B-A-B repeat.
    pub(crate) fn judge(&mut self, commands: &[Command], page: u64) -> Verdict {
        let actions: Vec<&Action> = commands.iter().map(|command| &command.action).collect();
        let wire = serde_json::to_string(&actions).expect("an action is plain data and always has a wire form");
        self.made.push((wire, page));
        if self.made.len() > 4 {
            self.made.remove(0);
        }
        let repeats = match self.made.as_slice() {
            [.., a, b] if a == b => true,
            [a, b, c, d] => a == c && b == d,
            _ => false,
        };
        match (repeats, self.warned) {
            (false, _) => {
                self.warned = false;
                Verdict::Go
            }
            (true, false) => {
                self.warned = true;
                Verdict::Warn
            }
            (true, true) => Verdict::Stop,
        }
    }
}

#[cfg(test)]
mod tests {
    use legwork_protocol::{Action, Nothing, Press};

    use super::*;

    fn check(made: &[(&str, u64)], expected: &[Verdict]) {
        let mut guard = LoopGuard::default();
        let said: Vec<Verdict> = made
            .iter()
            .map(|(key, page)| {
                let action = match *key {
                    "back" => Action::Back(Nothing {}),
                    key => Action::Press(Press { key: key.to_owned(), target: None }),
                };
                guard.judge(&[Command { action, reasoning: None }], *page)
            })
            .collect();
        assert_eq!(said, expected);
    }

    #[test]
    fn the_same_on_the_same_page_is_warned_of_and_then_stopped() {
        use Verdict::{Go, Stop, Warn};
        check(&[("Tab", 1), ("Tab", 1), ("Tab", 1)], &[Go, Warn, Stop]);
        check(&[("Tab", 1), ("Tab", 2), ("Tab", 3)], &[Go, Go, Go]);
        check(&[("Tab", 1), ("Tab", 1), ("back", 1), ("back", 1)], &[Go, Warn, Go, Warn]);
    }

    #[test]
    fn to_and_fro_is_a_loop_too() {
        use Verdict::{Go, Stop, Warn};
        check(&[("a", 1), ("b", 2), ("a", 1), ("b", 2), ("a", 1)], &[Go, Go, Go, Warn, Stop]);
        check(&[("a", 1), ("b", 2), ("a", 3), ("b", 4), ("a", 5)], &[Go, Go, Go, Go, Go]);
    }
}
