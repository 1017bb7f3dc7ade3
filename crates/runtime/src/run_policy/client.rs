//! What a client writes beside actions: cookies and routes. They are decided as writing on the site that they reach.

use std::collections::BTreeSet;

use legwork_protocol::PolicyEffect;
use url::Url;

use super::{PagePlace, RunPolicy};
use crate::action_policy::{ActionClass, Ruling};

impl RunPolicy {
    /// Decides about a cookie for this host, which its server receives on every port. `page` is the address of the page.
    pub(crate) fn decide_cookie(&self, host: &str, is_secure: bool, page: &str) -> Ruling {
        let host = host.trim_start_matches('.');
        let is_of_page = Url::parse(page).is_ok_and(|page| page.host_str() == Some(host));
        let scheme = if is_secure { "https" } else { "http" };
        let base = match host.contains(['/', '\\', '@', '?', '#']) {
            // No host: its place is none that a rule could name.
            true => "cookie:".to_owned(),
            false if is_of_page => page.to_owned(),
            false => format!("{scheme}://{host}/"),
        };
        let decide = |url: &str| {
            let place = PagePlace { url, dialog: None, drop: None };
            self.decide_classes("cookie", BTreeSet::from([ActionClass::Write]), &place)
        };
        let ruling = decide(&base);
        // A rule with a port, or for a subdomain, stands against the cookie too.
        let stricter = self.layers.places_of(host).into_iter().map(|place| decide(place.as_str()));
        let mut stricter = stricter.filter(|other| other.by_file && other.decision.effect > ruling.decision.effect);
        stricter.next().unwrap_or(ruling)
    }

    /// Decides about a change of all requests whose addresses match a pattern. One that does not state its host could change
    /// requests to any site.
    pub(crate) fn decide_route(&self, pattern: &str) -> Ruling {
        let site = site_of_pattern(pattern);
        // An address without a host that is not blank is that of no site.
        let url = site.as_ref().map_or("pattern:", Url::as_str);
        let place = PagePlace { url, dialog: None, drop: None };
        let mut ruling = self.decide_classes("route", BTreeSet::from([ActionClass::Write]), &place);
        let is_allowed_by_rule = ruling.by_file && ruling.decision.effect == PolicyEffect::Allow;
        let stands_against = self.layers.refusing_rule();
        if site.is_none() && !is_allowed_by_rule && (self.has_default || stands_against.is_some()) {
            ruling.decision.effect = PolicyEffect::Deny;
            if let (false, Some(label)) = (self.has_default, stands_against) {
                ruling.decision.rule = label.to_owned();
            }
            ruling.decision.reason = format!("the pattern {pattern:?} could match addresses of any site");
            ruling.hint = "write the host into the pattern, such as `https://shop.example/**`".to_owned();
        }
        ruling
    }
}

/// The site of all addresses that match a pattern, if the pattern states the host.
fn site_of_pattern(pattern: &str) -> Option<Url> {
    let (scheme, rest) = pattern.split_once("://")?;
    let (host, _) = rest.split_once('/')?;
    let is_literal = host.chars().all(|c| c.is_ascii_alphanumeric() || ".-:[]".contains(c));
    let is_known = matches!(scheme, "http" | "https" | "ws" | "wss");
    Url::parse(&format!("{scheme}://{host}/")).ok().filter(|_| is_known && is_literal)
}
