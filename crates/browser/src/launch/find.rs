//! Finds the executable of a browser.

use std::{
    env,
    path::{Path, PathBuf},
};

use crate::{Engine, NotFound};

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

/// Debian's `/usr/bin/firefox` is a shell script too.
const FIREFOX_PLACES: &[&str] = &[
    "/usr/lib/firefox/firefox",
    "/usr/lib/firefox-esr/firefox-esr",
    "/opt/firefox/firefox",
    "/Applications/Firefox.app/Contents/MacOS/firefox",
];
const FIREFOX_NAMES: &[&str] = &["firefox", "firefox-esr"];

/// The WebDriver server of WebKitGTK, which starts the browser.
const WEBKIT_PLACES: &[&str] = &["/usr/bin/WebKitWebDriver", "/usr/libexec/webkit2gtk-4.1/WebKitWebDriver"];
/// Distributions put the browser next to the processes of the library.
const MINIBROWSER_PLACES: &[&str] = &[
    "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
    "/usr/libexec/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib64/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib/webkit2gtk-4.1/MiniBrowser",
];

/// Returns the first browser with this engine: `$LEGWORK_BROWSER` (which names a Chromium), the
/// usual locations, then the search path. For WebKit, this is the WebDriver server that starts the browser.
///
/// # Errors
/// If there is none.
pub fn find_executable(engine: Engine) -> Result<PathBuf, NotFound> {
    let (places, names) = match engine {
        Engine::Chromium => (PLACES, NAMES),
        Engine::Firefox => (FIREFOX_PLACES, FIREFOX_NAMES),
        Engine::WebKit => (WEBKIT_PLACES, &["WebKitWebDriver"][..]),
    };
    let what = if engine == Engine::WebKit { "WebDriver server of WebKitGTK" } else { engine.title() };
    let mut looked = Vec::new();
    if let Some(named) = env::var_os("LEGWORK_BROWSER").filter(|_| engine == Engine::Chromium) {
        looked.push(format!("$LEGWORK_BROWSER ({})", named.to_string_lossy()));
        if Path::new(&named).is_file() {
            return Ok(named.into());
        }
    }
    search(engine, what, places, names, looked)
}

/// The programs that a browser with this engine needs besides its executable.
///
/// # Errors
/// If one of them is missing.
pub fn find_companions(engine: Engine) -> Result<Vec<PathBuf>, NotFound> {
    match engine {
        Engine::Chromium | Engine::Firefox => Ok(Vec::new()),
        Engine::WebKit => Ok(vec![find_minibrowser()?, find_xvfb()?]),
    }
}

/// Returns the browser of WebKitGTK, which its WebDriver server starts.
pub(super) fn find_minibrowser() -> Result<PathBuf, NotFound> {
    search(Engine::WebKit, "MiniBrowser of WebKitGTK", MINIBROWSER_PLACES, &["MiniBrowser"], Vec::new())
}

/// Returns the program that provides a display without a screen.
pub(super) fn find_xvfb() -> Result<PathBuf, NotFound> {
    search(Engine::WebKit, "Xvfb", &["/usr/bin/Xvfb"], &["Xvfb"], Vec::new())
}

fn search(
    engine: Engine,
    what: &'static str,
    places: &[&str],
    names: &[&str],
    mut looked: Vec<String>,
) -> Result<PathBuf, NotFound> {
    if let Some(place) = places.iter().find(|place| Path::new(place).is_file()) {
        return Ok(PathBuf::from(place));
    }
    looked.extend(places.iter().map(|place| (*place).to_owned()));
    looked.extend(names.iter().map(|name| format!("{name} on the search path")));
    let path = env::var_os("PATH").unwrap_or_default();
    let found = names
        .iter()
        .flat_map(|name| env::split_paths(&path).map(move |folder| folder.join(name)))
        .find(|candidate| candidate.is_file());
    found.ok_or(NotFound { engine, what, looked })
}
