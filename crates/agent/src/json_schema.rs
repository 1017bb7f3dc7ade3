//! JSON Schema: compiles a schema once and checks values against it. Every mismatch is reported with its path.
//!
//! Legwork defines the schemas of actions; those of tools and extractions come from users and other programs. A
//! reference to another document is rejected: resolving it would be IO, and would let a schema choose a URL to request.

use boon::{CompileError, Compiler, Draft, ErrorKind, SchemaIndex, Schemas, Types, UrlLoader, ValidationError};
use serde_json::Value;

/// A compiled schema.
pub(crate) struct JsonSchema {
    schemas: Schemas,
    index: SchemaIndex,
}

/// The document is not a valid JSON Schema.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct InvalidSchema(String);

/// A part of a value that does not match the schema.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mismatch {
    /// The path, such as `.a.0.b`; empty for the whole value.
    pub(crate) path: String,
    /// The kind of mismatch.
    pub(crate) kind: MismatchKind,
    /// The value at the path.
    pub(crate) found: Value,
}

/// The kinds of mismatches.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MismatchKind {
    /// A required property is missing.
    Missing(String),
    /// The schema has no such property.
    Unexpected(String),
    /// The value differs from the expected one.
    Wrong(String),
}

/// The base URI of the only document. The compiler needs one; nothing is ever requested from it.
const ADDRESS: &str = "https://schema.invalid/document";

struct NoLoader;

impl UrlLoader for NoLoader {
    fn load(&self, url: &str) -> Result<Value, Box<dyn std::error::Error>> {
        Err(format!("{url} is another document; a schema must be complete in itself").into())
    }
}

impl JsonSchema {
    /// Compiles a schema; without `$schema`, it is a schema of draft 2020-12.
    ///
    /// # Errors
    /// If it is not a valid schema, or refers to another document.
    pub(crate) fn compile(schema: &Value) -> Result<JsonSchema, InvalidSchema> {
        let invalid = |error: CompileError| match error {
            CompileError::LoadUrlError { src, .. } => InvalidSchema(src.to_string()),
            error => InvalidSchema(error.to_string()),
        };
        let mut compiler = Compiler::new();
        compiler.set_default_draft(Draft::V2020_12);
        compiler.use_loader(Box::new(NoLoader));
        compiler.add_resource(ADDRESS, schema.clone()).map_err(invalid)?;
        let mut schemas = Schemas::new();
        let index = compiler.compile(ADDRESS, &mut schemas).map_err(invalid)?;
        Ok(JsonSchema { schemas, index })
    }

    /// Whether the value matches the schema.
    pub(crate) fn is_valid(&self, value: &Value) -> bool {
        self.schemas.validate(value, self.index).is_ok()
    }

    /// All mismatches, in the order of the schema's keywords.
    pub(crate) fn mismatches(&self, value: &Value) -> Vec<Mismatch> {
        let mut mismatches = Vec::new();
        if let Err(error) = self.schemas.validate(value, self.index) {
            collect(&error, value, &mut mismatches);
        }
        mismatches
    }
}

impl std::fmt::Debug for JsonSchema {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JsonSchema")
    }
}

fn collect(error: &ValidationError<'_, '_>, value: &Value, into: &mut Vec<Mismatch>) {
    let pointer = error.instance_location.to_string();
    let found = value.pointer(&pointer).cloned().unwrap_or_default();
    let path = pointer.replace('/', ".");
    let mismatch = |kind| Mismatch { path: path.clone(), kind, found: found.clone() };
    match &error.kind {
        ErrorKind::Required { want } => {
            into.extend(want.iter().map(|name| mismatch(MismatchKind::Missing((*name).to_owned()))));
        }
        ErrorKind::AdditionalProperties { got } => {
            into.extend(got.iter().map(|name| mismatch(MismatchKind::Unexpected(name.to_string()))));
        }
        ErrorKind::Type { want, .. } => into.push(mismatch(MismatchKind::Wrong(types(*want)))),
        // For alternatives, each one has its own mismatches. Only the list of all alternatives shows which values are
        // valid.
        ErrorKind::AnyOf | ErrorKind::OneOf(None) => {
            let mut inner = Vec::new();
            error.causes.iter().for_each(|cause| collect(cause, value, &mut inner));
            let expected: Vec<String> = inner
                .into_iter()
                .map(|inner| match inner.kind {
                    MismatchKind::Missing(name) => format!("an object with {name}"),
                    MismatchKind::Unexpected(name) => format!("an object without {name}"),
                    MismatchKind::Wrong(expected) => expected,
                })
                .collect();
            into.push(mismatch(MismatchKind::Wrong(expected.join(" or "))));
        }
        kind if error.causes.is_empty() => {
            into.push(mismatch(MismatchKind::Wrong(format!("a value that matches the schema ({kind})"))));
        }
        _ => error.causes.iter().for_each(|cause| collect(cause, value, into)),
    }
}

/// `a string or nothing`.
fn types(types: Types) -> String {
    let names = types.iter().map(|one| match one {
        boon::Type::Null => "nothing".to_owned(),
        boon::Type::Boolean => "true or false".to_owned(),
        boon::Type::Array => "a list".to_owned(),
        one @ (boon::Type::Integer | boon::Type::Object) => format!("an {one}"),
        one => format!("a {one}"),
    });
    names.collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(schema: Value, value: Value, expected: &[(&str, MismatchKind)]) {
        let schema = JsonSchema::compile(&schema).expect("a schema");
        let found = schema.mismatches(&value);
        let found: Vec<_> = found.iter().map(|one| (one.path.as_str(), one.kind.clone())).collect();
        assert_eq!(found, expected);
        assert_eq!(schema.is_valid(&value), expected.is_empty());
    }

    #[test]
    fn each_mismatch_is_reported_with_its_place() {
        use MismatchKind::{Missing, Unexpected, Wrong};
        let item = json!({
            "type": "object",
            "properties": { "name": { "type": "string" }, "price": { "type": ["number", "null"] } },
            "required": ["name"],
            "additionalProperties": false,
        });
        let list = json!({ "type": "array", "items": item });
        check(list.clone(), json!([{ "name": "Tea", "price": null }]), &[]);
        check(
            list,
            json!([{ "name": 5, "price": "1" }, { "cost": 1 }]),
            &[
                (".0.name", Wrong("a string".into())),
                (".0.price", Wrong("nothing or a number".into())),
                (".1", Missing("name".into())),
                (".1", Unexpected("cost".into())),
            ],
        );
    }

    #[test]
    fn alternatives_are_one_mismatch() {
        let schema = json!({ "anyOf": [{ "type": "string" }, { "type": "object", "required": ["ref"] }] });
        check(schema.clone(), json!({ "ref": 1 }), &[]);
        check(schema, json!({}), &[("", MismatchKind::Wrong("a string or an object with ref".into()))]);
    }

    #[test]
    fn a_schema_reads_no_other_document() {
        for reference in ["file:///etc/passwd", "http://127.0.0.1:1/x", "other.json"] {
            let refused = JsonSchema::compile(&json!({ "$ref": reference })).expect_err("it is another document");
            assert!(refused.to_string().contains("complete in itself"), "{refused}");
        }
        JsonSchema::compile(&json!({ "type": "no such type" })).expect_err("it is not a schema");
    }
}
