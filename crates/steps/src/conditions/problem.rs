//! The error for words that are no condition.

use crate::{error::ParseError, tokens::TokenStream};

pub(super) fn not_understood(words: TokenStream<'_>) -> ParseError {
    words.error(format!("`{}` was not understood as something to check", words.text_as_written())).suggest(
        "\"Welcome\" is shown, the field \"Name\" is \"Ada\", the address contains \"/done\", there are 3 rows",
    )
}
