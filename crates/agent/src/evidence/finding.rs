//! A piece of evidence with its rule and its subject.

use legwork_observe::Node;
use legwork_protocol::{Evidence, EvidenceKind, Polarity};

use super::EvidenceRule;

/// The maximum number of new texts that become findings, and the maximum length of each.
pub(super) const TEXTS: usize = 3;
const LENGTH: usize = 120;

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
    pub(super) fn new(rule: EvidenceRule, kind: EvidenceKind, fact: impl Into<String>) -> Finding {
        let evidence = Evidence { polarity: rule.polarity(), ..Evidence::seen(kind, fact) };
        Finding { evidence, rule, subject: FindingSubject::None, weak: false }
    }

    pub(super) fn about(mut self, subject: FindingSubject) -> Finding {
        self.subject = subject;
        self
    }

    pub(super) fn weak(mut self, weak: bool) -> Finding {
        self.weak = weak;
        self
    }

    /// The same fact as neutral evidence, because the reason of its rule does not apply here.
    pub(super) fn neutral(mut self) -> Finding {
        self.evidence.polarity = Polarity::Neutral;
        self
    }

    pub(crate) fn contradicts(&self) -> bool {
        self.evidence.polarity == Polarity::Contradicting
    }

    /// Whether another observation may show that the finding is outdated: after a login, the next page may still be
    /// rendering.
    pub(crate) fn is_temporary(&self) -> bool {
        self.subject == FindingSubject::Login
    }

    /// Whether a log-in form is gone and nothing shows a user yet.
    pub(crate) fn leaves_log_in_open(&self) -> bool {
        self.rule == EvidenceRule::SignedIn && !self.supports()
    }

    pub(crate) fn supports(&self) -> bool {
        self.evidence.polarity == Polarity::Supporting
    }
}

/// Makes a finding neutral if it is supporting; contradicting findings stay.
pub(crate) fn neutralize(finding: Finding) -> Finding {
    if finding.supports() { finding.neutral() } else { finding }
}

/// Removes the support from all findings because of another one, and adds that.
pub(super) fn outweigh(findings: &mut Vec<Finding>, by: Finding) {
    *findings = findings.drain(..).map(neutralize).collect();
    findings.push(by);
}

pub(super) fn named(node: &Node) -> String {
    if node.name.is_empty() { node.role.to_string() } else { format!("{} {:?}", node.role, clipped(&node.name)) }
}

pub(super) fn clipped(text: &str) -> String {
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
