//! The assertions of a step: its checks, and where it has none, what the run observed.

use legwork::record::CommandRecord;
use legwork_protocol::{Action, PageEffect, Step};
use legwork_steps::{Assertion, Clause, TextComparison};
use regex::Regex;
use url::Url;

use super::{ScriptWriter, locators::in_frames};
use crate::{
    outline,
    statement::{Base, Call, Expression, Piece, Statement, Value},
};

impl ScriptWriter<'_> {
    /// The checks that the author wrote: those of the sentence, and `expect`.
    pub(super) fn checks(&mut self, step: &Step, before: u64) -> Vec<Statement> {
        let sentence = legwork_steps::read(&step.step).ok().filter(|_| step.action.is_none());
        let clauses = sentence.iter().flat_map(|sentence| sentence.clauses());
        let written = clauses.filter_map(|clause| match clause {
            Clause::Check(check) => Some((check.to_string(), check.assertion())),
            Clause::Do(_) => None,
        });
        let written: Vec<(String, Option<Assertion>)> = written.collect();
        let expected = step.expect.as_ref().map(|text| {
            let read = legwork_steps::read_condition(text).ok();
            (text.clone(), read.and_then(|check| check.assertion()))
        });
        let mut statements = Vec::new();
        for (text, assertion) in written.into_iter().chain(expected) {
            match assertion {
                Some(assertion) => self.assertion(&assertion, &text, before, &mut statements),
                None => statements.push(Statement::Fail(format!("cannot be expressed: check that {text}"))),
            }
        }
        statements
    }

    fn assertion(&mut self, assertion: &Assertion, text: &str, before: u64, into: &mut Vec<Statement>) {
        match assertion {
            Assertion::All(all) => all.iter().for_each(|one| self.assertion(one, text, before, into)),
            Assertion::Text { text: shown, shown: is_shown } => {
                let value = self.texts.value(shown, text);
                let words = literal(&value);
                let frames = outline::frames_of_text(self.outlines, before.saturating_add(1), words.unwrap_or(shown));
                into.push(match (words, is_shown) {
                    (Some(words), true) => text_shown(&frames, words, None),
                    (Some(words), false) => text_gone(&frames, words, None),
                    (None, is_shown) => visibility(text_locator(&frames, value), *is_shown, None),
                });
            }
            Assertion::Element { role, name, shown } => {
                let name = self.texts.value(name, text);
                let call = Call::new("getByRole", vec![Value::text(*role)]).with("name", name);
                into.push(visibility(Expression::page().call(call), *shown, None));
            }
            Assertion::State { role, name, state } => {
                let value = self.texts.value(name, text);
                let call = match role {
                    Some(role) => Call::new("getByRole", vec![Value::text(*role)]).with("name", value),
                    None => Call::new("getByLabel", vec![value]),
                };
                let subject = Expression::page().call(call.with("exact", Value::Bool(true)));
                let (matcher, options) = match *state {
                    "checked" => ("toBeChecked", vec![]),
                    "unchecked" => ("toBeChecked", vec![("checked", Value::Bool(false))]),
                    "enabled" => ("toBeEnabled", vec![]),
                    _ => ("toBeDisabled", vec![]),
                };
                into.push(Statement::Expect { subject, matcher, arguments: vec![], options });
            }
            Assertion::Title { comparison, value } => {
                let argument = match comparison {
                    TextComparison::Is => self.texts.value(value, text),
                    TextComparison::Contains => pattern(&escape(&self.texts.with_all_values(value))),
                };
                into.push(expect(Expression::page(), "toHaveTitle", vec![argument]));
            }
            Assertion::Address { comparison, value } => {
                let argument = match comparison {
                    TextComparison::Is => self.texts.value(value, text),
                    TextComparison::Contains => pattern(&address_pattern(&self.texts.with_all_values(value))),
                };
                into.push(expect(Expression::page(), "toHaveURL", vec![argument]));
            }
            Assertion::Variable { name, comparison, value } => {
                let subject = Expression { base: Base::Variable(name.clone()), calls: Vec::new() };
                let matcher = match comparison {
                    TextComparison::Is => "toBe",
                    TextComparison::Contains => "toContain",
                };
                let argument = self.texts.value(value, text);
                into.push(expect(subject, matcher, vec![argument]));
            }
            Assertion::Downloaded(_) => {
                into.push(Statement::Comment(format!("checked where the download begins: {text}")));
            }
        }
    }

    /// What the run observed of an action: the value of a field, a state, the page to which it led.
    pub(super) fn evidence(&mut self, commands: &[&CommandRecord]) -> Vec<Statement> {
        let Some(command) = commands.iter().rev().find(|command| command.result.as_ref().is_some_and(|one| one.ok()))
        else {
            return Vec::new();
        };
        let mut statements = Vec::new();
        let on = |target| self.locate(target, command, true, None).ok().map(|located| located.locator);
        match &command.action {
            Action::Check(target) => {
                statements.extend(on(&target.target).map(|subject| expect(subject, "toBeChecked", vec![])));
            }
            Action::Uncheck(target) => {
                let options = vec![("checked", Value::Bool(false))];
                let arguments = vec![];
                statements.extend(on(&target.target).map(|subject| Statement::Expect {
                    subject,
                    matcher: "toBeChecked",
                    arguments,
                    options,
                }));
            }
            _ => {}
        }
        let effects = command.result.iter().flat_map(|result| &result.effects);
        let mut arrived = effects.filter_map(|effect| match effect {
            PageEffect::Navigated { to, .. } => page_pattern(to),
            _ => None,
        });
        statements
            .extend(arrived.next_back().map(|page| expect(Expression::page(), "toHaveURL", vec![pattern(&page)])));
        statements
    }
}

fn expect(subject: Expression, matcher: &'static str, arguments: Vec<Value>) -> Statement {
    Statement::Expect { subject, matcher, arguments, options: Vec::new() }
}

fn visibility(locator: Expression, is_shown: bool, timeout: Option<Value>) -> Statement {
    let visible = locator.call(Call::new("filter", vec![]).with("visible", Value::Bool(true)));
    let options: Vec<_> = timeout.into_iter().map(|limit| ("timeout", limit)).collect();
    if is_shown {
        let subject = visible.then("first", vec![]);
        Statement::Expect { subject, matcher: "toBeVisible", arguments: vec![], options }
    } else {
        Statement::Expect { subject: visible, matcher: "toHaveCount", arguments: vec![Value::Number(0.0)], options }
    }
}

fn text_locator(frames: &[String], text: Value) -> Expression {
    in_frames(frames).then("getByText", vec![text])
}

/// The text of a value without variables.
fn literal(value: &Value) -> Option<&str> {
    match value {
        Value::Text(pieces) => match pieces.as_slice() {
            [Piece::Literal(text)] => Some(text),
            _ => None,
        },
        _ => None,
    }
}

/// The assertion that a text is visible.
pub(super) fn text_shown(frames: &[String], text: &str, timeout: Option<Value>) -> Statement {
    visibility(text_locator(frames, text_or_pattern(text)), true, timeout)
}

/// The assertion that a text is not visible.
pub(super) fn text_gone(frames: &[String], text: &str, timeout: Option<Value>) -> Statement {
    visibility(text_locator(frames, text_or_pattern(text)), false, timeout)
}

/// A text, or a pattern if it has quotation marks: the author may have written other ones than the page.
fn text_or_pattern(text: &str) -> Value {
    const QUOTES: &str = "[\"“”„«»]";
    if !text.contains(['"', '“', '”', '„', '«', '»']) {
        return Value::text(text);
    }
    let parts: Vec<String> = text.split(['"', '“', '”', '„', '«', '»']).map(escape).collect();
    Value::Pattern { source: parts.join(QUOTES), ignore_case: true }
}

fn pattern(source: &str) -> Value {
    Value::Pattern { source: source.to_owned(), ignore_case: false }
}

/// A part of an address, in which `*` stands for anything.
pub(super) fn address_pattern(text: &str) -> String {
    text.split('*').map(escape).collect::<Vec<_>>().join(".*")
}

/// A pattern for the path of a page. Numbers may differ in another run.
fn page_pattern(url: &str) -> Option<String> {
    let url = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let digits = Regex::new(r"\d+").ok()?;
    let parts: Vec<String> = digits.split(url.path()).map(escape).collect();
    Some(format!("^[^?#]*{}([?#]|$)", parts.join("\\d+")))
}

/// A text for a regular expression that both JavaScript and Python read.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\^$.|?*+()[]{}/".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
