//! Files of one crate that import each other, directly or through others. To understand or to test one file of such a
//! cycle, one needs all of them, so the check limits their number.

use std::{collections::BTreeMap, fmt::Write, path::Path};

use serde_json::Value;

use super::paths::Modules;
use crate::run::{Failure, workspace_metadata};

/// The most files that one cycle may have.
const MOST_FILES: usize = 5;

/// Checks every library and program of the workspace. Returns the number of files in the largest cycle of each.
pub(super) fn check() -> Result<Vec<(String, usize)>, Failure> {
    let mut sizes = Vec::new();
    let mut wrong = Vec::new();
    for (name, root) in crates(&workspace_metadata()?) {
        let modules = Modules::read(Path::new(&root))?;
        let cycles = cycles(&modules);
        let large = cycles.iter().filter(|cycle| cycle.len() > MOST_FILES);
        wrong.extend(large.map(|cycle| report(&name, &modules, cycle)));
        sizes.push((name, cycles.iter().map(Vec::len).max().unwrap_or(0)));
    }
    if wrong.is_empty() { Ok(sizes) } else { Err(Failure::new(wrong.join("\n"))) }
}

/// The libraries and programs of the workspace: their names and root files.
fn crates(metadata: &Value) -> Vec<(String, String)> {
    let array = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut crates = Vec::new();
    for package in array(&metadata["packages"]) {
        for target in array(&package["targets"]) {
            let is_code = array(&target["kind"]).iter().any(|kind| kind == "lib" || kind == "bin");
            if let (true, Some(root), Some(package), Some(name)) =
                (is_code, target["src_path"].as_str(), package["name"].as_str(), target["name"].as_str())
            {
                let name = if package.replace('-', "_") == name.replace('-', "_") {
                    package.to_owned()
                } else {
                    format!("{package} ({name})")
                };
                crates.push((name, root.to_owned()));
            }
        }
    }
    crates
}

/// The cycles of a crate, each as the numbers of its files: its strongly connected components of more than one file.
fn cycles(modules: &Modules) -> Vec<Vec<usize>> {
    let uses = modules.uses();
    let reached: Vec<Vec<bool>> =
        (0..modules.files.len()).map(|file| reached(&uses, file, modules.files.len())).collect();
    let mut cycles: Vec<Vec<usize>> = Vec::new();
    for file in 0..reached.len() {
        if cycles.iter().any(|cycle| cycle.contains(&file)) {
            continue;
        }
        let cycle: Vec<usize> =
            (0..reached.len()).filter(|other| reached[file][*other] && reached[*other][file]).collect();
        if cycle.len() > 1 {
            cycles.push(cycle);
        }
    }
    cycles
}

/// The files that a file uses, directly or through others.
fn reached(uses: &BTreeMap<usize, BTreeMap<usize, String>>, from: usize, files: usize) -> Vec<bool> {
    let mut reached = vec![false; files];
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        for used in uses.get(&file).into_iter().flat_map(BTreeMap::keys) {
            if !std::mem::replace(&mut reached[*used], true) {
                open.push(*used);
            }
        }
    }
    reached
}

fn report(name: &str, modules: &Modules, cycle: &[usize]) -> String {
    let mut report = format!(
        "{name}: {} files import each other, and at most {MOST_FILES} may. Move what both sides of an import need into a file \
         that imports neither. The imports of the cycle:",
        cycle.len()
    );
    let uses = modules.uses();
    for file in cycle {
        let _ = write!(report, "\n  {} uses", modules.files[*file]);
        for (used, path) in uses.get(file).into_iter().flatten().filter(|(used, _)| cycle.contains(used)) {
            let _ = write!(report, "\n    {} ({path})", modules.files[*used]);
        }
    }
    report
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The cycles of a crate of these files, by the names of their files.
    fn cycles_of(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let modules = Modules::read(&folder.path().join("lib.rs")).unwrap();
        let names = |cycle: Vec<usize>| cycle.into_iter().map(|file| modules.files[file].clone()).collect();
        cycles(&modules).into_iter().map(names).collect()
    }

    #[test]
    fn no_crate_has_a_cycle_of_too_many_files() {
        let sizes = check().unwrap_or_else(|failure| panic!("{failure}"));
        assert!(sizes.len() >= 15, "{sizes:?}");
    }

    #[test]
    fn files_that_import_each_other_through_others_are_a_cycle() {
        let cycles = cycles_of(&[
            ("lib.rs", "mod a; mod b; mod c; mod d;"),
            ("a.rs", "use crate::b::B; pub struct A(B);"),
            ("b.rs", "use super::{c::{self, C}, d}; pub struct B(C, d::D);"),
            ("c.rs", "use std::io; pub struct C(Option<Box<crate::a::A>>, io::Error);"),
            ("d.rs", "pub struct D;"),
        ]);
        assert_eq!(cycles, [["a.rs", "b.rs", "c.rs"]]);
    }

    #[test]
    fn a_path_within_code_and_in_a_macro_counts_like_an_import() {
        for code in ["fn a() { crate::b::b() }", "fn a() { select! { x = super::b::b() => {} } }"] {
            let cycles =
                cycles_of(&[("lib.rs", "mod a; mod b;"), ("a.rs", code), ("b.rs", "pub fn b() { crate::a::a() }")]);
            assert_eq!(cycles, [["a.rs", "b.rs"]], "{code}");
        }
    }

    #[test]
    fn a_parent_and_its_submodule_are_a_cycle_when_each_uses_items_of_the_other() {
        let child = ("a/b.rs", "pub fn b(_: super::A) {}");
        let cycle = cycles_of(&[("lib.rs", "mod a;"), ("a.rs", "mod b; pub struct A; fn a() { b::b(A) }"), child]);
        assert_eq!(cycle, [["a.rs", "a/b.rs"]]);
        // A re-export alone does not need the item.
        assert!(cycles_of(&[("lib.rs", "mod a;"), ("a.rs", "mod b; pub use b::b; pub struct A;"), child]).is_empty());
    }

    #[test]
    fn a_re_export_stands_for_the_file_that_defines_the_item() {
        let cycles = cycles_of(&[
            ("lib.rs", "mod a; mod b; pub use a::*; pub(crate) use b::B;"),
            ("a/mod.rs", "macro_rules! make { ($name:ident) => { pub struct $name; } } make!(A); fn a(_: crate::B) {}"),
            ("b.rs", "pub struct B(crate::A);"),
        ]);
        assert_eq!(cycles, [["a/mod.rs", "b.rs"]]);
    }

    #[test]
    fn code_for_tests_does_not_count() {
        let cycles = cycles_of(&[
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "pub fn a() { crate::b::b() }"),
            ("b.rs", "pub fn b() {} #[cfg(test)] mod tests { use crate::a::a; } #[cfg(test)] use crate::a::{a};"),
        ]);
        assert!(cycles.is_empty(), "{cycles:?}");
    }

    #[test]
    fn a_field_for_tests_hides_no_other_field() {
        for code in [
            "pub struct A { #[cfg(test)] seen: u8, b: crate::b::B }",
            "fn a() { match x { #[cfg(test)] 1 => y, _ => crate::b::b() } }",
        ] {
            let cycles =
                cycles_of(&[("lib.rs", "mod a; mod b;"), ("a.rs", code), ("b.rs", "pub fn b() { crate::a::a() }")]);
            assert_eq!(cycles, [["a.rs", "b.rs"]], "{code}");
        }
    }

    #[test]
    fn a_file_of_a_module_within_a_file_is_read() {
        let cycles = cycles_of(&[
            ("lib.rs", "mod a { pub mod b; } mod c;"),
            ("a/b.rs", "pub struct B(crate::c::C);"),
            ("c.rs", "pub struct C(crate::a::b::B);"),
        ]);
        assert_eq!(cycles, [["a/b.rs", "c.rs"]]);
    }
}
