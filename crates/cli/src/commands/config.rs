//! `legwork config`: shows every setting with its value and source, or changes one.

use legwork::{
    protocol::Code,
    secrets::UserVault,
    settings::{self, Scope, Settings},
};
use serde_json::json;

use crate::{
    command_args::{ConfigAction, ConfigArgs, Global},
    error::CliError,
    exit::Exit,
    options,
    screen::Stream,
    style::Style,
};

pub(crate) fn config(global: &Global, args: &ConfigArgs) -> Result<Exit, CliError> {
    match &args.action {
        None => show(global, false),
        Some(ConfigAction::Show { json }) => show(global, *json),
        Some(ConfigAction::Set { key, value, json }) => set(global, key, Some(value), *json),
        Some(ConfigAction::Unset { key, json }) => set(global, key, None, *json),
    }
}

fn show(global: &Global, as_json: bool) -> Result<Exit, CliError> {
    let settings = options::plain(global)?;
    let text = if as_json {
        format!("{:#}\n", object(&settings))
    } else {
        table(&settings, Style::on(Stream::Out.is_terminal()))
    };
    Stream::Out.write(&text)?;
    if !global.quiet {
        for warning in &settings.warnings {
            Stream::Err.write(&format!("warning: {warning}\n"))?;
        }
    }
    Ok(Exit::Success)
}

fn table(settings: &Settings, style: Style) -> String {
    let shown = settings.shown();
    let name = shown.iter().map(|setting| setting.name.len()).max().unwrap_or(0);
    let value = shown.iter().map(|setting| setting.value.chars().count()).max().unwrap_or(0).min(40);
    let mut text = String::new();
    for setting in shown {
        let set = format!("{:<value$}", if setting.value.is_empty() { "-" } else { &setting.value });
        let by_default = setting.origin == settings::Origin::Default;
        let set = if by_default { style.dim(set) } else { style.bold(set) };
        text += &format!("{:<name$}  {set}  {}\n", setting.name, style.dim(setting.origin));
    }
    text + "\n" + &keys(settings)
}

/// Which keys are set, without their values.
fn keys(settings: &Settings) -> String {
    let stored = UserVault::of(settings).model_key_variables();
    let state = |variable: &str, is_set: bool| match is_set {
        true => "set",
        false if stored.contains(variable) => "in the vault",
        false => "not set",
    };
    let present = settings.keys.present().into_iter();
    present.map(|(_, variable, is_set)| format!("{variable}: {}\n", state(variable, is_set))).collect()
}

fn object(settings: &Settings) -> serde_json::Value {
    let values: serde_json::Map<_, _> = settings
        .shown()
        .into_iter()
        .map(|setting| {
            (setting.name.to_owned(), json!({ "value": setting.value, "origin": setting.origin.to_string() }))
        })
        .collect();
    json!({ "settings": values })
}

/// Sets a setting in the file of the user, or removes it.
fn set(global: &Global, key: &str, value: Option<&str>, as_json: bool) -> Result<Exit, CliError> {
    let env = std::env::vars().collect();
    let path = global.config.clone().or_else(|| settings::user_file(&env)).ok_or_else(|| {
        CliError::usage("there is no home folder for the settings file")
            .code(Code::SettingsInvalid)
            .hint("name a file with --config FILE")
    })?;
    settings::set(key, value, &Scope::User(path.clone())).map_err(|error| {
        CliError::usage(format!("{key} was not changed")).code(Code::SettingsInvalid).because(&error)
    })?;
    if as_json {
        let object = json!({ "setting": key, "value": value, "file": path });
        Stream::Out.write(&format!("{object:#}\n"))?;
    } else if !global.quiet {
        let state = if value.is_some() { "set" } else { "not set any more" };
        Stream::Out.write(&format!("{key} is {state} in {}\n", path.display()))?;
    }
    Ok(Exit::Success)
}
