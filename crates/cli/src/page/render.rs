//! What a person or a program reads of an answer.

use std::{
    fs::OpenOptions,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use legwork_verbs::File;
use serde_json::{Value, json};

use super::wire::HostReply;
use crate::{error::CliError, exit::Exit, screen::Stream, style::tame_lines};

/// Tells an answer and keeps its file; the exit code is the answer's.
pub(super) fn reply(mut reply: HostReply, file: Option<&Path>, as_json: bool) -> Result<Exit, CliError> {
    let exit = Exit::from_code(reply.exit);
    let mut made = reply.said.file.take();
    // What `state save` is for is the state itself.
    if made.is_none() && file.is_some() && !reply.said.failed {
        let bytes = serde_json::to_vec_pretty(&reply.said.data).unwrap_or_default();
        made = Some(File { bytes, media_type: "application/json".to_owned(), extension: "json".to_owned() });
        reply.said.data = Value::Null;
    }
    let mut written = None;
    if let (Some(made), Some(path)) = (&made, file) {
        if path.as_os_str() == "-" {
            io::stdout().lock().write_all(&made.bytes)?;
            return Ok(exit);
        }
        save(path, &made.bytes)?;
        written = Some(path.display().to_string());
    }
    let text = std::mem::take(&mut reply.said.text);
    if as_json {
        Stream::Out.write(&format!("{}\n", as_object(&text, reply, written.as_deref())))?;
        return Ok(exit);
    }
    if let (true, Value::Array(done)) = (reply.said.failed, &reply.said.data) {
        Stream::Out.write(&format!("{}\n", tame_lines(text.trim_end())))?;
        Stream::Err.write(&failed(&format!("the batch stopped at its verb {}", done.len()), reply.hint.as_deref()))?;
        return Ok(exit);
    }
    if reply.said.failed {
        Stream::Err.write(&failed(&text, reply.hint.as_deref()))?;
        return Ok(exit);
    }
    // What a page says must not steer the terminal.
    let mut text = tame_lines(&text);
    if let Some(path) = written {
        text = format!("{path}: {text}");
    }
    Stream::Out.write(&format!("{}\n", text.trim_end()))?;
    Ok(exit)
}

/// What kept a verb from being asked, as the one JSON object.
pub(super) fn trouble(trouble: &CliError) -> Result<Exit, CliError> {
    Stream::Out.write(&as_text(trouble))?;
    Ok(trouble.exit)
}

/// What went wrong as the one JSON object of a verb, and its line end.
pub(crate) fn as_text(trouble: &CliError) -> String {
    let text = trouble.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let (error, hint) = text.split_once("\n\nhint: ").map_or((text, None), |(error, hint)| (error, Some(hint)));
    format!("{}\n", without_nulls(json!({"ok": false, "error": error, "hint": hint})))
}

fn failed(text: &str, hint: Option<&str>) -> String {
    let text = tame_lines(text.trim_end());
    match hint {
        Some(hint) => format!("error: {text}\nhint: {hint}\n"),
        None => format!("error: {text}\n"),
    }
}

fn as_object(text: &str, reply: HostReply, file: Option<&str>) -> Value {
    let HostReply { said, hint, .. } = reply;
    let (key, mut data) = (if said.failed { "error" } else { "text" }, said.data);
    without_said(&mut data, text);
    let mut object = json!({"ok": !said.failed});
    object[key] = json!(text);
    object["data"] = data;
    object["file"] = json!(file);
    object["hint"] = json!(hint);
    without_nulls(object)
}

/// The page stands in the text; a program that pays for what it reads need not read it twice.
fn without_said(data: &mut Value, text: &str) {
    match data {
        Value::Object(map) => {
            let said =
                |value: &Value| value.as_str().is_some_and(|own| !own.is_empty() && text.contains(own.trim_end()));
            if map.get("text").is_some_and(said) && map.len() > 1 {
                map.remove("text");
            }
            if let Some(page) = map.get_mut("page") {
                without_said(page, text);
            }
        }
        Value::Array(all) => all.iter_mut().for_each(|one| without_said(one, text)),
        _ => {}
    }
}

fn without_nulls(mut object: Value) -> Value {
    if let Value::Object(map) = &mut object {
        map.retain(|_, value| !value.is_null());
    }
    object
}

/// Pictures of pages and cookies are their owner's alone.
fn save(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    options
        .open(path)
        .and_then(|mut file| file.write_all(bytes))
        .map_err(|error| CliError::usage(format!("{} cannot be written", path.display())).because(&error))
}
