use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;
use url::Url;

use crate::{AskPassphrase, OneTimeCodeError, OneTimeCodeKey, StoredSecret, VaultFile, VaultFileError, is_secret_name};

/// A secret that will be stored, before its value is known: a person is asked for a value only if it can be stored.
#[derive(Clone, Debug)]
pub struct NewSecret {
    name: String,
    origins: Vec<Url>,
    username: Option<String>,
    replaces: bool,
}

/// Why a secret cannot be stored. No text contains a value.
#[derive(Debug, Error)]
pub enum NewSecretError {
    /// The name has another form.
    #[error(
        "{0:?} cannot be the name of a secret: use letters, digits, `_`, `.` and `-`, and begin with a letter or `_`"
    )]
    Name(String),
    /// It would not be bound to any origin.
    #[error("the secret needs a site into which it may be typed, such as https://shop.example")]
    NoOrigin,
    /// The value is empty.
    #[error("the value is empty; nothing was stored")]
    Empty,
    /// The value is no key of one-time codes.
    #[error(transparent)]
    OneTimeCode(#[from] OneTimeCodeError),
    /// The vault cannot be read or changed.
    #[error(transparent)]
    Vault(#[from] VaultFileError),
}

impl NewSecret {
    /// A secret for these origins. A secret that replaces one keeps its origins and its user name if none are given
    /// here.
    ///
    /// # Errors
    /// If the name has another form, there is a secret of this name that must not be replaced, or there is no origin.
    pub fn new(
        vault: &VaultFile,
        name: &str,
        origins: Vec<Url>,
        username: Option<String>,
        replaces: bool,
        ask: &mut AskPassphrase<'_>,
    ) -> Result<NewSecret, NewSecretError> {
        if !is_secret_name(name) {
            return Err(NewSecretError::Name(name.to_owned()));
        }
        let former = vault.get(name, ask)?;
        if former.is_some() && !replaces {
            return Err(VaultFileError::Exists(name.to_owned()).into());
        }
        let (known_origins, known_username) = former.map(|known| (known.origins, known.username)).unwrap_or_default();
        let origins = if origins.is_empty() { known_origins } else { origins };
        if origins.is_empty() {
            return Err(NewSecretError::NoOrigin);
        }
        Ok(NewSecret { name: name.to_owned(), origins, username: username.or(known_username), replaces })
    }

    /// Stores the secret with this value. `is_key`: the value is the key of one-time codes, in base32 or as an address;
    /// an address is one in any case.
    ///
    /// # Errors
    /// If the value is empty or not such a key, or the vault cannot be changed.
    pub fn store(
        self,
        vault: &VaultFile,
        value: SecretString,
        is_key: bool,
        ask: &mut AskPassphrase<'_>,
    ) -> Result<StoredSecret, NewSecretError> {
        if value.expose_secret().is_empty() {
            return Err(NewSecretError::Empty);
        }
        let value = match is_key || OneTimeCodeKey::is_address(value.expose_secret()) {
            true => SecretString::from(OneTimeCodeKey::address(value.expose_secret())?),
            false => value,
        };
        let NewSecret { name, origins, username, replaces } = self;
        let secret = StoredSecret { name, value, origins, username, changed: Timestamp::now() };
        vault.add(vec![secret.clone()], replaces, ask)?;
        Ok(secret)
    }
}
