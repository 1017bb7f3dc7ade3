//! Every setting, declared once. `config`, the environment, the files, [`Settings`], `docs/settings.md`, the web page
//! and the values that a resumed run keeps are all derived from this table.
//!
//! A setting is written as:
//!
//! ```text
//! /// What it does, for docs/settings.md.
//! field: Type = Kind, "default as it would be written in the environment", Marks;
//! ```
//!
//! The group and the name form its name in files (`headed = true` under `[browser]`), its variable
//! (`LEGWORK_BROWSER_HEADED`) and its field (`settings.browser.headed`). An empty default means that the setting has no
//! value. [`Mark`] lists the marks; `Restart` belongs to what is read once, when a process starts.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use legwork_agent::{CompactBy, DeciderChoice, Detail, InvestigationMode, Trigger};
use legwork_browser::{Engine, PictureFormat};
use legwork_protocol::Tool;
use url::Url;

use super::{
    Keys, SettingsProblem,
    choices::{Choice, LogFormat, MailSecurity, ReplyFormat, RequiredResult, Switch},
    declare::{Mark, Setting, settings},
    sources::Resolved,
    typed::{Typed, typed},
    value::{
        Kind::{
            Bytes, Choice as OneOf, Choices, Count, Domains, Flag, Hosts, List, Mailbox, Model, Models, Money, Path,
            Paths, Prices, Proxy, Share, Size, Text, Time, Url as Address,
        },
        Price, Value,
    },
};
use crate::{action_policy::PolicyLayers, playbooks::PlaybookChoice, tools::Approval};

settings! {
    /// All settings.
    pub struct Settings {
        /// Who decides what to do. `literal`: only the words of the step, without a model. `model`: the model, for
        /// every step. `auto`: the words first, and the model where they do not say exactly what to do.
        decider: DeciderChoice = OneOf(DeciderChoice::WORDS), "auto", ProjectFile Resumed;
        /// Which playbook runs of workflows use: the recorded actions of an earlier run, which are repeated without a
        /// model. `auto`: the one that was recorded for the workflow on its site, if there is one; a validated run
        /// records and heals it. `off`: none, and nothing is recorded. `only`: the recorded one, which must exist, and
        /// no model. Or the path of an exported playbook.
        playbook: PlaybookChoice = Text, "auto";
        /// Whether the model makes a plan first and its answer is checked against the plan's criteria. `auto`: for
        /// single tasks of more than 20 words that are not a list of instructions (`click …; type …; press …`).
        /// `always`: for every task and step. An expectation in free words is checked in every single task, and so is
        /// whether each instruction of a list was carried out.
        planning: Trigger = OneOf(Trigger::WORDS), "auto", Resumed;
        /// Sites that runs may load: `example.org`, `*.example.org` (the domain and its subdomains), `localhost:8080`,
        /// `https://example.org`. Empty: every site.
        allowed_domains: Vec<String> = Domains, "", Resumed;
        /// Sites that runs must not load, even if they are allowed, written like `allowed_domains`. A rule with an IP
        /// address also blocks every name that resolves to it.
        blocked_domains: Vec<String> = Domains, "", Resumed;
        /// Whether the default policy (docs/policy.md) limits what a model may do: it writes only on the start site and
        /// on sites that the user named, and takes no data of pages elsewhere. `auto`: on in runs; for MCP and page
        /// commands, on only if `allow_write` names sites.
        default_policy: Switch = OneOf(Switch::WORDS), "auto", Resumed;
        /// Sites on which runs may write (type, select, upload, submit) in addition to the start site and the sites
        /// that the task or the workflow names. Written like `allowed_domains`, whose sites are included.
        allow_write: Vec<String> = Domains, "", Resumed;
        /// Folder for runs and their artifacts. Default: `$XDG_DATA_HOME/legwork`, or `~/.local/share/legwork`.
        data_dir: PathBuf = Path, "", Restart;
        /// US dollars per million tokens for each model, as `[prices."provider/name"]` with `input`, `output` and
        /// `cached`. Overrides the built-in table.
        prices: BTreeMap<String, Price> = Prices, "";
    }

    /// Reconsideration of decisions by the model.
    pub struct ReflectionSettings as reflection {
        /// Whether the model reconsiders an uncertain change before it is made, and its approach after two failures in
        /// a row. `auto`: in single tasks. `always`: in workflow steps too.
        mode: Trigger = OneOf(Trigger::WORDS), "auto", Resumed;
        /// Decisions with a lower confidence count as uncertain.
        min_confidence: f64 = Share, "0.5";
    }

    /// The browser.
    pub struct BrowserSettings as browser {
        /// Browser engine. Firefox and WebKit are experimental (docs/engines.md).
        engine: Engine = OneOf(Engine::WORDS), "chromium", ProjectFile Restart;
        /// Browser executable. Default: the first browser found that has the engine.
        path: Option<PathBuf> = Path, "", Restart;
        /// Show the browser window.
        headed: bool = Flag, "false", ProjectFile Restart;
        /// The browser's sandbox. `auto` disables it only where it cannot work (as root), and reports that.
        sandbox: Switch = OneOf(Switch::WORDS), "auto", Restart;
        /// Width and height of the page in CSS pixels.
        viewport: (u32, u32) = Size, "1280x800", ProjectFile;
        /// Connect to a running browser at its debugging address (`ws://…` or `http://127.0.0.1:9222`: DevTools for
        /// Chromium, WebDriver BiDi for Firefox, a WebDriver server for WebKit) instead of starting one.
        cdp: Option<String> = Text, "", Restart;
        /// Profile folder to use and keep. Default: a temporary profile for each run.
        profile: Option<PathBuf> = Path, "", Restart;
        /// Proxy through which the browser reaches the sites: `http://host:port` or `socks5://host:port`, with `user@`
        /// before the host if it demands credentials. The password is in the variable `LEGWORK_PROXY_PASSWORD`.
        proxy: Option<String> = Proxy, "", Restart;
        /// Hosts that are reached without the proxy: names (their subdomains are included), IP addresses, and ranges
        /// such as `10.0.0.0/8`. This machine is always reached directly.
        proxy_bypass: Vec<String> = Hosts, "", Restart;
        /// Additional browser arguments.
        args: Vec<String> = List, "", Restart;
    }

    /// The model.
    pub struct ModelSetting as model {
        /// The model, as `provider/name`: `openai/gpt-5`, `anthropic/claude-sonnet-4-5`, `ollama/qwen3`. Without a
        /// model, only literal steps can run.
        name: Option<String> = Model, "", ResumedGroup;
        /// Endpoint of an OpenAI-compatible server. Default: the provider's own endpoint.
        base_url: Option<Url> = Address, "", ResumedGroup;
        /// Format of the model's replies. `compact`: one command per line; a JSON Schema is added after a reply that
        /// does not fit. `full`: the whole decision as JSON, with its schema in every request, at ten times the tokens.
        reply_format: ReplyFormat = OneOf(ReplyFormat::WORDS), "compact", ProjectFile;
        /// Whether the model accepts images. `auto` recognizes common models by name.
        vision: Switch = OneOf(Switch::WORDS), "auto";
        /// Maximum number of commands in one reply. They are executed in order until one fails or leads to another
        /// page.
        max_commands: usize = Count { min: 1, max: 20 }, "1", ProjectFile;
        /// Whether each decision must state its reasons.
        require_reasoning: bool = Flag, "true", ProjectFile;
        /// Whether the schema of `full` replies contains the optional fields: alternatives, the context, and what the
        /// result is expected to be.
        optional_fields: bool = Flag, "false", ProjectFile;
        /// Whether a reply with unknown fields or without a confidence is rejected. Otherwise unknown fields are
        /// ignored.
        strict_replies: bool = Flag, "false", ProjectFile;
        /// Maximum number of calls of one model at the same time, in all runs of this process. Empty: no limit.
        max_concurrent_calls: Option<u32> = Count { min: 1, max: 10_000 }, "";
        /// Maximum number of calls of one model per minute, in all runs of this process. Further calls wait. Empty: no
        /// limit.
        max_calls_per_minute: Option<u32> = Count { min: 1, max: 1_000_000 }, "";
    }

    /// Models for single purposes, each a chain of `provider/name`.
    pub struct ModelsSetting as models {
        /// Models for planning, in order of preference; each is tried when the one before it fails. Default:
        /// `model.name`.
        plan: Vec<String> = Models, "", ResumedGroup;
        /// Models for choosing actions, investigation and reflection, in order of preference. Default: `model.name`.
        act: Vec<String> = Models, "", ResumedGroup;
        /// Models for checking answers, in order of preference. Default: `model.name`.
        validate: Vec<String> = Models, "", ResumedGroup;
        /// Models for extracting data from pages, in order of preference. Default: `model.name`.
        extract: Vec<String> = Models, "", ResumedGroup;
        /// Models for describing images of pages, in order of preference. Default: `model.name`.
        look: Vec<String> = Models, "", ResumedGroup;
        /// Cheaper models that choose actions first. The models for actions are used when these are uncertain, give up
        /// or fail.
        act_cheap: Vec<String> = Models, "", ResumedGroup;
        /// A decision of a cheaper model with a lower confidence than this is not used.
        escalate_below: f64 = Share, "0.7", ResumedGroup;
    }

    /// Lessons from earlier runs.
    pub struct MemorySetting as memory {
        /// Learn from runs what works on a site, and show it to the model where it is relevant.
        enabled: bool = Flag, "true", ProjectFile;
        /// Maximum number of lessons per site. The least trusted are removed first.
        max_lessons_per_site: usize = Count { min: 1, max: 10_000 }, "200";
        /// Maximum number of tokens in a prompt for what was learned from earlier steps and other runs.
        max_tokens: usize = Count { min: 0, max: 2_000 }, "150", ProjectFile;
    }

    /// The size of prompts.
    pub struct ContextSetting as context {
        /// Maximum number of tokens in a prompt, however large the page and however long the task. An instruction is
        /// never shortened: one that needs more than about half of them is refused.
        max_tokens: usize = Count { min: 2_000, max: 1_000_000 }, "16000";
        /// How a history is shortened when it outgrows its share of the prompt: by a fixed `rule` or by the `model`.
        compaction: CompactBy = OneOf(CompactBy::WORDS), "rule";
        /// What the rule keeps. `minimal`: what was done, and on which page. `standard`: the elements too. `detailed`:
        /// the results too.
        detail: Detail = OneOf(Detail::WORDS), "standard", ProjectFile;
    }

    /// The required result of a run.
    pub struct RunSettings as run {
        /// Required result of a run. With `validated`, a success without supporting evidence is a failure.
        require: RequiredResult = OneOf(RequiredResult::WORDS), "success", ProjectFile Resumed;
    }

    /// Time limits. Their allowed order is in docs/settings.md.
    pub struct Timeouts as timeouts {
        /// Time limit of a run, without the time in which it is paused or waits for an answer. A pause may last as
        /// long.
        workflow: Duration = Time, "30m", ProjectFile;
        /// Time limit of a step, without pauses and waits for an answer.
        step: Duration = Time, "5m", ProjectFile;
        /// Time limit of a page load.
        request: Duration = Time, "30s", ProjectFile;
        /// Time limit of one request to a model.
        model: Duration = Time, "60s", ProjectFile;
        /// Time limit of a script that Legwork runs in a page. A page that takes longer counts as unresponsive.
        script: Duration = Time, "8s", ProjectFile;
        /// Time limit for starting the browser.
        browser_start: Duration = Time, "60s", ProjectFile Restart;
        /// Time limit for establishing a connection.
        connection: Duration = Time, "10s", ProjectFile;
        /// How long to wait for an element, or for a check to hold.
        element: Duration = Time, "5s", ProjectFile;
        /// How long to wait for a page's unfinished saves and syncs before it is closed. What is still pending then is
        /// reported.
        flush: Duration = Time, "5s", ProjectFile;
    }

    /// Retries of requests to a model.
    pub struct Retries as retries {
        /// Maximum number of retries of a request to a model after status 429, 5xx or a broken connection.
        max_retries: u32 = Count { min: 0, max: 20 }, "3", ProjectFile;
        /// Delay before the first retry. It doubles with each retry, with jitter.
        first_delay: Duration = Time, "1s", ProjectFile;
    }

    /// Limits of a run.
    pub struct Limits as limits {
        /// Maximum number of actions in a run.
        max_actions: Option<u32> = Count { min: 1, max: u32::MAX as u64 }, "", Resumed;
        /// Maximum number of model tokens in a run.
        max_tokens: Option<u64> = Count { min: 1, max: u64::MAX }, "", Resumed;
        /// Maximum cost of a run in US dollars.
        max_cost: Option<f64> = Money, "", Resumed;
        /// Maximum number of turns in a step.
        max_turns_per_step: u32 = Count { min: 1, max: 1000 }, "10", ProjectFile;
        /// Maximum number of turns in a single task.
        max_turns_per_task: u32 = Count { min: 1, max: 1000 }, "50";
        /// How often a step is tried again that failed before it changed anything on the site. A step that may have
        /// changed something is never tried again.
        max_step_retries: u32 = Count { min: 0, max: 10 }, "0", ProjectFile;
        /// Maximum number of failures in a row.
        max_consecutive_errors: u32 = Count { min: 1, max: 1000 }, "5", ProjectFile;
        /// Maximum number of failures in a step or task.
        max_total_errors: u32 = Count { min: 1, max: 1000 }, "15", ProjectFile;
        /// Maximum number of iterations of a `for_each` in a workflow. A loop over more rows or values fails before its
        /// first iteration.
        max_iterations: u32 = Count { min: 1, max: 100_000 }, "1000", ProjectFile;
    }

    /// Downloads.
    pub struct Downloads as downloads {
        /// Folder for downloads. Default: a folder of the run under `data_dir`.
        dir: Option<PathBuf> = Path, "";
        /// Maximum size of a download.
        max_size: u64 = Bytes, "100MB";
    }

    /// Tools that the model may call.
    pub struct ToolSettings as tools {
        /// When to ask before the model calls one of your tools. `mutating`: for tools that may change something.
        approval: Approval = OneOf(Approval::WORDS), "mutating";
        /// JSON file with `mcpServers`, in the format other clients use, whose tools the model may call.
        file: Option<PathBuf> = Path, "", Restart;
    }

    /// The vault: the encrypted file with secrets.
    pub struct VaultSettings as vault {
        /// File with the key of a vault without a passphrase. Default: `vault.key` in the folder of the user's settings
        /// file.
        key_file: Option<PathBuf> = Path, "", Restart;
        /// Command whose first line of output is the passphrase of the vault, such as
        /// `secret-tool lookup service legwork`.
        passphrase_command: Option<String> = Text, "", Restart;
    }

    /// Uploads.
    pub struct UploadSettings as uploads {
        /// Folders from which files may be uploaded. Default: the current folder.
        roots: Vec<PathBuf> = Paths, "";
    }

    /// Observations of pages for a model.
    pub struct ObservationSettings as observation {
        /// Maximum number of tokens of a page shown to a model.
        max_tokens: usize = Count { min: 200, max: 200_000 }, "8000", ProjectFile;
    }

    /// Investigations of a page before an action.
    pub struct Investigation as investigation {
        /// When a page is investigated before an action. `auto`: when the model is uncertain or its target is missing.
        /// `always`: also before the first action of each step.
        mode: InvestigationMode = OneOf(InvestigationMode::WORDS), "auto", ProjectFile;
        /// Decisions with a lower confidence are investigated.
        min_confidence: f64 = Share, "0.4", ProjectFile;
        /// An investigation ends at this confidence, once exactly one element matches.
        target_confidence: f64 = Share, "0.7", ProjectFile;
        /// Maximum number of rounds in an investigation.
        max_rounds: u32 = Count { min: 0, max: 20 }, "3", ProjectFile;
        /// Time limit of an investigation. What was found by then is used.
        timeout: Duration = Time, "60s", ProjectFile;
        /// Tools for investigations, in the order in which they are tried. `look` needs a model with vision.
        tools: Vec<Tool> = Choices(Tool::WORDS), "find,subdom,read,look,dom", ProjectFile;
    }

    /// Extraction of data.
    pub struct ExtractSettings as extract {
        /// Maximum number of tokens of page text per extraction request. Longer pages are split.
        chunk_tokens: usize = Count { min: 200, max: 200_000 }, "4000", ProjectFile;
        /// Maximum number of pages of a list that one extraction reads.
        max_pages: u32 = Count { min: 1, max: 1000 }, "50", ProjectFile;
    }

    /// Screenshots.
    pub struct Screenshots as screenshots {
        /// Take a screenshot after each action that may change the page.
        enabled: bool = Flag, "true", ProjectFile;
        /// Image format of screenshots.
        format: PictureFormat = OneOf(PictureFormat::WORDS), "jpeg", ProjectFile;
        /// Image quality for jpeg and webp.
        quality: u8 = Count { min: 1, max: 100 }, "70", ProjectFile;
        /// Maximum width in pixels. Larger screenshots are scaled down.
        max_width: u32 = Count { min: 64, max: 8192 }, "1280", ProjectFile;
    }

    /// The HTTP server.
    pub struct ServerSettings as server {
        /// Address on which the server listens. An address other machines can reach requires `server.tls_cert` or
        /// `server.behind_proxy`.
        host: String = Text, "127.0.0.1", Restart;
        /// Port of the server. 0 selects a free port.
        port: u16 = Count { min: 0, max: 65535 }, "7717", Restart;
        /// Public origin of the TLS proxy in front of the server: `https://legwork.example.org`.
        behind_proxy: Option<Url> = Address, "", Restart;
        /// Certificate chain of the server, as PEM. Enables TLS; requires `server.tls_key`.
        tls_cert: Option<PathBuf> = Path, "", Restart;
        /// Private key for `server.tls_cert`, as PEM.
        tls_key: Option<PathBuf> = Path, "", Restart;
        /// Maximum number of runs at the same time. Further runs are queued.
        max_concurrent_runs: usize = Count { min: 1, max: 256 }, "4", Restart;
        /// Maximum number of queued runs. Further runs are refused.
        max_queued_runs: usize = Count { min: 0, max: 100_000 }, "100", Restart;
        /// How long a run keeps its browser while it waits for an answer. After that it is parked, and an answer
        /// resumes it.
        answer_timeout: Duration = Time, "5m";
        /// Maximum number of requests per second, with bursts of up to four times as many.
        requests_per_second: u32 = Count { min: 1, max: 1_000_000 }, "100", Restart;
        /// Maximum number of requests per second of each token that was created, with bursts of up to four times as
        /// many.
        requests_per_second_per_token: u32 = Count { min: 1, max: 1_000_000 }, "50", Restart;
    }

    /// The mail server for alerts of schedules (docs/server.md). The password is in the variable
    /// `LEGWORK_SMTP_PASSWORD`, or in the vault as the secret `smtp_password` for the host of the mail server.
    pub struct SmtpSettings as smtp {
        /// Host of the mail server that sends alerts of schedules: `mail.example.org`. Empty: no e-mail.
        host: Option<String> = Text, "";
        /// Port of the mail server: 587 for `starttls`, 465 for `tls`, 25 for `none`.
        port: u16 = Count { min: 1, max: 65535 }, "587";
        /// Encryption of the connection to the mail server. `starttls`: the connection changes to TLS before anything
        /// is sent. `tls`: TLS from the beginning. `none`: no encryption; a password is then sent only to a server on
        /// this machine.
        security: MailSecurity = OneOf(MailSecurity::WORDS), "starttls";
        /// User name at the mail server. Empty: no login.
        username: Option<String> = Text, "";
        /// Address from which alerts are sent: `legwork@example.org` or `Legwork <legwork@example.org>`.
        from: Option<String> = Mailbox, "";
    }

    /// The background process of the terminal verbs.
    pub struct TerminalSettings as terminal {
        /// How long the background process of the terminal verbs keeps its sessions without a request.
        idle_timeout: Duration = Time, "15m";
    }

    /// Deletion of old runs.
    pub struct RetentionSettings as retention {
        /// Age in days after which ended runs are deleted. 0 keeps them.
        days: u32 = Count { min: 0, max: 36_500 }, "0";
    }

    /// Logs.
    pub struct Log as log {
        /// Log level: `error`, `warn`, `info`, `debug`, `trace`, or per module as in `legwork_browser=debug`.
        level: String = Text, "error", ProjectFile Restart;
        /// Format of log lines.
        format: LogFormat = OneOf(LogFormat::WORDS), "text", ProjectFile Restart;
    }
}

/// The setting with a name.
pub fn find(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}
