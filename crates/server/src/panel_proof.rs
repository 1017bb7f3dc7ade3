//! How the server proves to the side panel that it knows the panel's token, before the panel sends it: any program of
//! this machine can listen on the port of a server that has ended.
//!
//! The panel sends a random number and which pairing it has. The answer is a code of the number and of the address that
//! the panel asked, under a key that follows from the stored hash of the token. So a program that passes the number on
//! to the real server on another port gets an answer for that port, and nobody can derive the token from an answer.

use legwork_access::TokenFile;
use ring::hmac;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;

/// The lengths of a random number that are accepted.
const NONCE: std::ops::RangeInclusive<usize> = 32..=128;

/// A question of the panel.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub(crate) struct Challenge {
    /// A random number of the panel, in hexadecimal.
    pub(crate) nonce: String,
    /// Which pairing the panel has; it follows from its token.
    pub(crate) pairing: String,
}

/// The proof for a panel that asked the server under this host and port; `None` if the pairing is not valid.
pub(crate) async fn panel_proof(app: &App, host: &str, challenge: &Challenge) -> Option<String> {
    let is_hex = challenge.nonce.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_hex || !NONCE.contains(&challenge.nonce.len()) {
        return None;
    }
    let data = app.runtime.settings().data_dir.clone();
    let read = tokio::task::spawn_blocking(move || TokenFile::of(&data).list()).await;
    let tokens = read.expect("the file functions do not panic").ok()?;
    let now = jiff::Timestamp::now();
    let token =
        tokens.iter().find(|token| token.public_fingerprint() == challenge.pairing && !token.is_expired(now))?;
    let key = hmac::Key::new(hmac::HMAC_SHA256, token.proof_key().as_bytes());
    let proof = hmac::sign(&key, format!("{}\n{}", challenge.nonce, host.to_ascii_lowercase()).as_bytes());
    Some(proof.as_ref().iter().map(|byte| format!("{byte:02x}")).collect())
}
