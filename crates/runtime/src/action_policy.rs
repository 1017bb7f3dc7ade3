//! Which actions a run may execute: the rules of policy files and the default policy, evaluated below the model and
//! before the intent of an action is written. Pure; `run_policy.rs` collects the facts of a run.
//!
//! Rules come in layers. The user's rules (`--policy FILE`, or the user's `policy.toml`) decide first; where none of
//! them matches, the default policy decides. The rules of a project file and of an API request are applied to this
//! decision and can only make it stricter.

mod classes;
mod default_policy;
mod explain;
mod file;
mod keys;
mod sites;

use std::collections::{BTreeMap, BTreeSet};

use legwork_observe::sites::site;
use legwork_protocol::{ActionFailure, PolicyDecision, PolicyEffect, Provenance};
use url::Url;

pub use legwork_agent::provenance::ValuePart;

pub(crate) use self::{
    classes::pastes,
    default_policy::is_navigation,
    keys::{KeyEffect, key_effect},
    sites::NamedSites,
};
pub use self::{
    classes::{ActionClass, classes},
    explain::{DescribedAction, Explanation, UnknownAction},
    file::{PolicyFile, PolicyProblem, PolicyRule},
};

/// The rules of a run, beside the default policy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolicyLayers {
    /// The user's own rules.
    pub user: Option<PolicyFile>,
    /// The rules of the project. They can only restrict.
    pub project: Option<PolicyFile>,
    /// The rules of an API request. They can only restrict.
    pub request: Option<PolicyFile>,
}

/// How an action carries its values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Carrier {
    /// In a page: a field, a choice, keys.
    #[default]
    Page,
    /// In an address that is opened.
    Address,
    /// As the name of a file.
    File,
    /// As the arguments of a tool.
    Tool,
}

/// What is known about an action before it is executed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ActionFacts {
    /// The name of the action.
    pub action: String,
    /// Its kinds.
    pub classes: BTreeSet<ActionClass>,
    /// Whether the words of the user are the action: a literal step.
    pub by_user: bool,
    /// Where it has its effect: the document of the element, or the address that is opened. `None` without a place,
    /// such as a blank page or a tool.
    pub place: Option<Url>,
    /// Whether the document has no origin that a rule could name.
    pub is_opaque: bool,
    /// Whether the place is the start site or a site that the user named.
    pub is_named_site: bool,
    /// Whether the address was shown as a link or written by the user.
    pub is_known_address: bool,
    /// Whether the run may begin at the address.
    pub is_start: bool,
    /// The address of the link that the action follows, if it leads to a site that is not named and carries a text that
    /// the run itself entered.
    pub leads_to: Option<Url>,
    /// The sites between which the words of the user send values: the start site and those that they name.
    pub connected_sites: BTreeSet<String>,
    /// The accessible name of the element, or the message of the dialog.
    pub element: Option<String>,
    /// How the values are carried.
    pub carrier: Carrier,
    /// The values, in parts by origin.
    pub values: Vec<ValuePart>,
    /// The tool that is called, and whether the words of the user name it.
    pub tool: Option<(String, bool)>,
}

impl ActionFacts {
    /// The origins of all values, without duplicates.
    pub(crate) fn origins(&self) -> impl Iterator<Item = &Provenance> {
        self.values.iter().flat_map(|part| &part.origins).collect::<BTreeSet<_>>().into_iter()
    }

    /// Whether a page of this origin is of another site than the place of the action.
    fn is_other_site(&self, origin: &str) -> bool {
        let from = Url::parse(origin).ok().and_then(|url| site(&url));
        from.is_none() || from != self.place.as_ref().and_then(site)
    }

    /// Words for the place: `https://shop.example`.
    fn place_words(&self) -> String {
        match &self.place {
            Some(place) => place.origin().ascii_serialization(),
            None if self.is_opaque => "a document without an origin".to_owned(),
            None => "this page".to_owned(),
        }
    }
}

/// A decision with what a person needs to change it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruling {
    /// The decision.
    pub decision: PolicyDecision,
    /// How the user can allow the action.
    pub hint: String,
    /// Whether a rule of a file decided, and not the default policy.
    pub by_file: bool,
}

impl Ruling {
    /// The failure of the action, if it is refused.
    pub fn failure(&self) -> ActionFailure {
        let PolicyDecision { rule, reason, .. } = &self.decision;
        ActionFailure::PolicyRefused { rule: rule.clone(), reason: reason.clone(), hint: self.hint.clone() }
    }
}

impl PolicyLayers {
    /// Whether there are no rules beside the default policy.
    pub fn is_empty(&self) -> bool {
        [&self.user, &self.project, &self.request]
            .iter()
            .all(|layer| layer.as_ref().is_none_or(|file| file.rules.is_empty()))
    }

    fn rules(&self) -> impl Iterator<Item = &PolicyRule> {
        [&self.user, &self.project, &self.request].into_iter().flatten().flat_map(|file| &file.rules)
    }

    /// The places for which rules decide about what a host and its subdomains receive, beside those without a port.
    pub(crate) fn places_of(&self, host: &str) -> Vec<Url> {
        self.rules().flat_map(|rule| rule.places_of(host)).collect()
    }

    /// The label of the first rule that asks or denies and is not only for other actions than writing.
    pub(crate) fn refusing_rule(&self) -> Option<&str> {
        let refuses = |rule: &&PolicyRule| rule.effect != PolicyEffect::Allow && rule.concerns_writing();
        self.rules().find(refuses).map(|rule| rule.label.as_str())
    }

    /// Decides about an action. `counts` are the numbers of actions that each rule has let through in the run, by
    /// label;
    /// `with_default` is false where nobody's words name sites, so that only files have rules.
    pub fn decide(&self, facts: &ActionFacts, counts: &BTreeMap<String, u32>, with_default: bool) -> Ruling {
        let by_rule = |(rule, effect, reason): (&PolicyRule, PolicyEffect, String)| Ruling {
            hint: format!("change the rule {} if the action is intended", rule.label),
            decision: decision(facts, effect, &rule.label, reason),
            by_file: true,
        };
        let own = self.user.as_ref().and_then(|file| file.decide(facts, counts)).map(by_rule);
        let mut ruling = own.unwrap_or_else(|| match default_policy::decide(facts).filter(|_| with_default) {
            Some((rule, reason, hint)) => {
                Ruling { decision: decision(facts, PolicyEffect::Ask, rule, reason), hint, by_file: false }
            }
            None => {
                let (rule, reason) = default_policy::why_allowed(facts, with_default);
                let decision = decision(facts, PolicyEffect::Allow, rule, reason.to_owned());
                Ruling { decision, hint: String::new(), by_file: false }
            }
        });
        for layer in [&self.project, &self.request].into_iter().flatten() {
            if let Some(stricter) = layer.decide(facts, counts).filter(|found| found.1 > ruling.decision.effect) {
                ruling = by_rule(stricter);
            }
        }
        ruling
    }
}

fn decision(facts: &ActionFacts, effect: PolicyEffect, rule: &str, reason: String) -> PolicyDecision {
    PolicyDecision {
        action: facts.action.clone(),
        effect,
        rule: rule.to_owned(),
        reason,
        provenance: facts.origins().cloned().collect(),
        approved: None,
    }
}

#[cfg(test)]
mod tests;
