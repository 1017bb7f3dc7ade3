//! Serving connections: HTTP/1.1 with limits that `axum::serve` does not offer.
//!
//! A client that sends half a request and then nothing would occupy a connection forever. Therefore the head of a request
//! must arrive within [`HEAD_TIMEOUT`], its body within [`BODY_TIMEOUT`] (`envelope.rs`), and at most [`CONNECTIONS`] are
//! open at a time. Responses have no limit: event streams and WebSockets stay open.

use std::{future::Future, sync::Arc, time::Duration};

use axum::{Router, serve::Listener};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto, graceful::GracefulShutdown},
    service::TowerToHyperService,
};
use tokio::sync::Semaphore;

/// How long the head of a request may take, from the moment the connection is ready for one.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// How long the body of a request may take.
pub(crate) const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// Connections that are open at a time; further ones wait in the queue of the system.
const CONNECTIONS: usize = 1024;

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
    let slots = Arc::new(Semaphore::new(CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let mut builder = auto::Builder::new(TokioExecutor::new()).http1_only();
    builder.http1().timer(TokioTimer::new()).header_read_timeout(head_timeout);
    let mut stop = std::pin::pin!(stop);
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
        let builder = builder.clone();
        let watcher = graceful.watcher();
        tokio::spawn(async move {
            let _slot = slot;
            let connection = builder.serve_connection_with_upgrades(TokioIo::new(io), service);
            if let Err(error) = watcher.watch(connection).await {
                tracing::debug!(%error, "a connection ended with an error");
            }
        });
    }
    drop(listener);
    graceful.shutdown().await;
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
