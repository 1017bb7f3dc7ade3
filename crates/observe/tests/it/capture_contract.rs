//! The format of a capture is written by the script in the page and read here. Both sides must have the same constants.

use std::{collections::BTreeSet, fs};

use legwork_observe::{Capture, States};

/// A source file of the script.
fn script(name: &str) -> String {
    let path = format!("{}/../../injected/src/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A capture with one element that has this field.
fn capture(header: &str, field: &str) -> String {
    format!("{header}\thttps://a.test/\thttps://a.test/\tA\t0\t\t\t\n0\tbutton\tSave\t{field}")
}

#[test]
fn the_script_writes_the_first_line_that_is_expected() {
    let source = script("capture.ts");
    let header = source.split('"').find(|text| text.starts_with("legwork ")).expect("the first field of a capture");
    assert!(Capture::read(capture(header, "!1")).is_ok(), "{header}");
    assert!(Capture::read(capture("legwork 0", "!1")).is_err());
}

#[test]
fn the_script_has_the_bits_of_all_states() {
    let source = script("capture-states.ts");
    let constants = source.split("\n\n").nth(1).expect("the constants after the first comment");
    let constants = constants.replace("export ", "").replace("const ", "").replace(';', ",");
    let mut found = BTreeSet::new();
    for (name, bit) in constants.split(',').filter_map(|constant| constant.split_once(" = ")) {
        let word = name.trim().to_lowercase().replace('_', "-");
        assert_eq!(States::bit(&word), bit.trim().parse().ok(), "{word}");
        found.insert(word);
    }
    assert_eq!(found, States(u32::MAX).words().map(str::to_owned).collect());
}

#[test]
fn the_script_marks_fields_as_they_are_read() {
    let sources = ["capture.ts", "capture-element.ts"].map(script).concat();
    let is_mark = |mark: &char| mark.is_ascii_punctuation() && !matches!(mark, '"' | '\\');
    let fields = sources.split("\"\\t").skip(1).filter_map(|rest| rest.chars().next());
    let written: BTreeSet<char> = fields.filter(is_mark).collect();
    let read: BTreeSet<char> = (' '..='~')
        .filter(is_mark)
        .filter(|mark| Capture::read(capture("legwork 3", &format!("{mark}1"))).is_ok())
        .collect();
    assert_eq!(written, read);
}
