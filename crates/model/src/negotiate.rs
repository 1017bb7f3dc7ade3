//! Remembers which method of structured output a server accepts.
//!
//! A server cannot be asked what it supports: llama.cpp, vLLM, LM Studio and many proxies each support some forms of
//! `response_format` and answer the others with 400. A call therefore tries one method after the other until the
//! server accepts one, and that method is remembered. If no method is accepted, nothing is remembered, because then
//! the cause was something else.

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

    /// The remaining methods, the best first, each with its index.
    pub(crate) fn open(&self) -> impl Iterator<Item = (usize, StructuredOutput)> {
        let known = self.known.load(Ordering::Relaxed);
        self.shapes.iter().copied().enumerate().skip(known)
    }

    /// Remembers that the server accepted the method at this index.
    pub(crate) fn settle(&self, index: usize) {
        self.known.fetch_max(index, Ordering::Relaxed);
    }
}

/// Whether a refusal may concern the method of structured output. Servers have no common wording for this, so every
/// refusal counts except one about the length of the prompt: trying again would send the whole prompt once more.
pub(crate) fn is_schema_rejection(error: &ModelError) -> bool {
    let ModelError::Refused { status: 400 | 415 | 422 | 500, message } = error else { return false };
    let message = message.to_ascii_lowercase();
    !["context length", "context window", "context size", "too long", "too large", "maximum context", "token limit"]
        .iter()
        .any(|length| message.contains(length))
}
