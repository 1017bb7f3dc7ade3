//! Records each scenario once, and replays it on each changed page.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, TryStreamExt, stream};
use legwork::{
    Runtime, StartRequest,
    protocol::{Status, Validation, Workflow},
    secrets::{Binding, SecretSpec, Source},
    settings::Settings,
};
use legwork_demo_site::DemoSite;
use legwork_testing::{
    apps::{DjangoAdmin, TiddlyWiki},
    model::{Asked, Reply, Script, ScriptedModel, Wire},
};
use serde_json::json;
use tempfile::TempDir;

use super::{
    MutationKind, MutationReport, MutationResult, MutationVerdict,
    kinds::KINDS,
    plan::MutationPlan,
    proxy::{Proxy, Upstream},
    scenarios::{Application, SCENARIOS, Scenario},
};
use crate::EvalError;

/// The beginning of the page in a prompt.
const PAGE: &str = "```page";
const SCRIPT: &str = include_str!("mutate.js");
/// The longest time that a report of the page may take after the end of a run.
const REPORTED: Duration = Duration::from_secs(5);

/// Runs a plan.
///
/// # Errors
/// If an application or the runtime cannot be started, or the plan names nothing. The failure of a replay is a result.
pub async fn mutate(plan: &MutationPlan) -> Result<MutationReport, EvalError> {
    let scenarios: Vec<&Scenario> = SCENARIOS
        .iter()
        .filter(|scenario| plan.scenarios.is_empty() || plan.scenarios.iter().any(|name| name == scenario.name))
        .filter(|scenario| !plan.short || !scenario.is_installed())
        .collect();
    let kinds: Vec<&MutationKind> =
        KINDS.iter().filter(|kind| plan.kinds.is_empty() || plan.kinds.iter().any(|name| name == kind.name)).collect();
    if scenarios.is_empty() || kinds.is_empty() {
        let task = [&plan.scenarios[..], &plan.kinds[..]].concat().join(" ");
        return Err(EvalError::NoSuchTask { suite: "mutate", task });
    }
    let began = Instant::now();
    let runtime = Runtime::open(settings(plan, &[])?).await?;
    let played: Result<Vec<_>, EvalError> = stream::iter(scenarios)
        .map(|scenario| {
            let (runtime, kinds) = (&runtime, &kinds);
            async move { Ok((scenario.name, play(scenario, kinds, plan, runtime).await?)) }
        })
        .buffer_unordered(plan.jobs.into())
        .try_collect()
        .await;
    runtime.close().await;
    let (mut results, mut unrecorded) = (Vec::new(), BTreeMap::new());
    for (scenario, played) in played? {
        match played {
            Ok(more) => results.extend(more),
            Err(reason) => drop(unrecorded.insert(scenario, reason)),
        }
    }
    Ok(MutationReport::of(results, unrecorded, began.elapsed()))
}

fn settings(plan: &MutationPlan, more: &[(&str, String)]) -> Result<Settings, EvalError> {
    let own = [("timeouts.element", "3s".to_owned())];
    crate::settings::settings("mutate", &[&own[..], more].concat(), &plan.settings, [])
}

/// The application of a scenario, which runs until the value is dropped.
enum Server {
    Page(&'static str),
    Demo(DemoSite),
    Django(DjangoAdmin),
    TiddlyWiki(TiddlyWiki),
}

impl Server {
    async fn start(application: Application) -> Result<Server, EvalError> {
        let app = |error| EvalError::Package("of the scenario", error);
        Ok(match application {
            Application::Page(page) => Server::Page(page),
            Application::DemoSite => Server::Demo(DemoSite::start().await.map_err(EvalError::io("the demo site"))?),
            Application::Django => Server::Django(DjangoAdmin::start().await.map_err(app)?),
            Application::TiddlyWiki => Server::TiddlyWiki(TiddlyWiki::start().await.map_err(app)?),
        })
    }

    fn upstream(&self) -> Upstream {
        let url = match self {
            Server::Page(page) => return Upstream::Page(page),
            Server::Demo(site) => site.url(),
            Server::Django(admin) => admin.url(),
            Server::TiddlyWiki(wiki) => wiki.url(),
        };
        // The address may name a path of the application.
        let origin = url::Url::parse(&url).map_or(url, |url| url.origin().ascii_serialization());
        Upstream::Server(origin)
    }
}

/// The results of a scenario, or the reason for which it could not be recorded.
async fn play(
    scenario: &Scenario,
    kinds: &[&MutationKind],
    plan: &MutationPlan,
    runtime: &Runtime,
) -> Result<Result<Vec<MutationResult>, String>, EvalError> {
    let server = Server::start(scenario.application).await?;
    let proxy = Proxy::start(server.upstream()).await.map_err(EvalError::io("the proxy"))?;
    proxy.set(server.upstream(), script(scenario, "record", 0));
    let workflow = Workflow {
        name: format!("mutate {}", scenario.name),
        url: Some(proxy.url(scenario.path)),
        steps: vec![scenario.step()],
        ..Workflow::default()
    };
    let secrets = tempfile::tempdir().map_err(EvalError::io("a folder for secrets"))?;
    if let Some((name, value)) = scenario.secret {
        std::fs::write(secrets.path().join(name), value).map_err(EvalError::io("a secret"))?;
    }
    if let Err(reason) = record(scenario, plan, runtime, &secrets, workflow.clone()).await? {
        return Ok(Err(reason));
    }
    let seeds = if plan.short { 1 } else { plan.seeds };
    let mut results = Vec::new();
    for kind in kinds.iter().filter(|kind| scenario.movable || !kind.moves) {
        for seed in 0..seeds {
            // The demo site is a new one each time, so that earlier replays change nothing.
            let fresh = match scenario.application {
                Application::DemoSite => Some(Server::start(scenario.application).await?),
                _ => None,
            };
            let upstream = fresh.as_ref().unwrap_or(&server).upstream();
            proxy.set(upstream, script(scenario, kind.name, seed));
            let replay = Replay { scenario, kind, seed, settings: settings(plan, &[("playbook", "only".to_owned())])? };
            let request = request(scenario, &secrets, workflow.clone());
            results.push(replay.run(request, runtime, &proxy).await?);
        }
    }
    Ok(Ok(results))
}

/// The script of a mutation of a scenario.
fn script(scenario: &Scenario, kind: &str, seed: u32) -> String {
    let targets: Vec<&str> = scenario.actions.iter().map(|(_, target)| *target).collect();
    // The text of the check stays as it is: other languages of the result are not what is tested.
    let expected = scenario.expect.split('"').nth(1).unwrap_or_default();
    let mutation = json!({ "kind": kind, "seed": seed, "targets": targets, "expected": expected });
    SCRIPT.replace("%MUTATION%", &mutation.to_string())
}

/// A request that grants the secrets of the scenario.
fn request(scenario: &Scenario, secrets: &TempDir, workflow: Workflow) -> StartRequest {
    let path = |name: &str| secrets.path().join(name).display().to_string();
    let spec = |name: &'static str| SecretSpec {
        source: Source::File { name: name.to_owned(), path: path(name) },
        binding: Binding::Default,
    };
    let secrets = scenario.secret.map(|(name, _)| spec(name)).into_iter().collect();
    StartRequest { secrets, ..StartRequest::workflow(workflow) }
}

/// Runs the workflow once with a model that commands the actions of the scenario.
async fn record(
    scenario: &Scenario,
    plan: &MutationPlan,
    runtime: &Runtime,
    secrets: &TempDir,
    workflow: Workflow,
) -> Result<Result<(), String>, EvalError> {
    let mut commands = scenario.actions.iter().map(|(command, _)| *command);
    let mut prompts = Vec::new();
    let script = Script::of(move |asked: &Asked| {
        prompts.push(asked.last());
        let command = commands.next().map(|command| resolved(command, &prompts));
        let (done, confidence) = ("done \"it was done\"".to_owned(), 0.95);
        Reply::Json(json!({ "why": "as asked", "do": command.unwrap_or(done), "confidence": confidence }))
    });
    let model = ScriptedModel::start(Wire::OpenAi, script).await.map_err(EvalError::io("the scripted model"))?;
    let more = [
        ("decider", "model".to_owned()),
        ("playbook", "auto".to_owned()),
        ("model.name", "compatible/scripted".to_owned()),
        ("model.base_url", model.base_url.clone()),
        ("reflection.mode", "never".to_owned()),
        ("limits.max_turns_per_step", "20".to_owned()),
        ("planning", "never".to_owned()),
    ];
    let request = StartRequest { settings: Some(settings(plan, &more)?), ..request(scenario, secrets, workflow) };
    let outcome = runtime.start(request).await?.outcome().await;
    if outcome.status != Status::Success || outcome.validation != Validation::Validated {
        let error = outcome.error.map(|error| error.message).unwrap_or_default();
        return Ok(Err(format!("{:?}, {:?}: {error}", outcome.status, outcome.validation)));
    }
    Ok(Ok(()))
}

/// Replaces the element `ROLE "NAME" in "TEXT"` by the ref of the first such element after this text on the page, as a
/// model reads it there. Elements that did not change are only in earlier prompts.
fn resolved(command: &str, prompts: &[String]) -> String {
    let Some((before, rest)) = command.split_once(" in ") else { return command.to_owned() };
    let Some((verb, element)) = before.split_once(' ') else { return command.to_owned() };
    let Some((container, after)) = rest.split_once('"').and_then(|(_, quoted)| quoted.split_once('"')) else {
        return command.to_owned();
    };
    let shown = format!("{element} [ref=");
    let in_prompt = |prompt: &String| {
        let page = &prompt[prompt.find(PAGE)?..];
        let (_, found) = page[page.find(container)?..].split_once(&shown)?;
        found.split(']').next().map(str::to_owned)
    };
    let reference = prompts.iter().rev().find_map(in_prompt).unwrap_or_else(|| "e0".to_owned());
    format!("{verb} {reference}{after}")
}

/// A replay on pages with one mutation.
struct Replay<'a> {
    scenario: &'a Scenario,
    kind: &'a MutationKind,
    seed: u32,
    settings: Settings,
}

impl Replay<'_> {
    async fn run(self, request: StartRequest, runtime: &Runtime, proxy: &Proxy) -> Result<MutationResult, EvalError> {
        let Replay { scenario, kind, seed, settings } = self;
        let began = Instant::now();
        let request = StartRequest { settings: Some(settings), ..request };
        let outcome = runtime.start(request).await?.outcome().await;
        let seconds = began.elapsed().as_secs_f64();
        let succeeded = outcome.status == Status::Success;
        let used = if succeeded { scenario.actions.len() } else { 0 };
        let touched = proxy.touched(used, REPORTED).await;
        let all = touched.targets.len() == scenario.actions.len();
        let verdict = match (touched.wrong.is_empty(), succeeded, all) {
            (false, ..) => MutationVerdict::WrongElement,
            (true, true, true) => MutationVerdict::Replayed,
            (true, true, false) => MutationVerdict::FalseSuccess,
            (true, false, _) => MutationVerdict::Refused,
        };
        let error = outcome.error.map(|error| format!("{} {}", error.message, error.details.join(", ")));
        let details: Vec<String> = touched.wrong.into_iter().chain(error).collect();
        let result = MutationResult {
            scenario: scenario.name,
            kind: kind.name,
            seed,
            expected: kind.expected,
            verdict,
            details,
            seconds,
        };
        eprintln!("{}/{}/{seed} {verdict:?} {:.1} s", scenario.name, kind.name, result.seconds);
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use legwork::protocol::Step;

    use super::*;
    use crate::mutate::Expected;

    #[test]
    fn a_command_names_the_element_after_a_text_of_the_page() {
        let page = "Ship it for Globex\n```page\n- row: Acme | button \"Ship\" [ref=e1]\n- row: Globex | button \"Ship\" [ref=e2]";
        let later = "Ship it for Globex\n```page\n- text: Globex was shipped\n- spinbutton \"Quantity\" [ref=e7]";
        let prompts = [page.to_owned(), later.to_owned()];
        assert_eq!(resolved("click button \"Ship\" in row \"Globex\"", &prompts), "click e2");
        assert_eq!(resolved("click button \"Save\"", &prompts), "click button \"Save\"");
        assert_eq!(resolved("fill spinbutton \"Quantity\" in \"Globex\" \"2\"", &prompts), "fill e7 \"2\"");
    }

    #[test]
    fn there_are_enough_mutations() {
        let count: usize =
            SCENARIOS.iter().map(|scenario| KINDS.iter().filter(|kind| scenario.movable || !kind.moves).count()).sum();
        assert!(count * 4 >= 500, "{count} for each seed");
        assert!(KINDS.iter().any(|kind| kind.expected == Expected::Refused));
    }

    /// The judge learns from the page which element was used, whatever the run reports.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn an_action_on_another_element_is_noticed() {
        let data = tempfile::tempdir().unwrap();
        let set = format!("data_dir={}", data.path().display());
        let plan = MutationPlan::parse_from(["mutate", "--set", &set]);
        let runtime = Runtime::open(settings(&plan, &[]).unwrap()).await.unwrap();
        let (scenario, kind) = (&SCENARIOS[0], &KINDS[0]);
        let Application::Page(page) = scenario.application else { panic!("the first scenario is a page") };
        let proxy = Proxy::start(Upstream::Page(page)).await.unwrap();
        let mut verdicts = Vec::new();
        for step in
            ["Click \"Ship\" in the row of \"Globex\"", "Click \"Ship\" in the row of \"Acme\"", "Wait 0 seconds"]
        {
            proxy.set(Upstream::Page(page), script(scenario, kind.name, 0));
            let steps = vec![Step::new(step)];
            let workflow = Workflow { name: "other".into(), url: Some(proxy.url("/")), steps, ..Workflow::default() };
            let replay = Replay { scenario, kind, seed: 0, settings: settings(&plan, &[]).unwrap() };
            verdicts.push(replay.run(StartRequest::workflow(workflow), &runtime, &proxy).await.unwrap().verdict);
        }
        runtime.close().await;
        let expected = [MutationVerdict::Replayed, MutationVerdict::WrongElement, MutationVerdict::FalseSuccess];
        assert_eq!(verdicts, expected);
    }
}
