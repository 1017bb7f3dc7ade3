//! Projects of Selenium IDE: JSON with `url` and `tests`, whose commands have a `target` (`id=…`, `linkText=…`) and a
//! `value`.

use std::collections::BTreeSet;

use legwork_protocol::{Action, Tab, Wait, is_variable_name, placeholders};
use serde_json::Value;

use super::{Element, ImportError, Line, Recorded, Recording, Verb};

/// Reads a project with one test.
pub(super) fn read(text: &str) -> Result<Recording, ImportError> {
    let root: Value = serde_json::from_str(text).map_err(|error| ImportError::NotJson(error.to_string()))?;
    let Some(tests) = root["tests"].as_array() else { return Err(ImportError::UnknownFormat) };
    let [test] = tests.as_slice() else {
        let names = tests.iter().filter_map(|test| test["name"].as_str().map(str::to_owned));
        return Err(if tests.is_empty() { ImportError::Empty } else { ImportError::SeveralTests(names.collect()) });
    };
    let base = root["url"].as_str().unwrap_or_default().trim_end_matches('/');
    let mut lines = Vec::new();
    let mut at = 0;
    let mut saved: BTreeSet<String> = BTreeSet::new();
    for command in test["commands"].as_array().into_iter().flatten() {
        let field = |name: &str| command[name].as_str().unwrap_or_default();
        let name = field("command");
        at = text[at..].find("\"command\"").map_or(at, |found| at + found + 1);
        let number = text[..at].matches('\n').count() + 1;
        let step = of_command(name, field("target"), field("value"), base, &mut saved);
        lines.push(Line {
            number,
            what: format!("{name} {} {}", field("target"), field("value")).trim().to_owned(),
            step,
        });
    }
    Ok(Recording { name: test["name"].as_str().unwrap_or("Recording").to_owned(), lines })
}

fn of_command(
    command: &str,
    target: &str,
    value: &str,
    base: &str,
    saved: &mut BTreeSet<String>,
) -> Result<Recorded, String> {
    if let Some(rest) = command.strip_prefix("//") {
        return Ok(Recorded::Comment(format!("disabled in the recording: {rest} {target} {value}").trim().to_owned()));
    }
    let texts = format!("{target} {value}");
    // `${KEY_ENTER}` is a key.
    let unknown = placeholders(&texts).find(|name| !saved.contains(*name) && !name.starts_with("KEY_"));
    if let Some(name) = unknown.filter(|_| command != "open") {
        return Err(format!("it uses the variable {name} of the recording, which no step saves"));
    }
    let on = |verb| Ok(Recorded::Do { verb, on: element(target)? });
    let quoted = |text: &str| -> Result<String, String> {
        if text.contains('"') {
            Err("the text contains a quotation mark".to_owned())
        } else {
            Ok(format!("\"{text}\""))
        }
    };
    let time = value.parse::<f64>().ok().filter(|time| *time >= 1_000.0).map(|time| (time / 1_000.0).round());
    let wait = |until: &str| {
        let within = time.map(|seconds| format!("up to {seconds} seconds ")).unwrap_or_default();
        let element = shown(target)?;
        Ok(Recorded::Sentence(match until {
            "disappears" => format!("Wait {within}until {element} disappears"),
            _ => format!("Wait {within}for {element}"),
        }))
    };
    match command {
        "open" if target.starts_with("http") => Ok(Recorded::Open(target.to_owned())),
        "open" => Ok(Recorded::Open(format!("{base}/{}", target.trim_start_matches('/')))),
        "setWindowSize" | "" => Ok(Recorded::Nothing),
        "click" | "clickAt" => on(Verb::Click),
        "doubleClick" | "doubleClickAt" => on(Verb::DoubleClick),
        "mouseOver" => on(Verb::Hover),
        // The pointer leaves an element when the next step moves it elsewhere.
        "mouseOut" => Ok(Recorded::Nothing),
        "check" => on(Verb::Check),
        "uncheck" => on(Verb::Uncheck),
        "type" if target.contains("file") && value.contains(['/', '\\']) => on(Verb::Upload(vec![value.to_owned()])),
        "type" => on(Verb::Fill(value.to_owned())),
        "select" => {
            let label = value.strip_prefix("label=").or_else(|| value.strip_prefix("value=")).unwrap_or(value);
            if value.starts_with("index=") {
                return Err("an option is chosen by its index".to_owned());
            }
            on(Verb::Select(vec![label.to_owned()]))
        }
        "sendKeys" => {
            let key = value.strip_prefix("${KEY_").and_then(|rest| rest.strip_suffix('}'));
            match key {
                Some(key) => Ok(Recorded::Press { key: key_name(key), on: Some(element(target)?) }),
                None => on(Verb::Fill(value.to_owned())),
            }
        }
        "assertText" | "verifyText" => Ok(Recorded::Check(format!("{} is shown", quoted(value)?))),
        "assertTitle" | "verifyTitle" => Ok(Recorded::Check(format!("the title is {}", quoted(target)?))),
        "assertElementPresent" | "verifyElementPresent" => Ok(Recorded::Check(format!("{} is shown", shown(target)?))),
        "assertElementNotPresent" | "verifyElementNotPresent" => {
            Ok(Recorded::Check(format!("{} is not shown", shown(target)?)))
        }
        "waitForElementVisible" | "waitForElementPresent" => wait("is shown"),
        "waitForElementNotVisible" | "waitForElementNotPresent" => wait("disappears"),
        "waitForText" => Ok(Recorded::Sentence(format!("Wait for {}", quoted(value)?))),
        "storeText" if is_variable_name(value) => {
            saved.insert(value.to_owned());
            Ok(Recorded::Save { variable: value.to_owned(), on: element(target)? })
        }
        "storeText" => Err(format!("“{value}” is no name of a variable")),
        // It writes to the log of Selenium IDE.
        "echo" => Ok(Recorded::Comment(format!("echo {target}"))),
        "chooseOkOnNextConfirmation" => Ok(Recorded::NextDialog { accept: true, text: None }),
        "chooseCancelOnNextConfirmation" | "chooseCancelOnNextPrompt" => {
            Ok(Recorded::NextDialog { accept: false, text: None })
        }
        "answerOnNextPrompt" => Ok(Recorded::NextDialog { accept: true, text: Some(target.to_owned()) }),
        "assertAlert" | "assertConfirmation" | "assertPrompt" => {
            Ok(Recorded::Check(format!("the dialog said {}", quoted(target)?)))
        }
        "webdriverChooseOkOnVisibleConfirmation" | "acceptConfirmation" | "acceptAlert" => {
            Ok(Recorded::Dialog { accept: true, text: None })
        }
        "webdriverChooseCancelOnVisibleConfirmation"
        | "dismissConfirmation"
        | "webdriverChooseCancelOnVisiblePrompt" => Ok(Recorded::Dialog { accept: false, text: None }),
        "webdriverAnswerOnVisiblePrompt" => Ok(Recorded::Dialog { accept: true, text: Some(target.to_owned()) }),
        "pause" => {
            let seconds = target.parse::<f64>().ok().map(|time| time / 1_000.0).ok_or("the time is not a number")?;
            Ok(Recorded::Action(Action::Wait(Wait { seconds: Some(seconds), ..Wait::default() })))
        }
        "close" => Ok(Recorded::Action(Action::Tab(Tab::Close { tab: None }))),
        // Legwork finds elements in every frame.
        "selectFrame" => Ok(Recorded::Nothing),
        other => Err(format!("the command {other} is not known")),
    }
}

/// The words for an element that a check or a wait names: its name, or its selector.
fn shown(target: &str) -> Result<String, String> {
    let element = element(target)?;
    match (element.name, element.selector) {
        (Some(name), _) => crate::sentence::quoted(&name).ok_or_else(|| "the name has all quotation marks".to_owned()),
        (None, Some(selector)) if selector.starts_with("xpath=") => Ok(selector),
        (None, Some(selector)) => Ok(format!("css={selector}")),
        (None, None) => Err("the step names no element".to_owned()),
    }
}

fn key_name(key: &str) -> String {
    match key {
        "ENTER" => "Enter".to_owned(),
        "TAB" => "Tab".to_owned(),
        "ESC" | "ESCAPE" => "Escape".to_owned(),
        "UP" | "DOWN" | "LEFT" | "RIGHT" => format!("Arrow{}{}", &key[..1], key[1..].to_lowercase()),
        other => format!("{}{}", &other[..1], other[1..].to_lowercase()),
    }
}

/// The element of a locator.
fn element(target: &str) -> Result<Element, String> {
    let (kind, text) = target.split_once('=').ok_or("the step names no element")?;
    let css = |selector: String| Element { selector: Some(selector), ..Element::default() };
    let attribute = |name: &str| css(format!("[{name}=\"{}\"]", text.replace('\\', "\\\\").replace('"', "\\\"")));
    let mut element = match kind {
        "linkText" | "link" => {
            Element { role: Some("link".to_owned()), name: Some(text.to_owned()), ..Element::default() }
        }
        "id" => attribute("id"),
        "name" => attribute("name"),
        "css" => css(text.to_owned()),
        "xpath" => css(format!("xpath={text}")),
        "partialLinkText" => css(format!("text={text}")),
        _ if target.starts_with("//") => css(format!("xpath={target}")),
        other => return Err(format!("locators of the kind {other} are not known")),
    };
    element.is_password = super::is_password(text);
    Ok(element)
}
