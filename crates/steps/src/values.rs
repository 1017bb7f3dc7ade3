//! Parses values as people write them: keys, dates, times, numbers, URLs.

use legwork_observe::Node;
use legwork_protocol::Modifier;

use crate::{roles::input, tokens::TokenStream};

/// Converts `Ctrl+A`, `the down arrow key` or `Escape` to a key chord, if the words name one.
pub(crate) fn chord(text: &str) -> Option<String> {
    let lower = text.trim().to_lowercase();
    let lower = lower.strip_prefix("the ").unwrap_or(&lower);
    let lower = lower
        .strip_suffix(" key")
        .or_else(|| lower.strip_suffix(" button").filter(|lower| lower.contains('+')))
        .unwrap_or(lower)
        .trim();
    if let Some(key) = key(lower) {
        return Some(key);
    }
    let parts: Vec<&str> = if lower.len() > 1 && lower.contains('+') {
        lower.split('+').map(str::trim).collect()
    } else if lower.contains('-') && lower.split('-').next().is_some_and(|first| modifier(first).is_some()) {
        lower.split('-').map(str::trim).collect()
    } else {
        lower.split_whitespace().collect()
    };
    let (last, modifiers) = parts.split_last()?;
    if modifiers.is_empty() {
        return None;
    }
    let modifiers = modifiers.iter().map(|part| modifier(part).map(|modifier| format!("{modifier:?}+")));
    Some(modifiers.collect::<Option<String>>()? + &key(last)?)
}

/// A modifier key by any of its names.
pub(crate) fn modifier(word: &str) -> Option<Modifier> {
    Some(match word {
        "ctrl" | "control" | "ctl" => Modifier::Control,
        "shift" => Modifier::Shift,
        "alt" | "option" => Modifier::Alt,
        "meta" | "cmd" | "command" | "win" | "windows" | "super" | "⌘" => Modifier::Meta,
        _ => return None,
    })
}

fn key(word: &str) -> Option<String> {
    let named = match word {
        "enter" | "return" | "⏎" => "Enter",
        "esc" | "escape" => "Escape",
        "tab" => "Tab",
        "space" | "spacebar" | "space bar" => "Space",
        "backspace" => "Backspace",
        "delete" | "del" => "Delete",
        "insert" | "ins" => "Insert",
        "home" => "Home",
        "end" => "End",
        "page up" | "pageup" | "pgup" => "PageUp",
        "page down" | "pagedown" | "pgdn" => "PageDown",
        "up" | "up arrow" | "arrow up" | "arrowup" => "ArrowUp",
        "down" | "down arrow" | "arrow down" | "arrowdown" => "ArrowDown",
        "left" | "left arrow" | "arrow left" | "arrowleft" => "ArrowLeft",
        "right" | "right arrow" | "arrow right" | "arrowright" => "ArrowRight",
        "plus" => "+",
        "minus" => "-",
        _ => {
            let is_function_key = word
                .strip_prefix('f')
                .and_then(|number| number.parse::<u8>().ok())
                .is_some_and(|n| (1..=12).contains(&n));
            let is_one = word.chars().count() == 1 && !word.contains(char::is_whitespace);
            return (is_function_key || is_one).then(|| word.to_uppercase());
        }
    };
    Some(named.to_owned())
}

/// The reason why a field of its type does not accept a text, and the format that it accepts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotForField {
    #[error("{0:?} is not one clear day; write it as 2026-12-24")]
    Day(String),
    #[error("{0:?} is not a time; write it as 15:30")]
    Time(String),
    #[error("{0:?} is not a month; write it as 2026-12")]
    Month(String),
    #[error("{0:?} is not a day and time; write it as 2026-12-24T15:30")]
    DayAndTime(String),
}

/// Converts a text to the format of the field's type: `24 December 2026` → `2026-12-24` for a date. Other texts are
/// unchanged.
pub(crate) fn for_field(text: &str, node: &Node) -> Result<String, NotForField> {
    match input(node) {
        "date" => date(text).ok_or_else(|| NotForField::Day(text.to_owned())),
        "time" => time(text).ok_or_else(|| NotForField::Time(text.to_owned())),
        "month" => date(&format!("1 {text}"))
            .or_else(|| date(&format!("{text}-01")))
            .map(|day| day[..7].to_owned())
            .ok_or_else(|| NotForField::Month(text.to_owned())),
        "datetime-local" => {
            let text = text.trim();
            if text.len() >= 16 && text.as_bytes()[10] == b'T' && date(&text[..10]).is_some() {
                return Ok(text.to_owned());
            }
            let (day, hour) = text
                .split_once(" at ")
                .or_else(|| text.rsplit_once(", "))
                .or_else(|| text.rsplit_once(' '))
                .unwrap_or((text, ""));
            match (date(day), time(hour)) {
                (Some(day), Some(hour)) => Ok(format!("{day}T{hour}")),
                _ => Err(NotForField::DayAndTime(text.to_owned())),
            }
        }
        _ => Ok(text.to_owned()),
    }
}

/// A date in ISO form. `03/04/2026` is ambiguous (March or April), so it returns `None`.
pub(crate) fn date(text: &str) -> Option<String> {
    let text = text.trim();
    if text.is_empty() {
        return Some(String::new());
    }
    let parts: Vec<String> = text
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '/' | '.' | '-'))
        .filter(|part| !part.is_empty() && !matches!(*part, "of" | "the"))
        .map(str::to_lowercase)
        .collect();
    let [a, b, c] = parts.as_slice() else { return None };
    let number = |part: &str| {
        let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| part.strip_suffix(end)).unwrap_or(part);
        digits.parse::<i16>().ok()
    };
    let (year, month, day) = if a.len() == 4 && number(a).is_some() {
        (number(a)?, number(b).or_else(|| month(b))?, number(c)?)
    } else if let Some(month) = month(b) {
        (number(c)?, month, number(a)?)
    } else if let Some(month) = month(a) {
        (number(c)?, month, number(b)?)
    } else {
        match (number(a)?, number(b)?) {
            (day, month) if text.contains('.') => (number(c)?, month, day),
            (day, month) if day > 12 => (number(c)?, month, day),
            (month, day) if day > 12 || day == month => (number(c)?, month, day),
            _ => return None,
        }
    };
    let year = if year < 100 { return None } else { year };
    let day = jiff::civil::Date::new(year, month.try_into().ok()?, day.try_into().ok()?).ok()?;
    Some(day.to_string())
}

fn month(word: &str) -> Option<i16> {
    const MONTHS: &str = "january february march april may june july august september october november december";
    let mut months = MONTHS.split(' ');
    (word.len() >= 3).then(|| months.position(|month| month.starts_with(word)))?.map(|at| at as i16 + 1)
}

fn time(text: &str) -> Option<String> {
    let lower = text.trim().to_lowercase();
    if lower.is_empty() {
        return Some(lower);
    }
    let (clock, shift) = match lower.strip_suffix("pm").or_else(|| lower.strip_suffix("p.m.")) {
        Some(clock) => (clock, Some(12)),
        None => match lower.strip_suffix("am").or_else(|| lower.strip_suffix("a.m.")) {
            Some(clock) => (clock, Some(0)),
            None => (lower.as_str(), None),
        },
    };
    let mut parts = clock.trim().split(':');
    let hour: u8 = parts.next()?.parse().ok()?;
    let minute: u8 = parts.next().map_or(Some(0), |part| part.parse().ok())?;
    let seconds = parts.next();
    let hour = match shift {
        Some(shift) if (1..=12).contains(&hour) => hour % 12 + shift,
        Some(_) => return None,
        None if clock.contains(':') => hour,
        None => return None,
    };
    (hour < 24 && minute < 60).then(|| match seconds {
        Some(seconds) => format!("{hour:02}:{minute:02}:{seconds}"),
        None => format!("{hour:02}:{minute:02}"),
    })
}

/// `3`, `three`, `a`, `no`.
pub(crate) fn count(word: &str) -> Option<usize> {
    const NAMES: [&str; 13] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    NAMES.iter().position(|name| *name == word).or_else(|| match word {
        "zero" => Some(0),
        "once" => Some(1),
        "twice" => Some(2),
        _ => word.replace(',', "").parse().ok(),
    })
}

/// `2 seconds`, `half a second`, `a minute`, `500 ms`, `1.5s`: the seconds and the number of words.
pub(crate) fn seconds(words: TokenStream<'_>) -> Option<(f64, usize)> {
    let unit = |word: &str| match word {
        "second" | "seconds" | "s" | "sec" | "secs" => Some(1.0),
        "ms" | "millisecond" | "milliseconds" => Some(0.001),
        "minute" | "minutes" | "min" | "mins" | "m" => Some(60.0),
        _ => None,
    };
    if words.match_at(0, "half a second") > 0 {
        return Some((0.5, 3));
    }
    if matches!(words.lower(0), "a" | "one")
        && let Some(unit) = unit(words.lower(1))
    {
        return Some((unit, 2));
    }
    let word = words.lower(0);
    let split = word.find(|c: char| c.is_alphabetic()).unwrap_or(word.len());
    let number: f64 = word[..split].parse().ok().or_else(|| count(word).map(|n| n as f64))?;
    if split < word.len() && split > 0 {
        return Some((number * unit(&word[split..])?, 1));
    }
    Some((number * unit(words.lower(1))?, 2)).filter(|(seconds, _)| seconds.is_finite())
}

/// File extensions: a quoted name with one of them is not a host.
const FILES: [&str; 30] = [
    "csv", "pdf", "txt", "html", "htm", "xlsx", "xls", "zip", "png", "jpg", "jpeg", "gif", "svg", "doc", "docx",
    "json", "xml", "js", "ts", "css", "yaml", "yml", "toml", "log", "tar", "gz", "md", "py", "rs", "sh",
];
/// Schemes without `//`.
const SCHEMES: [&str; 8] = ["about:", "data:", "javascript:", "file:", "view-source:", "mailto:", "blob:", "chrome:"];

fn has_scheme(text: &str) -> bool {
    text.contains("://") || SCHEMES.iter().any(|scheme| text.to_lowercase().starts_with(scheme))
}

fn is_local(host: &str) -> bool {
    host == "localhost" || host.parse::<std::net::Ipv4Addr>().is_ok()
}

/// Whether a word is a URL: it has a scheme, is a path, or looks like a host.
pub(crate) fn is_address(text: &str, quoted: bool) -> bool {
    let text = text.trim();
    if text.is_empty() || text.contains(char::is_whitespace) {
        return false;
    }
    if text.starts_with('/') || text.starts_with("${") || has_scheme(text) {
        return true;
    }
    let host_end = text.find(['/', '?', '#']).unwrap_or(text.len());
    let (host, port) = text[..host_end].split_once(':').unwrap_or((&text[..host_end], ""));
    if !port.chars().all(|c| c.is_ascii_digit()) {
        return false;
    }
    if is_local(host) {
        return true;
    }
    let Some((name, end)) = host.rsplit_once('.') else { return !port.is_empty() && !host.is_empty() };
    !name.is_empty()
        && end.len() >= 2
        && end.chars().all(char::is_alphabetic)
        && host.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_'))
        && !(quoted && host_end == text.len() && FILES.contains(&end.to_lowercase().as_str()))
        && !matches!(end, "csv" | "pdf" | "txt" | "xlsx" | "png" | "jpg" | "docx" | "json")
}

/// The URL with a scheme. Paths and other schemes are unchanged: the page resolves paths, and the policy checks
/// schemes.
pub(crate) fn address(text: &str) -> String {
    let text = text.trim();
    let first = text.split(['/', '?', '#']).next().unwrap_or_default();
    let host = first.split(':').next().unwrap_or_default();
    if text.starts_with(['/', '$']) || has_scheme(text) || !is_address(text, false) {
        text.to_owned()
    } else if is_local(host) || first.contains(':') {
        format!("http://{text}")
    } else {
        format!("https://{text}")
    }
}
