//! The texts that a run entered or put into an address, and the addresses that carry them.
//!
//! A page shows what was entered: a comment becomes a link, a form leads to a redirect. Such an address was composed by
//! the run, although a page shows it, so it is not known as a link of a page is.
//!
//! A search is a text that was entered as well, and its results lead to addresses with the words of the search. So not
//! every word counts: addresses do, and values of pages, tools and inputs that the task does not contain. Of these,
//! values without a digit count only as several words, and only in the parameters of an address.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use aho_corasick::AhoCorasick;
use base64::{
    Engine,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use legwork_agent::provenance::addresses_in;
use legwork_browser::ElementFacts;
use legwork_observe::sites::site;
use legwork_protocol::{Action, Provenance};
use url::{Position, Url};

use super::{
    RunPolicy,
    limits::{LEAST, comparable},
    opened_address, percent_decoded,
};
use crate::{
    action_policy::{KeyEffect, key_effect},
    secrets::forms_of,
};

/// The most texts that are remembered. A run that enters more is far beyond its limits of time.
const MOST: usize = 2_000;

/// What a run entered.
#[derive(Clone, Debug, Default)]
pub(super) struct Entered {
    texts: Vec<String>,
    /// What was typed with single keys.
    keys: String,
    /// The values that identify the texts, by the form in which they are found in addresses.
    forms: BTreeMap<String, Value>,
    pub(super) values: Arc<EnteredValues>,
}

/// What identifies the entered texts in an address, for comparison.
#[derive(Debug, Default)]
pub(super) struct EnteredValues {
    finder: Option<AhoCorasick>,
    /// Indexed by the pattern number of the finder.
    values: Vec<Value>,
}

#[derive(Clone, Debug)]
struct Value {
    text: String,
    /// Whether it counts only in the parameters of an address.
    in_parameters: bool,
    /// The sites that showed the value, so that it may go there.
    sites: BTreeSet<String>,
}

impl Entered {
    /// Finds the values in addresses from now on.
    fn set_forms(&mut self, forms: BTreeMap<String, Value>) {
        let finder = AhoCorasick::new(forms.keys()).ok().filter(|_| !forms.is_empty());
        self.values = Arc::new(EnteredValues { finder, values: forms.values().cloned().collect() });
        self.forms = forms;
    }
}

impl EnteredValues {
    pub(super) fn is_empty(&self) -> bool {
        self.finder.is_none()
    }

    /// The entered text that an address carries.
    pub(super) fn carried_by(&self, address: &Url) -> Option<&str> {
        let finder = self.finder.as_ref()?;
        let own = site(address).unwrap_or_default();
        let host = address.host_str().unwrap_or_default();
        let pairs = || address.query_pairs();
        let fragment = address.fragment().unwrap_or_default();
        let parameters = [
            comparable(&format!("{}#{fragment}", address.query().unwrap_or_default())),
            pairs().map(|(_, value)| comparable(&value)).collect(),
        ];
        let whole = [
            comparable(&address[Position::BeforeUsername..]),
            comparable(&format!("{host}{}", address.path())) + &parameters[1],
        ];
        let found = |text: &str, is_parameters: bool| {
            let mut matches = finder.find_overlapping_iter(text).map(|found| &self.values[found.pattern().as_usize()]);
            matches.find(|value| value.in_parameters == is_parameters && !value.sites.contains(&own))
        };
        let anywhere = whole.iter().find_map(|text| found(text, false));
        anywhere.or_else(|| parameters.iter().find_map(|text| found(text, true))).map(|value| value.text.as_str())
    }
}

impl RunPolicy {
    /// Notes what an action enters, or composes as an address. The words of the user are not the run's.
    pub(crate) fn note_entered(&mut self, action: &Action, by_user: bool) {
        if by_user || !self.has_default {
            return;
        }
        let mut texts = Vec::new();
        match action.carried_out() {
            Action::Fill(fill) => texts.push(fill.text.clone()),
            Action::Type(typed) => texts.push(typed.text.clone()),
            Action::Press(press) if key_effect(&press.key) == KeyEffect::Types => {
                let key = press.key.rsplit('+').next().unwrap_or_default();
                self.entered.keys.extend(key.chars().next().filter(|_| key.chars().count() == 1));
                texts.push(self.entered.keys.clone());
            }
            _ => {}
        }
        if let Action::Dialog(dialog) = action {
            texts.extend(dialog.text.clone());
        }
        if let Some(address) = opened_address(action).filter(|address| !self.index.has_address(address)) {
            texts.push(percent_decoded(address.path()).into_owned());
            texts.extend(address.query_pairs().map(|(_, value)| value.into_owned()));
            texts.push(percent_decoded(address.fragment().unwrap_or_default()).into_owned());
        }
        texts.retain(|text| text.chars().count() >= LEAST && !self.entered.texts.contains(text));
        if texts.is_empty() || self.entered.texts.len() >= MOST {
            return;
        }
        let mut forms = std::mem::take(&mut self.entered.forms);
        texts.iter().for_each(|text| self.values_in(text, &mut forms));
        self.entered.set_forms(forms);
        self.entered.texts.extend(texts);
    }

    /// The address of the link that an action follows, if it leads to a site that is not named with a text of the run.
    /// A link that a page showed before the text was entered is the page's.
    pub(super) fn entered_link(&self, action: &Action, element: &ElementFacts) -> Option<Url> {
        let follows = matches!(action, Action::Click(_) | Action::Press(_));
        let link = Url::parse(&element.link_target).ok().filter(|_| follows)?;
        let is_known = self.sites.has(&link) || self.index.has_address(&link) || self.is_plain_front_page(&link);
        (!is_known && self.entered.values.carried_by(&link).is_some()).then_some(link)
    }

    /// Finds out anew which of the entered texts are addresses or data. A resumed run knows what was read only after it
    /// knows what was entered.
    pub(crate) fn index_entered(&mut self) {
        let mut forms = BTreeMap::new();
        self.entered.texts.iter().for_each(|text| self.values_in(text, &mut forms));
        self.entered.set_forms(forms);
    }

    /// The texts by which an entered text is found in addresses.
    fn values_in(&self, entered: &str, into: &mut BTreeMap<String, Value>) {
        let mut add = |text: &str, sites: &BTreeSet<String>| {
            let is_plain = !text.contains(char::is_numeric);
            if is_plain && !text.trim().contains(|c: char| !c.is_alphanumeric()) {
                return;
            }
            let value = Value { text: text.to_owned(), in_parameters: is_plain, sites: sites.clone() };
            for form in forms_of(text).iter().map(|form| comparable(form)) {
                if form.chars().count() >= LEAST {
                    into.entry(form).or_insert_with(|| value.clone());
                }
            }
        };
        let mut addresses = Vec::new();
        for text in readings(entered) {
            addresses.extend(addresses_in(&text).into_iter().filter(|address| {
                // A site alone is a usual word of a search.
                let is_site = address.path() == "/" && address.query().is_none() && address.fragment().is_none();
                !is_site || text.contains("//")
            }));
            for part in self.index.classify(&text, &[]) {
                let is_read = |origin: &Provenance| matches!(origin, Provenance::Page(_) | Provenance::Tool(_));
                if !part.origins.iter().all(is_read) || self.task_words.contains(&part.text) {
                    continue;
                }
                let sites = part.origins.iter().filter_map(|origin| match origin {
                    Provenance::Page(origin) => Url::parse(origin).ok().as_ref().and_then(site),
                    _ => None,
                });
                let sites = sites.collect();
                add(&part.text, &sites);
                part.text
                    .split_whitespace()
                    .filter(|word| word.contains(char::is_numeric))
                    .for_each(|word| add(word, &sites));
            }
            let joined = comparable(&text);
            let inputs = self.variables.values().flat_map(|(value, _)| value.lines().map(str::trim));
            for input in inputs.filter(|input| !self.task_words.contains(input)) {
                let form = comparable(input);
                if form.chars().count() >= LEAST && joined.contains(&form) {
                    add(input, &BTreeSet::new());
                }
            }
        }
        for address in addresses {
            let text = &address[Position::BeforeUsername..];
            let value = Value { text: text.to_owned(), in_parameters: false, sites: BTreeSet::new() };
            // An address of the user or of a page is no text of the run.
            if !self.index.has_address(&address) && comparable(text).chars().count() >= LEAST {
                into.insert(comparable(text), value);
            }
        }
    }
}

/// A text as a page may read it: as it is, decoded, reversed, and with its letters rotated.
fn readings(text: &str) -> Vec<String> {
    const ANY_PADDING: GeneralPurposeConfig = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    let engines = [base64::alphabet::STANDARD, base64::alphabet::URL_SAFE]
        .map(|alphabet| GeneralPurpose::new(&alphabet, ANY_PADDING));
    let mut decoded = text.to_owned();
    while let std::borrow::Cow::Owned(more) = percent_decoded(&decoded) {
        if more.len() >= decoded.len() {
            break;
        }
        decoded = more;
    }
    let mut all = vec![text.to_owned(), text.chars().rev().collect(), crate::secrets::rot13(text)];
    let is_end = |c: char| c.is_whitespace() || "?&=#".contains(c);
    for word in decoded.split(is_end).filter(|word| word.len() >= LEAST) {
        let bytes = engines.iter().filter_map(|engine| engine.decode(word).ok()).chain(hexadecimal(word));
        let is_text = |text: &String| text.chars().all(|c| !c.is_control());
        all.extend(bytes.filter_map(|bytes| String::from_utf8(bytes).ok()).filter(is_text));
    }
    if decoded != text {
        all.push(decoded);
    }
    all
}

fn hexadecimal(word: &str) -> Option<Vec<u8>> {
    let digits: String = word.chars().filter(|c| !"-:.,".contains(*c)).collect();
    let is_hex = digits.len().is_multiple_of(2) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hex.then(|| {
        digits
            .as_bytes()
            .chunks(2)
            .filter_map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
            .collect()
    })
}
