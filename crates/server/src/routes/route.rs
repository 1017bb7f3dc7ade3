//! The declaration of a route, from which the router and the OpenAPI document are built.

use std::sync::Arc;

use axum::{
    handler::Handler,
    routing::{self, MethodRouter},
};
use legwork_access::TokenScope;
use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::app::App;

type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

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
    pub(crate) request_body: Option<SchemaOf>,
    /// Whether the body is a file instead of JSON.
    pub(crate) takes_file: bool,
    pub(crate) response: ResponseKind,
    /// The type whose fields are the query parameters.
    pub(crate) query: Option<SchemaOf>,
    pub(crate) headers: Vec<HeaderParameter>,
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
                request_body: None,
                takes_file: false,
                response: ResponseKind::Data(|_| Schema::default()),
                query: None,
                headers: Vec::new(),
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

    pub(super) fn request_body<T: JsonSchema>(mut self) -> Self {
        self.request_body = Some(|generator| generator.subschema_for::<T>());
        self
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

    pub(super) fn header(mut self, name: &'static str, about: &'static str) -> Self {
        self.headers.push(HeaderParameter { name, about });
        self
    }
}
