//! Finds the browser's executable.

use std::{
    env,
    path::{Path, PathBuf},
};

use crate::NotFound;

/// Actual binaries precede wrappers: Debian's `/usr/bin/chromium` is a shell script, which takes time and loses file
/// descriptors.
const PLACES: &[&str] = &[
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/opt/google/chrome/chrome",
    "/opt/chromium.org/chromium/chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
const NAMES: &[&str] =
    &["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge"];

/// Returns the first Chromium or Chrome: `$LEGWORK_BROWSER`, the usual locations, then the search path.
pub fn find_executable() -> Result<PathBuf, NotFound> {
    let mut looked = Vec::new();
    if let Some(named) = env::var_os("LEGWORK_BROWSER") {
        looked.push(format!("$LEGWORK_BROWSER ({})", named.to_string_lossy()));
        if Path::new(&named).is_file() {
            return Ok(named.into());
        }
    }
    if let Some(exec_context) = PLACES.iter().find(|exec_context| Path::new(exec_context).is_file()) {
        return Ok(PathBuf::from(exec_context));
    }
    looked.extend(PLACES.iter().map(|exec_context| (*exec_context).to_owned()));
    looked.extend(NAMES.iter().map(|name| format!("{name} on the search path")));
    let path = env::var_os("PATH").unwrap_or_default();
    let found = NAMES
        .iter()
        .flat_map(|name| env::split_paths(&path).map(move |folder| folder.join(name)))
        .find(|candidate| candidate.is_file());
    found.ok_or(NotFound { looked })
}
