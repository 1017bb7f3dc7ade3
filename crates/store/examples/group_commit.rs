//! Measures group commit: durable appends per second with one writer and with many, each to its own run.
//!
//! `cargo run --release -p legwork-store --example group_commit [FOLDER]`

use std::{error::Error, path::PathBuf, time::Instant};

use legwork_protocol::{EventKind, RunId};
use legwork_store::{NewEvent, RunLog, SqliteLog};

const APPENDS: u64 = 2000;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let path = folder.join(format!("legwork-group-commit-{}.db", std::process::id()));
    for writers in [1, 4, 16, 64] {
        let log = SqliteLog::open(&path)?;
        let start = Instant::now();
        let tasks: Vec<_> = (0..writers).map(|_| tokio::spawn(write(log.clone(), APPENDS / writers))).collect();
        for task in tasks {
            task.await??;
        }
        let seconds = start.elapsed().as_secs_f64();
        let per_append = seconds * 1e6 * writers as f64 / APPENDS as f64;
        println!("{writers:3} writers: {:8.0} appends/s, {per_append:7.0} µs each", APPENDS as f64 / seconds);
    }
    for end in ["db", "db-wal", "db-shm"] {
        // Some of the files may not exist.
        let _ = std::fs::remove_file(path.with_extension(end));
    }
    Ok(())
}

async fn write(log: SqliteLog, appends: u64) -> Result<(), legwork_store::AppendError> {
    let run = RunId::new();
    for at in 0..appends {
        let message = "an event of about the usual size ".repeat(12);
        log.append(run, at, vec![NewEvent::of_run(EventKind::WarningIssued { message })]).await?;
    }
    Ok(())
}
