//! Folds a playbook from the events of a run.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use legwork_protocol::{
    Action, ActionIdentity, CommandId, DecidedBy, Effect, ElementIdentity, Event, EventKind, PageEffect, PlannedStep,
    Polarity, Status, Step, StepPlan, StepResult, Target, TargetKind, Workflow, placeholders,
};
use serde_json::Value;
use thiserror::Error;

use super::{
    Change, ExpectedEffect, OmittedStep, PLAYBOOK_FORMAT, Playbook, PlaybookAction, PlaybookStep,
    bound::{bind_to_all, bind_unexplained},
    choice::{is_conditional, is_explained, lets_page_decide, names_word_of},
    detours::without_detours,
    iterations::{RecordedIteration, combined, entered_texts},
    page_pattern,
    parameters::Parameters,
    site_of,
    targets::{needs_identity, targets, with_targets},
};
use crate::workflow::variables::{lookup, names_in};

/// The maximum number of facts of a step that are recorded as its evidence.
const MAX_EVIDENCE: usize = 8;
/// Words in the label of a field that holds a one-time code.
const CODE_WORDS: [&str; 7] = ["otp", "one-time", "one time", "verification code", "2fa", "security code", "passcode"];

/// Why no playbook can be recorded from a run.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RecordingError {
    /// The events are not those of a run.
    #[error("the events are not the journal of a run")]
    NoStart,
    /// The run did not succeed.
    #[error("the run did not succeed; a playbook is recorded from a successful run")]
    NotASuccess,
    /// The run opened no page of a site.
    #[error("the run opened no page of a site")]
    NoSite,
}

/// An executed action with what is known about it.
#[derive(Clone, Debug)]
pub(super) struct RecordedCommand {
    command: CommandId,
    pub(super) action: Action,
    decider: DecidedBy,
    pub(super) identity: ActionIdentity,
    /// The address before it.
    url: String,
    /// The fingerprint of the page before it; empty if the page was not observed between it and the previous action.
    pub(super) before: String,
    /// The fingerprint of the page after it; empty if the page was not observed before the next action.
    pub(super) after: String,
    pub(super) effects: Vec<PageEffect>,
    /// The element in words, from the browser.
    element: Option<String>,
    /// The elements that the browser found for names and selectors.
    pub(super) found: BTreeMap<String, ElementIdentity>,
    change: Change,
    is_ended: bool,
    /// The variables when it was decided.
    variables: Arc<BTreeMap<String, Value>>,
}

/// The actions of a step.
#[derive(Clone, Default)]
struct StepFold {
    done: Vec<RecordedCommand>,
    result: Option<StepResult>,
    /// Why the step cannot be recorded.
    problem: Option<OmittedStep>,
    /// The variables when the step ended, if it is in a loop.
    variables: Arc<BTreeMap<String, Value>>,
}

/// The playbook of a successful run. `workflow` and `version` are assigned when it is stored.
///
/// # Errors
/// If the run did not succeed, or opened no page of a site.
pub fn record(events: &[Event]) -> Result<Playbook, RecordingError> {
    let Some(Event { kind: EventKind::WorkflowStarted(start), run, .. }) = events.first() else {
        return Err(RecordingError::NoStart);
    };
    let is_success = |event: &Event| matches!(&event.kind, EventKind::WorkflowCompleted(_));
    if !events.iter().any(is_success) {
        return Err(RecordingError::NotASuccess);
    }
    let mut fold = Fold::of(&start.workflow, events);
    let site = fold.site.take().ok_or(RecordingError::NoSite)?;
    let mut playbook = Playbook {
        format: PLAYBOOK_FORMAT,
        name: start.workflow.name.clone(),
        workflow: String::new(),
        site,
        version: 0,
        run: *run,
        parameters: BTreeSet::new(),
        secrets: BTreeSet::new(),
        steps: Vec::new(),
    };
    for (index, written) in start.workflow.all_steps().into_iter().enumerate() {
        playbook.steps.push(fold.take_written(index, written));
    }
    let is_input = |name: &&String| start.workflow.inputs.contains_key(*name) || start.inputs.contains_key(*name);
    playbook.name_inputs(&Parameters::new(fold.variables.iter().filter(|(name, _)| is_input(name))));
    playbook.name_parameters();
    Ok(playbook)
}

/// A step of a loop as its iterations so far recorded it, for the iterations that follow in the same run. `written` is
/// its position among the written steps. Without actions, the next iteration cannot repeat it: its words leave a
/// choice, or the iterations so far did not do the same.
pub fn record_iterations(events: &[Event], written: usize) -> PlaybookStep {
    let Some(EventKind::WorkflowStarted(start)) = events.first().map(|event| &event.kind) else {
        return PlaybookStep::default();
    };
    let mut fold = Fold::of(&start.workflow, events);
    let steps = start.workflow.all_steps();
    let step = steps.get(written).filter(|step| !is_conditional(&step.step));
    let Some(step) = step else { return PlaybookStep::default() };
    let planned = fold.plan.steps().iter().find(|planned| planned.written == written);
    let loops: Vec<_> =
        planned.into_iter().flat_map(|planned| &planned.within).map(|at| at.iterations.clone()).collect();
    let of_loop: Vec<&str> = loops
        .iter()
        .flat_map(|each| [&each.variable].into_iter().chain(&each.place).chain(&each.key))
        .map(String::as_str)
        .collect();
    let recorded = fold.take_written(written, step);
    if is_explained(&step.step, &recorded.actions, &of_loop) { recorded } else { PlaybookStep::default() }
}

/// The variables that a step names, with their values. A value that the step names stands for its parameter. Another
/// text with the same value is there by chance.
fn named_variables(step: &Step, variables: &BTreeMap<String, Value>) -> BTreeMap<String, Value> {
    let texts = [Some(&step.step), step.expect.as_ref()];
    let names = texts.into_iter().flatten().flat_map(|text| names_in(text));
    names.filter_map(|name| Some((name.to_owned(), lookup(name, variables)?.clone()))).collect()
}

/// The step of a loop, from all its iterations.
fn recorded_in_loop(written: &Step, iterations: Vec<(&PlannedStep, StepFold)>) -> PlaybookStep {
    let recorded = iterations.into_iter().map(|(planned, fold)| {
        let named = named_variables(written, &fold.variables);
        let own = |differs_only: bool| {
            planned.within.iter().flat_map(move |place| {
                let (variable, value) = (&place.iterations.variable, &place.item().value);
                let columns = value.as_object().into_iter().flatten();
                let columns = columns.filter(move |(column, text)| {
                    let mut items = place.iterations.items.iter();
                    !differs_only
                        || place.iterations.items.len() == 1
                        || items.any(|item| item.value.get(column) != Some(text))
                });
                let columns = columns.map(move |(column, text)| (format!("{variable}.{column}"), text.clone()));
                columns.chain([(variable.clone(), value.clone())])
            })
        };
        let rows: Vec<&str> = planned.within.iter().map(|place| place.iterations.variable.as_str()).collect();
        let record = |variables: BTreeMap<String, Value>| {
            recorded_step(fold.clone(), &Parameters::new(&variables), &written.step, &rows)
        };
        let with = |differs_only: bool| record(named.clone().into_iter().chain(own(differs_only)).collect());
        RecordedIteration::new(record(named.clone()), with(false), with(true))
    });
    combined(&written.step, &recorded.collect::<Vec<_>>())
}

impl Playbook {
    /// Replaces the values of the run's inputs in what pages showed: `Thank you, Ada` belongs to this run, and perhaps
    /// to a person. Steps that do not name the input show its value too.
    fn name_inputs(&mut self, inputs: &Parameters) {
        for step in &mut self.steps {
            let effects = step.actions.iter_mut().map(|action| &mut action.effect);
            let shown = effects.flat_map(|effect| effect.appeared.iter_mut().chain(&mut effect.disappeared));
            for text in shown.chain(&mut step.evidence) {
                *text = inputs.in_page_text(text);
            }
        }
    }

    /// Lists the parameters and secrets that its steps name.
    fn name_parameters(&mut self) {
        let text = serde_json::to_string(&self.steps).unwrap_or_default();
        for name in placeholders(&text) {
            match name.strip_prefix("secret:") {
                Some(secret) => self.secrets.insert(secret.to_owned()),
                None => self.parameters.insert(name.to_owned()),
            };
        }
    }

    /// Takes the steps that this run did not reach, skipped, or did with elements that nothing identifies from the
    /// playbook that it used.
    pub fn complete_from(&mut self, used: &Playbook) {
        if used.steps.len() != self.steps.len() {
            return;
        }
        for (step, known) in self.steps.iter_mut().zip(&used.steps) {
            let was_not_done = matches!(step.left_out, Some(OmittedStep::Skipped | OmittedStep::NotReached));
            // A model may have chosen an element by a position or a selector alone. The earlier record still acts on
            // the element that it identifies, or on none.
            let lost_identity = matches!(step.left_out, Some(OmittedStep::NoIdentity { .. }));
            if (was_not_done || lost_identity) && !known.actions.is_empty() {
                step.clone_from(known);
            }
        }
        self.name_parameters();
    }
}

#[derive(Default)]
struct Fold {
    /// The steps in the order in which they ran.
    plan: StepPlan,
    steps: Vec<StepFold>,
    variables: Arc<BTreeMap<String, Value>>,
    site: Option<String>,
    /// The last observed page: address and fingerprint. The fingerprint is empty after an action.
    url: String,
    fingerprint: String,
}

impl Fold {
    fn of(workflow: &Workflow, events: &[Event]) -> Fold {
        let plan = StepPlan::new(&workflow.steps);
        let steps = plan.steps().iter().map(|_| StepFold::default()).collect();
        let mut fold = Fold { steps, plan, ..Fold::default() };
        events.iter().for_each(|event| fold.apply(event));
        fold
    }

    /// The record of the step at this position among the written steps. Its actions are taken out of the fold.
    fn take_written(&mut self, index: usize, written: &Step) -> PlaybookStep {
        let planned = self.plan.steps().iter().zip(&mut self.steps);
        let reached = planned.filter(|(planned, _)| planned.written == index);
        let reached: Vec<(&PlannedStep, StepFold)> =
            reached.map(|(planned, step)| (planned, std::mem::take(step))).collect();
        let without_actions = |reason| PlaybookStep { left_out: Some(reason), ..PlaybookStep::default() };
        let step = match reached {
            none if none.is_empty() => without_actions(OmittedStep::NotReached),
            _ if written.group.is_some() => without_actions(OmittedStep::Group),
            ended if ended[0].0.within.is_empty() => {
                let named = named_variables(written, &self.variables);
                let folds = ended.into_iter().map(|(_, fold)| fold);
                folds
                    .map(|fold| recorded_step(fold, &Parameters::new(&named), &written.step, &[]))
                    .next()
                    .unwrap_or_default()
            }
            iterations => recorded_in_loop(written, iterations),
        };
        PlaybookStep { text: legwork_protocol::mask_passwords(&written.step), ..step }
    }

    fn apply(&mut self, event: &Event) {
        if let EventKind::VariableUpdated(variable) = &event.kind {
            Arc::make_mut(&mut self.variables).insert(variable.name.clone(), variable.value.clone());
        }
        if let EventKind::PageObserved(page) = &event.kind {
            self.url.clone_from(&page.url);
            self.fingerprint.clone_from(&page.fingerprint);
            if self.site.is_none() {
                self.site = site_of(&page.url);
            }
        }
        let Some(step) = event.step.and_then(|at| self.steps.get_mut(at)) else { return };
        match &event.kind {
            EventKind::PageObserved(page) => {
                if let Some(last) = step.done.last_mut().filter(|last| last.is_ended && last.after.is_empty()) {
                    last.after.clone_from(&page.fingerprint);
                }
            }
            EventKind::CommandStarted { command_id, action, decider, identity, .. } => {
                step.done.push(RecordedCommand {
                    command: *command_id,
                    action: (**action).clone(),
                    decider: *decider,
                    identity: identity.as_deref().cloned().unwrap_or_default(),
                    url: self.url.clone(),
                    before: std::mem::take(&mut self.fingerprint),
                    after: String::new(),
                    effects: Vec::new(),
                    element: None,
                    found: BTreeMap::new(),
                    variables: self.variables.clone(),
                    change: Change::default(),
                    is_ended: false,
                });
            }
            EventKind::CommandCompleted { command_id, result } => {
                if let Some(done) = step.done.iter_mut().rev().find(|done| done.command == *command_id) {
                    done.effects.clone_from(&result.effects);
                    done.element.clone_from(&result.element);
                    done.found.clone_from(&result.elements);
                    done.is_ended = true;
                }
            }
            EventKind::CommandFailed { command_id, result } => {
                if result.outcome_unknown
                    && let Some(done) = step.done.iter().find(|done| done.command == *command_id)
                {
                    step.problem = Some(OmittedStep::UnknownOutcome { action: done.action.describe(None) });
                }
                step.done.retain(|done| done.command != *command_id);
            }
            EventKind::ChangeObserved { appeared, disappeared } => {
                if let Some(last) = step.done.iter_mut().rev().find(|done| done.is_ended) {
                    last.change = Change { appeared: appeared.clone(), disappeared: disappeared.clone() };
                }
            }
            EventKind::QuestionAsked(_) => step.problem = Some(OmittedStep::Question),
            EventKind::StepCompleted(result) => {
                step.result = Some(result.clone());
                if self.plan.steps().get(result.index).is_some_and(|planned| !planned.within.is_empty()) {
                    step.variables = self.variables.clone();
                }
                if let Some(expansion) = &result.expansion {
                    let added = self.plan.expand(result.index, expansion);
                    let after = result.index + 1;
                    self.steps.splice(after..after, (0..added).map(|_| StepFold::default()));
                }
            }
            _ => {}
        }
    }
}

/// The step. `instruction` are its words, and `rows` the variables of the loops around it.
fn recorded_step(fold: StepFold, parameters: &Parameters, instruction: &str, rows: &[&str]) -> PlaybookStep {
    let mut step = PlaybookStep::default();
    let Some(result) = fold.result.filter(|result| result.status == Status::Success) else {
        step.left_out = Some(OmittedStep::Skipped);
        return step;
    };
    let supporting = |fact: &&legwork_protocol::Evidence| fact.polarity == Polarity::Supporting;
    let actions = match fold.problem {
        Some(problem) => Err(problem),
        None => recorded_actions(fold.done, parameters, instruction, rows),
    };
    match actions {
        Ok(actions) if actions.is_empty() => step.left_out = Some(OmittedStep::NoAction),
        Ok(actions) => {
            step.actions = actions;
            step.evidence = result
                .evidence
                .iter()
                .filter(supporting)
                .take(MAX_EVIDENCE)
                .map(|fact| parameters.in_page_text(&fact.fact))
                .collect();
        }
        Err(problem) => step.left_out = Some(problem),
    }
    step
}

/// The actions of a step. The error is the reason why the step cannot be repeated from a record.
fn recorded_actions(
    done: Vec<RecordedCommand>,
    parameters: &Parameters,
    instruction: &str,
    rows: &[&str],
) -> Result<Vec<PlaybookAction>, OmittedStep> {
    if let Some(open) = done.iter().find(|one| !one.is_ended && one.action.effect() != Effect::ReadOnly) {
        return Err(OmittedStep::UnknownOutcome { action: open.action.describe(None) });
    }
    // At its end, a run leaves the field that it filled in last, whatever the last step is.
    let is_of_end = |one: &RecordedCommand| {
        matches!(one.action, Action::Blur(_)) && one.decider == DecidedBy::Literal && one.identity.clause.is_none()
    };
    let done: Vec<RecordedCommand> = done.into_iter().filter(|one| !is_of_end(one)).collect();
    let is_literal = done.iter().all(|one| one.identity.clause.is_some());
    let done = if is_literal { done } else { without_detours(done) };
    let ended = done.into_iter().filter(|one| one.is_ended);
    let outside_loop = rows.is_empty().then_some(instruction);
    let variables = ended.clone().next().map(|one| one.variables).unwrap_or_default();
    let mut actions = ended.map(|one| recorded_action(one, parameters, outside_loop)).collect::<Result<Vec<_>, _>>()?;
    // What the step itself entered is no part of what the page is about.
    let mut entered: Vec<String> = Vec::new();
    for action in &mut actions {
        action.elements.values_mut().for_each(|element| element.about.retain(|text| !entered.contains(text)));
        entered.extend(entered_texts(&action.action));
    }
    bind_unexplained(&mut actions, instruction, rows, &variables);
    // In a loop, the rows show what they have in common.
    let page_decides = outside_loop.is_some_and(lets_page_decide);
    for action in actions.iter_mut().filter(|action| action.clause.is_none()) {
        if page_decides {
            bind_to_all(action, &variables);
        } else {
            action.decided_on = None;
        }
    }
    Ok(actions)
}

/// `instruction` are the words of the step; absent in a loop, whose iterations show what their rows have in common.
fn recorded_action(
    mut done: RecordedCommand,
    parameters: &Parameters,
    instruction: Option<&str>,
) -> Result<PlaybookAction, OmittedStep> {
    if matches!(done.action, Action::Extract(_) | Action::Call(_) | Action::Ask(_) | Action::Look(_)) {
        return Err(OmittedStep::NeedsModel { action: done.action.name().to_owned() });
    }
    let elements = identities(&mut done)?;
    if let Some(text) = typed_text(&done.action)
        && elements.values().any(is_secret_field)
        && !text.is_empty()
        && !text.starts_with("${secret:")
    {
        return Err(OmittedStep::PlainSecret);
    }
    if let Some(text) = done.identity.read_text {
        return Err(OmittedStep::ReadOnPage { text });
    }
    let elements: BTreeMap<String, ElementIdentity> = elements
        .into_iter()
        .map(|(parameter, element)| {
            let element = without_secrets(parameters.in_identity(&element));
            (parameter, with_parameters_as_names(element, instruction))
        })
        .collect();
    let label = elements.values().map(|element| element.name.as_str()).collect::<Vec<_>>().join(" ");
    let action =
        with_targets(done.action, &|parameter| elements.get(parameter).map(|element| Target(element.describe())));
    let action = with_parameters(action, parameters, &label)?;
    // What changes while a field is filled in is incidental: the browser reads its value back.
    let change = if action.may_submit() { done.change } else { Change::default() };
    let mut effect = ExpectedEffect::of(&done.effects, change, &done.url);
    for text in effect.appeared.iter_mut().chain(&mut effect.disappeared) {
        *text = parameters.in_page_text(text);
    }
    effect.appeared.retain(|text| !text.contains("${secret:"));
    effect.disappeared.retain(|text| !text.contains("${secret:"));
    for url in effect.url.iter_mut().chain(effect.requests.iter_mut().map(|request| &mut request.url)) {
        *url = parameters.in_address(url);
    }
    let page = page_pattern(&done.url).map(|page| parameters.in_address(&page)).unwrap_or_default();
    let (decider, clause, bound) = (done.decider, done.identity.clause, BTreeMap::new());
    // An action of the same reply as the one before it was decided on the same page.
    let decided_on = Some(done.before).filter(|before| clause.is_none() && !before.is_empty());
    let mut recorded = PlaybookAction { action, decider, elements, bound, decided_on, clause, page, effect };
    recorded.bind_contained(&done.variables);
    Ok(recorded)
}

/// What identifies the elements of an action. The error states an element that nothing identifies: a replay never acts
/// by a position or a selector.
fn identities(done: &mut RecordedCommand) -> Result<BTreeMap<String, ElementIdentity>, OmittedStep> {
    let mut elements = std::mem::take(&mut done.identity.elements);
    let used = done.element.as_deref().and_then(named_element);
    // A text may have named another element than the one that has this name on the page.
    let is_text = matches!(done.action.target().map(Target::kind), Some(TargetKind::Text(_)));
    if let (true, Some(used), Some(element)) = (is_text, &used, elements.get("target"))
        && (&used.role, &used.name) != (&element.role, &element.name)
    {
        elements.remove("target");
    }
    // The browser states which element it used.
    elements.append(&mut done.found);
    for (parameter, target) in targets(&done.action) {
        if elements.contains_key(&parameter) {
            continue;
        }
        // The browser refuses a name that several elements have. An element that came into being after the observation
        // is known by it alone; so is a ref in a run of an earlier version, which recorded no identities.
        let is_name = match target.kind() {
            TargetKind::Ref(_) => true,
            TargetKind::Role { name: Some(_), .. } | TargetKind::Text(_) => target.nth().is_none(),
            _ => false,
        };
        match used.clone().filter(|_| is_name && parameter == "target") {
            Some(known) => {
                elements.insert(parameter, known);
            }
            None if !needs_identity(&done.action) => {}
            // The words of the step decide it again.
            None if done.identity.clause.is_some() && !matches!(target.kind(), TargetKind::Ref(_)) => {}
            None => {
                let action = done.action.describe(done.element.as_deref());
                return Err(OmittedStep::NoIdentity { target: target.0, action });
            }
        }
    }
    Ok(elements)
}

/// The text that an action types.
pub(crate) fn typed_text(action: &Action) -> Option<&str> {
    match action.carried_out() {
        Action::Fill(fill) => Some(&fill.text),
        Action::Type(typed) => Some(&typed.text),
        _ => None,
    }
}

fn is_secret_field(element: &ElementIdentity) -> bool {
    let own = ["id", "name", "placeholder"].iter().filter_map(|key| element.attributes.get(*key));
    let texts: Vec<String> = own.chain([&element.name]).map(|text| text.to_lowercase()).collect();
    element.secret || texts.iter().any(|text| CODE_WORDS.iter().any(|word| text.contains(word)))
}

/// The identity without texts that contain a secret.
fn without_secrets(mut element: ElementIdentity) -> ElementIdentity {
    let shows = |text: &String| text.contains("${secret:");
    element.before.retain(|text| !shows(text));
    element.after.retain(|text| !shows(text));
    element.attributes.retain(|_, value| !shows(value));
    element.about.retain(|text| !shows(text));
    for container in &mut element.containers {
        container.names.retain(|name| !shows(name));
        container.keys.retain(|key| !shows(key));
    }
    element
}

/// The identity of an element whose row is named by a parameter: for another value, the other texts of the row are
/// others, and only the cell says which of them is meant. The texts that the instruction names stay. If the value's
/// words are in another order than in the row, they do not name it; the record then applies to this value only.
fn with_parameters_as_names(mut element: ElementIdentity, instruction: Option<&str>) -> ElementIdentity {
    let is_parameter = |text: &String| text.contains("${");
    for container in &mut element.containers {
        match instruction.filter(|_| container.names.first().is_some_and(is_parameter)) {
            Some(instruction) => {
                container.names.retain(|name| is_parameter(name) || names_word_of(instruction, name));
                container.keys.retain(|key| names_word_of(instruction, key));
            }
            None => container.column = None,
        }
    }
    element
}

/// The action with names instead of the values of parameters.
fn with_parameters(action: Action, parameters: &Parameters, label: &str) -> Result<Action, OmittedStep> {
    let mut wire = serde_json::to_value(&action).expect("an action is JSON");
    replace(&mut wire["parameters"], parameters, label)?;
    Ok(serde_json::from_value(wire).expect("only texts were replaced by other texts"))
}

fn replace(value: &mut Value, parameters: &Parameters, label: &str) -> Result<(), OmittedStep> {
    match value {
        Value::String(text) => {
            let template = parameters.template(text, label);
            *text = template.map_err(|names| OmittedStep::AmbiguousValue { names })?;
        }
        Value::Array(items) => items.iter_mut().try_for_each(|item| replace(item, parameters, label))?,
        Value::Object(map) => map.values_mut().try_for_each(|item| replace(item, parameters, label))?,
        _ => {}
    }
    Ok(())
}

/// Reads `button "Save"`.
fn named_element(element: &str) -> Option<ElementIdentity> {
    let (role, name) = element.split_once(" \"")?;
    let name = name.strip_suffix('"').filter(|name| !name.is_empty() && !name.ends_with('…'))?;
    role.chars().all(|c| c.is_ascii_lowercase()).then(|| ElementIdentity {
        role: role.to_owned(),
        name: name.to_owned(),
        ordinal: 1,
        count: 1,
        ..ElementIdentity::default()
    })
}
