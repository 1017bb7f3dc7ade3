//! Checks that every error code is produced somewhere and asserted somewhere, in the text of the sources.
//!
//! *Produced* means that a program's source, without tests, contains `Code::Name`, or an arm in the mapping from
//! action failures. *Asserted* means that a test or a snapshot beside one contains the variant, the code or the name.

use std::{
    fs,
    path::{Path, PathBuf},
};

use legwork_protocol::Code;

/// Codes that no test can cause: a log that cannot be written during a run, a page that produces no picture, a defect
/// of Legwork itself.
const OF_DEFECTS: &[Code] = &[Code::EventPublishing, Code::Screenshot, Code::Internal];

/// The sources of programs and of tests.
#[derive(Default)]
struct Sources {
    programs: String,
    tests: String,
}

impl Sources {
    fn read(root: &Path) -> Sources {
        let mut sources = Sources::default();
        let mut folders = vec![root.join("crates")];
        while let Some(folder) = folders.pop() {
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
            for path in entries.map(|entry| entry.path()) {
                match path.is_dir() {
                    true => folders.push(path),
                    false => sources.take(&path),
                }
            }
        }
        sources
    }

    fn take(&mut self, path: &Path) {
        let ends = |ending: &str| path.extension().is_some_and(|is| is == ending);
        let Ok(text) = fs::read_to_string(path) else { return };
        let of_tests = path.components().any(|part| part.as_os_str() == "tests") || path.ends_with("tests.rs");
        if ends("snap") || (ends("rs") && of_tests) {
            return self.tests.push_str(&text);
        }
        if !ends("rs") {
            return;
        }
        // The table itself produces no code; the mapping after it does.
        let text = match path.ends_with("protocol/src/error.rs") {
            true => text
                .split_once("impl From<&crate::ActionFailure> for Code")
                .map(|(_, mapping)| mapping.to_owned())
                .unwrap_or_default(),
            false => text,
        };
        let (program, tests) = text.split_once("#[cfg(test)]\nmod tests {").unwrap_or((&text, ""));
        self.programs.push_str(program);
        self.tests.push_str(tests);
    }
}

/// The codes that are never produced, and those that are never asserted.
fn unreached(sources: &Sources, codes: &[Code]) -> Vec<String> {
    let mut found = Vec::new();
    for code in codes {
        let variant = format!("Code::{code:?}");
        let whole = |text: &str| {
            text.match_indices(&variant)
                .any(|(at, found)| !text[at + found.len()..].starts_with(|c: char| c.is_alphanumeric()))
        };
        if !whole(&sources.programs) {
            found.push(format!("{} {code:?} is produced nowhere", code.code()));
        }
        if !whole(&sources.tests) && !sources.tests.contains(code.code()) && !sources.tests.contains(code.name()) {
            found.push(format!("{} {code:?} is asserted by no test", code.code()));
        }
    }
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn every_code_is_reached() {
    let here: Vec<Code> = Code::ALL.iter().copied().filter(|code| !OF_DEFECTS.contains(code)).collect();
    assert_eq!(unreached(&Sources::read(&root()), &here), Vec::<String>::new());
}

#[test]
fn a_code_that_nobody_uses_is_found() {
    let sources = Sources { programs: "Code::NotFoundYet; Code::Refused".into(), tests: "EX002".into() };
    let found = unreached(&sources, &[Code::NotFound, Code::Refused]);
    assert_eq!(found, ["EX002 NotFound is produced nowhere", "EX008 Refused is asserted by no test"]);
}
