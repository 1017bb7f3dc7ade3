//! Converts the rustdoc JSON of the library, and of the crates from which it re-exports, to a list of lines.
//!
//! This JSON is not stable yet, so rustdoc has to be started with unstable features enabled. Only rustdoc gets this
//! environment variable: if cargo got it too, build scripts that check it would rebuild half of the dependencies.
//! Therefore this program is passed to cargo as its rustdoc and calls the real one.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::{Command, ExitCode},
};

use public_api::Builder;
use serde_json::Value;

use crate::run::{Failure, root, workspace_metadata};

/// The crates whose items the library exposes, the library first.
const CRATES: &[&str] = &[
    "legwork",
    "legwork-protocol",
    "legwork-observe",
    "legwork-agent",
    "legwork-browser",
    "legwork-model",
    "legwork-store",
    "legwork-vault",
];

/// Other crates whose types may be in the signatures of the API: the standard library, and crates that every user has.
const EXTERNAL: &[&str] = &[
    "core",
    "alloc",
    "std",
    "jiff",
    "secrecy",
    "serde",
    "serde_core",
    "serde_json",
    "schemars",
    "thiserror",
    "tokio",
    "tokio_util",
    "url",
    "uuid",
];

/// The methods of derived traits contain no information beyond the line of the trait.
const DERIVED: &[&str] = &[
    "clone",
    "cmp",
    "default",
    "deserialize",
    "eq",
    "fmt",
    "from",
    "hash",
    "json_schema",
    "partial_cmp",
    "schema_id",
    "schema_name",
    "inline_schema",
    "serialize",
    "source",
];

/// Contains the path of the real rustdoc when this program replaces it.
const REAL: &str = "LEGWORK_XTASK_RUSTDOC";

/// Calls the real rustdoc if this program was started in its place.
pub(crate) fn as_rustdoc() -> Option<ExitCode> {
    let real = std::env::var_os(REAL)?;
    let status = Command::new(real).args(std::env::args_os().skip(1)).env("RUSTC_BOOTSTRAP", "1").status();
    Some(if status.is_ok_and(|status| status.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The current API.
pub(super) fn current() -> Result<Vec<String>, Failure> {
    let folder = documented()?;
    let json = |name: &str| Path::new(&folder).join("doc").join(format!("{}.json", name.replace('-', "_")));
    let (library, parts) = CRATES.split_first().expect("there is the library");
    let exported = exports(&fs::read(json(library)).map_err(|error| Failure::new(format!("{library}: {error}")))?)?;
    let mut lines = lines(&json(library))?;
    for part in parts {
        let name = part.replace('-', "_");
        let Some(shown) = exported.get(&name) else { continue };
        lines.extend(self::lines(&json(part))?.into_iter().filter(|line| is_shown(line, &name, shown)));
    }
    lines.sort();
    lines.dedup();
    match leaks(&lines, &exported) {
        leaks if leaks.is_empty() => Ok(lines),
        leaks => Err(Failure::new(format!(
            "the library's API contains types that its users cannot name; re-export them in crates/runtime/src/lib.rs:\n  {}",
            leaks.join("\n  ")
        ))),
    }
}

/// Generates the JSON; returns the target folder.
fn documented() -> Result<String, Failure> {
    let failed = |what: &str| Failure::new(format!("rustdoc's JSON: {what}"));
    let this = std::env::current_exe().map_err(|error| failed(&error.to_string()))?;
    let real = std::env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into());
    eprintln!("\n$ cargo rustdoc --output-format json, for {}", CRATES.join(", "));
    for name in CRATES {
        let arguments = ["rustdoc", "--quiet", "--package", name, "--lib", "--", "-Zunstable-options"];
        let status = Command::new(env!("CARGO"))
            .args(arguments)
            .args(["--output-format", "json", "--cap-lints", "allow"])
            .envs([("RUSTDOC", this.as_os_str()), (REAL, &real)])
            .current_dir(root())
            .status()
            .map_err(|error| failed(&error.to_string()))?;
        if !status.success() {
            return Err(failed(&format!("{name}: {status}")));
        }
    }
    let metadata = workspace_metadata()?;
    metadata["target_directory"]
        .as_str()
        .map(str::to_owned)
        .ok_or_else(|| failed("cargo metadata has no target folder"))
}

fn lines(json: &Path) -> Result<Vec<String>, Failure> {
    let api = Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .build()
        .map_err(|error| Failure::new(format!("{}: {error}", json.display())))?;
    let derived = |line: &str| {
        line.contains("StructuralPartialEq")
            || line.contains("pub fn ")
                && first_path(line)
                    .is_some_and(|path| path.rsplit_once("::").is_some_and(|(_, method)| DERIVED.contains(&method)))
    };
    Ok(api
        .items()
        .map(ToString::to_string)
        .filter(|line| !derived(line) && !is_uninformative_auto_trait(line))
        .collect())
}

/// Whether a line about an automatic trait has no information. Only a missing `Send`, `Sync` or `Unpin` matters, to
/// programs with threads and tasks.
fn is_uninformative_auto_trait(line: &str) -> bool {
    const AUTO_TRAITS: &[&str] = &["Freeze", "Send", "Sync", "Unpin", "UnsafeUnpin", "RefUnwindSafe", "UnwindSafe"];
    let Some((subject, _)) = line.strip_prefix("impl").and_then(|rest| rest.split_once(" for ")) else { return false };
    let of = |traits: &[&str]| traits.iter().any(|name| subject.ends_with(&format!("::{name}")));
    of(AUTO_TRAITS) && !(subject.contains('!') && of(&["Send", "Sync", "Unpin"]))
}

/// The items that the library re-exports, by crate; an empty set means the whole crate.
fn exports(json: &[u8]) -> Result<BTreeMap<String, BTreeSet<String>>, Failure> {
    let document: Value =
        serde_json::from_slice(json).map_err(|error| Failure::new(format!("rustdoc's JSON: {error}")))?;
    let mut exported: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for item in document["index"].as_object().into_iter().flat_map(|index| index.values()) {
        let Some(source) = item["inner"]["use"]["source"].as_str() else { continue };
        match source.split_once("::") {
            Some((from, path)) => {
                let name = path.rsplit("::").next().unwrap_or(path);
                exported.entry(from.to_owned()).or_default().insert(name.to_owned());
            }
            None => drop(exported.entry(source.to_owned()).or_default()),
        }
    }
    Ok(exported)
}

/// Whether a line of another crate concerns an exposed item.
fn is_shown(line: &str, part: &str, shown: &BTreeSet<String>) -> bool {
    // `impl A for B` concerns B.
    let about = line.split_once(" for ").map_or(line, |(_, implementor)| implementor);
    let Some(path) = own_paths(about).find(|path| path.split("::").next() == Some(part)) else { return false };
    shown.is_empty() || path.split("::").skip(1).any(|segment| shown.contains(segment))
}

/// The types in the lines that users cannot name.
fn leaks(lines: &[String], exported: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let mut leaks = BTreeSet::new();
    for line in lines {
        for path in paths(line) {
            let mut segments = path.split("::");
            let from = segments.next().unwrap_or_default();
            let reached = match exported.get(from) {
                _ if from == "legwork" || EXTERNAL.contains(&from) => true,
                Some(shown) => shown.is_empty() || segments.any(|segment| shown.contains(segment)),
                None => false,
            };
            if !reached {
                leaks.insert(format!("{path}   in   {line}"));
            }
        }
    }
    leaks.into_iter().collect()
}

/// The first path of a line, which is the item that it describes.
pub(super) fn first_path(line: &str) -> Option<&str> {
    paths(line).next()
}

fn own_paths(line: &str) -> impl Iterator<Item = &str> {
    paths(line).filter(|path| path.starts_with("legwork"))
}

/// Everything of the form `a::b::C`, without the prefix of a generic or an associated item.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'))
        .map(|word| word.trim_end_matches(':'))
        .filter(|word| word.contains("::") && word.starts_with(|c: char| c.is_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_that_users_cannot_reach_is_found() {
        let exported = BTreeMap::from([
            ("legwork_browser".to_owned(), BTreeSet::from(["Session".to_owned()])),
            ("legwork_protocol".to_owned(), BTreeSet::new()),
        ]);
        let line = |text: &str| leaks(&[text.to_owned()], &exported);
        assert!(line("pub fn legwork::Page::session(&self) -> &legwork_browser::session::Session").is_empty());
        assert!(line("pub legwork::Run::end: core::option::Option<legwork_protocol::outcome::Outcome>").is_empty());
        assert_eq!(line("pub fn legwork::Page::guard(&self) -> &legwork_browser::guard::Guard").len(), 1);
        assert_eq!(line("pub legwork::EditError::source: toml_edit::TomlError").len(), 1);
        assert_eq!(line("pub fn legwork::find(&str) -> legwork_agent::When").len(), 1);
    }

    #[test]
    fn of_what_a_type_is_by_itself_only_a_lack_is_listed() {
        for plain in [
            "impl core::marker::Send for legwork::Page",
            "impl<T> core::marker::Sync for legwork::Answer<T> where T: core::marker::Sync",
            "impl !core::panic::unwind_safe::UnwindSafe for legwork::Page",
        ] {
            assert!(is_uninformative_auto_trait(plain), "{plain}");
        }
        for said in [
            "impl !core::marker::Send for legwork::Page",
            "impl core::clone::Clone for legwork::Page",
            "pub trait legwork::Tool: core::marker::Send + core::marker::Sync",
        ] {
            assert!(!is_uninformative_auto_trait(said), "{said}");
        }
    }

    #[test]
    fn of_a_crate_below_only_what_is_shown_is_listed() {
        let shown = BTreeSet::from(["Session".to_owned(), "tokens".to_owned()]);
        assert!(is_shown("pub fn legwork_browser::Session::tabs(&self)", "legwork_browser", &shown));
        assert!(is_shown("impl core::fmt::Debug for legwork_browser::Session", "legwork_browser", &shown));
        assert!(is_shown("pub fn legwork_browser::tokens::count(&str) -> usize", "legwork_browser", &shown));
        assert!(!is_shown("pub fn legwork_browser::Browser::close(self)", "legwork_browser", &shown));
    }
}
