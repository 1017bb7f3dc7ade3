//! `legwork run` and `legwork resume`.

use std::{collections::BTreeMap, io::IsTerminal, path::Path, sync::Arc};

use legwork::{
    AskSecret, Assumption, ResumeRequest, Runtime, StartRequest,
    browser::StorageState,
    playbooks::validate_with_playbook,
    secrets::SecretSpec,
    settings::Settings,
    tools::Tool,
    unknown_inputs,
    workflow_file::{self, Severity},
};
use legwork_protocol::{Code, Step, Workflow, mask_passwords};
use secrecy::SecretString;
use serde_json::Value;

use crate::{
    command_args::{AssumedOutcome, Global, ResumeArgs, RunArgs},
    commands::validate,
    error::CliError,
    exit::Exit,
    options,
    run_target::{self, RunTarget},
    screen::Stream,
    style::Style,
    watch::{interactive, watch},
};

/// `legwork run`.
pub(crate) async fn run(global: &Global, args: &RunArgs) -> Result<Exit, CliError> {
    if let Some(rows) = &args.each.each {
        return super::batches::start(global, args, rows).await;
    }
    let settings = options::for_run(global, args)?;
    let variables = variables(&args.vars)?;
    let (workflow, task, folder) = workflow(args, global, &settings, &variables)?;
    let mut request = if task { StartRequest::task(workflow) } else { StartRequest::workflow(workflow) };
    check_inputs(&variables, &request)?;
    request.inputs = variables;
    request.secrets = secrets(&args.secrets)?;
    request.ask_secret = ask_secret();
    request.storage_state = args.browser.storage_state.as_deref().map(storage_state).transpose()?;
    request.uploads = args.uploads.clone().or(folder).into_iter().collect();
    request.interactive = interactive(&args.show);
    if args.extension {
        return super::panel::run_in_tab(global, args, settings, request).await;
    }
    let runtime = open(settings).await?;
    let handle = runtime.start(request).await.map_err(begun)?;
    let exit = watch(&runtime, handle, &args.show, global).await;
    runtime.close().await;
    exit
}

/// `legwork resume`.
pub(crate) async fn resume(global: &Global, args: &ResumeArgs) -> Result<Exit, CliError> {
    let flags = options::browser(&args.browser).into_iter().chain(args.require.flags()).collect();
    let settings = options::load(global, flags)?;
    let runtime = open(settings).await?;
    let run = super::runs::find(&*runtime.log(), &args.run).await?.run;
    let row = super::batches::row_of_run(&runtime, run).await?.unwrap_or_default();
    let request = ResumeRequest {
        assume: args.assume.map(assumption),
        secrets: [row.secrets, secrets(&args.secrets)?].concat(),
        ask_secret: row_or_person(row.ask_secret, ask_secret()),
        interactive: interactive(&args.show),
        hidden: row.hidden,
        ..ResumeRequest::default()
    };
    let handle = runtime.resume(run, request).await.map_err(begun)?;
    let exit = watch(&runtime, handle, &args.show, global).await;
    runtime.close().await;
    exit
}

/// Asks the row of a batch for a secret, and a person for one that the row does not have.
pub(crate) fn row_or_person(mut of_row: Option<AskSecret>, mut of_person: Option<AskSecret>) -> Option<AskSecret> {
    (of_row.is_some() || of_person.is_some()).then(|| {
        Box::new(move |name: &str| {
            let of_row = of_row.as_mut().and_then(|ask| ask(name));
            of_row.or_else(|| of_person.as_mut().and_then(|ask| ask(name)))
        }) as AskSecret
    })
}

pub(crate) fn assumption(assume: AssumedOutcome) -> Assumption {
    match assume {
        AssumedOutcome::Done => Assumption::Done,
        AssumedOutcome::NotDone => Assumption::NotDone,
    }
}

/// The tools of the MCP servers in a file.
async fn tools(file: Option<&Path>) -> Result<Vec<Arc<dyn Tool>>, CliError> {
    let Some(file) = file else { return Ok(Vec::new()) };
    legwork_mcp::connect_external_tools(file).await.map_err(|error| {
        CliError::usage(error.to_string())
            .because(&error)
            .hint("tools.file is a JSON file such as {\"mcpServers\": {\"name\": {\"command\": \"program\"}}}")
    })
}

/// Opens a runtime for runs, including the tools of the settings.
pub(crate) async fn open(settings: legwork::settings::Settings) -> Result<Runtime, CliError> {
    let tools = tools(settings.tools.file.as_deref()).await?;
    Ok(Runtime::open(settings).await.map_err(begun)?.with_tools(tools))
}

/// The error of a run that did not start, for a person.
pub(crate) fn begun(error: legwork::Error) -> CliError {
    CliError::from(error.standard())
}

/// The workflow, whether it is a single task, and the folder that contains it.
pub(crate) fn workflow(
    args: &RunArgs,
    global: &Global,
    settings: &Settings,
    variables: &BTreeMap<String, Value>,
) -> Result<(Workflow, bool, Option<std::path::PathBuf>), CliError> {
    // `shop.example` is an address for people.
    let url = args.url.as_ref().map(|url| workflow_file::with_scheme(url).unwrap_or_else(|| url.clone()));
    match run_target::read(&args.subject)? {
        RunTarget::Task(task) => {
            let name: String = mask_passwords(&task).chars().take(60).collect();
            let steps = vec![Step::new(task)];
            Ok((Workflow { name, url, inputs: BTreeMap::new(), steps }, true, None))
        }
        RunTarget::Workflow { source, name, folder } => {
            let reading =
                validate_with_playbook((&source, &name), settings, variables, url.as_deref(), Severity::Error);
            let lines: Vec<_> = source.lines().collect();
            let Some(mut workflow) = reading.workflow else {
                let errors = reading
                    .problems
                    .iter()
                    .map(|p| validate::shown(p, &name, &lines, Style::PLAIN).trim_end().to_owned());
                return Err(CliError::usage(format!("{name} cannot run")).details(errors).code(Code::WorkflowInvalid));
            };
            if !global.quiet {
                let style = Style::on(Stream::Err.is_terminal());
                for problem in &reading.problems {
                    Stream::Err.write(&validate::shown(problem, &name, &lines, style))?;
                }
            }
            if url.is_some() {
                workflow.url = url;
            }
            Ok((workflow, false, folder))
        }
    }
}

/// The values of `--var name=value`.
pub(crate) fn variables(vars: &[String]) -> Result<BTreeMap<String, Value>, CliError> {
    let mut inputs = BTreeMap::new();
    for var in vars {
        let (name, value) = var.split_once('=').ok_or_else(|| {
            CliError::usage(format!("--var {var}: `=` is missing")).hint("--var NAME=VALUE, such as --var city=Oslo")
        })?;
        if !legwork_protocol::is_variable_name(name) {
            return Err(CliError::usage(format!("--var {name}: a name has letters, digits and _, and no digit first")));
        }
        inputs.insert(name.to_owned(), Value::String(value.to_owned()));
    }
    Ok(inputs)
}

/// Checks that every input of the workflow without a default has a value, and that every value is for an input.
pub(crate) fn check_inputs(variables: &BTreeMap<String, Value>, request: &StartRequest) -> Result<(), CliError> {
    let workflow = &request.workflow;
    let missing: Vec<_> = workflow
        .inputs
        .iter()
        .filter(|(name, input)| input.default.is_none() && !variables.contains_key(*name))
        .map(|(name, input)| match &input.description {
            Some(description) => format!("{name}: {description}"),
            None => name.clone(),
        })
        .collect();
    if let Some(first) = missing.first() {
        let name = first.split(':').next().unwrap_or(first);
        let hint = format!("--var {name}=VALUE");
        return Err(CliError::usage("the workflow needs values for its inputs").details(missing).hint(hint));
    }
    let unknown = if request.task { Vec::new() } else { unknown_inputs(workflow, variables.keys()) };
    if !unknown.is_empty() {
        return Err(CliError::usage("a --var names no input of the workflow").details(unknown));
    }
    Ok(())
}

pub(crate) fn secrets(specs: &[String]) -> Result<Vec<SecretSpec>, CliError> {
    let read = |spec: &String| {
        SecretSpec::parse(spec).map_err(|error| CliError::usage("a --secret is malformed").because(&error))
    };
    specs.iter().map(read).collect()
}

/// Asks for a secret at the terminal without echo, if standard input is a terminal.
pub(crate) fn ask_secret() -> Option<AskSecret> {
    (std::io::stdin().is_terminal() && std::io::stderr().is_terminal()).then(|| {
        Box::new(|name: &str| {
            Stream::Err.write(&format!("{name}: ")).ok()?;
            let value = console::Term::stderr().read_secure_line().ok()?;
            (!value.is_empty()).then(|| SecretString::from(value))
        }) as AskSecret
    })
}

pub(crate) fn storage_state(path: &Path) -> Result<StorageState, CliError> {
    let shown = path.display();
    let text = std::fs::read(path)
        .map_err(|error| CliError::usage(format!("--storage-state {shown} cannot be read")).because(&error))?;
    serde_json::from_slice(&text).map_err(|error| {
        CliError::usage(format!("--storage-state {shown} is not a storage state"))
            .because(&error)
            .hint("Playwright's storageState() writes such a file")
    })
}
