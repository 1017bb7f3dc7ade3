//! Variables of the environment that are no settings: keys of model providers, secrets, and what is read before the settings.

use std::collections::BTreeMap;

use secrecy::SecretString;

/// Where Ollama listens.
const OLLAMA_HOST: &str = "OLLAMA_HOST";

/// Folders that settings and runs lie in.
const FOLDERS: [&str; 3] = ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"];

/// The beginning of the variables that are settings.
pub(super) const PREFIX: &str = "LEGWORK_";

/// The beginning of the variables that hold secrets.
pub(super) const SECRET_PREFIX: &str = "LEGWORK_SECRET_";

/// Variables that are read before there are settings, and what each is for.
pub(super) const EARLY_VARIABLES: &[(&str, &str)] = &[
    ("LEGWORK_SESSION", "The session of the terminal's verbs that name none with `--session`."),
    ("LEGWORK_MCP_TOKEN", "What clients of `legwork mcp --http` have to send."),
];

/// The variables that hold keys of model providers, and what each is for.
pub(super) fn key_variables() -> impl Iterator<Item = (&'static str, String)> {
    legwork_model::providers()
        .iter()
        .filter_map(|provider| Some((provider.key_variable?, format!("The key for models of `{}/…`.", provider.name))))
}

/// The variables of [`key_variables`], and of addresses of model servers.
pub(super) fn provider_variables() -> impl Iterator<Item = (&'static str, String)> {
    let host = (OLLAMA_HOST, "Where Ollama listens, for models of `ollama/…`; no key.".to_owned());
    key_variables().chain(std::iter::once(host))
}

/// The variables of the providers that answer nobody without a key.
pub(super) fn required_keys() -> impl Iterator<Item = &'static str> {
    legwork_model::providers()
        .iter()
        .filter(|provider| provider.key_required)
        .filter_map(|provider| provider.key_variable)
}

/// Whether settings or keys are read from a variable. A process that loads settings for another one passes on exactly these;
/// secrets of runs are not among them, since each is passed on by name.
pub fn is_read(variable: &str) -> bool {
    let is_setting = variable.starts_with(PREFIX) && !variable.starts_with(SECRET_PREFIX);
    is_setting || is_provider_variable(variable) || FOLDERS.contains(&variable)
}

/// Whether a variable holds the key or the address of a model provider.
pub fn is_provider_variable(variable: &str) -> bool {
    provider_variables().any(|(known, _)| known == variable)
}

/// Keys of model providers. Printing it shows none.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    keys: BTreeMap<&'static str, SecretString>,
    /// Where Ollama listens (`OLLAMA_HOST`).
    pub ollama_host: Option<String>,
}

impl Keys {
    pub(super) fn of(env: &BTreeMap<String, String>) -> Keys {
        let value = |variable: &str| env.get(variable).map(|text| text.trim()).filter(|text| !text.is_empty());
        let keys = legwork_model::providers()
            .iter()
            .filter_map(|provider| Some((provider.name, SecretString::from(value(provider.key_variable?)?))))
            .collect();
        Keys { keys, ollama_host: value(OLLAMA_HOST).map(str::to_owned) }
    }

    /// The key of a provider, or of the provider of a `provider/name`.
    pub fn of_provider(&self, model: &str) -> Option<&SecretString> {
        self.keys.get(model.split('/').next().unwrap_or(model))
    }

    /// For each provider the variable without which it cannot be used, and whether it is set; never a value. For Ollama that
    /// is its address.
    pub fn present(&self) -> Vec<(&'static str, &'static str, bool)> {
        let keys = legwork_model::providers().iter().filter(|provider| provider.key_required).filter_map(|provider| {
            Some((provider.name, provider.key_variable?, self.keys.contains_key(provider.name)))
        });
        keys.chain(std::iter::once(("ollama", OLLAMA_HOST, self.ollama_host.is_some()))).collect()
    }
}
