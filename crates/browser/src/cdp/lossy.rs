//! JSON from a browser may contain lone surrogates, such as `"\ud83d"`. Rust strings cannot represent them, and
//! serde_json rejects them. This module replaces them by U+FFFD. It is used only after a message failed to parse.

use serde::de::DeserializeOwned;

/// Parses JSON that may contain lone surrogates.
pub(crate) fn decode<R: DeserializeOwned>(message: &[u8]) -> serde_json::Result<R> {
    serde_json::from_slice(message).or_else(|_| serde_json::from_slice(&mend(message)))
}

/// Replaces each unpaired `\uD8xx`–`\uDFxx` escape by `\ufffd`, and invalid UTF-8 likewise.
pub(crate) fn mend(message: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(message);
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            out.push(bytes[at]);
            at += 1;
        } else {
            match (unit(bytes, at), unit(bytes, at + 6)) {
                (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => {
                    out.extend_from_slice(&bytes[at..at + 12]);
                    at += 12;
                }
                (Some(0xD800..=0xDFFF), _) => {
                    out.extend_from_slice(b"\\ufffd");
                    at += 6;
                }
                _ => {
                    // Both characters are copied at once, so that the second backslash of `\\` does not begin an
                    // escape.
                    let end = (at + 2).min(bytes.len());
                    out.extend_from_slice(&bytes[at..end]);
                    at = end;
                }
            }
        }
    }
    out
}

/// The UTF-16 code unit of the escape at `at`.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let escape = bytes.get(at..at + 6)?;
    if !escape.starts_with(b"\\u") {
        return None;
    }
    u16::from_str_radix(std::str::from_utf8(&escape[2..]).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn lone_halves_are_replaced_and_pairs_kept() {
        let mended = super::mend(br#"["a\ud83dz","\ud83d\ude00","\\ud83d","\ude00"]"#);
        let texts: Vec<String> = serde_json::from_slice(&mended).unwrap();
        assert_eq!(texts, ["a\u{fffd}z", "😀", "\\ud83d", "\u{fffd}"]);
    }
}
