//! The part of a URL by which requests and pages are compared.

pub(super) fn path_of(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or(url)
}
