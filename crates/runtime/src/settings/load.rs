//! Converts the sources to settings: merges, checks and types the values, and keeps the origin of each value.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use legwork_agent::{DeciderChoice, PreflightContext};
use legwork_browser::UpstreamProxy;
use thiserror::Error;
use url::Url;

use super::{
    BrowserSettings, Keys, Origin, RequiredResult, SETTINGS, Settings, SettingsProblem, Sources, Switch, TextFile,
    check,
    declare::{Mark, Setting},
    sources,
    value::{Kind, Value, ValueError},
};
use crate::{
    action_policy::{PolicyFile, PolicyLayers},
    policy::Policy,
};

/// A setting that a run began with, whose value this version does not accept.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the setting {name} has an unusable value")]
pub struct UnusableSetting {
    /// The name of the setting.
    pub name: &'static str,
    /// The reason.
    pub source: ValueError,
}

/// A setting as `config` shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingView {
    /// The name of the setting.
    pub name: &'static str,
    /// Its value; empty if it has none.
    pub value: String,
    /// Where the value comes from.
    pub origin: Origin,
}

impl Settings {
    /// Reads, merges and checks the sources. The error lists every problem.
    pub fn load(sources: &Sources) -> Result<Settings, Vec<SettingsProblem>> {
        let mut merged = sources::merge(sources);
        check::adapt_defaults(&mut merged.values);
        let mut problems = merged.problems;
        problems.extend(check::timeouts(&merged.values));
        let mut used = merged.values.clone();
        if used["data_dir"].0 == Value::Nothing {
            match sources::data_dir(&sources.env) {
                Some(folder) => _ = used.insert("data_dir", (Value::Path(folder), Origin::Default)),
                None => {
                    let mut problem =
                        SettingsProblem::new(Origin::Default, "data_dir", "there is no home folder to keep runs in");
                    problem.hint = Some("set LEGWORK_DATA_DIR".to_owned());
                    problems.push(problem);
                }
            }
        }
        if used["vault.key_file"].0 == Value::Nothing
            && let Some(file) = sources::user_file(&sources.env)
        {
            used.insert("vault.key_file", (Value::Path(file.with_file_name("vault.key")), Origin::Default));
        }
        let policy = policy_layers(sources, &mut problems);
        if !problems.is_empty() {
            return Err(problems);
        }
        if let Some(home) = sources.env.get("HOME").map(Path::new) {
            SETTINGS.iter().for_each(|setting| expand_home(setting.kind, used.get_mut(setting.name), home));
        }
        let settings = Settings::of(&used, Keys::of(&sources.env), merged.warnings);
        Ok(Settings { resolved: merged.values, policy, ..settings })
    }

    /// These settings with what changed in the sources since, as a process at work can use it: a setting that
    /// [needs a restart](super::Setting::needs_restart) keeps its value. A field that a program changed keeps its value
    /// too, unless the sources have another one than before. The error lists every problem of the sources.
    pub fn reloaded(&self, sources: &Sources) -> Result<Settings, Vec<SettingsProblem>> {
        let new = Settings::load(sources)?;
        let mut settings = Settings { policy: new.policy.clone(), ..self.clone() };
        for setting in SETTINGS.iter().filter(|setting| !setting.needs_restart()) {
            let (before, now) = (&self.resolved[setting.name], &new.resolved[setting.name]);
            if before.0 != now.0 {
                settings.change(setting.name, &new.value(setting.name));
            }
            settings.resolved.insert(setting.name, now.clone());
        }
        Ok(settings)
    }

    /// The policy for the allowed and blocked domains.
    pub fn policy(&self) -> Policy {
        let allowed = Policy::only(&self.allowed_domains);
        allowed
            .and_then(|policy| policy.blocking(&self.blocked_domains))
            .expect("the domains were read when the settings were")
    }

    /// Whether the default policy applies to runs.
    pub fn limits_runs(&self) -> bool {
        self.default_policy != Switch::Off
    }

    /// Whether the default policy applies to pages that a client drives, action by action. Its user's words name no
    /// sites.
    pub fn limits_clients(&self) -> bool {
        match self.default_policy {
            Switch::Auto => !self.allow_write.is_empty(),
            Switch::On => true,
            Switch::Off => false,
        }
    }

    /// Whether the words of a client are not those of the user, who named the sites with `allow_write`.
    pub(crate) fn limits_client_words(&self) -> bool {
        self.limits_clients() && !self.allow_write.is_empty()
    }

    /// The proxy through which the browser reaches the sites.
    pub fn proxy(&self) -> Option<UpstreamProxy> {
        let BrowserSettings { proxy, proxy_bypass, .. } = &self.browser;
        let address = proxy.as_ref()?;
        let proxy = UpstreamProxy::new(address, self.keys.proxy_password.as_ref(), proxy_bypass);
        Some(proxy.expect("the address was checked when the settings were read"))
    }

    /// Whether a success without supporting evidence is a failure.
    pub fn requires_validated(&self) -> bool {
        self.run.require == RequiredResult::Validated
    }

    /// The model that decides the steps that the parser does not understand.
    pub fn main_model(&self) -> Option<&str> {
        let name = self.model.name.as_deref().or_else(|| self.models.act.first().map(String::as_str));
        name.filter(|_| self.decider != DeciderChoice::Literal)
    }

    /// The address to which requests to a provider's models go. `None` for a provider that has none unless it is set.
    pub fn endpoint_of(&self, provider: &str) -> Option<Url> {
        let is_main = self.main_model().is_some_and(|name| name.split('/').next() == Some(provider));
        let own = self.model.base_url.clone().filter(|_| is_main);
        let info = legwork_model::providers().iter().find(|info| info.name == provider)?;
        own.or_else(|| Url::parse(info.default_base_url?).ok())
    }

    /// What is known about a run with these settings and variables before it starts.
    pub fn preflight<'a>(&self, variables: &'a BTreeMap<String, serde_json::Value>) -> PreflightContext<'a> {
        let reads_steps = self.decider != DeciderChoice::Model;
        PreflightContext { variables, reads_steps, has_decider: self.main_model().is_some() }
    }

    /// Every setting with its value and origin, in the order of the reference.
    pub fn shown(&self) -> Vec<SettingView> {
        SETTINGS.iter().map(|setting| self.show(setting)).collect()
    }

    fn show(&self, setting: &'static Setting) -> SettingView {
        let (value, origin) = &self.resolved[setting.name];
        SettingView { name: setting.name, value: value.show(), origin: origin.clone() }
    }

    /// The values that a resumed run keeps.
    pub(crate) fn for_resume(&self) -> BTreeMap<String, String> {
        let kept = SETTINGS.iter().filter(|setting| setting.is_resumed());
        kept.map(|setting| (setting.name.to_owned(), self.value(setting.name).show())).collect()
    }

    /// These settings with the values of [`Settings::for_resume`] from the start of the run, except for values from the
    /// current command line.
    pub(crate) fn resumed(&self, began_with: &BTreeMap<String, String>) -> Result<Settings, UnusableSetting> {
        let is_flag = |setting: &Setting| matches!(self.resolved.get(setting.name), Some((_, Origin::Flag)));
        let mut settings = self.clone();
        for setting in SETTINGS.iter().filter(|setting| setting.is_resumed()) {
            let Some(text) = began_with.get(setting.name) else { continue };
            let replaced = if setting.has(Mark::ResumedGroup) {
                let group = || SETTINGS.iter().filter(|other| other.group() == setting.group() && other.is_resumed());
                // A run that was started without a model uses the model that is configured now.
                let is_unset = group().all(|other| began_with.get(other.name).is_none_or(String::is_empty));
                is_unset || group().any(is_flag)
            } else {
                is_flag(setting)
            };
            if !replaced {
                let unusable = |source| UnusableSetting { name: setting.name, source };
                let value = setting.read(text).map_err(unusable)?;
                settings.change(setting.name, &value);
            }
        }
        Ok(settings)
    }
}

/// The rules of the policy files, and their problems with lines.
fn policy_layers(sources: &Sources, problems: &mut Vec<SettingsProblem>) -> PolicyLayers {
    type OriginOf = fn(PathBuf, usize) -> Origin;
    let mut read = |file: &Option<TextFile>, origin: OriginOf| {
        let TextFile { path, text } = file.as_ref()?;
        let parsed = PolicyFile::parse(path, text);
        parsed
            .map_err(|found| {
                problems.extend(found.into_iter().map(|problem| {
                    let origin = origin(path.clone(), problem.line);
                    SettingsProblem { hint: problem.hint, ..SettingsProblem::new(origin, "", problem.message) }
                }));
            })
            .ok()
    };
    PolicyLayers {
        user: read(&sources.policy, Origin::User),
        project: read(&sources.project_policy, Origin::Project),
        request: read(&sources.request_policy, Origin::Project),
    }
}

/// Replaces `~/` at the beginning of paths.
fn expand_home(kind: Kind, value: Option<&mut (Value, Origin)>, home: &Path) {
    let whole = |path: &Path| path.strip_prefix("~").map_or_else(|_| path.to_owned(), |rest| home.join(rest));
    match value.map(|(value, _)| value) {
        Some(Value::Path(path)) => *path = whole(path),
        Some(Value::List(paths)) if kind == Kind::Paths => {
            paths.iter_mut().for_each(|path| *path = whole(Path::new(path)).display().to_string());
        }
        _ => {}
    }
}
