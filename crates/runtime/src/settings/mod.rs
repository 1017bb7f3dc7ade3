//! Settings: one table (`table.rs`) and five sources. Every value has its origin, and all problems are reported at
//! once.
//!
//! [`Sources`] contains what was found in flags, the environment and files. `merge` applies their precedence, and the
//! result, [`Settings`], is typed and checked. A project's file is untrusted and may set safe settings only. Keys of
//! model providers come from the environment and never from a file.

mod check;
mod choices;
mod declare;
mod edit;
mod keys;
mod load;
mod reference;
mod sources;
mod table;
mod typed;
mod value;

use std::fmt;

use thiserror::Error;

pub use legwork_agent::{CompactBy, DeciderChoice, Detail, InvestigationMode, Trigger};
pub use legwork_browser::PictureFormat;

pub use self::{
    check::within,
    choices::{LogFormat, ReplyFormat, RequiredResult, Switch},
    declare::Setting,
    edit::{EditError, Scope, set},
    keys::{Keys, is_provider_variable, is_read},
    load::SettingView,
    reference::reference,
    sources::{Origin, PROJECT_FILE, Sources, TextFile, user_file},
    table::{
        BrowserSettings, ContextSetting, Downloads, ExtractSettings, Investigation, Limits, Log, MemorySetting,
        ModelSetting, ModelsSetting, ObservationSettings, ReflectionSettings, RetentionSettings, Retries, RunSettings,
        SETTINGS, Screenshots, ServerSettings, Settings, TerminalSettings, Timeouts, ToolSettings, UploadSettings,
    },
    value::{Kind, Price, Value, ValueError},
};

/// A problem in the settings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct SettingsProblem {
    /// The source that contains the problem.
    pub origin: Origin,
    /// The name of the setting; empty if the problem concerns the source as a whole.
    pub setting: String,
    /// What is wrong.
    pub message: String,
    /// How to fix it.
    pub hint: Option<String>,
}

impl SettingsProblem {
    fn new(origin: Origin, setting: impl Into<String>, message: impl Into<String>) -> Self {
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

/// The setting with a name.
pub fn find(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

/// The known word that is most similar to the word that was found.
pub(crate) fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|word| (strsim::damerau_levenshtein(&found.to_lowercase(), &word.to_lowercase()), word))
        .filter(|(distance, word)| *distance <= (word.len() / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

#[cfg(test)]
mod tests;
