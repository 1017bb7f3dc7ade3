//! Scopes: what a token may do. No scope includes another one.

use std::{collections::BTreeSet, fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// One kind of operation. A token may carry out those whose scopes it has, and no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TokenScope {
    /// Read runs, their streams and pictures, statistics, and settings without the values of keys.
    Read,
    /// Start runs. Over MCP: use pages.
    Run,
    /// Pause, resume and cancel runs, and answer their questions.
    Steer,
    /// Change settings and schedules; delete runs and lessons.
    Admin,
}

impl TokenScope {
    /// All scopes.
    pub const ALL: [TokenScope; 4] = [TokenScope::Read, TokenScope::Run, TokenScope::Steer, TokenScope::Admin];

    /// The name, as in `--scope`.
    pub fn name(self) -> &'static str {
        match self {
            TokenScope::Read => "read",
            TokenScope::Run => "run",
            TokenScope::Steer => "steer",
            TokenScope::Admin => "admin",
        }
    }
}

impl fmt::Display for TokenScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text is not a scope.
#[derive(Debug, Error)]
#[error("{0:?} is not a scope; use read, run, steer or admin")]
pub struct UnknownScope(String);

impl FromStr for TokenScope {
    type Err = UnknownScope;

    fn from_str(text: &str) -> Result<TokenScope, UnknownScope> {
        let found = TokenScope::ALL.into_iter().find(|scope| scope.name() == text);
        found.ok_or_else(|| UnknownScope(text.to_owned()))
    }
}

/// The scopes of a token.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Scopes(BTreeSet<TokenScope>);

impl Scopes {
    /// All scopes: those of the token of the server itself.
    pub fn all() -> Scopes {
        TokenScope::ALL.into_iter().collect()
    }

    /// Whether the scope is one of them.
    pub fn contains(&self, scope: TokenScope) -> bool {
        self.0.contains(&scope)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<TokenScope> for Scopes {
    fn from_iter<I: IntoIterator<Item = TokenScope>>(scopes: I) -> Scopes {
        Scopes(scopes.into_iter().collect())
    }
}

/// As in `--scope`: `read,run`.
impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|scope| scope.name()).collect();
        f.write_str(&names.join(","))
    }
}
