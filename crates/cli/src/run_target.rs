//! The argument of `run`: a file, standard input, or a task in quotes.

use std::{
    io::Read,
    path::{Path, PathBuf},
};

use legwork_protocol::Code;

use crate::error::CliError;

/// What is to be run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RunTarget {
    /// The source of a workflow, its name, and the folder that contains it.
    Workflow { source: String, name: String, folder: Option<PathBuf> },
    /// A goal in words.
    Task(String),
}

/// A larger workflow is a mistake, such as the name of a video file.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Interprets the argument. An existing file is a workflow; `-` is standard input; an argument that looks like a path
/// to a missing file is an error; anything else is a task.
pub(crate) fn read(argument: &str) -> Result<RunTarget, CliError> {
    if argument == "-" {
        let source = text("standard input", std::io::stdin().lock())?;
        return Ok(RunTarget::Workflow { source, name: "standard input".to_owned(), folder: None });
    }
    let path = Path::new(argument);
    if path.is_dir() {
        return Err(CliError::usage(format!("{argument} is a folder"))
            .code(Code::RequestInvalid)
            .hint("name a workflow file, or put a task in quotes"));
    }
    if path.is_file() {
        let file = std::fs::File::open(path).map_err(|error| unreadable(argument, &error))?;
        let source = text(argument, file)?;
        let folder =
            path.parent().map(|parent| if parent.as_os_str().is_empty() { ".".into() } else { parent.to_owned() });
        return Ok(RunTarget::Workflow { source, name: argument.to_owned(), folder });
    }
    if looks_like_a_file(path) {
        return Err(CliError::usage(format!("there is no file {argument}")).code(Code::RequestInvalid).hint(
            "check the path; a task is written in quotes, such as: legwork run \"find the cheapest flight\" --url https://…",
        ));
    }
    if argument.trim().is_empty() {
        return Err(CliError::usage("the task is empty"));
    }
    Ok(RunTarget::Task(argument.to_owned()))
}

fn looks_like_a_file(path: &Path) -> bool {
    const KNOWN: [&str; 7] = ["yaml", "yml", "md", "markdown", "txt", "json", "legwork"];
    let text = path.to_string_lossy();
    let known = path.extension().is_some_and(|e| KNOWN.iter().any(|known| e.eq_ignore_ascii_case(known)));
    // "Save the text of report.txt" ends like a file name but is a task. A path with spaces has a separator, or few
    // spaces.
    let one_word = !text.contains(char::is_whitespace);
    (known && (one_word || text.contains('/')))
        || (one_word && (text.contains('/') || text.contains('\\')) && !text.contains("://"))
}

/// The error for a file that cannot be read.
pub(crate) fn unreadable(name: &str, error: &std::io::Error) -> CliError {
    let failure = CliError::usage(format!("{name} cannot be read")).code(Code::RequestInvalid).because(error);
    failure.hint("check the path, and that you may read the file")
}

fn text(name: &str, from: impl Read) -> Result<String, CliError> {
    let mut bytes = Vec::new();
    from.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| unreadable(name, &error))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(CliError::usage(format!("{name} is longer than {} MiB", MAX_BYTES >> 20))
            .code(Code::RequestInvalid)
            .hint("check that it is a workflow"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let failure = CliError::usage(format!("{name} is not UTF-8 text")).code(Code::RequestInvalid);
        failure.because(&error.utf8_error()).hint("save the file as UTF-8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_told_from_a_file_that_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("shop.yaml");
        std::fs::write(&file, "name: shop\n").unwrap();
        let name = file.to_str().unwrap();
        let here = RunTarget::Workflow {
            source: "name: shop\n".into(),
            name: name.into(),
            folder: Some(folder.path().into()),
        };
        assert_eq!(read(name).unwrap(), here);

        for task in ["find the cheapest flight", "Save the text of report.txt", "login", "Open https://example.org/a"] {
            assert_eq!(read(task).unwrap(), RunTarget::Task(task.into()));
        }
        for missing in ["shop.yaml", "flows/login", "my flows/login.yml", "./x"] {
            let said = read(missing).unwrap_err().to_string();
            assert!(said.starts_with(&format!("error: there is no file {missing}")), "{said}");
        }
        assert!(read(" ").is_err());
        assert!(read(folder.path().to_str().unwrap()).unwrap_err().to_string().contains("is a folder"));
    }

    #[test]
    fn what_is_not_text_is_refused() {
        assert!(text("x", &[0xff, 0xfe][..]).unwrap_err().to_string().contains("x is not UTF-8 text"));
        assert!(text("x", std::io::repeat(b'a')).unwrap_err().to_string().contains("longer than 4 MiB"));
    }
}
