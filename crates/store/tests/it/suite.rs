//! Requirements for every implementation of `RunLog`. Add a new implementation to `backends`.

use std::{future::Future, sync::Arc};

use async_trait::async_trait;
use jiff::{Timestamp, ToSpan};
use legwork_protocol::{Artifact, Event, EventKind, Question, RunId, SessionState, Status, Usage};
use legwork_store::{
    AppendError, Follower, IllegalTransition, Lease, LeaseError, NewEvent, RunFilter, RunLog, RunMatch, RunPage,
    RunQuery, RunState, RunStats, RunSummary, SqliteLog, StoreError, short_id,
};

use crate::support::{call, failed, message, parked, started, step_done, warning};

/// Two handles of one file, like those of two processes: one appends, the other does everything else.
struct Pair {
    writes: SqliteLog,
    reads: SqliteLog,
}

#[async_trait]
impl RunLog for Pair {
    async fn append(&self, run: RunId, expected_seq: u64, events: Vec<NewEvent>) -> Result<Vec<Event>, AppendError> {
        self.writes.append(run, expected_seq, events).await
    }
    async fn page(&self, run: RunId, from: u64, limit: usize) -> Result<Vec<Event>, StoreError> {
        self.reads.page(run, from, limit).await
    }
    fn follow(&self, run: RunId, from: u64) -> Follower {
        self.reads.follow(run, from)
    }
    async fn runs(&self, query: RunQuery) -> Result<Vec<RunSummary>, StoreError> {
        self.reads.runs(query).await
    }
    async fn list(&self, listing: RunFilter) -> Result<RunPage, StoreError> {
        self.reads.list(listing).await
    }
    async fn stats(&self, since: &str) -> Result<RunStats, StoreError> {
        self.reads.stats(since).await
    }
    async fn run(&self, run: RunId) -> Result<Option<RunSummary>, StoreError> {
        self.reads.run(run).await
    }
    async fn find_run(&self, text: &str) -> Result<RunMatch, StoreError> {
        self.reads.find_run(text).await
    }
    async fn lease(&self, run: RunId) -> Result<Lease, LeaseError> {
        self.reads.lease(run).await
    }
    async fn artifacts(&self) -> Result<Vec<String>, StoreError> {
        self.reads.artifacts().await
    }
    async fn delete(&self, run: RunId) -> Result<bool, StoreError> {
        self.reads.delete(run).await
    }
    async fn prune(&self, before: Timestamp) -> Result<Vec<RunId>, StoreError> {
        self.reads.prune(before).await
    }
}

async fn on_every_backend<F: Future<Output = ()>>(test: impl Fn(Arc<dyn RunLog>) -> F) {
    let folder = tempfile::tempdir().expect("a folder");
    let open = |name: &str| SqliteLog::open(folder.path().join(name)).expect("opens");
    test(Arc::new(open("one.db"))).await;
    test(Arc::new(Pair { writes: open("two.db"), reads: open("two.db") })).await;
}

fn seqs(events: &[Event]) -> Vec<u64> {
    events.iter().map(|event| event.seq).collect()
}

#[tokio::test]
async fn appended_events_are_numbered_and_read_back_unchanged() {
    on_every_backend(|log| async move {
        let run = RunId::new();
        let first = log.append(run, 0, vec![started("Buy", 2), warning("a")]).await.expect("appends");
        let second = log.append(run, 2, vec![warning("b")]).await.expect("appends");
        assert_eq!((seqs(&first), seqs(&second)), (vec![1, 2], vec![3]));

        let all = log.read(run, 0).await.expect("reads");
        assert_eq!(all, [first, second].concat());
        assert_eq!(seqs(&log.read(run, 3).await.expect("reads")), [3]);
        assert_eq!(seqs(&log.page(run, 1, 2).await.expect("reads")), [1, 2]);
        assert_eq!(log.read(RunId::new(), 1).await.expect("reads"), []);
    })
    .await;
}

#[tokio::test]
async fn append_with_an_outdated_sequence_number_is_a_conflict() {
    on_every_backend(|log| async move {
        let run = RunId::new();
        log.append(run, 0, vec![started("Buy", 1), warning("a")]).await.expect("appends");
        for expected in [0, 1, 3] {
            match log.append(run, expected, vec![warning("late")]).await {
                Err(AppendError::Conflict { found: 2, expected: told, .. }) if told == expected => {}
                other => panic!("{other:?}"),
            }
        }
        assert!(matches!(
            log.append(RunId::new(), 4, vec![warning("no such run")]).await,
            Err(AppendError::Conflict { found: 0, .. })
        ));
        assert_eq!(log.read(run, 1).await.expect("reads").len(), 2);
    })
    .await;
}

#[tokio::test]
async fn a_long_run_is_read_and_followed_across_pages() {
    on_every_backend(|log| async move {
        let run = RunId::new();
        log.append(run, 0, (1..=1200).map(|n| warning(n.to_string())).collect()).await.expect("appends");
        assert_eq!(log.read(run, 1).await.expect("reads").len(), 1200);
        let mut follower = log.follow(run, 7);
        for seq in 7..=1200 {
            assert_eq!(follower.next().await.expect("follows").seq, seq);
        }
    })
    .await;
}

#[tokio::test]
async fn a_follower_receives_stored_and_new_events_without_gaps() {
    on_every_backend(|log| async move {
        let run = RunId::new();
        let mut before_it_began = log.follow(run, 1);
        log.append(run, 0, vec![warning("1")]).await.expect("appends");
        let mut late = log.follow(run, 2);
        log.append(run, 1, vec![warning("2"), warning("3")]).await.expect("appends");
        for n in ["1", "2", "3"] {
            assert_eq!(message(&before_it_began.next().await.expect("follows")), n);
        }
        for n in ["2", "3"] {
            assert_eq!(message(&late.next().await.expect("follows")), n);
        }
    })
    .await;
}

#[tokio::test]
async fn the_stored_summary_equals_the_fold_of_the_events() {
    on_every_backend(|log| async move {
        let run = RunId::new();
        let usage =
            Usage { calls: 1, prompt_tokens: 900, completion_tokens: 20, cost_usd: Some(0.5), ..Usage::default() };
        log.append(run, 0, vec![started("Buy", 3), step_done(0), call(usage)]).await.expect("appends");
        log.append(run, 3, vec![call(usage), step_done(1), failed(Status::Failure, "no such button")])
            .await
            .expect("appends");

        let found = log.run(run).await.expect("reads").expect("is there");
        let events = log.read(run, 1).await.expect("reads");
        let mut folded = RunSummary::new(run, events[0].time);
        events.iter().for_each(|event| folded.apply(event));
        assert_eq!(found, folded);
        assert_eq!((found.name.as_str(), found.steps_done, found.steps_total), ("Buy", 2, 3));
        assert_eq!((found.usage.calls, found.usage.cost_usd), (2, Some(1.0)));
        assert_eq!((found.state, found.error.as_deref()), (RunState::Failure, Some("no such button")));
        assert!(found.ended.is_some());

        let resumed = NewEvent::of_run(EventKind::WorkflowResumed { step: 2 });
        log.append(run, 6, vec![resumed]).await.expect("appends");
        let found = log.run(run).await.expect("reads").expect("is there");
        assert_eq!((found.state, found.ended, found.error), (RunState::Running, None, None));
    })
    .await;
}

#[tokio::test]
async fn a_run_waits_for_an_answer_while_its_question_is_open() {
    on_every_backend(|log| async move {
        let run = RunId::new();
        let question = || Question::open("Which name?");
        let asked = || NewEvent::of_step(0, EventKind::QuestionAsked(question()));
        log.append(run, 0, vec![started("Ask", 1), asked()]).await.expect("appends");
        let waits = || async { log.run(run).await.expect("reads").expect("is there").waits_for_answer() };
        // No process drives it: it is interrupted, and nobody would take an answer.
        assert!(!waits().await);
        let lease = log.lease(run).await.expect("is free");
        assert!(waits().await);
        assert_eq!(log.run(run).await.expect("reads").expect("is there").question, Some(question()));
        let answered = NewEvent::of_step(0, EventKind::QuestionAnswered { answer: "Ada".to_owned() });
        log.append(run, 2, vec![answered]).await.expect("appends");
        assert!(!waits().await);
        // A parked run keeps its question, a resumed one asks it again, and an ended one has none.
        log.append(run, 3, vec![asked(), parked("nobody answered")]).await.expect("appends");
        assert!(waits().await);
        let resumed = NewEvent::of_run(EventKind::WorkflowResumed { step: 0 });
        log.append(run, 5, vec![resumed]).await.expect("appends");
        assert!(!waits().await);
        log.append(run, 6, vec![asked(), failed(Status::Failure, "refused")]).await.expect("appends");
        assert_eq!(log.run(run).await.expect("reads").expect("is there").question, None);
        drop(lease);
    })
    .await;
}

#[tokio::test]
async fn only_legal_changes_of_a_session_are_written() {
    on_every_backend(|log| async move {
        let run = RunId::new();
        let session = || async { log.run(run).await.expect("reads").expect("is there").session() };
        let paused = || NewEvent::of_run(EventKind::WorkflowPaused { reason: "by a person".to_owned() });
        let resumed = || NewEvent::of_run(EventKind::WorkflowResumed { step: 0 });
        let began = NewEvent::of_step(0, EventKind::StepStarted { text: "x".to_owned() });
        log.append(run, 0, vec![started("x", 1)]).await.expect("appends");
        assert_eq!(session().await, SessionState::Initializing);
        log.append(run, 1, vec![began]).await.expect("appends");
        assert_eq!(session().await, SessionState::Active);
        log.append(run, 2, vec![paused()]).await.expect("appends");
        assert_eq!(session().await, SessionState::Paused);
        log.append(run, 3, vec![resumed(), failed(Status::Failure, "no")]).await.expect("appends");
        assert_eq!(session().await, SessionState::Failed);
        // A run ends once. Nothing of a refused append is written, not even its legal events.
        for illegal in [failed(Status::Success, ""), paused(), parked("no")] {
            let refused = log.append(run, 5, vec![warning("before"), illegal]).await;
            let Err(AppendError::Illegal { transition, .. }) = refused else { panic!("{refused:?}") };
            assert_eq!(transition.from, SessionState::Failed);
        }
        assert_eq!(log.read(run, 1).await.expect("reads").len(), 5);
        // The process that drives it closes its browser after the end.
        let lease = log.lease(run).await.expect("is free");
        assert_eq!(session().await, SessionState::Cleanup);
        drop(lease);
        log.append(run, 5, vec![resumed(), failed(Status::Success, "")]).await.expect("appends");
        assert_eq!(session().await, SessionState::Completed);
        let refused = log.append(run, 7, vec![resumed()]).await;
        let Err(AppendError::Illegal { transition, .. }) = refused else { panic!("{refused:?}") };
        let expected = IllegalTransition { from: SessionState::Completed, to: SessionState::Active };
        assert_eq!(transition, expected);
    })
    .await;
}

#[tokio::test]
async fn runs_are_listed_newest_first_in_pages_and_by_state() {
    on_every_backend(|log| async move {
        let runs: Vec<RunId> = (0..5).map(|_| RunId::new()).collect();
        for (n, run) in runs.iter().enumerate() {
            log.append(*run, 0, vec![started(&format!("run {n}"), 1)]).await.expect("appends");
        }
        log.append(runs[1], 1, vec![failed(Status::Error, "broke")]).await.expect("appends");
        let list = |query| {
            let log = log.clone();
            async move { log.runs(query).await.expect("lists").into_iter().map(|run| run.run).collect::<Vec<_>>() }
        };
        let page = RunQuery { limit: 2, ..RunQuery::default() };
        assert_eq!(list(page).await, [runs[4], runs[3]]);
        assert_eq!(list(RunQuery { before: Some(runs[3]), ..page }).await, [runs[2], runs[1]]);
        assert_eq!(list(RunQuery { state: Some(RunState::Error), ..page }).await, [runs[1]]);
    })
    .await;
}

#[tokio::test]
async fn find_run_matches_the_beginning_and_the_end_of_an_id() {
    on_every_backend(|log| async move {
        assert_eq!(log.find_run("last").await.expect("looks"), RunMatch::None);
        let runs = [RunId::new(), RunId::new()];
        for run in runs {
            log.append(run, 0, vec![started("x", 1)]).await.expect("appends");
        }
        let one = |found| match found {
            RunMatch::One(summary) => summary.run,
            other => panic!("{other:?}"),
        };
        let id = runs[0].to_string();
        assert_eq!(one(log.find_run(&short_id(runs[0])).await.expect("looks")), runs[0]);
        assert_eq!(one(log.find_run(&id.to_uppercase()).await.expect("looks")), runs[0]);
        assert_eq!(one(log.find_run("last").await.expect("looks")), runs[1]);
        assert_eq!(log.find_run(&id[..4]).await.expect("looks"), RunMatch::Several(vec![runs[1], runs[0]]));
        for none in ["", "zz", "%", "ffffffffffff"] {
            assert_eq!(log.find_run(none).await.expect("looks"), RunMatch::None, "{none}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_run_has_at_most_one_lease_and_is_interrupted_without_one() {
    on_every_backend(|log| async move {
        let run = RunId::new();
        log.append(run, 0, vec![started("x", 1)]).await.expect("appends");
        let lease = log.lease(run).await.expect("free");
        match log.lease(run).await {
            Err(LeaseError::Held { holder, .. }) => assert_eq!(holder.pid, std::process::id()),
            other => panic!("{other:?}"),
        }
        assert!(!log.run(run).await.expect("reads").expect("is there").interrupted());
        drop(lease);
        assert!(log.run(run).await.expect("reads").expect("is there").interrupted());
        log.lease(run).await.expect("free again");
    })
    .await;
}

#[tokio::test]
async fn prune_deletes_old_runs_that_are_not_leased() {
    on_every_backend(|log| async move {
        let now = Timestamp::now();
        let day_old = |name: &str| NewEvent { time: Some(now - 24.hours()), ..started(name, 1) };
        let [old, driven, fresh] = [RunId::new(), RunId::new(), RunId::new()];
        log.append(old, 0, vec![day_old("old")]).await.expect("appends");
        log.append(driven, 0, vec![day_old("driven")]).await.expect("appends");
        log.append(fresh, 0, vec![started("fresh", 1)]).await.expect("appends");
        let _lease = log.lease(driven).await.expect("free");
        assert_eq!(log.prune(now - 1.hours()).await.expect("prunes"), [old]);
        assert_eq!(log.read(old, 1).await.expect("reads"), []);
        assert!(log.delete(fresh).await.expect("deletes"));
        assert!(!log.delete(fresh).await.expect("deletes"));
        assert_eq!(log.runs(RunQuery::default()).await.expect("lists").len(), 1);
    })
    .await;
}

#[tokio::test]
async fn artifacts_returns_each_referenced_hash_once() {
    on_every_backend(|log| async move {
        let kept = |digit: &str| {
            let artifact = Artifact { hash: digit.repeat(64), media_type: "text/plain".to_owned(), size: 1 };
            NewEvent::of_run(EventKind::StateSaved { state: artifact, url: String::new() })
        };
        let quoted = warning(format!("a page says {{\"hash\":\"{}\"}}", "c".repeat(64)));
        log.append(RunId::new(), 0, vec![started("x", 1), kept("a"), quoted]).await.expect("appends");
        log.append(RunId::new(), 0, vec![kept("b"), kept("b")]).await.expect("appends");
        assert_eq!(log.artifacts().await.expect("reads"), ["a".repeat(64), "b".repeat(64)]);
    })
    .await;
}
