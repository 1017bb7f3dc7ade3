//! The type of a sentence form: the verbs that start it, the patterns of the words after the verb, each with the
//! function that builds instructions from its slots, and an example. The forms themselves are in the table in `forms`.

use super::{
    lists::{instruction, phrase, phrases, refuse_pronoun},
    pattern::{self, Mismatch, Slots},
    slots,
};
use legwork_protocol::{Action, Target, TargetParams};

use crate::{
    ast::{Clause, Operation, Purpose, TargetPhrase},
    error::ParseError,
    target_phrase,
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
    /// An example sentence, which starts with the verb.
    pub example: &'static str,
    /// A description in one line.
    pub description: &'static str,
    /// Splits the words after the verb into parts, each of which matches a pattern by itself.
    pub(super) split: Option<for<'t> fn(TokenStream<'t>) -> Vec<TokenStream<'t>>>,
    /// The patterns, in the order in which they are tried.
    pub(super) patterns: &'static [(&'static str, Builder)],
}

/// Builds clauses from the slots of a pattern.
pub(super) type Builder = fn(&Matched<'_>) -> FormResult;

pub(super) type FormResult = Result<Vec<Clause>, FormError>;

/// The words of a clause whose verb has been identified.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words<'t> {
    pub(super) whole: TokenStream<'t>,
    pub(super) verb: &'static str,
    /// The words after the verb.
    pub(super) rest: TokenStream<'t>,
    /// Whether an action precedes the clause in the sentence.
    pub(super) follows_action: bool,
}

/// Words that match a pattern.
#[derive(Debug)]
pub(super) struct Matched<'t> {
    pub(super) clause: Words<'t>,
    slots: Slots<'t>,
}

/// The reasons for which a form does not parse a clause.
#[derive(Debug)]
pub(super) enum FormError {
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

impl SentenceForm {
    /// The longest of its verbs with which a clause starts.
    pub(super) fn verb_of(&self, clause: TokenStream<'_>) -> Option<&'static str> {
        let verbs = self.verbs.split('|').filter(|verb| clause.match_at(0, verb) > 0);
        verbs.max_by_key(|verb| verb.split(' ').count())
    }

    pub(super) fn read(&self, clause: Words<'_>) -> FormResult {
        let parts = self.split.map_or_else(|| vec![clause.rest], |split| split(clause.rest));
        let whole = |part| if parts.len() > 1 { part } else { clause.whole };
        let mut clauses = Vec::new();
        for part in &parts {
            let part = self.read_part(Words { whole: whole(*part), rest: *part, ..clause });
            clauses.extend(part.map_err(|error| match error {
                FormError::Parse(error) => FormError::Parse(error.in_form(self.example)),
                other => other,
            })?);
        }
        Ok(clauses)
    }

    fn read_part(&self, clause: Words<'_>) -> FormResult {
        let mut missing = None;
        for (pattern, build) in self.patterns {
            match pattern::matches(pattern, clause.rest.trim()) {
                Ok(slots) => return build(&Matched { clause, slots }),
                Err(Mismatch::Missing(what)) => missing = missing.or(what),
                Err(Mismatch::Parse(error)) => return Err(error.into()),
            }
        }
        Err(missing.map_or(FormError::OtherForm, |what| clause.whole.missing(what).into()))
    }
}

impl<'t> Matched<'t> {
    /// The words of a slot; none if the pattern does not have it.
    pub(super) fn words(&self, slot: &str) -> TokenStream<'t> {
        self.slots.words(slot).unwrap_or_else(|| self.clause.rest.take(0))
    }

    /// The phrase of the pattern with this name; empty if it was not there.
    pub(super) fn phrase(&self, name: &str) -> &'static str {
        self.slots.phrase(name)
    }

    pub(super) fn element(&self, slot: &str) -> Result<TargetPhrase, ParseError> {
        phrase(self.words(slot))
    }

    pub(super) fn target(&self) -> Result<TargetPhrase, ParseError> {
        self.element("target")
    }

    /// A field, also of a record (`the quantity of "Desk lamp"`), without pronouns: `swap it` after a list of fields is another instruction.
    pub(super) fn field(&self) -> Result<TargetPhrase, ParseError> {
        let words = self.words("field");
        refuse_pronoun(words)?;
        match target_phrase::field_of_record(words)? {
            Some(field) => Ok(field),
            None => phrase(words),
        }
    }

    /// The target in an optional slot; `None` also for the whole page.
    pub(super) fn part_of_page(&self, slot: &str) -> Result<Option<TargetPhrase>, ParseError> {
        let words = self.words(slot);
        (!slots::names_page(words)).then(|| phrase(words)).transpose()
    }

    pub(super) fn text(&self) -> Result<String, ParseError> {
        literal_text(self.words("text"))
    }

    /// The number of times; 1 if the words do not state it.
    pub(super) fn times(&self) -> usize {
        slots::without_times(self.words("times")).ok().flatten().map_or(1, |(_, times)| times)
    }

    /// One instruction.
    pub(super) fn act(&self, operation: Operation) -> FormResult {
        self.acts([operation])
    }

    /// Actions of which the first has the element as its target, if there is one.
    pub(super) fn act_on<A: IntoIterator<Item = Action>>(
        &self,
        target: Option<TargetPhrase>,
        purpose: Purpose,
        actions: impl FnOnce(Option<Target>) -> A,
    ) -> FormResult {
        // The target is resolved on the page.
        let unresolved = target.as_ref().map(|_| Target(String::new()));
        self.act(Operation::Act { actions: actions(unresolved).into_iter().collect(), target, purpose })
    }

    /// An action on the element in the slot `target`.
    pub(super) fn act_on_target(&self, purpose: Purpose, action: fn(TargetParams) -> Action) -> FormResult {
        self.act_on(Some(self.target()?), purpose, |target| target.map(|target| action(TargetParams { target })))
    }

    /// An action without an element.
    pub(super) fn act_alone(&self, action: Action) -> FormResult {
        self.act_on(None, Purpose::Any, |_| [action])
    }

    /// Several instructions, each with the whole clause as its text.
    pub(super) fn acts(&self, operations: impl IntoIterator<Item = Operation>) -> FormResult {
        Ok(operations.into_iter().map(|operation| instruction(self.clause.whole, operation)).collect())
    }

    /// One instruction for each element of the list in the slot `targets`.
    pub(super) fn each(&self, operation: impl Fn(TargetPhrase) -> Operation) -> FormResult {
        let all = phrases(self.words("targets"))?;
        let words_of = |piece| if all.len() > 1 { piece } else { self.clause.whole };
        Ok(all.iter().map(|(piece, target)| instruction(words_of(*piece), operation(target.clone()))).collect())
    }

    /// An error that something is missing.
    pub(super) fn missing(&self, what: &str) -> ParseError {
        self.clause.whole.missing(what)
    }
}
