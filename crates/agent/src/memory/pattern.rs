//! Patterns for steps and places: an instruction without its values, and a URL without the parts that vary. Neither
//! contains what a person typed, because lessons outlive runs.

use std::collections::BTreeSet;

use url::Url;

use crate::context::one_line;

/// The maximum number of characters of a pattern.
const PATTERN: usize = 160;

/// Words that do not distinguish steps.
const COMMON: &[&str] = &[
    "all", "and", "any", "are", "box", "button", "can", "check", "choose", "click", "does", "enter", "field", "fill",
    "find", "first", "for", "from", "get", "has", "have", "into", "its", "link", "list", "make", "next", "not", "now",
    "off", "one", "open", "out", "page", "press", "put", "save", "see", "select", "set", "show", "shown", "step",
    "text", "that", "the", "then", "there", "this", "type", "use", "value", "wait", "was", "which", "with", "you",
    "your",
];

/// An instruction without its values: quoted texts, variables, numbers, URLs.
pub fn pattern_of(words: &str) -> String {
    let mut out = String::new();
    let mut quoted: Option<char> = None;
    for c in words.chars() {
        match quoted {
            Some(end) if c == end => quoted = None,
            Some(_) => {}
            None => match closing(c) {
                Some(end) => {
                    quoted = Some(end);
                    out.push_str(" … ");
                }
                None => out.extend(c.to_lowercase()),
            },
        }
    }
    let mut pattern: Vec<&str> = Vec::new();
    for word in out.split_whitespace() {
        let word =
            word.trim_matches(|c: char| matches!(c, ',' | '.' | ';' | ':' | '!' | '?' | '(' | ')' | '[' | ']' | '\''));
        let value = word.chars().any(|c| c.is_ascii_digit() || matches!(c, '@' | '/' | '$' | '\\' | '='));
        let word = if value { "…" } else { word };
        if !(word.is_empty() || word == "…" && pattern.last() == Some(&"…")) {
            pattern.push(word);
        }
    }
    one_line(&pattern.join(" "), PATTERN)
}

fn closing(c: char) -> Option<char> {
    Some(match c {
        '"' => '"',
        '“' | '„' => '”',
        '«' => '»',
        '`' => '`',
        _ => return None,
    })
}

/// The words that distinguish a text from others.
pub(super) fn telling(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| word.chars().count() > 2 && !COMMON.contains(&word.as_str()))
        .map(|word| stem(&word).to_owned())
        .collect()
}

/// Reduces `orders` and `order` to the same word.
fn stem(word: &str) -> &str {
    let short = word.strip_suffix("ies").or_else(|| word.strip_suffix('s').filter(|rest| !rest.ends_with('s')));
    short.filter(|rest| rest.len() > 2).unwrap_or(word)
}

/// The origin of a URL; `None` if it is not a page of a site.
pub fn site_of(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.origin().ascii_serialization())
}

/// The path of a URL without numbers and identifiers. The query is never included, because it can contain any data.
pub fn path_of(url: &str) -> String {
    let Ok(url) = Url::parse(url) else { return String::new() };
    let part = |part: &str| {
        let digits = part.chars().filter(char::is_ascii_digit).count();
        let single = digits > 0 && (digits * 2 >= part.len() || part.len() > 11) || part.len() > 40;
        if single { "#".to_owned() } else { part.to_owned() }
    };
    let path: Vec<String> = url.path().split('/').map(part).collect();
    one_line(&path.join("/"), 80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_keeps_words_and_no_values() {
        let check = |words: &str, expect: &str| assert_eq!(pattern_of(words), expect, "{words}");
        check("Type \"alice\" into \"User name\"", "type … into …");
        check("Log in as ${user} with ${secret:pw}.", "log in as … with …");
        check("Buy 3 of item A-17 for alice@home.test", "buy … of item … for …");
        check("Open https://shop.test/x?token=abc  and wait", "open … and wait");
        check("Type “geheim” and „mehr”", "type … and …");
        check("an \"open quote hides the rest", "an …");
        check("log in (no. 4711), then 'go on'", "log in no … then go on");
        check("", "");
        assert_eq!(pattern_of(&"word ".repeat(100)).chars().count(), PATTERN + 1);
    }

    #[test]
    fn telling_words() {
        let words = |text: &str| telling(text).into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(words("Click the \"Sign in\" button"), "sign");
        assert_eq!(words("list all orders; Order no. 7, addresses"), "addresse order");
    }

    #[test]
    fn an_address_without_what_differs_each_time() {
        let check = |url: &str, site: Option<&str>, path: &str| {
            assert_eq!((site_of(url).as_deref(), path_of(url).as_str()), (site, path), "{url}");
        };
        check("https://shop.test/orders/4711/edit?t=SECRET#x", Some("https://shop.test"), "/orders/#/edit");
        check("http://127.0.0.1:8080/", Some("http://127.0.0.1:8080"), "/");
        check("https://shop.test/reset/9f86d081884c7d65", Some("https://shop.test"), "/reset/#");
        check("https://shop.test/v2/list", Some("https://shop.test"), "/#/list");
        check("about:blank", None, "blank");
        check("data:text/html,hello", None, "text/html,hello");
    }
}
