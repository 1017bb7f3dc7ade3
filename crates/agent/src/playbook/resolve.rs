//! A recorded action on the live page: the action with refs of certain elements, or why that is not possible.

use std::collections::BTreeMap;

use legwork_observe::{
    ElementCandidate, ElementLocation, NodeIndex, Snapshot, fingerprint_text, locate, locate_in_row,
};
use legwork_protocol::{Action, ElementIdentity, Target};
use serde_json::Value;

use super::{
    PlaybookAction, page_pattern,
    parameters::{filled, filled_identity},
    targets::{needs_identity, targets, with_targets},
};

/// An action whose elements are certain.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ResolvedAction {
    /// The action. Its variables are not filled in yet.
    pub(crate) action: Action,
    /// The agreement of its elements, 0 to 1; `None` if it has none.
    pub(crate) score: Option<f64>,
    /// Whether an element has another name than the recorded one.
    pub(crate) is_renamed: bool,
}

/// Why the element of an action is not certain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unidentified {
    /// The recorded element and the reason.
    pub(crate) message: String,
    /// The most similar elements with their scores, one per line.
    pub(crate) candidates: Vec<String>,
}

/// The page on which a recorded element is looked for.
#[derive(Clone, Copy)]
pub(crate) struct LivePage<'a> {
    pub(crate) page: &'a Snapshot,
    /// The row of the loop, if there is one and the page shows it.
    pub(crate) row: Option<NodeIndex>,
    pub(crate) variables: &'a BTreeMap<String, Value>,
}

impl PlaybookAction {
    /// The action on this page.
    pub(crate) fn resolve(&self, live: LivePage<'_>) -> Result<ResolvedAction, Unidentified> {
        let LivePage { page, variables, .. } = live;
        if let Some(unidentified) = self.unsuitable(variables) {
            return Err(unidentified);
        }
        if self.decided_on.as_ref().is_some_and(|page_then| *page_then != fingerprint_text(page)) {
            let message = format!(
                "{} was decided by the content of the page, which is another one now",
                self.action.describe(None)
            );
            return Err(Unidentified { message, candidates: Vec::new() });
        }
        let unknown = targets(&self.action).into_iter().find(|(parameter, _)| !self.elements.contains_key(parameter));
        if let Some((_, target)) = unknown.filter(|_| needs_identity(&self.action)) {
            let message = format!("the record of {} does not identify {target}", self.action.describe(None));
            return Err(Unidentified { message, candidates: Vec::new() });
        }
        if self.elements.is_empty() {
            return Ok(ResolvedAction { action: self.action.clone(), score: None, is_renamed: false });
        }
        let expected = filled(&self.page, variables);
        if !expected.is_empty() && page_pattern(&page.url).as_ref() != Some(&expected) {
            let message = format!("it was recorded on {expected}, and this page is {}", page.url);
            return Err(Unidentified { message, candidates: Vec::new() });
        }
        let mut score: Option<f64> = None;
        let mut found: BTreeMap<&str, Target> = BTreeMap::new();
        let mut is_renamed = false;
        for (parameter, recorded) in &self.elements {
            let candidate = certain_candidate(recorded, live)?;
            let now = page.find_ref(candidate.reference).map(|node| state_before(&self.action, page, node));
            if now.is_some_and(|now| now != recorded.state) {
                let message =
                    format!("the recorded {} has another state on this page than it had then", recorded.describe());
                return Err(Unidentified { message, candidates: Vec::new() });
            }
            score = Some(score.map_or(candidate.score, |least| least.min(candidate.score)));
            is_renamed |= candidate.is_renamed;
            found.insert(parameter, candidate.reference.into());
        }
        let action = with_targets(self.action.clone(), &|parameter| found.get(parameter).cloned());
        Ok(ResolvedAction { action, score, is_renamed })
    }

    /// Why the action must not be repeated with these values.
    pub(crate) fn unsuitable(&self, variables: &BTreeMap<String, Value>) -> Option<Unidentified> {
        let name = self.other_value(variables)?;
        let message = format!(
            "{} was recorded with another value of {name:?}, and the record does not say how it depends on it",
            self.action.describe(None)
        );
        Some(Unidentified { message, candidates: Vec::new() })
    }
}

/// The state of an element that an action inverts or adds to, as it is before; empty for none. A click on a checkbox
/// that is ticked unticks it, and typing continues the text of a field.
pub(crate) fn state_before(action: &Action, page: &Snapshot, node: NodeIndex) -> &'static str {
    let states = &page.nodes[node].states;
    match action.carried_out() {
        Action::Click(_) if states.checked() => "checked",
        Action::Click(_) if states.pressed() => "pressed",
        Action::Click(_) if states.expanded() => "expanded",
        Action::Type(_) if page.nodes[node].value.as_deref().is_some_and(|value| !value.is_empty()) => "filled",
        _ => "",
    }
}

/// The target of a recorded element and its score, if it is certain.
pub(crate) fn certain(recorded: &ElementIdentity, live: LivePage<'_>) -> Result<(Target, f64), Unidentified> {
    certain_candidate(recorded, live).map(|candidate| (candidate.reference.into(), candidate.score))
}

fn certain_candidate(recorded: &ElementIdentity, live: LivePage<'_>) -> Result<ElementCandidate, Unidentified> {
    let recorded = filled_identity(recorded, live.variables);
    let location = match (recorded.is_in_row_of_loop(), live.row) {
        (false, _) => locate(&recorded, live.page),
        (true, Some(row)) => locate_in_row(&recorded, live.page, row),
        (true, None) => {
            let message = format!("the page does not show the row of the loop, which contains {}", recorded.describe());
            return Err(Unidentified { message, candidates: Vec::new() });
        }
    };
    match location {
        ElementLocation::Certain(candidate) => Ok(candidate),
        ElementLocation::Uncertain { reason, candidates } => Err(Unidentified {
            message: format!("the recorded {} is not certain on this page: {reason}", recorded.describe()),
            candidates: candidates
                .iter()
                .map(|candidate| {
                    let (reference, score) = (candidate.reference, candidate.score * 100.0);
                    format!("{reference} {}: {score:.0} %", candidate.description)
                })
                .collect(),
        }),
    }
}
