//! Opens each page, observes it, and compares the observation with what the page can do.

use std::{collections::BTreeMap, time::Duration};

use legwork::{
    observe::full_text,
    protocol::{Action, ActionFailure, Open, Ref, Target, Wait},
};
use legwork_browser::{Browser, LaunchOptions, Session, SessionOptions};
use tokio_util::sync::CancellationToken;

use super::{
    PAGES,
    packages::packages,
    plan::PerceptionPlan,
    report::{OperableElement, PageResult, PerceptionReport},
    server::PageServer,
};
use crate::EvalError;

/// How long widgets that are drawn after the page has loaded may take.
const DRAWN_WITHIN: f64 = 2.0;

/// Surveys the pages of the plan.
///
/// # Errors
/// If the packages cannot be installed, or the browser does not start.
pub async fn survey(plan: &PerceptionPlan) -> Result<PerceptionReport, EvalError> {
    if let Some(unknown) = plan.pages.iter().find(|name| !PAGES.iter().any(|(page, _)| page == name)) {
        return Err(EvalError::NoSuchTask { suite: "perception", task: unknown.clone() });
    }
    let server = PageServer::start(PAGES, packages().await?).await.map_err(EvalError::io("the server of the pages"))?;
    let executable = std::env::var_os("LEGWORK_BROWSER_PATH").map(Into::into);
    let browser = Browser::launch(LaunchOptions { executable, ..LaunchOptions::default() }).await?;
    let mut report = PerceptionReport { pages: Vec::new(), unopened: BTreeMap::new() };
    for (page, _) in PAGES {
        if !plan.pages.is_empty() && !plan.pages.iter().any(|name| name == page) {
            continue;
        }
        let session = browser.session(SessionOptions::new(std::env::temp_dir().join("legwork-evals"))).await?;
        match survey_page(&session, page, &server.url(page), plan.print).await {
            Ok(result) => report.pages.push(result),
            Err(failure) => {
                report.unopened.insert(page, failure.to_string());
            }
        }
        session.close().await?;
    }
    browser.close().await;
    Ok(report)
}

async fn survey_page(
    session: &Session,
    page: &'static str,
    url: &str,
    print: bool,
) -> Result<PageResult, ActionFailure> {
    let act = async |action: Action| {
        let result = session.act(&action, &CancellationToken::new()).await;
        result.failure.map_or(Ok(()), Err)
    };
    act(Action::Open(Open { url: url.to_owned() })).await?;
    // Some widgets are drawn in several steps, and nothing on the page says when they are complete.
    act(Action::Wait(Wait { seconds: Some(DRAWN_WITHIN), ..Wait::default() })).await?;
    let snapshot = session.observe(Some(Duration::ZERO)).await?;
    if print {
        let lines = snapshot.nodes.iter().map(|node| {
            let reference = node.reference.map(|reference| format!(" [{reference}]")).unwrap_or_default();
            format!("{} {:?}{reference}", node.role, node.name)
        });
        println!("## {page}\n{}\n", lines.collect::<Vec<_>>().join("\n"));
    }
    let printed = full_text(&snapshot, usize::MAX);
    let references = printed_refs(&printed);
    for reference in &references {
        let note = "element => { window.top.perceptionProbe.seen.add(element); return true; }";
        // An element that has disappeared since cannot be operated either.
        let _ = session.evaluate(note, Some(&Target::from(*reference))).await;
    }
    let surveyed = session.evaluate("perceptionProbe.survey()", None).await?;
    let mut elements: Vec<OperableElement> =
        serde_json::from_value(surveyed).map_err(|error| ActionFailure::ScriptFailed { reason: error.to_string() })?;
    for element in &mut elements {
        let shown =
            element.texts.iter().filter(|(text, _)| snapshot.nodes.iter().any(|node| node.name.contains(*text)));
        element.mentioned = shown.map(|(_, points)| points).sum();
    }
    if elements.is_empty() {
        return Err(ActionFailure::ScriptFailed { reason: "nothing on the page can be operated".to_owned() });
    }
    Ok(PageResult { page, refs: references.len(), elements })
}

/// The refs that an observation prints before any budget. An element of the snapshot whose ref is not printed cannot be
/// named by a reader.
fn printed_refs(printed: &str) -> Vec<Ref> {
    printed.split("[ref=").skip(1).filter_map(|part| Ref::parse(part.split(']').next()?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_refs_that_are_printed_count() {
        assert_eq!(
            printed_refs("- button \"Save\" [ref=e3]\n- option \"A\" [ref=e12] [selected]\n"),
            [Ref(3), Ref(12)]
        );
        assert!(printed_refs("- listitem: e5 and [ref=\n").is_empty());
    }
}
