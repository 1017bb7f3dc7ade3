//! `${…}` in a text: the name of a variable, of a field of its value, or of a secret.

/// The rule for variable names.
pub fn is_variable_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// The contents of each `${…}` in a text, in order and with repetitions: `row.Customer`, `secret:pin`, or any other
/// text.
pub fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    text.split("${").skip(1).filter_map(|part| Some(part.split_once('}')?.0))
}

/// The variable that `${…}` with this content names: `row` for `row` and for `row.Customer`, a field of its value.
/// `None` if the content is no such name.
pub fn variable_of(reference: &str) -> Option<&str> {
    let name = reference
        .split_once('.')
        .map_or(Some(reference), |(name, field)| (!field.trim().is_empty() && !field.contains("${")).then_some(name))?;
    is_variable_name(name).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_found_and_named() {
        let found: Vec<&str> = placeholders("a ${row.Order no.} ${secret:pin}${x} ${open").collect();
        assert_eq!(found, ["row.Order no.", "secret:pin", "x"]);
        assert_eq!(found.into_iter().map(variable_of).collect::<Vec<_>>(), [Some("row"), None, Some("x")]);
        assert_eq!(["row.", "1a", ""].map(variable_of), [None; 3]);
    }
}
