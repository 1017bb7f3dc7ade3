//! Serving connections: HTTP/1.1 with limits that `axum::serve` does not offer.
//!
//! A client that sends half a request and then nothing would occupy a connection forever. Therefore the head and the
//! body of a request must arrive in time, and the number of open connections is limited. Responses have no limit: event
//! streams and WebSockets stay open.

use std::{future::Future, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use axum::{Router, extract::ConnectInfo, http::Request, serve::Listener};
use hyper::{body::Incoming, server::conn::http1, service::Service};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// The default number of open connections.
pub const CONNECTIONS: u32 = 1024;

/// The limits of a server.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// How long the head of a request may take, from the moment the connection is ready for one.
    pub head: Duration,
    /// How long the body of a request may take.
    pub body: Duration,
    /// Connections that are open at a time; further ones wait in the queue of the system.
    pub connections: u32,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        let time = Duration::from_secs(30);
        ConnectionLimits { head: time, body: time, connections: CONNECTIONS }
    }
}

/// Serves until `stop`, then lets the requests in progress end. A request has the address of its client as
/// `ConnectInfo<SocketAddr>`. The code that reads a body limits its time ([`crate::read_body`]).
pub async fn serve<L>(limits: ConnectionLimits, mut listener: L, router: Router, stop: impl Future<Output = ()>)
where
    L: Listener<Io: 'static, Addr = SocketAddr>,
{
    let slots = Arc::new(Semaphore::new(limits.connections as usize));
    let stopping = CancellationToken::new();
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.head);
    let mut stop = pin!(stop);
    loop {
        let accepted = async {
            let slot = slots.clone().acquire_owned().await.expect("the semaphore is never closed");
            (slot, listener.accept().await)
        };
        let (slot, (io, client)) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut stop => break,
        };
        let service = WithClient { client, inner: TowerToHyperService::new(router.clone()) };
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
    let _ = slots.acquire_many(limits.connections).await;
}

/// Adds the address of the client to each request of a connection.
struct WithClient<S> {
    client: SocketAddr,
    inner: S,
}

impl<S: Service<Request<Incoming>>> Service<Request<Incoming>> for WithClient<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn call(&self, mut request: Request<Incoming>) -> S::Future {
        request.extensions_mut().insert(ConnectInfo(self.client));
        self.inner.call(request)
    }
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::{TcpListener, TcpStream},
        sync::oneshot,
        task::JoinHandle,
    };

    use super::*;

    struct Serving {
        address: SocketAddr,
        stop: oneshot::Sender<()>,
        task: JoinHandle<()>,
    }

    async fn serving(limits: ConnectionLimits) -> Serving {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let client = |ConnectInfo(client): ConnectInfo<SocketAddr>| async move { client.to_string() };
        let router = Router::new().route("/", get(client));
        let (stop, stopped) = oneshot::channel::<()>();
        let task = tokio::spawn(serve(limits, listener, router, async {
            let _ = stopped.await;
        }));
        Serving { address, stop, task }
    }

    impl Serving {
        async fn end(self) {
            self.stop.send(()).unwrap();
            self.task.await.unwrap();
        }
    }

    const WHOLE: &[u8] = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

    async fn answer(socket: &mut TcpStream) -> String {
        let mut answer = Vec::new();
        // Ends only because the server closes the connection.
        socket.read_to_end(&mut answer).await.unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    #[tokio::test]
    async fn a_request_that_is_never_finished_is_closed() {
        let limits = ConnectionLimits { head: Duration::from_millis(50), ..ConnectionLimits::default() };
        let serving = serving(limits).await;
        let mut half = TcpStream::connect(serving.address).await.unwrap();
        half.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n").await.unwrap();
        assert!(!answer(&mut half).await.contains("200 OK"));

        let mut whole = TcpStream::connect(serving.address).await.unwrap();
        whole.write_all(WHOLE).await.unwrap();
        let own = whole.local_addr().unwrap().to_string();
        let answered = answer(&mut whole).await;
        assert!(answered.ends_with(&own), "the handler knows the address of the client: {answered}");
        serving.end().await;
    }

    #[tokio::test]
    async fn a_connection_beyond_the_limit_waits_until_another_one_ends() {
        let serving = serving(ConnectionLimits { connections: 1, ..ConnectionLimits::default() }).await;
        let mut first = TcpStream::connect(serving.address).await.unwrap();
        let mut second = TcpStream::connect(serving.address).await.unwrap();
        let mut begins = [0; 12];
        second.write_all(WHOLE).await.unwrap();
        // The first connection stays open. It is served again and again while the second one waits.
        for _ in 0..8 {
            first.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
            first.read_exact(&mut begins).await.unwrap();
            assert_eq!(&begins, b"HTTP/1.1 200");
            assert!(first.read(&mut [0; 1024]).await.unwrap() > 0);
        }
        let waits = second.try_read(&mut [0; 1]).is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock);
        assert!(waits, "the second one was answered while the only slot was taken");
        drop(first);
        assert!(answer(&mut second).await.contains("200 OK"));
        serving.end().await;
    }
}
