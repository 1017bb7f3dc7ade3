//! Concurrent use: appenders that race for the same run, and viewers that all see the same events.

use std::sync::Arc;

use legwork_protocol::RunId;
use legwork_store::{AppendError, RunLog, SqliteLog};
use proptest::prelude::*;

use crate::support::{message, warning};

/// Each appender tries its batches and continues from the number in a conflict; those with `give_up` stop at the
/// first conflict.
async fn race(logs: &[SqliteLog], appenders: &[(Vec<usize>, bool)]) -> Result<(), TestCaseError> {
    let run = RunId::new();
    let tasks: Vec<_> = appenders
        .iter()
        .cloned()
        .enumerate()
        .map(|(who, (batches, give_up))| {
            let log = logs[who % logs.len()].clone();
            tokio::spawn(async move {
                let (mut at, mut mine) = (0, Vec::new());
                for (batch, size) in batches.into_iter().enumerate() {
                    loop {
                        let events = (0..size).map(|n| warning(format!("{who}-{batch}-{n}"))).collect();
                        match log.append(run, at, events).await {
                            Ok(made) => {
                                at += made.len() as u64;
                                mine.extend(made);
                                break;
                            }
                            Err(AppendError::Conflict { .. }) if give_up => return mine,
                            Err(AppendError::Conflict { found, .. }) => at = found,
                            Err(error) => panic!("{error}"),
                        }
                    }
                }
                mine
            })
        })
        .collect();
    let mut confirmed = Vec::new();
    for task in tasks {
        confirmed.extend(task.await.expect("no appender dies"));
    }
    confirmed.sort_by_key(|event| event.seq);
    let stored = logs[0].read(run, 1).await.expect("reads");
    // The log contains exactly the confirmed events, numbered 1..n.
    prop_assert_eq!(&stored, &confirmed);
    prop_assert!(stored.iter().map(|event| event.seq).eq(1..=stored.len() as u64));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn racing_appenders_leave_one_numbered_log(
        appenders in prop::collection::vec((prop::collection::vec(1_usize..4, 1..5), any::<bool>()), 2..6)
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().expect("starts");
        runtime.block_on(async {
            let open = || SqliteLog::open(folder.path().join("runs.db")).expect("opens");
            race(&[open(), open()], &appenders).await
        })?;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_viewers_see_every_event_in_order() {
    const EVENTS: u64 = 2000;
    let folder = tempfile::tempdir().expect("a folder");
    let log = Arc::new(SqliteLog::open(folder.path().join("runs.db")).expect("opens"));
    let run = RunId::new();
    let mut viewers = Vec::new();
    let mut written = 0;
    while written < EVENTS {
        // The viewers start at different times, and far more is written between two reads than the live channel
        // holds.
        if viewers.len() < 50 {
            let mut follower = log.follow(run, 1);
            viewers.push(tokio::spawn(async move {
                for seq in 1..=EVENTS {
                    let event = follower.next().await.expect("follows");
                    assert_eq!((event.seq, message(&event)), (seq, seq.to_string().as_str()));
                    if seq % 97 == 0 {
                        tokio::task::yield_now().await;
                    }
                }
            }));
        }
        let batch = (written + 1..=written + 40).map(|n| warning(n.to_string())).collect();
        written = log.append(run, written, batch).await.expect("appends").last().expect("not empty").seq;
    }
    assert_eq!(viewers.len(), 50);
    for viewer in viewers {
        viewer.await.expect("saw everything");
    }
}

#[tokio::test]
async fn a_lagging_viewer_gets_every_event() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = SqliteLog::open(folder.path().join("runs.db")).expect("opens");
    let run = RunId::new();
    let mut follower = log.follow(run, 1);
    log.append(run, 0, vec![warning("1")]).await.expect("appends");
    assert_eq!(follower.next().await.expect("follows").seq, 1);
    for at in 1..1000 {
        log.append(run, at, vec![warning("more")]).await.expect("appends");
    }
    for seq in 2..=1000 {
        assert_eq!(follower.next().await.expect("follows").seq, seq);
    }
}
