//! The prompts: Markdown templates in `prompts/`, one typed struct each. What a page says goes only through [`quote`].

mod advisory;

use std::sync::OnceLock;

use legwork_protocol::Code;
use minijinja::{Environment, UndefinedBehavior, value::Serde};
use serde::Serialize;

pub use advisory::{MakePlan, Reflect, ReviewAnswer};

/// Which struct fills in which file of `prompts/`.
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

/// The standing instructions.
#[derive(Clone, Debug, Serialize)]
pub struct System<'a> {
    /// `one command` or `up to 3 commands`.
    pub commands_per_turn: &'a str,
    /// The shape of a reply.
    pub shape: &'a str,
    /// The reply's command is a line.
    pub line: bool,
    /// The commands, a line each.
    pub commands: &'a str,
}

/// One turn: the task, the page, what was done and what has changed.
#[derive(Clone, Debug, Serialize)]
pub struct Act<'a> {
    /// The task.
    pub task: &'a str,
    /// When it is done.
    pub expect: Option<&'a str>,
    /// Known variables, `name = value` each, quoted.
    pub variables: Option<&'a str>,
    /// What is remembered of the site, quoted.
    pub memory: Option<&'a str>,
    /// The page, quoted.
    pub page: &'a str,
    /// What was done, quoted.
    pub history: Option<&'a str>,
    /// What investigations found out, quoted.
    pub found: Option<&'a str>,
    /// What has changed since the page was as shown, quoted; absent when it is as shown.
    pub changes: Option<&'a str>,
    /// A word from us.
    pub hint: Option<&'a str>,
}

/// A history that is too long is made short.
#[derive(Clone, Debug, Serialize)]
pub struct Compact<'a> {
    /// The task.
    pub task: &'a str,
    /// The lines to make short, quoted.
    pub history: &'a str,
    /// The most words of the reply.
    pub words: usize,
}

/// A reply that cannot be used is asked for again.
#[derive(Clone, Debug, Serialize)]
pub struct Repair<'a> {
    /// What is wrong with it.
    pub problems: &'a [String],
    /// The shape of a reply.
    pub shape: &'a str,
}

/// The standing instructions of an extraction, the same for all parts and pages.
#[derive(Clone, Debug, Serialize)]
pub struct ExtractPrompt<'a> {
    /// What to take.
    pub instruction: &'a str,
    /// A list of items or one value; absent when either will do.
    pub list: Option<bool>,
    /// The JSON Schema of an item or of the value.
    pub schema: Option<&'a str>,
    /// The shape of a reply.
    pub shape: &'a str,
}

/// A part of a page's text.
#[derive(Clone, Debug, Serialize)]
pub struct ExtractPart<'a> {
    /// Which, from 1.
    pub part: usize,
    /// Of how many.
    pub parts: usize,
    /// Its numbered lines, quoted.
    pub text: &'a str,
}

/// A picture is to be described.
#[derive(Clone, Debug, Serialize)]
pub struct LookAt<'a> {
    /// The task.
    pub task: &'a str,
    /// Refs are drawn on it.
    pub marks: bool,
}

/// A round of an investigation.
#[derive(Clone, Debug, Serialize)]
pub struct Investigate<'a> {
    /// The task.
    pub task: &'a str,
    /// What set it off.
    pub reason: &'a str,
    /// The page, quoted.
    pub page: &'a str,
    /// What was done, quoted.
    pub history: Option<&'a str>,
    /// What the tools brought, quoted.
    pub found: Option<&'a str>,
    /// A picture with refs goes along.
    pub pictured: bool,
    /// The tools there are, and what each is used on; none when it is time to decide.
    pub tools: Option<&'a str>,
    /// The confidence that is enough.
    pub enough: f64,
}

/// A template and its variables belong together.
pub trait Prompt: Serialize {
    /// The template's name.
    const NAME: &'static str;
}

/// A template did not take its variables: a defect, seen by the tests of every template.
#[derive(Debug, thiserror::Error)]
#[error("the prompt {name} cannot be rendered")]
pub struct PromptError {
    name: &'static str,
    source: minijinja::Error,
}

impl PromptError {
    /// The code that fits it.
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
/// When the template asks for what the struct does not have.
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

/// Text of a page between fences that it cannot close: they are longer than any run of backticks in it.
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
