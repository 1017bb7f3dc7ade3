//! The identity of a caller whose request a server accepts.

use std::sync::Arc;

use crate::{Grant, Scopes, TokenScope};

/// Who sent a request.
#[derive(Clone, Debug)]
pub enum Identity {
    /// The holder of the server's own token, with all scopes.
    Owner {
        /// How the audit log names the token.
        name: &'static str,
    },
    /// The holder of a token that was created.
    Token(Arc<Grant>),
}

impl Identity {
    /// The scopes of the caller.
    pub fn scopes(&self) -> Scopes {
        match self {
            Identity::Owner { .. } => Scopes::all(),
            Identity::Token(grant) => grant.record.scopes.clone(),
        }
    }

    /// Whether the caller has the scope.
    pub fn has(&self, scope: TokenScope) -> bool {
        match self {
            Identity::Owner { .. } => true,
            Identity::Token(grant) => grant.record.scopes.contains(scope),
        }
    }

    /// The name of the token.
    pub fn name(&self) -> &str {
        match self {
            Identity::Owner { name } => name,
            Identity::Token(grant) => &grant.record.name,
        }
    }

    /// The token, if it was created and can be revoked.
    pub fn grant(&self) -> Option<&Arc<Grant>> {
        match self {
            Identity::Owner { .. } => None,
            Identity::Token(grant) => Some(grant),
        }
    }
}
