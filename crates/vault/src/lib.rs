//! Secrets at rest. A [`VaultFile`] stores passwords and the keys of one-time codes in one encrypted file, each bound
//! to the origins into which it may be typed. [`import`] reads the exports of password managers.
//!
//! The content is encrypted with ChaCha20-Poly1305. The key is in a file of its own (by default in the folder of the
//! user's settings, so that a copy of the data folder reveals nothing), or it is derived from a passphrase.

mod error;
mod file;
pub mod import;
mod new_secret;
mod one_time_code;
mod seal;
mod stored_secret;

pub use error::VaultFileError;
pub use file::{AskPassphrase, VAULT_FILE, VaultFile};
pub use new_secret::{NewSecret, NewSecretError};
pub use one_time_code::{OneTimeCodeError, OneTimeCodeKey};
pub use stored_secret::{StoredSecret, is_secret_name};
