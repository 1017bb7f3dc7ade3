//! Which playbook a run uses, and whether a run is worth a new version.

use std::collections::BTreeMap;

use legwork_agent::playbook::Playbook;
use legwork_protocol::{DecidedBy, Event, EventKind, Workflow};
use serde_json::Value;

use super::{PlaybookChoice, PlaybookError, Playbooks, read_playbook, start_site, workflow_hash};
use crate::{
    StartRequest,
    secrets::SecretSpec,
    settings::Settings,
    workflow_file::{self, ParsedWorkflow, PreflightContext, Severity},
};

/// The playbook of a run.
#[derive(Debug, Default)]
pub(crate) struct ChosenPlaybook {
    /// The playbook; absent if there is none for the run.
    pub(crate) playbook: Option<Playbook>,
    /// Why a recorded playbook that nobody asked for by name is not used. The run decides without it.
    pub(crate) problem: Option<PlaybookError>,
}

/// The playbook for a run, checked before the browser opens.
///
/// # Errors
/// If the caller asked for one, and it is missing, damaged, or does not belong to the workflow and its site.
pub(crate) fn choose(
    playbooks: &Playbooks,
    choice: &PlaybookChoice,
    request: &StartRequest,
) -> Result<ChosenPlaybook, PlaybookError> {
    match find(playbooks, choice, request) {
        Ok(playbook) => {
            if let (Some(playbook), None) = (&playbook, &request.playbook) {
                playbooks.note_use(playbook);
            }
            Ok(ChosenPlaybook { playbook, problem: None })
        }
        Err(problem) if request.playbook.is_none() && *choice == PlaybookChoice::Auto => {
            Ok(ChosenPlaybook { playbook: None, problem: Some(problem) })
        }
        Err(problem) => Err(problem),
    }
}

fn find(
    playbooks: &Playbooks,
    choice: &PlaybookChoice,
    request: &StartRequest,
) -> Result<Option<Playbook>, PlaybookError> {
    let workflow = &request.workflow;
    let site = start_site(workflow, &request.inputs);
    let hash = workflow_hash(workflow);
    let chosen = match (&request.playbook, choice) {
        (Some(playbook), _) => Some(playbook.clone()),
        (None, PlaybookChoice::Off) => None,
        (None, PlaybookChoice::File(path)) => Some(read_playbook(path)?),
        (None, PlaybookChoice::Auto) => match playbooks.find(&hash, site.as_deref()) {
            // It is recorded again by this version.
            Err(PlaybookError::Format { .. }) => None,
            found => found?,
        },
        (None, PlaybookChoice::Only) => {
            let found = playbooks.find(&hash, site.as_deref())?;
            let site = site.clone().unwrap_or_else(|| "its site".into());
            Some(found.ok_or(PlaybookError::None { site })?)
        }
    };
    let Some(playbook) = chosen else { return Ok(None) };
    if playbook.workflow != hash {
        return Err(PlaybookError::Workflow { recorded: playbook.name });
    }
    if let Some(wanted) = site.filter(|site| *site != playbook.site) {
        return Err(PlaybookError::Site { recorded: playbook.site, wanted });
    }
    let missing = missing_parameters(&playbook, workflow, request);
    if !missing.is_empty() {
        return Err(PlaybookError::Parameters { missing });
    }
    Ok(Some(playbook))
}

/// Whether a playbook is known for a workflow, so that its steps need neither the parser nor a model.
fn has_playbook(settings: &Settings, workflow: &Workflow, inputs: &BTreeMap<String, Value>) -> bool {
    match &settings.playbook {
        PlaybookChoice::Off => false,
        PlaybookChoice::File(_) => true,
        PlaybookChoice::Auto | PlaybookChoice::Only => {
            let site = start_site(workflow, inputs);
            // A damaged one is reported when the run starts.
            Playbooks::new(&settings.data_dir)
                .find(&workflow_hash(workflow), site.as_deref())
                .map_or(true, |found| found.is_some())
        }
    }
}

/// Reads a workflow as [`workflow_file::validate_for`] does. If a playbook is known for it, its steps need neither the
/// parser nor a model. `url` is the start address of the request, if it has one of its own.
pub fn validate_with_playbook(
    (source, name): (&str, &str),
    settings: &Settings,
    inputs: &BTreeMap<String, Value>,
    url: Option<&str>,
    undefined: Severity,
) -> ParsedWorkflow {
    let context = settings.preflight(inputs);
    let reading = workflow_file::validate_for(source, name, context, undefined);
    if reading.workflow.is_some() || context.has_decider {
        return reading;
    }
    let with_playbook = PreflightContext { has_decider: true, ..context };
    let with_playbook = workflow_file::validate_for(source, name, with_playbook, undefined);
    let is_recorded = with_playbook.workflow.as_ref().is_some_and(|workflow| {
        let url = url.map(str::to_owned).or_else(|| workflow.url.clone());
        has_playbook(settings, &Workflow { url, ..workflow.clone() }, inputs)
    });
    if is_recorded { with_playbook } else { reading }
}

/// The inputs and secrets of a playbook that the request has no value for. Other variables get theirs during the run.
fn missing_parameters(playbook: &Playbook, workflow: &Workflow, request: &StartRequest) -> Vec<String> {
    let has_value = |name: &String| match workflow.inputs.get(name) {
        Some(input) => input.default.is_some() || request.inputs.contains_key(name),
        None => true,
    };
    let inputs = playbook.parameters.iter().filter(|name| !has_value(name)).cloned();
    let granted = |name: &String| request.secrets.iter().any(|spec: &SecretSpec| spec.gives(name));
    let secrets = playbook.secrets.iter().filter(|name| !granted(name)).map(|name| format!("secret:{name}"));
    inputs.chain(secrets).collect()
}

/// Whether a successful run is worth a new version. Without an earlier one: if a model helped, or the words of a step
/// chose one of several equal elements. With one: if an action was healed, or a step was recorded for the first time.
pub(crate) fn is_worth_saving(events: &[Event], recorded: &Playbook, used: Option<&Playbook>) -> bool {
    if recorded.steps.iter().all(|step| step.actions.is_empty()) {
        return false;
    }
    let is_healed = |event: &Event| match &event.kind {
        EventKind::CommandStarted { identity: Some(identity), .. } => identity.healed.is_some(),
        _ => false,
    };
    match used {
        Some(used) => {
            let steps = recorded.steps.iter().zip(&used.steps);
            let is_new = steps.clone().any(|(now, before)| before.actions.is_empty() && !now.actions.is_empty());
            // A step whose new action nothing identifies kept its record.
            let is_changed = steps.clone().any(|(now, before)| now.actions != before.actions);
            is_new || is_changed && events.iter().any(is_healed)
        }
        None => recorded.steps.iter().flat_map(|step| &step.actions).any(|action| {
            !matches!(action.decider, DecidedBy::Literal) || action.elements.values().any(|element| element.count > 1)
        }),
    }
}
