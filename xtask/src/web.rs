//! The web page: its types and bundle, and its tests in a real browser against a real server.

use std::path::{Path, PathBuf};

use crate::run::{Failure, has, root, run, run_in};

fn folder() -> PathBuf {
    root().join("web")
}

/// Whether it can be made and tested here; says so when it cannot.
fn can() -> bool {
    let can = has("npm", &["--version"]);
    if !can {
        eprintln!("npm is not here: the page in web/dist is taken as it is");
    }
    can
}

/// Installs what a folder's lock file names, once.
pub(crate) fn npm_ci(folder: &Path) -> Result<(), Failure> {
    if folder.join("node_modules").exists() {
        return Ok(());
    }
    run_in(folder, "npm", &["ci", "--silent", "--no-audit", "--no-fund"])
}

/// Writes the types it has of events, and its bundle.
pub(crate) fn write() -> Result<(), Failure> {
    if !can() {
        return Ok(());
    }
    npm_ci(&folder())?;
    run_in(&folder(), "npm", &["run", "--silent", "types"])?;
    run_in(&folder(), "npm", &["run", "--silent", "build"])
}

/// Formats it, import order included, and mends what lints can mend.
pub(crate) fn format() -> Result<(), Failure> {
    if !can() {
        return Ok(());
    }
    npm_ci(&folder())?;
    run_in(&folder(), "npm", &["run", "--silent", "format"])
}

/// Format, lints, types, freshness of what is committed, and the tests that need no browser.
pub(crate) fn check() -> Result<(), Failure> {
    if !can() {
        return Ok(());
    }
    npm_ci(&folder())?;
    run_in(&folder(), "npm", &["run", "--silent", "check"])
}

/// The tests in a browser, against the program as it is built for the other tests.
pub(crate) fn test() -> Result<(), Failure> {
    if !can() {
        return Ok(());
    }
    run("cargo", &["build", "--quiet", "--package", "legwork-cli", "--package", "legwork-testing"])?;
    run_in(&folder(), "npm", &["test", "--silent", "--", "--project=page"])
}
