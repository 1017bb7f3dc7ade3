//! Environment variables that are not settings: keys of model providers, secrets, and variables that are read before
//! the settings.

use std::collections::BTreeMap;

use secrecy::SecretString;

/// The address of the Ollama server.
const OLLAMA_HOST: &str = "OLLAMA_HOST";

/// The password of the proxy.
pub(super) const PROXY_PASSWORD: &str = "LEGWORK_PROXY_PASSWORD";

/// The password at the mail server.
const SMTP_PASSWORD: &str = "LEGWORK_SMTP_PASSWORD";

/// Variables that determine the folders of settings and runs.
const FOLDERS: [&str; 3] = ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"];

/// The prefix of the variables of settings.
pub(super) const PREFIX: &str = "LEGWORK_";

/// The prefix of the variables of secrets.
pub(super) const SECRET_PREFIX: &str = "LEGWORK_SECRET_";

/// Variables that are read before the settings, with their descriptions.
pub(super) const OTHER_VARIABLES: &[(&str, &str)] = &[
    ("LEGWORK_SESSION", "The session of the terminal's verbs that name none with `--session`."),
    ("LEGWORK_VAULT_PASSPHRASE", "The passphrase of the vault (`legwork vault`)."),
    (PROXY_PASSWORD, "The password of `browser.proxy`."),
    (SMTP_PASSWORD, "The password of `smtp.username`."),
    ("LEGWORK_MCP_TOKEN", "What clients of `legwork mcp --http` have to send."),
];

/// The variables of the keys of model providers, with their descriptions.
pub(super) fn key_variables() -> impl Iterator<Item = (&'static str, String)> {
    legwork_model::providers()
        .iter()
        .filter_map(|provider| Some((provider.key_variable?, format!("The key for models of `{}/…`.", provider.name))))
}

/// The variables of [`key_variables`], and those of the addresses of model servers.
pub(super) fn provider_variables() -> impl Iterator<Item = (&'static str, String)> {
    let host = (OLLAMA_HOST, "Where Ollama listens, for models of `ollama/…`; no key.".to_owned());
    key_variables().chain(std::iter::once(host))
}

/// The key variables of the providers that require a key.
pub(super) fn required_keys() -> impl Iterator<Item = &'static str> {
    legwork_model::providers()
        .iter()
        .filter(|provider| provider.key_required)
        .filter_map(|provider| provider.key_variable)
}

/// Whether settings or keys are read from a variable. A process that loads settings for another process passes on
/// exactly these variables. Secrets of runs are not among them, because each secret is passed by its name.
pub fn is_read(variable: &str) -> bool {
    let is_setting = variable.starts_with(PREFIX) && !variable.starts_with(SECRET_PREFIX);
    is_setting || is_provider_variable(variable) || FOLDERS.contains(&variable)
}

/// Whether a variable holds the key or the address of a model provider.
pub fn is_provider_variable(variable: &str) -> bool {
    provider_variables().any(|(known, _)| known == variable)
}

/// The keys of model providers, and the passwords of the proxy and of the mail server. Debug output shows none of them.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    keys: BTreeMap<&'static str, SecretString>,
    /// The address of the Ollama server (`OLLAMA_HOST`).
    pub ollama_host: Option<String>,
    pub(super) proxy_password: Option<SecretString>,
    /// The password at the mail server, from the environment.
    pub smtp_password: Option<SecretString>,
}

impl Keys {
    pub(super) fn of(env: &BTreeMap<String, String>) -> Keys {
        let value = |variable: &str| env.get(variable).map(|text| text.trim()).filter(|text| !text.is_empty());
        let keys = legwork_model::providers()
            .iter()
            .filter_map(|provider| Some((provider.name, SecretString::from(value(provider.key_variable?)?))))
            .collect();
        Keys {
            keys,
            ollama_host: value(OLLAMA_HOST).map(str::to_owned),
            proxy_password: value(PROXY_PASSWORD).map(SecretString::from),
            smtp_password: value(SMTP_PASSWORD).map(SecretString::from),
        }
    }

    /// The key of a provider, or of the provider of a `provider/name`.
    pub fn of_provider(&self, model: &str) -> Option<&SecretString> {
        self.keys.get(model.split('/').next().unwrap_or(model))
    }

    /// For each provider, the variable that it requires and whether the variable is set; never a value. For Ollama it
    /// is the address.
    pub fn present(&self) -> Vec<(&'static str, &'static str, bool)> {
        let keys = legwork_model::providers().iter().filter(|provider| provider.key_required).filter_map(|provider| {
            Some((provider.name, provider.key_variable?, self.keys.contains_key(provider.name)))
        });
        keys.chain(std::iter::once(("ollama", OLLAMA_HOST, self.ollama_host.is_some()))).collect()
    }
}
