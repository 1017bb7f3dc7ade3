//! Numbers as pages write them: `1,249.50`, `1.249,50`, `€ 4 002`.

/// What stands between thousands, or before decimals.
const SEPARATORS: [char; 7] = ['.', ',', ' ', '\u{a0}', '\u{202f}', '\'', '’'];
/// Signs of currencies.
pub const MONEY_SIGNS: [char; 5] = ['$', '€', '£', '¥', '₹'];

/// What a written number may mean, with a point and with a comma before its decimals; without its sign.
pub fn readings(written: &str) -> impl Iterator<Item = f64> {
    let digits = written.trim_matches(|c: char| !c.is_ascii_digit());
    // Nothing but digits follows the decimal sign, and before it thousands are apart.
    let read = move |decimal: char| {
        let (whole, part) = digits.split_once(decimal).unwrap_or((digits, ""));
        let mut groups = whole.split(SEPARATORS);
        let first = groups.next()?;
        let is_one = part.chars().all(|c| c.is_ascii_digit()) && whole.chars().all(is_part);
        let in_groups = first.len() <= 3 && first != "0" && groups.clone().all(|group| group.len() == 3);
        let is_whole = in_groups || groups.next().is_none();
        let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
        (is_one && is_whole).then(|| format!("{whole}.{part}0").parse::<f64>().ok()).flatten()
    };
    ['.', ','].into_iter().filter_map(read).filter(move |_| !digits.is_empty())
}

/// The number that a text has, with its sign: a currency, a unit or other words may stand around it, and nothing
/// within. What may be read in two ways is read as most pages mean it: three digits after a comma are thousands, as are
/// three after a point in an amount of money; three after a point alone may be either, so that nothing is read.
pub fn value(text: &str) -> Option<f64> {
    let text = text.trim();
    // Brackets around an amount are how accounts write a negative one, and how texts say something in passing.
    if text.starts_with('(') && text.ends_with(')') {
        return None;
    }
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let end = text.rfind(|c: char| c.is_ascii_digit())? + 1;
    let (before, digits) = (&text[..start], &text[start..end]);
    let in_brackets = before.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '(').ends_with('(')
        && before.contains(MONEY_SIGNS)
        && text[end..].starts_with(')');
    if !digits.chars().all(is_part) || in_brackets {
        return None;
    }
    let mut readings = readings(digits);
    let first = readings.next()?;
    // With a point before the decimals comes first.
    let is_money = text.contains(MONEY_SIGNS);
    let number = match readings.next() {
        Some(other) if !is_near(first, other) && digits.contains('.') => is_money.then_some(other)?,
        _ => first,
    };
    let is_negative = before.trim_end_matches(|c: char| !matches!(c, '-' | '−')).ends_with(['-', '−']);
    Some(if is_negative { -number } else { number })
}

/// The number that a step says: people write `1.200` there as programs do.
pub fn written(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite()).or_else(|| value(text))
}

fn is_part(c: char) -> bool {
    c.is_ascii_digit() || SEPARATORS.contains(&c)
}

/// Whether two numbers are the same but for what computing with them loses.
pub fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9 * one.abs().max(1.0)
}

/// Whether a text is a number, with a currency, a unit or a percent sign at most.
pub fn is_number(text: &str) -> bool {
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
        assert_eq!(reads("0.500"), [0.5], "no thousands begin with a zero");
        assert_eq!(reads("12:30"), [] as [f64; 0]);
        assert!(is_number("$1,249.50") && is_number("80 %") && is_number("12 kg"));
        assert!(!is_number("Room 12 north") && !is_number("twelve"));
    }

    #[test]
    fn a_text_has_one_number_or_none() {
        for (text, number) in [
            ("€ 1.440,00", Some(1440.0)),
            ("-1,234.50", Some(-1234.5)),
            ("−$5", Some(-5.0)),
            ("1,249", Some(1249.0)),
            ("€ 1.249", Some(1249.0)),
            ("1.249", None),
            ("0.249", Some(0.249)),
            ("24 people", Some(24.0)),
            ("Total: CHF 1’200.50", Some(1200.5)),
            ("(1,234.00)", None),
            ("Total due($45.00)", None),
            ("People (24)", Some(24.0)),
            ("3 of 24", None),
            ("12 14", None),
            ("2026-11-30", None),
            ("none", None),
        ] {
            assert_eq!(value(text), number, "{text}");
        }
    }
}
