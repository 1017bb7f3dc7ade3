//! Reads a workflow: YAML, JSON, or plain text and Markdown with one step per line. Every problem is listed with its
//! position.
//!
//! The source is parsed to a tree with positions (`tree`) or to lines (`text`). Both become a draft whose parts have
//! positions (`shape`), and the draft is checked as a whole (`check`). Whether each step can run is decided by the
//! agent, which checks it once more when a run starts; this module adds the positions.

mod check;
mod groups;
mod problem;
mod sentences;
mod shape;
mod text;
mod tree;

use std::collections::BTreeMap;

pub use legwork_agent::{PreflightContext, StepProblem, step_problems};
use legwork_protocol::{Action, Workflow};
use url::Url;

use self::tree::At;
pub use self::{
    check::with_scheme,
    problem::{Problem, Severity},
};

/// Larger files are refused.
const MAX_BYTES: usize = 1 << 20;

/// The result of reading a file: the workflow, and all problems in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedWorkflow {
    /// The workflow; `None` if there is an error.
    pub workflow: Option<Workflow>,
    /// What can be read of the workflow, whether or not there is an error. It must not run.
    pub readable: Option<Workflow>,
    /// Errors and warnings, by line.
    pub problems: Vec<Problem>,
}

/// Reads a workflow. `name` is the name of its file, `-` for standard input. Warnings are not reported: see
/// [`validate`].
pub fn read(source: &str, name: &str) -> Result<Workflow, Vec<Problem>> {
    let reading = validate(source, name);
    reading.workflow.ok_or(reading.problems)
}

/// Reads a workflow and lists all its problems, including warnings. Variables may be given later, and a model may
/// decide any step: see [`validate_for`].
pub fn validate(source: &str, name: &str) -> ParsedWorkflow {
    let context = PreflightContext { variables: &BTreeMap::new(), reads_steps: true, has_decider: true };
    validate_for(source, name, context, Severity::Warning)
}

/// Reads a workflow for a run of which this is known, and lists all its problems, including warnings. `undefined` is
/// the severity of a variable without a value: a warning if values can be given later.
pub fn validate_for(source: &str, name: &str, context: PreflightContext<'_>, undefined: Severity) -> ParsedWorkflow {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let lines: Vec<&str> = source.lines().collect();
    let (mut problems, mut spans) = (Vec::new(), Vec::new());
    let mut of_tree = |root: tree::Node, problems: &mut Vec<Problem>| {
        spans = tree::step_spans(&root);
        shape::draft(&root, &lines, problems)
    };
    let draft = match refuse(source) {
        Some(problem) => {
            problems.push(problem);
            None
        }
        None => match format_of(source, name) {
            Format::Yaml => tree::of_yaml(source).and_then(|root| of_tree(root, &mut problems)),
            Format::Json => tree::of_json(source).and_then(|root| of_tree(root, &mut problems)),
            Format::Markdown => Ok(text::draft(source, true, &mut problems)),
            Format::Text => Ok(text::draft(source, false, &mut problems)),
        }
        .map_err(|problem| problems.push(problem))
        .ok(),
    };
    let workflow = draft.map(|draft| {
        check::check(&draft, &mut problems);
        let positions = check::Positions::of(&draft);
        let workflow = draft.into_workflow(&title_of(name));
        check::steps(&workflow, context, undefined, &positions, &mut problems);
        workflow
    });
    for problem in &mut problems {
        let place = |at: At| (at.line, at.column.unwrap_or(0));
        let found = (problem.line, problem.column.unwrap_or(0));
        let is_in = |(begin, end): &(At, At)| (place(*begin)..=place(*end)).contains(&found);
        problem.step = spans.iter().position(is_in).map(|index| index + 1);
    }
    problems.sort_by_key(|problem| (problem.line, problem.column, problem.severity));
    problems.dedup();
    let sound = problems.iter().all(|problem| problem.severity == Severity::Warning);
    ParsedWorkflow { workflow: workflow.clone().filter(|_| sound), readable: workflow, problems }
}

/// The page that the run begins on, if the author wrote it: the workflow's `url`, else the address that its first step
/// opens. Secrets that the user grants without an origin are bound to its origin. An address whose host comes from a
/// variable is none: a value may come from elsewhere.
pub fn first_page(workflow: &Workflow) -> Option<Url> {
    let literal = |address: &str| {
        let (_, rest) = address.split_once("://")?;
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        Url::parse(address).ok().filter(|_| !host.contains('$'))
    };
    let of_url = workflow.url.as_deref().and_then(|url| Url::parse(url).ok());
    of_url.or_else(|| {
        let step = workflow.steps.first().filter(|step| step.group.is_none())?;
        let opened = match &step.action {
            Some(Action::Open(open)) => open.url.clone(),
            Some(_) => return None,
            None => legwork_steps::opened_address(&step.step)?,
        };
        literal(&opened)
    })
}

/// The problem of a workflow that begins on no page: it has no `url`, and its first step acts on one. `has_decider` is
/// whether something else than the words of a step may decide it, and may open a page.
pub fn missing_address(workflow: &Workflow, has_decider: bool) -> Option<Problem> {
    let first = workflow.steps.first().filter(|step| step.group.is_none() && step.action.is_none())?;
    let opens_nothing = workflow.url.is_none() && !first.optional && legwork_steps::begins_on_a_page(&first.step);
    let problem = || Problem::warning(At::START, NO_ADDRESS).hint(ADDRESS_HINT);
    (opens_nothing && !has_decider).then(problem)
}

/// What is wrong with a workflow that begins on no page, and what to do about it.
pub(crate) const NO_ADDRESS: &str = "no address is known: the first step needs a page, and nothing opens one";
pub(crate) const ADDRESS_HINT: &str = "begin with `Open https://…`, set `url:` in the workflow, or give `--url`";

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
        // For standard input and other names, the content decides.
        _ if source.trim_start().starts_with('{') => Format::Json,
        _ if source.lines().any(|line| line.trim_end() == "steps:" || line.starts_with("steps: [")) => Format::Yaml,
        _ if source.lines().any(|line| line.starts_with("# ")) => Format::Markdown,
        _ => Format::Text,
    }
}

/// The problem of a source that is too large or not text.
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
            Problem::error(at, format!("the control character U+{:04X} is not allowed in a workflow", u32::from(c)))
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
