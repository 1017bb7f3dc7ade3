//! A run's events over a WebSocket: the same views as the server-sent events, and the frames of the browser.

use std::{collections::BTreeSet, future::pending, sync::Arc};

use axum::{extract::Request, response::Response};
use base64::{Engine, engine::general_purpose::STANDARD};
use futures_util::{SinkExt, StreamExt};
use legwork::{browser::Picture, live::LiveView, protocol::Code};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::watch;
use tokio_tungstenite::tungstenite::{
    self, Message,
    protocol::{CloseFrame, frame::coding::CloseCode},
};
use tokio_util::sync::CancellationToken;

use crate::{
    access::Caller,
    app::App,
    error::ApiError,
    handshake::{self, Socket},
    hub::{Delivery, RunFeed, Subscriber},
    request_value,
    sse::{SseFrame, delta_json, heartbeat},
};

/// Maximum size of a client message: clients only subscribe and send pings.
const MAX_MESSAGE_BYTES: usize = 16 * 1024;

/// Answers the handshake. The connection then continues in its own task.
pub(crate) fn upgrade(app: Arc<App>, feed: Arc<RunFeed>, request: Request) -> Result<Response, ApiError> {
    let caller = request.extensions().get::<Caller>().and_then(|caller| caller.principal.as_ref());
    // The token of the server does not end while the server runs.
    let grant = caller.and_then(|principal| principal.identity.grant());
    let ended = grant.map_or_else(CancellationToken::new, |grant| grant.ended.clone());
    handshake::upgrade(request, MAX_MESSAGE_BYTES, move |socket| serve(app, feed, ended, socket))
}

/// A message of a client.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ClientMessage {
    Subscribe(Subscribe),
    Ping,
}

#[derive(Deserialize)]
struct Subscribe {
    #[serde(default)]
    from: u64,
    types: Option<BTreeSet<String>>,
    #[serde(default)]
    deltas: bool,
    #[serde(default)]
    frames: bool,
}

/// The frames of the page, while the run is in progress.
struct Pictures {
    show: watch::Receiver<Option<Arc<LiveView>>>,
    frames: Option<watch::Receiver<Option<Arc<Picture>>>>,
}

impl Pictures {
    fn new(mut show: watch::Receiver<Option<Arc<LiveView>>>) -> Self {
        let frames = Self::of(&mut show);
        Pictures { show, frames }
    }

    fn of(show: &mut watch::Receiver<Option<Arc<LiveView>>>) -> Option<watch::Receiver<Option<Arc<Picture>>>> {
        let mut frames = show.borrow_and_update().as_ref().map(|live| live.frames())?;
        // The first frame is the one that exists already.
        frames.mark_changed();
        Some(frames)
    }

    /// The newest frame, once it changes. Frames in between are skipped.
    async fn next(&mut self) -> Arc<Picture> {
        loop {
            let Some(frames) = &mut self.frames else {
                if self.show.changed().await.is_err() {
                    return pending().await;
                }
                self.frames = Self::of(&mut self.show);
                continue;
            };
            tokio::select! {
                changed = frames.changed() => match changed {
                    Ok(()) => {
                        let picture = frames.borrow_and_update().clone();
                        if let Some(picture) = picture {
                            return picture;
                        }
                    }
                    Err(_) => self.frames = None,
                },
                changed = self.show.changed() => {
                    if changed.is_err() {
                        return pending().await;
                    }
                    self.frames = Self::of(&mut self.show);
                }
            }
        }
    }
}

#[derive(Default)]
struct Subscribed {
    subscriber: Option<Subscriber>,
    words: Option<SseFrame>,
    pictures: Option<Pictures>,
}

async fn serve(app: Arc<App>, feed: Arc<RunFeed>, ended: CancellationToken, mut socket: Socket) {
    // A client that disconnects is not an error.
    if let Err(error) = serve_socket(&app, &feed, &ended, &mut socket).await {
        tracing::debug!(%error, run = %feed.run.hyphenated(), "a WebSocket ended");
    }
}

async fn serve_socket(
    app: &App,
    feed: &Arc<RunFeed>,
    ended: &CancellationToken,
    socket: &mut Socket,
) -> Result<(), tungstenite::Error> {
    let mut subscribed = Subscribed::default();
    let mut clock = heartbeat();
    loop {
        let Subscribed { subscriber, words, pictures } = &mut subscribed;
        let told = async {
            match subscriber {
                Some(subscriber) => subscriber.next().await,
                None => pending().await,
            }
        };
        let delta = async {
            match words {
                Some(words) => words.next().await,
                None => pending().await,
            }
        };
        let picture = async {
            match pictures {
                Some(pictures) => pictures.next().await,
                None => pending().await,
            }
        };
        tokio::select! {
            () = app.closing.cancelled() => {
                let frame = CloseFrame { code: CloseCode::Restart, reason: "the server is stopping".into() };
                return socket.close(Some(frame)).await;
            }
            () = ended.cancelled() => {
                let frame = CloseFrame { code: CloseCode::Policy, reason: "the token was revoked or has expired".into() };
                return socket.close(Some(frame)).await;
            }
            said = socket.next() => match said {
                None | Some(Ok(Message::Close(_))) => return Ok(()),
                Some(Ok(Message::Text(text))) => handle_message(feed, &text, &mut subscribed, socket).await?,
                // Pings are answered by the WebSocket library. Other messages have no meaning here.
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error),
            },
            told = told => match told {
                Ok(Delivery::Events(frames)) => {
                    for frame in frames {
                        socket.feed(Message::Text(frame.ws())).await?;
                    }
                    socket.flush().await?;
                }
                Ok(Delivery::Lag { behind, next }) => send(socket, json!({ "type": "lag", "behind": behind, "next": next })).await?,
                Ok(Delivery::End(status)) => send(socket, json!({ "type": "end", "status": status })).await?,
                Err(_) => {
                    let frame = CloseFrame { code: CloseCode::Again, reason: "the journal cannot be read".into() };
                    return socket.close(Some(frame)).await;
                }
            },
            delta = delta => {
                let mut delta = delta_json(&delta);
                delta["type"] = "delta".into();
                send(socket, delta).await?;
            }
            picture = picture => {
                let Picture { media_type, bytes, width, height } = &*picture;
                let data = STANDARD.encode(bytes);
                send(socket, json!({ "type": "frame", "mime": media_type, "data": data, "width": width, "height": height })).await?;
            }
            _ = clock.tick() => socket.send(Message::Ping(Default::default())).await?,
        }
    }
}

async fn handle_message(
    feed: &Arc<RunFeed>,
    text: &str,
    subscribed: &mut Subscribed,
    socket: &mut Socket,
) -> Result<(), tungstenite::Error> {
    match request_value::from_json::<ClientMessage>(text.as_bytes(), "the message") {
        Ok(ClientMessage::Ping) => send(socket, json!({ "type": "pong" })).await,
        Ok(ClientMessage::Subscribe(Subscribe { from, types, deltas, frames })) => {
            *subscribed = Subscribed {
                subscriber: Some(Subscriber::new(
                    feed.clone(),
                    from,
                    types.map(|types| types.iter().map(|one| one.to_uppercase()).collect()),
                )),
                words: deltas.then(|| SseFrame::new(feed.show())),
                pictures: frames.then(|| Pictures::new(feed.show())),
            };
            Ok(())
        }
        Err(error) => {
            let message = format!("{error}; send `subscribe` or `ping`, and ops over POST");
            send(socket, json!({ "type": "error", "code": Code::ClientConnection, "message": message })).await
        }
    }
}

async fn send(socket: &mut Socket, message: serde_json::Value) -> Result<(), tungstenite::Error> {
    socket.send(Message::text(message.to_string())).await
}
