//! The browser process: its executable, flags and profile, and the guarantee that no part of it outlives Legwork.
//!
//! Three mechanisms ensure this. The debugging pipe: a browser exits when it reads the end of the pipe. The reaper: a
//! small shell that waits on a pipe until Legwork ends, then kills the rest of the browser's process group and removes
//! the temporary profile. The next start: it removes profiles whose lock is free and ends the processes that use them,
//! in case the reaper was killed too.

mod environment;
mod find;
mod flags;
mod profile;
mod reaper;

pub use find::find_executable;
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

use self::{profile::Profile, reaper::Reaper};
use crate::{BrowserError, LaunchOptions, cdp::Transport, egress::EgressProxy};

/// A browser that was started. Dropping it kills the browser and removes a temporary profile.
pub(crate) struct Process {
    child: Child,
    profile: Profile,
    reaper: Option<Reaper>,
    output: Arc<Mutex<Vec<u8>>>,
    pub(crate) notices: Vec<String>,
}

/// Starts a browser. Commands can be written to the pipe at once.
pub(crate) fn start(
    options: &LaunchOptions,
    proxy: Option<&EgressProxy>,
) -> Result<(Process, Transport), BrowserError> {
    let executable = match &options.executable {
        Some(executable) => executable.clone(),
        None => find_executable()?,
    };
    let profile = Profile::open(options)?;
    let reaper = Reaper::start(profile.temporary()).ok();
    let (flags, mut notices) = flags::flags(options, profile.path(), proxy);
    if reaper.is_none() {
        notices.push("no shell to remove the profile if this process is killed; the next start will".to_owned());
    }
    let failed = |source| BrowserError::Start { executable: executable.clone(), source };
    let (child, transport, output) = spawn(&executable, &flags, profile.temporary()).map_err(failed)?;
    if let Some(reaper) = &reaper {
        reaper.watch(child.id());
    }
    Ok((Process { child, profile, reaper, output, notices }, transport))
}

type LaunchOutput = Arc<Mutex<Vec<u8>>>;

fn spawn(
    executable: &Path,
    flags: &[String],
    temporary: Option<&Path>,
) -> std::io::Result<(Child, Transport, LaunchOutput)> {
    let (commands, to_browser) = pipe_with(PipeFlags::CLOEXEC)?;
    let (from_browser, answers) = pipe_with(PipeFlags::CLOEXEC)?;
    // Observations are larger than a pipe's default of 64 KiB. If the system refuses the size, only speed is lost.
    let _ = rustix::pipe::fcntl_setpipe_size(&from_browser, 1024 * 1024);
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
    let mapping = |parent_fd: OwnedFd, child_fd| FdMapping { parent_fd, child_fd };
    command
        .fd_mappings(vec![mapping(commands, 3), mapping(answers, 4)])
        .map_err(|_| std::io::Error::other("descriptors 3 and 4 are named twice"))?;
    let mut child = command.spawn()?;
    drop(command); // this closes Legwork's copies of the browser's ends of the pipes
    let output = Arc::default();
    if let Some(stderr) = child.stderr.take() {
        listen(stderr, Arc::clone(&output));
    }
    Ok((child, Transport::pipe(from_browser, to_browser)?, output))
}

/// Stores the beginning of the browser's error output, for the error message if it does not start, and discards the
/// rest.
fn listen(mut stderr: impl Read + Send + 'static, output: LaunchOutput) {
    const KEPT: usize = 4096;
    std::thread::spawn(move || {
        let mut chunk = [0; 1024];
        while let Ok(count @ 1..) = stderr.read(&mut chunk) {
            let mut output = output.lock();
            if output.len() < KEPT {
                output.extend_from_slice(&chunk[..count]);
            }
        }
    });
}

impl Process {
    /// The error output of a browser that ended at its start.
    pub(crate) fn stderr_tail(&self) -> String {
        let output = self.output.lock();
        let text = String::from_utf8_lossy(&output);
        let telling: Vec<&str> = text.lines().filter(|line| !line.contains("dbus")).take(4).map(str::trim).collect();
        if telling.is_empty() { "without a word".to_owned() } else { telling.join(" / ") }
    }

    /// The process identifier.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until the browser has ended, kills it after `patience`, and cleans up.
    pub(crate) async fn end(mut self, patience: Duration) {
        let until = tokio::time::Instant::now() + patience;
        while matches!(self.child.try_wait(), Ok(None)) && tokio::time::Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        // `drop` kills the rest and cleans up.
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            kill_group(self.child.id());
            // The process was killed, so this returns.
            let _ = self.child.wait();
        } else {
            kill_group(self.child.id());
        }
        self.profile.remove();
        if let Some(reaper) = self.reaper.take() {
            reaper.dismiss();
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
