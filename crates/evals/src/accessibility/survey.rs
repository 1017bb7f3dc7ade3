//! Opens each page, observes it, and asks the judge about the same elements.

use std::{sync::Arc, time::Duration};

use legwork::{
    observe::Snapshot,
    protocol::{Action, Open, Target, Wait},
};
use legwork_browser::{Browser, Engine, Session, SessionOptions};
use tokio_util::sync::CancellationToken;

use super::{
    judge::{ComputedName, DebuggedBrowser},
    plan::AccessibilityPlan,
    report::{AccessibilityReport, NameCase, PageAgreement},
};
use crate::{
    EvalError,
    perception::{PAGES, packages::packages, server::PageServer},
};

/// The name of the page with the cases of the W3C.
const CASES: &str = "w3c";
const CASES_PAGE: &[(&str, &str)] = &[(CASES, include_str!("w3c.html"))];

/// How long widgets that are drawn after the page has loaded may take, in seconds. Some are drawn in several steps, and
/// nothing on the page states when they are complete.
const DRAWN_WITHIN: f64 = 2.0;

/// Compares the pages of the plan.
///
/// # Errors
/// If the packages cannot be installed, or the browser does not start or answer.
pub async fn survey(plan: &AccessibilityPlan) -> Result<AccessibilityReport, EvalError> {
    let is_known = |name: &String| name == CASES || PAGES.iter().any(|(page, _)| page == name);
    if let Some(unknown) = plan.pages.iter().find(|name| !is_known(name)) {
        return Err(EvalError::NoSuchTask { suite: "accessibility", task: unknown.clone() });
    }
    let is_wanted = |name: &str| plan.pages.is_empty() || plan.pages.iter().any(|page| page == name);
    let folder = packages().await?;
    let served = |what: std::io::Error| EvalError::io("the server of the pages")(what);
    let server = PageServer::start(PAGES, folder.clone()).await.map_err(served)?;
    let cases = PageServer::start(CASES_PAGE, folder).await.map_err(served)?;
    let debugged = DebuggedBrowser::start().await?;
    let browser = Browser::connect(Engine::Chromium, &debugged.address).await?;
    let session = browser.session(SessionOptions::new(std::env::temp_dir().join("legwork-evals"))).await?;
    let mut report = AccessibilityReport::default();
    for (page, _) in PAGES.iter().filter(|(page, _)| is_wanted(page)) {
        report.pages.push(page_agreement(&session, &debugged, page, &server.url(page)).await?);
    }
    if is_wanted(CASES) {
        report.pages.push(cases_agreement(&session, &debugged, &cases.url(CASES)).await?);
    }
    session.close().await?;
    browser.close().await;
    Ok(report)
}

/// Opens a page, and waits for what is drawn after it has loaded.
async fn open(session: &Session, url: &str, drawn_within: f64) -> Result<Arc<Snapshot>, EvalError> {
    let visited = async {
        let actions = [
            Action::Open(Open { url: url.to_owned() }),
            Action::Wait(Wait { seconds: Some(drawn_within), ..Wait::default() }),
        ];
        for action in actions {
            let result = session.act(&action, &CancellationToken::new()).await;
            result.failure.map_or(Ok(()), Err)?;
        }
        session.observe(Some(Duration::ZERO)).await
    };
    visited.await.map_err(|failure| EvalError::Visit(url.to_owned(), failure))
}

/// Compares all elements of a page that have a ref.
async fn page_agreement(
    session: &Session,
    browser: &DebuggedBrowser,
    page: &'static str,
    url: &str,
) -> Result<PageAgreement, EvalError> {
    let snapshot = open(session, url, DRAWN_WITHIN).await?;
    let mut judge = browser.judge(url).await?;
    let mut agreement = PageAgreement::new(page);
    for node in &snapshot.nodes {
        let Some(reference) = node.reference else { continue };
        // An element that has disappeared since has no name either.
        let noted =
            session.evaluate("element => { window.top.compared = element; }", Some(&Target::from(reference))).await;
        let computed = if noted.is_ok() { judge.computed("window.compared").await? } else { None };
        let seen = ComputedName { role: node.role.to_string(), name: node.name.to_string() };
        agreement.compare(&reference.to_string(), &seen, computed.as_ref());
    }
    Ok(agreement)
}

/// Compares the element of each case of the W3C. It needs no ref: the page has no other content.
async fn cases_agreement(session: &Session, browser: &DebuggedBrowser, url: &str) -> Result<PageAgreement, EvalError> {
    let mut agreement = PageAgreement::new(CASES);
    let mut number = 0;
    loop {
        let case = format!("{url}?case={number}");
        let snapshot = open(session, &case, 0.0).await?;
        let stated = session.evaluate(&format!("exports.WPT_TEST_CASES[{number}]"), None).await;
        let stated = stated.map_err(|failure| EvalError::Visit(case.clone(), failure))?;
        // Behind the last one there is none.
        let Ok(stated) = serde_json::from_value::<NameCase>(stated) else { break };
        let mut judge = browser.judge(&case).await?;
        let computed = judge.computed("document.getElementById('test')").await?;
        let seen: Vec<ComputedName> = snapshot
            .nodes
            .iter()
            .map(|node| ComputedName { role: node.role.to_string(), name: node.name.to_string() })
            .collect();
        agreement.compare_case(&stated, &seen, computed.as_ref());
        number += 1;
    }
    Ok(agreement)
}
