//! The verbs, one small grammar each.

use legwork_protocol::Button;

use super::*;
use crate::texts::{self, given};

pub(super) type ParseResult = Result<Vec<Clause>, ParseError>;

const VERBS: &str = "open|go|visit|navigate|browse|load|click|press|tap|hit|choose|double-click|\
            doubleclick|double|right-click|rightclick|right|middle-click|follow|shift-click|\
            ctrl-click|control-click|type|enter|fill|input|write|set|clear|empty|append|submit|\
            select|pick|check|tick|mark|enable|uncheck|untick|unmark|disable|turn|switch|\
            toggle|accept|agree|hover|focus|scroll|drag|upload|attach|dismiss|cancel|answer|ok|\
            reload|refresh|wait|close|save|remember|store|copy|download|take|read|log|login|\
            sign|search|verify|make|ensure|assert|confirm|expect|see|deselect|unselect|expand|\
            collapse|move|put|activate|deactivate|change|replace|leave|mouse|note|get|capture|\
            context-click|provide";

/// Whether a clause may begin here.
pub(super) fn starts(input: TokenStream<'_>) -> bool {
    VERBS.split('|').any(|verb| verb == input.lower(0))
        || input.lower(0) == "should"
        || input.lower(0).ends_with("-click")
        || input.lower(0).ends_with("+click")
}

/// Whether the word is one that a clause begins with.
pub(super) fn is_one(word: &str) -> bool {
    VERBS.split('|').any(|verb| verb == word)
}

/// `once "Saved" is shown, …`
pub(super) fn is_condition_start(input: TokenStream<'_>) -> bool {
    matches!(input.lower(0), "once" | "when" | "after" | "as")
        || (matches!(input.lower(0), "in" | "under" | "within" | "inside")
            && input.tokens().iter().any(|token| token.lower == ","))
}

/// Clauses that say first where, or after what: `In the "Billing" section, click "Edit"`.
pub(super) fn placed(input: TokenStream<'_>) -> Option<ParseResult> {
    let comma = input.tokens().iter().position(|token| token.lower == ",")?;
    let rest = strip_filler(input.from(comma + 1));
    if !starts(rest) {
        return None;
    }
    let mut lead = input.take(comma);
    if lead.take_prefix("once|when|as soon as|after|while").is_some() {
        let mut wait = condition(lead).ok()?;
        wait.wait(None);
        return Some(clauses(rest).map(|rest| std::iter::once(checked(wait)).chain(rest).collect()));
    }
    if lead.take_prefix("in order to|to").is_some() {
        return Some(clauses(rest));
    }
    let scope = target_phrase::parse_scope(lead, true)?;
    Some(clauses(rest).and_then(|mut rest| {
        for clause in &mut rest {
            let held = match clause {
                Clause::Do(instruction) => instruction.operation.put(&scope),
                Clause::Check(check) => check.put(&scope),
            };
            if !held {
                return Err(ParseError::new(input.source(), "a part of the sentence cannot be limited to a place")
                    .at(input.take(comma)));
            }
        }
        Ok(rest)
    }))
}

impl Operation {
    /// Limits it to a place; answers whether it can be.
    fn put(&mut self, scope: &Scope) -> bool {
        if matches!(scope, Scope::In(about) if about.source_text == "page") {
            return true;
        }
        let target = match self {
            Operation::Click(Clicking { target, .. })
            | Operation::Fill { target, .. }
            | Operation::FillBoth { target, .. }
            | Operation::Append { target, .. }
            | Operation::Clear(target)
            | Operation::PressOrClick { target, .. }
            | Operation::Tick { target, .. }
            | Operation::Set { target, .. }
            | Operation::Slide { target, .. }
            | Operation::Hover(target)
            | Operation::Focus(target)
            | Operation::ScrollTo(target)
            | Operation::Agree(target)
            | Operation::Drag { target, .. }
            | Operation::Expand { target, .. }
            | Operation::Save { what: Saved::Of { target, .. } | Saved::Count { things: target, .. }, .. } => target,
            Operation::Choose { from: Some(target), .. }
            | Operation::Chosen { from: Some(target), .. }
            | Operation::Type { target: Some(target), .. }
            | Operation::Press { target: Some(target), .. }
            | Operation::Upload { target: Some(target), .. }
            | Operation::Search { field: Some(target), .. }
            | Operation::Read(Some(target)) => target,
            Operation::Choose { scopes, .. } | Operation::Chosen { scopes, from: None, .. } => {
                scopes.push(scope.clone());
                return true;
            }
            _ => return false,
        };
        target.scopes.push(scope.clone());
        true
    }
}

/// One clause. A list of targets (`Click "A" and "B"`) makes several.
pub(super) fn clause(input: TokenStream<'_>) -> ParseResult {
    let input = input.trim();
    let mut rest = input;
    if let Some(by) = by_clicking(input) {
        let mut clauses = clause(by)?;
        if input.lower(0) == "download" {
            clauses.push(downloaded(input, None));
        }
        return Ok(clauses);
    }
    let one = |operation: Operation| Ok(vec![instruction(input, operation)]);
    let lower = input.lower(0);
    if let Some(check) = verbs_check(input) {
        return check;
    }
    if lower.contains("click") || lower == "double" || lower == "right" || lower == "follow" || (lower == "tap") {
        return click(input);
    }
    match lower {
        "open" | "visit" | "browse" | "navigate" | "load" => open(input),
        "go" if matches!(
            input.strip_articles().text().to_lowercase().as_str(),
            "go back"
                | "go one page back"
                | "go back one page"
                | "go back a page"
                | "go back one step"
                | "go back once"
                | "go back to the previous page"
                | "go back to the last page"
                | "go back in the browser"
                | "go back in the history"
        ) =>
        {
            one(Operation::Back)
        }
        "go" if matches!(
            input.text().to_lowercase().as_str(),
            "go forward" | "go one page forward" | "go forward one page" | "go forward a page" | "go forward once"
        ) =>
        {
            one(Operation::Forward)
        }
        "go" => open(input),
        "press" | "hit" => press(input),
        "choose" | "select" | "pick" => choose(input),
        "type" | "write" | "input" | "enter" | "provide" => type_into(input),
        "put" if input.has(1, "the cursor") > 0 || input.has(1, "the focus") > 0 || input.has(1, "focus") > 0 => {
            rest.take_prefix("put the cursor|put the focus|put focus");
            rest.take_prefix("into|inside|in|on");
            one(Operation::Focus(phrase(rest)?))
        }
        "put" => type_into(input),
        "fill" => fill(input),
        "set" | "change" => set(input),
        "replace" => {
            rest.take_prefix(
                "replace the text in|replace the content of|replace the text of|\
            replace the value of|replace",
            );
            let (at, count) = rest.find(1, "with|by").ok_or_else(|| {
                ParseError::new(input.source(), "it does not say with what").suggest("Replace \"Name\" with \"Ada\"")
            })?;
            one(Operation::Fill { target: phrase(rest.take(at))?, text: given(rest.from(at + count))?, submit: false })
        }
        "leave" => {
            rest.take_prefix("leave");
            if rest.take_suffix("empty|blank").is_some() {
                each(rest, Operation::Clear, input)
            } else {
                not_known(input)
            }
        }
        "clear" | "empty" => {
            rest = rest.from(1);
            if rest.text().to_lowercase().starts_with("the checkbox")
                || rest.text().to_lowercase().starts_with("the tick")
                || rest.lower(rest.len().saturating_sub(1)) == "checkbox"
            {
                return each(rest, |target| Operation::Tick { target, on: false }, input);
            }
            rest.take_prefix("out");
            rest.take_prefix(
                "the text in|the text from|the text of|the content of|the contents of|\
            the value of|text from",
            );
            each(rest, Operation::Clear, input)
        }
        "append" => {
            rest = rest.from(1);
            let (text, target) = text_and_target(rest, "to the end of|to|into|in|onto", input)?;
            one(Operation::Append { target: phrase(target)?, text })
        }
        "submit" => {
            rest = rest.from(1).strip_articles();
            if rest.is_empty() {
                one(Operation::Submit(None))
            } else {
                one(Operation::Submit(Some(phrase(rest)?).filter(|phrase| phrase.source_text.to_lowercase() != "form")))
            }
        }
        "check" | "tick" | "mark" | "enable" | "activate" | "uncheck" | "untick" | "unmark" | "disable"
        | "deactivate" | "deselect" | "unselect" | "turn" | "switch" | "toggle" => tick(input),
        "accept" | "agree" | "dismiss" | "cancel" | "ok" | "confirm" => dialog(input),
        "answer" => {
            rest.take_prefix("answer");
            let (at, count) = rest.find(0, "with|by typing|by entering|by writing").ok_or_else(|| {
                ParseError::new(input.source(), "it does not say with what").suggest("Answer the prompt with \"Ada\"")
            })?;
            one(Operation::Dialog { accept: true, text: Some(given(rest.from(at + count))?) })
        }
        "hover" | "mouse" | "move" => {
            rest.take_prefix(
                "hover the mouse|hover the pointer|hover|move the mouse|move the pointer|\
            move the cursor|move mouse|mouse|move",
            );
            if lower == "move" && rest.len() + 1 == input.len() {
                return drag(input);
            }
            rest.take_prefix("over to|over|on top of|onto|on|to|above|at");
            one(Operation::Hover(phrase(rest)?))
        }
        "focus" => {
            rest.take_prefix("focus on|focus into|focus in|focus");
            one(Operation::Focus(phrase(rest)?))
        }
        "scroll" => scroll(input),
        "drag" => drag(input),
        "upload" | "attach" => upload(input),
        "reload" | "refresh" => {
            let what = rest.from(1).strip_articles().text().to_lowercase();
            if matches!(
                what.as_str(),
                "" | "page" | "site" | "tab" | "browser" | "current page" | "current tab" | "browser tab" | "web page"
            ) {
                one(Operation::Reload)
            } else {
                not_known(input)
            }
        }
        "wait" => wait(input),
        "close" => close(input),
        "save" | "remember" | "store" | "copy" | "note" | "get" | "capture" | "read" | "take" => save(input),
        "download" => {
            rest = rest.from(1);
            rest.take_prefix("the file|file");
            let mut clauses = click_on(rest, input, Button::Left, 1, Vec::new())?;
            clauses.push(downloaded(input, None));
            Ok(clauses)
        }
        "log" | "login" | "sign" => login(input),
        "search" => {
            rest.take_prefix("search");
            let field = if rest.lower(0) != "for"
                && let Some((at, _)) = rest.find(0, "for")
            {
                let mut field = rest.take(at);
                field.take_prefix("in|with|using|through|on");
                rest = rest.from(at);
                (!matches!(field.strip_articles().lower(0), "page" | "site" | "website"))
                    .then(|| phrase(field))
                    .transpose()?
            } else {
                None
            };
            rest.take_prefix("for");
            let (text, target) = split_text(rest, "using|with|in|on|through")?;
            let target = target
                .filter(|target| !matches!(target.strip_articles().lower(0), "page" | "site" | "website"))
                .map(phrase)
                .transpose()?;
            if text.is_empty() {
                return Err(ParseError::new(input.source(), "it does not say what to search for")
                    .suggest("Search for \"lamp\""));
            }
            one(Operation::Search { text: given(text)?, field: field.or(target) })
        }
        "expand" | "collapse" => {
            let open = lower == "expand";
            each(rest.from(1), |target| Operation::Expand { target, open }, input)
        }
        _ => not_known(input),
    }
}

pub(super) fn not_known(input: TokenStream<'_>) -> ParseResult {
    let verb = input.lower(0);
    let problem = if verb.is_empty() {
        ParseError::new(input.source(), "it does not begin with something to do")
    } else {
        let problem = format!("`{}` is not something this can do literally", input.text_as_written());
        let problem = ParseError::new(input.source(), problem);
        // Of the whole sentence that is said already.
        if input.before().trim().is_empty() { problem } else { problem.at(input) }
    };
    let nearest =
        VERBS.split('|').map(|known| (strsim::jaro_winkler(verb, known), known)).max_by(|a, b| a.0.total_cmp(&b.0));
    Err(match (nearest, verb) {
        (_, "logout" | "log" | "sign") => problem.suggest("Click \"Log out\""),
        (Some((alike, known)), _) if alike > 0.85 && known != verb => {
            problem.suggest(format!("{}{} {}", known[..1].to_uppercase(), &known[1..], input.from(1).text_as_written()))
        }
        _ => problem.suggest(
            "Click \"Save\", Type \"Ada\" into \"Name\", Choose \"Blue\" from \"Colour\", Check that \"Done\" is shown",
        ),
    })
}

/// What is done is said exactly: `Submit the form by clicking "Send"`.
pub(super) fn by_clicking(input: TokenStream<'_>) -> Option<TokenStream<'_>> {
    let (at, _) = input.find(1, "by clicking|by pressing|by choosing|by tapping|by selecting")?;
    // What is said before is what the click is for; more than that in it is not understood. What is quoted there, such as a file to
    // upload or a thing to delete, has to be acted on.
    if !starts(input) || texts::name(input.take(at)).is_err() || (0..at).any(|at| input.quoted(at)) {
        return None;
    }
    // The gerund is read as its verb below: `clicking` contains `click`.
    Some(input.from(at + 1)).filter(|by| by.len() > 1)
}

pub(super) fn each(
    input: TokenStream<'_>,
    operation: impl Fn(TargetPhrase) -> Operation,
    whole: TokenStream<'_>,
) -> ParseResult {
    let all = phrases(input)?;
    let several = all.len() > 1;
    let source_text = |piece| if several { piece } else { whole };
    Ok(all.into_iter().map(|(piece, target)| instruction(source_text(piece), operation(target))).collect())
}

pub(super) fn verbs_check(input: TokenStream<'_>) -> Option<ParseResult> {
    let mut rest = input;
    let sure = rest.take_prefix(
        "check that|check if|check whether|verify that|verify whether|verify if|\
            verify|make sure that|make sure|ensure that|ensure|assert that|assert|confirm that|\
            expect that|expect to see|expect|see that|should see|see|validate that|check for|\
            double-check that",
    );
    if sure.is_some() {
        return Some(condition(rest).map(|check| vec![checked(check)]));
    }
    // `Check "Remember me"` ticks; `Check "Saved" is shown` has something to check.
    if rest.take_prefix("check|confirm").is_some() && conditions::has_predicate(rest) {
        return Some(condition(rest).map(|check| vec![checked(check)]));
    }
    None
}
