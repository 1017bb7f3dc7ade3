//! Requests to start a run: parses and checks the body of `execute` and converts it to a start request.
//!
//! Such a request contains no values of secrets: a name refers to `LEGWORK_SECRET_NAME` in the server's environment,
//! else to the vault, and to no other variable. Options are parsed like settings, and only options of a single run are
//! accepted.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use legwork::{
    StartRequest,
    playbooks::validate_with_playbook,
    protocol::{Code, RunId, Step, Workflow, mask_passwords},
    secrets::{SecretSpec, Source},
    settings::Settings,
    workflow_file::{self, ParsedWorkflow, Problem, Severity},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use url::Url;

use crate::{app::App, error::ApiError, run_options::RunOptions, template::Template, workflow_problems};

/// What to run: exactly one of `workflow`, `steps`, `text`, `task`, `template` and `workflowId`. `workflowId` may also
/// accompany one of the others, which is then a changed copy of the saved workflow.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Execute {
    /// A workflow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Workflow>")]
    pub(crate) workflow: Option<Value>,
    /// The steps of a workflow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<Step>>")]
    pub(crate) steps: Option<Vec<Value>>,
    /// The text of a workflow file: YAML, JSON, Markdown or plain lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// A goal in plain language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) task: Option<String>,
    /// The id of a template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) template: Option<String>,
    /// The id of a saved workflow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) workflow_id: Option<String>,
    /// The version of the saved workflow; by default the newest one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) workflow_version: Option<u32>,
    /// The id of the template that a text was made from: its address, secrets and uploads apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) based_on: Option<String>,
    /// The name of the run, if it is not that of the workflow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// The address to begin with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<String>,
    /// The values of the workflow's inputs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) inputs: BTreeMap<String, Value>,
    /// `NAME` or `NAME@ORIGIN`. The values are in the server's environment or its vault.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) secrets: Vec<String>,
    /// A key: of the runs with the same key, a new one replaces the one before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) page: Option<String>,
    /// The id of a tab of the user's own browser that was offered (`POST /api/extension/tabs`). The run works in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tab: Option<String>,
    /// The run's own options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) options: Option<RunOptions>,
}

/// A workflow that was parsed.
pub(crate) struct LoadedWorkflow {
    pub(crate) reading: ParsedWorkflow,
    pub(crate) task: bool,
    pub(crate) template: Option<Template>,
}

impl Execute {
    /// The request with the content of the saved workflow that it names.
    pub(crate) async fn resolved(mut self, app: &App) -> Result<Execute, ApiError> {
        let Some(id) = self.workflow_id.clone() else {
            if self.workflow_version.is_some() {
                return Err(ApiError::bad("workflowVersion: there is no workflowId"));
            }
            return Ok(self);
        };
        if !self.sources().is_empty() {
            return Ok(self);
        }
        let saved = match self.workflow_version {
            Some(version) => app.workflows.version(&id, version).await?,
            None => app.workflows.find(&id).await?,
        };
        self.workflow_version = Some(saved.version);
        self.name.get_or_insert(saved.name);
        if self.url.is_none() {
            self.url = saved.url;
        }
        if self.based_on.is_none() {
            self.based_on = saved.based_on;
        }
        *(if saved.task { &mut self.task } else { &mut self.text }) = Some(saved.text);
        Ok(self)
    }

    /// The names of the fields that contain what to run.
    fn sources(&self) -> Vec<&'static str> {
        let given = [
            ("workflow", self.workflow.is_some()),
            ("steps", self.steps.is_some()),
            ("text", self.text.is_some()),
            ("task", self.task.is_some()),
            ("template", self.template.is_some()),
        ];
        given.into_iter().filter_map(|(name, there)| there.then_some(name)).collect()
    }

    /// Parses the workflow. The error lists every problem.
    pub(crate) fn subject(&self, app: &App) -> Result<LoadedWorkflow, ApiError> {
        let settings = self.settings(app).map_err(invalid_request)?;
        self.subject_for(app, settings.as_ref(), Severity::Warning)
    }

    /// The settings of this run, if it has options of its own.
    fn settings(&self, app: &App) -> Result<Option<Settings>, Vec<String>> {
        let own = |options: &RunOptions| options.settings(&app.runtime.settings(), &app.settings_sources());
        self.options.as_ref().map(own).transpose()
    }

    /// As [`Execute::subject`], with these settings instead of the server's, and a severity for an undefined variable.
    fn subject_for(
        &self,
        app: &App,
        settings: Option<&Settings>,
        undefined: Severity,
    ) -> Result<LoadedWorkflow, ApiError> {
        let own = app.runtime.settings();
        let settings = settings.unwrap_or(&own);
        let context = settings.preflight(&self.inputs);
        let url = self.url.as_ref().map(|url| workflow_file::with_scheme(url).unwrap_or_else(|| url.clone()));
        let url = url.as_deref();
        let validate =
            |source: &str, name: &str| validate_with_playbook((source, name), settings, &self.inputs, url, undefined);
        let given = self.sources();
        if given.len() != 1 {
            let found = if given.is_empty() { "none".to_owned() } else { given.join(", ") };
            return Err(ApiError::bad(format!(
                "exactly one of workflow, steps, text, task, template and workflowId is needed; there is {found}"
            )));
        }
        let find = |id: &str| {
            app.templates.find(id).ok_or_else(|| {
                ApiError::bad(format!("there is no template {id:?}"))
                    .suggest("GET /api/automation/templates lists them.")
            })
        };
        let plain = |reading| LoadedWorkflow { reading, task: false, template: None };
        let mut subject = if let Some(workflow) = &self.workflow {
            plain(validate(&workflow.to_string(), "workflow.json"))
        } else if let Some(steps) = &self.steps {
            let first = steps.first().map(|step| step.as_str().or_else(|| step["step"].as_str()).unwrap_or_default());
            let name = clip(first.unwrap_or("steps"));
            plain(validate(&json!({ "name": name, "steps": steps }).to_string(), "steps.json"))
        } else if let Some(text) = &self.text {
            plain(validate(text, "-"))
        } else if let Some(task) = &self.task {
            if task.trim().is_empty() {
                return Err(ApiError::bad("the task is empty"));
            }
            let steps = vec![Step::new(task.trim())];
            let workflow = Workflow { name: clip(task.trim()), steps, ..Workflow::default() };
            LoadedWorkflow {
                reading: ParsedWorkflow {
                    readable: Some(workflow.clone()),
                    workflow: Some(workflow),
                    problems: Vec::new(),
                },
                task: true,
                template: None,
            }
        } else {
            let id = self.template.as_deref().unwrap_or_default();
            let template = find(id)?;
            LoadedWorkflow { reading: validate(&template.text, "template.yaml"), task: false, template: Some(template) }
        };
        if let (None, Some(id)) = (&subject.template, &self.based_on) {
            subject.template = Some(find(id)?);
        }
        if let (Some(template), Some(workflow)) = (&subject.template, &mut subject.reading.workflow)
            && workflow.url.is_none()
        {
            workflow.url.clone_from(&template.url);
        }
        if let (Some(name), Some(workflow)) = (&self.name, &mut subject.reading.workflow) {
            workflow.name = clip(name);
        }
        if let (Some(url), Some(workflow)) = (url, &mut subject.reading.workflow) {
            match Url::parse(url) {
                Ok(parsed) if matches!(parsed.scheme(), "http" | "https") => workflow.url = Some(url.to_owned()),
                _ => return Err(ApiError::bad(format!("url: {url:?} is not an http or https address"))),
            }
        }
        if let (None, false, Some(workflow)) = (&self.tab, subject.task, &subject.reading.workflow) {
            let missing = workflow_file::missing_address(workflow, context.has_decider);
            subject.reading.problems.extend(missing);
        }
        Ok(subject)
    }

    /// The request that starts the run. The error lists every problem.
    pub(crate) fn start(&self, app: &App, id: RunId) -> Result<StartRequest, ApiError> {
        self.request(app, id, true)
    }

    /// The request of the first row of a batch. The names of its values are those of columns, which the batch compares
    /// with the inputs.
    pub(crate) fn start_of_row(&self, app: &App, id: RunId) -> Result<StartRequest, ApiError> {
        self.request(app, id, false)
    }

    fn request(&self, app: &App, id: RunId, checks_names: bool) -> Result<StartRequest, ApiError> {
        // The options decide whether a step can run, so their problems are reported before those of the steps.
        let mut problems = Vec::new();
        let settings = self.settings(app).unwrap_or_else(|found| {
            problems.extend(found);
            None
        });
        let secrets = self.secrets.iter().filter_map(|text| match secret(text) {
            Ok(spec) => Some(spec),
            Err(problem) => {
                problems.push(problem);
                None
            }
        });
        let secrets: Vec<SecretSpec> = secrets.collect();
        let LoadedWorkflow { reading, task, template } = self.subject_for(app, settings.as_ref(), Severity::Error)?;
        let workflow = match reading.workflow {
            Some(workflow) => workflow,
            None if problems.is_empty() => return Err(self.invalid(&reading.problems)),
            None => return Err(invalid_request(problems)),
        };
        for name in self.inputs.keys().filter(|name| !legwork::protocol::is_variable_name(name)) {
            problems.push(format!(
                "inputs: {name:?} is not a valid name: use letters, digits and _, and begin with a letter or _"
            ));
        }
        for (name, input) in workflow.inputs.iter().filter(|(name, _)| !self.inputs.contains_key(*name)) {
            if input.default.is_none() {
                let about = input.description.as_ref().map(|about| format!(" ({about})")).unwrap_or_default();
                problems.push(format!("inputs: {name:?} has no value{about}"));
            }
        }
        if !task && checks_names {
            let unknown = legwork::unknown_inputs(&workflow, self.inputs.keys());
            problems.extend(unknown.into_iter().map(|problem| format!("inputs: {problem}")));
        }
        if !problems.is_empty() {
            return Err(invalid_request(problems));
        }
        let has_decider = settings.as_ref().unwrap_or(&app.runtime.settings()).preflight(&self.inputs).has_decider;
        if !task && self.tab.is_none() && workflow_file::missing_address(&workflow, has_decider).is_some() {
            return Err(legwork::Error::NoAddress.into());
        }
        Ok(StartRequest {
            workflow,
            task,
            inputs: self.inputs.clone(),
            secrets,
            ask_secret: template.as_ref().and_then(Template::ask),
            uploads: template.map(|template| template.uploads).unwrap_or_default(),
            interactive: true,
            answer_within: Some(app.runtime.settings().server.answer_timeout),
            id: Some(id),
            settings,
            ..StartRequest::default()
        })
    }

    /// The error that lists the problems of the workflow.
    fn invalid(&self, problems: &[Problem]) -> ApiError {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        let mut refused = ApiError::new(status, Code::WorkflowInvalid, "the workflow is invalid");
        // A list of steps has no line numbers.
        let has_lines = self.steps.is_none() && self.workflow.is_none();
        let errors = problems.iter().filter(|one| one.severity == Severity::Error);
        refused.error.details = errors.map(|problem| workflow_problems::in_words(problem, has_lines)).collect();
        refused.suggest("POST the same body to /api/automation/validate to list every problem with its position.")
    }
}

/// Parses `NAME[@ORIGIN]`. Its value comes from `LEGWORK_SECRET_NAME` or the vault only, because a client must not be
/// able to read files or keys of the server.
fn secret(text: &str) -> Result<SecretSpec, String> {
    let mut spec = SecretSpec::parse(text).map_err(|error| format!("secrets: {error}"))?;
    match spec.source {
        Source::Named(name) => spec.source = Source::Prefixed(name),
        _ => {
            return Err(
                "secrets: only NAME or NAME@ORIGIN; the value is in the server's environment or its vault".to_owned()
            );
        }
    }
    Ok(spec)
}

fn invalid_request(problems: Vec<String>) -> ApiError {
    ApiError::bad("the request is invalid").details(problems)
}

/// Shortens a text to a name: whole words, and an ellipsis if the text is longer.
fn clip(text: &str) -> String {
    const MAX_CHARACTERS: usize = 60;
    let text = mask_passwords(text).split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((end, _)) = text.char_indices().nth(MAX_CHARACTERS) else { return text };
    let begun = &text[..end];
    // A single word that is longer than the limit is cut.
    let whole =
        if text[end..].starts_with(' ') { begun } else { begun.rsplit_once(' ').map_or(begun, |(words, _)| words) };
    format!("{}…", whole.trim_end_matches(|c: char| !c.is_alphanumeric()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_long_task_is_named_by_its_first_whole_words() {
        let check = |text: &str, name: &str| assert_eq!(super::clip(text), name);
        check("Order tea", "Order tea");
        check("Find the\n  cheapest flight", "Find the cheapest flight");
        let long = "Find the cheapest direct flight from Lisbon to Oslo in the second week of May, and book it";
        check(long, "Find the cheapest direct flight from Lisbon to Oslo in the…");
        check(&format!("{} more", "x".repeat(60)), &format!("{}…", "x".repeat(60)));
        check(&"ä".repeat(70), &format!("{}…", "ä".repeat(60)));
    }
}
