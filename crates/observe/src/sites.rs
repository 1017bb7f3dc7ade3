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

fn site_of(host: &str) -> &str {
    psl::domain_str(host).unwrap_or(host)
}

#[cfg(test)]
mod tests {
    use super::*;

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
