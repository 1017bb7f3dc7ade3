//! Converts the value of a setting to the type of its field, and back.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use url::Url;

use super::{
    choices::Choice,
    sources::Resolved,
    value::{Price, Value},
};
use crate::playbooks::PlaybookChoice;

/// A type that a field of [`Settings`](super::Settings) can have.
pub(super) trait Typed: Sized {
    /// Returns `None` for a value of another type.
    fn from_value(value: &Value) -> Option<Self>;
    fn to_value(&self) -> Value;

    fn change(&mut self, value: &Value) {
        if let Some(new) = Self::from_value(value) {
            *self = new;
        }
    }
}

/// The field for a setting.
pub(super) fn typed<T: Typed>(values: &Resolved, name: &str) -> T {
    let value = values.get(name).map(|(value, _)| value);
    value
        .and_then(T::from_value)
        .expect("the kind and the default in the table fit the type, as loading the defaults shows")
}

macro_rules! typed {
    ($($type:ty: $pattern:pat => $read:expr, $self:ident => $write:expr;)*) => {$(
        impl Typed for $type {
            fn from_value(value: &Value) -> Option<Self> {
                match value {
                    $pattern => $read,
                    _ => None,
                }
            }
            fn to_value(&$self) -> Value {
                $write
            }
        }
    )*};
}

typed! {
    bool: Value::Flag(flag) => Some(*flag), self => Value::Flag(*self);
    f64: Value::Number(number) => Some(*number), self => Value::Number(*self);
    Duration: Value::Time(time) => Some(*time), self => Value::Time(*self);
    (u32, u32): Value::Size(width, height) => Some((*width, *height)), self => Value::Size(self.0, self.1);
    String: Value::Text(text) => Some(text.clone()), self => Value::Text(self.clone());
    PlaybookChoice: Value::Text(text) => Some(PlaybookChoice::of_text(text)), self => Value::Text(self.text());
    Url: Value::Text(text) => Url::parse(text).ok(), self => Value::Text(self.to_string());
    PathBuf: Value::Path(path) => Some(path.clone()), self => Value::Path(self.clone());
}

/// Bounds in the table keep numbers within their type. If a setting has no value, the largest number of the type means
/// that there is no limit.
macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl Typed for $type {
            fn from_value(value: &Value) -> Option<Self> {
                if let Value::Count(count) = value { Some(<$type>::try_from(*count).unwrap_or(<$type>::MAX)) } else { None }
            }
            fn to_value(&self) -> Value {
                Value::Count(u64::try_from(*self).unwrap_or(u64::MAX))
            }
        }
    )*};
}
numbers! { u8 u16 u32 u64 usize }

impl<T: Typed> Typed for Option<T> {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Nothing => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::Nothing, T::to_value)
    }
}

/// Converts a list of texts to a list of another type. A setting without a value is an empty list.
fn list<T>(value: &Value, read: impl Fn(&String) -> Option<T>) -> Option<Vec<T>> {
    match value {
        Value::Nothing => Some(Vec::new()),
        Value::List(texts) => texts.iter().map(read).collect(),
        _ => None,
    }
}

impl Typed for Vec<String> {
    fn from_value(value: &Value) -> Option<Self> {
        list(value, |text| Some(text.clone()))
    }
    fn to_value(&self) -> Value {
        Value::List(self.clone())
    }
}

impl Typed for Vec<PathBuf> {
    fn from_value(value: &Value) -> Option<Self> {
        list(value, |text| Some(PathBuf::from(text)))
    }
    fn to_value(&self) -> Value {
        Value::List(self.iter().map(|path| path.display().to_string()).collect())
    }
}

impl<T: Choice> Typed for Vec<T> {
    fn from_value(value: &Value) -> Option<Self> {
        list(value, |word| T::of_word(word))
    }
    fn to_value(&self) -> Value {
        Value::List(self.iter().map(|choice| choice.word().to_owned()).collect())
    }
}

impl Typed for BTreeMap<String, Price> {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Nothing => Some(BTreeMap::new()),
            Value::Prices(prices) => Some(prices.clone()),
            _ => None,
        }
    }
    fn to_value(&self) -> Value {
        Value::Prices(self.clone())
    }
}
