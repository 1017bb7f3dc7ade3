//! The problems of a workflow in the words of a request: its steps have numbers, and values are in its fields.

use legwork::workflow_file::Problem;

/// What to try, without the flags of the command line.
pub(crate) fn hint(text: &str) -> String {
    let is_name_end = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '=' | '…' | '-'));
    // Replaces a flag, whose name is followed by a value of the same word.
    let replaced = |text: &str, flag: &str, instead: &str| match text.split_once(flag) {
        Some((before, after)) => {
            let value = after.strip_prefix(' ').unwrap_or(after);
            let rest = value.find(is_name_end).map_or("", |end| &value[end..]);
            format!("{before}{instead}{rest}")
        }
        None => text.to_owned(),
    };
    let text = &text.replace("set `url:` in the workflow, or give `--url`", "or give `url`");
    let text = text.split_once(", or --var ").map_or(text.as_str(), |(before, _)| before);
    let text = replaced(text, "give it with --var", "give it a value under `inputs` of the request");
    replaced(&text, "give it with --secret", "name it under `secrets` of the request")
}

/// A problem with the number of its step. Positions are stated only for a text that a person wrote.
pub(crate) fn in_words(problem: &Problem, has_lines: bool) -> String {
    let problem = Problem { hint: problem.hint.as_deref().map(hint), ..problem.clone() };
    if has_lines {
        return problem.to_string();
    }
    let place = problem.step.map(|number| format!("step {number}: ")).unwrap_or_default();
    let hint = problem.hint.map(|hint| format!("; {hint}")).unwrap_or_default();
    format!("{place}{}{hint}", problem.message)
}

#[cfg(test)]
mod tests {
    use super::hint;

    #[test]
    fn hints_name_fields_of_the_request_instead_of_flags() {
        let check = |text: &str, words: &str| assert_eq!(hint(text), words);
        check(
            "give it with --var who=…, name it under `inputs`, or save it in an earlier step",
            "give it a value under `inputs` of the request, name it under `inputs`, or save it in an earlier step",
        );
        check(
            "write ${secret:NAME} in its place and give it with --secret NAME",
            "write ${secret:NAME} in its place and name it under `secrets` of the request",
        );
        check("give a list: [a, b], or --var NAME='[\"a\", \"b\"]'", "give a list: [a, b]");
        check(
            "begin with `Open https://…`, set `url:` in the workflow, or give `--url`",
            "begin with `Open https://…`, or give `url`",
        );
        check("put the step in quotes", "put the step in quotes");
    }
}
