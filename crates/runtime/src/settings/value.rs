//! The kinds of values of settings, and how to parse them: the same text means the same in a flag, a variable and a
//! file.

use std::{collections::BTreeMap, path::PathBuf, str::FromStr, time::Duration};

use email_address::EmailAddress;
use legwork_browser::{ProxyAddressError, UpstreamProxy};
use legwork_protocol::parse_duration;
use thiserror::Error;
use toml_edit::{Array, Item, Value as Toml};
use url::Url;

use super::keys::PROXY_PASSWORD;
use crate::policy::{InvalidRule, Policy};

/// Why a value of a setting is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ValueError {
    /// The text has another form.
    #[error("expected {expected}, found {found:?}{}", .near.map(|near| format!("; did you mean {near:?}?")).unwrap_or_default())]
    Unexpected {
        /// The expected form.
        expected: String,
        /// The text.
        found: String,
        /// The most similar valid word.
        near: Option<&'static str>,
    },
    /// The value in a file has another type.
    #[error("expected {expected}, found {found}")]
    WrongType {
        /// The expected type.
        expected: String,
        /// The type of the value.
        found: &'static str,
    },
    /// A URL contains a password.
    #[error("an address in the settings must not contain a password")]
    Password,
    /// A proxy's address contains a password.
    #[error(
        "the password of a proxy is not kept in the settings: write http://user@host:port and set {PROXY_PASSWORD}"
    )]
    ProxyPassword,
    /// The address of a proxy is invalid.
    #[error(transparent)]
    Proxy(ProxyAddressError),
    /// Prices are a table, which only a file can contain.
    #[error("prices are set in a file only")]
    PricesOutsideFile,
    /// Rules for domains are invalid.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Domains(Vec<InvalidRule>),
    /// The text is not the address of a sender or recipient of e-mail.
    #[error("{0:?} is not an e-mail address; write name@example.org or Name <name@example.org>")]
    Mailbox(String),
    /// The entry for a model's price is invalid.
    #[error(
        "the price of {model:?} needs `input` and `output` in US dollars for a million tokens, and may have `cached`"
    )]
    Price {
        /// The model.
        model: String,
    },
}

impl ValueError {
    fn unexpected(expected: impl Into<String>, found: &str) -> ValueError {
        ValueError::Unexpected { expected: expected.into(), found: found.to_owned(), near: None }
    }
}

/// The kind of a setting's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    Text,
    /// `true` or `false`.
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number.
    Count {
        /// The minimum.
        min: u64,
        /// The maximum.
        max: u64,
    },
    /// US dollars.
    Money,
    /// A number from 0 to 1.
    Share,
    /// Several of these words; their order matters.
    Choices(&'static [&'static str]),
    /// A duration: `90`, `90s`, `1.5m`, `500ms`, `2h`.
    Time,
    /// A size in bytes: `500000`, `500KB`, `100MB`, `2GB`.
    Bytes,
    /// Width and height: `1280x800`.
    Size,
    /// An http or https address.
    Url,
    /// The address of a proxy.
    Proxy,
    /// An e-mail address, with or without a name before it.
    Mailbox,
    /// `provider/name`.
    Model,
    /// Several models; each is used if the one before it fails.
    Models,
    /// A file or folder. `~/` is the home folder.
    Path,
    /// Several paths.
    Paths,
    /// Several texts, which are separated by commas outside of files.
    List,
    /// Several allowed domains.
    Domains,
    /// Several names of hosts, IP addresses or ranges of these.
    Hosts,
    /// A table of prices.
    Prices,
}

/// US dollars per million tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// Tokens of the prompt.
    pub input: f64,
    /// Tokens of the reply.
    pub output: f64,
    /// Tokens that the provider read from its cache. If absent, the price of `input` applies.
    pub cached: Option<f64>,
}

/// A setting's value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Not set, without a default.
    Nothing,
    /// Text, Choice, Url, Model.
    Text(String),
    /// Flag.
    Flag(bool),
    /// Count, Bytes.
    Count(u64),
    /// Money, Share.
    Number(f64),
    /// Time.
    Time(Duration),
    /// Size.
    Size(u32, u32),
    /// Path.
    Path(PathBuf),
    /// List, Domains, Hosts, Paths, Models, Choices.
    List(Vec<String>),
    /// Prices.
    Prices(BTreeMap<String, Price>),
}

impl Kind {
    /// A description for people.
    pub fn describe(self) -> String {
        match self {
            Kind::Text => "text".to_owned(),
            Kind::Flag => "true or false".to_owned(),
            Kind::Choice(words) => words.join(", "),
            Kind::Count { min, max } if max >= u32::MAX.into() => format!("number from {min}"),
            Kind::Count { min, max } => format!("number, {min}–{max}"),
            Kind::Money => "US dollars".to_owned(),
            Kind::Share => "number, 0–1".to_owned(),
            Kind::Choices(words) => format!("some of {}, in order", words.join(", ")),
            Kind::Time => "time (`90s`, `5m`)".to_owned(),
            Kind::Bytes => "size (`100MB`)".to_owned(),
            Kind::Size => "`WIDTHxHEIGHT`".to_owned(),
            Kind::Url => "http(s) address".to_owned(),
            Kind::Proxy => "`http://` or `socks5://` address".to_owned(),
            Kind::Mailbox => "e-mail address".to_owned(),
            Kind::Model => "`provider/name`".to_owned(),
            Kind::Models => "list of `provider/name`".to_owned(),
            Kind::Path => "path".to_owned(),
            Kind::Paths => "list of paths".to_owned(),
            Kind::List => "list".to_owned(),
            Kind::Domains => "list of domains".to_owned(),
            Kind::Hosts => "list of hosts".to_owned(),
            Kind::Prices => "table".to_owned(),
        }
    }

    /// Whether the text is a valid value in a flag or a variable.
    ///
    /// # Errors
    /// The expected value.
    pub fn check(self, text: &str) -> Result<(), ValueError> {
        self.read(text).map(drop)
    }

    /// Parses the text of a flag, a variable or a quoted value in a file. The error states what was expected.
    pub(super) fn read(self, text: &str) -> Result<Value, ValueError> {
        let text = text.trim();
        let expected = |what: &str| ValueError::unexpected(what, text);
        Ok(match self {
            Kind::Text => Value::Text(text.to_owned()),
            Kind::Flag => Value::Flag(match text.to_ascii_lowercase().as_str() {
                "true" | "1" | "yes" | "on" => true,
                "false" | "0" | "no" | "off" => false,
                _ => return Err(expected("true or false")),
            }),
            Kind::Choice(words) => {
                let word = text.to_ascii_lowercase();
                match words.contains(&word.as_str()) {
                    true => Value::Text(word),
                    false => {
                        return Err(ValueError::Unexpected {
                            expected: format!("one of {}", words.join(", ")),
                            found: text.to_owned(),
                            near: super::nearest(&word, words.iter().copied()),
                        });
                    }
                }
            }
            Kind::Count { min, max } => {
                let number: u64 = text.replace('_', "").parse().map_err(|_| expected("a whole number"))?;
                if number < min {
                    return Err(expected(&format!("at least {min}")));
                } else if number > max {
                    return Err(expected(&format!("at most {max}")));
                }
                Value::Count(number)
            }
            Kind::Money => Value::Number(
                text.trim_start_matches('$')
                    .parse()
                    .ok()
                    .filter(|dollars: &f64| dollars.is_finite() && *dollars > 0.0)
                    .ok_or_else(|| expected("US dollars such as 0.50"))?,
            ),
            Kind::Share => Value::Number(
                text.parse()
                    .ok()
                    .filter(|share: &f64| (0.0..=1.0).contains(share))
                    .ok_or_else(|| expected("a number from 0 to 1"))?,
            ),
            Kind::Choices(words) => chosen(parts(text), words)?,
            // The check of all timeouts also checks that the value is not zero.
            Kind::Time => Value::Time(parse_duration(text).ok_or_else(|| expected("a time such as 90s or 5m"))?),
            Kind::Bytes => Value::Count(bytes(text).ok_or_else(|| expected("a size such as 100MB"))?),
            Kind::Size => {
                let (width, height) = size(text).ok_or_else(|| expected("a size such as 1280x800"))?;
                Value::Size(width, height)
            }
            Kind::Url => match Url::parse(text) {
                Ok(url) if matches!(url.scheme(), "http" | "https") && url.password().is_none() => {
                    Value::Text(text.to_owned())
                }
                Ok(url) if url.password().is_some() => {
                    return Err(ValueError::Password);
                }
                _ => return Err(expected("an address such as http://localhost:8000/v1")),
            },
            Kind::Proxy if Url::parse(text).is_ok_and(|url| url.password().is_some()) => {
                return Err(ValueError::ProxyPassword);
            }
            Kind::Proxy => match UpstreamProxy::new(text, None, &[]) {
                Ok(_) => Value::Text(text.to_owned()),
                Err(error) => return Err(ValueError::Proxy(error)),
            },
            Kind::Mailbox if EmailAddress::from_str(text).is_ok() => Value::Text(text.to_owned()),
            Kind::Mailbox => return Err(ValueError::Mailbox(text.to_owned())),
            Kind::Model if is_model(text) => Value::Text(text.to_owned()),
            Kind::Model => return Err(expected("a model as provider/name, such as openai/gpt-5")),
            Kind::Models => models(parts(text))?,
            Kind::Path => Value::Path(PathBuf::from(text)),
            Kind::Paths | Kind::Hosts => Value::List(parts(text)),
            // Browser arguments can contain commas, so they are separated by whitespace in a flag or a variable.
            Kind::List => Value::List(text.split_whitespace().map(str::to_owned).collect()),
            Kind::Domains => domains(parts(text))?,
            Kind::Prices => return Err(ValueError::PricesOutsideFile),
        })
    }

    /// Parses a value in a file.
    pub(super) fn read_toml(self, item: &Item) -> Result<Value, ValueError> {
        match (self, item) {
            (Kind::Prices, item) => prices(item),
            (
                Kind::List | Kind::Domains | Kind::Hosts | Kind::Paths | Kind::Models | Kind::Choices(_),
                Item::Value(Toml::Array(array)),
            ) => {
                let texts = array
                    .iter()
                    .map(|value| {
                        let wrong = || ValueError::WrongType {
                            expected: "a list of texts".to_owned(),
                            found: value.type_name(),
                        };
                        value.as_str().map(str::to_owned).ok_or_else(wrong)
                    })
                    .collect::<Result<Vec<_>, _>>()?;
                match self {
                    Kind::Domains => domains(texts),
                    Kind::Models => models(texts),
                    Kind::Choices(words) => chosen(texts, words),
                    _ => Ok(Value::List(texts)),
                }
            }
            (_, Item::Value(Toml::String(text))) => self.read(text.value()),
            (Kind::Flag, Item::Value(Toml::Boolean(flag))) => Ok(Value::Flag(*flag.value())),
            (
                Kind::Count { .. } | Kind::Money | Kind::Share | Kind::Time | Kind::Bytes,
                Item::Value(Toml::Integer(number)),
            ) => self.read(&number.value().to_string()),
            (Kind::Money | Kind::Share | Kind::Time, Item::Value(Toml::Float(number))) => {
                self.read(&number.value().to_string())
            }
            (_, item) => Err(ValueError::WrongType { expected: self.describe(), found: item.type_name() }),
        }
    }

    /// The value in the notation of a file.
    pub(super) fn to_toml(self, value: &Value) -> Toml {
        match (self, value) {
            (_, Value::Flag(flag)) => Toml::from(*flag),
            (Kind::Count { .. }, Value::Count(number)) => {
                i64::try_from(*number).map_or_else(|_| Toml::from(number.to_string()), Toml::from)
            }
            (_, Value::Number(number)) => Toml::from(*number),
            (_, Value::List(texts)) => Toml::from(texts.iter().map(String::as_str).collect::<Array>()),
            (_, value) => Toml::from(value.show()),
        }
    }
}

impl Value {
    /// The value for people, which can be parsed again.
    pub fn show(&self) -> String {
        match self {
            Value::Nothing => String::new(),
            Value::Text(text) => text.clone(),
            Value::Flag(flag) => flag.to_string(),
            Value::Count(number) => number.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Time(time) if time.subsec_millis() > 0 => format!("{}ms", time.as_millis()),
            Value::Time(time) => format!("{}s", time.as_secs()),
            Value::Size(width, height) => format!("{width}x{height}"),
            Value::Path(path) => path.display().to_string(),
            Value::List(texts) => texts.join(","),
            Value::Prices(prices) => prices.keys().cloned().collect::<Vec<_>>().join(","),
        }
    }
}

fn parts(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn is_model(text: &str) -> bool {
    text.split_once('/').is_some_and(|(provider, name)| !provider.is_empty() && !name.is_empty())
}

fn models(texts: Vec<String>) -> Result<Value, ValueError> {
    match texts.iter().find(|text| !is_model(text)) {
        Some(bad) => Err(ValueError::unexpected("models as provider/name, separated by commas", bad)),
        None => Ok(Value::List(texts)),
    }
}

/// The list, if every text is one of the words and none occurs twice.
fn chosen(texts: Vec<String>, words: &[&str]) -> Result<Value, ValueError> {
    let wrong =
        texts.iter().enumerate().find(|(at, text)| !words.contains(&text.as_str()) || texts[..*at].contains(text));
    match wrong {
        Some((_, text)) => Err(ValueError::unexpected(format!("some of {}, each once", words.join(", ")), text)),
        None => Ok(Value::List(texts)),
    }
}

fn domains(texts: Vec<String>) -> Result<Value, ValueError> {
    Policy::only(&texts).map_err(ValueError::Domains)?;
    Ok(Value::List(texts))
}

/// A size in decimal units, as for disks and downloads.
fn bytes(text: &str) -> Option<u64> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let number: f64 = text[..split].trim().parse().ok()?;
    let unit = match text[split..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "kib" => 1024.0,
        "mib" => 1_048_576.0,
        "gib" => 1_073_741_824.0,
        _ => return None,
    };
    let bytes = number * unit;
    (bytes.is_finite() && (1.0..=1e15).contains(&bytes)).then_some(bytes as u64)
}

fn size(text: &str) -> Option<(u32, u32)> {
    let (width, height) = text.split_once(['x', 'X', '×', ','])?;
    let side = |text: &str| text.trim().parse().ok().filter(|pixels| (100..=10_000).contains(pixels));
    Some((side(width)?, side(height)?))
}

fn prices(item: &Item) -> Result<Value, ValueError> {
    let wrong_type = || ValueError::WrongType { expected: "a table of models".to_owned(), found: item.type_name() };
    let table = item.as_table_like().ok_or_else(wrong_type)?;
    table
        .iter()
        .map(|(model, item)| {
            let wrong = || ValueError::Price { model: model.to_owned() };
            let parts = item.as_table_like().ok_or_else(wrong)?;
            let number = |key: &str| {
                parts
                    .get(key)
                    .and_then(|item| item.as_float().or_else(|| item.as_integer().map(|number| number as f64)))
            };
            let known = parts.iter().all(|(key, _)| matches!(key, "input" | "output" | "cached"));
            let price = Price {
                input: number("input").ok_or_else(wrong)?,
                output: number("output").ok_or_else(wrong)?,
                cached: number("cached"),
            };
            let sensible = [price.input, price.output, price.cached.unwrap_or(0.0)]
                .iter()
                .all(|dollars| dollars.is_finite() && *dollars >= 0.0);
            if known && sensible { Ok((model.to_owned(), price)) } else { Err(wrong()) }
        })
        .collect::<Result<_, _>>()
        .map(Value::Prices)
}
