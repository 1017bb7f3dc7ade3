//! Page commands: what another agent (over MCP) or a person at a terminal tells a page to do, one command at a time.
//!
//! A [`CommandRequest`] is a command with the token limit of its reply. [`execute`] executes it on a
//! [`legwork::page::Page`] and returns a [`PageReply`]: a short text with the difference that the command made, its
//! failure as a value, and the same as data. MCP tools and command-line verbs are two notations for these commands,
//! which are implemented once, in this crate. A [`SessionPool`] holds the sessions of several callers by name and keeps
//! them separate.

mod command;
mod console_network;
mod execute;
mod render;
mod reply;
mod request;
mod run;
mod session_pool;
mod storage;
mod verify;
mod wire;

pub use command::{CommandRequest, PageCommand};
pub use execute::{execute, refused};
pub use reply::{CommandFailure, File, PageReply};
pub use request::{
    CookieOp, EntryOp, EntryWhat, Extraction, Field, Format, NewCookie, Part, RequestPart, RouteOp, Verify,
};
pub use session_pool::{
    PageOptions, SessionLease, SessionPool, SessionPoolError, TabRequest, TabSource, TabUnavailable, closed,
};
