//! Lists of elements: `"A", "B" and "C"`, or one name in several scopes.

use crate::{
    ast::{Check, Clause, Instruction, Operation, TargetPhrase},
    element_kind,
    error::ParseError,
    tokens::{Token, TokenStream},
};

pub(super) use crate::target_phrase::phrase;

pub(crate) fn instruction(words: TokenStream<'_>, operation: Operation) -> Clause {
    Clause::Do(Box::new(Instruction { operation, words: words.trim().text_as_written(), answer: None }))
}

pub(crate) fn checked(check: Check) -> Clause {
    Clause::Check(Box::new(check))
}

/// `"A", "B" and "C"`: the items between commas and `and`, if every item can be parsed by itself.
pub(crate) fn list(words: TokenStream<'_>) -> Vec<TokenStream<'_>> {
    words.split(", and|and|,|;|&")
}

/// The items of a list in which every item has its own quoted name; otherwise all words as one item.
pub(crate) fn quoted_list(words: TokenStream<'_>) -> Vec<TokenStream<'_>> {
    let pieces = list(words);
    if pieces.len() > 1 && pieces.iter().all(|piece| piece.quotes() > 0) { pieces } else { vec![words.trim()] }
}

/// The items of a list in which `is_piece` holds for every item; otherwise all words as one item.
pub(crate) fn list_of<'t>(words: TokenStream<'t>, is_piece: impl Fn(TokenStream<'t>) -> bool) -> Vec<TokenStream<'t>> {
    let pieces = quoted_list(words);
    if pieces.len() > 1 && pieces.iter().all(|piece| is_piece(*piece)) { pieces } else { vec![words] }
}

/// The elements of a list, each with its words: `"A", "B" and "C"`, or one name in several scopes, as in
/// `"Edit" in the rows of "Bob" and "Zed"`. The plural distinguishes the second from a list whose first element has a
/// scope.
pub(crate) fn phrases<'t>(words: TokenStream<'t>) -> Result<Vec<(TokenStream<'t>, TargetPhrase)>, ParseError> {
    let pieces = quoted_list(words);
    let [first, others @ ..] = pieces.as_slice() else { return Ok(Vec::new()) };
    if !others.is_empty() {
        pieces.iter().try_for_each(|piece| refuse_pronoun(*piece))?;
    }
    let about_first = phrase(*first)?;
    let is_bare = |piece: &&TokenStream<'_>| piece.len() == 1 && piece.quoted(0);
    let in_places = !others.is_empty() && !about_first.scopes.is_empty() && ends_in_places(*first);
    if !in_places {
        if let Some(other) = others.iter().find(is_bare).filter(|_| !about_first.scopes.is_empty()) {
            // `in the row containing "A" and "B"`: the row contains both. In other phrases the second name may belong
            // to the scope or to another element, and the wrong interpretation might delete the wrong item.
            let mut about = about_first;
            let names: Vec<String> = others.iter().filter(is_bare).map(|piece| piece.text()).collect();
            if names.len() == others.len() && says_contents(*first) && about.add_contents(names) {
                about.source_text = words.text_as_written();
                return Ok(vec![(words, about)]);
            }
            let why = format!("`{}` may belong to the place before it, or be another element", other.text_as_written());
            let form = "Click \"Delete\" in the row containing \"Acme\" and \"Ada\", or two steps";
            return Err(other.not_understood(why).suggest(form));
        }
        return pieces.into_iter().map(|piece| Ok((piece, phrase(piece)?))).collect();
    }
    let mut all = vec![(*first, about_first.clone())];
    for other in others {
        let mut about = about_first.clone();
        if other.len() != 1 || !about.rename_scope(&phrase(*other)?) {
            let why = format!("`{}` is not the name of another place", other.text_as_written());
            return Err(other.not_understood(why));
        }
        about.source_text = words.text_as_written();
        all.push((words, about));
    }
    Ok(all)
}

/// Whether the last scope is identified by its contents: `in the row containing "A"`.
fn says_contents(words: TokenStream<'_>) -> bool {
    let lead = words.drop_last(1);
    words.ends_quoted() && lead.word_is(lead.len().saturating_sub(1), "containing|contains|with|has|says|saying")
}

/// Rejects unquoted words with a pronoun (`swap it`): they are not a name but another clause with an unknown verb.
pub(crate) fn refuse_pronoun(words: TokenStream<'_>) -> Result<(), ParseError> {
    let is_pronoun = |token: &&Token| matches!(token.lower.as_str(), "it" | "them" | "him" | "her");
    words.tokens().iter().find(is_pronoun).map_or(Ok(()), |token| {
        let why = format!("`{}` points at something that the sentence does not say", token.text);
        Err(words.not_understood(why))
    })
}

/// Whether a phrase ends with the name of the first of several scopes: `"Edit" in the rows of "Bob"`.
fn ends_in_places(words: TokenStream<'_>) -> bool {
    let mut before = words.drop_last(1);
    before.strip_suffix("of|for|with|containing|named|called|labelled|labeled|titled");
    words.ends_quoted()
        && before.last().ends_with('s')
        && element_kind::at_end(before).is_some_and(|(kind, _)| kind.is_container())
}
