use std::{io, path::PathBuf};

use thiserror::Error;

/// Why the vault cannot be read or changed. No text contains a value.
#[derive(Debug, Error)]
pub enum VaultFileError {
    /// A file cannot be read or written.
    #[error("{path} cannot be read or written")]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// Other users can read the key.
    #[error("other users can read {path}")]
    Readable {
        /// The path of the key file.
        path: PathBuf,
    },
    /// The file is not a vault, or a part of it is missing.
    #[error("{path} is not a vault of this version of Legwork")]
    Format {
        /// The path of the file.
        path: PathBuf,
    },
    /// The file was encrypted with another key, or it was changed.
    #[error("{path} cannot be decrypted: the {key} is another one, or the file is damaged")]
    Decrypt {
        /// The path of the vault.
        path: PathBuf,
        /// What the key is derived from: `passphrase` or `key file`.
        key: &'static str,
    },
    /// The vault needs its key file, and there is none.
    #[error("the key file {path} of the vault is missing")]
    NoKeyFile {
        /// The path of the key file.
        path: PathBuf,
    },
    /// No folder for the key file is known.
    #[error("there is no folder for the key file of the vault")]
    NoKeyFolder,
    /// The vault needs its passphrase, and nobody supplied it.
    #[error("the vault has a passphrase, which was not given")]
    NoPassphrase,
    /// A new passphrase is too short to protect anything.
    #[error("a passphrase needs at least {} characters", crate::seal::SHORTEST_PASSPHRASE)]
    ShortPassphrase,
    /// There is a secret of this name already.
    #[error("there is a secret {0:?} already")]
    Exists(String),
    /// There is no such secret.
    #[error("there is no secret {0:?} in the vault")]
    Unknown(String),
    /// The system returns no random numbers.
    #[error("the system returns no random numbers")]
    Random,
}

impl VaultFileError {
    /// What the user can try.
    pub fn hint(&self) -> &'static str {
        match self {
            VaultFileError::File { .. } => "check the folder and its permissions (`data_dir`, `vault.key_file`)",
            VaultFileError::Readable { .. } => {
                "run `chmod 600` on it, and change the secrets if others used the machine"
            }
            VaultFileError::Format { .. } => "restore it from a backup, or remove it and add the secrets again",
            VaultFileError::Decrypt { key: "passphrase", .. } => {
                "enter the passphrase again; if it is lost, remove the file and add the secrets again"
            }
            VaultFileError::Decrypt { .. } | VaultFileError::NoKeyFile { .. } => {
                "restore the key file from a backup (`vault.key_file` names it); without it the secrets are lost"
            }
            VaultFileError::NoKeyFolder => "set `vault.key_file`, or protect the vault with a passphrase",
            VaultFileError::NoPassphrase => "set LEGWORK_VAULT_PASSPHRASE or `vault.passphrase_command`",
            VaultFileError::ShortPassphrase => "use several words",
            VaultFileError::Exists(_) => "add `--replace` to replace it",
            VaultFileError::Unknown(_) => "`legwork vault list` shows all of them",
            VaultFileError::Random => "restart the machine",
        }
    }
}
