//! Legwork by hand: what an agent of another maker (over MCP) or a person at a terminal asks of a page, one thing at a time.
//!
//! An [`Ask`] says what is wanted and how many tokens the answer may have; [`perform`] has it done on a
//! [`legwork::page::Page`] and answers with a [`Said`]: few words, the difference that it made, and the same as data. MCP
//! tools and command-line verbs are two spellings of asks; what they do is written here once. A [`Desk`] keeps the pages of
//! several callers apart by name.

mod asked;
mod desk;
mod listed;
mod perform;
mod places;
mod said;
mod stored;
mod verb;
mod verify;
mod wire;
mod words;
mod work;

pub use asked::{
    CookieOp, EntryOp, EntryWhat, Extraction, Field, Format, NewCookie, Part, RequestPart, RouteOp, Verify,
};
pub use desk::{Desk, DeskError, Terms, closed};
pub use perform::perform;
pub use said::{File, Said};
pub use verb::{Ask, Verb};
