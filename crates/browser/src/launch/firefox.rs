//! The command line and the preferences of Firefox.

use std::{fs, io, path::Path};

use crate::LaunchOptions;

/// Preferences that apply in every profile. Firefox's own agent sets most of what automation needs when it starts.
const ALWAYS: &[(&str, &str)] = &[
    // No page and no request but those of the session.
    ("browser.startup.page", "0"),
    ("browser.startup.homepage", "\"about:blank\""),
    ("browser.newtabpage.enabled", "false"),
    ("browser.aboutwelcome.enabled", "false"),
    ("browser.shell.checkDefaultBrowser", "false"),
    ("browser.chrome.site_icons", "false"),
    ("app.normandy.enabled", "false"),
    ("app.update.disabledForTesting", "true"),
    ("browser.safebrowsing.malware.enabled", "false"),
    ("browser.safebrowsing.phishing.enabled", "false"),
    ("datareporting.policy.dataSubmissionEnabled", "false"),
    ("toolkit.telemetry.enabled", "false"),
    ("network.captive-portal-service.enabled", "false"),
    ("network.connectivity-service.enabled", "false"),
    ("extensions.update.enabled", "false"),
    ("services.settings.server", "\"data:,#remote-settings-disabled\""),
    // Windows that pages open are windows: the page of a tab that is covered by another one stands still.
    ("browser.link.open_newwindow", "2"),
    ("browser.link.open_newwindow.restriction", "0"),
    ("browser.tabs.warnOnClose", "false"),
    // A document that is left ends; one that returns loads again, with events that say so.
    ("browser.sessionhistory.max_total_viewers", "0"),
    ("fission.bfcacheInParent", "false"),
    // Elements outside the focused window receive focus events, so that several sessions do not disturb each other.
    ("focusmanager.testmode", "true"),
    // Events of the mouse are answered when the page has received them. Through the browser's main process they would
    // be answered earlier, and delivered by what was drawn last, which may be the page before it was scrolled.
    ("remote.events.async.mouse.enabled", "false"),
    // Events of the wheel pass through the browser's main process, which scrolls.
    ("remote.events.async.wheel.enabled", "true"),
    // The proxy of a session with rules is also used for loopback, and resolves names itself.
    ("network.proxy.allow_hijacking_localhost", "true"),
    ("network.proxy.socks_remote_dns", "true"),
    // No connection is opened ahead of its request.
    ("network.dns.disablePrefetch", "true"),
    ("network.http.speculative-parallel-limit", "0"),
    ("network.predictor.enabled", "false"),
    ("network.prefetch-next", "false"),
];

/// Without a window: the page has a mouse and no touch screen, and scroll bars take no space.
const HEADLESS: &[(&str, &str)] = &[
    ("ui.primaryPointerCapabilities", "6"),
    ("ui.allPointerCapabilities", "6"),
    ("ui.prefersReducedMotion", "0"),
    ("ui.useOverlayScrollbars", "1"),
];

/// If rules restrict sessions: nothing is sent over UDP, which would bypass the proxy.
const RESTRICTED: &[(&str, &str)] = &[
    ("media.peerconnection.enabled", "false"),
    ("network.webtransport.enabled", "false"),
    ("network.http.http3.enable", "false"),
    ("network.trr.mode", "5"),
];

/// The lines between which Legwork's preferences are in a profile that it did not create.
const BEGIN: &str = "// Written by Legwork at each start.";
const END: &str = "// The end of what Legwork wrote.";

/// The command-line arguments.
pub(super) fn arguments(options: &LaunchOptions, profile: &Path) -> Vec<String> {
    let mut arguments = vec!["--remote-debugging-port=0".to_owned(), "--no-remote".to_owned()];
    arguments.extend(["--profile".to_owned(), profile.display().to_string()]);
    if !options.headed {
        arguments.push("--headless".to_owned());
    }
    arguments.extend(options.extra_args.iter().cloned());
    arguments
}

/// Writes the preferences to the profile. What its owner wrote to the same file stays.
pub(super) fn write_preferences(options: &LaunchOptions, profile: &Path) -> io::Result<()> {
    let path = profile.join("user.js");
    let known = match fs::read_to_string(&path) {
        Ok(known) => known,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error),
    };
    let headless: &[_] = if options.headed { &[] } else { HEADLESS };
    let restricted: &[_] = if options.restricted || options.proxy.is_some() { RESTRICTED } else { &[] };
    let preferences = ALWAYS.iter().chain(headless).chain(restricted);
    let lines: String = preferences.map(|(name, value)| format!("user_pref(\"{name}\", {value});\n")).collect();
    fs::write(path, format!("{}{BEGIN}\n{lines}{END}\n", without_ours(&known)))
}

/// The text without what an earlier start wrote.
fn without_ours(text: &str) -> String {
    let Some((before, rest)) = text.split_once(BEGIN) else { return text.to_owned() };
    let after = rest.split_once(END).map_or("", |(_, after)| after.trim_start_matches('\n'));
    format!("{before}{after}")
}

/// The address in a line of Firefox's error output.
pub(super) fn address_in(line: &str) -> Option<&str> {
    line.strip_prefix("WebDriver BiDi listening on ").map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preferences_of_the_owner_stay_and_ours_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("user.js");
        fs::write(&path, "user_pref(\"a\", 1);\n").unwrap();
        let options = LaunchOptions { restricted: true, ..LaunchOptions::default() };
        write_preferences(&options, folder.path()).unwrap();
        let restricted = fs::read_to_string(&path).unwrap();
        assert!(restricted.starts_with("user_pref(\"a\", 1);\n") && restricted.contains("media.peerconnection"));
        write_preferences(&LaunchOptions::default(), folder.path()).unwrap();
        let plain = fs::read_to_string(&path).unwrap();
        assert!(plain.starts_with("user_pref(\"a\", 1);\n") && !plain.contains("media.peerconnection"));
        assert_eq!(plain.matches(BEGIN).count(), 1);
    }

    #[test]
    fn the_address_is_that_of_the_agent() {
        assert_eq!(address_in("WebDriver BiDi listening on ws://127.0.0.1:4711"), Some("ws://127.0.0.1:4711"));
        assert_eq!(address_in("*** You are running in headless mode."), None);
    }
}
