//! The whole page as a text, in lines like an observation's but without a budget in tokens: for the record, where nobody
//! pays for it. Counting tokens is most of what an observation costs; this counts none.

use legwork_protocol::View;

use crate::{Snapshot, line::Detail, outline::outline, render::head};

/// All lines of a page, up to about so many bytes.
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
