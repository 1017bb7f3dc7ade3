//! Which URLs belong together.

use url::{Host, Url};

/// Whether both URLs belong to one site: their hosts have the same registrable domain (`shop.co.uk`) or are the same
/// address. Loopback hosts with different ports are one site.
pub fn is_same_site(page: &str, request: &str) -> bool {
    let (Ok(page), Ok(request)) = (Url::parse(page), Url::parse(request)) else { return false };
    let (Some(page), Some(request)) = (page.host(), request.host()) else { return false };
    match (page, request) {
        (Host::Domain(page), Host::Domain(request)) => site_of(page) == site_of(request),
        (page, request) => page == request,
    }
}

/// The site of a URL: the registrable domain of its host, or its address. `None` for a URL without a host, such as
/// `about:blank`. Two URLs have the same site if and only if [`is_same_site`] says so.
pub fn site(url: &Url) -> Option<String> {
    Some(match url.host()? {
        Host::Domain(host) => site_of(host.strip_suffix('.').unwrap_or(host)).to_owned(),
        Host::Ipv4(address) => address.to_string(),
        Host::Ipv6(address) => format!("[{address}]"),
    })
}

/// The origin of an http or https URL as text, `https://shop.example:8443`; empty for any other URL.
pub fn origin_of(url: &str) -> String {
    match Url::parse(url) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => url.origin().ascii_serialization(),
        _ => String::new(),
    }
}

/// Whether the host ends with a suffix of the public suffix list that is listed by name, such as `org` or `co.uk`.
/// File names such as `report.pdf` do not.
pub fn has_known_suffix(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    psl::domain(host.as_bytes()).is_some_and(|domain| domain.suffix().is_known())
}

/// Whether the URL is the front page of a public site, `https://shop.co.uk/` or `https://www.shop.co.uk/`: it names the
/// site and nothing else. The name of a subdomain could carry a text, and so could a name under a suffix of a company
/// (`github.io`), which serves any name or shows it to whoever has it.
pub fn is_front_page(url: &Url) -> bool {
    let Some(Host::Domain(host)) = url.host() else { return false };
    let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none() && url.port().is_none();
    let has_credentials = !url.username().is_empty() || url.password().is_some();
    let is_site = site_of(host) == host.strip_prefix("www.").unwrap_or(host);
    matches!(url.scheme(), "http" | "https") && is_bare && !has_credentials && is_site && has_registry_suffix(host)
}

/// The name of a site before its public suffix: `shop` in `www.shop.co.uk`.
pub fn site_name(url: &Url) -> Option<&str> {
    let Some(Host::Domain(host)) = url.host() else { return None };
    let site = site_of(host);
    Some(site.split_once('.').map_or(site, |(name, _)| name))
}

/// Whether the host ends with a suffix of a registry, such as `org`, and not with one of a company, such as
/// `github.io`.
fn has_registry_suffix(host: &str) -> bool {
    psl::domain(host.as_bytes()).is_some_and(|domain| domain.suffix().typ() == Some(psl::Type::Icann))
}

fn site_of(host: &str) -> &str {
    psl::domain_str(host).unwrap_or(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_front_page_names_a_public_site_and_nothing_else() {
        for url in ["https://shop.co.uk/", "http://www.example.org", "https://example.org/?".trim_end_matches('?')] {
            assert!(is_front_page(&Url::parse(url).unwrap()), "{url}");
        }
        for url in [
            "https://tulip.example.org/",
            "https://tulip.github.io/",
            "https://tulip.blogspot.com/",
            "https://example.org/tulip",
            "https://example.org/?q=tulip",
            "https://example.org/#tulip",
            "https://tulip@example.org/",
            "https://example.org:8443/",
            "http://127.0.0.1/",
            "http://localhost/",
            "http://router/",
            "ftp://example.org/",
        ] {
            assert!(!is_front_page(&Url::parse(url).unwrap()), "{url}");
        }
    }

    #[test]
    fn a_url_has_a_site_and_an_origin() {
        let both = |url: &str| (Url::parse(url).ok().as_ref().and_then(site), origin_of(url));
        let check = |url: &str, site: &str, origin: &str| assert_eq!(both(url), (Some(site.into()), origin.into()));
        check("https://www.Shop.co.uk:8443/a?b#c", "shop.co.uk", "https://www.shop.co.uk:8443");
        check("https://shop.co.uk./", "shop.co.uk", "https://shop.co.uk.");
        check("http://127.0.0.1:8000/", "127.0.0.1", "http://127.0.0.1:8000");
        check("http://[::1]/", "[::1]", "http://[::1]");
        assert_eq!(both("about:blank"), (None, String::new()));
        assert_eq!(both("no url"), (None, String::new()));
    }

    #[test]
    fn hosts_of_one_owner_are_one_site() {
        let same = |page, request| is_same_site(&format!("http://{page}/x"), &format!("http://{request}/y"));
        assert!(same("shop.example.com", "api.example.com"));
        assert!(same("example.com", "api.example.com"));
        assert!(same("www.shop.co.uk", "api.shop.co.uk"));
        assert!(same("127.0.0.1:8000", "127.0.0.1:9000"));
        assert!(same("localhost", "localhost:81"));
        assert!(!same("a.co.uk", "b.co.uk"));
        assert!(!same("a.github.io", "b.github.io"));
        assert!(!same("shop.com", "tracker.net"));
        assert!(!same("127.0.0.1", "localhost"));
    }
}
