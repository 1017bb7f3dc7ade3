//! Authentication: programs use one token, which is created at the first start; the page uses a cookie, which it
//! obtains from a link that works once.
//!
//! A cookie is signed with a key that is derived from the token, so it survives a restart and becomes invalid with the
//! token. The CSRF value is derived from the cookie: a page of another origin can make a browser send the cookie, but
//! it cannot know the value.

mod cookie;
mod link;
mod token;

use axum::http::{HeaderMap, header};

pub(crate) use cookie::{COOKIE, Cookie};
pub(crate) use link::Links;
pub(crate) use token::Token;

/// How a request was authenticated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Principal {
    /// A program, by the token.
    Program,
    /// The page, by this cookie.
    Page(Cookie),
}

/// The credentials that the server accepts.
pub(crate) struct Auth {
    token: Token,
    pub(crate) links: Links,
}

impl Auth {
    pub(crate) fn new(token: Token) -> Self {
        Auth { token, links: Links::default() }
    }

    /// The identity of the caller, if the headers prove it.
    pub(crate) fn principal(&self, headers: &HeaderMap) -> Option<Principal> {
        let text = |name| headers.get(name).and_then(|value: &header::HeaderValue| value.to_str().ok());
        if let Some(given) = text(header::AUTHORIZATION) {
            // A wrong token is not replaced by a valid cookie: a client that sends both means the token.
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

    /// A cookie for a browser that used a link.
    pub(crate) fn cookie(&self) -> Result<Cookie, crate::ServeError> {
        Cookie::make(&self.token)
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
