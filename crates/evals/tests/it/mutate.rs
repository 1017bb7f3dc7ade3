//! Replays playbooks on changed pages in a real browser.

use clap::Parser;
use legwork_evals::mutate::{MutationVerdict, mutate, plan::MutationPlan};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn playbooks_are_replayed_on_changed_pages_or_refused() {
    let data = tempfile::tempdir().unwrap();
    let data_dir = format!("data_dir={}", data.path().display());
    let plan = ["mutate", "--set", &data_dir, "--seeds", "1", "--scenario", "orders", "--scenario", "settings"];
    let kinds = ["rebuild", "row-above", "shift", "removed", "other-function"].map(|kind| ["--kind", kind]);
    let report = mutate(&MutationPlan::parse_from([&plan[..], kinds.as_flattened()].concat())).await.unwrap();
    assert!(report.holds(), "{}", report.text());
    let count = |verdict| report.results.iter().filter(|result| result.verdict == verdict).count();
    assert_eq!((count(MutationVerdict::Replayed), count(MutationVerdict::Refused)), (6, 4), "{}", report.text());
}
