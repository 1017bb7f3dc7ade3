//! The public API of the library as a list, `crates/runtime/api.txt`, and whether a change of it agrees with the
//! version.
//!
//! `legwork` re-exports single items from other crates; everything else in these crates is private to the workspace.
//! The list contains its own items and the re-exported ones. It is rejected if it contains a type that a user cannot
//! name. A difference from the committed list is an addition or a break; a break needs a new version.

mod change;
mod listing;

use std::fs;

use crate::run::{Failure, root};

const LIST: &str = "crates/runtime/api.txt";
const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(crate) use listing::as_rustdoc;

/// Fails if the API differs from the list.
pub(crate) fn check() -> Result<(), Failure> {
    let current = listing::current()?;
    let (version, listed) = committed()?;
    let change = change::between(&listed, &current);
    breaks_are_announced(&version, &change)?;
    if change.is_empty() && version == VERSION {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{change}the library's API differs from {LIST}; `cargo xtask api --write` accepts the change"
    )))
}

/// Writes the list, unless that would break users without a new version.
pub(crate) fn write() -> Result<(), Failure> {
    let current = listing::current()?;
    if let Ok((version, listed)) = committed() {
        let change = change::between(&listed, &current);
        breaks_are_announced(&version, &change)?;
        eprint!("{change}");
    }
    let text = format!("# The public API of the library, legwork {VERSION}. Written by `cargo xtask api --write`.\n");
    let path = root().join(LIST);
    fs::write(&path, text + &current.join("\n") + "\n").map_err(|error| Failure::new(format!("{LIST}: {error}")))
}

fn breaks_are_announced(version: &str, change: &change::Change) -> Result<(), Failure> {
    if change.breaks().is_empty() || change::is_another_series(version, VERSION) {
        return Ok(());
    }
    let list = change.breaks().join("\n  ");
    Err(Failure::new(format!(
        "this change breaks programs that use the library at {version}:\n  {list}\nundo the change, or raise the version in Cargo.toml ({})",
        if version.starts_with("0.") { "the y of 0.y" } else { "the major version" },
    )))
}

/// The version and the lines of the committed list.
fn committed() -> Result<(String, Vec<String>), Failure> {
    let text = fs::read_to_string(root().join(LIST)).map_err(|error| Failure::new(format!("{LIST}: {error}")))?;
    let (head, lines) = text.split_once('\n').unwrap_or((&text, ""));
    let version = head.split("legwork ").nth(1).and_then(|rest| rest.split(". ").next()).unwrap_or_default();
    Ok((version.to_owned(), lines.lines().map(str::to_owned).collect()))
}
