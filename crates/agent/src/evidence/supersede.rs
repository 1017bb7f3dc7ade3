//! The open contradictions of a step. A model may meet a refusal, correct its cause and continue: a request that was
//! refused first and accepted later no longer contradicts.

use legwork_observe::Snapshot;
use legwork_protocol::{Action, EvidenceKind};

use super::{EvidenceRule, Finding, FindingSubject, fields, login_is_over, questions};
use legwork_observe::wording;

/// The open contradictions, oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contradictions {
    open: Vec<Finding>,
}

impl Contradictions {
    /// Adds the findings about an action and removes the contradictions that they outdate. `starts_over`: the action
    /// opened a URL, which leaves forms without submitting them.
    pub(crate) fn update(&mut self, findings: &[Finding], after: &Snapshot, starts_over: bool) {
        let supported = findings.iter().any(Finding::supports);
        let accepted = findings.iter().any(|finding| {
            finding.rule == EvidenceRule::Response && matches!(finding.subject, FindingSubject::Request { .. })
        });
        let loaded = findings
            .iter()
            .any(|finding| finding.rule == EvidenceRule::Response && finding.subject == FindingSubject::Document);
        self.open.retain(|open| {
            let outdated = match &open.subject {
                // A change that was accepted later shows that the task continued after the refusal.
                FindingSubject::Request { .. } => accepted,
                FindingSubject::Document => loaded,
                FindingSubject::Message(text) => supported && !shows(after, text),
                FindingSubject::Field { role, name, value } => {
                    let field = after.nodes.iter().find(|node| *node.role == **role && *node.name == **name);
                    let is_this = |subject: &FindingSubject| matches!(subject, FindingSubject::Field { role: r, name: n, .. } if r == role && n == name);
                    let right_now = findings.iter().any(|new| new.supports() && is_this(&new.subject));
                    let mended = match open.rule {
                        EvidenceRule::InvalidField => field.is_none_or(|node| !node.states.invalid()),
                        // Submitting the form does not outdate the finding, because the form contained the wrong
                        // value. If the field was set by other means, such as a date picker, its value differs now.
                        _ => field.is_some_and(|node| fields::content(node) != *value),
                    };
                    // The name of a list may consist of what is chosen in it, and is then another one after the next
                    // choice. If no other field of the role was set, it was this one.
                    let of_role = |subject: &FindingSubject| matches!(subject, FindingSubject::Field { role: r, .. } if r == role);
                    let renamed = field.is_none()
                        && role == "combobox"
                        && findings.iter().any(|new| new.supports() && of_role(&new.subject))
                        && after.nodes.iter().filter(|node| *node.role == **role).any(|node| fields::content(node).contains(value.trim()));
                    let mended = mended || renamed;
                    right_now || mended || starts_over
                }
                FindingSubject::Login => login_is_over(after),
                FindingSubject::Dialog => after.dialog.is_none(),
                FindingSubject::None => false,
            };
            !outdated
        });
        for finding in findings.iter().filter(|finding| finding.contradicts()) {
            if !self.open.contains(finding) {
                self.open.push(finding.clone());
            }
        }
    }

    /// Whether nothing contradicts the step.
    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Removes the contradictions that the step's expectations outweigh. The expectations hold.
    pub(crate) fn outweigh(&mut self, expectations: &[&str]) {
        if expectations.is_empty() {
            return;
        }
        let expects_refusal = expectations.iter().any(|words| expects_refusal(words));
        self.open.retain(|open| {
            let named = match &open.subject {
                FindingSubject::Message(text) => {
                    expectations.iter().any(|words| quotes(words).any(|quoted| text.contains(quoted)))
                }
                _ => false,
            };
            !(open.weak || named || expects_refusal)
        });
    }

    /// A description of the contradictions, newest first.
    pub(crate) fn in_words(&self) -> String {
        let facts: Vec<&str> = self.open.iter().rev().take(3).map(|finding| finding.evidence.fact.as_str()).collect();
        facts.join("; ")
    }

    /// Whether one of them is an open dialog that waits for an answer.
    pub(crate) fn hold_dialog(&self) -> bool {
        self.open.iter().any(|finding| finding.subject == FindingSubject::Dialog)
    }

    /// Whether a question of the page waits for an answer.
    pub(crate) fn hold_question(&self) -> bool {
        self.open.iter().any(|finding| finding.evidence.fact.ends_with(questions::WAITS))
    }

    /// The text of the refusals, for a suggestion how to expect them, and whether a browser dialog contains it. A text
    /// that states a refusal has priority, and a text that continues (`Search...`) is a placeholder.
    pub(crate) fn message(&self) -> Option<(&str, bool)> {
        let messages = self.open.iter().filter_map(|finding| match &finding.subject {
            FindingSubject::Message(text) => Some((text.as_str(), finding.evidence.kind == EvidenceKind::Dialog)),
            _ => None,
        });
        let continues = |text: &str| text.trim_end().ends_with('…') || text.trim_end().ends_with("...");
        let messages = messages.filter(|(text, _)| wording::mentions_refusal(text) || !continues(text));
        messages.min_by_key(|(text, _)| !wording::mentions_refusal(text))
    }
}

pub(super) fn shows(page: &Snapshot, text: &str) -> bool {
    page.nodes.iter().enumerate().any(|(at, node)| *node.name == *text || page.text_of(at).trim() == text)
}

/// Whether an expectation expects a refusal: it quotes the text of a refusal and does not negate it.
pub(crate) fn expects_refusal(words: &str) -> bool {
    let outside: String = words.split(['"', '“', '”']).step_by(2).collect::<Vec<_>>().join(" ").to_lowercase();
    let denies = outside.split(|c: char| !c.is_alphanumeric() && c != '\'').any(|word| {
        matches!(
            word,
            "not" | "no" | "never" | "without" | "isn't" | "doesn't" | "gone" | "hidden" | "disappears" | "disappear"
        )
    });
    !denies && (quotes(words).any(wording::mentions_refusal) || wording::mentions_refusal(&outside))
}

/// The texts in quotes.
fn quotes(words: &str) -> impl Iterator<Item = &str> {
    words.split(['"', '“', '”']).skip(1).step_by(2).filter(|quoted| !quoted.is_empty())
}

/// Whether the actions leave the forms without submitting them.
pub(crate) fn starts_over(actions: &[Action]) -> bool {
    actions.iter().any(|action| matches!(action, Action::Open(_) | Action::Reload(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contradicting(rule: EvidenceRule, subject: FindingSubject) -> Finding {
        Finding::new(rule, EvidenceKind::Element, format!("{subject:?}")).about(subject)
    }

    #[test]
    fn a_later_choice_in_a_list_that_its_values_name_outdates_the_failed_one() {
        let field = |name: &str, value: &str| FindingSubject::Field {
            role: "combobox".into(),
            name: name.into(),
            value: value.into(),
        };
        let page = |text: &str| legwork_observe::fixture::snapshot(text);
        let later = [Finding::new(EvidenceRule::ElementState, EvidenceKind::Element, "it shows news")
            .about(field("news release", "news, release"))];
        let failed = contradicting(EvidenceRule::FieldValue, field("Remove item Search", "release"));
        let mut open = Contradictions::default();
        open.update(std::slice::from_ref(&failed), &page("- combobox \"Remove item Search\": release"), false);
        assert!(!open.is_empty());
        open.update(&later, &page("- combobox \"Other\": 10"), false);
        assert!(!open.is_empty(), "another list was set");
        open.update(&later, &page("- combobox \"news release\": news, release"), false);
        assert!(open.is_empty());
    }

    #[test]
    fn the_refusal_is_suggested_and_not_a_placeholder() {
        let message = |text: &str| contradicting(EvidenceRule::RefusalText, FindingSubject::Message(text.into()));
        let mut open = Contradictions::default();
        open.update(&[message("Search..."), message("Author is required")], &Snapshot::default(), false);
        assert_eq!(open.message(), Some(("Author is required", false)));
        let mut only = Contradictions::default();
        only.update(&[message("Search...")], &Snapshot::default(), false);
        assert_eq!(only.message(), None);
    }

    #[test]
    fn an_expectation_of_a_refusal_says_what_the_refusal_says_and_does_not_deny_it() {
        for refusal in ["\"Login failed\" is shown", "the error message is shown", "the page shows “Wrong password”"]
        {
            assert!(expects_refusal(refusal), "{refusal}");
        }
        for other in ["\"Welcome\" is shown", "\"Login failed\" is not shown", "there is no error message"] {
            assert!(!expects_refusal(other), "{other}");
        }
    }
}
