//! The origin of the texts that a model writes. A model does not state it, so each text is compared with what the user
//! wrote and with what pages and tools showed in this run.
//!
//! The comparison is a heuristic with stated limits. A text is divided into words (runs of letters and digits, in lower
//! case; characters of scripts without spaces count as a word each). From each position, the longest run of words that
//! the user, a page or a tool has in the same order is taken. If the user and a page have runs of the same length, the
//! origin is the user, because a page that repeats the user's words adds nothing. A text without an origin is the
//! model's own.
//!
//! Short texts and common words need care: a model writes `Berlin`, `yes`, `2026` or `next` without having read them,
//! and almost every page contains them. A run counts as read from a page only if its words, without the common ones
//! (`provenance/common_words.txt`, numbers below 100 and years), have five or more letters, or if one of them has three
//! or more characters with a digit: codes, numbers and identifiers are the most harmful leaks. A value that consists
//! of one word of three or four letters thus counts as the model's own.
//!
//! Limits: an encoded, translated or paraphrased text is the model's own, and so is a text that only a picture showed.
//! Rules that must not depend on this restrict where a text may go at all.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
    sync::LazyLock,
};

use legwork_observe::{Snapshot, sites::origin_of};
use legwork_protocol::Provenance;
use url::Url;

/// The number of letters of a run of words that a model does not write by chance.
const LETTERS: usize = 5;
/// The number of characters of a word with a digit that a model does not write by chance.
const CODE: usize = 3;
/// The number of words and pairs of words of one source that are kept. A run that reads more is far beyond its limits
/// of time; further words of the source are then not recognized.
const MOST: usize = 2_000_000;

static COMMON: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("provenance/common_words.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).collect()
});

/// A part of a value, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuePart {
    /// The part.
    pub text: String,
    /// Its origins. Several, if several pages showed it.
    pub origins: BTreeSet<Provenance>,
}

/// What the user wrote and what pages and tools showed in a run.
#[derive(Clone, Debug, Default)]
pub struct ProvenanceIndex {
    user: WordIndex,
    others: BTreeMap<Provenance, WordIndex>,
    /// Addresses that the user wrote, and addresses of links that pages showed.
    addresses: HashSet<u64>,
}

impl ProvenanceIndex {
    /// Adds a text of the user.
    pub fn note_user(&mut self, text: &str) {
        self.user.add(text);
        for address in addresses_in(text) {
            self.addresses.insert(hash(&address_key(&address)));
        }
    }

    /// Adds all texts of a page, and the addresses of its links.
    pub fn note_page(&mut self, page: &Snapshot) {
        self.note_page_except(page, |_| false);
    }

    /// Adds all texts of a page, and the addresses of its links without those that the run composed itself.
    pub fn note_page_except(&mut self, page: &Snapshot, is_composed: impl Fn(&Url) -> bool) {
        let base = Url::parse(&page.url).ok();
        let mut links = Vec::new();
        let index = self.others.entry(Provenance::Page(origin_of(&page.url))).or_default();
        index.add(&page.title);
        for node in page.nodes.iter().chain(&page.transient) {
            index.add(&node.name);
            node.value.iter().for_each(|value| index.add(value));
            let Some(attributes) = &node.attributes else { continue };
            for text in [&attributes.placeholder, &attributes.description].into_iter().flatten() {
                index.add(text);
            }
            links.extend(attributes.href.as_deref());
        }
        if let Some(dialog) = &page.dialog {
            index.add(&dialog.message);
        }
        let shown = links.into_iter().filter_map(|link| match &base {
            Some(base) => base.join(link).ok(),
            None => Url::parse(link).ok(),
        });
        let shown = shown.filter(|link| !is_composed(link));
        let tabs = page.tabs.iter().filter_map(|tab| Url::parse(&tab.url).ok());
        self.addresses.extend(shown.chain(base.clone()).chain(tabs).map(|link| hash(&address_key(&link))));
    }

    /// Adds a text that a page or a tool returned.
    pub fn note(&mut self, origin: Provenance, text: &str) {
        match origin {
            Provenance::User => self.note_user(text),
            origin => self.others.entry(origin).or_default().add(text),
        }
    }

    /// Whether the user wrote this address, or a page showed it as a link. A fragment is part of the address.
    pub fn has_address(&self, address: &Url) -> bool {
        self.addresses.contains(&hash(&address_key(address)))
    }

    /// Whether the user, a page or a tool has all words of this text in this order.
    pub fn contains(&self, text: &str) -> bool {
        let words = words(text);
        let has_all = |index: &WordIndex| index.longest(&words) == words.len();
        has_all(&self.user) || self.others.values().any(has_all)
    }

    /// What a model has from a page or a tool and not from the user, whatever its notation: a figure that the user did
    /// not write (`1250.00` for `1,250.00`), or a text whose words are all on pages. `said` are texts that count as the
    /// user's in addition.
    pub fn read_part<'t>(&self, text: &'t str, said: &[String]) -> Option<&'t str> {
        let mut own = WordIndex::default();
        said.iter().for_each(|text| own.add(text));
        let by_user = |part: &str| {
            let words = words(part);
            let is_of = |words: &[Word]| self.user.longest(words) == words.len() || own.longest(words) == words.len();
            is_of(&words) || number_words(part).iter().any(|word| is_of(&self::words(word)))
        };
        let parts = text.split_whitespace().map(|part| part.trim_matches(|c: char| !c.is_alphanumeric()));
        let mut figures = parts.filter(|part| part.contains(char::is_numeric));
        if let Some(figure) = figures.find(|part| !by_user(part)) {
            return Some(figure);
        }
        let words = words(text);
        let is_of = |index: &WordIndex| words.iter().all(|word| index.words.contains(&hash(&word.text)));
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        let is_read = letters > 1 && self.others.values().any(is_of) && !is_of(&self.user) && !is_of(&own);
        is_read.then_some(text.trim())
    }

    /// The parts of a text with their origins, in order. `said` are values that the user's words name for this step:
    /// they count as the user's.
    pub fn classify(&self, text: &str, said: &[&str]) -> Vec<ValuePart> {
        let mut own = WordIndex::default();
        said.iter().for_each(|text| own.add(text));
        let words = words(text);
        let mut parts: Vec<ValuePart> = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let rest = &words[at..];
            let by_user = self.user.longest(rest).max(own.longest(rest));
            let longest = self.others.values().map(|index| index.longest(rest)).max().unwrap_or(0);
            let (length, origins) = if longest > by_user && is_telling(&rest[..longest]) {
                let showed = self.others.iter().filter(|(_, index)| index.longest(rest) == longest);
                (longest, showed.map(|(origin, _)| origin.clone()).collect())
            } else if by_user > 0 {
                (by_user, BTreeSet::from([Provenance::User]))
            } else {
                (1, BTreeSet::from([Provenance::Model]))
            };
            let (start, end) = (words[at].start, words[at + length - 1].end);
            match parts.last_mut() {
                Some(last) if last.origins == origins => {
                    last.text.push(' ');
                    last.text.push_str(&text[start..end]);
                }
                _ => parts.push(ValuePart { text: text[start..end].to_owned(), origins }),
            }
            at += length;
        }
        parts
    }
}

/// The words of one source and which of them follow each other, as hashes.
#[derive(Clone, Debug, Default)]
struct WordIndex {
    words: HashSet<u64>,
    pairs: HashSet<(u64, u64)>,
}

impl WordIndex {
    fn add(&mut self, text: &str) {
        let mut previous = None;
        for word in words(text) {
            if self.words.len() + self.pairs.len() >= MOST {
                return;
            }
            let word = hash(&word.text);
            self.words.insert(word);
            if let Some(previous) = previous.replace(word) {
                self.pairs.insert((previous, word));
            }
        }
    }

    /// The number of words from the beginning that this source has in this order.
    fn longest(&self, words: &[Word]) -> usize {
        let Some(first) = words.first().map(|word| hash(&word.text)).filter(|word| self.words.contains(word)) else {
            return 0;
        };
        let mut previous = first;
        let follows = words[1..].iter().take_while(|word| {
            let next = hash(&word.text);
            self.pairs.contains(&(std::mem::replace(&mut previous, next), next))
        });
        1 + follows.count()
    }
}

/// A word of a text: lower case, with its position.
struct Word {
    text: String,
    start: usize,
    end: usize,
}

fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut open = false;
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        match words.last_mut() {
            _ if !character.is_alphanumeric() => open = false,
            Some(word) if open && !stands_alone(character) => {
                word.text.extend(character.to_lowercase());
                word.end = end;
            }
            _ => {
                words.push(Word { text: character.to_lowercase().collect(), start: at, end });
                open = !stands_alone(character);
            }
        }
    }
    words
}

/// The words for a small number: `two` in the user's words is `2` in a field.
fn number_words(figure: &str) -> &'static [&'static str] {
    const WORDS: [&[&str]; 13] = [
        &["zero", "null", "zéro", "cero"],
        &["one", "a", "an", "ein", "eine", "einen", "eins", "un", "une", "uno", "una", "um", "uma", "een"],
        &["two", "both", "zwei", "deux", "dos", "due", "dois", "duas", "twee"],
        &["three", "drei", "trois", "tres", "tre", "três", "drie"],
        &["four", "vier", "quatre", "cuatro", "quattro", "quatro"],
        &["five", "fünf", "cinq", "cinco", "cinque", "vijf"],
        &["six", "sechs", "seis", "sei", "zes"],
        &["seven", "sieben", "sept", "siete", "sette", "sete", "zeven"],
        &["eight", "acht", "huit", "ocho", "otto", "oito"],
        &["nine", "neun", "neuf", "nueve", "nove", "negen"],
        &["ten", "zehn", "dix", "diez", "dieci", "dez", "tien"],
        &["eleven", "elf", "onze", "once", "undici"],
        &["twelve", "dozen", "zwölf", "douze", "doce", "dodici", "doze", "twaalf"],
    ];
    figure.parse::<usize>().ok().and_then(|number| WORDS.get(number)).copied().unwrap_or_default()
}

/// Whether the character belongs to a script that is written without spaces.
pub fn stands_alone(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{e00}'..='\u{e7f}' | '\u{20000}'..='\u{3ffff}')
}

/// Whether it is unlikely that a model writes these words without having read them.
fn is_telling(words: &[Word]) -> bool {
    let rare = || words.iter().map(|word| word.text.as_str()).filter(|word| !is_common(word));
    let is_code = |word: &str| word.chars().count() >= CODE && word.contains(|c: char| c.is_numeric());
    // A character of a script without spaces carries about as much as two letters.
    let letters = |word: &str| word.chars().map(|c| if stands_alone(c) { 2 } else { 1 }).sum::<usize>();
    rare().any(is_code) || rare().map(letters).sum::<usize>() >= LETTERS
}

/// Whether a text consists of words that any sentence may contain. Letter case does not matter.
pub fn has_common_words_only(text: &str) -> bool {
    words(text).iter().all(|word| is_common(&word.text))
}

fn is_common(word: &str) -> bool {
    let is_small_or_year = |number: u64| number < 100 || (1900..2100).contains(&number);
    COMMON.contains(word) || (word.len() <= 4 && word.parse().is_ok_and(is_small_or_year))
}

/// An address for comparison: without a trailing slash of the path, which people add and leave out.
fn address_key(address: &Url) -> String {
    let text = address.as_str();
    text.strip_suffix('/')
        .filter(|_| address.query().is_none() && address.fragment().is_none())
        .unwrap_or(text)
        .to_owned()
}

/// The addresses in a text: with a scheme, or a host with a known suffix.
pub fn addresses_in(text: &str) -> Vec<Url> {
    let ends = |c: char| c.is_whitespace() || "\"'`<>()[]{}|,;“”«»‘’".contains(c);
    let candidates = text.split(ends).map(|word| word.trim_end_matches(['.', ':', '!', '?']));
    candidates.filter_map(address).collect()
}

fn address(word: &str) -> Option<Url> {
    if let Some((scheme, _)) = word.split_once("://") {
        return matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https")
            .then(|| Url::parse(word).ok())
            .flatten();
    }
    let host = word.split(['/', '?', '#', ':']).next()?;
    let is_local = host.eq_ignore_ascii_case("localhost") || host.parse::<std::net::Ipv4Addr>().is_ok();
    // `report.pdf` and `e.g` are no hosts.
    let is_known = host.contains('.') && !host.contains('@') && legwork_observe::sites::has_known_suffix(host);
    (is_local || is_known).then(|| Url::parse(&format!("https://{word}")).ok()).flatten()
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use legwork_observe::fixture;

    use super::*;

    fn index() -> ProvenanceIndex {
        let mut index = ProvenanceIndex::default();
        index.note_user("Order 3 boxes of Darjeeling tea at https://shop.example/tea for Ada Lovelace");
        let page = |url: &str, text: &str| Snapshot { url: url.to_owned(), ..fixture::snapshot(text) };
        index.note_page(&page(
            "https://shop.example/account",
            "- text: Customer number KD-4711-92\n- text: Ship to Ada Lovelace, Analytical Street 12\n- link \"Help\"",
        ));
        index.note_page(&page("https://blog.example/", "- text: Welcome back\n- text: quarterly turnover 918273"));
        index.note(Provenance::Tool("rates".into()), "the euro stands at 1.0842 dollars");
        index
    }

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let parts = index().classify(text, &[]);
        let shown: Vec<(String, String)> = parts
            .iter()
            .map(|part| {
                let origins: Vec<String> = part.origins.iter().map(ToString::to_string).collect();
                (part.text.clone(), origins.join(" "))
            })
            .collect();
        let expected: Vec<(String, String)> = expected.iter().map(|(a, b)| ((*a).into(), (*b).into())).collect();
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn a_text_is_divided_by_who_showed_its_longest_runs() {
        check("Ada Lovelace", &[("Ada Lovelace", "user")]);
        check("KD-4711-92", &[("KD-4711-92", "page:https://shop.example")]);
        check(
            "for Ada Lovelace, Analytical Street 12",
            &[("for Ada Lovelace", "user"), ("Analytical Street 12", "page:https://shop.example")],
        );
        check("turnover: 918273!", &[("turnover: 918273", "page:https://blog.example")]);
        check("stands at 1.0842", &[("stands at 1.0842", "tool:rates")]);
        check("Something else entirely", &[("Something else entirely", "model")]);
        check("", &[]);
    }

    #[test]
    fn what_a_page_showed_is_a_read_part_unless_the_user_wrote_it() {
        let part = |text: &str| index().read_part(text, &["for 12 months".to_owned()]).map(str::to_owned);
        assert_eq!(part("back").as_deref(), Some("back"));
        assert_eq!(part("turnover, quarterly").as_deref(), Some("turnover, quarterly"), "in another order");
        assert_eq!(part("Rate: 1,0842").as_deref(), Some("1,0842"), "in another notation");
        assert_eq!(part("7").as_deref(), Some("7"), "a figure that nobody gave");
        for text in ["Ada Lovelace", "3", "3 boxes", "12", "Something else entirely", "please ship", ""] {
            assert_eq!(part(text), None, "{text}");
        }
        assert_eq!(index().read_part("2", &["get two lamps".to_owned()]), None, "a figure for a word");
    }

    #[test]
    fn short_values_and_common_words_are_no_evidence() {
        // On the page, but anybody writes them.
        check("Street", &[("Street", "model")]);
        check("back", &[("back", "model")]);
        check("12", &[("12", "model")]);
        // Five letters that are not common, or a code, are.
        check("turnover", &[("turnover", "page:https://blog.example")]);
        check("92 4711", &[("92", "model"), ("4711", "page:https://shop.example")]);
    }

    #[test]
    fn values_that_the_step_names_are_the_users() {
        let parts = index().classify("KD-4711-92", &["KD-4711-92"]);
        assert_eq!(parts[0].origins, BTreeSet::from([Provenance::User]));
    }

    #[test]
    fn addresses_are_known_from_the_user_and_from_links() {
        let mut index = index();
        let page = "- link \"Partner\" [ref=e1]";
        let mut page = Snapshot { url: "https://shop.example/".into(), ..fixture::snapshot(page) };
        let node = page.nodes.iter_mut().find(|node| node.role.as_ref() == "link").expect("a link");
        node.attributes.get_or_insert_default().href = Some("https://partner.example/offers?id=7".into());
        index.note_page(&page);
        let known = |text: &str| index.has_address(&Url::parse(text).expect("an address"));
        assert!(known("https://shop.example/tea") && known("https://shop.example/tea/"));
        assert!(known("https://partner.example/offers?id=7"));
        assert!(!known("https://partner.example/offers?id=7&d=KD-4711-92"));
        assert!(!known("https://partner.example/offers?id=7#KD"));
        assert!(!known("https://kd4711.partner.example/offers?id=7"));
    }

    #[test]
    fn addresses_in_a_sentence_are_found() {
        let found = |text: &str| addresses_in(text).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!(
            found("Go to shop.co.uk/tea, then (http://localhost:8080/x)."),
            "https://shop.co.uk/tea http://localhost:8080/x"
        );
        assert_eq!(found("Open 127.0.0.1:3000 and `Example.org`!"), "https://127.0.0.1:3000/ https://example.org/");
        assert_eq!(found("Upload report.pdf, e.g. for ada@shop.example; v1.2.3"), "");
    }
}
