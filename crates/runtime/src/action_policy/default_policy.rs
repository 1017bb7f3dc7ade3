//! The policy that applies where no rule of the user does.
//!
//! A run writes only on its start site and on sites that the user named, and reads elsewhere by following links. A
//! value of a page becomes an address, a file name, an argument of a tool, or text on another site only if the words of
//! the user say so. Literal steps are such words. What a rule of this file does not allow, a person may.

use legwork_protocol::{Action, Provenance, Tab};

use super::{ActionClass, ActionFacts, Carrier};

const WRITE_SITE: &str = "default:write-site";
const ADDRESS: &str = "default:address";
const PAGE_DATA: &str = "default:page-data";
const TOOL_ARGUMENT: &str = "default:tool-argument";
const FILE_NAME: &str = "default:file-name";

/// Whether an action opens an address.
pub(crate) fn is_navigation(action: &Action) -> bool {
    matches!(action, Action::Open(_) | Action::Tab(Tab::Open { url: Some(_) }))
}

/// The rule that stands against an action, with its reason and the way to allow it; `None` if the action is allowed.
pub(super) fn decide(facts: &ActionFacts) -> Option<(&'static str, String, String)> {
    if facts.by_user {
        return None;
    }
    let place = facts.place_words();
    let host = facts.place.as_ref().and_then(|url| url.host_str().map(str::to_owned));
    let names = |host: &str| format!("`--allow-write {host}` allows it, and so does a task that names the site");
    let name_it =
        host.as_deref().map_or_else(|| "a rule with the action (docs/policy.md) can allow it".to_owned(), names);
    let writes = facts.classes.contains(&ActionClass::Write) || facts.classes.contains(&ActionClass::Submit);
    if writes && !facts.is_named_site && (facts.place.is_some() || facts.is_opaque) {
        let reason = format!(
            "{} would write on {place}, which is neither the start site nor a site that the user named",
            facts.action
        );
        return Some((WRITE_SITE, reason, name_it));
    }
    if facts.carrier == Carrier::Address && !facts.is_named_site && !facts.is_known_address && !facts.is_start {
        let reason = format!(
            "no page showed the address as a link and the user did not write it; an address on {place} could carry data of the run there"
        );
        return Some((ADDRESS, reason, name_it));
    }
    if let Some(link) = &facts.leads_to {
        let host = link.host_str().unwrap_or_default();
        let reason = format!(
            "the link leads to {host} with a text that the run itself entered, so the run composed its address"
        );
        return Some((ADDRESS, reason, names(host)));
    }
    let (text, origin) = foreign(facts)?;
    let from = match origin {
        Provenance::Page(origin) if origin.is_empty() => "a page".to_owned(),
        Provenance::Page(origin) => origin.clone(),
        Provenance::Tool(name) => format!("the tool {name}"),
        other => other.to_string(),
    };
    let quoted = shortened(text);
    let by_rule = "a rule of the user's policy (`--policy FILE`) with this provenance can allow it";
    Some(match facts.carrier {
        Carrier::Page | Carrier::Address => (
            PAGE_DATA,
            format!("{quoted} was read from {from} and would be sent to {place}"),
            format!(
                "a task that names both sites, or a step with a variable such as `${{name}}`, allows it; {by_rule}"
            ),
        ),
        Carrier::Tool => {
            let name = facts.tool.as_ref().map_or("", |(name, _)| name);
            let reason = format!("{quoted} was read from {from} and would be passed to the tool {name}");
            (TOOL_ARGUMENT, reason, format!("a task that names the tool {name} allows it; {by_rule}"))
        }
        Carrier::File => {
            let reason = format!("the file name {quoted} was read from {from}");
            (FILE_NAME, reason, format!("a task that names the file allows it; {by_rule}"))
        }
    })
}

/// The first part of the values that must not go where the action sends it.
fn foreign(facts: &ActionFacts) -> Option<(&str, &Provenance)> {
    if matches!(&facts.tool, Some((_, true))) || (facts.carrier == Carrier::Page && facts.place.is_none()) {
        return None;
    }
    // A link that a page showed, or an address of the user, carries what it carried there.
    if facts.carrier == Carrier::Address && facts.is_known_address {
        return None;
    }
    facts.values.iter().find_map(|part| {
        let may_go = |origin: &Provenance| match (origin, facts.carrier) {
            (Provenance::Page(from), Carrier::Page | Carrier::Address) => {
                !facts.is_other_site(from) || facts.connects(from)
            }
            (Provenance::Page(_), Carrier::File | Carrier::Tool) => false,
            (Provenance::Tool(from), Carrier::Tool) => facts.tool.as_ref().is_some_and(|(name, _)| name == from),
            // The user gave the run this tool, so what it returns may be used on the sites of the user.
            (Provenance::Tool(_), Carrier::Page | Carrier::Address) => facts.is_named_site,
            (Provenance::Tool(_), Carrier::File) => false,
            (Provenance::User | Provenance::Model | Provenance::Secret, _) => true,
        };
        // If one of the sources may send it there, so may the run: the place can have it from there.
        let stands_against = part.origins.iter().all(|origin| !may_go(origin));
        Some((part.text.as_str(), part.origins.first()?)).filter(|_| stands_against)
    })
}

impl ActionFacts {
    /// Whether the words of the user name both the page's site and the place of the action.
    fn connects(&self, origin: &str) -> bool {
        let site = |url: &url::Url| legwork_observe::sites::site(url);
        let from = url::Url::parse(origin).ok().as_ref().and_then(site);
        let to = self.place.as_ref().and_then(site);
        [from, to].iter().all(|site| site.as_ref().is_some_and(|site| self.connected_sites.contains(site)))
    }
}

/// The rule by which an action is allowed, and why.
pub(super) fn why_allowed(facts: &ActionFacts, with_default: bool) -> (&'static str, &'static str) {
    let writes = facts.classes.contains(&ActionClass::Write);
    match () {
        () if !with_default => ("default:no-rule", "no rule matches, and this page is not driven for a task of a user"),
        () if facts.by_user => ("default:user-words", "the user wrote this step"),
        () if writes => (WRITE_SITE, "the place is the start site or a site that the user named"),
        () if facts.carrier == Carrier::Address => {
            (ADDRESS, "the site is named, a page showed the address as a link, or the run begins there")
        }
        () if facts.carrier == Carrier::Tool => (TOOL_ARGUMENT, "the arguments contain no value of a page"),
        () => ("default:read", "the action reads, follows a link, or moves the view"),
    }
}

/// A value in a message: quoted, at most 60 characters.
fn shortened(text: &str) -> String {
    let short: String = text.chars().take(60).collect();
    format!("{:?}", if short.len() < text.len() { format!("{short}…") } else { short })
}
