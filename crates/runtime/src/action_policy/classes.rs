//! The class of an action, for rules about classes instead of single actions.
//!
//! Whether an element pays, deletes, sends or downloads is recognized by its words (`phrases.txt`), so this is a
//! heuristic: a button that only shows an icon, or that is called `Continue`, is not recognized.
//!
//! A button of a script sends what it likes, as a form does, but nothing on the page tells which buttons do. So a
//! button counts as writing if its name states a change.

use std::{collections::BTreeSet, sync::LazyLock};

use legwork_browser::ElementFacts;
use legwork_observe::wording;
use legwork_protocol::{Action, Button, Tab};

use super::keys::{KeyEffect, is_enter, key_effect};

/// A kind of actions in a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActionClass {
    /// Enters, selects, uploads or submits something.
    Write,
    /// Submits a form.
    Submit,
    /// Pays, according to the words of the element.
    Pay,
    /// Deletes, according to the words of the element.
    Delete,
    /// Sends or publishes, according to the words of the element.
    Send,
    /// Downloads, according to the words of the element or its `download` attribute.
    Download,
}

impl ActionClass {
    /// All classes.
    pub const ALL: [ActionClass; 6] = [
        ActionClass::Write,
        ActionClass::Submit,
        ActionClass::Pay,
        ActionClass::Delete,
        ActionClass::Send,
        ActionClass::Download,
    ];

    /// The name in a rule.
    pub fn name(self) -> &'static str {
        match self {
            ActionClass::Write => "write",
            ActionClass::Submit => "submit",
            ActionClass::Pay => "pay",
            ActionClass::Delete => "delete",
            ActionClass::Send => "send",
            ActionClass::Download => "download",
        }
    }
}

static PHRASES: LazyLock<Vec<(ActionClass, &'static str)>> = LazyLock::new(|| {
    let mut class = None;
    let mut phrases = Vec::new();
    for line in include_str!("phrases.txt").lines().map(str::trim) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(name) => class = ActionClass::ALL.into_iter().find(|class| class.name() == name),
            None if line.is_empty() || line.starts_with('#') => {}
            None => phrases.extend(class.map(|class| (class, line))),
        }
    }
    phrases
});

/// Roles of elements that hold a value which a click or a key changes.
const VALUE_ROLES: &[&str] = &[
    "checkbox",
    "combobox",
    "listbox",
    "menuitemcheckbox",
    "menuitemradio",
    "option",
    "radio",
    "searchbox",
    "slider",
    "spinbutton",
    "switch",
    "textbox",
];
/// Roles of elements that Enter or Space presses. Pressing a link follows it.
const PRESSED_BY_KEY: &[&str] = &["button", "link", "menuitem", "tab", "treeitem"];
/// Roles of what may be a button to a person: the content of one, or an element that a script makes clickable. Links,
/// tabs, menus and options are not, because pressing them leads, shows or selects.
const WITHOUT_ROLE: &[&str] = &["", "generic", "image", "img", "none", "presentation"];
/// The most characters in the name of a button.
const LONGEST_NAME: usize = 60;
/// Clicking these changes no value: it sets the focus or opens the list.
const FOCUSED_BY_CLICK: &[&str] = &["combobox", "listbox", "searchbox", "spinbutton", "textbox"];

/// The classes of an action on this element; on a page with an open dialog, of the answer to this message.
pub fn classes(action: &Action, element: &ElementFacts, dialog: Option<&str>) -> BTreeSet<ActionClass> {
    let mut classes = BTreeSet::new();
    let mut words = Vec::new();
    match action {
        Action::Fill(fill) => {
            classes.insert(ActionClass::Write);
            submit_if(fill.submit, &mut classes, &mut words, element);
        }
        Action::Type(typed) => {
            classes.insert(ActionClass::Write);
            submit_if(typed.text.contains(['\n', '\r']), &mut classes, &mut words, element);
        }
        Action::Select(_) | Action::Check(_) | Action::Uncheck(_) | Action::Upload(_) | Action::Drag(_) => {
            classes.insert(ActionClass::Write);
        }
        Action::Click(_) if pastes(action, element) => _ = classes.insert(ActionClass::Write),
        Action::Click(_) => {
            pressed(element, &mut classes, &mut words);
            write_if_changing(element, &mut classes);
        }
        // These act only on what states that it opens or closes something.
        Action::Expand(_) | Action::Collapse(_) => pressed(element, &mut classes, &mut words),
        Action::Press(press) => {
            let holds_value = VALUE_ROLES.contains(&element.role.as_str());
            match key_effect(&press.key) {
                // A cursor key chooses another option or value.
                KeyEffect::Navigates if holds_value && !leaves_value(&press.key) => {
                    classes.insert(ActionClass::Write);
                }
                KeyEffect::Navigates | KeyEffect::Copies => {}
                KeyEffect::Presses if PRESSED_BY_KEY.contains(&element.role.as_str()) => {
                    pressed(element, &mut classes, &mut words);
                    write_if_changing(element, &mut classes);
                }
                // The focus may be anywhere, also in an editor without a role, and the page receives the key in any
                // case.
                KeyEffect::Presses => {
                    classes.insert(ActionClass::Write);
                    if holds_value {
                        submit_if(is_enter(&press.key), &mut classes, &mut words, element);
                    } else {
                        pressed(element, &mut classes, &mut words);
                    }
                }
                KeyEffect::Cuts | KeyEffect::Pastes | KeyEffect::Types => _ = classes.insert(ActionClass::Write),
            }
        }
        Action::Dialog(answer) => {
            if let Some(opened_by) = &answer.opened_by {
                classes.extend(self::classes(opened_by, element, None));
            }
            if answer.text.is_some() {
                classes.insert(ActionClass::Write);
            }
            if answer.accept {
                words.extend(dialog);
            }
        }
        Action::Open(_) | Action::Tab(Tab::Open { .. }) | Action::Call(_) => {}
        // These read, or move the view, the focus or the history.
        Action::Hover(_)
        | Action::Focus(_)
        | Action::Blur(_)
        | Action::Scroll(_)
        | Action::Back(_)
        | Action::Forward(_)
        | Action::Reload(_)
        | Action::Wait(_)
        | Action::Tab(_)
        | Action::Save(_)
        | Action::Extract(_)
        | Action::Read(_)
        | Action::Dom(_)
        | Action::Subdom(_)
        | Action::Look(_)
        | Action::Find(_)
        | Action::Ask(_)
        | Action::Done(_)
        | Action::Abort(_) => {}
    }
    for text in words {
        classes.extend(of_words(text));
    }
    classes
}

/// Whether an action pastes the clipboard. On Linux, the middle button pastes what was selected last.
pub(crate) fn pastes(action: &Action, element: &ElementFacts) -> bool {
    match action {
        Action::Press(press) => key_effect(&press.key) == KeyEffect::Pastes,
        Action::Click(click) => click.button == Button::Middle && !PRESSED_BY_KEY.contains(&element.role.as_str()),
        _ => false,
    }
}

/// The classes of pressing an element.
fn pressed<'a>(element: &'a ElementFacts, classes: &mut BTreeSet<ActionClass>, words: &mut Vec<&'a str>) {
    words.push(&element.name);
    if element.submits {
        classes.extend([ActionClass::Write, ActionClass::Submit]);
    }
    let role = element.role.as_str();
    if VALUE_ROLES.contains(&role) && !FOCUSED_BY_CLICK.contains(&role) {
        classes.insert(ActionClass::Write);
    }
    if element.downloads {
        classes.insert(ActionClass::Download);
    }
}

/// A button whose name states a change writes, whether or not it belongs to a form.
fn write_if_changing(element: &ElementFacts, classes: &mut BTreeSet<ActionClass>) {
    let is_button = element.role == "button";
    let states_it = match is_button || WITHOUT_ROLE.contains(&element.role.as_str()) {
        true => states_change(&element.name, is_button),
        false => false,
    };
    if states_it {
        classes.insert(ActionClass::Write);
    }
}

/// Whether a button of that name changes something: `Pay now`, `Delete account`, `Save`, `Add contact`.
///
/// Paying and deleting do the most harm and are recognized anywhere in the name. The words of sending, saving and
/// creating also occur on buttons that only lead or show something (`Next post`, `View comment`, `New`), so these are
/// exempt. A name longer than that of a button is a text that happens to contain a word, and so may be a short text
/// without the role of a button: `The Evening Post`.
pub(super) fn states_change(name: &str, is_button: bool) -> bool {
    if name.chars().count() > LONGEST_NAME {
        return false;
    }
    let classes = of_words(name);
    let harms = classes.contains(&ActionClass::Pay) || classes.contains(&ActionClass::Delete);
    let leads_or_shows = || wording::asks_for_page(name) || wording::leaves(name) || wording::shows(name);
    let changes = || {
        is_button && classes.contains(&ActionClass::Send)
            || wording::saves(name)
            || wording::creates(name)
            || wording::ends_form(name)
    };
    harms || changes() && !leads_or_shows()
}

/// Whether a key that navigates leaves the value of an element as it is.
fn leaves_value(key: &str) -> bool {
    let key = key.trim().rsplit('+').next().unwrap_or_default().trim().to_ascii_lowercase();
    matches!(key.as_str(), "escape" | "esc" | "tab" | "shift" | "control" | "ctrl" | "alt" | "meta")
}

/// Enter in a field presses the button of its form.
fn submit_if<'a>(
    submits: bool,
    classes: &mut BTreeSet<ActionClass>,
    words: &mut Vec<&'a str>,
    element: &'a ElementFacts,
) {
    if submits {
        classes.insert(ActionClass::Submit);
        words.push(&element.submitter);
    }
}

/// The classes that the words of an element stand for.
pub(super) fn of_words(name: &str) -> BTreeSet<ActionClass> {
    let name = name.to_lowercase();
    PHRASES.iter().filter(|(_, phrase)| contains_phrase(&name, phrase)).map(|(class, _)| *class).collect()
}

/// Whether a text contains a phrase as whole words. Both are in lower case. A phrase of a script without spaces may
/// stand within other characters.
pub(super) fn contains_phrase(text: &str, phrase: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_lowercase() || c.is_numeric());
    text.match_indices(phrase).any(|(at, _)| {
        !is_word(text[..at].chars().next_back()) && !is_word(text[at + phrase.len()..].chars().next())
            || phrase.chars().all(|c| c.is_alphabetic() && !c.is_lowercase())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_elements_stand_for_classes_in_several_languages() {
        let check = |name: &str, expected: &[ActionClass]| {
            assert_eq!(of_words(name).into_iter().collect::<Vec<_>>(), expected, "{name}");
        };
        check("Pay now", &[ActionClass::Pay]);
        check("Zahlungspflichtig bestellen", &[ActionClass::Pay]);
        check("Delete 3 items…", &[ActionClass::Delete]);
        check("Löschen", &[ActionClass::Delete]);
        check("Envoyer", &[ActionClass::Send]);
        check("今すぐ購入する", &[ActionClass::Pay]);
        check("Export CSV", &[ActionClass::Download]);
        // Not at the border of a word.
        check("Payroll settings", &[]);
        check("Sender address", &[]);
        check("Continue", &[]);
        check("", &[]);
    }

    #[test]
    fn the_name_of_a_button_states_a_change_or_leads_on() {
        for name in [
            "Delete account",
            "Pay now",
            "Send",
            "Save changes",
            "Add to cart",
            "Submit",
            "Publish",
            "Confirm",
            "Reply",
            "Close account",
            "Cancel subscription",
            "Konto löschen",
            "Jetzt kaufen",
            "Nachricht senden",
            "Envoyer",
            "削除",
        ] {
            assert!(states_change(name, true), "{name}");
        }
        for name in [
            "Accept all",
            "Reject all",
            "Show more",
            "Load more",
            "Next",
            "Next post",
            "2",
            "Search",
            "Close",
            "Cancel",
            "OK",
            "View comment",
            "Antworten anzeigen",
            "New",
            "Menu",
            "Filter",
            "Download",
            "Keep",
            "7",
            "",
            "Show replies",
            "Detalles del producto",
        ] {
            assert!(!states_change(name, true), "{name}");
        }
        assert!(!states_change(
            "A paragraph which says that whoever wants to delete the account must write a letter",
            true
        ));
        assert!(
            !states_change("The Evening Post", false) && states_change("Delete", false) && states_change("Send", false)
        );
    }

    #[test]
    fn every_class_of_words_has_phrases_in_lower_case() {
        for class in [ActionClass::Pay, ActionClass::Delete, ActionClass::Send, ActionClass::Download] {
            let own: Vec<_> = PHRASES.iter().filter(|(of, _)| *of == class).collect();
            assert!(own.len() > 20, "{class:?}");
            assert!(own.iter().all(|(_, phrase)| phrase.to_lowercase() == **phrase), "{own:?}");
        }
    }
}
