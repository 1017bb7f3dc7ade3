//! The grammar of phrases that name an element: `the second "Edit" link in the row of "Bob"`.
//!
//! A phrase is a head (ordinal, kind, name) and tails (where it is, what it holds). A tail begins at a preposition, but only
//! where what follows is the name of a place: `Sign in with Google` is a name as it stands.

use legwork_protocol::{Ref, Target};

use super::{
    kinds::{self, Kind},
    literal::NotLiteral,
    texts, values,
    words::Words,
};

/// Words that name an element.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Phrase {
    /// As it was written.
    pub(super) said: String,
    /// A target that needs no reading: a ref, a selector.
    pub(super) raw: Option<Target>,
    pub(super) kind: Option<Kind>,
    /// `tag` of `the tag "red"`: a word of the page's own, which has to be there.
    pub(super) noun: Option<String>,
    /// `amount` of `the amount of Initech`: not the thing itself but what it has under this name.
    pub(super) property: Option<String>,
    pub(super) name: Option<String>,
    /// All bare words of the head, in case they are a name as they stand (`Search box`).
    pub(super) whole: Option<String>,
    pub(super) quoted: bool,
    pub(super) ordinal: Option<Ordinal>,
    pub(super) placeholder: Option<String>,
    /// A text it holds.
    pub(super) contains: Vec<String>,
    pub(super) places: Vec<Place>,
}

/// Which of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ordinal {
    /// From 1.
    Nth(usize),
    /// From the end, 1 is the last.
    FromEnd(usize),
}

/// Where an element is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Place {
    /// Inside another element, or under its heading.
    In(Phrase),
    /// In a column of a table.
    Column(Phrase),
    /// Below a heading, up to the next of its rank.
    Under(Phrase),
    NextTo(Phrase),
    After(Phrase),
    Before(Phrase),
    /// `for "Bob"`: in the row, item or group that says so.
    For(Phrase),
}

enum Tail {
    Place(Box<Place>),
    Name(String),
    Placeholder(String),
    Contains(String),
    Nothing,
}

/// Reads a phrase.
pub(super) fn phrase(words: Words<'_>) -> Result<Phrase, NotLiteral> {
    let said = words.trim();
    let words = said.bare();
    if words.is_empty() {
        return Err(NotLiteral::new(words.source(), "it does not say which element"));
    }
    let pointed = said.len() > words.len();
    if let Some(raw) = raw(words) {
        return Ok(Phrase { said: words.text_as_written(), raw: Some(raw), ..Phrase::default() });
    }
    for at in 1..words.len() {
        let Some(head) = head(words.up_to(at), pointed) else { continue };
        let loose = words.quoted(at - 1) || head.whole.is_none();
        if let Some(tails) = tails(words.from(at), &head, loose) {
            is_name(words.up_to(at), &head)?;
            let mut phrase = Phrase { said: words.text_as_written(), ..head };
            tails.into_iter().for_each(|tail| phrase.add(tail));
            return Ok(phrase);
        }
    }
    match head(words, pointed) {
        Some(head) => {
            is_name(words, &head)?;
            Ok(Phrase { said: words.text_as_written(), ..head })
        }
        None => {
            let quoted = words.tokens().iter().position(|token| token.quoted()).unwrap_or_default();
            let (odd, beside) = if quoted + 1 < words.len() {
                (words.from(quoted + 1), words.up_to(quoted + 1))
            } else {
                (words.up_to(quoted), words.from(quoted))
            };
            Err(NotLiteral::new(
                words.source(),
                format!(
                    "`{}` beside `{}` was not understood as a place or a kind of element",
                    odd.text(),
                    beside.text()
                ),
            )
            .at(if odd.is_empty() { words } else { odd })
            .suggest("the \"Name\" button in the row of \"Bob\""))
        }
    }
}

/// A phrase, or what something has under a name: `the amount of Initech`, `the "Due date" of "INV-3"`.
pub(super) fn with_property(words: Words<'_>) -> Result<Phrase, NotLiteral> {
    let words = words.trim().bare();
    let Some((at, count)) = words.find(1, "of|for") else { return phrase(words) };
    let (name, of) = (words.up_to(at), words.from(at + count));
    let is_name = name.len() <= 4
        && (name.len() == 1 || name.tokens().iter().all(|token| !token.quoted()))
        && ordinal(name).is_none()
        && name.tokens().iter().all(|token| !PLACES.split('|').any(|place| place == token.low));
    let is_kind = |kind: &Kind| *kind != Kind::Text;
    if !is_name || of.is_empty() || kinds::at_end(name).is_some_and(|(kind, _)| is_kind(&kind)) {
        return phrase(words);
    }
    texts::name(name)?;
    let about = phrase(of)?;
    Ok(Phrase { property: Some(name.text()), said: words.text_as_written(), ..about })
}

impl Phrase {
    /// A phrase that is only a name in quotes.
    pub(super) fn named(name: impl Into<String>) -> Self {
        let name = name.into();
        Phrase { said: format!("“{name}”"), name: Some(name), quoted: true, ..Phrase::default() }
    }

    fn add_place(&mut self, place: Place) {
        match place {
            Place::For(about) if self.kind.is_some() && self.name.is_none() && !self.holds_by_content() => {
                self.name = about.name;
                self.quoted = about.quoted;
                self.places.extend(about.places);
            }
            Place::For(about) if self.holds_by_content() => {
                self.contains.extend(about.name);
                self.places.extend(about.places);
            }
            // A column and a row cross: neither lies in the other.
            Place::Column(mut column) => {
                self.places.append(&mut column.places);
                self.places.push(Place::Column(column));
            }
            place => self.places.push(place),
        }
    }

    fn add(&mut self, tail: Tail) {
        match tail {
            Tail::Place(place) => self.add_place(*place),
            Tail::Name(name) => {
                self.name = Some(name);
                self.quoted = true;
            }
            Tail::Placeholder(text) => self.placeholder = Some(text),
            Tail::Contains(text) => self.contains.push(text),
            Tail::Nothing => {}
        }
    }

    fn holds_by_content(&self) -> bool {
        self.kind.is_some_and(Kind::named_by_content)
    }

    /// Whether it says where to look.
    pub(super) fn is_container(&self) -> bool {
        self.kind.is_some_and(Kind::holds)
    }
}

fn raw(words: Words<'_>) -> Option<Target> {
    const MARKS: [&str; 4] = ["css=", "xpath=", "text=", "role="];
    let [first, rest @ ..] = words.tokens() else { return None };
    let text = first.text.trim();
    let marked = MARKS.iter().any(|start| text.starts_with(start) && text.len() > start.len());
    if marked && (rest.is_empty() || !first.quoted()) {
        // A selector may go on after a space: `css=form .row > a`.
        return Some(Target(words.text()));
    }
    if first.quoted() || !rest.is_empty() {
        return None;
    }
    let bare = text.strip_prefix("ref=").or_else(|| text.strip_prefix('@')).unwrap_or(text);
    if let Some(reference) = Ref::parse(bare) {
        return Some(reference.into());
    }
    let id = text.strip_prefix('#').is_some_and(|id| id.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    (id || text.starts_with("//")).then(|| Target(text.to_owned()))
}

/// Bare words that are to be a name must not say more than one does.
fn is_name(words: Words<'_>, head: &Phrase) -> Result<(), NotLiteral> {
    if head.quoted || head.raw.is_some() || head.name.as_ref().or(head.contains.first()).is_none() {
        return Ok(());
    }
    let words = words.trim().bare();
    if head.kind.is_some() && matches!(words.low(0), "all" | "every" | "each" | "both" | "several" | "many") {
        return Err(NotLiteral::new(words.source(), format!("`{}` is not done one by one", words.text_as_written()))
            .at(words)
            .suggest("Click \"A\", \"B\" and \"C\""));
    }
    texts::name(words)
}

/// The element's name, kind and ordinal; `pointed` when an article stands before it.
fn head(words: Words<'_>, pointed: bool) -> Option<Phrase> {
    let mut phrase = Phrase::default();
    let mut words = words.trim().bare();
    let all = words;
    if let Some((ordinal, count)) = ordinal(words)
        && words.len() > count
    {
        phrase.ordinal = Some(ordinal);
        words = words.from(count);
        if words.low(0) == "of" {
            words = words.from(1);
        }
        words = words.bare();
        // `the first three links` are not one.
        if words.len() > 1 && (values::count(words.low(0)).is_some() || words.low(0) == "few") {
            return None;
        }
    }
    if phrase.ordinal.is_none()
        && words.len() >= 3
        && let Ok(number) = words.low(words.len() - 1).trim_start_matches('#').parse::<usize>()
        && matches!(words.low(words.len() - 2), "number" | "no" | "nr")
    {
        phrase.ordinal = Some(Ordinal::Nth(number));
        words = words.up_to(words.len() - 2);
    }
    let quotes = words.tokens().iter().filter(|token| token.quoted()).count();
    match quotes {
        0 => {
            // In `the button one`, the last word is a name: what it would stand for has been said.
            let said = |kind: Kind| kind == Kind::Any && kinds::at_start(words).is_some_and(|(_, n)| n < words.len());
            if let Some((kind, count)) = kinds::at_end(words).filter(|(kind, _)| !said(*kind)) {
                phrase.kind = Some(kind);
                if count < words.len() {
                    phrase.name = Some(words.up_to(words.len() - count).text());
                    phrase.whole = Some(all.text());
                }
                if kind == Kind::Search && count == words.len() {
                    phrase.whole = None;
                }
            } else if let Some((kind, count)) = kinds::at_start(words) {
                let rest = words.from(count);
                if kind == Kind::Row || kind == Kind::Item {
                    // `row 3`
                    if let (Ok(number), 1) = (rest.low(0).parse(), rest.len()) {
                        phrase.kind = Some(kind);
                        phrase.ordinal = Some(Ordinal::Nth(number));
                        return Some(phrase);
                    }
                }
                phrase.kind = Some(kind);
                phrase.name = Some(rest.text());
                phrase.whole = Some(all.text());
            } else {
                phrase.name = Some(words.text());
                phrase.whole = Some(all.text());
            }
        }
        1 => {
            let at = words.tokens().iter().position(|token| token.quoted())?;
            let (before, after) = (words.up_to(at), words.from(at + 1));
            phrase.quoted = true;
            let name = words.tokens()[at].text.clone();
            if !after.is_empty() {
                let (kind, count) = kinds::at_start(after).or_else(|| kinds::at_end(after))?;
                if count != after.len() && !(after.len() == count + 1 && kinds::at_end(after).is_some()) {
                    return None;
                }
                phrase.kind = Some(kind);
            }
            if !before.is_empty() {
                match kinds::at_end(before) {
                    Some((kind, _)) => phrase.kind = phrase.kind.or(Some(kind)),
                    // `the user "Bob"`: a noun of the page's own world says nothing more about the element.
                    None if pointed && before.len() == 1 && phrase.kind.is_none() && plain_noun(before.low(0)) => {
                        phrase.noun = Some(before.low(0).to_owned());
                    }
                    None => return None,
                }
            }
            if phrase.kind.is_some_and(Kind::named_by_content) {
                phrase.contains.push(name);
            } else {
                phrase.name = Some(name);
            }
        }
        _ => return None,
    }
    if phrase.kind.is_some_and(Kind::named_by_content)
        && let Some(name) = phrase.name.take()
    {
        phrase.contains.push(name);
    }
    Some(phrase)
}

fn plain_noun(word: &str) -> bool {
    !word.is_empty()
        && word.chars().all(char::is_alphabetic)
        && !PLACES.split('|').any(|place| place == word)
        && !matches!(
            word,
            "and"
                | "or"
                | "to"
                | "is"
                | "are"
                | "not"
                | "no"
                | "then"
                | "until"
                | "when"
                | "if"
                | "with"
                | "as"
                | "into"
                | "onto"
                | "up"
                | "out"
                | "through"
                | "via"
                | "all"
                | "every"
                | "each"
                | "both"
                | "same"
                | "other"
                | "others"
                | "wrong"
                | "right"
                | "correct"
                | "remaining"
                | "only"
                | "whole"
                | "new"
                | "old"
                | "big"
                | "small"
                | "large"
                | "red"
                | "green"
                | "blue"
                | "yellow"
                | "grey"
                | "gray"
                | "black"
                | "white"
        )
}

/// `second`, `3rd`, `last`, `second to last`.
pub(super) fn ordinal(words: Words<'_>) -> Option<(Ordinal, usize)> {
    const NAMES: [&str; 12] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
        "twelfth",
    ];
    let word = words.low(0);
    if matches!(word, "last" | "final" | "bottom-most") {
        return Some((Ordinal::FromEnd(1), 1));
    }
    let number = NAMES.iter().position(|name| *name == word).map(|at| at + 1).or_else(|| {
        let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end))?;
        digits.parse().ok().filter(|number| *number > 0)
    })?;
    if words.has(1, "to last") > 0 || words.has(1, "from last") > 0 {
        return Some((Ordinal::FromEnd(number), 3));
    }
    Some((Ordinal::Nth(number), 1))
}

const PLACES: &str = "in|within|inside|on|of|from|at|under|underneath|beneath|below|above|beside|\
            near|next|after|before|following|containing|labelled|labeled|named|called|titled|\
            saying|for|right";

/// The tails that take all of these words, or none.
fn tails(words: Words<'_>, head: &Phrase, loose: bool) -> Option<Vec<Tail>> {
    let mut rest = words;
    if let Some(filter) = filter(&mut rest, head) {
        let mut all = vec![filter];
        if !rest.is_empty() {
            all.extend(tails(rest, head, true)?);
        }
        return Some(all);
    }
    Some(match place(words, loose)? {
        Place::In(about) if about.said == "page" => vec![Tail::Nothing],
        place => vec![Tail::Place(Box::new(place))],
    })
}

/// `with the placeholder "…"`, `containing "…"`, `labelled "…"`.
fn filter(words: &mut Words<'_>, head: &Phrase) -> Option<Tail> {
    let mut rest = *words;
    let start = rest.eat(
        "that contains|which contains|that has|which has|that says|which says|\
            that reads|that starts with|labelled with|labeled with|labelled|labeled|named|\
            called|titled|marked|saying|containing|with|whose name is|whose label is|\
            whose text is|where|whose|that is",
    )?;
    rest = rest.bare();
    let about = rest.eat(
        "placeholder text|placeholder|accessible name|name|label|text|title|id|\
            caption|value|words|word|cell|tooltip|description|content",
    );
    rest.eat("of|saying|is|reads|contains|:");
    if matches!(start, "where" | "whose") && about.is_none() {
        return None;
    }
    let bare_ok = head.kind.is_some() && !matches!(start, "with" | "that has" | "that is");
    let value = match rest.tokens() {
        [first, ..] if first.quoted() => {
            *words = rest.from(1);
            first.text.clone()
        }
        [_, ..] if bare_ok && head.whole.is_none() && texts::name(rest).is_ok() => {
            *words = rest.from(rest.len());
            rest.text()
        }
        _ => return None,
    };
    let by_content = head.holds_by_content()
        || head.kind.is_some_and(|kind| {
            kind.holds() && !matches!(start, "labelled" | "labeled" | "named" | "called" | "titled")
        });
    Some(match about {
        Some("placeholder" | "placeholder text") => Tail::Placeholder(value),
        _ if by_content || head.name.is_some() => Tail::Contains(value),
        _ => Tail::Name(value),
    })
}

/// `in the row of "Bob"`, `under the heading "Billing"`, `next to "Total"`.
pub(super) fn place(words: Words<'_>, loose: bool) -> Option<Place> {
    let mut rest = words;
    let start = rest.eat(
        "inside of|inside|within|in|on|of|from|at|underneath|under|beneath|below|\
            above|to the right of|right of|next to|beside|near|right after|after|following|\
            to the left of|left of|right before|before|for|belonging to",
    )?;
    let rest = rest.bare();
    if rest.is_empty() {
        return None;
    }
    if matches!(start, "in" | "on" | "of" | "at" | "within" | "from")
        && (1..=2).contains(&rest.len())
        && matches!(rest.low(rest.len() - 1), "page" | "screen" | "window" | "website" | "site")
        && (rest.len() == 1 || matches!(rest.low(0), "current" | "whole" | "web"))
    {
        return Some(Place::In(Phrase { said: "page".into(), ..Phrase::default() }));
    }
    let about = phrase(rest).ok()?;
    let clear = about.quoted || about.is_container() || about.raw.is_some();
    Some(match start {
        "of" | "for" | "belonging to" if about.is_container() => within(about),
        "of" if loose && about.name.is_some() => Place::For(about),
        "for" | "belonging to" if loose && (about.quoted || about.name.is_some()) => Place::For(about),
        "of" | "for" | "belonging to" => return None,
        "in" | "inside" | "inside of" | "within" | "on" | "from" | "at"
            if about.is_container() || about.raw.is_some() || (loose && about.quoted && about.kind.is_none()) =>
        {
            within(about)
        }
        "under" | "underneath" | "beneath" | "below" if clear || about.kind == Some(Kind::Heading) => {
            Place::Under(about)
        }
        "above" | "before" | "right before" | "left of" | "to the left of" if clear || about.kind.is_some() => {
            Place::Before(about)
        }
        "after" | "right after" | "following" | "right of" | "to the right of" if clear || about.kind.is_some() => {
            Place::After(about)
        }
        "next to" | "beside" | "near" if clear || about.kind.is_some() || loose => Place::NextTo(about),
        _ => return None,
    })
}

fn within(about: Phrase) -> Place {
    match about.kind {
        Some(Kind::Column) => Place::Column(about),
        Some(Kind::Heading) => Place::Under(about),
        _ => Place::In(about),
    }
}
