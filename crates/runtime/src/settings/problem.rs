//! A problem in the settings.

use std::fmt;

use thiserror::Error;

use super::Origin;

/// A problem in the settings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct SettingsProblem {
    /// The source that contains the problem.
    pub origin: Origin,
    /// The name of the setting; empty if the problem concerns the source as a whole.
    pub setting: String,
    /// The parse error.
    pub message: String,
    /// How to fix it.
    pub hint: Option<String>,
}

impl SettingsProblem {
    pub(super) fn new(origin: Origin, setting: impl Into<String>, message: impl Into<String>) -> Self {
        SettingsProblem { origin, setting: setting.into(), message: message.into(), hint: None }
    }
}

impl fmt::Display for SettingsProblem {
    /// `legwork.toml:3: modle.name: there is no such setting; did you mean "model.name"?`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.origin)?;
        if !self.setting.is_empty() {
            write!(f, "{}: ", self.setting)?;
        }
        f.write_str(&self.message)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}
