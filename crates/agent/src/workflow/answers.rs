//! What recorded requests show about an action whose result was lost: a response to its request shows that the site
//! accepted it, whichever process ended afterwards.

use legwork_protocol::{Evidence, EvidenceKind, NetworkError, RequestLine};

/// The maximum number of requests in a description.
const MAX_REQUESTS: usize = 3;

/// The evidence that the site accepted an action that was executed on the page at `url`. All requests that may change
/// something there must have a successful response, because any one that was refused or is unanswered may be the
/// important one. A document that responds to a form with status 200 is no evidence: it may be the same form with
/// errors.
pub(super) fn evidence(requests: &[RequestLine], url: &str) -> Option<Evidence> {
    let mut sent = requests.iter().filter(|line| changes(line) && is_of_site(&line.url, url)).peekable();
    let last = latest(&mut sent)?;
    let status = last.status?;
    Some(Evidence::seen(EvidenceKind::Response, format!("{} {} was answered with {status}", last.method, last.url)))
}

/// The last of the requests, if all have a successful response.
fn latest<'a>(sent: &mut dyn Iterator<Item = &'a RequestLine>) -> Option<&'a RequestLine> {
    // A request may be reported twice: while it is pending and at its end.
    let mut by_number = std::collections::BTreeMap::new();
    sent.for_each(|line| {
        by_number.insert(line.number, line);
    });
    let took = |line: &&RequestLine| match line.status {
        // A response whose body was interrupted does not count. If the page no longer needs a body, it aborts the
        // response itself.
        _ if line.failure.as_deref().is_some_and(|why| NetworkError::of(why) != NetworkError::Aborted) => false,
        Some(200) => line.kind != "document",
        Some(status) => (201..400).contains(&status),
        None => false,
    };
    by_number.values().all(took).then(|| by_number.into_values().next_back())?
}

/// The requests that may change something, and their responses.
pub(super) fn in_words(requests: &[RequestLine]) -> Option<String> {
    let mut sent: Vec<&RequestLine> = Vec::new();
    for line in requests.iter().filter(|line| changes(line)) {
        sent.retain(|known| known.number != line.number);
        sent.push(line);
    }
    let words = sent.iter().rev().take(MAX_REQUESTS).rev().map(|line| {
        let answer = match (line.status, &line.failure) {
            (Some(status), None) => format!("was answered with {status}"),
            (Some(status), Some(failure)) => format!("was answered with {status} and broke off ({failure})"),
            (None, Some(failure)) => format!("failed ({failure})"),
            (None, None) => "was not answered".to_owned(),
        };
        format!("{} {} {answer}", line.method, line.url)
    });
    let words = words.collect::<Vec<_>>().join(", ");
    (!words.is_empty()).then_some(words)
}

/// Whether the request may change something. A ping only reports user activity.
pub(super) fn changes(line: &RequestLine) -> bool {
    matches!(&*line.method, "POST" | "PUT" | "PATCH" | "DELETE") && line.kind != "ping"
}

/// Whether the URL belongs to the page's own site: its host, a parent domain or a subdomain. Requests to other sites
/// are usually for analytics.
fn is_of_site(address: &str, page: &str) -> bool {
    let (Some(asked), Some(own)) = (host(address), host(page)) else { return false };
    let below = |a: &str, b: &str| a.strip_suffix(b).is_some_and(|rest| rest.ends_with('.'));
    asked == own || below(asked, own) || below(own, asked)
}

fn host(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let end = host.rfind(':').filter(|at| host[at + 1..].bytes().all(|byte| byte.is_ascii_digit()));
    Some(&host[..end.unwrap_or(host.len())])
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::workflow) fn line(
        number: u64,
        method: &str,
        url: &str,
        kind: &str,
        status: Option<u16>,
    ) -> RequestLine {
        RequestLine {
            number,
            method: method.into(),
            url: url.into(),
            kind: kind.into(),
            status,
            media_type: None,
            duration: None,
            bytes: None,
            failure: None,
            tab: 1,
            at: "2026-01-01T00:00:00Z".parse().expect("a time"),
        }
    }

    const PAGE: &str = "http://shop.test:8080/cart?x=1";

    fn fact(requests: &[RequestLine]) -> Option<String> {
        evidence(requests, PAGE).map(|evidence| evidence.fact)
    }

    #[test]
    fn a_post_that_was_answered_shows_that_it_was_taken() {
        let order = "http://shop.test:8080/order";
        for (kind, status) in [("document", 303), ("document", 201), ("fetch", 200), ("xhr", 204)] {
            let seen = fact(&[line(1, "POST", order, kind, Some(status))]);
            assert_eq!(seen, Some(format!("POST {order} was answered with {status}")), "{kind}");
        }
        // Told under way first.
        assert!(fact(&[line(1, "POST", order, "fetch", None), line(1, "POST", order, "fetch", Some(201))]).is_some());
        assert!(fact(&[line(1, "PUT", "https://api.shop.test/order", "fetch", Some(200))]).is_some());
    }

    #[test]
    fn no_answer_a_refusal_or_the_form_again_shows_nothing() {
        let order = "http://shop.test:8080/order";
        for (kind, status) in [("fetch", None), ("fetch", Some(500)), ("fetch", Some(422)), ("document", Some(200))] {
            assert_eq!(fact(&[line(1, "POST", order, kind, status)]), None, "{kind} {status:?}");
        }
        assert_eq!(fact(&[]), None);
        assert_eq!(fact(&[line(1, "GET", order, "document", Some(200))]), None);
        // The one that matters may be the other.
        assert_eq!(
            fact(&[
                line(1, "POST", "http://shop.test:8080/seen", "fetch", Some(204)),
                line(2, "POST", order, "fetch", None)
            ]),
            None
        );
        for elsewhere in ["https://count.test/hit", "https://notshop.test/order"] {
            assert_eq!(fact(&[line(1, "POST", elsewhere, "fetch", Some(204))]), None);
        }
        assert_eq!(fact(&[line(1, "POST", order, "ping", Some(204))]), None);
        // The head came, and then the connection broke.
        let broken =
            |why: &str| RequestLine { failure: Some(why.into()), ..line(1, "POST", order, "fetch", Some(201)) };
        assert_eq!(fact(&[broken("net::ERR_CONNECTION_RESET")]), None);
        assert!(fact(&[broken("net::ERR_ABORTED")]).is_some(), "the page needed no more of it");
    }

    #[test]
    fn what_was_sent_is_told_with_its_answer() {
        let sent = [line(1, "GET", "http://a/", "fetch", Some(200)), line(2, "POST", "http://a/b", "fetch", None)];
        assert_eq!(in_words(&sent).as_deref(), Some("POST http://a/b was not answered"));
        assert_eq!(in_words(&sent[..1]), None);
    }
}
