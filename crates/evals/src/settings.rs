//! The settings of the runs of an evaluation.

use legwork::settings::{Settings, Sources};

use crate::{EvalError, report::folder};

/// Reads settings; an error lists all problems.
pub(crate) fn load(sources: &Sources) -> Result<Settings, EvalError> {
    Settings::load(sources).map_err(|problems| {
        EvalError::Settings(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    })
}

/// Settings for runs in a folder of this name, without screenshots, lessons and playbooks: `flags`, then those that the
/// command line gives. Of the environment, only the location of the browser and `env` have an effect.
pub(crate) fn settings(
    place: &str,
    flags: &[(&str, String)],
    given: &[(String, String)],
    env: impl IntoIterator<Item = (String, String)>,
) -> Result<Settings, EvalError> {
    let common = [
        ("data_dir", folder().join(place).display().to_string()),
        ("screenshots.enabled", "false".to_owned()),
        ("memory.enabled", "false".to_owned()),
        ("investigation.mode", "never".to_owned()),
        // A task that runs several times is decided each time.
        ("playbook", "off".to_owned()),
    ];
    let mut all: Vec<(String, String)> =
        common.iter().chain(flags).map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    all.extend(given.iter().cloned());
    let browser = std::env::vars().filter(|(name, _)| name == "LEGWORK_BROWSER_PATH");
    load(&Sources { flags: all, env: browser.chain(env).collect(), ..Sources::default() })
}
