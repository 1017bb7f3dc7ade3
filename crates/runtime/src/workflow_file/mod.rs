//! Reading a workflow: YAML, JSON, or plain text and Markdown with one step a line. Every problem is listed with its place.
//!
//! The way in: the source becomes a tree with positions (`tree`) or lines (`text`), these become a draft whose parts know
//! where they stand (`shape`), and the draft is checked as a whole (`check`). Whether a step can be carried out without a
//! model is not asked here.

mod check;
mod shape;
mod text;
mod tree;

use std::fmt;

use legwork_protocol::Workflow;
use url::Url;

use self::tree::At;

/// Larger files are no workflows.
const MAX_BYTES: usize = 1 << 20;

/// Whether a problem stops the workflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It cannot run.
    Error,
    /// It can, and yet somebody should look.
    Warning,
}

/// Something wrong in a workflow file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Whether it stops the workflow.
    pub severity: Severity,
    /// From 1.
    pub line: usize,
    /// From 1, when it is known.
    pub column: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
}

impl Problem {
    fn error(at: At, message: impl Into<String>) -> Problem {
        Problem { severity: Severity::Error, line: at.line, column: at.column, message: message.into(), hint: None }
    }

    fn warning(at: At, message: impl Into<String>) -> Problem {
        Problem { severity: Severity::Warning, ..Problem::error(at, message) }
    }

    fn hint(self, hint: impl Into<String>) -> Problem {
        Problem { hint: Some(hint.into()), ..self }
    }
}

impl fmt::Display for Problem {
    /// `line 3, column 5: unknown key "stpes"; did you mean "steps"?`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some(column) = self.column {
            write!(f, ", column {column}")?;
        }
        let kind = if self.severity == Severity::Warning { "warning: " } else { "" };
        write!(f, ": {kind}{}", self.message)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}

/// A file that was read: what it says, as far as it makes sense, and all that is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedWorkflow {
    /// The workflow; absent when there is an error.
    pub workflow: Option<Workflow>,
    /// Errors and warnings, by line.
    pub problems: Vec<Problem>,
}

/// Reads a workflow; `name` is its file's name, `-` for standard input. Warnings do not stop it: see [`validate`].
pub fn read(source: &str, name: &str) -> Result<Workflow, Vec<Problem>> {
    let reading = validate(source, name);
    reading.workflow.ok_or(reading.problems)
}

/// Reads a workflow and lists everything that is wrong with it, warnings included.
pub fn validate(source: &str, name: &str) -> ParsedWorkflow {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let lines: Vec<&str> = source.lines().collect();
    let mut problems = Vec::new();
    let draft = match refuse(source) {
        Some(problem) => {
            problems.push(problem);
            None
        }
        None => match format_of(source, name) {
            Format::Yaml => tree::of_yaml(source).and_then(|root| shape::draft(&root, &lines, &mut problems)),
            Format::Json => tree::of_json(source).and_then(|root| shape::draft(&root, &lines, &mut problems)),
            Format::Markdown => Ok(text::draft(source, true, &mut problems)),
            Format::Text => Ok(text::draft(source, false, &mut problems)),
        }
        .map_err(|problem| problems.push(problem))
        .ok(),
    };
    let workflow = draft.map(|draft| {
        check::check(&draft, &mut problems);
        draft.into_workflow(&title_of(name))
    });
    problems.sort_by_key(|problem| (problem.line, problem.column, problem.severity));
    problems.dedup();
    let sound = problems.iter().all(|problem| problem.severity == Severity::Warning);
    ParsedWorkflow { workflow: workflow.filter(|_| sound), problems }
}

/// The page that the run begins on, when its author wrote it down: the workflow's `url`, else the address that its first
/// step opens. What secrets are bound to by default.
pub fn first_page(workflow: &Workflow) -> Option<Url> {
    let first = workflow.steps.first().map(|step| step.step.as_str());
    let opens = |text: &&str| {
        let text = text.trim_start().to_ascii_lowercase();
        ["open", "go to", "goto", "visit", "navigate"].iter().any(|verb| text.starts_with(verb))
    };
    let address = |text: &str| {
        let start = text.find("http://").or_else(|| text.find("https://"))?;
        let end = text[start..]
            .find(|c: char| c.is_whitespace() || "\"'`<>)”’".contains(c))
            .map_or(text.len(), |n| start + n);
        Url::parse(&text[start..end]).ok()
    };
    workflow.url.as_deref().and_then(|url| Url::parse(url).ok()).or_else(|| first.filter(opens).and_then(address))
}

enum Format {
    Yaml,
    Json,
    Markdown,
    Text,
}

fn format_of(source: &str, name: &str) -> Format {
    match name.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase()).as_deref() {
        Some("yaml" | "yml") => Format::Yaml,
        Some("json") => Format::Json,
        Some("md" | "markdown") => Format::Markdown,
        Some("txt" | "text") => Format::Text,
        // Standard input and other names: by what it looks like.
        _ if source.trim_start().starts_with('{') => Format::Json,
        _ if source.lines().any(|line| line.trim_end() == "steps:" || line.starts_with("steps: [")) => Format::Yaml,
        _ if source.lines().any(|line| line.starts_with("# ")) => Format::Markdown,
        _ => Format::Text,
    }
}

/// What is no text of a sensible size.
fn refuse(source: &str) -> Option<Problem> {
    if source.len() > MAX_BYTES {
        return Some(Problem::error(
            At::START,
            format!("the file has {} bytes; a workflow has at most {MAX_BYTES}", source.len()),
        ));
    }
    let strange = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    source.lines().zip(1..).find_map(|(line, number)| {
        let c = line.chars().find(|c| strange(*c))?;
        let at = At { line: number, column: None };
        Some(
            Problem::error(at, format!("the control character U+{:04X} has no place in a workflow", u32::from(c)))
                .hint("is this a text file in UTF-8?"),
        )
    })
}

fn title_of(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match file.rsplit_once('.').map_or(file, |(stem, _)| stem) {
        "" | "-" => "workflow".to_owned(),
        stem => stem.to_owned(),
    }
}

#[cfg(test)]
mod tests;
