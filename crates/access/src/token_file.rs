//! The tokens of a data folder: a file with their names, scopes and hashes.
//!
//! A token is 256 random bits, so one round of SHA-256 protects it: nobody can try that many. Whoever reads the file
//! obtains no token.

use std::{
    fmt::Write as _,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::Timestamp;
use legwork_private_file::{append_private, is_accessible_by_others, write_private};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::Scopes;

/// The name of the file in the data folder.
pub const TOKEN_FILE: &str = "tokens.json";
/// A process holds the lock of this file while it changes the other one, so that simultaneous changes are not lost.
const LOCK_FILE: &str = "tokens.lock";
/// What a token begins with, so that scanners for secrets find one that was published by mistake.
const PREFIX: &str = "legwork_";
/// What an id begins with. No name may begin with it.
const ID_PREFIX: &str = "tk_";
const MAX_NAME: usize = 64;

/// Why tokens cannot be read or changed.
#[derive(Debug, Error)]
pub enum TokenError {
    /// The file cannot be read or written.
    #[error("{path} cannot be read or written")]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// Other users can read or write the file.
    #[error("other users can read {path}")]
    Readable {
        /// The path of the file.
        path: PathBuf,
    },
    /// The content of the file is not a list of tokens.
    #[error("{path} contains no list of tokens")]
    Content {
        /// The path of the file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: serde_json::Error,
    },
    /// The name is invalid.
    #[error("{0:?} cannot be the name of a token")]
    Name(String),
    /// The name belongs to another token.
    #[error("there is a token {0:?} already")]
    Exists(String),
    /// There is no such token.
    #[error("there is no token {0:?}")]
    Unknown(String),
    /// A token without scopes could do nothing.
    #[error("a token needs at least one scope")]
    NoScope,
    /// The token would never be valid.
    #[error("the token would have expired already")]
    Expired,
    /// The system returns no random numbers.
    #[error("the system returns no random numbers")]
    Random,
}

impl TokenError {
    /// What the user can try.
    pub fn hint(&self) -> &'static str {
        match self {
            TokenError::File { .. } => "check the data folder (`data_dir`)",
            TokenError::Readable { .. } => "run `chmod 600` on it, and revoke tokens that you did not create",
            TokenError::Content { .. } => "restore it from a backup, or delete it and create the tokens again",
            TokenError::Name(_) => {
                "use 1 to 64 letters, digits, dots, hyphens and underscores; `tk_` is the beginning of ids"
            }
            TokenError::Exists(_) => "choose another name, or revoke that one: `legwork token revoke NAME`",
            TokenError::Unknown(_) => "`legwork token list` shows all of them",
            TokenError::NoScope => "give it some: `--scope read,run`",
            TokenError::Expired => "choose a time in the future: `--expires 30d`",
            TokenError::Random => "restart the machine",
        }
    }
}

/// A token as it is stored: everything but the token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenRecord {
    /// Identifies the token permanently; names can be reused.
    pub id: String,
    /// The name that its creator chose.
    pub name: String,
    /// What it may do.
    pub scopes: Scopes,
    /// When it was created.
    pub created: Timestamp,
    /// From when on it is invalid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<Timestamp>,
    /// The SHA-256 of the token in hexadecimal.
    pub(crate) hash: String,
}

impl TokenRecord {
    /// Identifies the token without revealing it; client and server both derive it.
    pub fn public_fingerprint(&self) -> String {
        hash(&format!("legwork pairing {}", self.hash))[..16].to_owned()
    }

    /// The key under which a server proves that it knows the token. The client derives it from the token.
    pub fn proof_key(&self) -> String {
        hash(&format!("legwork proof {}", self.hash))
    }

    /// Whether the token is invalid because of its age.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }
}

/// A token that was just created. Its text exists nowhere else.
pub struct NewToken {
    /// The token.
    pub text: SecretString,
    /// What was stored.
    pub record: TokenRecord,
}

#[derive(Default, Serialize, Deserialize)]
struct Content {
    tokens: Vec<TokenRecord>,
}

/// The file with the tokens of a data folder.
#[derive(Clone, Debug)]
pub struct TokenFile {
    path: PathBuf,
}

impl TokenFile {
    /// The file of a data folder. It need not exist.
    pub fn of(data: &Path) -> TokenFile {
        TokenFile { path: data.join(TOKEN_FILE) }
    }

    /// Creates a token. Running servers accept it at once.
    ///
    /// # Errors
    /// If the name is invalid or taken, there are no scopes, or the file cannot be changed.
    pub fn create(&self, name: &str, scopes: Scopes, expires: Option<Timestamp>) -> Result<NewToken, TokenError> {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        if name.is_empty() || name.len() > MAX_NAME || !name.chars().all(is_allowed) || name.starts_with(ID_PREFIX) {
            return Err(TokenError::Name(name.to_owned()));
        }
        if scopes.is_empty() {
            return Err(TokenError::NoScope);
        }
        let created = Timestamp::now();
        let mut random = [0; 32];
        let mut id = [0; 8];
        getrandom::fill(&mut random).and_then(|()| getrandom::fill(&mut id)).map_err(|_| TokenError::Random)?;
        let text = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(random));
        let record = TokenRecord {
            id: format!("{ID_PREFIX}{}", hex(&id)),
            name: name.to_owned(),
            scopes,
            created,
            expires,
            hash: hash(&text),
        };
        if record.is_expired(created) {
            return Err(TokenError::Expired);
        }
        self.change(|tokens| {
            if tokens.iter().any(|known| known.name == name) {
                return Err(TokenError::Exists(name.to_owned()));
            }
            tokens.push(record.clone());
            Ok(())
        })?;
        Ok(NewToken { text: text.into(), record })
    }

    /// The tokens in the order in which they were created, also those that have expired.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn list(&self) -> Result<Vec<TokenRecord>, TokenError> {
        match self.read()? {
            Some(bytes) => self.parse(&bytes),
            None => Ok(Vec::new()),
        }
    }

    /// Revokes the token with this name or id. Running servers refuse it at once, and end its streams.
    ///
    /// # Errors
    /// If there is no such token, or the file cannot be changed.
    pub fn revoke(&self, name_or_id: &str) -> Result<TokenRecord, TokenError> {
        // Without a file there is no token, and perhaps no folder for the lock.
        if self.read()?.is_none() {
            return Err(TokenError::Unknown(name_or_id.to_owned()));
        }
        self.change(|tokens| {
            let index = tokens.iter().position(|token| token.name == name_or_id || token.id == name_or_id);
            index.map(|index| tokens.remove(index)).ok_or_else(|| TokenError::Unknown(name_or_id.to_owned()))
        })
    }

    /// The content of the file; `None` if there is none.
    pub(crate) fn read(&self) -> Result<Option<Vec<u8>>, TokenError> {
        let bytes = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(self.failed(source)),
        };
        // Whoever can write the file can create tokens.
        if is_accessible_by_others(&self.path).map_err(|source| self.failed(source))? {
            return Err(TokenError::Readable { path: self.path.clone() });
        }
        Ok(Some(bytes))
    }

    pub(crate) fn parse(&self, bytes: &[u8]) -> Result<Vec<TokenRecord>, TokenError> {
        let content: Content =
            serde_json::from_slice(bytes).map_err(|source| TokenError::Content { path: self.path.clone(), source })?;
        Ok(content.tokens)
    }

    fn change<T>(&self, edit: impl FnOnce(&mut Vec<TokenRecord>) -> Result<T, TokenError>) -> Result<T, TokenError> {
        let lock_path = self.path.with_file_name(LOCK_FILE);
        let locked = append_private(&lock_path).and_then(|lock: File| lock.lock().map(|()| lock));
        // The lock ends when the file is closed.
        let _lock = locked.map_err(|source| TokenError::File { path: lock_path, source })?;
        let mut tokens = self.list()?;
        let done = edit(&mut tokens)?;
        let text = serde_json::to_string_pretty(&Content { tokens }).expect("names are strings");
        write_private(&self.path, &text).map_err(|source| self.failed(source))?;
        Ok(done)
    }

    fn failed(&self, source: io::Error) -> TokenError {
        TokenError::File { path: self.path.clone(), source }
    }
}

/// The hash under which a token is stored.
pub(crate) fn hash(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan;
    use secrecy::ExposeSecret;

    use super::*;
    use crate::TokenScope;

    fn read_only() -> Scopes {
        [TokenScope::Read].into_iter().collect()
    }

    #[test]
    fn only_the_hash_of_a_token_is_stored_for_its_owner_only() {
        let data = tempfile::tempdir().unwrap();
        let file = TokenFile::of(data.path());
        assert_eq!(file.list().unwrap(), []);
        let made = file.create("ci", read_only(), None).unwrap();
        let text = made.text.expose_secret();
        let stored = fs::read_to_string(data.path().join(TOKEN_FILE)).unwrap();
        assert!(text.len() > 43 && !stored.contains(&text[PREFIX.len()..]), "{stored}");
        assert_eq!(file.list().unwrap(), std::slice::from_ref(&made.record));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let path = data.path().join(TOKEN_FILE);
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o620)).unwrap();
            assert!(matches!(file.list(), Err(TokenError::Readable { .. })), "others could add a token");
        }
    }

    #[test]
    fn names_are_unique_and_never_look_like_ids() {
        let data = tempfile::tempdir().unwrap();
        let file = TokenFile::of(data.path());
        let first = file.create("ci", read_only(), None).unwrap().record;
        assert!(matches!(file.create("ci", read_only(), None), Err(TokenError::Exists(_))));
        for name in ["", "a b", "tk_1", "\u{1b}[31m", "ü", &"x".repeat(65)] {
            assert!(matches!(file.create(name, read_only(), None), Err(TokenError::Name(_))), "{name:?}");
        }
        assert!(matches!(file.create("none", Scopes::default(), None), Err(TokenError::NoScope)));
        let past = Timestamp::now() - 1.second();
        assert!(matches!(file.create("past", read_only(), Some(past)), Err(TokenError::Expired)));
        assert_eq!(file.revoke(&first.id).unwrap(), first);
        assert!(matches!(file.revoke("ci"), Err(TokenError::Unknown(_))));
        assert_ne!(file.create("ci", read_only(), None).unwrap().record.id, first.id);
    }

    #[test]
    fn tokens_that_are_created_at_the_same_time_are_all_kept() {
        let data = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for number in 0..8 {
                let file = TokenFile::of(data.path());
                scope.spawn(move || file.create(&format!("t{number}"), read_only(), None).unwrap());
            }
        });
        assert_eq!(TokenFile::of(data.path()).list().unwrap().len(), 8);
    }
}
