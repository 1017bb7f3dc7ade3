//! The one table of settings: parsing, checking, `config` and `docs/settings.md` all read it.

use super::value::Kind;

/// One setting.
#[derive(Debug)]
pub struct Setting {
    /// Dotted, as in the files and for `config set`.
    pub name: &'static str,
    /// What it may be.
    pub kind: Kind,
    /// As it would be written in the environment; empty for none.
    pub default: &'static str,
    /// Whether a project's file may set it: it can then neither run a program, nor send data or keys elsewhere, nor spend.
    pub project_safe: bool,
    /// What it does.
    pub doc: &'static str,
}

impl Setting {
    /// The environment variable: `LEGWORK_BROWSER_HEADED` for `browser.headed`. A table has none.
    pub fn variable(&self) -> Option<String> {
        (self.kind != Kind::Prices).then(|| format!("LEGWORK_{}", self.name.replace('.', "_").to_uppercase()))
    }
}

const SAFE: bool = true;
const OWN: bool = false;

const fn setting(
    name: &'static str,
    kind: Kind,
    default: &'static str,
    project_safe: bool,
    doc: &'static str,
) -> Setting {
    Setting { name, kind, default, project_safe, doc }
}

/// Every setting, in the order of the reference.
pub const SETTINGS: &[Setting] = &[
    setting(
        "decider",
        Kind::Choice(&["auto", "literal", "model"]),
        "auto",
        SAFE,
        "Who decides what to do. `literal`: only the words of the step, without a model. `model`: the model, for every step. `auto`: the words first, and the model where they do not say exactly what to do.",
    ),
    setting(
        "planning",
        Kind::Choice(&["auto", "always", "never"]),
        "auto",
        OWN,
        "Whether the model makes a plan first and its answer is checked against the plan's criteria. `auto`: for single tasks (`run \"…\"`) of more than 20 words that are not a list of instructions (`click …; type …; press …`). `always`: for every task and step. An expectation in free words is checked in every single task.",
    ),
    setting(
        "reflection.mode",
        Kind::Choice(&["auto", "always", "never"]),
        "auto",
        OWN,
        "Whether the model reconsiders an uncertain change before it is made, and its approach after two failures in a row. `auto`: in single tasks. `always`: in workflow steps too.",
    ),
    setting(
        "reflection.min_confidence",
        Kind::Share,
        "0.5",
        OWN,
        "Decisions with a lower confidence count as uncertain.",
    ),
    setting(
        "allowed_domains",
        Kind::Domains,
        "",
        OWN,
        "Sites that runs may load: `example.org`, `*.example.org` (the domain and its subdomains), `localhost:8080`, `https://example.org`. Empty: every site.",
    ),
    setting(
        "data_dir",
        Kind::Path,
        "",
        OWN,
        "Folder for runs and their artifacts. Default: `$XDG_DATA_HOME/legwork`, or `~/.local/share/legwork`.",
    ),
    setting("browser.path", Kind::Path, "", OWN, "Browser executable. Default: the first Chromium or Chrome found."),
    setting("browser.headed", Kind::Flag, "false", SAFE, "Show the browser window."),
    setting(
        "browser.sandbox",
        Kind::Choice(&["auto", "on", "off"]),
        "auto",
        OWN,
        "The browser's sandbox. `auto` disables it only where it cannot work (as root), and reports that.",
    ),
    setting("browser.viewport", Kind::Size, "1280x800", SAFE, "Width and height of the page in CSS pixels."),
    setting(
        "browser.cdp",
        Kind::Text,
        "",
        OWN,
        "Connect to a running browser at its DevTools address (`ws://…` or `http://127.0.0.1:9222`) instead of starting one.",
    ),
    setting(
        "browser.profile",
        Kind::Path,
        "",
        OWN,
        "Profile folder to use and keep. Default: a temporary profile for each run.",
    ),
    setting("browser.args", Kind::List, "", OWN, "Additional browser arguments."),
    setting(
        "model.name",
        Kind::Model,
        "",
        OWN,
        "The model, as `provider/name`: `openai/gpt-5`, `anthropic/claude-sonnet-4-5`, `ollama/qwen3`. Without a model, only literal steps can run.",
    ),
    setting(
        "model.base_url",
        Kind::Url,
        "",
        OWN,
        "Endpoint of an OpenAI-compatible server. Default: the provider's own endpoint.",
    ),
    setting(
        "model.reply_format",
        Kind::Choice(&["compact", "full"]),
        "compact",
        SAFE,
        "Format of the model's replies. `compact`: one command per line; a JSON Schema is added after a reply that does not fit. `full`: the whole decision as JSON, with its schema in every request, at ten times the tokens.",
    ),
    setting(
        "models.plan",
        Kind::Models,
        "",
        OWN,
        "Models for planning, in order of preference; each is tried when the one before it fails. Default: `model.name`.",
    ),
    setting(
        "models.act",
        Kind::Models,
        "",
        OWN,
        "Models for choosing actions, investigation and reflection, in order of preference. Default: `model.name`.",
    ),
    setting(
        "models.validate",
        Kind::Models,
        "",
        OWN,
        "Models for checking answers, in order of preference. Default: `model.name`.",
    ),
    setting(
        "models.extract",
        Kind::Models,
        "",
        OWN,
        "Models for extracting data from pages, in order of preference. Default: `model.name`.",
    ),
    setting(
        "models.look",
        Kind::Models,
        "",
        OWN,
        "Models for describing images of pages, in order of preference. Default: `model.name`.",
    ),
    setting(
        "models.act_cheap",
        Kind::Models,
        "",
        OWN,
        "Cheaper models that choose actions first. The models for actions are used when these are uncertain, give up or fail.",
    ),
    setting(
        "models.escalate_below",
        Kind::Share,
        "0.7",
        OWN,
        "A decision of a cheaper model with a lower confidence than this is not used.",
    ),
    setting(
        "memory.enabled",
        Kind::Flag,
        "true",
        SAFE,
        "Learn from runs what works on a site, and show it to the model where it is relevant (`legwork memory`).",
    ),
    setting(
        "memory.max_lessons_per_site",
        Kind::Count { min: 1, max: 10_000 },
        "200",
        OWN,
        "Maximum number of lessons per site. The least trusted are removed first.",
    ),
    setting(
        "memory.max_tokens",
        Kind::Count { min: 0, max: 2_000 },
        "150",
        SAFE,
        "Maximum number of tokens in a prompt for what was learned from earlier steps and other runs.",
    ),
    setting(
        "context.max_tokens",
        Kind::Count { min: 2_000, max: 1_000_000 },
        "16000",
        OWN,
        "Maximum number of tokens in a prompt, however large the page and however long the task.",
    ),
    setting(
        "context.compaction",
        Kind::Choice(&["rule", "model"]),
        "rule",
        OWN,
        "How a history is shortened when it outgrows its share of the prompt: by a fixed `rule` or by the `model`.",
    ),
    setting(
        "context.detail",
        Kind::Choice(&["minimal", "standard", "detailed"]),
        "standard",
        SAFE,
        "What the rule keeps. `minimal`: what was done, and on which page. `standard`: the elements too. `detailed`: the results too.",
    ),
    setting(
        "model.vision",
        Kind::Choice(&["auto", "on", "off"]),
        "auto",
        OWN,
        "Whether the model accepts images. `auto` recognizes common models by name.",
    ),
    setting(
        "prices",
        Kind::Prices,
        "",
        OWN,
        "US dollars per million tokens for each model, as `[prices.\"provider/name\"]` with `input`, `output` and `cached`. Overrides the built-in table.",
    ),
    setting(
        "run.require",
        Kind::Choice(&["success", "validated"]),
        "success",
        SAFE,
        "Required result of a run. With `validated`, a success without supporting evidence is a failure (exit code 1).",
    ),
    setting("timeouts.workflow", Kind::Time, "30m", SAFE, "Time limit of a run."),
    setting("timeouts.step", Kind::Time, "5m", SAFE, "Time limit of a step."),
    setting("timeouts.request", Kind::Time, "30s", SAFE, "Time limit of a page load."),
    setting("timeouts.model", Kind::Time, "60s", SAFE, "Time limit of one request to a model."),
    setting(
        "timeouts.script",
        Kind::Time,
        "8s",
        SAFE,
        "Time limit of a script that Legwork runs in a page. A page that takes longer counts as unresponsive.",
    ),
    setting("timeouts.browser_start", Kind::Time, "60s", SAFE, "Time limit for starting the browser."),
    setting("timeouts.connection", Kind::Time, "10s", SAFE, "Time limit for establishing a connection."),
    setting("timeouts.element", Kind::Time, "5s", SAFE, "How long to wait for an element, or for a check to hold."),
    setting(
        "timeouts.flush",
        Kind::Time,
        "5s",
        SAFE,
        "How long to wait for a page's unfinished saves and syncs before it is closed. What is still pending then is reported.",
    ),
    setting(
        "retries.max_retries",
        Kind::Count { min: 0, max: 20 },
        "3",
        SAFE,
        "Maximum number of retries of a request to a model after status 429, 5xx or a broken connection.",
    ),
    setting(
        "retries.first_delay",
        Kind::Time,
        "1s",
        SAFE,
        "Delay before the first retry. It doubles with each retry, with jitter.",
    ),
    setting(
        "limits.max_actions",
        Kind::Count { min: 1, max: u64::MAX },
        "",
        OWN,
        "Maximum number of actions in a run.",
    ),
    setting(
        "limits.max_tokens",
        Kind::Count { min: 1, max: u64::MAX },
        "",
        OWN,
        "Maximum number of model tokens in a run.",
    ),
    setting("limits.max_cost", Kind::Money, "", OWN, "Maximum cost of a run in US dollars."),
    setting(
        "limits.max_turns_per_step",
        Kind::Count { min: 1, max: 1000 },
        "10",
        SAFE,
        "Maximum number of turns in a step.",
    ),
    setting(
        "limits.max_turns_per_task",
        Kind::Count { min: 1, max: 1000 },
        "50",
        OWN,
        "Maximum number of turns in a single task.",
    ),
    setting(
        "limits.max_consecutive_errors",
        Kind::Count { min: 1, max: 1000 },
        "5",
        SAFE,
        "Maximum number of failures in a row.",
    ),
    setting(
        "limits.max_total_errors",
        Kind::Count { min: 1, max: 1000 },
        "15",
        SAFE,
        "Maximum number of failures in a step or task.",
    ),
    setting(
        "downloads.dir",
        Kind::Path,
        "",
        OWN,
        "Folder for downloads. Default: a folder of the run under `data_dir`.",
    ),
    setting("downloads.max_size", Kind::Bytes, "100MB", OWN, "Maximum size of a download."),
    setting(
        "tools.approval",
        Kind::Choice(&["never", "mutating", "always"]),
        "mutating",
        OWN,
        "When to ask before the model calls one of your tools. `mutating`: for tools that may change something.",
    ),
    setting(
        "tools.file",
        Kind::Path,
        "",
        OWN,
        "JSON file with `mcpServers`, in the format other clients use, whose tools the model may call.",
    ),
    setting(
        "uploads.roots",
        Kind::Paths,
        "",
        OWN,
        "Folders from which files may be uploaded. Default: the current folder.",
    ),
    setting(
        "observation.max_tokens",
        Kind::Count { min: 200, max: 200_000 },
        "8000",
        SAFE,
        "Maximum number of tokens of a page shown to a model.",
    ),
    setting(
        "investigation.mode",
        Kind::Choice(&["auto", "always", "never"]),
        "auto",
        SAFE,
        "When a page is investigated before an action. `auto`: when the model is uncertain or its target is missing. `always`: also before the first action of each step.",
    ),
    setting(
        "investigation.min_confidence",
        Kind::Share,
        "0.4",
        SAFE,
        "Decisions with a lower confidence are investigated.",
    ),
    setting(
        "investigation.target_confidence",
        Kind::Share,
        "0.7",
        SAFE,
        "An investigation ends at this confidence, once exactly one element matches.",
    ),
    setting(
        "investigation.max_rounds",
        Kind::Count { min: 0, max: 20 },
        "3",
        SAFE,
        "Maximum number of rounds in an investigation.",
    ),
    setting(
        "investigation.timeout",
        Kind::Time,
        "60s",
        SAFE,
        "Time limit of an investigation. What was found by then is used.",
    ),
    setting(
        "investigation.tools",
        Kind::Choices(&["find", "subdom", "read", "look", "dom"]),
        "find,subdom,read,look,dom",
        SAFE,
        "Tools for investigations, in the order in which they are tried. `look` needs a model with vision.",
    ),
    setting(
        "extract.chunk_tokens",
        Kind::Count { min: 200, max: 200_000 },
        "4000",
        SAFE,
        "Maximum number of tokens of page text per extraction request. Longer pages are split.",
    ),
    setting(
        "extract.max_pages",
        Kind::Count { min: 1, max: 1000 },
        "50",
        SAFE,
        "Maximum number of pages of a list that one extraction reads.",
    ),
    setting(
        "screenshots.enabled",
        Kind::Flag,
        "true",
        SAFE,
        "Take a screenshot after each action that may change the page.",
    ),
    setting("screenshots.format", Kind::Choice(&["jpeg", "webp", "png"]), "jpeg", SAFE, "Image format of screenshots."),
    setting("screenshots.quality", Kind::Count { min: 1, max: 100 }, "70", SAFE, "Image quality for jpeg and webp."),
    setting(
        "screenshots.max_width",
        Kind::Count { min: 64, max: 8192 },
        "1280",
        SAFE,
        "Maximum width in pixels. Larger screenshots are scaled down.",
    ),
    setting(
        "server.host",
        Kind::Text,
        "127.0.0.1",
        OWN,
        "Address on which `legwork serve` listens. An address other machines can reach requires `server.tls_cert` or `server.behind_proxy`.",
    ),
    setting(
        "server.port",
        Kind::Count { min: 0, max: 65535 },
        "7717",
        OWN,
        "Port of `legwork serve`. 0 selects a free port.",
    ),
    setting(
        "server.behind_proxy",
        Kind::Url,
        "",
        OWN,
        "Public origin of the TLS proxy in front of the server: `https://legwork.example.org`.",
    ),
    setting(
        "server.tls_cert",
        Kind::Path,
        "",
        OWN,
        "Certificate chain of the server, as PEM. Enables TLS; requires `server.tls_key`.",
    ),
    setting("server.tls_key", Kind::Path, "", OWN, "Private key for `server.tls_cert`, as PEM."),
    setting(
        "server.max_concurrent",
        Kind::Count { min: 1, max: 256 },
        "4",
        OWN,
        "Maximum number of runs at the same time. Further runs are queued.",
    ),
    setting(
        "server.max_queue",
        Kind::Count { min: 0, max: 100_000 },
        "100",
        OWN,
        "Maximum number of queued runs. Further runs are refused.",
    ),
    setting(
        "server.answer_timeout",
        Kind::Time,
        "5m",
        OWN,
        "How long a run keeps its browser while it waits for an answer. After that it is parked, and an answer resumes it.",
    ),
    setting(
        "server.requests_per_second",
        Kind::Count { min: 1, max: 1_000_000 },
        "100",
        OWN,
        "Maximum number of requests per second, with bursts of up to four times as many.",
    ),
    setting(
        "terminal.idle_timeout",
        Kind::Time,
        "15m",
        OWN,
        "How long the background process of the terminal verbs (`legwork open`, `click`, …) keeps its sessions without a request.",
    ),
    setting(
        "retention.days",
        Kind::Count { min: 0, max: 36_500 },
        "0",
        OWN,
        "Age in days after which the server and `legwork runs prune` delete ended runs. 0 keeps them.",
    ),
    setting(
        "log.level",
        Kind::Text,
        "warn",
        SAFE,
        "Log level: `error`, `warn`, `info`, `debug`, `trace`, or per module as in `legwork_browser=debug`.",
    ),
    setting("log.format", Kind::Choice(&["text", "json"]), "text", SAFE, "Format of log lines."),
];

/// Short variables for what is set most, and the settings they stand for. The long ones win.
pub(super) const SHORT_VARIABLES: &[(&str, &str)] =
    &[("LEGWORK_LOG", "log.level"), ("LEGWORK_MODEL", "model.name"), ("LEGWORK_TIMEOUT", "timeouts.workflow")];

/// The setting of a name.
pub fn find(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

/// Variables that are ours or that we read, and yet no settings.
pub(super) const OTHER_VARIABLES: &[(&str, &str, &str)] = &[
    ("openai", "OPENAI_API_KEY", "The key for models of `openai/…` and of OpenAI-compatible servers."),
    ("anthropic", "ANTHROPIC_API_KEY", "The key for models of `anthropic/…`."),
    ("gemini", "GEMINI_API_KEY", "The key for models of `gemini/…`."),
    ("openrouter", "OPENROUTER_API_KEY", "The key for models of `openrouter/…`."),
    ("ollama", "OLLAMA_HOST", "Where Ollama listens, for models of `ollama/…`; no key."),
];

/// Variables that are read before there are settings, and what each is for.
pub(super) const EARLY_VARIABLES: &[(&str, &str)] = &[
    ("LEGWORK_SESSION", "The session of the terminal's verbs that name none with `--session`."),
    ("LEGWORK_MCP_TOKEN", "What clients of `legwork mcp --http` have to send."),
];

/// The beginning of the variables that hold secrets.
pub(super) const SECRET_PREFIX: &str = "LEGWORK_SECRET_";
