//! Settings as the rest of Legwork uses them: typed, checked, with their origins kept beside them.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

use legwork_agent::{CompactBy, Compaction, Detail, Trigger};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use url::Url;

use super::{
    Origin, SettingsProblem, Sources, check,
    sources::{self, Resolved},
    table::{OTHER_VARIABLES, SETTINGS, Setting},
    value::{Price, Value},
};
use crate::policy::Policy;
use crate::tools::Approval;

/// All settings.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Who decides.
    pub decider: DeciderSetting,
    /// Whether the model plans first, and its answer is judged.
    pub planning: Trigger,
    /// Whether doubts and failures in a row are thought over.
    pub reflection: Trigger,
    /// A decision with less confidence is uncertain; 0 to 1.
    pub reflection_min_confidence: f64,
    /// Where runs may go, as written.
    pub allowed_domains: Vec<String>,
    /// Where runs and artifacts are kept.
    pub data_dir: PathBuf,
    /// The browser.
    pub browser: BrowserSettings,
    /// The model.
    pub model: ModelSetting,
    /// Models for roles of their own.
    pub models: ModelsSetting,
    /// What is remembered.
    pub memory: MemorySetting,
    /// How prompts are kept short.
    pub context: ContextSetting,
    /// Prices by `provider/name`, over the built-in ones.
    pub prices: BTreeMap<String, Price>,
    /// A run's success counts only when it is validated.
    pub require_validated: bool,
    /// How long things may take.
    pub timeouts: Timeouts,
    /// How often a model is asked again.
    pub retries: Retries,
    /// What a run may use up.
    pub limits: Limits,
    /// Files that arrive.
    pub downloads: Downloads,
    /// When a human is asked before a tool of the user's is called.
    pub tools_approval: Approval,
    /// Where the MCP servers are named whose tools the agent may call.
    pub tools_file: Option<PathBuf>,
    /// Folders whose files may be uploaded.
    pub upload_roots: Vec<PathBuf>,
    /// The most tokens of a page that a model is shown.
    pub observation_max_tokens: usize,
    /// Investigations.
    pub investigation: Investigation,
    /// The most tokens of a page's text in one question of an extraction.
    pub extract_chunk_tokens: usize,
    /// The most pages of an extraction.
    pub extract_max_pages: u32,
    /// Pictures.
    pub screenshots: Screenshots,
    /// The HTTP server.
    pub server: ServerSettings,
    /// How long the background process of the terminal's verbs waits for the next one.
    pub terminal_idle_timeout: Duration,
    /// Ended runs are kept for so many days; for good when absent.
    pub retention_days: Option<u32>,
    /// Logs.
    pub log: Log,
    /// Keys of model providers, from the environment.
    pub keys: Keys,
    /// Worth a word: variables that mean nothing.
    pub warnings: Vec<SettingsProblem>,
    /// Rules of evidence that are switched off. No setting: only `cargo xtask truth --ablate` has them, to prove that each is
    /// needed.
    #[doc(hidden)]
    pub disabled_evidence: Vec<legwork_agent::EvidenceRule>,
    resolved: Resolved,
}

/// Who decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeciderSetting {
    /// The words first, the model where they do not say it.
    Auto,
    /// The words only.
    Literal,
    /// The model only.
    Model,
}

impl DeciderSetting {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            DeciderSetting::Auto => "auto",
            DeciderSetting::Literal => "literal",
            DeciderSetting::Model => "model",
        }
    }

    /// Reads what [`DeciderSetting::name`] writes.
    pub fn named(name: &str) -> Option<Self> {
        [DeciderSetting::Auto, DeciderSetting::Literal, DeciderSetting::Model]
            .into_iter()
            .find(|one| one.name() == name)
    }
}

/// The browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowserSettings {
    /// The program; found if absent.
    pub path: Option<PathBuf>,
    /// With a window.
    pub headed: bool,
    /// The sandbox.
    pub sandbox: Sandbox,
    /// Width and height in CSS pixels.
    pub viewport: (u32, u32),
    /// A running browser to join instead of starting one.
    pub cdp: Option<String>,
    /// A profile to use and keep.
    pub profile: Option<PathBuf>,
    /// More arguments.
    pub args: Vec<String>,
}

/// The browser's sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sandbox {
    /// On, except where it cannot work.
    Auto,
    /// On.
    On,
    /// Off.
    Off,
}

/// The model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelSetting {
    /// `provider/name`; without one only literal steps run.
    pub name: Option<String>,
    /// Where it listens, if not at its provider's address.
    pub base_url: Option<Url>,
    /// It is asked for the whole decision, not for a command in a line.
    pub full_replies: bool,
    /// Whether it takes pictures; by its name if absent.
    pub vision: Option<bool>,
}

/// Investigations.
#[derive(Clone, Debug, PartialEq)]
pub struct Investigation {
    /// `auto`, `always` or `never`.
    pub mode: String,
    /// The confidence below which a decision is looked into.
    pub min_confidence: f64,
    /// The confidence that is enough.
    pub target_confidence: f64,
    /// Rounds of tools at most.
    pub max_rounds: u32,
    /// How long it may take.
    pub timeout: Duration,
    /// Names of tools, in order.
    pub tools: Vec<String>,
}

/// Models for roles of their own, each a chain; an empty one is `model.name`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelsSetting {
    /// Makes plans.
    pub plan: Vec<String>,
    /// Decides actions.
    pub act: Vec<String>,
    /// Checks answers.
    pub validate: Vec<String>,
    /// Takes data out of pages.
    pub extract: Vec<String>,
    /// Describes pictures.
    pub look: Vec<String>,
    /// Decides actions first, cheaply.
    pub act_cheap: Vec<String>,
    /// Below this confidence, from 0 to 1, a cheap decision is not taken.
    pub escalate_below: f64,
}

/// What is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemorySetting {
    /// Whether runs learn from each other.
    pub enabled: bool,
    /// Lessons of a site.
    pub max_lessons_per_site: usize,
    /// Tokens of a prompt at most.
    pub max_tokens: usize,
}

/// How prompts are kept short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextSetting {
    /// Tokens of a prompt.
    pub max_tokens: usize,
    /// By whom a long history is made short, and how short.
    pub compaction: Compaction,
}

/// How long things may take. `workflow` is at least as long as `step` and `browser_start`, `step` as `request`, `model` and
/// `flush`, these as `connection`, `request` as `script`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// A run.
    pub workflow: Duration,
    /// A step.
    pub step: Duration,
    /// A page load.
    pub request: Duration,
    /// A model's answer to one request.
    pub model: Duration,
    /// A page's answer to a question about itself.
    pub script: Duration,
    /// The browser's start.
    pub browser_start: Duration,
    /// A connection.
    pub connection: Duration,
    /// Waiting for an element or a check.
    pub element: Duration,
    /// Waiting for a page's saves before it is closed.
    pub flush: Duration,
}

/// How often a model is asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// How often at most, after the first attempt.
    pub max_retries: u32,
    /// The first wait; each one after is twice as long.
    pub first_delay: Duration,
}

/// What a run may use up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Actions.
    pub max_actions: Option<u32>,
    /// Model tokens.
    pub max_tokens: Option<u64>,
    /// US dollars.
    pub max_cost: Option<f64>,
    /// Turns of a step.
    pub max_turns_per_step: u32,
    /// Turns of a lone task.
    pub max_turns_per_task: u32,
    /// Failures in a row.
    pub max_consecutive_errors: u32,
    /// Failures of a step or task.
    pub max_total_errors: u32,
}

/// Files that arrive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Downloads {
    /// Where to; a folder of the run if absent.
    pub dir: Option<PathBuf>,
    /// Bytes of one file at most.
    pub max_size: u64,
}

/// The format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// JPEG.
    Jpeg,
    /// WebP.
    Webp,
    /// PNG.
    Png,
}

/// Pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screenshots {
    /// Whether they are taken.
    pub enabled: bool,
    /// Their format.
    pub format: PictureFormat,
    /// 1–100, for JPEG and WebP.
    pub quality: u8,
    /// Pixels.
    pub max_width: u32,
}

/// The HTTP server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerSettings {
    /// Where it listens.
    pub host: String,
    /// The port; 0 for a free one.
    pub port: u16,
    /// The origin of the proxy before it.
    pub behind_proxy: Option<Url>,
    /// Its certificates, in PEM.
    pub tls_cert: Option<PathBuf>,
    /// Their private key, in PEM.
    pub tls_key: Option<PathBuf>,
    /// Runs at a time.
    pub max_concurrent: usize,
    /// Runs that may wait.
    pub max_queue: usize,
    /// How long a question keeps a run's browser.
    pub answer_timeout: Duration,
    /// Requests a second.
    pub requests_per_second: u32,
}

/// The shape of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// Logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// A filter such as `warn` or `legwork_browser=debug`.
    pub level: String,
    /// Their shape.
    pub format: LogFormat,
}

/// Keys of model providers. Printing it shows none.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    keys: BTreeMap<&'static str, SecretString>,
    /// Where Ollama listens (`OLLAMA_HOST`).
    pub ollama_host: Option<String>,
}

impl Keys {
    fn of(env: &BTreeMap<String, String>) -> Keys {
        let value = |variable: &str| env.get(variable).map(|text| text.trim()).filter(|text| !text.is_empty());
        let keys = OTHER_VARIABLES
            .iter()
            .filter(|(_, variable, _)| variable.ends_with("_KEY"))
            .filter_map(|(provider, variable, _)| Some((*provider, SecretString::from(value(variable)?))))
            .collect();
        Keys { keys, ollama_host: value("OLLAMA_HOST").map(str::to_owned) }
    }

    /// The key of a provider, or of the provider of a `provider/name`.
    pub fn of_provider(&self, model: &str) -> Option<&SecretString> {
        self.keys.get(model.split('/').next().unwrap_or(model))
    }

    /// For each provider its variable and whether it is set; never a value.
    pub fn present(&self) -> Vec<(&'static str, &'static str, bool)> {
        OTHER_VARIABLES
            .iter()
            .map(|(provider, variable, _)| {
                let set = self.keys.contains_key(provider) || (*provider == "ollama" && self.ollama_host.is_some());
                (*provider, *variable, set)
            })
            .collect()
    }
}

/// A setting as `config` shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingView {
    /// Its name.
    pub name: &'static str,
    /// Its value; empty for none.
    pub value: String,
    /// Where that comes from.
    pub origin: Origin,
}

impl Settings {
    /// Reads, merges and checks; every problem is listed.
    pub fn load(sources: &Sources) -> Result<Settings, Vec<SettingsProblem>> {
        let mut merged = sources::merge(sources);
        check::give_way(&mut merged.values);
        let mut problems = merged.problems;
        problems.extend(check::timeouts(&merged.values));
        let home = sources.env.get("HOME").map(PathBuf::from);
        let values = Values { resolved: &merged.values, home: home.as_deref() };
        let data_dir = values.path("data_dir").or_else(|| sources::data_dir(&sources.env));
        if data_dir.is_none() {
            let mut problem =
                SettingsProblem::new(Origin::Default, "data_dir", "there is no home folder to keep runs in");
            problem.hint = Some("set LEGWORK_DATA_DIR".to_owned());
            problems.push(problem);
        }
        let (true, Some(data_dir)) = (problems.is_empty(), data_dir) else { return Err(problems) };
        Ok(Settings {
            decider: DeciderSetting::named(values.word("decider")).unwrap_or(DeciderSetting::Auto),
            planning: Trigger::named(values.word("planning")).unwrap_or_default(),
            reflection: Trigger::named(values.word("reflection.mode")).unwrap_or_default(),
            reflection_min_confidence: values.share("reflection.min_confidence"),
            allowed_domains: values.list("allowed_domains"),
            data_dir,
            browser: BrowserSettings {
                path: values.path("browser.path"),
                headed: values.flag("browser.headed"),
                sandbox: match values.word("browser.sandbox") {
                    "on" => Sandbox::On,
                    "off" => Sandbox::Off,
                    _ => Sandbox::Auto,
                },
                viewport: values.size("browser.viewport"),
                cdp: Some(values.word("browser.cdp")).filter(|url| !url.is_empty()).map(str::to_owned),
                profile: values.path("browser.profile"),
                args: values.list("browser.args"),
            },
            model: ModelSetting {
                name: Some(values.word("model.name")).filter(|name| !name.is_empty()).map(str::to_owned),
                base_url: Url::parse(values.word("model.base_url")).ok(),
                full_replies: values.word("model.reply_format") == "full",
                vision: match values.word("model.vision") {
                    "on" => Some(true),
                    "off" => Some(false),
                    _ => None,
                },
            },
            models: ModelsSetting {
                plan: values.list("models.plan"),
                act: values.list("models.act"),
                validate: values.list("models.validate"),
                extract: values.list("models.extract"),
                look: values.list("models.look"),
                act_cheap: values.list("models.act_cheap"),
                escalate_below: values.share("models.escalate_below"),
            },
            memory: MemorySetting {
                enabled: values.flag("memory.enabled"),
                max_lessons_per_site: values.small("memory.max_lessons_per_site") as usize,
                max_tokens: values.small("memory.max_tokens") as usize,
            },
            context: ContextSetting {
                max_tokens: values.small("context.max_tokens") as usize,
                compaction: Compaction {
                    by: if values.word("context.compaction") == "model" { CompactBy::Model } else { CompactBy::Rule },
                    detail: match values.word("context.detail") {
                        "minimal" => Detail::Minimal,
                        "detailed" => Detail::Detailed,
                        _ => Detail::Standard,
                    },
                },
            },
            prices: values.prices("prices"),
            require_validated: values.word("run.require") == "validated",
            timeouts: Timeouts {
                workflow: values.time("timeouts.workflow"),
                step: values.time("timeouts.step"),
                request: values.time("timeouts.request"),
                model: values.time("timeouts.model"),
                script: values.time("timeouts.script"),
                browser_start: values.time("timeouts.browser_start"),
                connection: values.time("timeouts.connection"),
                element: values.time("timeouts.element"),
                flush: values.time("timeouts.flush"),
            },
            retries: Retries {
                max_retries: values.small("retries.max_retries"),
                first_delay: values.time("retries.first_delay"),
            },
            limits: Limits {
                max_actions: values.count("limits.max_actions").map(|count| u32::try_from(count).unwrap_or(u32::MAX)),
                max_tokens: values.count("limits.max_tokens"),
                max_cost: values.money("limits.max_cost"),
                max_turns_per_step: values.small("limits.max_turns_per_step"),
                max_turns_per_task: values.small("limits.max_turns_per_task"),
                max_consecutive_errors: values.small("limits.max_consecutive_errors"),
                max_total_errors: values.small("limits.max_total_errors"),
            },
            downloads: Downloads {
                dir: values.path("downloads.dir"),
                max_size: values.count("downloads.max_size").unwrap_or(u64::MAX),
            },
            tools_approval: match values.word("tools.approval") {
                "never" => Approval::Never,
                "always" => Approval::Always,
                _ => Approval::Mutating,
            },
            tools_file: values.path("tools.file"),
            upload_roots: values.list("uploads.roots").iter().map(|path| values.at_home(Path::new(path))).collect(),
            observation_max_tokens: values.small("observation.max_tokens") as usize,
            investigation: Investigation {
                mode: values.word("investigation.mode").to_owned(),
                min_confidence: values.share("investigation.min_confidence"),
                target_confidence: values.share("investigation.target_confidence"),
                max_rounds: values.small("investigation.max_rounds"),
                timeout: values.time("investigation.timeout"),
                tools: values.list("investigation.tools"),
            },
            extract_chunk_tokens: values.small("extract.chunk_tokens") as usize,
            extract_max_pages: values.small("extract.max_pages"),
            screenshots: Screenshots {
                enabled: values.flag("screenshots.enabled"),
                format: match values.word("screenshots.format") {
                    "webp" => PictureFormat::Webp,
                    "png" => PictureFormat::Png,
                    _ => PictureFormat::Jpeg,
                },
                quality: u8::try_from(values.small("screenshots.quality")).unwrap_or(100),
                max_width: values.small("screenshots.max_width"),
            },
            server: ServerSettings {
                host: values.word("server.host").to_owned(),
                port: u16::try_from(values.small("server.port")).unwrap_or_default(),
                behind_proxy: Url::parse(values.word("server.behind_proxy")).ok(),
                tls_cert: values.path("server.tls_cert"),
                tls_key: values.path("server.tls_key"),
                max_concurrent: values.small("server.max_concurrent") as usize,
                max_queue: values.small("server.max_queue") as usize,
                answer_timeout: values.time("server.answer_timeout"),
                requests_per_second: values.small("server.requests_per_second"),
            },
            terminal_idle_timeout: values.time("terminal.idle_timeout"),
            retention_days: Some(values.small("retention.days")).filter(|days| *days > 0),
            log: Log {
                level: values.word("log.level").to_owned(),
                format: if values.word("log.format") == "json" { LogFormat::Json } else { LogFormat::Text },
            },
            keys: Keys::of(&sources.env),
            warnings: merged.warnings,
            disabled_evidence: Vec::new(),
            resolved: merged.values,
        })
    }

    /// The allowed domains as a policy.
    pub fn policy(&self) -> Policy {
        Policy::only(&self.allowed_domains).expect("the domains were read when the settings were")
    }

    /// Every setting, its value and where it comes from, in the order of the reference.
    pub fn shown(&self) -> Vec<SettingView> {
        SETTINGS.iter().map(|setting| self.show(setting)).collect()
    }

    fn show(&self, setting: &'static Setting) -> SettingView {
        let (value, origin) = &self.resolved[setting.name];
        SettingView { name: setting.name, value: value.show(), origin: origin.clone() }
    }
}

/// The resolved values by type. A name of the wrong type gives the type's nothing, which the tests would show.
struct Values<'a> {
    resolved: &'a Resolved,
    home: Option<&'a Path>,
}

impl Values<'_> {
    fn get(&self, name: &str) -> &Value {
        self.resolved.get(name).map_or(&Value::Nothing, |(value, _)| value)
    }
    fn word(&self, name: &str) -> &str {
        if let Value::Text(text) = self.get(name) { text } else { "" }
    }
    fn flag(&self, name: &str) -> bool {
        matches!(self.get(name), Value::Flag(true))
    }
    fn count(&self, name: &str) -> Option<u64> {
        if let Value::Count(count) = self.get(name) { Some(*count) } else { None }
    }
    fn small(&self, name: &str) -> u32 {
        self.count(name).map_or(0, |count| u32::try_from(count).unwrap_or(u32::MAX))
    }
    fn money(&self, name: &str) -> Option<f64> {
        if let Value::Money(dollars) = self.get(name) { Some(*dollars) } else { None }
    }
    fn share(&self, name: &str) -> f64 {
        if let Value::Share(share) = self.get(name) { *share } else { 0.0 }
    }
    fn time(&self, name: &str) -> Duration {
        if let Value::Time(time) = self.get(name) { *time } else { Duration::ZERO }
    }
    fn size(&self, name: &str) -> (u32, u32) {
        if let Value::Size(width, height) = self.get(name) { (*width, *height) } else { (0, 0) }
    }
    fn list(&self, name: &str) -> Vec<String> {
        if let Value::List(texts) = self.get(name) { texts.clone() } else { Vec::new() }
    }
    fn prices(&self, name: &str) -> BTreeMap<String, Price> {
        if let Value::Prices(prices) = self.get(name) { prices.clone() } else { BTreeMap::new() }
    }
    fn path(&self, name: &str) -> Option<PathBuf> {
        if let Value::Path(path) = self.get(name) { Some(self.at_home(path)) } else { None }
    }
    fn at_home(&self, path: &Path) -> PathBuf {
        match (path.strip_prefix("~"), self.home) {
            (Ok(rest), Some(home)) => home.join(rest),
            _ => path.to_owned(),
        }
    }
}
