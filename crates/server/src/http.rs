//! Serving connections: HTTP/1.1 with limits that `axum::serve` does not offer.
//!
//! A client that sends half a request and then nothing would occupy a connection forever. Therefore the head of a
//! request must arrive within [`HEAD_TIMEOUT`], its body within [`BODY_TIMEOUT`] (`envelope.rs`), and at most
//! [`CONNECTIONS`] are open at a time. Responses have no limit: event streams and WebSockets stay open.

use std::{future::Future, pin::pin, sync::Arc, time::Duration};

use axum::{Router, serve::Listener};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// How long the head of a request may take, from the moment the connection is ready for one.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// How long the body of a request may take.
pub(crate) const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// Connections that are open at a time; further ones wait in the queue of the system.
const CONNECTIONS: u32 = 1024;

/// Serves until `stop`, then lets the requests in progress end.
pub(crate) async fn serve<L>(listener: L, router: Router, stop: impl Future<Output = ()>)
where
    L: Listener<Io: 'static>,
{
    serve_within(HEAD_TIMEOUT, listener, router, stop).await;
}

async fn serve_within<L>(head_timeout: Duration, mut listener: L, router: Router, stop: impl Future<Output = ()>)
where
    L: Listener<Io: 'static>,
{
    let slots = Arc::new(Semaphore::new(CONNECTIONS as usize));
    let stopping = CancellationToken::new();
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(head_timeout);
    let mut stop = pin!(stop);
    loop {
        let accepted = async {
            let slot = slots.clone().acquire_owned().await.expect("the semaphore is never closed");
            (slot, listener.accept().await.0)
        };
        let (slot, io) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut stop => break,
        };
        let service = TowerToHyperService::new(router.clone());
        let connection = builder.serve_connection(TokioIo::new(io), service).with_upgrades();
        let stopping = stopping.clone();
        tokio::spawn(async move {
            let _slot = slot;
            let mut connection = pin!(connection);
            let ended = tokio::select! {
                ended = connection.as_mut() => ended,
                () = stopping.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection ended with an error");
            }
        });
    }
    drop(listener);
    stopping.cancel();
    // All slots are free when every connection has ended.
    let _ = slots.acquire_many(CONNECTIONS).await;
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::{TcpListener, TcpStream},
    };

    use super::*;

    #[tokio::test]
    async fn a_request_that_is_never_finished_is_closed() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", axum::routing::get(|| async { "here" }));
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let serving = tokio::spawn(serve_within(Duration::from_millis(50), listener, router, async {
            let _ = stopped.await;
        }));
        let mut half = TcpStream::connect(address).await.unwrap();
        half.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n").await.unwrap();
        let mut answer = Vec::new();
        // Ends only because the server closes the connection.
        half.read_to_end(&mut answer).await.unwrap();
        assert!(!String::from_utf8_lossy(&answer).contains("here"));

        let mut whole = TcpStream::connect(address).await.unwrap();
        whole.write_all(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await.unwrap();
        answer.clear();
        whole.read_to_end(&mut answer).await.unwrap();
        assert!(String::from_utf8_lossy(&answer).ends_with("here"));
        stop.send(()).unwrap();
        serving.await.unwrap();
    }
}
