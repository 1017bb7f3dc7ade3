//! Flags that set a setting: each is one line of [`FlagSet::FLAGS`]. Its help, its values and their check are those of
//! the setting.

use std::{fmt, marker::PhantomData};

use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, ValueHint, builder::PossibleValuesParser,
};
use legwork::settings::{self, Kind, Setting};

/// Names and values for [`Sources::flags`].
pub(crate) type Flags = Vec<(String, String)>;

/// A flag, and the setting that it sets.
pub(crate) struct SettingFlag {
    flag: &'static str,
    setting: &'static str,
    value_name: &'static str,
    heading: &'static str,
}

const fn flag(
    flag: &'static str,
    setting: &'static str,
    value_name: &'static str,
    heading: &'static str,
) -> SettingFlag {
    SettingFlag { flag, setting, value_name, heading }
}

const MODEL: SettingFlag = flag("model", "model.name", "PROVIDER/NAME", "Decisions");
const BASE_URL: SettingFlag = flag("base-url", "model.base_url", "URL", "Decisions");
const ALLOWED_DOMAINS: SettingFlag = flag("allowed-domains", "allowed_domains", "DOMAINS", "Limits");

const DEFAULT_POLICY: SettingFlag = flag("default-policy", "default_policy", "WHEN", "Limits");
const PROXY: SettingFlag = flag("proxy", "browser.proxy", "URL", "Browser");

const BLOCKED_DOMAINS: SettingFlag = flag("blocked-domains", "blocked_domains", "DOMAINS", "Limits");
const ALLOW_WRITE: SettingFlag = flag("allow-write", "allow_write", "DOMAINS", "Limits");

/// The flags of a command.
pub(crate) trait FlagSet {
    const FLAGS: &'static [SettingFlag];
}

macro_rules! flag_sets {
    ($($(#[doc = $doc:literal])+ $name:ident = $flags:expr;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Debug)]
        pub(crate) enum $name {}

        impl FlagSet for $name {
            const FLAGS: &'static [SettingFlag] = &$flags;
        }
    )+};
}

flag_sets! {
    /// `legwork run`.
    RunFlags = [
        MODEL,
        BASE_URL,
        flag("decider", "decider", "WHO", "Decisions"),
        flag("playbook", "playbook", "WHICH", "Decisions"),
        flag("tools", "tools.file", "FILE", "Decisions"),
        ALLOWED_DOMAINS,
        BLOCKED_DOMAINS,
        ALLOW_WRITE,
        DEFAULT_POLICY,
        PROXY,
        flag("max-actions", "limits.max_actions", "N", "Limits"),
        flag("max-tokens", "limits.max_tokens", "N", "Limits"),
        flag("max-cost", "limits.max_cost", "USD", "Limits"),
    ];
    /// What a run must come to: `legwork run`, `replay` and `resume`.
    ResultFlags = [flag("require", "run.require", "RESULT", "Output")];
    /// `legwork mcp`.
    McpFlags = [MODEL, BASE_URL, ALLOWED_DOMAINS, BLOCKED_DOMAINS, ALLOW_WRITE, DEFAULT_POLICY, PROXY];
    /// `legwork serve`.
    ServeFlags = [
        flag("host", "server.host", "ADDRESS", "Server"),
        flag("port", "server.port", "PORT", "Server"),
        flag("behind-proxy", "server.behind_proxy", "ORIGIN", "Server"),
    ];
    /// `legwork open`.
    OpenFlags = [flag("viewport", "browser.viewport", "WIDTHxHEIGHT", "Browser"), ALLOWED_DOMAINS, BLOCKED_DOMAINS, ALLOW_WRITE, DEFAULT_POLICY, PROXY];
}

/// The flags of a command as they were given.
pub(crate) struct SettingFlags<S>(Flags, PhantomData<S>);

impl<S> SettingFlags<S> {
    /// Names and values for [`Sources::flags`](settings::Sources).
    pub(crate) fn flags(&self) -> Flags {
        self.0.clone()
    }
}

impl<S> Default for SettingFlags<S> {
    fn default() -> Self {
        SettingFlags(Flags::new(), PhantomData)
    }
}

impl<S> Clone for SettingFlags<S> {
    fn clone(&self) -> Self {
        SettingFlags(self.0.clone(), PhantomData)
    }
}

impl<S> fmt::Debug for SettingFlags<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

fn setting(flag: &SettingFlag) -> &'static Setting {
    settings::find(flag.setting).expect("a test looks each of them up")
}

/// Several values are separated by commas, or the flag is repeated.
fn takes_several(kind: Kind) -> bool {
    matches!(kind, Kind::Domains | Kind::Hosts | Kind::Models | Kind::Paths | Kind::Choices(_))
}

fn argument(flag: &'static SettingFlag) -> Arg {
    let setting = setting(flag);
    let doc = setting.doc.replace('`', "");
    let first = doc.split_once(". ").map_or(doc.trim_end_matches('.'), |(first, _)| first).to_owned();
    let arg = Arg::new(flag.setting)
        .long(flag.flag)
        .value_name(flag.value_name)
        .help_heading(flag.heading)
        .action(if takes_several(setting.kind) { ArgAction::Append } else { ArgAction::Set })
        .value_hint(if setting.kind == Kind::Path { ValueHint::FilePath } else { ValueHint::Unknown });
    let arg = if doc.trim_end_matches('.') == first { arg } else { arg.long_help(doc) };
    let arg = arg.help(first);
    match setting.kind {
        Kind::Choice(words) => arg.value_parser(PossibleValuesParser::new(words)),
        _ => arg.value_parser(move |text: &str| setting.check(text).map(|()| text.to_owned())),
    }
}

impl<S: FlagSet> Args for SettingFlags<S> {
    fn augment_args(command: Command) -> Command {
        command.args(S::FLAGS.iter().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<S: FlagSet> FromArgMatches for SettingFlags<S> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = |flag: &SettingFlag| {
            let values: Vec<&str> = matches.get_many::<String>(flag.setting)?.map(String::as_str).collect();
            Some((flag.setting.to_owned(), values.join(",")))
        };
        Ok(SettingFlags(S::FLAGS.iter().filter_map(given).collect(), PhantomData))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Run {
        #[command(flatten)]
        settings: SettingFlags<RunFlags>,
    }

    fn read(line: &str) -> Result<String, Error> {
        let flags = Run::try_parse_from(std::iter::once("run").chain(line.split_whitespace()))?.settings.flags();
        Ok(flags.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn a_flag_sets_its_setting() {
        let check = |line: &str, expected: &str| assert_eq!(read(line).expect(line), expected);
        check("", "");
        check("--max-actions 3 --decider literal", "decider=literal limits.max_actions=3");
        check("--allowed-domains a.test,b.test --allowed-domains c.test", "allowed_domains=a.test,b.test,c.test");
        for wrong in ["--max-actions 0", "--decider nobody", "--model gpt", "--allowed-domains a/b", "--max-cost nan"] {
            read(wrong).expect_err(wrong);
        }
    }

    #[test]
    fn every_flag_names_a_setting() {
        let all = [RunFlags::FLAGS, ResultFlags::FLAGS, McpFlags::FLAGS, ServeFlags::FLAGS, OpenFlags::FLAGS];
        for flag in all.into_iter().flatten() {
            assert!(settings::find(flag.setting).is_some(), "{}", flag.setting);
        }
    }
}
