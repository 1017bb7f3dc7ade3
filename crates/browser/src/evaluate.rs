//! Scripts that somebody hands in, run in the page's own world, where the page's variables are: for who drives a page by hand.
//! Whatever they answer with has its secrets masked. A run never does this: no text of a page or of a model is run as code.

use legwork_protocol::{ActionFailure, Target};
use serde_json::{Value, json};

use crate::{Session, act::Turn, frames::dialog_open};

impl Session {
    /// The value of an expression, or what a function answers; with a target, the function is called with its element. A
    /// promise is awaited, for as long as a page may take to load. What JSON cannot say is null. Afterwards the page is
    /// waited for as after an action.
    ///
    /// # Errors
    /// When the script throws, the element is not there, or the page does not answer.
    pub async fn evaluate(&self, script: &str, target: Option<&Target>) -> Result<Value, ActionFailure> {
        let shared = &*self.shared;
        let tab = shared.current_tab()?;
        let mark = {
            let mut state = shared.state();
            let mark = state.mark();
            if let Some(dialog) = state.tab(tab).and_then(|tab| tab.dialog.as_ref()) {
                return Err(dialog_open(dialog));
            }
            mark
        };
        let limit = shared.options.timeouts.navigation;
        let (evaluated, acted) = match target {
            None => {
                let session = self.tab_session(tab)?;
                (shared.driver.evaluate_in_page(&session, script), None)
            }
            Some(target) => {
                let (place, ready) = self.ready(tab, target, "attached", json!({})).await?;
                let element = format!("legwork.element({})", ready.element);
                (shared.driver.call_in_page(place.world(), element, script), Some((place, ready.element)))
            }
        };
        let answer = shared.answer(tab, evaluated, limit).await;
        let acted = acted.as_ref().map(|(place, element)| (place, Some(*element)));
        let rested = self.rest(Turn { tab, mark }, acted).await;
        match answer {
            Ok(value) => rested.map(|()| self.masked_answer(value)),
            Err(trouble) => Err(self.masked(match ActionFailure::from(trouble) {
                ActionFailure::Value { reason, .. } => ActionFailure::Value { what: "the script".to_owned(), reason },
                other => other,
            })),
        }
    }

    /// An answer may have any shape: a page's secret is masked as a number and as a field's name too.
    fn masked_answer(&self, value: Value) -> Value {
        let text = |mut text: String| {
            self.shared.guard().mask(&mut text);
            text
        };
        match value {
            Value::String(said) => Value::String(text(said)),
            Value::Number(number) => {
                let plain = number.to_string();
                let masked = text(plain.clone());
                if masked == plain { Value::Number(number) } else { Value::String(masked) }
            }
            Value::Array(values) => values.into_iter().map(|value| self.masked_answer(value)).collect(),
            Value::Object(fields) => {
                fields.into_iter().map(|(name, value)| (text(name), self.masked_answer(value))).collect()
            }
            Value::Null | Value::Bool(_) => value,
        }
    }
}
