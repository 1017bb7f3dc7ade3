//! Templates: workflows that can be started by name. Some are bundled; others are files in the folder `templates` of
//! the data folder.

use std::{collections::BTreeMap, fs, path::PathBuf, sync::Arc};

use legwork::{AskSecret, protocol::Workflow, workflow_file};
use schemars::JsonSchema;
use secrecy::SecretString;
use serde::Serialize;
use serde_json::Value;

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
    inputs: Vec<ShownInput>,
}

#[derive(Serialize, JsonSchema)]
struct ShownInput {
    name: String,
    description: Option<String>,
    default: Option<Value>,
    /// Whether its value is a secret of the server's environment, which is not part of a request.
    secret: bool,
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
            let workflow = workflow_file::validate(&text, &path.to_string_lossy()).workflow;
            let name = workflow.map_or_else(|| id.clone(), |workflow| workflow.name);
            // The comment at the beginning of the file, if there is one.
            let head = text.lines().map_while(|line| line.strip_prefix('#'));
            let description = head.map(str::trim).collect::<Vec<_>>().join(" ");
            all.push(Template { id, name, description, text, ..Template::default() });
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

fn shown(template: Template) -> TemplateView {
    let workflow = workflow_file::validate(&template.text, "template.yaml").workflow.unwrap_or_default();
    let mut inputs: Vec<ShownInput> = workflow
        .inputs
        .iter()
        .map(|(name, input)| ShownInput {
            name: name.clone(),
            description: input.description.clone(),
            default: input.default.clone(),
            secret: false,
        })
        .collect();
    for name in secrets_of(&workflow).into_iter().filter(|name| !template.secrets.contains_key(name)) {
        inputs.push(ShownInput { name, description: None, default: None, secret: true });
    }
    let Template { id, name, description, text, url, .. } = template;
    TemplateView { id, name, description, text, url: workflow.url.or(url), inputs }
}

/// The names of the secrets in a workflow's steps.
fn secrets_of(workflow: &Workflow) -> Vec<String> {
    let mut names = Vec::new();
    for text in workflow.all_steps().into_iter().flat_map(|step| step.texts()) {
        for part in text.split("${secret:").skip(1) {
            if let Some(name) = part.split('}').next().filter(|name| !names.iter().any(|known| known == name)) {
                names.push(name.to_owned());
            }
        }
    }
    names
}
