//! Pages, tabs, dialogs, scrolling, waiting, logging in.

use legwork_protocol::{Button, Modifier};

use super::*;
use crate::{element_kind::ElementKind, target_phrase::Ordinal, texts::given, values};

pub(super) fn open(input: TokenStream<'_>) -> ParseResult {
    let mut rest = input;
    rest.take_prefix(
        "open up|open|visit|navigate back to|navigate to|navigate|browse to|browse|\
            load|go back to|go over to|go to|go on to|go",
    );
    let one = |operation: Operation| Ok(vec![instruction(input, operation)]);
    if rest.strip_articles().is_empty() {
        return Err(ParseError::new(input.source(), "it does not say where to go").suggest("Open https://example.com"));
    }
    let mut bare = rest.strip_articles();
    let fresh = bare.take_prefix("new browser tab|new tab|another tab|new window|blank tab|empty tab").is_some();
    if fresh {
        bare.take_prefix(
            "with the address|with the url|and go to|with|at|on|for|to|and open|\
            and visit|and navigate to",
        );
        let bare = bare.strip_articles();
        return one(Operation::NewTab((!bare.is_empty()).then(|| values::address(&bare.text()))));
    }
    let in_tab =
        rest.take_suffix("in a new browser tab|in a new tab|in another tab|in a new window|in new tab").is_some();
    let mut bare = rest.strip_articles();
    if bare.len() > 1 {
        bare.take_prefix("web page|webpage|page at|page|website|web site|site|url|address|web address");
        bare.take_prefix("at|:");
        bare = bare.trim();
    }
    if let [token] = bare.tokens()
        && values::is_address(&token.text, token.quoted())
    {
        let url = values::address(&token.text);
        return one(if in_tab { Operation::NewTab(Some(url)) } else { Operation::Open(url) });
    }
    if let Some(tab) = tab(rest) {
        return one(Operation::SwitchTab(tab));
    }
    if rest.strip_articles().has(0, "previous page") > 0 {
        return one(Operation::Back);
    }
    let modifiers = if in_tab { vec![Modifier::Control] } else { Vec::new() };
    let target = phrase(rest)?;
    one(Operation::Click(Clicking { target, button: Button::Left, count: 1, modifiers }))
}

pub(super) fn dialog(input: TokenStream<'_>) -> ParseResult {
    let mut rest = input;
    let verb = input.lower(0);
    rest.take_prefix("accept|agree to|agree with|agree|dismiss|cancel|ok|confirm");
    let accept = !matches!(verb, "dismiss" | "cancel");
    let one = |operation: Operation| Ok(vec![instruction(input, operation)]);
    let mut text = None;
    if let Some((at, count)) = rest.find(1, "with the text|with the answer|with|by typing|by entering|typing|answering")
    {
        text = Some(given(rest.from(at + count))?);
        rest = rest.take(at);
    }
    let bare = rest.strip_articles();
    // `Click "Delete" and dismiss it`: nothing else is accepted or dismissed that was not named.
    let it = bare.len() == 1 && bare.lower(0) == "it";
    if it || is_js_dialog(bare) {
        return one(Operation::Dialog { accept, text });
    }
    if verb == "ok" || verb == "confirm" || bare.is_empty() || text.is_some() {
        return not_known(input);
    }
    if accept {
        // `Accept all` is what such buttons are called.
        if rest.strip_articles().text().eq_ignore_ascii_case("all") {
            return one(Operation::Agree(TargetPhrase::named("all")));
        }
        one(Operation::Agree(phrase(rest)?))
    } else {
        // `Dismiss the notification`, `Cancel the upload`: which control does that is not said.
        Err(ParseError::new(input.source(), format!("`{verb}` is for dialogs; it does not say what to click"))
            .suggest("Click \"Close\""))
    }
}

pub(super) fn is_js_dialog(input: TokenStream<'_>) -> bool {
    let core = |at: usize| {
        matches!(
            input.lower(at),
            "dialog" | "dialogue" | "alert" | "confirm" | "confirmation" | "prompt" | "popup" | "pop-up"
        )
    };
    if !(0..input.len()).any(core) {
        return false;
    }
    (1..=4).contains(&input.len())
        && (0..input.len()).all(|at| {
            matches!(
                input.lower(at),
                "dialog"
                    | "dialogue"
                    | "alert"
                    | "confirm"
                    | "confirmation"
                    | "prompt"
                    | "popup"
                    | "pop-up"
                    | "javascript"
                    | "js"
                    | "browser"
                    | "box"
                    | "message"
                    | "next"
                    | "open"
                    | "window"
                    | "modal"
                    | "question"
                    | "warning"
                    | "it"
            )
        })
        && input.lower(0) != "message"
}

pub(super) fn scroll(input: TokenStream<'_>) -> ParseResult {
    let mut rest = input.from(1);
    let one = |operation: Operation| Ok(vec![instruction(input, operation)]);
    if rest.take_suffix("into view|into the view").is_some() {
        return one(Operation::ScrollTo(phrase(rest)?));
    }
    rest.take_prefix("the page|page");
    let directions: &[(&str, Direction)] = &[
        ("all the way down", Direction::Bottom),
        ("all the way up", Direction::Top),
        ("to the very bottom", Direction::Bottom),
        ("to the bottom", Direction::Bottom),
        ("to bottom", Direction::Bottom),
        ("to the end", Direction::Bottom),
        ("to the very top", Direction::Top),
        ("to the top", Direction::Top),
        ("to top", Direction::Top),
        ("back to the top", Direction::Top),
        ("to the beginning", Direction::Top),
        ("to the start", Direction::Top),
        ("back up", Direction::Up),
        ("down to the bottom", Direction::Bottom),
        ("up to the top", Direction::Top),
        ("downwards", Direction::Down),
        ("upwards", Direction::Up),
        ("down", Direction::Down),
        ("up", Direction::Up),
        ("to the left", Direction::Left),
        ("to the right", Direction::Right),
        ("left", Direction::Left),
        ("right", Direction::Right),
    ];
    let mut best: Option<(usize, usize, Direction)> = None;
    for (phrase, direction) in directions {
        if let Some((at, count)) = rest.find(0, phrase)
            && best.is_none_or(|(found, taken, _)| at < found || (at == found && count > taken))
        {
            best = Some((at, count, *direction));
        }
    }
    if let Some((at, count, direction)) = best {
        let (before, mut after) = (rest.take(at), rest.from(at + count));
        let mut screens = None;
        if let Some(number) = after.lower(0).parse::<f64>().ok().or_else(|| {
            values::count(after.lower(0)).map(|n| n as f64).or_else(|| (after.lower(0) == "a").then_some(1.0))
        }) && matches!(after.lower(1), "screen" | "screens" | "page" | "pages" | "times")
        {
            screens = Some(number);
            after = after.from(2);
        } else if after.has(0, "by one screen") > 0 {
            screens = Some(1.0);
            after = after.from(3);
        }
        let towards = matches!(after.lower(0), "to" | "until" | "towards");
        after.take_prefix("in|inside|within|of|on|to|until|towards");
        let whole_page = |input: TokenStream<'_>| {
            let bare = input.strip_articles();
            bare.is_empty() || (bare.len() == 1 && matches!(bare.lower(0), "page" | "screen" | "window"))
        };
        let target = if !before.is_empty() && !whole_page(before) {
            // `the list to the end of its items`; anything longer is another thing to do, without a joint.
            if after.strip_articles().len() > 1 {
                return not_known(input);
            }
            Some(phrase(before)?)
        } else if !whole_page(after) {
            let target = phrase(after)?;
            if towards {
                return one(Operation::ScrollTo(target));
            }
            Some(target)
        } else {
            None
        };
        return one(Operation::Scroll { direction, screens, target });
    }
    rest.take_prefix("to|until you see|until|towards");
    rest.take_suffix("is visible|is in view|is shown|appears");
    one(Operation::ScrollTo(phrase(rest)?))
}

pub(super) fn wait(input: TokenStream<'_>) -> ParseResult {
    let mut rest = input.from(1);
    let one = |operation: Operation| Ok(vec![instruction(input, operation)]);
    // The limit may stand before or after what is waited for.
    let mut limit = None;
    for lead in [
        "for up to",
        "for at most",
        "for no longer than",
        "for a maximum of",
        "up to",
        "at most",
        "no longer than",
        "a maximum of",
        "max",
        "within",
    ] {
        let start = if rest.has(0, lead) > 0 { Some((0, rest.has(0, lead))) } else { rest.find(1, lead) };
        if let Some((at, count)) = start
            && let Some((seconds, taken)) = values::seconds(rest.from(at + count))
            && (at == 0 || at + count + taken == rest.len())
        {
            limit = Some(seconds);
            rest = if at == 0 { rest.from(count + taken) } else { rest.take(at) };
            break;
        }
    }
    rest = rest.trim();
    let start = rest.take_prefix("for|until|till|that");
    if let Some((seconds, taken)) = values::seconds(rest)
        && taken == rest.len()
        && start != Some("until")
    {
        return one(Operation::Wait(Wait { seconds: Some(seconds), ..Wait::default() }));
    }
    if rest.len() == 1 && !rest.quoted(0) && rest.lower(0).parse::<f64>().is_ok() {
        return Err(ParseError::new(input.source(), "it does not say of what")
            .suggest(format!("Wait {} seconds", rest.lower(0))));
    }
    if rest.is_empty() {
        return Err(ParseError::new(input.source(), "it does not say what to wait for").suggest("Wait for \"Done\""));
    }
    if matches!(rest.strip_articles().lower(0), "moment" | "bit" | "while") {
        return Err(ParseError::new(input.source(), "it does not say how long").suggest("Wait 2 seconds"));
    }
    if let Some(state) = load_state(rest) {
        return one(Operation::Wait(Wait { state: Some(state), seconds: limit, ..Wait::default() }));
    }
    let plain = rest.strip_articles();
    if matches!(
        plain.text().to_lowercase().as_str(),
        "download"
            | "download to finish"
            | "download to complete"
            | "file to download"
            | "file"
            | "download is finished"
            | "download is complete"
            | "file to be downloaded"
    ) {
        let mut check = Check::downloaded(input.source(), None);
        check.wait(limit);
        return Ok(vec![checked(check)]);
    }
    let mut check = condition_of_wait(rest).map_err(|problem| problem.suggest("Wait for \"Done\""))?;
    check.wait(limit);
    // What the browser can watch for by itself it waits for by itself.
    if let Some(wait) = check.as_wait(limit) {
        return one(Operation::Wait(wait));
    }
    Ok(vec![checked(check)])
}

/// `"Done" to appear`, `the dialog to close`, `"Done"`.
pub(super) fn condition_of_wait(input: TokenStream<'_>) -> Result<Check, ParseError> {
    let mut rest = input;
    if rest
        .take_suffix(
            "to appear|to be shown|to be visible|to be displayed|to show up|to show|\
            to come up|to open|to become visible|to be present|to load|to be there",
        )
        .is_some()
    {
        return Check::shown(input.source(), phrase(rest)?, false);
    }
    if rest
        .take_suffix(
            "to disappear|to be gone|to go away|to vanish|to close|to be hidden|\
            to be removed|to finish|to be closed|to not be visible|disappears|goes away|\
            vanishes|closes",
        )
        .is_some()
    {
        return Check::shown(input.source(), phrase(rest)?, true);
    }
    if let Some((at, _)) = rest.find(1, "to be|to become|to contain|to say|to have|to equal|to read|to show") {
        return conditions::infinitive(rest.take(at), rest.from(at + 1));
    }
    if conditions::has_predicate(rest) {
        return condition(rest);
    }
    Check::shown(input.source(), phrase(rest)?, false)
}

/// Words that name a browser tab.
pub(super) fn tab(input: TokenStream<'_>) -> Option<Tabs> {
    let mut rest = input.strip_articles();
    if rest.take_prefix("tab number|tab no|tab|browser tab|window").is_some() && !rest.is_empty() {
        if let Ok(number) = rest.lower(0).parse() {
            return (rest.len() == 1).then_some(Tabs::Nth(number));
        }
        rest.take_prefix(
            "with the title|titled|named|called|with title|with the address|with|\
            containing|whose title is",
        );
        return rest.quoted(0).then(|| {
            Tabs::Named(Box::new(TargetPhrase { kind: Some(ElementKind::Tab), ..TargetPhrase::named(rest.text()) }))
        });
    }
    let mut rest = input.strip_articles();
    rest.take_suffix("browser tab|tab|window")?;
    if let Some((ordinal, count)) = target_phrase::ordinal(rest)
        && count == rest.len()
    {
        return Some(match ordinal {
            Ordinal::Nth(number) => Tabs::Nth(number),
            Ordinal::FromEnd(number) => Tabs::FromEnd(number),
        });
    }
    match rest.text().to_lowercase().as_str() {
        "new" | "newest" | "newly opened" | "opened" | "latest" | "just opened" | "popup" => Some(Tabs::Newest),
        "previous" | "original" => Some(Tabs::Previous),
        "next" => Some(Tabs::Next),
        "other" => Some(Tabs::Other),
        "main" | "initial" => Some(Tabs::Nth(1)),
        _ if rest.quoted(0) && rest.len() == 1 => Some(Tabs::Named(Box::new(TargetPhrase {
            kind: Some(ElementKind::Tab),
            ..TargetPhrase::named(rest.text())
        }))),
        _ => None,
    }
}

pub(super) fn close(input: TokenStream<'_>) -> ParseResult {
    let rest = input.from(1);
    let one = |operation: Operation| Ok(vec![instruction(input, operation)]);
    let bare = rest.strip_articles();
    if matches!(bare.text().to_lowercase().as_str(), "tab" | "current tab" | "window" | "browser tab" | "page") {
        return one(Operation::CloseTab(None));
    }
    if let Some(tab) = tab(rest) {
        return one(Operation::CloseTab(Some(tab)));
    }
    if is_js_dialog(bare) {
        return one(Operation::Dialog { accept: false, text: None });
    }
    Err(ParseError::new(input.source(), "it does not say what to click to close it").suggest("Click \"Close\""))
}

pub(super) fn login(input: TokenStream<'_>) -> ParseResult {
    let mut rest = input;
    rest.take_prefix("log me in|log in|log on|login|sign in|sign on")
        .ok_or(())
        .or_else(|()| not_known(input).map(|_| ""))?;
    if rest.is_empty() {
        return Err(ParseError::new(input.source(), "it does not say as whom")
            .suggest("Log in as \"alice\" with password \"…\", or: Click \"Log in\""));
    }
    rest.take_prefix(
        "as the user|as user|as|with the user name|with the username|with username|\
            with user name|with user|with email|with the email|with the email address|using",
    );
    if rest.has(0, "with password") + rest.has(0, "with the password") == 0 {
        rest.take_prefix("with");
    }
    let find = "and the password|and with password|with the password|with password|and password|using the password|using password|/|, password|with|and";
    let Some((at, count)) = rest.find(0, find) else {
        let problem = ParseError::new(input.source(), "it does not say with which password")
            .suggest("Log in as \"alice\" with password \"${secret:PASSWORD}\"");
        return Err(if rest.len() > 1 { problem.at(rest) } else { problem });
    };
    let user = rest.take(at).trim();
    let rest = rest.from(at + count);
    for (part, what) in [(user, "a user name"), (rest, "a password")] {
        if part.len() > 1 {
            return Err(ParseError::new(
                input.source(),
                format!("`{}` was not understood as {what}", part.text_as_written()),
            )
            .at(part)
            .suggest("Log in as \"alice\" with password \"${secret:PASSWORD}\""));
        }
    }
    if rest.is_empty() {
        return Err(ParseError::new(input.source(), "it does not say with which password")
            .suggest("Log in as \"alice\" with password \"${secret:PASSWORD}\""));
    }
    let user = if user.is_empty() { None } else { Some(given(user)?) };
    Ok(vec![instruction(input, Operation::Login { user, password: given(rest)? })])
}
