//! Isolation by the verbs: no secrets in the environment of the host, files that only their owner can read, no escape
//! sequences in the terminal, and no browser that outlives its sessions.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, chown},
    process::Stdio,
};

use legwork_demo_site::DemoSite;

use crate::{
    page::Terminal,
    page_host::host,
    support::{Program, finish, naming},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_host_has_no_secret_of_who_started_it() {
    let terminal = Terminal::new();
    let mut open = terminal.command(&["open", "--secret", "tide"]);
    open.env("LEGWORK_SECRET_TIDE", "tide-4-tables").env("LEGWORK_SECRET_OTHER", "other-4-tables");
    finish(open).expect(0);
    let environment = fs::read(format!("/proc/{}/environ", host(&terminal))).unwrap();
    let environment = String::from_utf8_lossy(&environment);
    assert!(environment.contains("LEGWORK_DATA_DIR=") && !environment.contains("4-tables"), "{environment}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_process_has_no_variable_that_it_does_not_need() {
    let program = Program::new();
    let file = program.write("wait.txt", "Wait for \"never\"\n");
    let mut command = program.command(&["run", file.to_str().unwrap(), "--decider", "literal", "--url", "about:blank"]);
    command.env("OPENAI_API_KEY", "canary-1").env("DATABASE_URL", "canary-2").env("LEGWORK_SECRET_X", "canary-3");
    let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let profile = format!("--user-data-dir={}", program.temporary().display());
    let environment = loop {
        assert!(run.try_wait().unwrap().is_none(), "the run ended before its browser was seen");
        // The environment reads as empty while the new process is still being replaced by the browser.
        let seen = naming(&profile).first().and_then(|(id, _)| fs::read(format!("/proc/{id}/environ")).ok());
        match seen {
            Some(environment) if !environment.is_empty() => break String::from_utf8_lossy(&environment).into_owned(),
            _ => std::thread::yield_now(),
        }
    };
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(environment.contains("HOME=") && !environment.contains("canary"), "{environment}");
    program.assert_no_leftovers();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_goes_with_its_last_session() {
    let terminal = Terminal::new();
    terminal.says(&["open"]);
    terminal.says(&["open", "--session", "b"]);
    let browsers = || naming(terminal.0.temporary().to_str().unwrap()).len();
    terminal.says(&["close"]);
    assert!(browsers() > 0);
    terminal.says(&["close", "--session", "b"]);
    // The host keeps running for a while.
    assert_eq!((browsers(), naming(" terminal-host").iter().any(|(id, _)| *id == host(&terminal))), (0, true));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_go_and_come_where_they_may() {
    let site = DemoSite::start().await.unwrap();
    let terminal = Terminal::new();
    let given = terminal.0.work().join("given");
    fs::create_dir(&given).unwrap();
    fs::write(given.join("note.txt"), "three ropes").unwrap();
    terminal.0.write("other.txt", "four");
    terminal.says(&["open", &site.signed_in_url("/documents"), "--uploads", "given"]);
    terminal.says(&["upload", "input[type=file]", "given/note.txt"]);
    let refused = terminal.fails(1, &["upload", "input[type=file]", "other.txt"]);
    assert!(refused.err.contains("outside of the folders"), "{}", refused.err);
    for line in [&["screenshot", "a.png"][..], &["state", "save", "s.json"]] {
        terminal.says(line);
        let mode = fs::metadata(terminal.0.work().join(line[line.len() - 1])).unwrap().mode();
        assert_eq!(mode & 0o777, 0o600, "{line:?}");
    }
    let read = terminal.says(&["eval", "'\\u001b[31mred\\u0007' + '\\n' + 'plain'"]);
    assert!(!read.contains(['\u{1b}', '\u{7}']) && read.contains("red") && read.ends_with("plain\n"), "{read:?}");
}

#[test]
fn a_folder_of_another_user_is_not_trusted() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("nobody else can be played here");
        return;
    }
    let terminal = Terminal::new();
    fs::create_dir(terminal.0.runtime()).unwrap();
    fs::set_permissions(terminal.0.runtime(), fs::Permissions::from_mode(0o700)).unwrap();
    chown(terminal.0.runtime(), Some(65534), Some(65534)).unwrap();
    let refused = terminal.fails(2, &["open"]);
    assert!(refused.err.contains("accessible to other users"), "{}", refused.err);
}
