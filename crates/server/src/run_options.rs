//! The options that a client may set for a single run. Those that are settings are declared in the table of the
//! settings: their type, bounds and description come from there.

use std::{borrow::Cow, collections::BTreeMap};

use legwork::{
    policy::Policy,
    settings::{self, Kind, Setting, Settings, Sources, TextFile, within},
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use thiserror::Error;

/// The options that are settings: the name of the option and the name of the setting.
const SETTINGS: [(&str, &str); 7] = [
    ("model", "model.name"),
    ("decider", "decider"),
    ("maxActions", "limits.max_actions"),
    ("maxTokens", "limits.max_tokens"),
    ("maxCost", "limits.max_cost"),
    ("require", "run.require"),
    ("screenshots", "screenshots.enabled"),
];

/// The options that a run may set for itself.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("additionalProperties" = false))]
pub(crate) struct RunOptions {
    /// Time limit: seconds, or `90s`, `5m`, `1h`.
    #[serde(default)]
    pub(crate) timeout: Option<Value>,
    /// Sites that the run may load. They cannot exceed those that the server's own settings allow.
    #[serde(default)]
    pub(crate) allowed_domains: Option<Vec<String>>,
    /// Rules in the format of a policy file (docs/policy.md). They can only restrict what the server's own rules allow.
    #[serde(default)]
    pub(crate) policy: Option<String>,
    /// Whether the browser window is shown. All runs of a server share one browser, so only the server's own value is
    /// accepted.
    #[serde(default)]
    pub(crate) headed: Option<bool>,
    #[serde(flatten)]
    pub(crate) settings: SettingOptions,
}

/// The values of the options that are settings, by the name of the option.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, Value>")]
pub(crate) struct SettingOptions(BTreeMap<String, Value>);

/// Why the options cannot be read.
#[derive(Debug, Error)]
pub(crate) enum OptionError {
    #[error("there is no option {0:?}; the options are timeout, allowedDomains, policy, headed, {options}", options = names())]
    Unknown(String),
    #[error("{0}: expected a text, a number, true or false")]
    Type(String),
}

fn names() -> String {
    SETTINGS.map(|(option, _)| option).join(", ")
}

impl TryFrom<BTreeMap<String, Value>> for SettingOptions {
    type Error = OptionError;

    fn try_from(mut values: BTreeMap<String, Value>) -> Result<Self, OptionError> {
        values.retain(|_, value| !value.is_null());
        for (name, value) in &values {
            if !SETTINGS.iter().any(|(option, _)| option == name) {
                return Err(OptionError::Unknown(name.clone()));
            }
            if value.is_array() || value.is_object() {
                return Err(OptionError::Type(name.clone()));
            }
        }
        Ok(SettingOptions(values))
    }
}

impl SettingOptions {
    /// The names of the settings and their values in the notation of flags.
    fn values(&self) -> impl Iterator<Item = (&'static str, String)> {
        SETTINGS.into_iter().filter_map(|(option, setting)| {
            Some((
                setting,
                match self.0.get(option)? {
                    Value::String(text) => text.clone(),
                    value => value.to_string(),
                },
            ))
        })
    }
}

fn schema_of(setting: &Setting) -> Value {
    let mut schema = match setting.kind {
        Kind::Flag => json!({ "type": ["boolean", "null"] }),
        Kind::Count { min, .. } => json!({ "type": ["integer", "null"], "minimum": min }),
        Kind::Money | Kind::Share => json!({ "type": ["number", "null"], "minimum": 0 }),
        _ => json!({ "type": ["string", "null"] }),
    };
    schema["description"] = setting.doc.into();
    schema
}

impl JsonSchema for SettingOptions {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "SettingOptions".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let property = |(option, name): (&str, &str)| Some((option.to_owned(), schema_of(settings::find(name)?)));
        let properties: Map<String, Value> = SETTINGS.into_iter().filter_map(property).collect();
        json_schema!({ "type": "object", "properties": properties })
    }
}

impl RunOptions {
    /// The server's settings with these options. The error lists every problem.
    pub(crate) fn settings(&self, own: &Settings, sources: &Sources) -> Result<Settings, Vec<String>> {
        let mut flags = sources.flags.clone();
        let mut problems = Vec::new();
        let mut flag = |name: &str, value: String| {
            flags.retain(|(known, _)| known != name);
            flags.push((name.to_owned(), value));
        };
        for (name, value) in self.settings.values() {
            flag(name, value);
        }
        if let Some(domains) = &self.allowed_domains {
            problems.extend(domain_problems(&own.policy(), domains));
            flag("allowed_domains", domains.join(","));
        }
        if self.headed.is_some_and(|headed| headed != own.browser.headed) {
            problems.push(
                "options.headed: all runs share the server's browser; set `browser.headed` and restart the server"
                    .into(),
            );
        }
        match self.timeout.as_ref().map(time) {
            Some(Some(whole)) => flags.extend(within(own, whole)),
            Some(None) => problems.push("options.timeout: seconds, or a number with s, m or h".into()),
            None => {}
        }
        let request_policy = self.policy.clone().map(|text| TextFile { path: settings::REQUEST_POLICY.into(), text });
        match own.reloaded(&Sources { flags, request_policy, ..sources.clone() }) {
            Ok(settings) if problems.is_empty() => Ok(settings),
            Ok(_) => Err(problems),
            Err(found) => {
                problems
                    .extend(found.iter().map(|problem| format!("options: {}: {}", problem.setting, problem.message)));
                Err(problems)
            }
        }
    }
}

fn time(value: &Value) -> Option<std::time::Duration> {
    let text = match value {
        Value::Number(seconds) => seconds.to_string(),
        Value::String(text) => text.clone(),
        _ => return None,
    };
    legwork::protocol::parse_duration(&text).filter(|time| !time.is_zero())
}

/// The domains of a request that exceed the server's own rules: a request may only restrict them.
fn domain_problems(policy: &Policy, domains: &[String]) -> Vec<String> {
    if policy.rules().is_empty() {
        return Vec::new();
    }
    let allowed = policy.rules().join(", ");
    if domains.iter().all(|domain| domain.trim().is_empty()) {
        // An empty list of rules means that everything is allowed.
        return vec![format!(
            "options.allowedDomains: the server allows only {allowed}, and an empty list would allow everything"
        )];
    }
    let refused = |domain: &String| format!("options.allowedDomains: the server allows only {allowed}, not {domain}");
    domains.iter().filter(|domain| !policy.covers(domain)).map(refused).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_that_is_a_setting_has_the_type_and_the_description_of_the_setting() {
        let schema = serde_json::to_value(schemars::schema_for!(RunOptions)).unwrap();
        for (option, name) in SETTINGS {
            let setting = settings::find(name).unwrap();
            assert_eq!(schema["properties"][option]["description"], setting.doc, "{option}");
        }
        assert_eq!(schema["properties"]["maxActions"]["type"], json!(["integer", "null"]));
        assert_eq!(schema["additionalProperties"], false);
    }

    #[test]
    fn options_become_settings_and_unknown_ones_are_refused() {
        let read = |options: Value| serde_json::from_value::<RunOptions>(options);
        let options = read(json!({ "maxActions": 5, "screenshots": false, "model": null, "timeout": "90s" })).unwrap();
        let values: Vec<_> = options.settings.values().collect();
        assert_eq!(values, [("limits.max_actions", "5".to_owned()), ("screenshots.enabled", "false".to_owned())]);
        assert_eq!(serde_json::to_value(&options).unwrap()["maxActions"], 5);
        let unknown = read(json!({ "maxStep": 5 })).unwrap_err().to_string();
        assert!(unknown.contains("there is no option \"maxStep\"") && unknown.contains("maxActions"), "{unknown}");
        assert!(read(json!({ "decider": ["literal"] })).is_err());
    }
}
