//! Tests severe failures: they are reported as values, and nothing is left behind.

use std::{
    io::{BufRead, BufReader},
    os::unix::process::CommandExt,
    path::Path,
    process::{Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use legwork_browser::{
    Browser, BrowserError, Capability, Engine, Guard, LaunchOptions, RequestDenial, ScreenshotOptions, SessionOptions,
    StorageState, reap_orphans,
};
use legwork_protocol::*;
use secrecy::SecretString;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::support::*;

/// The number of processes that have a folder: named in their command line or, as the servers and browsers of WebKit,
/// as the folder of their settings.
fn processes_with(folder: &str) -> usize {
    let Ok(all) = std::fs::read_dir("/proc") else { return 0 };
    let contains = |process: &Path, file: &str, text: &str| {
        std::fs::read(process.join(file)).is_ok_and(|all| all.windows(text.len()).any(|part| part == text.as_bytes()))
    };
    let settings = format!("XDG_CONFIG_HOME={folder}");
    let has = |process: &Path| contains(process, "cmdline", folder) || contains(process, "environ", &settings);
    all.flatten().filter(|process| has(&process.path())).count()
}

pub(crate) fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(15), "{what}");
        std::thread::sleep(Duration::from_millis(30));
    }
}

#[test]
fn an_unresponsive_page_is_reported_and_can_be_left() {
    run(async {
        let visit = visit_with("<button onclick='while(1);'>Hang</button>", |options| {
            options.timeouts.script = Duration::from_millis(1500);
        })
        .await;
        visit.site.page("/ok", "<p>fine</p>");
        assert_eq!(visit.fails(click(at("button"))).await, ActionFailure::Unresponsive);
        visit.does(open(&visit.site.url("/ok"))).await;
        assert_eq!(visit.text().await, "fine");
        visit.session.close().await.unwrap();
    });
}

#[test]
fn a_thousand_alerts_are_accepted_and_twenty_are_reported() {
    run(async {
        let visit =
            visit("<button onclick=\"for(let i=0;i<1000;i++)alert(i);this.textContent='through'\">Storm</button>")
                .await;
        let result = visit.does(click(at("button"))).await;
        let told = result.effects.iter().filter(|e| matches!(e, PageEffect::Dialog(_))).count();
        assert_eq!(told, 20);
        assert_eq!(visit.text().await, "through");
    });
}

#[test]
fn a_crashed_renderer_and_a_killed_browser_are_reported() {
    run(async {
        let visit = visit("<p>here</p>").await;
        let crash = visit.act(open("chrome://crash")).await;
        assert!(matches!(crash.failure, Some(ActionFailure::Refused { .. })));
        // The process is killed from outside, as the system does when memory runs out.
        let browser = Browser::launch(launch_options()).await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let session = browser.session(SessionOptions::new(folder.path())).await.unwrap();
        let cancel = CancellationToken::new();
        assert!(session.act(&open(&visit.site.url("/")), &cancel).await.ok());
        assert!(session.act(&click(at("p")), &cancel).await.ok());
        let group = browser.process_id().unwrap().to_string();
        for process in std::fs::read_dir("/proc").unwrap().flatten() {
            let line = std::fs::read_to_string(process.path().join("cmdline")).unwrap_or_default();
            let stat = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
            let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
            if line.contains("--type=renderer") && fields.get(2) == Some(&group.as_str()) {
                Command::new("kill").args(["-9", process.file_name().to_str().unwrap()]).status().unwrap();
            }
        }
        let begun = Instant::now();
        loop {
            match session.observe(None).await {
                Err(ActionFailure::Crashed) => break,
                other => assert!(begun.elapsed() < Duration::from_secs(10), "{other:?}"),
            }
        }
        assert_eq!(session.act(&click(at("p")), &cancel).await.failure, Some(ActionFailure::Crashed));
        let [lost] = &session.flush().await[..] else { panic!("a crash loses something") };
        assert!(lost.ends_with("crashed"), "{lost}");
        assert!(session.act(&open(&visit.site.url("/")), &cancel).await.ok());
        assert_eq!(session.observe(None).await.unwrap().text_of(0), "here");
        // The browser itself is killed too.
        Command::new("kill").args(["-9", &group]).status().unwrap();
        let gone = session.act(&click(at("p")), &cancel).await.failure.unwrap();
        assert!(gone.is_browser_fault() && matches!(gone, ActionFailure::BrowserGone { .. }), "{gone:?}");
        // Nobody will report that its tabs are closed, so nothing waits for them.
        let begun = Instant::now();
        session.close().await.unwrap_err();
        assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
        browser.close().await;
    });
}

#[test]
fn a_browser_without_its_display_or_with_a_profile_that_it_does_not_keep_is_refused() {
    if supports(Capability::Profiles) {
        return;
    }
    run(async {
        let home = tempfile::tempdir().unwrap();
        let profile = Some(home.path().join("profile"));
        let kept = Browser::launch(LaunchOptions { profile, ..launch_options() }).await.err();
        assert!(matches!(kept, Some(BrowserError::NotCapable { .. })), "{kept:?}");
        if std::env::var_os("DISPLAY").is_none() && std::env::var_os("WAYLAND_DISPLAY").is_none() {
            let headed = LaunchOptions { headed: true, temporary: Some(home.path().into()), ..launch_options() };
            let headed = Browser::launch(headed).await.err();
            assert!(matches!(headed, Some(BrowserError::NoDisplay { .. })), "{headed:?}");
        }
        eventually("no process is left", || processes_with(home.path().to_str().unwrap()) == 0);
        assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
    });
}

#[test]
fn closing_removes_the_profile_and_ends_all_processes() {
    run(async {
        let home = tempfile::tempdir().unwrap();
        let options = LaunchOptions { temporary: Some(home.path().into()), ..launch_options() };
        let browser = Browser::launch(options).await.unwrap();
        let session = browser.session(SessionOptions::new(home.path().join("downloads"))).await.unwrap();
        session.close().await.unwrap();
        browser.close().await;
        let left: Vec<_> = std::fs::read_dir(home.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(left, ["downloads"]);
        eventually("no process is left", || processes_with(home.path().to_str().unwrap()) == 0);
    });
}

/// Not a test of its own: the test below starts it as another process and kills it.
#[test]
#[ignore = "run by the_reaper_removes_browser_and_profile_after_sigkill in a process of its own"]
fn helper_process_that_is_killed() {
    let Ok(home) = std::env::var("LEGWORK_TEST_HOME") else { return };
    run(async {
        let options = LaunchOptions { temporary: Some(home.clone().into()), ..launch_options() };
        let browser = Browser::launch(options).await.unwrap();
        let _session = browser.session(SessionOptions::new(Path::new(&home).join("downloads"))).await.unwrap();
        println!("\nready");
        std::future::pending::<()>().await;
    });
}

fn start_victim(home: &Path) -> std::process::Child {
    let mut helper_process_that_is_killed = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "robust::helper_process_that_is_killed", "--ignored", "--nocapture"])
        .env("LEGWORK_TEST_HOME", home)
        // A browser would leave temporary files here.
        .env("TMPDIR", home)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(helper_process_that_is_killed.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("ready")));
    helper_process_that_is_killed
}

#[test]
fn the_reaper_removes_browser_and_profile_after_sigkill() {
    let home = tempfile::tempdir().unwrap();
    let mut helper_process_that_is_killed = start_victim(home.path());
    let name = home.path().to_str().unwrap().to_owned();
    assert!(processes_with(&name) > 1);
    helper_process_that_is_killed.kill().unwrap();
    helper_process_that_is_killed.wait().unwrap();
    eventually("all processes end", || processes_with(&name) == 0);
    eventually("the profile goes", || std::fs::read_dir(home.path()).unwrap().count() == 1);
}

#[test]
fn reap_orphans_removes_profiles_without_a_running_owner() {
    let home = tempfile::tempdir().unwrap();
    let profile = home.path().join("legwork-profile-dead");
    std::fs::create_dir(&profile).unwrap();
    std::fs::write(profile.join("legwork.lock"), "").unwrap();
    std::fs::create_dir(home.path().join("unrelated")).unwrap();
    assert_eq!(reap_orphans(home.path()), 1);
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 1);
    run(async {
        let options = LaunchOptions { temporary: Some(home.path().into()), ..launch_options() };
        let browser = Browser::launch(options).await.unwrap();
        assert_eq!(reap_orphans(home.path()), 0, "the profile of a running browser is not removed");
        browser.close().await;
    });
}

#[test]
fn reap_orphans_removes_incomplete_profiles_only_if_old() {
    let home = tempfile::tempdir().unwrap();
    let make = |name: &str, locked: bool| {
        let profile = home.path().join(name);
        std::fs::create_dir(&profile).unwrap();
        if locked {
            std::fs::write(profile.join("legwork.lock"), "").unwrap();
        }
        profile
    };
    let old = [make("legwork-new-bare", false), make("legwork-new-with-lock", true)];
    let young = [make("legwork-new-young", false), make("legwork-new-young-with-lock", true)];
    for profile in &old {
        let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(120);
        std::fs::File::open(profile).unwrap().set_modified(long_ago).unwrap();
    }
    assert_eq!(reap_orphans(home.path()), 2);
    assert!(old.iter().all(|profile| !profile.exists()));
    assert!(young.iter().all(|profile| profile.exists()), "another process may be creating them");
}

pub(crate) struct Rules;
impl Guard for Rules {
    fn allows(&self, url: &Url) -> Result<(), RequestDenial> {
        if url.host_str() == Some("localhost") { Err(RequestDenial::new("localhost is not allowed")) } else { Ok(()) }
    }
    fn reveal(&self, text: &str, origin: &Url) -> Result<SecretString, RequestDenial> {
        if origin.host_str() == Some("127.0.0.1") {
            let text = text.replace("${secret:BORN}", "1912-06-23").replace("${secret:LATER}", "2008-08-08");
            Ok(SecretString::from(text.replace("${secret:PIN}", "hunter2").replace("${secret:WIDE}", "WWWWWWW")))
        } else {
            Err(RequestDenial::new("PIN is not for this origin"))
        }
    }
    fn holds_secret(&self, text: &str) -> bool {
        text.contains("${secret:")
    }
    fn mask(&self, text: &mut String) {
        *text = text.replace("hunter2", "${secret:PIN}").replace("1912-06-23", "${secret:BORN}");
        *text = text.replace("48151623", "${secret:CODE}");
    }
}

/// A page may have parsed a secret as a number, or use it as a key.
#[test]
fn secrets_are_masked_in_numbers_and_keys_of_script_results() {
    run(async {
        let visit = visit_with("<title>Codes</title>", |options| options.guard = Arc::new(Rules)).await;
        let script = "({at: 48151623, [48151623]: [48151623, -48151623.5, 7, true, null], pin: 'hunter2'})";
        let handle = "${secret:CODE}";
        let masked = json!({
            "at": handle, handle: [handle, format!("-{handle}.5"), 7, true, null], "pin": "${secret:PIN}"
        });
        assert_eq!(visit.session.evaluate(script, None).await.unwrap(), masked);
        visit.session.close().await.unwrap();
    });
}

#[test]
fn secrets_are_typed_and_masked_in_every_output() {
    run(async {
        let visit = visit_with("<input id=p><p id=o></p><script>p.oninput=()=>{o.textContent='len '+p.value.length+' '+p.value;document.title=p.value}</script>", |options| {
            options.guard = Arc::new(Rules);
        })
        .await;
        let result = visit.does(fill(at("#p"), "${secret:PIN}")).await;
        assert!(!format!("{result:?}").contains("hunter2"));
        let page = visit.see().await;
        assert!(!format!("{page:?}").contains("hunter2"), "{page:?}");
        assert!(page.text_of(0).contains("len 7 ${secret:PIN}"));
        assert!(!visit.read("body").await.contains("hunter2"));
        assert!(!visit.read("#p").await.contains("hunter2"));
        assert!(!visit.session.html().await.unwrap().contains("hunter2"));
        let picture = visit
            .session
            .screenshot(ScreenshotOptions { max_width: 400, ..ScreenshotOptions::default() })
            .await
            .unwrap();
        assert_eq!((picture.width, picture.height), (400, 225));
        assert!(picture.bytes.starts_with(&[0xff, 0xd8]));
    });
}

/// Two secrets of the same length look identical, whatever the page does to the field's style; two plain texts do not.
#[test]
fn secrets_are_masked_in_screenshots() {
    run(async {
        let visit = visit_with(
            "<input id=p style='width:20em'><input id=q oninput='this.style.cssText=\"color:red\"'>",
            |options| {
                options.guard = Arc::new(Rules);
            },
        )
        .await;
        let drawn = async |text: &str| {
            visit.open("/").await;
            visit.does(fill(at("#p"), text)).await;
            visit.does(click(at("#q"))).await;
            visit.does(Action::Type(Type { target: None, text: text.to_owned() })).await;
            visit.does(click(at("#p"))).await;
            visit.does(Action::Press(Press { key: "Tab".into(), target: None })).await;
            visit.does(Action::Press(Press { key: "Tab".into(), target: None })).await;
            visit.session.screenshot(ScreenshotOptions::default()).await.unwrap().bytes
        };
        assert!(drawn("${secret:PIN}").await == drawn("${secret:WIDE}").await);
        assert!(drawn("hunter3").await != drawn("WWWWWWW").await);
    });
}

#[test]
fn a_secret_in_a_date_field_is_set_and_masked_in_screenshots() {
    run(async {
        let visit = visit_with("<input type=date id=d><input type=color id=c><p id=o></p><script>d.onchange=()=>o.textContent=d.value.length</script>", |options| {
            options.guard = Arc::new(Rules);
        })
        .await;
        let drawn = async |text: &str| {
            visit.does(fill(at("#d"), text)).await;
            visit.does(click(at("#o"))).await;
            visit.session.screenshot(ScreenshotOptions::default()).await.unwrap().bytes
        };
        let born = drawn("${secret:BORN}").await;
        assert_eq!(visit.read("#o").await, "10");
        assert!(!format!("{:?}", visit.see().await).contains("1912"));
        assert!(drawn("${secret:LATER}").await == born);
        assert!(matches!(visit.fails(fill(at("#d"), "${secret:PIN}")).await, ActionFailure::NotAccepted { .. }));
        assert!(matches!(visit.fails(fill(at("#c"), "${secret:PIN}")).await, ActionFailure::NotAccepted { .. }));
    });
}

#[test]
fn watch_sends_images_of_the_current_tab_when_it_changes() {
    run(async {
        let visit = visit("<body><button onclick=\"document.body.style.background='red'\">Red</button>").await;
        let (told, mut pictures) = tokio::sync::mpsc::unbounded_channel();
        let watched = visit.session.watch(320, Duration::from_millis(20), |picture| told.send(picture).unwrap());
        let story = async {
            let first = pictures.recv().await.unwrap();
            assert_eq!((first.media_type, first.width, first.height), ("image/jpeg", 320, 180));
            assert!(first.bytes.starts_with(&[0xff, 0xd8]));
            visit.does(click(at("text=Red"))).await;
            // The first picture may show a page that is not drawn yet, so it is only required that a different one
            // follows.
            let mut red = pictures.recv().await.unwrap();
            while red.bytes == first.bytes {
                red = pictures.recv().await.unwrap();
            }
            // A picture of a page full of text is several times as large as one of a page with a button.
            visit.site.page("/text", &"<b>many</b> words and <i>more</i> of them ".repeat(400));
            visit.does(Action::Tab(Tab::Open { url: Some(visit.site.url("/text")) })).await;
            let plain = first.bytes.len().max(red.bytes.len());
            while pictures.recv().await.unwrap().bytes.len() < 3 * plain {}
        };
        tokio::select! {
            () = watched => panic!("watching does not end by itself"),
            () = story => {}
        }
    });
}

#[test]
fn denied_requests_are_blocked_and_reported() {
    run(async {
        let visit = visit_with("", |options| options.guard = Arc::new(Rules)).await;
        let out = visit.site.elsewhere("/");
        visit.site.page("/", &format!("<a href='{out}'>Out</a><a href='/hop'>Hop</a><img src='{out}x.png'><p>in</p>"));
        visit
            .site
            .put("/hop", Page { status: 302, headers: vec![("Location".into(), out.clone())], ..Page::default() });
        assert!(matches!(visit.fails(open(&out)).await, ActionFailure::Refused { .. }));
        if !supports(Capability::Interception) {
            // The proxy makes no connection, which is all that is known.
            visit.open("/").await;
            visit.fails(click(at("text=Out"))).await;
            visit.open("/").await;
            visit.fails(click(at("text=Hop"))).await;
            assert!(visit.site.heads.lock().unwrap().iter().all(|head| !head.contains("localhost")));
            return;
        }
        let opened = visit.open("/").await;
        assert!(
            opened.effects.contains(&PageEffect::Blocked { url: format!("{out}x.png"), reason: String::new() }),
            "{opened:?}"
        );
        for way in ["text=Out", "text=Hop"] {
            visit.open("/").await;
            let result = visit.act(click(at(way))).await;
            assert!(
                result.effects.contains(&PageEffect::Blocked { url: out.clone(), reason: String::new() }),
                "{way}: {result:?}"
            );
            assert!(!visit.text().await.contains("in "));
        }
        assert!(matches!(visit.fails(open(&visit.site.url("/hop"))).await, ActionFailure::Refused { .. }));
    });
}

#[test]
fn storage_state_is_restored_in_another_session() {
    run(async {
        let first =
            visit("<script>localStorage.a='1';sessionStorage.b='2';document.cookie='c=3;max-age=9999'</script>").await;
        let state = first.session.storage_state().await.unwrap();
        let state: StorageState = serde_json::from_str(&serde_json::to_string(&state).unwrap()).unwrap();
        first.site.page(
            "/see",
            "<p id=p></p><script>p.textContent=[localStorage.a,sessionStorage.b,document.cookie].join()</script>",
        );
        let mut options = SessionOptions::new(first.folder.path());
        options.storage_state = Some(state);
        let second = browser().await.session(options).await.unwrap();
        let cancel = CancellationToken::new();
        // A tab opened later starts with the storage that all tabs share.
        let another = Action::Tab(Tab::Open { url: Some(first.site.url("/see")) });
        assert!(second.act(&another, &cancel).await.ok());
        assert_eq!(second.observe(None).await.unwrap().text_of(0), "1,,c=3");
        assert!(second.act(&Action::Tab(Tab::Switch { to: "1".into() }), &cancel).await.ok());
        assert!(second.act(&open(&first.site.url("/see")), &cancel).await.ok());
        assert_eq!(second.observe(None).await.unwrap().text_of(0), "1,2,c=3");
    });
}

#[test]
fn a_page_with_a_hundred_thousand_nodes_is_observed_in_time() {
    run(async {
        let visit = visit(
            "<div id=d></div><button id=b>B</button><script>d.innerHTML='<p>row <b>x</b></p>'.repeat(50000)</script>",
        )
        .await;
        let begun = Instant::now();
        let page = visit.see().await;
        assert!(!page.nodes.is_empty());
        visit.does(click(at("#b"))).await;
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    });
}

#[test]
fn cancelling_ends_an_action_immediately() {
    run(async {
        let visit = visit("<p>x</p>").await;
        let cancel = CancellationToken::new();
        let wait = Action::Wait(Wait { text: Some("never".into()), ..Wait::default() });
        let (result, ()) = tokio::join!(visit.session.act(&wait, &cancel), async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            cancel.cancel();
        });
        assert_eq!(result.failure, Some(ActionFailure::Cancelled));
        assert!(result.duration < Duration::from_secs(2));
    });
}

#[test]
fn eight_sessions_act_concurrently() {
    run(async {
        let visits = futures_util::future::join_all((0..8).map(|n| async move {
            let visit = visit(&format!("<button onclick=\"this.textContent='did {n}'\">Do</button>")).await;
            visit.does(click(at("button"))).await;
            visit.text().await
        }))
        .await;
        let wanted: Vec<String> = (0..8).map(|n| format!("did {n}")).collect();
        assert_eq!(visits, wanted);
    });
}

#[test]
fn connect_uses_a_running_browser_and_does_not_end_it() {
    run(async {
        let site = Site::start().await;
        site.page("/", "<button onclick=\"this.textContent='done'\">Go</button>");
        let home = tempfile::tempdir().unwrap();
        let mut command = Command::new(legwork_browser::find_executable(engine()).unwrap());
        let port_file = match engine() {
            Engine::Chromium => {
                let given = ["--headless=new", "--no-sandbox", "--no-first-run", "--remote-debugging-port=0"];
                command.args(given).arg("about:blank").arg(format!("--user-data-dir={}", home.path().display()));
                home.path().join("DevToolsActivePort")
            }
            Engine::Firefox => {
                command.args(["--headless", "--no-remote", "--remote-debugging-port=0", "--profile"]).arg(home.path());
                home.path().join("WebDriverBiDiServer.json")
            }
            Engine::WebKit => {
                // The server of WebDriver, on a display of its own.
                let script = "Xvfb -displayfd 3 -nolisten tcp 3>$1/display & until [ -s $1/display ]; do sleep 0.1; done; \
                    export DISPLAY=:$(cat $1/display); echo $2 >$1/port; exec $0 --port=$2";
                let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
                let server = std::mem::replace(&mut command, Command::new("/bin/sh")).get_program().to_owned();
                command.args(["-c", script]).arg(server).arg(home.path()).arg(port.to_string());
                home.path().join("port")
            }
        };
        let mut running = command.stdout(Stdio::null()).stderr(Stdio::null()).process_group(0).spawn().unwrap();
        let stated = || std::fs::read_to_string(&port_file).unwrap_or_default();
        // The first number of five digits at most that is no part of an address.
        let port_in = |text: &str| {
            let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse::<u16>().ok());
            numbers.find(|number| *number > 1024)
        };
        eventually("it says its port", || stated().contains(['\n', '}']) && port_in(&stated()).is_some());
        let address = format!("http://127.0.0.1:{}", port_in(&stated()).unwrap());
        let other = Engine::ALL.into_iter().find(|other| *other != engine()).unwrap();
        match Browser::connect(other, &address).await.err() {
            Some(BrowserError::OtherEngine { found, wanted, .. }) => assert_eq!((found, wanted), (engine(), other)),
            unexpected => panic!("{unexpected:?}"),
        }
        let browser = Browser::connect(engine(), &address).await.unwrap();
        let session = browser.session(SessionOptions::new(home.path().join("downloads"))).await.unwrap();
        let cancel = CancellationToken::new();
        assert!(session.act(&open(&site.url("/")), &cancel).await.ok());
        assert!(session.act(&click(at("button")), &cancel).await.ok());
        assert_eq!(session.observe(None).await.unwrap().text_of(0), "done");
        session.close().await.unwrap();
        browser.close().await;
        assert!(running.try_wait().unwrap().is_none(), "a browser that Legwork did not start keeps running");
        let group = format!("-{}", running.id());
        assert!(Command::new("kill").args(["-9", "--", &group]).status().unwrap().success());
        running.wait().unwrap();
        assert!(Browser::connect(engine(), "http://127.0.0.1:1").await.is_err());
    });
}
