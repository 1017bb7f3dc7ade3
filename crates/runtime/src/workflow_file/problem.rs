//! A problem in a workflow file, with its position.

use std::fmt;

use super::tree::At;

/// Whether a problem prevents the workflow from running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It cannot run.
    Error,
    /// It can run, but a person should look at it.
    Warning,
}

/// A problem in a workflow file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Whether it prevents the workflow from running.
    pub severity: Severity,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, if it is known.
    pub column: Option<usize>,
    /// The number of the step that it is in, from 1, if the source is YAML or JSON. Steps within a group have that of
    /// the group.
    pub step: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// How to fix it.
    pub hint: Option<String>,
}

impl Problem {
    pub(super) fn error(at: At, message: impl Into<String>) -> Problem {
        let message = message.into();
        Problem { severity: Severity::Error, line: at.line, column: at.column, step: None, message, hint: None }
    }

    pub(super) fn warning(at: At, message: impl Into<String>) -> Problem {
        Problem { severity: Severity::Warning, ..Problem::error(at, message) }
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> Problem {
        Problem { hint: Some(hint.into()), ..self }
    }
}

impl fmt::Display for Problem {
    /// `line 3, column 5: unknown key "stpes"; did you mean "steps"?`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some(column) = self.column {
            write!(f, ", column {column}")?;
        }
        let kind = if self.severity == Severity::Warning { "warning: " } else { "" };
        write!(f, ": {kind}{}", self.message)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}
