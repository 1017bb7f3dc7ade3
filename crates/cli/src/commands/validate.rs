//! `legwork validate`: prints every problem of a workflow file with its position.

use std::collections::BTreeMap;

use legwork::{
    playbooks::validate_with_playbook,
    protocol::{Action, Code, Workflow},
    workflow_file::{self, Problem, Severity},
};
use serde_json::json;

use crate::{
    command_args::{Global, ValidateArgs},
    error::CliError,
    exit::Exit,
    options,
    run_target::{self, RunTarget},
    screen::Stream,
    style::{Style, escape_control},
};

pub(crate) fn validate(global: &Global, args: &ValidateArgs) -> Result<Exit, CliError> {
    let RunTarget::Workflow { source, name, .. } = run_target::read(&args.file)? else {
        return Err(CliError::usage(format!("there is no file {}", args.file)).code(Code::RequestInvalid));
    };
    // The values of variables are given when the workflow is run.
    let settings = options::load(global, Vec::new())?;
    let variables = BTreeMap::new();
    let context = settings.preflight(&variables);
    let mut reading = validate_with_playbook((&source, &name), &settings, &variables, None, Severity::Warning);
    // `--url` may give an address later.
    let missing = reading.workflow.as_ref().and_then(|one| workflow_file::missing_address(one, context.has_decider));
    reading.problems.extend(missing);
    let exit = if reading.workflow.is_some() { Exit::Success } else { Exit::Usage };
    let text = if args.json {
        let problems: Vec<_> = reading.problems.iter().map(object).collect();
        let workflow = &reading.workflow;
        format!("{:#}\n", json!({ "valid": workflow.is_some(), "problems": problems, "workflow": workflow }))
    } else {
        let style = Style::on(Stream::Out.is_terminal());
        let lines: Vec<_> = source.lines().collect();
        let mut text: String = reading.problems.iter().map(|problem| shown(problem, &name, &lines, style)).collect();
        text += &match &reading.workflow {
            Some(workflow) => {
                let steps = workflow.all_steps().len();
                let plural = if steps == 1 { "step" } else { "steps" };
                let sound =
                    format!("{} {name}: {}, {steps} {plural}\n", style.good("✓"), escape_control(&workflow.name));
                sound + &fixed_actions(workflow, style)
            }
            None => {
                let errors = reading.problems.iter().filter(|problem| problem.severity == Severity::Error).count();
                let plural = if errors == 1 { "error" } else { "errors" };
                format!("{} {name}: {errors} {plural}\n", style.bad("✗"))
            }
        };
        text
    };
    Stream::Out.write(&text)?;
    Ok(exit)
}

/// The actions that steps name beside their text. The text is only a description then, and may say something else.
fn fixed_actions(workflow: &Workflow, style: Style) -> String {
    let steps = workflow.all_steps().into_iter();
    let actions = steps.filter_map(|step| Some((&step.step, step.action.as_ref()?)));
    let line = |(text, action): (&String, &Action)| {
        let (text, action) = (escape_control(text), escape_control(&action.describe(None)));
        format!("  {}\n", style.dim(format!("\"{text}\" carries out its action: {action}")))
    };
    actions.map(line).collect()
}

/// A problem with its line and a marker below its position.
pub(crate) fn shown(problem: &Problem, name: &str, lines: &[&str], style: Style) -> String {
    let kind = match problem.severity {
        Severity::Error => style.bad("error"),
        Severity::Warning => style.wait("warning"),
    };
    let column = problem.column.map_or(String::new(), |column| format!(":{column}"));
    let mut text = format!(
        "{kind}: {}\n  {}\n",
        escape_control(&problem.message),
        style.dim(format!("{name}:{}{column}", problem.line))
    );
    // In long lines and lines with tabs, the marker would be in the wrong place.
    if let Some(line) =
        problem.line.checked_sub(1).and_then(|index| lines.get(index)).filter(|line| line.chars().count() < 160)
    {
        let number = problem.line.to_string();
        let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        text += &format!("  {} {line}\n", style.dim(format!("{number} |")));
        if let Some(column) = problem.column {
            let before = number.len() + 2 + column;
            text += &format!("  {}{}\n", " ".repeat(before), style.bad("^"));
        }
    }
    if let Some(hint) = &problem.hint {
        text += &format!("  hint: {}\n", escape_control(hint));
    }
    text
}

fn object(problem: &Problem) -> serde_json::Value {
    let severity = match problem.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    json!({
        "severity": severity, "line": problem.line, "column": problem.column,
        "message": problem.message, "hint": problem.hint,
    })
}
