//! Requests to a WebDriver server, which takes and answers JSON over HTTP. Each request has a connection of its own, so
//! that none is repeated because a connection was closed, and a request that is given up leaves nothing behind.

use std::{io, time::Duration};

use serde::Deserialize;
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};
use url::Url;

/// The largest answer, which is a picture or the capture of a page.
const MOST: usize = 256 << 20;

/// The address of a server.
#[derive(Clone, Debug)]
pub(super) struct Endpoint {
    host: String,
    port: u16,
    /// The path before that of each command, without a slash at its end.
    path: String,
}

/// Why a command has no result.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum WireError {
    /// The server did not answer, for this reason.
    Lost(String),
    /// There was no answer within this time.
    Late(Duration),
    /// The error of the protocol, with its code and message.
    Failed { code: String, message: String, data: Value },
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    value: Value,
}

impl Endpoint {
    pub(super) fn loopback(port: u16) -> Self {
        Endpoint { host: "127.0.0.1".to_owned(), port, path: String::new() }
    }

    /// The address of a server that runs already.
    pub(super) fn of(url: &str) -> Result<Self, String> {
        let parsed = Url::parse(url).map_err(|error| error.to_string())?;
        if parsed.scheme() != "http" {
            return Err(format!("{}: is not http, which a WebDriver server speaks", parsed.scheme()));
        }
        let host = parsed.host_str().ok_or("the address has no host")?.to_owned();
        let port = parsed.port_or_known_default().unwrap_or(80);
        Ok(Endpoint { host, port, path: parsed.path().trim_end_matches('/').to_owned() })
    }

    /// Sends a command and returns its value.
    pub(super) async fn ask(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
        limit: Duration,
    ) -> Result<Value, WireError> {
        let asked = tokio::time::timeout(limit, self.exchange(method, path, body)).await;
        let (status, body) =
            asked.map_err(|_| WireError::Late(limit))?.map_err(|error| WireError::Lost(error.to_string()))?;
        let answer: Answer = serde_json::from_slice(&body)
            .map_err(|_| WireError::Lost(format!("the answer with status {status} is no JSON")))?;
        if (200..300).contains(&status) {
            return Ok(answer.value);
        }
        let text = |name: &str| answer.value[name].as_str().unwrap_or_default().to_owned();
        Err(WireError::Failed { code: text("error"), message: text("message"), data: answer.value["data"].clone() })
    }

    async fn exchange(&self, method: &str, path: &str, body: Option<&Value>) -> io::Result<(u16, Vec<u8>)> {
        let stream = TcpStream::connect((&*self.host, self.port)).await?;
        stream.set_nodelay(true)?;
        let mut stream = BufReader::new(stream);
        let body = body.map(Value::to_string).unwrap_or_default();
        let (host, port, base, length) = (&self.host, self.port, &self.path, body.len());
        let mut request = format!(
            "{method} {base}{path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\
             Content-Type: application/json; charset=utf-8\r\nContent-Length: {length}\r\n\r\n"
        )
        .into_bytes();
        request.extend_from_slice(body.as_bytes());
        stream.write_all(&request).await?;
        stream.flush().await?;
        let status = read_line(&mut stream).await?;
        let status = status.split(' ').nth(1).and_then(|code| code.parse().ok()).ok_or_else(|| bad("no status"))?;
        let (mut length, mut is_chunked) = (None, false);
        loop {
            let line = read_line(&mut stream).await?.to_ascii_lowercase();
            match line.split_once(':') {
                Some(("content-length", value)) => length = value.trim().parse().ok(),
                Some(("transfer-encoding", value)) => is_chunked = value.contains("chunked"),
                Some(_) => {}
                None => break,
            }
        }
        let mut answer = Vec::new();
        match length {
            _ if is_chunked => read_chunks(&mut stream, &mut answer).await?,
            Some(length) => read_part(&mut stream, &mut answer, length).await?,
            None => {
                stream.take(MOST as u64).read_to_end(&mut answer).await?;
            }
        }
        Ok((status, answer))
    }
}

fn bad(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

async fn read_line(stream: &mut BufReader<TcpStream>) -> io::Result<String> {
    let mut line = String::new();
    if stream.read_line(&mut line).await? == 0 {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the server closed the connection"));
    }
    Ok(line.trim_end().to_owned())
}

async fn read_part(stream: &mut BufReader<TcpStream>, into: &mut Vec<u8>, length: usize) -> io::Result<()> {
    if into.len() + length > MOST {
        return Err(bad("the answer is too long"));
    }
    let begin = into.len();
    into.resize(begin + length, 0);
    stream.read_exact(&mut into[begin..]).await.map(drop)
}

async fn read_chunks(stream: &mut BufReader<TcpStream>, into: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let line = read_line(stream).await?;
        let size = line.split(';').next().unwrap_or_default();
        let size = usize::from_str_radix(size.trim(), 16).map_err(|_| bad("a chunk without a size"))?;
        read_part(stream, into, size).await?;
        read_line(stream).await?;
        if size == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    /// A server that answers one request with these bytes.
    async fn answering(bytes: &'static str) -> Endpoint {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let _ = stream.read(&mut [0; 4096]).await.unwrap();
            stream.write_all(bytes.as_bytes()).await.unwrap();
        });
        Endpoint::loopback(port)
    }

    async fn asked(bytes: &'static str) -> Result<Value, WireError> {
        answering(bytes).await.ask("GET", "/status", None, Duration::from_secs(5)).await
    }

    #[tokio::test]
    async fn an_answer_is_read_by_its_length_in_chunks_or_until_the_end() {
        let expect = Ok(serde_json::json!({"ready": true}));
        let body = "{\"value\":{\"ready\":true}}";
        assert_eq!(body.len(), 24);
        for head in
            ["Content-Length: 24\r\n\r\n{\"value\":{\"ready\":true}}", "X: y\r\n\r\n{\"value\":{\"ready\":true}}"]
        {
            let bytes: &'static str = Box::leak(format!("HTTP/1.1 200 OK\r\n{head}").into_boxed_str());
            assert_eq!(asked(bytes).await, expect, "{head}");
        }
        let chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n{\"value\":{\r\ne\r\n\"ready\":true}}\r\n0\r\n\r\n";
        assert_eq!(asked(chunks).await, expect);
    }

    #[tokio::test]
    async fn an_error_has_its_code_and_a_server_that_is_gone_is_lost() {
        let bytes = "HTTP/1.1 404 X\r\n\r\n{\"value\":{\"error\":\"no such window\",\"message\":\"gone\"}}";
        let Err(WireError::Failed { code, message, .. }) = asked(bytes).await else { panic!("no error") };
        assert_eq!((&*code, &*message), ("no such window", "gone"));
        assert!(matches!(asked("").await, Err(WireError::Lost(_))));
    }

    #[test]
    fn an_address_is_http() {
        assert!(Endpoint::of("https://a.test").is_err() && Endpoint::of("nonsense").is_err());
        let endpoint = Endpoint::of("http://mac.test:4444/wd/hub/").unwrap();
        assert_eq!((&*endpoint.host, endpoint.port, &*endpoint.path), ("mac.test", 4444, "/wd/hub"));
    }
}
