//! The setting `playbook`.

use std::path::PathBuf;

/// Which playbook runs use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PlaybookChoice {
    /// The one that was recorded for the workflow on the site, if there is one. Runs record and heal it.
    #[default]
    Auto,
    /// None. Nothing is recorded.
    Off,
    /// The recorded one; without one, the run is refused. Models are not called.
    Only,
    /// The one in this file.
    File(PathBuf),
}

impl PlaybookChoice {
    /// Reads the value of the setting.
    pub(crate) fn of_text(text: &str) -> PlaybookChoice {
        match text {
            "auto" => PlaybookChoice::Auto,
            "off" => PlaybookChoice::Off,
            "only" => PlaybookChoice::Only,
            path => PlaybookChoice::File(path.into()),
        }
    }

    /// Whether the user asked for a playbook that exists. The words of a step then mean what was recorded, also where
    /// they count.
    pub(crate) fn names_one(&self) -> bool {
        matches!(self, PlaybookChoice::Only | PlaybookChoice::File(_))
    }

    /// The value of the setting.
    pub(crate) fn text(&self) -> String {
        match self {
            PlaybookChoice::Auto => "auto".to_owned(),
            PlaybookChoice::Off => "off".to_owned(),
            PlaybookChoice::Only => "only".to_owned(),
            PlaybookChoice::File(path) => path.display().to_string(),
        }
    }
}
