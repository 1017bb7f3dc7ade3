//! Parses a command in the line form, `fill e3 "Ada"`. It takes few tokens, and models write it with fewer mistakes
//! than nested JSON.
//!
//! Models know many notations: of Playwright, of other agents, and plain English. A line is understood if there is one
//! way to understand it: refs and `button "Save"` are targets wherever they stand; a preposition that the action
//! declares names the parameter (`type "Ada" into e3`); other values have the order of [`form`]. What is left over is
//! kept under `extra 1`, so that the line is refused: half a command must not be executed.

mod own_words;
mod values;
mod words;

use std::collections::VecDeque;

use legwork_protocol::{ActionInfo, ParameterKind};
use serde_json::{Map, Value, json};

use self::{
    values::{control, is_acceptance, reference, role, role_target, seconds, typed},
    words::{Word, words},
};
use super::generate::{Parameter, signature_of};

/// Converts a line to `{action, parameters, line}`.
pub(crate) fn command(line: &str) -> Value {
    let source = line.trim().trim_matches('`').trim();
    let mut found = call(source).unwrap_or_else(|| parsed(source));
    found["line"] = line.into();
    found
}

/// The form in which the prompt teaches a command: `fill T "text"`. An optional parameter is in brackets.
pub(crate) fn form(action: &str) -> String {
    let places = signature_of(action).into_iter().filter(|parameter| parameter.positional);
    let shown = places.map(|parameter| {
        let value = match parameter.kind {
            ParameterKind::Target => "T".to_owned(),
            _ if !parameter.words.is_empty() => parameter.words.join("|"),
            ParameterKind::Flag if parameter.name == "accept" => "accept|dismiss".to_owned(),
            ParameterKind::Flag | ParameterKind::Number => parameter.name.clone(),
            _ => format!("{:?}", parameter.name),
        };
        if parameter.required { value } else { format!("[{value}]") }
    });
    std::iter::once(action.to_owned()).chain(shown).collect::<Vec<_>>().join(" ")
}

/// `call weather {"city": "Oslo"}`, also without `call`, and `click {"target": "e5"}`.
fn call(line: &str) -> Option<Value> {
    let (name, rest) = line.split_at(line.find(|c: char| c.is_whitespace() || c == '(' || c == '{')?);
    let rest = rest.trim();
    let rest = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(rest);
    let action = legwork_protocol::action_name(name);
    if action != "call"
        && ActionInfo::named(&action).is_some()
        && let Ok(Value::Object(given)) = serde_json::from_str(rest)
    {
        return Some(
            json!({ "action": action, "parameters": legwork_protocol::action_parameters(&action, name, given) }),
        );
    }
    let (tool, arguments) = match name {
        "call" => rest.split_once(char::is_whitespace).unwrap_or((rest, "{}")),
        _ => (name, rest),
    };
    let arguments: Value = serde_json::from_str(arguments.trim()).ok().filter(Value::is_object)?;
    Some(json!({ "action": "call", "parameters": { "tool": tool, "arguments": arguments } }))
}

fn parsed(line: &str) -> Value {
    let mut words: VecDeque<Word> = words(line).into();
    let Some(written) = name(&mut words) else { return json!({ "action": "", "parameters": {} }) };
    let action = legwork_protocol::action_name(&written);
    let Some(info) = ActionInfo::named(&action) else { return json!({ "action": action, "parameters": {} }) };
    // `tabs` lists them, unless another word says what to do.
    let implied = legwork_protocol::implied_parameter(&action, &written).filter(|_| !written.ends_with("tabs"));
    let given = implied.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    let text = match words.front() {
        Some(first) if !first.quoted && !first.text.contains('=') && is_free_text(info) => text_after_name(line),
        _ => None,
    };
    let reader = Reader { info, signature: signature_of(&action), words, given, values: Vec::new() };
    let given = match text {
        Some(text) => reader.only_text(text),
        None => reader.read(),
    };
    json!({ "action": action, "parameters": legwork_protocol::action_parameters(&action, &written, given) })
}

/// Removes the name of the action. It may be several words: `double click`, `go back`.
fn name(words: &mut VecDeque<Word>) -> Option<String> {
    const LONGEST: usize = 3;
    let first = words.front()?.text.trim_end_matches([':', '.']).to_owned();
    let written = |count: usize| {
        let parts: Vec<&str> = words.iter().take(count).filter(|word| !word.quoted).map(|word| &*word.text).collect();
        (parts.len() == count).then(|| parts.join("_"))
    };
    let known = |count: &usize| {
        written(*count).is_some_and(|name| ActionInfo::named(&legwork_protocol::action_name(&name)).is_some())
    };
    let count = (2..=LONGEST.min(words.len())).rev().find(known);
    let name = count.and_then(written).unwrap_or(first);
    words.drain(..count.unwrap_or(1));
    Some(name)
}

/// Whether the whole rest of the line is one text, even without quotation marks: `done It is 5 km.` Where a text is
/// entered into a page, another instruction could follow it.
fn is_free_text(info: &ActionInfo) -> bool {
    matches!(info.name, "done" | "abort" | "ask" | "find" | "extract")
}

/// The rest of a line without the name, if it is one text in natural language.
fn text_after_name(line: &str) -> Option<&str> {
    let (_, text) = line.split_once(char::is_whitespace)?;
    let is_text = !text.contains(['"', '“']) && text.contains(' ') && !text.contains('=');
    is_text.then(|| text.trim())
}

/// A value whose parameter depends on the number of values.
struct UnnamedValue {
    value: String,
    is_bare: bool,
}

struct Reader {
    info: &'static ActionInfo,
    signature: Vec<Parameter>,
    words: VecDeque<Word>,
    given: Map<String, Value>,
    values: Vec<UnnamedValue>,
}

impl Reader {
    fn read(mut self) -> Map<String, Value> {
        while let Some(word) = self.words.pop_front() {
            if !self.skips(&word) && !self.named(&word) && !self.after_preposition(&word) {
                self.unnamed(word);
            }
        }
        self.place();
        self.given
    }

    /// The parameters if the rest of the line is a text. `extract the names as people` still names the variable.
    fn only_text(mut self, text: &str) -> Map<String, Value> {
        let text = ["for ", "user "].iter().find_map(|filler| text.strip_prefix(filler)).unwrap_or(text);
        let (text, variable) = match text.rsplit_once(" as ") {
            Some((text, variable)) if self.info.name == "extract" => (text, Some(variable)),
            _ => (text, None),
        };
        if let Some(place) = self.signature.iter().find(|one| one.required) {
            self.given.insert(place.name.clone(), text.into());
        }
        if let Some(variable) = variable {
            self.given.insert("variable".to_owned(), variable.into());
        }
        self.given
    }

    /// An article or a filler, if something follows that it can belong to.
    fn skips(&self, word: &Word) -> bool {
        let Some(next) = self.words.front() else {
            // `reload page`, `scroll down the page`
            return ["page", "browser", "dialog"].iter().any(|filler| word.is(filler)) && self.takes_no_text();
        };
        let is_flag =
            |next: &Word| self.signature.iter().any(|one| one.kind == ParameterKind::Flag && next.is(&one.name));
        word.is("the") || word.is("and") && is_flag(next)
    }

    /// Whether no value of the action is a text of its own, so that a word such as `page` says nothing.
    fn takes_no_text(&self) -> bool {
        !self
            .signature
            .iter()
            .any(|one| one.positional && matches!(one.kind, ParameterKind::Text | ParameterKind::Texts))
            || self.info.name == "dialog"
    }

    /// `submit`, `to=2`, `text="Done"`, `gone "Loading"`.
    fn named(&mut self, word: &Word) -> bool {
        if word.quoted {
            return false;
        }
        let (key, inline) = word.text.split_once('=').map_or((&*word.text, None), |(key, value)| (key, Some(value)));
        let meant = legwork_protocol::parameter_name(self.info.name, key).to_owned();
        let Some(parameter) = self.signature.iter().find(|one| one.name == meant) else { return false };
        let (kind, name) = (parameter.kind, parameter.name.clone());
        if self.given.contains_key(&name) || name == "text" && self.is_target_text() {
            return false;
        }
        // `button "Save"` is a target, not the button of the mouse.
        let is_named_by_word =
            parameter.words.is_empty() && !matches!(kind, ParameterKind::Target | ParameterKind::Flag);
        let next_is_value = self.words.front().is_some_and(|next| next.quoted);
        let value = match inline {
            Some("") if next_is_value => self.next_value(),
            Some(value) if !value.is_empty() => value.to_owned(),
            Some(_) => return false,
            None if kind == ParameterKind::Flag && self.info.name != "dialog" => "true".to_owned(),
            None if next_is_value && is_named_by_word => self.next_value(),
            None => return false,
        };
        let mut value = typed(kind, &name, value);
        if kind == ParameterKind::Texts {
            value = Value::Array(std::iter::once(value).chain(self.texts()).collect());
        }
        self.given.insert(name, value);
        true
    }

    /// Whether `text` is the notation of a target: `fill text=Name "Ada"`. It is the parameter if the target has a
    /// place of its own.
    fn is_target_text(&self) -> bool {
        let needs_target =
            self.is_free("target") && self.signature.iter().any(|one| one.name == "target" && one.required);
        let has_target = self.words.iter().any(|word| {
            reference(word).is_some() || word.text.starts_with("target=") || self.preposition(word).is_some()
        });
        needs_target && !has_target
    }

    /// Whether the word is the name of a parameter that takes the next value.
    fn is_name(&self, word: &Word) -> bool {
        let meant = legwork_protocol::parameter_name(self.info.name, &word.text);
        self.signature.iter().any(|one| one.name == meant && one.words.is_empty())
    }

    /// Removes the next word if it meets the condition.
    fn next_if(&mut self, condition: impl Fn(&Word) -> bool) -> Option<Word> {
        self.words.front().is_some_and(condition).then(|| self.words.pop_front())?
    }

    fn next_value(&mut self) -> String {
        self.words.pop_front().map(|word| word.text).unwrap_or_default()
    }

    /// The quoted values that follow, of a list.
    fn texts(&mut self) -> Vec<Value> {
        let mut all = Vec::new();
        while let Some(word) = self.next_if(|next| next.quoted) {
            all.push(Value::String(word.text));
        }
        all
    }

    /// The parameter that a preposition names.
    fn preposition(&self, word: &Word) -> Option<&'static str> {
        let (_, parameter) = self.info.prepositions.iter().find(|(preposition, _)| word.is(preposition))?;
        Some(parameter)
    }

    fn after_preposition(&mut self, word: &Word) -> bool {
        let Some(name) = self.preposition(word) else { return false };
        while self.words.len() > 1 && self.words.front().is_some_and(|next| next.is("the")) {
            self.words.pop_front();
        }
        let Some(next) = self.words.front() else { return false };
        if self.word_of_parameter(next).is_some() || self.info.name == "wait" && next.is("page") {
            // `scroll to the bottom`: the next word names its parameter itself.
            return true;
        }
        let Some(parameter) = self.signature.iter().find(|one| one.name == name) else { return false };
        let (kind, is_free) = (parameter.kind, self.is_free(name));
        if !is_free {
            return false;
        }
        let Some(next) = self.words.pop_front() else { return false };
        let value = match kind {
            ParameterKind::Target => Value::String(self.target(next)),
            ParameterKind::Texts => {
                Value::Array(std::iter::once(Value::String(next.text)).chain(self.texts()).collect())
            }
            // `wait for 3 seconds`
            _ if seconds(&next).is_some() => {
                self.unnamed(next);
                return true;
            }
            _ => Value::String(next.text),
        };
        self.given.insert(name.to_owned(), value);
        true
    }

    fn is_free(&self, name: &str) -> bool {
        !self.given.contains_key(name)
    }

    fn free_target(&self) -> Option<String> {
        let is_open = |one: &&Parameter| one.kind == ParameterKind::Target && self.is_free(&one.name);
        self.signature.iter().find(is_open).map(|one| one.name.clone())
    }

    /// The enumerated parameter that has this word as a value: `scroll down`, `click e5 right`, `tab list`.
    fn word_of_parameter(&self, word: &Word) -> Option<(String, String)> {
        let is_value = |one: &&Parameter| self.is_free(&one.name) && one.words.iter().any(|value| word.is(value));
        self.signature.iter().find(is_value).map(|one| (one.name.clone(), word.text.to_lowercase()))
    }

    fn unnamed(&mut self, word: Word) {
        if let Some((name, value)) = self.word_of_parameter(&word) {
            self.given.insert(name, value.into());
            return;
        }
        if self.info.name == "wait" && self.wait(&word) || self.info.name == "tab" && self.tab(&word) {
            return;
        }
        if self.is_free("accept")
            && self.signature.iter().any(|one| one.name == "accept")
            && let Some(accepts) = is_acceptance(&word)
        {
            self.given.insert("accept".to_owned(), accepts.into());
            return;
        }
        let is_target = reference(&word).is_some() || self.is_role(&word) || self.is_engine(&word) || self.is_nth();
        if is_target && let Some(name) = self.free_target() {
            let target = self.target(word);
            self.given.insert(name, target.into());
            return;
        }
        if let Some(number) = self.number(&word) {
            self.given.insert(number, typed(ParameterKind::Number, "", word.text));
            return;
        }
        // `"Save" button`: the role follows the name. Among values, the word belongs to the value.
        if word.quoted
            && let Some(role) = self.words.front().filter(|next| !next.quoted).and_then(|next| control(&next.text))
            && let Some(name) = self.free_target()
            && match self.words.get(1) {
                Some(next) => self.preposition(next).is_some(),
                None => !self.takes_text(),
            }
        {
            let target = role_target(role, &word.text);
            self.words.pop_front();
            self.given.insert(name, target.into());
            return;
        }
        self.values.push(UnnamedValue { value: word.text, is_bare: !word.quoted });
    }

    fn takes_text(&self) -> bool {
        self.signature.iter().any(|one| one.required && matches!(one.kind, ParameterKind::Text | ParameterKind::Texts))
    }

    /// `button "Save"`, also with a ref after it, as in a copied line of the page. `option "Red"` is a value of
    /// `select`.
    fn is_role(&self, word: &Word) -> bool {
        let is_value = self.info.name == "select" && word.is("option");
        !word.quoted && !is_value && role(&word.text).is_some() && self.words.front().is_some_and(|next| next.quoted)
    }

    /// `text=…`, `role=…`, `css=…`, `xpath=…`, `//…`.
    fn is_engine(&self, word: &Word) -> bool {
        ["text=", "role=", "css=", "xpath=", "//"].iter().any(|engine| word.text.starts_with(engine))
    }

    /// The parameter of a number that needs no name.
    fn number(&self, word: &Word) -> Option<String> {
        let is_number = !word.quoted && word.text.parse::<f64>().is_ok();
        let takes = |one: &&Parameter| one.positional && one.kind == ParameterKind::Number && self.is_free(&one.name);
        self.signature.iter().find(takes).filter(|_| is_number).map(|one| one.name.clone())
    }

    /// The notation of a target whose first word this is, with ` >> nth=1` after it.
    fn target(&mut self, word: Word) -> String {
        let target = self.element(word);
        if !self.is_nth() {
            return target;
        }
        self.words.pop_front();
        let nth = self.words.pop_front().map(|word| word.text).unwrap_or_default();
        format!("{target} >> {nth}")
    }

    fn is_nth(&self) -> bool {
        let is_position = |next: &Word| !next.quoted && next.text.starts_with("nth=");
        self.words.front().is_some_and(|next| next.is(">>")) && self.words.get(1).is_some_and(is_position)
    }

    fn element(&mut self, word: Word) -> String {
        if let Some(found) = reference(&word) {
            // `e5 button "Save"`: the ref is enough.
            let is_role = |next: &Word| !next.quoted && control(&next.text).is_some() && !self.is_name(next);
            if self.words.front().is_some_and(is_role) && self.words.get(1).is_some_and(|next| next.quoted) {
                self.words.drain(..2);
            }
            return found.to_string();
        }
        if word.quoted {
            if self.is_engine(&word) {
                return word.text;
            }
            let role = self.words.front().filter(|next| !next.quoted).and_then(|next| control(&next.text));
            if let Some(role) = role.map(|role| role_target(role, &word.text)) {
                self.words.pop_front();
                return role;
            }
            return format!("text={}", word.text);
        }
        if word.text.ends_with('=') {
            return match self.next_if(|next| next.quoted) {
                Some(value) => word.text + &value.text,
                None => word.text,
            };
        }
        if word.text.starts_with("role=") && !word.text.contains('[') {
            // `role=button name="Save"`, `role=button "Save"`
            self.next_if(|next| next.is("name="));
            return match self.next_if(|next| next.quoted) {
                Some(name) => role_target(&word.text["role=".len()..], &name.text),
                None => word.text,
            };
        }
        if let Some(role) = role(&word.text)
            && let Some(name) = self.next_if(|next| next.quoted)
        {
            let copied = self.words.front().and_then(reference);
            return match copied {
                Some(found) => {
                    self.words.pop_front();
                    found.to_string()
                }
                None => role_target(role, &name.text),
            };
        }
        // `click Save`: the names of tags are in lower case.
        if word.text.starts_with(char::is_uppercase) && word.text.chars().all(char::is_alphanumeric) {
            return format!("text={}", word.text);
        }
        word.text
    }

    /// Stores the values without a name under the parameters that remain: first the required ones, then those that may
    /// be written by position, in the order of their declaration.
    fn place(&mut self) {
        let open: Vec<Parameter> =
            self.signature.iter().filter(|one| one.positional && self.is_free(&one.name)).cloned().collect();
        let (required, optional): (Vec<_>, Vec<_>) = open.into_iter().partition(|one| one.required);
        let spare = self.values.len().saturating_sub(required.len());
        let optional = optional.into_iter().filter(|one| one.words.is_empty() && one.kind != ParameterKind::Number);
        let mut places: Vec<Parameter> = required.into_iter().chain(optional.take(spare)).collect();
        places.sort_by_key(|one| (one.kind != ParameterKind::Target, one.position));
        let mut values = VecDeque::from(std::mem::take(&mut self.values));
        for place in places {
            if place.kind == ParameterKind::Texts {
                // `Dark blue` without quotation marks may be one value or two.
                let count = if values.iter().any(|placed| placed.is_bare) { 1 } else { values.len() };
                let all: Vec<Value> = values.drain(..count.min(values.len())).map(|one| one.value.into()).collect();
                if !all.is_empty() {
                    self.given.insert(place.name, Value::Array(all));
                }
            } else if let Some(placed) = values.pop_front() {
                let value = match place.kind {
                    ParameterKind::Target => {
                        Value::String(self.target(Word { text: placed.value, quoted: !placed.is_bare }))
                    }
                    kind => typed(kind, &place.name, placed.value),
                };
                self.given.insert(place.name, value);
            }
        }
        // `press Enter #search`: what is left over cannot be anything else than a target.
        let selects = |placed: &UnnamedValue| {
            placed.is_bare && placed.value.len() > 1 && placed.value.starts_with(['#', '.', '['])
        };
        if values.len() == 1
            && values.front().is_some_and(selects)
            && let Some(name) = self.free_target()
            && let Some(placed) = values.pop_front()
        {
            self.given.insert(name, placed.value.into());
        }
        for (at, extra) in values.into_iter().enumerate() {
            self.given.insert(format!("extra {}", at + 1), extra.value.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The meaning of each line in `tests/data/commands.txt`: what models write, and what it means.
    #[test]
    fn lines_mean_what_a_reader_takes_them_for_or_are_refused() {
        let corpus = include_str!("../../tests/data/commands.txt");
        let mut wrong = Vec::new();
        for entry in corpus.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
            let (line, meaning) = entry.split_once("  ⇒ ").unwrap_or_else(|| panic!("no meaning: {entry}"));
            let found = meaning_of(&line.replace("⏎", "\n"));
            if found != meaning {
                wrong.push(format!("{line}  ⇒ {found}\n    not {meaning}"));
            }
        }
        assert!(wrong.is_empty(), "{} lines:\n{}", wrong.len(), wrong.join("\n"));
    }

    #[test]
    fn a_tool_of_the_users_is_called_with_an_object() {
        let call = |line: &str| {
            let found = command(line);
            (found["action"].as_str().unwrap().to_owned(), found["parameters"].clone())
        };
        let weather = json!({"tool": "weather", "arguments": {"city": "Oslo, centre", "days": 2}});
        for line in [
            r#"call weather {"city": "Oslo, centre", "days": 2}"#,
            r#"weather {"city": "Oslo, centre", "days": 2}"#,
            r#"weather({"city": "Oslo, centre", "days": 2})"#,
        ] {
            assert_eq!(call(line), ("call".to_owned(), weather.clone()), "{line}");
        }
        for line in ["call clock", "call clock {}", "clock {}"] {
            assert_eq!(call(line), ("call".to_owned(), json!({"tool": "clock", "arguments": {}})), "{line}");
        }
        assert_eq!(call("click div{x}"), ("click".to_owned(), json!({"target": "div{x}"})), "a selector is no object");
    }

    fn meaning_of(line: &str) -> String {
        let options = crate::schema::SchemaOptions { vision: true, ..Default::default() };
        let reply = json!({ "do": line, "confidence": 0.9 }).to_string();
        match crate::schema::read(&reply, &options) {
            Ok(decision) => {
                let action = serde_json::to_value(&decision.commands[0].action).unwrap();
                let parameters = action["parameters"].as_object().unwrap().clone();
                let defaults = [
                    ("submit", json!(false)),
                    ("multiple", json!(false)),
                    ("button", json!("left")),
                    ("count", json!(1)),
                ];
                let is_default = |key: &str, value: &Value| {
                    value.is_null()
                        || *value == json!([])
                        || defaults.iter().any(|(name, other)| *name == key && other == value)
                };
                let said = parameters.into_iter().filter(|(key, value)| !is_default(key, value));
                let said: Map<String, Value> = said.collect();
                format!("{} {}", action["action"].as_str().unwrap(), Value::Object(said))
            }
            Err(problems) => format!("refused: {}", problems[0]),
        }
    }
}
