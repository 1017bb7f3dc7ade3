//! Templates: workflows that can be started by name. Some are bundled; others are files in the folder `templates` of
//! the data folder.

use std::{collections::BTreeMap, fs, path::PathBuf, sync::Arc};

use legwork::{AskSecret, protocol::Workflow, workflow_file};
use schemars::JsonSchema;
use secrecy::SecretString;
use serde::Serialize;

use crate::workflow_inputs::{WorkflowInput, inputs_of, secret_input, secrets_of};

/// Maximum size of a template file.
const MAX_BYTES: u64 = 256 * 1024;

/// A workflow that can be started by name.
#[derive(Clone, Debug, Default)]
pub struct Template {
    /// The id in requests.
    pub id: String,
    /// The name that people see.
    pub name: String,
    /// The description.
    pub description: String,
    /// The workflow in the notation of a file.
    pub text: String,
    /// The address to begin with, if the text names none.
    pub url: Option<String>,
    /// The values of its secrets, which are not confidential.
    pub secrets: BTreeMap<String, SecretString>,
    /// Folders from which it may upload files.
    pub uploads: Vec<PathBuf>,
}

impl Template {
    /// A template from the text of a workflow file, with the address, secrets and uploads of another one. Its name is
    /// that of the workflow, and its description is the comment at the beginning of the file.
    #[must_use]
    pub fn of_text(id: &str, text: &str, site: &Template) -> Template {
        Template {
            url: site.url.clone(),
            secrets: site.secrets.clone(),
            uploads: site.uploads.clone(),
            ..read(id, text)
        }
    }

    /// Supplies the template's own secrets.
    pub(crate) fn ask(&self) -> Option<AskSecret> {
        let secrets = self.secrets.clone();
        (!secrets.is_empty()).then(|| Box::new(move |name: &str| secrets.get(name).cloned()) as AskSecret)
    }
}

/// A template as the API returns it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TemplateView {
    id: String,
    name: String,
    description: String,
    /// The workflow in the notation of a file.
    text: String,
    url: Option<String>,
    inputs: Vec<WorkflowInput>,
    /// Whether it needs a model, because the words of a step do not say exactly what to do.
    #[serde(rename = "needsModel")]
    needs_model: bool,
}

/// All templates.
#[derive(Clone)]
pub(crate) struct Templates {
    bundled: Arc<[Template]>,
    folder: PathBuf,
}

impl Templates {
    pub(crate) fn new(bundled: Vec<Template>, folder: PathBuf) -> Self {
        Templates { bundled: bundled.into(), folder }
    }

    /// All templates: first the bundled ones, then files in the order of their names.
    pub(crate) fn all(&self) -> Vec<Template> {
        let mut all = self.bundled.to_vec();
        let mut files: Vec<PathBuf> =
            fs::read_dir(&self.folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        files.sort();
        for path in files.into_iter().filter(|path| path.extension().is_some_and(|end| end == "yaml" || end == "yml")) {
            let small = fs::metadata(&path).is_ok_and(|about| about.len() <= MAX_BYTES);
            let Some(text) = fs::read_to_string(&path).ok().filter(|_| small) else { continue };
            let id = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            all.push(read(&id, &text));
        }
        all
    }

    pub(crate) fn find(&self, id: &str) -> Option<Template> {
        self.all().into_iter().find(|template| template.id == id)
    }

    pub(crate) fn shown(&self) -> Vec<TemplateView> {
        self.all().into_iter().map(shown).collect()
    }
}

fn read(id: &str, text: &str) -> Template {
    let workflow = workflow_file::validate(text, &format!("{id}.yaml")).workflow;
    let name = workflow.map_or_else(|| id.to_owned(), |workflow| workflow.name);
    // The comment at the beginning of the file, if there is one.
    let head = text.lines().map_while(|line| line.strip_prefix('#'));
    let description = head.map(str::trim).collect::<Vec<_>>().join(" ");
    Template { id: id.to_owned(), name, description, text: text.to_owned(), ..Template::default() }
}

fn shown(template: Template) -> TemplateView {
    let workflow = workflow_file::validate(&template.text, "template.yaml").workflow.unwrap_or_default();
    let mut inputs = inputs_of(&workflow);
    let secrets = secrets_of(&workflow).into_iter().filter(|name| !template.secrets.contains_key(name));
    inputs.extend(secrets.map(secret_input));
    let needs_model = needs_model(&workflow);
    let Template { id, name, description, text, url, .. } = template;
    TemplateView { id, name, description, text, url: workflow.url.or(url), inputs, needs_model }
}

/// Whether a step of a workflow needs a model.
fn needs_model(workflow: &Workflow) -> bool {
    let steps = workflow.all_steps().into_iter().filter(|step| step.group.is_none() && step.action.is_none());
    steps.into_iter().any(|step| legwork::literal_action(&step.step).is_none())
}
