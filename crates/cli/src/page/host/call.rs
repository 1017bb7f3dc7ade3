//! One call: checks the client, executes its request and sends the reply. The call is cancelled if the client
//! disconnects.

use std::time::Duration;

use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader},
    net::UnixStream,
};
use tokio_util::sync::CancellationToken;

use super::{
    super::wire::{BUSY, END, ENDED, GREETING, HostReply, Refusal, Request, TAKEN},
    Host,
};
use crate::exit::Exit;

/// The maximum size of a request in bytes. A storage state is the largest content.
const MAX_REQUEST_BYTES: u64 = 256 * 1024 * 1024;
/// The time limit for a client to send its request.
const ATTENTION: Duration = Duration::from_secs(10);
/// The time limit for a cancelled request to clean up.
const CANCELLED: Duration = Duration::from_secs(2);

/// Answers one client.
pub(super) async fn answer(host: &Host, stream: UnixStream) {
    let own = rustix::process::geteuid().as_raw();
    match stream.peer_cred() {
        Ok(peer) if may_ask(peer.uid(), own) => {}
        Ok(peer) => return tracing::warn!(uid = peer.uid(), "another user was refused"),
        Err(error) => return tracing::warn!(%error, "a client whose user cannot be determined was refused"),
    }
    let (reading, mut writing) = stream.into_split();
    let mut reading = BufReader::new(reading.take(MAX_REQUEST_BYTES));
    let Ok(Ok((greeting, line))) = tokio::time::timeout(ATTENTION, asked(&mut reading)).await else { return };
    // A client that starts a host only connects to test whether one listens, and sends nothing.
    if !greeting.starts_with("legwork ") || !line.ends_with('\n') {
        return;
    }
    let (word, reply) = if line.trim_end() == END {
        host.end.cancel();
        (ENDED, None)
    } else if greeting.trim_end() != GREETING {
        let word = if host.sessions.any() { BUSY } else { ENDED };
        if word == ENDED {
            host.end.cancel();
        }
        (word, None)
    } else {
        // Sent before the execution: after it, the client must not repeat the request.
        if writing.write_all(format!("{GREETING}: {TAKEN}\n").as_bytes()).await.is_err() {
            return;
        }
        (TAKEN, Some(reply(host, &line, &mut reading).await))
    };
    let text = match reply {
        Some(None) => return,
        Some(Some(reply)) => serde_json::to_string(&reply).unwrap_or_default(),
        None => format!("{GREETING}: {word}\n"),
    };
    // Fails if the client has disconnected.
    let _ = writing.write_all(text.as_bytes()).await;
}

/// Root is rejected too. It can bypass this check, but it has no legitimate reason to use the sessions of another user.
fn may_ask(uid: u32, own: u32) -> bool {
    uid == own
}

async fn asked(from: &mut (impl AsyncBufReadExt + Unpin)) -> std::io::Result<(String, String)> {
    let (mut greeting, mut line) = (String::new(), String::new());
    from.read_line(&mut greeting).await?;
    from.read_line(&mut line).await?;
    Ok((greeting, line))
}

/// The reply, or `None` if the client disconnected before it was ready.
async fn reply(host: &Host, line: &str, client: &mut (impl AsyncRead + Unpin)) -> Option<HostReply> {
    let cancel = host.end.child_token();
    let work = done(host, line, &cancel);
    tokio::pin!(work);
    let mut byte = [0];
    tokio::select! {
        reply = &mut work => return Some(reply),
        // A client sends nothing after its request, so the read only returns when it disconnects.
        _ = client.read(&mut byte) => {}
        () = host.end.cancelled() => {}
    }
    let told = host.end.is_cancelled();
    cancel.cancel();
    match tokio::time::timeout(CANCELLED, work).await {
        Ok(reply) => Some(reply).filter(|_| told),
        Err(_) => told.then(|| {
            HostReply::Refused(Refusal {
                text: "the background process ends".to_owned(),
                exit: Exit::Cancelled,
                hint: "`legwork open URL` starts a new one".to_owned(),
            })
        }),
    }
}

async fn done(host: &Host, line: &str, cancel: &CancellationToken) -> HostReply {
    let reply = match serde_json::from_str(line) {
        Ok(Request::Ask { session, ask, opening }) => {
            host.sessions.execute(&session, ask, opening.map(|o| *o), &host.idle, cancel).await
        }
        Ok(Request::Sessions) => host.sessions.list().await,
        Ok(Request::Close { session }) => host.sessions.close(&session).await,
        // The message does not contain the line, which may contain secrets.
        Err(_) => HostReply::Refused(Refusal {
            text: "the request cannot be read".to_owned(),
            exit: Exit::Fault,
            hint: "`legwork close --all`, then try again".to_owned(),
        }),
    };
    host.idle.sessions(host.sessions.any());
    reply
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_user_s_own_programs_may_ask() {
        assert!(may_ask(1000, 1000));
        assert!(!may_ask(1001, 1000));
        assert!(!may_ask(0, 1000));
    }
}
