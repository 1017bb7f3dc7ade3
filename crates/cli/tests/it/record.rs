//! `legwork record`: what is checked before the browser opens, and the end of a recording. What is recorded is tested
//! in the `scripts` crate, where a test can act as the person.

use std::{
    io::{BufRead, BufReader},
    process::Stdio,
};

use legwork_demo_site::DemoSite;
use rustix::process::Signal;

use crate::support::{Program, finish, kill};

#[test]
fn what_cannot_be_recorded_is_refused_before_the_browser_opens() {
    let program = Program::new();
    program.write("order.yaml", "name: mine\n");
    let without_display = |arguments: &[&str]| {
        let mut command = program.command(arguments);
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        finish(command).expect(2).err
    };
    let said = without_display(&["record", "example.org", "-o", "new.yaml"]);
    assert!(said.contains("no display") && said.contains("--headless") && said.contains("xvfb-run"), "{said}");
    let said = without_display(&["record", "--headless", "-o", "order.yaml"]);
    assert!(said.contains("order.yaml exists already") && said.contains("--force"), "{said}");
    let said = without_display(&["record", "--headless", "-o", "none/such.yaml"]);
    assert!(said.contains("the folder none cannot be written to"), "{said}");
    let said = without_display(&["record", "--headless", "-o", "."]);
    assert!(said.contains(". is a folder"), "{said}");
    let said = without_display(&["record", "--headless", "--engine", "firefox"]);
    assert!(said.contains("Firefox cannot be recorded") && said.contains("--engine chromium"), "{said}");
    assert_eq!(std::fs::read_to_string(program.work().join("order.yaml")).unwrap(), "name: mine\n");
    assert!(!program.work().join("new.yaml").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupted_recording_without_steps_leaves_no_file() {
    let (program, site) = (Program::new(), DemoSite::start().await.unwrap());
    for url in [site.url(), "http://127.0.0.1:1/".to_owned()] {
        let mut command = program.command(&["record", "--headless", &url, "-o", "new.yaml"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let said: Vec<String> = lines.by_ref().take_while(|line| !line.starts_with("Recording.")).collect();
        assert_eq!(said.iter().any(|line| line.contains("did not open")), url != site.url(), "{said:?}");
        kill(child.id(), Signal::INT);
        let rest: Vec<String> = lines.collect();
        assert_eq!(child.wait().unwrap().code(), Some(1), "{rest:?}");
        assert!(rest.iter().any(|line| line.contains("Nothing was recorded")), "{rest:?}");
        assert!(!program.work().join("new.yaml").exists());
    }
    program.assert_no_leftovers();
}
