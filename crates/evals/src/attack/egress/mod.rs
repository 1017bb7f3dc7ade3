//! Pages that try to connect to forbidden hosts in every way that a browser has, from the page itself, frames, popups
//! and workers. Each way has a port of its own, so that a connection names the way that made it.

use std::collections::BTreeMap;

use legwork::{
    Runtime,
    page::{Page, PageRequest},
    protocol::{Action, Click, Open, Tab, Target, Wait},
};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{listener::Listener, plan::AttackPlan, report::ClassReport, scene::settings, site::Site};
use crate::EvalError;

const VECTORS: &str = include_str!("vectors.js");
const PAGE: &str = include_str!("page.html");
const SERVICE_WORKER: &str = "
    globalThis.HOME = location.origin;
    importScripts('/vectors.js');
    addEventListener('install', () => skipWaiting());
    addEventListener('activate', event => event.waitUntil(clients.claim()));
    addEventListener('message', event => event.waitUntil(attempt(...event.data).then(() => event.ports[0].postMessage(1))));";
/// A service worker whose import is elsewhere; the address is in its query.
const IMPORT_WORKER: &str = "importScripts(decodeURIComponent(location.search.slice(1)) + '.js');";

/// Ways that are tried together on one page.
const TOGETHER: usize = 24;
/// Where a way is tried, and whether ways that need a document are possible there.
const CONTEXTS: &[(&str, bool)] = &[
    ("page", true),
    ("frame", true),
    ("sandbox", true),
    ("popup", true),
    ("worker", false),
    ("shared", false),
    ("service", false),
];

/// A page to try: a context, the scope of its ways in `vectors.js`, and their names.
struct Batch {
    context: &'static str,
    scope: &'static str,
    names: Vec<&'static str>,
}

/// The names of the ways of a section of `vectors.js`, such as `anywhere`.
fn section(name: &str) -> Vec<&'static str> {
    let begin = format!("const {name} = {{");
    let lines = VECTORS.lines().skip_while(move |line| !line.starts_with(&begin)).skip(1);
    lines
        .take_while(|line| !line.starts_with('}'))
        .filter_map(|line| line.trim().strip_prefix('\'')?.split('\'').next())
        .collect()
}

/// The names of all ways.
pub(super) fn names() -> Vec<String> {
    ["anywhere", "documents", "leaving"].iter().flat_map(|name| section(name)).map(str::to_owned).collect()
}

fn batches(plan: &AttackPlan) -> Vec<Batch> {
    let wanted = |names: Vec<&'static str>| names.into_iter().filter(|name| plan.wants(name)).collect::<Vec<_>>();
    let anywhere = wanted(section("anywhere"));
    let documents = wanted([section("anywhere"), section("documents")].concat());
    let mut batches = Vec::new();
    for (context, has_document) in CONTEXTS {
        if plan.short && matches!(*context, "sandbox" | "popup" | "shared") {
            continue;
        }
        let (scope, names) = if *has_document { ("documents", &documents) } else { ("anywhere", &anywhere) };
        for names in names.chunks(TOGETHER) {
            batches.push(Batch { context, scope, names: names.to_vec() });
        }
    }
    let leaving = wanted(section("leaving"));
    let leaving = leaving.into_iter().take(if plan.short { 3 } else { usize::MAX });
    batches.extend(leaving.map(|name| Batch { context: "page", scope: "leaving", names: vec![name] }));
    batches
}

/// Carries out the class.
pub(super) async fn attack(plan: &AttackPlan, report: &mut ClassReport) -> Result<(), EvalError> {
    let site = Site::start().await.map_err(EvalError::io("the site"))?;
    site.page("/egress", PAGE);
    site.put("/vectors.js", "text/javascript", VECTORS);
    site.put("/service-worker.js", "text/javascript", SERVICE_WORKER);
    site.put("/import-worker.js", "text/javascript", IMPORT_WORKER);
    site.page("/ended", "<!doctype html><title>Ended</title><p id=end>all tried</p>");
    let mut listeners = BTreeMap::new();
    for name in names() {
        listeners.insert(name, Listener::start().await.map_err(EvalError::io("a listener"))?);
    }
    let ports: BTreeMap<&str, u16> = listeners.iter().map(|(name, listener)| (name.as_str(), listener.port)).collect();
    let rules = [("allowed_domains", site.origin.replace("http://", ""))];
    let rules: &[_] = if plan.ablate { &[] } else { &rules };
    let runtime = std::sync::Arc::new(Runtime::open(settings(plan, "egress", rules)?).await?);
    let mut effective = std::collections::BTreeSet::new();
    for batch in batches(plan) {
        let page = runtime.open_page(PageRequest::default()).await?;
        let tried = try_batch(&page, &batch, &site, &ports).await;
        // What a page leaves behind, such as a request that outlives it, ends with its context.
        let _ = page.close().await;
        report.attempts += batch.names.len();
        if let Err(why) = tried {
            report.failures.push(format!("{} {}: {why}", batch.context, batch.names.join(" ")));
        }
        for (name, listener) in &listeners {
            for contact in listener.take() {
                effective.insert(name.clone());
                report.breaches.push(format!("{name} in {}: {contact}", batch.context));
            }
        }
    }
    runtime.close().await;
    report.count("ways", names().iter().filter(|name| plan.wants(name)).count());
    report.count("ways that connected", effective.len());
    if plan.ablate {
        eprintln!("ways that connect without rules: {}", effective.into_iter().collect::<Vec<_>>().join(" "));
    }
    Ok(())
}

/// Opens the page of a batch and waits until it has tried everything.
async fn try_batch(page: &Page, batch: &Batch, site: &Site, ports: &BTreeMap<&str, u16>) -> Result<(), String> {
    let never = CancellationToken::new();
    let ports: BTreeMap<&str, u16> = batch.names.iter().map(|name| (*name, ports[name])).collect();
    let words = json!({"context": batch.context, "scope": batch.scope, "names": batch.names, "ports": ports});
    let fragment: String = url::form_urlencoded::byte_serialize(words.to_string().as_bytes()).collect();
    let url = format!("{}/egress#{}", site.origin, fragment.replace('+', "%20"));
    let opened = page.act(&Action::Open(Open { url }), &never).await;
    if let Some(failure) = opened.failure {
        return Err(failure.to_string());
    }
    // A click, so that popups are allowed. It fails if the page then leaves for a forbidden address; what counts is
    // whether everything was tried.
    let clicked = page.act(&Action::Click(Click::on(Target("#start".to_owned()))), &never).await;
    if batch.scope == "leaving" {
        // The page itself may be gone; the way had its effect, if it has one, when the action has settled.
        return Ok(());
    }
    // Popups must not hide the page that tells when everything was tried.
    let first = page.act(&Action::Tab(Tab::Switch { to: "1".to_owned() }), &never).await;
    let wait = Wait { text: Some("all tried".to_owned()), seconds: Some(20.0), ..Wait::default() };
    let waited = page.act(&Action::Wait(wait), &never).await;
    match waited.failure {
        Some(failure) => Err(format!("{failure} (click: {:?}, tab: {:?})", clicked.failure, first.failure)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn there_are_enough_ways_and_each_has_a_name_of_its_own() {
        let names = names();
        assert!(names.len() >= 120, "{}", names.len());
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }
}
