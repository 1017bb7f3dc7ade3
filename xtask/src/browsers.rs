//! Installs the browsers for the tests with Debian's package manager, if they are not installed.

use std::{path::Path, process::Command, thread, time::Duration};

use crate::run::{Failure, has, run};

/// The number of attempts while another `apt-get` has the lock.
const TRIES: u32 = 20;

/// Whether a program is installed. The programs for WebKit do not state their version.
fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

pub(crate) fn install() -> Result<(), Failure> {
    let chromium = Path::new("/usr/lib/chromium/chromium").exists()
        || has("chromium", &["--version"])
        || has("google-chrome", &["--version"]);
    let firefox = has("firefox", &["--version"]) || has("firefox-esr", &["--version"]);
    let webkit = on_path("WebKitWebDriver") && on_path("Xvfb");
    let missing: Vec<&str> = [
        (chromium, &["chromium", "chromium-sandbox"][..]),
        (firefox, &["firefox-esr"][..]),
        (webkit, &["webkit2gtk-driver", "xvfb"][..]),
    ]
    .into_iter()
    .filter(|(installed, _)| !installed)
    .flat_map(|(_, packages)| packages.iter().copied())
    .collect();
    if missing.is_empty() {
        return Ok(());
    }
    if !has("apt-get", &["--version"]) {
        return Err(Failure::new(
            "A browser and apt-get were not found. Install Chromium, Firefox, WebKitWebDriver and Xvfb, then run this again.",
        ));
    }
    let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    let apt = |arguments: &[&str]| {
        let mut all = vec!["-qq", "-o", "DPkg::Lock::Timeout=300"];
        all.extend_from_slice(arguments);
        if root { run("apt-get", &all) } else { run("sudo", &[&["apt-get"], all.as_slice()].concat()) }
    };
    let mut last = Ok(());
    for attempt in 0..TRIES {
        if attempt > 0 {
            thread::sleep(Duration::from_secs(5));
        }
        last = apt(&["update"]).and_then(|()| {
            let install = ["install", "-y", "--no-install-recommends", "fonts-liberation"];
            apt(&[&install[..], &missing[..]].concat())
        });
        if last.is_ok() {
            break;
        }
    }
    last
}
