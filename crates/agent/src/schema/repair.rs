//! Parses JSON as models write it: in fences, with text around it, single quotes, bare keys, trailing commas, comments,
//! Python literals, or truncated. It repairs only what is unambiguous, reports truncation, and never guesses a value.

use serde_json::{Map, Number, Value};

use super::SchemaProblem;

/// The maximum size of a reply. Larger ones are rejected without parsing: no decision is that long.
pub(crate) const MAX_REPLY_BYTES: usize = 256 * 1024;
/// The maximum nesting depth. A decision has five levels; a JSON Schema inside it has somewhat more.
const DEPTH: usize = 32;
/// The maximum number of braces in text that are tried as the start of an object.
const STARTS: usize = 16;

/// An object parsed from a reply.
#[derive(Debug, PartialEq)]
pub(crate) struct Parsed {
    pub(crate) object: Map<String, Value>,
    /// Set if the reply ended before the object did; contains the top-level key whose value was truncated, if any.
    pub(crate) cut_in: Option<Option<String>>,
}

/// The keys that identify a decision.
const DECISION: [&str; 8] = ["do", "decision", "command", "commands", "action", "actions", "flowControl", "verdict"];
/// The expectation that a problem states if no object matches.
const WANTED: &str = "a JSON object of the requested shape";

/// Finds and parses the decision in a reply.
pub(crate) fn parse(text: &str) -> Result<Parsed, SchemaProblem> {
    parse_with(text, &DECISION, "do and confidence")
}

/// Finds and parses the object in a reply that has one of these keys; `named` are the keys that a problem mentions.
pub(crate) fn parse_with(text: &str, keys: &[&str], named: &str) -> Result<Parsed, SchemaProblem> {
    parse_where(text, |object| keys.iter().any(|key| object.contains_key(*key))).map_err(|problem| match problem {
        problem if problem.expected == WANTED => {
            SchemaProblem { expected: format!("a JSON object with {named}"), ..problem }
        }
        problem => problem,
    })
}

/// Finds and parses the first matching object in a reply.
pub(crate) fn parse_where(
    text: &str,
    looks_right: impl Fn(&Map<String, Value>) -> bool,
) -> Result<Parsed, SchemaProblem> {
    if text.len() > MAX_REPLY_BYTES {
        let said = format!("{} bytes", text.len());
        return Err(SchemaProblem::whole(format!("a JSON object of at most {MAX_REPLY_BYTES} bytes"), said));
    }
    let text = without_thoughts(text);
    if text.trim().is_empty() {
        return Err(SchemaProblem::whole("a JSON object", "an empty reply"));
    }
    let mut first_error = None;
    for (start, _) in text.match_indices('{').take(STARTS) {
        match (Reader { text, at: start, depth: 0, path: Vec::new(), cut_in: None }).whole() {
            Ok(parsed) if looks_right(&parsed.object) => return Ok(parsed),
            Ok(_) => {}
            Err(problem) => _ = first_error.get_or_insert(problem),
        }
    }
    Err(first_error.unwrap_or_else(|| SchemaProblem::whole(WANTED, text.trim())))
}

/// The reply without the reasoning that some models write before the answer.
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

type RepairResult<T> = Result<T, SchemaProblem>;

impl Reader<'_> {
    fn whole(mut self) -> RepairResult<Parsed> {
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

    fn problem<T>(&self, expected: &str) -> RepairResult<T> {
        let found: String = self.rest().chars().take(30).collect();
        Err(SchemaProblem::whole(format!("{expected} at byte {}", self.at), found))
    }

    fn cut(&mut self) {
        self.cut_in.get_or_insert_with(|| self.path.first().cloned());
    }

    fn deeper(&mut self) -> RepairResult<()> {
        self.depth += 1;
        if self.depth > DEPTH { self.problem(&format!("at most {DEPTH} levels of nesting")) } else { Ok(()) }
    }

    fn value(&mut self) -> RepairResult<Value> {
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

    fn object(&mut self) -> RepairResult<Map<String, Value>> {
        let mut map = Map::new();
        self.each('{', '}', |reader| {
            let key = reader.key()?;
            reader.space();
            if reader.peek().is_none() {
                return Ok(());
            }
            if !reader.skip(':') && !reader.skip('=') {
                return reader.problem("a colon after the key");
            }
            reader.path.push(key.clone());
            if let Some(value) = reader.whole_value()? {
                map.insert(key, value);
            }
            reader.path.pop();
            Ok(())
        })?;
        Ok(map)
    }

    fn array(&mut self) -> RepairResult<Vec<Value>> {
        let mut items = Vec::new();
        self.each('[', ']', |reader| {
            items.extend(reader.whole_value()?);
            Ok(())
        })?;
        Ok(items)
    }

    /// Parses the content between two brackets, item by item. Commas may be missing or repeated, and the end may be
    /// missing.
    fn each(
        &mut self,
        open: char,
        close: char,
        mut one: impl FnMut(&mut Self) -> RepairResult<()>,
    ) -> RepairResult<()> {
        self.deeper()?;
        self.skip(open);
        loop {
            self.space();
            while self.skip(',') {
                self.space();
            }
            match self.peek() {
                None => break self.cut(),
                Some(end) if end == close => break self.at += close.len_utf8(),
                _ => one(self)?,
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// A truncated value is discarded.
    fn whole_value(&mut self) -> RepairResult<Option<Value>> {
        let value = self.value()?;
        Ok(Some(value).filter(|value| self.cut_in.is_none() || value.is_object() || value.is_array()))
    }

    fn key(&mut self) -> RepairResult<String> {
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

    fn string(&mut self, open: char) -> RepairResult<String> {
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

    fn bare(&mut self) -> RepairResult<Value> {
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
