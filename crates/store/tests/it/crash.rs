//! kill -9 of a process that appends: all confirmed events are in the log, without gaps.

use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

use legwork_protocol::RunId;
use legwork_store::{LeaseError, RunLog, SqliteLog};

use crate::support::{message, warning};

const DATABASE: &str = "LEGWORK_TEST_DATABASE";
const RUN: &str = "LEGWORK_TEST_RUN";

/// The process that is killed. Not a test by itself; it does nothing unless the test below starts it.
#[tokio::test]
async fn child_appends_until_killed() {
    let (Ok(path), Ok(run)) = (std::env::var(DATABASE), std::env::var(RUN)) else { return };
    let run: RunId = run.parse().expect("an id");
    let log = SqliteLog::open(path).expect("opens");
    let _lease = log.lease(run).await.expect("the last one is dead");
    let mut at = log.run(run).await.expect("reads").map_or(0, |found| found.last_seq);
    loop {
        let batch = (at + 1..=at + 3).map(|n| warning(n.to_string())).collect();
        at = log.append(run, at, batch).await.expect("appends").last().expect("not empty").seq;
        println!("confirmed {at}");
    }
}

#[tokio::test]
async fn kill_9_leaves_what_was_confirmed_without_gaps() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("runs.db");
    let run = RunId::new();
    let mut confirmed = 0;
    for round in 1_u64..=8 {
        let mut child = Command::new(std::env::current_exe().expect("this binary"))
            .args(["--exact", "crash::child_appends_until_killed", "--nocapture"])
            .env(DATABASE, &path)
            .env(RUN, run.to_string())
            .stdout(Stdio::piped())
            .spawn()
            .expect("starts");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let goal = confirmed + 30 * round;
        // The pipe stays open, so that the kill ends the child in the middle of its work.
        for line in lines.by_ref().map_while(Result::ok) {
            let Some(seq) = line.strip_prefix("confirmed ").and_then(|seq| seq.parse::<u64>().ok()) else { continue };
            confirmed = seq;
            if seq >= goal {
                break;
            }
        }
        assert!(confirmed >= goal, "the child died by itself at {confirmed}");

        let log = SqliteLog::open(&path).expect("opens beside the living");
        assert!(matches!(log.lease(run).await, Err(LeaseError::Held { .. })));
        child.kill().expect("killed");
        child.wait().expect("dead");
        drop(lines);

        let events = log.read(run, 1).await.expect("reads");
        assert!(events.len() as u64 >= confirmed);
        for (event, seq) in events.iter().zip(1_u64..) {
            assert_eq!((event.seq, message(event)), (seq, seq.to_string().as_str()));
        }
        let summary = log.run(run).await.expect("reads").expect("is there");
        assert_eq!(summary.last_seq, events.len() as u64);
        assert!(summary.interrupted());
    }
}
