//! Values that a page shows beside the name of a field, in whatever markup: `Bin: C-14`, a definition list, a row of
//! two cells, a card with the label above or below the value. And the comparison of such a value with an entered one.

use std::borrow::Cow;

use legwork_observe::{Node, NodeIndex, Snapshot, numbers, wording};

use super::{fields::is_same_content, whole_words::contains_whole};

/// How a shown value relates to an entered one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueComparison {
    /// The same value, however it is formatted.
    Same,
    /// Another value of the same kind, or none.
    Different,
    /// The texts cannot be compared: a hint, a shortened or masked value, a value of another kind.
    Unknown,
}

/// A value with a label that belongs to a field.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LabelledValue {
    /// The label and the value as a sentence of evidence shows them.
    pub(super) text: String,
    /// The value.
    pub(super) value: String,
    /// Whether the label and a colon are in the same text as the value. Other forms are less certain.
    pub(super) has_colon: bool,
}

/// The values that the page shows for the field with this name.
pub(super) fn labelled_values(page: &Snapshot, field: &str) -> Vec<LabelledValue> {
    const ABBREVIATION: usize = 4;
    let name = wording::normalized(field.trim());
    let mut values: Vec<LabelledValue> = Vec::new();
    for (at, node) in page.nodes.iter().enumerate().skip(1) {
        if node.states.editable() {
            continue;
        }
        if let Some((label, value)) = node.name.split_once(':')
            && !value.trim().is_empty()
        {
            // `Saved. New amount: € 1.50`.
            // An abbreviation before the label (`Max. amount`) belongs to it.
            let is_sentence = |text: &str| {
                let last = text.rsplit(' ').next().unwrap_or_default();
                last.chars().count() > ABBREVIATION && wording::states_success(text)
            };
            let after_success = label.rsplit_once(". ").filter(|(sentence, _)| is_sentence(sentence));
            let label = after_success.map_or(label, |(_, label)| label);
            if is_own_label(label, &name) || is_last_word(label, &name) {
                let text = node.name.trim().to_owned();
                values.push(LabelledValue { text, value: value.trim().to_owned(), has_colon: true });
            }
            continue;
        }
        let value = match node.role.as_ref() {
            "term" => value_of_term(page, at, &name),
            "row" => value_of_row(page, at, &name),
            "text" => value_beside(page, at, &name).or_else(|| value_in_text(&node.name, field)),
            _ => None,
        };
        let Some(value) = value else { continue };
        let text = format!("{field}: {value}");
        values.push(LabelledValue { text, value: value.into_owned(), has_colon: false });
    }
    values
}

/// Whether a label is that of the field: the same words, without a mark of a required field, a unit or `New`.
pub(super) fn is_own_label(label: &str, field: &str) -> bool {
    const SHORTEST: usize = 2;
    const ENDINGS: [&str; 7] = [" in ", " on", " at", " per ", " (", " date", " *"];
    let label = wording::normalized(label.trim());
    let label = label.trim_end_matches([':', '*', ' ']);
    let name = field.trim_end_matches([':', '*', ' ']);
    let (name, label) = (without_new(name), without_new(label));
    let has_ending = |rest: &str| ENDINGS.iter().any(|ending| rest.starts_with(ending));
    label.chars().count() >= SHORTEST && (name == label || name.strip_prefix(label).is_some_and(has_ending))
}

/// Without a word for `new` at the beginning, which a form or a message may have.
fn without_new(label: &str) -> &str {
    const NEW: [&str; 14] = [
        "new ",
        "neuer ",
        "neue ",
        "neues ",
        "nouveau ",
        "nouvelle ",
        "nuevo ",
        "nueva ",
        "nuovo ",
        "nuova ",
        "novo ",
        "nova ",
        "nieuwe ",
        "nieuw ",
    ];
    NEW.iter().find_map(|word| label.strip_prefix(word)).unwrap_or(label)
}

/// Whether a label is the end of the name of a field: `Quantity` of `Ordered quantity`.
fn is_last_word(label: &str, field: &str) -> bool {
    let label = wording::normalized(label.trim());
    !label.is_empty() && field.ends_with(&format!(" {label}"))
}

/// The text after a term, in the same list.
fn value_of_term<'a>(page: &'a Snapshot, term: NodeIndex, name: &str) -> Option<Cow<'a, str>> {
    let next = page.nodes[term].end;
    let is_value = |node: &&Node| {
        node.parent == page.nodes[term].parent && node.role.as_ref() != "term" && !node.states.editable()
    };
    page.nodes.get(next).filter(is_value)?;
    is_own_label(&page.text_of(term), name).then(|| Cow::Owned(page.text_of(next)))
}

/// The second of the two cells of a row, of which the first one is a label.
fn value_of_row<'a>(page: &'a Snapshot, row: NodeIndex, name: &str) -> Option<Cow<'a, str>> {
    let cells: Vec<NodeIndex> = cells(page, row).collect();
    let [label, value] = cells.as_slice() else { return None };
    let has_field = page.below(*value).any(|at| page.nodes[at].states.editable());
    let is_value = page.role(*value) != "columnheader" && !has_field;
    (is_value && is_own_label(&page.text_of(*label), name)).then(|| Cow::Owned(page.text_of(*value)))
}

/// The cells of a row.
pub(super) fn cells(page: &Snapshot, row: NodeIndex) -> impl Iterator<Item = NodeIndex> {
    const CELLS: [&str; 4] = ["cell", "gridcell", "rowheader", "columnheader"];
    page.below(row).filter(move |at| page.nodes[*at].parent == row && page.has_role(*at, &CELLS))
}

/// The text after one that is nothing but the label, or the text before it, if none follows: cards show the label above
/// or below the value.
fn value_beside<'a>(page: &'a Snapshot, label: NodeIndex, name: &str) -> Option<Cow<'a, str>> {
    if !is_own_label(&page.nodes[label].name, name) {
        return None;
    }
    let text = |at: NodeIndex| {
        let node = page.nodes.get(at)?;
        let is_text = matches!(node.role.as_ref(), "text" | "link" | "heading") && node.end == at + 1;
        (is_text && node.parent == page.nodes[label].parent).then_some(Cow::Borrowed(node.name.trim()))
    };
    // A list of labels, such as the header of a list without the roles of a table.
    let is_of_field = |text: &Cow<'_, str>| {
        let is_field = |node: &Node| node.states.editable() || node.role.as_ref() == "combobox";
        page.nodes.iter().any(|node| is_field(node) && node.name.trim() == text.as_ref())
    };
    text(label + 1).or_else(|| text(label.checked_sub(1)?)).filter(|text| !is_of_field(text))
}

/// The value in a text that begins or ends with the label, without a colon: `C-14 Bin`. The value must have a digit,
/// because `Bin is full` contains no value.
fn value_in_text<'a>(text: &'a str, field: &str) -> Option<Cow<'a, str>> {
    const WORDS: usize = 2;
    let (text, field) = (text.trim(), field.trim());
    let after = || text.strip_prefix(field).filter(|rest| rest.starts_with(char::is_whitespace));
    let value = after().or_else(|| text.strip_suffix(field))?.trim();
    let is_value = value.contains(|c: char| c.is_ascii_digit()) && value.split_whitespace().count() <= WORDS;
    (is_value && field.chars().count() > 1).then_some(Cow::Borrowed(value))
}

/// Compares a shown value with an entered one.
pub(super) fn compare_values(entered: &str, shown: &str) -> ValueComparison {
    use ValueComparison::{Different, Same, Unknown};
    let (entered, shown) = (entered.trim(), shown.trim());
    let of_equality = |is_same: bool| if is_same { Same } else { Different };
    if is_same_value(entered, shown) {
        return Same;
    }
    let is_incomplete = shown.ends_with('…') || shown.ends_with("...") || shown.contains(['•', '*', '█', '✱']);
    if shown.is_empty() || is_incomplete {
        return Unknown;
    }
    if is_empty_mark(shown) {
        // Pages show a zero as nothing.
        return if is_empty_mark(entered) || numbers::value(entered) == Some(0.0) { Unknown } else { Different };
    }
    if let Some(time) = minutes(entered) {
        return minutes(shown).map_or(Unknown, |other| of_equality(time == other));
    }
    if let Some(day) = legwork_steps::day(entered).filter(|day| !day.is_empty()) {
        return shown_day(shown, &day).map_or(Unknown, |other| of_equality(day == other));
    }
    // A day without a year, as people write it: `4 Dec`.
    if let (Some(day), Some(other)) = (shown_day(entered, ""), shown_day(shown, "")) {
        return of_equality(day.get(4..) == other.get(4..));
    }
    let has_letter = |text: &str| text.contains(char::is_alphabetic);
    let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    if is_quantity(entered) && !is_long_number(entered) {
        let is_date = shown_day(shown, "").is_some();
        return numbers::value(shown).filter(|_| !is_date && !is_code(shown)).map_or(Unknown, |_| Different);
    }
    if !has_letter(entered) && has_digit(entered) {
        return match !has_letter(shown) && has_digit(shown) {
            true => of_equality(ends_in_digits(entered, shown)),
            false => Unknown,
        };
    }
    let is_other_kind = !has_letter(shown) || !has_digit(entered) && numbers::value(shown).is_some();
    if is_other_kind || shown_day(shown, "").is_some() {
        return Unknown;
    }
    compare_words(entered, shown)
}

/// Whether two texts are the same value, however it is formatted.
pub(super) fn is_same_value(entered: &str, shown: &str) -> bool {
    let is_same_number = || {
        let pair = numbers::value(entered).zip(numbers::value(shown));
        is_quantity(entered) && !is_code(shown) && pair.is_some_and(|(a, b)| numbers::is_near(a, b))
    };
    is_same_content(entered, shown) || is_same_number()
}

/// Compares two texts of words or codes.
fn compare_words(entered: &str, shown: &str) -> ValueComparison {
    /// A shown text with this many words more than the entered one is a hint or a sentence.
    const MORE: usize = 3;
    const ABBREVIATION: usize = 3;
    let (entered_low, shown_low) = (entered.to_lowercase(), shown.to_lowercase());
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let mut words: Vec<String> = words.map(str::to_owned).collect();
        words.sort_unstable();
        words
    };
    let is_address = entered.contains("://") && entered_low.contains(&shown_low);
    if contains_whole(&shown_low, &entered_low) || is_address || words(&entered_low) == words(&shown_low) {
        return ValueComparison::Same;
    }
    let count = |text: &str| text.split_whitespace().count();
    // `United Kingdom` for `UK`.
    let is_abbreviation = count(entered) == 1
        && entered.chars().count() <= ABBREVIATION
        && entered.chars().all(char::is_uppercase)
        && shown.chars().count() > ABBREVIATION;
    if is_abbreviation || count(shown) > count(entered) + MORE {
        return ValueComparison::Unknown;
    }
    ValueComparison::Different
}

/// Whether a text is how a page shows that there is no value: `–`, `none`.
pub(super) fn is_empty_mark(text: &str) -> bool {
    const NONE: [&str; 7] = ["none", "n/a", "not set", "empty", "keine", "aucun", "ninguno"];
    let is_dash = text.chars().all(|c| matches!(c, '-' | '–' | '—'));
    !text.is_empty() && is_dash || NONE.contains(&wording::normalized(text).as_str())
}

/// Whether a text is a number with a unit at most, and not a code with a number in it (`C-14`).
pub(super) fn is_quantity(text: &str) -> bool {
    numbers::is_number(text) && numbers::value(text).is_some() && !is_code(text)
}

/// Whether letters and digits are joined, with the letters before: `C-14`, `INV2026`. Units follow their number.
fn is_code(text: &str) -> bool {
    text.split_whitespace().any(|word| {
        let letters = word.find(char::is_alphabetic);
        let digits = word.find(|c: char| c.is_ascii_digit());
        letters.zip(digits).is_some_and(|(letters, digits)| letters < digits)
    })
}

/// Whether a number is a phone number or a number of an account rather than an amount.
fn is_long_number(text: &str) -> bool {
    text.starts_with(['0', '+']) && text.chars().filter(char::is_ascii_digit).count() > 3 && !text.contains(['.', ','])
}

/// Whether the shown digits end with the entered ones: a page may add the code of a country.
fn ends_in_digits(entered: &str, shown: &str) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    digits(shown).ends_with(digits(entered).trim_start_matches('0'))
}

/// Parses `14:00` and `2:00 PM` to minutes. `14.30 Uhr` is not supported.
pub(super) fn minutes(text: &str) -> Option<u32> {
    let text = wording::normalized(text.trim());
    let (clock, half) = ["am", "pm"]
        .into_iter()
        .find_map(|half| text.strip_suffix(half).map(|clock| (clock.trim_end(), Some(half))))
        .unwrap_or((text.trim_end_matches(" uhr"), None));
    let mut parts = clock.split(':').map(|part| part.parse::<u32>().ok());
    let (hour, minute) = (parts.next()??, parts.next()??);
    let is_end = parts.next().is_none_or(|seconds| seconds.is_some());
    let hour = match half {
        Some("pm") => hour % 12 + 12,
        Some(_) => hour % 12,
        None => hour,
    };
    (is_end && hour < 24 && minute < 60).then_some(hour * 60 + minute)
}

/// The date that a text shows, in ISO form. A date without a year is of the year of `entered`.
pub(super) fn shown_day(text: &str, entered: &str) -> Option<String> {
    const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let text = wording::normalized(text.trim());
    let begins = |word: &str| WEEKDAYS.iter().any(|weekday| word.starts_with(weekday));
    let text = text.split_once(' ').filter(|(word, _)| begins(word)).map_or(text.as_str(), |(_, rest)| rest);
    let year = entered.get(..4).unwrap_or("2000");
    let is_day = |day: &String| !day.is_empty();
    let without_year = || {
        // `1 of 1` is the place in a list and no date.
        let is_name = |word: &str| word.chars().count() > 2;
        let has_month =
            text.split(|c: char| !c.is_alphabetic()).any(is_name) && text.contains(|c: char| c.is_ascii_digit());
        legwork_steps::day(&format!("{text} {year}")).filter(|_| has_month)
    };
    legwork_steps::day(text).or_else(without_year).filter(is_day)
}

#[cfg(test)]
mod tests {
    use super::{ValueComparison, compare_values};

    #[test]
    fn values_are_compared_by_kind_and_not_by_format() {
        use ValueComparison::{Different, Same, Unknown};
        for (entered, shown, comparison) in [
            ("D-02", "C-14", Different),
            ("D-14", "C-14", Different),
            ("D-02", "d-02", Same),
            ("D-02", "Where the article is stored", Unknown),
            ("14:00", "15:00", Different),
            ("14:00", "2:00 PM", Same),
            ("14:00", "15:00 CET", Unknown),
            ("0664 9", "0664", Different),
            ("0664 9988123", "+43 664 9988123", Same),
            ("2026-12-03", "12 Mar 2026", Different),
            ("2026-12-03", "3 Dec 2026", Same),
            ("2026-12-24", "28 Dec", Different),
            ("2026-12-24", "Thu 24 Dec", Same),
            ("4 Dec", "27 Nov", Different),
            ("4 Dec", "Fri 4 December 2026", Same),
            ("2026-12-12", "1 of 1", Unknown),
            ("2026-12-24", "in four weeks", Unknown),
            ("6", "Table for 4", Different),
            ("5000", "€ 5,000.00", Same),
            ("450", "300 g", Different),
            ("1", "High", Unknown),
            ("0", "–", Unknown),
            ("ATU12345678", "–", Different),
            ("Winter sale", "Home", Different),
            ("Winter 2026", "Summer 2026", Different),
            ("Priya Nair", "Nair, Priya", Same),
            ("Priya Nair", "Priya N…", Unknown),
            ("4111111111111111", "•••• 1111", Unknown),
            ("UK", "United Kingdom", Unknown),
            ("https://acme.test/", "acme.test", Same),
            ("Ann", "3 letters or more", Unknown),
        ] {
            assert_eq!(compare_values(entered, shown), comparison, "{shown:?} for {entered:?}");
        }
    }
}
