//! The options that `open` sends to the host, so that the session is opened as if by this process: settings from this
//! environment and folder, the values of secrets, absolute paths. The host may have been started in another
//! environment.

use std::{collections::BTreeMap, io::IsTerminal, path::PathBuf};

use legwork::{
    secrets::{FetchedSecret, SecretSources, SecretSpec, UserVault},
    settings::{Settings, is_read},
};
use secrecy::ExposeSecret;

use super::{
    open_args::OpenArgs,
    parse::{address, state, whole},
    wire::{OpenRequest, SecretValue},
};
use crate::{command_args::Global, commands::ask_secret, error::CliError, options};

/// The options of the session.
pub(super) fn opening(global: &Global, args: &OpenArgs) -> Result<OpenRequest, CliError> {
    let flags = flags(args);
    let mut chosen: BTreeMap<String, String> = flags.iter().cloned().collect();
    if !args.secrets.is_empty() {
        chosen.insert("secret".to_owned(), args.secrets.join(" "));
    }
    if let Some(uploads) = &args.uploads {
        chosen.insert("uploads".to_owned(), whole(uploads).display().to_string());
    }
    if let Some(state) = &args.browser.storage_state {
        chosen.insert("storage_state".to_owned(), whole(state).display().to_string());
    }
    let mut sources = options::sources(global, flags).map_err(|problems| options::settings_error(&problems))?;
    let settings = Settings::load(&sources).map_err(|problems| options::settings_error(&problems))?;
    sources.env.retain(|name, _| is_read(name));
    let uploads = args.uploads.clone().unwrap_or_else(|| PathBuf::from("."));
    if !uploads.is_dir() {
        return Err(CliError::usage(format!("--uploads {} is not a folder", uploads.display())));
    }
    Ok(OpenRequest {
        sources: sources.into(),
        folder: whole(".".as_ref()),
        chosen,
        secrets: secrets(&args.secrets, &settings)?,
        site: args.url.as_deref().map(address),
        uploads: vec![whole(&uploads)],
        storage_state: args.browser.storage_state.as_deref().map(state).transpose()?,
    })
}

/// The command-line options as settings.
fn flags(args: &OpenArgs) -> crate::setting_flags::Flags {
    let mut browser = args.browser.clone();
    for path in [&mut browser.browser, &mut browser.profile].into_iter().flatten() {
        *path = whole(path);
    }
    let mut flags = options::browser(&browser);
    flags.extend(args.settings.flags());
    flags
}

/// Reads the secrets from their sources. The error lists all that are not available.
fn secrets(specs: &[String], settings: &Settings) -> Result<Vec<SecretValue>, CliError> {
    let mut ask = ask_secret();
    let mut prompt = |name: &str| ask.as_mut().and_then(|ask| ask(name));
    let vault = UserVault::of(settings);
    let mut sources = SecretSources { env: &|name| std::env::var(name).ok(), vault: Some(&vault), prompt: &mut prompt };
    let (mut given, mut missing) = (Vec::new(), Vec::new());
    for text in specs {
        let spec =
            SecretSpec::parse(text).map_err(|error| CliError::usage("a --secret cannot be read").because(&error))?;
        match spec.fetch(&mut sources) {
            // The host needs the origins of the secret, but not its source.
            Ok(values) => given.extend(values.into_iter().map(|FetchedSecret { name, value, binding }| SecretValue {
                name,
                places: binding.to_string(),
                value: value.expose_secret().to_owned(),
            })),
            Err(error) => missing.push(error.to_string()),
        }
    }
    if missing.is_empty() {
        return Ok(given);
    }
    let hint = if std::io::stdin().is_terminal() { None } else { Some("no person is at the terminal to answer") };
    let trouble = CliError::usage("a secret is not available").details(missing);
    Err(match hint {
        Some(hint) => trouble.hint(hint),
        None => trouble,
    })
}
