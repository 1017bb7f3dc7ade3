//! A small evaluation from the command line to the report, in a real browser: one task that literal steps solve, and
//! one that needs a policy.

#![expect(clippy::unwrap_used, reason = "a test that cannot continue must stop")]

mod attack;
mod mutate;
mod truth;

use clap::Parser;
use legwork_evals::{evaluate, plan::EvalPlan, report::Report};

async fn run(arguments: &[&str]) -> Report {
    let data = tempfile::tempdir().unwrap();
    let data_dir = format!("data_dir={}", data.path().display());
    let report = evaluate(&EvalPlan::parse_from([&["eval", "--set", &data_dir], arguments].concat())).await.unwrap();
    for episode in &report.episodes {
        assert!(episode.spent.seconds > 0.0 && !episode.asked.is_empty(), "{episode:?}");
    }
    report
}

fn solved(report: &Report) -> Vec<(&str, usize, usize)> {
    report.tasks.iter().map(|score| (score.task.as_str(), score.solved.successes, score.solved.tries)).collect()
}

const MINIWOB: [&str; 6] = ["--task", "click-test-2", "--task", "enter-text-2", "--seeds", "1"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn miniwob_episodes_are_judged_by_the_reward_of_the_page() {
    let literal = run(&MINIWOB).await;
    assert_eq!(solved(&literal), [("click-test-2", 1, 1), ("enter-text-2", 1, 1)], "{literal:#?}");
    assert_eq!(literal.total.mean.calls, 0.0);
    assert_eq!(literal.episodes[0].judged, "reward 1");

    let scripted = run(&[&MINIWOB[..], &["--decider", "scripted"]].concat()).await;
    assert_eq!(solved(&scripted), [("click-test-2", 1, 1), ("enter-text-2", 1, 1)], "{scripted:#?}");
    let text = &scripted.tasks[1];
    // Type, press, report the end.
    assert_eq!((text.mean.actions, text.mean.calls, text.false_claims), (3.0, 3.0, 0), "{scripted:#?}");
    assert!(text.mean.prompt_tokens > 600.0 && text.mean.cached_tokens > 300.0, "{text:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn demo_episodes_are_judged_by_the_ledger() {
    for decider in ["literal", "scripted"] {
        let report = run(&["--suite", "demo", "--task", "3-time-zone", "--seeds", "0-1", "--decider", decider]).await;
        assert_eq!(solved(&report), [("3-time-zone", 2, 2)], "{report:#?}");
        // The seed varies the task.
        assert_ne!(report.episodes[0].asked, report.episodes[1].asked);
    }
}
