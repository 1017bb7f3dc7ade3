//! A session of WebDriver: its commands, and the window and frame that it is in. The server has one current window and
//! frame for each session, so that every command first leads the session to where it is meant for.

use std::time::Duration;

use serde_json::{Value, json};

use super::http::{Endpoint, WireError};
use crate::driver::DriverError;

/// The name of the property that identifies an element in the protocol.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// How long a command may take that the browser executes at once.
const ANSWER: Duration = Duration::from_secs(10);

/// Why a command of a page was not carried out.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CommandError {
    /// A dialog with this message blocks the page.
    Dialog(String),
    Driver(DriverError),
}

impl From<DriverError> for CommandError {
    fn from(error: DriverError) -> Self {
        CommandError::Driver(error)
    }
}

/// The identifier of an element in an answer.
pub(super) fn element_id(value: &Value) -> Option<&str> {
    value[ELEMENT].as_str()
}

pub(super) fn element(id: &str) -> Value {
    json!({ ELEMENT: id })
}

pub(super) struct Wire {
    endpoint: Endpoint,
    /// The path of the session.
    path: String,
    window: String,
    /// The elements of the frames from the top of the window to where the session is; `None` if that is unknown.
    frame: Option<Vec<String>>,
}

/// A session that was created.
pub(super) struct Created {
    pub(super) wire: Wire,
    pub(super) name: String,
    pub(super) version: String,
}

/// Translates an error. `what` is the command.
fn trouble_of(what: &str, error: WireError) -> CommandError {
    let error = match error {
        WireError::Lost(reason) => DriverError::Disconnected(reason.into()),
        WireError::Late(limit) => DriverError::Timeout { ms: limit.as_millis() as u64 },
        WireError::Failed { code, message, data } => match &*code {
            "unexpected alert open" => {
                return CommandError::Dialog(data["text"].as_str().unwrap_or(&message).to_owned());
            }
            "no such window" | "no such frame" | "stale element reference" | "no such element" => {
                DriverError::TargetClosed
            }
            "invalid session id" => DriverError::Disconnected("its session has ended".into()),
            "javascript error" => DriverError::Exception(message),
            "script timeout" | "timeout" => DriverError::Timeout { ms: 0 },
            _ => DriverError::Refused(format!("{what}: {code}: {message}")),
        },
    };
    CommandError::Driver(error)
}

impl Wire {
    /// Creates a session with these capabilities.
    pub(super) async fn create(endpoint: Endpoint, always: Value, limit: Duration) -> Result<Created, DriverError> {
        let body = json!({"capabilities": {"alwaysMatch": always}});
        let created = endpoint.ask("POST", "/session", Some(&body), limit).await;
        let created = created.map_err(|error| match trouble_of("session", error) {
            CommandError::Driver(error) => error,
            CommandError::Dialog(message) => DriverError::Refused(message),
        })?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let path = format!("/session/{}", text(&created["sessionId"]));
        let capabilities = &created["capabilities"];
        Ok(Created {
            wire: Wire { endpoint, path, window: String::new(), frame: None },
            name: text(&capabilities["browserName"]),
            version: text(&capabilities["browserVersion"]),
        })
    }

    async fn command(
        &self,
        method: &str,
        what: &str,
        body: Option<Value>,
        limit: Duration,
    ) -> Result<Value, CommandError> {
        let path = format!("{}{what}", self.path);
        self.endpoint.ask(method, &path, body.as_ref(), limit).await.map_err(|error| trouble_of(what, error))
    }

    pub(super) async fn get(&self, what: &str) -> Result<Value, CommandError> {
        self.command("GET", what, None, ANSWER).await
    }

    pub(super) async fn post(&self, what: &str, body: Value) -> Result<Value, CommandError> {
        self.command("POST", what, Some(body), ANSWER).await
    }

    /// Carries out actions of devices.
    pub(super) async fn act(&self, actions: Value) -> Result<Value, CommandError> {
        // A page whose handler does not end does not receive them.
        const LIMIT: Duration = Duration::from_secs(6);
        self.command("POST", "/actions", Some(actions), LIMIT).await
    }

    pub(super) async fn delete(&self, what: &str) -> Result<Value, CommandError> {
        self.command("DELETE", what, None, ANSWER).await
    }

    /// Ends the session, and with it the browser if the server has started it.
    pub(super) async fn end(&self) -> Result<Value, CommandError> {
        self.delete("").await
    }

    /// Leads the session to a frame of a window.
    pub(super) async fn enter(&mut self, window: &str, frame: &[String]) -> Result<(), CommandError> {
        if self.window != window {
            self.frame = None;
            self.post("/window", json!({ "handle": window })).await?;
            window.clone_into(&mut self.window);
        }
        let at = match self.frame.take() {
            Some(at) if frame.starts_with(&at) => at.len(),
            _ => {
                self.post("/frame", json!({"id": null})).await?;
                0
            }
        };
        for element_id in &frame[at..] {
            self.post("/frame", json!({ "id": element(element_id) })).await?;
        }
        self.frame = Some(frame.to_vec());
        Ok(())
    }

    /// Forgets where the session is, because its window was closed or its frame is gone.
    pub(super) fn forget_place(&mut self) {
        self.window.clear();
        self.frame = None;
    }

    pub(super) async fn new_window(&mut self) -> Result<String, CommandError> {
        let created = self.post("/window/new", json!({"type": "window"})).await?;
        Ok(created["handle"].as_str().unwrap_or_default().to_owned())
    }

    pub(super) async fn handles(&self) -> Result<Vec<String>, CommandError> {
        let handles = self.get("/window/handles").await?;
        Ok(handles.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect())
    }

    /// Runs the body of a function where the session is. Null if the script opened a dialog.
    pub(super) async fn execute(&self, script: &str, arguments: Value, limit: Duration) -> Result<Value, CommandError> {
        let body = json!({"script": script, "args": arguments});
        self.command("POST", "/execute/sync", Some(body), limit).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_that_is_gone_a_dialog_and_a_refusal_are_told_apart() {
        let failed = |code: &str| {
            let data = json!({"text": "sure?"});
            trouble_of("/url", WireError::Failed { code: code.to_owned(), message: "why".to_owned(), data })
        };
        assert_eq!(failed("no such frame"), CommandError::Driver(DriverError::TargetClosed));
        assert_eq!(failed("unexpected alert open"), CommandError::Dialog("sure?".to_owned()));
        assert_eq!(
            failed("unknown command"),
            CommandError::Driver(DriverError::Refused("/url: unknown command: why".to_owned()))
        );
    }
}
