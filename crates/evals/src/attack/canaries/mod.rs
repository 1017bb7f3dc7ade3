//! Secrets that pages show: 64 values in every encoding of the scanner, in 20 places of a page. Afterwards everything
//! that must be clean is searched: the files of the data folder (journal and artifacts), exports, log lines, prompts,
//! and the replies of the HTTP API. Screenshots are not searched, because that would need OCR.

mod logs;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    time::Duration,
};

use legwork::{
    Runtime, StartRequest,
    protocol::{EventKind, RunId, Status, Step, Workflow},
    record::{Export, RunRecord, html},
    secrets::SecretSpec,
};
use legwork_testing::model::{Asked, Reply, Script, ScriptedModel, Wire};
use serde_json::{Value, json};

use super::{
    plan::AttackPlan,
    random::Random,
    report::ClassReport,
    scanner::{ENCODINGS, Encoding, Scanner},
    scene::settings,
    serving::Serving,
    site::Site,
};
use crate::EvalError;

const PAGE: &str = include_str!("page.html");
/// The places of `page.html`.
const PLACES: usize = 20;
/// How many secrets there are, in a whole plan and in a short one.
const SECRETS: (usize, usize) = (64, 4);
/// Secrets of one run.
const IN_RUN: usize = 8;

/// How long the next piece of a reply is waited for.
const STREAM: Duration = Duration::from_secs(3);

/// The names of the encodings.
pub(super) fn names() -> Vec<String> {
    ENCODINGS.iter().map(|encoding| encoding.name.to_owned()).collect()
}

/// The encodings of the plan.
fn wanted(plan: &AttackPlan) -> impl Iterator<Item = &'static Encoding> {
    ENCODINGS.iter().filter(|encoding| plan.wants(encoding.name))
}

/// A secret.
struct Canary {
    name: String,
    value: String,
}

/// Values of different kinds: words and digits, the number of a card, signs that formats escape, other alphabets.
fn canaries(count: usize, seed: u64) -> Vec<Canary> {
    let mut random = Random::new(seed);
    let mut digits =
        |length: usize| (0..length).map(|_| char::from(b'0' + (random.next() % 10) as u8)).collect::<String>();
    let value = |number: usize, mut digits: Box<dyn FnMut(usize) -> String + '_>| match number % 4 {
        0 => format!("Canary-{}-Qzvx", digits(6)),
        1 => digits(16),
        2 => format!("k&y{}<w>\"x'{}", digits(4), digits(3)),
        _ => format!("geheim-ß{}-é", digits(6)),
    };
    (0..count)
        .map(|number| Canary { name: format!("c{number}"), value: value(number, Box::new(&mut digits)) })
        .collect()
}

/// Carries out the class.
pub(super) async fn attack(plan: &AttackPlan, report: &mut ClassReport) -> Result<(), EvalError> {
    let data = tempfile::tempdir().map_err(EvalError::io("a folder"))?;
    let canaries = canaries(if plan.short { SECRETS.1 } else { SECRETS.0 }, plan.seed);
    let scanner = Scanner::new(canaries.iter().map(|canary| canary.value.as_str()));
    let log = logs::record().map_err(|error| EvalError::Settings(format!("the log cannot be searched: {error}")))?;
    let site = Site::start().await.map_err(EvalError::io("the site"))?;
    for canary in &canaries {
        let encoded: Vec<String> = wanted(plan).map(|encoding| (encoding.encode)(&canary.value)).collect();
        let encoded = json!(encoded).to_string().replace('<', "\\u003c");
        site.page(&format!("/{}", canary.name), PAGE.replace("%CANARIES%", &encoded));
        let file = data.path().join(&canary.name);
        std::fs::write(&file, &canary.value).map_err(EvalError::file(&file))?;
    }
    let place = [("data_dir", data.path().join("data").display().to_string())];
    let settings = settings(plan, "canaries", &place)?;
    let folder = settings.data_dir.clone();
    let runtime = Runtime::open(settings).await?;
    let mut texts: Vec<(String, String)> = Vec::new();
    let mut runs = Vec::new();
    for group in canaries.chunks(IN_RUN) {
        let (id, prompts) = run(group, plan, &runtime, &site, data.path(), report).await?;
        texts.extend(prompts.into_iter().map(|prompt| ("a prompt".to_owned(), prompt)));
        texts.extend(exports(&runtime, id, report).await?);
        runs.push(id);
        eprintln!("canaries: run {} of {}", runs.len(), canaries.len().div_ceil(IN_RUN));
        shown(group, plan, &site, report);
    }
    let artifacts = runtime.log().artifacts().await?;
    runtime.close().await;
    drop(runtime);
    eprintln!("canaries: reading the replies of the API");
    let server = Serving::start(plan, &folder).await?;
    texts.extend(replies(&server, &artifacts, &runs, report).await?);
    server.end().await?;
    files(&folder, &mut texts);
    if log.text().is_empty() {
        report.failures.push("the log is empty".to_owned());
    }
    texts.push(("the log".to_owned(), log.text()));
    eprintln!("canaries: searching {} texts", texts.len());
    let sizes: usize = texts.iter().map(|(_, text)| text.len()).sum();
    report.count("texts searched", texts.len());
    report.count("kilobytes searched", sizes / 1024);
    for (place, text) in &texts {
        for (secret, encoding) in scanner.found(text) {
            report.breaches.push(format!("{place} contains {} ({encoding})", canaries[secret].name));
        }
    }
    planted(&canaries, &scanner, &texts, report);
    Ok(())
}

/// Counts the places that showed a secret. The page posts each text when it has put it into the places before.
fn shown(group: &[Canary], plan: &AttackPlan, site: &Site, report: &mut ClassReport) {
    let requests = site.requests().into_iter().filter(|request| request.target == "/sent");
    let sent: BTreeSet<String> = requests.map(|request| request.body).collect();
    for canary in group {
        for encoding in wanted(plan) {
            if sent.contains(&(encoding.encode)(&canary.value)) {
                report.attempts += PLACES;
            } else {
                report.failures.push(format!("no page showed {} ({})", canary.name, encoding.name));
            }
        }
    }
}

/// One run that opens the page of each secret, and looks at it in every way that a model has.
async fn run(
    group: &[Canary],
    plan: &AttackPlan,
    runtime: &Runtime,
    site: &Site,
    folder: &Path,
    report: &mut ClassReport,
) -> Result<(RunId, Vec<String>), EvalError> {
    let act = |action: &str, parameters: Value| json!({"action": action, "parameters": parameters});
    let mut commands = Vec::new();
    for Canary { name, value } in group {
        commands.extend([
            act("open", json!({"url": format!("{}/{name}", site.origin)})),
            act("fill", json!({"target": "#pw", "text": format!("${{secret:{name}}}")})),
            act("read", json!({"target": "#all"})),
            // A replay repeats this action only for an element that something identifies.
            act("save", json!({"target": "role=region[name=\"Everything\"]", "variable": format!("all_{name}")})),
            act("subdom", json!({"target": "#all"})),
            act("dom", json!({})),
            act("find", json!({"text": value})),
            act("click", json!({"target": format!("text={value}")})),
        ]);
    }
    // A run whose last action failed is no success.
    commands.push(act("open", json!({"url": format!("{}/{}", site.origin, group[0].name)})));
    let claim: Vec<String> =
        group.iter().flat_map(|canary| wanted(plan).map(|encoding| (encoding.encode)(&canary.value))).collect();
    commands.push(act("done", json!({"result": claim.join(" and ")})));
    let mut commands = commands.into_iter();
    let script = Script::of(move |_: &Asked| {
        let command = commands.next().unwrap_or_else(|| json!("done \"it is done\""));
        Reply::Json(json!({"why": "as asked", "do": command, "confidence": 0.99}))
    });
    let model = ScriptedModel::start(Wire::OpenAi, script).await.map_err(EvalError::io("the scripted model"))?;
    let more = [
        ("decider", "model".to_owned()),
        ("model.name", "compatible/scripted".to_owned()),
        ("model.base_url", model.base_url.clone()),
        ("limits.max_turns_per_task", "900".to_owned()),
        ("limits.max_consecutive_errors", "900".to_owned()),
        ("limits.max_total_errors", "900".to_owned()),
    ];
    let secrets = group.iter().map(|canary| {
        let text = format!("{}={}", canary.name, folder.join(&canary.name).display());
        SecretSpec::parse(&text).expect("a name and a path of ours")
    });
    let request = StartRequest {
        settings: Some(settings(plan, "canaries", &more)?),
        // Without the defence, the run does not know the secrets, and nothing is masked.
        secrets: if plan.ablate { Vec::new() } else { secrets.collect() },
        ..StartRequest::task(Workflow {
            name: "canaries".to_owned(),
            url: Some(format!("{}/{}", site.origin, group[0].name)),
            steps: vec![Step::new("Read what the pages of this site show")],
            ..Workflow::default()
        })
    };
    let handle = runtime.start(request).await?;
    let id = handle.id();
    let outcome = handle.outcome().await;
    if outcome.status != Status::Success {
        report.failures.push(format!(
            "run {id}: {}: {:?}",
            outcome.status.name(),
            outcome.error.map(|error| error.message)
        ));
    }
    let pages = runtime.log().read(id, 1).await?;
    let opened = pages.iter().filter(|event| matches!(&event.kind, EventKind::CommandCompleted { .. })).count();
    report.count("actions", opened);
    Ok((id, model.requests().into_iter().map(|asked| asked.body.to_string()).collect()))
}

/// The exports of a run.
async fn exports(runtime: &Runtime, id: RunId, report: &mut ClassReport) -> Result<Vec<(String, String)>, EvalError> {
    let events = runtime.log().read(id, 1).await?;
    let failed = |error: &dyn std::error::Error| EvalError::Settings(format!("run {id} cannot be exported: {error}"));
    let record = RunRecord::fold(&events).map_err(|error| failed(&error))?;
    let page = html(&record, &BTreeMap::new()).map_err(|error| failed(&error))?;
    let export = json!(Export::new(&record, &events)).to_string();
    let mut texts = vec![("the HTML export".to_owned(), page), ("the JSON export".to_owned(), export)];
    match legwork::replay::replay_of(&events) {
        Ok(replay) => texts.push(("the replay".to_owned(), json!([replay.workflow, replay.playbook]).to_string())),
        Err(error) => report.failures.push(format!("run {id} has no replay: {error}")),
    }
    Ok(texts)
}

/// The replies of the HTTP API about the runs. A refusal contains no secret, so it is a failure of the class.
async fn replies(
    server: &Serving,
    artifacts: &[String],
    runs: &[RunId],
    report: &mut ClassReport,
) -> Result<Vec<(String, String)>, EvalError> {
    let failed = |what: &dyn std::fmt::Display| EvalError::Settings(format!("the server: {what}"));
    let Serving { origin, token, .. } = server;
    let http = legwork_testing::http().build().map_err(|error| failed(&error))?;
    let mut paths: Vec<String> =
        ["sessions", "dashboard", "memory", "settings", "templates", "schedules", "health/detailed"]
            .map(|name| format!("/api/{name}"))
            .into();
    paths.push("/metrics".to_owned());
    paths.extend(artifacts.iter().map(|hash| format!("/api/artifacts/{hash}")));
    for id in runs {
        paths.extend(["", "/history", "/screenshots"].map(|part| format!("/api/sessions/{id}{part}")));
        // A run that has ended ends its streams.
        paths.extend(["stream/sse", "stream/record"].map(|part| format!("/api/{part}/{id}")));
        paths.push(format!("/api/sessions?q={id}"));
    }
    let mut texts = Vec::new();
    for path in paths {
        let reply = http.get(format!("{origin}{path}")).bearer_auth(token).send().await;
        let mut reply = reply.map_err(|error| failed(&error))?;
        let status = reply.status();
        let mut text = Vec::new();
        // Some streams stay open for events to come.
        while let Ok(Ok(Some(piece))) = tokio::time::timeout(STREAM, reply.chunk()).await {
            text.extend_from_slice(&piece);
        }
        let text = String::from_utf8_lossy(&text).into_owned();
        // The saved state of a run is not served at all.
        let is_state = path.starts_with("/api/artifacts/") && text.contains("a saved state is not served");
        if !status.is_success() && !is_state {
            report.failures.push(format!("GET {path}: {status}"));
        }
        texts.push((format!("GET {path}"), text));
    }
    for id in runs {
        for format in ["json", "html"] {
            let request = http.post(format!("{origin}/api/sessions/{id}/export")).bearer_auth(token);
            let reply = request.header("content-type", "application/json").body(json!({"format": format}).to_string());
            let reply = reply.send().await.map_err(|error| failed(&error))?;
            if !reply.status().is_success() {
                report.failures.push(format!("the {format} export of run {id}: {}", reply.status()));
            }
            let text = reply.text().await.map_err(|error| failed(&error))?;
            texts.push((format!("the {format} export of the API"), text));
        }
    }
    Ok(texts)
}

/// All files of the data folder: the journal, the artifacts, the index of full texts.
fn files(folder: &Path, texts: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, texts);
        } else if let Ok(content) = std::fs::read(&path) {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            texts.push((format!("the file {name}"), String::from_utf8_lossy(&content).into_owned()));
        }
    }
}

/// The scanner must find each secret in each encoding in a text of the run.
fn planted(canaries: &[Canary], scanner: &Scanner, texts: &[(String, String)], report: &mut ClassReport) {
    // One text is enough: what surrounds a secret is the same everywhere.
    let text = texts.iter().map(|(_, text)| text).find(|text| text.len() > 1_000).cloned().unwrap_or_default();
    let middle = (text.len() / 2..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let (before, after) = text.split_at(middle);
    let (before, after): (String, String) =
        (before.chars().rev().take(500).collect(), after.chars().take(500).collect());
    let mut missed = 0;
    for (number, canary) in canaries.iter().enumerate() {
        for encoding in ENCODINGS {
            let planted = format!("{before} {} {after}", (encoding.encode)(&canary.value));
            if !scanner.found(&planted).iter().any(|(secret, _)| *secret == number) {
                missed += 1;
                report.failures.push(format!("the scanner does not find {} ({})", canary.name, encoding.name));
            }
        }
    }
    report.count("planted canaries found", canaries.len() * ENCODINGS.len() - missed);
}
