//! The grammar of conditions: a subject, a predicate, a value.

use super::{
    check::{Check, Op, State, What},
    kinds::Kind,
    literal::NotLiteral,
    target::{self, Phrase},
    values,
    words::{self, Sort, Words},
};

/// Reads a condition, with or without `check that` before it.
pub fn read_text(condition: &str) -> Result<Check, NotLiteral> {
    let tokens = words::lex(condition)?;
    let words = Words::new(condition, &tokens);
    let mut rest = words.trim();
    rest.eat(
        "please check that|check that|check if|check whether|check|verify that|\
            verify|make sure that|make sure|ensure that|ensure|assert that|assert|confirm that|\
            expect that|expect to see|expect|only if|only when|if|when|unless",
    );
    let negated = tokens.first().is_some_and(|token| token.low == "unless");
    let mut check = read(rest)?;
    check.words = condition.trim().to_owned();
    if negated {
        check.what = What::Not(Box::new(check.what));
    }
    Ok(check)
}

pub(super) fn read(words: Words<'_>) -> Result<Check, NotLiteral> {
    let words = words.trim();
    Ok(Check::new(&words.text_as_written(), joined(words)?))
}

/// `the field to be empty`: a subject and an infinitive.
pub(super) fn infinitive(subject: Words<'_>, mut verb: Words<'_>) -> Result<Check, NotLiteral> {
    let source = subject.source();
    let what = match verb.eat("be|become|contain|say|have|equal|read|show") {
        Some("be" | "become") => copula(subject, verb, source)?,
        Some("have") => has(subject, verb, source)?,
        Some("contain" | "show") => says(subject, Op::Contains, verb, source)?,
        _ => says(subject, Op::Is, verb, source)?,
    };
    Ok(Check::new(source, what))
}

const COPULAS: &str = "is|are|was|were|has been|have been|isn't|aren't|wasn't|weren't|should be|\
            must be|should not be|becomes";
const VERBS: &str = "does not contain|doesn't contain|do not contain|should contain|\
            should not contain|must contain|contains|contain|does not include|includes|include|\
            should include|does not say|doesn't say|says|said|say|should say|reads|should read|\
            shows|displays|equals|equal to|does not equal|should equal|starts with|begins with|\
            ends with|matches|has no|has|have|does not have|doesn't have|should have|\
            should not have|exists|exist|does not exist|doesn't exist|should exist|\
            should not exist|appears|appear|has appeared|does not appear|doesn't appear|\
            should appear|disappears|disappeared|has disappeared|should show|appeared|opened|\
            popped up|showed up|does not show";

/// Whether it says something about something, rather than naming a thing.
pub(super) fn has_predicate(words: Words<'_>) -> bool {
    if words.has(0, "there is") + words.has(0, "there are") + words.has(0, "there's") > 0 {
        return true;
    }
    words
        .find(1, COPULAS)
        .or_else(|| words.find(1, VERBS))
        .is_some_and(|(at, _)| words.tokens()[..at].iter().any(|token| token.sort != Sort::Mark))
}

fn joined(words: Words<'_>) -> Result<What, NotLiteral> {
    for (joint, either) in [("or", true), ("and", false), (",", false), ("but", false)] {
        let mut from = 1;
        while let Some((at, count)) = words.find(from, joint) {
            from = at + 1;
            let (left, mut right) = (words.up_to(at).trim(), words.from(at + count).trim());
            right.eat("and that|and|that|also");
            if left.is_empty() || right.is_empty() {
                continue;
            }
            let Ok(first) = joined(left) else { continue };
            let second =
                if has_predicate(right) || right.has(0, "no") > 0 { joined(right) } else { shared(left, right) };
            let Ok(second) = second else { continue };
            let pair = vec![first, second];
            return Ok(if either { What::Either(pair) } else { What::All(flat(pair)) });
        }
    }
    // `"A" and "B" are shown`, `"A", "B" and "C" are shown`
    if let Some((at, _)) = words.find(2, "are|aren't") {
        let subjects: Vec<Words<'_>> = split(words.up_to(at));
        if subjects.len() > 1 && subjects.iter().all(|subject| subject.tokens().iter().any(|token| token.quoted())) {
            let all: Result<Vec<What>, NotLiteral> =
                subjects.into_iter().map(|subject| copula_at(words, subject, at)).collect();
            return Ok(What::All(all?));
        }
    }
    single(words)
}

/// The second half shares the subject or the verb: `"Total" contains "a" and contains "b"`, `… is enabled and checked`.
fn shared(left: Words<'_>, right: Words<'_>) -> Result<What, NotLiteral> {
    let (at, _) = left.find(1, COPULAS).or_else(|| left.find(1, VERBS)).ok_or_else(|| not_understood(left))?;
    let subject = left.up_to(at);
    if [VERBS, COPULAS].iter().flat_map(|verbs| verbs.split('|')).any(|verb| right.has(0, verb) > 0) {
        return predicate(subject, right);
    }
    if left.find(1, COPULAS).is_some_and(|(found, _)| found == at)
        && state(right.text().to_lowercase().as_str()).is_some()
    {
        return copula(subject, right, left.source());
    }
    Err(not_understood(right))
}

fn flat(all: Vec<What>) -> Vec<What> {
    all.into_iter()
        .flat_map(|what| match what {
            What::All(inner) => inner,
            other => vec![other],
        })
        .collect()
}

fn split(words: Words<'_>) -> Vec<Words<'_>> {
    let mut pieces = Vec::new();
    let mut rest = words;
    while let Some((at, count)) = rest.find(0, "and|,|both") {
        pieces.push(rest.up_to(at).trim());
        rest = rest.from(at + count);
    }
    pieces.push(rest.trim());
    pieces.into_iter().filter(|piece| !piece.is_empty()).collect()
}

fn copula_at(words: Words<'_>, subject: Words<'_>, at: usize) -> Result<What, NotLiteral> {
    let mut rest = words.from(at);
    let negated = rest.eat("are|aren't") == Some("aren't") || rest.eat("not").is_some();
    negate(copula(subject, rest, words.source())?, negated)
}

fn negate(what: What, negated: bool) -> Result<What, NotLiteral> {
    Ok(if negated { What::Not(Box::new(what)) } else { what })
}

fn not_understood(words: Words<'_>) -> NotLiteral {
    NotLiteral::new(words.source(), format!("`{}` was not understood as something to check", words.text_as_written()))
        .suggest(
            "\"Welcome\" is shown, the field \"Name\" is \"Ada\", the address contains \"/done\", there are 3 rows",
        )
}

fn single(words: Words<'_>) -> Result<What, NotLiteral> {
    let mut rest = words.trim();
    rest.eat(
        "that|i can see that|you can see that|i can see|you can see|i should see|\
            you should see|you see|i see|we see|see|to see",
    );
    if rest.is_empty() {
        return Err(not_understood(words));
    }
    if rest
        .eat(
            "there is still|there is|there are|there's|there should be|there must be|\
            there was|there were|exactly",
        )
        .is_some()
    {
        return there_is(rest, words);
    }
    if rest.eat("there isn't|there aren't|there should not be|there must not be").is_some() {
        return negate(there_is(rest, words)?, true);
    }
    if rest.low(0) == "no" && rest.len() > 1 {
        let mut subject = rest.from(1);
        if subject.eat_end(
            "is shown|is visible|is displayed|are shown|are visible|are displayed|\
            appears|appear|was downloaded|is left|are left",
        ) == Some("was downloaded")
        {
            return Ok(What::Not(Box::new(What::Downloaded(None))));
        }
        return there_is(rest.up_to(1 + subject.len()), words);
    }
    // The first predicate that leaves a subject and something sensible after it.
    let mut from = 1;
    let mut failure = None;
    loop {
        let copula = rest.find(from, COPULAS);
        let verb = rest.find(from, VERBS);
        let at = match (copula, verb) {
            (Some((a, _)), Some((b, _))) => a.min(b),
            (Some((a, _)), None) => a,
            (None, Some((b, _))) => b,
            (None, None) => break,
        };
        from = at + 1;
        match predicate(rest.up_to(at), rest.from(at)) {
            Ok(what) => return Ok(what),
            Err(problem) => failure = failure.or(Some(problem)),
        }
    }
    if let Some(problem) = failure {
        return Err(problem);
    }
    // `Welcome, "Ada"`? Only a name in quotes or an element's kind stands for its being shown.
    let mut gone = rest;
    if gone.eat_end("gone|missing|absent").is_some() && !gone.is_empty() {
        return Ok(What::Not(Box::new(What::Shown(target::phrase(gone)?))));
    }
    let mut shown = rest;
    shown.eat_end("visible|shown|displayed|present");
    match target::phrase(shown) {
        Ok(phrase)
            if phrase.quoted
                || phrase.raw.is_some()
                || (phrase.kind.is_some() && phrase.name.is_none())
                || shown.len() < rest.len() =>
        {
            Ok(What::Shown(phrase))
        }
        _ => {
            Err(NotLiteral::new(words.source(), format!("`{}` does not say what should hold", rest.text_as_written()))
                .suggest(format!("\"{}\" is shown", rest.text())))
        }
    }
}

/// The subject and everything from the verb on.
fn predicate(subject: Words<'_>, from: Words<'_>) -> Result<What, NotLiteral> {
    let source = subject.source();
    let mut rest = from;
    if let Some(word) = rest.eat(COPULAS) {
        let mut negated = word.ends_with("n't") || word.contains(" not ");
        if rest.eat("not|no longer|never").is_some() {
            negated = true;
        }
        rest.eat("now|still|already|currently");
        return negate(copula(subject, rest, source)?, negated);
    }
    let verb = rest.eat(VERBS).ok_or_else(|| not_understood(from))?;
    let negated = verb.contains("not") || verb.contains("n't");
    let verb = verb.rsplit(' ').find(|word| !matches!(*word, "with" | "to" | "no")).unwrap_or(verb);
    let what = match verb {
        "contain" | "contains" | "include" | "includes" => says(subject, Op::Contains, rest, source)?,
        "said" | "shows" | "displays" | "show" => says(subject, Op::Contains, rest, source)?,
        "says" | "say" | "reads" | "read" | "equals" | "equal" => {
            rest.eat("to");
            says(subject, Op::Is, rest, source)?
        }
        "starts" | "begins" => says(subject, Op::StartsWith, rest, source)?,
        "ends" => says(subject, Op::EndsWith, rest, source)?,
        "matches" => says(subject, Op::Matches, rest, source)?,
        "has" | "have" => {
            let no = from.has(0, "has no") > 0;
            if no {
                return negate(has(subject, rest, source)?, true);
            }
            has(subject, rest, source)?
        }
        "disappears" | "disappeared" => What::Not(Box::new(What::Shown(thing(subject)?))),
        "exists" | "exist" | "appears" | "appear" | "appeared" | "opened" | "up" => {
            rest.eat("on the page|on this page|in the page");
            let shown = shown(subject)?;
            if rest.is_empty() { shown } else { within(shown, rest)? }
        }
        _ => return Err(not_understood(from)),
    };
    negate(what, negated)
}

fn thing(words: Words<'_>) -> Result<Phrase, NotLiteral> {
    let mut words = words.trim();
    words.eat("the text|text|the words|the phrase");
    target::phrase(words)
}

fn shown(subject: Words<'_>) -> Result<What, NotLiteral> {
    if let Some(number) = quantity(subject) {
        return count_of(number, subject);
    }
    if is_js_dialog(subject) {
        return Ok(What::Dialog { op: Op::Contains, value: None });
    }
    Ok(What::Shown(thing(subject)?))
}

/// `… is shown in the table "Users"`.
fn within(mut what: What, rest: Words<'_>) -> Result<What, NotLiteral> {
    let place = target::place(rest, true).ok_or_else(|| not_understood(rest))?;
    if !matches!(&place, target::Place::In(about) if about.said == "page") {
        match &mut what {
            What::Shown(subject) | What::Count { things: subject, .. } => subject.places.push(place),
            _ => return Err(not_understood(rest)),
        }
    }
    Ok(what)
}

fn is_js_dialog(words: Words<'_>) -> bool {
    matches!(
        words.bare().text().to_lowercase().as_str(),
        "dialog"
            | "alert"
            | "confirm"
            | "confirm dialog"
            | "alert dialog"
            | "prompt"
            | "confirmation"
            | "javascript dialog"
            | "browser dialog"
            | "confirmation dialog"
            | "prompt dialog"
            | "last dialog"
    )
}

fn is_file(words: Words<'_>) -> Option<Option<String>> {
    let mut words = words.bare();
    words.eat(
        "download of the file|download of|downloaded file|file named|file called|\
            file|files",
    );
    match words.tokens() {
        [] => Some(None),
        [one] => Some(Some(one.text.clone())),
        _ => None,
    }
}

enum Subject {
    Title,
    Address,
    Variable(String),
    Dialog,
    Element(Phrase),
}

fn subject(words: Words<'_>) -> Result<Subject, NotLiteral> {
    let bare = words.trim().bare();
    let text = bare.text().to_lowercase();
    let plain = !bare.quoted(0);
    let text = text.strip_suffix(" of the page").or_else(|| text.strip_suffix(" of this page")).unwrap_or(&text);
    match text {
        "title" | "page title" | "page's title" | "tab title" | "document title" if plain => return Ok(Subject::Title),
        "address" | "url" | "page address" | "page url" | "page's url" | "page's address" | "current url"
        | "current address" | "location"
            if plain =>
        {
            return Ok(Subject::Address);
        }
        _ => {}
    }
    if is_js_dialog(words) {
        return Ok(Subject::Dialog);
    }
    let mut variable = bare;
    if variable.eat("variable named|variable called|variable|saved value").is_some() && variable.len() == 1 {
        let name = variable.text();
        return Ok(Subject::Variable(name.trim_start_matches("${").trim_end_matches('}').to_owned()));
    }
    let mut of = bare;
    if let Some(lead) = of.eat("value of|text of|content of|contents of|value in|text in|content in")
        && !of.is_empty()
    {
        // `the text in the row of "Bob"`: all that the row says.
        let _ = lead;
        return Ok(Subject::Element(target::phrase(of)?));
    }
    Ok(Subject::Element(target::phrase(bare)?))
}

fn says(about: Words<'_>, op: Op, value: Words<'_>, source: &str) -> Result<What, NotLiteral> {
    let mut value = value.trim();
    value.eat("the text|the words|the value|text|exactly");
    if value.is_empty() {
        return Err(
            NotLiteral::new(source, "it does not say what it should be").suggest("the field \"Name\" is \"Ada\"")
        );
    }
    // `the page contains "x"`, `the list contains 3 items`
    let about_page = matches!(
        about.bare().text().to_lowercase().as_str(),
        "page" | "this page" | "screen" | "page body" | "body" | "site"
    );
    if about_page && !about.quoted(0) {
        if let Some(number) = quantity(value) {
            return count_of(number, value);
        }
        return Ok(What::Shown(thing(value)?));
    }
    if op == Op::Contains && quantity(value).is_some() && !value.quoted(0) && super::kinds::at_end(value).is_some() {
        return has(about, value, source);
    }
    let text = value.text();
    Ok(match subject(about)? {
        Subject::Title => What::Title { op, value: text },
        Subject::Address => What::Address { op, value: text },
        Subject::Variable(name) => What::Variable { name, op, value: text },
        Subject::Dialog => What::Dialog { op: if op == Op::Is { Op::Contains } else { op }, value: Some(text) },
        Subject::Element(subject) => What::Says { subject, op, value: text },
    })
}

/// What follows `is`.
fn copula(about: Words<'_>, rest: Words<'_>, source: &str) -> Result<What, NotLiteral> {
    let mut rest = rest.trim();
    rest.eat("also|both|all|exactly|set to|filled with|filled in with");
    let low = rest.text().to_lowercase();
    if rest.is_empty() {
        return Err(NotLiteral::new(source, "it does not say what it should be").suggest("\"Welcome\" is shown"));
    }
    if !rest.quoted(0) {
        if matches!(rest.low(0), "downloaded" | "saved")
            && rest.len() == 1
            && let Some(name) = is_file(about)
        {
            return Ok(What::Downloaded(name));
        }
        // `"Bob" is in the table "Users"`
        if matches!(rest.low(0), "in" | "inside" | "within" | "under")
            && rest.low(1) != "focus"
            && target::place(rest, true).is_some()
        {
            return within(shown(about)?, rest);
        }
        let seen = rest.eat(
            "shown|visible|displayed|present|on the page|on this page|on the screen|\
            on screen|there|seen|listed|available|to be seen|open|opened",
        );
        let open_state = matches!(seen, Some("open" | "opened"));
        match seen {
            Some(_) if open_state && !(is_js_dialog(about) || names_dialog(about)) => {}
            Some(_) => {
                rest.eat("on the page|on this page|on the screen");
                let shown = shown(about)?;
                return if rest.is_empty() { Ok(shown) } else { within(shown, rest) };
            }
            None => {}
        }
        if matches!(
            low.as_str(),
            "gone" | "absent" | "hidden" | "missing" | "invisible" | "not shown" | "removed" | "closed" | "no more"
        ) && (low != "closed" || names_dialog(about))
        {
            return Ok(What::Not(Box::new(shown(about)?)));
        }
        if matches!(low.as_str(), "empty" | "blank") {
            return Ok(What::Empty(target::phrase(about)?));
        }
        if let Some(state) = state(&low) {
            return Ok(What::State { subject: target::phrase(about)?, state });
        }
        // `"Red" is selected in "Colour"`
        if rest.low(0) == "selected" || rest.low(0) == "chosen" {
            let mut list = rest.from(1);
            if list.eat("in|from|for|as").is_some() && !list.is_empty() {
                return Ok(What::Says { subject: target::phrase(list)?, op: Op::Is, value: about.bare().text() });
            }
        }
        for (words, op) in [
            ("greater than or equal to", Op::AtLeast),
            ("more than or equal to", Op::AtLeast),
            ("less than or equal to", Op::AtMost),
            ("greater than", Op::More),
            ("more than", Op::More),
            ("larger than", Op::More),
            ("higher than", Op::More),
            ("over", Op::More),
            ("above", Op::More),
            ("bigger than", Op::More),
            ("less than", Op::Less),
            ("fewer than", Op::Less),
            ("smaller than", Op::Less),
            ("lower than", Op::Less),
            ("below", Op::Less),
            ("under", Op::Less),
            ("at least", Op::AtLeast),
            ("at most", Op::AtMost),
            ("equal to", Op::Is),
            ("the same as", Op::Is),
        ] {
            let count = rest.has(0, words);
            if count > 0 {
                return says(about, op, rest.from(count), source).and_then(|what| match what {
                    What::Says { ref value, .. } | What::Variable { ref value, .. }
                        if op != Op::Is && values::number(value).is_none() =>
                    {
                        Err(NotLiteral::new(source, format!("`{value}` is not a number"))
                            .suggest("the variable total is greater than 10"))
                    }
                    what => Ok(what),
                });
            }
        }
    }
    says(about, Op::Is, rest, source)
}

fn names_dialog(words: Words<'_>) -> bool {
    target::phrase(words).is_ok_and(|phrase| matches!(phrase.kind, Some(Kind::Dialog | Kind::Alert | Kind::Menu)))
}

/// What follows `has`: `has the value "x"`, `has 3 items`, `has focus`.
fn has(about: Words<'_>, rest: Words<'_>, source: &str) -> Result<What, NotLiteral> {
    let mut rest = rest.trim();
    if rest.bare().low(0) == "focus" && rest.bare().len() == 1 {
        return Ok(What::State { subject: target::phrase(about)?, state: State::Focused });
    }
    if rest.eat("the value|value|the text|text|a value of|the content|the title|title").is_some() {
        rest.eat("of");
        return says(about, Op::Is, rest, source);
    }
    if rest.low(0) == "been" {
        return copula(about, rest.from(1), source);
    }
    if matches!(rest.bare().low(0), "href" | "src" | "class" | "attribute" | "id" | "alt" | "style") {
        return Err(NotLiteral::new(source, "attributes are not checked; save them first")
            .suggest("Save the href of \"Home\" as home"));
    }
    let mut what = there_is(rest, rest)?;
    let page = matches!(about.bare().text().to_lowercase().as_str(), "page" | "browser");
    if !page {
        let container = target::phrase(about)?;
        match &mut what {
            What::Shown(subject) | What::Count { things: subject, .. } => {
                subject.places.push(target::Place::In(container))
            }
            _ => return Err(not_understood(rest)),
        }
    }
    Ok(what)
}

/// What follows `there is`: a number of things, or one thing.
fn there_is(words: Words<'_>, whole: Words<'_>) -> Result<What, NotLiteral> {
    let mut words = words.trim();
    words.eat_end("on the page|on this page|shown|left|visible|open|displayed|in total");
    if let Some(number) = quantity(words) {
        return count_of(number, words);
    }
    if words.is_empty() {
        return Err(not_understood(whole));
    }
    Ok(What::Shown(thing(words)?))
}

/// `at least 3`, `no`, `exactly two`, `5 or more`: the comparison, the number and how many words say so.
fn quantity(words: Words<'_>) -> Option<(Op, usize, usize)> {
    let mut rest = words;
    let lead = rest.eat(
        "at least|at most|more than|fewer than|less than|exactly|only|no more than|\
            no fewer than|not more than|up to",
    );
    let taken = words.len() - rest.len();
    let word = rest.low(0);
    let number = values::count(word)?;
    if word.is_empty() || (word == "no" && rest.len() < 2) {
        return None;
    }
    let op = match lead {
        Some("at least" | "no fewer than") => Op::AtLeast,
        Some("at most" | "no more than" | "not more than" | "up to") => Op::AtMost,
        Some("more than") => Op::More,
        Some("fewer than" | "less than") => Op::Less,
        _ if rest.has(1, "or more") > 0 => return (rest.len() > 3).then_some((Op::AtLeast, number, taken + 3)),
        _ if rest.has(1, "or fewer") + rest.has(1, "or less") > 0 => {
            return (rest.len() > 3).then_some((Op::AtMost, number, taken + 3));
        }
        _ => Op::Is,
    };
    (rest.len() > 1).then_some((op, number, taken + 1))
}

fn count_of((op, number, taken): (Op, usize, usize), words: Words<'_>) -> Result<What, NotLiteral> {
    let things = words.from(taken);
    let text = things.text().to_lowercase();
    if matches!(text.as_str(), "tab" | "tabs" | "browser tab" | "browser tabs" | "open tabs" | "open tab" | "windows") {
        return Ok(What::Tabs { op, number });
    }
    if matches!(text.as_str(), "dialog" | "dialogs" | "alert" | "alerts" if number == 0) {
        return Ok(What::Not(Box::new(What::Shown(target::phrase(things)?))));
    }
    let things = target::phrase(things)?;
    if things.kind.is_none() && !things.quoted {
        return Err(NotLiteral::new(
            words.source(),
            format!("`{}` is not a kind of element that can be counted", things.said),
        )
        .suggest("there are 3 rows in the table \"Users\""));
    }
    if number == 0 && op == Op::Is && things.quoted {
        return Ok(What::Not(Box::new(What::Shown(things))));
    }
    Ok(What::Count { things, op, number })
}

fn state(words: &str) -> Option<State> {
    Some(match words {
        "checked" | "ticked" | "on" | "switched on" | "turned on" | "marked" => State::Checked,
        "unchecked" | "unticked" | "off" | "switched off" | "turned off" | "clear" | "cleared" => State::Unchecked,
        "enabled" | "active" | "clickable" => State::Enabled,
        "disabled" | "greyed out" | "grayed out" | "inactive" => State::Disabled,
        "selected" | "chosen" | "picked" => State::Selected,
        "expanded" | "open" | "opened" | "unfolded" => State::Expanded,
        "collapsed" | "closed" | "folded" => State::Collapsed,
        "focused" | "in focus" | "focussed" => State::Focused,
        "pressed" => State::Pressed,
        "required" | "mandatory" => State::Required,
        "read-only" | "readonly" | "read only" => State::Readonly,
        "invalid" => State::Invalid,
        "current" | "the current page" | "the current one" => State::Current,
        "editable" => State::Editable,
        "busy" => State::Busy,
        _ => return None,
    })
}
