//! The background process of the verbs: only one is started, only its user can access it, and no process outlives it.

use std::{
    fs,
    os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt},
    process::{Child, Stdio},
    time::{Duration, Instant},
};

use legwork_demo_site::DemoSite;
use rustix::process::{Pid, Signal, test_kill_process};

use crate::{
    page::Terminal,
    support::{Ended, TEST_TIMEOUT, kill, naming},
};

/// The id of the background process.
pub(crate) fn host(terminal: &Terminal) -> u32 {
    fs::read_to_string(terminal.0.runtime().join("terminal.lock")).unwrap().trim().parse().unwrap()
}

fn lives(id: u32) -> bool {
    // A process that has ended and was not waited for is still listed, as a zombie.
    let state = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    test_kill_process(Pid::from_raw(id as i32).unwrap()).is_ok() && !state.contains(") Z ")
}

#[track_caller]
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + TEST_TIMEOUT;
    while !holds() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::yield_now();
    }
}

fn spawn(terminal: &Terminal, line: &[&str]) -> Child {
    terminal.command(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eight_clients_at_once_start_one() {
    let site = DemoSite::start().await.unwrap();
    let terminal = Terminal::new();
    let names: Vec<String> = (0..8).map(|at| format!("s{at}")).collect();
    let clients: Vec<Child> =
        names.iter().map(|name| spawn(&terminal, &["open", &site.url(), "--session", name])).collect();
    for client in clients {
        Ended::of(client.wait_with_output().unwrap()).expect(0);
    }
    assert_eq!(terminal.says(&["sessions"]).lines().count(), 8);
    let hosts = naming(" terminal-host").into_iter().filter(|(id, _)| {
        let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        String::from_utf8_lossy(&environment).contains(terminal.0.data().to_str().unwrap())
    });
    assert_eq!(hosts.map(|(id, _)| id).collect::<Vec<_>>(), [host(&terminal)]);
    let browsers = fs::read_dir(terminal.0.temporary()).unwrap().flatten();
    assert_eq!(browsers.filter(|entry| entry.file_name().to_string_lossy().contains("legwork-")).count(), 1);
    terminal.says(&["close", "--all"]);
    terminal.0.assert_no_leftovers();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_is_its_user_s_alone() {
    let terminal = Terminal::new();
    terminal.says(&["open"]);
    let folder = terminal.0.runtime();
    assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
    let socket = fs::metadata(folder.join("terminal.sock")).unwrap();
    assert!(socket.file_type().is_socket());
    assert_eq!(socket.mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(terminal.0.data().join("terminal.log")).unwrap().mode() & 0o077, 0);

    // A folder that others can enter is not trusted, even if its own user changed the mode.
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    let open = terminal.fails(2, &["eval", "1"]);
    assert!(open.err.contains("accessible to other users") && open.err.contains("chmod 700"), "{}", open.err);
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(terminal.says(&["eval", "1"]), "1\n");
}

/// Sends a request to the socket and prints the reply.
const STRANGER: &str = r#"$SIG{PIPE} = "IGNORE"; my $s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die "no way in: $!\n";
    print $s "legwork 1 terminal 1\nend\n"; $s->flush; my $heard = <$s>; print $heard // "nothing";"#;

#[test]
fn another_user_is_turned_away_even_where_the_folder_stands_open() {
    let has = |program: &str| std::path::Path::new(program).exists();
    if !rustix::process::geteuid().is_root() || !has("/usr/bin/setpriv") || !has("/usr/bin/perl") {
        eprintln!("nobody else can be played here");
        return;
    }
    let terminal = Terminal::new();
    terminal.says(&["open"]);
    let socket = terminal.0.runtime().join("terminal.sock");
    for path in socket.ancestors().take(4) {
        fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
    }
    let mut stranger = std::process::Command::new("/usr/bin/setpriv");
    stranger.args(["--reuid", "65534", "--regid", "65534", "--clear-groups", "/usr/bin/perl", "-MIO::Socket::UNIX"]);
    let heard = stranger.args(["-e", STRANGER]).arg(&socket).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&heard.stdout), "nothing", "{}", String::from_utf8_lossy(&heard.stderr));
    fs::set_permissions(terminal.0.runtime(), fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(terminal.says(&["eval", "1"]), "1\n");
    let log = fs::read_to_string(terminal.0.data().join("terminal.log")).unwrap();
    assert!(log.contains("another user was refused"), "{log}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_client_leaves_its_session_free() {
    let site = DemoSite::start().await.unwrap();
    let terminal = Terminal::new();
    terminal.says(&["open", &site.url()]);
    let mut client = spawn(&terminal, &["wait", "600"]);
    // The client waits on the page once the host has its request. Then it is killed.
    until("the client does not come", || {
        let sockets = fs::read_dir(format!("/proc/{}/fd", client.id())).unwrap().flatten();
        let open = sockets.filter_map(|fd| fs::read_link(fd.path()).ok());
        open.filter(|to| to.to_string_lossy().starts_with("socket:")).count() > 0
    });
    std::thread::yield_now();
    client.kill().unwrap();
    client.wait().unwrap();
    let began = Instant::now();
    assert_eq!(terminal.says(&["eval", "1+1"]), "2\n");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_it_leaves_no_browser_and_the_next_verb_says_so_and_begins_anew() {
    let site = DemoSite::start().await.unwrap();
    let terminal = Terminal::new();
    terminal.says(&["open", &site.url()]);
    let first = host(&terminal);
    kill(first, Signal::KILL);
    until("it does not die", || !lives(first));
    terminal.0.assert_no_leftovers();
    assert!(terminal.0.runtime().join("terminal.sock").exists(), "nothing stale is left to be replaced");
    terminal.fails(2, &["eval", "1"]);
    assert!(terminal.says(&["open", &site.url()]).contains("Sign in"));
    assert_ne!(host(&terminal), first);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signal_ends_it_in_order() {
    for signal in [Signal::TERM, Signal::INT] {
        let terminal = Terminal::new();
        terminal.says(&["open"]);
        let waiting = spawn(&terminal, &["wait", "600"]);
        let id = host(&terminal);
        kill(id, signal);
        until("it does not end", || !lives(id));
        let cut = Ended::of(waiting.wait_with_output().unwrap());
        assert_ne!(cut.code, 0, "{}", cut.out);
        assert!(!terminal.0.runtime().join("terminal.sock").exists());
        terminal.0.assert_no_leftovers();
        assert_eq!(terminal.says(&["sessions"]), "no sessions are open\n");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_ends_when_nobody_asks_anything_of_it() {
    let terminal = Terminal::new();
    let mut open = terminal.command(&["open"]);
    open.env("LEGWORK_TERMINAL_IDLE_TIMEOUT", "1s");
    crate::support::finish(open).expect(0);
    let (id, asked) = (host(&terminal), Instant::now());
    until("it does not end", || !lives(id));
    // With the default settings, a host without sessions waits for ten seconds.
    assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
    terminal.0.assert_no_leftovers();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_that_died_is_told_of_and_replaced() {
    let terminal = Terminal::new();
    terminal.says(&["open"]);
    let profile = terminal.0.temporary();
    let (browser, _) = naming(profile.to_str().unwrap())
        .into_iter()
        .find(|(_, line)| line.contains("--remote-debugging-pipe") && !line.contains("--type="))
        .unwrap();
    kill(browser, Signal::KILL);
    until("it does not die", || !lives(browser));
    let mut gone = terminal.0.run(&["eval", "1"]);
    until("it is not noticed", || {
        gone = terminal.0.run(&["eval", "1"]);
        gone.code == 3
    });
    assert!(gone.err.contains("browser") && gone.err.contains("`legwork open URL`"), "{}", gone.err);
    terminal.says(&["open"]);
    assert_eq!(terminal.says(&["eval", "1"]), "1\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_of_another_version_is_told_or_served_by_a_new_one() {
    use std::{
        io::{Read, Write},
        os::unix::net::UnixStream,
    };
    let terminal = Terminal::new();
    terminal.says(&["open"]);
    let hear = |text: &str| {
        let mut stream = UnixStream::connect(terminal.0.runtime().join("terminal.sock")).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        let mut heard = String::new();
        stream.read_to_string(&mut heard).unwrap();
        heard
    };
    let busy = hear("legwork 99.0.0 terminal 9\n{\"do\": \"dance\"}\n");
    assert!(busy.starts_with("legwork ") && busy.ends_with(": busy\n"), "{busy}");
    terminal.says(&["close"]);
    let id = host(&terminal);
    let ended = hear("legwork 99.0.0 terminal 9\n{\"do\": \"dance\"}\n");
    assert!(ended.ends_with(": ended\n"), "{ended}");
    until("it does not end", || !lives(id));
}
