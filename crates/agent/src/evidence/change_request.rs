//! What an action asked the server to change, for the question whether a text of the page refers to it: the name of the
//! pressed control, the text of the dialog that the control is in, and the values of the fields. A success of something
//! else, a hint or a value that is only repeated (`Sommerfest is not yet complete`) refers to nothing that was done.

use legwork_observe::{
    Node, Snapshot, progress,
    wording::{self, UnwantedState},
};

use super::{Observed, fields::position, value_notation::contains_value, whole_words::contains_whole};

/// The roles of parts that a page opens above its content.
pub(super) const OVERLAYS: [&str; 4] = ["dialog", "alertdialog", "menu", "listbox"];

/// The requested change.
pub(super) struct ChangeRequest<'a> {
    /// The name of the pressed control and the texts of its dialog, in lower case.
    names: String,
    /// The values of the fields and the chosen ones, each with the name of its field.
    values: Vec<(&'a str, &'a str)>,
}

impl<'a> ChangeRequest<'a> {
    pub(super) fn of(observed: &Observed<'a>, before: &'a Snapshot) -> ChangeRequest<'a> {
        let pressed = observed.tried().find_map(|action| position(action.carried_out(), before));
        let dialog = pressed.and_then(|at| before.enclosing(at, &["dialog", "alertdialog"]));
        let is_text = |node: &&Node| matches!(node.role.as_ref(), "text" | "paragraph" | "heading");
        let of_dialog = dialog.into_iter().flat_map(|at| &before.nodes[at..before.nodes[at].end]);
        let texts = dialog.map(|at| before.nodes[at].name.as_ref()).into_iter();
        let texts = texts.chain(of_dialog.filter(is_text).map(|node| node.name.as_ref()));
        let names = std::iter::once(observed.target_names()).chain(texts.map(wording::normalized));
        let names = names.collect::<Vec<_>>().join(" ");
        let values = before.nodes.iter().filter(|node| !node.states.secret()).filter_map(|node| {
            let is_box = matches!(node.role.as_ref(), "radio" | "checkbox");
            let is_field = node.states.editable() && !is_box || node.role.as_ref() == "combobox";
            let value = match is_box {
                true => Some(node.name.as_ref()).filter(|_| node.states.checked()),
                false => node.value.as_deref().filter(|_| is_field),
            };
            value.map(str::trim).filter(|value| !value.is_empty()).map(|value| (node.name.as_ref(), value))
        });
        ChangeRequest { names, values: values.collect() }
    }

    /// The words of the pressed control and of its dialog, in lower case.
    pub(super) fn names(&self) -> &str {
        &self.names
    }

    /// The entered and chosen values.
    pub(super) fn values(&self) -> impl Iterator<Item = &'a str> {
        self.values.iter().map(|(_, value)| *value)
    }

    /// Whether a text states that the request was carried out, in its words or in those of a success.
    pub(super) fn states(&self, text: &str) -> bool {
        let names = self.names.as_str();
        let is_stated = |sentence: &str| {
            !wording::is_conditional(sentence)
                && !wording::is_own_update(sentence, names)
                && (wording::states_result(sentence, names) || wording::states_done(sentence, names))
        };
        !wording::is_lesser(text, names)
            && (!self.greets(text) || wording::states_done(text, names))
            && !wording::is_undone(text, names)
            && sentences(text).any(is_stated)
    }

    /// Whether a text greets a person, apart from the entered values.
    fn greets(&self, text: &str) -> bool {
        wording::greets(&self.values().fold(text.to_owned(), |text, value| text.replace(value, " ")))
    }

    /// Whether a text that replaced others refers to the request. What was only added to an earlier text
    /// (`Open – letter sent` for `Open`) has to state the action itself, because the earlier state is still there.
    pub(super) fn refers(&self, text: &str, replaced: &[&str]) -> bool {
        let text = text.trim();
        if progress::is_under_way(text)
            || wording::is_lesser(text, &self.names)
            || wording::is_undone(text, &self.names)
        {
            return false;
        }
        let earlier = replaced.iter().map(|was| was.trim()).filter(|was| was.chars().count() > 1 && *was != text);
        // The longest one is the state that is still there.
        if let Some(was) = earlier.filter(|was| contains_whole(text, was)).max_by_key(|was| was.len()) {
            let added = text.replacen(was, " ", 1);
            let added = added.trim_matches(|c: char| !c.is_alphanumeric());
            return !added.is_empty()
                && (wording::states_done(added, &self.names) && !wording::is_conditional(added)
                    || wording::is_named_state(added, &self.names)
                    || self.shows_value(added));
        }
        self.states(text) || wording::is_named_state(text, &self.names) || self.shows_value(text)
    }

    /// Whether a text shows an entered value as the value of a record, or in a sentence that refers to the request.
    pub(super) fn shows_value(&self, text: &str) -> bool {
        self.values.iter().any(|(field, value)| {
            contains_value(text, value)
                && self.is_telling(text, field, value)
                && (self.is_of_record(text, value) || states_field(text, field, value))
        })
    }

    /// A value of one character occurs in many texts; beside a word of its field or of the pressed control it is meant.
    fn is_telling(&self, text: &str, field: &str, value: &str) -> bool {
        const WORD: usize = 3;
        let is_whole = || text.trim().trim_matches(|c: char| !c.is_alphanumeric()) == value;
        let has_word = || {
            let (text, field) = (wording::normalized(text), wording::normalized(field));
            let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= WORD);
            words.any(|word| {
                let begin: String = word.chars().take(WORD).collect();
                let mut names = field.split_whitespace().chain(self.names.split_whitespace());
                names.any(|name| name.starts_with(&begin))
            })
        };
        value.chars().count() > 1 || is_whole() || has_word()
    }

    /// Whether a text with this value is that of a record (`Ada Finch`, `Applicant: Ada Finch`), and not a sentence
    /// about it that does not state what was requested (`Ada Finch is on the list of those who have to pay`).
    fn is_of_record(&self, text: &str, value: &str) -> bool {
        let rest = words(&text.replace(value, " "));
        let of_value = words(value);
        let rest: Vec<&String> = rest.iter().filter(|word| !of_value.contains(word)).collect();
        let names = self.names.as_str();
        if !is_sentence_of(rest.len(), text) {
            let rest = rest.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(" ");
            let is_open = wording::unwanted_state(&rest, names) == Some(UnwantedState::Unfinished);
            return !is_open && !wording::is_conditional(&rest);
        }
        let label =
            text.split_once(": ").filter(|(head, shown)| words(head).len() <= 3 && contains_value(shown, value));
        let is_labelled = label.is_some_and(|(head, _)| {
            let names = words(names);
            words(head).iter().any(|word| word.chars().count() > 2 && names.contains(word))
        });
        is_labelled
            || !wording::is_conditional(text)
                && !wording::has_denial(text)
                && !wording::is_instruction(text)
                && (self.states(text) || wording::has_object(text, names))
    }
}

/// Whether a sentence ends with the name of the field and its value: `Customer 4711: City is now Graz`.
fn states_field(text: &str, field: &str, value: &str) -> bool {
    const SHORTEST: usize = 3;
    const VERB: usize = 2;
    let (text, field) = (wording::normalized(text), wording::normalized(field.trim()));
    let value = wording::normalized(value.trim());
    let head = text.trim_end().trim_end_matches(['.', '!']).strip_suffix(value.as_str());
    let between = head.and_then(|head| head.rsplit_once(field.as_str())).map(|(_, between)| between);
    field.chars().count() >= SHORTEST
        && between.is_some_and(|verb| words(verb).len() <= VERB && !wording::has_denial(verb))
        && !wording::states_refusal(&text)
        && !wording::is_conditional(&text)
        && !wording::is_instruction(&text)
}

/// The sentences of a text. A point in a number ends none.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(". ").flat_map(|part| part.split_inclusive(['!', ';'])).filter(|part| !part.trim().is_empty())
}

/// Whether a text is a sentence that says something, and not a name, a label or a value.
pub(super) fn is_sentence(text: &str) -> bool {
    is_sentence_of(words(text).len(), text)
}

fn is_sentence_of(words: usize, text: &str) -> bool {
    const SENTENCE: usize = 3;
    words >= SENTENCE || words > 1 && text.trim_end().ends_with(['.', '!', '?'])
}

/// The words of a text in lower case, without numbers.
fn words(text: &str) -> Vec<String> {
    let text = wording::normalized(text);
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'');
    words.filter(|word| word.contains(char::is_alphabetic)).map(str::to_owned).collect()
}
