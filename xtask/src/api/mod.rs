//! The library's public API as a list, `crates/runtime/api.txt`, and whether it changed as the version says it may.
//!
//! `legwork` re-exports from the crates below it, one item at a time: what it does not name there is nobody's promise. The
//! list holds its own items and those of the re-exported ones, and it is refused when it names a type that a user cannot
//! reach. Against the committed list a change is an addition or a break; a break asks for a version that says so.

mod change;
mod listing;

use std::fs;

use crate::run::{Failure, root};

const LIST: &str = "crates/runtime/api.txt";
const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(crate) use listing::as_rustdoc;

/// Fails when the API is not as the list says.
pub(crate) fn check() -> Result<(), Failure> {
    let fresh = listing::fresh()?;
    let (version, listed) = committed()?;
    let change = change::between(&listed, &fresh);
    breaks_are_announced(&version, &change)?;
    if change.is_empty() && version == VERSION {
        return Ok(());
    }
    Err(Failure::new(format!("{change}the library's API is not as {LIST} says; `cargo xtask api --write` accepts it")))
}

/// Writes the list, unless that would break a promise.
pub(crate) fn write() -> Result<(), Failure> {
    let fresh = listing::fresh()?;
    if let Ok((version, listed)) = committed() {
        let change = change::between(&listed, &fresh);
        breaks_are_announced(&version, &change)?;
        eprint!("{change}");
    }
    let text = format!("# The public API of the library, legwork {VERSION}. Written by `cargo xtask api --write`.\n");
    let path = root().join(LIST);
    fs::write(&path, text + &fresh.join("\n") + "\n").map_err(|error| Failure::new(format!("{LIST}: {error}")))
}

fn breaks_are_announced(version: &str, change: &change::Change) -> Result<(), Failure> {
    if change.breaks().is_empty() || change::is_another_series(version, VERSION) {
        return Ok(());
    }
    let list = change.breaks().join("\n  ");
    Err(Failure::new(format!(
        "this breaks programs that use the library at {version}:\n  {list}\nkeep it, or raise the version in Cargo.toml ({})",
        if version.starts_with("0.") { "0.y: the y" } else { "the major number" },
    )))
}

/// The version and the lines of the committed list.
fn committed() -> Result<(String, Vec<String>), Failure> {
    let text = fs::read_to_string(root().join(LIST)).map_err(|error| Failure::new(format!("{LIST}: {error}")))?;
    let (head, lines) = text.split_once('\n').unwrap_or((&text, ""));
    let version = head.split("legwork ").nth(1).and_then(|rest| rest.split(". ").next()).unwrap_or_default();
    Ok((version.to_owned(), lines.lines().map(str::to_owned).collect()))
}
