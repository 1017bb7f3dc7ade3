//! The connection to a tab of the user's own browser. Its end ends the browser of the run that works in the tab; if the
//! person closed the tab, the run is cancelled.

use std::{sync::Arc, time::Duration};

use futures_util::{SinkExt, StreamExt};
use legwork::browser::{RelayCarrier, RelayInput};
use serde_json::json;
use tokio_tungstenite::tungstenite::{
    self, Message,
    protocol::{CloseFrame, frame::coding::CloseCode},
};
use tokio_util::sync::CancellationToken;

use crate::{
    app::App,
    handshake::Socket,
    panel_proof::{Challenge, panel_proof},
    sse::heartbeat,
};

/// The version of the messages (`crates/browser/src/relay/messages.rs`, `extension/src/relay/messages.ts`).
pub(crate) const RELAY_VERSION: u32 = 2;
/// The largest message of the extension: a picture or the observation of a large page.
pub(crate) const MAX_MESSAGE_BYTES: usize = 64 << 20;

/// How long the extension may take to answer a close frame.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// The codes with which the extension closes a connection (`CLOSE_CODES` in messages.ts).
const TAB_CLOSED: u16 = 4001;
const STOPPED_BY_PERSON: u16 = 4002;
const FOREIGN_FRAME: u16 = 4004;
const TAB_DISCARDED: u16 = 4005;

/// What the extension says when the person uses a tab in which a run works, as it writes it (`USER_INPUT` in
/// messages.ts).
const USER_INPUT: &str = r#"{"type":"user_input"}"#;

/// How the extension begins the message that asks for a proof, before it carries out any request.
const PROVE: &str = r#"{"type":"prove","#;

/// The answer to the question of the extension whether this server knows its token.
async fn prove(app: &App, host: &str, text: &str) -> Option<String> {
    let challenge: Challenge = serde_json::from_str(text).ok()?;
    panel_proof(app, host, &challenge).await
}

/// Why a connection ended.
enum RelayEnd {
    /// Legwork needs the tab no longer.
    Released,
    TabClosed,
    Other(&'static str),
}

/// Carries the messages of a tab until one side ends.
pub(crate) async fn carry(
    app: Arc<App>,
    (id, host): (String, String),
    mut carrier: RelayCarrier,
    grant_ended: CancellationToken,
    mut socket: Socket,
) {
    let end = match relay(&app, (&id, &host), &mut carrier, &grant_ended, &mut socket).await {
        Ok(end) => end,
        Err(error) => {
            tracing::debug!(%error, "the connection to a tab broke");
            RelayEnd::Other("the connection to the extension broke")
        }
    };
    // A run that waits for its turn has not taken its tab yet.
    let run = app.relayed_tabs.end(&id).or_else(|| app.registry.queued_for_tab(&id));
    let reason = match end {
        RelayEnd::Released => return,
        RelayEnd::TabClosed => "the tab was closed",
        RelayEnd::Other(reason) => reason,
    };
    if let (RelayEnd::TabClosed, Some(run)) = (end, run) {
        // The error is ignored: the run may have ended already.
        let _ = app.registry.cancel(run, Some(reason.to_owned())).await;
    }
    // The browser may be gone already, and with it everyone who waits for the reason.
    let _ = carrier.inputs.send(RelayInput::Ended(reason.to_owned())).await;
}

/// Reads until the extension has answered the close frame. If the connection ends while messages of the extension are
/// unread, the system resets it, and the extension takes a released tab for a lost connection.
async fn await_close(socket: &mut Socket) {
    let read = async { while let Some(Ok(_)) = socket.next().await {} };
    let _ = tokio::time::timeout(CLOSE_TIMEOUT, read).await;
}

async fn relay(
    app: &App,
    (id, host): (&str, &str),
    carrier: &mut RelayCarrier,
    grant_ended: &CancellationToken,
    socket: &mut Socket,
) -> Result<RelayEnd, tungstenite::Error> {
    let mut clock = heartbeat();
    let close = |code, reason: &'static str| Some(CloseFrame { code, reason: reason.into() });
    loop {
        tokio::select! {
            () = app.closing.cancelled() => {
                socket.close(close(CloseCode::Restart, "the server is stopping")).await?;
                await_close(socket).await;
                return Ok(RelayEnd::Other("the server is stopping"));
            }
            () = grant_ended.cancelled() => {
                socket.close(close(CloseCode::Policy, "the token was revoked or has expired")).await?;
                await_close(socket).await;
                return Ok(RelayEnd::Other("the pairing of the browser was revoked"));
            }
            output = carrier.outputs.recv() => match output {
                Some(text) => {
                    socket.feed(Message::text(text)).await?;
                    // Commands that wait already are sent together.
                    while let Ok(text) = carrier.outputs.try_recv() {
                        socket.feed(Message::text(text)).await?;
                    }
                    socket.flush().await?;
                }
                None => {
                    socket.close(close(CloseCode::Normal, "the tab is released")).await?;
                    await_close(socket).await;
                    return Ok(RelayEnd::Released);
                }
            },
            input = socket.next() => match input {
                Some(Ok(Message::Text(text))) if text.as_str() == USER_INPUT => {
                    if let Some(run) = app.relayed_tabs.run(id) {
                        // The error is ignored: the run may have ended already.
                        let _ = app.registry.pause(run).await;
                    }
                }
                Some(Ok(Message::Text(text))) if text.starts_with(PROVE) => {
                    let proof = prove(app, host, text.as_str()).await;
                    socket.send(Message::text(json!({ "type": "proof", "proof": proof }).to_string())).await?;
                }
                Some(Ok(Message::Text(text))) => {
                    // The browser may be gone; then `outputs` has ended too.
                    let _ = carrier.inputs.send(RelayInput::Message(text.as_str().to_owned())).await;
                }
                None => return Ok(RelayEnd::Other("the extension disconnected")),
                Some(Ok(Message::Close(frame))) => return Ok(match frame.map(|frame| u16::from(frame.code)) {
                    Some(TAB_CLOSED) => RelayEnd::TabClosed,
                    Some(FOREIGN_FRAME) => RelayEnd::Other(
                        "a frame of another extension is on the page, so the browser lets Legwork do nothing there",
                    ),
                    Some(TAB_DISCARDED) => RelayEnd::Other("the browser discarded the tab to save memory"),
                    Some(STOPPED_BY_PERSON) => RelayEnd::Other("a person disconnected Legwork from the tab"),
                    Some(_) => RelayEnd::Other("the browser disconnected Legwork from the tab"),
                    None => RelayEnd::Other("the extension disconnected"),
                }),
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error),
            },
            _ = clock.tick() => socket.send(Message::Ping(Default::default())).await?,
        }
    }
}
