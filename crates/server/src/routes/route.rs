//! The declaration of a route, from which the router and the OpenAPI document are built.

use std::{collections::BTreeSet, sync::Arc};

use axum::{
    handler::Handler,
    routing::{self, MethodRouter},
};
use legwork_access::TokenScope;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::app::App;

type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// The JSON object that a route takes as its body.
#[derive(Clone, Copy)]
pub(crate) struct RequestBody {
    pub(crate) schema: SchemaOf,
    pub(crate) example: fn() -> Value,
    /// Reads a body as the route does.
    #[cfg(test)]
    pub(crate) check: fn(&[u8]) -> Result<(), crate::request_problem::RequestProblem>,
}

/// Who may use a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Everyone, without authentication.
    Open,
    /// Everyone who is authenticated, whatever the scopes.
    Authenticated,
    /// Callers with this scope.
    Scope(TokenScope),
}

/// The response of a route.
#[derive(Clone, Copy)]
pub(crate) enum ResponseKind {
    /// Data in the envelope.
    Data(SchemaOf),
    /// Data in the envelope, with a status that states that the request is not completed yet.
    Accepted(SchemaOf),
    /// Content of this media type, without an envelope.
    Bytes(&'static str),
    /// Server-sent events. The data of each event that is not for display only has this type.
    Stream(SchemaOf),
    /// An upgrade to another protocol.
    Upgrade,
}

/// A request header that a route reads.
#[derive(Clone, Copy)]
pub(crate) struct HeaderParameter {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
}

/// A route.
pub(crate) struct Route {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) about: &'static str,
    /// The group of routes to which it belongs in the documentation.
    pub(crate) tag: &'static str,
    pub(crate) request_body: Option<RequestBody>,
    /// Whether the body is a file instead of JSON.
    pub(crate) takes_file: bool,
    pub(crate) response: ResponseKind,
    /// The type whose fields are the query parameters.
    pub(crate) query: Option<SchemaOf>,
    pub(crate) headers: Vec<HeaderParameter>,
    /// The statuses with which its handler refuses requests, besides those that follow from its path, body and access.
    pub(super) refusals: &'static [u16],
    pub(crate) access: Access,
    /// Whether the audit log has an entry for every request. By default, that follows from the method.
    pub(crate) acts: bool,
    pub(super) router: MethodRouter<Arc<App>>,
}

macro_rules! methods {
    ($($name:ident)*) => { $(
        pub(super) fn $name<H: Handler<T, Arc<App>>, T: 'static>(
            access: Access,
            path: &'static str,
            about: &'static str,
            handler: H,
        ) -> Route {
            Route {
                method: stringify!($name),
                path,
                about,
                tag: "",
                request_body: None,
                takes_file: false,
                response: ResponseKind::Data(|_| Schema::default()),
                query: None,
                headers: Vec::new(),
                refusals: &[],
                access,
                acts: !matches!(stringify!($name), "get"),
                router: routing::$name(handler),
            }
        }
    )* };
}
methods! { get post put delete }

/// The access of most routes.
pub(super) const READ: Access = Access::Scope(TokenScope::Read);
pub(super) const RUN: Access = Access::Scope(TokenScope::Run);
pub(super) const STEER: Access = Access::Scope(TokenScope::Steer);
pub(super) const ADMIN: Access = Access::Scope(TokenScope::Admin);

impl Route {
    /// Every request to it is in the audit log, although its method changes nothing by itself.
    pub(super) fn acts(mut self) -> Self {
        self.acts = true;
        self
    }

    /// A request to it is in the audit log only if it is refused or if its handler states the run.
    pub(super) fn acts_at_times(mut self) -> Self {
        self.acts = false;
        self
    }

    pub(super) fn request_body<T: JsonSchema + DeserializeOwned>(mut self, example: fn() -> Value) -> Self {
        self.request_body = Some(RequestBody {
            schema: |generator| generator.subschema_for::<T>(),
            example,
            #[cfg(test)]
            check: |bytes| crate::request_value::from_body::<T>(bytes).map(drop),
        });
        self
    }

    /// Adds statuses with which the handler refuses requests.
    pub(super) fn refuses(mut self, statuses: &'static [u16]) -> Self {
        self.refusals = statuses;
        self
    }

    /// All statuses with which a request is refused.
    pub(crate) fn refusals(&self) -> BTreeSet<u16> {
        // Unknown parameters, a foreign Host or Origin, and too many requests are refused everywhere.
        let mut all = BTreeSet::from([400, 403, 429]);
        all.extend(self.refusals);
        if self.access != Access::Open {
            all.insert(401);
        }
        if self.path.contains('{') {
            all.insert(404);
        }
        if self.method != "get" {
            all.extend([408, 413]);
            // The rows of a file have a media type of their own.
            if !self.takes_file {
                all.insert(415);
            }
        }
        all
    }

    pub(super) fn file_body(mut self) -> Self {
        self.takes_file = true;
        self
    }

    pub(super) fn response<T: JsonSchema>(mut self) -> Self {
        self.response = ResponseKind::Data(|generator| generator.subschema_for::<T>());
        self
    }

    pub(super) fn accepts<T: JsonSchema>(mut self) -> Self {
        self.response = ResponseKind::Accepted(|generator| generator.subschema_for::<T>());
        self
    }

    pub(super) fn bytes(mut self, media_type: &'static str) -> Self {
        self.response = ResponseKind::Bytes(media_type);
        self
    }

    pub(super) fn stream<T: JsonSchema>(mut self) -> Self {
        self.response = ResponseKind::Stream(|generator| generator.subschema_for::<T>());
        self
    }

    pub(super) fn query<T: JsonSchema>(mut self) -> Self {
        self.query = Some(|generator| T::json_schema(generator));
        self
    }

    /// The names of the query parameters.
    pub(crate) fn parameters(&self) -> Vec<String> {
        let schema = self.query.map(|query| query(&mut SchemaGenerator::default()));
        let fields = schema.as_ref().and_then(|schema| schema.get("properties")?.as_object());
        fields.into_iter().flat_map(|fields| fields.keys().cloned()).collect()
    }

    pub(super) fn header(mut self, name: &'static str, about: &'static str) -> Self {
        self.headers.push(HeaderParameter { name, about });
        self
    }
}
