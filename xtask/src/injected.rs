//! The TypeScript code that runs in pages and workers: its types, its bundles, and its tests, which need no browser.

use std::{fs, path::PathBuf};

use crate::{
    run::{Failure, has, root, run_in},
    web::npm_ci,
};

const BUNDLES: &str = "crates/browser/src";
const BUNDLE_NAMES: [&str; 3] = ["injected.js", "task-tracker.js", "worker.js"];

fn folder() -> PathBuf {
    root().join("injected")
}

fn failed(what: &str, error: &std::io::Error) -> Failure {
    Failure::new(format!("{what}: {error}"))
}

/// Whether npm is installed, with the packages of the lock file; otherwise prints that the committed bundles are used.
fn is_ready() -> Result<bool, Failure> {
    if !has("npm", &["--version"]) {
        eprintln!("npm is not here: the bundles in {BUNDLES} are taken as they are");
        return Ok(false);
    }
    npm_ci(&folder()).map(|()| true)
}

/// The files that `write` writes.
pub(crate) fn generated() -> Vec<String> {
    let bundles = BUNDLE_NAMES.iter().map(|name| format!("{BUNDLES}/{name}"));
    ["injected/src/generated.ts".to_owned()].into_iter().chain(bundles).collect()
}

/// Writes the types of the calls that the browser crate declares, and the bundles.
pub(crate) fn write() -> Result<(), Failure> {
    if !is_ready()? {
        return Ok(());
    }
    page_script_types(&[])?;
    bundle(&root().join(BUNDLES).display().to_string())
}

/// Fails if the types are not up to date. Returns the bundles that are not.
pub(crate) fn stale() -> Result<Vec<String>, Failure> {
    if !is_ready()? {
        return Ok(Vec::new());
    }
    page_script_types(&["--check"])?;
    let fresh = std::env::temp_dir().join(format!("legwork-bundles-{}", std::process::id()));
    fs::create_dir_all(&fresh).map_err(|error| failed("a folder for fresh bundles", &error))?;
    bundle(&fresh.display().to_string())?;
    let committed = root().join(BUNDLES);
    let is_stale = |name: &&&str| fs::read(fresh.join(name)).ok() != fs::read(committed.join(name)).ok();
    let stale = BUNDLE_NAMES.iter().filter(is_stale).map(|name| format!("{BUNDLES}/{name}")).collect();
    fs::remove_dir_all(&fresh).map_err(|error| failed("a folder for fresh bundles", &error))?;
    Ok(stale)
}

/// Checks format and lints, and runs the unit tests.
pub(crate) fn test() -> Result<(), Failure> {
    if !is_ready()? {
        return Ok(());
    }
    run_in(&folder(), "npm", &["run", "--silent", "lint"])?;
    run_in(&folder(), "npm", &["run", "--silent", "test"])
}

/// Formats the sources, with the order of imports, and applies automatic corrections of lints.
pub(crate) fn format() -> Result<(), Failure> {
    if is_ready()? { run_in(&folder(), "npm", &["run", "--silent", "format"]) } else { Ok(()) }
}

/// Generates the types of the calls that the browser crate declares, or checks that they are up to date.
fn page_script_types(mode: &[&str]) -> Result<(), Failure> {
    let path = std::env::temp_dir().join(format!("legwork-page-script-{}.json", std::process::id()));
    let text = legwork_browser::page_script_schema().to_string();
    fs::write(&path, text).map_err(|error| failed("the schema of the page script", &error))?;
    let arguments = ["scripts/types.mjs", &path.display().to_string()];
    let made = run_in(&folder(), "node", &[&arguments, mode].concat());
    fs::remove_file(&path).map_err(|error| failed("the schema of the page script", &error))?;
    made
}

/// Checks the types, and writes the bundles to a folder.
fn bundle(to: &str) -> Result<(), Failure> {
    run_in(&folder(), "npm", &["run", "--silent", "check"])?;
    run_in(&folder(), "node", &["build.mjs", to])
}
