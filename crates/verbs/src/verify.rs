//! Exact assertions about a page: they hold for what is shown now, or the failure states what is there instead.

use legwork::{observe::Snapshot, page::Page};
use legwork_protocol::{Action, ActionFailure, Target, Wait};
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use crate::{PageReply, Verify};

/// The maximum number of similar elements or lines in a failure.
const NEAR: usize = 5;

pub(crate) async fn verify(
    page: &Page,
    wanted: Verify,
    cancel: &CancellationToken,
) -> Result<PageReply, ActionFailure> {
    match wanted {
        Verify::Element { role, name } => element(&*page.snapshot().await?, &role, &name),
        Verify::Text { text } => {
            let now = Wait { text: Some(text.clone()), seconds: Some(0.0), ..Wait::default() };
            match page.act(&Action::Wait(now), cancel).await.failure {
                None => Ok(PageReply::text(format!("{text:?} is shown"))),
                Some(ActionFailure::Timeout { .. }) => {
                    let near = near_text(&*page.snapshot().await?, &text);
                    Ok(PageReply::unmet(format!("{text:?} is not shown{}", instead("there is", &near))))
                }
                Some(failure) => Err(failure),
            }
        }
        Verify::List { target, items } => list(page, &target, &items).await,
        Verify::Value { target, value, kind } => field(page, &target, &value, kind.as_deref()).await,
    }
}

fn element(page: &Snapshot, role: &str, name: &str) -> Result<PageReply, ActionFailure> {
    if let Some(dialog) = &page.dialog {
        let kind = format!("{:?}", dialog.kind).to_lowercase();
        return Err(ActionFailure::DialogOpen { dialog: kind, message: dialog.message.clone() });
    }
    let wanted = plain(name);
    let of_role = || page.nodes.iter().filter(|node| node.role.as_ref() == role);
    if of_role().any(|node| plain(&node.name).contains(&wanted)) {
        return Ok(PageReply::text(format!("{role} {name:?} is shown")));
    }
    let named = |node: &legwork::observe::Node| format!("{} {:?}", node.role, node.name);
    let others = page.nodes.iter().filter(|node| {
        !wanted.is_empty() && !node.role.is_empty() && &*node.role != "text" && plain(&node.name).contains(&wanted)
    });
    let near: Vec<String> = others.chain(of_role()).map(named).take(NEAR).collect();
    Ok(PageReply::unmet(format!("no {role} {name:?} is shown{}", instead("there is", &near))))
}

/// Lines of the page that share words with a text, most similar first.
fn near_text(page: &Snapshot, text: &str) -> Vec<String> {
    let text = plain(text);
    let words: Vec<&str> = text.split(' ').collect();
    let shared = |name: &str| {
        let name = plain(name);
        let own: Vec<&str> = name.split(|letter: char| !letter.is_alphanumeric()).collect();
        words.iter().filter(|word| own.contains(&word.trim_matches(|letter: char| !letter.is_alphanumeric()))).count()
    };
    let mut lines: Vec<(usize, &str)> = page
        .nodes
        .iter()
        .skip(1)
        .map(|node| (shared(&node.name), &*node.name))
        .filter(|(shared, _)| *shared > 0)
        .collect();
    lines.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
    lines.dedup_by(|a, b| a.1 == b.1);
    lines.into_iter().take(NEAR).map(|(_, line)| format!("{:?}", short(line))).collect()
}

async fn list(page: &Page, target: &Target, items: &[String]) -> Result<PageReply, ActionFailure> {
    let script = "e => e.innerText ?? e.textContent";
    let shown = page.session().evaluate(script, Some(target)).await?;
    let shown = shown.as_str().unwrap_or_default();
    let text = plain(shown);
    let missing: Vec<String> =
        items.iter().filter(|item| !text.contains(&plain(item))).map(|item| format!("{item:?}")).collect();
    if missing.is_empty() {
        return Ok(PageReply::text(format!("all {} are shown", items.len())));
    }
    let there: Vec<String> = shown
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take(20)
        .map(|line| format!("{:?}", short(line)))
        .collect();
    Ok(PageReply::unmet(format!("{target} does not hold {}{}", missing.join(", "), instead("it holds", &there))))
}

/// The content of a field.
#[derive(Debug, Deserialize)]
struct FieldContent {
    value: Option<String>,
    ticked: Option<bool>,
    secret: bool,
}

const HELD: &str = "e => {
    const field = e.matches('label') ? e.control ?? e : e;
    const aria = field.getAttribute('aria-checked') ?? field.getAttribute('aria-pressed');
    const ticks = field.type === 'checkbox' || field.type === 'radio';
    return {
        value: field.value !== undefined ? String(field.value) : field.getAttribute('aria-valuenow') ?? field.textContent,
        ticked: ticks ? field.checked : aria === null ? null : aria === 'true',
        secret: field.type === 'password',
    };
}";

async fn field(page: &Page, target: &Target, value: &str, kind: Option<&str>) -> Result<PageReply, ActionFailure> {
    let held = page.session().evaluate(HELD, Some(target)).await?;
    let unread =
        |error: serde_json::Error| ActionFailure::Unreadable { what: target.0.clone(), reason: error.to_string() };
    let held: FieldContent = serde_json::from_value(held).map_err(unread)?;
    let ticks = match kind {
        Some(kind) => matches!(kind, "checkbox" | "radio" | "switch"),
        None => held.ticked.is_some(),
    };
    let there = match (ticks, held.ticked, held.value) {
        (true, Some(ticked), _) => ticked.to_string(),
        (true, None, _) => {
            return Ok(PageReply::unmet(format!("{target} is nothing that is ticked; name another element or type")));
        }
        (false, _, there) => there.unwrap_or_default(),
    };
    Ok(match there == value {
        true => PageReply::text(format!("{target} holds {value:?}")),
        // The reply does not contain the content of a password field.
        false if held.secret => PageReply::unmet(format!("{target} holds another value")),
        false => PageReply::unmet(format!("{target} holds {:?}, not {value:?}", short(&there))),
    })
}

/// The text in lower case, with single spaces.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn short(text: &str) -> String {
    const LONGEST: usize = 200;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn instead(what: &str, near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!("; {what} {}", near.join(", ")) }
}
