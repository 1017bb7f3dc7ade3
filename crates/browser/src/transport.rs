//! Transfers whole messages in both directions: over the debugging pipe (JSON, terminated by NUL), over a WebSocket, or
//! through the extension in the user's own browser ([`crate::relay`]).

use std::{io, os::fd::OwnedFd};

use futures_util::{
    SinkExt, StreamExt,
    stream::{SplitSink, SplitStream},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpStream, unix::pipe},
    sync::mpsc,
};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, tungstenite::Message};

use crate::relay::{RelayCommands, Reply};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Both directions, before they are split.
pub(crate) struct Transport {
    pub(crate) incoming: Incoming,
    pub(crate) outgoing: Outgoing,
}

pub(crate) enum Incoming {
    Pipe { pipe: pipe::Receiver, buffer: Vec<u8>, searched: usize },
    Socket(SplitStream<Socket>),
    Relay(mpsc::UnboundedReceiver<Reply>),
}

pub(crate) enum Outgoing {
    Pipe(pipe::Sender),
    Socket(SplitSink<Socket, Message>),
    Relay(RelayCommands),
}

/// The number of bytes that are read from the pipe at once.
const CHUNK: usize = 256 * 1024;
/// A buffer that a large message has enlarged beyond this size is freed once it is empty.
const KEPT: usize = 1024 * 1024;

impl Transport {
    pub(crate) fn pipe(from_browser: OwnedFd, to_browser: OwnedFd) -> io::Result<Self> {
        Ok(Transport {
            incoming: Incoming::Pipe {
                pipe: pipe::Receiver::from_owned_fd(from_browser)?,
                buffer: Vec::new(),
                searched: 0,
            },
            outgoing: Outgoing::Pipe(pipe::Sender::from_owned_fd(to_browser)?),
        })
    }

    pub(crate) fn socket(socket: Socket) -> Self {
        let (outgoing, incoming) = socket.split();
        Transport { incoming: Incoming::Socket(incoming), outgoing: Outgoing::Socket(outgoing) }
    }
}

impl Incoming {
    /// The next message; `None` when the browser has closed the connection.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        match self {
            Incoming::Pipe { pipe, buffer, searched } => loop {
                if let Some(end) = buffer[*searched..].iter().position(|byte| *byte == 0) {
                    let end = *searched + end;
                    *searched = 0;
                    if end + 1 == buffer.len() {
                        // In the usual case the buffer is the message, and no byte is copied.
                        buffer.pop();
                        return Ok(Some(std::mem::take(buffer)));
                    }
                    let rest = buffer.split_off(end + 1);
                    let mut message = std::mem::replace(buffer, rest);
                    message.pop();
                    return Ok(Some(message));
                }
                *searched = buffer.len();
                if buffer.is_empty() && buffer.capacity() > KEPT {
                    *buffer = Vec::new();
                }
                if buffer.capacity() - buffer.len() < 4096 {
                    // The buffer grows by doubling, so that a message of many megabytes is not copied at each chunk.
                    buffer.reserve(buffer.len().clamp(8 * 1024, 16 * CHUNK));
                }
                if pipe.read_buf(buffer).await? == 0 {
                    return Ok(None);
                }
            },
            Incoming::Socket(socket) => loop {
                match socket.next().await {
                    None | Some(Ok(Message::Close(_))) => return Ok(None),
                    Some(Ok(Message::Text(text))) => return Ok(Some(text.as_bytes().to_vec())),
                    Some(Ok(Message::Binary(bytes))) => return Ok(Some(bytes.to_vec())),
                    Some(Ok(_)) => {}
                    Some(Err(error)) => return Err(io::Error::other(error)),
                }
            },
            Incoming::Relay(replies) => replies.recv().await.transpose(),
        }
    }
}

impl Outgoing {
    /// Sends commands until there are no more or the browser takes none. Commands that wait already are sent together.
    pub(crate) async fn send_all(mut self, mut commands: mpsc::UnboundedReceiver<Vec<u8>>) {
        const MOST: usize = 64;
        let mut batch = Vec::new();
        while commands.recv_many(&mut batch, MOST).await > 0 {
            if let Err(error) = self.send(&mut batch).await {
                tracing::debug!(%error, "the browser takes no more commands");
                return;
            }
        }
    }

    /// Sends messages in order.
    pub(crate) async fn send(&mut self, messages: &mut Vec<Vec<u8>>) -> io::Result<()> {
        match self {
            Outgoing::Pipe(pipe) => {
                let mut bytes = Vec::with_capacity(messages.iter().map(|m| m.len() + 1).sum());
                for message in messages.drain(..) {
                    bytes.extend_from_slice(&message);
                    bytes.push(0);
                }
                pipe.write_all(&bytes).await
            }
            Outgoing::Socket(socket) => {
                for message in messages.drain(..) {
                    let text = String::from_utf8(message).expect("serde_json writes UTF-8");
                    socket.feed(Message::text(text)).await.map_err(io::Error::other)?;
                }
                socket.flush().await.map_err(io::Error::other)
            }
            Outgoing::Relay(commands) => messages.drain(..).try_for_each(|message| commands.send(&message)),
        }
    }
}
