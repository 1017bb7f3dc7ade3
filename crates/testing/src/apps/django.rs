//! Django's admin over a small library of authors and books.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;
use tokio::process::Command;

use super::{
    AppError,
    server::{Server, installed, run},
};

const NAME: &str = "Django's admin";
/// The files of the project, by their paths.
const PROJECT: [(&str, &str); 7] = [
    ("settings.py", include_str!("django/settings.py")),
    ("serve.py", include_str!("django/serve.py")),
    ("state.py", include_str!("django/state.py")),
    ("library/__init__.py", ""),
    ("library/models.py", include_str!("django/models.py")),
    ("library/admin.py", include_str!("django/admin.py")),
    ("library/urls.py", include_str!("django/urls.py")),
];

/// A running library with two authors (Virginia Woolf, Fernando Pessoa) and two books (The Waves, Flush).
#[derive(Debug)]
pub struct DjangoAdmin {
    // Fields are dropped in this order: the server ends before its folder is removed.
    server: Server,
    project: TempDir,
    python: PathBuf,
}

impl DjangoAdmin {
    /// The only user.
    pub const USER: &str = "librarian";
    /// The user's password. The workflow reads it as the secret `library_password`.
    pub const PASSWORD: &str = "quiet-please-3";
    /// A literal workflow through the admin, for a run that starts at [`DjangoAdmin::url`].
    pub const WORKFLOW: &str = include_str!("../../workflows/django-admin.yaml");

    /// Installs Django if it is not in the cache (this needs `python3` with `venv`, and the network or a pip cache),
    /// creates a library and serves it.
    ///
    /// # Errors
    /// If Python is missing, Django cannot be installed, or the server does not start.
    pub async fn start() -> Result<DjangoAdmin, AppError> {
        let python = installed("django", install).await?.join("venv/bin/python");
        let project = TempDir::with_prefix("legwork-django-")?;
        std::fs::create_dir(project.path().join("library"))?;
        for (name, source) in PROJECT {
            std::fs::write(project.path().join(name), source)?;
        }
        let server = Server::start(NAME, command(&python, &project).arg("serve.py")).await?;
        Ok(DjangoAdmin { server, project, python })
    }

    /// The URL of the admin.
    pub fn url(&self) -> String {
        format!("{}/admin/", self.server.url())
    }

    /// The content of the library, read through Django's ORM: `authors[{name, born}]`,
    /// `books[{title, author, genre, published, pages, in_print, summary}]` in the order they were added, `groups`, and
    /// `changes`, the number of entries in the log of the admin.
    ///
    /// # Errors
    /// If the script fails or does not print JSON.
    pub async fn state(&self) -> Result<Value, AppError> {
        let printed = run(command(&self.python, &self.project).arg("state.py")).await?;
        serde_json::from_slice(&printed).map_err(|e| AppError::State { name: NAME, source: e.into() })
    }
}

async fn install(folder: &Path) -> Result<(), AppError> {
    let venv = folder.join("venv");
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&venv)).await?;
    run(Command::new(venv.join("bin/pip")).args([
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "Django>=5.2,<5.3",
    ]))
    .await?;
    Ok(())
}

fn command(python: &Path, project: &TempDir) -> Command {
    let mut command = Command::new(python);
    command.arg("-B").current_dir(project.path()).env("PYTHONUNBUFFERED", "1");
    command.envs([
        ("LIBRARY_KEY", "only-for-tests"),
        ("LIBRARY_USER", DjangoAdmin::USER),
        ("LIBRARY_PASSWORD", DjangoAdmin::PASSWORD),
    ]);
    command
}
