//! The answer of a browser to a command, or why there is none.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use thiserror::Error;

/// The driver's identifier of a command's recipient: a tab, or a frame that has its own session.
pub(crate) type SessionId = Arc<str>;

/// Why a command has no answer.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub(crate) enum DriverError {
    #[error("the browser is gone: {0}")]
    Disconnected(Arc<str>),
    /// The document, the frame or the tab no longer exists.
    #[error("the page is gone")]
    TargetClosed,
    #[error("the page crashed")]
    Crashed,
    #[error("not answered within {ms} ms")]
    Timeout { ms: u64 },
    /// The script threw an exception.
    #[error("{0}")]
    Exception(String),
    #[error("{0}")]
    Refused(String),
    /// The browser is of another kind or too old.
    #[error("{found} is too old; version {oldest} or later is needed")]
    Outdated { found: String, oldest: u32 },
}

/// A future answer.
pub(crate) struct Pending<T> {
    answer: Pin<Box<dyn Future<Output = Result<T, DriverError>> + Send>>,
}

impl<T> Pending<T> {
    pub(crate) fn new(answer: impl Future<Output = Result<T, DriverError>> + Send + 'static) -> Self {
        Pending { answer: Box::pin(answer) }
    }

    /// Waits for the answer until the limit.
    pub(crate) async fn within(self, limit: Duration) -> Result<T, DriverError> {
        let late = DriverError::Timeout { ms: limit.as_millis() as u64 };
        tokio::time::timeout(limit, self).await.unwrap_or(Err(late))
    }
}

impl<T> Future for Pending<T> {
    type Output = Result<T, DriverError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.answer.as_mut().poll(context)
    }
}
