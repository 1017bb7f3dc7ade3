//! The grammar of `--secret`: the source of a secret and the origins it may be typed into.
//!
//! ```text
//! SPEC   = SOURCE [ "@" PLACES ]
//! SOURCE = NAME              the variable LEGWORK_SECRET_NAME, else NAME, else the user's vault, else a prompt
//!        | "env:" NAME       the variable LEGWORK_SECRET_NAME, else the user's vault
//!        | NAME "=" PATH     the content of a file, without its last line break
//!        | "file:" PATH      every line NAME=value of a file
//! PLACES = ORIGIN { "," ORIGIN } | "*"      http(s)://host[:port]; without it, the origins in the vault, else the
//! origin
//!                                           of the workflow's url
//! NAME   = letter or _, then letters, digits, _ . -
//! ```

use std::{fmt, fs};

use legwork_vault::{StoredSecret, is_secret_name};
use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;
use url::Url;

use super::{SecretError, SecretSources};

/// Describes a secret that a run needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretSpec {
    /// Where its value comes from.
    pub source: Source,
    /// Where it may be typed.
    pub binding: Binding,
}

/// The source of a secret's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// `LEGWORK_SECRET_NAME`, else the variable `NAME`, else the user's vault, else a person.
    Named(String),
    /// Only `LEGWORK_SECRET_NAME`, else the user's vault: a client of the server supplies the name and must not be able
    /// to read any other variable of the environment.
    Prefixed(String),
    /// Only a person: the workflow names the secret, and the user did not grant it. A workflow file can come from
    /// anybody, and it chooses the site, so a name in it must not be enough to read a secret from the environment.
    Requested(String),
    /// The content of a file.
    File {
        /// The secret's name.
        name: String,
        /// The path of the file.
        path: String,
    },
    /// A file of `NAME=value` lines.
    Lines(String),
}

/// A secret that was read from its source.
#[derive(Clone, Debug)]
pub struct FetchedSecret {
    /// The name.
    pub name: String,
    /// The value, or the address of one-time codes.
    pub value: SecretString,
    /// Where it may be typed.
    pub binding: Binding,
}

/// The origins into which a secret may be typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Binding {
    /// The origin on which the run begins.
    #[default]
    Default,
    /// These origins.
    Origins(Vec<Url>),
    /// Any page, at the request of the user.
    Anywhere,
}

/// An invalid `--secret`. The error shows at most the name, because people write values there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    /// The name is missing or invalid.
    #[error("a secret's name consists of letters, digits, `_`, `.` and `-`: `--secret NAME[=FILE][@ORIGIN]`")]
    Name,
    /// The file name is missing.
    #[error("the file name is missing: `--secret NAME=FILE`")]
    Path,
    /// The text is not an origin.
    #[error("{text:?} is not an origin, such as https://example.org or http://localhost:8080")]
    Origin {
        /// The text after the `@`.
        text: String,
    },
}

/// The form that [`SecretSpec::parse`] reads. It contains no value.
impl fmt::Display for SecretSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Source::Named(name) | Source::Requested(name) => f.write_str(name)?,
            Source::Prefixed(name) => write!(f, "env:{name}")?,
            Source::File { name, path } => write!(f, "{name}={path}")?,
            Source::Lines(path) => write!(f, "file:{path}")?,
        }
        self.binding.fmt(f)
    }
}

/// The form that follows the source in `--secret`: nothing, `@*` or `@ORIGIN,…`.
impl fmt::Display for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Binding::Default => Ok(()),
            Binding::Anywhere => f.write_str("@*"),
            Binding::Origins(origins) => write!(f, "@{}", origins.iter().map(ascii).collect::<Vec<_>>().join(",")),
        }
    }
}

impl SecretSpec {
    /// Parses the value of `--secret`.
    pub fn parse(text: &str) -> Result<SecretSpec, SpecError> {
        let (source, binding) = match split_places(text.trim()) {
            (source, None) => (source, Binding::Default),
            (source, Some("*")) => (source, Binding::Anywhere),
            (source, Some(places)) => {
                (source, Binding::Origins(places.split(',').map(origin).collect::<Result<_, _>>()?))
            }
        };
        let source = if let Some(path) = source.strip_prefix("file:") {
            Source::Lines(some_path(path)?)
        } else if let Some(name) = source.strip_prefix("env:") {
            Source::Prefixed(some_name(name)?)
        } else if let Some((name, path)) = source.split_once('=') {
            Source::File { name: some_name(name)?, path: some_path(path)? }
        } else {
            Source::Named(some_name(source)?)
        };
        Ok(SecretSpec { source, binding })
    }

    /// A secret that the workflow names and the user did not grant: only a person can supply it.
    pub fn requested(name: &str) -> SecretSpec {
        SecretSpec { source: Source::Requested(name.to_owned()), binding: Binding::Default }
    }

    /// Whether only the workflow names it.
    pub fn is_requested(&self) -> bool {
        matches!(self.source, Source::Requested(_))
    }

    /// Whether this is the secret with this name, as far as that is known before the secret is read.
    pub fn gives(&self, name: &str) -> bool {
        match &self.source {
            Source::Named(own) | Source::Prefixed(own) | Source::Requested(own) | Source::File { name: own, .. } => {
                own == name
            }
            // The names in the file are known only when it is read, so it may contain this one.
            Source::Lines(_) => true,
        }
    }

    /// The secret, or several of a file of several.
    ///
    /// # Errors
    /// If no source has it, its file or the vault cannot be read, or the vault binds it to other origins.
    pub fn fetch(&self, sources: &mut SecretSources<'_>) -> Result<Vec<FetchedSecret>, SecretError> {
        let bound = |(name, value)| FetchedSecret { name, value, binding: self.binding.clone() };
        let one = |name: &String, value| Ok(vec![bound((name.clone(), value))]);
        match &self.source {
            Source::Named(name) | Source::Prefixed(name) => {
                let variable = variable_of(name);
                let own_name = || matches!(self.source, Source::Named(_)).then(|| (sources.env)(name)).flatten();
                if let Some(value) = (sources.env)(&variable).or_else(own_name) {
                    return one(name, SecretString::from(value));
                }
                if let Some(stored) = sources.stored(name)? {
                    return Ok(vec![self.bound_as_stored(stored)?]);
                }
                match (sources.prompt)(name) {
                    Some(value) => one(name, value),
                    None => Err(SecretError::Missing { name: name.clone(), variable }),
                }
            }
            Source::Requested(name) => match (sources.prompt)(name) {
                Some(value) => one(name, value),
                None => Err(SecretError::NotGranted { name: name.clone() }),
            },
            Source::File { name, path } => {
                let text = read(path)?;
                let text = text.expose_secret();
                let value = text.strip_suffix('\n').unwrap_or(text);
                one(name, SecretString::from(value.strip_suffix('\r').unwrap_or(value)))
            }
            Source::Lines(path) => Ok(lines(path, read(path)?.expose_secret())?.into_iter().map(bound).collect()),
        }
    }

    /// The stored secret with its origins. The specification can select some of them and add none: the owner of the
    /// vault bound the secret, and a request to a server may come from somebody else.
    fn bound_as_stored(&self, stored: StoredSecret) -> Result<FetchedSecret, SecretError> {
        let StoredSecret { name, value, origins, .. } = stored;
        let is_stored = |origin: &Url| origins.iter().any(|stored| stored.origin() == origin.origin());
        let refused = match &self.binding {
            Binding::Default => None,
            Binding::Origins(requested) => requested.iter().find(|origin| !is_stored(origin)).map(ascii),
            Binding::Anywhere => Some("every site".to_owned()),
        };
        if let Some(requested) = refused {
            let bound = origins.iter().map(ascii).collect::<Vec<_>>().join(", ");
            return Err(SecretError::StoredElsewhere { name, bound, requested });
        }
        let binding = match &self.binding {
            Binding::Origins(requested) => Binding::Origins(requested.clone()),
            Binding::Default | Binding::Anywhere => Binding::Origins(origins),
        };
        Ok(FetchedSecret { name, value, binding })
    }
}

fn ascii(origin: &Url) -> String {
    origin.origin().ascii_serialization()
}

fn read(path: &str) -> Result<SecretString, SecretError> {
    fs::read_to_string(path)
        .map(SecretString::from)
        .map_err(|source| SecretError::File { path: path.to_owned(), source })
}

/// Parses `NAME=value` lines as in dotenv files: comments, `export`, quotes around the value.
fn lines(path: &str, text: &str) -> Result<Vec<(String, SecretString)>, SecretError> {
    text.lines()
        .zip(1..)
        .map(|(line, number)| (line.trim(), number))
        .filter(|(line, _)| !line.is_empty() && !line.starts_with('#'))
        .map(|(line, number)| {
            let wrong = || SecretError::Line { path: path.to_owned(), line: number };
            let (name, value) = line.strip_prefix("export ").unwrap_or(line).split_once('=').ok_or_else(wrong)?;
            let (name, value) = (name.trim(), value.trim());
            let quoted = |quote: char| value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
            let value = quoted('"').or_else(|| quoted('\'')).unwrap_or(value);
            is_secret_name(name).then(|| (name.to_owned(), SecretString::from(value))).ok_or_else(wrong)
        })
        .collect()
}

/// `LEGWORK_SECRET_ADMIN_PW` for `admin-pw`.
pub(super) fn variable_of(name: &str) -> String {
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
    format!("LEGWORK_SECRET_{name}")
}

fn some_name(text: &str) -> Result<String, SpecError> {
    is_secret_name(text).then(|| text.to_owned()).ok_or(SpecError::Name)
}

fn some_path(text: &str) -> Result<String, SpecError> {
    if text.is_empty() { Err(SpecError::Path) } else { Ok(text.to_owned()) }
}

/// Splits off the origins. A path can contain an `@` too: only an `@` before an origin, or before `*` at the end,
/// begins the origins.
fn split_places(text: &str) -> (&str, Option<&str>) {
    if let Some(source) = text.strip_suffix("@*") {
        return (source, Some("*"));
    }
    let places = ["@http://", "@https://"].iter().filter_map(|sign| text.find(sign)).min();
    match places {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        // The text is not a path: it was meant as an origin, and it is not a valid one.
        None if !text.contains(['=', ':']) => {
            text.split_once('@').map_or((text, None), |(name, place)| (name, Some(place)))
        }
        None => (text, None),
    }
}

/// Parses an origin, such as `https://example.org`.
///
/// # Errors
/// If the text is no http or https address, or contains more than an origin.
pub fn origin(text: &str) -> Result<Url, SpecError> {
    let wrong = || SpecError::Origin { text: text.to_owned() };
    let url = Url::parse(text.trim()).map_err(|_| wrong())?;
    let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
    (matches!(url.scheme(), "http" | "https") && bare).then_some(url).ok_or_else(wrong)
}
