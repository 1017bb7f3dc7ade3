//! WebDriver servers: one that Legwork starts for each context, because a server has one session and a session has one
//! set of cookies; or one that runs already, with as many sessions as it takes.

use std::{
    path::{Path, PathBuf},
    process::Child,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use serde_json::json;

use super::{
    http::{Endpoint, WireError},
    wire::{Created, Wire},
};
use crate::{driver::DriverError, launch::WebKitLauncher};

/// How long a server and its browser may take to start. The caller may wait less long.
const START: Duration = Duration::from_secs(55);
/// The pause between two questions whether a server is ready.
const PAUSE: Duration = Duration::from_millis(15);

/// What starts the servers of a browser.
pub(crate) enum Servers {
    Started(WebKitLauncher),
    /// A server that runs already.
    Running(String),
}

/// The server of a context.
pub(super) struct Server {
    child: Option<Child>,
    /// The folder of the context, whose content ends with it.
    folder: Option<PathBuf>,
}

impl Servers {
    /// Opens a session, with a proxy for all its connections if one is given.
    pub(super) async fn open(&self, proxy: Option<&str>) -> Result<(Created, Server), DriverError> {
        let mut always = json!({"unhandledPromptBehavior": "ignore", "pageLoadStrategy": "none"});
        match self {
            Servers::Running(url) => {
                if proxy.is_some() {
                    // Such a server accepts the capability, and uses no proxy.
                    let reason = "a WebDriver server that runs already does not enforce a proxy, and with it the rules of the session";
                    return Err(DriverError::Refused(reason.to_owned()));
                }
                let endpoint = Endpoint::of(url).map_err(DriverError::Refused)?;
                let created = Wire::create(endpoint, always, START).await?;
                Ok((created, Server { child: None, folder: None }))
            }
            Servers::Started(launcher) => {
                static CONTEXTS: AtomicU64 = AtomicU64::new(1);
                let folder = launcher.folder(CONTEXTS.fetch_add(1, Ordering::Relaxed)).map_err(not_started)?;
                let options = json!({"binary": launcher.browser(), "args": launcher.arguments(proxy)});
                always["webkitgtk:browserOptions"] = options;
                let (server, endpoint) = started(launcher, folder).await?;
                // If the session is not created, dropping the server ends it.
                let created = Wire::create(endpoint, always, START).await;
                Ok((created.map_err(|error| with_output(error, launcher))?, server))
            }
        }
    }
}

/// Whether a WebDriver server answers at an address.
pub(crate) async fn answers(url: &str) -> bool {
    const LIMIT: Duration = Duration::from_secs(10);
    let Ok(endpoint) = Endpoint::of(url) else { return false };
    endpoint.ask("GET", "/status", None, LIMIT).await.is_ok_and(|status| status["ready"].is_boolean())
}

fn not_started(error: std::io::Error) -> DriverError {
    DriverError::Refused(format!("the WebDriver server could not be started: {error}"))
}

/// Adds what the driver and the browser wrote.
fn with_output(error: DriverError, launcher: &WebKitLauncher) -> DriverError {
    match (error, launcher.said()) {
        (DriverError::Refused(reason), Some(said)) => DriverError::Refused(format!("{reason}: {said}")),
        (DriverError::Disconnected(reason), Some(said)) => {
            DriverError::Disconnected(format!("{reason}: {said}").into())
        }
        (error, _) => error,
    }
}

/// Starts a server and waits until it is ready. Another program may take the port first, and then the next one is
/// tried.
async fn started(launcher: &WebKitLauncher, folder: PathBuf) -> Result<(Server, Endpoint), DriverError> {
    const ATTEMPTS: usize = 3;
    let mut server = Server { child: None, folder: Some(folder.clone()) };
    let deadline = tokio::time::Instant::now() + START;
    for _ in 0..ATTEMPTS {
        let port = free_port().map_err(not_started)?;
        let child = server.child.insert(launcher.start_driver(port, &folder).map_err(not_started)?);
        let endpoint = Endpoint::loopback(port);
        while matches!(child.try_wait(), Ok(None)) && tokio::time::Instant::now() < deadline {
            match endpoint.ask("GET", "/status", None, Duration::from_secs(5)).await {
                Ok(status) if status["ready"] == true => return Ok((server, endpoint)),
                Ok(_) | Err(WireError::Lost(_)) => tokio::time::sleep(PAUSE).await,
                Err(_) => break,
            }
        }
        end_child(child);
    }
    let said = launcher.said().unwrap_or_else(|| "it does not answer".to_owned());
    Err(DriverError::Disconnected(format!("the WebDriver server ended at its start: {said}").into()))
}

fn free_port() -> std::io::Result<u16> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

fn end_child(child: &mut Child) {
    // It may have ended already.
    let _ = child.kill();
    let _ = child.wait();
}

impl Server {
    /// The folder in which downloads arrive.
    pub(super) fn downloads(&self) -> Option<&Path> {
        self.folder.as_deref().map(Path::new)
    }

    /// Ends the server, after its session and thus its browser have ended.
    pub(super) fn stop(&mut self) {
        if let Some(mut child) = self.child.take() {
            end_child(&mut child);
        }
        if let Some(folder) = self.folder.take() {
            // What is left is removed with the profile.
            let _ = std::fs::remove_dir_all(folder.parent().unwrap_or(&folder));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Whether a browser that a session names is one with WebKit, and its version.
pub(super) fn version_of(name: &str, version: &str) -> Result<String, DriverError> {
    /// The oldest release series with all that is needed, and with which the tests run.
    const OLDEST: (u32, u32) = (2, 50);
    /// The oldest Safari, which nobody has tested.
    const OLDEST_SAFARI: u32 = 18;
    let outdated = |oldest| DriverError::Outdated { found: format!("{name} {version}"), oldest };
    let mut numbers = version.split('.').map(|number| number.parse::<u32>().unwrap_or_default());
    let (major, minor) = (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
    let lower = name.to_ascii_lowercase();
    if lower.contains("safari") {
        return if major < OLDEST_SAFARI { Err(outdated(OLDEST_SAFARI)) } else { Ok(format!("Safari/{version}")) };
    }
    if !lower.contains("minibrowser") && !lower.contains("webkit") {
        return Err(DriverError::Refused(format!("{name} {version} answers, which is no browser with WebKit")));
    }
    if (major, minor) < OLDEST {
        return Err(DriverError::Refused(format!(
            "WebKitGTK {version} is too old; {}.{} or later is needed",
            OLDEST.0, OLDEST.1
        )));
    }
    Ok(format!("WebKitGTK/{version}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_that_is_too_old_or_another_one_is_refused() {
        assert_eq!(version_of("MiniBrowser", "2.50.6"), Ok("WebKitGTK/2.50.6".to_owned()));
        assert!(version_of("MiniBrowser", "2.38.0").is_err() && version_of("firefox", "153.0").is_err());
        assert_eq!(version_of("Safari", "26.1"), Ok("Safari/26.1".to_owned()));
        assert!(matches!(version_of("Safari", "15.0"), Err(DriverError::Outdated { oldest: 18, .. })));
    }
}
