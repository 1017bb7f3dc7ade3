//! The browser's profile: a folder with a lock that is held while Legwork runs. A temporary profile is removed at the
//! end; one whose lock is free was left behind by a run that was killed.

use std::{
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use rustix::fs::{FlockOperation, flock};

use crate::{BrowserError, LaunchOptions};

const PREFIX: &str = "legwork-profile-";
/// The prefix of a folder that is not locked yet.
const NEW: &str = "legwork-new-";
const LOCK: &str = "legwork.lock";
/// The file that lets the browsers of WebKit use their display.
pub(super) const AUTHORITY: &str = "xauthority";

pub(crate) struct Profile {
    path: PathBuf,
    temporary: bool,
    /// The lock is held while this file is open.
    _lock: File,
}

impl Profile {
    pub(crate) fn open(options: &LaunchOptions) -> Result<Self, BrowserError> {
        let path = match &options.profile {
            Some(profile) => {
                let unusable = |source| BrowserError::Profile { path: profile.clone(), source };
                fs::create_dir_all(profile).map_err(unusable)?;
                fs::canonicalize(profile).map_err(unusable)?
            }
            None => {
                let folder = options.temporary.clone().unwrap_or_else(std::env::temp_dir);
                return Profile::fresh(&folder).map_err(|source| BrowserError::Profile { path: folder, source });
            }
        };
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(path.join(LOCK));
        let lock = lock.map_err(|source| BrowserError::Profile { path: path.clone(), source })?;
        if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() {
            return Err(BrowserError::ProfileInUse { path });
        }
        Ok(Profile { path, temporary: false, _lock: lock })
    }

    /// Creates a temporary profile. The folder is renamed to its final prefix only once it is locked; otherwise a
    /// concurrent start could take it for one that was left behind.
    fn fresh(folder: &Path) -> io::Result<Self> {
        let made = tempfile::Builder::new().prefix(NEW).tempdir_in(folder)?;
        let lock = File::create(made.path().join(LOCK))?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        let name = made.path().file_name().map(|name| name.to_string_lossy().replacen(NEW, PREFIX, 1));
        let path = folder.join(name.unwrap_or_default());
        fs::rename(made.keep(), &path)?;
        Ok(Profile { path, temporary: true, _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The folder, if the profile is temporary.
    pub(crate) fn temporary(&self) -> Option<&Path> {
        self.temporary.then_some(&self.path)
    }

    /// Removes a temporary profile and returns whether none is left. Tries repeatedly, because the browser's last
    /// processes may still write for a moment after it ended.
    pub(crate) fn remove(&self) -> bool {
        if !self.temporary {
            return true;
        }
        for _ in 0..20 {
            match fs::remove_dir_all(&self.path) {
                Ok(()) => return true,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return true,
                Err(_) => std::thread::sleep(Duration::from_millis(10)),
            }
        }
        false
    }
}

/// Removes the temporary profiles in `folder` that a killed run left behind, and ends the browsers that still use them.
/// Returns the number of profiles.
pub fn reap_orphans(folder: &Path) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let mut reaped = 0;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let new = name.to_string_lossy().starts_with(NEW);
        if !new && !name.to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        let path = entry.path();
        // A folder without its lock file is being created or removed, so recent ones are left alone.
        let young = entry
            .metadata()
            .and_then(|m| m.modified())
            .is_ok_and(|at| at.elapsed().is_ok_and(|age| age < Duration::from_secs(60)));
        // A folder with the initial prefix is being created. Its creator takes the lock in a moment and must find it
        // free.
        if new && young {
            continue;
        }
        let held = match File::options().write(true).open(path.join(LOCK)) {
            Ok(lock) => flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err(),
            Err(_) => young,
        };
        if held {
            continue;
        }
        end_users_of(&path);
        reaped += usize::from(fs::remove_dir_all(&path).is_ok());
    }
    reaped
}

/// Ends the processes whose command line or folder of settings names the profile.
fn end_users_of(profile: &Path) {
    let (flag, path) = (format!("--user-data-dir={}", profile.display()), profile.display().to_string());
    let Ok(processes) = fs::read_dir("/proc") else { return };
    for process in processes.flatten() {
        let Some(id) = process.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        let Ok(line) = fs::read(process.path().join("cmdline")) else { continue };
        let mut arguments = line.split(|byte| *byte == 0);
        let authority = format!("{path}/{AUTHORITY}");
        if arguments.clone().any(|argument| argument == authority.as_bytes())
            && let Some(group) = rustix::process::Pid::from_raw(id)
        {
            // The display of WebKit is the first process of the group with its browsers.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        // The servers and browsers of WebKit have their settings there.
        let settings = format!("XDG_CONFIG_HOME={path}/");
        let has_settings = || {
            let environment = fs::read(process.path().join("environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|variable| variable.starts_with(settings.as_bytes()))
        };
        if (arguments.any(|argument| argument == flag.as_bytes() || argument == path.as_bytes()) || has_settings())
            && let Some(id) = rustix::process::Pid::from_raw(id)
        {
            // The process may have ended in the meantime.
            let _ = rustix::process::kill_process(id, rustix::process::Signal::KILL);
        }
    }
}
