//! A scripted model: a real HTTP server on the loopback interface that uses a provider's wire format, replies according
//! to a script, and records every request for the test.
//!
//! A script is a list of [`Reply`]s, which are sent in order, or a closure from a request ([`Asked`]) to a reply.
//! Replies may be faults: prose, incomplete JSON, an empty or oversized body, status 429 or 500, a body that stalls, a
//! connection that is reset. A delayed reply waits until the test opens a [`Gate`], never for a fixed time.

mod aloud;
mod asked;
mod gate;
mod reply;
mod speak;

pub use asked::Asked;
pub use gate::Gate;
pub use reply::{Reply, ScriptedTokens};

use std::{
    collections::VecDeque,
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use axum::{
    Router,
    body::Bytes,
    extract::{DefaultBodyLimit, State},
    http::{HeaderMap, Uri},
    response::Response,
};
use parking_lot::Mutex;
use tokio::{net::TcpListener, task::JoinHandle};

/// The wire format of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// OpenAI's chat completions, which OpenRouter and Ollama use too.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
    /// Gemini's `generateContent`.
    Gemini,
}

impl Wire {
    /// All wire formats.
    pub const ALL: [Wire; 3] = [Wire::OpenAi, Wire::Anthropic, Wire::Gemini];

    /// The path of the base URL, as in the provider's own API.
    pub fn base_path(self) -> &'static str {
        match self {
            Wire::OpenAi | Wire::Anthropic => "/v1",
            Wire::Gemini => "/v1beta",
        }
    }
}

/// The replies of a scripted model.
pub struct Script(Box<dyn FnMut(&Asked) -> Reply + Send>);

impl Script {
    /// Computes a reply from each request.
    pub fn of(answer: impl FnMut(&Asked) -> Reply + Send + 'static) -> Script {
        Script(Box::new(answer))
    }
}

impl From<Vec<Reply>> for Script {
    /// Sends the replies in order. A request after the last one gets 404, which clients do not retry.
    fn from(replies: Vec<Reply>) -> Script {
        let mut replies = VecDeque::from(replies);
        Script::of(move |_| replies.pop_front().unwrap_or_else(|| Reply::status(404, "the script has ended")))
    }
}

impl<const N: usize> From<[Reply; N]> for Script {
    fn from(replies: [Reply; N]) -> Script {
        Vec::from(replies).into()
    }
}

impl<F: FnMut(&Asked) -> Reply + Send + 'static> From<F> for Script {
    fn from(answer: F) -> Script {
        Script::of(answer)
    }
}

/// A running server. It ends when the value is dropped.
pub struct ScriptedModel {
    /// The value for the provider's base URL.
    pub base_url: String,
    wire: Wire,
    address: SocketAddr,
    scene: Arc<Scene>,
    server: JoinHandle<()>,
}

struct Scene {
    wire: Wire,
    script: Mutex<Script>,
    asked: Mutex<Vec<Asked>>,
    disconnect_count: AtomicUsize,
}

/// Counts a disconnect when it is dropped before the response is sent: the server drops the handler of a client that
/// disconnects.
struct DisconnectGuard<'a> {
    scene: &'a Scene,
    answered: bool,
}

impl Drop for DisconnectGuard<'_> {
    fn drop(&mut self) {
        if !self.answered {
            self.scene.disconnect_count.fetch_add(1, Ordering::SeqCst);
        }
    }
}

impl ScriptedModel {
    /// Starts on a free loopback port.
    pub async fn start(wire: Wire, script: impl Into<Script>) -> io::Result<ScriptedModel> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let scene = Arc::new(Scene {
            wire,
            script: Mutex::new(script.into()),
            asked: Mutex::default(),
            disconnect_count: AtomicUsize::new(0),
        });
        let router = Router::new()
            .fallback(answer)
            // Requests may contain large images.
            .layer(DefaultBodyLimit::disable())
            .with_state(Arc::clone(&scene));
        let server = tokio::spawn(async move {
            // Returns only when the task is aborted.
            let _ = axum::serve(listener, router).await;
        });
        Ok(ScriptedModel { base_url: format!("http://{address}{}", wire.base_path()), wire, address, scene, server })
    }

    /// Every request so far, in order.
    pub fn requests(&self) -> Vec<Asked> {
        self.scene.asked.lock().clone()
    }

    /// The number of clients that disconnected before a reply was sent ([`Reply::Silent`], [`Reply::Held`]).
    pub fn disconnect_count(&self) -> usize {
        self.scene.disconnect_count.load(Ordering::SeqCst)
    }

    /// The name of a model with its provider, as in settings: `anthropic/scripted`.
    pub fn model_name(&self) -> &'static str {
        match self.wire {
            Wire::OpenAi => "openai/scripted",
            Wire::Anthropic => "anthropic/scripted",
            Wire::Gemini => "gemini/scripted",
        }
    }

    /// The wire format.
    pub fn wire(&self) -> Wire {
        self.wire
    }

    /// The address of the server.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn answer(State(scene): State<Arc<Scene>>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let asked = Asked::new(scene.wire, uri.to_string(), headers, &body);
    let reply = if speak::is_endpoint(scene.wire, uri.path()) {
        (scene.script.lock().0)(&asked)
    } else {
        Reply::status(404, "no such path")
    };
    let tool = asked.tool();
    let is_streamed = asked.with_stream();
    scene.asked.lock().push(asked);
    let mut caller = DisconnectGuard { scene: &scene, answered: false };
    let response = speak::respond(scene.wire, reply, tool.as_deref(), is_streamed).await;
    caller.answered = true;
    response
}
