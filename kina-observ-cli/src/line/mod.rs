//! One line of a trace, borrowed from the text that was read.

mod facts;

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

pub(crate) use facts::{Facts, Flaw, Kind, OPEN, parse};

/// The keys that the commands use; a reader must accept others.
#[derive(Debug, Deserialize)]
pub(crate) struct Line<'a> {
    #[serde(borrow)]
    pub(crate) ts: Option<Text<'a>>,
    pub(crate) kind: Option<Text<'a>>,
    pub(crate) span: Option<Text<'a>>,
    #[serde(rename = "type")]
    pub(crate) span_type: Option<Text<'a>>,
    pub(crate) span_kind: Option<Text<'a>>,
    pub(crate) trace_id: Option<Text<'a>>,
    pub(crate) span_id: Option<Text<'a>>,
    pub(crate) parent_span_id: Option<Text<'a>>,
    pub(crate) module_id: Option<Text<'a>>,
    pub(crate) duration_ms: Option<f64>,
    pub(crate) status: Option<Text<'a>>,
    pub(crate) thread: Option<Text<'a>>,
    pub(crate) attributes: Option<&'a RawValue>,
    pub(crate) error: Option<ErrorText<'a>>,
    pub(crate) schema_version: Option<u64>,
    pub(crate) count: Option<u64>,
    pub(crate) reason: Option<Text<'a>>,
}

/// The `error` of a line.
#[derive(Debug, Deserialize)]
pub(crate) struct ErrorText<'a> {
    #[serde(borrow, rename = "type")]
    pub(crate) error_type: Text<'a>,
    pub(crate) message: Text<'a>,
    pub(crate) help: Text<'a>,
}

/// Text that is copied only if it holds escapes; serde's own `Option<Cow<str>>` always copies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text<'a>(Cow<'a, str>);

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Borrow;
        impl<'de> Visitor<'de> for Borrow {
            type Value = Text<'de>;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a text")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        from.deserialize_str(Borrow)
    }
}

/// The attributes of a line, in its order, with their values as JSON text.
#[derive(Debug, Default)]
pub(crate) struct Attributes<'a>(pub(crate) Vec<(Text<'a>, &'a str)>);

impl<'a> Attributes<'a> {
    /// Those of `line`; `None` if they are no object.
    pub(crate) fn of(line: &Line<'a>) -> Option<Self> {
        line.attributes.map_or(Some(Self::default()), |raw| serde_json::from_str(raw.get()).ok())
    }

    /// The JSON text of the first value of `key`.
    pub(crate) fn json(&self, key: &str) -> Option<&'a str> {
        self.0.iter().find(|(known, _)| &**known == key).map(|(_, json)| *json)
    }

    /// The value of `key` if it is a text.
    pub(crate) fn text(&self, key: &str) -> Option<String> {
        serde_json::from_str(self.json(key)?).ok()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Attributes<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Attributes<'de>;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Attributes<'de>, A::Error> {
                let mut pairs = Vec::new();
                while let Some((key, value)) = map.next_entry::<Text<'de>, &'de RawValue>()? {
                    pairs.push((key, value.get()));
                }
                Ok(Attributes(pairs))
            }
        }
        from.deserialize_map(Pairs)
    }
}
