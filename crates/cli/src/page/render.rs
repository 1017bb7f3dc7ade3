//! Prints replies, for a person or as JSON.

use std::{
    fs::OpenOptions,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use legwork_verbs::{CommandFailure, PageReply};
use serde_json::{Value, json};

use super::{
    exit_code,
    wire::{HostReply, Refusal},
};
use crate::{error::CliError, exit::Exit, screen::Stream, style::escape_control_lines};

/// Prints a reply and writes its file. Returns the exit code of the reply.
pub(super) fn reply(reply: HostReply, file: Option<&Path>, as_json: bool) -> Result<Exit, CliError> {
    match reply {
        HostReply::Executed(reply) => executed(reply, file, as_json),
        HostReply::Refused(Refusal { text, exit, hint }) => {
            if as_json {
                Stream::Out.write(&failure_json(&text, Some(&hint)))?;
            } else {
                Stream::Err.write(&failed(&text, Some(&hint)))?;
            }
            Ok(exit)
        }
    }
}

fn executed(reply: PageReply, file: Option<&Path>, as_json: bool) -> Result<Exit, CliError> {
    let PageReply { text, failure, data, file: made } = reply;
    let exit = failure.as_ref().map_or(Exit::Success, exit_code::of);
    let hint = failure.as_ref().and_then(CommandFailure::action).and_then(exit_code::hint);
    let mut written = None;
    if let (Some(made), Some(path)) = (&made, file) {
        if path.as_os_str() == "-" {
            io::stdout().lock().write_all(&made.bytes)?;
            return Ok(exit);
        }
        save(path, &made.bytes)?;
        written = Some(path.display().to_string());
    }
    if as_json {
        let key = if failure.is_some() { "error" } else { "text" };
        let object = json!({"ok": failure.is_none(), key: text, "data": data, "file": written, "hint": hint});
        Stream::Out.write(&format!("{}\n", without_nulls(object)))?;
        return Ok(exit);
    }
    match failure {
        Some(CommandFailure::Batch { position, .. }) => {
            Stream::Out.write(&format!("{}\n", escape_control_lines(text.trim_end())))?;
            Stream::Err.write(&failed(&format!("the batch stopped at its verb {position}"), hint.as_deref()))?;
        }
        Some(_) => Stream::Err.write(&failed(&text, hint.as_deref()))?,
        None => {
            // Control characters in a page's text must not reach the terminal.
            let text = escape_control_lines(&text);
            let text = written.map_or(text.clone(), |path| format!("{path}: {text}"));
            Stream::Out.write(&format!("{}\n", text.trim_end()))?;
        }
    }
    Ok(exit)
}

/// Prints the error of a verb that was not executed, as a JSON object.
pub(super) fn error(error: &CliError) -> Result<Exit, CliError> {
    Stream::Out.write(&as_text(error))?;
    Ok(error.exit)
}

/// An error as the JSON object of a verb, with a line break.
pub(crate) fn as_text(error: &CliError) -> String {
    failure_json(&error.body(), error.hint_text())
}

fn failure_json(text: &str, hint: Option<&str>) -> String {
    format!("{}\n", without_nulls(json!({"ok": false, "error": text, "hint": hint})))
}

fn failed(text: &str, hint: Option<&str>) -> String {
    let text = escape_control_lines(text.trim_end());
    match hint {
        Some(hint) => format!("error: {text}\nhint: {hint}\n"),
        None => format!("error: {text}\n"),
    }
}

fn without_nulls(mut object: Value) -> Value {
    if let Value::Object(map) = &mut object {
        map.retain(|_, value| !value.is_null());
    }
    object
}

/// Only the owner can read the file: screenshots and cookies are private.
fn save(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    options
        .open(path)
        .and_then(|mut file| file.write_all(bytes))
        .map_err(|error| CliError::usage(format!("{} cannot be written", path.display())).because(&error))
}
