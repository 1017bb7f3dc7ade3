//! Tests of the verbs from the shell's side: each verb on the demo site, through the real program and its background
//! process.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use legwork_demo_site::{DemoSite, PASSWORD};
use serde_json::{Value, json};

use crate::support::{Ended, Program, finish};

/// A program whose background process is ended when the value is dropped.
pub(crate) struct Terminal(pub(crate) Program);

impl Terminal {
    pub(crate) fn new() -> Self {
        Terminal(Program::new())
    }

    pub(crate) fn command(&self, line: &[&str]) -> Command {
        self.0.command(line)
    }

    #[track_caller]
    pub(crate) fn says(&self, line: &[&str]) -> String {
        let ended = finish(self.command(line)).expect(0);
        assert_eq!(ended.err, "", "{line:?}");
        ended.out
    }

    #[track_caller]
    pub(crate) fn fails(&self, code: i32, line: &[&str]) -> Ended {
        let ended = finish(self.command(line)).expect(code);
        assert!(ended.err.starts_with("error: "), "{}", ended.err);
        ended
    }

    #[track_caller]
    pub(crate) fn json(&self, code: i32, line: &[&str]) -> Value {
        let line: Vec<&str> = line.iter().copied().chain(["--json"]).collect();
        let ended = finish(self.command(&line)).expect(code);
        assert_eq!(ended.err, "", "{line:?}");
        ended.json()
    }

    #[track_caller]
    pub(crate) fn with_input(&self, line: &[&str], input: &str) -> Ended {
        let mut command = self.command(line);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        Ended::of(child.wait_with_output().unwrap())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A failed test must not leave a process behind either.
        let _ = self.command(&["close", "--all"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

/// The ref in the line that contains this text.
#[track_caller]
fn reference(page: &str, holds: &str) -> String {
    let line = page.lines().find(|line| line.contains(holds)).unwrap_or_else(|| panic!("no {holds:?} in\n{page}"));
    let at = line.find(holds).unwrap();
    let rest = line[at..].split("[ref=").nth(1).unwrap_or_else(|| panic!("no ref in {line:?}"));
    rest.split(']').next().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_day_by_hand() {
    let site = DemoSite::start().await.unwrap();
    let at = |path: &str| format!("{}{path}", site.url());
    let terminal = Terminal::new();
    let t = |line: &[&str]| terminal.says(line);

    // The log-in, with a secret that is only typed.
    let mut open = terminal.command(&["open", &at("/login"), "--secret", "demo_password", "--viewport", "1000x700"]);
    open.env("LEGWORK_SECRET_DEMO_PASSWORD", PASSWORD);
    let page = finish(open).expect(0).out;
    assert!(page.starts_with(&format!("{}/login \"", site.url())), "{page}");
    t(&["click", "text=Accept all cookies"]);
    let user = reference(&page, "User name");
    let filled = t(&["fill", &format!("@{user}"), "alice"]);
    assert!(filled.starts_with("fill textbox \"User name\" with “alice”\n"), "{filled}");
    let typed = t(&["fill", &format!("ref={}", reference(&page, "Password")), "${secret:demo_password}"]);
    assert!(!typed.contains(PASSWORD), "{typed}");
    let signed_in = t(&["click", "role=button[name=\"Sign in\"]"]);
    assert!(signed_in.contains("Welcome back, Alice"), "{signed_in}");
    assert_eq!(t(&["eval", "innerWidth"]), "1000\n");

    // Observation.
    let whole = t(&["snapshot"]);
    let few = t(&["snapshot", "-i"]);
    assert!(few.len() < whole.len() && few.contains("link \"Products\"") && !few.contains("heading"), "{few}");
    assert!(t(&["snapshot", "-s", "main", "-c", "-d", "2"]).len() < whole.len());
    assert_eq!(t(&["snapshot", "--diff"]).trim(), "* nothing changed since the last observation");
    assert!(t(&["snapshot", "--max-output", "60"]).len() < 600);
    let found = t(&["find", "Products"]);
    assert!(found.contains("[ref=") && found.lines().count() < 8, "{found}");
    assert!(t(&["text"]).contains("Welcome back, Alice"));
    assert_eq!(t(&["text", "h1"]), "Welcome back, Alice\n");
    assert_eq!(t(&["eval", "el => el.tagName", "h1"]), "H1\n");
    let script = terminal.with_input(&["eval", "-"], "document.title.length > 3").expect(0);
    assert_eq!(script.out, "true\n");

    // Navigation and tabs.
    t(&["click", "role=link[name=\"Products\"]"]);
    assert!(t(&["wait", "--url", "/products"]).starts_with("wait for"));
    assert!(t(&["back"]).contains("Dashboard"));
    assert!(t(&["forward"]).contains("products"));
    t(&["reload"]);
    t(&["tab", "new", &at("/notes")]);
    let tabs = t(&["tab"]);
    assert!(tabs.contains("- tab 2 [current]: ") && tabs.contains("/notes") && !tabs.contains('{'), "{tabs}");
    t(&["tab", "1"]);
    t(&["tab", "close", "2"]);
    assert_eq!(t(&["tab", "list"]).lines().count(), 1);

    // A form.
    let form = t(&["open", &at("/orders/new")]);
    let field = |name: &str| reference(&form, &format!("\"{name}\""));
    t(&["fill", &field("Customer"), "Ada Lind"]);
    t(&["type", &field("E-mail"), "ada@example.org"]);
    t(&["press", "Tab"]);
    assert!(t(&["select", &field("Product"), "Anchor line 16 mm"]).contains("Anchor line 16 mm"));
    t(&["fill", &field("Quantity"), "3"]);
    t(&["select", &field("Delivery"), "Courier"]);
    t(&["fill", &field("Delivery date"), "2026-12-24"]);
    t(&["check", &field("Card")]);
    let gift = field("Gift wrap");
    assert!(t(&["check", &gift]).contains("[checked]"));
    assert!(t(&["uncheck", &gift]).starts_with("uncheck checkbox \"Gift wrap\""));
    t(&["check", &field("The customer accepts the terms")]);
    assert!(t(&["step", "Click", "the button \"Place order\""]).starts_with("done"));
    t(&["wait", "--text", "Order placed", "--load", "idle"]);
    assert_eq!(site.ledger().iter().filter(|entry| entry.path == "/orders").count(), 1);

    // A dialog, an upload, and the pointer.
    t(&["open", &at("/orders")]);
    let asked = t(&["click", "role=button[name=\"Delete order HS-1002\"]"]);
    assert!(asked.contains("dialog"), "{asked}");
    t(&["dialog", "accept"]);
    assert!(t(&["wait", "--gone", "HS-1002", "5"]).starts_with("wait"));
    t(&["open", &at("/documents")]);
    terminal.0.write("note.txt", "three ropes");
    let upload = t(&["upload", "input[type=file]", "note.txt"]);
    assert!(upload.contains("note.txt"), "{upload}");
    t(&["open", &at("/")]);
    t(&["hover", "role=button[name=\"More\"]"]);
    t(&["open", &at("/board")]);
    let dragged = t(&["drag", "text=Count the fenders", "[data-column=Done]"]);
    assert!(dragged.starts_with("drag"), "{dragged}");
    assert!(site.ledger().iter().any(|entry| entry.path == "/board"));
    t(&["open", &at("/handbook")]);
    t(&["scroll", "bottom"]);
    assert_ne!(t(&["eval", "scrollY"]), "0\n");
    t(&["scroll", "top"]);
    t(&["scroll", "h1"]);
    t(&["resize", "390x844"]);
    assert_eq!(t(&["eval", "innerWidth"]), "390\n");

    // Output files.
    assert_eq!(t(&["screenshot", "a.png"]), "a.png: a picture of 390×844 pixels\n");
    t(&["screenshot", "b.jpg", "--full"]);
    t(&["screenshot", "c.webp", "--target", "h1"]);
    t(&["pdf", "d.pdf"]);
    let begins = |name: &str| std::fs::read(terminal.0.work().join(name)).unwrap()[..4].to_vec();
    assert_eq!(begins("a.png"), *b"\x89PNG");
    assert_eq!(begins("b.jpg")[..2], *b"\xff\xd8");
    assert_eq!(begins("c.webp"), *b"RIFF");
    assert_eq!(begins("d.pdf"), *b"%PDF");

    // Scripts, the console and requests.
    t(&["eval", "console.error('a leak'), fetch('/api/forecast'), 1"]);
    assert!(t(&["console", "--level", "error"]).contains("[error] a leak"));
    t(&["wait", "--load", "idle"]);
    assert!(t(&["network", "forecast"]).contains("/api/forecast → 200"));
    t(&["cookies", "set", "taste", "salt"]);
    assert!(t(&["cookies"]).contains("taste=salt"));
    t(&["state", "save", "state.json"]);
    t(&["cookies", "clear"]);
    assert_eq!(t(&["cookies", "list"]), "there are no cookies\n");
    let again = t(&["state", "load", "state.json"]);
    assert!(again.starts_with("the session starts again with") && again.contains("Handbook"), "{again}");
    assert!(t(&["cookies"]).contains("taste=salt"));

    assert_eq!(t(&["sessions"]), format!("default: {}/handbook\n", site.url()));
    assert_eq!(t(&["close"]), "closed default\n");
    assert_eq!(t(&["close"]), "default was not open\n");
    let log = std::fs::read_to_string(terminal.0.data().join("terminal.log")).unwrap();
    assert!(!log.contains(PASSWORD), "{log}");
    terminal.says(&["close", "--all"]);
    terminal.0.assert_no_leftovers();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_goes_wrong_is_said_with_what_to_try_and_with_the_exit_codes_of_run() {
    let site = DemoSite::start().await.unwrap();
    let terminal = Terminal::new();
    let closed = terminal.fails(2, &["click", "e1"]);
    assert_eq!(closed.err, "error: session default is not open\n\nhint: `legwork open URL` opens it\n");
    let object = terminal.json(2, &["click", "e1"]);
    assert_eq!(
        object,
        json!({"ok": false, "error": "session default is not open", "hint": "`legwork open URL` opens it"})
    );

    terminal.says(&["open", &site.signed_in_url("/")]);
    let stale = terminal.fails(1, &["click", "e9999"]);
    assert!(
        stale.err.contains("stale ref e9999") && stale.err.contains("hint: `legwork snapshot -i`"),
        "{}",
        stale.err
    );
    let missing = terminal.json(1, &["click", "text=Nowhere"]);
    assert_eq!(
        (&missing["ok"], &missing["data"]["results"][0]["failure"]["kind"]),
        (&json!(false), &json!("not_found"))
    );
    let outside = tempfile::NamedTempFile::new().unwrap();
    terminal.says(&["open", &site.signed_in_url("/documents")]);
    let upload = terminal.fails(1, &["upload", "input[type=file]", outside.path().to_str().unwrap()]);
    assert!(upload.err.contains("outside of the folders") && upload.err.contains("--uploads DIR"), "{}", upload.err);
    let refused = terminal.fails(1, &["open", "file:///etc/passwd"]);
    assert!(refused.err.contains("file: address"), "{}", refused.err);
    let thrown = terminal.fails(1, &["eval", "nothing.there"]);
    assert!(thrown.err.contains("nothing is not defined"), "{}", thrown.err);

    let other = terminal.fails(2, &["open", "--viewport", "300x300"]);
    assert!(other.err.contains("other options") && other.err.contains("`legwork close` first"), "{}", other.err);
    terminal.fails(2, &["screenshot", "a.bmp"]);
    terminal.fails(2, &["tab", "1", "2"]);
    terminal.fails(2, &["snapshot", "--session", "../x"]);
    terminal.fails(2, &["wait"]);
    let browser = terminal.fails(3, &["open", "--session", "other", "--browser", "/bin/false"]);
    assert!(browser.err.contains("hint: "), "{}", browser.err);
    let setting = terminal.fails(2, &["open", "--session", "other", "--allowed-domains", "a b"]);
    assert!(setting.err.contains("--allowed-domains") && setting.err.contains("not a domain"), "{}", setting.err);
    assert_eq!(terminal.says(&["sessions"]).lines().count(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_goes_as_far_as_it_can_in_one_call() {
    let site = DemoSite::start().await.unwrap();
    let terminal = Terminal::new();
    let page = site.signed_in_url("/orders/new");
    let done = terminal.with_input(
        &["batch"],
        &format!("open {page}\n# the customer\nfill 'role=textbox[name=\"Customer\"]' 'Ada L.'\nsnapshot -i\nscreenshot a.png\n"),
    );
    let done = done.expect(0);
    assert!(done.out.contains("fill textbox \"Customer\" with “Ada L.”"), "{}", done.out);
    assert!(terminal.0.work().join("a.png").exists());

    let part = terminal.with_input(&["batch"], "eval 1+1\nclick text=Nowhere\nreload\n").expect(1);
    assert!(
        part.out.starts_with("2\nclick: nothing matches") && part.out.contains("(1 later command was not executed)"),
        "{}",
        part.out
    );
    assert!(part.err.starts_with("error: the batch stopped at its verb 2\nhint: "), "{}", part.err);
    let object = terminal.with_input(&["batch", "--json"], "[[\"eval\", \"1+1\"], \"eval 2+2\"]").expect(0).json();
    assert_eq!(object["data"], json!([{"value": 2}, {"value": 4}]));
    terminal.with_input(&["batch"], "eval document.title='no'\nclik e1\n").expect(2);
    assert_ne!(terminal.says(&["eval", "document.title"]), "no\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_know_nothing_of_each_other() {
    let site = DemoSite::start().await.unwrap();
    let terminal = Terminal::new();
    let page = site.signed_in_url("/notes");
    terminal.says(&["open", &page, "--session", "a"]);
    let mut other = terminal.command(&["open", &site.url()]);
    other.env("LEGWORK_SESSION", "b");
    let other = finish(other).expect(0).out;
    assert!(other.contains("Sign in"), "signed in by another session: {other}");
    assert!(terminal.says(&["cookies", "--session", "b"]) != terminal.says(&["cookies", "--session", "a"]));
    assert_eq!(terminal.says(&["sessions"]).lines().count(), 2);
    // The flag is accepted before the command too, and a command that has no session says so.
    assert_eq!(terminal.says(&["--session", "b", "tab"]), terminal.says(&["tab", "--session", "b"]));
    assert!(terminal.says(&["--session=b", "snapshot"]).contains("Sign in"));
    let other = terminal.fails(2, &["--session", "b", "runs"]);
    assert!(other.err.contains("--session names a session of the page commands"), "{}", other.err);
    terminal.says(&["close", "--session", "a"]);
    assert!(terminal.says(&["snapshot", "--session", "b"]).contains("Sign in"));
    assert_eq!(terminal.json(0, &["sessions"])["data"]["sessions"][0]["session"], "b");
}
