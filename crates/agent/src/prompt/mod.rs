//! The prompts: Markdown templates in `prompts/`, each with one typed struct. Text of a page enters a prompt only
//! through [`quote`].

mod advisory;

use std::sync::OnceLock;

use legwork_protocol::Code;
use minijinja::{Environment, UndefinedBehavior, value::Serde};
use serde::Serialize;

pub use advisory::{MakePlan, Reflect, ReviewAnswer};

/// Maps each struct to its file in `prompts/`.
macro_rules! templates {
    ($($prompt:ident $name:literal),* $(,)?) => {
        const TEMPLATES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../prompts/", $name, ".md")))),*];

        $(impl Prompt for $prompt<'_> {
            const NAME: &'static str = $name;
        })*
    };
}

templates! {
    System "system",
    Act "act",
    Compact "compact",
    Repair "repair",
    MakePlan "plan",
    ReviewAnswer "review",
    Reflect "reflect",
    ExtractPrompt "extract",
    ExtractPart "extract_part",
    LookAt "look",
    Investigate "investigate",
}

/// The system prompt.
#[derive(Clone, Debug, Serialize)]
pub struct System<'a> {
    /// `one command` or `up to 3 commands`.
    pub commands_per_turn: &'a str,
    /// The description of a reply's shape.
    pub shape: &'a str,
    /// Whether a command in the reply is a line.
    pub line: bool,
    /// The commands, one per line.
    pub commands: &'a str,
}

/// The prompt of a turn: the task, the page, the history and the changes.
#[derive(Clone, Debug, Serialize)]
pub struct Act<'a> {
    /// The task.
    pub task: &'a str,
    /// The condition that holds when the task is done.
    pub expect: Option<&'a str>,
    /// The known variables as `name = value`, quoted.
    pub variables: Option<&'a str>,
    /// The lessons about the site, quoted.
    pub memory: Option<&'a str>,
    /// The page, quoted.
    pub page: &'a str,
    /// The history, quoted.
    pub history: Option<&'a str>,
    /// The results of investigations, quoted.
    pub found: Option<&'a str>,
    /// The changes since the page was last shown, quoted; absent when there are none.
    pub changes: Option<&'a str>,
    /// A hint from Legwork.
    pub hint: Option<&'a str>,
}

/// The prompt for summarising a history that is too long.
#[derive(Clone, Debug, Serialize)]
pub struct Compact<'a> {
    /// The task.
    pub task: &'a str,
    /// The lines to summarise, quoted.
    pub history: &'a str,
    /// The maximum number of words of the reply.
    pub words: usize,
}

/// The prompt for replacing an unusable reply.
#[derive(Clone, Debug, Serialize)]
pub struct Repair<'a> {
    /// The defects of the reply.
    pub problems: &'a [String],
    /// The description of a reply's shape.
    pub shape: &'a str,
}

/// The system prompt of an extraction, which is the same for all chunks and pages.
#[derive(Clone, Debug, Serialize)]
pub struct ExtractPrompt<'a> {
    /// Which data to extract.
    pub instruction: &'a str,
    /// Whether the result is a list of items or one value; absent when both are allowed.
    pub list: Option<bool>,
    /// The JSON Schema of an item or of the value.
    pub schema: Option<&'a str>,
    /// The description of a reply's shape.
    pub shape: &'a str,
}

/// The prompt with one chunk of a page's text.
#[derive(Clone, Debug, Serialize)]
pub struct ExtractPart<'a> {
    /// The number of the chunk, from 1.
    pub part: usize,
    /// The number of chunks.
    pub parts: usize,
    /// The numbered lines of the chunk, quoted.
    pub text: &'a str,
}

/// The prompt for describing a screenshot.
#[derive(Clone, Debug, Serialize)]
pub struct LookAt<'a> {
    /// The task.
    pub task: &'a str,
    /// Whether refs are drawn on it.
    pub marks: bool,
}

/// The prompt for a round of an investigation.
#[derive(Clone, Debug, Serialize)]
pub struct Investigate<'a> {
    /// The task.
    pub task: &'a str,
    /// The reason for the investigation.
    pub reason: &'a str,
    /// The page, quoted.
    pub page: &'a str,
    /// The history, quoted.
    pub history: Option<&'a str>,
    /// The results of the tools, quoted.
    pub found: Option<&'a str>,
    /// Whether a screenshot with refs is attached.
    pub pictured: bool,
    /// The available tools and the input of each; absent when the model must decide.
    pub tools: Option<&'a str>,
    /// The confidence that ends the investigation.
    pub enough: f64,
}

/// The variables of a template.
pub trait Prompt: Serialize {
    /// The name of the template.
    const NAME: &'static str;
}

/// A template does not fit its variables. Only a defect can cause it, and the tests of the templates reveal it.
#[derive(Debug, thiserror::Error)]
#[error("the prompt {name} cannot be rendered")]
pub struct PromptError {
    name: &'static str,
    source: minijinja::Error,
}

impl PromptError {
    /// The code of the error.
    pub(crate) fn code(&self) -> Code {
        match self.source.kind() {
            minijinja::ErrorKind::TemplateNotFound => Code::TemplateNotFound,
            _ => Code::TemplateRendering,
        }
    }
}

/// Renders a prompt.
///
/// # Errors
/// If the template uses a variable that the struct does not have.
pub fn render<P: Prompt>(prompt: &P) -> Result<String, PromptError> {
    let error = |source| PromptError { name: P::NAME, source };
    environment().get_template(P::NAME).map_err(error)?.render(Serde(prompt)).map_err(error)
}

fn environment() -> &'static Environment<'static> {
    static ENVIRONMENT: OnceLock<Environment<'static>> = OnceLock::new();
    ENVIRONMENT.get_or_init(|| {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        for (name, source) in TEMPLATES.iter().copied() {
            environment.add_template(name, source).expect("the templates are part of the program and tested");
        }
        environment
    })
}

/// Encloses the text of a page in fences. They are longer than any run of backticks in the text, so that it cannot
/// close them.
pub fn quote(label: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}{label}\n{}\n{fence}", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Nowhere;
    impl Prompt for Nowhere {
        const NAME: &'static str = "nowhere";
    }

    /// Has none of the variables.
    #[derive(Serialize)]
    struct Bare {}
    impl Prompt for Bare {
        const NAME: &'static str = "review";
    }

    #[test]
    fn what_is_wrong_with_a_template_has_its_code() {
        assert_eq!(render(&Nowhere).map_err(|error| error.code()), Err(Code::TemplateNotFound));
        assert_eq!(render(&Bare {}).map_err(|error| error.code()), Err(Code::TemplateRendering));
    }
}
