//! A cache of schemas by their options. Each schema is generated once and then shared.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

use legwork_protocol::ReplySchema;
use parking_lot::Mutex;
use serde_json::Value;

use super::{NAME, SchemaOptions, generate};

/// There are few combinations of options, unless callers vary them without limit. Beyond this number, the cache is
/// cleared.
const MOST: usize = 32;

type Cache = Mutex<HashMap<SchemaOptions, Arc<Value>>>;

/// The schema that is sent to a provider.
pub fn wire(options: &SchemaOptions) -> ReplySchema {
    static CACHE: OnceLock<Cache> = OnceLock::new();
    ReplySchema { name: NAME.to_owned(), schema: cached(CACHE.get_or_init(Cache::default), options, generate::wire) }
}

/// The documented schema.
pub fn full(options: &SchemaOptions) -> Arc<Value> {
    static CACHE: OnceLock<Cache> = OnceLock::new();
    cached(CACHE.get_or_init(Cache::default), options, generate::full)
}

fn cached(cache: &Cache, options: &SchemaOptions, make: fn(&SchemaOptions) -> Value) -> Arc<Value> {
    let mut cache = cache.lock();
    if let Some(known) = cache.get(options) {
        return known.clone();
    }
    if cache.len() >= MOST {
        cache.clear();
    }
    let made = Arc::new(make(options));
    cache.insert(options.clone(), made.clone());
    made
}
