//! Flags become settings; settings become what a run is started with.

use legwork::settings::{Settings, SettingsProblem, Sources, within};
use legwork_protocol::Code;

use crate::{
    command_args::{BrowserArgs, Global, RunArgs},
    error::CliError,
    setting_flags::Flags,
};

/// The settings without any flag of a run.
pub(crate) fn plain(global: &Global) -> Result<Settings, CliError> {
    load(global, Vec::new())
}

/// The settings with a run's flags over them.
pub(crate) fn for_run(global: &Global, args: &RunArgs) -> Result<Settings, CliError> {
    load(global, [browser(&args.browser), run_flags(global, args)?].concat())
}

/// A run's flags without those of the browser.
pub(crate) fn run_flags(global: &Global, args: &RunArgs) -> Result<Flags, CliError> {
    let mut flags = [args.require.flags(), args.settings.flags()].concat();
    if let Some(whole) = args.timeout {
        let all = [browser(&args.browser), flags.clone()].concat();
        flags.extend(within(&load(global, all)?, whole));
    }
    Ok(flags)
}

/// The browser's flags.
pub(crate) fn browser(args: &BrowserArgs) -> Flags {
    let mut flags = Flags::new();
    if args.headed {
        flags.push(("browser.headed".to_owned(), "true".to_owned()));
    }
    let paths = [("browser.path", &args.browser), ("browser.profile", &args.profile)];
    for (name, path) in paths {
        flags.extend(path.as_ref().map(|path| (name.to_owned(), path.display().to_string())));
    }
    flags.extend(args.engine.as_ref().map(|engine| ("browser.engine".to_owned(), engine.clone())));
    flags.extend(args.cdp.as_ref().map(|url| ("browser.cdp".to_owned(), url.clone())));
    flags
}

/// Loads the settings; every problem is listed.
pub(crate) fn load(global: &Global, flags: Flags) -> Result<Settings, CliError> {
    sources(global, flags).and_then(|sources| Settings::load(&sources)).map_err(|problems| settings_error(&problems))
}

/// What the settings are read from.
pub(crate) fn sources(global: &Global, flags: Flags) -> Result<Sources, Vec<SettingsProblem>> {
    Sources::here(flags, global.config.as_deref(), global.policy.as_deref())
}

pub(crate) fn settings_error(problems: &[SettingsProblem]) -> CliError {
    let message = match problems.len() {
        1 => "a setting is wrong".to_owned(),
        many => format!("{many} settings are wrong"),
    };
    CliError::usage(message).details(problems.iter().map(ToString::to_string)).code(Code::SettingsInvalid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_timeout_cuts_down_what_is_inside_it() {
        let sources =
            |flags| Sources { flags, env: [("HOME".to_owned(), "/home/x".to_owned())].into(), ..Sources::default() };
        let settings = Settings::load(&sources(Vec::new())).unwrap();
        for whole in ["1ms", "5s", "20s", "100s", "4m", "1h"] {
            let whole = legwork_protocol::parse_duration(whole).unwrap();
            let cut = Settings::load(&sources(within(&settings, whole))).unwrap();
            assert_eq!(cut.timeouts.workflow, whole);
        }
    }
}
