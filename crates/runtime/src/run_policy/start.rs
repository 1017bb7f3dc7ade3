//! Where a run without a start site begins. A model has to compose this address, so it is the one address that may be
//! opened although nobody wrote or showed it. What the run knows by then must not go there.

use legwork_agent::provenance::has_common_words_only;
use url::Url;

use super::{
    RunPolicy, decoded_address,
    limits::{LEAST, comparable},
};
use crate::secrets::forms_of;

/// The number of characters of an input's value that can identify it in an address.
const IDENTIFYING: usize = 4;

/// The names of parameters in which sites expect the words of a search. Other names could spell a text.
const SEARCH_PARAMETERS: &[&str] = &[
    "field-keywords",
    "find",
    "k",
    "keyword",
    "keywords",
    "p",
    "q",
    "query",
    "s",
    "search",
    "search_query",
    "searchterm",
    "st",
    "term",
    "terms",
    "text",
    "wd",
    "what",
    "where",
];

impl RunPolicy {
    /// Whether a run of the user without a start site may begin at this address. Nothing was read yet, from a page or a
    /// tool; it is the first address that the run opens, because one that shows no page (an answer without content, a
    /// download) would otherwise leave the next one free; its parameters say what the task says; and it contains no
    /// input of the run.
    ///
    /// The same address may be opened again, as after a failure of the network: it carries nothing new.
    pub(super) fn may_start_at(&self, address: &Url) -> bool {
        let has_read = self.has_seen_page || self.has_called_tool;
        let is_first = self.first_opened.as_ref().is_none_or(|first| first == address);
        let is_free = !self.is_client && !has_read && is_first;
        is_free && !self.sites.has_start() && self.asks_for_task(address) && !self.carries_input(address)
    }

    /// Whether the parameters of an address consist of words of the task and of words that any sentence contains.
    /// Numbers are never common: each pair of digits of an input would be.
    fn asks_for_task(&self, address: &Url) -> bool {
        let is_said = |word: &str| {
            self.task_words.contains(word) || !word.contains(char::is_numeric) && has_common_words_only(word)
        };
        let are_said =
            |text: &str| text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).all(is_said);
        let is_name = |name: &str| SEARCH_PARAMETERS.contains(&name) || are_said(name);
        address.username().is_empty()
            && address.password().is_none()
            && address.query_pairs().all(|(name, value)| is_name(&name) && are_said(&value))
    }

    /// Whether an address contains an input of the run: as it is, in one of the forms in which secrets are found
    /// (`secrets/spellings.rs`), or divided among its parts.
    fn carries_input(&self, address: &Url) -> bool {
        let text = decoded_address(address).to_lowercase();
        let values: String = address.query_pairs().map(|(_, value)| value).collect();
        let host = address.host_str().unwrap_or_default();
        let joined = [
            comparable(&format!("{host}{}", &address[url::Position::BeforePath..])),
            comparable(&format!("{host}{}{values}", address.path())),
        ];
        let mut inputs = self.variables.values().flat_map(|(value, _)| value.lines().map(str::trim));
        inputs.any(|input| {
            let is_telling = input.chars().count() >= IDENTIFYING;
            let is_joined = |form: &String| {
                let form = comparable(form);
                form.chars().count() >= LEAST && joined.iter().any(|text| text.contains(&form))
            };
            is_telling && (text.contains(&input.to_lowercase()) || forms_of(input).iter().any(is_joined))
        })
    }
}
