//! A batch of verbs: lines as on the command line, or a JSON array of lines or of lists of words.

use std::path::PathBuf;

use clap::{Command, FromArgMatches, Subcommand};
use legwork_verbs::PageCommand;
use serde_json::Value;

use super::{
    args::PageArgs,
    open_args::OpenArgs,
    parse::{ParsedCommand, parse},
};
use crate::error::CliError;

/// A parsed batch.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) verbs: Vec<PageCommand>,
    /// The options of the session, if the batch contains `open`.
    pub(super) open: Option<Box<OpenArgs>>,
    /// The output file for an image, a document or a state.
    pub(super) file: Option<PathBuf>,
}

/// Parses a batch. An error in any line prevents the whole batch.
pub(super) fn read(text: &str) -> Result<Batch, CliError> {
    let mut batch = Batch::default();
    for (number, words) in lines(text)? {
        let at = |trouble: CliError| trouble.at(&format!("line {number}"));
        let verb = verb(&words).map_err(at)?;
        if matches!(&verb, PageArgs::Eval { script, .. } if script == "-") {
            return Err(at(CliError::usage("standard input is the batch itself; write the script into its line")));
        }
        let (verb, open) = match verb {
            PageArgs::Open(args) => {
                let url = args.url.clone();
                (PageArgs::Open(Box::new(OpenArgs { url, ..OpenArgs::default() })), Some(args))
            }
            other => (other, None),
        };
        let ParsedCommand { verb, file } = parse(verb).map_err(at)?;
        batch.verbs.push(verb);
        if batch.open.is_none() {
            batch.open = open;
        }
        if let Some(file) = file
            && batch.file.replace(file).is_some()
        {
            return Err(at(CliError::usage("a batch returns only one file").hint("run the others separately")));
        }
    }
    if batch.verbs.is_empty() {
        return Err(CliError::usage("the batch is empty").hint(
            "one verb a line, as `fill e3 \"Ada\"`; or JSON, as [[\"fill\", \"e3\", \"Ada\"], [\"click\", \"e5\"]]",
        ));
    }
    Ok(batch)
}

/// The words of each line, with its number.
fn lines(text: &str) -> Result<Vec<(usize, Vec<String>)>, CliError> {
    if text.trim_start().starts_with('[') {
        let rows: Vec<Value> = serde_json::from_str(text)
            .map_err(|error| CliError::usage("the batch is not a JSON array").because(&error))?;
        return rows.iter().zip(1..).map(|(row, number)| Ok((number, words_of(row, number)?))).collect();
    }
    let written = text.lines().zip(1..).filter(|(line, _)| !matches!(line.trim().chars().next(), None | Some('#')));
    written.map(|(line, number)| Ok((number, split(line, number)?))).collect()
}

fn words_of(row: &Value, number: usize) -> Result<Vec<String>, CliError> {
    let word = |value: &Value| match value {
        Value::String(word) => Some(word.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let words = match row {
        Value::String(line) => return split(line, number),
        Value::Array(words) => words.iter().map(word).collect(),
        _ => None,
    };
    words.ok_or_else(|| CliError::usage(format!("item {number} of the batch is neither a line nor a list of words")))
}

fn split(line: &str, number: usize) -> Result<Vec<String>, CliError> {
    shlex::split(line).ok_or_else(|| CliError::usage(format!("line {number}: a quote is not closed")))
}

/// Parses a line with clap.
fn verb(words: &[String]) -> Result<PageArgs, CliError> {
    let parser = Command::new("batch").no_binary_name(true).disable_help_flag(true).disable_help_subcommand(true);
    let words = words.strip_prefix(&["legwork".to_owned()]).unwrap_or(words);
    let matches = PageArgs::augment_subcommands(parser).subcommand_required(true).try_get_matches_from(words);
    matches.and_then(|matches| PageArgs::from_arg_matches(&matches)).map_err(|error| {
        let text = error.render().to_string();
        // The usage and help of clap name the program `batch`, which would be confusing.
        let first = text.split("\n\nUsage").next().unwrap_or_default().trim().trim_start_matches("error: ").to_owned();
        CliError::usage(first)
    })
}

#[cfg(test)]
mod tests {
    use legwork_protocol::Action;
    use serde_json::json;

    use super::*;

    #[test]
    fn lines_and_json_say_the_same() {
        let lines = read("# sign in\nfill e3 \"Ada L.\"\n\nlegwork click @e5\npress Enter\n").unwrap();
        let json = read(r#"["fill e3 'Ada L.'", ["click", "@e5"], ["press", "Enter"]]"#).unwrap();
        assert_eq!(lines.verbs, json.verbs);
        let PageCommand::Act { actions } = &lines.verbs[0] else { panic!("{:?}", lines.verbs) };
        assert_eq!(json!(actions), json!([{"action": "fill", "parameters": {"target": "e3", "text": "Ada L."}}]));
        assert!(lines.open.is_none());
    }

    #[test]
    fn a_batch_may_begin_its_session() {
        let batch = read("open localhost:1 --viewport 400x300\nsnapshot -i\n").unwrap();
        assert_eq!(batch.open.unwrap().settings.flags(), [("browser.viewport".to_owned(), "400x300".to_owned())]);
        let PageCommand::Act { actions } = &batch.verbs[0] else { panic!() };
        assert!(matches!(&actions[0], Action::Open(open) if open.url == "http://localhost:1"));
    }

    #[test]
    fn what_cannot_be_read_is_told_with_its_line_before_anything_is_done() {
        for (text, said) in [
            ("click e1\nclik e2", "line 2: unrecognized subcommand 'clik'"),
            ("click \"e1", "line 1: a quote is not closed"),
            ("back\nclose", "line 2: a batch contains only commands for the page"),
            ("click", "line 1: the following required arguments were not provided"),
            ("screenshot a.png\nscreenshot b.png", "line 2: a batch returns only one file"),
            ("eval -", "line 1: standard input is the batch itself"),
            ("[1]", "item 1 of the batch"),
            ("\n# nothing\n", "the batch is empty"),
        ] {
            let Err(trouble) = read(text) else { panic!("{text:?} is read") };
            assert!(trouble.to_string().contains(said), "{text:?}: {trouble}");
        }
    }
}
