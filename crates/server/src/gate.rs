//! The names under which the server accepts requests, and the rate limit.

use std::{net::SocketAddr, time::Duration};

use axum::{
    extract::Request,
    http::{HeaderMap, StatusCode, header, uri::Authority},
};
use legwork::protocol::Code;
use legwork_access::RequestLimiter;
use url::Url;

use crate::error::ApiError;

/// The origin of the extension with the side panel. Its id follows from the key in `extension/public/manifest.json`.
pub(crate) const EXTENSION_ORIGIN: &str = "chrome-extension://elponlmhahmnbnjlpmbkjlfinkjpacfg";

/// The names under which the server accepts requests, and the rate limit.
pub(crate) struct Gate {
    /// `host:port`, and `host` if the port is the default of the scheme.
    hosts: Vec<String>,
    origins: Vec<String>,
    rate: RequestLimiter,
}

impl Gate {
    /// The gate of a server at this address, with the names of its certificate, behind this origin.
    pub(crate) fn new(
        scheme: &str,
        address: SocketAddr,
        certified: &[String],
        proxy: Option<&Url>,
        per_second: u32,
    ) -> Self {
        let port = address.port();
        let mut names: Vec<String> = ["127.0.0.1", "localhost", "[::1]"].map(str::to_owned).into();
        names.extend(certified.iter().cloned());
        if scheme == "https" && !address.ip().is_unspecified() {
            let shown = SocketAddr::new(address.ip(), 0).to_string();
            names.push(shown.trim_end_matches(":0").to_owned());
        }
        let mut hosts: Vec<String> = names.iter().map(|name| format!("{name}:{port}")).collect();
        let mut origins: Vec<String> = hosts.iter().map(|host| format!("{scheme}://{host}")).collect();
        if port == if scheme == "https" { 443 } else { 80 } {
            origins.extend(names.iter().map(|name| format!("{scheme}://{name}")));
            hosts.extend(names);
        }
        if let Some(url) = proxy {
            origins.push(url.origin().ascii_serialization());
            let host = url.host_str().unwrap_or_default();
            hosts.push(url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")));
            if let Some(port) = url.port_or_known_default() {
                hosts.push(format!("{host}:{port}"));
            }
        }
        Gate { hosts, origins, rate: RequestLimiter::per_second(per_second) }
    }

    /// Counts a request.
    pub(crate) fn rate(&self) -> Result<(), ApiError> {
        self.rate.check().map_err(|wait| too_many("too many requests", wait))
    }

    pub(crate) fn host(&self, request: &Request) -> Result<(), ApiError> {
        let mut given = request.headers().get_all(header::HOST).iter();
        let (first, second) = (given.next(), given.next());
        // An absolute address in the request line has precedence over the header, so it must be known too.
        let line = request.uri().authority().map(Authority::as_str);
        let known = |host: &str| self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host));
        let host = first.and_then(|host| host.to_str().ok());
        if second.is_none() && host.is_some_and(known) && line.is_none_or(known) {
            return Ok(());
        }
        Err(forbidden("the Host header is not one of the server's names")
            .suggest("Use the address that `legwork serve` printed."))
    }

    /// Whether the request is from the extension of the side panel. A page cannot send this Origin.
    pub(crate) fn is_extension(&self, headers: &HeaderMap) -> bool {
        let mut given = headers.get_all(header::ORIGIN).iter();
        let is_own = given.next().is_some_and(|origin| origin.as_bytes() == EXTENSION_ORIGIN.as_bytes());
        is_own && given.next().is_none()
    }

    /// Whether the request has an Origin. Fails if it is not one of the server's.
    pub(crate) fn origin(&self, headers: &HeaderMap) -> Result<bool, ApiError> {
        let mut given = headers.get_all(header::ORIGIN).iter();
        let (first, second) = (given.next(), given.next());
        let Some(origin) = first else { return Ok(false) };
        if second.is_none() && self.origins.iter().any(|known| known.as_bytes() == origin.as_bytes()) {
            return Ok(true);
        }
        Err(forbidden("requests from this Origin are refused"))
    }
}

pub(crate) fn forbidden(message: &str) -> ApiError {
    ApiError::new(StatusCode::FORBIDDEN, Code::Unauthenticated, message)
}

/// The refusal of a request that may be repeated after this time.
pub(crate) fn too_many(message: &str, wait: Duration) -> ApiError {
    let mut refused = ApiError::new(StatusCode::TOO_MANY_REQUESTS, Code::ApiRateLimit, message);
    refused.retry_after = Some(wait.as_secs() + 1);
    refused
}
