//! Checks a draft as a whole: variables, addresses, secrets in plain text, and whether each step can run.

use std::collections::BTreeMap;

use legwork_agent::{PreflightContext, step_problems};
use legwork_protocol::{Code, Workflow, variable_of};
use url::Url;

use super::{
    problem::{Problem, Severity},
    shape::{Draft, DraftStep, Positioned},
    tree::At,
};
use crate::secrets;

/// Adds the problems of a draft.
pub(super) fn check(draft: &Draft, problems: &mut Vec<Problem>) {
    if draft.steps.is_empty() && problems.is_empty() {
        problems.push(Problem::error(At::START, "there are no steps").hint("write one instruction a line"));
    }
    for (name, input) in &draft.inputs {
        if !is_variable(&name.is) {
            problems.push(
                Problem::error(name.at, format!("{:?} is not a valid variable name", name.is))
                    .hint("letters, digits and _, not beginning with a digit"),
            );
        }
        if is_secret_word(&name.is) && input.default.as_ref().is_some_and(|value| !value.to_string().contains("${")) {
            problems
                .push(Problem::warning(name.at, format!("the value of {:?} stands here in plain text", name.is)).hint(
                    format!("leave it out, write ${{secret:{}}} in the step and give it with --secret", name.is),
                ));
        }
    }
    if let Some(url) = &draft.url {
        address(url, problems);
        variables(url.at, &url.is, problems);
    }
    draft.steps.iter().for_each(|step| check_step(step, problems));
}

fn check_step(step: &DraftStep, problems: &mut Vec<Problem>) {
    for text in step.is.texts() {
        variables(step.at, &text, problems);
    }
    plain_secret(step.at, &step.is.step, problems);
    step.inner.iter().for_each(|step| check_step(step, problems));
}

/// Where the parts of a draft are, once it is a workflow.
pub(super) struct Positions {
    url: At,
    /// By the indices of the groups around a step, and its own.
    steps: BTreeMap<Vec<usize>, At>,
}

impl Positions {
    pub(super) fn of(draft: &Draft) -> Positions {
        let url = draft.url.as_ref().map_or(At::START, |url| url.at);
        let mut steps = BTreeMap::new();
        add_positions(&draft.steps, &[], &mut steps);
        Positions { url, steps }
    }
}

fn add_positions(steps: &[DraftStep], above: &[usize], into: &mut BTreeMap<Vec<usize>, At>) {
    for (index, step) in steps.iter().enumerate() {
        let place = [above, &[index]].concat();
        add_positions(&step.inner, &place, into);
        into.insert(place, step.at);
    }
}

/// Adds the reasons why steps cannot run.
pub(super) fn steps(
    workflow: &Workflow,
    context: PreflightContext<'_>,
    undefined: Severity,
    positions: &Positions,
    problems: &mut Vec<Problem>,
) {
    for problem in step_problems(workflow, context) {
        let place = |step: usize| std::iter::once(step).chain(problem.path.iter().copied()).collect::<Vec<_>>();
        let at = problem.step.map_or(Some(&positions.url), |step| positions.steps.get(&place(step))).copied();
        let severity = if problem.code == Code::WorkflowInvalid { undefined } else { Severity::Error };
        let found = Problem::error(at.unwrap_or(At::START), problem.message).hint(problem.hint);
        problems.push(Problem { severity, ..found });
    }
}

fn address(url: &Positioned<String>, problems: &mut Vec<Problem>) {
    let error = |message: String| Problem::error(url.at, message);
    if url.is.contains("${") {
        return;
    }
    match Url::parse(&url.is) {
        Ok(parsed) if matches!(parsed.scheme(), "http" | "https") => {
            if parsed.password().is_some() {
                problems.push(Problem::warning(url.at, "the address has a password in plain text"));
            }
        }
        // A URL parser reads `localhost:3000` as an address with the scheme `localhost`.
        Ok(parsed) if matches!(parsed.scheme(), "javascript" | "file" | "data" | "about" | "ftp") => {
            problems
                .push(error(format!("`{}:` addresses cannot be opened", parsed.scheme())).hint("use http or https"));
        }
        _ => {
            let problem = error(format!("{:?} is not an http or https address", url.is));
            problems.push(match with_scheme(&url.is) {
                Some(guess) => problem.hint(format!("did you mean {guess}?")),
                None => problem,
            });
        }
    }
}

/// The address that a text without a scheme probably means: `https://shop.example`, and `http` on this machine.
pub fn with_scheme(text: &str) -> Option<String> {
    let local = ["localhost", "127.", "[::1]"].iter().any(|host| text.starts_with(host));
    let guess = format!("http{}://{text}", if local { "" } else { "s" });
    let fits = !text.is_empty() && !text.contains(char::is_whitespace) && !text.contains("://") && !text.contains('@');
    (fits && Url::parse(&guess).is_ok()).then_some(guess)
}

/// Reports variables and secrets that are not written correctly.
fn variables(at: At, text: &str, problems: &mut Vec<Problem>) {
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        rest = &rest[start + 2..];
        let Some(end) = rest.find('}') else {
            problems.push(Problem::warning(at, "`${` is never closed").hint("write ${name}"));
            return;
        };
        let name = &rest[..end];
        rest = &rest[end + 1..];
        if let Some(secret) = name.strip_prefix("secret:") {
            if secrets::handles_in(&format!("${{{name}}}")).is_empty() {
                problems.push(
                    Problem::error(at, format!("{secret:?} is not a valid secret name"))
                        .hint("letters, digits, `_`, `.` and `-`"),
                );
            }
        } else if variable_of(name).is_none() {
            problems.push(
                Problem::warning(at, format!("${{{name}}} is not a variable and is left unchanged"))
                    .hint("a name has letters, digits and _, and does not begin with a digit"),
            );
        }
    }
}

/// Reports a step such as `Type "hunter2" into "Password"`.
fn plain_secret(at: At, step: &str, problems: &mut Vec<Problem>) {
    const TYPING_VERBS: &[&str] = &["type", "fill", "enter", "input", "set", "put", "write", "log", "sign"];
    let first = step.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    if !TYPING_VERBS.contains(&first.as_str()) || !is_secret_word(step) {
        return;
    }
    let in_plain =
        quoted(step).into_iter().any(|text| !text.is_empty() && !text.contains("${") && !is_secret_word(text));
    // A step that quotes only the name of the field reveals nothing.
    let has_handle = step.contains("${");
    if in_plain && !has_handle {
        problems.push(
            Problem::warning(at, "this step seems to hold a secret in plain text")
                .hint("write ${secret:NAME} in its place and give it with --secret NAME"),
        );
    }
}

fn is_secret_word(text: &str) -> bool {
    const WORDS: &[&str] =
        &["password", "passwort", "passphrase", "passcode", "secret", "token", "api key", "api_key", "apikey"];
    let text = text.to_ascii_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

/// The texts between quotes.
fn quoted(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['"', '“', '”', '\'', '`']) {
        let opening = rest[start..].chars().next().unwrap_or('"');
        // An apostrophe inside a word opens no quotation.
        let inside = opening == '\'' && rest[..start].ends_with(char::is_alphanumeric);
        rest = &rest[start + opening.len_utf8()..];
        let closing: &[char] = if matches!(opening, '“' | '”') { &['”', '“', '"'] } else { &[opening] };
        if inside {
            continue;
        }
        let Some(end) = rest.find(closing) else { break };
        found.push(&rest[..end]);
        rest = &rest[end..];
        rest = &rest[rest.chars().next().map_or(0, char::len_utf8)..];
    }
    found
}

fn is_variable(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}
