//! From a sentence to what it asks for. A sentence is cut where a joining word is followed by a verb; each piece begins
//! with a verb, and the verb's own small grammar reads the rest.

mod fields;
mod navigation;
mod pointer;
mod variables;
mod verbs;

use legwork_protocol::{Dialog, Direction, LoadState, Modifier, Wait};

use super::{
    check::Check,
    conditions, element_kind,
    literal::{Clause, Instruction, ParseError, Sentence},
    target_phrase::{self, Scope, TargetPhrase},
    tokens::{self, TokenKind, TokenStream},
};

use self::{fields::*, navigation::*, pointer::*, variables::*, verbs::*};

/// What an instruction does.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Operation {
    Open(String),
    Click(Clicking),
    Fill {
        target: TargetPhrase,
        text: String,
        submit: bool,
    },
    /// `into both text fields`: there have to be two.
    FillBoth {
        target: TargetPhrase,
        text: String,
    },
    Type {
        target: Option<TargetPhrase>,
        text: String,
    },
    Append {
        target: TargetPhrase,
        text: String,
    },
    Clear(TargetPhrase),
    Press {
        key: String,
        times: usize,
        target: Option<TargetPhrase>,
    },
    /// `Press "Delete"`: the button of this name if there is one, else the key.
    PressOrClick {
        key: String,
        target: TargetPhrase,
    },
    Choose {
        values: Vec<String>,
        from: Option<TargetPhrase>,
        scopes: Vec<Scope>,
        /// `tags` of `the tags "red" and "green"`.
        noun: Option<String>,
    },
    /// Whether all values of one of these sets are chosen by now; nothing is left to do then.
    Chosen {
        sets: Vec<Vec<String>>,
        from: Option<TargetPhrase>,
        scopes: Vec<Scope>,
    },
    /// `Select salt, pepper and oil`: bare words that are one name, or several.
    ChooseListed {
        whole: String,
        each: Vec<String>,
    },
    Tick {
        target: TargetPhrase,
        on: bool,
    },
    Set {
        target: TargetPhrase,
        value: String,
    },
    /// A slider moved to a value; `moved` when only whether it came there is left to see.
    Slide {
        target: TargetPhrase,
        value: String,
        moved: bool,
    },
    Hover(TargetPhrase),
    /// On the way to `next`, which a menu's item hides: pointing at the item opens its menu in most, a click in others.
    OpenMenu {
        item: TargetPhrase,
        next: TargetPhrase,
        pointing: bool,
    },
    Focus(TargetPhrase),
    ScrollTo(TargetPhrase),
    Scroll {
        direction: Direction,
        screens: Option<f64>,
        target: Option<TargetPhrase>,
    },
    Drag {
        target: TargetPhrase,
        to: TargetPhrase,
    },
    Upload {
        files: Vec<String>,
        target: Option<TargetPhrase>,
    },
    Dialog {
        accept: bool,
        text: Option<String>,
    },
    /// `Accept the terms`: a checkbox or a button.
    Agree(TargetPhrase),
    Back,
    Forward,
    Reload,
    Wait(Wait),
    NewTab(Option<String>),
    SwitchTab(Tabs),
    CloseTab(Option<Tabs>),
    Save {
        what: Saved,
        variable: String,
    },
    Screenshot(Option<TargetPhrase>),
    Read(Option<TargetPhrase>),
    Expand {
        target: TargetPhrase,
        open: bool,
    },
    Login {
        user: Option<String>,
        password: String,
    },
    Search {
        text: String,
        field: Option<TargetPhrase>,
    },
    Submit(Option<TargetPhrase>),
}

/// A click and how.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Clicking {
    pub(super) target: TargetPhrase,
    pub(super) button: legwork_protocol::Button,
    pub(super) count: u8,
    pub(super) modifiers: Vec<Modifier>,
}

/// Which browser tab.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tabs {
    Nth(usize),
    FromEnd(usize),
    Newest,
    Previous,
    Next,
    Other,
    Named(Box<TargetPhrase>),
}

/// What to save.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Saved {
    Address,
    Title,
    /// Elements of a kind. `shown` when it is said that those that are shown are meant.
    Count {
        things: TargetPhrase,
        shown: bool,
    },
    /// A number that the page says: `24 people`.
    NumberOf(String),
    /// What is called so, on the whole page.
    Named(String),
    /// The target's text or value; `text` when the text itself was asked for. A name that may be an attribute or a column
    /// is both.
    Of {
        target: TargetPhrase,
        attribute: Option<String>,
        text: bool,
    },
}

/// Whether a clause may begin with this word.
pub(super) fn is_verb(word: &str) -> bool {
    verbs::is_one(word)
}

pub(super) fn read(step: &str) -> Result<Sentence, ParseError> {
    let tokens = tokens::lex(step)?;
    let words = TokenStream::new(step, &tokens);
    let mut clauses = clauses(strip_filler(words))?;
    carry_answers(&mut clauses);
    join_choosers(&mut clauses);
    if clauses.is_empty() {
        return Err(ParseError::new(step, "there are no words").suggest("Click \"Save\""));
    }
    Ok(Sentence::new(clauses))
}

/// `Click "Delete" and accept the dialog`: the click carries the answer, so that the answer is for what the click opens and for
/// nothing else. The clause that says so stays: a dialog of the page's own is answered on the page that the click left.
fn carry_answers(clauses: &mut [Clause]) {
    for at in 1..clauses.len() {
        let (before, from) = clauses.split_at_mut(at);
        if let (Some(Clause::Do(action)), Clause::Do(answer)) = (before.last_mut(), &from[0])
            && let Operation::Dialog { accept, text } = &answer.operation
            && !action.answers_dialog()
        {
            action.answer = Some(Dialog::answer(*accept, text.clone()));
        }
    }
}

/// `Click "Browse" and upload "cv.txt"`: the files are for the chooser that the click opens, and not for another field of the page.
fn join_choosers(clauses: &mut Vec<Clause>) {
    for at in (1..clauses.len()).rev() {
        let (before, from) = clauses.split_at_mut(at);
        let (Some(Clause::Do(click)), Clause::Do(upload)) = (before.last(), &mut from[0]) else { continue };
        let (Operation::Click(Clicking { target: opener, .. }), Operation::Upload { target: field @ None, .. }) =
            (&click.operation, &mut upload.operation)
        else {
            continue;
        };
        if opener.name.as_deref().is_some_and(opens_chooser) {
            *field = Some(opener.clone());
            clauses.remove(at - 1);
        }
    }
}

/// Whether a button is called as those are that let a file be chosen. Others lead to the page that has the file field.
fn opens_chooser(name: &str) -> bool {
    const WORDS: [&str; 8] = ["browse", "choose", "select", "upload", "attach", "file", "files", "pick"];
    name.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
}

const JOINTS: &str = "and then|and also|and|then|afterwards|before you|.|;|,";

/// Without list marks and politeness.
fn strip_filler(words: TokenStream<'_>) -> TokenStream<'_> {
    let mut words = words.trim();
    if words.len() > 2
        && words.lower(0).chars().all(|c| c.is_ascii_digit())
        && words.tokens()[1].kind == TokenKind::Mark
    {
        words = words.from(2);
    }
    loop {
        let start = words;
        words.take_prefix("-|*|•|–|)");
        if words.lower(0).strip_suffix(')').is_some_and(|number| number.chars().all(|c| c.is_ascii_digit())) {
            words = words.from(1);
        }
        words.take_prefix(
            "could you please|can you please|could you|can you|would you|please|kindly|\
            now|then|next|first|second|finally|lastly|after that|afterwards|and then|and|also|\
            but|given|when i|when you|when we|i want to|we want to|you need to|i need to|\
            you have to|you should now|let's|let us|go ahead and|try to|just|simply|again|\
            once more|the user should|the user must|i should|you should|we should|i|we|you|\
            user|be sure to",
        );
        words = words.trim();
        if words.len() == start.len() {
            return words;
        }
    }
}

/// All clauses of a run of words. The first joint after which both sides can be read is where it is cut.
fn clauses(words: TokenStream<'_>) -> Result<Vec<Clause>, ParseError> {
    let words = strip_filler(words);
    if words.is_empty() {
        return Ok(Vec::new());
    }
    if let Some(result) = verbs::placed(words) {
        return result;
    }
    let mut failure = None;
    let mut from = 1;
    while let Some((at, count)) = words.find(from, JOINTS) {
        from = at + 1;
        let mut rest = words.from(at + count);
        while let Some(more) = JOINTS.split('|').map(|joint| rest.has(0, joint)).find(|more| *more > 0) {
            rest = rest.from(more);
        }
        let rest = strip_filler(rest);
        if rest.is_empty() || !(verbs::starts(rest) || verbs::is_condition_start(rest)) {
            continue;
        }
        let first = match verbs::clause(words.take(at)) {
            Ok(first) => first,
            Err(_) => continue,
        };
        // `check that A is shown and B is gone`: a check goes on in its own way.
        if matches!(first.last(), Some(Clause::Check(_))) && !verbs::starts(rest) {
            continue;
        }
        match clauses(rest) {
            Ok(more) => return Ok(first.into_iter().chain(more).collect()),
            Err(problem) => failure = failure.or(Some(problem)),
        }
    }
    let whole = verbs::clause(words);
    match (whole, failure) {
        (Ok(whole), None) => Ok(whole),
        // A part that begins with a verb was meant as one: it is not read as the rest of a name.
        (_, Some(failure)) => Err(failure),
        (Err(problem), None) => Err(problem),
    }
}

fn instruction(words: TokenStream<'_>, operation: Operation) -> Clause {
    Clause::Do(Box::new(Instruction { operation, words: words.trim().text_as_written(), answer: None }))
}

fn checked(check: Check) -> Clause {
    Clause::Check(Box::new(check))
}

fn phrase(words: TokenStream<'_>) -> Result<TargetPhrase, ParseError> {
    target_phrase::phrase(words)
}

/// `"A", "B" and "C"`: the pieces between commas and `and`, when every piece stands on its own.
fn list(words: TokenStream<'_>) -> Vec<TokenStream<'_>> {
    let words = words.trim();
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < words.len() {
        let count = [", and", "and", ",", ";", "&"].iter().map(|joint| words.has(at, joint)).find(|count| *count > 0);
        if let Some(count) = count {
            pieces.push(words.from(start).take(at - start));
            start = at + count;
            at = start;
        } else {
            at += 1;
        }
    }
    pieces.push(words.from(start));
    pieces.into_iter().map(TokenStream::trim).filter(|piece| !piece.is_empty()).collect()
}

/// The pieces of a list in which every piece has its own quoted name; else the words as one.
fn quoted_list(words: TokenStream<'_>) -> Vec<TokenStream<'_>> {
    let pieces = list(words);
    let each = pieces.iter().all(|piece| piece.tokens().iter().any(|token| token.quoted()));
    if pieces.len() > 1 && each { pieces } else { vec![words.trim()] }
}

/// The elements of a list, each with its words: `"A", "B" and "C"`, or one name in several places, as in `"Edit" in the rows
/// of "Bob" and "Zed"`. The plural tells the second from a list whose first element has a place.
fn phrases<'t>(words: TokenStream<'t>) -> Result<Vec<(TokenStream<'t>, TargetPhrase)>, ParseError> {
    let pieces = quoted_list(words);
    let [first, others @ ..] = pieces.as_slice() else { return Ok(Vec::new()) };
    if !others.is_empty() {
        pieces.iter().try_for_each(|piece| refuse_pronoun(*piece))?;
    }
    let about_first = phrase(*first)?;
    if others.is_empty() || about_first.scopes.is_empty() {
        return pieces.into_iter().map(|piece| Ok((piece, phrase(piece)?))).collect();
    }
    let is_bare = |piece: &&TokenStream<'_>| piece.len() == 1 && piece.quoted(0);
    if !ends_in_places(*first)
        && let Some(other) = others.iter().find(is_bare)
    {
        // `in the row containing "A" and "B"`: both are in it. Elsewhere the second name may be of the place or of another
        // element, and the wrong one of them may be deleted.
        let mut about = about_first;
        let names: Vec<String> = others.iter().filter(is_bare).map(|piece| piece.text()).collect();
        if names.len() == others.len() && says_contents(*first) && about.add_contents(names) {
            about.source_text = words.text_as_written();
            return Ok(vec![(words, about)]);
        }
        let why = format!("`{}` may belong to the place before it, or be another element", other.text_as_written());
        return Err(ParseError::new(words.source(), why)
            .at(*other)
            .suggest("Click \"Delete\" in the row containing \"Acme\" and \"Ada\", or two steps"));
    }
    if !ends_in_places(*first) {
        return pieces.into_iter().map(|piece| Ok((piece, phrase(piece)?))).collect();
    }
    let mut all = vec![(*first, about_first.clone())];
    for other in others {
        let mut about = about_first.clone();
        let scope = phrase(*other)?;
        let renamed = other.len() == 1 && about.rename_scope(&scope);
        if !renamed {
            let why = format!("`{}` is not the name of another place", other.text_as_written());
            return Err(ParseError::new(words.source(), why).at(*other));
        }
        about.source_text = words.text_as_written();
        all.push((words, about));
    }
    Ok(all)
}

/// Whether the last place is named by what it contains: `in the row containing "A"`.
fn says_contents(words: TokenStream<'_>) -> bool {
    let lead = words.take(words.len().saturating_sub(1));
    let is_verb = |word: &str| matches!(word, "containing" | "contains" | "with" | "has" | "says" | "saying");
    words.quoted(words.len().saturating_sub(1)) && !lead.is_empty() && is_verb(lead.lower(lead.len() - 1))
}

/// Bare words with a pronoun (`swap it`) are no name but another clause, whose verb is not known.
fn refuse_pronoun(words: TokenStream<'_>) -> Result<(), ParseError> {
    let is_pronoun =
        |token: &tokens::Token| !token.quoted() && matches!(token.lower.as_str(), "it" | "them" | "him" | "her");
    match words.tokens().iter().find(|token| is_pronoun(token)) {
        None => Ok(()),
        Some(token) => {
            let why = format!("`{}` points at something that the sentence does not say", token.text);
            Err(ParseError::new(words.source(), why).at(words))
        }
    }
}

/// Whether a phrase ends in the name of the first of several places: `"Edit" in the rows of "Bob"`.
fn ends_in_places(words: TokenStream<'_>) -> bool {
    if !words.quoted(words.len() - 1) {
        return false;
    }
    let mut before = words.take(words.len() - 1);
    before.take_suffix("of|for|with|containing|named|called|labelled|labeled|titled");
    let plural = !before.is_empty() && before.lower(before.len() - 1).ends_with('s');
    plural && element_kind::at_end(before).is_some_and(|(kind, _)| kind.holds())
}

fn load_state(words: TokenStream<'_>) -> Option<LoadState> {
    let text = words.strip_articles().text().to_lowercase();
    Some(match text.as_str() {
        "page to load"
        | "page to be loaded"
        | "page to finish loading"
        | "page is loaded"
        | "page has loaded"
        | "page loads"
        | "page load"
        | "page to be fully loaded"
        | "load"
        | "page is fully loaded"
        | "page to load completely"
        | "loading to finish"
        | "next page"
        | "new page"
        | "next page to load"
        | "new page to load" => LoadState::Load,
        "network to be idle"
        | "network is idle"
        | "network to settle"
        | "network idle"
        | "page to settle"
        | "page is idle"
        | "page to be idle"
        | "page to be ready"
        | "page is ready"
        | "page to become idle"
        | "page to be quiet"
        | "page to stop loading"
        | "requests to finish"
        | "page has settled" => LoadState::Idle,
        "document to be ready" | "document is ready" | "dom to be ready" | "dom is ready" => LoadState::Dom,
        _ => return None,
    })
}

fn condition(words: TokenStream<'_>) -> Result<Check, ParseError> {
    conditions::read(words)
}
