//! What a run allows and which secrets it holds, joined into the one thing that the browser crate asks.

use std::sync::atomic::{AtomicU32, Ordering};

use legwork_browser::{Guard, Refusal};
use secrecy::SecretString;
use serde_json::Value;
use url::Url;

use crate::{
    policy::Policy,
    vault::{Binding, Vault},
};

/// A run's rules and secrets.
pub(crate) struct RunGuard {
    policy: Policy,
    vault: Vault,
    answers: AtomicU32,
}

impl RunGuard {
    pub(crate) fn new(policy: Policy, vault: Vault) -> Self {
        RunGuard { policy, vault, answers: AtomicU32::new(0) }
    }

    /// Whether there is anything to mask.
    pub(crate) fn has_secrets(&self) -> bool {
        !self.vault.names().is_empty()
    }

    /// Replaces the values of secrets by their handles.
    pub(crate) fn mask_text(&self, text: &mut String) {
        self.vault.mask(text);
    }

    /// The same for every text in a value, names of fields included.
    pub(crate) fn mask_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => self.mask_text(text),
            Value::Array(values) => values.iter_mut().for_each(|value| self.mask_value(value)),
            Value::Object(fields) => {
                let masked = std::mem::take(fields).into_iter().map(|(mut name, mut value)| {
                    self.mask_text(&mut name);
                    self.mask_value(&mut value);
                    (name, value)
                });
                *fields = masked.collect();
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Puts a human's secret answer into the vault and gives back its handle.
    pub(crate) fn keep_answer(&self, value: String) -> String {
        let name = format!("answer_{}", self.answers.fetch_add(1, Ordering::Relaxed) + 1);
        // It was asked for with this page in view, and the run's rules still bound where it can go.
        self.vault.put(&name, SecretString::from(value), Binding::Default);
        format!("${{secret:{name}}}")
    }
}

impl Guard for RunGuard {
    fn restricts(&self) -> bool {
        self.policy.restricts()
    }

    fn allows(&self, url: &Url) -> Result<(), Refusal> {
        self.policy.allows(url).map_err(|refusal| Refusal::new(refusal.to_string()))
    }

    fn reveal(&self, text: &str, origin: &Url) -> Result<SecretString, Refusal> {
        self.vault.reveal(text, origin).map_err(|denied| Refusal::new(denied.to_string()))
    }

    fn holds_secret(&self, text: &str) -> bool {
        self.vault.holds_secret(text)
    }

    fn mask(&self, text: &mut String) {
        self.vault.mask(text);
    }
}
