//! Scripts of Playwright's code generator, in TypeScript, JavaScript or Python: one call per statement, on `page` or on
//! a page that a popup opened. Anything else (a loop, a condition, a function of one's own) is reported with its line.

mod chain;
mod statements;
mod tabs;

use legwork_protocol::{Action, Button, Click, Modifier, Tab, Target};

use self::{
    chain::{Argument, CallChain, Method},
    statements::{Statement, statements},
    tabs::Tabs,
};
use super::{Element, ImportError, Line, Position, Recorded, Recording, Verb};
use crate::sentence::quoted;

/// Options that change when a call returns, but not what it does.
const WAITING: [&str; 2] = ["timeout", "noWaitAfter"];

/// Reads a script.
pub(super) fn read(text: &str, file: &str, is_python: bool) -> Result<Recording, ImportError> {
    if !text.contains("playwright") && !text.contains("page.") {
        return Err(ImportError::UnknownFormat);
    }
    let stem = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let mut name = stem.split('.').next().unwrap_or("recording").to_owned();
    let mut lines = Vec::new();
    let mut tabs = Tabs::default();
    for Statement { code, number } in statements(text, is_python) {
        if let Some(title) = title_of(&code) {
            name = title;
        }
        if is_frame_of_script(&code, is_python) {
            continue;
        }
        let mut add = |step| lines.push(Line { number, what: code.clone(), step });
        if let Some(announced) = announced(&code) {
            add(announced);
            continue;
        }
        if tabs.opened(&code) {
            continue;
        }
        match chain::read(&code) {
            Ok(chain) => {
                // A popup is the current tab until the script uses another page.
                if let Some(number) = tabs.switched_to(&chain.page) {
                    let to = crate::sentence::ordinal(number);
                    add(Ok(Recorded::Sentence(format!("Switch to the {to} tab"))));
                }
                if chain.expected.is_none() && matches!(chain.calls.as_slice(), [only] if only.name == "close") {
                    tabs.closed(&chain.page);
                }
                add(of_chain(&chain));
            }
            Err(reason) => add(Err(reason)),
        }
    }
    Ok(Recording { name, lines })
}

/// What a statement announces for the next one: the answer to a dialog, or a download. Nothing has to be announced for
/// a popup.
fn announced(code: &str) -> Option<Result<Recorded, String>> {
    let is_event = |event: &str| code.contains(&format!("'{event}'")) || code.contains(&format!("\"{event}\""));
    let waits = code.contains(".waitForEvent(");
    if code.starts_with("page") && (code.contains(".once(") || code.contains(".on(")) && is_event("dialog") {
        return Some(dialog_answer(code));
    }
    if waits && is_event("download") || code.contains(".expect_download(") {
        return Some(Ok(Recorded::NextDownload));
    }
    if waits && is_event("popup") || code.contains(".expect_popup(") {
        return Some(Ok(Recorded::Nothing));
    }
    // `const download = await downloadPromise`: the step has waited for it.
    let value = code.split_once(" = ").map(|(_, value)| value.trim_start_matches("await "))?;
    let is_name = value.chars().all(|c| c.is_alphanumeric() || "_.".contains(c));
    (is_name && value.starts_with("download") && (value.ends_with(".value") || !value.contains('.')))
        .then_some(Ok(Recorded::Nothing))
}

/// The answer of a handler that does nothing but answer the dialog and write to the console.
fn dialog_answer(code: &str) -> Result<Recorded, String> {
    if code.contains(".on(") {
        return Err("an answer to every dialog; a step answers its own dialog".to_owned());
    }
    let (accepts, dismisses) = (code.matches(".accept(").count(), code.matches(".dismiss(").count());
    if accepts + dismisses != 1 || code.contains("if ") || code.contains("if(") {
        return Err("a handler of a dialog that does more than answer it".to_owned());
    }
    let text = match code.split_once(".accept(") {
        Some((_, rest)) if !rest.starts_with(')') => {
            let mut method = rest.split(')').next().unwrap_or_default().to_owned();
            method = format!("page.accept({method})");
            let chain = chain::read(&method)?;
            Some(chain.calls.first().and_then(|call| call.text(0)).ok_or("the answer is not a text")?.to_owned())
        }
        _ => None,
    };
    Ok(Recorded::NextDialog { accept: accepts == 1, text })
}

fn title_of(code: &str) -> Option<String> {
    let rest = code.strip_prefix("test(")?;
    let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"' | '`'))?;
    rest[1..].split(quote).next().map(str::to_owned)
}

/// Lines that the generator writes around the steps: imports, the launch of the browser, the beginning and the end of
/// the test.
fn is_frame_of_script(code: &str, is_python: bool) -> bool {
    const STARTS: [&str; 21] = [
        "import ",
        "from ",
        "const {",
        "test(",
        "test.use(",
        "def ",
        "with sync_playwright",
        "run(playwright",
        "browser = ",
        "context = ",
        "page = context.new_page",
        "const browser =",
        "const context =",
        "const page = await context",
        "context.close",
        "browser.close",
        "(async",
        "let page = ",
        "run(",
        "\"\"\"",
        "viewport",
    ];
    code.is_empty()
        || matches!(code, "}" | "{" | ")" | "})" | "})()")
        || STARTS.iter().any(|start| code.starts_with(start))
        || (is_python && code == "page.close()")
}

fn of_chain(chain: &CallChain) -> Result<Recorded, String> {
    if let Some(subject) = &chain.expected {
        return expectation(subject, &chain.calls);
    }
    let [locators @ .., last] = chain.calls.as_slice() else { return Err("this is no call of Playwright".to_owned()) };
    let text = |index: usize| last.text(index).map(str::to_owned).ok_or_else(|| format!("{} needs a text", last.name));
    if locators.is_empty() {
        return match last.name.as_str() {
            "goto" => last.only_options(&["timeout", "waitUntil"]).and_then(|()| text(0)).map(Recorded::Open),
            "close" => Ok(Recorded::Action(Action::Tab(Tab::Close { tab: None }))),
            "goBack" => Ok(Recorded::Action(Action::Back(legwork_protocol::NoParams {}))),
            "goForward" => Ok(Recorded::Action(Action::Forward(legwork_protocol::NoParams {}))),
            "reload" => Ok(Recorded::Action(Action::Reload(legwork_protocol::NoParams {}))),
            "bringToFront" | "setViewportSize" => Ok(Recorded::Nothing),
            other => Err(format!("page.{other} is not known")),
        };
    }
    if chain.is_device {
        return match (locators[0].name.as_str(), last.name.as_str()) {
            ("keyboard", "press") => Ok(Recorded::Press { key: text(0)?, on: None }),
            (device, method) => Err(format!("page.{device}.{method} is not known")),
        };
    }
    let on = element(locators)?;
    // Options that change what happens are said or refused; `position`, `force` and `trial` have no words.
    let click = |count: u8| -> Result<Recorded, String> {
        last.only_options(&["button", "clickCount", "modifiers", "timeout", "noWaitAfter"])?;
        let count = match last.options.iter().find(|(name, _)| name == "clickCount") {
            Some((_, Argument::Number(number))) if (1.0..=3.0).contains(number) => *number as u8,
            Some(_) => return Err("a number of clicks that no step has".to_owned()),
            None => count,
        };
        let button = match last.option("button") {
            None | Some("left") => Button::Left,
            Some("right") => Button::Right,
            Some("middle") => Button::Middle,
            Some(other) => return Err(format!("a click with the button {other}")),
        };
        let modifier = |name: &String| match name.as_str() {
            // Where the script was recorded is not known; on most systems it is Control.
            "Control" | "ControlOrMeta" => Ok(Modifier::Control),
            "Shift" => Ok(Modifier::Shift),
            "Alt" => Ok(Modifier::Alt),
            "Meta" => Ok(Modifier::Meta),
            other => Err(format!("the key {other} is not known")),
        };
        let names = last.option_texts("modifiers");
        if names.is_empty() && last.options.iter().any(|(name, _)| name == "modifiers") {
            return Err("the keys that are held are no texts".to_owned());
        }
        let modifiers = names.iter().map(modifier).collect::<Result<Vec<_>, _>>()?;
        let click = Click { button, count, modifiers, ..Click::on(Target(String::new())) };
        Ok(Recorded::Click { click, on: on.clone() })
    };
    let verb = match last.name.as_str() {
        "click" | "dblclick" => {
            let recorded = click(if last.name == "click" { 1 } else { 2 })?;
            match &recorded {
                // The click into a field that is filled next is left out.
                Recorded::Click { click, .. } if *click == Click::on(Target(String::new())) => Verb::Click,
                _ => return Ok(recorded),
            }
        }
        // Legwork types into a field at once or key by key as the field needs it.
        "fill" | "pressSequentially" => {
            last.only_options(&["timeout", "noWaitAfter", "delay"])?;
            Verb::Fill(text(0)?)
        }
        "check" | "uncheck" | "hover" | "setInputFiles" => {
            last.only_options(&WAITING)?;
            match last.name.as_str() {
                "check" => Verb::Check,
                "uncheck" => Verb::Uncheck,
                "hover" => Verb::Hover,
                _ if last.texts().is_empty() => return Err("the files are no texts".to_owned()),
                _ => Verb::Upload(last.texts()),
            }
        }
        "selectOption" => {
            last.only_options(&["label", "value", "timeout", "noWaitAfter"])?;
            let named = ["label", "value"].iter().flat_map(|name| last.option_texts(name));
            let values: Vec<String> = last.texts().into_iter().chain(named).collect();
            if values.is_empty() {
                return Err("no option is chosen by its label or value".to_owned());
            }
            Verb::Select(values)
        }
        "press" => {
            last.only_options(&["timeout", "noWaitAfter", "delay"])?;
            return Ok(Recorded::Press { key: text(0)?, on: Some(on) });
        }
        "focus" => return Ok(Recorded::Nothing),
        other => return Err(format!("{other} is not known")),
    };
    Ok(Recorded::Do { verb, on })
}

/// The element of a chain of locators. Frames are left out: Legwork finds elements in every frame.
fn element(locators: &[Method]) -> Result<Element, String> {
    let is_frame = |one: &Method| {
        matches!(one.name.as_str(), "contentFrame" | "frameLocator")
            || (one.name == "locator" && one.text(0).is_some_and(|selector| selector.starts_with("iframe")))
            // Legwork acts on visible elements only.
            || (one.name == "filter" && one.arguments.is_empty() && one.options.len() == 1 && one.option("visible") == Some("true"))
    };
    let parts: Vec<&Method> = locators.iter().filter(|one| !is_frame(one)).collect();
    // A position, or a filter, belongs to the locator before it.
    let mut found: Vec<Element> = Vec::new();
    for part in parts {
        match (part.name.as_str(), found.last_mut()) {
            ("first" | "last" | "nth", Some(element)) if element.position.is_none() => {
                element.position = Some(match part.name.as_str() {
                    "first" => Position::Nth(0),
                    "last" => Position::Last,
                    _ => Position::Nth(part.number(0).ok_or("a position that is not a number from 0")?),
                });
            }
            ("filter", Some(element)) => {
                part.only_options(&["hasText"])?;
                let text = part.option("hasText").ok_or("the filter has no text")?;
                element.contains.push(quoted(text).ok_or("the text of the filter has all quotation marks")?);
            }
            ("first" | "last" | "nth", _) => return Err("a position of a position".to_owned()),
            _ => found.push(one_element(part)?),
        }
    }
    let Some(mut element) = found.pop() else { return Err("the locator names no element".to_owned()) };
    if !element.contains.is_empty() {
        // The element itself has a text: `getByRole('row').filter({ hasText: 'Bob' })`.
        let is_plain = element.name.is_none() && element.position.is_none();
        let kind = kind_of_part(&element).filter(|_| is_plain).ok_or(FILTERED)?;
        element.role = Some(if kind == "row" { "row" } else { "listitem" }.to_owned());
        element.selector = None;
        element.place = format!(" containing {}", element.contains.join(" and "));
    }
    // The nearest part of the page comes first in a sentence.
    let mut around = found.iter().rev().peekable();
    if element.role.is_none() && element.name.is_none() && around.peek().is_some() {
        return Err("a selector inside another element".to_owned());
    }
    for part in around {
        element.place += &place_of(part)?;
    }
    if element.name.is_none() && element.selector.is_none() && element.place.is_empty() && element.position.is_none() {
        return Err(format!("the {} has no name", element.role.unwrap_or_default()));
    }
    if element.position.is_some()
        && element.selector.is_none()
        && element.role.as_deref().and_then(crate::sentence::noun).is_none()
    {
        return Err("a position among elements of any kind".to_owned());
    }
    Ok(element)
}

/// The element of one locator.
fn one_element(one: &Method) -> Result<Element, String> {
    let text = one.text(0).map(str::to_owned).ok_or_else(|| format!("{} needs a text", one.name))?;
    let named = |role: Option<&str>, name: String| Element {
        is_password: super::is_password(&name),
        role: role.map(str::to_owned),
        name: Some(name),
        ..Element::default()
    };
    // Legwork prefers the exact name anyway.
    one.only_options(if one.name == "getByRole" { &["name", "exact"] } else { &["exact"] })?;
    Ok(match one.name.as_str() {
        "getByRole" => match one.option("name") {
            Some(name) => named(Some(&text), name.to_owned()),
            None => Element { role: Some(text), ..Element::default() },
        },
        "getByLabel" | "getByText" | "getByPlaceholder" | "getByAltText" | "getByTitle" => named(None, text),
        "getByTestId" => Element { selector: Some(format!("[data-testid=\"{text}\"]")), ..Element::default() },
        "locator" => Element { is_password: super::is_password(&text), selector: Some(text), ..Element::default() },
        other => return Err(format!("{other} is not known")),
    })
}

/// `row` or `item`, if the locator finds parts of that kind.
fn kind_of_part(part: &Element) -> Option<&'static str> {
    match (part.role.as_deref(), part.selector.as_deref()) {
        (Some("row"), _) | (None, Some("tr" | "tbody tr" | "tbody > tr")) => Some("row"),
        (Some("listitem" | "article" | "treeitem"), _) | (None, Some("li" | "article" | "ul li" | "ul > li")) => {
            Some("item")
        }
        _ => None,
    }
}

const FILTERED: &str = "a filter of an element that is no row and no item";

/// Where an element is, as words after its name.
fn place_of(part: &Element) -> Result<String, String> {
    const REFUSED: &str = "an element inside another one that no sentence names";
    if part.position.is_some() {
        return Err("a position of a part of the page".to_owned());
    }
    if let Some(kind) = kind_of_part(part) {
        let named = part.name.as_deref().map(|name| quoted(name).ok_or(REFUSED)).transpose()?;
        let texts: Vec<String> = named.into_iter().chain(part.contains.clone()).collect();
        return match (kind, texts.as_slice()) {
            (_, []) => Err(format!("the {kind} has neither a name nor a text")),
            ("row", [only]) => Ok(format!(" in the row of {only}")),
            (kind, texts) => Ok(format!(" in the {kind} containing {}", texts.join(" and "))),
        };
    }
    if !part.contains.is_empty() {
        return Err(FILTERED.to_owned());
    }
    let name = part.name.as_deref().map(|name| quoted(name).ok_or(REFUSED)).transpose()?;
    Ok(match (part.role.as_deref(), name) {
        (Some("dialog" | "alertdialog"), None) => " in the dialog".to_owned(),
        (Some("dialog" | "alertdialog"), Some(name)) => format!(" in the dialog {name}"),
        (Some("navigation"), None) => " in the navigation".to_owned(),
        (Some("navigation"), Some(name)) => format!(" in the navigation {name}"),
        (Some("banner"), None) => " in the page header".to_owned(),
        (Some("contentinfo"), None) => " in the footer".to_owned(),
        (Some("complementary"), None) => " in the sidebar".to_owned(),
        (Some("main"), None) => String::new(),
        (Some("form"), Some(name)) => format!(" in the {name} form"),
        (Some("table" | "grid"), Some(name)) => format!(" in the {name} table"),
        (Some("list"), Some(name)) => format!(" in the {name} list"),
        (Some("menu" | "menubar"), Some(name)) => format!(" in the {name} menu"),
        (Some("region" | "group" | "radiogroup" | "tabpanel" | "toolbar"), Some(name)) => {
            format!(" in the {name} section")
        }
        _ => return Err(REFUSED.to_owned()),
    })
}

fn expectation(subject: &[Method], calls: &[Method]) -> Result<Recorded, String> {
    let [matcher] = calls else { return Err("an assertion of several parts".to_owned()) };
    matcher.only_options(&["timeout", "checked", "visible"])?;
    // The words of a check have no place and no position.
    let element = |locators: &[Method]| -> Result<Element, String> {
        let on = element(locators)?;
        if on.position.is_some() || !on.place.is_empty() {
            return Err("a check of an element inside another one, or at a position".to_owned());
        }
        Ok(on)
    };
    let value = || match matcher.arguments.first() {
        Some(Argument::Text(text)) if !text.contains('"') => Ok(text.clone()),
        _ => Err("the expected value is not a plain text".to_owned()),
    };
    match (matcher.name.as_str(), subject.is_empty()) {
        ("toHaveTitle", true) => Ok(Recorded::Check(format!("the title is \"{}\"", value()?))),
        ("toHaveURL", true) => Ok(Recorded::Check(format!("the address is \"{}\"", value()?))),
        (_, true) => Err(format!("expect(page).{} is not known", matcher.name)),
        ("toBeVisible" | "toHaveCount" | "toBeHidden", false) => {
            // `filter({ visible: true }).first()` is what an export writes: at least one of them is shown.
            let is_any =
                |one: &Method| one.name == "first" || (one.name == "filter" && one.option("visible").is_some());
            let named = subject.iter().filter(|one| !is_any(one));
            let named: Vec<Method> = named.cloned().collect();
            let on = element(&named)?;
            let name = on.name.filter(|name| !name.contains('"')).ok_or("the element has no plain name")?;
            let kind = match on.role.as_deref() {
                Some(role @ ("button" | "link" | "heading" | "checkbox" | "dialog" | "tab")) => format!("the {role} "),
                _ => String::new(),
            };
            let is_gone = match matcher.name.as_str() {
                "toHaveCount" => match matcher.arguments.first() {
                    Some(Argument::Number(count)) if *count == 0.0 => true,
                    _ => return Err("a number of elements".to_owned()),
                },
                name => (name == "toBeHidden") != (matcher.option("visible") == Some("false")),
            };
            Ok(Recorded::Check(format!("{kind}\"{name}\" is {}shown", if is_gone { "not " } else { "" })))
        }
        ("toContainText" | "toHaveText", false) => Ok(Recorded::Check(format!("\"{}\" is shown", value()?))),
        ("toBeChecked", false) => {
            let name =
                element(subject)?.name.filter(|name| !name.contains('"')).ok_or("the element has no plain name")?;
            let is_not = matcher.option("checked").is_some_and(|state| state.eq_ignore_ascii_case("false"));
            Ok(Recorded::Check(format!("\"{name}\" is {}", if is_not { "unchecked" } else { "checked" })))
        }
        ("toHaveValue", false) => {
            let name =
                element(subject)?.name.filter(|name| !name.contains('"')).ok_or("the element has no plain name")?;
            Ok(Recorded::Check(format!("the field \"{name}\" contains \"{}\"", value()?)))
        }
        (other, false) => Err(format!("{other} is not known")),
    }
}
