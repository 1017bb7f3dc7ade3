//! Writes a software bill of materials of the released program in CycloneDX 1.5: the crates that are linked into it on
//! x86-64 Linux, with the hashes of the lock file, and the npm packages that are part of the web page's bundle.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use serde_json::{Value, json};

use crate::run::{Failure, metadata, root, target};

const PROGRAM: &str = "legwork-cli";
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// Writes the document to a file; without a name, to `target/legwork.cdx.json`.
pub(crate) fn write(arguments: &[String]) -> Result<(), Failure> {
    let path = arguments.first().map_or_else(|| target().join("legwork.cdx.json"), Into::into);
    let npm = root().join("web/package-lock.json");
    let metadata = metadata(&["--locked", "--filter-platform", PLATFORM])?;
    let document = document(&metadata, &read(&root().join("Cargo.lock"))?, &parsed(&npm)?)?;
    let text = serde_json::to_string_pretty(&document).expect("a document of texts");
    fs::write(&path, text).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
    let count = document["components"].as_array().map_or(0, Vec::len);
    println!("{}: {count} components", path.display());
    Ok(())
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

fn parsed(path: &Path) -> Result<Value, Failure> {
    serde_json::from_str(&read(path)?).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The document for the program, from the metadata and the lock file of cargo and the lock file of npm.
fn document(metadata: &Value, lock: &str, npm: &Value) -> Result<Value, Failure> {
    let packages: BTreeMap<&str, &Value> =
        list(&metadata["packages"]).map(|package| (text(&package["id"]), package)).collect();
    let nodes: BTreeMap<&str, &Value> =
        list(&metadata["resolve"]["nodes"]).map(|node| (text(&node["id"]), node)).collect();
    let program = packages.iter().find(|(_, package)| package["name"] == PROGRAM).map(|(id, _)| *id);
    let program = program.ok_or_else(|| Failure::new(format!("the workspace has no package {PROGRAM}")))?;
    // A macro that runs in the compiler is a normal dependency like any other.
    let runs_in_compiler = |id: &str| {
        let targets = packages.get(id).map_or(&Value::Null, |package| &package["targets"]);
        list(targets).any(|target| list(&target["kind"]).any(|kind| kind == "proc-macro"))
    };
    // Dependencies for building and testing are not part of the program.
    let linked = |id: &str| -> Vec<&str> {
        let node = nodes.get(id).map_or(&Value::Null, |node| &node["deps"]);
        let normal = list(node).filter(|dep| list(&dep["dep_kinds"]).any(|kind| kind["kind"].is_null()));
        normal.map(|dep| text(&dep["pkg"])).filter(|id| !runs_in_compiler(id)).collect()
    };
    let (mut reached, mut open) = (BTreeSet::from([program]), vec![program]);
    while let Some(id) = open.pop() {
        open.extend(linked(id).into_iter().filter(|id| reached.insert(*id)));
    }
    let hashes = hashes(lock);
    let mut components = Vec::new();
    let mut dependencies = Vec::new();
    for id in &reached {
        let package = packages.get(id).copied().unwrap_or(&Value::Null);
        let (name, version) = (text(&package["name"]), text(&package["version"]));
        let mut component = json!({
            "type": "library", "bom-ref": reference(package), "name": name, "version": version, "purl": reference(package),
        });
        if let Some(license) = package["license"].as_str() {
            // An older notation of "or".
            component["licenses"] = json!([{"expression": license.replace('/', " OR ")}]);
        }
        if let Some(hash) = hashes.get(&(name, version)) {
            component["hashes"] = json!([{"alg": "SHA-256", "content": hash}]);
        }
        if *id != program {
            components.push(component);
        }
        let on: Vec<String> =
            linked(id).into_iter().filter_map(|id| packages.get(id)).map(|package| reference(package)).collect();
        dependencies.push(json!({"ref": reference(package), "dependsOn": on}));
    }
    components.extend(npm_components(npm));
    let program = packages[program];
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {
            "type": "application", "bom-ref": reference(program), "name": "legwork", "version": program["version"],
            "licenses": [{"expression": program["license"]}],
        }},
        "components": components,
        "dependencies": dependencies,
    }))
}

/// The package URL of a crate.
fn reference(package: &Value) -> String {
    format!("pkg:cargo/{}@{}", text(&package["name"]), text(&package["version"]))
}

/// The SHA-256 of each crate of the registry, by name and version, from the lock file.
fn hashes(lock: &str) -> BTreeMap<(&str, &str), &str> {
    lock.split("[[package]]")
        .filter_map(|block| {
            let field = |name: &str| {
                let line = block.lines().find_map(|line| line.strip_prefix(name)?.trim().strip_prefix("= \""));
                line.and_then(|line| line.strip_suffix('"'))
            };
            Some(((field("name")?, field("version")?), field("checksum")?))
        })
        .collect()
}

/// The npm packages that are part of a bundle; those for development are not.
fn npm_components(lock: &Value) -> Vec<Value> {
    let packages = lock["packages"].as_object().into_iter().flatten();
    let bundled =
        packages.filter(|(path, package)| !path.is_empty() && package["dev"] != true && package["optional"] != true);
    bundled
        .map(|(path, package)| {
            let name = path.rsplit("node_modules/").next().unwrap_or_default();
            let purl = format!("pkg:npm/{}@{}", name.replace('@', "%40"), text(&package["version"]));
            json!({
                "type": "library", "bom-ref": purl, "name": name, "version": package["version"], "purl": purl,
                "licenses": [{"expression": package["license"]}],
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_lists_what_is_linked_and_nothing_else() {
        let package =
            |name: &str, license: Value| json!({"id": name, "name": name, "version": "1.0.0", "license": license});
        let dep = |name: &str, kind: Value| json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
        let mut derive = package("derive", json!("MIT"));
        derive["targets"] = json!([{"kind": ["proc-macro"]}]);
        let metadata = json!({
            "packages": [derive, package("syntax", json!("MIT")), package(PROGRAM, json!("MIT")), package("used", json!("MIT/Apache-2.0")), package("below", json!(null)),
                package("tests", json!("MIT")), package("build", json!("MIT"))],
            "resolve": {"nodes": [
                {"id": PROGRAM, "deps": [dep("used", json!(null)), dep("tests", json!("dev")), dep("build", json!("build"))]},
                {"id": "used", "deps": [dep("below", json!(null)), dep("derive", json!(null))]}, {"id": "below", "deps": []},
                {"id": "derive", "deps": [dep("syntax", json!(null))]},
            ]},
        });
        let lock = "[[package]]\nname = \"used\"\nversion = \"1.0.0\"\nchecksum = \"abc\"\n";
        let npm = json!({"packages": {"": {}, "node_modules/preact": {"version": "11.2.0", "license": "MIT"}, "node_modules/vite": {"version": "8.0.0", "dev": true}}});
        let document = document(&metadata, lock, &npm).expect("a document");
        let names: Vec<&str> = list(&document["components"]).map(|component| text(&component["purl"])).collect();
        assert_eq!(names, ["pkg:cargo/below@1.0.0", "pkg:cargo/used@1.0.0", "pkg:npm/preact@11.2.0"]);
        assert_eq!(document["components"][1]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(document["components"][1]["hashes"][0]["content"], "abc");
        assert_eq!(document["metadata"]["component"]["version"], "1.0.0");
    }
}
