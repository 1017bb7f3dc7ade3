//! The step for an input: the first sentence that is understood and leads to exactly the element that was used, on the
//! page as it was.

use std::collections::BTreeMap;

use legwork::observe::{Node, NodeIndex, Snapshot};
use legwork_protocol::{Action, Click, Drag, Press, Ref, Step, Target, TargetKind};
use legwork_steps::{Clause, Facts, Finding, read};

use super::candidates;
use crate::sentence::{Verb, action_of, click_verb, quoted, sentence, with_action};

/// The doubt about a step that has a selector instead of words.
const NO_SENTENCE: &str = "no sentence leads to this element alone, so the step has a selector; check it";
/// The doubt about a click on a text.
const ONLY_TEXT: &str =
    "the page does not say that this text is a control, so the step may mean another text; check it";
/// The doubt about a check.
const NOT_SHOWN: &str = "the text was not found on the page when this was recorded; check it";
/// The most phrases that are tried for each of the two elements of a drag.
const DRAG_PHRASES: usize = 12;

/// What was done.
#[derive(Clone, Debug)]
pub(crate) enum Intent {
    Verb(Verb),
    Click(Click),
    /// A key, wherever the focus is.
    Press(String),
    Drag(Drag),
}

/// The element of an input.
#[derive(Clone, Copy)]
pub(crate) struct UsedElement<'a> {
    pub(crate) page: &'a Snapshot,
    pub(crate) element: Option<Ref>,
    pub(crate) selector: Option<&'a str>,
}

impl UsedElement<'_> {
    pub(crate) fn node(&self) -> Option<NodeIndex> {
        self.page.find_ref(self.element?)
    }

    /// The ref, or one that no page has.
    pub(super) fn reference(&self) -> Ref {
        self.element.unwrap_or(Ref(0))
    }

    /// The words that name the element to a person; empty if there are none.
    pub(super) fn label(&self) -> String {
        self.node().and_then(|at| candidates::names(self.page, at).into_iter().next()).unwrap_or_default()
    }

    /// Whether the element is a text, or something that a text names.
    pub(super) fn is_text(&self) -> bool {
        const TEXTS: &[&str] = &[
            "text",
            "cell",
            "gridcell",
            "row",
            "listitem",
            "heading",
            "img",
            "paragraph",
            "term",
            "rowheader",
            "columnheader",
            "treeitem",
        ];
        self.node().is_some_and(|at| self.page.has_role(at, TEXTS) && !self.label().is_empty())
    }

    /// The step, and why it may be wrong.
    pub(super) fn step(&self, intent: &Intent) -> (Step, Option<String>) {
        let whole = match intent {
            Intent::Press(key) => {
                let (sentence, expected) = (format!("Press {key}"), press(key));
                match self.decides(&sentence, &expected) {
                    true => Some(sentence),
                    false => return (with_action(expected, None), None),
                }
            }
            _ => self.node().and_then(|at| self.sentence(intent, at)),
        };
        let Some(sentence) = whole else {
            let selector = self.selector.filter(|selector| !selector.is_empty()).unwrap_or("body");
            let target = Target(selector.to_owned());
            let action = match intent {
                Intent::Verb(verb) => action_of(verb, target),
                Intent::Click(click) => Action::Click(Click { target, ..click.clone() }),
                Intent::Press(key) => press(key),
                Intent::Drag(drag) => Action::Drag(Drag { target, ..drag.clone() }),
            };
            return (with_action(action, None), Some(NO_SENTENCE.to_owned()));
        };
        (Step::new(sentence), None)
    }

    /// The step for a click on a text that is no control according to the page.
    pub(super) fn click_on_text(&self, click: &Click, text: &str) -> (Step, Option<String>) {
        let sentence = click_verb(click).zip(quoted(text)).map(|(verb, name)| format!("{verb} {name}"));
        let is_understood = |whole: &String| {
            read(whole).is_ok_and(|sentence| match sentence.clauses() {
                [Clause::Do(instruction)] => {
                    matches!(instruction.decide(self.page).as_deref(), Ok([Action::Click(_)]))
                }
                _ => false,
            })
        };
        match sentence.filter(is_understood) {
            Some(sentence) => (Step::new(sentence), Some(ONLY_TEXT.to_owned())),
            None => {
                let selector = self.selector.filter(|selector| !selector.is_empty()).unwrap_or("body");
                let click = Click { target: Target(selector.to_owned()), ..click.clone() };
                (with_action(Action::Click(click), None), Some(NO_SENTENCE.to_owned()))
            }
        }
    }

    /// The step for the text of a field. `phrase`, which named the field before, is tried first, because this is called
    /// for each key.
    pub(super) fn fill(&self, verb: &Verb, phrase: &mut Option<String>) -> (Step, Option<String>) {
        let known = phrase.iter().cloned();
        let expected = action_of(verb, Target::from(self.reference()));
        let found = self.node().and_then(|at| {
            let role = self.page.role(at);
            let leads =
                |phrase: &String| sentence(verb, Some(role), phrase).filter(|whole| self.decides(whole, &expected));
            let mut all = known.chain(std::iter::once_with(|| candidates::phrases(self.page, at, verb)).flatten());
            all.find_map(|candidate| Some((leads(&candidate)?, candidate)))
        });
        match found {
            Some((whole, by)) => {
                *phrase = Some(by);
                (Step::new(whole), None)
            }
            None => self.step(&Intent::Verb(verb.clone())),
        }
    }

    /// The first sentence that leads to the element.
    pub(crate) fn sentence(&self, intent: &Intent, at: NodeIndex) -> Option<String> {
        let target = Target::from(self.reference());
        match intent {
            Intent::Verb(verb) => {
                let expected = action_of(verb, target);
                candidates::phrases(self.page, at, verb).into_iter().find_map(|phrase| {
                    let whole = sentence(verb, Some(self.page.role(at)), &phrase)?;
                    self.decides(&whole, &expected).then_some(whole)
                })
            }
            Intent::Click(click) => {
                let expected = Action::Click(click.clone());
                let verb = click_verb(click)?;
                candidates::phrases(self.page, at, &Verb::Click).into_iter().find_map(|phrase| {
                    let whole = format!("{verb} {phrase}");
                    self.decides(&whole, &expected).then_some(whole)
                })
            }
            Intent::Drag(drag) => {
                let expected = Action::Drag(drag.clone());
                let TargetKind::Ref(onto) = drag.to.kind() else { return None };
                let places = candidates::phrases(self.page, self.page.find_ref(onto)?, &Verb::Hover);
                candidates::phrases(self.page, at, &Verb::Hover).into_iter().take(DRAG_PHRASES).find_map(|phrase| {
                    places.iter().take(DRAG_PHRASES).find_map(|place| {
                        let whole = format!("Drag {phrase} onto {place}");
                        self.decides(&whole, &expected).then_some(whole)
                    })
                })
            }
            Intent::Press(_) => None,
        }
    }

    /// Whether a sentence is understood and its only action on the page is the expected one.
    pub(crate) fn decides(&self, whole: &str, expected: &Action) -> bool {
        let Ok(sentence) = read(whole) else { return false };
        let [Clause::Do(instruction)] = sentence.clauses() else { return false };
        let Ok(actions) = instruction.decide(self.page) else { return false };
        matches!(actions.as_slice(), [action] if self.is_same(action, expected))
    }

    fn is_same(&self, action: &Action, expected: &Action) -> bool {
        let (mut action, mut expected) = (action.clone(), expected.clone());
        if let (Some(found), Some(wanted)) = (action.target_mut(), expected.target_mut()) {
            if *found != *wanted && !self.are_alike(found, wanted) {
                return false;
            }
            wanted.clone_from(found);
        }
        action == expected
    }

    /// Whether two elements are links of the same name to the same address: either will do.
    fn are_alike(&self, one: &Target, other: &Target) -> bool {
        let node = |target: &Target| match target.kind() {
            TargetKind::Ref(reference) => self.page.find_ref(reference).map(|at| &self.page.nodes[at]),
            _ => None,
        };
        let (Some(one), Some(other)) = (node(one), node(other)) else { return false };
        let href = |node: &Node| node.attributes.as_ref().and_then(|attributes| attributes.href.clone());
        let are_links = one.role.as_ref() == "link" && other.role.as_ref() == "link" && one.name == other.name;
        are_links && href(one).is_some() && href(one) == href(other)
    }
}

fn press(key: &str) -> Action {
    Action::Press(Press { key: key.to_owned(), target: None })
}

/// The step that checks that a text is shown, and why it may be wrong.
pub(super) fn check(page: &Snapshot, text: &str) -> (Step, Option<String>) {
    // Of a text that cannot be in quotes, a part can.
    let part = || text.split(['"', '\\']).max_by_key(|part| part.len()).unwrap_or_default().trim();
    let words = quoted(text).unwrap_or_else(|| format!("\"{}\"", part()));
    let whole = format!("Check that {words} is shown");
    let holds = read(&whole).is_ok_and(|sentence| match sentence.clauses() {
        [Clause::Check(check)] => {
            let facts = Facts { page, variables: &BTreeMap::new(), effects: &[] };
            matches!(check.evaluate(&facts), Finding::Holds(_))
        }
        _ => false,
    });
    (Step::new(whole), (!holds).then(|| NOT_SHOWN.to_owned()))
}
