//! Requirements for every implementation of `Lessons`. Add a new implementation to `backends`.

use std::{future::Future, sync::Arc};

use async_trait::async_trait;
use jiff::{Timestamp, ToSpan};
use legwork_protocol::{Lesson, LessonKind};
use legwork_store::{Lessons, RecalledLessons, SqliteLog, StoreError};
use serde_json::json;

/// Two handles of one file, like those of two processes: one learns, the other does everything else.
struct Pair {
    learns: SqliteLog,
    reads: SqliteLog,
}

#[async_trait]
impl Lessons for Pair {
    async fn learn(&self, lessons: Vec<Lesson>, now: Timestamp, keep: usize) -> Result<(), StoreError> {
        self.learns.learn(lessons, now, keep).await
    }
    async fn recall(&self, site: Option<&str>, now: Timestamp) -> Result<RecalledLessons, StoreError> {
        self.reads.recall(site, now).await
    }
    async fn forget(&self, site: Option<&str>) -> Result<usize, StoreError> {
        self.reads.forget(site).await
    }
    async fn forget_lesson(&self, lesson: &Lesson) -> Result<bool, StoreError> {
        self.reads.forget_lesson(lesson).await
    }
    async fn prune_lessons(&self, now: Timestamp, keep: usize) -> Result<usize, StoreError> {
        self.reads.prune_lessons(now, keep).await
    }
}

async fn on_every_backend<F: Future<Output = ()>>(test: impl Fn(Arc<dyn Lessons>) -> F) {
    let folder = tempfile::tempdir().expect("a folder");
    let open = |name: &str| SqliteLog::open(folder.path().join(name)).expect("opens");
    test(Arc::new(open("one.db"))).await;
    test(Arc::new(Pair { learns: open("two.db"), reads: open("two.db") })).await;
}

const SITE: &str = "https://shop.test";

fn lesson(site: &str, key: &str, successes: u32, failures: u32) -> Lesson {
    Lesson {
        kind: LessonKind::ElementDiscovery,
        site: site.into(),
        pattern: "log in as …".into(),
        key: key.into(),
        text: format!("{key} is clicked"),
        data: json!({"page": "/"}),
        successes,
        failures,
    }
}

fn now() -> Timestamp {
    "2026-06-01T12:00:00Z".parse().expect("a time")
}

async fn keys(lessons: &dyn Lessons, site: Option<&str>) -> Vec<String> {
    let recalled = lessons.recall(site, now()).await.expect("recalls");
    assert_eq!(recalled.unreadable, 0);
    recalled.lessons.into_iter().map(|kept| kept.lesson.key).collect()
}

#[tokio::test]
async fn what_is_learned_again_adds_up_and_keeps_its_newest_words() {
    on_every_backend(|lessons| async move {
        lessons.learn(vec![lesson(SITE, "button \"In\"", 2, 1)], now(), 10).await.expect("learns");
        let newer = Lesson { text: "newer".into(), data: json!(2), ..lesson(SITE, "button \"In\"", 1, 4) };
        lessons.learn(vec![newer.clone()], now() + 1.hour(), 10).await.expect("learns");
        let recalled = lessons.recall(Some(SITE), now() + 1.hour()).await.expect("recalls");
        let [kept] = recalled.lessons.as_slice() else { panic!("{recalled:?}") };
        assert_eq!(kept.lesson, Lesson { successes: 3, failures: 5, ..newer });
        assert_eq!((kept.learned, kept.proved), (now(), now() + 1.hour()));
        assert_eq!(kept.trust, 0.4);
    })
    .await;
}

#[tokio::test]
async fn a_lesson_without_words_only_counts() {
    on_every_backend(|lessons| async move {
        let known = lesson(SITE, "k", 1, 0);
        let count = |key: &str| Lesson { text: String::new(), data: json!(null), ..lesson(SITE, key, 0, 1) };
        lessons.learn(vec![known.clone()], now(), 10).await.expect("learns");
        lessons.learn(vec![count("k"), count("nobody knows it")], now(), 10).await.expect("learns");
        let recalled = lessons.recall(None, now()).await.expect("recalls");
        let kept: Vec<Lesson> = recalled.lessons.into_iter().map(|kept| kept.lesson).collect();
        assert_eq!(kept, [Lesson { failures: 1, ..known }]);
    })
    .await;
}

#[tokio::test]
async fn another_pattern_kind_or_site_is_another_lesson() {
    on_every_backend(|lessons| async move {
        let one = lesson(SITE, "k", 1, 0);
        let others = [
            Lesson { pattern: "log out".into(), ..one.clone() },
            Lesson { kind: LessonKind::PageInsight, ..one.clone() },
            lesson("https://other.test", "k", 1, 0),
        ];
        lessons.learn([vec![one], others.to_vec()].concat(), now(), 10).await.expect("learns");
        assert_eq!(keys(&*lessons, Some(SITE)).await.len(), 3);
        assert_eq!(keys(&*lessons, None).await.len(), 4);
        assert_eq!(keys(&*lessons, Some("https://shop.test.evil.test")).await.len(), 0);
    })
    .await;
}

#[tokio::test]
async fn the_most_trusted_come_first_and_age_takes_trust_away() {
    on_every_backend(|lessons| async move {
        lessons.learn(vec![lesson(SITE, "old", 9, 0)], now() - (24 * 300).hours(), 10).await.expect("learns");
        let fresh = vec![lesson(SITE, "failed", 0, 2), lesson(SITE, "good", 9, 0), lesson(SITE, "new", 1, 0)];
        lessons.learn(fresh, now(), 10).await.expect("learns");
        assert_eq!(keys(&*lessons, Some(SITE)).await, ["good", "new", "failed", "old"]);
    })
    .await;
}

#[tokio::test]
async fn a_site_keeps_its_most_trusted_lessons_only() {
    on_every_backend(|lessons| async move {
        lessons.learn(vec![lesson("https://other.test", "kept", 0, 5)], now(), 2).await.expect("learns");
        let many = (0..6).map(|n| lesson(SITE, &format!("k{n}"), n, 0)).collect();
        lessons.learn(many, now(), 2).await.expect("learns");
        assert_eq!(keys(&*lessons, Some(SITE)).await, ["k5", "k4"]);
        assert_eq!(keys(&*lessons, Some("https://other.test")).await, ["kept"]);
    })
    .await;
}

#[tokio::test]
async fn forgetting_and_pruning() {
    on_every_backend(|lessons| async move {
        let of = |site: &str| vec![lesson(site, "good", 5, 0), lesson(site, "bad", 0, 30), lesson(site, "fair", 1, 0)];
        for site in [SITE, "https://other.test"] {
            lessons.learn(of(site), now(), 10).await.expect("learns");
        }
        assert_eq!(lessons.prune_lessons(now(), 10).await.expect("prunes"), 2);
        assert_eq!(keys(&*lessons, Some(SITE)).await, ["good", "fair"]);
        assert_eq!(lessons.prune_lessons(now(), 1).await.expect("prunes"), 2);
        assert_eq!(lessons.forget(Some(SITE)).await.expect("forgets"), 1);
        assert_eq!(keys(&*lessons, None).await, ["good"]);
        assert_eq!(lessons.forget(None).await.expect("forgets"), 1);
        assert_eq!(keys(&*lessons, None).await.len(), 0);
    })
    .await;
}

#[tokio::test]
async fn rows_that_make_no_sense_are_counted_until_they_are_pruned() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = SqliteLog::open(folder.path().join("log.db")).expect("opens");
    log.learn(vec![lesson(SITE, "good", 1, 0), lesson(SITE, "bad", 1, 0)], now(), 10).await.expect("learns");
    let file = rusqlite::Connection::open(log.path()).expect("opens");
    for (what, value) in [("body", "{\"text\": 4"), ("kind", "prophecy")] {
        file.execute(&format!("UPDATE lessons SET {what} = ?1 WHERE key = 'bad'"), [value]).expect("writes");
        let recalled = log.recall(Some(SITE), now()).await.expect("recalls");
        assert_eq!((recalled.lessons.len(), recalled.unreadable), (1, 1), "{what}");
    }
    // Learning continues beside them.
    log.learn(vec![lesson(SITE, "good", 1, 0)], now(), 10).await.expect("learns");
    assert_eq!(log.recall(None, now()).await.expect("recalls").unreadable, 1);
    assert_eq!(log.prune_lessons(now(), 10).await.expect("prunes"), 1);
    assert_eq!(log.recall(None, now()).await.expect("recalls").unreadable, 0);
}

#[tokio::test]
async fn one_lesson_is_forgotten_and_its_neighbour_stays() {
    on_every_backend(|lessons| async move {
        let (one, other) = (lesson(SITE, "one", 1, 0), lesson(SITE, "other", 1, 0));
        lessons.learn(vec![one.clone(), other], now(), 10).await.expect("learns");
        assert!(lessons.forget_lesson(&one).await.expect("forgets"));
        assert!(!lessons.forget_lesson(&one).await.expect("forgets nothing"));
        assert_eq!(keys(&*lessons, None).await, ["other"]);
    })
    .await;
}
