//! Words of texts, and how similar two texts are.

/// The words of a text in lower case, without punctuation at their ends.
pub(super) fn words(text: &str) -> Vec<String> {
    let trimmed = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '$' | '{' | '}' | '%'));
        word.to_lowercase()
    };
    text.split_whitespace().map(trimmed).filter(|word| !word.is_empty()).collect()
}

/// The text without counters in parentheses or brackets: `Inbox (3)` is still the inbox when it has four messages.
pub(super) fn without_counter(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find(['(', '[']) {
        let (before, inside) = rest.split_at(open);
        let close = if inside.starts_with('(') { ')' } else { ']' };
        out.push_str(before);
        match inside.find(close) {
            Some(end) if inside[1..end].chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '+')) => {
                rest = &inside[end + 1..];
            }
            _ => {
                out.push_str(&inside[..1]);
                rest = &inside[1..];
            }
        }
    }
    out.push_str(rest);
    out.trim().to_lowercase()
}

/// The share of common words of two texts, 0 to 1.
pub(super) fn similarity(a: &str, b: &str) -> f64 {
    let (a, b) = (words(a), words(b));
    let common = a.iter().filter(|word| b.contains(word)).count();
    let all = a.len() + b.len() - common;
    if all == 0 { 0.0 } else { common as f64 / all as f64 }
}

/// Whether a value looks generated: it differs between two loads or builds of the same page.
pub(crate) fn is_generated(value: &str) -> bool {
    let mut digits = 0;
    for c in value.chars() {
        digits = if c.is_ascii_digit() { digits + 1 } else { 0 };
        if digits >= 3 {
            return true;
        }
    }
    let is_hash = |part: &str| {
        let hex = part.chars().all(|c| c.is_ascii_hexdigit());
        part.len() >= 6 && hex && part.chars().any(|c| c.is_ascii_digit())
    };
    value.len() > 64
        || value.starts_with([':', '«'])
        || value.starts_with("_r_")
        || has_react_number(value)
        || value.split(['-', '_', '.']).any(is_hash)
}

/// Whether a value contains a number of React in its own notation (`radix-:r7:`).
fn has_react_number(value: &str) -> bool {
    let mut parts = value.split(':').skip(1).peekable();
    while let Some(part) = parts.next() {
        let number = part.strip_prefix('r').filter(|number| number.chars().all(|c| c.is_ascii_alphanumeric()));
        let is_number =
            |number: &str| number.len() == 1 || number.len() < 4 && number.contains(|c: char| c.is_ascii_digit());
        if parts.peek().is_some() && number.is_some_and(is_number) {
            return true;
        }
    }
    false
}

/// At most `max` characters of a text.
pub(super) fn clip(text: &str, max: usize) -> String {
    text.chars().take(max).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_is_no_part_of_a_name() {
        assert_eq!(without_counter("Inbox (3)"), "inbox");
        assert_eq!(without_counter("[12] Drafts"), "drafts");
        assert_eq!(without_counter("Order 17 (open)"), "order 17 (open)");
        assert_eq!(without_counter("A (b"), "a (b");
    }

    #[test]
    fn generated_values_are_recognized() {
        for generated in [":r1:", "radix-:r7:", "_r_1_", "ember1234", "css-1a2b3c", "field_8f3e21", "mui-53421"] {
            assert!(is_generated(generated), "{generated}");
        }
        for stable in ["save", "address1", "id_username", "facade-button", "first-name", "form:row:name"] {
            assert!(!is_generated(stable), "{stable}");
        }
    }
}
