//! The behaviour of runs when the disk is full, or when stored data is missing or damaged.

use std::{path::PathBuf, process::Command};

use legwork_demo_site::DemoSite;
use serde_json::Value;

use crate::support::{Ended, Program, finish};

/// The program with a data folder of limited size. `None` where such a folder cannot be mounted.
fn with_limited_data_folder(program: &Program, kilobytes: u32, arguments: &[&str]) -> Option<Command> {
    let inner = program.command(arguments);
    let mut command = Command::new("unshare");
    if rustix::process::geteuid().is_root() {
        command.arg("--mount");
    } else {
        command.args(["--user", "--map-root-user", "--mount"]);
    }
    let possible = Command::new("unshare")
        .args(command.get_args())
        .args(["mount", "-t", "tmpfs", "none"])
        .arg(program.data())
        .output()
        .is_ok_and(|output| output.status.success());
    if !possible {
        eprintln!("no file system can be mounted here; not tested");
        return None;
    }
    command
        .args(["sh", "-c"])
        .arg(format!("mount -t tmpfs -o size={kilobytes}k none \"$LEGWORK_DATA_DIR\" && exec \"$0\" \"$@\""));
    command.arg(inner.get_program()).args(inner.get_args());
    command.current_dir(program.work()).stdin(std::process::Stdio::null());
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.env("LEGWORK_SCREENSHOTS_ENABLED", "false");
    Some(command)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_ends_a_run_with_a_typed_error() {
    let site = DemoSite::start().await.unwrap();
    let program = Program::new();
    let long = "much ado about nothing ".repeat(300);
    let steps: String = (0..40).map(|at| format!("  - Type \"{at} {long}\" into \"Entry\"\n")).collect();
    let file = program.write("long.yaml", &format!("url: {}/fault/posts\nsteps:\n{steps}", site.url()));
    let run = ["run", file.to_str().unwrap(), "--decider", "literal"];
    let Some(command) = with_limited_data_folder(&program, 1_500, &run) else { return };
    let told = finish(command).expect(3);
    let all = format!("{}{}", told.out, told.err);
    assert!(all.contains("the disk that contains") && all.contains("is full"), "{all}");
    assert!(all.contains("free some space"), "{all}");
    assert!(!all.contains("no end on record"), "{all}");
    assert!(all.lines().any(|line| line.contains("much ado")), "the run continued until the disk was full: {all}");

    let json = [&run[..], &["--json"]].concat();
    let told = finish(with_limited_data_folder(&program, 1_500, &json).unwrap()).expect(3).json();
    assert_eq!((&told["status"], &told["error"]["code"]), (&"error".into(), &"CM002".into()), "{told}");
    assert!(told["error"]["message"].as_str().unwrap().contains("is full"), "{told}");
    program.assert_no_leftovers();
}

/// A run of two steps. The second one fails, so that the run can be resumed.
async fn failed(program: &Program) -> DemoSite {
    let site = DemoSite::start().await.unwrap();
    let workflow = format!(
        "url: {}\nsteps:\n  - Check that \"Harbor\" is shown\n  - Click the button \"Nowhere\"\n",
        site.signed_in_url("/")
    );
    let file = program.write("fails.yaml", &workflow);
    let mut command = program.command(&["run", file.to_str().unwrap(), "--decider", "literal", "-q"]);
    command.env("LEGWORK_TIMEOUTS_ELEMENT", "1s");
    finish(command).expect(1);
    site
}

fn change(program: &Program, sql: &str) {
    let file = rusqlite::Connection::open(program.data().join("runs.db")).unwrap();
    assert!(file.execute(sql, []).unwrap() > 0, "{sql}");
}

#[track_caller]
fn is_damaged(ended: Ended, what: &str) {
    assert_eq!(ended.code, 3, "{}{}", ended.out, ended.err);
    let all = format!("{}{}", ended.out, ended.err);
    assert!(all.contains(what), "{all}");
    assert!(!all.contains("Nowhere"), "the damaged run is not shown: {all}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reading_a_damaged_journal_is_an_error() {
    let program = Program::new();
    let _site = failed(&program).await;
    let readers: [&[&str]; 5] = [
        &["show", "last"],
        &["show", "last", "--json"],
        &["show", "last", "--events"],
        &["export", "last", "--format", "json"],
        &["export", "last", "--format", "html"],
    ];
    for arguments in readers {
        program.run(arguments).expect(0);
    }
    let last: u64 = program.events().last().unwrap()["seq"].as_u64().unwrap();
    change(&program, &format!("DELETE FROM events WHERE seq = {last}"));
    for arguments in readers {
        is_damaged(program.run(arguments), &format!("it ends with event {}, and {last} were written", last - 1));
    }
    change(&program, "UPDATE events SET body = '{\"type\":' WHERE seq = 5");
    for arguments in readers {
        is_damaged(program.run(arguments), "event 5 of run");
    }
    change(&program, "DELETE FROM events WHERE seq = 5");
    for arguments in readers {
        is_damaged(program.run(arguments), "event 5 is missing, 6 comes in its place");
    }
    is_damaged(program.run(&["resume", "last"]), "event 5 is missing");
}

/// The file of the state that the run saved last.
fn saved_state_path(program: &Program) -> PathBuf {
    let events = program.events();
    let saved = events.iter().rev().find(|event| event["type"] == "STATE_SAVED").unwrap();
    let hash = saved["data"]["state"]["hash"].as_str().unwrap();
    program.data().join("artifacts").join(&hash[..2]).join(&hash[2..])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn resume_reports_a_missing_or_damaged_saved_state_before_any_action() {
    let program = Program::new();
    let _site = failed(&program).await;
    let (state, before) = (saved_state_path(&program), program.events().len());
    let whole = std::fs::read(&state).unwrap();
    let told = |what: &str| {
        for arguments in [&["resume", "last"][..], &["resume", "last", "--json"]] {
            let ended = program.run(arguments).expect(3);
            let all = format!("{}{}", ended.out, ended.err);
            assert!(all.contains("the cookies and storage that were kept for it cannot be read"), "{all}");
            assert!(all.contains(what), "{all}");
        }
        assert_eq!(program.events().len(), before, "nothing was done");
    };
    std::fs::write(&state, "{}").unwrap();
    told("is damaged");
    std::fs::remove_file(&state).unwrap();
    told("does not exist");
    // With the file restored, the run resumes.
    std::fs::write(&state, whole).unwrap();
    program.run(&["resume", "last", "-q"]).expect(1);
    let resumed: Vec<Value> = program.events().split_off(before);
    assert!(resumed.iter().any(|event| event["type"] == "WORKFLOW_RESUMED"), "{resumed:?}");
}

/// Moves the content of the write-ahead log to the database. A process that ends may leave the log to the next process.
fn checkpoint(program: &Program) {
    let connection = rusqlite::Connection::open(program.data().join("runs.db")).unwrap();
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
}

/// Creates the files that a kill during a run would leave: the last changes are only in the write-ahead log.
fn leave_uncheckpointed_wal(program: &Program) -> PathBuf {
    checkpoint(program);
    let (file, ahead) = (program.data().join("runs.db"), program.data().join("runs.db-wal"));
    let connection = rusqlite::Connection::open(&file).unwrap();
    connection.execute_batch("PRAGMA wal_autocheckpoint = 0").unwrap();
    for number in 0..20 {
        connection.execute("UPDATE runs SET updated_ms = updated_ms + ?1", [number]).unwrap();
    }
    let kept = [&file, &ahead].map(|path| std::fs::read(path).unwrap());
    drop(connection);
    std::fs::write(file, &kept[0]).unwrap();
    std::fs::write(&ahead, &kept[1]).unwrap();
    ahead
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_write_ahead_log_is_an_error_and_is_left_unchanged() {
    let program = Program::new();
    let _site = failed(&program).await;
    let events = program.events().len();
    let ahead = leave_uncheckpointed_wal(&program);
    program.run(&["show", "last"]).expect(0);

    let wal_again = leave_uncheckpointed_wal(&program);
    assert_eq!(ahead, wal_again);
    let mut damaged = std::fs::read(&ahead).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x40;
    std::fs::write(&ahead, &damaged).unwrap();
    for arguments in [&["resume", "last"][..], &["show", "last"], &["runs"], &["doctor"]] {
        let ended = program.run(arguments).expect(3);
        let all = format!("{}{}", ended.out, ended.err);
        assert!(all.contains("runs.db-wal is damaged: it cannot be read from byte"), "{arguments:?}: {all}");
        assert!(all.contains("truncate -s BYTE FILE"), "{arguments:?}: {all}");
        assert_eq!(std::fs::read(&ahead).unwrap(), damaged, "{arguments:?} changed it");
    }
    assert_eq!(std::fs::read(program.data().join("runs.db-wal.damaged")).unwrap(), damaged);
    for arguments in [["resume", "last", "--json"], ["show", "last", "--json"]] {
        let told = program.run(&arguments).expect(3).json();
        assert_eq!((&told["status"], &told["error"]["name"]), (&"error".into(), &"DATA_CORRUPTION".into()), "{told}");
    }

    // The repair that the hint describes.
    let told = program.run(&["runs"]).expect(3).err;
    let byte = told.split("from byte ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    std::fs::OpenOptions::new().write(true).open(&ahead).unwrap().set_len(byte).unwrap();
    program.run(&["show", "last"]).expect(0);
    assert_eq!(program.events().len(), events);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn doctor_reports_a_damaged_database() {
    let program = Program::new();
    let _site = failed(&program).await;
    program.run(&["doctor"]).expect(0);
    checkpoint(&program);
    let file = program.data().join("runs.db");
    let mut bytes = std::fs::read(&file).unwrap();
    // Only later pages are damaged, because opening the database reads the first ones.
    let from = bytes.len() / 2;
    bytes[from..].fill(0xa5);
    std::fs::write(&file, &bytes).unwrap();
    let ended = program.run(&["doctor"]).expect(3);
    assert!(ended.out.contains("runs.db is damaged:") && ended.out.contains("move the file"), "{}", ended.out);
    assert_eq!(std::fs::read(&file).unwrap(), bytes, "doctor does not change the database");
}

/// Behaviour that docs/steps.md states: a path is opened on the current site, and a screenshot needs no model.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn visit_opens_a_path_of_the_site_and_a_screenshot_step_needs_no_model() {
    let site = DemoSite::start().await.unwrap();
    let program = Program::new();
    let workflow =
        format!("url: {}/\nsteps:\n  - Visit /login\n  - Take a screenshot\n  - Save the title as title\n", site.url());
    let file = program.write("look.yaml", &workflow);
    let quiet = program.run(&["run", file.to_str().unwrap(), "--decider", "literal", "-q"]).expect(0);
    assert_eq!((quiet.out.trim_end(), quiet.err.as_str()), ("title = Sign in · Harbor Supplies", ""), "only results");
    let events = program.run(&["show", "last", "--events"]).expect(0).out;
    let pictures: Vec<&str> = events.lines().filter(|line| line.contains("SCREENSHOT_CAPTURED")).collect();
    assert!(pictures.iter().any(|line| line.contains("\"look\"")), "{events}");
    assert!(events.contains(&format!("{}/login", site.url())), "{events}");
}
