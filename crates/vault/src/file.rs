//! The encrypted file of secrets: opening it, changing it under a lock, and where its key comes from.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use base64::{Engine, engine::general_purpose::STANDARD};
use legwork_private_file::{append_private, create_private_folder, is_accessible_by_others, write_private};
use parking_lot::Mutex;
use secrecy::{ExposeSecret, SecretString, zeroize::Zeroizing};
use serde::{Deserialize, Serialize};

use crate::{
    StoredSecret, VaultFileError,
    seal::{Key, KeySource, NoRandom, SHORTEST_PASSPHRASE, SealedVault, random},
};

/// The name of the file in the data folder.
pub const VAULT_FILE: &str = "vault.json";
/// A process holds the lock of this file while it changes the vault, so that simultaneous changes are not lost.
const LOCK_FILE: &str = "vault.lock";

/// Asks for the passphrase of the vault. Returns `None` if nobody supplies it.
pub type AskPassphrase<'a> = dyn FnMut() -> Option<SecretString> + 'a;

/// The encrypted file with the secrets of a data folder. It need not exist.
#[derive(Default)]
pub struct VaultFile {
    path: PathBuf,
    key_file: Option<PathBuf>,
    /// The key that opened the vault last, so that a passphrase is asked for and derived only once.
    last_key: Mutex<Option<(KeySource, Key)>>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    secrets: Vec<StoredSecret>,
}

/// A vault that was opened.
struct OpenVault {
    content: Content,
    source: KeySource,
    key: Key,
}

impl VaultFile {
    /// The vault of a data folder. `key_file` contains the key of a vault without a passphrase; it is created with the
    /// vault.
    pub fn new(data: &Path, key_file: Option<PathBuf>) -> VaultFile {
        VaultFile { path: data.join(VAULT_FILE), key_file, last_key: Mutex::default() }
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the file exists.
    pub fn exists(&self) -> bool {
        self.path.exists()
    }

    /// Whether a passphrase protects it.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn has_passphrase(&self) -> Result<bool, VaultFileError> {
        Ok(self.read()?.is_some_and(|sealed| sealed.key != KeySource::File))
    }

    /// The secrets by name.
    ///
    /// # Errors
    /// If the file cannot be read or decrypted.
    pub fn list(&self, ask: &mut AskPassphrase<'_>) -> Result<Vec<StoredSecret>, VaultFileError> {
        let mut secrets = self.open(ask)?.map(|open| open.content.secrets).unwrap_or_default();
        secrets.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(secrets)
    }

    /// The secret with a name. A vault that does not exist has none, and asks for no passphrase.
    ///
    /// # Errors
    /// If the file cannot be read or decrypted.
    pub fn get(&self, name: &str, ask: &mut AskPassphrase<'_>) -> Result<Option<StoredSecret>, VaultFileError> {
        let open = self.open(ask)?;
        Ok(open.and_then(|open| open.content.secrets.into_iter().find(|secret| secret.name == name)))
    }

    /// Adds secrets, all or none. `replace`: those of the same names are replaced.
    ///
    /// # Errors
    /// If a name is taken, or the files cannot be read or written.
    pub fn add(
        &self,
        secrets: Vec<StoredSecret>,
        replace: bool,
        ask: &mut AskPassphrase<'_>,
    ) -> Result<(), VaultFileError> {
        self.change(ask, |open| {
            for secret in secrets {
                match open.content.secrets.iter_mut().find(|known| known.name == secret.name) {
                    Some(_) if !replace => return Err(VaultFileError::Exists(secret.name)),
                    Some(known) => *known = secret,
                    None => open.content.secrets.push(secret),
                }
            }
            Ok(())
        })
    }

    /// Removes a secret and returns it.
    ///
    /// # Errors
    /// If there is none of this name, or the files cannot be read or written.
    pub fn remove(&self, name: &str, ask: &mut AskPassphrase<'_>) -> Result<StoredSecret, VaultFileError> {
        self.change(ask, |open| {
            let secrets = &mut open.content.secrets;
            let index = secrets.iter().position(|secret| secret.name == name);
            index.map(|index| secrets.remove(index)).ok_or_else(|| VaultFileError::Unknown(name.to_owned()))
        })
    }

    /// Protects the vault with a passphrase from now on; with `None`, with the key file again.
    ///
    /// # Errors
    /// If the passphrase is too short, or the files cannot be read or written.
    pub fn protect(&self, new: Option<&SecretString>, ask: &mut AskPassphrase<'_>) -> Result<(), VaultFileError> {
        if new.is_some_and(|text| text.expose_secret().chars().count() < SHORTEST_PASSPHRASE) {
            return Err(VaultFileError::ShortPassphrase);
        }
        self.change(ask, |open| {
            (open.source, open.key) = match new {
                Some(passphrase) => {
                    let source = KeySource::passphrase()?;
                    let key = source.derive(passphrase).expect("a new source is well-formed");
                    (source, key)
                }
                None => (KeySource::File, self.key_of_file(true)?),
            };
            Ok(())
        })
    }

    fn read(&self) -> Result<Option<SealedVault>, VaultFileError> {
        let bytes = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(VaultFileError::File { path: self.path.clone(), source }),
        };
        let sealed: Option<SealedVault> = serde_json::from_slice(&bytes).ok();
        sealed.filter(SealedVault::is_known).map(Some).ok_or_else(|| self.malformed())
    }

    fn malformed(&self) -> VaultFileError {
        VaultFileError::Format { path: self.path.clone() }
    }

    fn open(&self, ask: &mut AskPassphrase<'_>) -> Result<Option<OpenVault>, VaultFileError> {
        let Some(sealed) = self.read()? else { return Ok(None) };
        let last = self.last_key.lock().clone().filter(|(source, _)| *source == sealed.key).map(|(_, key)| key);
        let (key, kind) = match &sealed.key {
            KeySource::File => (self.key_of_file(false)?, "key file"),
            KeySource::Passphrase { .. } => match last {
                Some(key) => (key, "passphrase"),
                None => {
                    let passphrase = ask().ok_or(VaultFileError::NoPassphrase)?;
                    (sealed.key.derive(&passphrase).ok_or_else(|| self.malformed())?, "passphrase")
                }
            },
        };
        let decrypted = sealed.open(&key);
        let content = decrypted.ok_or_else(|| VaultFileError::Decrypt { path: self.path.clone(), key: kind })?;
        let content = serde_json::from_slice(&content).map_err(|_| self.malformed())?;
        *self.last_key.lock() = Some((sealed.key.clone(), key.clone()));
        Ok(Some(OpenVault { content, source: sealed.key, key }))
    }

    fn change<T>(
        &self,
        ask: &mut AskPassphrase<'_>,
        edit: impl FnOnce(&mut OpenVault) -> Result<T, VaultFileError>,
    ) -> Result<T, VaultFileError> {
        let lock_path = self.path.with_file_name(LOCK_FILE);
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let locked = create_private_folder(folder)
            .and_then(|()| append_private(&lock_path))
            .and_then(|lock| lock.lock().map(|()| lock));
        // The lock ends when the file is closed.
        let _lock = locked.map_err(|source| VaultFileError::File { path: lock_path, source })?;
        let mut open = match self.open(ask)? {
            Some(open) => open,
            None => OpenVault { content: Content::default(), source: KeySource::File, key: self.key_of_file(true)? },
        };
        let done = edit(&mut open)?;
        let OpenVault { content, source, key } = open;
        let content = Zeroizing::new(serde_json::to_vec(&content).expect("a struct of strings and times serializes"));
        let sealed = SealedVault::seal(source.clone(), &key, content)?;
        let text = serde_json::to_string_pretty(&sealed).expect("a struct of strings and numbers serializes");
        write_private(&self.path, &text).map_err(|source| VaultFileError::File { path: self.path.clone(), source })?;
        *self.last_key.lock() = Some((source, key));
        Ok(done)
    }

    /// The key in the key file. `create`: creates one if there is none.
    fn key_of_file(&self, create: bool) -> Result<Key, VaultFileError> {
        let path = self.key_file.as_ref().ok_or(VaultFileError::NoKeyFolder)?;
        let failed = |source| VaultFileError::File { path: path.clone(), source };
        let text = match fs::read_to_string(path) {
            Ok(text) => Zeroizing::new(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound && create => {
                let key = random()?;
                let text = Zeroizing::new(STANDARD.encode(*key));
                create_private_folder(path.parent().unwrap_or(Path::new(".")))
                    .and_then(|()| write_private(path, &text))
                    .map_err(failed)?;
                return Ok(key);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(VaultFileError::NoKeyFile { path: path.clone() });
            }
            Err(error) => return Err(failed(error)),
        };
        if is_accessible_by_others(path).map_err(failed)? {
            return Err(VaultFileError::Readable { path: path.clone() });
        }
        let bytes = Zeroizing::new(STANDARD.decode(text.trim()).unwrap_or_default());
        let key = <[u8; 32]>::try_from(bytes.as_slice());
        key.map(Zeroizing::new).map_err(|_| VaultFileError::Format { path: path.clone() })
    }
}

impl From<NoRandom> for VaultFileError {
    fn from(_: NoRandom) -> Self {
        VaultFileError::Random
    }
}

#[cfg(test)]
mod tests;
