//! The truth about an action is read from the site, and the report of a run is compared with it, in a real browser.

use clap::Parser;
use legwork_evals::truth::{
    plan::TruthPlan,
    report::{CaseVerdict, TruthReport},
    truth,
};

async fn run(arguments: &[&str]) -> TruthReport {
    let data = tempfile::tempdir().unwrap();
    let data_dir = format!("data_dir={}", data.path().display());
    truth(&TruthPlan::parse_from([&["truth", "--set", &data_dir], arguments].concat())).await.unwrap()
}

/// By words, with a check, and by a model: a possible action is executed, and the site's record shows it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn genuine_cases_happen_and_are_reported() {
    let report = run(&["--case", "login/form-401/genuine", "--case", "field/read-only/genuine"]).await;
    for case in &report.cases {
        assert!(case.happened && case.verdict == CaseVerdict::Right, "{case:#?}");
    }
    assert_eq!(report.total.cases, report.total.genuine);
    assert!(report.holds(), "{}", report.text());
}

/// In the failing variant the site refuses the action, and a reported failure is correct.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failing_cases_do_not_happen() {
    let report =
        run(&["--case", "click/disabled/failing/literal-1", "--case", "check/value-longer/failing/literal-1"]).await;
    assert_eq!(report.total.cases, 2);
    for case in &report.cases {
        assert!(!case.happened && case.verdict == CaseVerdict::Right, "{case:#?}");
    }
    assert!(report.text().contains("2 cases (0 genuine) over 2 behaviours"), "{}", report.text());
}
