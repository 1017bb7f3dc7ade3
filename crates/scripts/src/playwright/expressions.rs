//! Calls, values and names in both languages.

use super::Language;
use crate::statement::{Base, Call, Expression, Piece, Value};

/// The page as the subject of an assertion.
pub(super) fn page_text() -> &'static str {
    "page"
}

/// A chain of calls.
pub(super) fn expression(expression: &Expression, language: Language) -> String {
    let mut text = match &expression.base {
        Base::Page => "page".to_owned(),
        Base::Device(name) => format!("page.{name}"),
        Base::Variable(name) => variable_name(name, language),
    };
    for Call { method, arguments, options } in &expression.calls {
        // `first` and `last` are properties in Python.
        if language == Language::Python && matches!(*method, "first" | "last") {
            text += &format!(".{method}");
        } else {
            text += &format!(".{}", call(method, arguments, options, language));
        }
    }
    text
}

/// One call of a method with the name that it has in JavaScript.
pub(super) fn call(method: &str, arguments: &[Value], options: &[(&'static str, Value)], language: Language) -> String {
    let mut parts: Vec<String> = arguments.iter().map(|argument| value(argument, language)).collect();
    match language {
        Language::TypeScript => {
            let named: Vec<String> =
                options.iter().map(|(name, one)| format!("{name}: {}", value(one, language))).collect();
            if !named.is_empty() {
                parts.push(format!("{{ {} }}", named.join(", ")));
            }
            format!("{method}({})", parts.join(", "))
        }
        Language::Python => {
            parts.extend(options.iter().map(|(name, one)| format!("{}={}", snake_case(name), value(one, language))));
            format!("{}({})", snake_case(method), parts.join(", "))
        }
    }
}

/// A value.
pub(super) fn value(of: &Value, language: Language) -> String {
    match of {
        Value::Text(pieces) => text(pieces, language),
        Value::Number(number) => number.to_string(),
        Value::Bool(state) => match (language, state) {
            (Language::TypeScript, state) => state.to_string(),
            (Language::Python, true) => "True".to_owned(),
            (Language::Python, false) => "False".to_owned(),
        },
        Value::Pattern { source, ignore_case } => match language {
            Language::TypeScript => format!("/{source}/{}", if *ignore_case { "i" } else { "" }),
            Language::Python => {
                let flags = if *ignore_case { ", re.IGNORECASE" } else { "" };
                // JavaScript needs `\/` where Python needs nothing; Python accepts it.
                format!("re.compile({}{flags})", quoted(source, language))
            }
        },
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(|item| value(item, language)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Locator(locator) => expression(locator, language),
        Value::Function(source) => quoted_unless_typescript(source, language),
    }
}

fn quoted_unless_typescript(source: &str, language: Language) -> String {
    if language == Language::TypeScript { source.to_owned() } else { quoted(source, language) }
}

/// A text with variables.
fn text(pieces: &[Piece], language: Language) -> String {
    let variable = |piece: &Piece| match piece {
        Piece::Literal(_) => None,
        Piece::Variable(name) => Some(variable_name(name, language)),
        Piece::Secret(name) => Some(super::secret_name(name, language)),
        Piece::BaseUrl => Some(variable_name("base_url", language)),
    };
    match pieces {
        [] => quoted("", language),
        [Piece::Literal(literal)] => quoted(literal, language),
        [one] => variable(one).unwrap_or_default(),
        several => {
            let parts = several.iter().map(|piece| match (piece, language) {
                (Piece::Literal(literal), Language::TypeScript) => {
                    literal.replace('\\', "\\\\").replace('`', "\\`").replace("${", "\\${").replace('\n', "\\n")
                }
                (Piece::Literal(literal), Language::Python) => {
                    let inside = quoted(literal, language);
                    inside[1..inside.len() - 1].replace('{', "{{").replace('}', "}}")
                }
                (other, Language::TypeScript) => format!("${{{}}}", variable(other).unwrap_or_default()),
                (other, Language::Python) => format!("{{{}}}", variable(other).unwrap_or_default()),
            });
            let inside: String = parts.collect();
            if language == Language::TypeScript { format!("`{inside}`") } else { format!("f\"{inside}\"") }
        }
    }
}

/// A text in quotes.
pub(super) fn quoted(text: &str, language: Language) -> String {
    // The escape sequences of JSON mean the same in both languages.
    let json = serde_json::Value::from(text).to_string();
    match language {
        Language::Python => json,
        Language::TypeScript => {
            let inside = json[1..json.len() - 1].replace("\\\"", "\"").replace('\'', "\\'");
            format!("'{}'", inside.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029"))
        }
    }
}

/// `order_number` as a name of a variable: unchanged in Python, `orderNumber` in TypeScript.
pub(super) fn variable_name(name: &str, language: Language) -> String {
    const RESERVED: [&str; 28] = [
        "page",
        "context",
        "expect",
        "test",
        "process",
        "secret",
        "firstPage",
        "class",
        "function",
        "new",
        "delete",
        "return",
        "import",
        "from",
        "in",
        "is",
        "for",
        "if",
        "else",
        "while",
        "with",
        "pass",
        "let",
        "const",
        "var",
        "os",
        "re",
        "run",
    ];
    let name = match language {
        Language::Python => name.to_owned(),
        Language::TypeScript => {
            let mut words = name.split('_').filter(|word| !word.is_empty());
            let first = words.next().unwrap_or("value").to_owned();
            words.fold(first, |name, word| {
                let mut letters = word.chars();
                let initial = letters.next().map(|letter| letter.to_ascii_uppercase());
                name + &initial.into_iter().chain(letters).collect::<String>()
            })
        }
    };
    if RESERVED.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// The environment variable of an input or a secret.
pub(super) fn env_name(kind: &str, name: &str) -> String {
    format!("{kind}_{}", name.replace(['.', '-'], "_").to_ascii_uppercase())
}

fn snake_case(name: &str) -> String {
    // Abbreviations are one word: `toHaveURL` is `to_have_url`.
    let name = name.replace("URL", "Url");
    let mut snake = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

/// A call without arguments, such as `page.bringToFront()`.
pub(super) fn snake_case_calls(call: &str) -> String {
    if call.ends_with("()") { call.split('.').map(snake_case).collect::<Vec<_>>().join(".") } else { call.to_owned() }
}
