//! The web page: generates its types and bundle, and runs its tests in a real browser against a real server.

use std::path::{Path, PathBuf};

use crate::run::{Failure, build, has, root, run_in};

fn folder() -> PathBuf {
    root().join("web")
}

/// Whether npm is installed; otherwise prints that the page is not built.
fn can() -> bool {
    let can = has("npm", &["--version"]);
    if !can {
        eprintln!("npm is not installed: skipping the page in web/dist");
    }
    can
}

/// Installs the packages in a folder's lock file, if they are not installed.
pub(crate) fn npm_ci(folder: &Path) -> Result<(), Failure> {
    if folder.join("node_modules").exists() {
        return Ok(());
    }
    run_in(folder, "npm", &["ci", "--silent", "--no-audit", "--no-fund"])
}

/// What `write` writes.
pub(crate) const GENERATED: [&str; 2] = ["web/src/api/generated.ts", "web/dist"];

/// Writes the event types of the page, and its bundle.
pub(crate) fn write() -> Result<(), Failure> {
    if !can() {
        return Ok(());
    }
    npm_ci(&folder())?;
    run_in(&folder(), "npm", &["run", "--silent", "types"])?;
    run_in(&folder(), "npm", &["run", "--silent", "build"])
}

/// Formats the sources, with the order of imports, and applies automatic corrections of lints.
pub(crate) fn format() -> Result<(), Failure> {
    if !can() {
        return Ok(());
    }
    npm_ci(&folder())?;
    run_in(&folder(), "npm", &["run", "--silent", "format"])
}

/// Checks format, lints, types and committed files, and runs the tests that need no browser.
pub(crate) fn check() -> Result<(), Failure> {
    if !can() {
        return Ok(());
    }
    npm_ci(&folder())?;
    run_in(&folder(), "npm", &["run", "--silent", "check"])
}

/// Runs the tests in a browser, with the program as built for the other tests.
pub(crate) fn test() -> Result<(), Failure> {
    if !can() {
        return Ok(());
    }
    build()?;
    run_in(&folder(), "npm", &["test", "--silent", "--", "--project=page"])
}
