//! Whether a text contains an entered value, in any notation in which pages show values: `1,250.00` for 1250, `27 Nov`
//! for 2026-11-27, `2:00 pm` for 14:00, `HB-TZ 17` for `hb tz 17`, `Weber, Ines` for `Ines Weber`.

use legwork_observe::numbers;

use super::{
    labelled_values::{ValueComparison, compare_values, is_quantity, minutes, shown_day},
    whole_words::contains_whole,
};

/// A value in other letters or with other separators has at least this many letters and digits.
const COMPACT: usize = 5;
/// The most words of a date.
const DATE: usize = 4;

/// Whether a text contains the value as a whole, in any notation.
pub(super) fn contains_value(text: &str, value: &str) -> bool {
    let (text, value) = (text.trim(), value.trim());
    if text.is_empty() || value.is_empty() {
        return false;
    }
    if is_quantity(value) {
        let number = numbers::value(value);
        let is_same = |shown: &str| {
            let shown =
                numbers::value(shown).filter(|_| shown.contains(|c: char| c.is_ascii_digit()) && is_quantity(shown));
            shown.zip(number).is_some_and(|(shown, number)| numbers::is_near(shown, number))
        };
        let words = || text.split_whitespace().map(|word| word.trim_end_matches([',', '.', ':', ';', '!', ')']));
        return is_same(text)
            || words().any(|word| is_same(word.trim_start_matches('(')))
            || value.len() > 3 && has(text, value);
    }
    if has(text, value) {
        return true;
    }
    if let Some(day) = legwork_steps::day(value).filter(|day| !day.is_empty()) {
        return days(text, &day).any(|shown| shown == day);
    }
    if let Some(time) = minutes(value) {
        return parts(text, 2).any(|part| minutes(&part) == Some(time));
    }
    let compact =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let (letters, of_text) = (compact(value), compact(text));
    let is_code = value.contains(|c: char| c.is_ascii_digit()) && letters.chars().count() >= COMPACT;
    is_code && of_text.contains(&letters)
        || has_words(text, value)
        || compare_values(value, text) == ValueComparison::Same
}

fn has(text: &str, value: &str) -> bool {
    value.chars().count() > 1 && contains_whole(&text.to_lowercase(), &value.to_lowercase())
}

/// The dates that a text contains, in ISO form. A date without a year is of the year of `entered`.
pub(super) fn days(text: &str, entered: &str) -> impl Iterator<Item = String> {
    let words = bare_words(text);
    let (year, entered) = (entered.get(..4).unwrap_or_default().to_owned(), entered.to_owned());
    let mut from = 0;
    std::iter::from_fn(move || {
        while from < words.len() {
            // The longest part comes first: `15 Jan 2028` is not `15 Jan`.
            let longest = (1..=DATE.min(words.len() - from)).rev().find_map(|count| {
                let part = words[from..from + count].join(" ");
                Some((count, day_of(&part, &entered, &year)?))
            });
            from += longest.as_ref().map_or(1, |(count, _)| *count);
            if let Some((_, day)) = longest {
                return Some(day);
            }
        }
        None
    })
}

fn day_of(part: &str, entered: &str, year: &str) -> Option<String> {
    if !part.contains(|c: char| c.is_ascii_digit()) || part.chars().count() < 4 {
        return None;
    }
    // `27.11.` has no year.
    let with_year = || part.ends_with('.').then(|| legwork_steps::day(&format!("{part}{year}"))).flatten();
    shown_day(part, entered).or_else(with_year).filter(|day| !day.is_empty())
}

fn bare_words(text: &str) -> Vec<String> {
    text.split_whitespace().map(|word| word.trim_matches(['(', ')', ',', ';']).to_owned()).collect()
}

/// The parts of a text of up to this many words.
fn parts(text: &str, most: usize) -> impl Iterator<Item = String> {
    let words = bare_words(text);
    (0..words.len()).flat_map(move |from| {
        let words = words.clone();
        (1..=most.min(words.len() - from)).map(move |count| words[from..from + count].join(" "))
    })
}

/// Whether a text has all words of a name, in another order: `Weber, Ines`.
fn has_words(text: &str, value: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let (of_text, of_value) = (words(text), words(value));
    of_value.len() > 1 && of_text.len() <= of_value.len() + 1 && of_value.iter().all(|word| of_text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::contains_value;

    #[test]
    fn a_value_is_found_in_any_notation() {
        for (text, value) in [
            ("1,250.00", "1250"),
            ("1.250,00 €", "1250"),
            ("Paid: €1,250.00", "1250"),
            ("3 keys out", "3"),
            ("Out: 3", "3"),
            ("27 Nov", "2026-11-27"),
            ("Fri 27 Nov", "2026-11-27"),
            ("27.11.2026", "2026-11-27"),
            ("11/27/2026", "2026-11-27"),
            ("27.11.", "2026-11-27"),
            ("From 27 Nov 2026 on", "2026-11-27"),
            ("2:00 pm", "14:00"),
            ("14:00 Kick-off", "14:00"),
            ("HB-TZ 17", "hb tz 17"),
            ("HB-TZ 17", "HBTZ17"),
            ("DE02 1203 0000 0000 2020 51", "DE02120300000000202051"),
            ("Weber, Ines", "Ines Weber"),
            ("+49 171 5550", "0171 5550"),
            ("B-9913 lent to Bo Finch", "Bo Finch"),
            ("Bo Finch (2204)", "2204"),
        ] {
            assert!(contains_value(text, value), "{value} in {text}");
        }
        for (text, value) in [
            ("2 keys out", "3"),
            ("1,250.50", "50"),
            ("13:30", "3"),
            ("C-3", "3"),
            ("15 Mar 2027", "2027-01-15"),
            ("1 Mar 2027", "2027-01-01"),
            ("15 Jan 2028", "2027-01-15"),
            ("13:00 Kick-off", "14:00"),
            ("Ada Finch (2240)", "2204"),
            ("Kim Bergström", "Kim Berg"),
            ("Readings to check (1)", "84990"),
            ("", "3"),
        ] {
            assert!(!contains_value(text, value), "{value} in {text}");
        }
    }
}
