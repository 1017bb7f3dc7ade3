//! Checks that the name of each public type is defined once in the workspace.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use crate::run::{Failure, root};

/// The names that may be defined more than once, with reasons.
const ALLOWED: &[(&str, &str)] = &[
    ("Limits", "the agent is pure and does not know the settings, which have their own limits"),
    ("Price", "the setting, and the price in the model crate"),
    ("Retries", "the setting, and the retries of the model crate"),
    ("Severity", "that of an error, and that of a problem in a workflow file"),
    ("Timeouts", "the settings, and those of the browser and of the model crate"),
    ("Tool", "the description of a tool for a model, and the tool that the library runs"),
];
const MOST_ALLOWED: usize = 15;

pub(crate) fn check() -> Result<(), Failure> {
    assert!(ALLOWED.len() <= MOST_ALLOWED, "too many exceptions");
    let problems = problems(&definitions()?);
    if problems.is_empty() { Ok(()) } else { Err(Failure::new(problems.join("\n"))) }
}

/// The files that define each public type.
fn definitions() -> Result<BTreeMap<String, Vec<PathBuf>>, Failure> {
    let mut definitions: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for package in fs::read_dir(root().join("crates")).map_err(|error| Failure::new(error.to_string()))?.flatten() {
        for file in sources(&package.path().join("src")) {
            let text = fs::read_to_string(&file).map_err(|error| Failure::new(error.to_string()))?;
            for name in text.lines().filter_map(public_type) {
                definitions.entry(name.to_owned()).or_default().push(file.clone());
            }
        }
    }
    Ok(definitions)
}

/// The Rust files in a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.flatten().map(|entry| entry.path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => sources(&path),
            false => vec![path],
        })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// The name of the public type that a line defines.
fn public_type(line: &str) -> Option<&str> {
    let (kind, rest) = line.trim_start().strip_prefix("pub ")?.split_once(' ')?;
    let is_type = matches!(kind, "struct" | "enum" | "trait" | "type" | "union");
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    is_type.then(|| &rest[..end]).filter(|name| name.starts_with(char::is_uppercase))
}

fn problems(definitions: &BTreeMap<String, Vec<PathBuf>>) -> Vec<String> {
    let is_allowed = |name: &str| ALLOWED.iter().any(|(allowed, _)| *allowed == name);
    let twice = definitions.iter().filter(|(name, files)| files.len() > 1 && !is_allowed(name)).map(|(name, files)| {
        let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        format!("`{name}` is defined as several public types; rename all but one: {}", files.join(", "))
    });
    let unused = ALLOWED.iter().filter(|(name, _)| definitions.get(*name).is_none_or(|files| files.len() < 2)).map(
        |(name, _)| {
            format!(
                "`{name}` is no longer defined more than once; remove it from the allowed names of xtask/src/names.rs"
            )
        },
    );
    twice.chain(unused).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_types_are_found_and_others_are_not() {
        assert_eq!(public_type("pub struct Extract<'a> {"), Some("Extract"));
        assert_eq!(public_type("    pub enum Kind { $($kind),* }"), Some("Kind"));
        assert_eq!(public_type("pub type Result = std::result::Result<(), Error>;"), Some("Result"));
        for line in [
            "pub(crate) struct Inner;",
            "struct Inner;",
            "pub fn check() {",
            "pub use super::Inner;",
            "// pub struct A",
        ] {
            assert_eq!(public_type(line), None, "{line}");
        }
    }

    #[test]
    fn a_name_of_two_public_types_is_a_problem() {
        let of = |files: &[&str]| files.iter().map(PathBuf::from).collect::<Vec<_>>();
        let mut definitions: BTreeMap<String, Vec<PathBuf>> =
            ALLOWED.iter().map(|(name, _)| ((*name).to_owned(), of(&["a.rs", "b.rs"]))).collect();
        definitions.insert("Page".to_owned(), of(&["a.rs"]));
        assert!(problems(&definitions).is_empty());
        definitions.insert("Page".to_owned(), of(&["a.rs", "b.rs"]));
        assert_eq!(problems(&definitions).len(), 1);
        definitions.remove("Tool");
        assert_eq!(problems(&definitions).len(), 2);
    }
}
