//! Generates the schema from the protocol's types. The description of a command is the doc comment of its action.

use std::{collections::BTreeMap, sync::OnceLock};

use legwork_protocol::{ACTIONS, Action, ActionInfo, Offered, ParameterKind, PromptEntry, Reasoning, ResultValidation};
use serde_json::{Map, Value, json};

use super::{Form, SchemaOptions, VERSION, strict};

/// A parameter that models never set: the action that opens a dialog. A model answers a dialog after it has opened and
/// the model has read it. Strict providers also reject a schema that contains itself.
const UNWRITTEN: (&str, &str) = ("dialog", "opened_by");

/// The schema of the parameters of every action, by canonical name: `{type: object, properties, required, …}` with the
/// action's description, resolved references and without unknown fields.
pub fn command_schemas() -> &'static BTreeMap<String, Value> {
    static SCHEMAS: OnceLock<BTreeMap<String, Value>> = OnceLock::new();
    SCHEMAS.get_or_init(|| {
        let root = schemars::schema_for!(Action).to_value();
        let variants = root["oneOf"].as_array().cloned().unwrap_or_default();
        variants
            .iter()
            .filter_map(|variant| {
                let name = variant["properties"]["action"]["const"].as_str()?;
                let mut schema = inline(&variant["properties"]["parameters"], &root["$defs"]);
                if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
                    properties.retain(|key, _| UNWRITTEN != (name, key.as_str()));
                }
                if let (Some(schema), Some(description)) = (schema.as_object_mut(), variant.get("description")) {
                    schema.insert("description".into(), description.clone());
                }
                Some((name.to_owned(), schema))
            })
            .collect()
    })
}

/// Replaces references by their definitions. The protocol's types are not recursive.
fn inline(schema: &Value, definitions: &Value) -> Value {
    match schema {
        Value::Object(map) => {
            let mut out = Map::new();
            if let Some(name) = map.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix("#/$defs/"))
                && let Value::Object(resolved) = inline(&definitions[name], definitions)
            {
                out = resolved;
            }
            for (key, value) in map.iter().filter(|(key, _)| *key != "$ref" && *key != "$schema") {
                out.insert(key.clone(), inline(value, definitions));
            }
            Value::Object(out)
        }
        Value::Array(items) => Value::Array(items.iter().map(|item| inline(item, definitions)).collect()),
        plain => plain.clone(),
    }
}

/// A parameter that strict schemas cannot express: its value is a schema, which can be any JSON. `fields` covers most
/// uses.
const UNTYPED: (&str, &str) = ("extract", "schema");

fn offered(options: &SchemaOptions) -> impl Iterator<Item = (&'static str, Value)> {
    let (all, vision, tools) = (options.include_optional_fields, options.vision, !options.tools.is_empty());
    let offered = move |info: &ActionInfo| match info.offered {
        Offered::Always => true,
        Offered::WithVision => vision,
        Offered::WithTools => tools,
        Offered::Never => false,
    };
    let declared = command_schemas().iter().filter_map(|(name, schema)| Some((ActionInfo::named(name)?, schema)));
    declared.filter(move |(info, _)| offered(info)).map(move |(info, schema)| {
        let name = info.name;
        let mut schema = strict::flattened(schema);
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties.retain(|key, _| UNTYPED != (name, key.as_str()));
            if name == "call" {
                // Strict providers reject an object of unknown shape. A text that contains the object is parsed as
                // well.
                properties.insert("arguments".to_owned(), json!({"type": "string"}));
            }
        }
        if !all && let Some(properties) = schema["properties"].as_object_mut() {
            properties.retain(|key, _| !info.omitted_from_schema.contains(&key.as_str()));
        }
        (name, schema)
    })
}

/// A parameter of a command in the line form.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) kind: ParameterKind,
    pub(crate) required: bool,
    /// Whether it can be written by position; other parameters need their name.
    pub(crate) positional: bool,
    /// The values of an enumeration.
    pub(crate) words: Vec<String>,
    /// Its place in the declaration.
    pub(crate) position: usize,
}

/// The parameters of an action in the order of their declaration.
pub(crate) fn signature_of(action: &str) -> Vec<Parameter> {
    let (Some(info), Some(schema)) = (ActionInfo::named(action), command_schemas().get(action)) else {
        return Vec::new();
    };
    let schema = strict::flattened(schema);
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema["properties"].as_object().into_iter().flatten();
    let parameter = |(position, (name, schema)): (usize, (&String, &Value))| {
        let is_required = required.contains(&name.as_str());
        let declared = info.parameters().iter().find(|one| one.name == *name);
        Parameter {
            name: name.clone(),
            // The parameters of an action with variants are not declared one by one.
            kind: declared.map_or(ParameterKind::Text, |one| one.kind),
            required: is_required,
            positional: is_required || info.positional.contains(&name.as_str()),
            words: enumerated(schema),
            position,
        }
    };
    properties.enumerate().map(parameter).collect()
}

/// The values of an enumeration, also of an optional one.
fn enumerated(schema: &Value) -> Vec<String> {
    let schema = strict::normalised(schema);
    let kinds = schema["anyOf"].as_array().cloned().unwrap_or_else(|| vec![schema]);
    let words = kinds.iter().filter_map(|kind| kind["enum"].as_array()).flatten().filter_map(Value::as_str);
    words.map(str::to_owned).collect()
}

/// The commands that most tasks need, in the line form. The others are listed by name; their syntax is described after
/// a mistake.
const LINES: &str = include_str!("../../prompts/commands.md");

/// The commands in the line form: examples of those that most tasks need, in the order of their declaration, and the
/// names of the others.
fn lines(vision: bool) -> String {
    let seen = || ACTIONS.iter().filter(|info| vision || info.offered != Offered::WithVision);
    let examples = seen().filter_map(|info| match info.prompt {
        PromptEntry::Example(example) => Some(example),
        PromptEntry::Name | PromptEntry::Absent => None,
    });
    let names = seen().filter(|info| info.prompt == PromptEntry::Name).map(|info| info.name);
    let listed = |words: Vec<&str>| words.join(", ");
    let lines = LINES.trim_end().replace("{examples}", &listed(examples.collect()));
    lines.replace("{names}", &listed(names.collect()))
}

/// The commands in one short line each: `fill(target, text, submit?)`.
pub fn summary(options: &SchemaOptions) -> String {
    if options.form == Form::Line {
        return with_tools(lines(options.vision), options);
    }
    let lines: Vec<String> = offered(options)
        .map(|(name, schema)| {
            let required: Vec<&str> =
                schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let optional = |key: &str| !required.contains(&key);
            let mut properties: Vec<(&String, &Value)> =
                schema["properties"].as_object().into_iter().flatten().collect();
            properties.sort_by_key(|(key, _)| optional(key));
            let parameters: Vec<String> =
                properties.into_iter().map(|(key, value)| signature(key, optional(key), value)).collect();
            format!("{name}({})", parameters.join(", "))
        })
        .collect();
    with_tools(lines.join("\n"), options)
}

/// Appends the user's tools, one per line: `weather {city, days?}: The forecast`.
fn with_tools(mut lines: String, options: &SchemaOptions) -> String {
    if options.tools.is_empty() {
        return lines;
    }
    lines.push_str("\nTools of the user's, as call NAME {json}:");
    for tool in options.tools.iter() {
        let schema: Value = serde_json::from_str(&tool.parameters).unwrap_or_default();
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let parameters = schema["properties"].as_object().into_iter().flatten();
        let parameters: Vec<String> =
            parameters.map(|(key, value)| signature(key, !required.contains(&key.as_str()), value)).collect();
        lines.push_str(&format!("\n{} {{{}}}: {}", tool.name, parameters.join(", "), tool.about));
    }
    lines
}

/// `values[]`, `submit?`, `op=list|open|switch|close`.
fn signature(key: &str, optional: bool, schema: &Value) -> String {
    let mark = if optional { "?" } else { "" };
    let list = if schema["type"] == "array" { "[]" } else { "" };
    let words = enumerated(schema);
    let words = if words.is_empty() { String::new() } else { format!("={}", words.join("|")) };
    format!("{key}{list}{mark}{words}")
}

/// An example of a reply, for the prompt.
pub fn shape(options: &SchemaOptions) -> String {
    if options.form == Form::Line {
        let why = if options.require_reasoning { r#""why":"12 words at most","# } else { "" };
        let command = if options.max_commands > 1 { r#"["click e5"]"# } else { r#""click e5""# };
        return format!(r#"{{{why}"do":{command},"confidence":0.9}}"#);
    }
    let reasoning = match options.require_reasoning {
        true => r#""reasoning":{"analysis":"…","rationale":"…","expectedOutcome":"…"},"#,
        false => "",
    };
    let command = r#"{"action":"click","parameters":{"target":"e12"}}"#;
    let command = match options.max_commands {
        0 | 1 => format!(r#""command":{command}"#),
        _ => format!(r#""commands":[{command}]"#),
    };
    format!(r#"{{"decision":{{"action":"PROCEED|RETRY|ABORT","message":"…"}},{reasoning}"confidence":0.9,{command}}}"#)
}

/// The documented schema: with descriptions, all actions and all rules.
pub(crate) fn full(options: &SchemaOptions) -> Value {
    let commands: Vec<Value> = command_schemas()
        .iter()
        .map(|(name, parameters)| {
            json!({
                "type": "object",
                "properties": {
                    "action": { "const": name },
                    "parameters": parameters,
                    "reasoning": { "type": "string" },
                },
                "required": ["action", "parameters"],
                "additionalProperties": false,
            })
        })
        .collect();
    let mut schema = envelope(options, json!({ "oneOf": commands }));
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["version"] = VERSION.into();
    schema
}

/// The schema that is sent to providers: without descriptions, and with one branch for actions with similar parameters,
/// as strict providers require.
pub(crate) fn wire(options: &SchemaOptions) -> Value {
    if options.form == Form::Line {
        return line(options);
    }
    let mut groups: Vec<(Value, Vec<&str>)> = Vec::new();
    for (name, schema) in offered(options) {
        let parameters = strict::normalised(&schema);
        match groups.iter_mut().find(|(known, _)| *known == parameters) {
            Some((_, names)) => names.push(name),
            None => groups.push((parameters, vec![name])),
        }
    }
    let commands: Vec<Value> = groups
        .into_iter()
        .map(|(parameters, names)| {
            json!({
                "type": "object",
                "properties": { "action": { "type": "string", "enum": names }, "parameters": parameters },
                "required": ["action", "parameters"],
                "additionalProperties": false,
            })
        })
        .collect();
    strict::normalised(&envelope(options, json!({ "anyOf": commands })))
}

/// The schema of the line form.
fn line(options: &SchemaOptions) -> Value {
    let text = json!({ "type": "string" });
    let mut properties = Map::new();
    if options.require_reasoning {
        properties.insert("why".into(), text.clone());
    }
    let command = if options.max_commands > 1 { json!({ "type": "array", "items": text }) } else { text };
    properties.insert("do".into(), command);
    properties.insert("confidence".into(), json!({ "type": "number" }));
    let required: Vec<String> = properties.keys().cloned().collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn envelope(options: &SchemaOptions, command: Value) -> Value {
    let mut decision = json!({
        "type": "object",
        "properties": {
            "action": { "type": "string", "enum": ["PROCEED", "RETRY", "ABORT"] },
            "message": { "type": "string" },
        },
        "required": ["action", "message"],
        "additionalProperties": false,
    });
    let mut reasoning = inline_type::<Reasoning>();
    let mut required = vec!["decision", "confidence"];
    let mut properties = Map::new();
    if options.include_optional_fields {
        decision["properties"]["resultValidation"] = inline_type::<ResultValidation>();
        properties.insert("context".into(), json!({ "type": "string" }));
    } else if let Some(fields) = reasoning["properties"].as_object_mut() {
        fields.remove("alternatives");
    }
    reasoning["required"] = json!(["analysis", "rationale", "expectedOutcome"]);
    if options.require_reasoning {
        required.push("reasoning");
    }
    if options.require_reasoning || options.include_optional_fields {
        properties.insert("reasoning".into(), reasoning);
    }
    properties.insert("decision".into(), decision);
    properties.insert("confidence".into(), json!({ "type": "number", "minimum": 0, "maximum": 1 }));
    if options.max_commands > 1 {
        properties
            .insert("commands".into(), json!({ "type": "array", "items": command, "maxItems": options.max_commands }));
    } else {
        properties.insert("command".into(), command);
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn inline_type<T: schemars::JsonSchema>() -> Value {
    let root = schemars::schema_for!(T).to_value();
    let mut schema = inline(&root, &root["$defs"]);
    if let Some(map) = schema.as_object_mut() {
        map.remove("$defs");
        map.remove("title");
    }
    schema
}
