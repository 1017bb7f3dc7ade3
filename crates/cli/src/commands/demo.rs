//! `legwork demo`: runs the bundled workflow on the built-in site. It needs only this program and a browser.

use std::path::PathBuf;

use legwork::{
    StartRequest,
    browser::{Capability, Engine, Support, find_executable},
    protocol::Workflow,
    secrets::{Binding, SecretSpec, Source},
    workflow_file,
};
use legwork_demo_site::{CLOSED_ROOT_STEPS, DEMO_WORKFLOW, DemoSite, PASSWORD, UPLOAD, UPLOAD_NAME};
use secrecy::SecretString;

use crate::{
    command_args::{DemoArgs, Global},
    commands::run,
    error::CliError,
    exit::Exit,
    install::Recipe,
    options,
    screen::Stream,
    trace,
    watch::watch,
};

/// `legwork demo`.
pub(crate) async fn demo(global: &Global, args: &DemoArgs) -> Result<Exit, CliError> {
    let mut flags = options::browser(&args.browser);
    flags.push(("decider".to_owned(), "literal".to_owned()));
    let settings = options::load(global, flags)?;
    if args.browser.cdp.is_none() && settings.browser.path.is_none() {
        browser(args, settings.browser.engine, global)?;
    }
    let site =
        DemoSite::start().await.map_err(|error| CliError::fault("the demo site could not start").because(&error))?;
    let url = site.url();
    say(global, &format!("The demo site is at {url} during the demo.\n\n"))?;

    let mut workflow = workflow_file::read(DEMO_WORKFLOW, "demo.yaml").map_err(|problems| {
        CliError::fault("the bundled workflow is broken").details(problems.iter().map(ToString::to_string))
    })?;
    workflow.url = Some(url);
    leave_out(&mut workflow, settings.browser.engine, global)?;
    let work = settings.data_dir.join("demo");
    std::fs::create_dir_all(&work)
        .map_err(|error| CliError::fault(format!("{} cannot be made", work.display())).because(&error))?;
    trace::save(&work.join(UPLOAD_NAME), UPLOAD)?;

    let mut request = StartRequest::workflow(workflow);
    request.secrets = vec![SecretSpec { source: Source::Named("demo_password".to_owned()), binding: Binding::Default }];
    // The password of the demo site is public, but it takes the same path as a real secret.
    request.ask_secret = Some(Box::new(|_| Some(SecretString::from(PASSWORD))));
    request.uploads = vec![work.clone()];
    let mut show = args.show.clone();
    show.trace.get_or_insert_with(|| trace_folder(&work));

    let runtime = run::open(settings).await?;
    let handle = runtime.start(request).await.map_err(run::begun)?;
    let exit = watch(&runtime, handle, &show, global).await;
    runtime.close().await;
    exit
}

/// Removes the steps that no driver of this engine can carry out, and names them.
fn leave_out(workflow: &mut Workflow, engine: Engine, global: &Global) -> Result<(), CliError> {
    let capability = Capability::RootsClosedByScripts;
    if engine.capabilities().support(capability) == Support::Full {
        return Ok(());
    }
    workflow.steps.retain(|step| !CLOSED_ROOT_STEPS.contains(&&*step.step));
    let steps = CLOSED_ROOT_STEPS.map(|step| format!("  {step}\n")).concat();
    let (title, engine) = (capability.title(), engine.title());
    say(global, &format!("Without the steps that need a capability which {engine} lacks ({title}):\n{steps}\n"))
}

/// Ensures that a browser is installed.
fn browser(args: &DemoArgs, engine: Engine, global: &Global) -> Result<(), CliError> {
    let Err(missing) = find_executable(engine) else { return Ok(()) };
    let recipe = Recipe::here(engine);
    let by_hand = recipe.as_ref().map_or_else(|| format!("install {}", engine.title()), Recipe::shown);
    let missing = CliError::fault("no browser is installed").because(&missing).hint(by_hand);
    match recipe {
        Some(recipe) if !args.no_install => {
            say(global, &format!("No browser was found. Installing one with: {}\n", recipe.shown()))?;
            recipe.run()?;
            find_executable(engine).map(drop).map_err(|error| {
                CliError::fault("a browser was installed, but cannot be found")
                    .because(&error)
                    .hint("run `legwork doctor`")
            })
        }
        _ => Err(missing),
    }
}

/// A new folder for every demo, so that no demo overwrites the trace of another.
fn trace_folder(work: &std::path::Path) -> PathBuf {
    work.join(jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S").to_string())
}

fn say(global: &Global, text: &str) -> Result<(), CliError> {
    if !global.quiet {
        Stream::Err.write(text)?;
    }
    Ok(())
}
