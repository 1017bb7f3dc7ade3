//! Whether a text or a name says that something is under way.

const UNDER_WAY: &[&str] = &[
    "loading",
    "please wait",
    "saving",
    "processing",
    "uploading",
    "fetching",
    "working",
    "searching",
    "submitting",
    "spinner",
    "loader",
    "busy",
];

/// First words that describe what a page shows or has, and not what is being done: `Showing 4 contacts`.
const DESCRIBES: [&str; 24] = [
    "showing",
    "displaying",
    "viewing",
    "listing",
    "including",
    "containing",
    "following",
    "remaining",
    "missing",
    "matching",
    "existing",
    "upcoming",
    "outstanding",
    "pending",
    "starting",
    "beginning",
    "building",
    "meeting",
    "booking",
    "rating",
    "ranking",
    "training",
    "parking",
    "heading",
];

/// Whether it says that something is under way.
pub fn is_under_way(text: &str) -> bool {
    let low = text.trim().to_lowercase();
    low.chars().count() <= 60
        && (UNDER_WAY.iter().any(|word| low.starts_with(word)) || is_continuing(&low) || is_being_done(&low))
}

/// `Your statement is being prepared`, `note.txt: scanning for viruses`: and not that it is done.
fn is_being_done(text: &str) -> bool {
    [
        "is being ",
        "are being ",
        "scanning for",
        "scanning…",
        "⏳",
        "⌛",
        "in the background",
        "wird gerade",
        "werden gerade",
        "en cours",
    ]
    .iter()
    .any(|phrase| text.contains(phrase))
}

/// `Publishing…`, `Importing 0 of 30`, `Deploying 40 %`: what is being done, and that it is not over.
fn is_continuing(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let begins = words.next().is_some_and(|first| {
        let first = first.trim_end_matches(['.', '…']);
        first.chars().count() > 5
            && first.ends_with("ing")
            && first.chars().all(char::is_alphabetic)
            && !DESCRIBES.contains(&first)
    });
    let is_number = |word: &&str| word.chars().any(|c| c.is_ascii_digit());
    begins && (text.ends_with('…') || text.ends_with("...") || words.next().as_ref().is_some_and(is_number))
}

/// Whether an id or a label names a spinner.
pub fn names_spinner(label: &str) -> bool {
    let low = label.to_lowercase();
    let words: Vec<&str> = low.split(|c: char| !c.is_alphanumeric()).collect();
    words.iter().any(|word| matches!(*word, "spinner" | "loader" | "loading" | "throbber" | "busy"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_being_done_is_under_way_and_its_result_is_not() {
        for text in [
            "Saving…",
            "Publishing…",
            "Sending...",
            "Importing 0 of 30",
            "Deploying 40 %",
            "Loading",
            "Your statement is being prepared",
            "note.txtScanning for viruses",
        ] {
            assert!(is_under_way(text), "{text}");
        }
        for text in [
            "Published",
            "Building plans",
            "Meeting moved",
            "King…",
            "Training on Monday",
            "Pricing",
            "Showing 4 contacts",
            "Building 7",
        ] {
            assert!(!is_under_way(text), "{text}");
        }
    }
}
