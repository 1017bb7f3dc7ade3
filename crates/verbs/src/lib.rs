//! Legwork by hand: what an agent of another maker (over MCP) or a person at a terminal asks of a page, one thing at a time.
//!
//! An [`CommandRequest`] says what is wanted and how many tokens the answer may have; [`execute`] has it done on a
//! [`legwork::page::Page`] and answers with a [`PageReply`]: few words, the difference that it made, and the same as data. MCP
//! tools and command-line verbs are two spellings of asks; what they do is written here once. A [`PagePool`] keeps the pages of
//! several callers apart by name.

mod command;
mod console_network;
mod execute;
mod page_pool;
mod page_slots;
mod render;
mod reply;
mod request;
mod run;
mod storage;
mod verify;
mod wire;

pub use command::{CommandRequest, PageCommand};
pub use execute::execute;
pub use page_pool::{PageOptions, PagePool, PagePoolError, closed};
pub use reply::{File, PageReply};
pub use request::{
    CookieOp, EntryOp, EntryWhat, Extraction, Field, Format, NewCookie, Part, RequestPart, RouteOp, Verify,
};
