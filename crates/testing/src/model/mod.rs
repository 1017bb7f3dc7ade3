//! A scripted model: a real HTTP server on loopback that speaks a provider's wire format, answers as a script says, and
//! keeps every request for a test to look at.
//!
//! A script is a list of [`Reply`]s, given in order, or a closure from what was [`Asked`] to a reply. Replies may be
//! faults: prose, half a JSON, nothing, too much, 429, 500, a body that stalls, a connection that breaks. A reply that has to
//! wait waits at a [`Gate`] for the test, never for a time.

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

/// A provider's wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// OpenAI's chat completions; OpenRouter's and Ollama's too.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
    /// Gemini's `generateContent`.
    Gemini,
}

impl Wire {
    /// All of them.
    pub const ALL: [Wire; 3] = [Wire::OpenAi, Wire::Anthropic, Wire::Gemini];

    /// The path of its base URL, as the provider's own has it.
    pub fn base_path(self) -> &'static str {
        match self {
            Wire::OpenAi | Wire::Anthropic => "/v1",
            Wire::Gemini => "/v1beta",
        }
    }
}

/// What a scripted model answers.
pub struct Script(Box<dyn FnMut(&Asked) -> Reply + Send>);

impl Script {
    /// A reply made from each request.
    pub fn of(answer: impl FnMut(&Asked) -> Reply + Send + 'static) -> Script {
        Script(Box::new(answer))
    }
}

impl From<Vec<Reply>> for Script {
    /// One after the other. A request beyond the last is refused, in a way that nobody tries again.
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

/// A running server. It ends when this is dropped.
pub struct ScriptedModel {
    /// What to set as the provider's base URL.
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
    hung_up: AtomicUsize,
}

/// Counts a caller who went away: then the server drops the answer that was being made.
struct OnTheLine<'a> {
    scene: &'a Scene,
    answered: bool,
}

impl Drop for OnTheLine<'_> {
    fn drop(&mut self) {
        if !self.answered {
            self.scene.hung_up.fetch_add(1, Ordering::SeqCst);
        }
    }
}

impl ScriptedModel {
    /// Starts on a free port of loopback.
    pub async fn start(wire: Wire, script: impl Into<Script>) -> io::Result<ScriptedModel> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let scene = Arc::new(Scene {
            wire,
            script: Mutex::new(script.into()),
            asked: Mutex::default(),
            hung_up: AtomicUsize::new(0),
        });
        let router = Router::new()
            .fallback(answer)
            // Requests hold pictures.
            .layer(DefaultBodyLimit::disable())
            .with_state(Arc::clone(&scene));
        let server = tokio::spawn(async move {
            // Ends only when it is aborted.
            let _ = axum::serve(listener, router).await;
        });
        Ok(ScriptedModel { base_url: format!("http://{address}{}", wire.base_path()), wire, address, scene, server })
    }

    /// Every request so far, in order.
    pub fn requests(&self) -> Vec<Asked> {
        self.scene.asked.lock().clone()
    }

    /// How many callers went away before they were answered at all ([`Reply::Silent`], [`Reply::Held`]).
    pub fn hung_up(&self) -> usize {
        self.scene.hung_up.load(Ordering::SeqCst)
    }

    /// A model's name with the provider that speaks this, as settings have it: `anthropic/scripted`.
    pub fn model_name(&self) -> &'static str {
        match self.wire {
            Wire::OpenAi => "openai/scripted",
            Wire::Anthropic => "anthropic/scripted",
            Wire::Gemini => "gemini/scripted",
        }
    }

    /// What it speaks.
    pub fn wire(&self) -> Wire {
        self.wire
    }

    /// Where it listens.
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
    let in_pieces = asked.with_stream();
    scene.asked.lock().push(asked);
    let mut caller = OnTheLine { scene: &scene, answered: false };
    let response = speak::respond(scene.wire, reply, tool.as_deref(), in_pieces).await;
    caller.answered = true;
    response
}
