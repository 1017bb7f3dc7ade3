//! Runs everything that a reviewer would, the quick checks first.

use crate::{
    api, browsers, clients, deny, extension, generate, graph, injected, names,
    run::{Failure, has, run},
    web,
};

pub(crate) fn everything(filter: &[String]) -> Result<(), Failure> {
    browsers::install()?;
    if filter.is_empty() {
        graph::check()?;
        names::check()?;
        run("cargo", &["fmt", "--all", "--check"])?;
        run("cargo", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])?;
        generate::check()?;
        injected::test()?;
        web::check()?;
        extension::check()?;
        rustdoc()?;
        api::check()?;
        run("cargo", &["test", "--workspace", "--doc", "--quiet"])?;
        web::test()?;
        clients::test()?;
        deny::test()?;
        crate::evals("truth", &["--short".to_owned()])?;
        crate::evals("attack", &["--short".to_owned()])?;
    }
    let filter: Vec<&str> = filter.iter().map(String::as_str).collect();
    if has("cargo", &["nextest", "--version"]) {
        if filter.is_empty() {
            firefox()?;
        }
        run("cargo", &[&["nextest", "run", "--workspace", "--no-fail-fast"], filter.as_slice()].concat())
    } else {
        eprintln!(
            "cargo-nextest is not installed (`cargo install cargo-nextest --locked`): using the slower `cargo test`"
        );
        run("cargo", &[&["test", "--workspace", "--no-fail-fast", "--all-targets", "--"], filter.as_slice()].concat())
    }
}

/// The part of the browser tests that shows most of a driver, on Firefox.
fn firefox() -> Result<(), Failure> {
    let part = "test(actions::) | test(frames::) | test(dialogs::)";
    let engine = "LEGWORK_TEST_ENGINE=firefox";
    let filter = format!("package(legwork-browser) & ({part})");
    // With all packages, so that nothing is compiled a second time with other features.
    run("env", &[engine, "cargo", "nextest", "run", "--workspace", "--no-fail-fast", "-E", &filter])
}

fn rustdoc() -> Result<(), Failure> {
    run("cargo", &["rustdoc", "--quiet", "--package", "legwork", "--lib", "--", "-D", "warnings"])
}
