//! TEMPORARY until decide lands.
use std::collections::BTreeMap;

use legwork_observe::Snapshot;
use legwork_protocol::*;
use serde_json::Value;

#[derive(Clone, Debug)]
pub(crate) struct Instruction(String, Vec<String>);
#[derive(Clone, Debug)]
pub(crate) struct Check(String);
#[derive(Clone, Debug)]
pub(crate) enum Clause {
    Do(Instruction),
    Check(Check),
}
pub(crate) struct Sentence(Vec<Clause>);
impl Sentence {
    pub(crate) fn into_clauses(self) -> Vec<Clause> {
        self.0
    }
}
#[derive(Debug, thiserror::Error)]
#[error("not an instruction: {0}")]
pub(crate) struct NotLiteral(String);
#[derive(Debug, thiserror::Error)]
#[error("nothing on the page is called {0}")]
pub(crate) struct Unresolved(String);
pub(crate) struct Facts<'a> {
    pub(crate) page: &'a Snapshot,
    pub(crate) variables: &'a BTreeMap<String, Value>,
    pub(crate) effects: &'a [PageEffect],
}
pub(crate) enum Finding {
    Holds(Vec<Evidence>),
    Fails { why: String, nearest: Vec<String> },
}
pub(crate) fn read(text: &str) -> Result<Sentence, NotLiteral> {
    let quoted: Vec<String> = text.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    let verb = text.split(' ').next().unwrap_or("").to_lowercase();
    match verb.as_str() {
        "check" => Ok(Sentence(vec![Clause::Check(Check(quoted.concat()))])),
        "click" | "type" | "save" => Ok(Sentence(vec![Clause::Do(Instruction(verb, quoted))])),
        "open" => Ok(Sentence(vec![Clause::Do(Instruction(verb, vec![text[5..].to_owned()]))])),
        _ => Err(NotLiteral(text.into())),
    }
}
impl Instruction {
    pub(crate) fn remembers(&self, _page: &Snapshot) -> Option<(String, Value)> {
        None
    }
    pub(crate) fn needs_page(&self) -> bool {
        self.0 != "open"
    }
    pub(crate) fn decide(&self, page: &Snapshot) -> Result<Vec<Action>, Unresolved> {
        let find = |name: &str| {
            page.nodes
                .iter()
                .find(|n| n.name.as_ref() == name && n.reference.is_some())
                .and_then(|n| n.reference)
                .map(Target::from)
                .ok_or_else(|| Unresolved(name.to_owned()))
        };
        Ok(vec![match self.0.as_str() {
            "open" => Action::Open(Open { url: self.1[0].clone() }),
            "click" => {
                Action::Click(Click { target: find(&self.1[0])?, button: Button::Left, count: 1, modifiers: vec![] })
            }
            "save" => Action::Save(Save { target: find(&self.1[0])?, variable: self.1[1].clone(), attribute: None }),
            _ => Action::Fill(Fill { target: find(&self.1[1])?, text: self.1[0].clone(), submit: false }),
        }])
    }
}
pub(crate) fn check(check: &Check, facts: &Facts<'_>) -> Finding {
    let _ = (facts.variables, facts.effects);
    if facts.page.nodes.iter().any(|n| n.name.contains(&*check.0)) {
        Finding::Holds(vec![Evidence::checked(EvidenceKind::Text, format!("{:?} is shown", check.0))])
    } else {
        Finding::Fails { why: format!("{:?} is not shown", check.0), nearest: vec![] }
    }
}
