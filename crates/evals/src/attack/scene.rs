//! What the classes share: the settings of a runtime.

use legwork::settings::Settings;

use super::plan::AttackPlan;
use crate::EvalError;

/// The settings of a class: short waits, no planning, and whatever the class adds.
pub(super) fn settings(plan: &AttackPlan, class: &str, more: &[(&str, String)]) -> Result<Settings, EvalError> {
    let own = [
        ("reflection.mode", "never".to_owned()),
        ("planning", "never".to_owned()),
        ("timeouts.element", "1s".to_owned()),
        ("timeouts.flush", "1s".to_owned()),
    ];
    // The scripted models speak the formats of providers that require a key.
    let keys = ["ANTHROPIC_API_KEY", "GEMINI_API_KEY"].map(|name| (name.to_owned(), "sk-a-key-for-tests".to_owned()));
    crate::settings::settings(&format!("attack/{class}"), &[&own[..], more].concat(), &plan.settings, keys)
}
