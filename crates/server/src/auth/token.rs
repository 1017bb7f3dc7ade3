//! The server's token: 256 bits in a file that only its owner can read.

use std::{fmt, fs, io, path::Path};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use legwork_private_file::{is_accessible_by_others, write_private};
use ring::hmac;
use secrecy::{ExposeSecret, SecretString};
use subtle::ConstantTimeEq;

use crate::ServeError;

/// The name of the file in the data folder.
const TOKEN_FILE: &str = "server.token";
const TOKEN_BYTES: usize = 32;

/// The token. Debug output does not show it.
pub(crate) struct Token(SecretString);

impl Token {
    /// The token of a data folder. Creates it if there is none.
    pub(crate) fn of(data: &Path) -> Result<Token, ServeError> {
        let path = data.join(TOKEN_FILE);
        let failed = |source| ServeError::File { path: path.clone(), source };
        match fs::read_to_string(&path) {
            Ok(text) => {
                if is_accessible_by_others(&path).map_err(failed)? {
                    return Err(ServeError::Readable { path });
                }
                let text = text.trim().to_owned();
                if URL_SAFE_NO_PAD.decode(&text).is_ok_and(|bytes| bytes.len() == TOKEN_BYTES) {
                    return Ok(Token(text.into()));
                }
                Err(failed(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "it contains no token; delete it, and a new one is created",
                )))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let token = random()?;
                write_private(&path, &token).map_err(failed)?;
                Ok(Token(token.into()))
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// Whether the text is the token. The time of the comparison depends on nothing but the length.
    pub(crate) fn is(&self, given: &str) -> bool {
        given.as_bytes().ct_eq(self.0.expose_secret().as_bytes()).into()
    }

    /// A signing key, which differs for each purpose.
    pub(crate) fn key(&self, purpose: &str) -> hmac::Key {
        let root = hmac::Key::new(hmac::HMAC_SHA256, self.0.expose_secret().as_bytes());
        hmac::Key::new(hmac::HMAC_SHA256, hmac::sign(&root, purpose.as_bytes()).as_ref())
    }

    /// The `Authorization` header for a program on this machine.
    pub(crate) fn bearer(&self) -> SecretString {
        format!("Bearer {}", self.0.expose_secret()).into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// 256 random bits as text.
pub(crate) fn random() -> Result<String, ServeError> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes).map_err(|_| ServeError::Random)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_made_once_for_its_owner_only_and_shown_to_nobody() {
        let data = tempfile::tempdir().unwrap();
        let made = Token::of(data.path()).unwrap();
        let again = Token::of(data.path()).unwrap();
        assert!(again.is(made.0.expose_secret()));
        assert!(!again.is("") && !again.is(&made.0.expose_secret()[1..]));
        assert_eq!(format!("{made:?}"), "Token(…)");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let path = data.path().join(TOKEN_FILE);
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
            assert!(matches!(Token::of(data.path()), Err(ServeError::Readable { .. })));
        }
    }
}
