//! The command line of the browser.

use std::path::Path;

use crate::{
    LaunchOptions,
    egress::{BYPASS, EgressProxy},
};

/// Features that cost time or memory, use the network, or prompt the user.
const WITHOUT: &str = "--disable-features=WebUIReloadButton,WebUIOmniboxPopup,WebUIOmniboxAimPopup,Translate,\
MediaRouter,OptimizationHints,AcceptCHFrame,DialMediaRouteProvider,GlobalMediaControls,HttpsUpgrades,\
PaintHolding,ImprovedCookieControls,AutofillServerCommunication,RenderDocument";

const ALWAYS: &[&str] = &[
    "--remote-debugging-pipe",
    WITHOUT,
    "--no-startup-window",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-field-trial-config",
    "--disable-hang-monitor",
    "--disable-infobars",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-service-autorun",
    "--password-store=basic",
    "--use-mock-keychain",
    "--export-tagged-pdf=false",
    "--force-color-profile=srgb",
];

/// Without a screen, Chromium finds no pointing device, and pages take it for a telephone: they show pickers that
/// accept no typing. 4 is a fine pointer, 2 is one that can hover.
const MOUSE: &str =
    "--blink-settings=primaryPointerType=4,availablePointerTypes=4,primaryHoverType=2,availableHoverTypes=2";

/// The command-line arguments, and notices about problems that were worked around.
pub(crate) fn flags(
    options: &LaunchOptions,
    profile: &Path,
    proxy: Option<&EgressProxy>,
) -> (Vec<String>, Vec<String>) {
    let mut flags: Vec<String> = ALWAYS.iter().map(|flag| (*flag).to_owned()).collect();
    let mut notices = Vec::new();
    flags.push(format!("--user-data-dir={}", profile.display()));
    if !options.headed {
        flags.extend(["--headless=new", "--hide-scrollbars", "--mute-audio", MOUSE].map(str::to_owned));
    }
    if rustix::process::geteuid().is_root() {
        flags.push("--no-sandbox".to_owned());
        notices.push("running as root: the browser's sandbox is off; run as another user to have it on".to_owned());
    }
    if let Some(proxy) = proxy {
        flags.extend([format!("--proxy-server={}", proxy.address()), format!("--proxy-bypass-list={BYPASS}")]);
    }
    if options.restricted || options.proxy.is_some() {
        // Chromium and its headless shell read this switch under different names.
        let policy = "webrtc-ip-handling-policy=disable_non_proxied_udp";
        flags.extend([format!("--{policy}"), format!("--force-{policy}")]);
        // The proxy resolves the names of sites. The browser itself would resolve those of WebRTC candidates, and a
        // page can put data into such a name.
        flags.push("--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1".to_owned());
    }
    flags.extend(options.extra_args.iter().cloned());
    (flags, notices)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page can put data into the name of a WebRTC candidate, which the browser would resolve outside of the proxy.
    #[test]
    fn a_browser_whose_sessions_have_a_proxy_resolves_no_name() {
        let resolves_names = |restricted: bool| {
            let options = LaunchOptions { restricted, ..LaunchOptions::default() };
            let (flags, _) = flags(&options, Path::new("/profile"), None);
            !flags.iter().any(|flag| flag.starts_with("--host-resolver-rules=MAP * ~NOTFOUND"))
        };
        assert!(resolves_names(false) && !resolves_names(true));
    }
}
