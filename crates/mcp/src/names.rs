//! The names under which the HTTP server accepts requests. A page of another site can reach a server of this machine
//! under a name of its own (DNS rebinding), and its requests have its Origin.

use std::net::Ipv6Addr;

use axum::http::{HeaderMap, HeaderName, HeaderValue, Request, header, uri::Authority};
use url::Url;

/// The accepted `Host` and `Origin` headers.
pub(crate) struct Names {
    /// Names without a port apply to every port.
    hosts: Vec<String>,
    /// As browsers send them.
    origins: Vec<String>,
}

impl Names {
    /// The names of the loopback interface at this port, and those that the user allowed.
    ///
    /// # Errors
    /// The first text that is not an origin.
    pub(crate) fn new(port: u16, hosts: Vec<String>, origins: &[String]) -> Result<Names, String> {
        let local = ["localhost", "127.0.0.1", "[::1]"];
        let hosts = hosts.into_iter().map(|host| match host.parse::<Ipv6Addr>() {
            Ok(address) => format!("[{address}]"),
            Err(_) => host,
        });
        let hosts = local.map(str::to_owned).into_iter().chain(hosts).collect();
        // Pages at the server's own port have its own origin, and the server serves no pages.
        let own = local.iter().map(|host| format!("http://{host}:{port}"));
        let allowed = origins.iter().map(|text| origin(text).ok_or_else(|| text.clone()));
        let origins = own.map(Ok).chain(allowed).collect::<Result<_, _>>()?;
        Ok(Names { hosts, origins })
    }

    /// Whether the request names this server, and comes from no page or from an allowed one. Other spellings are
    /// refused: a second header, a user name, a path, an origin in another case. No browser sends them.
    pub(crate) fn accept<B>(&self, request: &Request<B>) -> bool {
        let headers = request.headers();
        let host = only(headers, &header::HOST).and_then(|host| host?.to_str().ok());
        // An absolute address in the request line has precedence over the header, so it must be known too.
        let line = request.uri().authority().map(Authority::as_str);
        let Some(origin) = only(headers, &header::ORIGIN) else { return false };
        host.is_some_and(|host| self.is_host(host))
            && line.is_none_or(|line| self.is_host(line))
            && origin.is_none_or(|origin| self.origins.iter().any(|known| known.as_bytes() == origin.as_bytes()))
    }

    fn is_host(&self, given: &str) -> bool {
        let Ok(authority) = given.parse::<Authority>() else { return false };
        let known = |known: &String| known.eq_ignore_ascii_case(given) || known.eq_ignore_ascii_case(authority.host());
        !given.contains('@') && self.hosts.iter().any(known)
    }
}

/// The header, if there is one; `None` if there are several.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<Option<&'a HeaderValue>> {
    let mut given = headers.get_all(name).iter();
    let first = given.next();
    given.next().is_none().then_some(first)
}

/// The text of the `Origin` header of a page with this address; `None` if it is not the address of a site.
fn origin(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let is_site = matches!(url.path(), "" | "/") && url.query().is_none() && url.username().is_empty();
    let host = url.host_str().filter(|host| is_site && !host.contains('*'))?;
    Some(match url.origin() {
        origin if origin.is_tuple() => origin.ascii_serialization(),
        // The page of a browser extension.
        _ => format!("{}://{host}", url.scheme()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(hosts: &[&str], origins: &[&str]) -> Result<Names, String> {
        let texts = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        Names::new(8931, texts(hosts), &texts(origins))
    }

    fn is_accepted(names: &Names, line: &str, host: &str, origin: Option<&str>) -> bool {
        let mut request = Request::builder().uri(line).header(header::HOST, host);
        if let Some(origin) = origin {
            request = request.header(header::ORIGIN, origin);
        }
        names.accept(&request.body(()).expect("a request"))
    }

    #[test]
    fn an_origin_is_compared_as_a_browser_sends_it() {
        for (allowed, sent) in [
            ("https://app.example:443", "https://app.example"),
            ("https://App.example/", "https://app.example"),
            ("http://localhost:3000", "http://localhost:3000"),
            ("chrome-extension://abcdef", "chrome-extension://abcdef"),
        ] {
            let names = names(&[], &[allowed]).expect("an origin");
            assert!(is_accepted(&names, "/mcp", "localhost:8931", Some(sent)), "{allowed}");
            assert!(!is_accepted(&names, "/mcp", "localhost:8931", Some("https://other.example")), "{allowed}");
        }
        for text in ["http://app.example:*", "https://*.example", "app.example", "https://app.example/page", "*", ""] {
            assert_eq!(names(&[], &[text]).err().as_deref(), Some(text));
        }
    }

    #[test]
    fn the_host_of_the_request_line_must_be_known_too() {
        let names = names(&["browser.lan", "other.lan:80", "::2"], &[]).expect("names");
        for (line, host, expected) in [
            ("/mcp", "localhost:8931", true),
            ("/mcp", "[::1]:8931", true),
            ("/mcp", "[::2]:8931", true),
            ("/mcp", "Browser.lan:1", true),
            ("/mcp", "other.lan:80", true),
            ("/mcp", "other.lan:81", false),
            ("/mcp", "evil.example", false),
            ("/mcp", "evil.example@localhost", false),
            ("http://localhost:8931/mcp", "localhost:8931", true),
            ("http://evil.example/mcp", "localhost:8931", false),
        ] {
            assert_eq!(is_accepted(&names, line, host, None), expected, "{line} {host}");
        }
    }
}
