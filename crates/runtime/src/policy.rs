//! Which addresses a run may load: allowed domains and schemes, compared on parsed addresses only.
//!
//! The `url` crate parses an address as browsers do, so that case, IDN, trailing dots, user names and numeric hosts are
//! normalized before anything is compared. The policy is enforced below the model: when the agent opens an address, and
//! on every request of a page.

use std::{
    fmt,
    net::{IpAddr, SocketAddr},
};

use thiserror::Error;
use url::{Host, Url};

use crate::own_server::OwnServer;

/// The addresses that a run may load.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// Empty: every site is allowed.
    allowed: Vec<Rule>,
    /// These are refused even if they are allowed.
    blocked: Vec<Rule>,
    /// The server that is never allowed, whatever the rules state.
    own_server: Option<OwnServer>,
}

/// One allowed place: `example.org`, `*.example.org`, `https://example.org`, `localhost:8080`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The text of the rule, for messages.
    text: String,
    /// `http` or `https` if the rule names a scheme.
    scheme: Option<String>,
    /// In the form that `url` returns, without a trailing dot.
    host: String,
    /// Whether subdomains are included.
    includes_subdomains: bool,
    /// `None`: every port.
    port: Option<u16>,
}

/// Why an address is refused, and which ones are allowed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PolicyDenial {
    /// `javascript:` runs code in the page.
    #[error("`javascript:` addresses are refused: they run code in the page; use an action such as click instead")]
    Script,
    /// `file:` reads this machine's disk.
    #[error("`file:` addresses are refused: a page must not read this machine's disk; serve the file over http")]
    File,
    /// `data:` pages have no origin.
    #[error("`data:` addresses are refused: such a page has no origin that a rule could name; serve it over http")]
    Data,
    /// Any other scheme.
    #[error("`{scheme}:` addresses are refused; only http and https can be opened")]
    Scheme {
        /// The scheme.
        scheme: String,
    },
    /// The server that started the run.
    #[error("{place} is Legwork's own server, which no page of a run may reach")]
    OwnServer {
        /// Host and port of the address.
        place: String,
    },
    /// The address is in a blocked domain, or resolves to a blocked address.
    #[error("{place} is blocked by `{rule}` (blocked_domains)")]
    Blocked {
        /// Host and port of the address.
        place: String,
        /// The rule.
        rule: String,
    },
    /// The address is not in an allowed domain.
    #[error("{place} is not allowed; this run may go to {}", list(.allowed))]
    Place {
        /// Host and port of the address.
        place: String,
        /// The allowed domains.
        allowed: Vec<String>,
    },
}

fn list(allowed: &[String]) -> String {
    allowed.join(", ")
}

/// A rule that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("domain {text:?}: {reason}")]
pub struct InvalidRule {
    /// The text of the rule.
    pub text: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl Policy {
    /// Allows every http and https address.
    pub fn anywhere() -> Self {
        Policy::default()
    }

    /// Allows only these places; an empty list allows every site. The error lists every rule that cannot be parsed.
    pub fn only<S: AsRef<str>>(rules: impl IntoIterator<Item = S>) -> Result<Self, Vec<InvalidRule>> {
        Ok(Policy { allowed: read_all(rules)?, ..Policy::default() })
    }

    /// The same policy, which also refuses these places, whatever else allows them. A rule with an IP address also
    /// refuses every name that resolves to it.
    ///
    /// # Errors
    /// Every rule that cannot be parsed.
    pub fn blocking<S: AsRef<str>>(self, rules: impl IntoIterator<Item = S>) -> Result<Self, Vec<InvalidRule>> {
        Ok(Policy { blocked: read_all(rules)?, ..self })
    }

    /// Whether any place is refused. If not, requests do not have to be checked one by one.
    pub fn restricts(&self) -> bool {
        !self.allowed.is_empty() || !self.blocked.is_empty() || self.own_server.is_some()
    }

    /// The same policy, which also refuses the server that listens at this address.
    pub(crate) fn refusing(self, server: Option<OwnServer>) -> Self {
        Policy { own_server: server, ..self }
    }

    /// The rules as text.
    pub fn rules(&self) -> Vec<String> {
        self.allowed.iter().map(ToString::to_string).collect()
    }

    /// Whether this policy allows everything that the rule allows; false for a text that is not a rule.
    pub fn covers(&self, rule: &str) -> bool {
        Rule::read(rule).is_ok_and(|rule| self.allowed.is_empty() || self.allowed.iter().any(|own| own.contains(&rule)))
    }

    /// Checks that the run may open this address itself: http and https only.
    pub fn opens(&self, url: &Url) -> Result<(), PolicyDenial> {
        match url.scheme() {
            "http" | "https" => self.check_place(url),
            "about" if url.path() == "blank" => Ok(()),
            "javascript" => Err(PolicyDenial::Script),
            "file" => Err(PolicyDenial::File),
            "data" => Err(PolicyDenial::Data),
            other => Err(PolicyDenial::Scheme { scheme: other.to_owned() }),
        }
    }

    /// Checks that a page may load this address: documents, frames, scripts, sockets, redirects.
    ///
    /// This allows more than [`Policy::opens`]: `data:` and `blob:` contain data that the page has already, and a
    /// socket is checked by its host.
    pub fn allows(&self, url: &Url) -> Result<(), PolicyDenial> {
        match url.scheme() {
            "ws" | "wss" => self.check_place(url),
            "about" | "data" => Ok(()),
            // `blob:https://example.org/…` belongs to the origin that it names, `blob:null/…` to a page without an
            // origin.
            "blob" => match Url::parse(url.path()) {
                Ok(inner) if matches!(inner.scheme(), "http" | "https") => self.check_place(&inner),
                _ if url.path().starts_with("null/") => Ok(()),
                _ => Err(PolicyDenial::Scheme { scheme: "blob".to_owned() }),
            },
            _ => self.opens(url),
        }
    }

    /// Checks that a connection to this address is allowed. Any name can resolve to the server that started the run.
    pub(crate) fn check_connection(&self, address: SocketAddr) -> Result<(), PolicyDenial> {
        if self.own_server.is_some_and(|server| server.is_bound_to(address)) {
            return Err(PolicyDenial::OwnServer { place: address.to_string() });
        }
        match self.blocked.iter().find(|rule| rule.is_address(address)) {
            Some(rule) => Err(PolicyDenial::Blocked { place: address.to_string(), rule: rule.text.clone() }),
            None => Ok(()),
        }
    }

    fn check_place(&self, url: &Url) -> Result<(), PolicyDenial> {
        if self.own_server.is_some_and(|server| server.is_reached_by(url)) {
            return Err(PolicyDenial::OwnServer { place: place_of(url) });
        }
        if let Some(rule) = self.blocked.iter().find(|rule| rule.matches(url)) {
            return Err(PolicyDenial::Blocked { place: place_of(url), rule: rule.text.clone() });
        }
        if self.allowed.is_empty() || self.allowed.iter().any(|rule| rule.matches(url)) {
            return Ok(());
        }
        Err(PolicyDenial::Place { place: place_of(url), allowed: self.rules() })
    }
}

fn read_all<S: AsRef<str>>(rules: impl IntoIterator<Item = S>) -> Result<Vec<Rule>, Vec<InvalidRule>> {
    let (mut read, mut bad) = (Vec::new(), Vec::new());
    for text in rules {
        match Rule::read(text.as_ref()) {
            Ok(rule) => read.push(rule),
            Err(reason) => bad.push(InvalidRule { text: text.as_ref().to_owned(), reason }),
        }
    }
    if bad.is_empty() { Ok(read) } else { Err(bad) }
}

impl Rule {
    /// Whether the rule names this address. An IPv4 address within an IPv6 address (`::ffff:…`) is that IPv4 address.
    fn is_address(&self, address: SocketAddr) -> bool {
        let host = self.host.trim_start_matches('[').trim_end_matches(']');
        let reached = address.ip().to_canonical();
        // A connection to the unspecified address (`0.0.0.0`, `::`) arrives at this machine.
        let is_this_machine = reached.is_loopback() || reached.is_unspecified();
        let named = match host.parse::<IpAddr>().map(|ip| ip.to_canonical()) {
            Ok(ip) => ip == reached || ip.is_loopback() && reached.is_unspecified(),
            Err(_) => host == "localhost" && is_this_machine,
        };
        named && self.port.is_none_or(|port| port == address.port())
    }

    pub(crate) fn read(text: &str) -> Result<Rule, &'static str> {
        let text = text.trim();
        let (scheme, rest) = match text.split_once("://") {
            Some((scheme, rest)) => (Some(scheme.to_ascii_lowercase()), rest),
            None => (None, text),
        };
        if !matches!(scheme.as_deref(), None | Some("http" | "https")) {
            return Err("only http:// and https:// may stand before a domain");
        }
        let (includes_subdomains, rest) = rest.strip_prefix("*.").map_or((false, rest), |rest| (true, rest));
        if rest.contains('*') {
            return Err("`*` may only stand for what is below a domain, as in *.example.org");
        }
        // Parsed as browsers parse it, with a scheme whose default port is rarely written.
        let url = Url::parse(&format!("ws://{rest}")).map_err(|_| "not a domain such as example.org")?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err("a domain must not contain a user name");
        }
        if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
            return Err("a domain has no path");
        }
        let host = match url.host() {
            Some(Host::Domain(_)) => canonical_host(&url),
            Some(_) if includes_subdomains => return Err("nothing is below an IP address"),
            Some(_) => canonical_host(&url),
            None => return Err("not a domain such as example.org"),
        };
        // `url` drops port 80 for `ws`. If the rule contains it, it was intended.
        let port = url.port().or_else(|| rest.trim_end_matches('/').ends_with(":80").then_some(80));
        Ok(Rule { text: text.to_owned(), scheme, host, includes_subdomains, port })
    }

    /// Whether this rule covers every address of the other rule.
    fn contains(&self, other: &Rule) -> bool {
        let is_below = other.host.strip_suffix(&self.host).is_some_and(|rest| rest.ends_with('.') && rest.len() > 1);
        let has_host = if self.includes_subdomains {
            is_below || other.host == self.host
        } else {
            other.host == self.host && !other.includes_subdomains
        };
        let port_of_scheme = match other.scheme.as_deref() {
            Some("http") => Some(80),
            Some("https") => Some(443),
            _ => None,
        };
        has_host
            && self.port.is_none_or(|port| other.port.or(port_of_scheme) == Some(port))
            && (self.scheme.is_none() || self.scheme == other.scheme)
    }

    /// An address that the rule covers, on this host or below it.
    pub(crate) fn place_on(&self, host: &str) -> Option<Url> {
        let is_below = self.host.strip_suffix(host).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
        let place_host = if is_below { &self.host } else { host };
        let scheme = self.scheme.as_deref().unwrap_or("http");
        let port = self.port.map_or_else(String::new, |port| format!(":{port}"));
        Url::parse(&format!("{scheme}://{place_host}{port}/")).ok().filter(|place| self.matches(place))
    }

    /// Whether the rule applies to this address.
    pub(crate) fn matches(&self, url: &Url) -> bool {
        let host = canonical_host(url);
        let below = || host.strip_suffix(&self.host).is_some_and(|rest| rest.ends_with('.') && rest.len() > 1);
        // A rule for https also covers wss: it is the same server with the same protection.
        let scheme = match url.scheme() {
            "ws" => "http",
            "wss" => "https",
            other => other,
        };
        (host == self.host || (self.includes_subdomains && below()))
            && self.port.is_none_or(|port| url.port_or_known_default() == Some(port))
            && self.scheme.as_deref().is_none_or(|wanted| wanted == scheme)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Host and port, for messages.
fn place_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// `example.org.` is the same host as `example.org`.
fn canonical_host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    // `url` lower-cases the hosts of special schemes only. The inner address of a blob and `ws` have special schemes as
    // well.
    host.strip_suffix('.').unwrap_or(host).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rules: &[&str], url: &str, allowed: bool) {
        let policy = Policy::only(rules).expect("good rules");
        let url = Url::parse(url).expect("an address");
        let got = policy.allows(&url);
        assert_eq!(got.is_ok(), allowed, "{rules:?} {url}: {got:?}");
    }

    #[test]
    fn a_domain_is_itself_only_and_a_star_is_it_and_all_below() {
        check(&["example.org"], "https://example.org/a?b", true);
        check(&["example.org"], "http://example.org:8080/", true);
        check(&["example.org"], "https://www.example.org/", false);
        check(&["*.example.org"], "https://www.example.org/", true);
        check(&["*.example.org"], "https://a.b.example.org/", true);
        check(&["*.example.org"], "https://example.org/", true);
        check(&["*.example.org"], "https://notexample.org/", false);
        check(&["*.example.org"], "https://.example.org/", false);
        check(&["example.org", "localhost"], "http://localhost:3000/", true);
    }

    #[test]
    fn ports_and_schemes_bind_where_they_are_written() {
        check(&["localhost:3000"], "http://localhost:3000/", true);
        check(&["localhost:3000"], "http://localhost:3001/", false);
        check(&["example.org:443"], "https://example.org/", true);
        check(&["example.org:80"], "http://example.org/", true);
        check(&["example.org:80"], "https://example.org/", false);
        check(&["https://example.org"], "http://example.org/", false);
        check(&["https://example.org"], "wss://example.org/live", true);
        check(&["127.0.0.1"], "http://127.0.0.1:9/", true);
        check(&["[::1]:80"], "http://[::1]/", true);
    }

    #[test]
    fn a_rule_covers_the_rules_that_reach_no_further() {
        let check = |own: &str, rule: &str, covered: bool| {
            assert_eq!(Policy::only([own]).expect("a good rule").covers(rule), covered, "{own} {rule}");
        };
        check("example.org", "example.org", true);
        check("example.org", "https://example.org:8443", true);
        check("example.org", "*.example.org", false);
        check("example.org", "www.example.org", false);
        check("*.example.org", "*.example.org", true);
        check("*.example.org", "*.www.example.org", true);
        check("*.example.org", "example.org", true);
        check("*.example.org", "*.notexample.org", false);
        check("https://example.org", "https://example.org", true);
        check("https://example.org", "example.org", false);
        check("https://example.org", "http://example.org", false);
        check("example.org:443", "https://example.org", true);
        check("example.org:443", "example.org", false);
        check("example.org:443", "http://example.org", false);
        check("example.org", "no rule at all", false);
    }

    #[test]
    fn disguises_are_taken_off_before_comparing() {
        // The host is the part after the last @ of the authority.
        check(&["example.org"], "https://example.org@evil.test/", false);
        check(&["example.org"], "https://example.org%2f@evil.test/", false);
        check(&["example.org"], "https://user:pw@example.org/", true);
        check(&["example.org"], "https://EXAMPLE.org./", true);
        check(&["Example.ORG."], "https://example.org/", true);
        check(&["example.org"], "https://example.org.evil.test/", false);
        check(&["example.org"], "https://evil.test/#example.org", false);
        check(&["example.org"], "https:\\\\evil.test\\example.org", false);
        check(&["example.org"], "https://ex\tample.org/", true);
        check(&["bücher.example"], "https://xn--bcher-kva.example/", true);
        check(&["xn--bcher-kva.example"], "https://BÜCHER.example/", true);
        // A Cyrillic a is a different host.
        check(&["apple.example"], "https://\u{430}pple.example/", false);
        // Numeric forms of an address are that address.
        check(&["127.0.0.1"], "http://2130706433/", true);
        check(&["127.0.0.1"], "http://0x7f.1/", true);
        check(&["example.org"], "http://2130706433/", false);
    }

    #[test]
    fn what_is_blocked_is_refused_by_name_and_by_resolved_address() {
        let policy = Policy::only(["*.example.org"]).expect("good rules");
        let policy = policy.blocking(["ads.example.org", "10.0.0.7", "[::1]:80", "*.evil.test"]).expect("good rules");
        let allows =
            |url: &str| policy.allows(&Url::parse(url).expect("an address")).map_err(|denial| denial.to_string());
        assert_eq!(allows("https://www.example.org/"), Ok(()));
        let blocked = "ads.example.org is blocked by `ads.example.org` (blocked_domains)".to_owned();
        assert_eq!(allows("https://ads.example.org/"), Err(blocked));
        let connects = |address: &str| policy.check_connection(address.parse().expect("an address")).is_ok();
        assert!(!connects("10.0.0.7:443") && !connects("[::ffff:10.0.0.7]:443") && !connects("[::1]:80"));
        assert!(connects("10.0.0.8:443") && connects("[::1]:81"));
        let this_machine = |rule: &str, address: &str| {
            let policy = Policy::anywhere().blocking([rule]).expect("a good rule");
            policy.check_connection(address.parse().expect("an address")).is_err()
        };
        for (rule, address) in [
            ("127.0.0.1", "127.0.0.1:80"),
            ("127.0.0.1", "0.0.0.0:80"),
            ("[::1]", "[::]:80"),
            ("localhost", "[::1]:80"),
            ("localhost", "0.0.0.0:80"),
        ] {
            assert!(this_machine(rule, address), "{rule} blocks {address}");
        }
        assert!(!this_machine("10.0.0.1", "0.0.0.0:80") && !this_machine("localhost", "10.0.0.1:80"));
        let only_blocked = Policy::anywhere().blocking(["evil.test"]).expect("a good rule");
        assert!(only_blocked.restricts());
        assert!(only_blocked.allows(&Url::parse("http://evil.test/").expect("an address")).is_err());
        assert!(only_blocked.allows(&Url::parse("http://good.test/").expect("an address")).is_ok());
    }

    #[test]
    fn pages_may_use_what_they_have() {
        check(&["example.org"], "data:image/png;base64,AAAA", true);
        check(&["example.org"], "about:srcdoc", true);
        check(&["example.org"], "blob:https://example.org/8d1c", true);
        check(&["example.org"], "blob:https://evil.test/8d1c", false);
        check(&["example.org"], "blob:file:///etc/passwd", false);
        check(&["example.org"], "wss://evil.test/", false);
        check(&["example.org"], "file:///etc/passwd", false);
    }

    #[test]
    fn each_refused_scheme_has_its_message_whatever_the_rules() {
        let policy = Policy::anywhere();
        assert!(!policy.restricts());
        let refused = |url: &str| policy.opens(&Url::parse(url).expect("an address")).expect_err("refused").to_string();
        insta::assert_snapshot!(
            ["javascript:alert(1)", "FILE:///etc/passwd", "data:text/html,x", "chrome://settings", "view-source:https://a.b"]
                .map(refused)
                .join("\n"),
            @r"
        `javascript:` addresses are refused: they run code in the page; use an action such as click instead
        `file:` addresses are refused: a page must not read this machine's disk; serve the file over http
        `data:` addresses are refused: such a page has no origin that a rule could name; serve it over http
        `chrome:` addresses are refused; only http and https can be opened
        `view-source:` addresses are refused; only http and https can be opened
        "
        );
        policy.opens(&Url::parse("about:blank").expect("an address")).expect("a blank page");
    }

    #[test]
    fn a_refusal_names_what_is_allowed_and_bad_rules_are_all_listed() {
        let policy = Policy::only(["example.org", "*.example.net:8080"]).expect("good rules");
        let refusal = policy.opens(&Url::parse("https://evil.test:444/x").expect("an address")).expect_err("refused");
        assert_eq!(
            refusal.to_string(),
            "evil.test:444 is not allowed; this run may go to example.org, *.example.net:8080"
        );

        let bad = Policy::only(["ok.test", "ftp://a.b", "a.*.b", "*", "a.b/path", "me@a.b", "*.127.0.0.1", ""]);
        let bad: Vec<String> = bad.expect_err("bad rules").iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(bad.join("\n"), @r#"
        domain "ftp://a.b": only http:// and https:// may stand before a domain
        domain "a.*.b": `*` may only stand for what is below a domain, as in *.example.org
        domain "*": `*` may only stand for what is below a domain, as in *.example.org
        domain "a.b/path": a domain has no path
        domain "me@a.b": a domain must not contain a user name
        domain "*.127.0.0.1": nothing is below an IP address
        domain "": not a domain such as example.org
        "#);
    }
}
