//! The pairing of a browser's side panel: a person asks for a code at a terminal and enters it in the panel, which gets
//! a token for it. The code has eight digits, so that it can be typed; it is protected by its few attempts and its
//! short life. It is in a file of the data folder, so that any server of the folder redeems it.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use jiff::Timestamp;
use legwork_private_file::{append_private, is_accessible_by_others, write_private};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;
use thiserror::Error;

use crate::{NewToken, Scopes, TokenError, TokenFile, TokenScope};

/// The file in the data folder, and the file whose lock a process holds while it changes it.
const FILE: &str = "pairing.json";
const LOCK_FILE: &str = "pairing.lock";
/// How long a code is valid.
const LIFETIME: Duration = Duration::from_secs(10 * 60);
/// How many wrong codes may be tried before the right one is void.
const ATTEMPTS: u32 = 5;
/// What the names of the tokens begin with.
const NAME: &str = "panel-";

/// Why a code gave no token.
#[derive(Debug, Error)]
pub enum PairingError {
    /// There is no code, it was used, or it is too old.
    #[error("there is no valid code")]
    NoCode,
    /// The code is another one.
    #[error("the code is wrong; {left} attempts are left")]
    Wrong {
        /// How many more may be made.
        left: u32,
    },
    /// Too many wrong codes were tried.
    #[error("too many wrong codes were entered; the code is void")]
    Exhausted,
    /// The file cannot be read or written.
    #[error("{path} cannot be read or written")]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// Other users can read the file.
    #[error("other users can read {path}")]
    Readable {
        /// The path of the file.
        path: PathBuf,
    },
    /// The system returns no random numbers.
    #[error("the system returns no random numbers")]
    Random,
    /// The token could not be created.
    #[error(transparent)]
    Token(#[from] TokenError),
}

impl PairingError {
    /// What the user can try.
    pub fn hint(&self) -> &'static str {
        match self {
            PairingError::NoCode | PairingError::Exhausted => "ask for a new code: `legwork panel pair`",
            PairingError::Wrong { .. } => "enter the code that `legwork panel pair` printed last",
            PairingError::File { .. } => "check the data folder (`data_dir`)",
            PairingError::Readable { .. } => "delete it, and ask for a new code: `legwork panel pair`",
            PairingError::Random => "restart the machine",
            PairingError::Token(error) => error.hint(),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct PendingCode {
    /// Eight digits. Whoever can read this file can also read the token of the server.
    code: String,
    expires: Timestamp,
    /// The number of attempts that are left.
    attempts: u32,
    /// Whether the token may also change settings.
    #[serde(default)]
    admin: bool,
}

/// The code of a data folder that waits to be entered.
#[derive(Clone, Debug)]
pub struct PairingFile {
    path: PathBuf,
}

impl PairingFile {
    /// The file of a data folder. It need not exist.
    pub fn of(data: &Path) -> PairingFile {
        PairingFile { path: data.join(FILE) }
    }

    /// Makes a code, which replaces the one before: `1234-5678`. It is valid once, for ten minutes.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn issue(&self) -> Result<String, PairingError> {
        self.issue_with(false)
    }

    /// As [`PairingFile::issue`], for a token that may also change settings and store secrets.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn issue_for_admin(&self) -> Result<String, PairingError> {
        self.issue_with(true)
    }

    fn issue_with(&self, admin: bool) -> Result<String, PairingError> {
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).map_err(|_| PairingError::Random)?;
        // The modulo bias is below 10⁻¹¹.
        let code = format!("{:08}", u64::from_le_bytes(bytes) % 100_000_000);
        let expires = Timestamp::now() + LIFETIME;
        let _lock = self.lock()?;
        self.write(&PendingCode { code: code.clone(), expires, attempts: ATTEMPTS, admin })?;
        Ok(format!("{}-{}", &code[..4], &code[4..]))
    }

    /// Exchanges the code for a token that may read, start and steer runs, and what the code was issued for. Everything
    /// but its digits is ignored.
    ///
    /// # Errors
    /// If it is not the code, or no code is valid.
    pub fn redeem(&self, entered: &str, tokens: &TokenFile) -> Result<NewToken, PairingError> {
        let entered: String = entered.chars().filter(char::is_ascii_digit).collect();
        let _lock = self.lock()?;
        let Some(mut pending) = self.read()? else { return Err(PairingError::NoCode) };
        if pending.expires <= Timestamp::now() {
            self.remove()?;
            return Err(PairingError::NoCode);
        }
        if !bool::from(entered.as_bytes().ct_eq(pending.code.as_bytes())) {
            pending.attempts = pending.attempts.saturating_sub(1);
            if pending.attempts == 0 {
                self.remove()?;
                return Err(PairingError::Exhausted);
            }
            self.write(&pending)?;
            return Err(PairingError::Wrong { left: pending.attempts });
        }
        // Before the token exists, so that no error leaves a code that could be used again.
        self.remove()?;
        let mut suffix = [0; 4];
        getrandom::fill(&mut suffix).map_err(|_| PairingError::Random)?;
        let name = format!("{NAME}{:08x}", u32::from_le_bytes(suffix));
        let admin = pending.admin.then_some(TokenScope::Admin);
        let scopes: Scopes = [TokenScope::Read, TokenScope::Run, TokenScope::Steer].into_iter().chain(admin).collect();
        Ok(tokens.create(&name, scopes, None)?)
    }

    /// Whether a browser is paired with the data folder.
    ///
    /// # Errors
    /// If the tokens cannot be read.
    pub fn has_paired(tokens: &TokenFile) -> Result<bool, TokenError> {
        let now = Timestamp::now();
        Ok(tokens.list()?.iter().any(|token| token.name.starts_with(NAME) && !token.is_expired(now)))
    }

    fn lock(&self) -> Result<fs::File, PairingError> {
        let path = self.path.with_file_name(LOCK_FILE);
        let locked = append_private(&path).and_then(|file| file.lock().map(|()| file));
        locked.map_err(|source| PairingError::File { path, source })
    }

    fn read(&self) -> Result<Option<PendingCode>, PairingError> {
        let bytes = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(self.failed(source)),
        };
        if is_accessible_by_others(&self.path).map_err(|source| self.failed(source))? {
            return Err(PairingError::Readable { path: self.path.clone() });
        }
        // A damaged file contains no code.
        Ok(serde_json::from_slice(&bytes).ok())
    }

    fn write(&self, pending: &PendingCode) -> Result<(), PairingError> {
        let text = serde_json::to_string(pending).expect("strings and numbers");
        write_private(&self.path, &text).map_err(|source| self.failed(source))
    }

    fn remove(&self) -> Result<(), PairingError> {
        fs::remove_file(&self.path).map_err(|source| self.failed(source))
    }

    fn failed(&self, source: io::Error) -> PairingError {
        PairingError::File { path: self.path.clone(), source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn other(code: &str) -> String {
        let first = if code.starts_with('0') { '1' } else { '0' };
        format!("{first}{}", &code[1..])
    }

    #[test]
    fn a_code_gives_one_token_that_may_not_administrate() {
        let data = tempfile::tempdir().unwrap();
        let (file, tokens) = (PairingFile::of(data.path()), TokenFile::of(data.path()));
        assert!(matches!(file.redeem("1234-5678", &tokens), Err(PairingError::NoCode)));
        assert!(!PairingFile::has_paired(&tokens).unwrap());
        let code = file.issue().unwrap();
        assert!(matches!(file.redeem(&other(&code), &tokens), Err(PairingError::Wrong { left: 4 })));
        let made = file.redeem(&code.replace('-', " "), &tokens).unwrap();
        assert_eq!(made.record.scopes.to_string(), "read,run,steer");
        assert!(PairingFile::has_paired(&tokens).unwrap());
        assert!(matches!(file.redeem(&code, &tokens), Err(PairingError::NoCode)), "it is valid once");
        tokens.revoke(&made.record.name).unwrap();
        assert!(!PairingFile::has_paired(&tokens).unwrap());
        let code = file.issue_for_admin().unwrap();
        assert_eq!(file.redeem(&code, &tokens).unwrap().record.scopes.to_string(), "read,run,steer,admin");
    }

    #[test]
    fn five_wrong_codes_make_the_right_one_void() {
        let data = tempfile::tempdir().unwrap();
        let (file, tokens) = (PairingFile::of(data.path()), TokenFile::of(data.path()));
        let code = file.issue().unwrap();
        for wrong in ["", "1", "x", &code[..8]] {
            assert!(matches!(file.redeem(wrong, &tokens), Err(PairingError::Wrong { .. })), "{wrong}");
        }
        assert!(matches!(file.redeem(&other(&code), &tokens), Err(PairingError::Exhausted)));
        assert!(matches!(file.redeem(&code, &tokens), Err(PairingError::NoCode)));
        assert_eq!(tokens.list().unwrap(), []);
    }

    #[test]
    fn a_code_ends_after_its_time_and_with_the_next_one() {
        let data = tempfile::tempdir().unwrap();
        let (file, tokens) = (PairingFile::of(data.path()), TokenFile::of(data.path()));
        let pending = PendingCode { code: "12345678".into(), expires: Timestamp::now(), attempts: 5, admin: false };
        file.write(&pending).unwrap();
        assert!(matches!(file.redeem("12345678", &tokens), Err(PairingError::NoCode)));
        let (first, second) = (file.issue().unwrap(), file.issue().unwrap());
        if first != second {
            assert!(matches!(file.redeem(&first, &tokens), Err(PairingError::Wrong { .. })));
        }
        assert!(file.redeem(&second, &tokens).is_ok());
    }
}
