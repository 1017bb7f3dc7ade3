//! Runs exported scripts with the published packages of Playwright. No browser is downloaded: the scripts use the one
//! of the system.

use crate::{
    browsers,
    run::{self, Failure},
};

/// Installs the packages if they are missing, and runs the long test of exported scripts.
pub(crate) fn check() -> Result<(), Failure> {
    browsers::install()?;
    let folder = run::target().join("playwright");
    std::fs::create_dir_all(&folder)
        .map_err(|error| Failure::new(format!("{} cannot be created: {error}", folder.display())))?;
    if !folder.join("node_modules/@playwright/test").exists() {
        run::run_in(&folder, "npm", &["init", "--yes"])?;
        let skip = "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1";
        run::run_in(&folder, "env", &[skip, "npm", "install", "--no-audit", "@playwright/test"])?;
    }
    let python = folder.join("venv/bin/python");
    if !python.exists() {
        run::run_in(&folder, "python3", &["-m", "venv", "venv"])?;
        run::run_in(&folder, "venv/bin/pip", &["install", "--quiet", "playwright"])?;
    }
    let node = format!("LEGWORK_PLAYWRIGHT_NODE={}", folder.display());
    let python = format!("LEGWORK_PLAYWRIGHT_PYTHON={}", python.display());
    run::run_long_test("exported_scripts_run_with_the_published_packages", &[&node, &python])
}
