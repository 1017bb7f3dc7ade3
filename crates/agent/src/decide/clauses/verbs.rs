//! The verbs, one small grammar each.

use legwork_protocol::Button;

use super::*;
use crate::decide::texts::{self, given};

pub(super) type Read = Result<Vec<Clause>, NotLiteral>;

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
pub(super) fn starts(words: Words<'_>) -> bool {
    VERBS.split('|').any(|verb| verb == words.low(0))
        || words.low(0) == "should"
        || words.low(0).ends_with("-click")
        || words.low(0).ends_with("+click")
}

/// Whether the word is one that a clause begins with.
pub(super) fn is_one(word: &str) -> bool {
    VERBS.split('|').any(|verb| verb == word)
}

/// `once "Saved" is shown, …`
pub(super) fn is_condition_start(words: Words<'_>) -> bool {
    matches!(words.low(0), "once" | "when" | "after" | "as")
        || (matches!(words.low(0), "in" | "under" | "within" | "inside")
            && words.tokens().iter().any(|token| token.low == ","))
}

/// Clauses that say first where, or after what: `In the "Billing" section, click "Edit"`.
pub(super) fn placed(words: Words<'_>) -> Option<Read> {
    let comma = words.tokens().iter().position(|token| token.low == ",")?;
    let rest = polite(words.from(comma + 1));
    if !starts(rest) {
        return None;
    }
    let mut lead = words.up_to(comma);
    if lead.eat("once|when|as soon as|after|while").is_some() {
        let mut wait = condition(lead).ok()?;
        wait.wait(None);
        return Some(clauses(rest).map(|rest| std::iter::once(checked(wait)).chain(rest).collect()));
    }
    if lead.eat("in order to|to").is_some() {
        return Some(clauses(rest));
    }
    let place = target::place(lead, true)?;
    Some(clauses(rest).and_then(|mut rest| {
        for clause in &mut rest {
            let held = match clause {
                Clause::Do(instruction) => instruction.deed.put(&place),
                Clause::Check(check) => check.put(&place),
            };
            if !held {
                return Err(NotLiteral::new(words.source(), "a part of the sentence cannot be limited to a place")
                    .at(words.up_to(comma)));
            }
        }
        Ok(rest)
    }))
}

impl Deed {
    /// Limits it to a place; answers whether it can be.
    fn put(&mut self, place: &Place) -> bool {
        if matches!(place, Place::In(about) if about.said == "page") {
            return true;
        }
        let target = match self {
            Deed::Click(Clicking { target, .. })
            | Deed::Fill { target, .. }
            | Deed::FillBoth { target, .. }
            | Deed::Append { target, .. }
            | Deed::Clear(target)
            | Deed::PressOrClick { target, .. }
            | Deed::Tick { target, .. }
            | Deed::Set { target, .. }
            | Deed::Slide { target, .. }
            | Deed::Hover(target)
            | Deed::Focus(target)
            | Deed::ScrollTo(target)
            | Deed::Agree(target)
            | Deed::Drag { target, .. }
            | Deed::Expand { target, .. }
            | Deed::Save { what: Saved::Of { target, .. } | Saved::Count { things: target, .. }, .. } => target,
            Deed::Choose { from: Some(target), .. }
            | Deed::Chosen { from: Some(target), .. }
            | Deed::Type { target: Some(target), .. }
            | Deed::Press { target: Some(target), .. }
            | Deed::Upload { target: Some(target), .. }
            | Deed::Search { field: Some(target), .. }
            | Deed::Read(Some(target)) => target,
            Deed::Choose { places, .. } | Deed::Chosen { places, from: None, .. } => {
                places.push(place.clone());
                return true;
            }
            _ => return false,
        };
        target.places.push(place.clone());
        true
    }
}

/// One clause. A list of targets (`Click "A" and "B"`) makes several.
pub(super) fn clause(words: Words<'_>) -> Read {
    let words = words.trim();
    let mut rest = words;
    if let Some(by) = by_clicking(words) {
        return clause(by);
    }
    let one = |deed: Deed| Ok(vec![instruction(words, deed)]);
    let low = words.low(0);
    if let Some(check) = verbs_check(words) {
        return check;
    }
    if low.contains("click") || low == "double" || low == "right" || low == "follow" || (low == "tap") {
        return click(words);
    }
    match low {
        "open" | "visit" | "browse" | "navigate" | "load" => open(words),
        "go" if matches!(
            words.bare().text().to_lowercase().as_str(),
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
            one(Deed::Back)
        }
        "go" if matches!(
            words.text().to_lowercase().as_str(),
            "go forward" | "go one page forward" | "go forward one page" | "go forward a page" | "go forward once"
        ) =>
        {
            one(Deed::Forward)
        }
        "go" => open(words),
        "press" | "hit" => press(words),
        "choose" | "select" | "pick" => choose(words),
        "type" | "write" | "input" | "enter" | "provide" => type_into(words),
        "put" if words.has(1, "the cursor") > 0 || words.has(1, "the focus") > 0 || words.has(1, "focus") > 0 => {
            rest.eat("put the cursor|put the focus|put focus");
            rest.eat("into|inside|in|on");
            one(Deed::Focus(phrase(rest)?))
        }
        "put" => type_into(words),
        "fill" => fill(words),
        "set" | "change" => set(words),
        "replace" => {
            rest.eat(
                "replace the text in|replace the content of|replace the text of|\
            replace the value of|replace",
            );
            let (at, count) = rest.find(1, "with|by").ok_or_else(|| {
                NotLiteral::new(words.source(), "it does not say with what").suggest("Replace \"Name\" with \"Ada\"")
            })?;
            one(Deed::Fill { target: phrase(rest.up_to(at))?, text: given(rest.from(at + count))?, submit: false })
        }
        "leave" => {
            rest.eat("leave");
            if rest.eat_end("empty|blank").is_some() { each(rest, Deed::Clear, words) } else { not_known(words) }
        }
        "clear" | "empty" => {
            rest = rest.from(1);
            if rest.text().to_lowercase().starts_with("the checkbox")
                || rest.text().to_lowercase().starts_with("the tick")
                || rest.low(rest.len().saturating_sub(1)) == "checkbox"
            {
                return each(rest, |target| Deed::Tick { target, on: false }, words);
            }
            rest.eat("out");
            rest.eat(
                "the text in|the text from|the text of|the content of|the contents of|\
            the value of|text from",
            );
            each(rest, Deed::Clear, words)
        }
        "append" => {
            rest = rest.from(1);
            let (text, target) = text_and_target(rest, "to the end of|to|into|in|onto", words)?;
            one(Deed::Append { target: phrase(target)?, text })
        }
        "submit" => {
            rest = rest.from(1).bare();
            if rest.is_empty() {
                one(Deed::Submit(None))
            } else {
                one(Deed::Submit(Some(phrase(rest)?).filter(|phrase| phrase.said.to_lowercase() != "form")))
            }
        }
        "check" | "tick" | "mark" | "enable" | "activate" | "uncheck" | "untick" | "unmark" | "disable"
        | "deactivate" | "deselect" | "unselect" | "turn" | "switch" | "toggle" => tick(words),
        "accept" | "agree" | "dismiss" | "cancel" | "ok" | "confirm" => dialog(words),
        "answer" => {
            rest.eat("answer");
            let (at, count) = rest.find(0, "with|by typing|by entering|by writing").ok_or_else(|| {
                NotLiteral::new(words.source(), "it does not say with what").suggest("Answer the prompt with \"Ada\"")
            })?;
            one(Deed::Dialog { accept: true, text: Some(given(rest.from(at + count))?) })
        }
        "hover" | "mouse" | "move" => {
            rest.eat(
                "hover the mouse|hover the pointer|hover|move the mouse|move the pointer|\
            move the cursor|move mouse|mouse|move",
            );
            if low == "move" && rest.len() + 1 == words.len() {
                return drag(words);
            }
            rest.eat("over to|over|on top of|onto|on|to|above|at");
            one(Deed::Hover(phrase(rest)?))
        }
        "focus" => {
            rest.eat("focus on|focus into|focus in|focus");
            one(Deed::Focus(phrase(rest)?))
        }
        "scroll" => scroll(words),
        "drag" => drag(words),
        "upload" | "attach" => upload(words),
        "reload" | "refresh" => {
            let what = rest.from(1).bare().text().to_lowercase();
            if matches!(
                what.as_str(),
                "" | "page" | "site" | "tab" | "browser" | "current page" | "current tab" | "browser tab" | "web page"
            ) {
                one(Deed::Reload)
            } else {
                not_known(words)
            }
        }
        "wait" => wait(words),
        "close" => close(words),
        "save" | "remember" | "store" | "copy" | "note" | "get" | "capture" | "read" | "take" => save(words),
        "download" => {
            rest = rest.from(1);
            rest.eat("the file|file");
            let mut clauses = click_on(rest, words, Button::Left, 1, Vec::new())?;
            clauses.push(downloaded(words, None));
            Ok(clauses)
        }
        "log" | "login" | "sign" => login(words),
        "search" => {
            rest.eat("search");
            let field = if rest.low(0) != "for"
                && let Some((at, _)) = rest.find(0, "for")
            {
                let mut field = rest.up_to(at);
                field.eat("in|with|using|through|on");
                rest = rest.from(at);
                (!matches!(field.bare().low(0), "page" | "site" | "website")).then(|| phrase(field)).transpose()?
            } else {
                None
            };
            rest.eat("for");
            let (text, target) = split_text(rest, "using|with|in|on|through")?;
            let target = target
                .filter(|target| !matches!(target.bare().low(0), "page" | "site" | "website"))
                .map(phrase)
                .transpose()?;
            if text.is_empty() {
                return Err(NotLiteral::new(words.source(), "it does not say what to search for")
                    .suggest("Search for \"lamp\""));
            }
            one(Deed::Search { text: given(text)?, field: field.or(target) })
        }
        "expand" | "collapse" => {
            let open = low == "expand";
            each(rest.from(1), |target| Deed::Expand { target, open }, words)
        }
        _ => not_known(words),
    }
}

pub(super) fn not_known(words: Words<'_>) -> Read {
    let verb = words.low(0);
    let problem = if verb.is_empty() {
        NotLiteral::new(words.source(), "it does not begin with something to do")
    } else {
        let problem = format!("`{}` is not something this can do literally", words.text_as_written());
        let problem = NotLiteral::new(words.source(), problem);
        // Of the whole sentence that is said already.
        if words.before().trim().is_empty() { problem } else { problem.at(words) }
    };
    let nearest =
        VERBS.split('|').map(|known| (strsim::jaro_winkler(verb, known), known)).max_by(|a, b| a.0.total_cmp(&b.0));
    Err(match (nearest, verb) {
        (_, "logout" | "log" | "sign") => problem.suggest("Click \"Log out\""),
        (Some((alike, known)), _) if alike > 0.85 && known != verb => {
            problem.suggest(format!("{}{} {}", known[..1].to_uppercase(), &known[1..], words.from(1).text_as_written()))
        }
        _ => problem.suggest(
            "Click \"Save\", Type \"Ada\" into \"Name\", Choose \"Blue\" from \"Colour\", Check that \"Done\" is shown",
        ),
    })
}

/// What is done is said exactly: `Submit the form by clicking "Send"`.
pub(super) fn by_clicking(words: Words<'_>) -> Option<Words<'_>> {
    let (at, _) = words.find(1, "by clicking|by pressing|by choosing|by tapping|by selecting")?;
    // What is said before is what the click is for; more than that in it is not understood.
    if !starts(words) || texts::name(words.up_to(at)).is_err() {
        return None;
    }
    // The gerund is read as its verb below: `clicking` contains `click`.
    Some(words.from(at + 1)).filter(|by| by.len() > 1)
}

pub(super) fn each(words: Words<'_>, deed: impl Fn(Phrase) -> Deed, whole: Words<'_>) -> Read {
    let pieces = quoted_list(words);
    let several = pieces.len() > 1;
    pieces.into_iter().map(|piece| Ok(instruction(if several { piece } else { whole }, deed(phrase(piece)?)))).collect()
}

pub(super) fn verbs_check(words: Words<'_>) -> Option<Read> {
    let mut rest = words;
    let sure = rest.eat(
        "check that|check if|check whether|verify that|verify whether|verify if|\
            verify|make sure that|make sure|ensure that|ensure|assert that|assert|confirm that|\
            expect that|expect to see|expect|see that|should see|see|validate that|check for|\
            double-check that",
    );
    if sure.is_some() {
        return Some(condition(rest).map(|check| vec![checked(check)]));
    }
    // `Check "Remember me"` ticks; `Check "Saved" is shown` has something to check.
    if rest.eat("check|confirm").is_some() && conditions::has_predicate(rest) {
        return Some(condition(rest).map(|check| vec![checked(check)]));
    }
    None
}
