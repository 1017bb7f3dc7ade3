//! Why a body or a query cannot be read, in the words of a person who wrote it: the field, what it must be, and what was
//! given.

use std::{error::Error, fmt, ops::RangeInclusive};

use serde::de::{self, Unexpected};

/// Longest part of a given text that a message repeats, in characters.
const MAX_GIVEN: usize = 60;

/// The place of a value in a request.
pub(crate) enum Path<'a> {
    Root,
    Field(&'a Path<'a>, &'a str),
    Item(&'a Path<'a>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Root => Ok(()),
            Path::Field(Path::Root, name) => formatter.write_str(name),
            Path::Field(parent, name) => write!(formatter, "{parent}.{name}"),
            Path::Item(parent, index) => write!(formatter, "{parent}[{index}]"),
        }
    }
}

/// Why a request cannot be read.
#[derive(Debug)]
pub(crate) struct RequestProblem {
    /// The place of the value; absent until the code that knows it adds it.
    place: Option<String>,
    kind: Kind,
    /// What a field of the request is called.
    noun: &'static str,
}

#[derive(Debug)]
enum Kind {
    Wrong {
        must: String,
        given: String,
    },
    Unknown {
        name: String,
        known: Vec<String>,
    },
    Missing {
        name: String,
    },
    Repeated {
        name: String,
    },
    /// The type itself checks its values.
    Other(String),
    Syntax(String),
}

impl RequestProblem {
    fn new(kind: Kind) -> RequestProblem {
        RequestProblem { place: None, kind, noun: "field" }
    }

    /// A value of another type.
    pub(crate) fn wrong(must: &str, given: Unexpected<'_>) -> RequestProblem {
        let given = words_of(given, must == TEXT);
        RequestProblem::new(Kind::Wrong { must: must.to_owned(), given })
    }

    /// A value that is not among those of an enum.
    pub(crate) fn choice(values: &[&str], given: Unexpected<'_>) -> RequestProblem {
        let must = match values {
            [only] => (*only).to_owned(),
            _ => format!("one of {}", values.join(", ")),
        };
        RequestProblem::wrong(&must, given)
    }

    /// A field or parameter that is not known.
    pub(crate) fn unknown(name: &str, known: impl IntoIterator<Item = impl Into<String>>) -> RequestProblem {
        let known = known.into_iter().map(Into::into).collect();
        RequestProblem::new(Kind::Unknown { name: name.to_owned(), known })
    }

    /// A number outside of its limits.
    pub(crate) fn outside(name: &str, limits: &RangeInclusive<usize>, given: usize) -> RequestProblem {
        let must = match limits.end() {
            &usize::MAX => format!("a whole number of at least {}", limits.start()),
            end => format!("a whole number from {} to {end}", limits.start()),
        };
        RequestProblem::wrong(&must, Unexpected::Unsigned(given as u64)).named(name)
    }

    pub(crate) fn syntax(error: &serde_json::Error) -> RequestProblem {
        let (line, column) = (error.line(), error.column());
        let text = error.to_string();
        let reason = match error.classify() {
            serde_json::error::Category::Eof => "it ends before it is complete",
            _ => text.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&text),
        };
        RequestProblem::new(Kind::Syntax(format!("{reason} (line {line}, column {column})")))
    }

    /// Adds the place, unless an inner value has stated its own.
    pub(crate) fn at(mut self, path: &Path<'_>) -> RequestProblem {
        if self.place.is_none() {
            self.place = Some(path.to_string());
        }
        self
    }

    pub(crate) fn named(mut self, name: &str) -> RequestProblem {
        self.place = Some(name.to_owned());
        self
    }

    /// States what a field of the request is called.
    pub(crate) fn of(mut self, noun: &'static str) -> RequestProblem {
        self.noun = noun;
        self
    }

    /// The place of a field of the value.
    fn within(&self, name: &str) -> String {
        match self.place.as_deref() {
            None | Some("") => name.to_owned(),
            Some(place) => format!("{place}.{name}"),
        }
    }
}

impl fmt::Display for RequestProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place.as_deref().filter(|place| !place.is_empty());
        let noun = self.noun;
        match &self.kind {
            Kind::Wrong { must, given } => {
                write!(formatter, "{}: must be {must}; given {given}", place.unwrap_or("the request"))
            }
            Kind::Unknown { name, known } if known.is_empty() => {
                write!(formatter, "{}: there is no such {noun}; none are accepted here", self.within(name))
            }
            Kind::Unknown { name, known } => {
                let (name, known) = (self.within(name), known.join(", "));
                write!(formatter, "{name}: there is no such {noun}; the {noun}s are {known}")
            }
            Kind::Missing { name } => write!(formatter, "{}: the {noun} is missing", self.within(name)),
            Kind::Repeated { name } => write!(formatter, "{}: the {noun} is given twice", self.within(name)),
            Kind::Other(message) => match place {
                Some(place) => write!(formatter, "{place}: {message}"),
                None => formatter.write_str(message),
            },
            Kind::Syntax(reason) => write!(formatter, "{} is not valid JSON: {reason}", place.unwrap_or("the request")),
        }
    }
}

impl Error for RequestProblem {}

impl de::Error for RequestProblem {
    fn custom<T: fmt::Display>(message: T) -> Self {
        RequestProblem::new(Kind::Other(message.to_string()))
    }

    fn invalid_type(given: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        RequestProblem::wrong(&must_be(&expected.to_string()), given)
    }

    fn invalid_value(given: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        RequestProblem::wrong(&must_be(&expected.to_string()), given)
    }

    fn unknown_variant(given: &str, values: &'static [&'static str]) -> Self {
        RequestProblem::choice(values, Unexpected::Str(given))
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> Self {
        RequestProblem::unknown(name, known.iter().copied())
    }

    fn missing_field(name: &'static str) -> Self {
        RequestProblem::new(Kind::Missing { name: name.to_owned() })
    }

    fn duplicate_field(name: &'static str) -> Self {
        RequestProblem::new(Kind::Repeated { name: name.to_owned() })
    }
}

const TEXT: &str = "a text";

/// The type that serde expects, in plain words.
fn must_be(expected: &str) -> String {
    match expected {
        "a string" | "string" => TEXT,
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "u128" | "usize" => "a whole number of at least 0",
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a map" => "an object",
        _ if expected.starts_with("struct ") || expected.contains("enum ") => "an object",
        other => other,
    }
    .to_owned()
}

/// What was given. A number in place of a text is not repeated: it may be a password.
fn words_of(given: Unexpected<'_>, in_place_of_text: bool) -> String {
    match given {
        Unexpected::Unit | Unexpected::Option => "null".to_owned(),
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) if in_place_of_text => {
            "a number".to_owned()
        }
        Unexpected::Unsigned(number) => format!("the number {number}"),
        Unexpected::Signed(number) => format!("the number {number}"),
        Unexpected::Float(number) => format!("the number {number}"),
        Unexpected::Str(text) => match text.char_indices().nth(MAX_GIVEN) {
            Some((end, _)) => format!("{:?}", format!("{}…", &text[..end])),
            None => format!("{text:?}"),
        },
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "an object".to_owned(),
        other => other.to_string(),
    }
}
