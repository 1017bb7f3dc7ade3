//! Explains what a policy would decide about an action that is described instead of executed (`legwork policy test`).

use std::collections::{BTreeMap, BTreeSet};

use legwork_agent::provenance::ValuePart;
use legwork_protocol::{ACTIONS, Provenance};
use thiserror::Error;
use url::Url;

use super::{
    ActionClass, ActionFacts, Carrier, NamedSites, PolicyLayers, Ruling,
    classes::{of_words, states_change},
};

/// An action that is described.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DescribedAction {
    /// The name of the action.
    pub action: String,
    /// The page on which it acts, or the address that it opens.
    pub url: Option<Url>,
    /// The accessible name of the element.
    pub element: Option<String>,
    /// Whether it submits a form.
    pub submits: bool,
    /// The value that it carries.
    pub value: Option<String>,
    /// The origins of the value.
    pub provenance: Vec<Provenance>,
    /// The tool that it calls.
    pub tool: Option<String>,
    /// The start page of the run.
    pub start: Option<Url>,
    /// The words of the task or the step.
    pub words: String,
    /// The sites of `--allow-write`.
    pub allow_write: Vec<String>,
    /// Whether the user wrote the action as a literal step.
    pub by_user: bool,
}

/// A described action that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no action {0:?}; there are {known}", known = ACTIONS.iter().map(|info| info.name).collect::<Vec<_>>().join(", "))]
pub struct UnknownAction(pub String);

/// A decision, and how the rules contributed to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The decision.
    pub ruling: Ruling,
    /// The kinds of the action.
    pub classes: BTreeSet<ActionClass>,
    /// Every rule with the first condition that the action does not meet; `None` for a rule that matches.
    pub rules: Vec<(String, Option<&'static str>)>,
}

impl PolicyLayers {
    /// Explains the decision about a described action, at the beginning of a run: no rule has been used up.
    ///
    /// # Errors
    /// If there is no such action.
    pub fn explain(&self, described: &DescribedAction) -> Result<Explanation, UnknownAction> {
        let facts = described.facts()?;
        let layers = [&self.user, &self.project, &self.request].into_iter().flatten();
        let rules = layers.flat_map(|file| &file.rules);
        Ok(Explanation {
            ruling: self.decide(&facts, &BTreeMap::new(), true),
            rules: rules.map(|rule| (rule.label.clone(), rule.failed_condition(&facts))).collect(),
            classes: facts.classes,
        })
    }
}

impl DescribedAction {
    fn facts(&self) -> Result<ActionFacts, UnknownAction> {
        let info = ACTIONS.iter().find(|info| info.name == self.action);
        let name = info.ok_or_else(|| UnknownAction(self.action.clone()))?.name;
        let mut sites = NamedSites::of_rules(&self.allow_write);
        sites.note_words(&self.words);
        self.start.iter().for_each(|start| sites.start(start));
        let mut classes = BTreeSet::new();
        if self.submits || matches!(name, "fill" | "type" | "select" | "check" | "uncheck" | "upload" | "drag") {
            classes.insert(ActionClass::Write);
        }
        // An element that is described is taken for a button.
        if name == "click" && self.element.as_deref().is_some_and(|name| states_change(name, true)) {
            classes.insert(ActionClass::Write);
        }
        if self.submits {
            classes.insert(ActionClass::Submit);
        }
        if self.submits || matches!(name, "click" | "press" | "dialog") {
            classes.extend(self.element.iter().flat_map(|name| of_words(name)));
        }
        let carrier = match name {
            "open" | "tab" => Carrier::Address,
            "upload" => Carrier::File,
            "call" => Carrier::Tool,
            _ => Carrier::Page,
        };
        let origins: BTreeSet<Provenance> = match self.provenance.is_empty() {
            true => BTreeSet::from([Provenance::Model]),
            false => self.provenance.iter().cloned().collect(),
        };
        let place = self.url.clone().filter(|_| carrier != Carrier::Tool);
        Ok(ActionFacts {
            action: name.to_owned(),
            classes,
            by_user: self.by_user,
            is_opaque: false,
            is_named_site: place.as_ref().is_some_and(|place| sites.has(place)),
            is_known_address: false,
            is_start: false,
            leads_to: None,
            connected_sites: sites.in_words().clone(),
            place,
            element: self.element.clone(),
            carrier,
            values: self.value.iter().map(|text| ValuePart { text: text.clone(), origins: origins.clone() }).collect(),
            tool: self.tool.clone().map(|tool| {
                let named = self.words.contains(&tool);
                (tool, named)
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_described_action_is_explained() {
        let described = DescribedAction {
            action: "fill".into(),
            url: Url::parse("https://evil.example/form").ok(),
            start: Url::parse("https://shop.example/").ok(),
            value: Some("KD-4711".into()),
            provenance: vec![Provenance::Page("https://shop.example".into())],
            ..DescribedAction::default()
        };
        let rule = |described: &DescribedAction| {
            PolicyLayers::default().explain(described).expect("an action").ruling.decision.rule
        };
        assert_eq!(rule(&described), "default:write-site");
        let allowed = DescribedAction { allow_write: vec!["evil.example".into()], ..described.clone() };
        assert_eq!(rule(&allowed), "default:page-data");
        let said =
            DescribedAction { words: "Copy the number from shop.example to evil.example".into(), ..described.clone() };
        assert_eq!(rule(&said), "default:write-site", "it is the rule that allows it");
        let unknown = DescribedAction { action: "fil".into(), ..described };
        assert_eq!(PolicyLayers::default().explain(&unknown), Err(UnknownAction("fil".into())));
    }
}
