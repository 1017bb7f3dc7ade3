//! The values of a request, a JSON body or the parameters of a query, and how they become a type. An error names the
//! field, what it must be, and what was given.
//!
//! `serde_json` alone would accept a list where a struct is expected and take its items for the fields in their order,
//! and its errors name positions in the text instead of fields.

use std::{fmt, iter::Enumerate, vec::IntoIter};

use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor},
    forward_to_deserialize_any,
};
use serde_json::Number;

use crate::request_problem::{Path, RequestProblem};

/// A value of a request. An object keeps fields that occur twice, so that they can be refused.
#[derive(Debug)]
enum RequestValue {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    /// The text of a parameter, which may state a number.
    Parameter(String),
    List(Vec<RequestValue>),
    Object(Vec<(String, RequestValue)>),
}

/// Reads the object of a JSON body.
pub(crate) fn from_body<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, RequestProblem> {
    from_json(bytes, "the body")
}

/// Reads a JSON object. `whole` is what its text is called.
pub(crate) fn from_json<T: DeserializeOwned>(bytes: &[u8], whole: &str) -> Result<T, RequestProblem> {
    let value: RequestValue =
        serde_json::from_slice(bytes).map_err(|error| RequestProblem::syntax(&error).named(whole))?;
    if !matches!(value, RequestValue::Object(_)) {
        return Err(RequestProblem::wrong("an object", value.unexpected()).named(whole));
    }
    T::deserialize(Field { value, path: &Path::Root }).map_err(|problem| problem.of("field"))
}

/// Reads the parameters of a query.
pub(crate) fn from_query<T: DeserializeOwned>(query: &str) -> Result<T, RequestProblem> {
    let pairs = url::form_urlencoded::parse(query.as_bytes());
    let fields = pairs.map(|(name, text)| (name.into_owned(), RequestValue::Parameter(text.into_owned())));
    let value = RequestValue::Object(fields.collect());
    T::deserialize(Field { value, path: &Path::Root }).map_err(|problem| problem.of("parameter"))
}

impl RequestValue {
    fn unexpected(&self) -> de::Unexpected<'_> {
        match self {
            RequestValue::Null => de::Unexpected::Unit,
            RequestValue::Bool(value) => de::Unexpected::Bool(*value),
            RequestValue::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => de::Unexpected::Unsigned(number),
                (None, Some(number)) => de::Unexpected::Signed(number),
                (None, None) => de::Unexpected::Float(number.as_f64().unwrap_or(f64::NAN)),
            },
            RequestValue::Text(text) | RequestValue::Parameter(text) => de::Unexpected::Str(text),
            RequestValue::List(_) => de::Unexpected::Seq,
            RequestValue::Object(_) => de::Unexpected::Map,
        }
    }
}

impl<'de> Deserialize<'de> for RequestValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = RequestValue;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<RequestValue, E> {
        Ok(RequestValue::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<RequestValue, E> {
        Ok(RequestValue::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<RequestValue, E> {
        Ok(RequestValue::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<RequestValue, E> {
        Ok(RequestValue::Number(value.into()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<RequestValue, E> {
        let number = Number::from_f64(value).ok_or_else(|| E::custom("a number is infinite"))?;
        Ok(RequestValue::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<RequestValue, E> {
        Ok(RequestValue::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<RequestValue, E> {
        Ok(RequestValue::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<RequestValue, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(RequestValue::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<RequestValue, A::Error> {
        let mut fields = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            fields.push(entry);
        }
        Ok(RequestValue::Object(fields))
    }
}

/// A value with its place in the request.
struct Field<'p> {
    value: RequestValue,
    path: &'p Path<'p>,
}

impl Field<'_> {
    /// The number that the text of a parameter states.
    fn with_number(mut self) -> Self {
        if let RequestValue::Parameter(text) = &self.value
            && let Ok(number) = text.parse()
        {
            self.value = RequestValue::Number(number);
        }
        self
    }

    /// Refuses a value that is no object.
    fn object_only(&self) -> Result<(), RequestProblem> {
        match &self.value {
            RequestValue::Object(_) => Ok(()),
            other => Err(RequestProblem::wrong("an object", other.unexpected()).at(self.path)),
        }
    }
}

/// Numbers of all types.
macro_rules! numbers {
    ($($method:ident)*) => { $(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RequestProblem> {
            self.with_number().deserialize_any(visitor)
        }
    )* };
}

impl<'de> Deserializer<'de> for Field<'_> {
    type Error = RequestProblem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RequestProblem> {
        let Field { value, path } = self;
        let read = match value {
            RequestValue::Null => visitor.visit_unit(),
            RequestValue::Bool(value) => visitor.visit_bool(value),
            RequestValue::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(number), ..) => visitor.visit_u64(number),
                (None, Some(number), _) => visitor.visit_i64(number),
                (None, None, number) => visitor.visit_f64(number.unwrap_or(f64::NAN)),
            },
            RequestValue::Text(text) | RequestValue::Parameter(text) => visitor.visit_string(text),
            // An enum with a tag would take the first item for the tag and the others for its fields.
            RequestValue::List(_) if is_tagged(&visitor) => {
                Err(RequestProblem::wrong("an object", de::Unexpected::Seq))
            }
            RequestValue::List(items) => visitor.visit_seq(Items { items: items.into_iter().enumerate(), path }),
            RequestValue::Object(fields) => {
                visitor.visit_map(Fields { fields: fields.into_iter(), current: None, path })
            }
        };
        read.map_err(|problem| problem.at(path))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RequestProblem> {
        match self.value {
            RequestValue::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, RequestProblem> {
        if let RequestValue::Parameter(text) = &self.value
            && let Ok(flag) = text.parse()
        {
            self.value = RequestValue::Bool(flag);
        }
        self.deserialize_any(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, RequestProblem> {
        self.object_only()?;
        self.deserialize_any(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, RequestProblem> {
        let path = self.path;
        match self.value {
            RequestValue::Text(text) | RequestValue::Parameter(text) => visitor.visit_enum(text.into_deserializer()),
            // The enums of requests have no content, or a tag beside it.
            other => Err(RequestProblem::choice(variants, other.unexpected())),
        }
        .map_err(|problem| problem.at(path))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, RequestProblem> {
        visitor.visit_newtype_struct(self)
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}

/// Whether the type is an enum whose tag is one of its fields. Only its description says so, because it asks for any
/// value.
fn is_tagged<'de>(visitor: &impl Visitor<'de>) -> bool {
    let expected: &dyn de::Expected = visitor;
    expected.to_string().starts_with("internally tagged enum")
}

/// The items of a list.
struct Items<'p> {
    items: Enumerate<IntoIter<RequestValue>>,
    path: &'p Path<'p>,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = RequestProblem;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, RequestProblem> {
        let Some((index, value)) = self.items.next() else { return Ok(None) };
        let path = Path::Item(self.path, index);
        // The fields of an enum with a tag are read from a copy, which does not know its place.
        seed.deserialize(Field { value, path: &path }).map(Some).map_err(|problem| problem.at(&path))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

/// The fields of an object.
struct Fields<'p> {
    fields: IntoIter<(String, RequestValue)>,
    /// The field whose value is read next.
    current: Option<(String, RequestValue)>,
    path: &'p Path<'p>,
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = RequestProblem;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, RequestProblem> {
        self.current = self.fields.next();
        let Some((name, _)) = &self.current else { return Ok(None) };
        seed.deserialize(name.clone().into_deserializer()).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, RequestProblem> {
        let (name, value) = self.current.take().expect("serde asks for the value of the field that it has read");
        let path = Path::Field(self.path, &name);
        seed.deserialize(Field { value, path: &path }).map_err(|problem| problem.at(&path))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Order {
        #[serde(default)]
        title: Option<String>,
        #[serde(default)]
        lines: Vec<Line>,
        #[serde(default)]
        gifts: Vec<Gift>,
        #[serde(default)]
        any: Value,
        #[serde(default)]
        prices: BTreeMap<String, f64>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Line {
        count: u32,
        #[serde(default)]
        unit: Unit,
        #[serde(default)]
        urgent: bool,
    }

    #[derive(Debug, Default, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Unit {
        #[default]
        Piece,
        Box,
    }

    #[derive(Debug, Deserialize)]
    #[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
    enum Gift {
        Card { text: String },
    }

    #[test]
    fn a_body_error_names_the_field_its_type_and_what_was_given() {
        let check = |body: Value, says: &str| {
            let error = from_body::<Order>(body.to_string().as_bytes()).unwrap_err();
            assert_eq!(error.to_string(), says, "{body}");
        };
        check(json!([null, []]), "the body: must be an object; given a list");
        check(json!("x"), "the body: must be an object; given \"x\"");
        check(json!({ "lines": "x" }), "lines: must be a list; given \"x\"");
        check(json!({ "lines": [[1]] }), "lines[0]: must be an object; given a list");
        check(
            json!({ "lines": [{ "count": 1 }, { "count": "two" }] }),
            "lines[1].count: must be a whole number from 0 to 4294967295; given \"two\"",
        );
        check(
            json!({ "lines": [{ "count": -1 }] }),
            "lines[0].count: must be a whole number from 0 to 4294967295; given the number -1",
        );
        check(
            json!({ "lines": [{ "count": 1.5 }] }),
            "lines[0].count: must be a whole number from 0 to 4294967295; given the number 1.5",
        );
        check(json!({ "lines": [{}] }), "lines[0].count: the field is missing");
        check(
            json!({ "lines": [{ "count": 1, "unit": "pallet" }] }),
            "lines[0].unit: must be one of piece, box; given \"pallet\"",
        );
        check(
            json!({ "lines": [{ "count": 1, "unit": 7 }] }),
            "lines[0].unit: must be one of piece, box; given the number 7",
        );
        check(
            json!({ "lines": [{ "count": 1, "urgent": null }] }),
            "lines[0].urgent: must be true or false; given null",
        );
        check(
            json!({ "lines": [{ "count": 1, "size": 2 }] }),
            "lines[0].size: there is no such field; the fields are count, unit, urgent",
        );
        check(json!({ "gifts": [["card", "x"]] }), "gifts[0]: must be an object; given a list");
        check(json!({ "gifts": [{ "type": "card", "text": [] }] }), "gifts[0]: must be a text; given a list");
        check(json!({ "gifts": [{ "text": "x" }] }), "gifts[0].type: the field is missing");
        check(json!({ "prices": { "a": 1, "b": "c" } }), "prices.b: must be a number; given \"c\"");
    }

    /// The value may be a password that was sent without quotation marks.
    #[test]
    fn a_number_in_place_of_a_text_is_not_repeated() {
        let error = from_body::<Order>(br#"{"title": 123456}"#).unwrap_err();
        assert_eq!(error.to_string(), "title: must be a text; given a number");
    }

    #[test]
    fn what_is_no_json_is_refused_with_its_position() {
        let check = |body: &str, says: &str| {
            assert_eq!(from_body::<Order>(body.as_bytes()).unwrap_err().to_string(), says, "{body}");
        };
        check("{\"lines\": [", "the body is not valid JSON: it ends before it is complete (line 1, column 11)");
        check("{\n\"a\" 1}", "the body is not valid JSON: expected `:` (line 2, column 5)");
        check(r#"{"title": "a", "title": "b"}"#, "title: the field is given twice");
    }

    #[test]
    fn a_body_keeps_values_of_any_type() {
        let any = json!({ "a": [1, -2, 2.5, null, true, "x", { "b": {} }] });
        let lines = json!([{ "count": 2, "unit": "box", "urgent": true }]);
        let gifts = json!([{ "type": "card", "text": "x" }]);
        let body = json!({ "any": any, "prices": { "a": 1 }, "gifts": gifts, "lines": lines });
        let order: Order = from_body(body.to_string().as_bytes()).unwrap();
        assert_eq!((order.title, order.any, order.prices["a"]), (None, any, 1.0));
        let [Line { count: 2, unit: Unit::Box, urgent: true }] = order.lines[..] else { panic!("{:?}", order.lines) };
        let [Gift::Card { text }] = &order.gifts[..] else { panic!("{:?}", order.gifts) };
        assert_eq!(text, "x");
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Search {
        #[serde(default)]
        page_size: Option<usize>,
        q: Option<String>,
        unit: Option<Unit>,
    }

    #[test]
    fn a_parameter_error_names_the_parameter_its_type_and_what_was_given() {
        let check = |query: &str, says: &str| {
            assert_eq!(from_query::<Search>(query).unwrap_err().to_string(), says, "{query}");
        };
        check("pageSize=x", "pageSize: must be a whole number of at least 0; given \"x\"");
        check("pageSize=", "pageSize: must be a whole number of at least 0; given \"\"");
        check("pageSize=-1", "pageSize: must be a whole number of at least 0; given the number -1");
        check("y=1", "y: there is no such parameter; the parameters are pageSize, q, unit");
        check("q=a&q=b", "q: the parameter is given twice");
        check("unit=pallet", "unit: must be one of piece, box; given \"pallet\"");
        let found: Search = from_query("pageSize=7&q=12%20x&unit=box").unwrap();
        assert_eq!((found.page_size, found.q.as_deref()), (Some(7), Some("12 x")));
        assert!(matches!(found.unit, Some(Unit::Box)));
    }
}
