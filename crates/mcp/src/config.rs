//! The configuration of the server, for clients that look for the cause of a behaviour. It contains the names of
//! secrets and of the providers with a key, but no values.

use legwork::secrets::{SecretSpec, Source};
use legwork_verbs::PageReply;
use serde_json::{Map, Value, json};

use crate::McpOptions;

pub(crate) fn description(options: &McpOptions) -> PageReply {
    let settings = options.runtime.settings();
    let set = settings.shown().into_iter().filter(|setting| !setting.value.is_empty());
    let settings_told: Map<String, Value> =
        set.map(|setting| (setting.name.to_owned(), Value::from(setting.value))).collect();
    let groups: Vec<String> = options.groups.iter().map(|group| format!("{group:?}").to_lowercase()).collect();
    let secret = |spec: &SecretSpec| match &spec.source {
        Source::Named(name) | Source::Prefixed(name) | Source::Requested(name) | Source::File { name, .. } => {
            name.clone()
        }
        Source::Lines(path) => format!("those of {path}"),
    };
    let secrets: Vec<String> = options.secrets.iter().map(secret).collect();
    let keys = settings.keys.present().into_iter().filter(|(.., present)| *present);
    let data = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "capabilities": groups,
        "outputDir": options.output,
        "uploads": options.uploads,
        "secrets": secrets,
        "keys": keys.map(|(provider, ..)| provider).collect::<Vec<_>>(),
        "storageState": options.storage_state.is_some(),
        "maxSessions": options.max_sessions,
        "settings": settings_told,
    });
    PageReply::with(format!("{data:#}"), data)
}
