//! The host: the background process that holds the sessions of the terminal's verbs, one for each user.
//!
//! It is started by the first verb that needs it, listens on a socket that only its user can reach, and ends by itself when
//! nobody asked anything of it for a while, when it is told to, or by a signal; then all its browsers are closed. Killed, it
//! leaves none behind either: each browser has its guardian. A client that goes away in the middle cancels what it asked for.

mod call;
mod idle;
mod sessions;

use std::{
    io,
    os::unix::fs::PermissionsExt,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::{
    net::UnixListener,
    signal::unix::{SignalKind, signal},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

use self::{idle::Idle, sessions::Sessions};
use super::{client, socket_dir::SocketDir};
use crate::{error::CliError, logging};

/// How long a host that is ending is waited for.
const PREDECESSOR: Duration = Duration::from_secs(20);
/// How long requests under way may take to hear that the host ends.
const GOODBYE: Duration = Duration::from_secs(5);

/// What all calls share.
struct Host {
    sessions: Sessions,
    idle: Idle,
    /// Cancelled when the host is to end.
    end: CancellationToken,
}

/// `legwork terminal-host`: until nobody needs it any more.
pub(crate) fn run() -> ExitCode {
    logging::begin(1, false, false);
    // Away from the terminal of whoever started it; one that has its own session already is no worse.
    let _ = rustix::process::setsid();
    let ended = SocketDir::here().and_then(|socket_dir| {
        let lost = |error: io::Error| CliError::fault("the background process could not begin").because(&error);
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(lost)?;
        runtime.block_on(host(&socket_dir)).map_err(lost)
    });
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            tracing::error!("{}", trouble.to_string().replace('\n', "; "));
            trouble.exit.code().into()
        }
    }
}

async fn host(socket_dir: &SocketDir) -> io::Result<()> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    // Held until this process is gone, so that no other removes the socket of one that lives.
    let began = Instant::now();
    let lock = loop {
        match client::host_lock(socket_dir)? {
            Some(lock) => break lock,
            None if began.elapsed() > PREDECESSOR => return Err(io::Error::other("another one does not end")),
            None => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    };
    let socket = socket_dir.socket();
    remove(&socket)?;
    let listener = UnixListener::bind(&socket)?;
    std::fs::set_permissions(&socket, std::fs::Permissions::from_mode(0o600))?;
    listening()?;

    let host = Arc::new(Host { sessions: Sessions::default(), idle: Idle::default(), end: CancellationToken::new() });
    let mut calls = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let stream = match accepted {
                    Ok((stream, _)) => stream,
                    Err(error) => {
                        // Too many files are open, most likely; some will be closed.
                        tracing::warn!(%error, "a client could not be accepted");
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                };
                let busy = host.idle.busy();
                let host = host.clone();
                calls.spawn(async move {
                    call::answer(&host, stream).await;
                    drop(busy);
                });
            }
            Some(_) = calls.join_next() => {}
            () = host.idle.over() => break,
            () = host.end.cancelled() => break,
            _ = interrupt.recv() => break,
            _ = terminate.recv() => break,
        }
    }
    // From here on new clients start a new host, which waits for the lock.
    remove(&socket)?;
    drop(listener);
    host.end.cancel();
    let told = async { while calls.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(GOODBYE, told).await;
    calls.abort_all();
    host.sessions.close_all().await;
    drop(lock);
    Ok(())
}

/// Tells who started us that they may connect, and lets go of them.
fn listening() -> io::Result<()> {
    use io::Write;
    // They may have gone; others will come.
    let _ = io::stdout().write_all(b"listening\n").and_then(|()| io::stdout().flush());
    rustix::stdio::dup2_stdout(io::stderr())?;
    Ok(())
}

fn remove(socket: &std::path::Path) -> io::Result<()> {
    match std::fs::remove_file(socket) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
