//! Lengths of pages and texts by which rules tell messages from content.

/// An error page is short. On a longer page, a text that reads like a refusal is likely to be content.
pub(super) const SHORT_PAGE: usize = 20;
/// The maximum length of a message in characters: one or two sentences.
pub(super) const MESSAGE: usize = 200;
