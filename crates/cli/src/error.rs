//! The error that a person reads when a command fails: one message, its causes, and a hint.

use std::{error::Error, fmt, io};

use legwork_protocol::{Code, ErrorReport};

use crate::exit::{self, Exit};

/// Why a command failed.
#[derive(Debug)]
pub(crate) struct CliError {
    pub(crate) exit: Exit,
    message: String,
    details: Vec<String>,
    causes: Vec<String>,
    hint: Option<String>,
    /// The error code, if it is more specific than the exit code.
    code: Option<Code>,
    /// The reader of our output is gone, so no message is written.
    pub(crate) silent: bool,
}

impl CliError {
    /// An error that the caller can fix in the command line, a file or a setting.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        CliError::new(Exit::Usage, message)
    }

    /// Any other error.
    pub(crate) fn fault(message: impl Into<String>) -> Self {
        CliError::new(Exit::Fault, message)
    }

    fn new(exit: Exit, message: impl Into<String>) -> Self {
        CliError {
            exit,
            message: message.into(),
            details: Vec::new(),
            causes: Vec::new(),
            hint: None,
            code: None,
            silent: false,
        }
    }

    /// Adds lines, such as all problems that were found.
    pub(crate) fn details(mut self, details: impl IntoIterator<Item = String>) -> Self {
        self.details.extend(details);
        self
    }

    /// Adds a location before the message.
    pub(crate) fn at(self, place: &str) -> Self {
        CliError { message: format!("{place}: {}", self.message), ..self }
    }

    /// Adds the error and its sources as causes.
    pub(crate) fn because(mut self, error: &dyn Error) -> Self {
        let mut next = Some(error);
        while let Some(error) = next {
            let words = error.to_string();
            // Many errors repeat the text of their source.
            if !self.message.contains(&words) && !self.causes.iter().any(|known| known.contains(&words)) {
                self.causes.push(words);
            }
            next = error.source();
        }
        // The error can come from any library, so only its text is known.
        if self.code.is_none() && self.causes.iter().any(|cause| cause.contains("Too many open files")) {
            return self.code(Code::Storage).hint("allow more open files (`ulimit -n`)");
        }
        self
    }

    /// Adds a hint.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl CliError {
    /// The error in the common form for programs.
    pub(crate) fn standard(&self) -> ErrorReport {
        let code = self.code.unwrap_or(match self.exit {
            Exit::Usage => Code::RequestInvalid,
            _ => Code::Internal,
        });
        // Messages for people end with the code.
        let message = self.message.trim_end_matches(&format!(" ({} {})", code.code(), code.name()));
        let error = ErrorReport::new(code, message).with_details(self.details.iter().cloned());
        let error = ErrorReport { causes: self.causes.clone(), ..error };
        match &self.hint {
            Some(hint) => error.suggest(hint.clone()),
            None => error,
        }
    }

    /// The message with the code, if there is one of its own, and its details and causes, without the hint.
    pub(crate) fn body(&self) -> String {
        let mut text = match self.code.map(|code| format!(" ({} {})", code.code(), code.name())) {
            Some(code) if !self.message.ends_with(&code) => format!("{}{code}", self.message),
            _ => self.message.clone(),
        };
        for detail in &self.details {
            text.push_str(&format!("\n  {}", detail.replace('\n', "\n  ")));
        }
        for cause in &self.causes {
            text.push_str(&format!("\n  because: {}", cause.replace('\n', "\n    ")));
        }
        text
    }

    /// What to try.
    pub(crate) fn hint_text(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Sets an error code that is more specific than the exit code.
    pub(crate) fn code(self, code: Code) -> Self {
        CliError { code: Some(code), ..self }
    }

    /// The JSON object for `--json`.
    pub(crate) fn json(&self) -> String {
        let error = self.standard();
        format!("{:#}\n", serde_json::json!({ "status": "error", "error": error }))
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.body())?;
        match &self.hint {
            Some(hint) => write!(f, "\n\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

/// The flags for what hints of the library ask for. The library has other callers, so its hints name no flags.
const FLAGS: &[(&str, &str)] = &[
    ("`playbook`", "--playbook"),
    ("under `inputs` and `secrets`", "--var NAME=VALUE, --secret NAME"),
    ("leave the column out", "--ignore-column NAME"),
    ("one value for all rows", "--var NAME=VALUE"),
    ("declare it as a secret column", "--secret-column NAME"),
    ("name one of its sheets", "--sheet NAME"),
];

/// Adds the flags of the command line to a hint of the library.
pub(crate) fn with_flags(hint: &str) -> String {
    match FLAGS.iter().find(|(request, _)| hint.contains(request)) {
        Some((_, flags)) => format!("{hint} (on the command line: `{flags}`)"),
        None => hint.to_owned(),
    }
}

impl From<ErrorReport> for CliError {
    fn from(error: ErrorReport) -> Self {
        CliError {
            exit: exit::of_error(&error),
            code: Some(error.code),
            // The first cause of a wrapped error is often the error itself.
            causes: error.causes.iter().filter(|cause| !error.message.contains(*cause)).cloned().collect(),
            message: error.to_string(),
            details: error.details,
            hint: Some(with_flags(&error.suggested_action)),
            silent: false,
        }
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        let silent = error.kind() == io::ErrorKind::BrokenPipe;
        let failure = CliError::fault("cannot write the output").because(&error).code(Code::EventPublishing);
        CliError { silent, ..failure.hint("free some space, or write to another place") }
    }
}
