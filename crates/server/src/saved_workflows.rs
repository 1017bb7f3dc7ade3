//! Workflows that people save under a name: their versions and the run that was started last.
//!
//! They are key-value entries beside the runs ([`legwork::store::KeyValueStore`]). An entry of the kind `workflow` is
//! the newest version of a workflow. Each version is also an entry of a kind of its own for each workflow, so that the
//! list reads no old versions. A version is written before it becomes the newest one: if the server ends between the
//! two writes, the next change overwrites it.

use std::sync::Arc;

use jiff::Timestamp;
use legwork::{
    protocol::{Code, RunId, Workflow},
    store::KeyValueStore,
    workflow_file::{self, Severity},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use uuid::Uuid;

use crate::{error::ApiError, template::Templates};

/// The kind of the entries with the newest versions.
const KIND: &str = "workflow";
/// The kind of the entries with the run that was started last, by the id of the workflow.
const LAST_RUN_KIND: &str = "workflow-run";
/// Number of versions of a workflow that are stored; the oldest are deleted.
const MAX_VERSIONS: u32 = 50;
/// Maximum number of characters of a name, and of a description.
const MAX_NAME: usize = 120;
const MAX_DESCRIPTION: usize = 2_000;

/// What a person saves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct WorkflowDraft {
    /// The name that people see. If absent, the name in the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    #[serde(default)]
    pub(crate) description: String,
    /// The text of a workflow file, or the goal of a task.
    pub(crate) text: String,
    /// Whether the text is the goal of a single task, which returns an answer.
    #[serde(default)]
    pub(crate) task: bool,
    /// The address to begin with, if the text names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<String>,
    /// The id of the template that it was made from: its address, secrets and uploads apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) based_on: Option<String>,
}

/// A change of a saved workflow: the new content, and the version that it replaces.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct WorkflowChange {
    /// The new content.
    pub(crate) draft: WorkflowDraft,
    /// The version that was changed. If it is not the newest one, somebody else has saved since, and the change is
    /// refused.
    pub(crate) version: u32,
}

/// A version of a saved workflow.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SavedWorkflow {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) description: String,
    /// The text of a workflow file, or the goal of a task.
    pub(crate) text: String,
    /// Whether the text is the goal of a single task, which returns an answer.
    pub(crate) task: bool,
    /// The address to begin with, if the text names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<String>,
    /// The id of the template that it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) based_on: Option<String>,
    /// The number of this version, from 1.
    pub(crate) version: u32,
    /// When this version was saved.
    #[schemars(with = "String")]
    pub(crate) saved: Timestamp,
    /// The name of the token of whoever saved it; absent for the server's own token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) saved_by: Option<String>,
}

impl SavedWorkflow {
    /// The workflow, if it can be read. A goal is a workflow of one step.
    pub(crate) fn workflow(&self) -> Option<Workflow> {
        let mut workflow = if self.task {
            Workflow { steps: vec![legwork::protocol::Step::new(self.text.trim())], ..Workflow::default() }
        } else {
            workflow_file::validate(&self.text, "-").workflow?
        };
        workflow.name.clone_from(&self.name);
        if workflow.url.is_none() {
            workflow.url.clone_from(&self.url);
        }
        Some(workflow)
    }
}

/// The saved workflows of this server.
pub(crate) struct SavedWorkflows {
    store: Arc<dyn KeyValueStore>,
    /// The templates that a workflow can be made from.
    templates: Templates,
    /// Permits one change at a time, so that two requests do not replace the same version.
    write_lock: Mutex<()>,
}

impl SavedWorkflows {
    pub(crate) fn new(store: Arc<dyn KeyValueStore>, templates: Templates) -> Self {
        SavedWorkflows { store, templates, write_lock: Mutex::default() }
    }

    /// All workflows, oldest first.
    pub(crate) async fn all(&self) -> Result<Vec<SavedWorkflow>, ApiError> {
        let entries = self.store.entries(KIND).await?;
        Ok(entries.iter().filter_map(|entry| serde_json::from_str(&entry.body).ok()).collect())
    }

    /// The newest version.
    pub(crate) async fn find(&self, id: &str) -> Result<SavedWorkflow, ApiError> {
        let entry = self.store.entry(KIND, id).await?;
        entry.and_then(|entry| serde_json::from_str(&entry.body).ok()).ok_or_else(|| missing(id))
    }

    /// This version.
    pub(crate) async fn version(&self, id: &str, version: u32) -> Result<SavedWorkflow, ApiError> {
        let newest = self.find(id).await?;
        if newest.version == version {
            return Ok(newest);
        }
        let entry = self.store.entry(&version_kind(id), &version_key(version)).await?;
        let entry = entry.filter(|_| version < newest.version);
        entry.and_then(|entry| serde_json::from_str(&entry.body).ok()).ok_or_else(|| {
            ApiError::missing(format!("there is no version {version} of the workflow {:?}", newest.name))
                .suggest(format!("The newest version is {}; the last {MAX_VERSIONS} are stored.", newest.version))
        })
    }

    /// The stored versions, the newest first.
    pub(crate) async fn versions(&self, id: &str) -> Result<Vec<SavedWorkflow>, ApiError> {
        let newest = self.find(id).await?;
        let entries = self.store.entries(&version_kind(id)).await?;
        let mut versions: Vec<SavedWorkflow> =
            entries.iter().filter_map(|entry| serde_json::from_str(&entry.body).ok()).collect();
        versions.retain(|one| one.version <= newest.version);
        versions.sort_by_key(|one| std::cmp::Reverse(one.version));
        Ok(versions)
    }

    /// Saves a new workflow.
    pub(crate) async fn create(&self, draft: WorkflowDraft, by: Option<String>) -> Result<SavedWorkflow, ApiError> {
        let id = Uuid::now_v7().simple().to_string();
        let saved = self.checked(draft, id, 1, by)?;
        let _lock = self.write_lock.lock().await;
        self.write(&saved).await?;
        Ok(saved)
    }

    /// Saves the next version of a workflow.
    pub(crate) async fn change(
        &self,
        id: &str,
        change: WorkflowChange,
        by: Option<String>,
    ) -> Result<SavedWorkflow, ApiError> {
        let _lock = self.write_lock.lock().await;
        let newest = self.find(id).await?;
        if newest.version != change.version {
            let message = format!(
                "{:?} has been saved since you opened it: its newest version is {}, and this is a change of version {}",
                newest.name, newest.version, change.version
            );
            return Err(ApiError::conflict(message)
                .suggest("Open the newest version and repeat your change, or save yours as a new workflow."));
        }
        let saved = self.checked(change.draft, newest.id, newest.version + 1, by)?;
        self.write(&saved).await?;
        if let Some(oldest) = saved.version.checked_sub(MAX_VERSIONS) {
            self.store.delete_entry(&version_kind(id), &version_key(oldest)).await?;
        }
        Ok(saved)
    }

    /// Checks a draft. The error lists every problem.
    fn checked(
        &self,
        draft: WorkflowDraft,
        id: String,
        version: u32,
        saved_by: Option<String>,
    ) -> Result<SavedWorkflow, ApiError> {
        let WorkflowDraft { name, description, text, task, url, based_on } = draft;
        let mut problems = Vec::new();
        let mut name_in_text = None;
        if text.trim().is_empty() {
            problems.push("text: it must not be empty".to_owned());
        } else if !task {
            let reading = workflow_file::validate(&text, "-");
            let errors = reading.problems.iter().filter(|problem| problem.severity == Severity::Error);
            problems.extend(errors.map(|problem| format!("text: {problem}")));
            // Plain lines have no name of their own: they are called "workflow".
            name_in_text = reading.workflow.map(|workflow| workflow.name).filter(|name| name != "workflow");
        }
        let name = name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).or(name_in_text);
        let name = name.unwrap_or_else(|| {
            problems.push("name: it must not be empty".to_owned());
            String::new()
        });
        for (field, value, most) in [("name", &name, MAX_NAME), ("description", &description, MAX_DESCRIPTION)] {
            if value.chars().count() > most {
                problems.push(format!("{field}: at most {most} characters"));
            }
        }
        let url = url.filter(|url| !url.trim().is_empty());
        let url = url.map(|url| legwork::workflow_file::with_scheme(&url).unwrap_or(url));
        if let Some(url) = &url
            && !url::Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
        {
            problems.push(format!("url: {url:?} is not an http or https address"));
        }
        if let Some(template) = &based_on
            && self.templates.find(template).is_none()
        {
            problems.push(format!("basedOn: there is no template {template:?}"));
        }
        if !problems.is_empty() {
            return Err(ApiError::new(
                axum::http::StatusCode::UNPROCESSABLE_ENTITY,
                Code::WorkflowInvalid,
                "the workflow cannot be saved",
            )
            .details(problems)
            .suggest("Correct what is listed, and save again."));
        }
        let description = description.trim().to_owned();
        Ok(SavedWorkflow {
            id,
            name,
            description,
            text,
            task,
            url,
            based_on,
            version,
            saved: Timestamp::now(),
            saved_by,
        })
    }

    async fn write(&self, saved: &SavedWorkflow) -> Result<(), ApiError> {
        let body = serde_json::to_string(saved).map_err(|error| ApiError::internal(Code::Internal, &error))?;
        let store = &self.store;
        store.put_entry(&version_kind(&saved.id), &version_key(saved.version), body.clone()).await?;
        Ok(store.put_entry(KIND, &saved.id, body).await?)
    }

    /// Deletes a workflow with all its versions. Its runs remain.
    pub(crate) async fn delete(&self, id: &str) -> Result<(), ApiError> {
        let _lock = self.write_lock.lock().await;
        let store = &self.store;
        if !store.delete_entry(KIND, id).await? {
            return Err(missing(id));
        }
        for version in store.entries(&version_kind(id)).await? {
            store.delete_entry(&version_kind(id), &version.key).await?;
        }
        store.delete_entry(LAST_RUN_KIND, id).await?;
        Ok(())
    }

    /// Records that a run of this workflow was started.
    pub(crate) async fn note_run(&self, id: &str, run: RunId) -> Result<(), ApiError> {
        Ok(self.store.put_entry(LAST_RUN_KIND, id, run.to_string()).await?)
    }

    /// The run of this workflow that was started last. It may have been deleted since.
    pub(crate) async fn last_run(&self, id: &str) -> Result<Option<RunId>, ApiError> {
        let entry = self.store.entry(LAST_RUN_KIND, id).await?;
        Ok(entry.and_then(|entry| entry.body.parse().ok()))
    }
}

fn version_kind(id: &str) -> String {
    format!("workflow-version:{id}")
}

fn version_key(version: u32) -> String {
    format!("{version:08}")
}

fn missing(id: &str) -> ApiError {
    ApiError::missing(format!("there is no saved workflow {id:?}")).suggest("GET /api/workflows lists them.")
}
