//! The declaration of a route, from which the router and the OpenAPI document are built.

use std::sync::Arc;

use axum::{
    handler::Handler,
    routing::{self, MethodRouter},
};
use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::app::App;

type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

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
    pub(crate) response: ResponseKind,
    /// The type whose fields are the query parameters.
    pub(crate) query: Option<SchemaOf>,
    pub(crate) headers: Vec<HeaderParameter>,
    pub(crate) open: bool,
    pub(super) router: MethodRouter<Arc<App>>,
}

macro_rules! methods {
    ($($name:ident)*) => { $(
        pub(super) fn $name<H: Handler<T, Arc<App>>, T: 'static>(path: &'static str, about: &'static str, handler: H) -> Route {
            Route {
                method: stringify!($name),
                path,
                about,
                request_body: None,
                response: ResponseKind::Data(|_| Schema::default()),
                query: None,
                headers: Vec::new(),
                open: false,
                router: routing::$name(handler),
            }
        }
    )* };
}
methods! { get post put delete }

impl Route {
    pub(super) fn request_body<T: JsonSchema>(mut self) -> Self {
        self.request_body = Some(|generator| generator.subschema_for::<T>());
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
