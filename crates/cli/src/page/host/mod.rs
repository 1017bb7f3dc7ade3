//! The host: the background process of a user, which holds the sessions for the terminal's verbs.
//!
//! The first verb that needs it starts it. It listens on a socket that only its user can reach. It closes all browsers
//! and ends after an idle timeout, on request, or by a signal. If it is killed, the reaper process of each browser
//! ends the browser. If a client disconnects early, its request is cancelled.

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

/// The time limit for a host that is ending to release the lock.
const PREDECESSOR_TIMEOUT: Duration = Duration::from_secs(20);
/// The time limit for running requests to send their replies when the host ends.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// The state that all calls share.
struct Host {
    sessions: Sessions,
    idle: Idle,
    /// Cancelled when the host must end.
    end: CancellationToken,
}

/// `legwork terminal-host`: runs the host until it is idle.
pub(crate) fn run() -> ExitCode {
    logging::begin(1, false, None);
    // Detaches from the terminal of the client. The call fails if this process already leads a session, which is
    // sufficient.
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
    // Held until this process ends, so that no other host removes the socket of a running one.
    let began = Instant::now();
    let lock = loop {
        match client::host_lock(socket_dir)? {
            Some(lock) => break lock,
            None if began.elapsed() > PREDECESSOR_TIMEOUT => return Err(io::Error::other("another one does not end")),
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
                        // The most common cause is too many open files, and calls that end close some.
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
            () = host.idle.expired() => break,
            () = host.end.cancelled() => break,
            _ = interrupt.recv() => break,
            _ = terminate.recv() => break,
        }
    }
    // After this, new clients start a new host, which waits for the lock.
    remove(&socket)?;
    drop(listener);
    host.end.cancel();
    let told = async { while calls.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, told).await;
    calls.abort_all();
    host.sessions.close_all().await;
    drop(lock);
    Ok(())
}

/// Reports to the client that started this process that it can connect, and closes its pipe.
fn listening() -> io::Result<()> {
    use io::Write;
    // Errors are ignored: the client may have ended, but other clients can connect.
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
