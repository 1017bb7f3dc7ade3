//! Pages, tabs, dialogs, scrolling, waiting, logging in.

use legwork_protocol::{Button, Modifier};

use super::*;
use crate::decide::{kinds::Kind, target::Ordinal, texts::given, values};

pub(super) fn open(words: Words<'_>) -> Read {
    let mut rest = words;
    rest.eat(
        "open up|open|visit|navigate back to|navigate to|navigate|browse to|browse|\
            load|go back to|go over to|go to|go on to|go",
    );
    let one = |deed: Deed| Ok(vec![instruction(words, deed)]);
    if rest.bare().is_empty() {
        return Err(NotLiteral::new(words.source(), "it does not say where to go").suggest("Open https://example.com"));
    }
    let mut bare = rest.bare();
    let fresh = bare.eat("new browser tab|new tab|another tab|new window|blank tab|empty tab").is_some();
    if fresh {
        bare.eat(
            "with the address|with the url|and go to|with|at|on|for|to|and open|\
            and visit|and navigate to",
        );
        let bare = bare.bare();
        return one(Deed::NewTab((!bare.is_empty()).then(|| values::address(&bare.text()))));
    }
    let in_tab = rest.eat_end("in a new browser tab|in a new tab|in another tab|in a new window|in new tab").is_some();
    let mut bare = rest.bare();
    if bare.len() > 1 {
        bare.eat("web page|webpage|page at|page|website|web site|site|url|address|web address");
        bare.eat("at|:");
        bare = bare.trim();
    }
    if let [token] = bare.tokens()
        && values::is_address(&token.text, token.quoted())
    {
        let url = values::address(&token.text);
        return one(if in_tab { Deed::NewTab(Some(url)) } else { Deed::Open(url) });
    }
    if let Some(tab) = tab(rest) {
        return one(Deed::SwitchTab(tab));
    }
    if rest.bare().has(0, "previous page") > 0 {
        return one(Deed::Back);
    }
    let modifiers = if in_tab { vec![Modifier::Control] } else { Vec::new() };
    let target = phrase(rest)?;
    one(Deed::Click(Clicking { target, button: Button::Left, count: 1, modifiers }))
}

pub(super) fn dialog(words: Words<'_>) -> Read {
    let mut rest = words;
    let verb = words.low(0);
    rest.eat("accept|agree to|agree with|agree|dismiss|cancel|ok|confirm");
    let accept = !matches!(verb, "dismiss" | "cancel");
    let one = |deed: Deed| Ok(vec![instruction(words, deed)]);
    let mut text = None;
    if let Some((at, count)) = rest.find(1, "with the text|with the answer|with|by typing|by entering|typing|answering")
    {
        text = Some(given(rest.from(at + count))?);
        rest = rest.up_to(at);
    }
    let bare = rest.bare();
    // `Click "Delete" and dismiss it`: nothing else is accepted or dismissed that was not named.
    let it = bare.len() == 1 && bare.low(0) == "it";
    if it || is_js_dialog(bare) {
        return one(Deed::Dialog { accept, text });
    }
    if verb == "ok" || verb == "confirm" || bare.is_empty() || text.is_some() {
        return not_known(words);
    }
    if accept {
        // `Accept all` is what such buttons are called.
        if rest.bare().text().eq_ignore_ascii_case("all") {
            return one(Deed::Agree(Phrase::named("all")));
        }
        one(Deed::Agree(phrase(rest)?))
    } else {
        // `Dismiss the notification`, `Cancel the upload`: which control does that is not said.
        Err(NotLiteral::new(words.source(), format!("`{verb}` is for dialogs; it does not say what to click"))
            .suggest("Click \"Close\""))
    }
}

pub(super) fn is_js_dialog(words: Words<'_>) -> bool {
    let core = |at: usize| {
        matches!(
            words.low(at),
            "dialog" | "dialogue" | "alert" | "confirm" | "confirmation" | "prompt" | "popup" | "pop-up"
        )
    };
    if !(0..words.len()).any(core) {
        return false;
    }
    (1..=4).contains(&words.len())
        && (0..words.len()).all(|at| {
            matches!(
                words.low(at),
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
        && words.low(0) != "message"
}

pub(super) fn scroll(words: Words<'_>) -> Read {
    let mut rest = words.from(1);
    let one = |deed: Deed| Ok(vec![instruction(words, deed)]);
    if rest.eat_end("into view|into the view").is_some() {
        return one(Deed::ScrollTo(phrase(rest)?));
    }
    rest.eat("the page|page");
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
        let (before, mut after) = (rest.up_to(at), rest.from(at + count));
        let mut screens = None;
        if let Some(number) =
            after.low(0).parse::<f64>().ok().or_else(|| {
                values::count(after.low(0)).map(|n| n as f64).or_else(|| (after.low(0) == "a").then_some(1.0))
            })
            && matches!(after.low(1), "screen" | "screens" | "page" | "pages" | "times")
        {
            screens = Some(number);
            after = after.from(2);
        } else if after.has(0, "by one screen") > 0 {
            screens = Some(1.0);
            after = after.from(3);
        }
        let towards = matches!(after.low(0), "to" | "until" | "towards");
        after.eat("in|inside|within|of|on|to|until|towards");
        let whole_page = |words: Words<'_>| {
            let bare = words.bare();
            bare.is_empty() || (bare.len() == 1 && matches!(bare.low(0), "page" | "screen" | "window"))
        };
        let target = if !before.is_empty() && !whole_page(before) {
            // `the list to the end of its items`; anything longer is another thing to do, without a joint.
            if after.bare().len() > 1 {
                return not_known(words);
            }
            Some(phrase(before)?)
        } else if !whole_page(after) {
            let target = phrase(after)?;
            if towards {
                return one(Deed::ScrollTo(target));
            }
            Some(target)
        } else {
            None
        };
        return one(Deed::Scroll { direction, screens, target });
    }
    rest.eat("to|until you see|until|towards");
    rest.eat_end("is visible|is in view|is shown|appears");
    one(Deed::ScrollTo(phrase(rest)?))
}

pub(super) fn wait(words: Words<'_>) -> Read {
    let mut rest = words.from(1);
    let one = |deed: Deed| Ok(vec![instruction(words, deed)]);
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
            rest = if at == 0 { rest.from(count + taken) } else { rest.up_to(at) };
            break;
        }
    }
    rest = rest.trim();
    let start = rest.eat("for|until|till|that");
    if let Some((seconds, taken)) = values::seconds(rest)
        && taken == rest.len()
        && start != Some("until")
    {
        return one(Deed::Wait(Wait { seconds: Some(seconds), ..Wait::default() }));
    }
    if rest.len() == 1 && !rest.quoted(0) && rest.low(0).parse::<f64>().is_ok() {
        return Err(
            NotLiteral::new(words.source(), "it does not say of what").suggest(format!("Wait {} seconds", rest.low(0)))
        );
    }
    if rest.is_empty() {
        return Err(NotLiteral::new(words.source(), "it does not say what to wait for").suggest("Wait for \"Done\""));
    }
    if matches!(rest.bare().low(0), "moment" | "bit" | "while") {
        return Err(NotLiteral::new(words.source(), "it does not say how long").suggest("Wait 2 seconds"));
    }
    if let Some(state) = load_state(rest) {
        return one(Deed::Wait(Wait { state: Some(state), seconds: limit, ..Wait::default() }));
    }
    let plain = rest.bare();
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
        let mut check = Check::downloaded(words.source(), None);
        check.wait(limit);
        return Ok(vec![checked(check)]);
    }
    let mut check = condition_of_wait(rest).map_err(|problem| problem.suggest("Wait for \"Done\""))?;
    check.wait(limit);
    // What the browser can watch for by itself it waits for by itself.
    if let Some(wait) = check.as_wait(limit) {
        return one(Deed::Wait(wait));
    }
    Ok(vec![checked(check)])
}

/// `"Done" to appear`, `the dialog to close`, `"Done"`.
pub(super) fn condition_of_wait(words: Words<'_>) -> Result<Check, NotLiteral> {
    let mut rest = words;
    if rest
        .eat_end(
            "to appear|to be shown|to be visible|to be displayed|to show up|to show|\
            to come up|to open|to become visible|to be present|to load|to be there",
        )
        .is_some()
    {
        return Check::shown(words.source(), phrase(rest)?, false);
    }
    if rest
        .eat_end(
            "to disappear|to be gone|to go away|to vanish|to close|to be hidden|\
            to be removed|to finish|to be closed|to not be visible|disappears|goes away|\
            vanishes|closes",
        )
        .is_some()
    {
        return Check::shown(words.source(), phrase(rest)?, true);
    }
    if let Some((at, _)) = rest.find(1, "to be|to become|to contain|to say|to have|to equal|to read|to show") {
        return conditions::infinitive(rest.up_to(at), rest.from(at + 1));
    }
    if conditions::has_predicate(rest) {
        return condition(rest);
    }
    Check::shown(words.source(), phrase(rest)?, false)
}

/// Words that name a browser tab.
pub(super) fn tab(words: Words<'_>) -> Option<Tabs> {
    let mut rest = words.bare();
    if rest.eat("tab number|tab no|tab|browser tab|window").is_some() && !rest.is_empty() {
        if let Ok(number) = rest.low(0).parse() {
            return (rest.len() == 1).then_some(Tabs::Nth(number));
        }
        rest.eat(
            "with the title|titled|named|called|with title|with the address|with|\
            containing|whose title is",
        );
        return rest
            .quoted(0)
            .then(|| Tabs::Named(Box::new(Phrase { kind: Some(Kind::Tab), ..Phrase::named(rest.text()) })));
    }
    let mut rest = words.bare();
    rest.eat_end("browser tab|tab|window")?;
    if let Some((ordinal, count)) = target::ordinal(rest)
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
        _ if rest.quoted(0) && rest.len() == 1 => {
            Some(Tabs::Named(Box::new(Phrase { kind: Some(Kind::Tab), ..Phrase::named(rest.text()) })))
        }
        _ => None,
    }
}

pub(super) fn close(words: Words<'_>) -> Read {
    let rest = words.from(1);
    let one = |deed: Deed| Ok(vec![instruction(words, deed)]);
    let bare = rest.bare();
    if matches!(bare.text().to_lowercase().as_str(), "tab" | "current tab" | "window" | "browser tab" | "page") {
        return one(Deed::CloseTab(None));
    }
    if let Some(tab) = tab(rest) {
        return one(Deed::CloseTab(Some(tab)));
    }
    if is_js_dialog(bare) {
        return one(Deed::Dialog { accept: false, text: None });
    }
    Err(NotLiteral::new(words.source(), "it does not say what to click to close it").suggest("Click \"Close\""))
}

pub(super) fn login(words: Words<'_>) -> Read {
    let mut rest = words;
    rest.eat("log me in|log in|log on|login|sign in|sign on").ok_or(()).or_else(|()| not_known(words).map(|_| ""))?;
    if rest.is_empty() {
        return Err(NotLiteral::new(words.source(), "it does not say as whom")
            .suggest("Log in as \"alice\" with password \"…\", or: Click \"Log in\""));
    }
    rest.eat(
        "as the user|as user|as|with the user name|with the username|with username|\
            with user name|with user|with email|with the email|with the email address|using",
    );
    if rest.has(0, "with password") + rest.has(0, "with the password") == 0 {
        rest.eat("with");
    }
    let find = "and the password|and with password|with the password|with password|and password|using the password|using password|/|, password|with|and";
    let Some((at, count)) = rest.find(0, find) else {
        let problem = NotLiteral::new(words.source(), "it does not say with which password")
            .suggest("Log in as \"alice\" with password \"${secret:PASSWORD}\"");
        return Err(if rest.len() > 1 { problem.at(rest) } else { problem });
    };
    let user = rest.up_to(at).trim();
    let rest = rest.from(at + count);
    for (part, what) in [(user, "a user name"), (rest, "a password")] {
        if part.len() > 1 {
            return Err(NotLiteral::new(
                words.source(),
                format!("`{}` was not understood as {what}", part.text_as_written()),
            )
            .at(part)
            .suggest("Log in as \"alice\" with password \"${secret:PASSWORD}\""));
        }
    }
    if rest.is_empty() {
        return Err(NotLiteral::new(words.source(), "it does not say with which password")
            .suggest("Log in as \"alice\" with password \"${secret:PASSWORD}\""));
    }
    let user = if user.is_empty() { None } else { Some(given(user)?) };
    Ok(vec![instruction(words, Deed::Login { user, password: given(rest)? })])
}
