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
    // Accounts also write the minus after the number: `120.00-`. `5,-` is an amount without cents.
    let after =
        text[end..].trim_end_matches(|c: char| c.is_whitespace() || c.is_alphabetic() || MONEY_SIGNS.contains(&c));
    let is_negative =
        before.trim_end_matches(|c: char| !matches!(c, '-' | '−')).ends_with(['-', '−']) || matches!(after, "-" | "−");
    Some(if is_negative { -number } else { number })
}

/// The number that a step says: people write `1.200` there as programs do.
pub fn written(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite()).or_else(|| value(text))
}

fn is_part(c: char) -> bool {
    c.is_ascii_digit() || SEPARATORS.contains(&c)
}

/// The factor of a unit of thousands or more beside a number (`120 k`, `€ 3 million`); otherwise 1. A small `m` is a
/// metre.
pub fn factor(text: &str) -> f64 {
    let mut words = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let factor = words.find_map(|word| match word {
        "k" | "K" | "Tsd" | "tsd" | "TEUR" | "KEUR" | "kEUR" => Some(1e3),
        "M" | "MM" | "Mio" | "mio" | "mln" | "Mln" | "MEUR" => Some(1e6),
        "bn" | "Bn" | "BN" | "Mrd" | "mrd" | "mld" | "Mld" => Some(1e9),
        _ => match word.to_lowercase().as_str() {
            "thousand" | "tausend" => Some(1e3),
            "million" | "millions" | "millionen" => Some(1e6),
            "billion" | "billions" | "milliarde" | "milliarden" => Some(1e9),
            _ => None,
        },
    });
    factor.unwrap_or(1.0)
}

/// Whether a word of bookkeeping stands after the number (`120.00 DR`): whether it is negative depends on the account.
pub fn is_of_unknown_sign(text: &str) -> bool {
    let last = text.rsplit(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty());
    text.trim_end().ends_with(char::is_alphabetic) && last.is_some_and(|last| matches!(last, "DR" | "CR" | "Dr" | "Cr"))
}

/// Whether a text gives a limit or an estimate instead of the number: `< 3`, `ca. 3`, `3+`.
pub fn is_rough(text: &str) -> bool {
    const WORDS: [&str; 16] = [
        "ca", "circa", "about", "approx", "around", "over", "under", "from", "min", "max", "ab", "bis", "etwa", "rund",
        "env", "up",
    ];
    let Some(start) = text.find(|c: char| c.is_ascii_digit()) else { return false };
    let before = text[..start].to_lowercase();
    let mut words = before.split(|c: char| !c.is_alphabetic());
    before.contains(['<', '>', '≤', '≥', '~', '≈', '±'])
        || words.any(|word| WORDS.contains(&word))
        || text.ends_with('+')
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
    fn a_number_has_a_factor_a_sign_and_a_limit_beside_it() {
        for (text, is) in
            [("120 k", 1e3), ("120 Tsd. €", 1e3), ("€ 3 million", 1e6), ("2 M", 1e6), ("5 m", 1.0), ("5 kg", 1.0)]
        {
            assert_eq!(factor(text), is, "{text}");
        }
        assert!(is_of_unknown_sign("120.00 DR") && is_of_unknown_sign("120.00CR"));
        assert!(!is_of_unknown_sign("120.00") && !is_of_unknown_sign("DR 7") && !is_of_unknown_sign("120 drops"));
        for text in ["< 3", "ca. 3", "≥3", "about 3", "3+"] {
            assert!(is_rough(text), "{text}");
        }
        for text in ["3", "+3", "$3", "3 EUR", "Total: 3"] {
            assert!(!is_rough(text), "{text}");
        }
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
            ("120.00-", Some(-120.0)),
            ("120.00- €", Some(-120.0)),
            ("5,-", Some(5.0)),
            ("12 - north", Some(12.0)),
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
