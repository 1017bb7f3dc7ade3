//! The grammar of phrases that name an element: `the second "Edit" link in the row of "Bob"`.
//!
//! A phrase consists of a head (ordinal, kind, name) and qualifiers (its scope, its contents). A qualifier starts at a
//! preposition, but only if a scope follows: `Sign in with Google` is a single name.

use legwork_protocol::{Ref, Target};

use crate::{
    ast::{Ordinal, Scope, TargetPhrase},
    element_kind::{self, ElementKind},
    error::ParseError,
    texts,
    tokens::TokenStream,
    values,
};

enum Qualifier {
    Place(Box<Scope>),
    Name(String),
    Placeholder(String),
    Contains(String),
}

/// Parses a phrase.
pub(crate) fn phrase(input: TokenStream<'_>) -> Result<TargetPhrase, ParseError> {
    let whole = input.trim();
    let input = whole.strip_articles();
    if input.is_empty() {
        return Err(input.missing("which element"));
    }
    let has_article = whole.len() > input.len();
    let source_text = input.text_as_written();
    if let Some(raw) = raw(input) {
        return Ok(TargetPhrase { source_text, raw: Some(raw), ..TargetPhrase::default() });
    }
    // `the last "Delete" but one`: an exception selects another element.
    let is_exception = |at: &usize| input.lower(*at) == "but" && input.match_at(at - 1, "last but") == 0;
    if let Some(at) = (1..input.len()).find(is_exception) {
        return Err(input.skip(at).not_understood("which element `but` leaves out is not understood"));
    }
    for at in 1..input.len() {
        let Some(head) = head(input.take(at), has_article) else { continue };
        let loose = input.quoted(at - 1) || head.whole.is_none();
        if let Some(tails) = tails(input.skip(at), &head, loose) {
            refuse_more_than_a_name(input.take(at), &head)?;
            return Ok(tails.into_iter().fold(TargetPhrase { source_text, ..head }, with));
        }
    }
    let Some(head) = head(input, has_article) else { return Err(not_a_phrase(input)) };
    refuse_more_than_a_name(input, &head)?;
    Ok(TargetPhrase { source_text, ..head })
}

fn with(mut phrase: TargetPhrase, qualifier: Qualifier) -> TargetPhrase {
    match qualifier {
        Qualifier::Place(scope) if scope.is_page() => {}
        Qualifier::Place(scope) => phrase.add_scope(*scope),
        Qualifier::Name(name) => (phrase.name, phrase.quoted) = (Some(name), true),
        Qualifier::Placeholder(text) => phrase.placeholder = Some(text),
        Qualifier::Contains(text) => phrase.contains.push(text),
    }
    phrase
}

fn not_a_phrase(input: TokenStream<'_>) -> ParseError {
    let quoted = input.tokens().iter().position(|token| token.quoted()).unwrap_or_default();
    let (unknown, beside) = if quoted + 1 < input.len() {
        (input.skip(quoted + 1), input.take(quoted + 1))
    } else {
        (input.take(quoted), input.skip(quoted))
    };
    let (text, beside) = (unknown.text(), beside.text());
    let why = format!("`{text}` beside `{beside}` was not understood as a place or a kind of element");
    let words = if unknown.is_empty() { input } else { unknown };
    words.not_understood(why).suggest("the \"Name\" button in the row of \"Bob\"")
}

/// Parses a phrase or a property: `the amount of Initech`, `the "Due date" of "INV-3"`.
pub(crate) fn with_property(input: TokenStream<'_>) -> Result<TargetPhrase, ParseError> {
    let input = input.trim().strip_articles();
    let Some(place) = input.find_phrase(1, "of|for") else { return phrase(input) };
    let (name, of) = input.split_around(place);
    let is_name = name.len() <= 4
        && (name.len() == 1 || name.quotes() == 0)
        && ordinal(name).is_none()
        && (0..name.len()).all(|at| !name.word_is(at, PREPOSITIONS));
    // `the status of Acme` is the value in the column with that name.
    let is_column = name.len() == 1 && input.lower(place.0) == "of";
    let is_kind = |kind: &ElementKind| *kind != ElementKind::Text && !(is_column && matches!(kind, ElementKind::Alert));
    if !is_name || of.is_empty() || element_kind::at_end(name).is_some_and(|(kind, _)| is_kind(&kind)) {
        return phrase(input);
    }
    texts::name(name)?;
    Ok(TargetPhrase { property: Some(name.text()), source_text: input.text_as_written(), ..phrase(of)? })
}

/// The field of a record: `the quantity of "Desk lamp"`, `the status of the row of "Globex"`. `None` if the words do not
/// name a quoted record.
pub(crate) fn field_of_record(input: TokenStream<'_>) -> Result<Option<TargetPhrase>, ParseError> {
    Ok(of_record(input)?.map(|(name, owner)| TargetPhrase {
        source_text: input.text_as_written(),
        name: Some(name),
        scopes: vec![Scope::For(owner)],
        ..TargetPhrase::default()
    }))
}

/// The cell of a record: `the city of "Globex"`. `None` if the words do not name a quoted record.
pub(crate) fn cell_of_record(input: TokenStream<'_>) -> Result<Option<TargetPhrase>, ParseError> {
    Ok(of_record(input)?.map(|(column, owner)| {
        let is_row = owner.kind == Some(ElementKind::Row);
        let row = TargetPhrase {
            source_text: format!("row of {}", owner.source_text),
            contains: owner.name.iter().cloned().collect(),
            scopes: owner.scopes.clone(),
            ..TargetPhrase::of_kind(ElementKind::Row, "")
        };
        let column = TargetPhrase::header(&column, None);
        TargetPhrase {
            scopes: vec![Scope::In(if is_row { owner } else { row }), Scope::Column(column)],
            ..TargetPhrase::of_kind(ElementKind::Cell, input.text_as_written())
        }
    }))
}

/// The name of a property and the quoted record that has it.
fn of_record(input: TokenStream<'_>) -> Result<Option<(String, TargetPhrase)>, ParseError> {
    let bare = input.trim().strip_articles();
    let is_of_quoted = !bare.quoted(0) && bare.ends_quoted() && bare.quotes() == 1;
    if !is_of_quoted || bare.find_phrase(1, "of").is_none() || phrase(bare).is_ok() {
        return Ok(None);
    }
    let with_owner = with_property(bare)?;
    Ok(with_owner.property.clone().map(|name| (name, with_owner.owner())))
}

/// A property of the page itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageProperty {
    Address,
    Title,
}

/// `the address of the page`, `the page title`.
pub(crate) fn page_property(input: TokenStream<'_>) -> Option<PageProperty> {
    const ADDRESS: &str = "address|url|current address|current url|page address|page url|page's address|page's url";
    let mut bare = input.trim().strip_articles();
    if bare.is("address of the current page") {
        return Some(PageProperty::Address);
    }
    bare.strip_suffix("of the page|of this page");
    let is_title = bare.is("title|page title|page's title|tab title|document title");
    bare.is(ADDRESS).then_some(PageProperty::Address).or(is_title.then_some(PageProperty::Title))
}

fn raw(input: TokenStream<'_>) -> Option<Target> {
    const MARKS: [&str; 4] = ["css=", "xpath=", "text=", "role="];
    let [first, rest @ ..] = input.tokens() else { return None };
    let text = first.text.trim();
    let is_marked = MARKS.iter().any(|start| text.starts_with(start) && text.len() > start.len());
    if is_marked && (rest.is_empty() || !first.quoted()) {
        // A selector can contain a space: `css=form .row > a`.
        return Some(Target(input.text()));
    }
    if first.quoted() || !rest.is_empty() {
        return None;
    }
    let bare = text.strip_prefix("ref=").or_else(|| text.strip_prefix('@')).unwrap_or(text);
    if let Some(reference) = Ref::parse(bare) {
        return Some(reference.into());
    }
    let is_id = text.strip_prefix('#').is_some_and(|id| id.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    (is_id || text.starts_with("//")).then(|| Target(text.to_owned()))
}

/// Rejects unquoted words that contain more than a name.
fn refuse_more_than_a_name(input: TokenStream<'_>, head: &TargetPhrase) -> Result<(), ParseError> {
    if head.quoted || head.label().is_none() {
        return Ok(());
    }
    let input = input.trim().strip_articles();
    if head.kind.is_some() && input.word_is(0, "all|every|each|both|several|many") {
        let verb = input.source().split(' ').next().unwrap_or("Click");
        let why = format!("`{}` is not done one by one", input.text_as_written());
        return Err(input.not_understood(why).suggest(format!("{verb} \"A\", \"B\" and \"C\"")));
    }
    texts::name(input)
}

/// Parses the element's name, kind and ordinal; `has_article` if an article precedes it.
fn head(input: TokenStream<'_>, has_article: bool) -> Option<TargetPhrase> {
    let all = input.trim().strip_articles();
    let (ordinal, words) = strip_ordinal(all)?;
    let mut phrase = TargetPhrase { ordinal, ..TargetPhrase::default() };
    match words.quotes() {
        0 => bare_head(&mut phrase, words, &all.text()),
        1 => quoted_head(&mut phrase, words, has_article)?,
        _ => return None,
    }
    if phrase.holds_by_content() {
        phrase.contains.extend(phrase.name.take());
    }
    Some(phrase)
}

/// `the second`, `… number 3`; `None` if several elements are meant.
fn strip_ordinal(input: TokenStream<'_>) -> Option<(Option<Ordinal>, TokenStream<'_>)> {
    if let Some((ordinal, count)) = ordinal(input)
        && input.len() > count
    {
        let mut rest = input.skip(count);
        rest.strip_prefix("of");
        let rest = rest.strip_articles();
        // `the first three links` are several elements.
        let is_several = rest.len() > 1 && (values::count(rest.lower(0)).is_some() || rest.lower(0) == "few");
        return (!is_several).then_some((Some(ordinal), rest));
    }
    let lead = input.drop_last(2);
    if !lead.is_empty()
        && input.word_is(lead.len(), "number|no|nr")
        && let Ok(number) = input.last().trim_start_matches('#').parse()
    {
        return Some((Some(Ordinal::Nth(number)), lead));
    }
    Some((None, input))
}

fn bare_head(phrase: &mut TargetPhrase, words: TokenStream<'_>, whole: &str) {
    let at_start = element_kind::at_start(words);
    // In `the button one`, the last word is a name, because the kind has already been stated.
    let is_named_so = at_start.is_some_and(|(_, count)| count < words.len());
    let at_end = element_kind::at_end(words).filter(|(kind, _)| *kind != ElementKind::Any || !is_named_so);
    let name = match (at_end, at_start) {
        (Some((kind, count)), _) => {
            phrase.kind = Some(kind);
            let name = words.drop_last(count);
            // Pages have fields with the names `Amount`, `Status` or `Message`.
            if name.is_empty() && matches!(kind, ElementKind::Text | ElementKind::Alert) {
                phrase.whole = Some(whole.to_owned());
            }
            name
        }
        (None, Some((kind, count))) => {
            phrase.kind = Some(kind);
            let rest = words.skip(count);
            if matches!(kind, ElementKind::Row | ElementKind::Item)
                && let (Ok(number), 1) = (rest.lower(0).parse(), rest.len())
            {
                // `row 3`
                phrase.ordinal = Some(Ordinal::Nth(number));
                return;
            }
            rest
        }
        (None, None) => words,
    };
    if !name.is_empty() {
        phrase.name = Some(name.text());
        phrase.whole = Some(whole.to_owned());
    }
}

fn quoted_head(phrase: &mut TargetPhrase, words: TokenStream<'_>, has_article: bool) -> Option<()> {
    let at = words.tokens().iter().position(|token| token.quoted())?;
    let (before, after) = words.split_around((at, 1));
    phrase.quoted = true;
    if !after.is_empty() {
        let (kind, count) = element_kind::at_start(after).or_else(|| element_kind::at_end(after))?;
        let is_kind = count == after.len() || (after.len() == count + 1 && element_kind::at_end(after).is_some());
        phrase.kind = Some(kind).filter(|_| is_kind);
        phrase.kind?;
    }
    if !before.is_empty() {
        match element_kind::at_end(before) {
            Some((kind, _)) => phrase.kind = phrase.kind.or(Some(kind)),
            // `the user "Bob"`: a noun of the page's own vocabulary does not describe the element further.
            None if has_article && before.len() == 1 && phrase.kind.is_none() && is_plain_noun(before) => {
                phrase.noun = Some(before.lower(0).to_owned());
            }
            None => return None,
        }
    }
    phrase.name = Some(words.tokens()[at].text.clone());
    Some(())
}

/// Whether a word can be a noun of the page's own vocabulary: not a word of the grammar, and not a property that
/// distinguishes elements.
fn is_plain_noun(word: TokenStream<'_>) -> bool {
    const OTHERS: &str = "and|or|to|is|are|not|no|then|until|when|if|with|as|into|onto|up|out|through|via|all|every|each|\
        both|same|other|others|wrong|right|correct|remaining|only|whole|new|old|big|small|large|red|green|blue|yellow|grey|\
        gray|black|white";
    word.lower(0).chars().all(char::is_alphabetic) && !word.word_is(0, PREPOSITIONS) && !word.word_is(0, OTHERS)
}

/// `second`, `3rd`, `last`, `second to last`.
pub(crate) fn ordinal(input: TokenStream<'_>) -> Option<(Ordinal, usize)> {
    const NAMES: [&str; 12] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
        "twelfth",
    ];
    if input.word_is(0, "last|final|bottom-most") {
        let is_second = input.match_at(1, "but one") > 0;
        return Some(if is_second { (Ordinal::FromEnd(2), 3) } else { (Ordinal::FromEnd(1), 1) });
    }
    let word = input.lower(0);
    let number = NAMES.iter().position(|name| *name == word).map(|at| at + 1).or_else(|| {
        let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end))?;
        digits.parse().ok().filter(|number| *number > 0)
    })?;
    let is_from_end = input.match_any(1, "to last|from last") > 0;
    Some(if is_from_end { (Ordinal::FromEnd(number), 3) } else { (Ordinal::Nth(number), 1) })
}

const PREPOSITIONS: &str = "in|within|inside|on|of|from|at|under|underneath|beneath|below|above|beside|near|next|after|before|\
    following|containing|labelled|labeled|named|called|titled|saying|for|right";

/// Parses the qualifiers. They must consume all of these words.
fn tails(input: TokenStream<'_>, head: &TargetPhrase, loose: bool) -> Option<Vec<Qualifier>> {
    if let Some((filter, rest)) = filter(input, head) {
        let more = if rest.is_empty() { Vec::new() } else { tails(rest, head, true)? };
        return Some(std::iter::once(filter).chain(more).collect());
    }
    Some(vec![Qualifier::Place(Box::new(parse_scope(input, loose)?))])
}

/// `with the placeholder "…"`, `containing "…"`, `labelled "…"`, and the remaining words.
fn filter<'t>(input: TokenStream<'t>, head: &TargetPhrase) -> Option<(Qualifier, TokenStream<'t>)> {
    let mut rest = input;
    let start = rest.strip_prefix(
        "that contains|which contains|that has|which has|that says|which says|that reads|that starts with|labelled with|\
         labeled with|labelled|labeled|named|called|titled|marked|saying|containing|with|whose name is|whose label is|\
         whose text is|where|whose|that is",
    )?;
    rest = rest.strip_articles();
    let about = rest.strip_prefix(
        "placeholder text|placeholder|accessible name|name|label|text|title|id|caption|value|words|word|cell|tooltip|\
         description|content",
    );
    rest.strip_prefix("of|saying|is|reads|contains|:");
    if matches!(start, "where" | "whose") && about.is_none() {
        return None;
    }
    let may_be_bare = head.kind.is_some() && head.whole.is_none() && !matches!(start, "with" | "that has" | "that is");
    let value = if rest.quoted(0) {
        rest.take(1)
    } else if !rest.is_empty() && may_be_bare && texts::name(rest).is_ok() {
        rest
    } else {
        return None;
    };
    let is_label = matches!(start, "labelled" | "labeled" | "named" | "called" | "titled");
    let by_content = head.holds_by_content() || head.is_container() && !is_label;
    let qualifier = match about {
        Some("placeholder" | "placeholder text") => Qualifier::Placeholder(value.text()),
        _ if by_content || head.name.is_some() => Qualifier::Contains(value.text()),
        _ => Qualifier::Name(value.text()),
    };
    Some((qualifier, rest.skip(value.len())))
}

/// `in the row of "Bob"`, `under the heading "Billing"`, `next to "Total"`.
pub(crate) fn parse_scope(input: TokenStream<'_>, loose: bool) -> Option<Scope> {
    let mut rest = input;
    let start = rest.strip_prefix(
        "inside of|inside|within|in|on|of|from|at|underneath|under|beneath|below|above|to the right of|right of|next to|\
         beside|near|right after|after|following|to the left of|left of|right before|before|for|belonging to",
    )?;
    let rest = rest.strip_articles();
    if rest.is_empty() {
        return None;
    }
    if matches!(start, "in" | "on" | "of" | "at" | "within" | "from") && names_page(rest) {
        return Some(Scope::page());
    }
    let about = phrase(rest).ok()?;
    let is_clear = about.quoted || about.is_container() || about.raw.is_some();
    let has_kind = is_clear || about.kind.is_some();
    match start {
        "of" | "for" | "belonging to" if about.is_container() => Some(within(about)),
        "of" => (loose && about.name.is_some()).then_some(Scope::For(about)),
        "for" | "belonging to" => (loose && (about.quoted || about.name.is_some())).then_some(Scope::For(about)),
        "in" | "inside" | "inside of" | "within" | "on" | "from" | "at" => {
            let is_place =
                about.is_container() || about.raw.is_some() || (loose && about.quoted && about.kind.is_none());
            is_place.then(|| within(about))
        }
        "under" | "underneath" | "beneath" | "below" => {
            (is_clear || about.kind == Some(ElementKind::Heading)).then_some(Scope::Under(about))
        }
        "above" | "before" | "right before" | "left of" | "to the left of" => has_kind.then_some(Scope::Before(about)),
        "next to" | "beside" | "near" => (has_kind || loose).then_some(Scope::NextTo(about)),
        _ => has_kind.then_some(Scope::After(about)),
    }
}

/// `the current page`.
pub(crate) fn names_page(words: TokenStream<'_>) -> bool {
    let mut words = words;
    if words.len() > 1 {
        words.strip_prefix("current|whole|full|web");
    }
    words.is("page|screen|window|website|site")
}

fn within(about: TargetPhrase) -> Scope {
    match about.kind {
        Some(ElementKind::Column) => Scope::Column(about),
        Some(ElementKind::Heading) => Scope::Under(about),
        _ => Scope::In(about),
    }
}
