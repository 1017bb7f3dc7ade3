//! Converts the arguments of a verb to a page command. Work that only the client can do (reading files and standard
//! input, making paths absolute) is done here. Nothing is sent.

use std::{
    io::Read,
    path::{Path, PathBuf},
};

use legwork::browser::StorageState;
use legwork_protocol::{
    Action, Button, Click, ConsoleLevel, Dialog, Direction, LoadState, Modifier, Open, Read as ReadText, Scroll, Tab,
    Target, Type, Upload, Wait,
};
use legwork_verbs::{Extraction, Format, PageCommand, Part};
use serde_json::Value;

use super::{
    args::{
        ButtonArg, DialogAnswer, ExtractArgs, LevelArg, LoadArg, ModifierArg, PageArgs, SnapshotArgs, StateArgs,
        WaitArgs,
    },
    network_args::{CookieArgs, RouteArgs, StorageArgs},
    plain_args::PlainAction,
};
use crate::error::CliError;

/// The result of parsing a verb.
pub(super) struct ParsedCommand {
    /// The command for the page.
    pub(super) verb: PageCommand,
    /// The output file for an image, a document or a state.
    pub(super) file: Option<PathBuf>,
}

/// Converts a verb for a page. Of `open` it only uses the address. A batch and verbs that are not for a page are
/// handled by the caller.
pub(super) fn parse(verb: PageArgs) -> Result<ParsedCommand, CliError> {
    let mut file = None;
    let act = |action: Action| PageCommand::Act { actions: vec![action] };
    let verb = match verb {
        PageArgs::Open(args) => match args.url {
            Some(url) => act(Action::Open(Open { url: address(&url) })),
            None => PageCommand::Snapshot(Part::default()),
        },
        PageArgs::Snapshot(SnapshotArgs { diff: true, .. }) => PageCommand::Changes,
        PageArgs::Snapshot(SnapshotArgs { interactive, compact, depth, selector, .. }) => {
            PageCommand::Snapshot(Part { target: selector.map(Target), interactive, compact, depth })
        }
        PageArgs::Click(args) => act(Action::Click(Click {
            target: Target(args.target),
            button: button(args.button),
            count: if args.double { 2 } else { 1 },
            modifiers: args.holding.into_iter().map(modifier).collect(),
        })),
        PageArgs::Plain(PlainAction(action)) => act(action),
        PageArgs::Type { first, text: Some(text) } => act(Action::Type(Type { target: Some(Target(first)), text })),
        PageArgs::Type { first, text: None } => act(Action::Type(Type { target: None, text: first })),
        PageArgs::Upload { target, files, chooser: true } => PageCommand::ChooseFiles {
            paths: std::iter::once(target).chain(files).map(|file| whole_text(&file)).collect(),
        },
        PageArgs::Upload { files, .. } if files.is_empty() => {
            return Err(CliError::usage("no file is named").hint("legwork upload TARGET FILE…"));
        }
        PageArgs::Upload { target, files, .. } => {
            let files = files.iter().map(|file| whole_text(file)).collect();
            act(Action::Upload(Upload { target: Target(target), files }))
        }
        PageArgs::Screenshot { file: name, full, target } => {
            let name = name
                .unwrap_or_else(|| jiff::Timestamp::now().strftime("screenshot-%Y%m%d-%H%M%S.png").to_string().into());
            let format = format(&name)?;
            file = Some(name);
            PageCommand::Screenshot { target: target.map(Target), full_page: full, format }
        }
        PageArgs::Pdf { file: name } => {
            file = Some(name);
            PageCommand::Pdf
        }
        PageArgs::Eval { script, target } => {
            let script = if script == "-" { input(Path::new("-"))? } else { script };
            PageCommand::Evaluate { script, target: target.map(Target) }
        }
        PageArgs::Wait(WaitArgs { seconds, text, gone, url, load }) => {
            act(Action::Wait(Wait { text, gone, url, state: load.map(load_state), seconds }))
        }
        PageArgs::Scroll { to, screens, target } => act(Action::Scroll(scroll(&to, screens, target)?)),
        PageArgs::Tab { words } => act(Action::Tab(tab(&words)?)),
        PageArgs::Dialog { answer, text } => act(Action::Dialog(Dialog::answer(answer == DialogAnswer::Accept, text))),
        PageArgs::Mouse { what } => what.verb(),
        PageArgs::Drop(args) => args.verb()?,
        PageArgs::Cookies { op } => CookieArgs::verb(op),
        PageArgs::Storage { op } => StorageArgs::verb(op),
        PageArgs::Network(args) => return args.parse(),
        PageArgs::Route { op } => RouteArgs::verb(op)?,
        PageArgs::Emulate(args) => args.verb(),
        PageArgs::Verify { what } => what.verb(),
        PageArgs::Locate { target } => PageCommand::Locate { target: Target(target) },
        PageArgs::Highlight(args) => args.verb(),
        PageArgs::State { op: StateArgs::Save { file: name } } => {
            file = Some(name);
            PageCommand::SaveState
        }
        PageArgs::State { op: StateArgs::Load { file } } => PageCommand::LoadState { state: state(&file)? },
        PageArgs::Console { level, all } => PageCommand::Console { level: console_level(level), all },
        PageArgs::Find { text } => PageCommand::Find { text },
        PageArgs::Text { target: None } => PageCommand::Text,
        PageArgs::Text { target } => act(Action::Read(ReadText { target: target.map(Target), ..ReadText::default() })),
        PageArgs::Resize { size: (width, height) } => PageCommand::Resize { width, height },
        PageArgs::Extract(args) => PageCommand::Extract(extraction(args)?),
        PageArgs::Step { words } => PageCommand::Step { words: words.join(" ") },
        PageArgs::Batch { .. } | PageArgs::Sessions | PageArgs::Close { .. } => {
            return Err(CliError::usage("a batch contains only commands for the page; run this one separately"));
        }
    };
    Ok(ParsedCommand { verb, file })
}

/// Adds a scheme to an address without one: `example.org` gets `https`, `localhost:3000` gets `http`. An address with
/// any scheme is not changed, because the page's rules decide what may be opened.
pub(crate) fn address(text: &str) -> String {
    let text = text.trim();
    let rest = text.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = rest.rsplit_once(':').map_or((rest, None), |(host, port)| (host, Some(port)));
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let has_scheme =
        text.split_once("://").is_some_and(|(scheme, _)| scheme.bytes().all(|b| b.is_ascii_alphanumeric()));
    if has_scheme || port.is_some_and(|port| !is_port(port) && !rest.starts_with('[')) {
        return text.to_owned();
    }
    let here =
        host == "localhost" || host.ends_with(".localhost") || host.starts_with("127.") || rest.starts_with("[::1]");
    format!("{}://{text}", if here { "http" } else { "https" })
}

/// Reads a file, or standard input for `-`.
pub(super) fn input(path: &Path) -> Result<String, CliError> {
    let unreadable =
        |error: std::io::Error| CliError::usage(format!("{} cannot be read", path.display())).because(&error);
    if path.as_os_str() != "-" {
        return std::fs::read_to_string(path).map_err(unreadable);
    }
    let mut text = String::new();
    std::io::stdin().lock().read_to_string(&mut text).map_err(unreadable)?;
    Ok(text)
}

/// The absolute path, because the host has another working directory.
pub(super) fn whole(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

pub(super) fn whole_text(path: &str) -> String {
    whole(Path::new(path)).display().to_string()
}

/// A storage state in the format of `state save` and of Playwright.
pub(super) fn state(path: &Path) -> Result<StorageState, CliError> {
    serde_json::from_str(&input(path)?).map_err(|error| {
        CliError::usage(format!("{} is not a storage state", path.display()))
            .because(&error)
            .hint("`legwork state save FILE` writes one, and Playwright's storageState()")
    })
}

fn extraction(args: ExtractArgs) -> Result<Extraction, CliError> {
    let ExtractArgs { instruction, schema, fields, pages } = args;
    let read = |text: String| -> Result<Value, CliError> {
        let text = if text.trim_start().starts_with('{') { text } else { input(Path::new(&text))? };
        serde_json::from_str(&text).map_err(|error| CliError::usage("the schema is not JSON").because(&error))
    };
    Ok(Extraction { instruction, schema: schema.map(read).transpose()?, fields, pages })
}

fn scroll(to: &str, screens: Option<f64>, target: Option<String>) -> Result<Scroll, CliError> {
    let direction = match to {
        "up" => Direction::Up,
        "down" => Direction::Down,
        "left" => Direction::Left,
        "right" => Direction::Right,
        "top" => Direction::Top,
        "bottom" => Direction::Bottom,
        element if target.is_none() && screens.is_none() => {
            return Ok(Scroll { target: Some(Target(element.to_owned())), ..Scroll::default() });
        }
        other => {
            return Err(CliError::usage(format!("{other} is not a direction"))
                .hint("up, down, left, right, top or bottom; `legwork scroll TARGET` brings an element into view"));
        }
    };
    Ok(Scroll { target: target.map(Target), direction: Some(direction), screens })
}

fn tab(words: &[String]) -> Result<Tab, CliError> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    Ok(match words[..] {
        [] | ["list"] => Tab::List,
        ["new"] => Tab::Open { url: None },
        ["new", url] => Tab::Open { url: Some(address(url)) },
        ["close"] => Tab::Close { tab: None },
        ["close", tab] => Tab::Close { tab: Some(tab.to_owned()) },
        [to] => Tab::Switch { to: to.to_owned() },
        _ => {
            return Err(CliError::usage(format!("`tab {}` cannot be read", words.join(" ")))
                .hint("tab, tab new [URL], tab 2, tab close [2]"));
        }
    })
}

fn format(file: &Path) -> Result<Format, CliError> {
    let extension = file.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        None if file.as_os_str() == "-" => Ok(Format::Png),
        Some("png") => Ok(Format::Png),
        Some("jpg" | "jpeg") => Ok(Format::Jpeg),
        Some("webp") => Ok(Format::Webp),
        _ => Err(CliError::usage(format!("{} is not a valid file name of a picture", file.display()))
            .hint("a name that ends in .png, .jpg or .webp; `--target` names an element")),
    }
}

pub(super) fn button(button: ButtonArg) -> Button {
    match button {
        ButtonArg::Left => Button::Left,
        ButtonArg::Middle => Button::Middle,
        ButtonArg::Right => Button::Right,
    }
}

fn modifier(modifier: ModifierArg) -> Modifier {
    match modifier {
        ModifierArg::Alt => Modifier::Alt,
        ModifierArg::Control => Modifier::Control,
        ModifierArg::Meta => Modifier::Meta,
        ModifierArg::Shift => Modifier::Shift,
    }
}

fn load_state(state: LoadArg) -> LoadState {
    match state {
        LoadArg::Dom => LoadState::Dom,
        LoadArg::Load => LoadState::Load,
        LoadArg::Idle => LoadState::Idle,
    }
}

fn console_level(level: LevelArg) -> ConsoleLevel {
    match level {
        LevelArg::Debug => ConsoleLevel::Debug,
        LevelArg::Info => ConsoleLevel::Info,
        LevelArg::Warning => ConsoleLevel::Warning,
        LevelArg::Error => ConsoleLevel::Error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_needs_no_scheme() {
        let table = [
            ("example.org/a?b=http://c", "https://example.org/a?b=http://c"),
            ("example.org", "https://example.org"),
            ("example.org:8443/x", "https://example.org:8443/x"),
            ("localhost:3000", "http://localhost:3000"),
            ("shop.localhost", "http://shop.localhost"),
            ("127.0.0.1:80/a", "http://127.0.0.1:80/a"),
            ("[::1]:80/a", "http://[::1]:80/a"),
            ("javascript:alert(1)", "javascript:alert(1)"),
            ("file:///etc/passwd", "file:///etc/passwd"),
        ];
        for (typed, meant) in table {
            assert_eq!(address(typed), meant);
        }
    }

    #[derive(clap::Parser)]
    struct Verbs {
        #[command(subcommand)]
        verb: PageArgs,
        #[arg(long, global = true)]
        session: Option<String>,
    }

    #[test]
    fn the_text_to_type_ends_where_options_begin() {
        use clap::Parser;
        let typed = |line: &[&str]| {
            let verbs =
                Verbs::try_parse_from(["legwork", "type"].iter().chain(line)).map_err(|error| error.to_string())?;
            let PageArgs::Type { first, text } = verbs.verb else { unreachable!("another verb was parsed") };
            Ok::<_, String>((first, text, verbs.session))
        };
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(typed(&["e1", "abc", "--session", "q"]), Ok(("e1".into(), text("abc"), text("q"))));
        assert_eq!(typed(&["abc", "--session", "q"]), Ok(("abc".into(), None, text("q"))));
        assert_eq!(typed(&["e1", "-5"]), Ok(("e1".into(), text("-5"), None)));
        assert_eq!(typed(&["e1", "--", "--x"]), Ok(("e1".into(), text("--x"), None)));
        assert!(typed(&["e1", "--x"]).is_err());
    }

    #[test]
    fn tabs_and_directions_are_read_or_refused() {
        let words = |text: &str| tab(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(words("").unwrap(), Tab::List);
        assert_eq!(words("new localhost:1").unwrap(), Tab::Open { url: Some("http://localhost:1".into()) });
        assert_eq!(words("2").unwrap(), Tab::Switch { to: "2".into() });
        assert_eq!(words("close").unwrap(), Tab::Close { tab: None });
        assert!(words("2 3").is_err());
        assert_eq!(scroll("e3", None, None).unwrap().target, Some(Target("e3".into())));
        assert!(scroll("sideways", Some(2.0), None).is_err());
    }
}
