//! `legwork policy`: checks a policy file, and explains what it decides.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueHint};
use legwork::action_policy::{DescribedAction, Explanation, PolicyFile, PolicyLayers};
use legwork_protocol::{Code, Provenance};
use serde_json::json;
use url::Url;

use crate::{
    error::CliError,
    exit::Exit,
    screen::Stream,
    style::{Style, escape_control},
};

/// `legwork policy`.
#[derive(Debug, Args)]
pub(crate) struct PolicyArgs {
    #[command(subcommand)]
    pub(crate) action: PolicyAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PolicyAction {
    /// Check a policy file and list every mistake with its line
    Check {
        /// Policy file
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
    },
    /// Explain what a policy decides about an action, and by which rule
    Test(Box<PolicyTestArgs>),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0 allowed   1 asked about or denied   2 usage, or mistakes in the file

Examples:
  legwork policy test legwork-policy.toml --action fill --url https://other.example/ --value KD-4711 \\
    --provenance page:https://shop.example --start https://shop.example/
  legwork policy test legwork-policy.toml --action click --element \"Pay now\" --url https://shop.example/")]
pub(crate) struct PolicyTestArgs {
    /// Policy file of the user
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Name of the action, such as click, fill or open
    #[arg(long, value_name = "NAME", default_value = "click")]
    pub(crate) action: String,
    /// Page on which it acts, or the address that it opens
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<Url>,
    /// Name of the element
    #[arg(long, value_name = "NAME")]
    pub(crate) element: Option<String>,
    /// The action submits a form
    #[arg(long)]
    pub(crate) submits: bool,
    /// Value that it carries
    #[arg(long, value_name = "TEXT")]
    pub(crate) value: Option<String>,
    /// Where the value comes from: user, secret, page:ORIGIN, tool:NAME or model (the default)
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) provenance: Vec<Provenance>,
    /// Name of the tool, for the action call
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,
    /// Start page of the run
    #[arg(long, value_name = "URL")]
    pub(crate) start: Option<Url>,
    /// Words of the task
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) task: String,
    /// Sites of `--allow-write`
    #[arg(long, value_name = "DOMAINS", value_delimiter = ',')]
    pub(crate) allow_write: Vec<String>,
    /// The action is a literal step of the user
    #[arg(long)]
    pub(crate) literal: bool,
    /// Policy file of the project, which can only restrict
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) project: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// `legwork policy`.
pub(crate) fn policy(args: &PolicyArgs) -> Result<Exit, CliError> {
    match &args.action {
        PolicyAction::Check { file } => {
            let rules = read(file)?.rules.len();
            let plural = if rules == 1 { "rule" } else { "rules" };
            let style = Style::on(Stream::Out.is_terminal());
            Stream::Out.write(&format!("{} {}: {rules} {plural}\n", style.good("✓"), file.display()))?;
            Ok(Exit::Success)
        }
        PolicyAction::Test(args) => test(args),
    }
}

fn test(args: &PolicyTestArgs) -> Result<Exit, CliError> {
    let project = args.project.as_deref().map(read).transpose()?;
    let layers = PolicyLayers { user: Some(read(&args.file)?), project, request: None };
    if let Err(problems) = legwork::policy::Policy::only(&args.allow_write) {
        return Err(CliError::usage("--allow-write").details(problems.iter().map(ToString::to_string)));
    }
    let described = DescribedAction {
        action: args.action.clone(),
        url: args.url.clone(),
        element: args.element.clone(),
        submits: args.submits,
        value: args.value.clone(),
        provenance: args.provenance.clone(),
        tool: args.tool.clone(),
        start: args.start.clone(),
        words: args.task.clone(),
        allow_write: args.allow_write.clone(),
        by_user: args.literal,
    };
    let explanation = layers.explain(&described).map_err(|error| CliError::usage(error.to_string()))?;
    let text = if args.json { format!("{:#}\n", object(&explanation)) } else { words(&explanation) };
    Stream::Out.write(&text)?;
    let allowed = explanation.ruling.decision.effect == legwork_protocol::PolicyEffect::Allow;
    Ok(if allowed { Exit::Success } else { Exit::Failure })
}

fn read(path: &Path) -> Result<PolicyFile, CliError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| CliError::usage(format!("{} cannot be read", path.display())).because(&error))?;
    PolicyFile::parse(path, &text).map_err(|problems| {
        CliError::usage(format!("{} has mistakes", path.display()))
            .details(problems.iter().map(ToString::to_string))
            .code(Code::SettingsInvalid)
    })
}

/// The explanation for a person: the decision first, then each rule.
fn words(explanation: &Explanation) -> String {
    let decision = &explanation.ruling.decision;
    let classes: Vec<&str> = explanation.classes.iter().map(|class| class.name()).collect();
    let style = Style::on(Stream::Out.is_terminal());
    let mut text = format!("{}: {}\n", style.bold(decision.effect.name()), escape_control(&decision.reason));
    text += &format!("  rule: {}\n", escape_control(&decision.rule));
    if !explanation.ruling.hint.is_empty() {
        text += &format!("  to allow it: {}\n", escape_control(&explanation.ruling.hint));
    }
    if !classes.is_empty() {
        text += &format!("  the action counts as: {}\n", classes.join(", "));
    }
    for (label, failed) in &explanation.rules {
        let why = failed.map_or_else(|| "matches".to_owned(), |condition| format!("does not match: {condition}"));
        text += &format!("  {} {why}\n", style.dim(escape_control(label)));
    }
    text
}

fn object(explanation: &Explanation) -> serde_json::Value {
    let rules = explanation.rules.iter().map(|(rule, failed)| json!({ "rule": rule, "failedCondition": failed }));
    json!({
        "decision": explanation.ruling.decision,
        "hint": explanation.ruling.hint,
        "classes": explanation.classes.iter().map(|class| class.name()).collect::<Vec<_>>(),
        "rules": rules.collect::<Vec<_>>(),
    })
}
