//! What the page shows of a file that was sent with its form: another file, or the file without content.

use legwork_observe::{Node, Snapshot};

use super::clipped;

/// What a page shows instead of the file that was sent: a new text with the name of another file while the sent one is
/// nowhere, or the sent one with a size of zero.
pub(super) fn other_file(before: &Snapshot, after: &Snapshot) -> Option<String> {
    let sent: Vec<&str> = before
        .nodes
        .iter()
        .filter(|node| is_file_field(node))
        .filter_map(|node| node.value.as_deref())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect();
    let [file] = sent.as_slice() else { return None };
    let is_known = |text: &str| before.nodes.iter().any(|node| node.name.as_ref() == text);
    let shown = || {
        let texts = after.nodes.iter().filter(|node| !node.states.editable() && !is_file_field(node));
        texts.map(|node| node.name.trim()).filter(|text| !text.is_empty())
    };
    if let Some(empty) = shown().filter(|text| !is_known(text)).find(|text| text.contains(file) && states_no_size(text))
    {
        return Some(format!("{:?} is shown for the sent file", clipped(empty)));
    }
    if shown().any(|text| text.contains(file)) {
        return None;
    }
    let other = shown()
        .filter(|text| !is_known(text))
        .find_map(|text| text.split_whitespace().find(|word| is_file_name(word)))?;
    Some(format!("{:?} is shown, and {:?} was sent", clipped(other), clipped(file)))
}

/// Whether an element is a field for files.
pub(super) fn is_file_field(node: &Node) -> bool {
    node.attributes.as_deref().is_some_and(|attributes| attributes.input.as_deref() == Some("file"))
}

/// `report.pdf (0 bytes)`, `report.pdf 0 kB`.
fn states_no_size(text: &str) -> bool {
    const UNITS: [&str; 7] = ["byte", "bytes", "b", "kb", "kib", "mb", "mib"];
    let words: Vec<String> = text
        .split(|c: char| c.is_whitespace() || "(),·–".contains(c))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.windows(2).any(|pair| matches!(&*pair[0], "0" | "0.0" | "0.00") && UNITS.contains(&&*pair[1]))
}

/// Whether a word is the name of a file: `untitled.bin`, and no address, number or abbreviation.
fn is_file_name(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let Some((stem, extension)) = word.rsplit_once('.') else { return false };
    stem.chars().count() > 1
        && !word.contains(['@', '/', ':'])
        && (2..=5).contains(&extension.len())
        && extension.chars().all(|c| c.is_ascii_alphanumeric())
        && extension.starts_with(|c: char| c.is_ascii_lowercase())
        && stem.contains(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_and_sizes_of_zero_are_known() {
        for name in ["untitled.bin", "(report-2.pdf)", "data.xlsx"] {
            assert!(is_file_name(name), "{name}");
        }
        for other in ["e.g.", "ada@site.test", "https://a.test/b.pdf", "12.50", "Done.Next", "3.pdf."] {
            assert!(!is_file_name(other), "{other}");
        }
        assert!(states_no_size("report.pdf (0 bytes) Q3") && !states_no_size("report.pdf (10 bytes)"));
    }
}
