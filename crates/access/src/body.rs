//! The body of a request, within limits of size and time.

use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use thiserror::Error;

/// Why a body was not read.
#[derive(Debug, Error)]
pub enum BodyError {
    /// It did not arrive in time.
    #[error("the body did not arrive in time")]
    Late,
    /// It is too large.
    #[error("the body is larger than {limit} bytes")]
    TooLarge {
        /// The maximum size in bytes.
        limit: usize,
    },
    /// The connection failed.
    #[error("the body cannot be read")]
    Unreadable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Reads a body of at most `limit` bytes that arrives within `time`.
///
/// # Errors
/// If it is too large, too slow, or breaks off.
pub async fn read_body(body: Body, limit: usize, time: Duration) -> Result<Bytes, BodyError> {
    match tokio::time::timeout(time, Limited::new(body, limit).collect()).await {
        Err(_) => Err(BodyError::Late),
        Ok(Ok(whole)) => Ok(whole.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(BodyError::TooLarge { limit }),
        Ok(Err(error)) => Err(BodyError::Unreadable(error)),
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{StreamExt, stream};

    use super::*;

    #[tokio::test]
    async fn a_body_that_is_late_or_too_large_is_not_read() {
        let long = Duration::from_secs(60);
        let piece = || stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(b"12345"))]);
        assert_eq!(read_body(Body::from_stream(piece()), 5, long).await.unwrap(), "12345");
        let large = read_body(Body::from_stream(piece().chain(piece())), 9, long).await;
        assert!(matches!(large, Err(BodyError::TooLarge { limit: 9 })), "{large:?}");
        let endless = Body::from_stream(piece().chain(stream::pending()));
        let late = read_body(endless, 100, Duration::from_millis(20)).await;
        assert!(matches!(late, Err(BodyError::Late)), "{late:?}");
        let broken = stream::iter([Err::<Bytes, _>(std::io::Error::other("reset"))]);
        let broken = read_body(Body::from_stream(broken), 100, long).await;
        assert!(matches!(broken, Err(BodyError::Unreadable(_))), "{broken:?}");
    }
}
