//! What the pages of a run may request because of an action that the default policy allowed. Below the elements, which
//! a page can name and build as it likes, these limits hold for what it sends.

use std::{borrow::Cow, sync::Arc};

use legwork_browser::{ElementFacts, LimitedRequest, LimitedTab, RequestDenial, RequestLimit};
use legwork_observe::sites::site;
use legwork_protocol::{Action, PolicyEffect, Provenance, Tab};
use url::Url;

use super::{RunPolicy, entered::EnteredValues, percent_decoded};
use crate::action_policy::{ActionFacts, Carrier, NamedSites, Ruling, is_navigation};

/// The fewest letters and digits of a value or an address that are no coincidence in another address.
pub(super) const LEAST: usize = 5;

/// The limit that an action sets in a tab, or that none holds there any more.
pub(crate) type LimitChange = (LimitedTab, Option<Arc<dyn RequestLimit>>);

impl RunPolicy {
    /// The change of the limits before an action is executed; `None` if it leaves them as they are.
    pub(crate) fn limit_change(
        &self,
        action: &Action,
        facts: &ActionFacts,
        ruling: &Ruling,
        page: &str,
        element: Option<&ElementFacts>,
    ) -> Option<LimitChange> {
        let is_link = element.is_some_and(|element| element.role == "link");
        if !self.has_default {
            return None;
        }
        // A person or a rule of the user that allows an action allows what it does.
        let is_default = ruling.decision.effect == PolicyEffect::Allow && !ruling.by_file && !facts.by_user;
        let carried = action.carried_out();
        if is_navigation(carried) {
            let tab =
                if matches!(carried, Action::Tab(Tab::Open { .. })) { LimitedTab::Next } else { LimitedTab::Current };
            let limit = (is_default && !facts.is_known_address && !facts.is_start)
                .then(|| RedirectLimit::new(facts, &self.sites, &self.entered.values, self.is_client))
                .flatten();
            return Some((tab, limit.map(|limit| Arc::new(limit) as Arc<dyn RequestLimit>)));
        }
        if !is_input(action) {
            return None;
        }
        if is_default && facts.is_named_site && !self.entered.values.is_empty() {
            // A link was judged with the action.
            let link = element.and_then(|element| Url::parse(&element.link_target).ok());
            let limit = EnteredLimit {
                sites: self.sites.clone(),
                entered: Arc::clone(&self.entered.values),
                may_go_to: link.as_ref().and_then(site),
            };
            return Some((LimitedTab::Current, Some(Arc::new(limit))));
        }
        let is_elsewhere = !facts.is_named_site && (facts.place.is_some() || facts.is_opaque);
        let limit = (is_default && is_elsewhere).then(|| {
            let is_page_named = Url::parse(page).is_ok_and(|page| self.sites.has(&page));
            let place = facts.place.as_ref().map(|place| place.origin().ascii_serialization());
            let limit =
                ReadingLimit { sites: self.sites.clone(), is_page_named, is_link, place, is_client: self.is_client };
            Arc::new(limit) as Arc<dyn RequestLimit>
        });
        Some((LimitedTab::Current, limit))
    }
}

/// Whether a page can react to an action as to the input of a person.
fn is_input(action: &Action) -> bool {
    matches!(
        action.carried_out(),
        Action::Click(_)
            | Action::Press(_)
            | Action::Expand(_)
            | Action::Collapse(_)
            | Action::Drag(_)
            | Action::Fill(_)
            | Action::Type(_)
            | Action::Select(_)
            | Action::Check(_)
            | Action::Uncheck(_)
            | Action::Upload(_)
            | Action::Dialog(_)
    )
}

/// An action on a site that is not named may only read there. Whether an element writes is only known from what it
/// sends.
#[derive(Clone)]
struct ReadingLimit {
    sites: NamedSites,
    /// Whether the page is on a named site, and only the frame of the action is not.
    is_page_named: bool,
    /// Whether the action follows a link: then the next document sends what it sends when it is opened.
    is_link: bool,
    place: Option<String>,
    /// Whether no words of the user can allow it.
    is_client: bool,
}

impl RequestLimit for ReadingLimit {
    fn allows(&self, request: &LimitedRequest<'_>) -> Result<(), RequestDenial> {
        let is_own = self.is_page_named && self.sites.has(request.url);
        let reads = matches!(request.method, "GET" | "HEAD" | "OPTIONS") || request.body.is_some_and(is_graphql_query);
        if reads || is_own {
            return Ok(());
        }
        let place = self.place.as_deref().unwrap_or("a document without an origin");
        let allow = match request.url.host_str().filter(|_| self.place.is_some()) {
            Some(host) => what_allows(host, self.is_client),
            None => "a rule with the action (docs/policy.md) can allow it".to_owned(),
        };
        Err(RequestDenial::new(format!(
            "{} is a request for a change because of an action on {place}, which is neither the start site nor a site that the \
             user named (default:write-site); {allow}",
            request.method
        )))
    }

    fn holds_on(&self, document: &Url) -> bool {
        !self.is_link && !self.sites.has(document)
    }

    fn in_other_tab(&self, document: &str) -> Option<Arc<dyn RequestLimit>> {
        let is_named = Url::parse(document).is_ok_and(|document| self.sites.has(&document));
        // The action opens no document in another tab, and that tab is not on a named site.
        let limit = || ReadingLimit { is_link: false, is_page_named: false, ..self.clone() };
        (!is_named).then(|| Arc::new(limit()) as Arc<dyn RequestLimit>)
    }
}

/// An address that a model composed must not lead, over a named site that redirects, to where the run may not send
/// anything.
struct RedirectLimit {
    sites: NamedSites,
    /// What the address says after its host, for comparison.
    opened: String,
    /// The values of pages and tools in it, for comparison, with their sites.
    values: Vec<(String, Vec<String>)>,
    entered: Arc<EnteredValues>,
    /// Whether no words of the user can allow it.
    is_client: bool,
}

impl RedirectLimit {
    fn new(
        facts: &ActionFacts,
        sites: &NamedSites,
        entered: &Arc<EnteredValues>,
        is_client: bool,
    ) -> Option<RedirectLimit> {
        let place = facts.place.as_ref().filter(|_| facts.carrier == Carrier::Address)?;
        let foreign = |origin: &Provenance| match origin {
            Provenance::Page(origin) => Some(Url::parse(origin).ok().as_ref().and_then(site).unwrap_or_default()),
            Provenance::Tool(_) => Some(String::new()),
            Provenance::User | Provenance::Model | Provenance::Secret => None,
        };
        let values = facts.values.iter().filter_map(|part| {
            let origins: Option<Vec<String>> = part.origins.iter().map(foreign).collect();
            Some((comparable(&part.text), origins?)).filter(|(text, _)| text.chars().count() >= LEAST)
        });
        Some(RedirectLimit {
            sites: sites.clone(),
            opened: comparable(after_host(place)),
            values: values.collect(),
            entered: Arc::clone(entered),
            is_client,
        })
    }
}

impl RequestLimit for RedirectLimit {
    fn allows(&self, request: &LimitedRequest<'_>) -> Result<(), RequestDenial> {
        if !request.is_page || self.sites.has(request.url) {
            return Ok(());
        }
        let host = request.url.host_str().unwrap_or_default();
        let to = site(request.url).unwrap_or_default();
        let rest = comparable(after_host(request.url));
        let target = comparable(request.url.as_str());
        let spelled = |text: &str| text.chars().count() >= LEAST && self.opened.contains(text);
        let value = self.values.iter().find(|(value, from)| target.contains(value) && !from.contains(&to));
        let reason = match value {
            Some((value, _)) => format!("the address carries {value:?}, which a page or a tool returned,"),
            None if spelled(&comparable(host.trim_start_matches("www."))) || spelled(&rest) => {
                "the address states where it leads,".to_owned()
            }
            None if self.entered.carried_by(request.url).is_some() => {
                "its target carries a text that the run entered,".to_owned()
            }
            None => return Ok(()),
        };
        Err(RequestDenial::new(format!(
            "{reason} and the site redirects to {host}, which is neither the start site nor a site that the user named \
             (default:address); {}",
            what_allows(host, self.is_client)
        )))
    }

    fn holds_on(&self, _: &Url) -> bool {
        // A page can redirect by a script as well.
        true
    }
}

fn what_allows(host: &str, is_client: bool) -> String {
    let by_words = if is_client { "" } else { ", and so does a task that names the site" };
    format!("`--allow-write {host}` allows it{by_words}")
}

/// An action on a named site must not lead to where the run may not send anything, if the address there carries a text
/// that the run entered: the site makes links and redirects of such texts.
struct EnteredLimit {
    sites: NamedSites,
    entered: Arc<EnteredValues>,
    /// The site of the link that the action follows, which the policy has judged.
    may_go_to: Option<String>,
}

impl RequestLimit for EnteredLimit {
    fn allows(&self, request: &LimitedRequest<'_>) -> Result<(), RequestDenial> {
        if !request.is_page
            || self.sites.has(request.url)
            || self.may_go_to.is_some() && self.may_go_to == site(request.url)
        {
            return Ok(());
        }
        let Some(text) = self.entered.carried_by(request.url) else { return Ok(()) };
        let host = request.url.host_str().unwrap_or_default();
        Err(RequestDenial::new(format!(
            "the page leads to {host} with {text:?}, which the run itself entered, and {host} is neither the start site nor a site \
             that the user named (default:address); `--allow-write {host}` allows it, and so does a task that names the site"
        )))
    }

    fn holds_on(&self, _: &Url) -> bool {
        true
    }

    fn is_required(&self) -> bool {
        // Links are judged in any case. Forms of named sites can be filled in with a browser that reports no requests.
        false
    }
}

fn after_host(url: &Url) -> &str {
    &url[url::Position::BeforePath..]
}

/// The letters and digits of a text, decoded as often as addresses within addresses are encoded.
pub(super) fn comparable(text: &str) -> String {
    const NESTED: usize = 4;
    let mut text = Cow::Borrowed(text);
    for _ in 0..NESTED {
        text = Cow::Owned(percent_decoded(&text.replace('+', " ")).into_owned());
    }
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a body is a GraphQL request that only reads: one query or several, and no word of a mutation.
///
/// Sites that answer from GraphQL read with POST. Such a server executes no mutation for a query (GraphQL
/// specification, 6.2.1), and an object with other fields belongs to another protocol.
fn is_graphql_query(body: &str) -> bool {
    const FIELDS: [&str; 4] = ["query", "variables", "operationName", "extensions"];
    let reads = |request: &serde_json::Value| {
        let Some(fields) = request.as_object() else { return false };
        let query = fields.get("query").and_then(serde_json::Value::as_str).unwrap_or_default();
        let begins = ["{", "query", "fragment"].iter().any(|word| query.trim_start().starts_with(word));
        let changes = ["mutation", "subscription"].iter().any(|word| query.contains(word));
        begins && query.contains('{') && !changes && fields.keys().all(|name| FIELDS.contains(&name.as_str()))
    };
    match serde_json::from_str(body) {
        Ok(serde_json::Value::Array(requests)) => !requests.is_empty() && requests.iter().all(reads),
        Ok(request) => reads(&request),
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graphql_query_reads_and_everything_else_that_is_posted_does_not() {
        for body in [
            r#"{"query":"query Post($id: ID!) { post(id: $id) { title } }","variables":{"id":1}}"#,
            r#"[{"query":"{ me { name } }"},{"operationName":"A","query":"query A { a }"}]"#,
        ] {
            assert!(is_graphql_query(body), "{body}");
        }
        for body in [
            r#"{"query":"mutation { like(id: 1) }"}"#,
            r#"{"query":"query A { a } mutation B { b }","operationName":"B"}"#,
            r#"{"query":"query A { a }","like":1}"#,
            r#"{"query":"query"}"#,
            r#"[{"query":"{ a }"},{"query":"\u006dutation { b }"}]"#,
            "[]",
            "{}",
            "query=%7Ba%7D",
            "",
        ] {
            assert!(!is_graphql_query(body), "{body}");
        }
    }

    #[test]
    fn an_address_is_compared_however_often_it_is_encoded() {
        let wanted = comparable("https://evil.example/c?d=1");
        assert_eq!(comparable("https%3A%2F%2Fevil.example%2Fc%3Fd%3D1"), wanted);
        assert_eq!(comparable("HTTPS%253A%252F%252Fevil%252Eexample%252Fc%253Fd%253D1"), wanted);
    }
}
