//! Runs other programs in the root of the workspace, and prints each command line.

use std::{
    fmt,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

/// Why a command failed, for a person.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Failure(message.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the workspace").to_owned()
}

/// Runs a program with its output shown; fails if the program fails.
pub(crate) fn run(program: &str, arguments: &[&str]) -> Result<(), Failure> {
    run_in(&root(), program, arguments)
}

/// Builds all programs and tests. Every command that needs a program of the workspace builds everything: cargo chooses
/// the features of dependencies by what is built together, and another choice would compile most of them once more.
pub(crate) fn build() -> Result<(), Failure> {
    run("cargo", &["build", "--quiet", "--workspace", "--all-targets"])
}

/// Runs a program of the workspace with its output shown, as built by [`build`].
pub(crate) fn run_program(name: &str, arguments: &[&str]) -> Result<(), Failure> {
    build()?;
    run(&target().join("debug").join(name).display().to_string(), arguments)
}

/// Runs a long test of the program that the normal test run leaves out, with these environment variables
/// (`NAME=VALUE`).
pub(crate) fn run_long_test(test: &str, variables: &[&str]) -> Result<(), Failure> {
    let cargo = ["cargo", "test", "--quiet", "--workspace", "--test", "it", "--", "--ignored", "--nocapture", test];
    run("env", &[variables, cargo.as_slice()].concat())
}

/// Like [`run`], in a folder.
pub(crate) fn run_in(folder: &Path, program: &str, arguments: &[&str]) -> Result<(), Failure> {
    let line = format!("{program} {}", arguments.join(" "));
    eprintln!("\n$ {line}");
    let status = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .status()
        .map_err(|error| Failure::new(format!("{program} cannot be run: {error}")))?;
    if status.success() { Ok(()) } else { Err(Failure::new(format!("`{line}` failed: {status}"))) }
}

/// Whether a program exists and answers `--version`.
pub(crate) fn has(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

/// The folder of build results.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The metadata of the workspace from cargo, with these arguments.
pub(crate) fn metadata(arguments: &[&str]) -> Result<Value, Failure> {
    let failed = |why: &dyn fmt::Display| Failure::new(format!("cargo metadata: {why}"));
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1"])
        .args(arguments)
        .current_dir(root())
        .output()
        .map_err(|error| failed(&error))?;
    if !output.status.success() {
        return Err(failed(&String::from_utf8_lossy(&output.stderr)));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| failed(&error))
}

/// The metadata of the packages of the workspace, without those of their dependencies.
pub(crate) fn workspace_metadata() -> Result<Value, Failure> {
    metadata(&["--no-deps", "--offline"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_of_cargo_metadata_is_reported_in_its_own_words() {
        let failure = metadata(&["--no-such-option"]).unwrap_err().to_string();
        assert!(failure.contains("--no-such-option"), "{failure}");
    }
}
