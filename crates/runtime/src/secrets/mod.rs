//! Secrets by name. A secret is a handle, `${secret:NAME}`, until it is typed into a page of an origin that it is bound
//! to.
//!
//! [`SecretSpec`] describes the source of a value; one of the sources is the user's encrypted file ([`UserVault`]).
//! [`RunSecrets`] holds the values of one run: it stores the value, reveals it to its origins, and masks it in
//! everything that leaves the browser: observations, results, errors. Values are zeroed when they are dropped; the
//! masking tables are freed without being zeroed.

mod mask;
mod spec;
mod spellings;
mod user_vault;

use std::{
    collections::{BTreeMap, HashSet},
    fmt,
    sync::Arc,
};

use jiff::Timestamp;
use legwork_vault::OneTimeCodeKey;
use legwork_vault::is_secret_name;
pub use legwork_vault::{AskPassphrase, OneTimeCodeError, StoredSecret, VaultFile, VaultFileError};
use parking_lot::RwLock;
use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;
use url::Url;

use self::mask::Masks;
pub use self::{
    mask::{HiddenValues, SHORTEST_MASKED},
    spec::{Binding, FetchedSecret, SecretSpec, Source, SpecError, origin},
    user_vault::{SecretSources, UserVault},
};

/// The longest secret in bytes. The tables that mask a value are many times as large.
const LONGEST_SECRET: usize = 64 * 1024;

/// Why a secret is not typed. The text never contains a value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SecretDenied {
    /// The secret does not exist.
    #[error("there is no secret {name:?}{}; give it with `--secret {name}`, or list it under `secrets` in a request", nearest(.known))]
    Unknown {
        /// The name that was requested.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// The secret is bound to other origins.
    #[error(
        "secret {name} is bound to {bound}, and this page is {origin}; if that is meant, bind it to this origin: `{name}@{origin}` (`--secret`, or `secrets` in a request)"
    )]
    Elsewhere {
        /// The secret's name.
        name: String,
        /// The origins into which it may be typed.
        bound: String,
        /// The origin of the page.
        origin: String,
    },
    /// The secret has no origin, and the run has no first page that could supply one.
    #[error(
        "secret {name} is not bound to a site, because the run has no start address; give the run a start address, or use `--secret {name}@{origin}`, or list `{name}@{origin}` under `secrets` in a request"
    )]
    Unbound {
        /// The secret's name.
        name: String,
        /// The origin of the page.
        origin: String,
    },
}

fn nearest(known: &[String]) -> String {
    if known.is_empty() { String::new() } else { format!(" (there is {})", known.join(", ")) }
}

/// Why a secret could not be obtained.
#[derive(Debug, Error)]
pub enum SecretError {
    /// None of its sources has it.
    #[error(
        "secret {name} is not given: store it with `legwork vault add {name} --origin ORIGIN`, set the variable {variable}, or use `--secret {name}=FILE`"
    )]
    Missing {
        /// The secret's name.
        name: String,
        /// The environment variable that was read.
        variable: String,
    },
    /// The workflow names it, and the user did not grant it.
    #[error(
        "the workflow uses the secret {name}, which was not granted: add `--secret {name}`, or list it under `secrets` in a request"
    )]
    NotGranted {
        /// The secret's name.
        name: String,
    },
    /// Its file cannot be read.
    #[error("the secrets file {path} cannot be read")]
    File {
        /// The path of the file.
        path: String,
        /// The error of the system.
        #[source]
        source: std::io::Error,
    },
    /// A line that is not `NAME=value`. The error does not show the line, because it may contain the value.
    #[error("{path}:{line}: expected NAME=value")]
    Line {
        /// The file.
        path: String,
        /// The number of the line.
        line: usize,
    },
    /// The vault binds the secret to other origins.
    #[error(
        "the vault binds the secret {name} to {bound}, and not to {requested}; to change that: `legwork vault add {name} --replace --origin ORIGIN`"
    )]
    StoredElsewhere {
        /// The secret's name.
        name: String,
        /// The origins in the vault.
        bound: String,
        /// The requested origin.
        requested: String,
    },
    /// The vault cannot be read.
    #[error("secret {name} cannot be read from the vault: {source}; {}", source.hint())]
    Stored {
        /// The secret's name.
        name: String,
        /// What is wrong with the vault.
        source: VaultFileError,
    },
    /// The value is an address of one-time codes, and a malformed one.
    #[error("secret {name}: {source}")]
    OneTimeCode {
        /// The secret's name.
        name: String,
        /// What is wrong with the address.
        source: OneTimeCodeError,
    },
    /// The secret is too long to be masked.
    #[error("secret {name} has more than {LONGEST_SECRET} bytes; is it the right file?")]
    TooLong {
        /// The secret's name.
        name: String,
    },
    /// The secret is empty.
    #[error("secret {name} is empty")]
    Empty {
        /// The secret's name.
        name: String,
    },
}

struct RunSecret {
    value: SecretString,
    one_time: Option<OneTimeCodes>,
    binding: Binding,
}

/// The codes of a secret whose value is an address of one-time codes.
struct OneTimeCodes {
    key: OneTimeCodeKey,
    /// The codes that were typed; all are masked.
    typed: Vec<SecretString>,
}

impl RunSecret {
    fn new(value: SecretString, binding: Binding) -> Result<RunSecret, OneTimeCodeError> {
        let address = value.expose_secret();
        let key = OneTimeCodeKey::is_address(address).then(|| OneTimeCodeKey::parse(address)).transpose()?;
        let one_time = key.map(|key| OneTimeCodes { key, typed: Vec::new() });
        Ok(RunSecret { value, one_time, binding })
    }

    /// What is typed for the handle: the value, or the newest code.
    fn typed(&self) -> &str {
        let code = self.one_time.as_ref().and_then(|codes| codes.typed.last());
        code.unwrap_or(&self.value).expose_secret()
    }

    /// The value and the codes, which must not be shown.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let codes = self.one_time.iter().flat_map(|codes| &codes.typed);
        std::iter::once(&self.value).chain(codes).map(ExposeSecret::expose_secret)
    }
}

#[derive(Default)]
struct Inner {
    entries: BTreeMap<String, RunSecret>,
    /// The origin for [`Binding::Default`].
    default: Option<Url>,
    masks: Arc<Masks>,
    hidden: HiddenValues,
    /// The indices of the hidden values that are secrets of the run itself.
    own_hidden: Arc<HashSet<usize>>,
}

/// The secrets of a run.
#[derive(Default)]
pub struct RunSecrets(RwLock<Inner>);

impl RunSecrets {
    /// No secrets. `default` is the page that the run begins on: secrets without a binding of their own
    /// are bound to its origin.
    pub fn new(default: Option<&Url>) -> Self {
        RunSecrets(RwLock::new(Inner { default: default.cloned(), ..Inner::default() }))
    }

    /// Reads the secrets from their sources. Returns warnings for the user; the error lists every problem.
    pub fn gather(
        &self,
        specs: &[SecretSpec],
        sources: &mut SecretSources<'_>,
    ) -> Result<Vec<String>, Vec<SecretError>> {
        let (mut warnings, mut problems, mut added) = (Vec::new(), Vec::new(), Vec::new());
        for spec in specs {
            match spec.fetch(sources) {
                Err(problem) => problems.push(problem),
                Ok(found) => {
                    for FetchedSecret { name, value, binding } in found {
                        if value.expose_secret().is_empty() {
                            problems.push(SecretError::Empty { name });
                        } else if value.expose_secret().len() > LONGEST_SECRET {
                            problems.push(SecretError::TooLong { name });
                        } else {
                            warnings.extend(mask::warning(&name, value.expose_secret()));
                            match RunSecret::new(value, binding) {
                                Ok(entry) => added.push((name, entry)),
                                Err(source) => problems.push(SecretError::OneTimeCode { name, source }),
                            }
                        }
                    }
                }
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        self.0.write().add(added);
        Ok(warnings)
    }

    /// Adds or replaces a secret, for example the answer to a secret question. Returns a warning for the user, if there
    /// is one.
    pub fn put(&self, name: &str, value: SecretString, binding: Binding) -> Option<String> {
        let warning = mask::warning(name, value.expose_secret());
        let text = || RunSecret { value: value.clone(), one_time: None, binding: binding.clone() };
        let entry = RunSecret::new(value.clone(), binding.clone()).unwrap_or_else(|_| text());
        self.0.write().add([(name.to_owned(), entry)]);
        warning
    }

    /// Sets the origin for secrets without a binding of their own, when it becomes known.
    pub fn bind_default(&self, url: &Url) {
        self.0.write().default = Some(url.clone());
    }

    /// Whether there is an origin for secrets without a binding of their own.
    pub(crate) fn has_default(&self) -> bool {
        self.0.read().default.is_some()
    }

    /// The names of the secrets, never their values.
    pub fn names(&self) -> Vec<String> {
        self.0.read().entries.keys().cloned().collect()
    }

    /// The origins that the user named for secrets. The default origin is the start of a run and not among them.
    pub(crate) fn bound_origins(&self) -> Vec<Url> {
        let bound = |entry: &RunSecret| match &entry.binding {
            Binding::Origins(origins) => origins.clone(),
            Binding::Default | Binding::Anywhere => Vec::new(),
        };
        self.0.read().entries.values().flat_map(bound).collect()
    }

    /// The text with each `${secret:NAME}` replaced by its value, for typing into a page of `origin`. In place of an
    /// address of one-time codes, the text contains the code of this moment.
    pub fn reveal(&self, text: &str, origin: &Url) -> Result<SecretString, SecretDenied> {
        self.reveal_at(text, origin, Timestamp::now())
    }

    fn reveal_at(&self, text: &str, origin: &Url, now: Timestamp) -> Result<SecretString, SecretDenied> {
        self.0.write().add_codes(text, origin, now)?;
        let inner = self.0.read();
        let mut revealed = Vec::new();
        let mut rest = text;
        while let Some((before, name, after)) = next_handle(rest) {
            revealed.push(before);
            revealed.push(inner.permitted(name, origin)?.typed());
            rest = after;
        }
        revealed.push(rest);
        // One concatenation, because a growing string would leave copies of the value in freed memory.
        Ok(SecretString::from(revealed.concat()))
    }

    /// Whether the text contains a handle.
    pub fn holds_secret(&self, text: &str) -> bool {
        next_handle(text).is_some()
    }

    /// Hides these values as well. They have no handle: `••••` is shown in their place.
    pub fn hide(&self, values: HiddenValues) {
        let mut inner = self.0.write();
        inner.hidden = values;
        inner.mask_all();
    }

    /// Replaces the values, and their usual encodings, by their handles.
    pub fn mask(&self, text: &mut String) {
        let (masks, hidden, own) = {
            let inner = self.0.read();
            (inner.masks.clone(), inner.hidden.clone(), inner.own_hidden.clone())
        };
        if !hidden.is_empty() {
            // A hidden value may be a part of a handle, or contain a value of this run.
            *text = outside_handles(text, |part| hidden.apply(part, &own));
        }
        masks.apply(text);
    }
}

impl Inner {
    /// Adds secrets and builds the masks once for all of them.
    fn add(&mut self, entries: impl IntoIterator<Item = (String, RunSecret)>) {
        self.entries.extend(entries);
        self.mask_all();
    }

    fn mask_all(&mut self) {
        let texts = self.entries.iter().flat_map(|(name, entry)| entry.texts().map(move |text| (name.as_str(), text)));
        self.masks = Arc::new(Masks::of(texts));
        self.own_hidden = Arc::new(self.hidden.indices_of(self.entries.values().flat_map(RunSecret::texts)));
    }

    /// Computes the one-time codes that the text names, and masks them before they are typed.
    fn add_codes(&mut self, text: &str, origin: &Url, now: Timestamp) -> Result<(), SecretDenied> {
        let mut is_new = false;
        for name in handles_in(text) {
            self.permitted(name, origin)?;
            let codes = self.entries.get_mut(name).and_then(|entry| entry.one_time.as_mut());
            if let Some(OneTimeCodes { key, typed }) = codes {
                let code = key.code(now.as_second().try_into().unwrap_or_default());
                if typed.last().is_none_or(|last| last.expose_secret() != code) {
                    typed.push(code.into());
                    is_new = true;
                }
            }
        }
        if is_new {
            self.mask_all();
        }
        Ok(())
    }

    /// The secret, if it may be typed into a page of this origin.
    fn permitted(&self, name: &str, origin: &Url) -> Result<&RunSecret, SecretDenied> {
        let Some(entry) = self.entries.get(name) else {
            return Err(SecretDenied::Unknown { name: name.to_owned(), known: self.entries.keys().cloned().collect() });
        };
        let here = origin.origin();
        let (name, shown) = (name.to_owned(), here.ascii_serialization());
        // A page without an origin (`data:`, a sandboxed frame) matches no binding except `@*`.
        match &entry.binding {
            Binding::Anywhere => Ok(entry),
            Binding::Origins(origins) if here.is_tuple() && origins.iter().any(|bound| bound.origin() == here) => {
                Ok(entry)
            }
            Binding::Origins(origins) => {
                let bound: Vec<_> = origins.iter().map(|bound| bound.origin().ascii_serialization()).collect();
                Err(SecretDenied::Elsewhere { name, bound: bound.join(", "), origin: shown })
            }
            Binding::Default => match &self.default {
                Some(bound) if here.is_tuple() && bound.origin() == here => Ok(entry),
                Some(bound) => {
                    Err(SecretDenied::Elsewhere { name, bound: bound.origin().ascii_serialization(), origin: shown })
                }
                None => Err(SecretDenied::Unbound { name, origin: shown }),
            },
        }
    }
}

impl fmt::Debug for RunSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunSecrets").field("names", &self.names()).finish_non_exhaustive()
    }
}

/// The forms in which a page or an address can show a value.
pub(crate) fn forms_of(value: &str) -> Vec<String> {
    spellings::spellings(value).into_iter().map(|spelling| spelling.text).collect()
}

/// A text with its letters rotated by 13, which is its own reverse.
pub(crate) fn rot13(text: &str) -> String {
    text.chars().map(spellings::rot13).collect()
}

/// The names of the secrets whose handles occur in a text.
pub fn handles_in(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut rest = text;
    while let Some((_, name, after)) = next_handle(rest) {
        names.push(name);
        rest = after;
    }
    names
}

/// The text, changed everywhere but in its handles.
fn outside_handles(text: &str, change: impl Fn(&mut String)) -> String {
    let changed = |part: &str| {
        let mut part = part.to_owned();
        change(&mut part);
        part
    };
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, name, after)) = next_handle(rest) {
        out.push_str(&changed(before));
        out.push_str(&format!("${{secret:{name}}}"));
        rest = after;
    }
    out.push_str(&changed(rest));
    out
}

/// The text before the first handle, the name of the handle, and the text after it.
fn next_handle(text: &str) -> Option<(&str, &str, &str)> {
    const OPENING: &str = "${secret:";
    let mut from = 0;
    while let Some(found) = text[from..].find(OPENING) {
        let start = from + found;
        let name = start + OPENING.len();
        if let Some(length) = text[name..].find('}')
            && is_secret_name(&text[name..name + length])
        {
            return Some((&text[..start], &text[name..name + length], &text[name + length + 1..]));
        }
        from = name;
    }
    None
}

#[cfg(test)]
mod tests;
