//! Executes a command on a page and returns a short reply. The reply to a command that changes the page contains the
//! difference it made, because the caller has seen the page before.

use legwork::{
    browser::{Gesture, MediaFeature, PictureFormat, ScreenshotOptions},
    page::{Page, PageTask, RefusedChange, is_unchanged, refused_change},
};
use legwork_protocol::{
    Action, ActionFailure, Effect, Fill, Observation, Select, Tab, Target, TargetKind, TargetParams, View,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::{
    CommandFailure, CommandRequest, Field, File, Format, PageCommand, PageReply, Part, console_network,
    render::{self, counted, not_executed, within},
    run, storage, verify, wire,
};

/// The token limit of a snapshot.
const SHOWN: usize = 8_000;
/// The token limit of the difference that a command made, or of the page that it opened.
const CHANGED: usize = 3_000;
/// The token limit of lists and values.
const LISTED: usize = 2_000;
/// The token limit of a page's text content.
const READ: usize = 4_000;

/// Executes a command. A failure of the page is part of the reply, not an error.
pub async fn execute(page: &Page, ask: CommandRequest, cancel: &CancellationToken) -> PageReply {
    let max = ask.max_tokens;
    let up_to = |usual: usize| max.unwrap_or(usual);
    let done = match ask.verb {
        PageCommand::Act { actions } => act(page, &actions, up_to(CHANGED), cancel).await,
        PageCommand::Fields { fields } => match filled(page, fields).await {
            Ok(actions) => act(page, &actions, up_to(CHANGED), cancel).await,
            Err(failure) => Err(failure),
        },
        PageCommand::Snapshot(part) => snapshot(page, part, up_to(SHOWN)).await,
        PageCommand::Changes => page.changes(&view(up_to(CHANGED)), None).await.map(|seen| shown(&seen)),
        PageCommand::Find { text } => find(page, &text, up_to(LISTED)).await,
        PageCommand::Text => page.readable().await.map(|text| {
            PageReply::with(within(text.clone(), up_to(READ), "ask for more tokens"), json!({"text": text}))
        }),
        PageCommand::Evaluate { script, target } => {
            let limit = up_to(LISTED);
            page.evaluate(&script, target.as_ref(), &view(limit)).await.map(|(value, change)| {
                let text = within(written(&value), limit, "return less from the script");
                with_change(text, json!({"value": value}), change.as_ref())
            })
        }
        PageCommand::Screenshot { target, full_page, format } => {
            let (kind, extension) = match format {
                Format::Png => (PictureFormat::Png, "png"),
                Format::Jpeg => (PictureFormat::Jpeg, "jpeg"),
                Format::Webp => (PictureFormat::Webp, "webp"),
            };
            // Not scaled down, because the caller may measure coordinates in the image.
            let options = ScreenshotOptions {
                target,
                full_page,
                format: kind,
                max_width: 16_384,
                quality: 80,
                ..ScreenshotOptions::default()
            };
            page.session().screenshot(options).await.map(|picture| {
                let (width, height) = (picture.width, picture.height);
                PageReply {
                    file: Some(File {
                        bytes: picture.bytes,
                        media_type: picture.media_type.to_owned(),
                        extension: extension.to_owned(),
                    }),
                    ..PageReply::with(
                        format!("a picture of {width}×{height} pixels"),
                        json!({"width": width, "height": height}),
                    )
                }
            })
        }
        PageCommand::Pdf => page.session().pdf().await.map(|bytes| PageReply {
            file: Some(File { bytes, media_type: "application/pdf".to_owned(), extension: "pdf".to_owned() }),
            ..PageReply::text("the page as PDF")
        }),
        PageCommand::Resize { width, height } => match page.session().resize(width, height).await {
            Ok(()) => changes(page, format!("the viewport is now {width}×{height}"), Value::Null, up_to(CHANGED)).await,
            Err(failure) => Err(failure),
        },
        PageCommand::Gesture(gesture) => Ok(gesture_of(page, &gesture, up_to(CHANGED), cancel).await),
        PageCommand::Emulate { changes: wanted } => match page.session().emulate(&wanted).await {
            Ok(()) => {
                let told = |feature: &MediaFeature, value: &Option<String>| {
                    format!("{}: {}", feature.name(), value.as_deref().unwrap_or("the browser's own"))
                };
                let told: Vec<String> = wanted.iter().map(|(feature, value)| told(feature, value)).collect();
                changes(page, told.join(", "), Value::Null, up_to(CHANGED)).await
            }
            Err(failure) => Err(failure),
        },
        PageCommand::Offline { offline } => page
            .session()
            .set_offline(offline)
            .await
            .map(|()| PageReply::text(if offline { "offline: every request fails from now on" } else { "online" })),
        PageCommand::Request { number, part, to_file } => {
            wire::request(page, number, part, to_file, up_to(LISTED)).await
        }
        PageCommand::Routes(op) => wire::routes(page, op).await,
        PageCommand::Cookies(op) => storage::cookies(page, op, up_to(LISTED)).await,
        PageCommand::Entries(op) => storage::entries(page, op, up_to(LISTED)).await,
        PageCommand::SaveState => Ok(storage::state(page).await),
        PageCommand::Verify(wanted) => verify::verify(page, wanted, cancel).await,
        PageCommand::Locate { target } => page
            .session()
            .locate(&target)
            .await
            .map(|located| PageReply::with(format!("{}\n{}", located.playwright, located.target), json!(located))),
        PageCommand::Highlight { target, style } => {
            page.highlight(&target, style.as_deref()).await.map(|what| PageReply::text(format!("highlighted {what}")))
        }
        PageCommand::Unhighlight { target } => page
            .session()
            .unhighlight(target.as_ref())
            .await
            .map(|gone| PageReply::text(format!("removed {}", counted(gone, "highlight")))),
        PageCommand::LoadState { .. } => Ok(PageReply::unmet("reopen the session to load a state")),
        PageCommand::ChooseFiles { paths } => page.choose_files(&paths, &view(up_to(CHANGED))).await.map(|change| {
            let text = if paths.is_empty() {
                "cancelled the file chooser".to_owned()
            } else {
                format!("chose {}", paths.join(", "))
            };
            with_change(text, Value::Null, change.as_ref())
        }),
        PageCommand::Step { words } => Ok(run::on(page, PageTask::Step(words), up_to(CHANGED), cancel).await),
        PageCommand::Task { goal } => Ok(run::on(page, PageTask::Task(goal), up_to(CHANGED), cancel).await),
        PageCommand::Check { words } => Ok(run::on(page, PageTask::Check(words), up_to(CHANGED), cancel).await),
        PageCommand::Extract(extraction) => Ok(run::extract(page, extraction, up_to(READ), cancel).await),
        PageCommand::Batch { asks } => Ok(batch(page, asks, max, cancel).await),
        PageCommand::Console { level, all } => Ok(console_network::console(page, level, all, up_to(LISTED))),
        PageCommand::Network { filter, with_static, all } => {
            Ok(console_network::network(page, filter.as_deref(), with_static, all, up_to(LISTED)))
        }
    };
    done.unwrap_or_else(|failure| refused(&failure))
}

pub(crate) fn view(max_tokens: usize) -> View {
    View { max_tokens, ..View::default() }
}

/// The reply to a command that failed, or that the policy refused.
pub fn refused(failure: &ActionFailure) -> PageReply {
    let data = json!({"failure": failure});
    PageReply { failure: Some(CommandFailure::Action(failure.clone())), ..PageReply::with(failure.to_string(), data) }
}

fn shown(seen: &Observation) -> PageReply {
    PageReply::with(render::page(seen), observation_data(seen))
}

/// An observation as data. Its text is removed because the text of the reply contains it, and a model would pay for it
/// twice.
fn observation_data(seen: &Observation) -> Value {
    let mut data = json!(seen);
    if let Value::Object(fields) = &mut data {
        fields.remove("text");
    }
    data
}

pub(crate) fn with_change(text: String, mut data: Value, change: Option<&Observation>) -> PageReply {
    let Some(change) = change else { return PageReply::with(text, data) };
    let text = if text.is_empty() { render::page(change) } else { format!("{text}\n{}", render::page(change)) };
    if !data.is_object() {
        data = json!({});
    }
    data["page"] = observation_data(change);
    PageReply::with(text, data)
}

/// A reply with a text and the difference to the last observation.
async fn changes(page: &Page, text: String, data: Value, max: usize) -> Result<PageReply, ActionFailure> {
    let change = page.changes(&view(max), None).await?;
    Ok(with_change(text, data, Some(&change)))
}

/// Executes actions in order until one fails. The reply contains one difference, for all of them.
async fn act(
    page: &Page,
    actions: &[Action],
    max: usize,
    cancel: &CancellationToken,
) -> Result<PageReply, ActionFailure> {
    let (mut lines, mut results, mut change) = (Vec::new(), Vec::new(), None);
    let mut failure = None;
    for (at, action) in actions.iter().enumerate() {
        let url = page.session().url();
        let result = if at + 1 < actions.len() || asks_only(action) {
            page.act(action, cancel).await
        } else {
            let acted = page.act_with_diff(action, &view(max), cancel).await;
            change = acted.change;
            acted.result
        };
        if !result.ok() || !asks_only(action) {
            lines.push(render::done(action, &result));
        }
        // A script that exits with 0 would continue although nothing was saved.
        let refused = refused_change(action, &result, &url);
        if let Some(RefusedChange { method, url, reason, .. }) = &refused {
            lines.push(format!("the server refused it: {method} {url} {reason}"));
        }
        failure = match &result.failure {
            Some(failure) => Some(CommandFailure::Action(failure.clone())),
            None => refused.map(CommandFailure::from),
        };
        let failed = failure.is_some();
        match (action, &result.value) {
            (Action::Tab(Tab::List), _) if !failed => lines.push(render::tabs(&page.session().tabs())),
            // The page in the reply shows the result of a tab action.
            (Action::Tab(_), _) | (_, None) => {}
            (_, Some(value)) => lines.push(within(written(value), max, "read a smaller part")),
        }
        results.push(result);
        if failed {
            let left = actions.len() - at - 1;
            if left > 0 {
                lines.push(not_executed(left, "action"));
                change = page.changes(&view(max), None).await.ok();
            }
            break;
        }
    }
    let failed = failure.is_some();
    let looked_only = actions.iter().all(|action| action.effect() == Effect::ReadOnly);
    let change = change.filter(|change| !is_unchanged(change) || !(failed || looked_only));
    if let ([Action::Open(_)], false, Some(page)) = (actions, failed, &change)
        && !page.diff
        && lines[0].lines().count() == 1
    {
        // The page in the reply starts with its URL.
        lines.clear();
    }
    let reply = with_change(lines.join("\n"), json!({"results": results}), change.as_ref());
    Ok(PageReply { failure, ..reply })
}

async fn gesture_of(page: &Page, gesture: &Gesture, max: usize, cancel: &CancellationToken) -> PageReply {
    let acted = page.gesture_with_diff(gesture, &view(max), cancel).await;
    let failure = acted.result.failure.clone().map(CommandFailure::Action);
    let change = acted.change.filter(|change| !(failure.is_some() && is_unchanged(change)));
    let text =
        render::action_text(&render::gesture(gesture, acted.result.element.as_deref()), gesture.name(), &acted.result);
    let reply = with_change(text, json!({"results": [acted.result]}), change.as_ref());
    PageReply { failure, ..reply }
}

/// Whether an action only returns a value. Its reply contains no difference.
fn asks_only(action: &Action) -> bool {
    matches!(action, Action::Read(_) | Action::Dom(_) | Action::Subdom(_) | Action::Tab(Tab::List))
}

/// The actions that fill in the fields, according to their kinds.
async fn filled(page: &Page, fields: Vec<Field>) -> Result<Vec<Action>, ActionFailure> {
    let unknown = fields.iter().any(|field| field.kind.is_none());
    let shown = if unknown { Some(page.snapshot().await?) } else { None };
    let role_of = |target: &Target| {
        let TargetKind::Ref(reference) = target.kind() else { return None };
        let shown = shown.as_deref()?;
        let node = &shown.nodes[shown.find_ref(reference)?];
        // A text field with suggestions has the role `combobox` as well, but only a list has options to select.
        Some(if node.states.editable() { "textbox".to_owned() } else { node.role.to_string() })
    };
    let action = |Field { target, value, kind }: Field| {
        let kind = kind.or_else(|| role_of(&target)).unwrap_or_default();
        match kind.as_str() {
            "checkbox" | "radio" | "switch" if value == "false" => Action::Uncheck(TargetParams { target }),
            "checkbox" | "radio" | "switch" => Action::Check(TargetParams { target }),
            "combobox" | "listbox" => Action::Select(Select { target, values: vec![value] }),
            _ => Action::Fill(Fill { target, text: value, submit: false }),
        }
    };
    Ok(fields.into_iter().map(action).collect())
}

async fn snapshot(page: &Page, part: Part, max: usize) -> Result<PageReply, ActionFailure> {
    let Part { target, interactive, compact, depth } = part;
    let view = View { root: target, interactive, compact, depth, ..view(max) };
    Ok(shown(&page.observe(&view).await?))
}

async fn find(page: &Page, text: &str, max: usize) -> Result<PageReply, ActionFailure> {
    Ok(match page.find(text, max).await? {
        Ok(found) => PageReply::with(found.text.trim_end().to_owned(), json!({"matches": found.matches})),
        Err(error) => PageReply::unmet(error.to_string()),
    })
}

/// Commands in order until one fails.
async fn batch(page: &Page, commands: Vec<PageCommand>, max: Option<usize>, cancel: &CancellationToken) -> PageReply {
    let (mut texts, mut data, mut file, mut failure) = (Vec::new(), Vec::new(), None, None);
    let total = commands.len();
    for (position, verb) in (1..).zip(commands) {
        let reply = if matches!(verb, PageCommand::Batch { .. }) {
            PageReply::unmet("a batch within a batch; write its commands into this one")
        } else {
            Box::pin(execute(page, CommandRequest { verb, max_tokens: max }, cancel)).await
        };
        texts.push(reply.text);
        data.push(reply.data);
        file = reply.file.or(file);
        if let Some(cause) = reply.failure {
            if position < total {
                texts.push(not_executed(total - position, "command"));
            }
            failure = Some(CommandFailure::Batch { position, failure: Box::new(cause) });
            break;
        }
    }
    PageReply { text: texts.join("\n"), failure, data: json!(data), file }
}

pub(crate) fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "null".to_owned(),
        other => other.to_string(),
    }
}
