//! The folder of the host's socket, which only the user can access.
//!
//! It is `$XDG_RUNTIME_DIR/legwork`, or a folder in the data folder. No settings are read to find it, because every
//! verb needs it and must start quickly.

use std::{
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::{Path, PathBuf},
};

use crate::error::CliError;

/// A path length in bytes that every platform allows for a socket.
const MAX_PATH_BYTES: usize = 100;

/// The files of the host.
#[derive(Debug)]
pub(super) struct SocketDir {
    folder: PathBuf,
    /// The log of the host.
    pub(super) log: PathBuf,
}

impl SocketDir {
    /// The folder of the current user.
    pub(super) fn here() -> Result<SocketDir, CliError> {
        SocketDir::by(&|name| std::env::var_os(name).map(PathBuf::from))
    }

    fn by(env: &dyn Fn(&str) -> Option<PathBuf>) -> Result<SocketDir, CliError> {
        let absolute = |name: &str| env(name).filter(|path| path.is_absolute());
        let data = absolute("LEGWORK_DATA_DIR")
            .or_else(|| absolute("XDG_DATA_HOME").map(|folder| folder.join("legwork")))
            .or_else(|| absolute("HOME").map(|data_dir| data_dir.join(".local/share/legwork")))
            .ok_or_else(|| CliError::usage("there is no home folder").hint("set LEGWORK_DATA_DIR"))?;
        let folder = absolute("XDG_RUNTIME_DIR").map_or_else(|| data.join("terminal"), |folder| folder.join("legwork"));
        let socket_dir = SocketDir { folder, log: data.join("terminal.log") };
        if socket_dir.socket().as_os_str().len() > MAX_PATH_BYTES {
            return Err(CliError::usage(format!("{} is too long a path for a socket", socket_dir.socket().display()))
                .hint("set XDG_RUNTIME_DIR to a folder with a shorter path"));
        }
        Ok(socket_dir)
    }

    pub(super) fn socket(&self) -> PathBuf {
        self.folder.join("terminal.sock")
    }

    /// Locked by the host as long as it runs.
    pub(super) fn host_lock(&self) -> PathBuf {
        self.folder.join("terminal.lock")
    }

    /// Locked by a client while it starts a host.
    pub(super) fn start_lock(&self) -> PathBuf {
        self.folder.join("terminal.start")
    }

    /// Creates the folders if they do not exist.
    pub(super) fn make(&self) -> Result<(), CliError> {
        let broken = |path: &Path, error: io::Error| {
            CliError::fault(format!("{} cannot be made", path.display()))
                .because(&error)
                .hint("set another folder with LEGWORK_DATA_DIR or XDG_RUNTIME_DIR")
        };
        let make = |path: &Path| std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path);
        make(&self.folder).map_err(|error| broken(&self.folder, error))?;
        if let Some(data) = self.log.parent() {
            make(data).map_err(|error| broken(data, error))?;
        }
        self.is_ours()
    }

    /// Checks that no other user can have created a socket in the folder.
    pub(super) fn is_ours(&self) -> Result<(), CliError> {
        let shown = self.folder.display();
        let meta = match std::fs::symlink_metadata(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            other => other.map_err(|error| CliError::fault(format!("{shown} cannot be inspected")).because(&error))?,
        };
        let own = meta.uid() == rustix::process::geteuid().as_raw();
        if meta.is_dir() && own && meta.mode() & 0o077 == 0 {
            return Ok(());
        }
        Err(CliError::usage(format!("{shown} is accessible to other users, who could use your sessions"))
            .hint(format!("remove it, or `chmod 700 {shown}` if it is yours")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(vars: &[(&str, &str)]) -> Option<PathBuf> {
        let find = |name: &str| vars.iter().find(|(known, _)| *known == name).map(|(_, value)| PathBuf::from(value));
        SocketDir::by(&find).ok().map(|socket_dir| socket_dir.folder)
    }

    #[test]
    fn it_is_the_user_s_runtime_folder_or_the_data_folder() {
        assert_eq!(
            folder(&[("HOME", "/h"), ("XDG_RUNTIME_DIR", "/run/user/7")]).unwrap(),
            Path::new("/run/user/7/legwork")
        );
        assert_eq!(folder(&[("HOME", "/h")]).unwrap(), Path::new("/h/.local/share/legwork/terminal"));
        assert_eq!(folder(&[("HOME", "/h"), ("LEGWORK_DATA_DIR", "/d")]).unwrap(), Path::new("/d/terminal"));
        assert_eq!(
            folder(&[("HOME", "/h"), ("XDG_RUNTIME_DIR", "run")]).unwrap(),
            Path::new("/h/.local/share/legwork/terminal")
        );
        assert_eq!(folder(&[]), None);
        assert_eq!(folder(&[("HOME", &format!("/{}", "h".repeat(90)))]), None);
    }

    #[test]
    fn a_folder_that_others_may_enter_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let data_dir = tempfile::tempdir().unwrap();
        let socket_dir = SocketDir { folder: data_dir.path().join("run"), log: data_dir.path().join("log") };
        socket_dir.make().unwrap();
        assert_eq!(std::fs::metadata(&socket_dir.folder).unwrap().mode() & 0o777, 0o700);
        std::fs::set_permissions(&socket_dir.folder, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert!(socket_dir.is_ours().unwrap_err().to_string().contains("accessible to other users"));
    }
}
