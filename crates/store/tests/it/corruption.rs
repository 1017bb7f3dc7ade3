//! Files that are damaged, foreign, too new or read-only: each has its own error and hint.

use std::fs;

use legwork_protocol::RunId;
use legwork_store::{RunLog, SqliteLog, StoreError};
use rusqlite::Connection;

use crate::support::{started, warning};

fn open_error(path: &std::path::Path) -> StoreError {
    SqliteLog::open(path).err().expect("must not open")
}

#[tokio::test]
async fn a_file_that_is_no_database_is_called_damaged_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("runs.db");
    let noise = "this is not a database, and longer than its header. ".repeat(40);
    fs::write(&path, &noise).expect("writes");
    let error = open_error(&path);
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
    assert!(error.hint().contains("move the file"));
    assert_eq!(fs::read_to_string(&path).expect("reads"), noise);
}

#[tokio::test]
async fn a_damaged_page_is_an_error_of_the_read_not_a_crash() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("runs.db");
    let run = RunId::new();
    let log = SqliteLog::open(&path).expect("opens");
    let long = "x".repeat(2000);
    log.append(run, 0, (0..50).map(|_| warning(long.clone())).collect()).await.expect("appends");
    drop(log);
    Connection::open(&path).expect("opens").execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").expect("checkpoints");

    let mut bytes = fs::read(&path).expect("reads");
    let from = bytes.len() / 3;
    bytes[from..].fill(0xa5);
    fs::write(&path, bytes).expect("writes");
    let outcome = match SqliteLog::open(&path) {
        Ok(log) => log.read(run, 1).await.map(|_| ()),
        Err(error) => Err(error),
    };
    assert!(matches!(outcome, Err(StoreError::Corrupt { .. })), "{outcome:?}");
}

#[tokio::test]
async fn another_format_and_a_foreign_database_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let newer = folder.path().join("newer.db");
    drop(SqliteLog::open(&newer).expect("opens"));
    Connection::open(&newer).expect("opens").pragma_update(None, "user_version", 99).expect("writes");
    let error = open_error(&newer);
    assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error:?}");
    assert!(error.to_string().contains("newer Legwork"));

    let older = folder.path().join("older.db");
    drop(SqliteLog::open(&older).expect("opens"));
    Connection::open(&older).expect("opens").pragma_update(None, "user_version", 4).expect("writes");
    let error = open_error(&older);
    assert!(matches!(error, StoreError::Older { found: 4, .. }), "{error:?}");
    assert!(error.to_string().contains("format 4 of an older Legwork"), "{error}");
    assert!(error.hint().contains("out of the way"), "{}", error.hint());

    let foreign = folder.path().join("foreign.db");
    Connection::open(&foreign).expect("opens").execute_batch("CREATE TABLE things (a)").expect("writes");
    assert!(matches!(open_error(&foreign), StoreError::NotOurs { .. }));
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("writes");
    let error = open_error(&file.join("runs.db"));
    assert!(matches!(error, StoreError::Open { .. }), "{error:?}");
}

#[tokio::test]
async fn an_append_that_fails_in_the_middle_leaves_nothing_and_the_log_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("runs.db");
    let run = RunId::new();
    let log = SqliteLog::open(&path).expect("opens");
    log.append(run, 0, vec![started("x", 1)]).await.expect("appends");
    // Makes the second event of the batch fail after the first was inserted.
    let outside = Connection::open(&path).expect("opens");
    outside
        .execute_batch(
            "CREATE TRIGGER full BEFORE INSERT ON events WHEN new.body LIKE '%too much%'
             BEGIN SELECT RAISE(ABORT, 'no room'); END",
        )
        .expect("writes");
    let outcome = log.append(run, 1, vec![warning("fits"), warning("too much")]).await;
    assert!(outcome.is_err());
    log.append(run, 1, vec![warning("fits")]).await.expect("the log goes on where it was");
    assert_eq!(log.read(run, 1).await.expect("reads").len(), 2);
}

#[tokio::test]
async fn an_event_of_another_shape_is_named_not_skipped() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("runs.db");
    let run = RunId::new();
    let log = SqliteLog::open(&path).expect("opens");
    log.append(run, 0, vec![warning("1"), warning("2")]).await.expect("appends");
    Connection::open(&path)
        .expect("opens")
        .execute("UPDATE events SET body = '{\"type\":\"FROM_THE_FUTURE\"}' WHERE seq = 2", [])
        .expect("writes");
    match log.read(run, 1).await {
        Err(StoreError::Event { seq: 2, .. }) => {}
        other => panic!("{other:?}"),
    }
    assert_eq!(log.page(run, 1, 1).await.expect("the first can be read").len(), 1);
}

#[tokio::test]
async fn an_emptied_database_beside_its_log_is_damaged_and_the_log_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("runs.db");
    let log = SqliteLog::open(&path).expect("opens");
    log.append(RunId::new(), 0, vec![warning("kept")]).await.expect("appends");
    // The files as they are while the log is open, and as a kill leaves them.
    let other = tempfile::tempdir().expect("a folder");
    let emptied = other.path().join("runs.db");
    fs::write(&emptied, b"").expect("writes");
    let wal = other.path().join("runs.db-wal");
    fs::copy(folder.path().join("runs.db-wal"), &wal).expect("copies");
    let before = fs::read(&wal).expect("reads");
    let error = open_error(&emptied);
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
    assert!(error.to_string().contains("runs.db-wal.damaged"), "{error}");
    assert_eq!(fs::read(&wal).expect("reads"), before, "the log is left alone");
}
