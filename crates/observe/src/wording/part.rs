//! A part of a whole that a text counts: `24 of 40`, `Picked 1/2`, `1 customer archived` where two are ticked.

/// The part and the whole, if the text counts a part that is smaller than the whole.
pub fn stated_part(text: &str) -> Option<(u32, u32)> {
    counts(text).into_iter().find(|(part, whole)| part < whole)
}

/// Whether the text counts the whole and no part: `2 of 2 rows taken`, `100 % of 2 rows`. The number of a page or a
/// step (`Step 3 of 3`) is no count.
pub fn states_whole(text: &str) -> bool {
    const PLACES: [&str; 9] = ["step", "page", "part", "schritt", "seite", "étape", "paso", "página", "pagina"];
    let text = text.trim().to_lowercase();
    let is_place = PLACES.iter().any(|place| text.starts_with(place));
    let percent = text.strip_prefix("100").is_some_and(|rest| rest.trim_start().starts_with('%'));
    let counts = counts(&text);
    let is_whole = !counts.is_empty() && counts.iter().all(|(part, whole)| part == whole && *whole > 0);
    !is_place && (is_whole || percent && counts.is_empty())
}

/// The numbers of each `24 of 40` in a text.
fn counts(text: &str) -> Vec<(u32, u32)> {
    const OF: [&str; 7] = ["of", "/", "von", "de", "sur", "di", "van"];
    // `3/12/2026` is a date, and `1–2 of 3` is a page of a list.
    let spaced = text.to_lowercase().replace('/', " / ");
    let words: Vec<&str> = spaced.split_whitespace().map(|word| word.trim_end_matches([',', '.', ')', ':'])).collect();
    let is_slash = |at: usize| words.get(at).is_some_and(|word| *word == "/");
    let number = |at: usize| words.get(at).and_then(|word| word.trim_start_matches('(').parse::<u32>().ok());
    let of_place = |at: usize| {
        let is_date = is_slash(at) && (is_slash(at + 2) || at > 1 && is_slash(at - 2));
        number(at - 1).zip(number(at + 1)).filter(|_| !is_date)
    };
    (1..words.len().saturating_sub(1)).filter(|at| OF.contains(&words[*at])).filter_map(of_place).collect()
}

/// The number of `Only 4 left in stock`: what is there, and no more.
pub fn stated_rest(text: &str) -> Option<u32> {
    const ONLY: [&str; 8] = ["only", "nur", "seulement", "solo", "sólo", "soltanto", "apenas", "slechts"];
    const REST: [&str; 14] = [
        "left",
        "available",
        "remaining",
        "stock",
        "lager",
        "verfügbar",
        "übrig",
        "restant",
        "disponib",
        "disponív",
        "quedan",
        "rimast",
        "voorraad",
        "beschikbaar",
    ];
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let at = words.iter().position(|word| ONLY.contains(word))?;
    let number = words.get(at + 1)?.parse().ok()?;
    let near = words[at + 1..].iter().take(5).chain(words[..at].iter().rev().take(2));
    near.into_iter().any(|word| REST.iter().any(|rest| word.starts_with(rest))).then_some(number)
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
    use super::{stated_part, states_whole};

    #[test]
    fn a_whole_has_no_part_left() {
        for text in ["2 of 2 rows taken", "100 % of 2 rows", "100%", "Picked 2/2"] {
            assert!(states_whole(text), "{text}");
        }
        for text in ["1 of 2 rows taken", "Step 3 of 3", "0 of 0", "3/12/2026", "1,100 %", "Page 2 of 2", "Done"] {
            assert!(!states_whole(text), "{text}");
        }
    }

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
