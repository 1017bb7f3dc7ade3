//! The browser process: its executable, flags and profile, and the guarantee that no part of it outlives Legwork.
//!
//! Browsers with WebKit are started by WebDriver servers, on a display; all of these are in one process group
//! (`webkit.rs`).
//!
//! Three mechanisms ensure this. The debugging pipe: Chromium exits when it reads the end of the pipe; Firefox has none
//! and listens on a port of loopback, whose address it writes to its error output. The reaper: a
//! small shell that waits on a pipe until Legwork ends, then kills the rest of the browser's process group and removes
//! the temporary profile. The next start: it removes profiles whose lock is free and ends the processes that use them,
//! in case the reaper was killed too.

mod environment;
mod find;
mod firefox;
mod flags;
mod profile;
mod reaper;
mod webkit;

pub(crate) use webkit::WebKitLauncher;

pub use find::{find_companions, find_executable};
pub use profile::reap_orphans;

use std::{
    io::Read,
    os::{fd::OwnedFd, unix::process::CommandExt},
    path::Path,
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};

use command_fds::{CommandFdExt, FdMapping};
use parking_lot::Mutex;
use rustix::pipe::{PipeFlags, pipe_with};

use self::{
    profile::Profile,
    reaper::{End, Reaper},
};
use tokio::sync::oneshot;

use crate::{BrowserError, Engine, LaunchOptions, egress::EgressProxy, transport::Transport};

/// A browser that was started. Dropping it kills the browser and removes a temporary profile.
pub(crate) struct Process {
    child: Child,
    /// Whether it does not end with the browser.
    stays: bool,
    profile: Profile,
    reaper: Option<Reaper>,
    output: Arc<Mutex<Vec<u8>>>,
    pub(crate) notices: Vec<String>,
}

/// How to reach a browser that was started.
pub(crate) enum Link {
    /// Commands can be written at once.
    Pipe(Transport),
    /// The address of a WebSocket, as soon as the browser states it.
    Address(oneshot::Receiver<String>),
    /// What starts the WebDriver servers of the browser, one for each context.
    Servers(WebKitLauncher),
}

/// Starts a browser.
pub(crate) fn start(options: &LaunchOptions, proxy: Option<&EgressProxy>) -> Result<(Process, Link), BrowserError> {
    let executable = match &options.executable {
        Some(executable) => executable.clone(),
        None => find_executable(options.engine)?,
    };
    if let (Engine::WebKit, Some(_)) = (options.engine, &options.profile) {
        let reason = "a browser of WebKitGTK keeps nothing under automation";
        return Err(BrowserError::NotCapable { what: "a profile", reason });
    }
    let profile = Profile::open(options)?;
    let end = match options.engine {
        Engine::Chromium => End::ByItself,
        Engine::Firefox => End::Killed,
        Engine::WebKit => End::Asked,
    };
    let reaper = Reaper::start(profile.temporary(), end).ok();
    let (flags, mut notices) = match options.engine {
        Engine::WebKit => (Vec::new(), Vec::new()),
        Engine::Chromium => flags::flags(options, profile.path(), proxy),
        Engine::Firefox => {
            let unusable = |source| BrowserError::Profile { path: profile.path().to_owned(), source };
            firefox::write_preferences(options, profile.path()).map_err(unusable)?;
            (firefox::arguments(options, profile.path()), Vec::new())
        }
    };
    if reaper.is_none() {
        notices.push("no shell to remove the profile if this process is killed; the next start will".to_owned());
    }
    let failed = |source| BrowserError::Start { executable: executable.clone(), source };
    let (child, link, output) = match options.engine {
        Engine::WebKit => {
            let output = LaunchOutput::default();
            let (child, launcher) = webkit::start(options, executable, profile.path(), &output)?;
            (child, Link::Servers(launcher), output)
        }
        _ => spawn(&executable, options.engine, &flags, profile.temporary()).map_err(failed)?,
    };
    if let Some(reaper) = &reaper {
        reaper.watch(child.id());
    }
    let stays = options.engine == Engine::WebKit;
    Ok((Process { child, stays, profile, reaper, output, notices }, link))
}

type LaunchOutput = Arc<Mutex<Vec<u8>>>;

fn spawn(
    executable: &Path,
    engine: Engine,
    flags: &[String],
    temporary: Option<&Path>,
) -> std::io::Result<(Child, Link, LaunchOutput)> {
    let mut command = Command::new(executable);
    command
        .args(flags)
        .env_clear()
        .envs(environment::for_browser(std::env::vars_os()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        // In its own process group, the browser does not receive Ctrl-C from the terminal, and all its processes can be
        // killed together.
        .process_group(0);
    // The browser's temporary files are removed with the profile, even if the browser is killed. The length is limited
    // because the path of a Unix socket there must be short.
    if let Some(folder) = temporary.filter(|folder| folder.as_os_str().len() < 50) {
        command.env("TMPDIR", folder);
    }
    let (stated, address) = oneshot::channel();
    let link = match engine {
        Engine::Chromium => Link::Pipe(map_pipes(&mut command)?),
        Engine::Firefox | Engine::WebKit => Link::Address(address),
    };
    let mut child = command.spawn()?;
    drop(command); // this closes Legwork's copies of the browser's ends of the pipes
    let output = Arc::default();
    if let Some(stderr) = child.stderr.take() {
        listen(stderr, Arc::clone(&output), Some(stated));
    }
    Ok((child, link, output))
}

/// Gives a browser the two ends of its debugging pipe.
fn map_pipes(command: &mut Command) -> std::io::Result<Transport> {
    let (commands, to_browser) = pipe_with(PipeFlags::CLOEXEC)?;
    let (from_browser, answers) = pipe_with(PipeFlags::CLOEXEC)?;
    // Observations are larger than a pipe's default of 64 KiB. If the system refuses the size, only speed is lost.
    let _ = rustix::pipe::fcntl_setpipe_size(&from_browser, 1024 * 1024);
    let mapping = |parent_fd: OwnedFd, child_fd| FdMapping { parent_fd, child_fd };
    command
        .fd_mappings(vec![mapping(commands, 3), mapping(answers, 4)])
        .map_err(|_| std::io::Error::other("descriptors 3 and 4 are named twice"))?;
    Transport::pipe(from_browser, to_browser)
}

/// Stores the beginning of the browser's error output, for the error message if it does not start, and discards the
/// rest. Passes on the address of its agent, if a line states one. The sender is dropped when the output ends.
fn listen(mut stderr: impl Read + Send + 'static, output: LaunchOutput, mut stated: Option<oneshot::Sender<String>>) {
    const KEPT: usize = 4096;
    std::thread::spawn(move || {
        let mut chunk = [0; 1024];
        while let Ok(count @ 1..) = stderr.read(&mut chunk) {
            let mut output = output.lock();
            if output.len() < KEPT {
                output.extend_from_slice(&chunk[..count]);
                let text = String::from_utf8_lossy(&output);
                let lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
                if let Some(address) = lines.filter_map(firefox::address_in).next()
                    && let Some(stated) = stated.take()
                {
                    // The receiver may have given up.
                    let _ = stated.send(address.to_owned());
                }
            }
        }
    });
}

/// The first lines of an error output.
fn telling(output: &LaunchOutput) -> Option<String> {
    let output = output.lock();
    let text = String::from_utf8_lossy(&output);
    let telling: Vec<&str> = text.lines().filter(|line| !line.contains("dbus")).take(4).map(str::trim).collect();
    (!telling.is_empty()).then(|| telling.join(" / "))
}

impl Process {
    /// The error output of a browser that ended at its start.
    pub(crate) fn stderr_tail(&self) -> String {
        telling(&self.output).unwrap_or_else(|| "without a word".to_owned())
    }

    /// Asks the first process to end, and gives it a moment: a display removes its socket.
    fn ask_to_end(&mut self) {
        let process = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw);
        let asked = process.map(|process| rustix::process::kill_process(process, rustix::process::Signal::TERM));
        for _ in 0..50 {
            if !matches!((asked, self.child.try_wait()), (Some(Ok(())), Ok(None))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The process identifier.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until the browser has ended, kills it after `patience`, and cleans up.
    pub(crate) async fn end(mut self, patience: Duration) {
        let until = tokio::time::Instant::now() + patience;
        while !self.stays && matches!(self.child.try_wait(), Ok(None)) && tokio::time::Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        // `drop` kills the rest and cleans up.
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.stays {
            self.ask_to_end();
        }
        if matches!(self.child.try_wait(), Ok(None)) {
            kill_group(self.child.id());
            // The process was killed, so this returns.
            let _ = self.child.wait();
        } else {
            kill_group(self.child.id());
        }
        let is_removed = self.profile.remove();
        match self.reaper.take() {
            Some(reaper) if is_removed => reaper.dismiss(),
            Some(reaper) => reaper.clean_up(),
            None if is_removed => {}
            None => {
                let path = self.profile.path().display();
                tracing::warn!(%path, "a profile could not be removed; the next start will try again");
            }
        }
    }
}

/// Kills the remaining processes of a browser's process group.
fn kill_group(leader: u32) {
    if let Some(group) = i32::try_from(leader).ok().and_then(rustix::process::Pid::from_raw) {
        // Usually no process is left in the group, and this fails.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}
