//! WebKit: the display of its browsers, which Legwork starts if it is to have no window, and the WebDriver servers,
//! each of which starts the browser of one context. All are in one process group, whose first process ends last.

use std::{
    ffi::OsString,
    fs, io,
    io::Read,
    os::{fd::OwnedFd, unix::process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use command_fds::{CommandFdExt, FdMapping};
use rustix::pipe::{PipeFlags, pipe_with};

use super::{LaunchOutput, environment, find, profile::AUTHORITY};
use crate::{BrowserError, LaunchOptions};

/// The size of the display. Windows may be larger than it.
const SCREEN: &str = "1920x1200x24";

/// Starts the servers of a browser.
pub(crate) struct WebKitLauncher {
    driver: PathBuf,
    browser: PathBuf,
    profile: PathBuf,
    /// The process group of all processes.
    group: i32,
    environment: Vec<(OsString, OsString)>,
    extra: Vec<String>,
    output: LaunchOutput,
}

/// The first process of the group, and what starts the others.
pub(super) fn start(
    options: &LaunchOptions,
    driver: PathBuf,
    profile: &Path,
    output: &LaunchOutput,
) -> Result<(Child, WebKitLauncher), BrowserError> {
    let browser = find::find_minibrowser()?;
    let mut environment: Vec<(OsString, OsString)> = environment::for_browser(std::env::vars_os()).collect();
    let mut set = |name: &str, value: OsString| {
        environment.retain(|(known, _)| known != name);
        environment.push((name.into(), value));
    };
    // Services of the desktop would be started outside of the process group, and outlive it.
    set("NO_AT_BRIDGE", "1".into());
    set("GTK_A11Y", "none".into());
    set("GTK_USE_PORTAL", "0".into());
    // Temporary files are removed with the profile. The path of a socket must be short.
    if profile.as_os_str().len() < 50 {
        set("TMPDIR", profile.into());
    }
    let leader = if options.headed {
        if std::env::var_os("DISPLAY").is_none() && std::env::var_os("WAYLAND_DISPLAY").is_none() {
            return Err(BrowserError::NoDisplay { reason: "neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned() });
        }
        placeholder().map_err(|source| BrowserError::Start { executable: driver.clone(), source })?
    } else {
        let xvfb = find::find_xvfb()?;
        let authority = profile.join(AUTHORITY);
        let no_display = |reason: io::Error| BrowserError::NoDisplay { reason: format!("Xvfb: {reason}") };
        fs::write(&authority, authority_file()).map_err(no_display)?;
        let (display, number) = display(&xvfb, &authority, options.start_within, output).map_err(no_display)?;
        set("DISPLAY", format!(":{number}").into());
        set("XAUTHORITY", authority.into());
        set("GDK_BACKEND", "x11".into());
        environment.retain(|(name, _)| name != "WAYLAND_DISPLAY");
        display
    };
    let group = i32::try_from(leader.id()).expect("process identifiers are positive and small");
    let launcher = WebKitLauncher {
        driver,
        browser,
        profile: profile.to_owned(),
        group,
        environment,
        extra: options.extra_args.clone(),
        output: std::sync::Arc::clone(output),
    };
    Ok((leader, launcher))
}

/// A process that does nothing but to be the first of the group.
fn placeholder() -> io::Result<Child> {
    // It ends with the end of its input, which only Legwork holds.
    let mut command = Command::new("/bin/cat");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).env_clear();
    command.process_group(0).spawn()
}

/// Starts a display that only programs with the authority can use, and waits for its number.
fn display(xvfb: &Path, authority: &Path, within: Duration, output: &LaunchOutput) -> io::Result<(Child, u32)> {
    let (stated, states) = pipe_with(PipeFlags::CLOEXEC)?;
    let mut command = Command::new(xvfb);
    command
        .args(["-displayfd", "3", "-screen", "0", SCREEN, "-nolisten", "tcp", "-noreset", "-auth"])
        .arg(authority)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .env_clear()
        .envs(environment::for_browser(std::env::vars_os()))
        .process_group(0);
    let mapping = |parent_fd: OwnedFd| FdMapping { parent_fd, child_fd: 3 };
    command.fd_mappings(vec![mapping(states)]).map_err(|_| io::Error::other("descriptor 3 is named twice"))?;
    let mut child = command.spawn()?;
    drop(command); // this closes Legwork's copy of the end that is written to
    if let Some(stderr) = child.stderr.take() {
        super::listen(stderr, std::sync::Arc::clone(output), None);
    }
    match read_number(stated, within) {
        Ok(number) => Ok((child, number)),
        Err(error) => {
            let _ = child.kill();
            let _ = child.wait();
            Err(error)
        }
    }
}

/// Reads the line with the number of the display.
fn read_number(stated: OwnedFd, within: Duration) -> io::Result<u32> {
    let deadline = Instant::now() + within;
    let mut file = fs::File::from(stated);
    let mut line = Vec::new();
    let mut byte = [0];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let limit = rustix::event::Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
        let mut wait = [rustix::event::PollFd::new(&file, rustix::event::PollFlags::IN)];
        if rustix::event::poll(&mut wait, Some(&limit))? == 0 {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "it does not start"));
        }
        match file.read(&mut byte)? {
            0 => return Err(io::Error::other("it ended at its start")),
            _ if byte[0] == b'\n' && !line.is_empty() => break,
            _ => line.push(byte[0]),
        }
    }
    let number = String::from_utf8_lossy(&line).trim().parse();
    number.map_err(|_| io::Error::other("it states no number of its display"))
}

/// The content of the file with the authority: one random cookie for every display.
fn authority_file() -> Vec<u8> {
    const NAME: &[u8] = b"MIT-MAGIC-COOKIE-1";
    let mut file = vec![0xff, 0xff, 0, 0, 0, 0, 0, NAME.len() as u8];
    file.extend_from_slice(NAME);
    file.extend_from_slice(&[0, 16]);
    file.extend(uncertain().to_be_bytes());
    file.extend(uncertain().to_be_bytes());
    file
}

fn uncertain() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

impl WebKitLauncher {
    pub(crate) fn browser(&self) -> &Path {
        &self.browser
    }

    /// The arguments of the browser of a context.
    pub(crate) fn arguments(&self, proxy: Option<&str>) -> Vec<String> {
        let mut arguments = vec![
            "--automation".to_owned(),
            // No name is resolved and nothing is sent over UDP outside of the proxy.
            "--enable-dns-prefetching=false".to_owned(),
            "--enable-webrtc=false".to_owned(),
            "--javascript-can-open-windows-automatically=true".to_owned(),
            "--enable-page-cache=false".to_owned(),
        ];
        // The proxy of WebDriver's capabilities is accepted and not used; this one is.
        arguments.extend(proxy.map(|proxy| format!("--proxy={proxy}")));
        arguments.extend(self.extra.iter().cloned());
        arguments
    }

    /// Creates the folder of a context, and returns that for its downloads.
    pub(crate) fn folder(&self, number: u64) -> io::Result<PathBuf> {
        let folder = self.profile.join(format!("context-{number}"));
        for name in ["config", "cache", "data", "downloads"] {
            fs::create_dir_all(folder.join(name))?;
        }
        let downloads = folder.join("downloads");
        let setting = format!("XDG_DOWNLOAD_DIR=\"{}\"\n", downloads.display());
        fs::write(folder.join("config/user-dirs.dirs"), setting)?;
        Ok(downloads)
    }

    /// Starts a server. Its browser keeps its files in the folder of the context.
    pub(crate) fn start_driver(&self, port: u16, downloads: &Path) -> io::Result<Child> {
        let folder = downloads.parent().unwrap_or(downloads);
        let mut command = Command::new(&self.driver);
        command
            .arg(format!("--port={port}"))
            .current_dir("/")
            .env_clear()
            .envs(self.environment.iter().cloned())
            .env("XDG_CONFIG_HOME", folder.join("config"))
            .env("XDG_CACHE_HOME", folder.join("cache"))
            .env("XDG_DATA_HOME", folder.join("data"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .process_group(self.group);
        let mut child = command.spawn()?;
        if let Some(stderr) = child.stderr.take() {
            super::listen(stderr, std::sync::Arc::clone(&self.output), None);
        }
        Ok(child)
    }

    /// What the processes wrote to their error output.
    pub(crate) fn said(&self) -> Option<String> {
        super::telling(&self.output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_authority_is_a_cookie_for_every_display() {
        let file = authority_file();
        assert_eq!(file.len(), 8 + 18 + 2 + 16);
        assert_eq!((&file[..2], &file[8..26]), (&[0xff, 0xff][..], &b"MIT-MAGIC-COOKIE-1"[..]));
        assert_ne!(file, authority_file());
    }
}
