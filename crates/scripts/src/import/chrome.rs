//! Recordings of the Recorder panel of Chrome DevTools: JSON with `title` and `steps`. Each step has a `type`, and
//! those on an element a list of selectors, of which `aria/NAME` and `text/TEXT` name it as a person would.

use std::collections::{BTreeMap, BTreeSet};

use legwork_protocol::{Action, Button, Click, Modifier, Scroll, Target, Wait};
use serde_json::Value;

use super::{Element, ImportError, Line, Recorded, Recording, Verb};

/// Reads a recording.
pub(super) fn read(text: &str) -> Result<Recording, ImportError> {
    let root: Value = serde_json::from_str(text).map_err(|error| ImportError::NotJson(error.to_string()))?;
    let Some(steps) = root["steps"].as_array() else { return Err(ImportError::UnknownFormat) };
    let name = root["title"].as_str().unwrap_or("Recording").to_owned();
    let mut at = text.find("\"steps\"").unwrap_or(0);
    let mut lines = Vec::new();
    let repeated = repeated_names(steps);
    let mut held: Vec<Modifier> = Vec::new();
    for step in steps {
        // The steps are in the order of the text, and each has its type.
        let kind = step["type"].as_str().unwrap_or_default();
        at = text[at..].find("\"type\"").map_or(at, |found| at + found + 1);
        let number = text[..at].matches('\n').count() + 1;
        if let Some(name) = ambiguous_name(step, &repeated) {
            let text = format!("several elements are called “{name}”, so the step has a selector; check it");
            lines.push(Line { number, what: String::new(), step: Ok(Recorded::Comment(text)) });
        }
        lines.push(Line { number, what: described(step, kind), step: of_step(step, kind, &mut held, &repeated) });
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

/// The accessible names that several elements of the recording have: the same name with different selectors.
fn repeated_names(steps: &[Value]) -> BTreeSet<String> {
    let mut selectors: BTreeMap<String, String> = BTreeMap::new();
    let mut repeated = BTreeSet::new();
    for step in steps {
        let all = selectors_of(step);
        let (Some(name), Some(css)) = (all.iter().find_map(|one| one.strip_prefix("aria/")), all.iter().find(is_css))
        else {
            continue;
        };
        // On another page, the same element may have another selector; then the selector is as good as the name.
        if selectors.insert(name.to_owned(), css.clone()).is_some_and(|known| known != *css) {
            repeated.insert(name.to_owned());
        }
    }
    repeated
}

fn is_css(selector: &&String) -> bool {
    !["aria/", "text/", "xpath/", "pierce/"].iter().any(|prefix| selector.starts_with(prefix))
}

/// Whether a selector finds its element by the position of the row or item that contains it. Other rows then have an
/// element of the same name.
fn is_in_repeated_part(css: &str) -> bool {
    let parts: Vec<&str> = css.split([' ', '>']).filter(|part| !part.is_empty()).collect();
    let around = parts.split_last().map_or(&[][..], |(_, around)| around);
    let is_repeated = |part: &&str| {
        let name = part.split([':', '.', '#', '[']).next().unwrap_or_default();
        matches!(name, "tr" | "li" | "article") && part.contains(":nth-")
    };
    around.iter().any(is_repeated)
}

/// The accessible name of a step, if several elements have it.
fn ambiguous_name(step: &Value, repeated: &BTreeSet<String>) -> Option<String> {
    let selectors = selectors_of(step);
    let name = selectors.iter().find_map(|selector| selector.strip_prefix("aria/"))?;
    let css = selectors.iter().find(is_css);
    (repeated.contains(name) || css.is_some_and(|css| is_in_repeated_part(css))).then(|| name.to_owned())
}

/// The modifier key with this name.
fn modifier(key: &str) -> Option<Modifier> {
    match key {
        "Control" => Some(Modifier::Control),
        "Shift" => Some(Modifier::Shift),
        "Alt" => Some(Modifier::Alt),
        "Meta" => Some(Modifier::Meta),
        _ => None,
    }
}

fn of_step(
    step: &Value,
    kind: &str,
    held: &mut Vec<Modifier>,
    repeated: &BTreeSet<String>,
) -> Result<Recorded, String> {
    let text = |name: &str| step[name].as_str().map(str::to_owned);
    let need = |name: &str| text(name).ok_or_else(|| format!("`{name}` is missing"));
    if step["target"].as_str().is_some_and(|target| target != "main") {
        return Err("the step is in another target than the page".to_owned());
    }
    let element = |step: &Value| element(step, repeated);
    let on = |verb: Verb| Ok(Recorded::Do { on: element(step)?, verb });
    // The position of the pointer within the element is left out: Legwork clicks its middle.
    let click = |count: u8, held: &[Modifier]| -> Result<Recorded, String> {
        let button = match step["button"].as_str().unwrap_or("primary") {
            "primary" => Button::Left,
            "secondary" => Button::Right,
            "auxiliary" => Button::Middle,
            other => return Err(format!("a click with the button {other}")),
        };
        let click = Click { button, count, modifiers: held.to_vec(), ..Click::on(Target(String::new())) };
        let on = element(step)?;
        let is_plain = click == Click::on(Target(String::new()));
        Ok(if is_plain { Recorded::Do { verb: Verb::Click, on } } else { Recorded::Click { click, on } })
    };
    match kind {
        "setViewport" | "emulateNetworkConditions" => Ok(Recorded::Nothing),
        "navigate" => need("url").map(Recorded::Open),
        "click" => click(1, held),
        "doubleClick" => click(2, held),
        "hover" => on(Verb::Hover),
        "change" => {
            let value = need("value")?;
            on(Verb::Fill(value))
        }
        // A key press has two steps. A modifier key is held from one to the other.
        "keyUp" => {
            let released = modifier(&need("key")?);
            held.retain(|key| Some(*key) != released);
            Ok(Recorded::Nothing)
        }
        "keyDown" => {
            let key = need("key")?;
            match modifier(&key) {
                Some(modifier) => {
                    held.push(modifier);
                    Ok(Recorded::Nothing)
                }
                None => {
                    let keys = held.iter().map(|key| format!("{key:?}+")).collect::<String>() + &key;
                    Ok(Recorded::Press { key: keys, on: None })
                }
            }
        }
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
            let on = element(step)?;
            match (on.name, on.selector) {
                (Some(name), _) if !name.contains('"') => Ok(Recorded::Check(format!("\"{name}\" is shown"))),
                (_, Some(selector)) if selector.starts_with("xpath=") => {
                    Ok(Recorded::Check(format!("{selector} is shown")))
                }
                (_, Some(selector)) => Ok(Recorded::Check(format!("css={selector} is shown"))),
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

/// The last selector of each chain of a step. A chain of several selectors passes through shadow roots, which Legwork
/// finds by itself.
fn selectors_of(step: &Value) -> Vec<String> {
    let last = |chain: &Value| -> Option<String> {
        match chain {
            Value::String(selector) => Some(selector.clone()),
            Value::Array(parts) => parts.last()?.as_str().map(str::to_owned),
            _ => None,
        }
    };
    step["selectors"].as_array().into_iter().flatten().filter_map(last).collect()
}

/// The element of a step: by its accessible name if the recorder found one that is not known to be ambiguous, otherwise
/// by a selector. The recorder writes a name without a role only if it found no other element of this name.
fn element(step: &Value, repeated: &BTreeSet<String>) -> Result<Element, String> {
    let frames = step["frame"].as_array().is_some_and(|frames| !frames.is_empty());
    if !step["selectors"].is_array() {
        return Err("the step names no element".to_owned());
    }
    let selectors = selectors_of(step);
    let with = |prefix: &str| selectors.iter().find_map(|selector| selector.strip_prefix(prefix).map(str::to_owned));
    let css = selectors.iter().find(is_css).cloned();
    let aria = with("aria/");
    let is_ambiguous =
        aria.as_ref().is_some_and(|aria| repeated.contains(aria)) || css.as_deref().is_some_and(is_in_repeated_part);
    let mut element = Element::default();
    match aria.as_ref() {
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
    element.selector = css
        .or_else(|| with("xpath/").map(|path| format!("xpath={}", path.trim_start_matches('/').replacen("", "//", 1))))
        .or_else(|| with("pierce/"));
    let hint =
        format!("{} {}", element.name.as_deref().unwrap_or_default(), element.selector.as_deref().unwrap_or_default());
    element.is_password = super::is_password(&hint);
    if is_ambiguous {
        if element.selector.is_none() {
            return Err(format!("several elements are called “{}”", element.name.unwrap_or_default()));
        }
        (element.name, element.role) = (None, None);
    }
    if element.name.is_none() && frames {
        return Err("an element without a name in a frame".to_owned());
    }
    if element.name.is_none() && element.selector.is_none() {
        return Err("the element has neither a name nor a selector".to_owned());
    }
    Ok(element)
}
