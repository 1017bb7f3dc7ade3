//! A check in terms that other test tools share: texts, roles with names, the title, the address. Only checks that such
//! a tool can evaluate with the same result are converted.

use crate::{
    Check,
    ast::{Comparison, Condition, ElementState, TargetPhrase},
    element_kind::ElementKind,
};

/// What a check asserts.
#[derive(Clone, Debug, PartialEq)]
pub enum Assertion {
    /// Whether a text is visible on the page, in upper or lower case.
    Text {
        /// The text.
        text: String,
        /// Whether it must be visible; otherwise it must not be.
        shown: bool,
    },
    /// Whether an element is visible.
    Element {
        /// Its ARIA role.
        role: &'static str,
        /// Its accessible name.
        name: String,
        /// Whether it must be visible; otherwise it must not be.
        shown: bool,
    },
    /// Whether an element is in a state: `checked`, `unchecked`, `enabled`, `disabled`.
    State {
        /// Its ARIA role, if the check names a kind.
        role: Option<&'static str>,
        /// Its accessible name.
        name: String,
        /// The state.
        state: &'static str,
    },
    /// The title of the page.
    Title {
        /// How it is compared.
        comparison: TextComparison,
        /// The text.
        value: String,
    },
    /// The address of the page.
    Address {
        /// How it is compared.
        comparison: TextComparison,
        /// The text.
        value: String,
    },
    /// The value of a variable.
    Variable {
        /// The name of the variable.
        name: String,
        /// How it is compared.
        comparison: TextComparison,
        /// The text.
        value: String,
    },
    /// Whether a file arrived, with this name if it has one.
    Downloaded(Option<String>),
    /// All of them.
    All(Vec<Assertion>),
}

/// How a text is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextComparison {
    /// It is this text.
    Is,
    /// It contains this text.
    Contains,
}

impl Check {
    /// The check as an assertion; `None` if it needs more than texts, roles and names.
    pub fn assertion(&self) -> Option<Assertion> {
        of_condition(&self.condition, true)
    }
}

fn of_condition(condition: &Condition, holds: bool) -> Option<Assertion> {
    Some(match condition {
        Condition::Not(inner) => return of_condition(inner, !holds).filter(|_| matches!(**inner, Condition::Shown(_))),
        Condition::All(all) if holds => {
            Assertion::All(all.iter().map(|one| of_condition(one, true)).collect::<Option<_>>()?)
        }
        Condition::Shown(subject) => {
            let name = plain_name(subject)?;
            match subject.kind {
                None | Some(ElementKind::Text) => Assertion::Text { text: name, shown: holds },
                Some(kind) => Assertion::Element { role: role_of(kind)?, name, shown: holds },
            }
        }
        Condition::State { subject, state } if holds => {
            let (ElementState::Checked | ElementState::Unchecked | ElementState::Enabled | ElementState::Disabled) =
                state
            else {
                return None;
            };
            let role = match subject.kind {
                None => None,
                Some(kind) => Some(role_of(kind)?),
            };
            Assertion::State { role, name: plain_name(subject)?, state: state.word() }
        }
        Condition::Title { comparison, value } if holds => {
            Assertion::Title { comparison: text_comparison(*comparison)?, value: value.clone() }
        }
        Condition::Address { comparison, value } if holds => {
            Assertion::Address { comparison: text_comparison(*comparison)?, value: value.clone() }
        }
        Condition::Variable { name, comparison, value } if holds => {
            Assertion::Variable { name: name.clone(), comparison: text_comparison(*comparison)?, value: value.clone() }
        }
        Condition::Downloaded(name) if holds => Assertion::Downloaded(name.clone()),
        _ => return None,
    })
}

fn text_comparison(comparison: Comparison) -> Option<TextComparison> {
    match comparison {
        Comparison::Is => Some(TextComparison::Is),
        Comparison::Contains => Some(TextComparison::Contains),
        _ => None,
    }
}

/// The name of a phrase that consists of nothing else than a kind and a quoted name.
fn plain_name(phrase: &TargetPhrase) -> Option<String> {
    let is_plain = phrase.raw.is_none()
        && phrase.noun.is_none()
        && phrase.property.is_none()
        && phrase.ordinal.is_none()
        && phrase.placeholder.is_none()
        && phrase.contains.is_empty()
        && phrase.quoted
        && phrase.scopes.iter().all(super::ast::Scope::is_page);
    phrase.name.clone().filter(|_| is_plain)
}

fn role_of(kind: ElementKind) -> Option<&'static str> {
    Some(match kind {
        ElementKind::Button => "button",
        ElementKind::Link => "link",
        ElementKind::Checkbox => "checkbox",
        ElementKind::Radio => "radio",
        ElementKind::Heading => "heading",
        ElementKind::Dialog => "dialog",
        ElementKind::Tab => "tab",
        ElementKind::Switch => "switch",
        ElementKind::Image => "img",
        ElementKind::Option => "option",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_condition;

    #[test]
    fn only_checks_of_texts_roles_and_names_are_assertions() {
        let of = |text: &str| read_condition(text).unwrap().assertion();
        let text = |text: &str, shown| Some(Assertion::Text { text: text.into(), shown });
        assert_eq!(of("\"Saved\" is shown"), text("Saved", true));
        assert_eq!(of("\"Saved\" is not shown"), text("Saved", false));
        let element = Assertion::Element { role: "heading", name: "Users".into(), shown: true };
        assert_eq!(of("the heading \"Users\" is shown"), Some(element));
        assert_eq!(of("file \"a.csv\" was downloaded"), Some(Assertion::Downloaded(Some("a.csv".into()))));
        assert!(matches!(of("\"A\" is shown and \"B\" is not shown"), Some(Assertion::All(all)) if all.len() == 2));
        assert!(matches!(of("\"News\" is checked"), Some(Assertion::State { state: "checked", .. })));
        assert!(matches!(of("the title is \"Home\""), Some(Assertion::Title { .. })));
        for more in [
            "\"A\" is shown or \"B\" is shown",
            "there are 3 rows in the table \"Users\"",
            "the row of \"Bob\" contains \"admin\"",
        ] {
            assert_eq!(of(more), None, "{more}");
        }
    }
}
