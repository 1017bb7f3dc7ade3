//! The project's own commands, run as `cargo xtask NAME`.
//!
//! `test` runs everything that a reviewer would: browsers, formatting, lints, generated files, documentation, then all
//! tests. `USAGE` describes each command.

mod api;
mod api_page;
mod browsers;
mod clients;
#[cfg(test)]
mod codes;
mod contract;
mod deny;
mod engines;
mod extension;
mod forms;
mod generate;
mod graph;
mod injected;
mod names;
mod run;
mod sbom;
mod schemathesis;
mod scripts;
mod test;
mod web;

use std::process::ExitCode;

const USAGE: &str = "cargo xtask test [FILTER…]       runs all checks and tests; with a filter, only these tests
cargo xtask check                runs the checks of `test` that need no browser, all of them, even if one fails
cargo xtask generate [--check|--list]
                         writes the generated files; or checks that they are up to date; or lists them
cargo xtask api [--write]        compares the library's public API with crates/runtime/api.txt and the version
cargo xtask extension [--test|--bench]
                         writes the extension for Chromium to target/extension: a folder to load, and a zip; or tests it in a browser; or
                         compares the time of a task in a tab of the user's own browser with that in a browser that Legwork starts
cargo xtask graph                checks which crate imports which, and how many files of a crate import each other
cargo xtask format               formats Rust and the TypeScript packages
cargo xtask names                checks that public types have different names
cargo xtask engine firefox|webkit
                         runs the part of the browser tests that shows most of a driver, on this engine; `test` does so on Firefox
cargo xtask browsers             installs the browsers for the tests
cargo xtask eval [--suite miniwob|todomvc|demo|long] [--decider literal|scripted] [--model PROVIDER/NAME] …
                         scores a decider on tasks with judges (docs/evaluation.md; --help lists the flags)
cargo xtask truth [--family FAMILY] [--case CASE] [--decider literal|checks|model] [--short] [--json FILE] …
                         looks for reported successes that did not happen (docs/evaluation.md; --help lists the flags)
cargo xtask attack [--class planner|egress|pages|canaries|hosts] [--short] [--seed N] [--ablate] [--json FILE] …
                         attacks the rules of a run and looks for forbidden effects (docs/evaluation.md; --help lists the flags)
cargo xtask mutate [--scenario NAME] [--kind NAME] [--seeds N] [--short] [--json FILE] …
                         replays playbooks on changed pages and looks for actions on a wrong element (docs/evaluation.md; --help lists the flags)
cargo xtask perception [--page NAME] [--json FILE] …
                         looks for elements of pages that can be operated and have no ref in the observation (docs/evaluation.md; --help lists the
                         flags)
cargo xtask accessibility [--page NAME] [--json FILE] …
                         compares the roles and names of observations with those of the browser's accessibility tree
                         (docs/evaluation.md; --help lists the flags)
cargo xtask batch [ROWS]         a batch of 1,000 rows on the demo site that is killed three times: each row must be done once;
                         LEGWORK_BIN=PROGRAM tests another build, for this command and the next
cargo xtask scripts              runs ten exported scripts with Playwright's packages for Node and Python (installed in target/playwright)
cargo xtask schemathesis [--short]
                         tests a running server against schemas/openapi.json with Schemathesis (installed in target/schemathesis)
cargo xtask deny                 checks licences, banned crates, sources and known vulnerabilities of the dependencies
cargo xtask sbom [FILE]          writes a bill of materials of the program (CycloneDX)";

fn main() -> ExitCode {
    if let Some(code) = api::as_rustdoc() {
        return code;
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) =
        arguments.split_first().map_or(("", &[] as &[String]), |(first, rest)| (first.as_str(), rest));
    let result = match command {
        "test" => test::everything(rest),
        "check" => test::checks(),
        "generate" if rest.iter().any(|argument| argument == "--check") => generate::check(),
        "generate" if rest.iter().any(|argument| argument == "--list") => generate::list(),
        "generate" => generate::write(),
        "api" if rest.iter().any(|argument| argument == "--write") => api::write(),
        "api" => api::check(),
        "extension" if rest.iter().any(|argument| argument == "--test") => extension::test(),
        "extension" if rest.iter().any(|argument| argument == "--bench") => extension::measure(),
        "extension" => extension::package(),
        "graph" => graph::check(),
        "format" => format(),
        "names" => names::check(),
        "engine" => match rest {
            [engine] => browsers::install().and_then(|()| test::other_engine(engine)),
            _ => Err(run::Failure::new("name the engine: `cargo xtask engine firefox` or `webkit`")),
        },
        "browsers" => browsers::install(),
        "eval" => evals("legwork-evals", rest),
        "truth" => evals("truth", rest),
        "attack" => evals("attack", rest),
        "mutate" => evals("mutate", rest),
        "perception" => evals("perception", rest),
        "accessibility" => evals("accessibility", rest),
        "batch" => batch(rest),
        "scripts" => scripts::check(),
        "schemathesis" => schemathesis::check(rest.iter().any(|argument| argument == "--short")),
        "deny" => deny::check(),
        "sbom" => sbom::write(rest),
        _ => Err(run::Failure::new(USAGE)),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn format() -> Result<(), run::Failure> {
    run::run("cargo", &["fmt", "--all"])?;
    injected::format()?;
    web::format()?;
    extension::format()
}

/// Runs the long test of batches.
fn batch(arguments: &[String]) -> Result<(), run::Failure> {
    browsers::install()?;
    let rows = arguments.first().map_or("1000", String::as_str);
    let test = "a_batch_of_a_thousand_rows_that_is_killed_does_each_row_once";
    let rows = format!("LEGWORK_BATCH_ROWS={rows}");
    run::run_long_test(test, &[&rows])
}

/// Runs a program of the evals crate.
fn evals(program: &str, arguments: &[String]) -> Result<(), run::Failure> {
    browsers::install()?;
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    run::run_program(program, &arguments)
}
