//! Compares the reported result of each case with the state that the site recorded, in a real browser.

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

/// A possible action is executed by a literal step, by a step with a check, and by a model. The site records it each
/// time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn genuine_cases_take_effect_and_are_reported_as_successes() {
    let report = run(&["--case", "login/form-401/genuine", "--case", "field/read-only/genuine"]).await;
    for case in &report.cases {
        assert!(case.happened && case.verdict == CaseVerdict::Right, "{case:#?}");
    }
    assert_eq!(report.total.cases, report.total.genuine);
    assert!(report.holds(), "{}", report.text());
}

/// In the failing variant the site refuses the action, and a reported failure is correct.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failing_cases_have_no_effect_and_are_reported_as_failures() {
    let report =
        run(&["--case", "click/disabled/failing/literal-1", "--case", "check/value-longer/failing/literal-1"]).await;
    assert_eq!(report.total.cases, 2);
    for case in &report.cases {
        assert!(!case.happened && case.verdict == CaseVerdict::Right, "{case:#?}");
    }
    assert!(report.text().contains("2 cases (0 genuine) over 2 behaviours"), "{}", report.text());
}
