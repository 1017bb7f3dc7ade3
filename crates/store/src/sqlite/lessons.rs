//! The table of lessons: the words and data of each as JSON, its counts and times as columns. A row that cannot be
//! parsed does not fail a read; it is counted, and pruning deletes it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use async_trait::async_trait;
use jiff::Timestamp;
use legwork_protocol::{Lesson, LessonKind};
use rusqlite::{Connection, Row, Transaction, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::SqliteLog;
use crate::{
    Lessons, RecalledLessons, StoreError, StoredLesson,
    lessons::{MIN_TRUST, age, trust},
};

/// The part of a lesson that is stored as JSON.
#[derive(Serialize, Deserialize)]
struct Body {
    text: String,
    #[serde(default)]
    data: Value,
}

/// A row with its number; without a lesson if it cannot be parsed.
struct LessonRow {
    n: i64,
    site: String,
    lesson: Option<StoredLesson>,
}

#[async_trait]
impl Lessons for SqliteLog {
    async fn learn(&self, lessons: Vec<Lesson>, now: Timestamp, keep: usize) -> Result<(), StoreError> {
        if lessons.is_empty() {
            return Ok(());
        }
        let lessons: Arc<[Lesson]> = lessons.into();
        self.writer.change(Box::new(move |transaction| learn(transaction, &lessons, now, keep))).await.map(drop)
    }

    async fn recall(&self, site: Option<&str>, now: Timestamp) -> Result<RecalledLessons, StoreError> {
        let site = site.map(str::to_owned);
        let rows = self.reader.with(move |connection| rows(connection, site.as_deref(), now)).await?;
        let all = rows.len();
        let mut lessons: Vec<StoredLesson> = rows.into_iter().filter_map(|row| row.lesson).collect();
        lessons.sort_by(|a, b| b.trust.total_cmp(&a.trust));
        Ok(RecalledLessons { unreadable: all - lessons.len(), lessons })
    }

    async fn forget(&self, site: Option<&str>) -> Result<usize, StoreError> {
        let site = site.map(str::to_owned);
        let forget = move |transaction: &Transaction<'_>| {
            transaction.execute("DELETE FROM lessons WHERE ?1 IS NULL OR site = ?1", [&site])
        };
        self.writer.change(Box::new(forget)).await
    }

    async fn forget_lesson(&self, lesson: &Lesson) -> Result<bool, StoreError> {
        let Lesson { kind, site, pattern, key, .. } = lesson.clone();
        let forget = move |transaction: &Transaction<'_>| {
            transaction.execute(
                "DELETE FROM lessons WHERE site = ?1 AND kind = ?2 AND pattern = ?3 AND key = ?4",
                params![site, kind_name(kind), pattern, key],
            )
        };
        self.writer.change(Box::new(forget)).await.map(|rows| rows > 0)
    }

    async fn prune_lessons(&self, now: Timestamp, keep: usize) -> Result<usize, StoreError> {
        self.writer.change(Box::new(move |transaction| prune(transaction, None, now, keep, MIN_TRUST))).await
    }
}

fn learn(transaction: &Transaction<'_>, lessons: &[Lesson], now: Timestamp, keep: usize) -> rusqlite::Result<usize> {
    let mut upsert = transaction.prepare_cached(
        "INSERT INTO lessons (site, kind, pattern, key, body, successes, failures, learned_ms, proved_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)
         ON CONFLICT (site, kind, pattern, key) DO UPDATE SET
             body = excluded.body, proved_ms = excluded.proved_ms,
             successes = min(successes + excluded.successes, 1000000),
             failures = min(failures + excluded.failures, 1000000)",
    )?;
    let mut count = transaction.prepare_cached(
        "UPDATE lessons SET proved_ms = ?7, successes = min(successes + ?5, 1000000),
             failures = min(failures + ?6, 1000000)
         WHERE site = ?1 AND kind = ?2 AND pattern = ?3 AND key = ?4",
    )?;
    for lesson in lessons {
        let Lesson { kind, site, pattern, key, text, data, successes, failures } = lesson;
        let at = now.as_millisecond();
        if text.is_empty() {
            count.execute(params![site, kind_name(*kind), pattern, key, successes, failures, at])?;
            continue;
        }
        let body = Body { text: text.clone(), data: data.clone() };
        let to_text = |error| rusqlite::Error::ToSqlConversionFailure(Box::new(error));
        let body = serde_json::to_string(&body).map_err(to_text)?;
        upsert.execute(params![site, kind_name(*kind), pattern, key, body, successes, failures, at])?;
    }
    let sites: BTreeSet<&str> = lessons.iter().map(|lesson| lesson.site.as_str()).collect();
    for site in sites {
        prune(transaction, Some(site), now, keep, 0.0)?;
    }
    Ok(lessons.len())
}

/// Deletes the lessons beyond `keep` of each site, those with less trust than `least`, and those that cannot be
/// parsed.
fn prune(
    transaction: &Transaction<'_>,
    site: Option<&str>,
    now: Timestamp,
    keep: usize,
    least: f64,
) -> rusqlite::Result<usize> {
    let mut by_site: BTreeMap<String, Vec<(i64, f64)>> = BTreeMap::new();
    let mut gone = Vec::new();
    for row in rows(transaction, site, now)? {
        match row.lesson {
            Some(kept) if kept.trust >= least => by_site.entry(row.site).or_default().push((row.n, kept.trust)),
            // Learning does not delete rows that cannot be parsed, so that a person can see them first.
            None if least == 0.0 => {}
            _ => gone.push(row.n),
        }
    }
    for kept in by_site.values_mut() {
        kept.sort_by(|a, b| b.1.total_cmp(&a.1));
        gone.extend(kept.iter().skip(keep).map(|(n, _)| *n));
    }
    for n in &gone {
        transaction.prepare_cached("DELETE FROM lessons WHERE n = ?1")?.execute([n])?;
    }
    Ok(gone.len())
}

fn rows(connection: &Connection, site: Option<&str>, now: Timestamp) -> rusqlite::Result<Vec<LessonRow>> {
    connection
        .prepare_cached(
            "SELECT n, site, kind, pattern, key, body, successes, failures, learned_ms, proved_ms FROM lessons
             WHERE ?1 IS NULL OR site = ?1 ORDER BY site, kind, pattern, key",
        )?
        .query_map([site], |row| Ok(LessonRow { n: row.get(0)?, site: row.get(1)?, lesson: read(row, now) }))?
        .collect()
}

fn read(row: &Row<'_>, now: Timestamp) -> Option<StoredLesson> {
    let text = |at: usize| row.get::<_, String>(at).ok();
    let count = |at: usize| row.get::<_, i64>(at).ok().and_then(|count| u32::try_from(count).ok());
    let time = |at: usize| row.get::<_, i64>(at).ok().and_then(|ms| Timestamp::from_millisecond(ms).ok());
    let kind: LessonKind = serde_json::from_value(Value::String(text(2)?)).ok()?;
    let body: Body = serde_json::from_str(&text(5)?).ok()?;
    let (successes, failures, learned, proved) = (count(6)?, count(7)?, time(8)?, time(9)?);
    let (site, pattern, key) = (text(1)?, text(3)?, text(4)?);
    let lesson = Lesson { kind, site, pattern, key, text: body.text, data: body.data, successes, failures };
    Some(StoredLesson { trust: trust(successes, failures, age(proved, now)), lesson, learned, proved })
}

/// The name on the wire.
fn kind_name(kind: LessonKind) -> String {
    let Ok(Value::String(name)) = serde_json::to_value(kind) else { return String::new() };
    name
}
