//! Parses a command in the line form, `fill e3 "Ada"`. It takes few tokens, and models write it with fewer mistakes
//! than nested JSON.
//!
//! The name of the command is followed by its parameters in the order of [`summary`](super::summary), or by name
//! (`to=2`). Values with spaces are quoted. A target can be a ref, a quoted text, or a role and a quoted name as the
//! page shows them.

use std::iter::Peekable;

use serde_json::{Map, Value, json};

use super::{aliases, generate::signature_of};

/// A word of a line, and whether it was quoted.
#[derive(Clone, Debug, PartialEq)]
struct Word {
    text: String,
    quoted: bool,
}

impl Word {
    fn is_bare(&self) -> bool {
        !self.quoted
    }
}

/// Converts a line to `{action, parameters}`. A value without a parameter is stored under its position, so that parsing
/// the command reports it.
pub(crate) fn command(line: &str) -> Value {
    if let Some(call) = call(line) {
        return call;
    }
    let mut words = words(line).into_iter().peekable();
    let Some(name) = words.next() else { return json!({ "action": "", "parameters": {} }) };
    let action = aliases::action(&name.text);
    let signature = signature_of(&action);
    let mut given = Map::new();
    let mut places = signature.iter().filter(|parameter| parameter.positional);
    let mut extra = 0;
    while let Some(word) = words.next() {
        if let Some((key, value)) = word.text.split_once('=').filter(|_| word.is_bare())
            && signature.iter().any(|parameter| parameter.name == key)
        {
            let value = if value.is_empty() {
                words.next().map(|word| word.text).unwrap_or_default()
            } else {
                value.to_owned()
            };
            given.insert(key.to_owned(), typed(&action, key, value));
            continue;
        }
        let Some(place) = places.find(|place| !given.contains_key(&place.name)) else {
            extra += 1;
            given.insert(format!("extra {extra}"), Value::String(word.text));
            continue;
        };
        let value = match (place.list, place.name.as_str()) {
            (true, _) => {
                let mut all = vec![Value::String(word.text)];
                while let Some(next) = words.next_if(|next| !names(next, &signature)) {
                    all.push(Value::String(next.text));
                }
                Value::Array(all)
            }
            (false, "target") => Value::String(target(word, &mut words)),
            (false, "to") if action == "drag" => Value::String(target(word, &mut words)),
            (false, name) => typed(&action, name, word.text),
        };
        given.insert(place.name.clone(), value);
    }
    json!({ "action": action, "parameters": aliases::parameters(&action, &name.text, given) })
}

/// `call weather {"city": "Oslo"}`, also without `call`. Only tool calls consist of a name and an object.
fn call(line: &str) -> Option<Value> {
    let (name, rest) = line.trim().split_once(char::is_whitespace)?;
    let (tool, arguments) = match name {
        "call" => rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), "{}")),
        _ => (name, rest),
    };
    let arguments: Value = serde_json::from_str(arguments.trim()).ok().filter(Value::is_object)?;
    Some(json!({ "action": "call", "parameters": { "tool": tool, "arguments": arguments } }))
}

fn names(word: &Word, signature: &[super::generate::Parameter]) -> bool {
    word.is_bare() && word.text.split_once('=').is_some_and(|(key, _)| signature.iter().any(|place| place.name == key))
}

/// A ref or selector is unchanged; `"Sign in"` is a text, `button "Sign in"` a role and its name.
fn target(word: Word, words: &mut Peekable<impl Iterator<Item = Word>>) -> String {
    if word.quoted {
        let is_selector = ["text=", "role=", "css=", "xpath="].iter().any(|engine| word.text.starts_with(engine));
        return if is_selector || legwork_protocol::Ref::parse(&word.text).is_some() {
            word.text
        } else {
            format!("text={}", word.text)
        };
    }
    if word.text.ends_with('=')
        && let Some(value) = words.next_if(|next| next.quoted)
    {
        return word.text + &value.text;
    }
    // `click e5,`: punctuation after a ref does not belong to it.
    let bare = word.text.trim_end_matches([',', '.', ';', ':']);
    if legwork_protocol::Ref::parse(bare).is_some() {
        return bare.to_owned();
    }
    let role = word.text.chars().all(|c| c.is_ascii_alphabetic());
    match words.next_if(|next| role && next.quoted) {
        Some(name) => format!("role={}[name={:?}]", word.text, name.text),
        None => word.text,
    }
}

/// Converts values to numbers or booleans if the parameter has that type.
fn typed(action: &str, key: &str, text: String) -> Value {
    let is_text = matches!(key, "text" | "url" | "question" | "variable" | "result" | "reason" | "key" | "instruction");
    match text.as_str() {
        _ if is_text && (action, key) != ("wait", "seconds") => Value::String(text),
        "true" | "yes" => Value::Bool(true),
        "false" | "no" => Value::Bool(false),
        word if key == "submit" && word == "submit" => Value::Bool(true),
        word => match (word.parse::<u64>(), word.parse::<f64>()) {
            (Ok(whole), _) => whole.into(),
            (_, Ok(number)) => number.into(),
            _ => Value::String(text),
        },
    }
}

/// The words of a line. Commas and brackets around parameters, as in `fill(e3, "Ada")`, also separate words.
fn words(line: &str) -> Vec<Word> {
    let mut out = Vec::new();
    let mut rest = line.trim().chars().peekable();
    let mut text = String::new();
    let mut called = false;
    let part = |text: &mut String, out: &mut Vec<Word>| {
        if !text.is_empty() {
            out.push(Word { text: std::mem::take(text), quoted: false });
        }
    };
    while let Some(c) = rest.next() {
        match c {
            '"' | '“' if text.is_empty() || text.ends_with('=') => {
                let prefix = std::mem::take(&mut text);
                let close = if c == '“' { '”' } else { c };
                let mut inner = String::new();
                while let Some(c) = rest.next() {
                    match c {
                        '\\' => inner.extend(rest.next().map(|c| if c == 'n' { '\n' } else { c })),
                        c if c == close => break,
                        c => inner.push(c),
                    }
                }
                if prefix.is_empty() {
                    out.push(Word { text: inner, quoted: true });
                } else {
                    // `text="Done"`: a named parameter; its value follows the sign.
                    out.push(Word { text: prefix, quoted: false });
                    out.push(Word { text: inner, quoted: true });
                }
            }
            // Brackets and commas within a selector belong to it.
            '(' if out.is_empty() && !text.is_empty() && !called => {
                called = true;
                part(&mut text, &mut out);
            }
            ')' if called && rest.peek().is_none() => part(&mut text, &mut out),
            ',' if called => part(&mut text, &mut out),
            '[' if !text.is_empty() => {
                text.push(c);
                for c in rest.by_ref() {
                    text.push(c);
                    if c == ']' {
                        break;
                    }
                }
            }
            c if c.is_whitespace() => part(&mut text, &mut out),
            c => text.push(c),
        }
    }
    part(&mut text, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_of_the_users_is_called_with_an_object() {
        let weather = json!({"tool": "weather", "arguments": {"city": "Oslo, centre", "days": 2}});
        check(r#"call weather {"city": "Oslo, centre", "days": 2}"#, "call", weather.clone());
        check(r#"weather {"city": "Oslo, centre", "days": 2}"#, "call", weather);
        check("call clock", "call", json!({"tool": "clock", "arguments": {}}));
        check("call clock {}", "call", json!({"tool": "clock", "arguments": {}}));
        // A selector is none.
        check("click div{x}", "click", json!({"target": "div{x}"}));
    }

    fn check(line: &str, action: &str, parameters: Value) {
        assert_eq!(command(line), json!({ "action": action, "parameters": parameters }), "{line}");
    }

    #[test]
    fn parameters_by_place_and_by_name() {
        check("click e5", "click", json!({ "target": "e5" }));
        check(r#"fill e3 "Ada \"L\" Lovelace""#, "fill", json!({ "target": "e3", "text": "Ada \"L\" Lovelace" }));
        check(r#"fill e3 "x" submit=true"#, "fill", json!({ "target": "e3", "text": "x", "submit": true }));
        check(r#"select e4 "Red" "Dark blue""#, "select", json!({ "target": "e4", "values": ["Red", "Dark blue"] }));
        check("press Enter", "press", json!({ "key": "Enter" }));
        check("open https://a.test/?x=1", "open", json!({ "url": "https://a.test/?x=1" }));
        check("scroll down", "scroll", json!({ "direction": "down" }));
        check(r#"wait "Done""#, "wait", json!({ "text": "Done" }));
        check(r#"wait gone="Loading""#, "wait", json!({ "gone": "Loading" }));
        check("wait seconds=2", "wait", json!({ "seconds": 2 }));
        check("tab switch tab=2", "tab", json!({ "op": "switch", "tab": 2 }));
        check(r#"fill e3 "42""#, "fill", json!({ "target": "e3", "text": "42" }));
        check("reload", "reload", json!({}));
        check(r#"done "It is 5 km.""#, "done", json!({ "result": "It is 5 km." }));
    }

    #[test]
    fn targets_by_name_as_small_models_choose_them() {
        check(r#"click "Sign in""#, "click", json!({ "target": "text=Sign in" }));
        check(r#"click button "Sign in""#, "click", json!({ "target": "role=button[name=\"Sign in\"]" }));
        check(
            r#"click #go > a[href="/x y"]"#,
            "click",
            json!({ "target": "#go", "extra 1": ">", "extra 2": "a[href=\"/x y\"]" }),
        );
        check(r#"click text="Sign in""#, "click", json!({ "target": "text=Sign in" }));
        check("click e5,", "click", json!({ "target": "e5" }));
    }

    #[test]
    fn as_a_call() {
        check(r#"fill(e3, "Ada, Countess")"#, "fill", json!({ "target": "e3", "text": "Ada, Countess" }));
        check("click(e5)", "click", json!({ "target": "e5" }));
        check("CLICK_ELEMENT e5", "click", json!({ "target": "e5" }));
    }

    #[test]
    fn what_has_no_place_is_kept_to_be_refused() {
        check("click e5 e6", "click", json!({ "target": "e5", "extra 1": "e6" }));
        check("", "", json!({}));
    }
}
