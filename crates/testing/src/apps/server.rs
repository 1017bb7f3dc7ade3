//! Installs applications with the package manager of their language, and runs a server process as long as its value
//! lives.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, BufReader},
    process::{Child, ChildStderr, Command},
};

use super::{AppError, cache};

/// The time limit for a server to print its address. The first start compiles its complete library.
const START: Duration = Duration::from_secs(90);
/// The maximum length in bytes of a failed program's standard error, of which the end is kept.
const STDERR: usize = 2000;

/// The folder where `name` is installed. If it is not installed, `install` fills the folder. If several test processes
/// call this at once, one installs and the others wait.
///
/// # Errors
/// If it cannot be installed, or the folder cannot be created.
pub async fn installed(
    name: &str,
    install: impl AsyncFnOnce(&Path) -> Result<(), AppError>,
) -> Result<PathBuf, AppError> {
    let folder = cache().join(name);
    std::fs::create_dir_all(&folder)?;
    let lock = File::create(folder.join("lock"))?;
    let lock = tokio::task::spawn_blocking(move || lock.lock().map(|()| lock)).await.map_err(io::Error::other)??;
    let done = folder.join("installed");
    if !done.exists() {
        install(&folder).await?;
        File::create(&done)?;
    }
    drop(lock);
    // An absolute path, because the caller may use another working directory.
    Ok(folder.canonicalize()?)
}

/// Runs a program to its end and returns its standard output.
///
/// # Errors
/// If it cannot be started or fails.
pub async fn run(command: &mut Command) -> Result<Vec<u8>, AppError> {
    let program = format!("{:?}", command.as_std());
    let failed = |stderr: String| AppError::Program { program: program.clone(), stderr };
    let output = command.stdin(Stdio::null()).kill_on_drop(true).output().await.map_err(|e| failed(e.to_string()))?;
    if output.status.success() { Ok(output.stdout) } else { Err(failed(end_of(&output.stderr))) }
}

/// A running server. Dropping the value kills the process. The process also ends with this one, because its standard
/// input is a pipe from here.
#[derive(Debug)]
pub(super) struct Server {
    child: Child,
    url: String,
}

impl Server {
    /// Starts a server and waits until it prints the loopback address that it listens on.
    pub(super) async fn start(name: &'static str, command: &mut Command) -> Result<Server, AppError> {
        let spawned =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true).spawn();
        let mut child = spawned.map_err(|e| AppError::NotStarted { name, stderr: e.to_string() })?;
        let stdout = child.stdout.take().expect("its output is piped");
        let stderr = child.stderr.take().expect("its errors are piped");
        let mut lines = BufReader::new(stdout).lines();
        let address = async {
            while let Ok(Some(line)) = lines.next_line().await {
                if let Some((_, address)) = line.split_once("http://127.0.0.1:") {
                    let port: String = address.chars().take_while(char::is_ascii_digit).collect();
                    return Some(format!("http://127.0.0.1:{port}"));
                }
            }
            None
        };
        let Ok(Some(url)) = tokio::time::timeout(START, address).await else {
            // The process may still be running, and standard error can only be read completely after it has ended.
            child.start_kill()?;
            return Err(AppError::NotStarted { name, stderr: read_end(stderr).await });
        };
        // If the pipes were not read, they would fill up and block a server that logs its requests.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        tokio::spawn(async move { tokio::io::copy(&mut BufReader::new(stderr), &mut tokio::io::sink()).await });
        Ok(Server { child, url })
    }

    /// The origin, without a trailing slash.
    pub(super) fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The servers start no child processes, so it is sufficient to kill this one. An error means that it has
        // already ended.
        if let Err(error) = self.child.start_kill() {
            tracing::debug!(%error, "the server had ended before");
        }
    }
}

async fn read_end(mut stderr: ChildStderr) -> String {
    let mut said = Vec::new();
    match stderr.read_to_end(&mut said).await {
        Ok(_) => end_of(&said),
        Err(error) => error.to_string(),
    }
}

fn end_of(said: &[u8]) -> String {
    String::from_utf8_lossy(&said[said.len().saturating_sub(STDERR)..]).trim().to_owned()
}
