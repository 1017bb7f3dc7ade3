//! The extension for Chromium: its committed files, the folder and the archive to install, and its tests.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use zip::{ZipWriter, write::SimpleFileOptions};

use crate::{
    run::{self, Failure, build, has, root, run_in},
    web::npm_ci,
};

fn folder() -> PathBuf {
    root().join("extension")
}

fn failed(what: &Path, error: impl std::fmt::Display) -> Failure {
    Failure::new(format!("{}: {error}", what.display()))
}

/// Whether npm is installed, with the packages of the lock files; otherwise prints that the committed files are used.
/// The panel shows components of `web/`.
fn is_ready() -> Result<bool, Failure> {
    if !has("npm", &["--version"]) {
        eprintln!("npm is not installed: the files in extension/dist are taken as they are");
        return Ok(false);
    }
    npm_ci(&root().join("web"))?;
    npm_ci(&folder()).map(|()| true)
}

/// What `write` writes.
pub(crate) const GENERATED: &str = "extension/dist";

/// Writes `extension/dist`.
pub(crate) fn write() -> Result<(), Failure> {
    if is_ready()? { run_in(&folder(), "npm", &["run", "--silent", "build"]) } else { Ok(()) }
}

/// Builds the extension, and writes the unpacked folder and the archive to `target/extension`.
pub(crate) fn package() -> Result<(), Failure> {
    write()?;
    let source = folder().join("dist");
    let target = root().join("target/extension");
    let unpacked = target.join("legwork");
    let archive = target.join(format!("legwork-{}.zip", env!("CARGO_PKG_VERSION")));
    if unpacked.exists() {
        fs::remove_dir_all(&unpacked).map_err(|error| failed(&unpacked, error))?;
    }
    fs::create_dir_all(&unpacked).map_err(|error| failed(&unpacked, error))?;
    let file = fs::File::create(&archive).map_err(|error| failed(&archive, error))?;
    let mut zip = ZipWriter::new(file);
    let mut names: Vec<_> = fs::read_dir(&source)
        .map_err(|error| failed(&source, error))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    for name in names {
        let bytes = fs::read(source.join(&name)).map_err(|error| failed(&source, error))?;
        fs::write(unpacked.join(&name), &bytes).map_err(|error| failed(&unpacked, error))?;
        // Without the time of now, so that the same sources give the same archive.
        zip.start_file(&name, SimpleFileOptions::default()).map_err(|error| failed(&archive, error))?;
        zip.write_all(&bytes).map_err(|error| failed(&archive, error))?;
    }
    zip.finish().map_err(|error| failed(&archive, error))?;
    println!("{}\n{}", unpacked.display(), archive.display());
    Ok(())
}

/// Formats the sources, and applies automatic corrections of lints.
pub(crate) fn format() -> Result<(), Failure> {
    if is_ready()? { run_in(&folder(), "npm", &["run", "--silent", "format"]) } else { Ok(()) }
}

/// Checks format, lints, types and committed files, and runs the tests that need no browser.
pub(crate) fn check() -> Result<(), Failure> {
    if is_ready()? { run_in(&folder(), "npm", &["run", "--silent", "check"]) } else { Ok(()) }
}

/// Runs the tests in a browser, with the program as built for the other tests.
pub(crate) fn test() -> Result<(), Failure> {
    if !is_ready()? {
        return Ok(());
    }
    build()?;
    playwright("page")
}

/// Measures the ten-action task in a tab of the user's own browser and in a browser that Legwork starts, with the
/// released form of the program.
pub(crate) fn measure() -> Result<(), Failure> {
    if !is_ready()? {
        return Err(Failure::new("the measurement needs npm"));
    }
    run::run("cargo", &["build", "--quiet", "--release", "--package", "legwork-cli"])?;
    let program = format!("LEGWORK_BIN={}", root().join("target/release/legwork").display());
    run_in(&folder(), "env", &[&program, "npx", "--no-install", "playwright", "test", "--project=bench"])
}

/// Runs a project of the tests (`extension/playwright.config.ts`).
fn playwright(project: &str) -> Result<(), Failure> {
    run_in(&folder(), "npx", &["--no-install", "playwright", "test", &format!("--project={project}")])
}
