use std::{
    collections::BTreeSet,
    process::{Command, Stdio},
};

use legwork_vault::{StoredSecret, VaultFile, VaultFileError};
use secrecy::{SecretString, zeroize::Zeroizing};
use url::Url;

use super::SecretError;
use crate::settings::Settings;

/// The variable with the passphrase of the vault.
const PASSPHRASE_VARIABLE: &str = "LEGWORK_VAULT_PASSPHRASE";
/// The name of the secret for the mail server.
const SMTP_PASSWORD: &str = "smtp_password";
/// What a person is asked for.
const PASSPHRASE_PROMPT: &str = "passphrase of the vault";

/// The encrypted file with the user's secrets, and how its passphrase is obtained.
#[derive(Default)]
pub struct UserVault {
    file: VaultFile,
    passphrase_command: Option<String>,
}

/// Where the values of secrets are read from.
pub struct SecretSources<'a> {
    /// Reads an environment variable.
    pub env: &'a dyn Fn(&str) -> Option<String>,
    /// The user's vault, if it is to be read.
    pub vault: Option<&'a UserVault>,
    /// Asks a person for the secret with a name. Returns `None` if nobody answers.
    pub prompt: &'a mut dyn FnMut(&str) -> Option<SecretString>,
}

impl UserVault {
    /// The vault that the settings name. It need not exist.
    pub fn of(settings: &Settings) -> UserVault {
        UserVault {
            file: VaultFile::new(&settings.data_dir, settings.vault.key_file.clone()),
            passphrase_command: settings.vault.passphrase_command.clone(),
        }
    }

    /// The file.
    pub fn file(&self) -> &VaultFile {
        &self.file
    }

    /// The passphrase from the variable `LEGWORK_VAULT_PASSPHRASE`, else from the command of the settings, else from a
    /// person. `None` if none of them has it.
    pub fn passphrase(
        &self,
        env: &dyn Fn(&str) -> Option<String>,
        prompt: &mut dyn FnMut(&str) -> Option<SecretString>,
    ) -> Option<SecretString> {
        let given = env(PASSPHRASE_VARIABLE).filter(|text| !text.is_empty()).map(SecretString::from);
        given.or_else(|| self.passphrase_command.as_deref().and_then(output_of)).or_else(|| prompt(PASSPHRASE_PROMPT))
    }

    /// [`UserVault::passphrase`] of a process without a terminal.
    pub fn passphrase_without_person(&self) -> Option<SecretString> {
        self.passphrase(&|name| std::env::var(name).ok(), &mut |_| None)
    }
}

/// The keys of model providers that are in the vault: secrets with the name of the provider's variable, such as
/// `OPENAI_API_KEY`, for the origin to which requests go. Nobody is asked for the passphrase.
impl UserVault {
    /// The key for the requests to an endpoint. `None` if there is none for its origin, or the vault cannot be read.
    pub(crate) fn model_key(&self, variable: &str, endpoint: &Url) -> Option<SecretString> {
        let stored = self.stored_keys().into_iter().find(|secret| secret.name == variable)?;
        let is_for_endpoint = stored.origins.iter().any(|origin| origin.origin() == endpoint.origin());
        if !is_for_endpoint {
            tracing::warn!(variable, endpoint = %endpoint, "the key in the vault is for another site");
        }
        is_for_endpoint.then_some(stored.value)
    }

    /// The variables of providers whose keys are stored.
    pub fn model_key_variables(&self) -> BTreeSet<String> {
        self.stored_keys().into_iter().map(|secret| secret.name).collect()
    }

    fn stored_keys(&self) -> Vec<StoredSecret> {
        if !self.file.exists() {
            return Vec::new();
        }
        let stored = self.file.list(&mut || self.passphrase_without_person()).unwrap_or_else(|error| {
            tracing::warn!(%error, "the keys of models in the vault cannot be read");
            Vec::new()
        });
        let is_key = |secret: &StoredSecret| {
            legwork_model::providers().iter().any(|provider| provider.key_variable == Some(secret.name.as_str()))
        };
        stored.into_iter().filter(is_key).collect()
    }
}

/// The password at the mail server: a secret for an origin with its host. Nobody is asked for the passphrase.
impl UserVault {
    /// The password for the mail server on a host. `None` if there is none for it.
    ///
    /// # Errors
    /// If the vault cannot be read.
    pub fn smtp_password(&self, host: &str) -> Result<Option<SecretString>, VaultFileError> {
        if !self.file.exists() {
            return Ok(None);
        }
        let stored = self.file.get(SMTP_PASSWORD, &mut || self.passphrase_without_person())?;
        let is_for_host = |secret: &StoredSecret| secret.origins.iter().any(|origin| origin.host_str() == Some(host));
        Ok(stored.filter(is_for_host).map(|secret| secret.value))
    }
}

impl SecretSources<'_> {
    /// The secret of the vault with a name.
    pub(super) fn stored(&mut self, name: &str) -> Result<Option<StoredSecret>, SecretError> {
        let Some(vault) = self.vault else { return Ok(None) };
        let mut ask = || vault.passphrase(self.env, self.prompt);
        vault.file.get(name, &mut ask).map_err(|source| SecretError::Stored { name: name.to_owned(), source })
    }
}

/// The first line that a command prints. `None` if it fails or prints nothing; its messages appear on standard error.
fn output_of(command: &str) -> Option<SecretString> {
    let mut shell = if cfg!(windows) { Command::new("cmd") } else { Command::new("sh") };
    shell.args([if cfg!(windows) { "/C" } else { "-c" }, command]).stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = shell.output().ok().filter(|output| output.status.success())?;
    let text = Zeroizing::new(output.stdout);
    let line = std::str::from_utf8(&text).ok()?.lines().next()?;
    (!line.is_empty()).then(|| SecretString::from(line))
}
