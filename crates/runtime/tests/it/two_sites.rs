//! A server at two addresses, which are two sites to a browser: `127.0.0.1` is the user's own, `127.0.0.2` the other one.

use std::{
    net::Ipv4Addr,
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};
use url::Url;

/// A request to one of the sites.
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) url: Url,
    pub(crate) is_other: bool,
    pub(crate) port: u16,
}

impl Request {
    /// The value of a parameter.
    pub(crate) fn value(&self, name: &str) -> Option<String> {
        self.url.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
    }
}

/// The answer to a request: a status line with further headers, and the body.
pub(crate) struct Reply {
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn page(body: impl Into<String>) -> Reply {
        Reply { head: "200 OK".to_owned(), body: body.into() }
    }

    pub(crate) fn redirect(to: &str) -> Reply {
        Reply { head: format!("302 Found\r\nLocation: {to}"), body: String::new() }
    }
}

/// The running server.
pub(crate) struct TwoSites {
    port: u16,
    /// What the answers noted, oldest first.
    notes: Arc<Mutex<Vec<String>>>,
}

impl TwoSites {
    /// Starts a server that answers with this function, which may note something. Without an answer, the connection is closed.
    pub(crate) async fn start(answer: fn(&Request, &Mutex<Vec<String>>) -> Option<Reply>) -> TwoSites {
        let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let notes: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = Arc::clone(&notes);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, port, answer, Arc::clone(&log)));
            }
        });
        TwoSites { port, notes }
    }

    pub(crate) fn own(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn other(&self, path: &str) -> String {
        other_site(self.port, path)
    }

    pub(crate) fn has(&self, note: &str) -> bool {
        self.notes().iter().any(|known| known == note)
    }

    pub(crate) fn notes(&self) -> Vec<String> {
        self.notes.lock().unwrap().clone()
    }

    /// The notes since the last call.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.notes.lock().unwrap())
    }
}

pub(crate) fn other_site(port: u16, path: &str) -> String {
    format!("http://127.0.0.2:{port}{path}")
}

async fn serve(
    stream: TcpStream,
    port: u16,
    answer: fn(&Request, &Mutex<Vec<String>>) -> Option<Reply>,
    log: Arc<Mutex<Vec<String>>>,
) -> Option<()> {
    let is_other = stream.local_addr().ok()?.ip() == Ipv4Addr::new(127, 0, 0, 2);
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    stream.read_line(&mut line).await.ok()?;
    let mut length = 0;
    loop {
        let mut header = String::new();
        if stream.read_line(&mut header).await.ok()? <= 2 {
            break;
        }
        if let Some(value) = header.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    stream.read_exact(&mut vec![0; length]).await.ok()?;
    let (method, path) = line.split_once(' ')?;
    let url = Url::parse("http://h").ok()?.join(path.split(' ').next()?).ok()?;
    let request = Request { method: method.to_owned(), url, is_other, port };
    let Reply { head, body } = answer(&request, &log)?;
    let kind = if request.url.path().ends_with(".js") { "text/javascript" } else { "text/html" };
    let head = format!(
        "HTTP/1.1 {head}\r\nContent-Type: {kind}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).await.ok()
}
