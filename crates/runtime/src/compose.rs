//! Converts settings to the options of the parts: the options of the browser and the session, the model, and the
//! agent's rules. Plain functions, which the composition root calls.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use legwork_agent::{
    AdvisoryRules, Assumption, Compaction, ExtractRules, InvestigationRules, Limits, MemoryRules, ModelRules, Rules,
    TokenPrice,
    schema::{Form, Mode, SchemaOptions},
};
use legwork_browser::{
    Engine, LaunchOptions, PrivateFolder, ScreenshotOptions, SessionOptions, StorageState, Timeouts,
};
use legwork_model::{ChatModel, ModelPurpose, ModelRouter, ModelSettings, Provider};
use legwork_protocol::{RunId, View, Workflow};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

use crate::{
    Error,
    action_policy::PolicyFile,
    browsers::BrowserSource,
    error::SavedOptionsError,
    guard::RunGuard,
    secrets::{SecretSpec, UserVault, handles_in},
    settings::{self, ModelsSetting, ReplyFormat, Settings, Switch},
    tools::Tools,
};

/// Maximum number of tokens in a result of `find`.
pub(crate) const FIND_TOKENS: usize = 1_500;

/// How the runtime obtains its browser.
pub(crate) fn browser(settings: &Settings) -> BrowserSource {
    if let Some(url) = &settings.browser.cdp {
        return BrowserSource::Connect(settings.browser.engine, url.clone());
    }
    let mut arguments = settings.browser.args.clone();
    // Other browsers have no such argument.
    if settings.browser.sandbox == Switch::Off && settings.browser.engine == Engine::Chromium {
        arguments.push("--no-sandbox".into());
    }
    BrowserSource::Launch(LaunchOptions {
        engine: settings.browser.engine,
        executable: settings.browser.path.clone(),
        headed: settings.browser.headed,
        profile: settings.browser.profile.clone(),
        extra_args: arguments,
        temporary: None,
        start_within: settings.timeouts.browser_start,
        restricted: settings.policy().restricts(),
        proxy: settings.proxy(),
    })
}

/// The options of a run's browser session.
pub(crate) fn session(
    settings: &Settings,
    guard: Arc<RunGuard>,
    run: RunId,
    uploads: Vec<PathBuf>,
    storage_state: Option<StorageState>,
) -> SessionOptions {
    let downloads =
        settings.downloads.dir.clone().unwrap_or_else(|| settings.data_dir.join("downloads").join(run.to_string()));
    let mut options = SessionOptions::new(downloads);
    options.guard = guard;
    options.uploads = [uploads, settings.uploads.roots.clone()].concat();
    options.private = private_folders(settings);
    options.max_download_bytes = settings.downloads.max_size;
    options.storage_state = storage_state;
    options.proxy = settings.proxy();
    options.viewport = settings.browser.viewport;
    options.timeouts = Timeouts {
        action: settings.timeouts.element,
        navigation: settings.timeouts.request,
        wait: settings.timeouts.request,
        script: settings.timeouts.script,
        flush: settings.timeouts.flush,
        answer: (settings.timeouts.element * 2).max(LEAST_ANSWER),
        ..Timeouts::default()
    };
    options
}

/// What no run and no client may upload, whichever folders are allowed: the vault and its key, saved states, records
/// and tokens. Downloads and the demo's file may be uploaded if their folder is named.
fn private_folders(settings: &Settings) -> Vec<PrivateFolder> {
    let data = &settings.data_dir;
    let exceptions = ["downloads", "demo"].map(|folder| data.join(folder)).to_vec();
    let own = PrivateFolder { path: data.clone(), exceptions };
    let key = settings.vault.key_file.clone().map(|path| PrivateFolder { path, exceptions: Vec::new() });
    [own].into_iter().chain(key).collect()
}

/// The least time that the server has to answer a request for a change. `timeouts.element` is about the page; a short
/// one must not make the server's answer unseen.
const LEAST_ANSWER: Duration = Duration::from_secs(10);

/// The options of screenshots after actions; `None` if they are disabled.
pub(crate) fn screenshots(settings: &Settings) -> Option<ScreenshotOptions> {
    let pictures = &settings.screenshots;
    pictures.enabled.then_some(ScreenshotOptions {
        target: None,
        format: pictures.format,
        max_width: pictures.max_width,
        quality: pictures.quality,
        full_page: false,
        marks: Vec::new(),
    })
}

/// The prices of models: the configured ones, then the built-in table.
#[derive(Clone, Default)]
pub(crate) struct Prices(BTreeMap<String, settings::Price>);

impl Prices {
    pub(crate) fn new(settings: &Settings) -> Prices {
        Prices(settings.prices.clone())
    }

    /// US dollars per million tokens of `provider/name`; `None` if the price is unknown.
    pub(crate) fn of(&self, model: &str) -> Option<TokenPrice> {
        let own = self.0.get(model).map(|price| TokenPrice { input: price.input, output: price.output });
        own.or_else(|| {
            // Writing to a cache costs money before the cache saves any. The worst case includes that.
            legwork_model::Price::of(model)
                .map(|price| TokenPrice { input: price.input.max(price.cache_write), output: price.output })
        })
    }

    /// The highest price of these models.
    ///
    /// # Errors
    /// If the cost is limited and the price of one of them is unknown, because the limit could not be enforced.
    fn most_expensive<'a>(
        &self,
        settings: &Settings,
        models: impl Iterator<Item = &'a str>,
    ) -> Result<Option<TokenPrice>, Error> {
        let (mut most_expensive, mut unknown) = (TokenPrice::default(), Vec::new());
        for model in models {
            match self.of(model) {
                Some(price) => {
                    most_expensive.input = most_expensive.input.max(price.input);
                    most_expensive.output = most_expensive.output.max(price.output);
                }
                None if unknown.iter().any(|known| known == model) => {}
                None => unknown.push(model.to_owned()),
            }
        }
        match (unknown.is_empty(), settings.limits.max_cost) {
            (true, _) => Ok(Some(most_expensive)),
            (false, None) => Ok(None),
            (false, Some(cap)) => Err(Error::UnknownPrice { models: unknown, cap }),
        }
    }
}

/// The model of a run, if it has one.
#[derive(Clone, Default)]
pub(crate) struct ModelChoice {
    pub(crate) chat: Option<Arc<dyn ChatModel>>,
    pub(crate) rules: Option<ModelRules>,
}

/// Opens the configured models. No connection is made yet.
pub(crate) fn model(settings: &Settings, vault: &UserVault) -> Result<ModelChoice, Error> {
    let ModelsSetting { plan, act, validate, extract, look, act_cheap, escalate_below } = &settings.models;
    let default: Vec<String> = match &settings.model.name {
        Some(name) => vec![name.clone()],
        None => act.clone(),
    };
    let Some(main) = settings.main_model() else { return Ok(ModelChoice::default()) };
    let mut opened: BTreeMap<&str, Arc<dyn ChatModel>> = BTreeMap::new();
    let mut chain = |names: &[String]| -> Result<Vec<Arc<dyn ChatModel>>, Error> {
        let all: Vec<&String> =
            default.iter().chain([plan, act, validate, extract, look, act_cheap].into_iter().flatten()).collect();
        names
            .iter()
            .map(|name| {
                // One instance for all purposes of a model, because the instance owns its rate limits and what was
                // negotiated with the server.
                let key = all.iter().find(|known| **known == name).map_or("", |known| known.as_str());
                match opened.get(key) {
                    Some(model) => Ok(model.clone()),
                    None => open(settings, vault, name, main).inspect(|model| drop(opened.insert(key, model.clone()))),
                }
            })
            .collect()
    };
    let mut all = chain(&default)?.into_iter();
    let Some(first) = all.next() else { return Ok(ModelChoice::default()) };
    let mut roles = ModelRouter::new(first, all.collect());
    let own = [
        (ModelPurpose::Plan, plan),
        (ModelPurpose::Act, act),
        (ModelPurpose::Validate, validate),
        (ModelPurpose::Extract, extract),
        (ModelPurpose::Look, look),
    ];
    for (role, names) in own {
        roles = roles.with(role, chain(names)?);
    }
    roles = roles.with_cheap(chain(act_cheap)?);
    let (decides, _) = legwork_model::provider_of(act.first().map_or(main, String::as_str)).map_err(Error::Model)?;
    let full = settings.model.reply_format == ReplyFormat::Full;
    let form = if full { Form::Full } else { Form::Line };
    // A server that compiles the schema into a grammar does not send it to the model, so the schema costs no tokens
    // there.
    let native_schema = decides.native_schema && (full || decides.name == "ollama");
    // Images are sent to the model for `look`.
    let seeing = look.first().map_or(main, String::as_str);
    let vision = match settings.model.vision {
        Switch::Auto => legwork_model::accepts_images(seeing),
        Switch::On => true,
        Switch::Off => false,
    };
    let all = default.iter().chain([plan, act, validate, extract, look, act_cheap].into_iter().flatten());
    let price = Prices::new(settings).most_expensive(settings, all.map(String::as_str))?;
    let cheap_below = (!act_cheap.is_empty()).then_some(*escalate_below);
    Ok(ModelChoice {
        chat: Some(Arc::new(roles)),
        rules: Some(ModelRules {
            native_schema,
            vision,
            price,
            cheap_below,
            schema: SchemaOptions { vision, ..schema_options(settings, form) },
            ..ModelRules::default()
        }),
    })
}

/// The shape of the replies that the settings ask for.
fn schema_options(settings: &Settings, form: Form) -> SchemaOptions {
    let model = &settings.model;
    SchemaOptions {
        form,
        include_optional_fields: model.optional_fields,
        require_reasoning: model.require_reasoning,
        mode: if model.strict_replies { Mode::Strict } else { Mode::Lenient },
        max_commands: model.max_commands,
        ..SchemaOptions::default()
    }
}

/// As [`model`], with the available tools; or the caller's own model.
pub(crate) fn model_with(
    settings: &Settings,
    own: Option<Arc<dyn ChatModel>>,
    vault: &UserVault,
    tools: &Tools,
) -> Result<ModelChoice, Error> {
    let mut choice = match own {
        Some(chat) => ModelChoice {
            rules: Some(ModelRules {
                price: Prices::new(settings).most_expensive(settings, std::iter::once(chat.name()))?,
                schema: schema_options(settings, Form::Line),
                ..ModelRules::default()
            }),
            chat: Some(chat),
        },
        None => model(settings, vault)?,
    };
    if let Some(rules) = &mut choice.rules {
        rules.schema.tools = tools.offers();
    }
    Ok(choice)
}

/// Opens one model. The configured base URL applies to the provider of the main model and to no other.
fn open(settings: &Settings, vault: &UserVault, name: &str, main: &str) -> Result<Arc<dyn ChatModel>, Error> {
    let (info, _) = legwork_model::provider_of(name).map_err(Error::Model)?;
    let (mains, _) = legwork_model::provider_of(main).map_err(Error::Model)?;
    let mut wanted = ModelSettings::new(name);
    wanted.base_url = match (&settings.model.base_url, &settings.keys.ollama_host) {
        (Some(url), _) if info.name == mains.name => Some(url.clone()),
        (_, Some(host)) if info.name == "ollama" => Some(legwork_model::ollama_base_url(host).map_err(Error::Model)?),
        _ => None,
    };
    wanted.key = settings.keys.of_provider(name).cloned().or_else(|| {
        let endpoint = wanted.base_url.clone().or_else(|| Url::parse(info.default_base_url?).ok())?;
        vault.model_key(info.key_variable?, &endpoint)
    });
    wanted.timeouts.connect = settings.timeouts.connection;
    wanted.timeouts.request = settings.timeouts.model;
    wanted.retries.max_retries = settings.retries.max_retries;
    wanted.retries.first_delay = settings.retries.first_delay;
    wanted.rate = legwork_model::RateLimit {
        at_once: settings.model.max_concurrent_calls,
        per_minute: settings.model.max_calls_per_minute,
    };
    wanted.price = settings.prices.get(name).map(|price| legwork_model::Price {
        input: price.input,
        output: price.output,
        cached: price.cached.unwrap_or(price.input),
        cache_write: price.input,
    });
    Provider::open(wanted).map_err(Error::Model)
}

/// The limits and rules of the agent. `custom` is whether the program has its own decider.
pub(crate) fn rules(
    settings: &Settings,
    model: &ModelChoice,
    custom: bool,
    assume: Option<Assumption>,
    attended: bool,
) -> Rules {
    let limits = &settings.limits;
    Rules {
        decider: settings.decider,
        custom,
        model: model.rules.clone(),
        limits: Limits {
            run: settings.timeouts.workflow,
            step: settings.timeouts.step,
            element_wait: settings.timeouts.element,
            max_turns_per_step: limits.max_turns_per_step,
            max_step_retries: limits.max_step_retries,
            max_turns_per_task: limits.max_turns_per_task,
            max_consecutive_errors: limits.max_consecutive_errors,
            max_total_errors: limits.max_total_errors,
            max_iterations: limits.max_iterations,
            actions: limits.max_actions,
            tokens: limits.max_tokens,
            cost_usd: limits.max_cost,
            ..Limits::default()
        },
        require_validated: settings.requires_validated(),
        memory: MemoryRules { tokens: settings.memory.max_tokens, across_runs: settings.memory.enabled },
        context_tokens: settings.context.max_tokens,
        compaction: Compaction { by: settings.context.compaction, detail: settings.context.detail },
        view: View { max_tokens: settings.observation.max_tokens, ..View::default() },
        thinking: AdvisoryRules {
            planning: settings.planning,
            reflection: settings.reflection.mode,
            min_confidence: settings.reflection.min_confidence,
            attended,
            ..AdvisoryRules::default()
        },
        investigation: InvestigationRules {
            mode: settings.investigation.mode,
            min_confidence: settings.investigation.min_confidence,
            target_confidence: settings.investigation.target_confidence,
            max_rounds: settings.investigation.max_rounds,
            timeout: settings.investigation.timeout,
            tools: settings.investigation.tools.clone(),
        },
        extract: ExtractRules {
            chunk_tokens: settings.extract.chunk_tokens,
            pages: settings.extract.max_pages,
            ..ExtractRules::default()
        },
        // Set by the caller, which knows whether the page is borrowed.
        closes_page: false,
        is_lent_page: false,
        assume,
        playbook: None,
        repeats_iterations: false,
        prefers_recorded_row: false,
        disabled_evidence: settings.disabled_evidence.clone(),
    }
}

/// The granted secrets, and those that the workflow names without a grant.
pub(crate) fn add_requested_secrets(mut given: Vec<SecretSpec>, workflow: &Workflow) -> Vec<SecretSpec> {
    let texts: Vec<String> = workflow.all_steps().into_iter().flat_map(|step| step.texts()).collect();
    for name in texts.iter().flat_map(|text| handles_in(text)) {
        if !given.iter().any(|spec| spec.gives(name)) {
            given.push(SecretSpec::requested(name));
        }
    }
    given
}

/// The options of a run that are not part of its workflow. They are stored in its journal, so that a resume continues
/// under the same rules.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct PersistedOptions {
    settings: BTreeMap<String, String>,
    secrets: Vec<String>,
    pub(crate) uploads: Vec<PathBuf>,
    /// Whether the run works in a tab of the user's own browser.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) relayed: bool,
    /// Whether a client wrote the words of the run.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) client: bool,
    /// The policy of the API request, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<String>,
}

impl PersistedOptions {
    pub(crate) fn of(settings: &Settings, secrets: &[SecretSpec], uploads: &[PathBuf], relayed: bool) -> Self {
        PersistedOptions {
            settings: settings.for_resume(),
            // The secrets that only the workflow names are not stored, because they can be read from the workflow
            // again.
            secrets: secrets.iter().filter(|spec| !spec.is_requested()).map(ToString::to_string).collect(),
            uploads: uploads.to_vec(),
            relayed,
            client: false,
            policy: settings.policy.request.as_ref().map(|file| file.text.clone()),
        }
    }

    pub(crate) fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Reads the options from a journal. A run without the rules that it began with must not continue, so options that
    /// cannot be read are an error.
    pub(crate) fn from_value(value: &Value) -> Result<Self, SavedOptionsError> {
        // Runs of a program that uses the library may have none.
        if value.is_null() {
            return Ok(PersistedOptions::default());
        }
        Ok(serde_json::from_value(value.clone())?)
    }

    pub(crate) fn secrets(&self) -> Result<Vec<SecretSpec>, SavedOptionsError> {
        self.secrets.iter().map(|text| Ok(SecretSpec::parse(text)?)).collect()
    }

    /// The settings with the values that the run began with, except for those that the current command line sets.
    /// The policy of the request is kept; those of the user and the project are as they are now.
    pub(crate) fn apply_to(&self, current: &Settings) -> Result<Settings, SavedOptionsError> {
        let mut settings = current.resumed(&self.settings)?;
        if let Some(text) = &self.policy {
            let policy = PolicyFile::parse(Path::new(settings::REQUEST_POLICY), text);
            settings.policy.request = Some(policy.map_err(SavedOptionsError::Policy)?);
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::settings::Sources;

    fn settings() -> Settings {
        let flags = [("data_dir".to_owned(), "/nowhere".to_owned())].into();
        Settings::load(&Sources { flags, ..Sources::default() }).unwrap()
    }

    #[test]
    fn options_of_a_run_that_cannot_be_read_are_an_error() {
        let of = |value: Value| PersistedOptions::from_value(&value);
        assert!(of(Value::Null).is_ok());
        assert!(of(json!("all")).is_err());
        let kept = |value: Value| of(value).unwrap();
        let current = settings();
        assert!(kept(json!({ "policy": "[[rule]]\ndecision = \"perhaps\"" })).apply_to(&current).is_err());
        assert!(kept(json!({ "settings": { "allowed_domains": "a b.test:99999999" } })).apply_to(&current).is_err());
        assert!(kept(json!({ "secrets": ["pw@nowhere:x"] })).secrets().is_err());
    }

    #[test]
    fn the_shape_of_replies_follows_the_settings() {
        let mut settings = settings();
        assert_eq!(
            schema_options(&settings, Form::Line),
            SchemaOptions { form: Form::Line, ..SchemaOptions::default() }
        );
        let model = &mut settings.model;
        (model.max_commands, model.require_reasoning) = (4, false);
        (model.optional_fields, model.strict_replies) = (true, true);
        let options = schema_options(&settings, Form::Full);
        assert_eq!((options.max_commands, options.require_reasoning), (4, false));
        assert_eq!((options.include_optional_fields, options.mode), (true, Mode::Strict));
    }
}
