//! The sites that the user named for a run.

use std::collections::BTreeSet;

use legwork_agent::provenance::addresses_in;
use legwork_observe::sites::site;
use url::Url;

use crate::policy::Rule;

/// The start site of a run and the sites that its user named.
#[derive(Clone, Debug, Default)]
pub(crate) struct NamedSites {
    /// The start site, and the sites in the words of the user.
    words: BTreeSet<String>,
    /// The sites of flags and settings.
    flags: Vec<Rule>,
    has_start: bool,
}

impl NamedSites {
    /// The sites of `--allow-write` and `--allowed-domains`. The rules were checked when the settings were read.
    pub(crate) fn of_rules(rules: &[String]) -> NamedSites {
        let flags = rules.iter().filter_map(|rule| Rule::read(rule).ok()).collect();
        NamedSites { flags, ..NamedSites::default() }
    }

    /// Adds the sites that a text of the user names.
    pub(crate) fn note_words(&mut self, text: &str) {
        self.words.extend(addresses_in(text).iter().filter_map(site));
    }

    /// Adds a site that the user named by other means, such as the origin of a secret.
    pub(crate) fn add(&mut self, url: &Url) {
        self.words.extend(site(url));
    }

    /// Sets the start site, or adds the site to which the start address led.
    pub(crate) fn start(&mut self, url: &Url) {
        self.words.extend(site(url));
        self.has_start = true;
    }

    /// Whether the run has a start site.
    pub(crate) fn has_start(&self) -> bool {
        self.has_start
    }

    /// Whether the run may write there.
    pub(crate) fn has(&self, url: &Url) -> bool {
        site(url).is_some_and(|site| self.words.contains(&site)) || self.flags.iter().any(|rule| rule.matches(url))
    }

    /// The start site and the sites in the words of the user.
    pub(crate) fn in_words(&self) -> &BTreeSet<String> {
        &self.words
    }
}
