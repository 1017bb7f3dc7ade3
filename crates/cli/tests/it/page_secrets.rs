//! Secrets of the verbs: they are requested without echo, typed only into their own site, and never printed.

use std::{
    fs::{File, OpenOptions},
    io::{Read, Write},
    path::PathBuf,
    process::Stdio,
    time::Instant,
};

use legwork_demo_site::{DemoSite, PASSWORD};
use rustix::{
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{LocalModes, tcgetattr},
};

use crate::{
    page::Terminal,
    support::{Ended, TEST_TIMEOUT},
};

/// A pseudoterminal: the end of the user and the end of the program.
fn pty() -> (File, File) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let path = PathBuf::from(ptsname(&ours, Vec::new()).unwrap().into_string().unwrap());
    let theirs = OpenOptions::new().read(true).write(true).open(path).unwrap();
    (File::from(ours), theirs)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_that_is_nowhere_is_asked_for_without_echo() {
    let site = DemoSite::start().await.unwrap();
    let terminal = Terminal::new();
    let open = ["open", &format!("{}/login", site.url()), "--secret", "harbour_password"];
    let (mut ours, theirs) = pty();
    let mut command = terminal.command(&open);
    command.stdin(theirs.try_clone().unwrap()).stderr(theirs.try_clone().unwrap()).stdout(Stdio::piped());
    let child = command.spawn().unwrap();
    let mut seen = String::new();
    let mut bytes = [0; 256];
    while !seen.contains("harbour_password: ") {
        let count = ours.read(&mut bytes).unwrap();
        seen.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
    let deadline = Instant::now() + TEST_TIMEOUT;
    while tcgetattr(&theirs).unwrap().local_modes.contains(LocalModes::ECHO) {
        assert!(Instant::now() < deadline, "what is typed would be seen");
        std::thread::yield_now();
    }
    ours.write_all(format!("{PASSWORD}\n").as_bytes()).unwrap();
    let opened = Ended::of(child.wait_with_output().unwrap()).expect(0);
    assert!(opened.out.contains("Sign in"), "{}", opened.out);
    assert!(tcgetattr(&theirs).unwrap().local_modes.contains(LocalModes::ECHO), "the terminal is left as it was");
    // The read returns in any case, because the program prints a line break.
    let count = ours.read(&mut bytes).unwrap();
    seen.push_str(&String::from_utf8_lossy(&bytes[..count]));
    assert!(!seen.contains(PASSWORD), "{seen}");
    terminal.says(&["fill", "#password", "${secret:harbour_password}"]);
    let typed = terminal.says(&["eval", &format!("document.querySelector('#password').value === '{PASSWORD}'")]);
    assert_eq!(typed, "true\n");

    // Without a terminal, the error lists the possible sources of the secret.
    let nobody = terminal.fails(2, &["open", "--session", "b", "--secret", "harbour_password"]);
    for said in ["LEGWORK_SECRET_HARBOUR_PASSWORD", "no person is at the terminal"] {
        assert!(nobody.err.contains(said), "{}", nobody.err);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_is_typed_into_its_own_site_and_masked_wherever_it_shows() {
    let site = DemoSite::start().await.unwrap();
    let terminal = Terminal::new();
    let value = "tide-4-tables";
    terminal.0.write("pw.txt", &format!("{value}\n"));
    let handle = "${secret:tide}";
    let elsewhere = format!("tide=pw.txt@{}", site.second_origin_url());
    terminal.says(&["open", &format!("{}/login", site.url()), "--session", "b", "--secret", &elsewhere]);
    let refused = terminal.fails(1, &["fill", "#username", handle, "--session", "b"]);
    let bound = format!("secret tide is bound to {}, and this page is {}", site.second_origin_url(), site.url());
    assert!(refused.err.contains(&bound), "{}", refused.err);
    assert_eq!(terminal.says(&["eval", "document.querySelector('#username').value", "--session", "b"]).trim(), "");

    terminal.says(&["open", &format!("{}/login", site.url()), "--secret", &format!("tide=pw.txt@{}", site.url())]);
    // A field that displays its content.
    let mut said = vec![terminal.says(&["fill", "#username", handle])];
    assert_eq!(terminal.says(&["eval", &format!("document.querySelector('#username').value === '{value}'")]), "true\n");
    let spread = "() => { const it = document.querySelector('#username').value; console.log('it is ' + it); \
                  document.title = it; localStorage.it = it; document.cookie = 'it=' + it; \
                  document.body.append('by ' + it); history.replaceState(null, '', '?it=' + it); \
                  return fetch('/api/forecast?it=' + it).then(() => ({it, all: [it]})); }";
    let ways: &[&[&str]] = &[
        &["eval", spread],
        &["eval", "document.querySelector('#username').value", "--json"],
        &["snapshot"],
        &["snapshot", "--json"],
        &["console", "--all"],
        &["console", "--all", "--json"],
        &["network", "forecast", "--all"],
        &["network", "forecast", "--all", "--json"],
        &["text"],
        &["text", "--json"],
        &["text", "body"],
        &["find", "by "],
        &["find", "by ", "--json"],
        &["tab"],
        &["tab", "--json"],
        &["cookies"],
        &["cookies", "--json"],
        &["sessions"],
        &["sessions", "--json"],
        &["reload"],
        &["step", "Check that \"Sign in\" is shown"],
    ];
    for way in ways {
        let ended = terminal.0.run(way).expect(0);
        assert!(!format!("{}{}", ended.out, ended.err).contains(value), "{way:?}: {}", ended.out);
        said.push(ended.out);
    }
    let masked = said.iter().filter(|text| text.contains(handle)).count();
    assert!(masked > 15, "{masked} of {said:#?}");
    let thrown = terminal.fails(
        1,
        &["eval", "(() => { throw new Error(document.querySelector('#username').value || localStorage.it) })()"],
    );
    assert!(thrown.err.contains(handle) && !thrown.err.contains(value), "{}", thrown.err);
    // A `confirm` dialog stays open until it is answered. An `alert` would be answered automatically.
    let asked = terminal.says(&["eval", "setTimeout(() => confirm(localStorage.it)), 1"]);
    let asked = format!("{asked}{}", terminal.says(&["snapshot"]));
    assert!(asked.contains(handle) && !asked.contains(value), "{asked}");
    let answered = terminal.says(&["dialog", "accept"]);
    assert!(!answered.contains(value), "{answered}");
    let log = std::fs::read_to_string(terminal.0.data().join("terminal.log")).unwrap();
    assert!(!log.contains(value), "{log}");
}
