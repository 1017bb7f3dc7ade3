//! The verbs, one small grammar each.

use legwork_protocol::{Button, Modifier, Wait, is_variable_name};

use super::*;
use crate::decide::{kinds::Kind, target::Ordinal, values};

type Read = Result<Vec<Clause>, NotLiteral>;

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
    Some(clauses(rest).map(|mut rest| {
        rest.iter_mut().for_each(|clause| match clause {
            Clause::Do(instruction) => instruction.deed.put(&place),
            Clause::Check(check) => check.put(&place),
        });
        rest
    }))
}

impl Deed {
    fn put(&mut self, place: &Place) {
        if matches!(place, Place::In(about) if about.said == "page") {
            return;
        }
        let target = match self {
            Deed::Click(Clicking { target, .. })
            | Deed::Fill { target, .. }
            | Deed::Append { target, .. }
            | Deed::Clear(target)
            | Deed::PressOrClick { target, .. }
            | Deed::Tick { target, .. }
            | Deed::Set { target, .. }
            | Deed::Hover(target)
            | Deed::Focus(target)
            | Deed::ScrollTo(target)
            | Deed::Agree(target)
            | Deed::Drag { target, .. }
            | Deed::Expand { target, .. }
            | Deed::Save { what: Saved::Of { target, .. } | Saved::Count(target), .. } => target,
            Deed::Choose { from: Some(target), .. }
            | Deed::Type { target: Some(target), .. }
            | Deed::Press { target: Some(target), .. }
            | Deed::Upload { target: Some(target), .. }
            | Deed::Search { field: Some(target), .. }
            | Deed::Read(Some(target)) => target,
            Deed::Choose { places, .. } => return places.push(place.clone()),
            _ => return,
        };
        target.places.push(place.clone());
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
        "go" if words.has(0, "go back") > 0
            || words.has(0, "go forward") > 0
            || words.has(0, "go one page back") > 0 =>
        {
            one(if words.low(1) == "forward" { Deed::Forward } else { Deed::Back })
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
            one(Deed::Fill { target: phrase(rest.up_to(at))?, text: rest.from(at + count).text(), submit: false })
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
            one(Deed::Dialog { accept: true, text: Some(rest.from(at + count).text()) })
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
            rest.eat("focus on|focus");
            one(Deed::Focus(phrase(rest)?))
        }
        "scroll" => scroll(words),
        "drag" => drag(words),
        "upload" | "attach" => upload(words),
        "reload" | "refresh" => {
            if rest.from(1).bare().is_empty()
                || matches!(rest.from(1).bare().low(0), "page" | "site" | "tab" | "browser" | "it" | "current")
            {
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
            let (text, target) = split_text(rest, "using|with|in|on|through");
            let target = target
                .filter(|target| !matches!(target.bare().low(0), "page" | "site" | "website"))
                .map(phrase)
                .transpose()?;
            if text.is_empty() {
                return Err(NotLiteral::new(words.source(), "it does not say what to search for")
                    .suggest("Search for \"lamp\""));
            }
            one(Deed::Search { text, field: field.or(target) })
        }
        "expand" | "collapse" => {
            let open = low == "expand";
            each(rest.from(1), |target| Deed::Expand { target, open }, words)
        }
        _ => not_known(words),
    }
}

fn not_known(words: Words<'_>) -> Read {
    let verb = words.low(0);
    let problem = if verb.is_empty() {
        NotLiteral::new(words.source(), "it does not begin with something to do")
    } else {
        NotLiteral::new(words.source(), format!("`{}` is not something this can do literally", words.text_as_written()))
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
fn by_clicking(words: Words<'_>) -> Option<Words<'_>> {
    let (at, _) = words.find(1, "by clicking|by pressing|by choosing|by tapping|by selecting")?;
    // The gerund is read as its verb below: `clicking` contains `click`.
    Some(words.from(at + 1)).filter(|by| by.len() > 1)
}

fn each(words: Words<'_>, deed: impl Fn(Phrase) -> Deed, whole: Words<'_>) -> Read {
    let pieces = quoted_list(words);
    let several = pieces.len() > 1;
    pieces.into_iter().map(|piece| Ok(instruction(if several { piece } else { whole }, deed(phrase(piece)?)))).collect()
}

fn verbs_check(words: Words<'_>) -> Option<Read> {
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

fn click(words: Words<'_>) -> Read {
    let mut rest = words;
    let mut modifiers = Vec::new();
    let (mut button, mut count) = (Button::Left, 1);
    let first = rest.low(0);
    match first {
        "double-click" | "doubleclick" | "double-clicking" => count = 2,
        "double" => {
            rest = rest.from(1);
            count = 2;
        }
        "triple-click" => count = 3,
        "right-click" | "rightclick" | "context-click" => button = Button::Right,
        "right" => {
            rest = rest.from(1);
            button = Button::Right;
        }
        "middle-click" => button = Button::Middle,
        _ => {
            let parts: Vec<&str> = first.split(['-', '+']).collect();
            for part in &parts[..parts.len() - 1] {
                match values::modifier(part) {
                    Some(modifier) => modifiers.push(modifier_of(modifier)),
                    None => return not_known(words),
                }
            }
        }
    }
    rest = rest.from(1);
    if words.low(0) == "follow" && rest.is_empty() {
        return not_known(words);
    }
    click_on(rest, words, button, count, modifiers)
}

fn modifier_of(name: &str) -> Modifier {
    match name {
        "Shift" => Modifier::Shift,
        "Alt" => Modifier::Alt,
        "Meta" => Modifier::Meta,
        _ => Modifier::Control,
    }
}

/// The rest of a click: `on the "Save" button twice with Shift held`.
fn click_on(
    mut rest: Words<'_>,
    words: Words<'_>,
    mut button: Button,
    mut count: u8,
    mut modifiers: Vec<Modifier>,
) -> Read {
    rest.eat("on|onto|at");
    if let Some((at, taken)) = rest.find(1, "while holding down|while holding|while pressing|holding down|holding|with")
    {
        let mut held = rest.from(at + taken).bare();
        let held_word = held.eat_end("key held down|key held|key pressed|held down|held|pressed|key|down").is_some();
        let names: Vec<_> = list(held)
            .iter()
            .flat_map(|piece| {
                piece.text().to_lowercase().split('+').map(|part| values::modifier(part.trim())).collect::<Vec<_>>()
            })
            .collect();
        let right = held.bare().text().to_lowercase().contains("right mouse button")
            || held.bare().text().to_lowercase() == "right button";
        if right {
            button = Button::Right;
            rest = rest.up_to(at);
        } else if !names.is_empty() && names.iter().all(Option::is_some) && (held_word || rest.low(at) != "with") {
            modifiers.extend(names.into_iter().flatten().map(modifier_of));
            rest = rest.up_to(at);
        }
    }
    if rest.eat_end("twice|two times").is_some() {
        count = 2;
    }
    let mut times = 1;
    if rest.len() > 2
        && rest.low(rest.len() - 1) == "times"
        && let Some(number) = values::count(rest.low(rest.len() - 2))
    {
        times = number.min(100);
        rest = rest.up_to(rest.len() - 2);
    }
    if rest.is_empty() {
        return Err(NotLiteral::new(words.source(), "it does not say what to click").suggest("Click \"Save\""));
    }
    let mut wait = None;
    if let Some((at, _)) = rest.find(
        1,
        "and wait for the download|and download the file|to download|\
            and wait for the file|and wait for the download to finish",
    ) {
        wait = Some(downloaded(words, None));
        rest = rest.up_to(at);
    }
    if let Some((at, _)) = rest.find(1, "to")
        && rest.quoted(at - 1)
        && at + 1 < rest.len()
    {
        // `click "Save" to keep the changes`: a purpose.
        rest = rest.up_to(at);
    }
    let pieces = quoted_list(rest);
    let several = pieces.len() > 1 || times > 1;
    let mut clauses = Vec::new();
    for _ in 0..times {
        for piece in &pieces {
            let deed = Deed::Click(Clicking { target: phrase(*piece)?, button, count, modifiers: modifiers.clone() });
            clauses.push(instruction(if several { *piece } else { words }, deed));
        }
    }
    clauses.extend(wait);
    Ok(clauses)
}

fn downloaded(words: Words<'_>, name: Option<String>) -> Clause {
    let mut check = Check::downloaded(words.source(), name);
    check.wait(None);
    checked(check)
}

fn open(words: Words<'_>) -> Read {
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

fn press(words: Words<'_>) -> Read {
    let mut rest = words.from(1);
    let one = |deed: Deed| Ok(vec![instruction(words, deed)]);
    if rest.low(0) == "on" {
        return click_on(rest, words, Button::Left, 1, Vec::new());
    }
    let mut times = 1;
    if rest.eat_end("once").is_some() {
        times = 1;
    } else if rest.len() > 1 && rest.eat_end("twice").is_some() {
        times = 2;
    } else if rest.len() > 2
        && rest.low(rest.len() - 1) == "times"
        && let Some(number) = values::count(rest.low(rest.len() - 2))
    {
        times = number.min(100);
        rest = rest.up_to(rest.len() - 2);
    }
    if let [token] = rest.tokens()
        && token.quoted()
        && let Some(key) = values::chord(&token.text)
    {
        return one(Deed::PressOrClick { key, target: Phrase::named(&token.text) });
    }
    // `Press Enter in the field "Search"`: the key, then where.
    for (at, prep) in std::iter::once((rest.len(), 0))
        .chain(["in", "on", "inside", "within", "into"].iter().filter_map(|prep| rest.find(1, prep)))
    {
        let mut keys = rest.up_to(at);
        keys.eat(
            "the key combination|the keys|the key|key|keys|the shortcut|\
            the keyboard shortcut",
        );
        let chord_text = match keys.tokens() {
            [one] if one.quoted() => one.text.clone(),
            [one, after] if one.quoted() && after.low == "key" => one.text.clone(),
            _ => keys.text(),
        };
        let Some(key) = values::chord(&chord_text) else { continue };
        let target = rest.from(at + prep);
        let on_page = target.is_empty() || matches!(target.bare().low(0), "keyboard" | "page");
        let target = if on_page { None } else { Some(phrase(target)?) };
        return one(Deed::Press { key, times, target });
    }
    let mut clauses = click_on(rest, words, Button::Left, 1, Vec::new())?;
    let again = clauses.clone();
    (1..times).for_each(|_| clauses.extend(again.clone()));
    Ok(clauses)
}

/// `"Blue" from "Colour"`.
fn choose(words: Words<'_>) -> Read {
    let mut rest = words.from(1);
    let one = |deed: Deed| Ok(vec![instruction(words, deed)]);
    if words.low(0) == "choose" && rest.low(0) == "on" {
        rest = rest.from(1);
    }
    let upload = rest.bare();
    if upload.low(0) == "file" && (upload.quoted(1) || upload.len() > 2) {
        return self::upload(words);
    }
    // `Select the date 2026-12-24 in "From"`, `Choose 3 for "Quantity"`
    let from = ["from", "out of", "in", "for", "as", "under", "on", "within", "of"].iter().find_map(|prep| {
        let (at, count) = rest.find(1, prep)?;
        let target = rest.from(at + count);
        let values = rest.up_to(at);
        let clear = values.quoted(values.len() - 1)
            || kinds_at_end(values)
            || matches!(*prep, "from" | "out of")
            || (!values.tokens().iter().any(|token| token.quoted())
                && matches!(*prep, "in" | "for" | "as")
                && !target.is_empty());
        (clear && !target.is_empty()).then_some((values, target, *prep))
    });
    if let Some((values, target, prep)) = from {
        let mut labels = Vec::new();
        for piece in quoted_list(values) {
            let value = match phrase(piece) {
                Ok(value)
                    if value.raw.is_none()
                        && (value.quoted || value.kind == Some(Kind::Option))
                        && value.places.is_empty() =>
                {
                    match value.name {
                        Some(name) => {
                            if !matches!(
                                value.kind,
                                None | Some(
                                    Kind::Option
                                        | Kind::Radio
                                        | Kind::Text
                                        | Kind::Any
                                        | Kind::Item
                                        | Kind::MenuItem
                                        | Kind::Checkbox
                                )
                            ) {
                                // `Select the "Edit" link in the row of "Bob"`: not a value but an element.
                                return click_or_tick(words, phrase(words.from(1))?);
                            }
                            name
                        }
                        None => return click_or_tick(words, phrase(words.from(1))?),
                    }
                }
                Ok(value) if value.raw.is_some() || !value.places.is_empty() => {
                    return click_or_tick(words, phrase(words.from(1))?);
                }
                Ok(value) if value.kind.is_some() && value.name.is_none() => {
                    return click_or_tick(words, phrase(words.from(1))?);
                }
                _ => piece.text(),
            };
            labels.push(value);
        }
        let target = phrase(target)?;
        let names_list = matches!(
            target.kind,
            None | Some(
                Kind::Dropdown
                    | Kind::List
                    | Kind::Menu
                    | Kind::Field
                    | Kind::Radio
                    | Kind::Region
                    | Kind::Date
                    | Kind::Number
                    | Kind::Any
                    | Kind::Slider
            )
        );
        if !names_list || prep == "under" || prep == "of" {
            let place = target::place(rest.from(values.len()), true).unwrap_or(Place::In(target));
            return one(Deed::Choose { values: labels, from: None, places: vec![place] });
        }
        return one(Deed::Choose { values: labels, from: Some(target), places: Vec::new() });
    }
    let pieces = quoted_list(rest);
    if pieces.len() > 1 && pieces.iter().all(|piece| piece.len() == 1) {
        return one(Deed::Choose {
            values: pieces.iter().map(|piece| piece.text()).collect(),
            from: None,
            places: Vec::new(),
        });
    }
    let mut clauses = Vec::new();
    for piece in &pieces {
        clauses.extend(click_or_tick(if pieces.len() > 1 { *piece } else { words }, phrase(*piece)?)?);
    }
    Ok(clauses)
}

fn kinds_at_end(words: Words<'_>) -> bool {
    crate::decide::kinds::at_end(words).is_some_and(|(kind, _)| kind == Kind::Option)
}

/// `Choose the radio button "Express"`, `Choose "Express"`, `Select the first row`.
fn click_or_tick(words: Words<'_>, target: Phrase) -> Read {
    let deed = match target.kind {
        Some(Kind::Checkbox | Kind::Radio | Kind::Switch) => Deed::Tick { target, on: true },
        None | Some(Kind::Option) if target.raw.is_none() && target.ordinal.is_none() && target.name.is_some() => {
            Deed::Choose { values: vec![target.name.clone().unwrap_or_default()], from: None, places: target.places }
        }
        _ => Deed::Click(Clicking { target, button: Button::Left, count: 1, modifiers: Vec::new() }),
    };
    Ok(vec![instruction(words, deed)])
}

/// The text and the words of the target: the text ends at its quote, or at the preposition.
fn split_text<'t>(words: Words<'t>, preps: &str) -> (String, Option<Words<'t>>) {
    let start = usize::from(words.quoted(0));
    for prep in preps.split('|') {
        if start == 1 {
            let count = words.has(1, prep);
            if count > 0 {
                return (words.tokens()[0].text.clone(), Some(words.from(1 + count)).filter(|rest| !rest.is_empty()));
            }
        } else if let Some((at, count)) = words.find(1, prep)
            && at + count < words.len()
        {
            return (words.up_to(at).text(), Some(words.from(at + count)));
        }
    }
    (words.text(), None)
}

fn text_and_target<'t>(words: Words<'t>, preps: &str, whole: Words<'_>) -> Result<(String, Words<'t>), NotLiteral> {
    match split_text(words, preps) {
        (text, Some(target)) => Ok((text, target)),
        (_, None) => {
            Err(NotLiteral::new(whole.source(), "it does not say into which field")
                .suggest("Type \"Ada\" into \"Name\""))
        }
    }
}

/// `Type "alice" into "User name"`, `Enter "a" as "A" and "b" as "B"`.
fn type_into(words: Words<'_>) -> Read {
    let mut rest = words.from(1);
    let slow = rest.eat_end("key by key|letter by letter|slowly|character by character|one key at a time").is_some();
    if words.low(0) == "enter" && rest.bare().has(0, "key") > 0 {
        return not_known(words);
    }
    let mut described = rest.bare();
    let described_text =
        described.eat("text|value|string|word|words|number|secret|date|time").is_some() && !described.is_empty();
    if described_text {
        rest = described;
    }
    let submit = rest.eat_end("and press enter|and hit enter|and submit|and press return").is_some();
    let preps = "into|in to|in|to|as|for|on|inside|under|at";
    let mut clauses = Vec::new();
    let pieces = quoted_list(rest);
    let pairs = pieces.len() > 1 && pieces.iter().all(|piece| split_text(*piece, preps).1.is_some());
    let pieces = if pairs { pieces } else { vec![rest] };
    for piece in pieces.iter().copied() {
        let (text, target) = split_text(piece, preps);
        if text.is_empty() && !piece.quoted(0) {
            return Err(
                NotLiteral::new(words.source(), "it does not say what to type").suggest("Type \"Ada\" into \"Name\"")
            );
        }
        let words = if pieces.len() > 1 { piece } else { words };
        // `Enter your name: "Ada"`, `Enter the user name "alice"`: the field, then its text.
        if target.is_none() && piece.len() > 1 && !piece.quoted(0) && piece.quoted(piece.len() - 1) {
            let mut field = piece.up_to(piece.len() - 1);
            field.eat_end("as|of|:");
            let field = phrase(field)?;
            clauses.push(instruction(words, Deed::Set { target: field, value: piece.from(piece.len() - 1).text() }));
            continue;
        }
        if piece.quoted(0) && target.is_none() && piece.len() > 1 {
            return Err(NotLiteral::new(
                words.source(),
                format!("`{}` after the text was not understood", piece.from(1).text_as_written()),
            )
            .suggest("Type \"Ada\" into \"Name\""));
        }
        let in_prompt = target.is_some_and(|target| {
            matches!(target.bare().text().to_lowercase().as_str(), "prompt" | "prompt dialog" | "dialog prompt")
        });
        let target = target.map(phrase).transpose()?;
        clauses.push(instruction(
            words,
            match target {
                _ if in_prompt => Deed::Dialog { accept: true, text: Some(text) },
                Some(target) if slow => Deed::Type { target: Some(target), text },
                Some(target) => Deed::Fill { target, text, submit },
                None => Deed::Type { target: None, text },
            },
        ));
    }
    Ok(clauses)
}

/// `Fill "Name" with "Ada" and "Email" with "a@b"`, `Fill in "Ada" as "Name"`.
fn fill(words: Words<'_>) -> Read {
    let mut rest = words;
    rest.eat(
        "fill in the form with|fill out the form with|fill the form with|\
            fill in the form|fill out the form|fill in|fill out|fill up|fill",
    );
    let rest = rest.trim();
    let mut clauses = Vec::new();
    let pieces = quoted_list(rest);
    let with = |piece: &Words<'_>| piece.find(1, "with|as|=|to|:|by").is_some();
    let pieces =
        if pieces.len() > 1 && pieces.iter().all(|piece| with(piece) || piece.len() > 1) { pieces } else { vec![rest] };
    for piece in pieces.iter().copied() {
        let words = if pieces.len() > 1 { piece } else { words };
        let deed = if let Some((at, count)) = piece.find(1, "with the text|with the value|with|=|:") {
            Deed::Set { target: phrase(piece.up_to(at))?, value: piece.from(at + count).text() }
        } else if let (text, Some(target)) = split_text(piece, "into|in|as|to|for") {
            Deed::Fill { target: phrase(target)?, text, submit: false }
        } else if piece.len() > 1 && piece.quoted(piece.len() - 1) {
            Deed::Set { target: phrase(piece.up_to(piece.len() - 1))?, value: piece.from(piece.len() - 1).text() }
        } else {
            return Err(NotLiteral::new(words.source(), "it does not say with what to fill it")
                .suggest("Fill \"Name\" with \"Ada\""));
        };
        clauses.push(instruction(words, deed));
    }
    Ok(clauses)
}

/// `Set the date "From" to 2026-12-24`.
fn set(words: Words<'_>) -> Read {
    let mut rest = words.from(1);
    rest.eat("the value of|the content of|the text of|the selection of|value of");
    let pieces = quoted_list(rest);
    let pieces = if pieces.len() > 1 && pieces.iter().all(|piece| piece.find(1, "to|as|=").is_some()) {
        pieces
    } else {
        vec![rest]
    };
    let mut clauses = Vec::new();
    for piece in pieces.iter().copied() {
        // The last `to` of bare words, as a name may hold one; the first after a quoted name.
        let mut split = None;
        let mut from = 1;
        while let Some((at, count)) = piece.find(from, "to|as|=|into") {
            split = Some((at, count));
            from = at + 1;
        }
        let Some((at, count)) = split else {
            return Err(NotLiteral::new(words.source(), "it does not say to what").suggest("Set \"Quantity\" to \"3\""));
        };
        let mut target = piece.up_to(at);
        target.eat_end("from");
        let value = piece.from(at + count);
        let words = if pieces.len() > 1 { piece } else { words };
        if value.is_empty() {
            return Err(NotLiteral::new(words.source(), "it does not say to what").suggest("Set \"Quantity\" to \"3\""));
        }
        let mut words_of = target.bare();
        if words_of.len() > 1 && !words_of.quoted(0) {
            words_of.eat("date|time|month|option|value");
            if words_of.quoted(0) {
                target = words_of;
            }
        }
        clauses.push(instruction(words, Deed::Set { target: phrase(target)?, value: value.text() }));
    }
    Ok(clauses)
}

fn tick(words: Words<'_>) -> Read {
    let mut rest = words;
    let verb = words.low(0);
    if verb == "switch" {
        let mut to = rest.from(1);
        to.eat("back to|over to|to");
        if let Some(tab) = tab(to) {
            return Ok(vec![instruction(words, Deed::SwitchTab(tab))]);
        }
    }
    let mut on = !matches!(verb, "uncheck" | "untick" | "unmark" | "disable" | "deactivate" | "deselect" | "unselect");
    rest = rest.from(1);
    if matches!(verb, "turn" | "switch") {
        match rest.eat("on|off").or_else(|| rest.eat_end("back on|on|off")) {
            Some(word) => on = word != "off",
            None if verb == "switch" && rest.low(0) == "to" => {
                let target = phrase(rest.from(1))?;
                return Ok(vec![instruction(
                    words,
                    Deed::Click(Clicking { target, button: Button::Left, count: 1, modifiers: Vec::new() }),
                )]);
            }
            None => return not_known(words),
        }
    }
    if verb == "toggle" {
        return click_on(rest, words, Button::Left, 1, Vec::new());
    }
    rest.eat("off");
    rest.eat_end("as checked|as selected");
    if rest.is_empty() {
        return Err(NotLiteral::new(words.source(), "it does not say what to tick").suggest("Tick \"Remember me\""));
    }
    let mut shared = rest.bare();
    if shared.eat("checkboxes|boxes|check boxes|tick boxes|options").is_some() && shared.quoted(0) {
        rest = shared;
    }
    each(rest, |target| Deed::Tick { target, on }, words)
}

fn dialog(words: Words<'_>) -> Read {
    let mut rest = words;
    let verb = words.low(0);
    rest.eat("accept|agree to|agree with|agree|dismiss|cancel|ok|confirm");
    let accept = !matches!(verb, "dismiss" | "cancel");
    let one = |deed: Deed| Ok(vec![instruction(words, deed)]);
    let mut text = None;
    if let Some((at, count)) = rest.find(1, "with the text|with the answer|with|by typing|by entering|typing|answering")
    {
        text = Some(rest.from(at + count).text());
        rest = rest.up_to(at);
    }
    let bare = rest.bare();
    if is_js_dialog(bare) {
        return one(Deed::Dialog { accept, text });
    }
    if verb == "ok" || verb == "confirm" || bare.is_empty() || text.is_some() {
        return not_known(words);
    }
    if accept {
        one(Deed::Agree(phrase(rest)?))
    } else {
        // `Dismiss the notification`, `Cancel the upload`: which control does that is not said.
        Err(NotLiteral::new(words.source(), format!("`{verb}` is for dialogs; it does not say what to click"))
            .suggest("Click \"Close\""))
    }
}

fn is_js_dialog(words: Words<'_>) -> bool {
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

fn scroll(words: Words<'_>) -> Read {
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
        let whole_page =
            |words: Words<'_>| words.bare().is_empty() || matches!(words.bare().low(0), "page" | "screen" | "window");
        let target = if !before.is_empty() && !whole_page(before) {
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

fn drag(words: Words<'_>) -> Read {
    let mut rest = words.from(1);
    rest.eat("and drop");
    let (at, count) = rest
        .find(
            1,
            "and drop it onto|and drop it on|and drop it in|and drop it into|\
            and drop on|onto|over to|on top of|into|to|over|on",
        )
        .ok_or_else(|| {
            NotLiteral::new(words.source(), "it does not say onto what").suggest("Drag \"Card 1\" onto \"Done\"")
        })?;
    Ok(vec![instruction(words, Deed::Drag { target: phrase(rest.up_to(at))?, to: phrase(rest.from(at + count))? })])
}

fn upload(words: Words<'_>) -> Read {
    let mut rest = words.from(1).bare();
    rest.eat("files|file");
    let quoted =
        rest.tokens().iter().take_while(|token| token.quoted() || matches!(token.low.as_str(), "and" | ",")).count();
    let at = if quoted > 0 {
        quoted
    } else {
        rest.find(1, "to|into|in|as|for|using|with|via").map_or(rest.len(), |(at, _)| at)
    };
    let files: Vec<String> = list(rest.up_to(at)).iter().map(|piece| piece.text()).collect();
    let mut target = rest.from(at);
    target.eat("to|into|in|as|for|using|with|via|under");
    if files.is_empty() {
        return Err(NotLiteral::new(words.source(), "it does not say which file")
            .suggest("Upload \"report.csv\" to \"Attachment\""));
    }
    let target = (!target.is_empty()).then(|| phrase(target)).transpose()?;
    Ok(vec![instruction(words, Deed::Upload { files, target })])
}

fn wait(words: Words<'_>) -> Read {
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
fn condition_of_wait(words: Words<'_>) -> Result<Check, NotLiteral> {
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
fn tab(words: Words<'_>) -> Option<Tabs> {
    let mut rest = words.bare();
    if rest.eat("tab number|tab no|tab|browser tab|window").is_some() && !rest.is_empty() {
        if let Ok(number) = rest.low(0).parse() {
            return (rest.len() == 1).then_some(Tabs::Nth(number));
        }
        rest.eat(
            "with the title|titled|named|called|with title|with the address|with|\
            containing|whose title is",
        );
        return rest.quoted(0).then(|| Tabs::Named(Phrase { kind: Some(Kind::Tab), ..Phrase::named(rest.text()) }));
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
            Some(Tabs::Named(Phrase { kind: Some(Kind::Tab), ..Phrase::named(rest.text()) }))
        }
        _ => None,
    }
}

fn close(words: Words<'_>) -> Read {
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

fn save(words: Words<'_>) -> Read {
    let verb = words.low(0);
    let mut rest = words.from(1);
    let one = |deed: Deed| Ok(vec![instruction(words, deed)]);
    let shot = rest.bare();
    if verb == "take" || shot.low(0) == "screenshot" {
        if !matches!(shot.low(0), "screenshot" | "picture" | "snapshot") {
            return not_known(words);
        }
        let mut of = shot.from(1);
        of.eat("of|showing");
        let page = of.is_empty()
            || matches!(of.bare().low(0), "page" | "screen" | "window" | "whole" | "full" | "current" | "result");
        return one(Deed::Screenshot(if page { None } else { Some(phrase(of)?) }));
    }
    // The variable: after the last `as` or `into`.
    let mut split = None;
    let mut from = 1;
    while let Some((at, count)) = rest.find(
        from,
        "as the variable|into the variable|in the variable|to the variable|\
            as variable|in variable|into variable|as|into|in|to|under|under the name",
    ) {
        if at + count + 1 == rest.len() {
            split = Some((at, count));
        }
        from = at + 1;
    }
    let Some((at, count)) = split else {
        if verb == "read" {
            let (what, _) = saved(rest)?;
            let Saved::Of { target, .. } = what else { return not_known(words) };
            return one(Deed::Read(Some(target).filter(|target| target.said.to_lowercase() != "page")));
        }
        return Err(NotLiteral::new(words.source(), "it does not say as which variable")
            .suggest("Save the text of \"Total\" as total"));
    };
    let text = rest.from(at + count).text();
    let variable = text.trim().trim_start_matches("${").trim_start_matches('$').trim_end_matches('}').to_owned();
    if !is_variable_name(&variable) {
        return Err(NotLiteral::new(
            words.source(),
            format!("{text:?} cannot be the name of a variable: it needs letters, digits and _, no digit first"),
        )
        .suggest("Save the text of \"Total\" as total"));
    }
    rest = rest.up_to(at);
    let (what, _) = saved(rest)?;
    one(Deed::Save { what, variable })
}

fn saved(words: Words<'_>) -> Result<(Saved, ()), NotLiteral> {
    let mut rest = words.bare();
    let text = rest.text().to_lowercase();
    let text = text.strip_suffix(" of the page").or_else(|| text.strip_suffix(" of this page")).unwrap_or(&text);
    match text {
        "address"
        | "url"
        | "current address"
        | "current url"
        | "page address"
        | "page url"
        | "page's address"
        | "page's url"
        | "address of the current page" => return Ok((Saved::Address, ())),
        "title" | "page title" | "page's title" => return Ok((Saved::Title, ())),
        _ => {}
    }
    if rest.eat("number of|count of|amount of").is_some() {
        return Ok((Saved::Count(phrase(rest)?), ()));
    }
    let mut attribute = None;
    if rest.low(0) == "attribute" && rest.quoted(1) {
        attribute = Some(rest.from(1).up_to(1).text());
        rest = rest.from(2);
        rest.eat("of|from");
    } else if rest.quoted(0) && rest.low(1) == "attribute" {
        attribute = Some(rest.up_to(1).text());
        rest = rest.from(2);
        rest.eat("of|from");
    } else if rest.low(1) == "attribute" && matches!(rest.low(2), "of" | "from") {
        attribute = Some(rest.low(0).to_owned());
        rest = rest.from(3);
    } else if matches!(rest.low(1), "of" | "from" | "in" | "inside") {
        let word = rest.low(0);
        match word {
            "href" | "link" | "url" | "address" | "target" => attribute = Some("href".to_owned()),
            "src" | "source" => attribute = Some("src".to_owned()),
            "alt" | "title" | "placeholder" | "class" | "id" => attribute = Some(word.to_owned()),
            "text" | "value" | "content" | "contents" | "number" | "name" | "words" | "label" | "message" | "price"
            | "amount" => {}
            _ => return Ok((Saved::Of { target: phrase(rest)?, attribute: None }, ())),
        }
        rest = rest.from(2);
    } else if rest.low(0) == "text" && rest.quoted(1) {
        rest = rest.from(1);
    }
    Ok((Saved::Of { target: phrase(rest)?, attribute }, ()))
}

fn login(words: Words<'_>) -> Read {
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
    let find = "and the password|and with password|with the password|with password|and password|using the password|using password|/|, password|with";
    let Some((at, count)) = rest.find(0, find) else {
        return Err(NotLiteral::new(words.source(), "it does not say with which password")
            .suggest("Log in as \"alice\" with password \"${secret:PASSWORD}\""));
    };
    let user = rest.up_to(at).trim();
    let password = rest.from(at + count).text();
    if password.is_empty() {
        return Err(NotLiteral::new(words.source(), "it does not say with which password")
            .suggest("Log in as \"alice\" with password \"${secret:PASSWORD}\""));
    }
    Ok(vec![instruction(words, Deed::Login { user: (!user.is_empty()).then(|| user.text()), password })])
}
