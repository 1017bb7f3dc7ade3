//! The full text of a page, in lines like those of an observation but without a token budget. It is for the record,
//! which has no token limit. Token counting is the largest part of the cost of an observation, so this module does
//! not count.

use legwork_protocol::View;

use crate::{Snapshot, line::Detail, outline::outline, render::head};

/// All lines of a page, up to about `most` bytes.
pub fn full_text(page: &Snapshot, most: usize) -> String {
    let lines = outline(page, 0, &View::default()).lines;
    let mut out = head(page);
    for (at, line) in lines.iter().enumerate() {
        if out.len() > most {
            out.push_str(&format!("- … {} more lines\n", lines.len() - at));
            break;
        }
        line.write(Detail::ALL, &mut out);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_folded_and_what_is_cut_is_said() {
        let items =
            |count| (0..count).map(|at| format!("- button \"Item {at}\" [ref=e{}]\n", at + 1)).collect::<String>();
        let page = crate::fixture::snapshot(&items(300));
        assert_eq!(full_text(&page, 100_000), items(300));
        let cut = full_text(&page, 1_000);
        assert!(cut.starts_with(&items(20)) && cut.len() < 1_100, "{cut}");
        let shown = cut.lines().count() - 1;
        assert!(cut.ends_with(&format!("- … {} more lines\n", 300 - shown)), "{cut}");
    }
}
