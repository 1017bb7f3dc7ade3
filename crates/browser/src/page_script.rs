//! The interface of the script in the page (`injected/`). Each call is declared once, with its name, its arguments and
//! its result. `cargo xtask generate` writes the TypeScript types of these declarations to `injected/src/generated.ts`,
//! and the compiler checks `injected/src/index.ts` against them, so that neither side can change alone.
//!
//! A call is one expression, and its arguments are one JSON object. No other part of this crate generates JavaScript
//! for that script.

mod calls;
mod values;

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

pub(crate) use calls::*;
pub(crate) use values::*;

/// The arguments of a function of the script. Their type determines the name of the function.
pub(crate) trait PageExpression: Serialize {
    const NAME: &'static str;

    /// The expression that calls the function.
    fn expression(&self) -> String {
        let arguments = serde_json::to_string(self).expect("arguments are structs with names as keys");
        format!("legwork.{}({arguments})", Self::NAME)
    }
}

/// A call whose result can be serialized.
pub(crate) trait PageCall: PageExpression {
    type Returns: DeserializeOwned;
}

impl<T: PageExpression> PageExpression for &T {
    const NAME: &'static str = T::NAME;
}

impl<T: PageCall> PageCall for &T {
    type Returns = T::Returns;
}

/// A function that the driver calls with an element as `this`. It returns the element's number.
pub(crate) const ID_OF: &str = "function(){return legwork.idOf(this)}";

/// A function that the driver calls with the host of a closed shadow root as `this` and the root as its argument.
pub(crate) const REGISTER_CLOSED_ROOT: &str = "function(root){legwork.registerClosedRoot(this,root)}";

/// The functions of the script that the functions above use, with their TypeScript types. Elements cannot be serialized
/// and have no schema.
const FUNCTIONS: [(&str, &str); 2] =
    [("idOf", "(element: Element) => number"), ("registerClosedRoot", "(host: Element, root: ShadowRoot) => void")];

/// The JSON schema of the script's functions, from which `injected/src/generated.ts` is generated. It has the
/// properties `calls`, `functions`, and `reports` for what the script sends unasked; for each call, it describes
/// `arguments` and `result`.
pub fn page_script_schema() -> Value {
    // Rust serializes arguments and deserializes results, which determines whether a field may be absent.
    let mut written = SchemaSettings::draft07().for_serialize().into_generator();
    let mut read = SchemaSettings::draft07().for_deserialize().into_generator();
    let calls = calls::schemas(&mut written, &mut read);
    let reports = Map::from_iter([("input".to_owned(), Value::from(read.subschema_for::<ReportedInput>()))]);
    let functions: Map<String, Value> =
        FUNCTIONS.iter().map(|(name, of)| ((*name).to_owned(), json!({ "tsType": of }))).collect();
    let mut definitions = written.take_definitions(true);
    for (name, definition) in read.take_definitions(true) {
        if let Some(other) = definitions.insert(name.clone(), definition) {
            assert_eq!(definitions[&name], other, "{name} is written and read, and not in the same form");
        }
    }
    json!({
        "title": "PageScript",
        "description": "The functions of the script that runs beside a page.",
        "type": "object",
        "properties": { "calls": object(calls), "functions": object(functions), "reports": object(reports) },
        "required": ["calls", "functions", "reports"],
        "definitions": definitions,
    })
}

fn object(properties: Map<String, Value>) -> Value {
    let required: Vec<&String> = properties.keys().collect();
    json!({ "type": "object", "required": required, "properties": properties })
}

/// The schema of a call.
fn call_schema<C: JsonSchema>(description: &str, written: &mut SchemaGenerator, result: impl Into<Value>) -> Value {
    let properties = Map::from_iter([
        ("arguments".into(), Value::from(written.subschema_for::<C>())),
        ("result".into(), result.into()),
    ]);
    let mut call = object(properties);
    call["description"] = json!(description.trim());
    call
}

/// The schema of a result that cannot be serialized, as a TypeScript type.
fn typescript(of: &str) -> Schema {
    schemars::json_schema!({ "tsType": of })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_one_expression_with_named_arguments() {
        let call = IncludesText { text: "\"quoted\" \u{2028} </script>" };
        assert_eq!(call.expression(), "legwork.includesText({\"text\":\"\\\"quoted\\\" \u{2028} </script>\"})");
        assert_eq!(RemoveMarks {}.expression(), "legwork.removeMarks({})");
    }

    #[test]
    fn fields_that_rust_does_not_require_may_be_absent_in_results_only() {
        let schema = page_script_schema();
        let required = |name: &str| schema["definitions"][name]["required"].clone();
        assert_eq!(required("Ready"), json!(["element", "what"]));
        assert_eq!(required("Scroll"), json!(["key", "direction", "screens", "element"]));
    }

    #[test]
    fn a_reason_against_an_action_is_told_apart_from_an_element_that_is_ready() {
        let read = |text| serde_json::from_str::<Actionability>(text).map(Actionability::ready);
        assert!(matches!(
            read(r#"{"reason":"covered","what":"button","by":"<div>"}"#),
            Ok(Err(NotActionable::Covered { .. }))
        ));
        assert!(matches!(
            read(r#"{"element":3,"what":"button","point":{"x":1,"y":2}}"#),
            Ok(Ok(Ready { element: 3, .. }))
        ));
        assert!(read(r#"{"reason":"unheard of"}"#).is_err());
    }
}
