//! TLS, if the server has a certificate. Each handshake runs in its own task, so that a slow client does not delay
//! others. The names in the certificate are the names under which the server accepts requests.

use std::{io, net::SocketAddr, path::Path, sync::Arc, time::Duration};

use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::mpsc,
    task::JoinHandle,
};
use tokio_rustls::{TlsAcceptor, server::TlsStream};

use crate::ServeError;

/// Time limit of a handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// Number of completed handshakes that wait to be served.
const MAX_READY: usize = 64;

/// A valid certificate and its names.
pub(crate) struct Identity {
    acceptor: TlsAcceptor,
    /// The names that are not patterns.
    pub(crate) names: Vec<String>,
}

impl Identity {
    /// Reads the certificate chain and its key.
    pub(crate) fn read(cert: &Path, key: &Path) -> Result<Identity, ServeError> {
        let wrong = |path: &Path, reason: String| ServeError::Tls { path: path.to_owned(), reason };
        let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_file_iter(cert)
            .and_then(Iterator::collect)
            .map_err(|error| wrong(cert, error.to_string()))?;
        let first = chain.first().ok_or_else(|| wrong(cert, "it contains no certificate".to_owned()))?;
        let parsed = webpki::EndEntityCert::try_from(first).map_err(|error| wrong(cert, error.to_string()))?;
        let names = parsed.valid_dns_names().filter(|name| !name.contains('*')).map(str::to_ascii_lowercase).collect();
        let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| wrong(key, error.to_string()))?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| wrong(cert, error.to_string()))?
            .with_no_client_auth()
            .with_single_cert(chain, secret)
            .map_err(|error| wrong(key, error.to_string()))?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Identity { acceptor: TlsAcceptor::from(Arc::new(config)), names })
    }
}

/// The connections with a completed handshake.
pub(crate) struct TlsListener {
    ready: mpsc::Receiver<(TlsStream<TcpStream>, SocketAddr)>,
    address: SocketAddr,
    accepting: JoinHandle<()>,
}

impl TlsListener {
    pub(crate) fn new(listener: TcpListener, identity: Identity, address: SocketAddr) -> TlsListener {
        let (done, ready) = mpsc::channel(MAX_READY);
        let accepting = tokio::spawn(async move {
            let mut listener = listener;
            loop {
                // axum's implementation waits a moment if the system has no more file descriptors.
                let (stream, from) = axum::serve::Listener::accept(&mut listener).await;
                let (acceptor, done) = (identity.acceptor.clone(), done.clone());
                tokio::spawn(async move {
                    match tokio::time::timeout(HANDSHAKE_TIMEOUT, acceptor.accept(stream)).await {
                        // Sending fails if the server has stopped.
                        Ok(Ok(connection)) => drop(done.send((connection, from)).await),
                        Ok(Err(error)) => tracing::debug!(%error, "a handshake failed"),
                        Err(_) => tracing::debug!("a handshake took too long"),
                    }
                });
            }
        });
        TlsListener { ready, address, accepting }
    }
}

impl Drop for TlsListener {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl axum::serve::Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        match self.ready.recv().await {
            Some(connection) => connection,
            // The accepting task ends only when this value is dropped.
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        Ok(self.address)
    }
}
