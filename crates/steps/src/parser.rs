//! Parses a sentence. It is split where a conjunction is followed by a verb. Each part starts with a verb of the table
//! [`forms`], and the grammar of that form parses the rest.

mod choosing;
mod clicking;
mod form;
mod forms;
mod lists;
mod pages;
mod pattern;
mod slots;
mod sorting;
mod structure;
#[cfg(test)]
mod tests;
mod typing;
mod variables;
mod waiting;

use legwork_protocol::{Dialog, Effect};

use crate::{
    ast::{Clause, ClickOperation, Operation, Sentence},
    conditions,
    error::ParseError,
    target_phrase::parse_scope,
    texts,
    tokens::{self, TokenKind, TokenStream},
};

use self::{
    clicking::awaited_download,
    form::{FormError, Words},
    lists::checked,
};
pub use self::{
    form::SentenceForm,
    forms::FORMS,
    structure::{STRUCTURES, SentenceStructure, StructureForm, read_structure},
};

type ParseResult = Result<Vec<Clause>, ParseError>;

/// Parses a step. `${variables}` must have been replaced before; `${secret:NAME}` stays unchanged.
pub fn read(step: &str) -> Result<Sentence, ParseError> {
    let tokens = tokens::lex(step)?;
    let words = TokenStream::new(step, &tokens);
    let mut clauses = clauses(strip_filler(words), false)?;
    carry_answers(&mut clauses);
    join_choosers(&mut clauses);
    if clauses.is_empty() {
        return Err(ParseError::new(step, "there are no words").suggest("Click \"Save\""));
    }
    Ok(Sentence::new(clauses))
}

/// Whether the text starts like an instruction, whether or not it can be parsed: `click …`, `please type …`.
pub fn begins_with_a_verb(text: &str) -> bool {
    let mut words = text
        .split(|c: char| !c.is_alphabetic() && c != '-')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .skip_while(|word| matches!(word.as_str(), "please" | "then" | "and" | "now" | "first" | "finally" | "next"));
    words.next().is_some_and(|word| first_words().any(|known| known == word))
}

/// `Click "Delete" and accept the dialog`: the click contains the answer, so that the answer applies only to the dialog
/// that the click opens. The clause with the answer stays, because a dialog that is a part of the page is answered on
/// the page after the click.
fn carry_answers(clauses: &mut [Clause]) {
    for at in 1..clauses.len() {
        let (before, from) = clauses.split_at_mut(at);
        if let (Some(Clause::Do(action)), Clause::Do(answer)) = (before.last_mut(), &from[0])
            && let Operation::Dialog { accept, text } = &answer.operation
            && !matches!(action.operation, Operation::Dialog { .. })
        {
            action.answer = Some(Dialog::answer(*accept, text.clone()));
        }
    }
}

/// `Click "Browse" and upload "cv.txt"`: the files are for the file chooser that the click opens, and not for another
/// field of the page.
fn join_choosers(clauses: &mut Vec<Clause>) {
    for at in (1..clauses.len()).rev() {
        let (before, from) = clauses.split_at_mut(at);
        let (Some(Clause::Do(click)), Clause::Do(upload)) = (before.last(), &mut from[0]) else { continue };
        let (Operation::Click(ClickOperation { target: opener, .. }), Operation::Upload { target: field @ None, .. }) =
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

/// Whether the name of a button indicates that it opens a file chooser. Other buttons lead to the page with the file
/// field.
fn opens_chooser(name: &str) -> bool {
    const WORDS: [&str; 8] = ["browse", "choose", "select", "upload", "attach", "file", "files", "pick"];
    name.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
}

const JOINTS: &str = "and then|and also|and|then|afterwards|before you|.|;|,";

/// Words before a verb that have no meaning for the step.
const FILLER: &str = "could you please|can you please|could you|can you|would you|please|kindly|now|then|next|first|second|\
    finally|lastly|after that|afterwards|and then|and|also|but|given|when i|when you|when we|i want to|we want to|\
    you need to|i need to|you have to|you should now|let's|let us|go ahead and|try to|just|simply|again|once more|\
    the user should|the user must|i should|you should|we should|i|we|you|user|be sure to";

/// The words without list marks and filler.
fn strip_filler(words: TokenStream<'_>) -> TokenStream<'_> {
    let is_number = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    let mut words = words.trim();
    if words.len() > 2 && is_number(words.lower(0)) && words.tokens()[1].kind == TokenKind::Mark {
        words = words.skip(2);
    }
    loop {
        let start = words.len();
        words.strip_prefix("-|*|•|–|)");
        if words.lower(0).strip_suffix(')').is_some_and(is_number) {
            words = words.skip(1);
        }
        words.strip_prefix(FILLER);
        words = words.trim();
        if words.len() == start {
            return words;
        }
    }
}

/// Parses all clauses of a range. It is split at the first conjunction after which both sides can be parsed.
/// `follows_action`: an action precedes the range.
fn clauses(words: TokenStream<'_>, follows_action: bool) -> ParseResult {
    let words = strip_filler(words);
    if words.is_empty() {
        return Ok(Vec::new());
    }
    if let Some(result) = with_lead(words) {
        return result;
    }
    let (mut failure, mut of_part) = (None, None);
    for joint in words.places_of(1, JOINTS) {
        let (first, mut rest) = words.split_around(joint);
        while rest.strip_prefix(JOINTS).is_some() {}
        let rest = strip_filler(rest);
        if rest.is_empty() || !(starts(rest) || is_lead(rest)) {
            continue;
        }
        let first = match clause(first, follows_action) {
            Ok(first) => first,
            Err(problem) => {
                of_part = of_part.or(Some(problem));
                continue;
            }
        };
        // `check that A is shown and B is gone`: a check continues with its own grammar.
        if matches!(first.last(), Some(Clause::Check(_))) && !starts(rest) {
            continue;
        }
        match clauses(rest, acts(&first)) {
            Ok(more) => return Ok(first.into_iter().chain(more).collect()),
            Err(problem) => failure = failure.or(Some(problem)),
        }
    }
    let whole = clause(words, follows_action).map_err(|problem| of_part.unwrap_or(problem));
    // A part that starts with a verb is a clause: it must not be parsed as the rest of a name.
    failure.map_or(whole, Err)
}

fn verbs() -> impl Iterator<Item = &'static str> {
    FORMS.iter().flat_map(|form| form.verbs.split('|'))
}

/// The words with which a clause can start.
fn first_words() -> impl Iterator<Item = &'static str> {
    verbs().map(|verb| verb.split(' ').next().unwrap_or(verb))
}

/// Whether a clause can start here.
fn starts(words: TokenStream<'_>) -> bool {
    let first = words.lower(0);
    is_click_with_keys(first) || first_words().any(|known| known == first)
}

/// `Ctrl+Shift-click`: the modifier keys precede the verb.
fn is_click_with_keys(word: &str) -> bool {
    word.ends_with("-click") || word.ends_with("+click")
}

/// Whether words can be a leading condition or scope: `once "Saved" is shown, …`.
fn is_lead(words: TokenStream<'_>) -> bool {
    words.word_is(0, "once|when|after|as")
        || words.word_is(0, "in|under|within|inside") && words.find_phrase(0, ",").is_some()
}

/// Clauses with a leading scope or condition: `In the "Billing" section, click "Edit"`.
fn with_lead(words: TokenStream<'_>) -> Option<ParseResult> {
    let (mut lead, rest) = words.split_around(words.find_phrase(0, ",")?);
    let rest = strip_filler(rest);
    if !starts(rest) {
        return None;
    }
    let lead_words = lead;
    if lead.strip_prefix("once|when|as soon as|after|while").is_some() {
        let wait = checked(conditions::read(lead).ok()?.with_timeout(None));
        return Some(clauses(rest, false).map(|rest| std::iter::once(wait).chain(rest).collect()));
    }
    if lead.strip_prefix("in order to|to").is_some() {
        return Some(clauses(rest, false));
    }
    let place = parse_scope(lead, true)?;
    Some(clauses(rest, false).and_then(|mut rest| {
        let is_limited = rest.iter_mut().all(|clause| match clause {
            Clause::Do(instruction) => instruction.operation.limit_to(&place),
            Clause::Check(check) => check.condition.limit_to(&place),
        });
        let why = "a part of the sentence cannot be limited to a place";
        if is_limited { Ok(rest) } else { Err(lead_words.not_understood(why)) }
    }))
}

/// Parses one clause. A list of targets (`Click "A" and "B"`) results in several.
fn clause(words: TokenStream<'_>, follows_action: bool) -> ParseResult {
    form_and_clauses(words, follows_action).map(|(_, clauses)| clauses)
}

/// Whether the last of these clauses changes something, as opposed to a check or a wait.
fn acts(clauses: &[Clause]) -> bool {
    matches!(clauses.last(), Some(Clause::Do(instruction)) if match &instruction.operation {
        Operation::Act { actions, .. } => actions.iter().any(|action| action.effect() != Effect::ReadOnly),
        _ => true,
    })
}

/// The form that matches a clause, and the resulting clauses.
fn form_and_clauses(
    words: TokenStream<'_>,
    follows_action: bool,
) -> Result<(&'static SentenceForm, Vec<Clause>), ParseError> {
    let words = words.trim();
    let verb_of = |form: &SentenceForm| {
        let with_keys = form.name == "click" && is_click_with_keys(words.lower(0));
        form.verb_of(words).or_else(|| with_keys.then_some("click"))
    };
    let Some((verb, by)) = by_acting(words) else { return read_as(words, follows_action, verb_of) };
    let (form, mut clauses) = read_as(by, follows_action, |form| form.verbs.split('|').find(|known| *known == verb))?;
    let form = FORMS.iter().find(|form| verb_of(form).is_some()).unwrap_or(form);
    if form.name == "download" {
        clauses.push(awaited_download(words));
    }
    Ok((form, clauses))
}

/// Parses a clause with the first form that has its verb and accepts it.
fn read_as(
    words: TokenStream<'_>,
    follows_action: bool,
    verb_of: impl Fn(&SentenceForm) -> Option<&'static str>,
) -> Result<(&'static SentenceForm, Vec<Clause>), ParseError> {
    for form in FORMS {
        let Some(verb) = verb_of(form) else { continue };
        let rest = words.skip(verb.split(' ').count());
        match form.read(Words { whole: words, verb, rest, follows_action }) {
            Ok(clauses) => return Ok((form, clauses)),
            Err(FormError::Parse(error)) => return Err(error),
            Err(FormError::OtherForm) => {}
        }
    }
    Err(unknown(words))
}

/// The exact action after a purpose: `Submit the form by clicking "Send"`. Returns its verb and the words from the verb
/// on.
fn by_acting(words: TokenStream<'_>) -> Option<(&'static str, TokenStream<'_>)> {
    const GERUNDS: [(&str, &str); 5] = [
        ("by clicking", "click"),
        ("by pressing", "press"),
        ("by choosing", "choose"),
        ("by tapping", "tap"),
        ("by selecting", "select"),
    ];
    let found = GERUNDS.iter().filter_map(|(by, verb)| Some((words.find_phrase(1, by)?.0, *verb)));
    let (at, verb) = found.min_by_key(|(at, _)| *at)?;
    // The words before it are the purpose of the click. They must not contain more than that: a quoted text, such as a
    // file to upload or an item to delete, must be acted on.
    let (purpose, by) = (words.take(at), words.skip(at + 1));
    let is_purpose = starts(words) && purpose.quotes() == 0 && texts::name(purpose).is_ok();
    (is_purpose && by.len() > 1).then_some((verb, by))
}

/// The error for a clause that matches no form, with the most similar verb.
fn unknown(words: TokenStream<'_>) -> ParseError {
    let verb = words.lower(0);
    if verb.is_empty() {
        return words.error("it does not begin with something to do").suggest(usual_forms());
    }
    let why = format!("`{}` is not something this can do literally", words.text_as_written());
    // For the whole sentence, the message already states this.
    let is_whole = words.before().trim().is_empty();
    let problem = if is_whole { words.error(why) } else { words.not_understood(why) };
    let nearest = verbs().map(|known| (strsim::jaro_winkler(verb, known), known));
    let nearest = nearest.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(alike, known)| *alike > 0.85 && *known != verb);
    // `Clik "Save"` is misspelled; `Delete "Ada"` is no `deselect`.
    match (nearest, click_of_entry(words)) {
        (Some((alike, known)), click) if alike > 0.93 || click.is_none() => {
            let (first, more) = known.split_at(1);
            problem.suggest(format!("{}{more} {}", first.to_uppercase(), words.skip(1).text_as_written()))
        }
        (_, Some(click)) => problem.suggest(click),
        _ => problem.suggest(usual_forms()),
    }
}

/// The click that a sentence about an entry may mean: `Delete "Ada"` is usually a button in its row, and
/// `confirm with "Yes"` a button.
fn click_of_entry(words: TokenStream<'_>) -> Option<String> {
    let mut rest = words.skip(1);
    if words.word_is(0, "confirm|answer|agree") && rest.strip_prefix("with|by").is_some() && rest.quoted(0) {
        return Some(format!("Click {}", rest.take(1).text_as_written()));
    }
    rest.strip_prefix("the row of|the entry of|the entry|the item|the row");
    let is_verb = words.tokens()[0].lower.chars().all(char::is_alphabetic) && !words.quoted(0);
    if !is_verb || !rest.quoted(0) {
        return None;
    }
    let (entry, mut end) = (rest.take(1), rest.skip(1));
    let place = end.strip_prefix("to the cart|to the basket|to the bag|to cart|from the cart|from the basket");
    let to = place.filter(|place| place.starts_with("to")).map(|place| place.replace("the ", ""));
    let (first, more) = words.lower(0).split_at(words.lower(0).chars().next()?.len_utf8());
    let name =
        [Some(format!("{}{more}", first.to_uppercase())), to].into_iter().flatten().collect::<Vec<_>>().join(" ");
    end.trim().is_empty().then(|| format!("Click \"{name}\" in the row of {}", entry.text_as_written()))
}

/// Examples of the most common forms.
fn usual_forms() -> String {
    let usual =
        ["click", "type", "choose", "check"].iter().filter_map(|name| FORMS.iter().find(|form| form.name == *name));
    usual.map(|form| form.example).collect::<Vec<_>>().join(", ")
}
