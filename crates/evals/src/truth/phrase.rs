//! Phrasings of the same request, as listed in docs/steps.md.

use super::case::Phrasing;

fn phrasings(all: &[&[&str]], values: &[(&str, &str)]) -> Vec<Phrasing> {
    let fill = |text: &&str| values.iter().fold((*text).to_owned(), |text, (name, value)| text.replace(name, value));
    let steps = |steps: &&[&str]| Phrasing { steps: steps.iter().map(fill).collect(), names_result: false };
    all.iter().map(steps).collect()
}

/// A click on a button.
pub(super) fn click(name: &str) -> Vec<Phrasing> {
    let all: &[&[&str]] = &[
        &["Click \"NAME\""],
        &["Press the \"NAME\" button"],
        &["Click the button \"NAME\"."],
        &["Please click the `NAME` button"],
    ];
    phrasings(all, &[("NAME", name)])
}

/// A click on a link.
pub(super) fn follow(name: &str) -> Vec<Phrasing> {
    let all: &[&[&str]] =
        &[&["Click \"NAME\""], &["Follow the link \"NAME\""], &["Click the \"NAME\" link."], &["Now click “NAME”"]];
    phrasings(all, &[("NAME", name)])
}

/// A text for a field, without a submission.
pub(super) fn fill(text: &str, field: &str) -> Vec<Phrasing> {
    let all: &[&[&str]] = &[
        &["Type \"TEXT\" into \"FIELD\""],
        &["Enter \"TEXT\" as \"FIELD\""],
        &["Fill \"FIELD\" with \"TEXT\""],
        &["Set \"FIELD\" to \"TEXT\""],
    ];
    phrasings(all, &[("TEXT", text), ("FIELD", field)])
}

/// A text for a field, followed by a click.
pub(super) fn fill_and_click(text: &str, field: &str, button: &str) -> Vec<Phrasing> {
    let all: &[&[&str]] = &[
        &["Type \"TEXT\" into \"FIELD\"", "Click \"BUTTON\""],
        &["Fill \"FIELD\" with \"TEXT\"", "Press the \"BUTTON\" button"],
        &["Enter \"TEXT\" as \"FIELD\" and click \"BUTTON\""],
        &["Set \"FIELD\" to \"TEXT\"", "Click the button \"BUTTON\"."],
    ];
    phrasings(all, &[("TEXT", text), ("FIELD", field), ("BUTTON", button)])
}

/// A log-in, by its result and by its parts.
pub(super) fn log_in(user: &str, password: &str) -> Vec<Phrasing> {
    let results: &[&[&str]] =
        &[&["Log in as \"USER\" with password \"WORD\""], &["Sign in as \"USER\" with password \"WORD\"."]];
    let parts: &[&[&str]] = &[
        &["Type \"USER\" into \"Username\"", "Type \"WORD\" into \"Password\"", "Click \"Log in\""],
        &["Fill in \"Username\" with \"USER\" and \"Password\" with \"WORD\"", "Press the \"Log in\" button"],
    ];
    let values = [("USER", user), ("WORD", password)];
    let mut all = phrasings(results, &values);
    all.iter_mut().for_each(|phrasing| phrasing.names_result = true);
    all.extend(phrasings(parts, &values));
    all
}

/// One request in several wordings, each as one step.
pub(super) fn each(all: &[&str]) -> Vec<Phrasing> {
    all.iter().map(|words| Phrasing::of(&[words])).collect()
}
