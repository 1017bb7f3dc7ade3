//! Numbers as pages write them: `1,249.50`, `1.249,50`, `€ 4 002`.

/// What a written number may mean, with a point and with a comma before its decimals; without its sign.
pub(crate) fn readings(written: &str) -> impl Iterator<Item = f64> {
    let digits = written.trim_matches(|c: char| !c.is_ascii_digit());
    // Nothing but digits follows the decimal sign, and before it thousands are apart.
    let read = move |decimal: char| {
        let (whole, part) = digits.split_once(decimal).unwrap_or((digits, ""));
        let mut groups = whole.split(|c: char| !c.is_ascii_digit());
        let first = groups.next()?;
        let is_one = part.chars().all(|c| c.is_ascii_digit());
        let is_whole = first.len() <= 3 && groups.clone().all(|group| group.len() == 3) || groups.next().is_none();
        let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
        (is_one && is_whole).then(|| format!("{whole}.{part}0").parse::<f64>().ok()).flatten()
    };
    ['.', ','].into_iter().filter_map(read).filter(move |_| !digits.is_empty())
}

/// Whether two numbers are the same but for what computing with them loses.
pub(crate) fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9 * one.abs().max(1.0)
}

/// Whether a text is a number, with a currency, a unit or a percent sign at most.
pub(crate) fn is_number(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    readings(text).next().is_some() && words.map(|word| word.chars().count()).sum::<usize>() <= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_in_both_notations() {
        let reads = |text: &str| readings(text).collect::<Vec<_>>();
        assert_eq!(reads("1,249.50"), [1249.5]);
        assert_eq!(reads("€ 1.249,50"), [1249.5]);
        assert_eq!(reads("1,5"), [1.5]);
        assert_eq!(reads("734.50"), [734.5]);
        assert_eq!(reads("4002"), [4002.0, 4002.0]);
        assert_eq!(reads("1,249"), [1249.0, 1.249]);
        assert_eq!(reads("1,249,000"), [1_249_000.0]);
        assert_eq!(reads("none"), [] as [f64; 0]);
        assert!(is_number("$1,249.50") && is_number("80 %") && is_number("12 kg"));
        assert!(!is_number("Room 12 north") && !is_number("twelve"));
    }
}
