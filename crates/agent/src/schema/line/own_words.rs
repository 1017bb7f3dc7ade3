//! Words that only one action has: of a wait (`2 seconds`, `to disappear`), and of tabs (`close 2`).

use serde_json::{Value, json};

use super::{
    Reader,
    values::{seconds, unit_factor},
    words::Word,
};

impl Reader {
    /// `3`, `3s`, `500ms`, `2 seconds`; `to disappear`, `is gone`.
    pub(super) fn wait(&mut self, word: &Word) -> bool {
        if self.is_free("seconds")
            && let Some(length) = seconds(word)
        {
            let unit = self.next_if(|next| unit_factor(&next.text).is_some());
            let factor = unit.and_then(|word| unit_factor(&word.text)).unwrap_or(1.0);
            self.given.insert("seconds".to_owned(), json!(length * factor));
            return true;
        }
        // `wait for the page to load`
        let names_state = |next: &Word| self.word_of_parameter(next).is_some() || next.is("to");
        if (word.is("page") || word.is("to")) && self.words.front().is_some_and(names_state) {
            return true;
        }
        let is_end = ["gone", "hidden", "disappear", "disappears", "vanish", "vanishes"].iter().any(|end| word.is(end));
        let is_link = (word.is("to") || word.is("is")) && self.words.len() == 1;
        if is_link && self.wait_text().is_some() {
            return true;
        }
        if is_end
            && self.words.is_empty()
            && let Some(text) = self.wait_text()
        {
            self.given.remove("text");
            self.values.clear();
            self.given.insert("gone".to_owned(), text.into());
            return true;
        }
        // `wait for "Saved" to appear`
        ["appear", "visible", "shown"].iter().any(|end| word.is(end))
            && self.words.is_empty()
            && self.wait_text().is_some()
    }

    pub(super) fn wait_text(&self) -> Option<String> {
        let placed = self.values.first().map(|placed| placed.value.clone());
        self.given.get("text").and_then(Value::as_str).map(str::to_owned).or(placed)
    }

    /// `tab 2`, `tab close 2`, `tab new https://…`.
    pub(super) fn tab(&mut self, word: &Word) -> bool {
        if self.is_free("op") && ["new", "create", "select", "focus"].iter().any(|op| word.is(op)) {
            let op = if word.is("new") || word.is("create") { "open" } else { "switch" };
            self.given.insert("op".to_owned(), op.into());
            return true;
        }
        if word.is("to") || word.is("tab") {
            return true;
        }
        let key = match self.given.get("op").and_then(Value::as_str) {
            Some("open") => "url",
            Some("close") => "tab",
            Some("switch") => "to",
            Some(_) => return false,
            None => "to",
        };
        if !self.is_free(key) {
            return false;
        }
        // A number or name alone selects the tab.
        self.given.entry("op").or_insert("switch".into());
        self.given.insert(key.to_owned(), word.text.clone().into());
        true
    }
}
