//! The browser as a process: which one, with which flags, in which profile; and that nothing of it outlives us.
//!
//! Three things see to that. The debugging pipe: a browser that reads its end exits. The reaper: a tiny shell that waits
//! for our death on a pipe, then kills what is left of the browser's process group and removes the profile. The next start
//! removes profiles whose lock nobody holds, and the processes that use them, in case the reaper died too.

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

/// A started browser. Dropped, it is killed and its profile removed.
pub(crate) struct Process {
    child: Child,
    profile: Profile,
    reaper: Option<Reaper>,
    output: Arc<Mutex<Vec<u8>>>,
    pub(crate) notices: Vec<String>,
}

/// Starts a browser; the pipe can be written to at once.
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
    // Observations are larger than a pipe's 64 KiB; a refusal costs only speed.
    let _ = rustix::pipe::fcntl_setpipe_size(&from_browser, 1024 * 1024);
    let mut command = Command::new(executable);
    command
        .args(flags)
        .env_clear()
        .envs(environment::for_browser(std::env::vars_os()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        // Away from the terminal's Ctrl-C, and one name for all its processes.
        .process_group(0);
    // What it makes for the moment goes with the profile, even when it is killed; a socket among it has a short path at most.
    if let Some(folder) = temporary.filter(|folder| folder.as_os_str().len() < 50) {
        command.env("TMPDIR", folder);
    }
    let mapping = |parent_fd: OwnedFd, child_fd| FdMapping { parent_fd, child_fd };
    command
        .fd_mappings(vec![mapping(commands, 3), mapping(answers, 4)])
        .map_err(|_| std::io::Error::other("descriptors 3 and 4 are named twice"))?;
    let mut child = command.spawn()?;
    drop(command); // and with it our copies of the browser's ends
    let output = Arc::default();
    if let Some(stderr) = child.stderr.take() {
        listen(stderr, Arc::clone(&output));
    }
    Ok((child, Transport::pipe(from_browser, to_browser)?, output))
}

/// Keeps the first of what the browser says, for the error message should it not start, and drains the rest.
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
    /// What it said, when it ended at its start.
    pub(crate) fn stderr_tail(&self) -> String {
        let output = self.output.lock();
        let text = String::from_utf8_lossy(&output);
        let telling: Vec<&str> = text.lines().filter(|line| !line.contains("dbus")).take(4).map(str::trim).collect();
        if telling.is_empty() { "without a word".to_owned() } else { telling.join(" / ") }
    }

    /// Its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until it has ended by itself, then cleans up; kills it when it takes longer than `patience`.
    pub(crate) async fn end(mut self, patience: Duration) {
        let until = tokio::time::Instant::now() + patience;
        while matches!(self.child.try_wait(), Ok(None)) && tokio::time::Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        // `drop` does the rest.
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            kill_group(self.child.id());
            // It was killed, so this ends.
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

/// Kills what is left of a browser's process group.
fn kill_group(leader: u32) {
    if let Some(group) = i32::try_from(leader).ok().and_then(rustix::process::Pid::from_raw) {
        // Nobody left in the group is the usual, and the good, case.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}
