//! Encryption of the vault's content, with the implementation that TLS connections use (decision 059).

use std::num::NonZeroU32;

use base64::{Engine, engine::general_purpose::STANDARD};
use ring::{
    aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    pbkdf2,
};
use secrecy::{
    ExposeSecret, SecretString,
    zeroize::{Zeroize, Zeroizing},
};
use serde::{Deserialize, Serialize};

/// The number that every vault of this form begins with.
const FORMAT: u32 = 1;
/// The number of rounds that OWASP recommends for PBKDF2 with SHA-256 (2023). The file contains the number that it
/// uses.
const ITERATIONS: u32 = if cfg!(test) { 1_000 } else { 600_000 };
/// A file with more rounds was not written by Legwork, and would take minutes to open.
const MOST_ITERATIONS: u32 = 20_000_000;
pub(crate) const SHORTEST_PASSPHRASE: usize = 8;
const KEY_LENGTH: usize = 32;
const SALT_LENGTH: usize = 16;

pub(crate) type Key = Zeroizing<[u8; KEY_LENGTH]>;

/// Where the key comes from. It is part of the file, and authenticated together with the content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "from", deny_unknown_fields)]
pub(crate) enum KeySource {
    /// The key file contains the key.
    File,
    /// The key is derived from a passphrase with PBKDF2-HMAC-SHA256.
    Passphrase { iterations: u32, salt: String },
}

/// A vault as it is stored.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SealedVault {
    format: u32,
    pub(crate) key: KeySource,
    nonce: String,
    content: String,
}

/// The system returns no random numbers.
pub(crate) struct NoRandom;

pub(crate) fn random<const LENGTH: usize>() -> Result<Zeroizing<[u8; LENGTH]>, NoRandom> {
    let mut bytes = Zeroizing::new([0; LENGTH]);
    getrandom::fill(bytes.as_mut_slice()).map_err(|_| NoRandom)?;
    Ok(bytes)
}

impl KeySource {
    /// The source of a new vault with a passphrase.
    pub(crate) fn passphrase() -> Result<KeySource, NoRandom> {
        let salt = random::<SALT_LENGTH>()?;
        Ok(KeySource::Passphrase { iterations: ITERATIONS, salt: STANDARD.encode(*salt) })
    }

    /// The key that a passphrase gives. `None` if this is not a source with a passphrase, or if it is malformed.
    pub(crate) fn derive(&self, passphrase: &SecretString) -> Option<Key> {
        let KeySource::Passphrase { iterations, salt } = self else { return None };
        let iterations = NonZeroU32::new(*iterations).filter(|count| count.get() <= MOST_ITERATIONS)?;
        let salt = STANDARD.decode(salt).ok()?;
        let mut key = Zeroizing::new([0; KEY_LENGTH]);
        let passphrase = passphrase.expose_secret().as_bytes();
        pbkdf2::derive(pbkdf2::PBKDF2_HMAC_SHA256, iterations, &salt, passphrase, key.as_mut_slice());
        Some(key)
    }

    fn authenticated(&self) -> Vec<u8> {
        serde_json::to_vec(&(FORMAT, self)).expect("numbers and texts")
    }
}

impl SealedVault {
    /// Encrypts the content. Each call uses another nonce.
    pub(crate) fn seal(source: KeySource, key: &Key, mut content: Zeroizing<Vec<u8>>) -> Result<SealedVault, NoRandom> {
        let nonce = random::<NONCE_LEN>()?;
        let cipher = cipher(key);
        let sealed = cipher.seal_in_place_separate_tag(
            Nonce::assume_unique_for_key(*nonce),
            Aad::from(source.authenticated()),
            content.as_mut_slice(),
        );
        let tag = sealed.expect("the content is far smaller than the limit of 256 GiB");
        let sealed = STANDARD.encode([content.as_slice(), tag.as_ref()].concat());
        Ok(SealedVault { format: FORMAT, key: source, nonce: STANDARD.encode(*nonce), content: sealed })
    }

    /// Whether this version can read it.
    pub(crate) fn is_known(&self) -> bool {
        self.format == FORMAT
    }

    /// The content; `None` if it was encrypted with another key, or if it was changed.
    pub(crate) fn open(&self, key: &Key) -> Option<Zeroizing<Vec<u8>>> {
        let nonce = Nonce::try_assume_unique_for_key(&STANDARD.decode(&self.nonce).ok()?).ok()?;
        let mut sealed = Zeroizing::new(STANDARD.decode(&self.content).ok()?);
        let length = cipher(key).open_in_place(nonce, Aad::from(self.key.authenticated()), &mut sealed).ok()?.len();
        sealed[length..].zeroize();
        sealed.truncate(length);
        Some(sealed)
    }
}

fn cipher(key: &Key) -> LessSafeKey {
    let key = UnboundKey::new(&CHACHA20_POLY1305, key.as_slice()).expect("the length is that of the algorithm");
    LessSafeKey::new(key)
}
