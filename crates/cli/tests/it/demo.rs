//! The demo: the complete program with only a browser. The value of a secret must not appear in any output or file.

use legwork_demo_site::{DEMO_WORKFLOW, DemoSite, PASSWORD, UPLOAD, UPLOAD_NAME};
use serde_json::Value;

use crate::support::{Program, files_below, finish};

#[test]
fn the_demo_succeeds_with_evidence_and_a_trace_that_needs_nothing_else() {
    let program = Program::new();
    let ended = program.run(&["demo", "--no-install", "--json", "--trace", "trace"]).expect(0);
    let summary = ended.json();
    assert_eq!((summary["status"].as_str(), summary["validation"].as_str()), (Some("success"), Some("validated")));
    // The demo opens a dialog, during which the browser takes no pictures.
    assert!(!summary["warnings"].to_string().contains("no screenshot"), "{}", summary["warnings"]);
    let steps = summary["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 55);
    for step in steps {
        assert_eq!((step["status"].as_str(), step["decider"].as_str()), (Some("success"), Some("literal")), "{step}");
    }
    let evidence = |step: &&Value| step["evidence"].as_array().is_some_and(|facts| !facts.is_empty());
    let proven = steps.iter().filter(evidence).count();
    assert!(proven >= 50, "{proven} of 55 steps show evidence");
    let checked = |step: &&Value| step["evidence"].as_array().unwrap().iter().any(|fact| fact["checked"] == true);
    let expected = DEMO_WORKFLOW.matches("expect:").count();
    assert!(steps.iter().filter(checked).count() >= expected, "every expectation was checked");
    assert_eq!(summary["variables"]["total"], "€ 123.60");
    assert_eq!(summary["variables"]["pickup_code"], "KH-2741");

    let trace = program.work().join("trace");
    let page = std::fs::read_to_string(trace.join("run.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("A day at Harbor Supplies"));
    assert!(page.matches("src=\"data:image/").count() >= 20, "the pictures are in it");
    for outside in ["src=\"http", "<link", "@import", "url(http", "<script src"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let pictures = files_below(&trace.join("screenshots"));
    assert!(pictures.len() >= 20, "{}", pictures.len());
    let run: Value = serde_json::from_slice(&std::fs::read(trace.join("run.json")).unwrap()).unwrap();
    assert_eq!(run["record"]["state"], "success");
    program.assert_no_leftovers();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_value_of_a_secret_is_in_no_file_and_no_output() {
    let site = DemoSite::start().await.unwrap();
    let program = Program::new();
    program.write(UPLOAD_NAME, std::str::from_utf8(UPLOAD).unwrap());
    let file = program.write("demo.yaml", DEMO_WORKFLOW);
    let mut command = program.command(&[
        "run",
        file.to_str().unwrap(),
        "--url",
        &site.url(),
        "--secret",
        "demo_password",
        "--decider",
        "literal",
        "--json",
        "--events",
        "--trace",
        "trace",
        "-vv",
    ]);
    command.env("LEGWORK_SECRET_DEMO_PASSWORD", PASSWORD);
    let ended = finish(command).expect(0);
    let signed_in = site.ledger().iter().any(|entry| entry.path == "/login");
    assert!(signed_in, "the secret was typed");
    assert!(ended.out.contains("${secret:demo_password}"), "its handle is what is on record");
    for said in [&ended.out, &ended.err] {
        assert!(!said.contains(PASSWORD), "{said}");
    }
    let mut files = files_below(&program.data());
    for path in &files {
        let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(path).unwrap().permissions());
        assert_eq!(mode & 0o077, 0, "others may read {}", path.display());
    }
    assert!(files.iter().any(|path| path.ends_with("runs.db")), "{files:?}");
    files.extend(files_below(&program.work()));
    let holds = |bytes: &[u8]| bytes.windows(PASSWORD.len()).any(|window| window == PASSWORD.as_bytes());
    for path in files {
        assert!(!holds(&std::fs::read(&path).unwrap()), "{}", path.display());
    }
    for arguments in [&["show", "last"][..], &["export", "last", "--format", "html"]] {
        let shown = program.run(arguments).expect(0);
        assert!(!shown.out.contains(PASSWORD), "{arguments:?}");
    }
    program.assert_no_leftovers();
}

/// A secret that is granted without an origin belongs to the site that the first step opens, and to no other one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_is_bound_to_the_address_that_the_first_step_opens() {
    let (site, program) = (DemoSite::start().await.unwrap(), Program::new());
    let (here, elsewhere) = (site.url(), site.url().replace("127.0.0.1", "localhost"));
    let log_in = |first: &str| {
        let steps = ["Type \"x\" into \"User name\"", "Type \"${secret:demo_password}\" into \"Password\""];
        let file = program.write(
            "login.yaml",
            &format!("inputs:\n  at: {here}\nsteps:\n  - {first}\n  - {}\n", steps.join("\n  - ")),
        );
        let mut command = program.command(&["run", file.to_str().unwrap(), "--secret", "demo_password"]);
        command.env("LEGWORK_SECRET_DEMO_PASSWORD", PASSWORD);
        finish(command)
    };
    log_in(&format!("Open {here}/login")).expect(0);
    let other = log_in(&format!("Open {here}/login\n  - Open {elsewhere}/login"));
    assert!(other.out.contains("is bound to") || other.err.contains("is bound to"), "{}{}", other.out, other.err);
    let unbound = log_in("Open ${at}/login");
    let said = format!("{}{}", unbound.out, unbound.err);
    assert!(said.contains("is not bound to a site, because the run has no start address"), "{said}");
}
