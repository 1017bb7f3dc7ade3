//! Compares two lists of the API, and decides whether the difference breaks users of the first.

use std::{collections::BTreeSet, fmt};

/// The differences between two lists.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    removed: Vec<String>,
    /// New items that break no program.
    added: Vec<String>,
    /// New items inside something that programs write out in full: a field, a variant, a method of a trait. Also a
    /// new statement that a type is not `Send`.
    forced: Vec<String>,
}

impl Change {
    pub(super) fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.added.is_empty() && self.forced.is_empty()
    }

    /// The lines that break programs: `- ` removed or changed, `+ ` new where programs have to write it.
    pub(super) fn breaks(&self) -> Vec<String> {
        let gone = self.removed.iter().map(|line| format!("- {line}"));
        gone.chain(self.forced.iter().map(|line| format!("+ {line}"))).collect()
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let added = self.added.iter().map(|line| format!("+ {line}"));
        self.breaks().into_iter().chain(added).try_for_each(|line| writeln!(f, "{line}"))
    }
}

pub(super) fn between(before: &[String], after: &[String]) -> Change {
    let (old, new): (BTreeSet<&String>, BTreeSet<&String>) = (before.iter().collect(), after.iter().collect());
    let mut change = Change { removed: old.difference(&new).map(ToString::to_string).collect(), ..Change::default() };
    for line in new.difference(&old) {
        let place = if is_forced(line, before) { &mut change.forced } else { &mut change.added };
        place.push(line.to_string());
    }
    change
}

/// Whether a new line is inside an existing item that programs write out in full, or states that an existing item has
/// lost an automatic trait.
fn is_forced(line: &str, before: &[String]) -> bool {
    if let Some((_, lacking)) = line.strip_prefix("impl !").and_then(|rest| rest.split_once(" for ")) {
        let path = lacking.split(['<', ' ']).next().unwrap_or(lacking);
        return before.iter().any(|known| known.split(&format!(" {path}")).skip(1).any(ends_a_name));
    }
    let Some(owner) = owner(line) else { return false };
    let declares = |known: &&String, keyword: &str| {
        known.contains(&format!("pub {keyword} {owner}"))
            && known.split(&format!("{keyword} {owner}")).nth(1).is_some_and(ends_a_name)
    };
    let is_member = !["fn ", "async fn ", "const ", "unsafe ", "type ", "impl"]
        .iter()
        .any(|keyword| line.trim_start_matches("#[non_exhaustive] ").trim_start_matches("pub ").starts_with(keyword));
    before.iter().any(|known| {
        let open = known.starts_with("#[non_exhaustive]");
        let written_out = ["struct", "enum"].iter().any(|keyword| declares(&known, keyword));
        (is_member && written_out && !open) || (!is_member && declares(&known, "trait"))
    })
}

fn ends_a_name(rest: &str) -> bool {
    !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') || rest.starts_with(": ")
}

/// `legwork::page::Page` of `pub legwork::page::Page::tab: u32`.
fn owner(line: &str) -> Option<&str> {
    let path = super::listing::first_path(line)?;
    path.rsplit_once("::").map(|(owner, _)| owner)
}

/// Whether a version is allowed to break users of the other: `0.2` after `0.1`, `2` after `1`.
pub(super) fn is_another_series(from: &str, to: &str) -> bool {
    let series = |version: &str| -> Option<(u64, u64)> {
        let mut numbers = version.split('.').map(|number| number.parse().ok());
        let (major, minor) = (numbers.next()??, numbers.next()??);
        Some((major, if major == 0 { minor } else { 0 }))
    };
    series(to) > series(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &[&str] = &[
        "pub struct legwork::Settled",
        "pub legwork::Settled::rest: u32",
        "#[non_exhaustive] pub struct legwork::Open",
        "pub legwork::Open::one: u32",
        "pub trait legwork::Tool: core::marker::Send",
        "pub fn legwork::Tool::call(&self)",
        "impl legwork::Settled",
        "pub fn legwork::Settled::show(&self)",
        "pub enum legwork::Kind",
        "pub legwork::Kind::First",
    ];

    fn with(lines: &[&str]) -> Change {
        let list = |lines: &[&str]| lines.iter().map(ToString::to_string).collect::<Vec<String>>();
        between(&list(LIST), &list(&[LIST, lines].concat()))
    }

    #[test]
    fn what_programs_must_write_out_breaks_them_and_what_they_may_call_does_not() {
        let free = [
            "pub fn legwork::Settled::hide(&self)",
            "pub legwork::Open::two: u32",
            "pub struct legwork::New",
            "pub legwork::New::field: u32",
            "impl !core::marker::Send for legwork::New",
            // The beginning of another item's name.
            "impl !core::marker::Send for legwork::Set",
        ];
        assert_eq!(with(&free).breaks(), Vec::<String>::new(), "{}", with(&free));
        for line in [
            "pub legwork::Settled::unrest: u32",
            "pub legwork::Kind::Second",
            "pub fn legwork::Tool::spec(&self)",
            "impl !core::marker::Send for legwork::Settled",
        ] {
            assert_eq!(with(&[line]).breaks(), [format!("+ {line}")]);
        }
    }

    #[test]
    fn what_is_gone_or_changed_breaks() {
        let list = |lines: &[&str]| lines.iter().map(ToString::to_string).collect::<Vec<String>>();
        let before = list(&["pub fn legwork::go(u32)", "pub fn legwork::stop()"]);
        let change = between(&before, &list(&["pub fn legwork::go(u64)"]));
        assert_eq!(change.breaks(), ["- pub fn legwork::go(u32)", "- pub fn legwork::stop()"]);
        assert_eq!(change.to_string().lines().last(), Some("+ pub fn legwork::go(u64)"));
        assert!(between(&before, &before).is_empty());
    }

    #[test]
    fn a_series_is_the_first_number_that_counts() {
        assert!(is_another_series("0.1.0", "0.2.0") && is_another_series("0.9.1", "1.0.0"));
        assert!(is_another_series("1.4.0", "2.0.0"));
        assert!(!is_another_series("0.1.0", "0.1.1") && !is_another_series("1.4.0", "1.5.0"));
        assert!(!is_another_series("0.2.0", "0.1.0"));
    }
}
