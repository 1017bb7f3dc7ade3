//! The environment of a browser process: only the variables that a browser needs to start, draw and find its files.
//!
//! The environment of Legwork often contains keys and passwords under unpredictable names. A page that takes over the
//! browser process must not find them there, so variables are selected by an allowlist of names and not excluded by
//! name.

use std::ffi::{OsStr, OsString};

/// Variables that are passed on under exactly this name.
const NAMES: &[&str] = &[
    "DISPLAY",
    "FONTCONFIG_FILE",
    "FONTCONFIG_PATH",
    "FONTCONFIG_SYSROOT",
    "GDK_BACKEND",
    "HOME",
    "LANG",
    "LANGUAGE",
    "LD_LIBRARY_PATH",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TEMP",
    "TMP",
    "TMPDIR",
    "TZ",
    "TZDIR",
    "USER",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    // The session bus of the desktop. Without it, Chromium waits for desktop services.
    "DBUS_SESSION_BUS_ADDRESS",
];

/// Prefixes of variables that are passed on: locale, folders of the desktop, the display server, graphics drivers, and
/// wrapper scripts of distributions.
const PREFIXES: &[&str] = &[
    "CHROME_",
    "CHROMIUM_",
    "DRI_",
    "EGL_",
    "GALLIUM_",
    "GTK_",
    "LC_",
    "LIBGL_",
    "LIBVA_",
    "MESA_",
    "MOZ_",
    "NIX_",
    "SNAP",
    "VK_",
    "WEBKIT_",
    "XDG_",
    "__EGL_",
    "__GLX_",
    "__NV_",
];

/// The variables of `all` that the browser receives.
pub(super) fn for_browser(
    all: impl Iterator<Item = (OsString, OsString)>,
) -> impl Iterator<Item = (OsString, OsString)> {
    all.filter(|(name, _)| is_passed_on(name))
}

fn is_passed_on(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| {
        NAMES.contains(&name)
            || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
                && !CREDENTIALS.iter().any(|word| name.contains(word))
    })
}

/// Parts of names that indicate a credential. Variables with one of the prefixes are not passed on if their name
/// contains such a part.
const CREDENTIALS: &[&str] = &["KEY", "TOKEN", "SECRET", "PASSWORD"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_gets_what_it_needs_and_no_credential() {
        let check = |name: &str, passed: bool| assert_eq!(is_passed_on(OsStr::new(name)), passed, "{name}");
        for name in ["HOME", "PATH", "DISPLAY", "LC_ALL", "XDG_RUNTIME_DIR", "TZ", "MESA_LOADER_DRIVER_OVERRIDE"] {
            check(name, true);
        }
        for name in [
            "OPENAI_API_KEY",
            "LEGWORK_SECRET_PW",
            "LEGWORK_MCP_TOKEN",
            "DATABASE_URL",
            "AWS_SECRET_ACCESS_KEY",
            "NIX_TOKEN",
            "PATHS",
        ] {
            check(name, false);
        }
    }
}
