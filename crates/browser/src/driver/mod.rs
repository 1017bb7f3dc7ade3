//! The interface between the executor and a driver: the operations of a browser's protocol, without its syntax. A
//! driver only translates to its protocol. Waiting for the page, retries, hit-testing and settling are implemented
//! above it, once for all drivers.
//!
//! Every command is sent when its method is called, in the order of the calls. Its answer may be awaited or dropped.

mod contexts;
pub(crate) mod dispatch;
mod input;
mod network;
mod pictures;
mod tabs;
mod worlds;

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use thiserror::Error;

pub(crate) use contexts::Contexts;
pub(crate) use input::{Drag, Input, MouseInput, MouseKind};
pub(crate) use network::{Fulfillment, Network, NetworkEmulation};
pub(crate) use pictures::{Pictures, Shot};
pub(crate) use tabs::{NavigationHistory, NavigationResult, Tabs, Watch};
pub(crate) use worlds::{ContextRef, Worlds};

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

/// A driver of a browser.
pub(crate) trait Driver: Contexts + Tabs + Network + Pictures + Worlds + Input + Send + Sync {
    /// The reason for which the browser is gone; `None` while it is connected.
    fn gone(&self) -> Option<Arc<str>>;
    /// Fails all pending commands of a session that will not answer any more.
    fn fail_session(&self, session: &str, error: DriverError);
}
