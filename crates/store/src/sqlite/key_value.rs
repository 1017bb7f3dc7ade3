//! The table of key-value entries.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, Transaction, params};

use super::SqliteLog;
use crate::{KeyValueEntry, KeyValueStore, StoreError};

#[async_trait]
impl KeyValueStore for SqliteLog {
    async fn put_if_absent(&self, kind: &str, key: &str, body: String) -> Result<bool, StoreError> {
        let (kind, key, now) = (kind.to_owned(), key.to_owned(), Timestamp::now().as_millisecond());
        let insert = move |transaction: &Transaction<'_>| {
            transaction.execute(
                "INSERT OR IGNORE INTO kept (kind, key, body, made_ms) VALUES (?1, ?2, ?3, ?4)",
                params![kind, key, body, now],
            )
        };
        self.writer.change(Box::new(insert)).await.map(|rows| rows > 0)
    }

    async fn put_entry(&self, kind: &str, key: &str, body: String) -> Result<(), StoreError> {
        let (kind, key, now) = (kind.to_owned(), key.to_owned(), Timestamp::now().as_millisecond());
        let upsert = move |transaction: &Transaction<'_>| {
            transaction.execute(
                "INSERT INTO kept (kind, key, body, made_ms) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (kind, key) DO UPDATE SET body = ?3",
                params![kind, key, body, now],
            )
        };
        self.writer.change(Box::new(upsert)).await.map(drop)
    }

    async fn entry(&self, kind: &str, key: &str) -> Result<Option<KeyValueEntry>, StoreError> {
        let (kind, key) = (kind.to_owned(), key.to_owned());
        self.reader
            .with(move |connection| {
                connection
                    .prepare_cached("SELECT key, body, made_ms FROM kept WHERE kind = ?1 AND key = ?2")?
                    .query_row([kind, key], entry_of)
                    .optional()
            })
            .await
    }

    async fn entries(&self, kind: &str) -> Result<Vec<KeyValueEntry>, StoreError> {
        let kind = kind.to_owned();
        self.reader
            .with(move |connection| {
                connection
                    .prepare_cached("SELECT key, body, made_ms FROM kept WHERE kind = ?1 ORDER BY made_ms, key")?
                    .query_map([kind], entry_of)?
                    .collect()
            })
            .await
    }

    async fn delete_entry(&self, kind: &str, key: &str) -> Result<bool, StoreError> {
        let (kind, key) = (kind.to_owned(), key.to_owned());
        let delete = move |transaction: &Transaction<'_>| {
            transaction.execute("DELETE FROM kept WHERE kind = ?1 AND key = ?2", [&kind, &key])
        };
        self.writer.change(Box::new(delete)).await.map(|rows| rows > 0)
    }

    async fn delete_older(&self, kind: &str, before: Timestamp) -> Result<usize, StoreError> {
        let (kind, before) = (kind.to_owned(), before.as_millisecond());
        let delete = move |transaction: &Transaction<'_>| {
            transaction.execute("DELETE FROM kept WHERE kind = ?1 AND made_ms < ?2", params![kind, before])
        };
        self.writer.change(Box::new(delete)).await
    }
}

fn entry_of(row: &Row<'_>) -> rusqlite::Result<KeyValueEntry> {
    let made = Timestamp::from_millisecond(row.get(2)?).unwrap_or_default();
    Ok(KeyValueEntry { key: row.get(0)?, body: row.get(1)?, made })
}
