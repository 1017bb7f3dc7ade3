//! Runs everything that a reviewer would, the quick checks first.

use std::time::{Duration, Instant};

use crate::{
    api, browsers, clients, deny, extension, generate, graph, injected, names,
    run::{Failure, has, run},
    web,
};

/// A part of the whole: its name in the table of times, and what it runs.
type Part = (&'static str, fn() -> Result<(), Failure>);

/// How long each part took.
type Times = Vec<(&'static str, Duration)>;

/// The checks that need no browser, in this order: the quick ones first.
const CHECKS: &[Part] = &[
    ("import graph", graph::check),
    ("names", names::check),
    ("format", || run("cargo", &["fmt", "--all", "--check"])),
    ("clippy", || run("cargo", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])),
    ("generated files", generate::check),
    ("injected scripts", injected::test),
    ("web page, without a browser", web::check),
    ("extension, without a browser", extension::check),
    ("documentation and API", documentation),
];

/// The tests that run before those of the crates, in this order.
const TESTS: &[Part] = &[
    ("build of all tests", crate::run::build),
    ("web page", web::test),
    ("extension", extension::test),
    ("MCP clients", clients::test),
    ("dependencies", deny::test),
    ("truth", || crate::evals("truth", &["--short".to_owned()])),
    ("attack", || crate::evals("attack", &["--short".to_owned()])),
    ("Firefox", firefox),
];

pub(crate) fn everything(filter: &[String]) -> Result<(), Failure> {
    browsers::install()?;
    if filter.is_empty() {
        let mut times = Vec::new();
        let result = all_checks(&mut times)
            .and_then(|()| TESTS.iter().try_for_each(|(name, part)| timed(name, *part, &mut times)));
        // Before the tests of the crates, because their summary must be the last output.
        print_times(&times);
        result?;
    }
    let filter: Vec<&str> = filter.iter().map(String::as_str).collect();
    if has("cargo", &["nextest", "--version"]) {
        // Tests of browsers wait for pages and processes, so one more than the processors keeps all of these busy.
        let threads = std::thread::available_parallelism().map_or(2, usize::from) + 1;
        let threads = format!("--test-threads={threads}");
        let all = ["nextest", "run", "--workspace", "--no-fail-fast", &threads];
        run("cargo", &[&all[..], filter.as_slice()].concat())
    } else {
        eprintln!(
            "cargo-nextest is not installed (`cargo install cargo-nextest --locked`): using the slower `cargo test`"
        );
        run("cargo", &[&["test", "--workspace", "--no-fail-fast", "--all-targets", "--"], filter.as_slice()].concat())
    }
}

/// The checks that need no browser: what a change most often forgets is found in a few minutes.
pub(crate) fn checks() -> Result<(), Failure> {
    let mut times = Vec::new();
    let result = all_checks(&mut times);
    print_times(&times);
    result
}

/// Runs every check, also after one has failed, so that one run names all that is to be corrected.
fn all_checks(times: &mut Times) -> Result<(), Failure> {
    let failures: Vec<String> = CHECKS
        .iter()
        .filter_map(|(name, part)| timed(name, *part, times).err().map(|failure| format!("{name}: {failure}")))
        .collect();
    if failures.is_empty() { Ok(()) } else { Err(Failure::new(failures.join("\n"))) }
}

fn timed(name: &'static str, part: fn() -> Result<(), Failure>, times: &mut Times) -> Result<(), Failure> {
    let start = Instant::now();
    let result = part();
    times.push((name, start.elapsed()));
    result
}

/// Prints how many seconds each part took, so that a slow one is seen.
fn print_times(times: &Times) {
    eprintln!("\nSeconds of each part:");
    for (name, time) in times {
        eprintln!("{:>6}  {name}", time.as_secs());
    }
}

/// Without nextest there is no filter for a part of the tests.
fn firefox() -> Result<(), Failure> {
    if has("cargo", &["nextest", "--version"]) { other_engine("firefox") } else { Ok(()) }
}

/// The part of the browser tests that shows most of a driver, on another engine than Chromium.
pub(crate) fn other_engine(engine: &str) -> Result<(), Failure> {
    if !has("cargo", &["nextest", "--version"]) {
        return Err(Failure::new("cargo-nextest is not installed: `cargo install cargo-nextest --locked`"));
    }
    let engine = format!("LEGWORK_TEST_ENGINE={engine}");
    let filter = "package(legwork-browser) & (test(actions::) | test(frames::) | test(dialogs::))";
    // With all packages, so that nothing is compiled a second time with other features.
    run("env", &[&engine, "cargo", "nextest", "run", "--workspace", "--no-fail-fast", "-E", filter])
}

/// The library's documentation, its public API, and the examples in it.
fn documentation() -> Result<(), Failure> {
    run("cargo", &["rustdoc", "--quiet", "--package", "legwork", "--lib", "--", "-D", "warnings"])?;
    api::check()?;
    run("cargo", &["test", "--workspace", "--doc", "--quiet"])
}
