//! Reads a policy file: a list of rules. The error lists every problem with its line.

use std::{collections::BTreeMap, fmt, path::Path};

use legwork_protocol::{ACTIONS, PolicyEffect, Provenance};
use thiserror::Error;
use toml_edit::{Document, Item};
use url::Url;

use super::{ActionClass, ActionFacts, classes::contains_phrase};
use crate::{policy::Rule, settings::nearest};

/// The keys of a rule.
const KEYS: [&str; 8] = ["name", "action", "origin", "provenance", "element", "max_count", "decision", "reason"];

/// The rules of one file, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyFile {
    /// The text of the file.
    pub text: String,
    /// The rules.
    pub rules: Vec<PolicyRule>,
}

/// One rule. It matches an action that matches each of its conditions; an empty condition matches every action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyRule {
    /// The file and the line, with the name of the rule if it has one.
    pub label: String,
    pub(super) actions: Vec<ActionPattern>,
    pub(super) origins: Vec<OriginPattern>,
    pub(super) provenance: Vec<ProvenancePattern>,
    /// Words on the element, in lower case.
    pub(super) elements: Vec<String>,
    /// The number of actions of a run that the rule may match. Each further one is denied.
    pub(super) max_count: Option<u32>,
    pub(super) effect: PolicyEffect,
    pub(super) reason: String,
}

/// A condition on the action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ActionPattern {
    Name(&'static str),
    Class(ActionClass),
}

/// A condition on the place where the action has its effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OriginPattern {
    /// The start site, or a site that the user named.
    Named,
    /// Any other site.
    Other,
    Rule(Rule),
}

/// A condition on the origin of the values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ProvenancePattern {
    User,
    Secret,
    Model,
    /// Any page.
    Page,
    /// A page of another site than the one on which the action has its effect.
    OtherPage,
    PageOf(Rule),
    /// Any tool.
    Tool,
    ToolNamed(String),
}

/// A mistake in a policy file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct PolicyProblem {
    /// The name of the file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub hint: Option<String>,
}

impl fmt::Display for PolicyProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)?;
        self.hint.iter().try_for_each(|hint| write!(f, " ({hint})"))
    }
}

impl PolicyFile {
    /// Reads the text of a file; `path` is used in messages.
    ///
    /// # Errors
    /// Every mistake, with its line.
    pub fn parse(path: &Path, text: &str) -> Result<PolicyFile, Vec<PolicyProblem>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = Reader { file: path.display().to_string(), text, problems: Vec::new() };
        let document = match Document::parse(text) {
            Ok(document) => document,
            Err(error) => {
                let at = error.span().map_or(0, |span| span.start);
                reader.problem_at(at, format!("this is not TOML: {}", error.message()), None);
                return Err(reader.problems);
            }
        };
        let mut rules = Vec::new();
        for (key, item) in document.as_table().iter() {
            match item.as_array_of_tables() {
                Some(tables) if key == "rule" => rules.extend(tables.iter().filter_map(|table| reader.rule(table))),
                _ => {
                    let span = item.span().or_else(|| document.as_table().key(key).and_then(toml_edit::Key::span));
                    let hint = Some("a policy consists of [[rule]] tables".to_owned());
                    reader.problem_at(span.map_or(0, |span| span.start), format!("unknown key {key:?}"), hint);
                }
            }
        }
        reader.problems.sort_by_key(|problem| problem.line);
        if reader.problems.is_empty() { Ok(PolicyFile { text: text.to_owned(), rules }) } else { Err(reader.problems) }
    }

    /// The first rule that matches, with its decision and reason. `counts` are the numbers of actions that rules have
    /// let through so far, by label.
    pub(super) fn decide(
        &self,
        facts: &ActionFacts,
        counts: &BTreeMap<String, u32>,
    ) -> Option<(&PolicyRule, PolicyEffect, String)> {
        let rule = self.rules.iter().find(|rule| rule.matches(facts))?;
        let used = counts.get(&rule.label).copied().unwrap_or(0);
        Some(match rule.max_count {
            Some(most) if used >= most => (
                rule,
                PolicyEffect::Deny,
                format!("the rule permits {most} such actions in a run, and they are used up"),
            ),
            _ => (rule, rule.effect, rule.reason.clone()),
        })
    }
}

impl PolicyRule {
    /// Whether the rule is about this action.
    pub fn matches(&self, facts: &ActionFacts) -> bool {
        self.failed_condition(facts).is_none()
    }

    /// Whether it is for everything, or for what writes.
    pub(crate) fn concerns_writing(&self) -> bool {
        let is_writing = |pattern: &ActionPattern| matches!(pattern, ActionPattern::Class(ActionClass::Write));
        self.actions.is_empty() || self.actions.iter().any(is_writing)
    }

    /// Where its origins are on this host or its subdomains.
    pub(crate) fn places_of(&self, host: &str) -> impl Iterator<Item = Url> {
        self.origins.iter().filter_map(move |pattern| match pattern {
            OriginPattern::Rule(rule) => rule.place_on(host),
            OriginPattern::Named | OriginPattern::Other => None,
        })
    }

    /// The first condition that the action does not meet.
    pub fn failed_condition(&self, facts: &ActionFacts) -> Option<&'static str> {
        let element = facts.element.as_deref().unwrap_or_default().to_lowercase();
        let conditions = [
            ("action", self.actions.is_empty() || self.actions.iter().any(|pattern| pattern.matches(facts))),
            ("origin", self.origins.is_empty() || self.origins.iter().any(|pattern| pattern.matches(facts))),
            ("provenance", self.provenance.is_empty() || self.provenance.iter().any(|pattern| pattern.matches(facts))),
            ("element", self.elements.is_empty() || self.elements.iter().any(|words| contains_phrase(&element, words))),
        ];
        conditions.into_iter().find(|(_, holds)| !holds).map(|(name, _)| name)
    }
}

impl ActionPattern {
    fn matches(&self, facts: &ActionFacts) -> bool {
        match self {
            ActionPattern::Name(name) => facts.action == *name,
            ActionPattern::Class(class) => facts.classes.contains(class),
        }
    }
}

impl OriginPattern {
    fn matches(&self, facts: &ActionFacts) -> bool {
        match self {
            OriginPattern::Named => facts.is_named_site,
            OriginPattern::Other => facts.place.is_some() && !facts.is_named_site,
            OriginPattern::Rule(rule) => facts.place.as_ref().is_some_and(|place| rule.matches(place)),
        }
    }
}

impl ProvenancePattern {
    fn matches(&self, facts: &ActionFacts) -> bool {
        let is_of = |rule: &Rule, origin: &str| Url::parse(origin).is_ok_and(|origin| rule.matches(&origin));
        facts.origins().any(|origin| match (self, origin) {
            (ProvenancePattern::User, Provenance::User)
            | (ProvenancePattern::Secret, Provenance::Secret)
            | (ProvenancePattern::Model, Provenance::Model)
            | (ProvenancePattern::Page, Provenance::Page(_))
            | (ProvenancePattern::Tool, Provenance::Tool(_)) => true,
            (ProvenancePattern::OtherPage, Provenance::Page(origin)) => facts.is_other_site(origin),
            (ProvenancePattern::PageOf(rule), Provenance::Page(origin)) => is_of(rule, origin),
            (ProvenancePattern::ToolNamed(wanted), Provenance::Tool(name)) => wanted == name,
            _ => false,
        })
    }
}

/// Collects the problems of a file.
struct Reader<'a> {
    file: String,
    text: &'a str,
    problems: Vec<PolicyProblem>,
}

impl Reader<'_> {
    fn line(&self, at: usize) -> usize {
        self.text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1
    }

    fn problem_at(&mut self, at: usize, message: String, hint: Option<String>) {
        self.problems.push(PolicyProblem { file: self.file.clone(), line: self.line(at), message, hint });
    }

    fn rule(&mut self, table: &toml_edit::Table) -> Option<PolicyRule> {
        let before = self.problems.len();
        let start = table.span().map_or(0, |span| span.start);
        let at = |item: &Item| item.span().map_or(start, |span| span.start);
        for (key, item) in table.iter().filter(|(key, _)| !KEYS.contains(key)) {
            let hint = match nearest(key, KEYS) {
                Some(near) => format!("did you mean {near:?}?"),
                None => format!("the keys are {}", KEYS.join(", ")),
            };
            let place = table.key(key).and_then(toml_edit::Key::span).map_or(at(item), |span| span.start);
            self.problem_at(place, format!("a rule has no key {key:?}"), Some(hint));
        }
        let name = self.text_of(table, "name", start);
        let reason = self.text_of(table, "reason", start);
        let decision = self.text_of(table, "decision", start);
        let place = table.get("decision").map_or(start, at);
        let effect = match decision.as_deref() {
            Some("allow") => Some(PolicyEffect::Allow),
            Some("ask") => Some(PolicyEffect::Ask),
            Some("deny") => Some(PolicyEffect::Deny),
            Some(other) => {
                self.problem_at(place, format!("decision: {other:?} is unknown"), Some("allow, ask or deny".into()));
                None
            }
            None if table.contains_key("decision") => None,
            None => {
                self.problem_at(
                    start,
                    "the rule has no decision".into(),
                    Some("decision = \"allow\", \"ask\" or \"deny\"".into()),
                );
                None
            }
        };
        let actions = self.list(table, "action", start, action_pattern);
        let origins = self.list(table, "origin", start, origin_pattern);
        let provenance = self.list(table, "provenance", start, provenance_pattern);
        let elements = self.list(table, "element", start, |words| {
            let words = words.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            if words.is_empty() {
                Err("an empty text matches every element; leave `element` out".to_owned())
            } else {
                Ok(words)
            }
        });
        let max_count = table.get("max_count").and_then(|item| {
            let count = item.as_integer().and_then(|count| u32::try_from(count).ok());
            if count.is_none_or(|count| count == 0) {
                self.problem_at(at(item), "max_count: expected a whole number from 1".into(), None);
            } else if effect == Some(PolicyEffect::Deny) {
                self.problem_at(at(item), "max_count has no meaning in a rule that denies".into(), None);
            }
            count
        });
        let (line, effect) = (self.line(start), effect?);
        if self.problems.len() > before {
            return None;
        }
        let label = match &name {
            Some(name) => format!("{}:{line} {name:?}", self.file),
            None => format!("{}:{line}", self.file),
        };
        let reason = reason.unwrap_or_else(|| format!("the rule says {}", effect.name()));
        Some(PolicyRule { label, actions, origins, provenance, elements, max_count, effect, reason })
    }

    fn text_of(&mut self, table: &toml_edit::Table, key: &str, start: usize) -> Option<String> {
        let item = table.get(key)?;
        if item.as_str().is_none() {
            let at = item.span().map_or(start, |span| span.start);
            self.problem_at(at, format!("{key}: expected a text in quotes"), None);
        }
        item.as_str().map(str::to_owned)
    }

    /// A text or a list of texts.
    fn list<T>(
        &mut self,
        table: &toml_edit::Table,
        key: &str,
        start: usize,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Vec<T> {
        let Some(item) = table.get(key) else { return Vec::new() };
        let at = item.span().map_or(start, |span| span.start);
        let mut texts: Vec<(usize, Option<&str>)> = Vec::new();
        match item.as_array() {
            Some(array) => {
                texts.extend(array.iter().map(|value| (value.span().map_or(at, |span| span.start), value.as_str())));
                if texts.is_empty() {
                    self.problem_at(
                        at,
                        format!("{key}: an empty list matches nothing; leave it out to match everything"),
                        None,
                    );
                }
            }
            None => texts.push((at, item.as_str())),
        }
        let mut found = Vec::new();
        for (at, text) in texts {
            match text.map(&read) {
                Some(Ok(value)) => found.push(value),
                Some(Err(message)) => self.problem_at(at, format!("{key}: {message}"), None),
                None => self.problem_at(at, format!("{key}: expected a text in quotes, or a list of them"), None),
            }
        }
        found
    }
}

fn action_pattern(text: &str) -> Result<ActionPattern, String> {
    if let Some(class) = ActionClass::ALL.into_iter().find(|class| class.name() == text) {
        return Ok(ActionPattern::Class(class));
    }
    if let Some(info) = ACTIONS.iter().find(|info| info.name == text) {
        return Ok(ActionPattern::Name(info.name));
    }
    let names = || ActionClass::ALL.iter().map(|class| class.name()).chain(ACTIONS.iter().map(|info| info.name));
    Err(match nearest(text, names()) {
        Some(near) => format!("there is no action {text:?}; did you mean {near:?}?"),
        None => format!("there is no action {text:?}; there are {}", names().collect::<Vec<_>>().join(", ")),
    })
}

fn origin_pattern(text: &str) -> Result<OriginPattern, String> {
    match text {
        "named" => Ok(OriginPattern::Named),
        "other" => Ok(OriginPattern::Other),
        text => Rule::read(text)
            .map(OriginPattern::Rule)
            .map_err(|reason| format!("{text:?}: {reason}; write a domain such as *.example.org, `named` or `other`")),
    }
}

fn provenance_pattern(text: &str) -> Result<ProvenancePattern, String> {
    Ok(match text.split_once(':') {
        None if text == "user" => ProvenancePattern::User,
        None if text == "secret" => ProvenancePattern::Secret,
        None if text == "model" => ProvenancePattern::Model,
        None if text == "page" => ProvenancePattern::Page,
        None if text == "tool" => ProvenancePattern::Tool,
        Some(("page", "other")) => ProvenancePattern::OtherPage,
        Some(("page", rule)) => {
            ProvenancePattern::PageOf(Rule::read(rule).map_err(|reason| format!("{rule:?}: {reason}"))?)
        }
        Some(("tool", name)) if !name.is_empty() => ProvenancePattern::ToolNamed(name.to_owned()),
        _ => {
            return Err(format!(
                "there is no origin of values {text:?}; write user, secret, model, page, page:other, page:example.org, tool or tool:NAME"
            ));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mistake_is_listed_with_its_line() {
        let text = "\
colour = 'red'

[[rule]]
action = ['click', 'klick']
origin = 'a/b'
provenance = ['page:other', 'pages']
decison = 'ask'

[[rule]]
name = 7
element = ''
max_count = 0
decision = 'perhaps'

[[rule]]
action = 'pay'
max_count = 2
decision = 'deny'
";
        let problems = PolicyFile::parse(Path::new("policy.toml"), text).expect_err("mistakes");
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(lines.join("\n"), @r#"
        policy.toml:1: unknown key "colour" (a policy consists of [[rule]] tables)
        policy.toml:3: the rule has no decision (decision = "allow", "ask" or "deny")
        policy.toml:4: action: there is no action "klick"; did you mean "click"?
        policy.toml:5: origin: "a/b": a domain has no path; write a domain such as *.example.org, `named` or `other`
        policy.toml:6: provenance: there is no origin of values "pages"; write user, secret, model, page, page:other, page:example.org, tool or tool:NAME
        policy.toml:7: a rule has no key "decison" (did you mean "decision"?)
        policy.toml:10: name: expected a text in quotes
        policy.toml:11: element: an empty text matches every element; leave `element` out
        policy.toml:12: max_count: expected a whole number from 1
        policy.toml:13: decision: "perhaps" is unknown (allow, ask or deny)
        policy.toml:17: max_count has no meaning in a rule that denies
        "#);
        let broken = PolicyFile::parse(Path::new("p.toml"), "[[rule]]\naction = \n").expect_err("no TOML");
        assert_eq!(broken[0].line, 2, "{broken:?}");
    }
}
