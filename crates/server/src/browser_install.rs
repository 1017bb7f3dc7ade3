//! The installation of a browser that the page can request. The server only runs what its program gives it, because the
//! program knows the package manager of the machine.

use std::sync::Arc;

use parking_lot::Mutex;

/// Installs a browser, without input of a person. The error is a message for people.
pub type InstallBrowser = Arc<dyn Fn() -> Result<(), String> + Send + Sync>;

/// How a browser can be installed on the machine of the server.
#[derive(Clone, Default)]
pub struct BrowserInstall {
    /// The commands, as a person would type them.
    pub commands: Option<String>,
    /// Runs them. Absent if this process may not.
    pub run: Option<InstallBrowser>,
}

/// The state of an installation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct InstallState {
    pub(crate) running: bool,
    /// Why the last one failed.
    pub(crate) problem: Option<String>,
}

/// At most one installation at a time.
pub(crate) struct Installer {
    pub(crate) install: BrowserInstall,
    state: Arc<Mutex<InstallState>>,
}

impl Installer {
    pub(crate) fn new(install: BrowserInstall) -> Installer {
        Installer { install, state: Arc::default() }
    }

    pub(crate) fn state(&self) -> InstallState {
        self.state.lock().clone()
    }

    /// Starts the installation, unless one is in progress; whether it can be started here. It continues when the
    /// request has ended: it takes minutes.
    pub(crate) fn start(&self) -> bool {
        let Some(run) = self.install.run.clone() else { return false };
        let mut now = self.state.lock();
        if !std::mem::replace(&mut now.running, true) {
            now.problem = None;
            let state = Arc::clone(&self.state);
            tokio::task::spawn_blocking(move || {
                let problem = run().err();
                *state.lock() = InstallState { running: false, problem };
            });
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn one_installation_runs_at_a_time_and_says_why_it_failed() {
        let (finish, finished) = mpsc::channel::<()>();
        let (begin, begun) = mpsc::channel::<()>();
        let finished = Mutex::new(finished);
        let run: InstallBrowser = Arc::new(move || {
            begin.send(()).unwrap();
            finished.lock().recv().unwrap();
            Err("no space is left".to_owned())
        });
        let installer = Installer::new(BrowserInstall { commands: None, run: Some(run) });
        assert!(installer.start() && installer.start());
        begun.recv().unwrap();
        assert_eq!(installer.state(), InstallState { running: true, problem: None });
        finish.send(()).unwrap();
        while installer.state().running {
            tokio::task::yield_now().await;
        }
        assert_eq!(installer.state().problem.as_deref(), Some("no space is left"));
        assert!(begun.try_recv().is_err(), "the second request started none");
        assert!(!Installer::new(BrowserInstall::default()).start());
    }
}
