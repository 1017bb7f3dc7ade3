//! Which way of asking for JSON a model's server takes.
//!
//! There is no asking a server what it knows: llama.cpp, vLLM, LM Studio and the many proxies each know some forms of
//! `response_format` and answer 400 to the rest. So a call steps down until one is taken, and what was taken is
//! remembered. A step that did not help either is not remembered: then the fault lay elsewhere.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{
    ModelError,
    wire::{Format, StructuredOutput},
};

pub(crate) struct Negotiation {
    shapes: &'static [StructuredOutput],
    known: AtomicUsize,
}

impl Negotiation {
    pub(crate) fn new(format: Format) -> Self {
        Negotiation { shapes: format.shapes(), known: AtomicUsize::new(0) }
    }

    /// The ways still to be tried, the best first, each with its place.
    pub(crate) fn open(&self) -> impl Iterator<Item = (usize, StructuredOutput)> {
        let known = self.known.load(Ordering::Relaxed);
        self.shapes.iter().copied().enumerate().skip(known)
    }

    /// The way at this place was taken.
    pub(crate) fn settle(&self, place: usize) {
        self.known.fetch_max(place, Ordering::Relaxed);
    }
}

/// Whether a refusal may be one of the way of asking. Most servers do not say what they mind in any common words, so
/// every refusal counts but those that speak of the question's length, which would be sent in full once more.
pub(crate) fn is_schema_rejection(error: &ModelError) -> bool {
    let ModelError::Refused { status: 400 | 415 | 422 | 500, message } = error else { return false };
    let message = message.to_ascii_lowercase();
    !["context length", "context window", "context size", "too long", "too large", "maximum context", "token limit"]
        .iter()
        .any(|length| message.contains(length))
}
