//! Scripts of Playwright's code generator, in TypeScript, JavaScript or Python: one call per line, on `page` or on a page that a
//! popup opened. Anything else (a loop, a condition, a function of one's own) is reported with its line.

mod chain;

use legwork_protocol::{Action, Tab};

use self::chain::{Argument, CallChain, Method};
use super::{Element, ImportError, Line, Recorded, Recording, Verb};

/// Reads a script.
pub(super) fn read(text: &str, file: &str, is_python: bool) -> Result<Recording, ImportError> {
    if !text.contains("playwright") && !text.contains("page.") {
        return Err(ImportError::UnknownFormat);
    }
    let stem = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let mut name = stem.split('.').next().unwrap_or("recording").to_owned();
    let mut lines = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let code = statement(line, is_python);
        if let Some(title) = title_of(&code) {
            name = title;
        }
        if is_frame_of_script(&code, is_python) {
            continue;
        }
        let step = chain::read(&code).and_then(|chain| of_chain(&chain));
        lines.push(Line { number, what: code.clone(), step });
    }
    Ok(Recording { name, lines })
}

/// The statement of a line without its ends: `await`, `;`, a comment after it.
fn statement(line: &str, is_python: bool) -> String {
    let line = line.trim();
    let comment = if is_python { "#" } else { "//" };
    let line = if line.starts_with(comment) { "" } else { line };
    line.trim_end_matches(';').trim().trim_start_matches("await ").trim().to_owned()
}

fn title_of(code: &str) -> Option<String> {
    let rest = code.strip_prefix("test(")?;
    let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"' | '`'))?;
    rest[1..].split(quote).next().map(str::to_owned)
}

/// Lines that the generator writes around the steps: imports, the launch of the browser, the beginning and the end of the test.
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
            "goto" => text(0).map(Recorded::Open),
            "close" => Ok(Recorded::Action(Action::Tab(Tab::Close { tab: None }))),
            "goBack" => Ok(Recorded::Action(Action::Back(legwork_protocol::NoParams {}))),
            "goForward" => Ok(Recorded::Action(Action::Forward(legwork_protocol::NoParams {}))),
            "reload" => Ok(Recorded::Action(Action::Reload(legwork_protocol::NoParams {}))),
            "bringToFront" | "setViewportSize" => Ok(Recorded::Nothing),
            // The generator dismisses every dialog before the step that opens it.
            "once" => Err("the answer to a dialog: write `Accept the dialog` after the step that opens it".to_owned()),
            "waitForEvent" => Ok(Recorded::Nothing),
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
    let verb = match last.name.as_str() {
        "click" if last.option("button") == Some("right") => Verb::RightClick,
        "click" => Verb::Click,
        "dblclick" => Verb::DoubleClick,
        "fill" | "pressSequentially" => Verb::Fill(text(0)?),
        "check" => Verb::Check,
        "uncheck" => Verb::Uncheck,
        "hover" => Verb::Hover,
        "selectOption" => Verb::Select(last.texts()),
        "setInputFiles" => Verb::Upload(last.texts()),
        "press" => return Ok(Recorded::Press { key: text(0)?, on: Some(on) }),
        "focus" => return Ok(Recorded::Nothing),
        other => return Err(format!("{other} is not known")),
    };
    Ok(Recorded::Do { verb, on })
}

/// The element of a chain of locators. Frames are left out: Legwork finds elements in every frame.
fn element(locators: &[Method]) -> Result<Element, String> {
    let named: Vec<&Method> = locators
        .iter()
        .filter(|one| !matches!(one.name.as_str(), "contentFrame" | "frameLocator"))
        .filter(|one| !(one.name == "locator" && one.text(0).is_some_and(|selector| selector.starts_with("iframe"))))
        .collect();
    let [one] = named.as_slice() else {
        return Err("a locator of several parts (filter, nth, inside another element)".to_owned());
    };
    let text = one.text(0).map(str::to_owned).ok_or_else(|| format!("{} needs a text", one.name))?;
    let named = |role: Option<&str>, name: String| Element {
        is_password: super::is_password(&name),
        role: role.map(str::to_owned),
        name: Some(name),
        ..Element::default()
    };
    Ok(match one.name.as_str() {
        "getByRole" => match one.option("name") {
            Some(name) => named(Some(&text), name.to_owned()),
            None => return Err(format!("the {text} has no name")),
        },
        "getByLabel" | "getByText" | "getByPlaceholder" | "getByAltText" | "getByTitle" => named(None, text),
        "getByTestId" => Element { selector: Some(format!("[data-testid=\"{text}\"]")), ..Element::default() },
        "locator" => Element { is_password: super::is_password(&text), selector: Some(text), ..Element::default() },
        other => return Err(format!("{other} is not known")),
    })
}

fn expectation(subject: &[Method], calls: &[Method]) -> Result<Recorded, String> {
    let [matcher] = calls else { return Err("an assertion of several parts".to_owned()) };
    let value = || match matcher.arguments.first() {
        Some(Argument::Text(text)) if !text.contains('"') => Ok(text.clone()),
        _ => Err("the expected value is not a plain text".to_owned()),
    };
    match (matcher.name.as_str(), subject.is_empty()) {
        ("toHaveTitle", true) => Ok(Recorded::Check(format!("the title is \"{}\"", value()?))),
        ("toHaveURL", true) => Ok(Recorded::Check(format!("the address is \"{}\"", value()?))),
        (_, true) => Err(format!("expect(page).{} is not known", matcher.name)),
        ("toBeVisible" | "toHaveCount" | "toBeHidden", false) => {
            // `filter({ visible: true }).first()` is what an export writes.
            let named = subject.iter().filter(|one| !matches!(one.name.as_str(), "filter" | "first"));
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
                name => name == "toBeHidden",
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
