//! The responses to what the action sent: whether the server accepted it.

use std::collections::HashMap;

use legwork_protocol::{EvidenceKind, PageEffect};
use url::Url;

use super::{EvidenceRule, Finding, Observed, Subject, clipped};

/// A request's method and its address without query and fragment.
type Key<'a> = (&'a str, &'a str);

pub(super) fn assess(observed: &Observed<'_>) -> Vec<Finding> {
    // An access token is renewed and the request sent again, a server that was busy is asked once more: the last one counts.
    let mut last: HashMap<Key<'_>, usize> = HashMap::new();
    for (at, effect) in observed.effects.iter().enumerate() {
        if let PageEffect::Request { method, url, .. } = effect {
            last.insert((method, path_of(url)), at);
        }
    }
    let counts = |at: usize, effect: &PageEffect| match effect {
        PageEffect::Request { method, url, .. } => last.get(&(method.as_str(), path_of(url))) == Some(&at),
        _ => false,
    };
    observed
        .effects
        .iter()
        .enumerate()
        .filter(|(at, effect)| counts(*at, effect))
        .filter_map(|(_, effect)| assess_one(effect, observed))
        .collect()
}

fn assess_one(effect: &PageEffect, observed: &Observed<'_>) -> Option<Finding> {
    let PageEffect::Request { method, url, status, failure, background } = effect else { return None };
    let changes = method != "GET" && method != "HEAD";
    let subject = Subject::Request { method: method.clone(), path: path_of(url).to_owned() };
    let address = clipped(url);
    let (rule, fact) = match (status, failure) {
        // A response whose body broke off was given all the same.
        (Some(status), _) if *status < 400 => (EvidenceRule::Response, format!("{method} {address} answered {status}")),
        (Some(status), _) if changes => (EvidenceRule::RequestRefused, format!("{method} {address} answered {status}")),
        (Some(status), _) => (EvidenceRule::DataRefused, format!("{method} {address} answered {status}")),
        (None, Some(why)) => (EvidenceRule::ConnectionError, format!("{method} {address} got no response: {why}")),
        (None, None) => (EvidenceRule::Unanswered, format!("{method} {address} has not been answered yet")),
    };
    let is_on = |rule: &EvidenceRule| !observed.disabled.contains(rule);
    let pages = [&observed.after.url, observed.before.map_or(&observed.after.url, |before| &before.url)];
    let is_foreign = !pages.into_iter().any(|page| is_same_site(page, url));
    let rule = match rule {
        _ if *background && is_on(&EvidenceRule::BackgroundRequest) => EvidenceRule::BackgroundRequest,
        _ if is_foreign && is_on(&EvidenceRule::ForeignRequest) => EvidenceRule::ForeignRequest,
        rule => rule,
    };
    let finding = Finding::new(rule, EvidenceKind::Response, fact).about(subject).weak(!changes);
    // Pages that load, or that look something up while one types, probe: a session that may not be there, an entry that may
    // not exist. What that means the page says.
    let probes = !changes && (observed.only_opens() || !observed.submits());
    let tells = matches!(rule, EvidenceRule::DataRefused | EvidenceRule::ConnectionError)
        && (probes || status.is_some_and(|status| !matches!(status, 401 | 403 | 500..)));
    Some(if tells && !changes { finding.neutral() } else { finding })
}

pub(super) fn path_of(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or(url)
}

/// Whether both addresses are of one site: the same host, one below the other, or two below the same registrable name. What
/// is registrable is taken to be the last two labels, or three where the last but one is short (`co.uk`); loopback hosts with
/// different ports are one site.
fn is_same_site(page: &str, request: &str) -> bool {
    let (Ok(page), Ok(request)) = (Url::parse(page), Url::parse(request)) else { return false };
    let (Some(page), Some(request)) = (page.host(), request.host()) else { return false };
    match (page, request) {
        (url::Host::Domain(page), url::Host::Domain(request)) => site_of(page) == site_of(request),
        (page, request) => page == request,
    }
}

fn site_of(host: &str) -> &str {
    let dots: Vec<usize> = host.rmatch_indices('.').map(|(at, _)| at).collect();
    let short = |last: usize, before: usize| last - before - 1 <= 3;
    match dots.as_slice() {
        [last, second, rest @ ..] if short(*last, *second) && host.len() - last - 1 == 2 => {
            rest.first().map_or(host, |at| &host[at + 1..])
        }
        [_, second, ..] => &host[second + 1..],
        _ => host,
    }
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
        assert!(!same("shop.com", "tracker.net"));
        assert!(!same("127.0.0.1", "localhost"));
    }
}
