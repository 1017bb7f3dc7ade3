//! The type of a sentence form: the verbs that start it, how the words after the verb are parsed, and an example. The
//! forms themselves are in the table in `forms`.

use super::lists::{instruction, phrase, phrases};
use crate::{
    ast::{Clause, Operation, TargetPhrase},
    error::ParseError,
    texts::literal_text,
    tokens::TokenStream,
};

/// A sentence form.
#[derive(Debug)]
pub struct SentenceForm {
    /// Its purpose, in one or two words.
    pub name: &'static str,
    /// The verbs that start a clause of this form, separated by `|`: the verb, then its synonyms.
    pub verbs: &'static str,
    /// How the words after the verb are parsed.
    pub(crate) reader: Reader,
    /// An example sentence, which starts with the verb.
    pub example: &'static str,
    /// A description in one line.
    pub description: &'static str,
}

/// How the words after the verb are parsed.
#[derive(Debug)]
pub(crate) enum Reader {
    /// No further words, except these alternatives, separated by `|`, which add no meaning.
    Alone(&'static str, fn() -> Operation),
    /// A pattern with slots. `[on|at]` is optional; `(with|by: with what)` is required (otherwise the error is that the
    /// sentence `does not say with what`); `{target}` is a slot, and `{target?}` a slot that can be empty.
    Slots(&'static str, fn(&Slots<'_>) -> Result<Operation, ParseError>),
    /// A list of elements, each of which becomes an instruction.
    Each(fn(TargetPhrase) -> Operation),
    /// A function, for syntax that a pattern cannot express.
    Grammar(fn(Words<'_>) -> FormResult),
}

/// The words of a clause whose verb has been identified.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'t> {
    pub(crate) whole: TokenStream<'t>,
    pub(crate) verb: &'static str,
    /// The words after the verb.
    pub(crate) rest: TokenStream<'t>,
}

/// The reasons for which a form does not parse a clause.
#[derive(Debug)]
pub(crate) enum FormError {
    /// Another form with the same verb may match.
    OtherForm,
    /// The clause has this form but was not understood.
    Parse(ParseError),
}

impl From<ParseError> for FormError {
    fn from(error: ParseError) -> Self {
        FormError::Parse(error)
    }
}

pub(crate) type FormResult = Result<Vec<Clause>, FormError>;

impl Words<'_> {
    /// A clause with one instruction.
    pub(crate) fn one(self, operation: Operation) -> FormResult {
        Ok(vec![instruction(self.whole, operation)])
    }

    /// One instruction for each element of a list.
    pub(crate) fn each(self, elements: TokenStream<'_>, operation: impl Fn(TargetPhrase) -> Operation) -> FormResult {
        let all = phrases(elements)?;
        let several = all.len() > 1;
        let words_of = |piece| if several { piece } else { self.whole };
        Ok(all.into_iter().map(|(piece, target)| instruction(words_of(piece), operation(target))).collect())
    }
}

impl SentenceForm {
    /// The longest of its verbs with which a clause starts.
    pub(crate) fn verb_of(&self, clause: TokenStream<'_>) -> Option<&'static str> {
        let verbs = self.verbs.split('|').filter(|verb| clause.match_at(0, verb) > 0);
        verbs.max_by_key(|verb| verb.split(' ').count())
    }

    pub(crate) fn read(&self, words: Words<'_>) -> FormResult {
        let read = match self.reader {
            Reader::Alone(more, operation) => {
                let rest = words.rest.strip_articles();
                if rest.is_empty() || rest.is(more) { words.one(operation()) } else { Err(FormError::OtherForm) }
            }
            Reader::Slots(pattern, operation) => {
                let read = Slots::read(pattern, words.rest).and_then(|slots| operation(&slots));
                read.map_err(FormError::from).and_then(|operation| words.one(operation))
            }
            Reader::Each(operation) => words.each(words.rest, operation),
            Reader::Grammar(read) => read(words),
        };
        read.map_err(|error| match error {
            FormError::Parse(error) => FormError::Parse(error.in_form(self.example)),
            other => other,
        })
    }
}

/// The words in the slots of a pattern.
#[derive(Debug)]
pub(crate) struct Slots<'t>(Vec<(&'static str, TokenStream<'t>)>);

impl<'t> Slots<'t> {
    fn read(pattern: &'static str, words: TokenStream<'t>) -> Result<Self, ParseError> {
        let mut slots: Vec<(&'static str, TokenStream<'t>)> = Vec::new();
        let mut rest = words;
        for part in parts(pattern) {
            let inner = &part[1..part.len() - 1];
            match (part.as_bytes()[0], slots.last_mut()) {
                (b'[', _) => {
                    rest.strip_prefix(inner);
                }
                // The next part of the pattern ends the slot before it.
                (b'(', Some((name, slot))) => {
                    let (phrases, missing) = inner.split_once(": ").unwrap_or((inner, "more"));
                    let start = usize::from(!name.ends_with('?'));
                    let place = rest.find_phrase(start, phrases).ok_or_else(|| words.missing(missing))?;
                    (*slot, rest) = rest.split_around(place);
                }
                _ => slots.push((inner, rest)),
            }
        }
        Ok(Slots(slots))
    }

    fn slot(&self, name: &str) -> TokenStream<'t> {
        let slot = self.0.iter().find(|(slot, _)| slot.trim_end_matches('?') == name);
        slot.expect("the pattern of the form has this slot").1
    }

    pub(crate) fn target(&self) -> Result<TargetPhrase, ParseError> {
        phrase(self.slot("target"))
    }

    pub(crate) fn text(&self) -> Result<String, ParseError> {
        literal_text(self.slot("text"))
    }
}

/// The parts of a pattern, each with its brackets.
fn parts(pattern: &'static str) -> impl Iterator<Item = &'static str> {
    pattern.split_inclusive([']', ')', '}']).map(str::trim)
}
