//! The sentences for recorded actions. Each one is read again and must lead to the same action.

use std::collections::BTreeMap;

use legwork::{observe::Snapshot, playbooks::PlaybookAction};
use legwork_protocol::{
    Action, Click, Dialog, Direction, Drag, ElementIdentity, Fill, LoadState, Press, Save, Scroll, Step, Tab, Target,
    Type, Wait, placeholders,
};
use legwork_steps::{Clause, read};

use super::page::{Disambiguation, ELEMENT, page_with};
use crate::{
    outline::{self, PageOutline},
    recording::{Intent, UsedElement, phrases},
    script::contains_words,
    sentence::{Verb, ordinal, quoted},
};

/// The steps for actions, and notes about them. The error is the reason why an action cannot be said.
pub(super) fn of_actions(
    actions: &[PlaybookAction],
    step: &str,
    values: &BTreeMap<String, String>,
    outlines: &[PageOutline],
    in_loop: bool,
) -> Result<(Vec<Step>, Vec<String>), String> {
    let (mut steps, mut notes) = (Vec::new(), Vec::new());
    for done in actions {
        if let Some(name) = done.bound.keys().next() {
            if in_loop {
                return Err(format!("what was done depends on the value of {name}"));
            }
            notes.push(format!("this was decided for the value that {name} had in the run"));
        }
        let mut writer = SentenceWriter { done, step, values, outlines, by_position: false };
        let sentences = writer.sentences(&done.action)?;
        steps.extend(sentences.into_iter().map(Step::new));
        if writer.by_position {
            notes.push("an element is named by its position, because nothing else distinguishes it".to_owned());
        }
    }
    Ok((steps, notes))
}

/// The most words that name a row or an item.
const MOST_WORDS: usize = 3;

struct SentenceWriter<'a> {
    done: &'a PlaybookAction,
    step: &'a str,
    /// The values of the variables in the run.
    values: &'a BTreeMap<String, String>,
    outlines: &'a [PageOutline],
    by_position: bool,
}

impl SentenceWriter<'_> {
    fn sentences(&mut self, action: &Action) -> Result<Vec<String>, String> {
        let own = || Target::from(ELEMENT);
        let one = |sentence: String| Ok(vec![sentence]);
        match action {
            Action::Open(open) => plain(format!("Open {}", open.url), action),
            Action::Click(click) => {
                let click = Click { target: own(), ..click.clone() };
                one(self.on_element(action, &Intent::Click(click))?)
            }
            Action::Fill(Fill { text, submit, .. }) => {
                let mut sentence = self.verb(action, Verb::Fill(text.clone()))?;
                if *submit {
                    sentence += " and press Enter";
                    read(&sentence).map_err(|_| unsaid(action))?;
                }
                one(sentence)
            }
            Action::Type(Type { target, text }) => {
                let text_only = Action::Type(Type { target: None, text: text.clone() });
                let typed = plain(format!("Type {}", quoted(text).ok_or_else(|| unsaid(action))?), &text_only)?;
                match target {
                    None => Ok(typed),
                    Some(_) => {
                        let focus = Action::Focus(legwork_protocol::TargetParams { target: own() });
                        let focused = self.with_phrase(action, &focus, |phrase| format!("Focus {phrase}"))?;
                        Ok(std::iter::once(focused).chain(typed).collect())
                    }
                }
            }
            Action::Press(Press { key, target: Some(_) }) => one(self.verb(action, Verb::Press(key.clone()))?),
            Action::Press(Press { key, target: None }) => plain(format!("Press {key}"), action),
            Action::Select(select) => one(self.verb(action, Verb::Select(select.values.clone()))?),
            Action::Check(_) => one(self.verb(action, Verb::Check)?),
            Action::Uncheck(_) => one(self.verb(action, Verb::Uncheck)?),
            Action::Hover(_) => one(self.verb(action, Verb::Hover)?),
            Action::Upload(upload) => one(self.verb(action, Verb::Upload(upload.files.clone()))?),
            Action::Expand(_) => one(self.with_phrase(action, action, |phrase| format!("Expand {phrase}"))?),
            Action::Collapse(_) => one(self.with_phrase(action, action, |phrase| format!("Collapse {phrase}"))?),
            Action::Focus(_) => one(self.with_phrase(action, action, |phrase| format!("Focus {phrase}"))?),
            Action::Scroll(scroll) => self.scroll(action, scroll),
            Action::Drag(Drag { .. }) | Action::Blur(_) => Err(unsaid(action)),
            Action::Dialog(Dialog { accept, text, opened_by }) => {
                let answer = match (accept, text) {
                    (true, None) => "accept the dialog".to_owned(),
                    (false, _) => "dismiss the dialog".to_owned(),
                    (true, Some(text)) => {
                        format!("answer the prompt with {}", quoted(text).ok_or_else(|| unsaid(action))?)
                    }
                };
                match opened_by {
                    Some(opener) => {
                        let mut sentences = self.sentences(opener)?;
                        let last = sentences.pop().ok_or_else(|| unsaid(action))?;
                        let whole = format!("{last} and {answer}");
                        read(&whole).map_err(|_| unsaid(action))?;
                        sentences.push(whole);
                        Ok(sentences)
                    }
                    None => plain(capitalized(&answer), action),
                }
            }
            Action::Back(_) => plain("Go back".to_owned(), action),
            Action::Forward(_) => plain("Go forward".to_owned(), action),
            Action::Reload(_) => plain("Reload the page".to_owned(), action),
            Action::Wait(wait) => waited(wait).ok_or_else(|| unsaid(action)),
            Action::Tab(Tab::List) => Ok(Vec::new()),
            Action::Tab(Tab::Open { url }) => {
                let at = url.as_ref().map(|url| format!(" at {url}")).unwrap_or_default();
                one(understood(format!("Open a new tab{at}"), action)?)
            }
            Action::Tab(Tab::Switch { to }) => match to.parse::<usize>() {
                Ok(number) if number > 0 => {
                    one(understood(format!("Switch to the {} tab", ordinal(number - 1)), action)?)
                }
                _ => {
                    let name = quoted(to).ok_or_else(|| unsaid(action))?;
                    one(understood(format!("Switch to the tab {name}"), action)?)
                }
            },
            Action::Tab(Tab::Close { tab: None }) => one(understood("Close the tab".to_owned(), action)?),
            Action::Tab(Tab::Close { .. }) => Err(unsaid(action)),
            Action::Save(Save { variable, attribute, .. }) => {
                let what = attribute.as_deref().unwrap_or("text");
                one(self.with_phrase(action, action, |phrase| format!("Save the {what} of {phrase} as {variable}"))?)
            }
            // They change nothing.
            Action::Read(_) | Action::Dom(_) | Action::Subdom(_) | Action::Look(_) | Action::Find(_) => Ok(Vec::new()),
            Action::Done(_) | Action::Abort(_) => Ok(Vec::new()),
            Action::Extract(_) => Err("a model extracted data from the page".to_owned()),
            Action::Call(_) => Err("a tool of the user was called".to_owned()),
            Action::Ask(_) => Err("a person was asked".to_owned()),
        }
    }

    fn scroll(&mut self, action: &Action, scroll: &Scroll) -> Result<Vec<String>, String> {
        let screens = scroll.screens.unwrap_or(1.0);
        let by = |direction: &str| match screens == 1.0 {
            true => format!("Scroll {direction}"),
            false => format!("Scroll {direction} {screens} screens"),
        };
        match (&scroll.target, scroll.direction) {
            (Some(_), None) => Ok(vec![self.with_phrase(action, action, |phrase| format!("Scroll to {phrase}"))?]),
            (None, Some(direction)) => {
                let sentence = match direction {
                    Direction::Up => by("up"),
                    Direction::Down => by("down"),
                    Direction::Left => by("left"),
                    Direction::Right => by("right"),
                    Direction::Top => "Scroll to the top".to_owned(),
                    Direction::Bottom => "Scroll to the bottom".to_owned(),
                };
                Ok(vec![understood(sentence, action)?])
            }
            _ => Err(unsaid(action)),
        }
    }

    fn verb(&mut self, action: &Action, verb: Verb) -> Result<String, String> {
        self.on_element(action, &Intent::Verb(verb))
    }

    /// The sentence for an action on its element.
    fn on_element(&mut self, action: &Action, intent: &Intent) -> Result<String, String> {
        self.on_page(action, |used| used.node().and_then(|at| used.sentence(intent, at)))
    }

    /// The sentence for an action on its element, which `sentence` makes of a phrase for the element.
    fn with_phrase(
        &mut self,
        action: &Action,
        expected: &Action,
        sentence: impl Fn(&str) -> String,
    ) -> Result<String, String> {
        let mut expected = expected.clone();
        if let Some(target) = expected.target_mut() {
            *target = Target::from(ELEMENT);
        }
        self.on_page(action, |used| {
            let all = phrases(used.page, used.node()?, &Verb::Hover);
            all.iter().map(|phrase| sentence(phrase)).find(|whole| used.decides(whole, &expected))
        })
    }

    fn on_page(
        &mut self,
        action: &Action,
        sentence: impl Fn(&UsedElement<'_>) -> Option<String>,
    ) -> Result<String, String> {
        let identity = self.done.elements.get("target");
        let identity = identity.ok_or_else(|| format!("{} has a selector instead of words", action.describe(None)))?;
        // The texts of variables are no part of the page on which a sentence is tried.
        let mut names: Vec<String> = Vec::new();
        let mut plain = |text: &str| {
            placeholders(text).fold(text.to_owned(), |plain, name| {
                let at = names.iter().position(|known| known == name).unwrap_or_else(|| {
                    names.push(name.to_owned());
                    names.len() - 1
                });
                plain.replace(&format!("${{{name}}}"), &stand_in(at))
            })
        };
        let place = match self.place(identity) {
            Disambiguation::In { role, texts } => {
                Disambiguation::In { role, texts: texts.iter().map(|text| plain(text)).collect() }
            }
            other => other,
        };
        let by_position = matches!(place, Disambiguation::Position { .. }) || identity.name.is_empty();
        // The record knows the element by what is around it. Its position would be another element on a changed page.
        if by_position && identity.containers.iter().any(|container| !container.is_of_loop()) {
            return Err(format!("no sentence names the element by what stands beside it: {}", identity.describe()));
        }
        let identity = ElementIdentity { name: plain(&identity.name), ..identity.clone() };
        let page: Snapshot = page_with(&identity, &place, action);
        let used = UsedElement { page: &page, element: Some(ELEMENT), selector: None };
        let found = sentence(&used).ok_or_else(|| unsaid(action))?;
        let found = with_more_words(&used, found, action, &place);
        self.by_position |= by_position;
        let found = names
            .iter()
            .enumerate()
            .fold(found, |found, (at, name)| found.replace(&stand_in(at), &format!("${{{name}}}")));
        read(&found).map_err(|_| unsaid(action))?;
        Ok(found)
    }

    /// How the element is distinguished from equal ones.
    fn place(&self, identity: &ElementIdentity) -> Disambiguation {
        const NAMED: [&str; 4] = ["row", "listitem", "article", "treeitem"];
        let container = identity.containers.iter().find(|one| NAMED.contains(&one.role.as_str()));
        match container {
            Some(container) if container.is_of_loop() => Disambiguation::Alone,
            Some(container) => {
                let role = container.role.clone();
                let has_variable = container.keys.iter().any(|key| key.contains("${"));
                let cells = if role == "row" && !has_variable {
                    outline::naming_texts(self.outlines, &container.keys, self.step)
                } else {
                    Vec::new()
                };
                // What the author named by a variable is another row if the variable has another value.
                let named = placeholders(self.step).find(|name| {
                    let value = self.values.get(*name).filter(|value| !value.trim().is_empty());
                    value.is_some_and(|value| cells.iter().any(|cell| contains_words(cell, value)))
                });
                if let Some(name) = named {
                    return Disambiguation::In { role, texts: vec![format!("${{{name}}}")] };
                }
                let mut texts = if cells.is_empty() { container.keys.clone() } else { cells };
                // A variable names the row of this run and that of another one.
                let said = |text: &str| contains_words(self.step, text);
                texts.sort_by_key(|text| (!text.contains("${"), !said(text), !text.chars().any(char::is_alphabetic)));
                // With another value of the variable, the row has other words beside it.
                if texts.iter().any(|text| text.contains("${")) {
                    texts.retain(|text| text.contains("${"));
                }
                // The words that the author named are enough.
                if texts.iter().filter(|text| said(text)).count() > 1 {
                    texts.retain(|text| said(text));
                }
                Disambiguation::In { role, texts }
            }
            None if identity.count > 1 => {
                Disambiguation::Position { ordinal: identity.ordinal.max(1), count: identity.count }
            }
            None => Disambiguation::Alone,
        }
    }
}

/// The sentence with several words of the row or item instead of one, if it leads to the same element. One word alone
/// may be in another row of another day.
fn with_more_words(used: &UsedElement<'_>, sentence: String, action: &Action, place: &Disambiguation) -> String {
    let Disambiguation::In { texts, .. } = place else { return sentence };
    let mut expected = action.clone();
    if let Some(target) = expected.target_mut() {
        *target = Target::from(ELEMENT);
    }
    if let Action::Fill(fill) = &mut expected {
        fill.submit = false;
    }
    let words: Option<Vec<String>> = texts.iter().take(MOST_WORDS).map(|text| quoted(text)).collect();
    let Some(words) = words.filter(|words| words.len() > 1) else { return sentence };
    // The text of a cell is enough.
    if texts.iter().any(|text| text.contains(' ')) {
        return sentence;
    }
    let several = words.join(" and ");
    let whole =
        [(" in the row of ", " in the row containing "), (" in the item containing ", " in the item containing ")]
            .into_iter()
            .filter_map(|(one, more)| {
                Some(format!("{}{more}{several}", sentence.strip_suffix(&words[0])?.strip_suffix(one)?))
            })
            .find(|whole| used.decides(whole, &expected));
    whole.unwrap_or(sentence)
}

/// A word that stands for a variable.
fn stand_in(at: usize) -> String {
    format!("Zqvalue{at}z")
}

/// The sentence for an action that has no element, if it is read as this action.
fn plain(sentence: String, action: &Action) -> Result<Vec<String>, String> {
    let read = read(&sentence).map_err(|_| unsaid(action))?;
    let is_same = match read.clauses() {
        [Clause::Do(instruction)] => {
            instruction.decide(&Snapshot::default()).is_ok_and(|actions| actions.as_slice() == [action.clone()])
        }
        _ => false,
    };
    if is_same { Ok(vec![sentence]) } else { Err(unsaid(action)) }
}

/// The sentence, if it is read at all. What it does depends on the tabs or on the size of the page.
fn understood(sentence: String, action: &Action) -> Result<String, String> {
    match read(&sentence) {
        Ok(_) => Ok(sentence),
        Err(_) => Err(unsaid(action)),
    }
}

fn unsaid(action: &Action) -> String {
    format!("no sentence says this: {}", action.describe(None))
}

fn waited(wait: &Wait) -> Option<Vec<String>> {
    let sentence = match wait {
        Wait { text: Some(text), gone: None, url: None, state: None, .. } => format!("Wait for {}", quoted(text)?),
        Wait { text: None, gone: Some(text), url: None, state: None, .. } => {
            format!("Wait until {} disappears", quoted(text)?)
        }
        Wait { text: None, gone: None, url: Some(url), state: None, .. } => {
            format!("Wait until the address contains {}", quoted(url)?)
        }
        Wait {
            text: None,
            gone: None,
            url: None,
            state: Some(LoadState::Dom | LoadState::Load | LoadState::Idle),
            ..
        } => "Wait for the page to load".to_owned(),
        Wait { text: None, gone: None, url: None, state: None, seconds: Some(seconds) } => {
            format!("Wait {seconds} seconds")
        }
        _ => return None,
    };
    read(&sentence).is_ok().then(|| vec![sentence])
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
