//! Recordings of the Recorder panel of Chrome DevTools: JSON with `title` and `steps`. Each step has a `type`, and those on an
//! element a list of selectors, of which `aria/NAME` and `text/TEXT` name it as a person would.

use legwork_protocol::{Action, Scroll, Wait};
use serde_json::Value;

use super::{Element, ImportError, Line, Recorded, Recording, Verb};

/// Reads a recording.
pub(super) fn read(text: &str) -> Result<Recording, ImportError> {
    let root: Value = serde_json::from_str(text).map_err(|error| ImportError::NotJson(error.to_string()))?;
    let Some(steps) = root["steps"].as_array() else { return Err(ImportError::UnknownFormat) };
    let name = root["title"].as_str().unwrap_or("Recording").to_owned();
    let mut at = text.find("\"steps\"").unwrap_or(0);
    let mut lines = Vec::new();
    for step in steps {
        // The steps are in the order of the text, and each has its type.
        let kind = step["type"].as_str().unwrap_or_default();
        at = text[at..].find("\"type\"").map_or(at, |found| at + found + 1);
        let number = text[..at].matches('\n').count() + 1;
        lines.push(Line { number, what: described(step, kind), step: of_step(step, kind) });
        for event in step["assertedEvents"].as_array().into_iter().flatten() {
            at = text[at..].find("\"type\"").map_or(at, |found| at + found + 1);
            // A navigation is observed anyway; Legwork waits for the page.
            let step = if event["type"] == "navigation" {
                Ok(Recorded::Nothing)
            } else {
                Err("this event is not known".to_owned())
            };
            lines.push(Line { number, what: format!("assertedEvents {}", event["type"]), step });
        }
    }
    Ok(Recording { name, lines })
}

fn described(step: &Value, kind: &str) -> String {
    let selector = step["selectors"][0][0].as_str().or_else(|| step["selectors"][0].as_str());
    selector.map_or_else(|| kind.to_owned(), |selector| format!("{kind} {selector}"))
}

fn of_step(step: &Value, kind: &str) -> Result<Recorded, String> {
    let text = |name: &str| step[name].as_str().map(str::to_owned);
    let need = |name: &str| text(name).ok_or_else(|| format!("`{name}` is missing"));
    if step["target"].as_str().is_some_and(|target| target != "main") {
        return Err("the step is in another target than the page".to_owned());
    }
    let on = |verb: Verb| Ok(Recorded::Do { on: element(step)?, verb });
    match kind {
        "setViewport" | "emulateNetworkConditions" => Ok(Recorded::Nothing),
        "navigate" => need("url").map(Recorded::Open),
        "click" => match step["button"].as_str().unwrap_or("primary") {
            "primary" => on(Verb::Click),
            "secondary" => on(Verb::RightClick),
            other => Err(format!("a click with the button {other}")),
        },
        "doubleClick" => on(Verb::DoubleClick),
        "hover" => on(Verb::Hover),
        "change" => {
            let value = need("value")?;
            on(Verb::Fill(value))
        }
        // A key press has two steps.
        "keyUp" => Ok(Recorded::Nothing),
        "keyDown" => Ok(Recorded::Press { key: need("key")?, on: None }),
        "scroll" => match step["selectors"].is_array() {
            true => Err("scrolling a part of the page by pixels".to_owned()),
            false => Ok(match step["y"].as_f64() {
                Some(y) if y > 0.0 => {
                    let screens = Some((y / 720.0 * 10.0).round().max(1.0) / 10.0);
                    let direction = Some(legwork_protocol::Direction::Down);
                    Recorded::Action(Action::Scroll(Scroll { target: None, direction, screens }))
                }
                _ => Recorded::Nothing,
            }),
        },
        "waitForElement" => {
            let count = step["count"].as_u64().unwrap_or(1);
            let operator = step["operator"].as_str().unwrap_or(">=");
            if (operator, count) != (">=", 1) || step["attributes"].is_object() || step["properties"].is_object() {
                return Err("waiting for a number of elements or for their attributes".to_owned());
            }
            match element(step)?.name {
                Some(name) if !name.contains('"') => Ok(Recorded::Check(format!("\"{name}\" is shown"))),
                _ => Err("waiting for an element without a name".to_owned()),
            }
        }
        "waitForExpression" | "customStep" => Err("a condition in JavaScript".to_owned()),
        "close" => Ok(Recorded::Action(Action::Tab(legwork_protocol::Tab::Close { tab: None }))),
        "wait" => {
            let seconds = step["duration"].as_f64().map(|time| time / 1_000.0);
            Ok(Recorded::Action(Action::Wait(Wait { seconds, ..Wait::default() })))
        }
        "" => Err("the step has no type".to_owned()),
        other => Err(format!("steps of the type {other} are not known")),
    }
}

/// The element of a step: by its accessible name if the recorder found one, otherwise by a selector.
fn element(step: &Value) -> Result<Element, String> {
    let frames = step["frame"].as_array().is_some_and(|frames| !frames.is_empty());
    let chains = step["selectors"].as_array().ok_or("the step names no element")?;
    // A chain of several selectors passes through shadow roots, which Legwork finds by itself: the last one counts.
    let last = |chain: &Value| -> Option<String> {
        match chain {
            Value::String(selector) => Some(selector.clone()),
            Value::Array(parts) => parts.last()?.as_str().map(str::to_owned),
            _ => None,
        }
    };
    let selectors: Vec<String> = chains.iter().filter_map(last).collect();
    let with = |prefix: &str| selectors.iter().find_map(|selector| selector.strip_prefix(prefix).map(str::to_owned));
    let css = selectors
        .iter()
        .find(|selector| !["aria/", "text/", "xpath/", "pierce/"].iter().any(|p| selector.starts_with(p)));
    let mut element = Element { selector: css.cloned(), ..Element::default() };
    match with("aria/") {
        // `aria/Save[role="button"]`
        Some(aria) => {
            let (name, role) = aria
                .split_once("[role=\"")
                .map_or((aria.as_str(), None), |(name, role)| (name, role.strip_suffix("\"]")));
            element.name = Some(name.trim().to_owned()).filter(|name| !name.is_empty());
            element.role = role.map(str::to_owned);
        }
        None => element.name = with("text/"),
    }
    element.selector = element
        .selector
        .or_else(|| with("xpath/").map(|path| format!("xpath={}", path.trim_start_matches('/').replacen("", "//", 1))))
        .or_else(|| with("pierce/"));
    let hint =
        format!("{} {}", element.name.as_deref().unwrap_or_default(), element.selector.as_deref().unwrap_or_default());
    element.is_password = super::is_password(&hint);
    if element.name.is_none() && frames {
        return Err("an element without a name in a frame".to_owned());
    }
    if element.name.is_none() && element.selector.is_none() {
        return Err("the element has neither a name nor a selector".to_owned());
    }
    Ok(element)
}
