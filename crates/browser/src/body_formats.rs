//! Reads the bodies of responses in other forms than the JSON of most interfaces, so that the same rules apply to them:
//! names that begin with a capital letter (ASP.NET), XML, SOAP faults, and a plain line of text.

use quick_xml::{Reader, escape::resolve_predefined_entity, events::Event};
use serde_json::{Map, Value, json};

/// The maximum depth and number of elements of an XML body that are read.
const DEPTH: usize = 8;
const ELEMENTS: usize = 500;

/// The body as a value whose names begin with a small letter.
pub(crate) fn value_of(media_type: &str, body: &[u8]) -> Option<Value> {
    if media_type.contains("json") {
        return serde_json::from_slice(body).ok().map(with_small_names);
    }
    let text = std::str::from_utf8(body).ok()?.trim();
    if media_type.contains("xml") && !media_type.contains("html") && !media_type.contains("svg") {
        return xml(text).map(with_small_names);
    }
    // The default type of many servers is HTML, also for a line that a script wrote.
    let is_line = media_type.starts_with("text/") && !text.starts_with('<') && !text.starts_with('{');
    is_line.then(|| line(text)).flatten()
}

/// A name in the notation of JavaScript: `Success` and `SUCCESS` are `success`, and `IsSuccess` is `isSuccess`.
pub(crate) fn small_name(name: &str) -> String {
    if name.chars().any(char::is_lowercase) {
        let mut letters = name.chars();
        letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
    } else {
        name.to_lowercase()
    }
}

fn with_small_names(value: Value) -> Value {
    match value {
        Value::Array(entries) => entries.into_iter().map(with_small_names).collect(),
        Value::Object(fields) => {
            let is_taken: Vec<bool> = fields.keys().map(|name| fields.contains_key(&small_name(name))).collect();
            let fields = fields.into_iter().zip(is_taken).map(|((name, value), is_taken)| {
                let name = if is_taken { name } else { small_name(&name) };
                (name, with_small_names(value))
            });
            Value::Object(fields.collect())
        }
        value => value,
    }
}

/// A line that begins with a word for an error, as an object with that error. In `Error report sent`, the word is the
/// object of what was done.
fn line(text: &str) -> Option<Value> {
    const LONGEST: usize = 200;
    const WORDS: [&str; 14] = [
        "error",
        "err",
        "failed",
        "failure",
        "fail",
        "exception",
        "nok",
        "denied",
        "rejected",
        "fehler",
        "erreur",
        "errore",
        "erro",
        "fout",
    ];
    if text.chars().count() > LONGEST || text.contains('\n') {
        return None;
    }
    let lower = text.to_lowercase();
    let text_after = WORDS.iter().find_map(|word| lower.trim_start_matches('-').strip_prefix(word))?;
    let is_error = text_after.trim_end_matches(['.', '!']).is_empty() || text_after.starts_with([':', ';', '|', ',']);
    is_error.then(|| json!({ "error": text }))
}

/// An element that was begun.
struct OpenElement {
    name: String,
    fields: Map<String, Value>,
    text: String,
}

impl OpenElement {
    fn new(name: &str) -> OpenElement {
        // A SOAP fault is an error.
        let name = if name.eq_ignore_ascii_case("fault") { "error" } else { name };
        OpenElement { name: name.to_owned(), fields: Map::new(), text: String::new() }
    }

    /// The content: the elements, or the text of an element without elements.
    fn content(self) -> Value {
        if !self.fields.is_empty() {
            return Value::Object(self.fields);
        }
        match self.text.trim().to_lowercase().as_str() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => Value::from(self.text.trim()),
        }
    }
}

/// The content of the root element. The root itself counts if it is called `error` or the like.
fn xml(text: &str) -> Option<Value> {
    let mut reader = Reader::from_str(text);
    let mut open: Vec<OpenElement> = Vec::new();
    let mut elements = 0;
    loop {
        match reader.read_event().ok()? {
            Event::Start(tag) => {
                elements += 1;
                if open.len() >= DEPTH || elements > ELEMENTS {
                    return None;
                }
                open.push(OpenElement::new(tag.local_name().as_ref()));
            }
            Event::Empty(tag) => {
                elements += 1;
                let name = OpenElement::new(tag.local_name().as_ref()).name;
                open.last_mut()?.fields.entry(name).or_insert(Value::Null);
            }
            Event::Text(text) => {
                if let Some(element) = open.last_mut() {
                    element.text.push_str(&text);
                }
            }
            Event::CData(data) => open.last_mut()?.text.push_str(&data),
            Event::GeneralRef(entity) => {
                let element = open.last_mut()?;
                match entity.resolve_char_ref().ok()? {
                    Some(letter) => element.text.push(letter),
                    None => element.text.push_str(resolve_predefined_entity(&entity).unwrap_or_default()),
                }
            }
            Event::End(_) => {
                let element = open.pop()?;
                let Some(parent) = open.last_mut() else {
                    let is_error = matches!(&*element.name.to_lowercase(), "error" | "errors" | "exception");
                    let content = element.content();
                    return Some(with_small_names(if is_error { json!({ "error": content }) } else { content }));
                };
                parent.fields.entry(element.name.clone()).or_insert_with(|| element.content());
            }
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            Event::Eof => return None,
        }
    }
}

/// Whether a body is a whole page that asks to log in. A page with a field for a password may also be the user's own
/// settings, so that the title or heading must name the log-in.
pub(crate) fn is_log_in_page(media_type: &str, body: &[u8]) -> bool {
    const LOG_IN: [&str; 10] = [
        "log in",
        "login",
        "sign in",
        "signin",
        "anmeld",
        "einlogg",
        "connexion",
        "iniciar sesión",
        "accedi",
        "inlogg",
    ];
    if !media_type.contains("html") {
        return false;
    }
    let page = String::from_utf8_lossy(body).to_lowercase();
    let is_page = page.contains("<html") || page.contains("<!doctype");
    let has_form =
        page.contains("type=password") || page.contains("type=\"password\"") || page.contains("type='password'");
    let within = |tag: &str, end: &str| {
        let from = page.find(tag)? + tag.len();
        Some(&page[from..from + page[from..].find(end)?])
    };
    let names = [within("<title", "</title"), within("<h1", "</h1")];
    is_page && has_form && names.into_iter().flatten().any(|name| LOG_IN.iter().any(|words| name.contains(words)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(media_type: &str, body: &str) -> Value {
        value_of(media_type, body.as_bytes()).unwrap_or_default()
    }

    #[test]
    fn names_are_read_in_one_notation() {
        assert_eq!(
            read("application/json", r#"{"Success":false,"d":{"IsError":true},"ID":1,"Ok":1,"ok":2}"#),
            json!({"success": false, "d": {"isError": true}, "id": 1, "Ok": 1, "ok": 2})
        );
    }

    #[test]
    fn xml_is_read_like_json() {
        let soap = r#"<?xml version="1.0"?><s:Envelope xmlns:s="x"><s:Body><s:Fault><faultcode>LOCK</faultcode><faultstring>Record locked</faultstring></s:Fault></s:Body></s:Envelope>"#;
        assert_eq!(
            read("text/xml; charset=utf-8", soap),
            json!({"body": {"error": {"faultcode": "LOCK", "faultstring": "Record locked"}}})
        );
        let failed = "<response><!-- x --><status>error</status><a/><ok>false</ok><message><![CDATA[Locked]]></message></response>";
        assert_eq!(
            read("application/xml", failed),
            json!({"status": "error", "a": null, "ok": false, "message": "Locked"})
        );
        assert_eq!(read("application/xml", "<Error>Locked</Error>"), json!({"error": "Locked"}));
        assert_eq!(read("text/xml", "<a>x &amp; y&#33;</a>"), json!("x & y!"));
        for broken in ["", "<a>", "</a>", "<a", "<!-- x", "<a><![CDATA[x</a>"] {
            assert_eq!(value_of("text/xml", broken.as_bytes()), None, "{broken}");
        }
    }

    #[test]
    fn a_line_that_begins_with_an_error_states_it() {
        assert_eq!(read("text/plain", "ERROR: record is locked\n"), json!({"error": "ERROR: record is locked"}));
        assert_eq!(read("text/html", "Fehler: gesperrt"), json!({"error": "Fehler: gesperrt"}));
        assert_eq!(read("text/plain", "failed"), json!({"error": "failed"}));
        for done in ["OK", "Error report sent", "Failed jobs were deleted", "<p>Error: x</p>", "errors: 0", ""] {
            assert_eq!(read("text/plain", done), Value::Null, "{done}");
        }
    }

    #[test]
    fn a_page_that_asks_to_log_in_is_known_by_its_title_and_form() {
        let page = |title: &str, form: &str| format!("<!doctype html><title>{title}</title><form>{form}</form>");
        let is_one = |body: &str| is_log_in_page("text/html; charset=utf-8", body.as_bytes());
        let field = "<input type=password>";
        assert!(is_one(&page("Sign in", field)));
        assert!(is_one(&page("Nordwind", &format!("<h1>Anmelden</h1>{field}"))));
        assert!(!is_one(&page("Settings", field)), "the user's own settings");
        assert!(!is_one(&page("Sign in", "")) && !is_one(field));
    }
}
