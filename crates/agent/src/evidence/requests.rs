//! Evidence from the responses to requests that the action caused: whether the server accepted them.

use std::collections::HashMap;

use legwork_protocol::{Action, ActionResult, EvidenceKind, LED_TO_LOG_IN, PageEffect};

use super::{EvidenceRule, Finding, FindingSubject, Observed, clipped, url_path::path_of};
use legwork_observe::{Snapshot, sites::is_same_site, wording};

/// The fields of a response whose bare state is reported as a refusal: `status: Failed`.
const STATES: [&str; 4] = ["status", "result", "state", "outcome"];

/// The statuses with which a server does not support a method: the method is not allowed or not implemented.
const UNSUPPORTED: [u16; 2] = [405, 501];

/// The method of a request and its URL without query and fragment.
type Key<'a> = (&'a str, &'a str);

/// A request for a change that was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedChange {
    /// The method of the request.
    pub method: String,
    /// Its URL.
    pub url: String,
    /// The HTTP status of the response, if there was one.
    pub status: Option<u16>,
    /// What happened, to be read after the method and the URL: `was answered with 422`.
    pub reason: String,
}

/// The first change that an action requested from the site of its page and that was not accepted: the server refused
/// it, by its status or in the body of the response, or the connection failed. `page` is the URL before the action.
/// Requests for usage data and to other sites do not count.
pub fn refused_change(action: &Action, result: &ActionResult, page: &str) -> Option<RefusedChange> {
    let names = wording::normalized(result.element.as_deref().unwrap_or_default());
    last_responses(&result.effects).find_map(|effect| {
        let PageEffect::Request { method, url, status, failure, refusal, .. } = effect else { return None };
        let is_own_site = is_same_site(&result.url, url) || is_same_site(page, url);
        if status.is_some_and(|status| UNSUPPORTED.contains(&status)) && is_accepted_otherwise(&result.effects, url) {
            return None;
        }
        if !effect.is_own_change() || is_telemetry(url) || !is_own_site {
            return None;
        }
        // A form that the server validates while it is being filled in is still incomplete.
        let submits = action.carried_out().may_submit();
        let counts = |text: &&str| submits || text.starts_with(LED_TO_LOG_IN);
        let refusal = refusal.as_deref().filter(counts).filter(|text| !is_asked_for(&names, text));
        let reason = match (status, failure, refusal) {
            (Some(status @ 400..), ..) => format!("was answered with {status}"),
            (Some(status), Some(why), _) => format!("was answered with {status}, and the body broke off: {why}"),
            (None, Some(why), _) => format!("got no response: {why}"),
            (Some(status), None, Some(text)) => format!("was answered with {status}, and says: {}", clipped(text)),
            _ => return None,
        };
        Some(RefusedChange { method: method.clone(), url: url.clone(), status: *status, reason })
    })
}

/// Whether the last request for a change at this URL was accepted, with whatever method.
fn is_accepted_otherwise(effects: &[PageEffect], of: &str) -> bool {
    let last = effects.iter().rev().find_map(|effect| match effect {
        PageEffect::Request { url, status, .. } if effect.is_own_change() && path_of(url) == path_of(of) => {
            Some(*status)
        }
        _ => None,
    });
    last.flatten().is_some_and(|status| status < 400)
}

/// The requests with the last response to each. The last one counts: pages renew an access token and send the request
/// again, or retry when a server is busy.
fn last_responses(effects: &[PageEffect]) -> impl DoubleEndedIterator<Item = &PageEffect> {
    let mut last: HashMap<Key<'_>, usize> = HashMap::new();
    for (at, effect) in effects.iter().enumerate() {
        if let PageEffect::Request { method, url, .. } = effect {
            last.insert((method, path_of(url)), at);
        }
    }
    let counts = move |at: usize, effect: &PageEffect| match effect {
        PageEffect::Request { method, url, .. } => last.get(&(method.as_str(), path_of(url))) == Some(&at),
        _ => false,
    };
    effects.iter().enumerate().filter(move |(at, effect)| counts(*at, effect)).map(|(_, effect)| effect)
}

/// Whether the refusal in a response is what the action requested. `names` are the words of its target.
fn is_asked_for(names: &str, refusal: &str) -> bool {
    // `status: Failed` after `Mark as failed`. The words of a message name the action too:
    // `Could not create the order`.
    let state = STATES.iter().find_map(|field| refusal.strip_prefix(field)?.strip_prefix(": "));
    let state = state.map(|state| wording::normalized(state.trim()));
    let is_named = state.is_some_and(|state| state.len() > 3 && names.contains(&state));
    // After `Reject`, the response `status: rejected` is the requested result.
    let is_refusal = wording::is_refusing(names) && wording::is_refusing(&wording::normalized(refusal));
    wording::is_examination(names) || is_named || is_refusal
}

pub(super) fn assess(observed: &Observed<'_>) -> Vec<Finding> {
    last_responses(observed.effects)
        .filter_map(|effect| assess_one(effect, observed))
        .rev()
        .scan(Vec::new(), |accepted, finding| Some(done_instead(finding, accepted)))
        .collect::<Vec<Finding>>()
        .into_iter()
        .rev()
        .collect()
}

/// Makes a refusal neutral if the page afterwards changed a part of the same URL, such as an entry that already
/// existed: `POST /items` answered 409, then `PUT /items/7` answered 204; or if the server does not support the method
/// and accepted another one at the same URL (`PUT` answered 405, then `POST` answered 200). `accepted` are the paths
/// that were accepted later.
fn done_instead(finding: Finding, accepted: &mut Vec<String>) -> Finding {
    let FindingSubject::Request { path, .. } = &finding.subject else { return finding };
    if finding.supports() {
        accepted.push(path.clone());
    }
    let is_below = |later: &String| later.strip_prefix(path.as_str()).is_some_and(|rest| rest.starts_with('/'));
    let is_unsupported =
        UNSUPPORTED.iter().any(|status| finding.evidence.fact.ends_with(&format!("answered {status}")));
    let is_done = finding.rule == EvidenceRule::RequestRefused
        && accepted.iter().any(|later| is_below(later) || is_unsupported && later == path);
    if is_done { finding.neutral() } else { finding }
}

fn assess_one(effect: &PageEffect, observed: &Observed<'_>) -> Option<Finding> {
    let PageEffect::Request { method, url, status, failure, refusal, background, earlier, doubt: _, altered: _ } =
        effect
    else {
        return None;
    };
    let changes = method != "GET" && method != "HEAD";
    let subject = FindingSubject::Request { method: method.clone(), path: path_of(url).to_owned() };
    let address = clipped(url);
    let is_on = |rule: &EvidenceRule| !observed.disabled.contains(rule);
    let names = observed.target_names();
    let is_read = is_on(&EvidenceRule::BodyRefused);
    let refusal = refusal.as_deref().filter(|text| is_read && !is_asked_for(&names, text));
    let (rule, fact) = match (status, failure) {
        (Some(status), _) if *status < 400 && refusal.is_some() => {
            let says = clipped(refusal.unwrap_or_default());
            (EvidenceRule::BodyRefused, format!("{method} {address} answered {status}, and says: {says}"))
        }
        // The head of a response is not sufficient: a server that ended during the response may have rolled back the
        // change.
        (Some(status), Some(why)) if *status < 400 => (
            EvidenceRule::ConnectionError,
            format!("{method} {address} answered {status}, and the body broke off: {why}"),
        ),
        (Some(202), None) if changes && is_on(&EvidenceRule::AcceptedForLater) => {
            (EvidenceRule::AcceptedForLater, format!("{method} {address} answered 202 (accepted, not yet done)"))
        }
        (Some(status), None) if *status < 400 => {
            (EvidenceRule::Response, format!("{method} {address} answered {status}"))
        }
        (Some(status), _) if changes => (EvidenceRule::RequestRefused, format!("{method} {address} answered {status}")),
        (Some(status), _) => (EvidenceRule::DataRefused, format!("{method} {address} answered {status}")),
        (None, Some(why)) => (EvidenceRule::ConnectionError, format!("{method} {address} got no response: {why}")),
        (None, None) => (EvidenceRule::Unanswered, format!("{method} {address} has not been answered yet")),
    };
    let pages = [&observed.after.url, observed.before.map_or(&observed.after.url, |before| &before.url)];
    let is_foreign = !pages.into_iter().any(|page| is_same_site(page, url));
    let rule = match rule {
        _ if (*background || is_telemetry(url)) && is_on(&EvidenceRule::BackgroundRequest) => {
            EvidenceRule::BackgroundRequest
        }
        _ if is_foreign && is_on(&EvidenceRule::ForeignRequest) => EvidenceRule::ForeignRequest,
        rule => rule,
    };
    let fact = if *earlier { format!("{fact} (sent by an earlier action)") } else { fact };
    let finding = Finding::new(rule, EvidenceKind::Response, fact).about(subject).weak(!changes);
    // A lookup is listed only because an earlier one failed. A successful lookup shows no change.
    if !changes && rule == EvidenceRule::Response {
        return Some(finding.neutral());
    }
    // A successful response to an earlier action is no evidence for this one. A refusal must be reported while the step
    // can still react.
    if *earlier && !finding.contradicts() {
        return Some(finding.neutral());
    }
    // Pages that load, or that look something up during typing, send requests that may fail: for a session or an entry
    // that may not exist. The page's messages show whether a failure matters.
    let probes = !changes && (observed.only_opens() || !observed.submits());
    let tells = match rule {
        EvidenceRule::DataRefused => probes || status.is_some_and(|status| !matches!(status, 401 | 403 | 500..)),
        EvidenceRule::ConnectionError => probes,
        // Whether it was a change is judged by the name of the button.
        EvidenceRule::BodyRefused => true,
        _ => false,
    };
    // A form that the server validates while it is being filled in is still incomplete. That the session has ended is
    // no matter of its values.
    let is_session_over = refusal.is_some_and(|text| text.starts_with(LED_TO_LOG_IN));
    let checks = rule == EvidenceRule::BodyRefused && !observed.submits() && !*earlier && !is_session_over;
    // A draft that the page saves by itself is refused until the form is complete. Without a button that saves the
    // form, the field saves itself, and the refusal is about its value.
    let is_draft = rule == EvidenceRule::RequestRefused
        && matches!(status, Some(400 | 409 | 422))
        && !observed.submits()
        && !*earlier
        && has_save_button(observed.after);
    Some(if tells && !changes || checks || is_draft { finding.neutral() } else { finding })
}

/// Whether the page has a button that saves or publishes what is being filled in. `Add` and `New` begin something else.
fn has_save_button(page: &Snapshot) -> bool {
    let saves =
        |name: &str| wording::saves(name) || wording::ends_form(name) || name.to_lowercase().starts_with("publish");
    page.nodes.iter().any(|node| node.role.as_ref() == "button" && saves(&node.name))
}

/// Whether the URL looks like an endpoint for usage data, whose result does not matter.
fn is_telemetry(url: &str) -> bool {
    const NAMES: [&str; 13] = [
        "telemetry",
        "analytics",
        "metrics",
        "beacon",
        "tracking",
        "collect",
        "rum",
        "clientlog",
        "vercel",
        "sentry",
        "posthog",
        "amplitude",
        "mixpanel",
    ];
    is_called(url, &NAMES)
}

/// Whether a segment of the URL's path is one of these words.
pub(super) fn is_called(url: &str, names: &[&str]) -> bool {
    let path = path_of(url).splitn(4, '/').nth(3).unwrap_or_default().to_lowercase();
    path.split(|c: char| !c.is_alphanumeric()).any(|part| names.contains(&part))
}
