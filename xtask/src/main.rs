//! The project's own commands, run as `cargo xtask NAME`.
//!
//! `test` does everything a reviewer would: browsers, format, lints, generated files, documentation, then every test.
//! `generate` writes what is generated. `browsers` installs the browsers that the tests drive. `eval` runs a suite of tasks
//! with judges and scores it.

mod api;
mod browsers;
mod clients;
#[cfg(test)]
mod codes;
mod forms;
mod generate;
mod graph;
mod names;
mod run;
mod test;
mod web;

use std::process::ExitCode;

const USAGE: &str = "cargo xtask test [FILTER…]   everything a reviewer would run; with a filter only these tests
cargo xtask generate [--check]   schemas/ (openapi.json among them), docs/protocol.md, docs/errors.md, docs/settings.md, the injected bundle, the page
cargo xtask api [--write]          the library's public API against crates/runtime/api.txt, and the version
cargo xtask graph        which crate may import which, checked
cargo xtask names        public types that share a name, checked
cargo xtask browsers     installs the browsers the tests drive
cargo xtask eval [--suite miniwob|todomvc|demo|long] [--decider literal|scripted] [--model PROVIDER/NAME] …
                         scores a decider on tasks with judges (docs/evaluation.md; --help lists the flags)
cargo xtask truth [--family FAMILY] [--case CASE] [--decider literal|checks|model] [--short] [--json FILE] …
                         looks for reported successes that did not happen (docs/evaluation.md; --help lists the flags)";

fn main() -> ExitCode {
    if let Some(code) = api::as_rustdoc() {
        return code;
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) =
        arguments.split_first().map_or(("", &[] as &[String]), |(first, rest)| (first.as_str(), rest));
    let result = match command {
        "test" => test::everything(rest),
        "generate" if rest.iter().any(|argument| argument == "--check") => generate::check(),
        "generate" => generate::write(),
        "api" if rest.iter().any(|argument| argument == "--write") => api::write(),
        "api" => api::check(),
        "graph" => graph::check(),
        "names" => names::check(),
        "browsers" => browsers::install(),
        "eval" => evals("legwork-evals", rest),
        "truth" => evals("truth", rest),
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

/// A program of the evals crate, so that nothing else here waits for it to be built.
fn evals(program: &str, arguments: &[String]) -> Result<(), run::Failure> {
    browsers::install()?;
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let cargo = ["run", "--quiet", "--package", "legwork-evals", "--bin", program, "--"];
    run::run("cargo", &[&cargo, arguments.as_slice()].concat())
}
