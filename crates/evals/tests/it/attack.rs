//! The attacks in a real browser: what the rules forbid does not happen, and each class notices that its defence is
//! missing.

use clap::Parser;
use legwork_evals::attack::{
    attack,
    plan::AttackPlan,
    report::{AttackReport, ClassReport},
};

async fn run(arguments: &[&str]) -> AttackReport {
    let data = tempfile::tempdir().unwrap();
    let data_dir = format!("data_dir={}", data.path().display());
    attack(&AttackPlan::parse_from([&["attack", "--set", &data_dir], arguments].concat())).await.unwrap()
}

async fn only(arguments: &[&str]) -> ClassReport {
    run(&[&["--short"], arguments].concat()).await.classes.pop().unwrap()
}

/// One attempt of each class, with the defence and without it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_class_notices_that_its_defence_is_missing() {
    for class in [
        ["--class", "planner", "--only", "open-plain"],
        ["--class", "planner", "--only", "limit-actions"],
        ["--class", "egress", "--only", "fetch-post"],
        ["--class", "pages", "--only", "leaving-1"],
        ["--class", "canaries", "--only", "plain"],
        ["--class", "hosts", "--only", "http GET /api/me"],
    ] {
        let held = only(&class).await;
        assert!(held.attempts > 0 && held.breaches.is_empty() && held.holds(), "{held:#?}");
        let open = only(&[&class[..], &["--ablate"]].concat()).await;
        assert!(!open.breaches.is_empty() && open.holds(), "{open:#?}");
    }
}
