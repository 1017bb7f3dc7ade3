//! Who may use the servers, and how much: what `legwork serve` and `legwork mcp --http` share.
//!
//! [`TokenFile`] creates and revokes tokens with scopes; [`Tokens`] is the view of a running server on that file, which
//! follows every change. [`PairingFile`] gives the side panel of a browser a token for a code that a person enters. A
//! request that a server accepts has an [`Identity`]. [`AuditLog`] records what callers did and what was refused.
//! [`serve`] answers connections with limits of time and number, [`read_body`] reads a body within the same limits, and
//! [`RequestLimiter`] bounds requests.

mod audit;
mod body;
mod identity;
mod pairing;
mod rate;
mod scope;
mod serve;
mod token_file;
mod tokens;

pub use audit::{AuditEntry, AuditLog, PendingEntry, RunNote};
pub use body::{BodyError, read_body};
pub use identity::Identity;
pub use pairing::{PairingError, PairingFile};
pub use rate::RequestLimiter;
pub use scope::{Scopes, TokenScope, UnknownScope};
pub use serve::{CONNECTIONS, ConnectionLimits, serve};
pub use token_file::{NewToken, TOKEN_FILE, TokenError, TokenFile, TokenRecord};
pub use tokens::{Grant, Tokens, end_stream_with};
