//! The grammar of phrases that name an element: `the second "Edit" link in the row of "Bob"`.
//!
//! A phrase is a head (ordinal, kind, name) and tails (where it is, what it holds). A tail begins at a preposition, but only
//! where what follows is the name of a place: `Sign in with Google` is a name as it stands.

use legwork_protocol::{Ref, Target};

use super::{
    element_kind::{self, ElementKind},
    literal::ParseError,
    texts,
    tokens::TokenStream,
    values,
};

/// Words that name an element.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TargetPhrase {
    /// As it was written.
    pub(super) source_text: String,
    /// A target that needs no reading: a ref, a selector.
    pub(super) raw: Option<Target>,
    pub(super) kind: Option<ElementKind>,
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
    pub(super) scopes: Vec<Scope>,
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
pub(super) enum Scope {
    /// Inside another element, or under its heading.
    In(TargetPhrase),
    /// In a column of a table.
    Column(TargetPhrase),
    /// Below a heading, up to the next of its rank.
    Under(TargetPhrase),
    NextTo(TargetPhrase),
    After(TargetPhrase),
    Before(TargetPhrase),
    /// `for "Bob"`: in the row, item or group that says so.
    For(TargetPhrase),
}

enum Qualifier {
    Place(Box<Scope>),
    Name(String),
    Placeholder(String),
    Contains(String),
    Nothing,
}

/// Reads a phrase.
pub(super) fn phrase(input: TokenStream<'_>) -> Result<TargetPhrase, ParseError> {
    let source_text = input.trim();
    let input = source_text.strip_articles();
    if input.is_empty() {
        return Err(ParseError::new(input.source(), "it does not say which element"));
    }
    let pointed = source_text.len() > input.len();
    if let Some(raw) = raw(input) {
        return Ok(TargetPhrase { source_text: input.text_as_written(), raw: Some(raw), ..TargetPhrase::default() });
    }
    // `the last "Delete" but one`: an exception changes which one is meant.
    if let Some(at) = (1..input.len())
        .find(|at| input.lower(*at) == "but" && !input.quoted(*at) && input.has(at - 1, "last but") == 0)
    {
        return Err(
            ParseError::new(input.source(), "which element `but` leaves out is not understood").at(input.from(at))
        );
    }
    for at in 1..input.len() {
        let Some(head) = head(input.take(at), pointed) else { continue };
        let loose = input.quoted(at - 1) || head.whole.is_none();
        if let Some(tails) = tails(input.from(at), &head, loose) {
            is_name(input.take(at), &head)?;
            let mut phrase = TargetPhrase { source_text: input.text_as_written(), ..head };
            tails.into_iter().for_each(|qualifier| phrase.add(qualifier));
            return Ok(phrase);
        }
    }
    match head(input, pointed) {
        Some(head) => {
            is_name(input, &head)?;
            Ok(TargetPhrase { source_text: input.text_as_written(), ..head })
        }
        None => {
            let quoted = input.tokens().iter().position(|token| token.quoted()).unwrap_or_default();
            let (odd, beside) = if quoted + 1 < input.len() {
                (input.from(quoted + 1), input.take(quoted + 1))
            } else {
                (input.take(quoted), input.from(quoted))
            };
            Err(ParseError::new(
                input.source(),
                format!(
                    "`{}` beside `{}` was not understood as a place or a kind of element",
                    odd.text(),
                    beside.text()
                ),
            )
            .at(if odd.is_empty() { input } else { odd })
            .suggest("the \"Name\" button in the row of \"Bob\""))
        }
    }
}

/// A phrase, or what something has under a name: `the amount of Initech`, `the "Due date" of "INV-3"`.
pub(super) fn with_property(input: TokenStream<'_>) -> Result<TargetPhrase, ParseError> {
    let input = input.trim().strip_articles();
    let Some((at, count)) = input.find(1, "of|for") else { return phrase(input) };
    let (name, of) = (input.take(at), input.from(at + count));
    let is_name = name.len() <= 4
        && (name.len() == 1 || name.tokens().iter().all(|token| !token.quoted()))
        && ordinal(name).is_none()
        && name.tokens().iter().all(|token| !PLACES.split('|').any(|scope| scope == token.lower));
    // `the status of Acme` is what a column of that name says.
    let is_column = name.len() == 1 && input.lower(at) == "of";
    let is_kind = |kind: &ElementKind| *kind != ElementKind::Text && !(is_column && matches!(kind, ElementKind::Alert));
    if !is_name || of.is_empty() || element_kind::at_end(name).is_some_and(|(kind, _)| is_kind(&kind)) {
        return phrase(input);
    }
    texts::name(name)?;
    let about = phrase(of)?;
    Ok(TargetPhrase { property: Some(name.text()), source_text: input.text_as_written(), ..about })
}

impl TargetPhrase {
    /// A phrase that is only a name in quotes.
    pub(super) fn named(name: impl Into<String>) -> Self {
        let name = name.into();
        TargetPhrase { source_text: format!("“{name}”"), name: Some(name), quoted: true, ..TargetPhrase::default() }
    }

    fn add_scope(&mut self, scope: Scope) {
        match scope {
            Scope::For(about) if self.kind.is_some() && self.name.is_none() && !self.holds_by_content() => {
                self.name = about.name;
                self.quoted = about.quoted;
                self.scopes.extend(about.scopes);
            }
            Scope::For(about) if self.holds_by_content() => {
                self.contains.extend(about.name);
                self.scopes.extend(about.scopes);
            }
            // A column and a row cross: neither lies in the other.
            Scope::Column(mut column) => {
                self.scopes.append(&mut column.scopes);
                self.scopes.push(Scope::Column(column));
            }
            scope => self.scopes.push(scope),
        }
    }

    fn add(&mut self, qualifier: Qualifier) {
        match qualifier {
            Qualifier::Place(scope) => self.add_scope(*scope),
            Qualifier::Name(name) => {
                self.name = Some(name);
                self.quoted = true;
            }
            Qualifier::Placeholder(text) => self.placeholder = Some(text),
            Qualifier::Contains(text) => self.contains.push(text),
            Qualifier::Nothing => {}
        }
    }

    /// Takes further texts for contents of its last place; answers whether that place is named by what it contains.
    pub(super) fn add_contents(&mut self, texts: Vec<String>) -> bool {
        match self.scopes.last_mut() {
            Some(Scope::In(about)) if !about.contains.is_empty() && about.name.is_none() => {
                about.contains.extend(texts);
                true
            }
            _ => false,
        }
    }

    /// Takes the name of another place for its last one; answers whether both have just a name.
    pub(super) fn rename_scope(&mut self, other: &TargetPhrase) -> bool {
        let Some(Scope::In(about) | Scope::Column(about) | Scope::Under(about) | Scope::For(about)) =
            self.scopes.last_mut()
        else {
            return false;
        };
        let Some(name) = other.name.as_ref().filter(|_| other.quoted && other.kind.is_none()) else { return false };
        match (&mut about.name, about.contains.as_mut_slice()) {
            (Some(old), []) => old.clone_from(name),
            (None, [old]) => old.clone_from(name),
            _ => return false,
        }
        about.source_text = other.source_text.clone();
        true
    }

    fn holds_by_content(&self) -> bool {
        self.kind.is_some_and(ElementKind::named_by_content)
    }

    /// Whether it says where to look.
    pub(super) fn is_container(&self) -> bool {
        self.kind.is_some_and(ElementKind::holds)
    }
}

fn raw(input: TokenStream<'_>) -> Option<Target> {
    const MARKS: [&str; 4] = ["css=", "xpath=", "text=", "role="];
    let [first, rest @ ..] = input.tokens() else { return None };
    let text = first.text.trim();
    let marked = MARKS.iter().any(|start| text.starts_with(start) && text.len() > start.len());
    if marked && (rest.is_empty() || !first.quoted()) {
        // A selector may go on after a space: `css=form .row > a`.
        return Some(Target(input.text()));
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
fn is_name(input: TokenStream<'_>, head: &TargetPhrase) -> Result<(), ParseError> {
    if head.quoted || head.raw.is_some() || head.name.as_ref().or(head.contains.first()).is_none() {
        return Ok(());
    }
    let input = input.trim().strip_articles();
    if head.kind.is_some() && matches!(input.lower(0), "all" | "every" | "each" | "both" | "several" | "many") {
        return Err(ParseError::new(input.source(), format!("`{}` is not done one by one", input.text_as_written()))
            .at(input)
            .suggest(format!("{} \"A\", \"B\" and \"C\"", input.source().split(' ').next().unwrap_or("Click"))));
    }
    texts::name(input)
}

/// The element's name, kind and ordinal; `pointed` when an article stands before it.
fn head(input: TokenStream<'_>, pointed: bool) -> Option<TargetPhrase> {
    let mut phrase = TargetPhrase::default();
    let mut input = input.trim().strip_articles();
    let all = input;
    if let Some((ordinal, count)) = ordinal(input)
        && input.len() > count
    {
        phrase.ordinal = Some(ordinal);
        input = input.from(count);
        if input.lower(0) == "of" {
            input = input.from(1);
        }
        input = input.strip_articles();
        // `the first three links` are not one.
        if input.len() > 1 && (values::count(input.lower(0)).is_some() || input.lower(0) == "few") {
            return None;
        }
    }
    if phrase.ordinal.is_none()
        && input.len() >= 3
        && let Ok(number) = input.lower(input.len() - 1).trim_start_matches('#').parse::<usize>()
        && matches!(input.lower(input.len() - 2), "number" | "no" | "nr")
    {
        phrase.ordinal = Some(Ordinal::Nth(number));
        input = input.take(input.len() - 2);
    }
    let quotes = input.tokens().iter().filter(|token| token.quoted()).count();
    match quotes {
        0 => {
            // In `the button one`, the last word is a name: what it would stand for has been said.
            let source_text = |kind: ElementKind| {
                kind == ElementKind::Any && element_kind::at_start(input).is_some_and(|(_, n)| n < input.len())
            };
            if let Some((kind, count)) = element_kind::at_end(input).filter(|(kind, _)| !source_text(*kind)) {
                phrase.kind = Some(kind);
                if count < input.len() {
                    phrase.name = Some(input.take(input.len() - count).text());
                    phrase.whole = Some(all.text());
                }
                // Pages have fields that are called `Amount`, `Status` or `Message`.
                if count == input.len() && matches!(kind, ElementKind::Text | ElementKind::Alert) {
                    phrase.whole = Some(all.text());
                }
                if kind == ElementKind::Search && count == input.len() {
                    phrase.whole = None;
                }
            } else if let Some((kind, count)) = element_kind::at_start(input) {
                let rest = input.from(count);
                if kind == ElementKind::Row || kind == ElementKind::Item {
                    // `row 3`
                    if let (Ok(number), 1) = (rest.lower(0).parse(), rest.len()) {
                        phrase.kind = Some(kind);
                        phrase.ordinal = Some(Ordinal::Nth(number));
                        return Some(phrase);
                    }
                }
                phrase.kind = Some(kind);
                phrase.name = Some(rest.text());
                phrase.whole = Some(all.text());
            } else {
                phrase.name = Some(input.text());
                phrase.whole = Some(all.text());
            }
        }
        1 => {
            let at = input.tokens().iter().position(|token| token.quoted())?;
            let (before, after) = (input.take(at), input.from(at + 1));
            phrase.quoted = true;
            let name = input.tokens()[at].text.clone();
            if !after.is_empty() {
                let (kind, count) = element_kind::at_start(after).or_else(|| element_kind::at_end(after))?;
                if count != after.len() && !(after.len() == count + 1 && element_kind::at_end(after).is_some()) {
                    return None;
                }
                phrase.kind = Some(kind);
            }
            if !before.is_empty() {
                match element_kind::at_end(before) {
                    Some((kind, _)) => phrase.kind = phrase.kind.or(Some(kind)),
                    // `the user "Bob"`: a noun of the page's own world says nothing more about the element.
                    None if pointed && before.len() == 1 && phrase.kind.is_none() && plain_noun(before.lower(0)) => {
                        phrase.noun = Some(before.lower(0).to_owned());
                    }
                    None => return None,
                }
            }
            if phrase.kind.is_some_and(ElementKind::named_by_content) {
                phrase.contains.push(name);
            } else {
                phrase.name = Some(name);
            }
        }
        _ => return None,
    }
    if phrase.kind.is_some_and(ElementKind::named_by_content)
        && let Some(name) = phrase.name.take()
    {
        phrase.contains.push(name);
    }
    Some(phrase)
}

fn plain_noun(word: &str) -> bool {
    !word.is_empty()
        && word.chars().all(char::is_alphabetic)
        && !PLACES.split('|').any(|scope| scope == word)
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
pub(super) fn ordinal(input: TokenStream<'_>) -> Option<(Ordinal, usize)> {
    const NAMES: [&str; 12] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
        "twelfth",
    ];
    let word = input.lower(0);
    if matches!(word, "last" | "final" | "bottom-most") {
        if input.has(1, "but one") > 0 {
            return Some((Ordinal::FromEnd(2), 3));
        }
        return Some((Ordinal::FromEnd(1), 1));
    }
    let number = NAMES.iter().position(|name| *name == word).map(|at| at + 1).or_else(|| {
        let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end))?;
        digits.parse().ok().filter(|number| *number > 0)
    })?;
    if input.has(1, "to last") > 0 || input.has(1, "from last") > 0 {
        return Some((Ordinal::FromEnd(number), 3));
    }
    Some((Ordinal::Nth(number), 1))
}

const PLACES: &str = "in|within|inside|on|of|from|at|under|underneath|beneath|below|above|beside|\
            near|next|after|before|following|containing|labelled|labeled|named|called|titled|\
            saying|for|right";

/// The tails that take all of these words, or none.
fn tails(input: TokenStream<'_>, head: &TargetPhrase, loose: bool) -> Option<Vec<Qualifier>> {
    let mut rest = input;
    if let Some(filter) = filter(&mut rest, head) {
        let mut all = vec![filter];
        if !rest.is_empty() {
            all.extend(tails(rest, head, true)?);
        }
        return Some(all);
    }
    Some(match parse_scope(input, loose)? {
        Scope::In(about) if about.source_text == "page" => vec![Qualifier::Nothing],
        scope => vec![Qualifier::Place(Box::new(scope))],
    })
}

/// `with the placeholder "…"`, `containing "…"`, `labelled "…"`.
fn filter(input: &mut TokenStream<'_>, head: &TargetPhrase) -> Option<Qualifier> {
    let mut rest = *input;
    let start = rest.take_prefix(
        "that contains|which contains|that has|which has|that says|which says|\
            that reads|that starts with|labelled with|labeled with|labelled|labeled|named|\
            called|titled|marked|saying|containing|with|whose name is|whose label is|\
            whose text is|where|whose|that is",
    )?;
    rest = rest.strip_articles();
    let about = rest.take_prefix(
        "placeholder text|placeholder|accessible name|name|label|text|title|id|\
            caption|value|words|word|cell|tooltip|description|content",
    );
    rest.take_prefix("of|saying|is|reads|contains|:");
    if matches!(start, "where" | "whose") && about.is_none() {
        return None;
    }
    let bare_ok = head.kind.is_some() && !matches!(start, "with" | "that has" | "that is");
    let value = match rest.tokens() {
        [first, ..] if first.quoted() => {
            *input = rest.from(1);
            first.text.clone()
        }
        [_, ..] if bare_ok && head.whole.is_none() && texts::name(rest).is_ok() => {
            *input = rest.from(rest.len());
            rest.text()
        }
        _ => return None,
    };
    let by_content = head.holds_by_content()
        || head.kind.is_some_and(|kind| {
            kind.holds() && !matches!(start, "labelled" | "labeled" | "named" | "called" | "titled")
        });
    Some(match about {
        Some("placeholder" | "placeholder text") => Qualifier::Placeholder(value),
        _ if by_content || head.name.is_some() => Qualifier::Contains(value),
        _ => Qualifier::Name(value),
    })
}

/// `in the row of "Bob"`, `under the heading "Billing"`, `next to "Total"`.
pub(super) fn parse_scope(input: TokenStream<'_>, loose: bool) -> Option<Scope> {
    let mut rest = input;
    let start = rest.take_prefix(
        "inside of|inside|within|in|on|of|from|at|underneath|under|beneath|below|\
            above|to the right of|right of|next to|beside|near|right after|after|following|\
            to the left of|left of|right before|before|for|belonging to",
    )?;
    let rest = rest.strip_articles();
    if rest.is_empty() {
        return None;
    }
    if matches!(start, "in" | "on" | "of" | "at" | "within" | "from")
        && (1..=2).contains(&rest.len())
        && matches!(rest.lower(rest.len() - 1), "page" | "screen" | "window" | "website" | "site")
        && (rest.len() == 1 || matches!(rest.lower(0), "current" | "whole" | "web"))
    {
        return Some(Scope::In(TargetPhrase { source_text: "page".into(), ..TargetPhrase::default() }));
    }
    let about = phrase(rest).ok()?;
    let clear = about.quoted || about.is_container() || about.raw.is_some();
    Some(match start {
        "of" | "for" | "belonging to" if about.is_container() => within(about),
        "of" if loose && about.name.is_some() => Scope::For(about),
        "for" | "belonging to" if loose && (about.quoted || about.name.is_some()) => Scope::For(about),
        "of" | "for" | "belonging to" => return None,
        "in" | "inside" | "inside of" | "within" | "on" | "from" | "at"
            if about.is_container() || about.raw.is_some() || (loose && about.quoted && about.kind.is_none()) =>
        {
            within(about)
        }
        "under" | "underneath" | "beneath" | "below" if clear || about.kind == Some(ElementKind::Heading) => {
            Scope::Under(about)
        }
        "above" | "before" | "right before" | "left of" | "to the left of" if clear || about.kind.is_some() => {
            Scope::Before(about)
        }
        "after" | "right after" | "following" | "right of" | "to the right of" if clear || about.kind.is_some() => {
            Scope::After(about)
        }
        "next to" | "beside" | "near" if clear || about.kind.is_some() || loose => Scope::NextTo(about),
        _ => return None,
    })
}

fn within(about: TargetPhrase) -> Scope {
    match about.kind {
        Some(ElementKind::Column) => Scope::Column(about),
        Some(ElementKind::Heading) => Scope::Under(about),
        _ => Scope::In(about),
    }
}
