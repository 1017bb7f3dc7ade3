//! Who may ask: one token for programs, made at the first start; for the page a cookie, got by a link that works once.
//!
//! A cookie is signed with a key that is derived from the token, so that it outlives a restart and dies with the token. The
//! CSRF value is derived from the cookie: a page of another origin can send the cookie along, and cannot know the value.

mod cookie;
mod link;
mod token;

use axum::http::{HeaderMap, header};

pub(crate) use cookie::{COOKIE, Cookie};
pub(crate) use link::Links;
pub(crate) use token::Token;

/// How a request showed who it is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Principal {
    /// A program, with the token.
    Program,
    /// The page, with this cookie.
    Page(Cookie),
}

/// Everything that says who may ask.
pub(crate) struct Auth {
    token: Token,
    pub(crate) links: Links,
}

impl Auth {
    pub(crate) fn new(token: Token) -> Self {
        Auth { token, links: Links::default() }
    }

    /// Who asks, as far as the headers tell.
    pub(crate) fn who(&self, headers: &HeaderMap) -> Option<Principal> {
        let text = |name| headers.get(name).and_then(|value: &header::HeaderValue| value.to_str().ok());
        if let Some(given) = text(header::AUTHORIZATION) {
            // With a wrong token a good cookie does not help: whoever sends both means the token.
            let (scheme, given) = given.split_once(' ')?;
            return (scheme.eq_ignore_ascii_case("bearer") && self.token.is(given.trim()))
                .then_some(Principal::Program);
        }
        let mut cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        cookies.find_map(|line| {
            line.split(';').find_map(|pair| {
                let (name, value) = pair.trim().split_once('=')?;
                if name != COOKIE {
                    return None;
                }
                Cookie::read(value, &self.token).map(Principal::Page)
            })
        })
    }

    /// A cookie for whoever used a link.
    pub(crate) fn cookie(&self) -> Result<Cookie, crate::ServeError> {
        Cookie::make(&self.token)
    }

    /// What state-changing requests with this cookie must carry.
    pub(crate) fn csrf(&self, cookie: &Cookie) -> String {
        cookie.csrf(&self.token)
    }

    /// The key that a schedule's webhooks are signed with, in hexadecimal.
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
