//! Whether a text contains another one as whole words.

/// Whether a text contains a value as whole words: `Kim Bergström` does not contain `Kim Berg`.
pub(super) fn contains_whole(text: &str, value: &str) -> bool {
    text.match_indices(value).any(|(at, _)| {
        let joins = |inner: Option<char>, outer: Option<char>| {
            inner.is_some_and(char::is_alphanumeric) && outer.is_some_and(char::is_alphanumeric)
        };
        let (before, after) = (&text[..at], &text[at + value.len()..]);
        !joins(value.chars().next(), before.chars().next_back())
            && !joins(value.chars().next_back(), after.chars().next())
    })
}
