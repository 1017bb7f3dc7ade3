//! The packages of the registry whose widgets the pages show.

use std::path::PathBuf;

use legwork_testing::apps::{installed, run};
use sha2::{Digest, Sha256};
use tokio::process::Command;

use crate::EvalError;

const PACKAGES: &str = include_str!("packages/package.json");
const LOCK: &str = include_str!("packages/package-lock.json");

/// The folder of the installed packages.
pub(crate) async fn packages() -> Result<PathBuf, EvalError> {
    let digest = Sha256::digest(LOCK.as_bytes());
    let folder = format!("perception-{:02x}{:02x}{:02x}{:02x}", digest[0], digest[1], digest[2], digest[3]);
    let installing = installed(&folder, async |folder| {
        std::fs::write(folder.join("package.json"), PACKAGES)?;
        std::fs::write(folder.join("package-lock.json"), LOCK)?;
        let flags = ["ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"];
        run(Command::new("npm").args(flags).current_dir(folder)).await.map(drop)
    });
    let folder = installing.await.map_err(|error| EvalError::Package("packages of the perception suite", error))?;
    Ok(folder.join("node_modules"))
}
