//! Installing with the language's own tool, and a server process that lives as long as its value.

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

/// The longest that a server may take to say where it listens: a first start compiles its whole library.
const START: Duration = Duration::from_secs(90);
/// How much of what a failed program said is kept, from its end.
const STDERR: usize = 2000;

/// The folder where `name` is installed, after `install` filled it if it was not there. Several test processes may ask
/// at once: one installs, the others wait for it.
///
/// # Errors
/// When it cannot be installed, or the folder cannot be made.
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
    // A path that other working directories understand too.
    Ok(folder.canonicalize()?)
}

/// Runs a program to its end and gives what it printed.
///
/// # Errors
/// When it cannot be started or does not succeed.
pub async fn run(command: &mut Command) -> Result<Vec<u8>, AppError> {
    let program = format!("{:?}", command.as_std());
    let failed = |stderr: String| AppError::Program { program: program.clone(), stderr };
    let output = command.stdin(Stdio::null()).kill_on_drop(true).output().await.map_err(|e| failed(e.to_string()))?;
    if output.status.success() { Ok(output.stdout) } else { Err(failed(end_of(&output.stderr))) }
}

/// A server that runs. Dropping it kills the process; its input being a pipe from here, it also ends with this process.
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
            // The process may still hold its errors open; it has to end before they can be read to their end.
            child.start_kill()?;
            return Err(AppError::NotStarted { name, stderr: read_end(stderr).await });
        };
        // A pipe that nobody empties would stop a server that logs its requests.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        tokio::spawn(async move { tokio::io::copy(&mut BufReader::new(stderr), &mut tokio::io::sink()).await });
        Ok(Server { child, url })
    }

    /// Its origin, without a slash at the end.
    pub(super) fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Neither server starts processes of its own, so its own end is the end of all of it. One that has ended already
        // is what was wanted.
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
