//! The one table of settings: parsing, checking, `config` and `docs/settings.md` all read it.

use super::value::Kind;

/// One setting.
#[derive(Debug)]
pub struct Setting {
    /// Dotted, as in the files and for `config set`.
    pub name: &'static str,
    /// The environment variable; empty when there is none.
    pub env: &'static str,
    /// What it may be.
    pub kind: Kind,
    /// As it would be written in the environment; empty for none.
    pub default: &'static str,
    /// Whether a project's file may set it: it can then neither run a program, nor send data or keys elsewhere, nor spend.
    pub project_safe: bool,
    /// What it does.
    pub doc: &'static str,
}

const SAFE: bool = true;
const OWN: bool = false;

const fn setting(
    name: &'static str,
    env: &'static str,
    kind: Kind,
    default: &'static str,
    project_safe: bool,
    doc: &'static str,
) -> Setting {
    Setting { name, env, kind, default, project_safe, doc }
}

/// Every setting, in the order of the reference.
pub const SETTINGS: &[Setting] = &[
    setting(
        "decider",
        "LEGWORK_DECIDER",
        Kind::Choice(&["auto", "literal", "model"]),
        "auto",
        SAFE,
        "Who decides: `literal` reads steps that say exactly what to do, `model` asks the model for each, `auto` tries the words first.",
    ),
    setting(
        "allowed_domains",
        "LEGWORK_ALLOWED_DOMAINS",
        Kind::Domains,
        "",
        OWN,
        "Where runs may go: `example.org`, `*.example.org` (it and all below), `localhost:8080`, `https://example.org`. None: anywhere.",
    ),
    setting(
        "data_dir",
        "LEGWORK_DATA_DIR",
        Kind::Path,
        "",
        OWN,
        "Where runs and their artifacts are kept; without it `$XDG_DATA_HOME/legwork`, else `~/.local/share/legwork`.",
    ),
    setting(
        "browser.path",
        "LEGWORK_BROWSER_PATH",
        Kind::Path,
        "",
        OWN,
        "The browser to start; without it the first Chromium or Chrome that is found.",
    ),
    setting("browser.headed", "LEGWORK_BROWSER_HEADED", Kind::Flag, "false", SAFE, "Show the browser's window."),
    setting(
        "browser.sandbox",
        "LEGWORK_BROWSER_SANDBOX",
        Kind::Choice(&["auto", "on", "off"]),
        "auto",
        OWN,
        "The browser's sandbox; `auto` gives it up only where it cannot work (as root), and says so.",
    ),
    setting(
        "browser.viewport",
        "LEGWORK_BROWSER_VIEWPORT",
        Kind::Size,
        "1280x800",
        SAFE,
        "Width and height of the page, in CSS pixels.",
    ),
    setting(
        "browser.cdp",
        "LEGWORK_BROWSER_CDP",
        Kind::Text,
        "",
        OWN,
        "Join a browser that is running, at its DevTools address (`ws://…` or `http://127.0.0.1:9222`), instead of starting one.",
    ),
    setting(
        "browser.profile",
        "LEGWORK_BROWSER_PROFILE",
        Kind::Path,
        "",
        OWN,
        "A profile folder to use and keep; without it a fresh one that is removed afterwards.",
    ),
    setting("browser.args", "LEGWORK_BROWSER_ARGS", Kind::List, "", OWN, "More arguments for the browser."),
    setting(
        "model.name",
        "LEGWORK_MODEL",
        Kind::Model,
        "",
        OWN,
        "The model, as `provider/name`: `openai/gpt-5`, `anthropic/claude-sonnet-4-5`, `ollama/qwen3`. Without it only literal steps run.",
    ),
    setting(
        "model.base_url",
        "LEGWORK_MODEL_BASE_URL",
        Kind::Url,
        "",
        OWN,
        "Where the model listens, for OpenAI-compatible servers; without it the provider's own address.",
    ),
    setting(
        "model.vision",
        "LEGWORK_MODEL_VISION",
        Kind::Choice(&["auto", "on", "off"]),
        "auto",
        OWN,
        "Whether the model takes pictures; `auto` knows it of the usual ones by name.",
    ),
    setting(
        "prices",
        "",
        Kind::Prices,
        "",
        OWN,
        "US dollars for a million tokens by model, as `[prices.\"provider/name\"]` with `input`, `output` and `cached`; over the built-in table.",
    ),
    setting("timeouts.workflow", "LEGWORK_TIMEOUT", Kind::Time, "30m", SAFE, "The longest a run may take."),
    setting("timeouts.step", "LEGWORK_TIMEOUTS_STEP", Kind::Time, "5m", SAFE, "The longest a step may take."),
    setting(
        "timeouts.request",
        "LEGWORK_TIMEOUTS_REQUEST",
        Kind::Time,
        "30s",
        SAFE,
        "The longest a page load or a model's answer may take.",
    ),
    setting(
        "timeouts.connection",
        "LEGWORK_TIMEOUTS_CONNECTION",
        Kind::Time,
        "10s",
        SAFE,
        "The longest a connection may take.",
    ),
    setting(
        "timeouts.element",
        "LEGWORK_TIMEOUTS_ELEMENT",
        Kind::Time,
        "5s",
        SAFE,
        "How long an element or a check is waited for.",
    ),
    setting(
        "retries.times",
        "LEGWORK_RETRIES_TIMES",
        Kind::Count { min: 0, max: 20 },
        "3",
        SAFE,
        "How often a model is asked again after 429, 5xx or a broken connection.",
    ),
    setting(
        "retries.first_delay",
        "LEGWORK_RETRIES_FIRST_DELAY",
        Kind::Time,
        "1s",
        SAFE,
        "The wait before the first retry; each one after is twice as long, with jitter.",
    ),
    setting(
        "limits.max_steps",
        "LEGWORK_MAX_STEPS",
        Kind::Count { min: 1, max: u64::MAX },
        "",
        OWN,
        "Actions of a run at most.",
    ),
    setting(
        "limits.max_tokens",
        "LEGWORK_MAX_TOKENS",
        Kind::Count { min: 1, max: u64::MAX },
        "",
        OWN,
        "Model tokens of a run at most.",
    ),
    setting("limits.max_cost", "LEGWORK_MAX_COST", Kind::Money, "", OWN, "US dollars of a run at most."),
    setting(
        "limits.step_iterations",
        "LEGWORK_LIMITS_STEP_ITERATIONS",
        Kind::Count { min: 1, max: 1000 },
        "10",
        SAFE,
        "Turns of a step at most.",
    ),
    setting(
        "limits.task_iterations",
        "LEGWORK_LIMITS_TASK_ITERATIONS",
        Kind::Count { min: 1, max: 1000 },
        "50",
        OWN,
        "Turns of a lone task at most.",
    ),
    setting(
        "limits.consecutive_errors",
        "LEGWORK_LIMITS_CONSECUTIVE_ERRORS",
        Kind::Count { min: 1, max: 1000 },
        "5",
        SAFE,
        "Failures in a row at most.",
    ),
    setting(
        "limits.total_errors",
        "LEGWORK_LIMITS_TOTAL_ERRORS",
        Kind::Count { min: 1, max: 1000 },
        "15",
        SAFE,
        "Failures of a step or task at most.",
    ),
    setting(
        "downloads.dir",
        "LEGWORK_DOWNLOADS_DIR",
        Kind::Path,
        "",
        OWN,
        "Where downloads go; without it a folder of the run under `data_dir`.",
    ),
    setting(
        "downloads.max_size",
        "LEGWORK_DOWNLOADS_MAX_SIZE",
        Kind::Bytes,
        "100MB",
        OWN,
        "The largest file that is downloaded.",
    ),
    setting(
        "uploads.roots",
        "LEGWORK_UPLOADS_ROOTS",
        Kind::Paths,
        "",
        OWN,
        "Folders whose files may be uploaded; without it only the folder that Legwork is started in.",
    ),
    setting(
        "observation.max_tokens",
        "LEGWORK_OBSERVATION_MAX_TOKENS",
        Kind::Count { min: 200, max: 200_000 },
        "8000",
        SAFE,
        "The most tokens of a page that a model is shown.",
    ),
    setting(
        "investigation.mode",
        "LEGWORK_INVESTIGATION",
        Kind::Choice(&["auto", "always", "never"]),
        "auto",
        SAFE,
        "When a page is investigated before anything is done: `auto` when the model doubts or its target is not there, `always` before the first action of each step too.",
    ),
    setting(
        "investigation.below",
        "LEGWORK_INVESTIGATION_BELOW",
        Kind::Share,
        "0.4",
        SAFE,
        "A decision of less confidence is looked into.",
    ),
    setting(
        "investigation.enough",
        "LEGWORK_INVESTIGATION_ENOUGH",
        Kind::Share,
        "0.7",
        SAFE,
        "An investigation ends when it is this sure and code finds exactly one element.",
    ),
    setting(
        "investigation.rounds",
        "LEGWORK_INVESTIGATION_ROUNDS",
        Kind::Count { min: 0, max: 20 },
        "3",
        SAFE,
        "Rounds of tools of an investigation at most.",
    ),
    setting(
        "investigation.time",
        "LEGWORK_INVESTIGATION_TIME",
        Kind::Time,
        "60s",
        SAFE,
        "The longest an investigation may take; what was found until then is used.",
    ),
    setting(
        "investigation.tools",
        "LEGWORK_INVESTIGATION_TOOLS",
        Kind::Choices(&["find", "subdom", "read", "look", "dom"]),
        "find,subdom,read,look,dom",
        SAFE,
        "The tools of an investigation, in the order in which they are tried when one fails; `look` needs a model that sees.",
    ),
    setting(
        "extract.part_tokens",
        "LEGWORK_EXTRACT_PART_TOKENS",
        Kind::Count { min: 200, max: 200_000 },
        "4000",
        SAFE,
        "The most tokens of a page's text that one question of an extraction holds; longer pages are read part by part.",
    ),
    setting(
        "extract.pages",
        "LEGWORK_EXTRACT_PAGES",
        Kind::Count { min: 1, max: 1000 },
        "50",
        SAFE,
        "The most pages of a list that one extraction reads.",
    ),
    setting(
        "screenshots.enabled",
        "LEGWORK_SCREENSHOTS",
        Kind::Flag,
        "true",
        SAFE,
        "Take a picture after each action that may change the page.",
    ),
    setting(
        "screenshots.format",
        "LEGWORK_SCREENSHOTS_FORMAT",
        Kind::Choice(&["jpeg", "webp", "png"]),
        "jpeg",
        SAFE,
        "The pictures' format.",
    ),
    setting(
        "screenshots.quality",
        "LEGWORK_SCREENSHOTS_QUALITY",
        Kind::Count { min: 1, max: 100 },
        "70",
        SAFE,
        "The pictures' quality, for jpeg and webp.",
    ),
    setting(
        "screenshots.max_width",
        "LEGWORK_SCREENSHOTS_MAX_WIDTH",
        Kind::Count { min: 64, max: 8192 },
        "1280",
        SAFE,
        "Wider pictures are scaled down to this many pixels.",
    ),
    setting(
        "log.level",
        "LEGWORK_LOG",
        Kind::Text,
        "warn",
        SAFE,
        "What is logged: `error`, `warn`, `info`, `debug`, `trace`, or by module as `legwork_browser=debug`.",
    ),
    setting(
        "log.format",
        "LEGWORK_LOG_FORMAT",
        Kind::Choice(&["text", "json"]),
        "text",
        SAFE,
        "The shape of log lines.",
    ),
];

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

/// The beginning of the variables that hold secrets.
pub(super) const SECRET_PREFIX: &str = "LEGWORK_SECRET_";
