//! JSON as models write it: in fences, with prose around it, single quotes, bare keys, trailing commas, comments,
//! Python's words, or cut off. Reads what is surely meant and says when the end was missing; never guesses a value.

use serde_json::{Map, Number, Value};

use super::SchemaProblem;

/// Replies beyond this are refused unread: no decision is that long.
const MOST_BYTES: usize = 256 * 1024;
/// Deeper nesting is refused. A decision is five deep, a JSON Schema inside it somewhat more.
const DEPTH: usize = 32;
/// Braces in prose from which an object may start.
const STARTS: usize = 16;

/// An object read from a reply.
#[derive(Debug, PartialEq)]
pub(crate) struct Parsed {
    pub(crate) object: Map<String, Value>,
    /// The reply ended before the object did; the top-level key it ended in, when it ended inside a value.
    pub(crate) cut_in: Option<Option<String>>,
}

/// Finds and reads the decision in a reply.
pub(crate) fn parse(text: &str) -> Result<Parsed, SchemaProblem> {
    let keys = ["decision", "command", "commands", "action", "actions", "flowControl", "verdict"];
    parse_with(text, &keys, "decision, reasoning, confidence, command")
}

/// Finds and reads the object in a reply that has one of these keys; `named` are those that a problem names.
pub(crate) fn parse_with(text: &str, keys: &[&str], named: &str) -> Result<Parsed, SchemaProblem> {
    if text.len() > MOST_BYTES {
        let said = format!("{} bytes", text.len());
        return Err(SchemaProblem::whole(format!("a JSON object of at most {MOST_BYTES} bytes"), said));
    }
    let text = without_thoughts(text);
    if text.trim().is_empty() {
        return Err(SchemaProblem::whole("a JSON object", "an empty reply"));
    }
    let mut first_error = None;
    for (start, _) in text.match_indices('{').take(STARTS) {
        match (Reader { text, at: start, depth: 0, path: Vec::new(), cut_in: None }).whole() {
            Ok(parsed) if keys.iter().any(|key| parsed.object.contains_key(*key)) => return Ok(parsed),
            Ok(_) => {}
            Err(problem) => _ = first_error.get_or_insert(problem),
        }
    }
    Err(first_error.unwrap_or_else(|| SchemaProblem::whole(format!("a JSON object with {named}"), text.trim())))
}

/// Without what thinking models put before their answer.
fn without_thoughts(text: &str) -> &str {
    text.rfind("</think>").map_or(text, |end| &text[end + "</think>".len()..])
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    path: Vec<String>,
    cut_in: Option<Option<String>>,
}

type Read<T> = Result<T, SchemaProblem>;

impl Reader<'_> {
    fn whole(mut self) -> Read<Parsed> {
        let object = self.object()?;
        Ok(Parsed { object, cut_in: self.cut_in })
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip(&mut self, c: char) -> bool {
        let there = self.peek() == Some(c);
        self.at += if there { c.len_utf8() } else { 0 };
        there
    }

    fn space(&mut self) {
        loop {
            let trimmed = self.rest().trim_start();
            let comment = match () {
                () if trimmed.starts_with("//") => trimmed.find('\n').unwrap_or(trimmed.len()),
                () if trimmed.starts_with("/*") => trimmed.find("*/").map_or(trimmed.len(), |end| end + 2),
                () => 0,
            };
            self.at = self.text.len() - trimmed.len() + comment;
            if comment == 0 {
                return;
            }
        }
    }

    fn problem<T>(&self, expected: &str) -> Read<T> {
        let found: String = self.rest().chars().take(30).collect();
        Err(SchemaProblem::whole(format!("{expected} at byte {}", self.at), found))
    }

    fn cut(&mut self) {
        self.cut_in.get_or_insert_with(|| self.path.first().cloned());
    }

    fn deeper(&mut self) -> Read<()> {
        self.depth += 1;
        if self.depth > DEPTH { self.problem(&format!("at most {DEPTH} levels of nesting")) } else { Ok(()) }
    }

    fn value(&mut self) -> Read<Value> {
        self.space();
        match self.peek() {
            Some('{') => self.object().map(Value::Object),
            Some('[') => self.array().map(Value::Array),
            Some(quote @ ('"' | '\'' | '“' | '`')) => self.string(quote).map(Value::String),
            Some(_) => self.bare(),
            None => {
                self.cut();
                Ok(Value::Null)
            }
        }
    }

    fn object(&mut self) -> Read<Map<String, Value>> {
        self.deeper()?;
        self.skip('{');
        let mut map = Map::new();
        loop {
            self.space();
            while self.skip(',') {
                self.space();
            }
            match self.peek() {
                None => break self.cut(),
                Some('}') => break self.at += 1,
                _ => {}
            }
            let key = self.key()?;
            self.space();
            if self.peek().is_none() {
                break self.cut();
            }
            if !self.skip(':') && !self.skip('=') {
                return self.problem("a colon after the key");
            }
            self.path.push(key.clone());
            let value = self.value()?;
            // A value that the end cut off is no value.
            if self.cut_in.is_none() || value.is_object() || value.is_array() {
                map.insert(key, value);
            }
            self.path.pop();
        }
        self.depth -= 1;
        Ok(map)
    }

    fn key(&mut self) -> Read<String> {
        match self.peek() {
            Some(quote @ ('"' | '\'' | '“' | '`')) => self.string(quote),
            _ => {
                let length = self
                    .rest()
                    .find(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')
                    .unwrap_or(self.rest().len());
                if length == 0 {
                    return self.problem("a key");
                }
                let key = self.rest()[..length].to_owned();
                self.at += length;
                Ok(key)
            }
        }
    }

    fn array(&mut self) -> Read<Vec<Value>> {
        self.deeper()?;
        self.skip('[');
        let mut items = Vec::new();
        loop {
            self.space();
            while self.skip(',') {
                self.space();
            }
            match self.peek() {
                None => break self.cut(),
                Some(']') => break self.at += 1,
                _ => {}
            }
            let item = self.value()?;
            if self.cut_in.is_none() || item.is_object() || item.is_array() {
                items.push(item);
            }
        }
        self.depth -= 1;
        Ok(items)
    }

    fn string(&mut self, open: char) -> Read<String> {
        self.at += open.len_utf8();
        let close = if open == '“' { '”' } else { open };
        let mut out = String::new();
        loop {
            let Some(c) = self.peek() else {
                self.cut();
                return Ok(out);
            };
            self.at += c.len_utf8();
            match c {
                c if c == close => return Ok(out),
                '\\' => self.escape(&mut out),
                c => out.push(c),
            }
        }
    }

    fn escape(&mut self, out: &mut String) {
        let Some(c) = self.peek() else { return };
        self.at += c.len_utf8();
        match c {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            'u' => out.push(self.unicode()),
            c => out.push(c),
        }
    }

    fn unicode(&mut self) -> char {
        let Some(high) = self.hex() else { return char::REPLACEMENT_CHARACTER };
        if !(0xD800..0xDC00).contains(&high) {
            return char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER);
        }
        let before = self.at;
        if self.skip('\\')
            && self.skip('u')
            && let Some(low @ 0xDC00..0xE000) = self.hex()
        {
            return char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
                .unwrap_or(char::REPLACEMENT_CHARACTER);
        }
        self.at = before;
        char::REPLACEMENT_CHARACTER
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4)?;
        let value = u32::from_str_radix(digits, 16).ok()?;
        self.at += 4;
        Some(value)
    }

    fn bare(&mut self) -> Read<Value> {
        let length = self.rest().find([',', '}', ']', '\n', ':']).unwrap_or(self.rest().len());
        let word = self.rest()[..length].trim();
        let value = match word {
            "true" | "True" | "TRUE" => Value::Bool(true),
            "false" | "False" | "FALSE" => Value::Bool(false),
            "null" | "None" | "undefined" => Value::Null,
            number => match number.parse::<i64>() {
                Ok(whole) => whole.into(),
                Err(_) => match number.parse::<f64>().ok().and_then(Number::from_f64) {
                    Some(number) => Value::Number(number),
                    // A bare word such as PROCEED or MEDIUM.
                    None if !number.is_empty() && number.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                        Value::String(number.to_owned())
                    }
                    None => return self.problem("a value"),
                },
            },
        };
        self.at += length;
        if self.rest().is_empty() {
            self.cut();
        }
        Ok(value)
    }
}
