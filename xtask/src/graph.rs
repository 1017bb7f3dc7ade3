//! Which crate may import which, and how many files of a crate may import each other. A change of the table needs a
//! reason.

mod cycles;
mod paths;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::run::{Failure, workspace_metadata};

/// A crate, and the crates of the workspace that it may import (except in tests).
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("legwork-protocol", &[]),
    ("legwork-observe", &["legwork-protocol"]),
    ("legwork-steps", &["legwork-protocol", "legwork-observe"]),
    ("legwork-agent", &["legwork-protocol", "legwork-observe", "legwork-steps"]),
    ("legwork-browser", &["legwork-protocol", "legwork-observe"]),
    ("legwork-model", &["legwork-protocol"]),
    ("legwork-store", &["legwork-protocol"]),
    (
        "legwork",
        &[
            "legwork-protocol",
            "legwork-observe",
            "legwork-steps",
            "legwork-agent",
            "legwork-browser",
            "legwork-model",
            "legwork-store",
            "legwork-private-file",
            "legwork-vault",
        ],
    ),
    ("legwork-batch", &["legwork", "legwork-protocol"]),
    ("legwork-scripts", &["legwork", "legwork-protocol", "legwork-steps"]),
    ("legwork-demo-site", &[]),
    // Apart from the evaluations, crates use this test support in their tests only.
    ("legwork-testing", &[]),
    ("legwork-private-file", &[]),
    ("legwork-vault", &["legwork-private-file"]),
    ("legwork-access", &["legwork-private-file"]),
    (
        "legwork-server",
        &[
            "legwork",
            "legwork-access",
            "legwork-batch",
            "legwork-private-file",
            "legwork-protocol",
            "legwork-scripts",
            "legwork-vault",
        ],
    ),
    ("legwork-verbs", &["legwork", "legwork-protocol"]),
    ("legwork-mcp", &["legwork", "legwork-access", "legwork-batch", "legwork-protocol", "legwork-verbs"]),
    (
        "legwork-cli",
        &[
            "legwork",
            "legwork-access",
            "legwork-batch",
            "legwork-protocol",
            "legwork-scripts",
            "legwork-server",
            "legwork-verbs",
            "legwork-mcp",
            "legwork-demo-site",
            "legwork-vault",
        ],
    ),
    // The attacks send requests to the servers.
    (
        "legwork-evals",
        &["legwork", "legwork-browser", "legwork-demo-site", "legwork-mcp", "legwork-server", "legwork-testing"],
    ),
    ("xtask", &["legwork", "legwork-browser", "legwork-protocol", "legwork-server", "legwork-steps"]),
];

/// Crates that must not do IO; none of the crates below may be among their dependencies.
const PURE: &[&str] = &["legwork-protocol", "legwork-observe", "legwork-steps", "legwork-agent"];
const IO: &[&str] = &["tokio", "reqwest", "hyper", "axum", "rusqlite", "tokio-tungstenite", "mio"];

pub(crate) fn check() -> Result<(), Failure> {
    let imports = imports()?;
    let wrong = [violations(&imports), unused_permissions(&imports)].concat();
    if !wrong.is_empty() {
        return Err(Failure::new(wrong.join("\n")));
    }
    eprintln!("Files in the largest import cycle:");
    for (name, files) in cycles::check()? {
        eprintln!("{files:>4} {name}");
    }
    Ok(())
}

/// The dependencies of each crate in the workspace, without development dependencies.
fn imports() -> Result<BTreeMap<String, Vec<String>>, Failure> {
    let metadata = workspace_metadata()?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Ok(metadata["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().into_iter().flatten();
            let used = dependencies
                .filter(|dependency| dependency["kind"] != "dev")
                .map(|dependency| text(&dependency["name"]));
            (text(&package["name"]), used.collect())
        })
        .collect())
}

fn violations(imports: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, used) in imports {
        let Some((_, allowed)) = MAY_IMPORT.iter().find(|(known, _)| known == name) else {
            wrong.push(format!("{name} is not in the table of xtask/src/graph.rs"));
            continue;
        };
        for dependency in used {
            if imports.contains_key(dependency) && !allowed.contains(&dependency.as_str()) {
                wrong.push(format!("{name} may not import {dependency}"));
            }
            if PURE.contains(&name.as_str()) && IO.contains(&dependency.as_str()) {
                wrong.push(format!("{name} is pure and may not import {dependency}"));
            }
        }
    }
    wrong
}

/// The allowed imports that no crate uses, and the crates of the table that do not exist.
fn unused_permissions(imports: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let mut unused = Vec::new();
    for (name, allowed) in MAY_IMPORT {
        let Some(used) = imports.get(*name) else {
            unused.push(format!("{name} is in the table of xtask/src/graph.rs, but not in the workspace"));
            continue;
        };
        let is_unused = |dependency: &&&str| !used.iter().any(|name| name == **dependency);
        unused.extend(allowed.iter().filter(is_unused).map(|dependency| {
            format!("{name} may import {dependency}, and does not: remove it from xtask/src/graph.rs")
        }));
    }
    unused
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_workspace_keeps_to_the_import_graph() {
        let imports = imports().unwrap();
        assert_eq!(violations(&imports), Vec::<String>::new());
        assert_eq!(unused_permissions(&imports), Vec::<String>::new());
    }

    #[test]
    fn a_permission_that_no_crate_uses_is_found() {
        let mut imports = imports().unwrap();
        imports.insert("legwork-vault".to_owned(), Vec::new());
        imports.remove("legwork-mcp");
        let unused = unused_permissions(&imports);
        assert_eq!(
            unused,
            [
                "legwork-vault may import legwork-private-file, and does not: remove it from xtask/src/graph.rs",
                "legwork-mcp is in the table of xtask/src/graph.rs, but not in the workspace",
            ]
        );
    }

    #[test]
    fn the_code_map_lists_the_allowed_imports() {
        let map = std::fs::read_to_string(crate::run::root().join("ARCHITECTURE.md")).unwrap();
        let short = |name: &str| match name {
            "legwork" => "runtime".to_owned(),
            other => other.trim_start_matches("legwork-").to_owned(),
        };
        for (name, allowed) in MAY_IMPORT {
            let start = format!("| `{}` |", short(name));
            let row = map.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("no row {start}"));
            let cell = row.trim_end_matches(" |").rsplit("| ").next().unwrap_or_default();
            let listed: BTreeSet<String> = cell.split(", ").filter(|name| *name != "–").map(str::to_owned).collect();
            assert_eq!(listed, allowed.iter().map(|name| short(name)).collect(), "{start}");
        }
    }

    #[test]
    fn an_arrow_that_is_not_in_the_table_is_found() {
        let imports = BTreeMap::from([
            ("legwork-agent".to_owned(), vec!["legwork-browser".to_owned(), "tokio".to_owned()]),
            ("legwork-browser".to_owned(), vec![]),
            ("legwork-utils".to_owned(), vec![]),
        ]);
        assert_eq!(
            violations(&imports),
            [
                "legwork-agent may not import legwork-browser",
                "legwork-agent is pure and may not import tokio",
                "legwork-utils is not in the table of xtask/src/graph.rs"
            ]
        );
    }
}
