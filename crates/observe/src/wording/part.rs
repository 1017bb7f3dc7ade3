//! A part of a whole that a text counts: `24 of 40`, `Picked 1/2`, `1 customer archived` where two are ticked.

/// The part and the whole, if the text counts a part that is smaller than the whole.
pub fn stated_part(text: &str) -> Option<(u32, u32)> {
    const OF: [&str; 7] = ["of", "/", "von", "de", "sur", "di", "van"];
    // `3/12/2026` is a date, and `1–2 of 3` is a page of a list.
    let spaced = text.to_lowercase().replace('/', " / ");
    let words: Vec<&str> = spaced.split_whitespace().map(|word| word.trim_end_matches([',', '.', ')', ':'])).collect();
    let is_slash = |at: usize| words.get(at).is_some_and(|word| *word == "/");
    let number = |at: usize| words.get(at).and_then(|word| word.trim_start_matches('(').parse::<u32>().ok());
    (1..words.len().saturating_sub(1)).filter(|at| OF.contains(&words[*at])).find_map(|at| {
        let is_date = is_slash(at) && (is_slash(at + 2) || at > 1 && is_slash(at - 2));
        number(at - 1).zip(number(at + 1)).filter(|(part, whole)| part < whole && !is_date)
    })
}

/// `1 customer archived` where 2 are ticked: not all of it was done.
pub fn begins_with_fewer(text: &str, ticked: usize) -> bool {
    text.split_whitespace().next().is_some_and(|word| is_fewer(word, ticked))
}

/// `Reminders sent (1)` where 2 are ticked.
pub fn ends_with_fewer(text: &str, ticked: usize) -> bool {
    let count = text.trim_end().strip_suffix(')').and_then(|text| text.rsplit_once('('));
    count.is_some_and(|(_, count)| is_fewer(count, ticked))
}

fn is_fewer(count: &str, ticked: usize) -> bool {
    count.parse::<usize>().is_ok_and(|count| count > 0 && count < ticked)
}

#[cfg(test)]
mod tests {
    use super::stated_part;

    #[test]
    fn a_part_is_smaller_than_its_whole() {
        for (text, part) in [
            ("24 of 40", Some((24, 40))),
            ("Picked 1/2", Some((1, 2))),
            ("Done: 0 of 1", Some((0, 1))),
            ("Received 24 of 40, rest on order", Some((24, 40))),
            ("40 of 40", None),
            ("3/12/2026", None),
            ("1–2 of 3", None),
            ("Out of stock", None),
        ] {
            assert_eq!(stated_part(text), part, "{text}");
        }
    }
}
