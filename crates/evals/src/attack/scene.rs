//! What the classes share: the settings of a runtime, and a folder of their own.

use std::path::PathBuf;

use legwork::settings::{Settings, Sources};

use super::plan::AttackPlan;
use crate::{EvalError, report::folder};

/// The data folder of a class.
pub(super) fn data_folder(class: &str) -> PathBuf {
    folder().join("attack").join(class)
}

/// The settings of a class: no screenshots, no lessons, short waits, and whatever the class adds.
pub(super) fn settings(plan: &AttackPlan, class: &str, more: &[(&str, String)]) -> Result<Settings, EvalError> {
    let mut flags: Vec<(String, String)> = [
        ("data_dir", data_folder(class).display().to_string()),
        ("screenshots.enabled", "false".to_owned()),
        ("memory.enabled", "false".to_owned()),
        ("investigation.mode", "never".to_owned()),
        ("reflection.mode", "never".to_owned()),
        ("planning", "never".to_owned()),
        ("timeouts.element", "1s".to_owned()),
        ("timeouts.flush", "1s".to_owned()),
    ]
    .into_iter()
    .chain(more.iter().cloned())
    .map(|(name, value)| (name.to_owned(), value))
    .collect();
    flags.extend(plan.settings.iter().cloned());
    // The scripted models speak the formats of providers that require a key.
    let keys = ["ANTHROPIC_API_KEY", "GEMINI_API_KEY"].map(|name| (name.to_owned(), "sk-a-key-for-tests".to_owned()));
    let path = std::env::vars().filter(|(name, _)| name == "LEGWORK_BROWSER_PATH");
    let env = path.chain(keys).collect();
    Settings::load(&Sources { flags, env, ..Sources::default() }).map_err(|problems| {
        EvalError::Settings(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    })
}
