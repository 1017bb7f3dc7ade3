//! Converts the arguments of a tool to a call. The reader accepts what clients commonly send: `ref` instead of
//! `target`, a number as a string, an unneeded `element`. It never guesses a missing argument.

use legwork::{
    browser::{Emulation, Gesture, MediaFeature},
    settings::RequiredResult,
};
use legwork_protocol::{Action, Click, Dialog, Drag, Fill, Open, Press, Type, Wait};
use legwork_verbs::{CommandRequest, Extraction, Format, PageCommand, Part};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{ToolEntry, arguments::*, batch, batch::BatchWork, parse_optional};

/// A parsed call.
#[derive(Debug)]
pub(crate) enum Call {
    /// A command for the page.
    Ask(CommandRequest),
    /// A command whose result is written to a file.
    Save(CommandRequest, Save),
    Tabs(TabOp, Option<usize>),
    LoadState {
        filename: String,
    },
    Close,
    Config,
    Run(RunArguments),
    Replay {
        run: String,
        inputs: Map<String, Value>,
    },
    Runs {
        run: Option<String>,
        limit: usize,
    },
    /// Begins or continues a batch; the results are also written to the file, if there is one.
    Batch(Box<BatchWork>, Option<String>),
    Batches {
        batch: Option<String>,
        from: usize,
        limit: usize,
    },
}

/// The file for the result of a call.
#[derive(Debug)]
pub(crate) struct Save {
    pub(crate) filename: Option<String>,
    /// The stem of the file name if the caller gives none.
    pub(crate) stem: &'static str,
}

#[derive(Debug)]
pub(crate) enum TabOp {
    List,
    New(Option<String>),
    Close(Option<usize>),
    Select(usize),
}

/// A task or workflow to run.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct RunArguments {
    #[serde(default)]
    pub(crate) task: Option<String>,
    #[serde(default)]
    pub(crate) workflow: Option<String>,
    #[serde(default)]
    pub(crate) inputs: Map<String, Value>,
    #[serde(default)]
    pub(crate) url: Option<String>,
    #[serde(default)]
    pub(crate) require: Option<RequiredResult>,
}

/// Parses a call.
pub(crate) fn call(tool: &str, arguments: Map<String, Value>) -> Result<Call, InvalidCall> {
    let read = Reader::new(tool, arguments);
    let Budget { max_tokens } = read.to()?;
    let ask = |verb: PageCommand| Call::Ask(CommandRequest { verb, max_tokens });
    let act = |action: Action| ask(PageCommand::Act { actions: vec![action] });
    if let Some(info) = ToolEntry::by_name(tool).and_then(|tool| tool.action) {
        return Ok(act(read.action(info)?));
    }
    Ok(match tool {
        "browser_navigate" => {
            let Url { url } = read.to()?;
            act(Action::Open(Open { url: address(&url) }))
        }
        "browser_snapshot" => {
            let Snapshot { target, depth, interactive, filename } = read.to()?;
            let shown = CommandRequest {
                verb: PageCommand::Snapshot(Part { target, interactive, compact: false, depth }),
                max_tokens,
            };
            with_file(shown, filename, "page")
        }
        "browser_find" => {
            let Find { text, regex } = read.to()?;
            let text = match (text, regex) {
                (Some(text), _) => text,
                (None, Some(regex)) if regex.starts_with('/') => regex.trim_end_matches(char::is_alphabetic).to_owned(),
                (None, Some(regex)) => format!("/{regex}/"),
                (None, None) => return Err(read.lacks("text or regex")),
            };
            ask(PageCommand::Find { text })
        }
        "browser_click" => {
            let Clicking { target, double_click, button, modifiers } = read.to()?;
            let modifiers = modifiers.iter().map(|name| read.modifier(name)).collect::<Result<_, _>>()?;
            act(Action::Click(Click { target, button, count: if double_click { 2 } else { 1 }, modifiers }))
        }
        "browser_type" => {
            let Typing { target, text, submit, slowly } = read.to()?;
            if slowly {
                let mut actions = vec![Action::Type(Type { target: Some(target), text })];
                if submit {
                    actions.push(Action::Press(Press { key: "Enter".to_owned(), target: None }));
                }
                ask(PageCommand::Act { actions })
            } else {
                act(Action::Fill(Fill { target, text, submit }))
            }
        }
        "browser_fill_form" => {
            let Form { fields } = read.to()?;
            ask(PageCommand::Fields { fields })
        }
        "browser_drag" => {
            let Dragging { start_target, end_target } = read.to()?;
            act(Action::Drag(Drag { target: start_target, to: end_target }))
        }
        "browser_file_upload" => {
            let Paths { paths } = read.to()?;
            ask(PageCommand::ChooseFiles { paths })
        }
        "browser_handle_dialog" => {
            let Answer { accept, prompt_text } = read.to()?;
            act(Action::Dialog(Dialog::answer(accept, prompt_text)))
        }
        "browser_tabs" => {
            let Tabs { action, index, url } = read.to()?;
            let op = match action.as_str() {
                "list" => TabOp::List,
                "new" | "create" => TabOp::New(url.as_deref().map(address)),
                "close" => TabOp::Close(index),
                "select" => TabOp::Select(index.ok_or_else(|| read.lacks("index"))?),
                other => return Err(read.unknown("action", "list, new, close or select", other)),
            };
            Call::Tabs(op, max_tokens)
        }
        "browser_wait_for" => {
            let Waiting { time, text, text_gone } = read.to()?;
            if time.is_none() && text.is_none() && text_gone.is_none() {
                return Err(read.lacks("time, text or textGone"));
            }
            act(Action::Wait(Wait { text, gone: text_gone, seconds: time, ..Wait::default() }))
        }
        "browser_take_screenshot" => {
            let Picture { target, format, full_page, filename } = read.to()?;
            let by_name = filename.as_deref().and_then(|name| format_of(name.rsplit_once('.')?.1));
            let format = match format.as_deref() {
                Some(name) => format_of(name).ok_or_else(|| read.unknown("type", "png, jpeg or webp", name))?,
                None => by_name.unwrap_or_default(),
            };
            let shot = CommandRequest { verb: PageCommand::Screenshot { target, full_page, format }, max_tokens };
            Call::Save(shot, Save { filename, stem: "page" })
        }
        "browser_resize" => {
            let Size { width, height } = read.to()?;
            ask(PageCommand::Resize { width: width as u32, height: height as u32 })
        }
        "browser_close" => Call::Close,
        "browser_extract" => {
            let Extracting { instruction, schema, fields, pages } = read.to()?;
            ask(match instruction {
                None if schema.is_none() && fields.is_empty() => PageCommand::Text,
                instruction => {
                    let instruction = instruction.unwrap_or_else(|| "What the schema asks for".to_owned());
                    PageCommand::Extract(Extraction { instruction, schema, fields, pages })
                }
            })
        }
        "legwork_step" => {
            let Step { step } = read.to()?;
            ask(PageCommand::Step { words: step })
        }
        "legwork_run" => {
            let run: RunArguments = read.to()?;
            if run.task.is_some() == run.workflow.is_some() {
                return Err(InvalidCall::Either { tool: tool.to_owned() });
            }
            Call::Run(run)
        }
        "legwork_replay" => {
            let Replay { run, inputs } = read.to()?;
            Call::Replay { run, inputs }
        }
        "legwork_runs" => {
            let Runs { run, limit } = read.to()?;
            Call::Runs { run, limit: limit.unwrap_or(10) }
        }
        "legwork_batch" => {
            let (work, output) = batch::parse(&read)?;
            Call::Batch(Box::new(work), output)
        }
        "legwork_batches" => {
            let Batches { batch, from, limit } = read.to()?;
            Call::Batches { batch, from: from.unwrap_or(1), limit: limit.unwrap_or(50) }
        }
        "browser_evaluate" => {
            let Script { function, target, filename } = read.to()?;
            with_file(
                CommandRequest { verb: PageCommand::Evaluate { script: function, target }, max_tokens },
                filename,
                "result",
            )
        }
        "browser_console_messages" => {
            let Console { level, all, filename } = read.to()?;
            with_file(CommandRequest { verb: PageCommand::Console { level, all }, max_tokens }, filename, "console")
        }
        "browser_network_requests" => {
            let Network { with_static, filter, filename } = read.to()?;
            with_file(
                CommandRequest { verb: PageCommand::Network { filter, with_static, all: false }, max_tokens },
                filename,
                "network",
            )
        }
        "browser_network_request" => {
            let OneRequest { index, part, filename } = read.to()?;
            let to_file = filename.is_some();
            with_file(
                CommandRequest { verb: PageCommand::Request { number: index, part, to_file }, max_tokens },
                filename,
                "request",
            )
        }
        "browser_drop" => {
            let Dropping { target, paths, data } = read.to()?;
            if paths.is_empty() && data.is_empty() {
                return Err(read.lacks("paths or data"));
            }
            ask(PageCommand::Gesture(Gesture::Drop { target, files: paths, data }))
        }
        "browser_emulate_media" => ask(PageCommand::Emulate { changes: emulation(&read)? }),
        _ => return parse_optional::call(&read, max_tokens),
    })
}

/// The media features in a call. `null` resets a feature to the browser's own value.
fn emulation(read: &Reader<'_>) -> Result<Emulation, InvalidCall> {
    let mut changes = Emulation::new();
    for feature in MediaFeature::ALL {
        match read.argument(feature.name()) {
            None => {}
            Some(Value::Null) => _ = changes.insert(feature, None),
            Some(Value::String(value)) => _ = changes.insert(feature, Some(value.clone())),
            Some(other) => return Err(read.unknown(feature.name(), "a word or null", &other.to_string())),
        }
    }
    if changes.is_empty() {
        Err(read.lacks("colorScheme, reducedMotion, forcedColors, contrast or media"))
    } else {
        Ok(changes)
    }
}

pub(super) fn with_file(ask: CommandRequest, filename: Option<String>, stem: &'static str) -> Call {
    match filename {
        None => Call::Ask(ask),
        filename => Call::Save(ask, Save { filename, stem }),
    }
}

/// Adds a scheme to an address without one, such as `example.org`. A loopback address gets `http`, because local
/// servers seldom use TLS.
fn address(text: &str) -> String {
    let text = text.trim();
    let has_scheme = text.split_once(':').is_some_and(|(scheme, rest)| {
        scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
            && !rest.starts_with(|c: char| c.is_ascii_digit())
    });
    if has_scheme {
        return text.to_owned();
    }
    let local = ["localhost", "127.", "[::1]"].iter().any(|host| text.starts_with(host));
    format!("http{}://{text}", if local { "" } else { "s" })
}

fn format_of(name: &str) -> Option<Format> {
    match name {
        "png" => Some(Format::Png),
        "jpeg" | "jpg" => Some(Format::Jpeg),
        "webp" => Some(Format::Webp),
        _ => None,
    }
}
