//! The page's cookie: its expiry, a random part, the id of the token whose link was used, and a signature of all.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::Timestamp;
use ring::hmac;

use super::token::{Token, random};
use crate::ServeError;

/// The name of the cookie.
pub(crate) const COOKIE: &str = "legwork_session";
/// The lifetime in seconds.
const MAX_AGE: i64 = 30 * 24 * 60 * 60;

/// A cookie with a verified signature, or a new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cookie {
    /// `UNTIL.RANDOM`, or `UNTIL.RANDOM.TOKEN_ID`.
    signed: String,
}

impl Cookie {
    pub(super) fn make(token_id: Option<&str>) -> Result<Cookie, ServeError> {
        let until = Timestamp::now().as_second() + MAX_AGE;
        let token_id = token_id.map_or(String::new(), |id| format!(".{id}"));
        Ok(Cookie { signed: format!("{until}.{}{token_id}", random()?) })
    }

    /// The id of the token with scopes to which the cookie belongs; `None` for the token of the server.
    pub(super) fn token_id(&self) -> Option<&str> {
        self.signed.splitn(3, '.').nth(2)
    }

    pub(super) fn read(value: &str, token: &Token) -> Option<Cookie> {
        let (signed, signature) = value.rsplit_once('.')?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        // The comparison takes constant time.
        hmac::verify(&token.key("cookie"), signed.as_bytes(), &signature).ok()?;
        let until: i64 = signed.split_once('.')?.0.parse().ok()?;
        (until > Timestamp::now().as_second()).then(|| Cookie { signed: signed.to_owned() })
    }

    /// The value of `Set-Cookie`.
    pub(crate) fn set(&self, auth: &super::Auth, secure: bool) -> String {
        let signature = URL_SAFE_NO_PAD.encode(hmac::sign(&auth.token.key("cookie"), self.signed.as_bytes()));
        let secure = if secure { "; Secure" } else { "" };
        format!("{COOKIE}={}.{signature}; HttpOnly; SameSite=Strict; Path=/; Max-Age={MAX_AGE}{secure}", self.signed)
    }

    pub(super) fn csrf(&self, token: &Token) -> String {
        URL_SAFE_NO_PAD.encode(hmac::sign(&token.key("csrf"), self.signed.as_bytes()))
    }
}
