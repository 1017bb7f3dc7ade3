//! Combines what a playbook recorded with the words of a step and with the turns of a model.

use std::collections::BTreeMap;

use legwork_observe::{Node, NodeIndex, Snapshot, identity_in_row, identity_named};
use legwork_protocol::{
    Action, ActionIdentity, ActionResult, Code, DecidedBy, Effect, ElementIdentity, Target, TargetKind,
};
use legwork_steps::{Instruction, ResolveError};
use serde_json::Value;

use super::{
    Ending,
    run_context::StepContext,
    seen_target::{sets_field, suits},
};
use crate::{
    Intent,
    playbook::{
        LivePage, Observation, PlaybookAction, Unidentified, certain, names_part_of, names_text, needs_identity,
        state_before, targets, typed_text,
    },
};

/// The recorded actions of a step that are not executed yet. The first one could not be used as it was recorded.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReplayRemainder {
    pub(crate) actions: Vec<PlaybookAction>,
    /// Why the first one could not be used.
    pub(crate) reason: String,
}

/// The decision on a clause for which a playbook recorded actions.
pub(super) enum ClauseDecision {
    /// These actions.
    Act(DecidedActions),
    /// The words name no element, or several.
    Unresolved(ResolveError),
    /// The words only count elements of one name, and the recorded one is not certain.
    Uncertain(Unidentified),
}

/// The actions of a clause.
#[derive(Default)]
pub(super) struct DecidedActions {
    /// The actions, each with the identity for its event.
    pub(super) actions: Vec<(Action, ActionIdentity, DecidedBy)>,
    /// Where the words count elements and the record means another one than they do: which one was used.
    pub(super) notes: Vec<String>,
    /// Whether the words count to an element in another row than in the recorded run.
    pub(super) counts_to_other_row: bool,
}

/// Decides on a clause by its words, and by the recorded actions where the words are not enough. Where the words count
/// elements of one name, `prefers_record` decides between the number and the recorded element.
pub(super) fn decide(
    instruction: &Instruction,
    clause: usize,
    recorded: &[PlaybookAction],
    prefers_record: bool,
    live: LivePage<'_>,
) -> ClauseDecision {
    let page = live.page;
    let of_clause: Vec<&PlaybookAction> = recorded.iter().filter(|action| action.clause == Some(clause)).collect();
    let identity = || ActionIdentity { clause: Some(clause), ..ActionIdentity::default() };
    let actions = match instruction.decide(page) {
        Ok(actions) => actions,
        Err(unresolved @ (ResolveError::NotFound { .. } | ResolveError::Ambiguous { .. })) if !of_clause.is_empty() => {
            let resolved: Result<Vec<_>, _> = of_clause.iter().map(|action| action.resolve(live)).collect();
            return match resolved {
                // The author wrote a name. That another element has its attributes now does not make it that element.
                Ok(resolved) if resolved.iter().any(|one| one.is_renamed) => ClauseDecision::Unresolved(unresolved),
                Ok(resolved) => {
                    let repeated = resolved.into_iter().map(|one| {
                        let identity = ActionIdentity { score: one.score, ..identity() };
                        (one.action, identity, DecidedBy::Playbook)
                    });
                    ClauseDecision::Act(DecidedActions { actions: repeated.collect(), ..DecidedActions::default() })
                }
                Err(_) => ClauseDecision::Unresolved(unresolved),
            };
        }
        Err(unresolved) => return ClauseDecision::Unresolved(unresolved),
    };
    let counts = instruction.counts_equal_elements();
    let mut decided = DecidedActions::default();
    for (at, mut action) in actions.into_iter().enumerate() {
        let (mut identity, mut decider) = (identity(), DecidedBy::Literal);
        let known = of_clause.get(at).filter(|known| known.action.name() == action.name());
        let unsuitable = known.and_then(|known| known.unsuitable(live.variables));
        if let Some(element) = known.and_then(|known| known.elements.get("target"))
            && let Some(target) = action.target().cloned()
        {
            match unsuitable.map_or_else(|| certain(element, live), Err) {
                Ok((found, score)) if found == target => identity.score = Some(score),
                // The rows may be in another order: the recorded row is meant, not its number.
                Ok((found, score)) if counts && prefers_record => {
                    let (recorded, counted) = (element.describe(), describe_target(&target, page));
                    decided.notes.push(format!(
                        "the recorded {recorded} was used; the number in the words is that of {counted}"
                    ));
                    if let Some(target) = action.target_mut() {
                        *target = found;
                    }
                    (identity.score, decider) = (Some(score), DecidedBy::Playbook);
                }
                // A number in the words means a position, on every page and whatever an earlier run did.
                Ok(_) if counts => {
                    decided.counts_to_other_row = true;
                    decided.notes.push(format!(
                        "the number in the words is now that of {}; in the recorded run it was {}",
                        describe_target(&target, page),
                        element.describe(),
                    ));
                }
                Ok(_) => identity.healed = Some("the words of the step name another element than was recorded".into()),
                Err(unidentified) if counts && prefers_record => return ClauseDecision::Uncertain(unidentified),
                Err(_) if counts => {
                    // Equal elements that no row distinguishes are never certain.
                    decided.counts_to_other_row |= !element.containers.is_empty();
                    decided.notes.push(format!(
                        "the number in the words is now that of {}; the recorded {} is not certain on this page",
                        describe_target(&target, page),
                        element.describe(),
                    ));
                }
                // The words name the element of another value.
                Err(_) if known.is_some_and(|known| known.unsuitable(live.variables).is_some()) => {}
                Err(unidentified) => identity.healed = Some(unidentified.message),
            }
        }
        decided.actions.push((action, identity, decider));
    }
    ClauseDecision::Act(decided)
}

/// An element of this page in words, with the row, item or card around it.
fn describe_target(target: &Target, page: &Snapshot) -> String {
    let node = match target.kind() {
        TargetKind::Ref(reference) => page.find_ref(reference),
        _ => None,
    };
    node.map_or_else(|| target.0.clone(), |node| legwork_observe::identity(page, node).describe())
}

/// The end of a step whose recorded element is not certain, if no other decider is allowed.
pub(super) fn not_certain(unidentified: &Unidentified) -> Ending {
    let mut ending = Ending::failure(Code::NotFound, unidentified.message.clone());
    ending.error = ending.error.map(|error| error.with_details(unidentified.candidates.iter().cloned()));
    let look = match unidentified.candidates.is_empty() {
        true => "",
        false => "Compare the page with the candidates and their scores. ",
    };
    ending.suggest(&format!(
        "{look}With a model (`--model`), the action is decided again and the playbook is updated; `--playbook off` runs \
         without it."
    ))
}

/// The end of a repeated step of a loop whose words may mean another element in this row.
pub(super) fn leaves_choice(action: &Action, other: &str) -> Ending {
    let message = format!(
        "the words of the step do not say whether this row needs what was done in an earlier one ({}) or {other:?}",
        action.describe(None)
    );
    Ending::failure(Code::NotFound, message)
}

/// The end of a step whose recorded effect did not occur, if no other decider is allowed.
pub(super) fn without_effect(action: &PlaybookAction, missing: &str) -> Ending {
    let done = action.action.describe(None);
    Ending::failure(Code::ExpectationNotMet, format!("{done} did not have its recorded effect: {missing}")).suggest(
        "See on the page what happened. With a model (`--model`), the step continues from there; `--playbook off` runs \
         without the playbook.",
    )
}

impl ReplayRemainder {
    /// What is left after the model's actions, if they replaced the first recorded action; `None` if that is not
    /// certain.
    pub(super) fn after(
        &self,
        done: &[Action],
        observed: &Observation<'_>,
        cx: &StepContext<'_>,
    ) -> Option<Vec<PlaybookAction>> {
        let variables = &cx.run_context.variables;
        let committed: Vec<&Action> = done.iter().filter(|action| action.effect() != Effect::ReadOnly).collect();
        let last = committed.last()?;
        // Several actions may include later recorded ones. The last of them shows how far the model is.
        let replaced = match committed.len() {
            1 => 0,
            _ => self.actions.iter().rposition(|recorded| is_repeated(recorded, last, observed, variables))?,
        };
        let missing = self.actions[replaced].effect.missing(observed, variables);
        missing.is_none().then(|| self.actions[replaced + 1..].to_vec())
    }
}

/// Whether an action is the recorded one, on the element that the record means.
fn is_repeated(
    recorded: &PlaybookAction,
    action: &Action,
    observed: &Observation<'_>,
    variables: &BTreeMap<String, Value>,
) -> bool {
    let Some(page) = observed.before.filter(|_| recorded.action.name() == action.name()) else { return false };
    // Where the row of a loop was on that page is not known.
    let before = LivePage { page, row: None, variables };
    match (recorded.elements.get("target"), action.target()) {
        (Some(element), Some(target)) => certain(element, before).is_ok_and(|(found, _)| found.to_string() == target.0),
        (None, None) => true,
        _ => false,
    }
}

/// Notes what a model enters or chooses and has read on a page. The words of the step and the values of variables are
/// the user's.
pub(super) fn note_read_texts(intents: &mut [Intent], instruction: &str, cx: &mut StepContext<'_>) {
    let mut words = vec![instruction.to_owned()];
    words.extend(cx.run_context.variables.values().flat_map(texts_of));
    let page = cx.run_context.page.clone();
    for intent in intents {
        let typed = typed_text(&intent.action).filter(|text| !text.contains("${secret:"));
        let read = match (typed, page.as_deref()) {
            (Some(text), _) => cx.run_context.seen_by_model.read_part(text, &words).map(str::to_owned),
            (None, Some(page)) => read_choice(&intent.action, page, &words.join("\n")),
            (None, None) => None,
        };
        match (read, typed) {
            (Some(part), _) => intent.identity.get_or_insert_default().read_text = Some(part),
            // The page shows it from now on, but the model has not read it there.
            (None, Some(text)) => cx.run_context.seen_by_model.note_user(text),
            (None, None) => {}
        }
    }
}

/// What a model chose that the user did not name and that the page states elsewhere: `Gold` beside `a Gold customer`. A
/// choice that the page does not mention, such as the consent to its terms, does not depend on what it shows.
fn read_choice(action: &Action, page: &Snapshot, users: &str) -> Option<String> {
    const CHOICES: [&str; 6] = ["radio", "checkbox", "switch", "option", "menuitemradio", "menuitemcheckbox"];
    /// The nodes beside an element that may be its label.
    const LABEL: usize = 2;
    let node = match action.target()?.kind() {
        TargetKind::Ref(reference) => page.find_ref(reference)?,
        TargetKind::Role { role, name: Some(name) } => only(page, |node| &*node.role == role && &*node.name == name)?,
        _ => return None,
    };
    let chosen: Vec<&str> = match action.carried_out() {
        Action::Select(select) => select.values.iter().map(String::as_str).collect(),
        Action::Check(_) | Action::Uncheck(_) | Action::Click(_) if page.has_role(node, &CHOICES) => {
            vec![&page.nodes[node].name]
        }
        _ => return None,
    };
    let own = page.below(node);
    let is_stated = |choice: &&str| {
        page.nodes.iter().enumerate().any(|(at, other)| {
            let is_label = at.abs_diff(node) <= LABEL && *other.name == **choice;
            let is_control = page.has_role(at, &CHOICES) || own.contains(&at);
            !is_label && !is_control && names_text(&other.name, choice)
        })
    };
    let is_read = |choice: &&str| !choice.is_empty() && !names_text(users, choice) && is_stated(choice);
    chosen.into_iter().find(is_read).map(str::to_owned)
}

/// The texts and numbers in a value.
fn texts_of(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().flat_map(texts_of).collect(),
        Value::Object(fields) => fields.values().flat_map(texts_of).collect(),
        Value::Null => Vec::new(),
        Value::String(text) => vec![text.clone()],
        other => vec![other.to_string()],
    }
}

/// Adds to each intent what identifies its elements on the page on which it was decided: within the row of a loop, if
/// they are in it. `instruction` are the words of the step.
pub(super) fn identify(intents: &mut [Intent], page: &Snapshot, row: Option<NodeIndex>, instruction: &str) {
    let is_named = |text: &str| names_part_of(instruction, text);
    let row = row.filter(|row| *row < page.nodes.len());
    for intent in intents {
        if !needs_identity(&intent.action) {
            continue;
        }
        let mut identity = intent.identity.take().map(|identity| *identity).unwrap_or_default();
        for (parameter, target) in targets(&intent.action) {
            let node = match target.kind() {
                TargetKind::Ref(reference) => page.find_ref(reference),
                // The page may have elements of that name which the snapshot does not show: only the browser knows
                // which one has the number.
                _ if target.nth().is_some() => None,
                TargetKind::Role { role, name: Some(name) } => {
                    only(page, |node| &*node.role == role && &*node.name == name)
                }
                TargetKind::Text(text) => named(page, &intent.action, text.trim_matches('"')),
                _ => None,
            };
            if let Some(node) = node {
                identity.elements.insert(parameter, identity_of(node, &intent.action, page, row, &is_named));
            }
        }
        intent.identity = (!identity.is_empty()).then(|| Box::new(identity));
    }
}

/// Adds to the result of an action what identifies the elements that the browser found for names and selectors, on the
/// page on which the action was decided. `instruction` are the words of the step.
pub(super) fn identify_found(
    action: &Action,
    result: &mut ActionResult,
    page: &Snapshot,
    row: Option<NodeIndex>,
    instruction: &str,
) {
    let is_named = |text: &str| names_part_of(instruction, text);
    let row = row.filter(|row| *row < page.nodes.len());
    for (parameter, target) in targets(action) {
        let node = match result.refs.get(&target.0).map(Target::kind) {
            Some(TargetKind::Ref(reference)) => page.find_ref(reference),
            _ => None,
        };
        if let Some(node) = node {
            result.elements.insert(parameter, identity_of(node, action, page, row, &is_named));
        }
    }
}

/// What identifies an element of an action: within the row of a loop, if it is in it.
fn identity_of(
    node: NodeIndex,
    action: &Action,
    page: &Snapshot,
    row: Option<NodeIndex>,
    is_named: &dyn Fn(&str) -> bool,
) -> ElementIdentity {
    let element = match row.filter(|row| page.below(*row).contains(&node)) {
        Some(row) => identity_in_row(page, row, node),
        None => identity_named(page, node, is_named),
    };
    ElementIdentity { state: state_before(action, page, node).to_owned(), ..element }
}

/// The only element that a text names for an action: a field by its label, otherwise an element that can be operated.
fn named(page: &Snapshot, action: &Action, text: &str) -> Option<usize> {
    let sets_field = sets_field(action);
    only(page, |node| suits(node, sets_field) && node.name.eq_ignore_ascii_case(text))
}

/// The only element that fits.
fn only(page: &Snapshot, fits: impl Fn(&Node) -> bool) -> Option<usize> {
    let mut found = page.nodes.iter().enumerate().filter(|(_, node)| fits(node));
    match (found.next(), found.next()) {
        (Some((at, _)), None) => Some(at),
        _ => None,
    }
}
