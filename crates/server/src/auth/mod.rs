//! Authentication: programs use the token of the server, which is created at the first start, or one that was created
//! with scopes; the page uses a cookie, which it obtains from a link that works once.
//!
//! A cookie is signed with a key that is derived from the token of the server, so it survives a restart and becomes
//! invalid with that token. A cookie for a token with scopes contains its id, and is valid as long as the token is. The
//! CSRF value is derived from the cookie: a page of another origin can make a browser send the cookie, but it cannot
//! know the value.

mod cookie;
mod link;
mod token;

use axum::http::{HeaderMap, header};
use legwork_access::{Identity, Tokens};

pub(crate) use cookie::{COOKIE, Cookie};
pub(crate) use link::Links;
pub(crate) use token::{Token, random};

/// How the audit log names the token of the server.
const OWNER: &str = "server.token";

/// Who sent a request, and how that was proved.
#[derive(Clone, Debug)]
pub(crate) struct Principal {
    pub(crate) identity: Identity,
    /// The cookie of a page; `None` for a program.
    pub(crate) cookie: Option<Cookie>,
}

/// The credentials that the server accepts.
pub(crate) struct Auth {
    token: Token,
    pub(crate) tokens: Tokens,
    pub(crate) links: Links,
}

impl Auth {
    pub(crate) fn new(token: Token, tokens: Tokens) -> Self {
        Auth { token, tokens, links: Links::default() }
    }

    /// The identity of the caller, if the headers prove it.
    pub(crate) async fn principal(&self, headers: &HeaderMap) -> Option<Principal> {
        let text = |name| headers.get(name).and_then(|value: &header::HeaderValue| value.to_str().ok());
        if let Some(given) = text(header::AUTHORIZATION) {
            // A wrong token is not replaced by a valid cookie: a client that sends both means the token.
            let (scheme, given) = given.split_once(' ')?;
            if !scheme.eq_ignore_ascii_case("bearer") {
                return None;
            }
            let identity = match given.trim() {
                given if self.token.is(given) => Identity::Owner { name: OWNER },
                given => Identity::Token(self.tokens.find(given).await?),
            };
            return Some(Principal { identity, cookie: None });
        }
        let cookie = self.cookie_of(headers)?;
        let identity = match cookie.token_id() {
            None => Identity::Owner { name: OWNER },
            Some(id) => Identity::Token(self.tokens.by_name_or_id(id).await?),
        };
        Some(Principal { identity, cookie: Some(cookie) })
    }

    fn cookie_of(&self, headers: &HeaderMap) -> Option<Cookie> {
        let mut cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        cookies.find_map(|line| {
            line.split(';').find_map(|pair| {
                let (name, value) = pair.trim().split_once('=')?;
                if name != COOKIE {
                    return None;
                }
                Cookie::read(value, &self.token)
            })
        })
    }

    /// A cookie for a browser that used a link of the token with this id, or of the token of the server.
    pub(crate) fn cookie(&self, token_id: Option<&str>) -> Result<Cookie, crate::ServeError> {
        Cookie::make(token_id)
    }

    /// The value that requests with this cookie must contain if they change something.
    pub(crate) fn csrf(&self, cookie: &Cookie) -> String {
        cookie.csrf(&self.token)
    }

    /// The key that signs a schedule's webhooks, in hexadecimal.
    pub(crate) fn webhook_key(&self, schedule: &str) -> String {
        let tag = ring::hmac::sign(&self.token.key("webhook"), schedule.as_bytes());
        tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whether the value belongs to the cookie.
    pub(crate) fn is_csrf(&self, cookie: &Cookie, given: Option<&str>) -> bool {
        use subtle::ConstantTimeEq;
        given.is_some_and(|given| bool::from(given.as_bytes().ct_eq(self.csrf(cookie).as_bytes())))
    }
}
