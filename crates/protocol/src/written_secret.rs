//! Finds passwords that somebody wrote into a step instead of naming a secret, so that titles, lists and reports can
//! show the step without them.
//!
//! Only the displayed text is masked. The recorded workflow contains the original text, because a run cannot be resumed
//! without it. `${secret:NAME}` keeps a password out of the record as well.

use std::ops::Range;

/// The replacement for a password.
pub const MASK: &str = "•••";

/// Words that name a secret.
const KINDS: &[&str] =
    &["password", "passwort", "passphrase", "passcode", "pin", "token", "secret", "otp", "cvv", "cvc"];
/// Pairs of words that name a secret.
const KEYS: &[(&str, &str)] =
    &[("api", "key"), ("access", "key"), ("secret", "key"), ("private", "key"), ("security", "code")];
/// Words and signs that can occur between the name of a secret and its value.
const BEFORE_VALUE: &[&str] = &[":", "=", "is", "with", "to", "of"];
/// Words that can follow the name of a secret, as in `password field`.
const FIELD: &[&str] = &["field", "box", "input", "code", "number", "value"];
/// Words between a value and the field that it is entered into.
const INTO: &[&str] = &["into", "in", "as", "for", "to"];
const ARTICLES: &[&str] = &["the", "a", "an", "my", "your", "their", "this"];
const VERBS: &[&str] = &["type", "enter", "put", "write", "insert", "fill", "use", "using", "and", ","];
/// Words after `with password` that are not a password.
const NO_VALUE: &[&str] = &[
    "and", "or", "then", "in", "into", "from", "for", "field", "fields", "box", "is", "as", "on", "at", "reset",
    "manager",
];

#[derive(Clone, Debug)]
struct Token {
    /// The range of the token in the text, without quotes.
    at: Range<usize>,
    quoted: bool,
    lower: String,
}

/// Masks the passwords in the text: `with password "hunter2"` becomes `with password "•••"`.
pub fn mask_passwords(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut end = 0;
    for range in ranges(text) {
        masked.push_str(&text[end..range.start]);
        masked.push_str(MASK);
        end = range.end;
    }
    masked + &text[end..]
}

/// The passwords in a text.
pub fn passwords_in(text: &str) -> Vec<String> {
    ranges(text).into_iter().map(|range| text[range].to_owned()).collect()
}

/// The ranges of the passwords, in order and without overlap.
fn ranges(text: &str) -> Vec<Range<usize>> {
    let tokens = tokens(text);
    let mut found: Vec<Range<usize>> = Vec::new();
    for at in 0..tokens.len() {
        found.extend(value_after(text, &tokens, at));
        found.extend(value_before(&tokens, at));
        found.extend(value_of_login(text, &tokens, at));
    }
    found.retain(|range| !range.is_empty() && !text[range.clone()].starts_with("${"));
    found.sort_by_key(|range| range.start);
    found.dedup_by(|later, earlier| later.start < earlier.end);
    found
}

/// `password "x"`, `password: x`, `"Password" with "x"`, `with password x`.
fn value_after(text: &str, tokens: &[Token], at: usize) -> Option<Range<usize>> {
    let mut next = at + names_secret(tokens, at)?;
    let bare_name = !tokens[at].quoted;
    while word_in(tokens, next, FIELD) {
        next += 1;
    }
    let direct = next;
    let mut sign = false;
    while word_in(tokens, next, BEFORE_VALUE) {
        sign |= matches!(tokens[next].lower.as_str(), ":" | "=");
        next += 1;
    }
    let value = tokens.get(next)?;
    if value.quoted {
        return (bare_name || next > direct).then(|| value.at.clone());
    }
    let introduced = at.checked_sub(1).is_some_and(|before| {
        let before = if word_in(tokens, before, ARTICLES) { before.checked_sub(1) } else { Some(before) };
        before.is_some_and(|before| word_in(tokens, before, &["with", "using", "and"]))
    });
    let plain = next == direct && bare_name && introduced && !NO_VALUE.contains(&value.lower.as_str());
    (sign || plain).then(|| bare(text, value.at.start))
}

/// `"x" into "Password"`, `"x" as the API key`, `type x into the password field`.
fn value_before(tokens: &[Token], at: usize) -> Option<Range<usize>> {
    let value = &tokens[at];
    let typed = at.checked_sub(1).is_some_and(|before| word_in(tokens, before, VERBS));
    if !(value.quoted || typed && !ARTICLES.contains(&value.lower.as_str())) || !word_in(tokens, at + 1, INTO) {
        return None;
    }
    let mut next = at + 2;
    while word_in(tokens, next, ARTICLES) {
        next += 1;
    }
    // `the new password field`: up to two words may describe the field.
    let named = (next..next + 3).take_while(|place| *place == next || !tokens.get(*place).is_some_and(|t| t.quoted));
    named.into_iter().any(|place| names_secret(tokens, place).is_some()).then(|| value.at.clone())
}

/// `log in with ada and x`, `log in as ada / x`: the second word is the password although no word names it as one.
fn value_of_login(text: &str, tokens: &[Token], at: usize) -> Option<Range<usize>> {
    let is_verb = word_in(tokens, at, &["log", "sign"]) && word_in(tokens, at + 1, &["in", "on"])
        || word_in(tokens, at, &["login", "signin"]);
    let lead = (at + 1..at + 8).find(|place| is_verb && word_in(tokens, *place, &["as", "with", "using"]))?;
    let joint = (lead + 2..lead + 9).find(|place| word_in(tokens, *place, &["/", "and", ","]))?;
    let value = tokens.get(joint + 1)?;
    let is_slash = word_in(tokens, joint, &["/"]);
    let is_pair = is_slash || word_in(tokens, lead, &["with", "using"]);
    // In `Log in with ada and click "Save"`, the word after `and` starts another action.
    let word = if value.quoted { value.at.clone() } else { bare(text, value.at.start) };
    let ends = tokens[joint + 1..].iter().take_while(|token| token.at.start < word.end).count() + joint + 1;
    let is_last = ends >= tokens.len() || word_in(tokens, ends, &[".", ",", ";", "and", "then"]);
    let is_value = is_pair && is_last && names_secret(tokens, joint + 1).is_none();
    (is_value && !NO_VALUE.contains(&value.lower.as_str()) && !ARTICLES.contains(&value.lower.as_str())).then_some(word)
}

/// The number of tokens at this position that name a secret; none if they do not.
fn names_secret(tokens: &[Token], at: usize) -> Option<usize> {
    let token = tokens.get(at)?;
    if token.quoted {
        let words: Vec<&str> = token.lower.split(|c: char| !c.is_alphanumeric()).collect();
        let names = words.iter().any(|word| KINDS.contains(word))
            || words.windows(2).any(|pair| KEYS.contains(&(pair[0], pair[1])));
        return names.then_some(1);
    }
    if KINDS.contains(&token.lower.as_str()) {
        return Some(1);
    }
    let next = tokens.get(at + 1).filter(|next| !next.quoted)?;
    KEYS.contains(&(token.lower.as_str(), next.lower.as_str())).then_some(2)
}

fn word_in(tokens: &[Token], at: usize, words: &[&str]) -> bool {
    tokens.get(at).is_some_and(|token| !token.quoted && words.contains(&token.lower.as_str()))
}

/// A value without quotes: up to the next white space, without the punctuation that ends a sentence.
fn bare(text: &str, start: usize) -> Range<usize> {
    let rest = &text[start..];
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    start..start + rest[..end].trim_end_matches([',', ';', '.']).len()
}

fn closing(open: char) -> Option<char> {
    Some(match open {
        '"' => '"',
        '\'' => '\'',
        '`' => '`',
        '“' | '„' => '”',
        '‘' => '’',
        '«' => '»',
        _ => return None,
    })
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = 0;
    while let Some(first) = text[rest..].chars().next() {
        let after = rest + first.len_utf8();
        if first.is_whitespace() {
            rest = after;
            continue;
        }
        // An apostrophe within a word does not open a quotation. Such words are read as a whole below.
        if let Some(end) = closing(first).and_then(|close| text[after..].find(close).map(|at| (at, close))) {
            let at = after..after + end.0;
            let lower = text[at.clone()].to_lowercase();
            rest = at.end + end.1.len_utf8();
            tokens.push(Token { at, quoted: true, lower });
            continue;
        }
        let word =
            |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '\'' | '’' | '$' | '{' | '}' | '@' | '!' | '#');
        let length = text[rest..].find(|c: char| !word(c)).unwrap_or(text.len() - rest).max(first.len_utf8());
        let at = rest..rest + length;
        rest = at.end;
        let lower = text[at.clone()].to_lowercase();
        tokens.push(Token { at, quoted: false, lower });
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(mask_passwords(text), expected);
    }

    #[test]
    fn mask_passwords_masks_passwords_in_steps() {
        check(r#"Log in as "alice" with password "wrong""#, r#"Log in as "alice" with password "•••""#);
        check("Log in as alice with password wrong, then stop", "Log in as alice with password •••, then stop");
        check("Sign in with user bob and the password h!nt3r2.", "Sign in with user bob and the password •••.");
        check(r#"Type "hunter2" into "Password""#, r#"Type "•••" into "Password""#);
        check("Type “hunter2” into the password field", "Type “•••” into the password field");
        check("Type hunter2 into the new password field", "Type ••• into the new password field");
        check(r#"Fill in "Your password" with "hunter2""#, r#"Fill in "Your password" with "•••""#);
        check(r#"Fill the password field with 'hunter2'"#, r#"Fill the password field with '•••'"#);
        check(r#"Set "PIN" to "1234" and click "OK""#, r#"Set "PIN" to "•••" and click "OK""#);
        check("user: alice, password: hunter2", "user: alice, password: •••");
        check("PASSWORD=hunter2", "PASSWORD=•••");
        check(r#"Enter "sk-1" as the API key"#, r#"Enter "•••" as the API key"#);
        check(r#"Enter the access token "t-1""#, r#"Enter the access token "•••""#);
        check("Use passcode: 0000 at the door", "Use passcode: ••• at the door");
        check("log in with ops@example.com and zq7letmein", "log in with ops@example.com and •••");
        check("Log in as ops@example.com / zq7letmein", "Log in as ops@example.com / •••");
        check("Log in with ada and zq7, then stop", "Log in with ada and •••, then stop");
        check(
            "Enter a@b.com as email and zq7 as password, then stop",
            "Enter a@b.com as email and ••• as password, then stop",
        );
        check("Use zq7letmein as the password", "Use ••• as the password");
        let two = r#"Type "bob" into "User" and "x y" into "Password""#;
        check(two, r#"Type "bob" into "User" and "•••" into "Password""#);
        assert_eq!(passwords_in(two), ["x y"]);
    }

    #[test]
    fn text_without_a_password_is_unchanged() {
        for text in [
            r#"Click "Forgot password""#,
            r#"Click "Forgot password" and check that "Sent" is shown"#,
            r#"Type "Forgot password" into "Search""#,
            "Reset the password and sign in",
            r#"Check that "The password is wrong" is shown"#,
            r#"Type "${secret:password}" into "Password""#,
            "Log in as alice with password ${secret:pw}",
            r#"Choose "Oslo" in "City""#,
            r#"Log in as "ada" and click "Save""#,
            r#"Log in with Google and click "Save""#,
            "Log in as ada and wait",
            "Don't click the pin",
            "",
        ] {
            check(text, text);
        }
    }
}
